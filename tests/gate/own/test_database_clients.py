"""Which database a client works in, and what reaches past it."""

from __future__ import annotations

import re

from tests.gate.disk.test_follow import judged
from tests.gate.example_project import PLACE, ROOT, RULES, Machine, judge
from tests.tables import for_each

from operators_edge.gate.invocation import invocation_of
from operators_edge.gate.own import database_clients
from operators_edge.gate.paths import CallContext
from operators_edge.model import Call
from operators_edge.shell.evaluate import parse


def client(line):
    return invocation_of(parse(line).commands[0], RULES)


@for_each(
    ("line", "name", "server"),
    [
        ("psql -d a -c x", "a", ("", "")),
        ("psql -h db -p 5433 -qX a -f x.sql", "a", ("db", "5433")),
        ("psql postgres://u:p@db:5433/a -c x", "a", ("db", "5433")),
        ("mysql -u root --host=db -D a -e x", "a", ("db", "")),
        ("mysql -uroot -proot a", "a", ("", "")),
        ("mongosh --quiet mongodb://localhost:27017/a --eval x", "a", ("localhost", "27017")),
        ("psql -d a -d b", None, None),
        ("psql a b", None, None),
        ("psql postgres://db/a?dbname=b", None, None),
        ("psql -c x", None, None),
        ("mysql -u a -e x", None, None),
        ("mongosh a x.js", None, None),
    ],
)
def test_the_words_of_a_client_name_its_database(line, name, server):
    match = re.fullmatch(database_clients.CLIENT, line)
    found = {key: value or "" for key, value in match.groupdict().items()} if match else None
    assert (found and database_clients.name_of(found)) == name
    if found:
        assert database_clients.server_of(client(line).arguments, found) == server


@for_each(
    ("line", "stays"),
    [
        ("psql -d a -c 'drop schema public cascade'", True),
        ("psql -d a -c 'truncate b; drop table c; create type d as enum ()'", True),
        ("mysql a -e 'drop table b; delete from c'", True),
        ("mongosh a --eval 'db.dropDatabase()'", True),
        ("psql -d a -c '\\c b'", False),
        ("psql -d a -c 'drop database b'", False),
        ("psql -d a -c 'drop owned by b'", False),
        ("psql -d a -c 'alter system set b = 1'", False),
        ("psql -d a -c \"copy b to program 'sh'\"", False),
        ('psql -d a -f missing.sql -c "$SQL"', False),
        ("psql -d a", False),
        ("mysql a -e 'drop table b.c'", False),
        ("mysql a -e 'drop schema b'", False),
        ("mysql a -e 'use b; drop table c'", False),
        ("mongosh a --eval 'db.getSiblingDB(\"b\").dropDatabase()'", False),
        ("mongosh a --eval 'connect(\"b\").dropDatabase()'", False),
    ],
)
def test_what_a_client_does_may_reach_past_its_database(line, stays):
    context = CallContext(Call("Bash", {"command": line}, ROOT), PLACE, Machine())
    assert database_clients.stays_inside(client(line), context) == stays


@for_each(
    ("line", "effect"),
    [
        ("psql -d app_test -c 'drop table a'", "allow"),
        ("psql -d app_test -c 'drop database other_test'", "allow"),
        ("mysql app_test -e 'drop table app_test.a'", "allow"),
        ("psql -d app_test -c 'drop database shop'", "junction"),
        ("psql -d app_test -c '\\connect shop' -c 'drop table a'", "junction"),
        ("mysql app_test -e 'drop schema shop'", "junction"),
        ("mysql app_test -e 'use shop; truncate a'", "junction"),
        ("mysql app_test -e 'drop table shop.a'", "junction"),
    ],
)
def test_what_is_done_from_a_database_for_tests_to_another_one_needs_a_person(line, effect):
    assert judge(line).effect == effect


LOCAL = "mongodb://localhost:27017/shop_test"
WIPES = "db.dropDatabase();\ndb.orders.insertOne({a: 1});\n"


@for_each(
    ("line", "script", "effect"),
    [
        (f"mongosh {LOCAL} x.js", WIPES, "allow"),
        ("mongosh --quiet shop_test x.js", WIPES, "allow"),
        (f"mongosh {LOCAL} x.js", f"db = db.getSiblingDB('cart_test');\n{WIPES}", "allow"),
        ("mongosh mongodb://localhost/shop x.js", WIPES, "junction"),
        ("mongosh mongodb://db.example.com/shop_test x.js", WIPES, "junction"),
        ("mongosh mongodb://db.example.com/shop x.js x_test", WIPES, "junction"),
        ("mongosh x.js shop_test", WIPES, "junction"),
        (f"mongosh {LOCAL} x.js y.js", WIPES, "junction"),
        (f"mongosh {LOCAL} x.js", f"db = db.getSiblingDB('shop');\n{WIPES}", "junction"),
        (f"mongosh {LOCAL} x.js", f"db = db.getSiblingDB(process.env.DB);\n{WIPES}", "junction"),
        (f"mongosh {LOCAL} x.js", f"db = connect('db.example.com/shop');\n{WIPES}", "junction"),
        (f"mongosh {LOCAL} x.js", f"load('y.js');\n{WIPES}", "junction"),
    ],
)
def test_a_script_may_empty_the_database_for_tests_that_the_client_is_given(line, script, effect):
    files = {"x.js": script, "y.js": "db = connect('db.example.com/shop');\n"}
    assert judged(line, files, committed=tuple(files)).effect == effect


@for_each(
    ("options", "effect"),
    [
        ("-d shop_test", "allow"),
        ("shop_test shop", "allow"),
        ("-d shop_test shop", "allow"),
        ("shop x_test", "junction"),
        ("-d shop x_test", "junction"),
        ("postgresql://db.example.com/shop x_test", "junction"),
    ],
)
def test_who_connects_is_not_taken_for_the_database(options, effect):
    assert judged(f"psql {options} -c 'drop schema public cascade'", {}).effect == effect


# end of module
