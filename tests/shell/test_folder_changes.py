"""Which changes of the folder in a text are in question, and where its commands run if they fail."""

from __future__ import annotations

from tests.tables import for_each

from operators_edge.shell.evaluate import parse
from operators_edge.shell.folder_changes import Outcome


def moves_of(text):
    """The changes that may not have happened, each with the folders that would make it sure."""
    return {
        one.way: None if one.needs is None else [need.path for need in one.needs]
        for one in parse(text).moves
    }


def runs(text, *, fails=True, others=()):
    """Where each command of a text runs in an outcome."""
    outcome = Outcome(lambda move: move.to == "..", fails, frozenset(others))
    commands = parse(text, outcome=outcome).commands
    return [(one.cwd, one.argv[0].text) for one in commands if one.argv[0].text != "cd"]


@for_each(
    ("text", "changes"),
    [
        ("cd a; ls", {("", "a"): ["a"]}),
        ("cd a && ls", {}),
        ("cd a && ls; pwd", {("", "a"): ["a"]}),
        ("cd a", {}),
        ("cd .; ls", {}),
        ("cd; ls", {}),
        ("cd $X; ls", {("", None): None}),
        ("cd a b; ls", {("", "a"): None}),
        ("cd a/../b; ls", {("", "b"): ["a", "b"]}),
        ("mkdir a; cd a; ls", {("", "a"): ["a"]}),
        ("mkdir b/a; cd b/a; ls", {("", "b/a"): ["b/a", "b"]}),
        ("mkdir -p b/a; cd b; ls", {("", "b"): ["b/a"]}),
        ("rm -r a; cd a; ls", {("", "a"): None}),
        ("cd a; ls; cd ..; ls; cd a; ls", {("", "a"): ["a"]}),
        ("cd a; cd -; ls", {("", "a"): ["a"]}),
        ("false && cd a; ls", {("", "a"): None}),
        ("if ls; then cd a; fi; ls", {("", "a"): None}),
        ("ssh host 'cd a; ls'", {}),
    ],
)
def test_a_change_is_in_question_if_more_runs_whether_it_fails_or_not(text, changes):
    assert moves_of(text) == changes


@for_each(
    ("text", "commands"),
    [
        ("cd a; ls", [("", "ls")]),
        ("cd a && ls; pwd", [("", "pwd")]),
        ("cd a || ls; pwd", [("", "ls"), ("", "pwd")]),
        ("cd a || exit; pwd", [("", "exit")]),
        ("cd a && ls || pwd", [("", "pwd")]),
        ("ls || cd a && pwd", [("", "ls"), ("", "pwd")]),
        ("if cd a; then ls; else pwd; fi", [("", "pwd")]),
        ("if ! cd a; then ls; else pwd; fi", [("", "ls")]),
        ("set -e; cd a; ls", [("", "set")]),
        ("cd a; cd ..; ls", [("..", "ls")]),
        ("pushd a; popd; ls", [("", "pushd"), ("", "popd"), ("", "ls")]),
        ("(cd a; exit); ls", [("", "exit"), ("", "ls")]),
    ],
)
def test_a_change_that_fails_leaves_what_follows_in_the_folder_before(text, commands):
    assert runs(text) == commands


def test_one_change_may_fail_alone_and_one_may_go_well_alone():
    text = "cd a; cd b; ls"
    assert runs(text, fails=False) == [("a/b", "ls")]
    assert runs(text, fails=False, others=[("", "a")]) == [("b", "ls")]
    assert runs(text, fails=True, others=[("", "a")]) == [("a", "ls")]


def test_a_branch_ends_in_the_folder_of_one_of_its_sides():
    text = "if ls; then cd a; fi; pwd"
    assert runs(text)[-1] == ("", "pwd")
    assert runs(text, fails=False)[-1] == (None, "pwd")
    assert runs(text, others=[("", "a")])[-1] == ("a", "pwd")
