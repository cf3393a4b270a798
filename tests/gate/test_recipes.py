"""What a named target runs, as the formats say it."""

import pytest

from operators_edge.gate import recipes
from operators_edge.gate.recipe_types import Wanted
from operators_edge.shell.commands import HOLE


def texts(kind, text, *targets):
    return [one.text for one in recipes.READERS[kind](text, Wanted(targets))]


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
    assert texts("make", text) == wanted


def test_a_dependency_of_a_justfile_is_given_its_words():
    text = (
        "out := justfile_directory() / 'data'\n\n[private]\nempty dir mode='-rf':\n"
        '    rm {{mode}} "{{dir}}"\n\nfresh: (empty out) build\n    echo {{ out + "x" }}\n\n'
        "build:\n    true\n"
    )
    assert texts("just", text, "fresh") == ["echo ./datax", 'rm -rf "./data"', "true"]
    assert texts("just", text, "empty", "a b") == ['rm -rf "a b"']
    assert texts("just", text, "empty") == [f'rm -rf "{HOLE}"']


def test_a_justfile_puts_in_what_is_known():
    text = "a := 'x'\nb := `date`\ngo: other\n  echo {{a}} {{b}} {{c}}\nother:\n  true\n"
    assert texts("just", text, "go") == [f"echo x {HOLE} {HOLE}", "true"]


def test_a_taskfile_follows_what_a_task_calls():
    head = "tasks:\n  go:\n    deps:\n      - one\n    cmds:\n"
    text = head + "      - task: two\n      - echo\n  one: ls\n  two:\n    cmd: pwd\n"
    assert set(texts("taskfile", text, "go")) >= {"echo", "ls", "pwd"}


@pytest.mark.parametrize("text", ["[1]", "{", '{"scripts": 1}', '{"scripts": {"go": 1}}'])
def test_a_package_file_of_another_shape_runs_nothing(text):
    assert texts("package-scripts", text, "go") == []


def test_a_loose_text_passes_over_comments_but_not_over_a_line_that_begins_with_a_string():
    found = texts("loose", '// rm x\n"rm y".execute()\n" rm z\n')
    assert "rm y" in found
    assert not [one for one in found if "x" in one.split() or "z" in one.split()]


RAKE = """
task default: [:test]
task :test do
  sh 'rspec'
end
namespace :db do
  task wipe: ["x"] do
    sh 'dropdb x'
  end
  task :all => :wipe do |t|
    sh "make #{t}"
  end
end
sh 'always'
"""


def test_a_rakefile_runs_the_named_tasks_and_those_that_they_need():
    assert texts("rakefile", RAKE, "test") == ["rspec", "always"]
    assert texts("rakefile", RAKE, "db:all") == ["dropdb x", f"make {HOLE}", "always"]
    assert texts("rakefile", RAKE, "unknown")[-1] == "always"


def test_files_that_a_taskfile_includes_have_names_of_their_own():
    text = (
        "version: '3'\nincludes:\n  a: ./A.yml\n  b:\n    dir: x\n    taskfile: ./B.yml\ntasks:\n"
    )
    found = [(one.path, one.prefix) for one in recipes.task_includes(text)]
    assert found == [("./A.yml", "a:"), ("./B.yml", "b:")]
    assert recipes.task_includes("tasks:\n") == []


def test_files_that_a_test_runner_runs_first_are_named_by_paths():
    text = "export default { setupFiles: ['<rootDir>/a.js', 'jsdom'], globalSetup: './b.js' }"
    assert texts("test-setup", text) == ["node a.js", "node ./b.js"]


def test_an_alias_of_cargo_is_a_text_or_a_list_of_words():
    text = (
        '[build]\njobs = 2\n[alias]\nt = "test --workspace"\nx = ["run", "a b"]\n"y" = "z"\nn = 1\n'
    )
    assert texts("cargo-aliases", text, "t", "x", "y") == [
        "cargo test --workspace",
        "cargo run 'a b'",
        "cargo z",
    ]
    assert texts("cargo-aliases", text, "n", "build") == []
    assert texts("cargo-aliases", "[alias", "t") == []
