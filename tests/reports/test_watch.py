"""What ``edge watch`` shows: rows that fit any screen, what waits on top, and only what is new is read."""

import itertools
import json
import os

import pytest
from tests.tables import for_each

from operators_edge.project import Project
from operators_edge.reports import entries, watch
from operators_edge.reports.watch import Top
from operators_edge.reports.watch_service import LogFollower, TopReader
from operators_edge.text.wording import columns

CARD = [
    "Pending    git push origin main",
    "           Publishes commits to another repository.",
    "           decide: edge approve (once), skip, 1h (this target), session (this rule), never",
]


def lines(*given):
    return [
        entries.line({"seq": n, "timestamp": "2026-11-23T08:00:00+00:00", **each})
        for n, each in enumerate(given, 1)
    ]


def bash(command, *, success=True):
    return {"event": "tool", "tool": "Bash", "success": success, "data": {"command": command}}


def screen(top, found, width=80, height=20):
    return watch.rows(top, found, width=width, height=height, foot="q ends this")


def test_what_waits_is_on_top_and_the_newest_entry_is_the_lowest():
    found = [
        row.text
        for row in screen(Top("shop  active", waiting=CARD), lines(bash("one"), bash("two")))
    ]
    assert found[0] == "shop  active"
    assert found[1] == CARD[0]
    assert found[-1] == "q ends this"
    at = [number for number, text in enumerate(found) if "Bash" in text]
    assert [found[number].split()[-1] for number in at] == ["one", "two"]


def test_an_entry_says_how_it_ended_by_which_rule_and_who_decided():
    blocked = {"event": "blocked", "data": {"rule": "disk", "shown": "dd"}}
    decided = {
        "event": "junction_decided",
        "data": {"decision": "approve", "by": "ann", "shown": "git push"},
    }
    found = [
        watch.entry_row(each, 80) for each in lines(bash("make", success=False), blocked, decided)
    ]
    assert [row.text.partition(":00 ")[2] for row in found] == [
        "✗ Bash failed: make",
        "✗ Blocked: dd (disk)",
        "✓ Decision approved: git push by ann",
    ]
    assert [row.style for row in found] == ["red", "red", "green"]


def test_a_row_of_a_card_goes_on_below_its_text():
    found = [row.text for row in screen(Top("shop", waiting=CARD), [], width=40)]
    assert found[1:6] == [
        "Pending    git push origin main",
        "           Publishes commits to another",
        "           repository.",
        "           decide: edge approve (once),",
        "           skip, 1h (this target),",
    ]


def test_on_a_narrow_screen_number_and_seconds_go_first():
    wide, narrow = (watch.entry_row(lines(bash("pytest"))[0], width).text for width in (80, 40))
    assert wide.lstrip().startswith("1 ")
    assert narrow.split()[0].count(":") == 1


HOSTILE = "</script>\x1b[2J\x1b]52;c;aGk=\x07\r\n\u202e\u200b\x00\ud800" + "漢" * 5_000


@for_each("width", [1, 10, 20, 40, 80, 120, 300])
@for_each("height", [1, 2, 5, 20, 60])
def test_the_screen_has_its_size_whatever_is_on_it(width, height):
    data = dict.fromkeys(("shown", "rule", "by", "decision"), HOSTILE)
    made = [{"event": HOSTILE, "tool": HOSTILE, "data": data}, bash(HOSTILE)] * 50
    top = Top(HOSTILE, [HOSTILE], [HOSTILE, *CARD], [HOSTILE])
    found = screen(top, lines(*made), width, height)
    assert len(found) == height
    for row in found:
        assert columns(row.text) <= max(width, 2), row
        assert row.text.isprintable(), row


def test_a_card_that_is_too_long_leaves_room_for_entries_and_says_so():
    found = screen(
        Top("shop", waiting=[f"row {n}" for n in range(50)]), lines(bash("x")), height=20
    )
    texts = [row.text for row in found]
    assert "… all of it: edge status" in texts
    assert any("Bash" in text for text in texts)


# -- following a project ---------------------------------------------------------------------------


@pytest.fixture
def here(project):
    return Project(project, is_set_up=True)


def test_only_what_is_appended_is_new(here):
    here.log.append(bash("old"))
    follower = LogFollower(here)
    assert follower.new() == []
    here.log.append_many([bash("one"), bash("two")])
    assert [each["data"]["command"] for each in follower.new()] == ["one", "two"]
    assert follower.new() == []
    assert [each["data"]["command"] for each in follower.last(2)] == ["one", "two"]


def test_a_log_that_begins_later_is_followed_from_its_first_entry(here):
    follower = LogFollower(here)
    assert follower.new() == []
    here.log.append(bash("first"))
    assert [each["event"] for each in follower.new()] == ["tool"]


def test_a_log_that_was_replaced_is_said_and_followed_again(here):
    here.log.append_many([bash("a"), bash("b")])
    follower = LogFollower(here)
    path = os.path.join(here.root, ".proof", "session_log.jsonl")
    with open(path, "w", encoding="utf-8") as file:
        file.write(json.dumps({"seq": 9, "event": "tool", "prev": "0" * 64}) + "\n")
    assert [each["event"] for each in follower.new()] == ["log_replaced"]
    here.log.append(bash("c"))
    assert "tool" in [each["event"] for each in follower.new()]


def test_what_waits_is_read_again_when_the_state_changes(here):
    clock = itertools.count(step=0.1)
    top = TopReader(here, seconds=lambda: next(clock))
    assert top.read().heading == f"{os.path.basename(here.root)}  active  step 1/1 one"
    assert top.read().waiting == []
    here.transact(
        lambda tx: tx.state.update(junction={"type": "external", "reason": "Which one?"}),
        command="x",
    )
    assert any("Which one?" in line for line in top.read().waiting)


def test_a_state_that_cannot_be_read_is_said_and_not_taken_for_nothing(here):
    with open(here.state.path, "w", encoding="utf-8") as file:
        file.write("a: [")
    found = TopReader(here, seconds=lambda: 0.0).read()
    assert "The state is not read" in found.problems[0]
