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


LOCAL = "import os, psycopg2\n{}c = psycopg2.connect(os.environ.get('DB', {!r}))\nc.cursor().execute('TRUNCATE users')\n"
HERE, FAR = "postgresql://localhost/shop_test", "postgresql://app@db.example.com/shop"
DOTENV = "from dotenv import load_dotenv\n"
ADDRESSES = [
    ("python x.py", "", HERE, "allow"),
    (f"export DB={HERE}; python x.py", "", HERE, "allow"),
    (". .venv/bin/activate; python x.py", "", HERE, "allow"),
    ("python x.py", f"{DOTENV}load_dotenv()\n", HERE, "junction"),
    ("python x.py", f"import sys\n{DOTENV}load_dotenv(sys.argv[1])\n", HERE, "junction"),
    ("python x.py", f"os.environ['DB'] = {FAR!r}\n", HERE, "junction"),
    ("python x.py", "import json\nos.environ.update(json.load(open('x')))\n", HERE, "junction"),
    ("python x.py", "", FAR, "junction"),
    ("python x.py", "", "postgresql://localhost/shop", "junction"),
    ("python x.py", "", "postgresql://localhost@db.example.com/shop_test", "junction"),
    ("python x.py", "", "postgresql://localhost.example.com/shop_test", "junction"),
    (f"DB={FAR} python x.py", "", HERE, "junction"),
    ('DB="$(cat u)" python x.py', "", HERE, "junction"),
    ('export DB="$(cat u)"; python x.py', "", HERE, "junction"),
    *(
        (f"{one} python x.py", "", HERE, "junction")
        for one in ("export $(cat u);", "env $(cat u)", "doppler run --")
    ),
    *((f"{one}; python x.py", "", HERE, "junction") for one in ('eval "$(cat u)"', ". ./u")),
    ("make x", "", HERE, "junction"),
    ("sh x.sh", "", HERE, "junction"),
]


@for_each(("command", "before", "address", "effect"), ADDRESSES)
def test_a_server_of_this_machine_is_meant_unless_something_may_set_another(
    command, before, address, effect
):
    files = {
        "x.py": LOCAL.format(before, address),
        "Makefile": "export DB = $(shell cat u)\nx:\n\tpython x.py\n",
        "x.sh": "set -a\n. ./u\npython x.py\n",
        "u": "DB=$(cat v)\nexport DB\n",
        ".env": f"DB={FAR}\n",
    }
    assert judged(command, files, committed=files).effect == effect


def test_a_text_in_a_text_hides_no_server():
    call = "def call(path):\n    requests.delete(f'{BASE}{path}')\nfor one in open('ids'):\n    call(f'/users/{one}')\n"
    for address, effect in (
        ("http://localhost:3000", "allow"),
        ("https://api.example.com", "junction"),
    ):
        files = {"x.py": f"import requests\nBASE = '{address}'\n{call}"}
        assert judged("python x.py", files, committed=files).effect == effect


LOADS = "import os, psycopg2\n{}{}c = psycopg2.connect(os.environ['DB'])\nc.cursor().execute('TRUNCATE users')\n"
LOADED = [
    ("python x.py", "load_dotenv()\n", HERE, "allow"),
    ("python x.py", "load_dotenv()\n", FAR, "junction"),
    ("python x.py", "load_dotenv()\n", "postgresql://localhost/shop", "junction"),
    ("python x.py", "load_dotenv('u')\nload_dotenv()\n", HERE, "junction"),
    ("python x.py", "load_dotenv()\nload_dotenv('u', override=True)\n", HERE, "junction"),
    ("python x.py", f"load_dotenv()\nos.environ['DB'] = {FAR!r}\n", HERE, "junction"),
    (f"DB={FAR} python x.py", "load_dotenv()\n", HERE, "junction"),
    ('DB="$(cat u)" python x.py', "load_dotenv()\n", HERE, "junction"),
    ("export $(cat u); python x.py", "load_dotenv()\n", HERE, "junction"),
    (". ./u; python x.py", "load_dotenv()\n", HERE, "junction"),
    ("cp u .env; python x.py", "load_dotenv()\n", HERE, "junction"),
]


@for_each(("command", "loads", "address", "effect"), LOADED)
def test_a_server_of_this_machine_in_the_file_of_variables_is_meant(
    command, loads, address, effect
):
    files = {"x.py": LOADS.format(DOTENV, loads), ".env": f"DB={address}\n", "u": f"DB={FAR}\n"}
    assert judged(command, files, committed=files).effect == effect
