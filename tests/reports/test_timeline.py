import json

import pytest
from tests.reports.pages import call, event

from operators_edge.redaction.redact import redact
from operators_edge.reports import entries, timeline

SECRET = "ghp_" + "a1B2" * 9


def built(*every, room=timeline.DETAILS, many=timeline.MANY, answers=None):
    builder = timeline.Builder(redact, many=many)
    for seq, each in enumerate(every, 1):
        entry = {"seq": seq, "timestamp": f"2026-03-01T12:00:{seq % 60:02d}+00:00", **each}
        builder.add(entry, entries.line(entry))
    return builder.timeline(answers or {}, room=room)


def column(found, name):
    """A column as the page's script reads it."""
    return [found.columns["tables"][name][number] for number in found.columns[name]]


def test_a_column_holds_every_entry_and_each_text_once():
    found = built(call(text="ls"), call(text="pwd"), event("prompt", preview="x"))
    assert found.columns["x"] == ["ls", "pwd", "x"]
    assert column(found, "n") == ["Bash", "Bash", "Asked for"]
    assert found.columns["tables"]["n"] == ["Bash", "Asked for"]
    assert column(found, "k") == ["call", "call", "prompt"]


def test_numbers_and_times_are_differences():
    found = built(call(), call(), {**call(), "seq": 9}, {**call(), "timestamp": "garbage"})
    assert found.columns["q"] == [1, 1, 7, -5]
    assert found.columns["t"][1:] == [1000, 1000, 0]


def test_a_question_stands_with_its_answer():
    found = built(event("asked", shown="x"), answers={1: "approved"})
    assert column(found, "o") == ["approved"]
    assert found.columns["tones"] == ["good"]


def test_details_are_what_the_line_does_not_show():
    background = call(output="out")
    background["input_preview"] = '{"command": "ls", "run_in_background": true}'
    edit = {**call("Edit", "a"), "exit_code": 2, "duration_ms": 7}
    plain = {**call(output="out"), "input_preview": '{"command": "ls"}'}
    (first, second, third) = (built(background, edit, plain).details[0][row] for row in "012")
    assert first[:2] == [background["input_preview"], "out"]
    assert (len(second[3]), second[4:]) == (64, [2, 7])
    assert third[:2] == ["", "out"]


def test_what_was_logged_with_an_entry_reads_as_lines():
    steps = [{"key": "ab12", "text": "Do it", "status": "pending"}]
    found = built(event("plan", steps=steps, hash="x", files=["a", "b"], empty=[], passed=False))
    said = "steps:\n  - text: Do it\n    status: pending\nfiles: a, b\npassed: no"
    assert found.details[0]["0"][2] == said


def test_if_not_all_details_fit_those_that_matter_come_first_and_then_the_latest():
    long = "x" * 900
    calls = [call(text=f"c{n}", output=long, ok=n != 1) for n in range(6)]
    found = built(*calls, room=3600)
    assert found.rows == 6
    assert sorted(found.details[0]) == ["1", "4", "5"]
    assert found.detailed == 3


def test_many_entries_have_short_subjects():
    found = built(*[call(text="x" * 400)] * 3, many=2)
    assert {len(each) for each in found.columns["x"]} == {timeline.SUBJECT_OF_MANY}


@pytest.mark.parametrize(
    "entry",
    [
        call(text=f"curl -H 'Authorization: Bearer {SECRET}'"),
        call(output=f"token {SECRET}"),
        event("note", text=SECRET),
        event("denied", why={"deep": [SECRET]}),
        {**call(), "tool": SECRET},
        {**call(), "agent": SECRET},
        event("junction_decided", by=SECRET, rule=SECRET),
    ],
)
def test_no_secret_is_in_any_place(entry):
    # Made as the log does before it hides secrets: a log of before may hold some.
    entry = {**entry, "input_preview": json.dumps(entry.get("input_preview"))}
    found = built(entry)
    assert SECRET not in json.dumps([found.columns, {str(k): v for k, v in found.details.items()}])


def test_a_secret_across_the_end_of_a_subject_is_hidden_whole():
    for before in range(1, 44):
        text = "x " * ((timeline.SUBJECT_OF_MANY - before) // 2) + SECRET
        (subject,) = built(call(text=text), many=0).columns["x"]
        assert "ghp_" not in subject


def test_what_was_removed_is_listed_with_kind_count_and_entries():
    found = built(call(text=f"a {SECRET}"), call(), call(text="x [REDACTED:aws] [REDACTED]"))
    said = {each.kind: (each.times, each.entries) for each in found.removed}
    assert said["github"][1] == (1,)
    assert (said["aws"][1], said["secret"][1]) == ((3,), (3,))


def test_a_secret_among_many_texts_hides_only_itself():
    every = [call(text=f"c{n}") for n in range(500)]
    found = built(*every, call(text=SECRET))
    assert found.columns["x"][:500] == [f"c{n}" for n in range(500)]
    assert found.columns["x"][500] == "[REDACTED:github]"
