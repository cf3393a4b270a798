"""What a recipe of a justfile runs."""

import os

from tests.gate.disk.test_follow import judged
from tests.tables import for_each

from operators_edge.gate.disk.justfiles import just, just_imports
from operators_edge.gate.disk.recipe_types import Wanted
from operators_edge.shell.commands import HOLE


def texts(text, *targets):
    return [one.text for one in just(text, Wanted(targets))]


def test_a_dependency_of_a_justfile_is_given_its_words():
    text = (
        "out := justfile_directory() / 'data'\n\n[private]\nempty dir mode='-rf':\n"
        '    rm {{mode}} "{{dir}}"\n\nfresh: (empty out) build\n    echo {{ out + "x" }}\n\n'
        "build:\n    true\n"
    )
    assert texts(text, "fresh") == ['rm -rf "./data"', "true", "echo ./datax"]
    assert texts(text, "empty", "a b") == ['rm -rf "a b"']
    assert texts(text, "empty") == [f'rm -rf "{HOLE}"']


def test_a_justfile_puts_in_what_is_known():
    text = "a := 'x'\nb := `date`\ngo: other\n  echo {{a}} {{b}} {{c}}\nother:\n  true\n"
    assert texts(text, "go") == ["date", "true", f"echo x {HOLE} {HOLE}"]


def test_a_justfile_names_the_files_that_it_imports_or_has_as_modules():
    text = "import 'a.just'\nimport? \"b.just\"\nmod c 'c/mod.just'\nmod d\n"
    found = [(one.path, one.prefix) for one in just_imports(text)]
    usual = [
        ("d.just", "d::"),
        ("d/mod.just", "d::"),
        ("d/justfile", "d::"),
        ("d/.justfile", "d::"),
    ]
    assert found == [("a.just", ""), ("b.just", ""), ("c/mod.just", "c::"), *usual]


SCRIPTS = """\
clean:
    echo plain

reset name="a":
    #!/usr/bin/env bash
    set -eu

    drop() {
      dropdb "$1"
    }
    drop {{name}}

see:
    #!/usr/bin/env python3
    if True:
        print(1)
"""


def test_a_script_in_a_recipe_is_one_text_with_its_lines():
    (found,) = just(SCRIPTS, Wanted(("reset",)))
    assert found.line == 5
    assert found.text == ('#!/usr/bin/env bash\nset -eu\n\ndrop() {\n  dropdb "$1"\n}\ndrop a')


def test_a_script_in_another_language_is_given_to_its_program():
    (found,) = just(SCRIPTS, Wanted(("see",)))
    program, *code, _ = found.text.split("\n")
    assert program.startswith("python3 <<")
    assert code == ["if True:", "    print(1)"]


def test_a_recipe_of_an_imported_file_that_another_one_needs_is_read():
    files = {
        "justfile": "import 'just/more.just'\n\nrelease: test publish-crate\ntest:\n    true\n",
        "just/more.just": "publish-crate: pack\n    true\npack:\n    cargo publish --locked\n",
    }
    assert judged("just release", files, tuple(files)).effect == "junction"
    kept = files | {"just/more.just": files["just/more.just"].replace("--locked", "--dry-run")}
    assert judged("just release", kept, tuple(kept)).effect == "allow"


DROP = "    dropdb shop_test\n"


@for_each(
    ("text", "effect"),
    [
        (f'export PGHOST := "db.example.com"\nt:\n{DROP}', "junction"),
        (f'set export\nPGHOST := "db.example.com"\nt:\n{DROP}', "junction"),
        (f't $PGHOST="db.example.com":\n{DROP}', "junction"),
        (f'export PGHOST := "db." + "example.com"\nt: u\nu:\n{DROP}', "junction"),
        (f"set dotenv-load\nt:\n{DROP}", "junction"),
        (f'set dotenv-filename := ".env"\nt:\n{DROP}', "junction"),
        (f"t:\n{DROP}", "allow"),
        (f"set dotenv-load := false\nt:\n{DROP}", "allow"),
        (f'PGHOST := "db.example.com"\nt:\n{DROP}', "allow"),
        (f't PGHOST="db.example.com":\n{DROP}', "allow"),
        (f'export PGHOST := "localhost"\nt:\n{DROP}', "allow"),
    ],
)
def test_what_a_justfile_exports_may_lead_a_client_elsewhere(text, effect):
    files = {"justfile": text, ".env": "PGHOST=db.example.com\n"}
    assert judged("just t", files).effect == effect


@for_each(
    "home",
    ['env("HOME")', "env_var('HOME')", 'env("HOME", "x")', "home_directory()", "home_dir()"],
)
def test_a_folder_in_the_home_that_a_justfile_names_is_known(home):
    committed = {"justfile": f'x := {home} / ".cargo"\nt:\n    rm -rf "{{{{x}}}}"\n'}
    assert judged("just t", committed, tuple(committed)).effect != "allow"
    other = {"justfile": committed["justfile"].replace("HOME", "BUILD").replace("home_d", "my_d")}
    assert judged("just t", other, tuple(other)).effect == "allow"


@for_each(
    ("command", "text", "effect"),
    [
        ("just t", "x := `git push --force`\nt:\n    echo {{x}}\n", "junction"),
        ("just t", "x := shell('git push --force')\nt:\n    echo {{x}}\n", "junction"),
        ("just t", "x := `git rev-parse HEAD`\nt:\n    echo {{x}}\n", "allow"),
        ("just t", "set shell := ['./own.sh', '-c']\nt:\n    true\n", "junction"),
        ("just t", "set shell := ['bash', '-c']\nt:\n    true\n", "allow"),
        ("just m::t", "mod m\n", "junction"),
        ("just m t", "mod m\n", "junction"),
        ("just n::t", "mod n 'm.just'\n", "junction"),
        ("just m::u", "mod m\n", "allow"),
        ("just t", "mod m\nt:\n    true\n", "allow"),
    ],
)
def test_what_a_justfile_computes_and_its_modules_run_count(command, text, effect):
    files = {
        "justfile": text,
        "m.just": "t:\n    git push --force\nu:\n    true\n",
        "own.sh": "#!/bin/sh\ngit push --force\n",
    }
    assert judged(command, files, committed=tuple(files)).effect == effect


@for_each(
    ("given", "effect"),
    [
        ('"~/photos"', "junction"),
        ('(home_directory() / "photos")', "junction"),
        ('"build" "~/photos"', "junction"),
        ("place", "junction"),
        ('"build" "out"', "allow"),
        ('"build" ("build" / "x")', "allow"),
    ],
)
def test_a_recipe_of_an_imported_file_is_given_the_words_of_the_one_that_needs_it(given, effect):
    files = {
        "justfile": "import 'ops.just'\nplace := '~/photos'\nbuild:\n    true\n"
        f"fresh: (remove {given}) build\n",
        "ops.just": "remove first second='build':\n    rm -rf {{first}} {{ second }}\n",
    }
    assert judged("just fresh", files, committed=files).effect == effect


def test_each_branch_of_a_condition_counts():
    text = (
        "f := if env('CI', '') == '' { '--dry-run' } else { '' }\nup m='x':\n    @push {{f}} {{m}}\n"
        "    {{ if m == 'x' { 'a' } else if os() == 'linux' { 'b' + m } else { `date` } }} c\n"
    )
    pushes = ["push --dry-run x", "push  x"]
    assert texts(text, "up") == [*pushes, "a c", "bx c", f"{HOLE} c"]


def test_a_recipe_may_be_another_one_for_each_system():
    text = (
        "[linux]\nup: first\n    a\n\n[macos]\nup:\n    b\nfirst:\n    c\n[windows]\nup:\n    d\n"
    )
    assert texts(text, "up") == (["c", "a", "b"] if os.name != "nt" else ["d"])
