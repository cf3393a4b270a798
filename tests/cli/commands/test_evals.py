"""``edge eval`` at a terminal and for programs."""

import json
import sys

import pytest
from tests import processes
from tests.hosting import at_a_terminal

from operators_edge.hosts.claude.wiring import AGENT_VERBS
from operators_edge.project import Project


def edge(root, *words):
    done = processes.edge(root, *words)
    return done.returncode, done.stdout, done.stderr


def change(root, **values):
    Project(root, is_set_up=True).transact(lambda tx: tx.state.update(values), command="edit")


def test_a_run_says_what_each_invariant_found_and_fails_by_its_exit_code(project):
    change(project, notes=["n"])
    code, out, _ = edge(project, "eval", "run")
    assert code == 0
    assert "INV-01  passed" in out
    assert "INV-03  skipped" in out
    change(project, notes=[])
    code, out, _ = edge(project, "eval", "run")
    assert code == 1
    assert "INV-02  failed   deleted: notes.0" in out
    _, out, _ = edge(project, "eval", "list")
    assert "1. " in out.splitlines()[0]
    assert "failed INV-02" in out.splitlines()[0]
    _, out, _ = edge(project, "eval", "show", "1")
    assert "removed  notes.0: n" in out


def test_programs_get_the_same_as_data(project):
    _, out, _ = edge(project, "eval", "run", "--json")
    assert json.loads(out)["data"]["results"]["INV-01"]["outcome"] == "passed"
    for verb in ("status", "list", "show", "policy"):
        code, out, _ = edge(project, "eval", verb, "--json")
        assert code == 0
        assert json.loads(out)["ok"]


def test_alone_it_says_where_it_stands(project):
    assert edge(project, "eval") == edge(project, "eval", "status")
    assert edge(project, "eval", "--json") == edge(project, "eval", "status", "--json")


def test_nothing_kept_is_said_and_a_number_that_is_none_is_an_error(project):
    assert edge(project, "eval", "list")[1] == "No run is kept.\n"
    code, _, err = edge(project, "eval", "show", "3")
    assert code == 64
    assert "edge eval list" in err
    assert "Evals are off" in edge(project, "eval", "status")[1]


@pytest.mark.skipif(sys.platform == "win32", reason="a terminal is simulated")
def test_only_a_person_changes_the_policy(project):
    code, _, err = edge(project, "eval", "policy", "--on")
    assert code != 0
    assert "only a person" in err
    done = at_a_terminal(project, "eval", "policy", "--on", "--gate", "--allow-deletion", "notes")
    assert "stops `edge done`" in done.stdout
    assert "May be deleted: notes" in edge(project, "eval", "policy")[1]


def test_an_agent_may_look_and_not_change_the_policy():
    assert not {"eval", "eval policy"} & set(AGENT_VERBS)
    assert {"eval run", "eval status", "eval list", "eval show"} <= set(AGENT_VERBS)
