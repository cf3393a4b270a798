"""What a Python program does in the folder that it takes if nothing sets a variable counts."""

# ruff: noqa: E501 - texts of files
from __future__ import annotations

from tests.gate.disk.test_follow import judged
from tests.tables import for_each

CODE = "import os, shutil\nfrom pathlib import Path\n{}shutil.rmtree({})\n"
SRV = "os.environ.get('D', '/srv/data')"
PROGRAMS = [
    ("python x.py", "", SRV, "junction"),
    ("python x.py", "", "os.getenv('D', os.path.expanduser('~/notes'))", "junction"),
    ("python x.py", "", "Path(os.environ.get('D', Path.home() / 'notes'))", "junction"),
    ("python x.py", "", "os.path.join(os.environ.get('D', '/srv'), 'data')", "junction"),
    ("python x.py", "", "os.environ.get('D', 'build')", "allow"),
    ("python x.py", "", "os.environ.get('D', '/tmp/x')", "allow"),
    ("D=build python x.py", "", SRV, "allow"),
    ("D=/srv/a python x.py", "", SRV, "junction"),
    ("export D=build; python x.py", "", SRV, "allow"),
    ("make x", "", SRV, "allow"),
    ("python x.py", "os.environ['D'] = 'build'\n", SRV, "allow"),
    ("python x.py", "os.environ['E'] = 'build'\n", SRV, "junction"),
    ("python x.py", "from dotenv import load_dotenv\nload_dotenv()\n", SRV, "allow"),
]


@for_each(("command", "before", "folder", "effect"), PROGRAMS)
def test_the_default_counts_unless_something_sets_the_variable(command, before, folder, effect):
    files = {
        "x.py": CODE.format(before, folder),
        "Makefile": "x:\n\tD=build python x.py\n",
        ".env": "D=build\n",
    }
    assert judged(command, files, committed=files).effect == effect


STORE = "import os, shutil\nfrom pathlib import Path\ndef wipe():\n    shutil.rmtree(Path(os.environ.get('NOTES', Path.home() / 'notes')))\n"
TEST = "import os, store\n{}def test_a({}):\n{}    store.wipe()\n"
FIXTURE = "import os, pytest\n@pytest.fixture{}\ndef home(tmp_path, monkeypatch):\n    {}\n"
SET, SET_HERE = "monkeypatch.setenv('NOTES', str(tmp_path))", "os.environ['NOTES'] = str(tmp_path)"
NAMED = "import pytest\npytestmark = pytest.mark.usefixtures('home')\n"
PLAIN, ALWAYS = ("", "", ""), "(autouse=True)"
SUITES = [
    # what is before the test, its parameters, its beginning; how the fixture is made, and what it does
    (PLAIN, ("", SET), {}, "junction"),
    (PLAIN, ("", SET_HERE), {}, "junction"),
    (PLAIN, ("(autouse=False)", SET), {}, "junction"),
    (PLAIN, (ALWAYS, "monkeypatch.setenv('OTHER', str(tmp_path))"), {}, "junction"),
    (("", "home", ""), ("", SET), {}, "allow"),
    (("", "home", ""), ("", SET_HERE), {}, "allow"),
    (PLAIN, (ALWAYS, SET), {}, "allow"),
    (PLAIN, (ALWAYS, "monkeypatch.setenv('HOME', str(tmp_path))"), {}, "allow"),
    (("", "monkeypatch, tmp_path", f"    {SET}\n"), ("", "pass"), {}, "allow"),
    (("os.environ['NOTES'] = '/tmp/x'\n", "", ""), ("", "pass"), {}, "allow"),
    ((NAMED, "", ""), ("", SET), {}, "allow"),
    (PLAIN, ("", SET), {"pytest.ini": "[pytest]\nusefixtures = home\n"}, "allow"),
    (PLAIN, ("", "pass"), {"pytest.ini": "[pytest]\nenv =\n    NOTES=/tmp/x\n"}, "allow"),
]


@for_each(("test", "fixture", "more", "effect"), SUITES)
def test_in_a_suite_the_fixtures_of_the_test_decide(test, fixture, more, effect):
    files = {
        "store.py": STORE,
        "test_a.py": TEST.format(*test),
        "conftest.py": FIXTURE.format(*fixture),
        **more,
    }
    assert judged("pytest -q", files, committed=files).effect == effect
