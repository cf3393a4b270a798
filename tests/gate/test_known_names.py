"""What a name says of a package, a repository, a database, a session or a process."""

from __future__ import annotations

from tests.gate.disk.test_follow import judged
from tests.gate.example_project import PLACE, ROOT, RULES, Machine
from tests.tables import for_each

from operators_edge.gate.decide import assess
from operators_edge.gate.invocation import Invocation
from operators_edge.gate.known_names import CLASSES
from operators_edge.gate.operand_classes import KNOWN_CLASSES, is_in_class
from operators_edge.gate.paths import CallContext
from operators_edge.model import Call
from operators_edge.shell.commands import HOLE, Command, Word
from operators_edge.shell.evaluate import parse

CONTEXTUAL = RULES.with_profile("contextual")


def test_conditions_name_every_class_that_there_is():
    assert CLASSES.keys() == KNOWN_CLASSES


@for_each(
    ("kind", "text", "is_in"),
    [
        ("@test-database", "shop_test", True),
        ("@test-database", "postgres://ann@localhost/test_shop", True),
        ("@test-database", "/tmp/a/x.db", True),
        ("@test-database", "contest", False),
        ("@test-database", "postgres://db.example.com/shop_test", False),
        ("@test-database", HOLE, False),
        ("@foreign-source", "github.com/x/y@latest", True),
        ("@foreign-source", "golang.org/x/tools@latest", False),
        ("@foreign-repository", "git+https://github.com/x/y", True),
        ("@foreign-repository", "./lib", False),
        ("@production", "prod-db.example.com", True),
        ("@production", "postgres://ann@db/shop_production?sslmode=require", True),
        ("@production", "host=live1 dbname=shop", True),
        ("@production", "postgres://prod:x@localhost/shop", False),
        ("@production", "product-db", False),
        ("@production", "delivery", False),
        ("@own-package", "operators-edge==0.2", True),
        ("@own-package", "operators", False),
        ("@client-process", HOLE, True),
        ("@client-process", "1234", False),
    ],
)
def test_a_name_belongs_to_a_class_by_what_it_says(kind, text, is_in):
    context = CallContext(Call("Bash", {}, ROOT), PLACE, Machine())
    inv = Invocation(Command((Word("pip"), Word(text))), "pip", {})
    assert is_in_class(kind, Word(text), inv, context) == is_in


GITHUB = f"{ROOT}/.git/config", '[remote "origin"]\n\turl = git@github.com:ann/shop.git\n'


@for_each(
    ("command", "is_in"),
    [
        ("docker run x/y", True),
        ("docker run -v a:b --network host -e A=b/c -it x/y:1 z", True),
        ("podman container run ghcr.io/x/y@sha256:4711", True),
        ("docker create docker.io/x/y", True),
        ("docker pull x/y && docker run x/y", True),
        ("docker build -t x/z . && docker run x/y", True),
        ("docker run node:22", False),
        ("docker run amazon/aws-cli s3 ls x/y", False),
        ("docker run registry.example.com/x/y", False),
        ("docker run localhost:5000/x/y", False),
        ("docker run ghcr.io/ann/tool", False),
        ("docker build -t x/y . && docker run x/y", False),
    ],
)
def test_an_image_is_foreign_if_neither_the_line_nor_an_owner_who_is_known_makes_it(command, is_in):
    machine = Machine(dict([GITHUB]))
    context = CallContext(Call("Bash", {}, ROOT), PLACE, machine)
    context.commands = parse(command).commands
    last = next(one for one in reversed(context.commands) if one.argv[0].text in _ENGINES)
    inv = Invocation(last, "docker", {})
    found = [one for one in last.argv if is_in_class("@foreign-image", one, inv, context)]
    assert bool(found) == is_in


_ENGINES = ("docker", "podman")


# end of module


@for_each(
    ("command", "is_in"),
    [
        ("psql shop_test -c 'drop table a'", True),
        ("PGSERVICE=prod psql shop_test -c 'drop table a'", False),
        ("export PGSERVICE=prod; psql shop_test -c 'drop table a'", False),
        ("PGHOST=db.example.com psql shop_test -c 'drop table a'", False),
    ],
)
def test_a_database_for_tests_is_none_on_a_server_that_the_environment_names(command, is_in):
    assessed = assess(Call("Bash", {"command": command}, ROOT), PLACE, Machine(), CONTEXTUAL)
    assert (assessed.effect == "allow") == is_in


DROPS = "-c 'DROP TABLE users'"
FAR_FILE = {"far.cnf": '[client]\nhost = "db.example.com"\n', "more.cnf": "!include far.cnf\n"}


def of_script(text):
    files = {"x.sh": f"set -e\n{text}\n", "near.cnf": "[client]\nhost=127.0.0.1\n", **FAR_FILE}
    return judged("sh x.sh", files, committed=tuple(files)).effect


@for_each(
    "words",
    [
        *("-d 'host=prod dbname=shop_test'", "'host=db.example.com dbname=shop_test'"),
        *("'dbname=shop_test host=db.example.com'", "'dbname=shop_test hostaddr=10.1.2.3'"),
        *(
            "'host = db.example.com dbname = shop_test'",
            "'host=localhost,db.example.com dbname=shop_test'",
        ),
        *("'service=prod dbname=shop_test'", "--dbname='host=db.example.com dbname=shop_test'"),
    ],
)
def test_a_host_in_the_settings_of_a_connection_counts(words):
    assert of_script(f"psql {words} {DROPS}") == "junction"


@for_each("host", ["host=localhost", "host=/run/postgresql", "host=db", "user=app"])
def test_one_on_this_machine_does_not(host):
    assert of_script(f"psql '{host} dbname=shop_test' {DROPS}") == "allow"


@for_each(
    "words",
    [
        *(
            "--defaults-file=missing.cnf",
            "--defaults-extra-file=far.cnf",
            "--defaults-file far.cnf",
        ),
        *("--defaults-file=more.cnf", "--defaults-group-suffix=prod", "--login-path=prod"),
        *('--defaults-file="$1"', "--login-path prod"),
    ],
)
def test_settings_of_mysql_that_may_name_another_server_count(words):
    assert of_script(f"mysql {words} shop_test -e 'DROP TABLE users'") == "junction"


def test_settings_of_mysql_on_this_machine_do_not():
    assert of_script("mysql --defaults-file=near.cnf shop_test -e 'DROP TABLE users'") == "allow"
    drops = "cp far.cnf near.cnf\nmysql --defaults-file=near.cnf shop_test -e 'DROP TABLE users'"
    assert of_script(drops) == "junction"
