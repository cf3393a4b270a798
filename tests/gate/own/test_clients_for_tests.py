"""A target is only called dangerous if its clients all work in a database for tests on this machine."""

from __future__ import annotations

from tests.gate.disk.test_follow import judged
from tests.tables import for_each

URL = "postgres://u:p@127.0.0.1:54329/shop_test"
FILES = {
    "Makefile": "db-reset:\n\t./db/reset.sh\n",
    "db/reset.sh": (
        '#!/usr/bin/env bash\nset -euo pipefail\ncd "$(dirname "$0")"\n'
        "set -a\nsource ./settings.env\nset +a\n"
        'psql "$DATABASE_URL" -v ON_ERROR_STOP=1 <<SQL\nDROP SCHEMA public CASCADE;\nSQL\n'
        "./migrate.sh\n"
    ),
    "db/settings.env": f"DATABASE_URL={URL}\n",
    "db/migrate.sh": (
        '#!/bin/sh\nfor f in steps/*.sql; do\n  psql "$DATABASE_URL" -q -f "$f"\ndone\n'
    ),
    "db/steps/1.sql": "CREATE TABLE a (id int);\n",
    "db/steps/2.sql": "DROP TABLE IF EXISTS a;\n",
}
ONE = "psql %s -f db/steps/1.sql"


def effect(command="make db-reset", **more):
    files = {**FILES, **more}
    return judged(command, files, committed=tuple(files)).effect


@for_each(
    "files",
    [
        {},
        {"Makefile": f"db-reset:\n\t{ONE % URL}\n"},
        {"Makefile": f"db-reset:\n\tpsql -q {URL} -c 'DROP SCHEMA public CASCADE'\n"},
        *(
            {"Makefile": f"export PGHOST = localhost\ndb-reset:\n\t{line}\n"}
            for line in (
                "dropdb -h localhost -p 5432 --if-exists shop_test && createdb shop_test",
                "psql -d shop_test -c 'DROP SCHEMA public CASCADE'",
                "psql --host=localhost -U app shop_test -c 'DROP SCHEMA public CASCADE'",
                "mysql -h 127.0.0.1 -u root -e 'DROP TABLE a' shop_test",
            )
        ),
    ],
)
def test_a_reset_of_a_database_for_tests_needs_nobody(files):
    assert effect(**files) == "allow"


@for_each(
    "files",
    [
        {"db/settings.env": "DATABASE_URL=postgres://u:p@127.0.0.1:54329/shop\n"},
        {"db/settings.env": "DATABASE_URL=postgres://u:p@db.shop.example/shop_test\n"},
        {"db/settings.env": f"DATABASE_URL={URL}\nPGHOSTADDR=10.0.0.1\n"},
        {"db/settings.env": f"DATABASE_URL={URL}?host=db.shop.example\n"},
        {"db/settings.env": f"DATABASE_URL={URL}\ncurl -X POST https://shop.example/reset\n"},
        {"db/steps/2.sql": "\\! ./deploy\n"},
        {"db/steps/2.sql": "\\connect shop\nDROP TABLE a;\n"},
        {"db/migrate.sh": 'for f in $DIRS/*.sql; do\n  psql "$DATABASE_URL" -q -f "$f"\ndone\n'},
        {
            "db/migrate.sh": 'for f in steps/*.sql; do\n  f=$1\n  psql "$DATABASE_URL" -f "$f"\ndone\n'
        },
        {"db/migrate.sh": 'psql "$DATABASE_URL" -f "$1"\n'},
        {"db/migrate.sh": 'make_sql | psql "$DATABASE_URL"\n'},
        {"db/migrate.sh": 'psql "$DATABASE_URL" -h db.shop.example -c "select 1"\n'},
        {"db/migrate.sh": "./rollout\n"},
        {"Makefile": f"db-reset:\n\t{ONE % 'postgres://localhost/shop'}\n"},
        {"Makefile": f"db-reset:\n\t{ONE % '$(DATABASE_URL)'}\n"},
        {"Makefile": "export PGHOST = db.shop.example\ndb-reset:\n\tdropdb shop_test\n"},
        *(
            {"Makefile": f"db-reset:\n\t{line}\n"}
            for line in (
                "dropdb shop",
                "dropdb -h db.shop.example shop_test",
                "dropdb -h $(HOST) shop_test",
                "dropdb --host= -h $(HOST) shop_test",
                "dropdb shop_test $(MORE)",
                "dropdb --maintenance-db=postgres://db.shop.example/x shop_test",
                "psql -d shop_test -d shop -c 'DROP SCHEMA public CASCADE'",
                "psql -d 'host=db.shop.example dbname=shop_test' -c 'select 1'",
                "psql shop_test -c 'DROP DATABASE shop'",
                "psql shop_test -f $(FILE)",
                "psql -h",
                "mysql -u root -e 'DROP DATABASE shop' shop_test",
                "mysql -u root --defaults-file=x shop_test -e 'select 1'",
            )
        ),
    ],
)
def test_a_reset_that_may_reach_another_needs_a_person(files):
    assert effect(**files) == "junction"


@for_each(
    "command",
    [
        "make db-reset DB=shop",
        "DB=shop make -e db-reset",
        "PGHOST=db.shop.example make db-reset",
        "export PGHOST=db.shop.example; make db-reset",
        "make db-reset PGHOST=db.shop.example",
    ],
)
def test_a_reset_that_the_line_leads_to_another_needs_a_person(command):
    made = {"Makefile": "DB = shop_test\ndb-reset:\n\tdropdb $(DB)\n"}
    assert effect(**made) == "allow"
    assert effect(command, **made) == "junction"


def test_a_step_that_the_line_writes_first_needs_a_person():
    assert effect("echo '\\! ./deploy' > db/steps/3.sql && make db-reset") == "junction"
