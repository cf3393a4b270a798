"""A database that a program makes for itself is one thing, one that anybody else may have another."""

from __future__ import annotations

import tomllib
from pathlib import Path

from tests.tables import for_each

from operators_edge.shell.code import own_databases
from operators_edge.shell.code.languages import INTERPRETERS
from operators_edge.shell.code.python import databases

TABLE = tomllib.loads(Path(__file__).with_name("own_databases.toml").read_text())
OWN, OTHERS = ([(one["program"], one["code"]) for one in TABLE[name]] for name in ("own", "others"))
PYTHON = "import os, pathlib, sqlite3, sys, tempfile\n"
OWN_IN_PYTHON = [
    "sqlite3.connect(':memory:').execute('DELETE FROM a')",
    "db = os.path.join(tempfile.mkdtemp(), 'a.db')\nc = sqlite3.connect(db)",
    "with tempfile.TemporaryDirectory() as d:\n    c = sqlite3.connect(pathlib.Path(d) / 'a.db')",
    "from sqlalchemy import create_engine\ne = create_engine('sqlite://')",
    "import apsw\nc = apsw.Connection(':memory:')",
]
OTHERS_IN_PYTHON = [
    "c = connect(':memory:')",
    "c = sqlite3.connect('a.db')",
    "c = sqlite3.connect(os.environ.get('DB', ':memory:'))",
    "c = sqlite3.connect(':memory:')\nd = sqlite3.connect(sys.argv[1])",
    "db = tempfile.mkdtemp() + '/a.db'\nif sys.argv[1:]:\n    db = sys.argv[1]\nc = sqlite3.connect(db)",
    "c = sqlite3.connect(tempfile.mkdtemp() + '/../../srv/a.db')",
    "c = sqlite3.connect(':memory:')\nc.execute(\"ATTACH 'a.db' AS b\")",
    "d = tempfile.mkdtemp()\nos.symlink('/srv/a.db', d + '/a.db')\nc = sqlite3.connect(d + '/a.db')",
    "def f(p):\n    sqlite3.connect(p).execute('DELETE FROM a')\nf(':memory:')\nf(sys.argv[1])",
    "from prod import con\nc = sqlite3.connect(':memory:')\ncon.execute('DELETE FROM a')",
    "from sqlalchemy import create_engine\ne = create_engine('sqlite://', creator=connect)",
    "sqlite3.connect = connect\nc = sqlite3.connect(':memory:')",
    "d = tempfile.mkdtemp()\nos.system(f'ln -s /srv/a.db {d}/a.db')\nc = sqlite3.connect(d + '/a.db')",
    "tempfile.tempdir = '/srv'\nc = sqlite3.connect(tempfile.mkdtemp() + '/a.db')",
    "import psycopg2\nc = sqlite3.connect(':memory:')",
    "import redis\nc = sqlite3.connect(':memory:')\nredis.Redis().flushall()",
]


def are_own(program, code, **given):
    return own_databases.are_own(code, INTERPRETERS[program], **given)


@for_each(("program", "code"), OWN, [code for _, code in OWN])
def test_a_database_in_memory_or_in_a_new_temporary_folder_is_its_own(program, code):
    assert are_own(program, code)


@for_each(("program", "code"), OTHERS, [code for _, code in OTHERS])
def test_a_database_that_may_be_another_one_is_not_its_own(program, code):
    assert not are_own(program, code)


@for_each("code", OWN_IN_PYTHON, OWN_IN_PYTHON)
def test_a_database_of_a_python_program_is_its_own(code):
    assert databases.are_own(PYTHON + code)


@for_each("code", OTHERS_IN_PYTHON, OTHERS_IN_PYTHON)
def test_a_database_of_a_python_program_may_be_another_one(code):
    assert not databases.are_own(PYTHON + code)


def test_code_that_is_no_python_has_no_database_of_its_own():
    assert not databases.are_own("sqlite3.connect(':memory:'")


def test_a_variable_of_the_line_may_name_the_database():
    code = "new PDO(getenv('DSN') ?: 'mysql:host=db.example.com');"
    assert are_own("php", code, environment={"DSN": "sqlite::memory:"})
    assert not are_own("php", code, environment={"DSN": "sqlite:a.db"})


def test_what_the_line_changes_in_the_files_of_a_program_is_not_known():
    code = "const db = new Database(':memory:');"
    assert are_own("node", code, beside="const a = 1;")
    assert not are_own("node", code, beside="const a = 1;\0")


def test_a_language_that_is_not_read_has_no_database_of_its_own():
    assert not are_own("lua", "sqlite3.open(':memory:')")
