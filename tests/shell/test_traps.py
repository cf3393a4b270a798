"""What a trap runs is read where it is set, and again with what its variables hold when the shell ends."""

from __future__ import annotations

from tests.tables import for_each

from operators_edge.shell.commands import HOLE
from operators_edge.shell.evaluate import parse


def removed(text):
    """What each ``rm`` of a text removes, in order."""
    commands = parse(text, is_program=True).commands
    return [one.argv[-1].text for one in commands if one.argv and one.argv[0].text == "rm"]


@for_each(
    ("text", "paths"),
    [
        ("trap 'rm a' EXIT; ls", ["a"]),
        ("trap 'rm $D' EXIT; D=a; ls", ["a"]),
        ("D=a; trap 'rm $D' EXIT; D=b; ls", ["a", "b"]),
        ("D=a; trap 'rm $D' EXIT; ls", ["a"]),
        ("trap 'rm $D' EXIT; D=a; ls; D=b", [HOLE]),
        ("f() { rm $D; }; trap f EXIT; D=a; ls", ["a"]),
        ("f() { rm $D; }; g() { f; }; D=a; trap g EXIT; D=b", ["a", "b"]),
        ("trap 'rm $D' INT; D=a; ls", [HOLE]),
        ("D=a; trap 'rm $D' INT; D=b; ls", ["a", "b"]),
        ("trap 'rm $HOME' EXIT; ls", ["~"]),
    ],
)
def test_a_trap_runs_with_each_value_that_its_variables_may_have(text, paths):
    assert removed(text) == paths


def test_a_test_in_what_a_trap_runs_is_open_as_its_variables_may_change():
    assert removed("X=1; trap 'if [ $X = 2 ]; then rm a; fi' INT; sleep 9; X=2")[0] == "a"
    assert removed("X=1; if [ $X = 2 ]; then rm a; fi") == []


@for_each(
    ("text", "folders"),
    [
        ("trap 'rm a' EXIT; ls", [""]),
        ("trap 'rm a' EXIT; cd b", ["", "b"]),
        ("trap 'rm a' EXIT; (cd b)", [""]),
        ("trap 'rm $D' EXIT; D=a; cd b", ["b"]),
        ("trap 'rm a' EXIT; cd $X", [""]),
    ],
)
def test_a_trap_runs_in_the_folder_where_the_shell_ends(text, folders):
    commands = parse(text, is_program=True).commands
    assert [one.cwd for one in commands if one.argv and one.argv[0].text == "rm"] == folders


def test_a_trap_that_runs_nothing_reads_nothing():
    assert removed("trap - EXIT; trap '' INT; rm a") == ["a"]
