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


RESTORE = "pg_restore --clean -h localhost -d shop_test a.dump"
DROP = "psql -h localhost -d postgres -c 'DROP DATABASE IF EXISTS shop_test"
OWN_REDIS = "redis-server --port 6399 --save '' --daemonize yes\n"
DEFAULT = 'H="${H:-localhost}"\nexport H\nredis-cli -h "$H" flushall'


def of_script(text, path="bin/x.sh", command="", **more):
    """The effect of a script from disk."""
    files = {path: f"#!/bin/bash\nset -e\n{text}\n", **more}
    return judged(command or f"bash {path}", files, committed=tuple(files)).effect


@for_each(
    "text",
    [
        RESTORE,
        "pg_restore -c --dbname=postgres://app:x@localhost:5432/shop_test dump/a.dump",
        'DB_HOST="${DB_HOST:-localhost}"\nDB="${DB:-shop_test}"\npg_restore -c -h "$DB_HOST" -d "$DB" "$1"',
        f"{DROP}'\npsql -h localhost -d postgres -c 'CREATE DATABASE shop_test OWNER app'",
        "psql -h localhost <<'SQL'\nDROP DATABASE \"shop_test\";\nCREATE DATABASE shop_test;\nSQL",
        "mysql -h 127.0.0.1 -e 'DROP DATABASE IF EXISTS shop_test; CREATE DATABASE shop_test'",
        "mongorestore --drop --uri mongodb://localhost:27017/shop_test dump/shop",
        f"{OWN_REDIS}redis-cli -p 6399 flushall\nredis-cli -p 6399 shutdown nosave",
        f"PORT=6399\n{OWN_REDIS}trap 'redis-cli -p $PORT shutdown nosave' EXIT\npytest",
    ],
)
def test_what_a_client_empties_for_tests_needs_nobody(text):
    assert of_script(text) == "allow"


@for_each(
    "text",
    [
        *("pg_restore --clean -d shop a.dump", "pg_restore -c -C -h localhost -d shop_test a.dump"),
        "pg_restore --clean -h db.example.com -d shop_test a.dump",
        "pg_restore --clean -d 'postgres://localhost/shop_test?host=db.example.com' a.dump",
        f"export PGHOST=db.example.com\n{RESTORE.replace('-h localhost ', '')}",
        f"PGHOSTADDR=10.0.0.1 {RESTORE}",
        f"PGSERVICE=prod {RESTORE}",
        f"ssh -fNL 5432:db:5432 prod\n{RESTORE}",
        'DB=${DB:-shop}\npg_restore --clean -h localhost -d "$DB" a.dump',
        'DB=${DB:-shop_test}\n[ -n "$1" ] && DB=$1\npg_restore --clean -h localhost -d "$DB" a.dump',
        "psql -h localhost -d shop_test -c 'DROP DATABASE shop'",
        f"{DROP}; DROP DATABASE shop'",
        f"{DROP}; DROP TABLE users'",
        f"{DROP}' -c 'DROP DATABASE shop'",
        f"PSQLRC=x.sql {DROP}'",
        DROP.replace("localhost", "db.example.com") + "'",
        "psql postgres://db.example.com/postgres -c 'DROP DATABASE shop_test'",
        "mysql -h localhost shop_test -e 'DROP TABLE shop.orders'",
        "mysql --defaults-file=prod.cnf -e 'DROP DATABASE shop_test'",
        *("mongorestore --drop dump/", "mongorestore --drop -d shop_test --nsTo 'shop.*' dump"),
        "mongorestore --drop --host db.example.com -d shop_test dump",
        "ssh -f -N -L 5432:localhost:5432 prod.example.com\ndropdb -h localhost shop_test",
        "redis-cli -h localhost flushall",
        "redis-server --port 6379 --daemonize yes\nredis-cli flushall",
        f"{OWN_REDIS}redis-cli -p 6398 flushall",
        f"{OWN_REDIS}redis-cli -h localhost -h cache.example.com -p 6399 flushall",
    ],
)
def test_what_may_be_emptied_elsewhere_asks(text):
    assert of_script(text) == "junction"


@for_each("path", ["test/run.sh", "scripts/run-tests.sh", "tests/e2e/setup.sh", "bin/test"])
def test_a_script_for_tests_may_empty_the_redis_of_this_machine(path):
    assert of_script("redis-cli -h localhost -n 1 flushdb\npytest", path) == "allow"
    assert of_script(DEFAULT, path) == "allow"


@for_each(
    "text",
    [
        *(
            "redis-cli shutdown",
            "redis-cli -h localhost config set dir /",
            "ssh prod redis-cli flushall",
        ),
        *(
            "redis-cli -h redis flushall",
            "redis-cli -u redis://localhost@cache.example.com/0 flushall",
        ),
        *(
            'redis-cli -h "$REDIS_HOST" flushall',
            'H=${H:-cache.example.com}\nredis-cli -h "$H" flushall',
        ),
        "kubectl port-forward svc/redis 6379 &\nredis-cli -h localhost flushall",
        'H=${H:-localhost}\nread -r H < host.txt\nredis-cli -h "$H" flushall',
        *('eval "$(cat x)"\nredis-cli flushall', "export REDISCLI_HOST=cache\nredis-cli flushall"),
    ],
)
def test_a_script_for_tests_asks_before_it_empties_another_redis(text):
    assert of_script(text, "test/run.sh") == "junction"


@for_each(
    "command",
    [
        *("H=cache.example.com bash test/run.sh", 'H="$(cat host)" bash test/run.sh'),
        *('export H="$(cat host)"; bash test/run.sh', ". ./env.sh; bash test/run.sh"),
        *("env H=$(cat host) bash test/run.sh", 'eval "$(cat env)"; bash test/run.sh'),
    ],
)
def test_a_default_is_not_taken_for_what_the_line_may_set(command):
    more = {"env.sh": "export H=$(cat host)\n"}
    assert of_script(DEFAULT, "test/run.sh", command, **more) == "junction"


@for_each("path", ["bin/latest.sh", "bin/contest.sh"])
def test_a_name_that_only_contains_the_word_is_not_for_tests(path):
    assert of_script("redis-cli -h localhost flushall", path) == "junction"


MONGO = 'U=${U:-mongodb://localhost:27017/shop_test}\nmongosh "$U" --quiet --eval '
DROPS = "'db.dropDatabase()'"


def test_the_shell_of_mongo_may_empty_a_database_for_tests():
    assert of_script(f"{MONGO}{DROPS}") == "allow"


@for_each(
    "text",
    [
        MONGO.replace("localhost", "db.example.com") + DROPS,
        MONGO.replace("shop_test", "shop") + DROPS,
        MONGO.replace("localhost:27017", "localhost,db.example.com") + DROPS,
        MONGO.replace("mongodb:", "mongodb+srv:") + DROPS,
        f"{MONGO}'db.getSiblingDB(\"shop\").dropDatabase()'",
        f"{MONGO}'connect(\"mongodb://db.example.com/shop\").dropDatabase()'",
        f"set -a; . ./u\n{MONGO}{DROPS}",
        f"ssh -fNL 27017:db:27017 prod\n{MONGO}{DROPS}",
        "mongosh --host db.example.com shop_test --eval 'db.dropDatabase()'",
    ],
)
def test_the_shell_of_mongo_asks_before_it_empties_another(text):
    assert of_script(text, u="U=$(cat v)\n") == "junction"
