"""The decision card: one piece of data, the same on every surface, fit for each."""

import json

import pytest
from hypothesis import given, strategies as st
from tests.approvals.card.facts import FILES, PUSH

from operators_edge.approvals.card import render
from operators_edge.approvals.card.build import MAX_STORED_BYTES, build, compact
from operators_edge.approvals.card.render import denial_lines, dialog_lines, lines, stored_lines
from operators_edge.approvals.messages import denial
from operators_edge.model import Finding, Verdict
from operators_edge.text.wording import columns

LONG = "echo " + "a" * 3000 + " && git push --force origin main && echo " + "b" * 3000


def finding(command="git push --force origin main", **more):
    at = [command.find(word) for word in ("push", "--force")]
    spans = tuple(
        (start, start + size) for start, size in zip(at, (4, 7), strict=True) if start >= 0
    )
    given = {
        "rule": "git-push-force",
        "effect": "junction",
        "type": "irreversible",
        "reason": "Overwrites what is published.",
        "instead": "Look first: `git push --dry-run`",
        "spans": spans,
        "understood": command[:200],
        **more,
    }
    return Finding(**given)


def card_of(command="git push --force origin main", *, verdict=None, **more):
    verdict = verdict or Verdict("junction", (finding(command),), exact="e", classes=("c",))
    return build(command, verdict, **more)


FULL = {
    "radius": [PUSH],
    "step": {"number": 2, "of": 5, "description": "publish it"},
    "history": {
        "exact": {"approved": 2},
        "class": {"approved": 5, "refused": 1},
        "last": {
            "outcome": "refused",
            "at": "2026-11-03T10:00:00+00:00",
            "by": "ann, at a terminal",
        },
    },
    "where": {"cwd": ".", "branch": "main", "session": "0123456789abcdef", "agent": ""},
}


def test_the_whole_card_reads_from_top_to_bottom():
    assert lines(card_of(**FULL)) == [
        "Pending    git push --force origin main",
        "               ^^^^ ^^^^^^^",
        "At stake   2 commits on main of origin (github.com/acme/shop) would be lost, 3",
        "           commits published",
        "           lost: c3 three",
        "           new: a1 one; b2 two",
        "           (as of the last fetch, 3 days ago)",
        "Reversible partly, git push -f origin c3:main, if nobody pushed there since the",
        "           last fetch",
        "Rule       git-push-force (irreversible): Overwrites what is published.",
        "Instead    Look first: `git push --dry-run`",
        "Before     this call approved 2 times; such calls approved 5 times, refused",
        "           once; last refused on 2026-11-03 by ann, at a terminal",
        "Step       2 of 5: publish it",
        "Where      . on main, session 01234567",
    ]


def test_a_line_of_a_file_that_decided_is_named_on_the_card_and_to_the_agent():
    found = finding("bash deploy.sh", understood="bash → git push", source="deploy.sh:7")
    card = card_of("bash deploy.sh", verdict=Verdict("junction", (found,), exact="e"))
    assert "Found in   deploy.sh:7" in lines(card)
    assert "Found in: deploy.sh:7" in denial_lines(card)
    assert "Found in: deploy.sh:7" in dialog_lines(card)
    assert "Found in: deploy.sh:7" in denial(Verdict("block", (found,)))


def test_the_dialog_gets_the_decisive_lines_and_no_more_than_fit():
    found = dialog_lines(card_of(LONG, **FULL))
    assert len(found) <= 9
    assert all(columns(line) <= 80 for line in found)
    assert found[0].startswith("At stake: 2 commits on main of origin")
    assert any(line.startswith("Reversible: partly") for line in found)
    assert any(line.startswith("Rule: git-push-force") for line in found)


@pytest.mark.parametrize("most", [1, 2, 4, 9, 20])
def test_where_it_goes_is_the_last_row_that_is_left_out(most):
    changed = [f"the file number {number} changed in a way that takes room" for number in range(9)]
    card = card_of(LONG, **FULL, target="/elsewhere.git from /home/ann/shop", changed=changed)
    dialog = dialog_lines(card, size=(74, most))
    assert "To: /elsewhere.git from /home/ann/shop" in dialog
    assert len(dialog) <= most
    if most == 9:
        assert any(line.startswith("At stake: ") for line in dialog)
        assert any(line.startswith("Rule: ") for line in dialog)
    if most >= 9:
        screen = lines(card, size=(80, 20))
        assert "To         /elsewhere.git from /home/ann/shop" in screen
        assert len(screen) <= 20


def test_the_agent_is_told_what_it_needs_and_not_the_whole_card():
    assert denial_lines(card_of(**FULL)) == [
        "Operator's Edge (git-push-force): Overwrites what is published.",
        "Understood as: git push --force origin main",
        (
            "At stake: 2 commits on main of origin (github.com/acme/shop) would be lost, 3 commits "
            "published"
        ),
        "Instead: Look first: `git push --dry-run`",
    ]


@pytest.mark.parametrize("width", [40, 80, 120])
@pytest.mark.parametrize("most", [6, 12, 20])
def test_a_card_keeps_within_its_screen_and_shows_its_marks(width, most):
    found = lines(card_of(LONG, **FULL), size=(width, most))
    assert len(found) <= most
    assert all(columns(line) <= width for line in found)
    assert "^^^^ ^^^^^^^" in "\n".join(found)


def test_in_json_the_marks_are_on_the_decisive_words():
    made = card_of(LONG)
    words = [made["command"][start:end] for start, end in made["marks"]]
    assert words == ["push", "--force"]
    assert json.loads(json.dumps(made)) == made


def test_no_secret_and_nothing_a_terminal_obeys_is_in_a_card():
    command = "TOKEN=abcdefgh12345678 git push \x1b[2J\u202e --force https://u:pw12345678@h/x"
    secret = "correct-horse-battery"
    push = {**PUSH, "at_stake": [f"publishes 1 commit on {secret}", f"new: \x1b[31m{secret}"]}
    made = card_of(
        command,
        verdict=Verdict("junction", (finding(command, understood=f"{command} {secret}"),)),
        radius=[push],
        values=[secret],
    )
    shown = json.dumps(made, ensure_ascii=False) + "\n".join(lines(made))
    for bad in ("abcdefgh12345678", "pw12345678", secret, "\x1b", "\u202e"):
        assert bad not in shown


def test_the_reading_is_shown_only_where_it_says_more_than_the_command():
    same = card_of(
        verdict=Verdict("junction", (finding(understood="git push '--force' origin main"),))
    )
    assert not any(line.startswith("Read as") for line in lines(same))
    through = card_of(verdict=Verdict("junction", (finding(understood="sudo → git push"),)))
    assert "Read as    sudo → git push" in lines(through)


@pytest.mark.parametrize("size", [None, render.DIALOG])
def test_words_that_only_look_like_others_are_named(size):
    shown = lines(card_of("git push --force origin m\u0430in", **FULL), size=size)
    assert "Letters    m\u0430in is not main: \u0430 (U+0430)" in shown


def test_other_rules_that_fired_are_named_once():
    verdict = Verdict("junction", (finding(), finding(rule="other"), finding(rule="other")))
    assert card_of(verdict=verdict)["also"] == [
        {"rule": "other", "reason": "Overwrites what is published."}
    ]


def test_a_call_of_another_tool_has_no_marks():
    assert card_of("Write file_path=/etc/push", is_marked=False)["marks"] == []


def test_a_kept_card_is_small_and_still_shows_what_was_decisive():
    facts = [{**PUSH, "at_stake": ["x" * 500] * 16}] * 3
    verdict = Verdict(
        "junction", tuple(finding(LONG, rule=f"r{n}", understood=LONG) for n in range(9))
    )
    small = compact(card_of(LONG, verdict=verdict, **{**FULL, "radius": facts}))
    assert len(json.dumps(small, ensure_ascii=False).encode()) <= MAX_STORED_BYTES
    assert [small["command"][start:end] for start, end in small["marks"]] == ["push", "--force"]
    assert stored_lines(small)


@given(st.text(max_size=3000), st.lists(st.tuples(st.integers(0, 3000), st.integers(0, 3000))))
def test_any_text_makes_a_card_that_can_be_kept_and_read(text, spans):
    verdict = Verdict("junction", (finding("x", spans=tuple(spans), understood=text),))
    made = build(text, verdict, radius=[PUSH, FILES])
    small = compact(made)
    assert (
        len(json.dumps(small, ensure_ascii=False).encode("utf-8", "backslashreplace"))
        <= MAX_STORED_BYTES
    )
    assert len(stored_lines(small)) <= 20
    assert len(dialog_lines(made)) <= 9


@pytest.mark.parametrize(
    "edited",
    [
        None,
        "text",
        [],
        {},
        {"command": 3},
        {**card_of(), "radius": [{}]},
        {**card_of(), "marks": "x"},
    ],
)
def test_what_is_no_card_after_somebodys_edit_is_not_shown_as_one(edited):
    assert stored_lines(edited) is None


def test_an_edited_cards_text_is_shown_without_what_a_terminal_obeys():
    shown = "\n".join(stored_lines({**card_of(), "command": "a\x1b[2Jb", "reason": "\x1b[31mred"}))
    assert "\x1b" not in shown


def test_where_it_happens_is_not_guessed_from_the_type_of_the_rule():
    verdict = Verdict("junction", (finding(type="external"),))
    assert "Reversible not known" in lines(card_of(verdict=verdict))


def test_without_anything_measured_a_snapshot_is_what_can_be_said():
    one = finding(effect="block")
    asks = Verdict("junction", (finding(),), destroys=(finding(),))
    assert card_of(verdict=asks)["undo"]["can"] == "partly"
    assert card_of(verdict=Verdict("block", (one,), destroys=(one,)))["undo"]["can"] == "unknown"


SENT = {
    "kind": "request",
    "at_stake": ["POST h"],
    "undo": {"can": "no", "how": "what was sent cannot be called back"},
}
UNMEASURED = {
    "kind": "files",
    "at_stake": ["not known: why"],
    "undo": {"can": "unknown", "how": ""},
}


@pytest.mark.parametrize(
    ("radius", "can", "how"),
    [
        ([PUSH], "partly", PUSH["undo"]["how"]),
        (
            [FILES, SENT],
            "partly",
            "files yes (git restore); request no (what was sent cannot be called back)",
        ),
        ([FILES, UNMEASURED], "unknown", "files yes (git restore); files not known"),
        ([SENT, SENT], "no", "request no (what was sent cannot be called back)"),
    ],
)
def test_whether_a_call_can_be_undone_is_judged_by_its_worst_part(radius, can, how):
    assert card_of(radius=radius)["undo"] == {"can": can, "how": how}


def test_a_screen_too_small_for_anything_is_still_kept_to():
    assert len(lines(card_of(**FULL), size=(30, 3))) == 3
    assert render.SCREEN == (80, 20)


def test_a_card_without_anything_beyond_its_rule_is_three_rows():
    verdict = Verdict("warn", (finding(instead="", understood="", spans=()),))
    assert lines(card_of(verdict=verdict)) == [
        "Pending    git push --force origin main",
        "Reversible not known",
        "Rule       git-push-force (irreversible): Overwrites what is published.",
    ]
    assert denial_lines(card_of(verdict=verdict)) == [
        "Operator's Edge (git-push-force): Overwrites what is published."
    ]


def test_the_call_of_a_subagent_names_it_and_a_reading_that_is_no_shell_text_is_shown():
    unbalanced = Verdict("junction", (finding(understood="git push 'x"),))
    shown = lines(card_of(verdict=unbalanced, where={"cwd": "src", "agent": "a" * 40}))
    assert "Read as    git push 'x" in shown
    assert shown[-1] == f"Where      src, agent {'a' * 16}"


def test_of_a_command_of_many_lines_the_first_are_shown():
    command = "\n".join(f"echo {number}" for number in range(20))
    verdict = Verdict("junction", (finding(spans=(), understood=""),))
    shown = lines(card_of(command, verdict=verdict))
    assert [line.strip() for line in shown[7:9]] == ["echo 7", "…"]
