"""What known calls of code do, as commands."""

from __future__ import annotations

from tests.tables import for_each

from operators_edge.shell.code import effects
from operators_edge.shell.code.effects import EachOf
from operators_edge.shell.code.languages import NODE, PERL, PHP, PYTHON, RUBY
from operators_edge.shell.commands import HOLE

CALLS = [
    (PYTHON, "os.remove", ["x"], [("rm", "x")]),
    (
        PYTHON,
        "urllib.request.urlretrieve",
        ["https://example.com/x", "y"],
        [("curl", "-fsSL", "-o", "y", "https://example.com/x")],
    ),
    (PYTHON, "urllib.request.urlretrieve", [None, "y"], [("tee", "y")]),
    (PYTHON, "urllib.request.urlretrieve", ["https://example.com/x", None], []),
    (
        PHP,
        "copy",
        ["https://example.com/x", "y"],
        [("curl", "-fsSL", "-o", "y", "https://example.com/x")],
    ),
    (PHP, "copy", ["x", "y"], [("cp", "x", "y")]),
    (PHP, "copy", [], [("cp",)]),
    (PYTHON, "urllib.request.urlretrieve", ["https://example.com/x"], []),
    (RUBY, "system", [["rm", "tidy"], "-r", "x"], [("rm", "-r", "x")]),
    (RUBY, "system", [["rm", "x"]], [("rm", "x")]),
    (PYTHON, "shutil.rmtree", ["x"], [("rm", "-rf", "x")]),
    (PYTHON, "os.remove", [None], [("rm", HOLE)]),
    (PYTHON, "os.remove", [], [("rm", HOLE)]),
    (PERL, "unlink", ["x", "y"], [("rm", "x", "y")]),
    (PYTHON, "os.rename", ["x", None], [("mv", "x", HOLE)]),
    (PYTHON, "os.symlink", ["x", "y"], [("ln", "-s", "x", "y")]),
    (PYTHON, "open", ["x", "w"], [("tee", "x")]),
    (PYTHON, "open", ["x"], []),
    (PYTHON, "open", [None, "a"], []),
    (NODE, "fs.writeFileSync", ["x"], [("tee", "x")]),
    (PERL, "open", [None, ">", "x"], [("tee", "x")]),
    (PERL, "open", [None, ">x"], [("tee", "x")]),
    (PERL, "open", [None, "<", "x"], []),
    (PERL, "open", [None, "-|", "ls"], ["ls"]),
    (PERL, "open", [None, "-|", "git", "push"], [("git", "push")]),
    (PERL, "open", [None, "ls |"], ["ls "]),
    (PERL, "open", [None, "|-", "sh"], ["cat - | { sh\n}"]),
    (RUBY, "system", ["git", "push"], [("git", "push")]),
    (RUBY, "system", ["git", "push", None, "main"], [("git", "push", HOLE, "main")]),
    (PERL, "system", ["rm", "-rf", None], [("rm", "-rf", HOLE)]),
    (PERL, "system", ["rm", ["a", "b"]], [("rm", "a", "b")]),
    (PERL, "system", ["rm -rf x", None], ["rm -rf x"]),
    (PYTHON, "os.system", ["git push"], ["git push"]),
    (PYTHON, "os.execvp", ["git", "git", "push"], [("git", "push")]),
    (PYTHON, "os.spawnlp", [None, "git", "git", "push"], [("git", "push")]),
    (PYTHON, "subprocess.run", [["git", "push"]], [("git", "push")]),
    (PYTHON, "subprocess.run", [None], [(HOLE,)]),
    (NODE, "child_process.spawn", ["git", ["push"]], [("git", "push")]),
    (PHP, "exec", ["git push", "out"], ["git push"]),
    (RUBY, "system", [EachOf(["ls", "make"])], ["ls", "make"]),
]


@for_each(("language", "name", "arguments", "expected"), CALLS)
def test_a_call_is_the_command_that_does_the_same(language, name, arguments, expected):
    calls = effects.of_call(name, arguments, language, "x -c")
    assert [one.words or one.text for one in calls] == expected


@for_each(
    ("method", "path", "expected"),
    [
        ("unlink", "x", [("rm", "x")]),
        ("rmtree", "x", [("rm", "-rf", "x")]),
        ("write_text", "x", [("tee", "x")]),
        ("write_text", None, [("tee", HOLE)]),
        ("read_text", "x", []),
    ],
)
def test_a_method_of_a_path_acts_on_the_path(method, path, expected):
    calls = effects.of_path_method(method, path, "python3 -c")
    assert [one.words for one in calls] == expected


@for_each(
    ("command", "printed", "expected"),
    [
        ("sh", "ls", "printf %s ls | { sh\n}"),
        ("sh", "", "cat - | { sh\n}"),
        ("sort", "ls", "sort"),
    ],
)
def test_a_text_is_piped_into_what_runs_it(command, printed, expected):
    assert effects.fed(command, printed) == expected
