"""A Python program is followed through its modules; what is left of it are its calls of other code."""

from __future__ import annotations

import os
import posixpath
import tomllib

import pytest
from tests.tables import for_each

from operators_edge.shell.python_trace import Start, trace

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
    return trace(begin, find, lambda name: held.get(posixpath.join(ROOT, name)))


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
    "a list that is put together": (
        {
            "x.py": "import subprocess\ndef git(*words):\n    line = ['git', *words]\n"
            "    subprocess.run(line)\n"
            "options = ['-v']\noptions.append('--force')\ngit('push', *options)"
        },
        "subprocess.run(['git', 'push', '-v', '--force'])",
    ),
    "a method of an object with a property": (
        {
            "x.py": "import os\nfrom dataclasses import dataclass\n@dataclass\nclass Place:\n"
            "    name: str\n"
            "    @property\n    def path(self):\n        return 'data/' + self.name\n"
            "    def drop(self):\n        os.remove(self.path)\nPlace('a').drop()"
        },
        "os.remove('data/a')",
    ),
    "what a method of the parent class does": (
        {
            "x.py": "import os\nclass A:\n    def go(self):\n        os.remove(self.name())\n"
            "class B(A):\n    def name(self):\n        return 'b'\n    def go(self):\n"
            "        super().go()\nB().go()"
        },
        "os.remove('b')",
    ),
    "each file of a folder": (
        {
            "x.py": "from pathlib import Path\nfor one in sorted(Path('a').glob('*.b'))[:-1]:\n"
            "    one.unlink()"
        },
        "for item_1 in pathlib.Path('a').glob('*.b'):\n    item_1.unlink()",
    ),
    "a value of a file": (
        {
            "x.py": "import json, requests\nwith open('c.json') as f:\n    c = json.load(f)\n"
            "requests.post(c['at'][0])",
            "c.json": '{"at": ["https://a.example"]}',
        },
        "requests.post('https://a.example')",
    ),
    "each value that an argument may have": (
        {"x.py": "import os\nname = 'a' if os.sep else 'b'\nos.remove(name)"},
        "os.remove('a')\nos.remove('b')",
    ),
    "what runs within a stand-in": (
        {
            "x.py": "import boto3\nfrom moto import mock_aws\nwith mock_aws():\n    boto3.client('s3')"
        },
        "with moto.mock_aws():\n    boto3.client('s3')",
    ),
    "a callback": (
        {"x.py": "import atexit, os\ndef end():\n    os.remove('a')\natexit.register(end)"},
        "os.remove('a')",
    ),
    "a thread with its arguments": (
        {"x.py": "import os, threading\nthreading.Thread(target=os.remove, args=('a',)).start()"},
        "threading.Thread(target=os.remove, args=('a',))",
    ),
    "what an error may lead to": (
        {"x.py": "import os\ntry:\n    raise ValueError\nexcept ValueError:\n    os.remove('a')"},
        "os.remove('a')",
    ),
    "a counter in a loop of unknown length": (
        {
            "x.py": "import os, sys\nn = 0\nfor line in sys.stdin:\n    n += 1\n    if n == 7:\n"
            "        os.remove('a')"
        },
        "os.remove('a')",
    ),
    "a switch that another module turns": (
        {
            "x.py": "import conf\nconf.turn()\nif not conf.DRY:\n    import os\n    os.remove('a')",
            "conf.py": "DRY = True\ndef turn():\n    global DRY\n    DRY = False",
        },
        "os.remove('a')",
    ),
    "a switch that may be turned before a loop ends": (
        {
            "x.py": "import os, sys\ndry = True\nfor line in sys.stdin:\n    if line:\n"
            "        dry = False\n        break\n"
            "if not dry:\n    os.remove('a')"
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
    "a method by a name that is not known": (
        {
            "x.py": "import os, sys\nclass A:\n    def go(self):\n        os.remove('a')\n"
            "getattr(A(), input())()"
        },
        "os.remove('a')",
    ),
    "a subclass of what other code calls": (
        {
            "x.py": "import os, lib\nclass A(lib.Task):\n    def later(self):\n        os.remove('a')"
        },
        "os.remove('a')",
    ),
}


@pytest.mark.parametrize("case", LEFT.values(), ids=LEFT)
def test_what_a_program_calls_is_left_with_the_values_that_it_calls_it_with(case):
    files, expected, *where = case
    assert expected in "\n".join(left(traced(files), *where))


NOT_LEFT = {
    "a branch whose condition is known": (
        {
            "x.py": "import os\ndef main(really=False):\n    if really:\n        os.remove('a')\nmain()"
        }
    ),
    "what comes after a return": (
        {
            "x.py": "import os\ndef main(dry=True):\n    if dry:\n        return\n"
            "    os.remove('a')\nmain()"
        }
    ),
    "a function that nothing calls": {
        "x.py": "import os\ndef wipe():\n    os.remove('a')\nprint(1)"
    },
    "another entry of a table": (
        {
            "x.py": "import os\nACTS = {'x.py': print, 'b': lambda: os.remove('a')}\nimport sys\n"
            "ACTS[sys.argv[0]]()"
        }
    ),
}


@pytest.mark.parametrize("case", NOT_LEFT.values(), ids=NOT_LEFT)
def test_what_cannot_run_is_not_left(case):
    found = traced(case)
    assert found.is_whole
    assert "os.remove" not in "\n".join(left(found))


NOT_WHOLE = {
    "code that is computed": "exec(input())",
    "a module that is computed": "import importlib\nimportlib.import_module(input())",
    "all names of a library": "from os import *",
    "a class that makes classes": "class M(type):\n    pass\nclass A(metaclass=M):\n    pass",
    "a name of its own module that is not there": "from . import nothing",
}


@pytest.mark.parametrize("text", NOT_WHOLE.values(), ids=NOT_WHOLE)
def test_a_program_of_which_something_else_may_run_is_not_whole(text):
    assert not traced({"x.py": text}).is_whole


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


CLI = """
import argparse, os
def show(a):
    print(a)
def drop(a):
    if not a.dry:
        os.remove(a.name)
def main():
    p = argparse.ArgumentParser()
    s = p.add_subparsers()
    one = s.add_parser("show")
    one.set_defaults(run=show)
    two = s.add_parser("drop")
    two.add_argument("name")
    two.add_argument("--dry", action="store_true")
    two.set_defaults(run=drop)
    a = p.parse_args()
    a.run(a)
main()
"""
CLICK = """
import click, os
@click.group()
@click.pass_context
def cli(ctx):
    ctx.obj = "kept"
@cli.command()
def show():
    print(1)
@cli.command("drop")
@click.argument("name")
@click.option("--dry/--no-dry", default=False)
@click.pass_obj
def remove(obj, name, dry):
    if not dry:
        os.remove(name)
cli()
"""
TYPER = """
import os, typer
app = typer.Typer()
@app.command()
def show():
    print(1)
@app.command("drop")
def remove(name: str, dry: bool = False):
    if not dry:
        os.remove(name)
app()
"""


@pytest.mark.parametrize("program", [CLI, CLICK, TYPER], ids=["argparse", "click", "typer"])
@pytest.mark.parametrize(
    ("words", "is_left"),
    [
        (("x.py", "drop", "a"), True),
        (("x.py", "drop", "a", "--dry"), False),
        (("x.py", "show"), False),
        (None, True),
    ],
    ids=["drop", "dry", "show", "unknown"],
)
def test_the_words_of_the_command_choose_what_runs(program, words, is_left):
    found = traced({"x.py": program}, words)
    assert ("os.remove" in "\n".join(left(found))) == is_left
