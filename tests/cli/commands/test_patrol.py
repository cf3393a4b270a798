"""``edge patrol``, as a person and as a program read it."""

import json
import os

import pytest
from tests import processes
from tests.hosting import write

HARD = "def tangled{n}(x):\n" + "".join(
    f"    if x == {n}:\n        return {n}\n" for n in range(30)
)


@pytest.fixture
def seven(project):
    """A project with seven tangled functions."""
    text = "".join(HARD.replace("{n}", str(number)) for number in range(7))
    write(project, "src/a.py", text)
    write(project, "tests/test_a.py", "\n".join(f"tangled{n}" for n in range(7)))
    return project


def test_the_first_five_are_shown_with_number_place_and_what_to_do(seven, edge):
    code, out, err = edge("patrol")
    lines = out.splitlines()
    assert (code, err) == (0, "")
    assert lines[:3] == [
        "  1. low  tangled0() in src/a.py has 31 paths through it",
        "     src/a.py:1: cyclomatic complexity 31, and 15 is already high",
        "     -> Test it, then extract parts of it into functions.",
    ]
    assert lines[-2].startswith("7 findings in 2 files, ")
    assert lines[-1] == "2 more: edge patrol --all"
    assert "  6. " not in out
    assert max(map(len, lines)) <= 80


def test_all_of_them_are_shown_when_asked_for(seven, edge):
    out = edge("patrol", "--all")[1]
    assert "  7. low  tangled6()" in out
    assert "more:" not in out


def test_a_program_gets_all_of_it_whatever_is_shown(seven, edge):
    told = json.loads(edge("patrol", "--json")[1])
    data = told["data"]
    assert told["ok"] is True
    assert len(data["findings"]) == 7
    assert data["findings"][0]["line"] == 1
    assert data["skipped"] == told["warnings"] == []
    assert data["files"] == 2
    assert data["suggested_challenges"] == ["How might we make src/a.py simpler to follow?"]


def test_what_was_not_looked_at_is_a_warning(seven, edge):
    write(seven, "coverage.xml", "<broken")
    _, out, err = edge("patrol")
    assert err.startswith("warning: coverage.xml could not be read: it is not XML")
    assert "7 findings in the 2 files that were read" in out
    assert json.loads(edge("patrol", "--json")[1])["data"]["skipped"]


def test_nothing_found_is_said(project, edge):
    assert edge("patrol")[1].startswith("Nothing found in 0 files, ")


@pytest.mark.parametrize("budget", ["0", "-1", "nan"])
def test_a_budget_that_is_no_time_is_refused(project, edge, budget):
    code, _, err = edge("patrol", "--budget", budget)
    assert code == 64
    assert "run: edge patrol --budget 60" in err


def test_others_names_and_notes_do_not_act_on_the_terminal(project, edge):
    write(project, "a\x1b[31m.py", "# TODO: \x1b]0;title\x07 \u202e evil\nx = 1\n")
    out = edge("patrol")[1]
    assert "TODO" in out
    assert not set(out) & {"\x1b", "\x07", "\u202e"}


def test_a_name_that_is_no_utf8_is_shown(project, edge):
    path = os.path.join(os.fsencode(project), b"\xff\xe4.py")
    with open(path, "wb") as file:
        file.write(b"# TODO: x\n")
    done = processes.edge(project, "patrol", "--json")
    assert done.returncode == 0
    assert len(json.loads(done.stdout)["data"]["findings"]) == 1


def test_an_agent_may_look_without_being_asked(client):
    assert client.bash("edge patrol --all") == ""
