"""What a target of a Makefile runs."""

import pytest

from operators_edge.gate.makefiles import make
from operators_edge.gate.recipe_types import Wanted
from operators_edge.shell.commands import HOLE


def texts(text, *targets):
    return [one.text for one in make(text, Wanted(targets))]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("X = 1\nX += 2\nall:\n\techo $(X)\n", ["echo 1 2"]),
        ("X != date\nall:\n\techo $(X)\n", ["date", f"echo {HOLE}"]),
        ("all:\n\techo $$HOME\n", ["echo $HOME"]),
        ("all: a.o\n%.o: %.c\n\tcc $<\n", ["cc %.c"]),
        ("all:\n\techo \\\n\tx\n", ["echo \\\n\tx"]),
        ("a: b\n\techo a\nb: a\n\techo b\n", ["echo a", "echo b"]),
        ("SHELL = ./own\nall:\n\ttrue\n", ["./own -c :", "true"]),
        ("define R\none\ntwo\nendef\nall:\n\t$(R)\n", ["one\ntwo"]),
        (".RECIPEPREFIX = >\nall:\n>true\n", ["true"]),
    ],
)
def test_a_makefile_runs_what_its_default_target_needs(text, wanted):
    assert texts(text) == wanted
