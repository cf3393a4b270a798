"""Code that a variable has a program load first may set the variables by which the program is judged."""

from __future__ import annotations

from tests.gate.disk.test_follow import judged
from tests.tables import for_each

RAILS = "RAILS_ENV=test RUBYOPT=-r./first rails db:drop"
PRISMA = 'DATABASE_URL=file:/tmp/a.db NODE_OPTIONS="-r ./first.js" npx prisma migrate reset --force'
ALEMBIC = "DATABASE_URL=sqlite:////tmp/a.db PYTHONPATH=. alembic upgrade head"
CASES = {
    "another database": (
        RAILS,
        "ENV['DATABASE_URL'] = 'postgres://db.example.com/a'\n",
        "junction",
    ),
    "an unknown one": (RAILS, "ENV['DATABASE_URL'] = File.read('x')\n", "junction"),
    "another environment": (RAILS, "ENV['RAILS_ENV'] = 'production'\n", "junction"),
    "any variable": (RAILS, "ENV.update(load)\n", "junction"),
    "the same environment": (RAILS, "ENV['RAILS_ENV'] = 'test'\n", "allow"),
    "another variable": (RAILS, "ENV['LANG'] = 'C'\n", "allow"),
    "nothing": (RAILS, "puts 1\n", "allow"),
    "node": (PRISMA, "process.env.DATABASE_URL = 'postgres://db.example.com/a';\n", "junction"),
    "node, any variable": (PRISMA, "Object.assign(process.env, x);\n", "junction"),
    "node, another variable": (PRISMA, "process.env.LANG = 'C';\n", "allow"),
    "python": (
        ALEMBIC,
        "import os\nos.environ['DATABASE_URL'] = 'postgresql://db.example.com/a'\n",
        "junction",
    ),
    "python, another variable": (ALEMBIC, "import os\nos.environ['LANG'] = 'C'\n", "allow"),
}


NODE = "const {Sequelize} = require('sequelize');\nnew Sequelize(process.env.DB).query('DROP TABLE a');\n"
CHANGES = {
    "nothing": ("node -r ./first.js a.js", "console.log(1);\n", "allow"),
    "an option": ("node -r ./first.js a.js", "process.env.DB = 'postgres://db/a';\n", "junction"),
    "a word": ("node --require=./first.js a.js", "process.env.DB = x();\n", "junction"),
    "a library": ("node -r dotenv/config a.js dotenv_config_override=true", "", "junction"),
    "a table": ("node --import ./first.js a.js", "Object.assign(process.env, x);\n", "junction"),
    "a file": (
        "node -r ./first.js a.js",
        "require('dotenv').config({path: 'x', override: true});\n",
        "junction",
    ),
}


@for_each(("command", "code", "effect"), CHANGES.values(), CHANGES)
def test_what_an_option_loads_first_goes_before_what_the_line_sets(command, code, effect):
    files = {"first.js": code, "a.js": NODE}
    line = f"DB=sqlite::memory: {command}"
    assert judged(line, files, committed=tuple(files)).effect == effect


@for_each(("command", "code", "effect"), CASES.values(), CASES)
def test_what_is_loaded_first_goes_before_what_the_line_sets(command, code, effect):
    name = {RAILS: "first.rb", PRISMA: "first.js", ALEMBIC: "sitecustomize.py"}[command]
    assert judged(command, {name: code}, committed=(name,)).effect == effect


def test_code_that_is_not_there_changes_nothing():
    assert judged(RAILS, {}).effect == "allow"


def test_an_engine_that_connects_by_a_function_has_no_address_of_its_own():
    code = (
        "from sqlalchemy import create_engine\nc = create_engine('sqlite://'{}).connect()\n"
        "c.execute('DROP TABLE a')\n"
    )
    for more, effect in (("", "allow"), (", creator=shop", "junction")):
        files = {"a.py": code.format(more)}
        assert judged("python3 a.py", files, committed=("a.py",)).effect == effect
