"""A Python program is followed through its modules; what is left of it are its calls of other code."""

from __future__ import annotations

import os
import posixpath
import tomllib

import pytest
from tests.tables import for_each

from operators_edge.shell.code.python.trace import Start, followed, trace
from operators_edge.shell.code.python.values import TooLongError

ROOT = "/p"


def traced(files, words=("x.py",), **start):
    held = {f"{ROOT}/{name}": text for name, text in files.items()}

    def find(name, folder):
        up = len(name) - len(name.lstrip("."))
        base = posixpath.normpath(posixpath.join(folder, *[".."] * (up - 1))) if up else folder
        for ending in (".py", "/__init__.py"):
            path = posixpath.join(base, name.lstrip(".").replace(".", "/") + ending)
            if path in held:
                return path, held[path]
        return None

    path = f"{ROOT}/{start.pop('entry', 'x.py')}"
    begin = Start(path, held[path], ROOT, words, **start)
    try:
        return followed(begin, find, lambda name: held.get(posixpath.join(ROOT, name)))
    except (TooLongError, RecursionError):
        return None


def left(found, name="x.py"):
    part = found.parts[f"{ROOT}/{name}"]
    return [one for one in part.text.split("\n") if one != "pass" and one[:7] != "import "]


LEFT = {
    "a path of another module": (
        {
            "x.py": "import shutil\nfrom places import OLD\nshutil.rmtree(OLD)",
            "places.py": "from pathlib import Path\nOLD = Path(__file__).parent / 'old'",
        },
        "shutil.rmtree(pathlib.Path('/p/old'))",
    ),
    "a function of another module with its default": (
        {
            "x.py": "from lib import wipe\nwipe()",
            "lib.py": "def wipe(folder='old'):\n    import shutil\n    shutil.rmtree(folder)",
        },
        "shutil.rmtree('old')",
        "lib.py",
    ),
    "a switch that another module turns": (
        {
            "x.py": "import conf\nconf.turn()\nif not conf.DRY:\n    import os\n    os.remove('a')",
            "conf.py": "DRY = True\ndef turn():\n    global DRY\n    DRY = False",
        },
        "os.remove('a')",
    ),
    "an object that is shown": (
        {
            "x.py": "import os\nclass A:\n    def __str__(self):\n        os.remove('a')\n"
            "        return ''\nprint(A())"
        },
        "os.remove('a')",
    ),
}


@pytest.mark.parametrize("case", LEFT.values(), ids=LEFT)
def test_what_a_program_calls_is_left_with_the_values_that_it_calls_it_with(case):
    files, expected, *where = case
    assert expected in "\n".join(left(traced(files), *where))


NOT_LEFT = {
    "a function that nothing calls": {
        "x.py": "import os\ndef wipe():\n    os.remove('a')\nprint(1)"
    },
}


@pytest.mark.parametrize("case", NOT_LEFT.values(), ids=NOT_LEFT)
def test_what_cannot_run_is_not_left(case):
    found = traced(case)
    assert found.is_whole
    assert "os.remove" not in "\n".join(left(found))


with open(os.path.join(os.path.dirname(__file__), "programs_that_act.toml"), "rb") as file:
    ACTING = tomllib.load(file)


@for_each(("name", "body"), ACTING.items())
def test_a_program_that_acts_is_not_taken_for_one_that_does_not(name, body):
    found = traced({"x.py": f"import os\ndef act():\n    os.remove('a')\n{body}"})
    assert found is None or not found.is_whole or "os.remove('a')" in left(found), name


SEARCHES = (
    "import sys\nsys.path.insert(0, 'lib')\nimport hidden",
    "from sys import path\npath.append('lib')\nfrom hidden import a",
    "import sys as s\ns.path[:0] = ['lib']\nimport hidden",
)


@pytest.mark.parametrize("text", SEARCHES)
def test_a_program_that_has_python_look_elsewhere_is_not_whole(text):
    assert not traced({"x.py": text}).is_whole


def test_where_python_looks_matters_for_modules_alone_that_it_does_not_bring():
    assert traced({"x.py": SEARCHES[0].replace("hidden", "json")}).is_whole


def test_a_program_that_calls_itself_without_end_is_not_whole():
    found = traced({"x.py": "def f(n):\n    f(n + 1)\nf(0)"})
    assert found is None or not found.is_whole


def test_too_much_to_walk_is_not_followed():
    loops = "".join(f"{' ' * at}for a{at} in range(30):\n" for at in range(4))
    assert traced({"x.py": f"{loops}     print(1)"}) is None


def test_each_statement_keeps_the_number_of_its_line():
    found = traced({"x.py": "import os\n\n\nos.remove('a')"})
    part = found.parts[f"{ROOT}/x.py"]
    assert dict(zip(part.text.split("\n"), part.numbers, strict=True))["os.remove('a')"] == 4


ODD = {
    "two parsers of subcommands": "import argparse\np = argparse.ArgumentParser()\n"
    "p.add_subparsers()\np.add_subparsers()",
    "an argument without a name": "import argparse\nargparse.ArgumentParser().add_argument('')",
    "a group of a group of subcommands": "import argparse\np = argparse.ArgumentParser()\n"
    "p.add_subparsers().add_argument_group().add_subparsers().add_subparsers()\np.add_subparsers().set_defaults(a=1)",
    "nothing that is numbered": "enumerate()",
    "a step of nothing": "print([1][::0], {1}[::0], (1,)['a':])",
    "texts among bytes": "b'a'.join(['b', b'c'])",
    "a division by nothing": "print(1 / 0, 1 % 0, 'a' % 1)",
    "an option without a name": "import click\n@click.command()\n@click.argument('-')\n"
    "@click.option('--', '')\ndef f():\n    pass\nf()",
    "a key that is no key": "print({'a': 1}[[]], {[]: 1})",
}


@pytest.mark.parametrize("text", ODD.values(), ids=ODD)
@pytest.mark.parametrize("words", [("x.py", "a"), None])
def test_what_fails_when_the_program_runs_does_not_fail_while_it_is_followed(text, words):
    found = traced({"x.py": f"import os\ndef act():\n    os.remove('a')\nact()\n{text}"}, words)
    assert "os.remove('a')" in left(found)


@pytest.mark.parametrize("error", [TypeError, LookupError, RuntimeError, ZeroDivisionError])
def test_a_mistake_in_following_gives_nothing_to_go_by_and_is_seen_in_tests(error):
    def find(name, folder):
        raise error(name, folder)

    begin = Start("/p/x.py", "import lib", ROOT)
    assert trace(begin, find, lambda _: None) is None
    with pytest.raises(error):
        followed(begin, find, lambda _: None)
