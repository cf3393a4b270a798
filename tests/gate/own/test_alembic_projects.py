"""Migrations of Alembic need nobody if their only database is one that they make for themselves."""

from __future__ import annotations

from tests.gate.disk.test_follow import judged
from tests.tables import for_each

ENV = (
    "from alembic import context\nfrom sqlalchemy import engine_from_config, pool\n{more}"
    "config = context.config\n"
    "engine = engine_from_config(config.get_section(config.config_ini_section), prefix='sqlalchemy.')\n"
    "with engine.connect() as c:\n    context.configure(connection=c)\n    context.run_migrations()\n"
)
MAKES = (
    "import os, tempfile\nfrom alembic import context\nfrom sqlalchemy import create_engine\n"
    "url = 'sqlite:///' + os.path.join(tempfile.mkdtemp(), 'a.db')\n"
    "with create_engine(url).connect() as c:\n    context.configure(connection=c)\n"
)
MODELS = "from app.models import Base\ntarget_metadata = Base.metadata\n"
SECTION = "config.get_section(config.config_ini_section)"
SERVER = "postgresql://db.example.com/a"


def project(address, env=ENV, more=""):
    settings = f"[alembic]\nscript_location = migrations\nsqlalchemy.url = {address}\n"
    return {"alembic.ini": settings, "migrations/env.py": env.replace("{more}", more)}


MEMORY = project("sqlite://")
BOTH = MEMORY | {"server.ini": project(SERVER)["alembic.ini"]}
TWO = MEMORY | {"alembic.ini": f"{MEMORY['alembic.ini']}[b]\nscript_location = migrations\n"}
ADDS = (
    "import sqlalchemy as sa\nfrom alembic import op\nrevision = 'a'\ndown_revision = None\n"
    "def upgrade():\n    op.add_column('a', sa.Column('b', sa.Text, server_default=sa.text('0')))\n"
    "    with op.batch_alter_table('c') as batch:\n        batch.create_index('d', ['e'])\n"
    "def downgrade():\n    op.drop_table('a')\n"
)


def with_migration(old="", new="", address="sqlite:///./local.db", **given):
    return project(address, **given) | {"migrations/versions/a.py": ADDS.replace(old, new)}


CALM = {
    "a section by its name": (
        "alembic upgrade head",
        project("sqlite://", ENV.replace("config.config_ini_section", "'alembic'")),
    ),
    "a migration that computes": (
        "alembic upgrade head",
        project("sqlite://")
        | {"migrations/versions/a.py": "import uuid, json\nfrom alembic import op\n"},
    ),
    "a file that gets a column": ("alembic upgrade head", with_migration()),
    "a file beside the settings": (
        "alembic upgrade +1",
        with_migration(address="sqlite:///%(here)s/data/a.db"),
    ),
    "a database for tests": (
        "alembic downgrade base",
        with_migration(address="postgresql+psycopg2://a:b@localhost:5432/shop_test"),
    ),
    "in memory": ("alembic upgrade head", MEMORY),
    "with models of the project": (
        "python -m alembic downgrade base",
        project("sqlite://", more=MODELS),
    ),
    "in a new folder": ("alembic upgrade head", project(SERVER, MAKES)),
    "another file of settings": (
        "alembic -c memory.ini upgrade head",
        project(SERVER) | {"memory.ini": MEMORY["alembic.ini"]},
    ),
}
ASKED = {
    "a migration with an engine": (
        "alembic upgrade head",
        MEMORY | {"migrations/versions/a.py": "e = create_engine(os.environ['SHOP'])\n"},
    ),
    "a migration with a client": (
        "alembic upgrade head",
        MEMORY | {"migrations/versions/a.py": "import psycopg2\n"},
    ),
    "a migration with a module of its own": (
        "alembic upgrade head",
        MEMORY | {"migrations/versions/a.py": "from app.seeds import load\nload()\n"},
    ),
    "a migration with a function of another name": (
        "alembic upgrade head",
        MEMORY | {"migrations/versions/a.py": "from os import system as s\ns('x')\n"},
    ),
    "a migration with a part of a module": (
        "alembic upgrade head",
        MEMORY | {"migrations/versions/a.py": "import logging.config as c\nc.dictConfig(SHOP)\n"},
    ),
    "a migration with an engine of settings": (
        "alembic upgrade head",
        MEMORY
        | {"migrations/versions/a.py": "import sqlalchemy as sa\nsa.engine_from_config(SHOP)\n"},
    ),
    "all names of a module of the project": (
        "alembic upgrade head",
        project("sqlite://", more="from app.db import *\n"),
    ),
    "a database for tests, but another section": (
        "alembic upgrade head",
        project(
            "postgresql://localhost/a_test", ENV.replace("config.config_ini_section", "'live'")
        ),
    ),
    "a variable for the file of settings": ("ALEMBIC_CONFIG=server.ini alembic upgrade head", BOTH),
    "an exported one": ("export ALEMBIC_CONFIG=server.ini; alembic upgrade head", BOTH),
    "settings of the project": (
        "alembic upgrade head",
        MEMORY | {"pyproject.toml": "[tool.alembic]\nscript_location = 'more'\n"},
    ),
    "a module in the place of the library": (
        "python -m alembic upgrade head",
        MEMORY | {"sqlalchemy.py": "def engine_from_config(*_, **__): return SHOP\n"},
    ),
    "an address behind the settings": (
        "alembic upgrade head",
        project("sqlite://", ENV.replace("'sqlalchemy.'", f"'sqlalchemy.', url='{SERVER}'")),
    ),
    "a function that connects": (
        "alembic upgrade head",
        project("sqlite://", ENV.replace("'sqlalchemy.'", "'sqlalchemy.', creator=connect")),
    ),
    "settings that are changed": (
        "alembic upgrade head",
        project("sqlite://", more="config.file_config.set('alembic', 'sqlalchemy.url', SHOP)\n"),
    ),
    "a server": ("alembic upgrade head", project(SERVER)),
    "a file that loses a table": ("alembic downgrade -1", with_migration()),
    "a file of which nothing is known": ("alembic stamp head", with_migration()),
    "a migration that drops": (
        "alembic upgrade head",
        with_migration("op.add_column(", "op.drop_column('a', 'b'); op.add_column("),
    ),
    "a migration with its own SQL": (
        "alembic upgrade head",
        with_migration("op.add_column(", "op.execute(SQL); op.add_column("),
    ),
    "a migration that goes down": (
        "alembic upgrade head",
        with_migration("op.add_column(", "downgrade(); op.add_column("),
    ),
    "a migration with another name for it": (
        "alembic upgrade head",
        with_migration("revision = 'a'", "op = load()"),
    ),
    "a migration that takes a table from elsewhere": (
        "alembic upgrade head",
        with_migration("table('c')", "table('c', copy_from=smaller)"),
    ),
    "a migration with a module of the project": (
        "alembic upgrade head",
        with_migration("revision = 'a'", "from app.seeds import wipe as sa"),
    ),
    "a command in the place of the library": (
        "alembic upgrade head",
        with_migration("import sqlalchemy as sa", "from alembic import command as sa"),
    ),
    "an environment that drops all": (
        "alembic upgrade head",
        with_migration(more="from app.models import Base\nBase.metadata.drop_all(bind)\n"),
    ),
    "a file of somebody else": (
        "alembic upgrade head",
        with_migration(address="sqlite:////srv/shop/a.db"),
    ),
    "a file outside": ("alembic upgrade head", with_migration(address="sqlite:///../a.db")),
    "a database on another machine": (
        "alembic upgrade head",
        with_migration(address="postgresql+psycopg2://a@db.example.com/shop_test"),
    ),
    "another machine by a variable": (
        "PGHOST=db.example.com alembic upgrade head",
        with_migration(address="postgresql:///shop_test"),
    ),
    "another machine behind the address": (
        "alembic upgrade head",
        with_migration(address="postgresql://localhost/shop_test?host=db.example.com"),
    ),
    "no settings": ("alembic upgrade head", {}),
    "another file": ("alembic -c server.ini upgrade head", BOTH),
    "another section": ("alembic -n b upgrade head", TWO),
    "an engine of the project": (
        "alembic upgrade head",
        project("sqlite://", MAKES.replace("create_engine(url).connect", "engine.connect"), "")
        | {"migrations/env.py": f"from app.db import engine\n{MAKES}engine.connect()\n"},
    ),
    "an address that is set": (
        "alembic upgrade head",
        project("sqlite://", more="context.config.set_main_option('sqlalchemy.url', load())\n"),
    ),
    "a section that is changed": (
        "alembic upgrade head",
        project("sqlite://", ENV.replace(SECTION, "changed(config)")),
    ),
    "another setting": (
        "alembic upgrade head",
        project("sqlite://", ENV.replace("'sqlalchemy.'", "'b.'")),
    ),
    "a variable": (
        "alembic upgrade head",
        project("sqlite://", MAKES.replace("'sqlite:///' + ", "os.environ.get('URL') or ")),
    ),
    "settings that the line changes": (
        "sed -i s/sqlite/mysql/ alembic.ini; alembic upgrade head",
        MEMORY,
    ),
    "settings that the line copies": ("cp server.ini alembic.ini; alembic upgrade head", BOTH),
    "code that the line changes": ("sed -i s/a/b/ migrations/env.py; alembic upgrade head", MEMORY),
    "another folder": ("cd b && alembic upgrade head", MEMORY),
}


@for_each(("command", "files"), CALM.values(), CALM)
def test_migrations_of_a_database_of_their_own_need_nobody(command, files):
    assert judged(command, files, committed=tuple(files)).effect == "allow"


@for_each(("command", "files"), ASKED.values(), ASKED)
def test_migrations_of_what_may_be_another_database_need_a_person(command, files):
    assert judged(command, files, committed=tuple(files)).effect == "junction"


TAKES = (
    "from alembic import context\nfrom sqlalchemy import create_engine\nconfig = context.config\n"
    "def address():\n    given = context.get_x_argument(as_dictionary=True)\n{}"
    "    return {}\n"
    "engine = create_engine({})\n"
    "with engine.connect() as c:\n    context.configure(connection=c)\n    context.run_migrations()\n"
)
OF_SETTINGS = "config.get_main_option('sqlalchemy.url')"
EITHER = f"given.get('url') or {OF_SETTINGS}"
RUN = "alembic -x url={} downgrade base"
OWN = RUN.format("sqlite:///$(mktemp -d)/a.db")
WORDS = [
    # the command; what is done with the words of -x, what is returned, and what is connected to
    (OWN, "", EITHER, "address()", "allow"),
    (OWN, "", "given['url']", "address()", "allow"),
    (OWN, "", f"given.get('url', {OF_SETTINGS})", "address()", "allow"),
    (RUN.format("sqlite://"), "", EITHER, "address()", "allow"),
    (RUN.format(SERVER), "", EITHER, "address()", "junction"),
    (OWN.replace("url=", "db="), "", EITHER, "address()", "junction"),
    (f"{OWN} -x url={SERVER}", "", EITHER, "address()", "junction"),
    ("alembic downgrade base", "", EITHER, "address()", "junction"),
    (OWN, "", OF_SETTINGS, "address()", "junction"),
    (OWN, "", f"{OF_SETTINGS} or given.get('url')", "address()", "junction"),
    (OWN, "    given = {}\n", EITHER, "address()", "junction"),
    (OWN, f"    given['url'] = '{SERVER}'\n", EITHER, "address()", "junction"),
    (OWN, "    change(given)\n", EITHER, "address()", "junction"),
    (OWN, "", EITHER, f"address() and '{SERVER}'", "junction"),
]


@for_each(("command", "does", "returns", "connects", "effect"), WORDS)
def test_a_database_that_the_words_name_counts_if_the_program_takes_it(
    command, does, returns, connects, effect
):
    files = project(SERVER, TAKES.format(does, returns, connects))
    assert judged(command, files, committed=files).effect == effect
