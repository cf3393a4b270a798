"""What a task of cargo-make runs."""

from __future__ import annotations

from tests.gate.disk.test_follow import WIPE, judged
from tests.tables import for_each

from operators_edge.gate.disk.cargo_make import cargo_make, cargo_make_includes
from operators_edge.gate.disk.recipe_types import Wanted

TASKS = """
extend = "more.toml"
[env]
OUT = "build"
[tasks.a]
dependencies = ["b"]
script = '''
rm -r $OUT
'''
[tasks.b]
command = "rm"
args = ["-rf", "${HOME}/x y"]
[tasks.c]
run_task = { name = ["d"] }
[tasks.d]
script_runner = "python"
script = ["import os", "os.remove('a')"]
[tasks.e]
script = { file = "x.sh" }
[tasks.e.linux]
script = "y"
[tasks.default]
alias = "e"
"""


@for_each(
    ("targets", "runs"),
    [
        (("a",), ["rm -r $OUT\n", 'rm -rf "${HOME}/x y"']),
        (("c",), ["python -c 'import os\nos.remove('\"'\"'a'\"'\"')'"]),
        ((), ['. "x.sh"', "y"]),
    ],
)
def test_a_task_runs_what_it_says_and_what_it_needs(targets, runs):
    found = [one.text for one in cargo_make(TASKS, Wanted(targets))]
    assert found == [f'export OUT="build"\n{one}' for one in runs]


def test_a_file_may_extend_others():
    assert [one.path for one in cargo_make_includes(TASKS)] == ["more.toml"]
    assert cargo_make("[", Wanted()) == []


@for_each(
    ("command", "task", "effect"),
    [
        ("cargo make ship", f'script = "{WIPE}"', "junction"),
        ("makers ship", 'command = "cargo"\nargs = ["publish"]', "junction"),
        ("cargo make --cwd . ship", f'script = ["{WIPE}"]', "junction"),
        ("cargo make ship", 'command = "echo"\nargs = ["cargo publish"]', "allow"),
        ("cargo make other", f'script = "true"\n[tasks.wipe]\nscript = "{WIPE}"', "allow"),
    ],
)
def test_a_task_of_cargo_make_is_followed(command, task, effect):
    name = command.rpartition(" ")[2]
    files = {"Makefile.toml": f"[tasks.{name}]\n{task}\n"}
    assert judged(command, files, committed=files).effect == effect
