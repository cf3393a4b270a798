"""What a task of a Taskfile runs."""

from operators_edge.gate.disk.recipe_types import Wanted
from operators_edge.gate.disk.taskfiles import task_includes, task_needs, taskfile


def texts(text, *targets):
    return [one.text for one in taskfile(text, Wanted(targets))]


def test_a_taskfile_follows_what_a_task_calls():
    head = "tasks:\n  go:\n    deps:\n      - one\n    cmds:\n"
    text = head + "      - task: two\n      - echo\n  one: ls\n  two:\n    cmd: pwd\n"
    assert set(texts(text, "go")) >= {"echo", "ls", "pwd"}


def test_files_that_a_taskfile_includes_have_names_of_their_own():
    text = (
        "version: '3'\nincludes:\n  a: ./A.yml\n  b:\n    dir: x\n    taskfile: ./B.yml\ntasks:\n"
    )
    found = [(one.path, one.prefix) for one in task_includes(text)]
    assert found == [("./A.yml", "a:"), ("./B.yml", "b:")]
    assert task_includes("tasks:\n") == []


def test_a_task_needs_those_of_other_files_too():
    text = "tasks:\n  go:\n    deps: [a:one]\n    cmds:\n      - task: two\n  two: ls\n"
    assert task_needs(text, ["go"]) == ["go", "a:one", "two"]
    assert task_needs("tasks:\n  default:\n    deps: [x]\n", []) == ["default", "x"]


def test_a_task_on_one_line_runs_its_list_too():
    text = "tasks:\n  go: {cmds: [ls, 'rm x'], deps: [b]}\n  b: [pwd]\n"
    assert texts(text, "go") == ["ls", "rm x", "pwd"]
