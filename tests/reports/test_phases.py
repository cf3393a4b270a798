import pytest
from tests.reports.pages import call

from operators_edge.reports import entries, phases


def lines(*runs):
    """Calls by what they are for, each as often as given."""
    made = {
        "exploring": call("Read", "a.py"),
        "building": call("Edit", "a.py"),
        "running": call("Bash", "ls"),
        "debugging": call("Bash", "ls", ok=False),
        "mixed": call("Task", "x"),
    }
    every = [made[purpose] for purpose, count in runs for _ in range(count)]
    return [entries.line({**each, "seq": seq}) for seq, each in enumerate(every, 1)]


@pytest.mark.parametrize(
    ("runs", "expected"),
    [
        ([], []),
        ([("exploring", 1)], [("exploring", 1, 1)]),
        ([("exploring", 12), ("building", 15)], [("exploring", 1, 12), ("building", 13, 27)]),
        # Two calls of another kind are no phase of their own.
        ([("exploring", 12), ("running", 2), ("exploring", 12)], [("exploring", 1, 26)]),
        # Nor are nine, beside longer ones; the first ones go to what follows.
        ([("running", 9), ("building", 20)], [("building", 1, 29)]),
        ([("building", 20), ("debugging", 10)], [("building", 1, 20), ("debugging", 21, 30)]),
    ],
)
def test_calls_with_the_same_purpose_make_a_phase(runs, expected):
    found = phases.phases(lines(*runs))
    assert [(each.purpose, each.first, each.last) for each in found] == expected


def test_every_call_belongs_to_one_phase_with_its_failures():
    found = phases.phases(lines(("exploring", 12), ("debugging", 11), ("mixed", 3)))
    assert sum(each.calls for each in found) == 26
    assert sum(each.failed for each in found) == 11


def test_what_is_no_call_belongs_to_none():
    assert phases.phases([entries.line({"event": "prompt", "seq": 1})]) == ()
