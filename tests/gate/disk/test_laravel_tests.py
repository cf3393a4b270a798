"""Tests of Laravel empty the database of their connection: one on another machine is asked about."""

from tests.gate.example_project import ROOT, Machine, judge
from tests.tables import for_each

TEST = "<?php\nclass OrderTest extends TestCase\n{\n    use RefreshDatabase;\n}\n"
REMOTE = "DB_CONNECTION=mysql\nDB_HOST=db.example.com\n"
MEMORY = '<env name="DB_CONNECTION" value="sqlite"/>\n<env name="DB_DATABASE" value=":memory:"/>'
RUN = "php artisan test --filter=OrderTest"


def judged(command, env=REMOTE, xml="", test=TEST, **more):
    named = {
        ".env": env,
        "phpunit.xml": f"<phpunit><php>{xml}</php></phpunit>",
        "tests/Feature/OrderTest.php": test,
        **more,
    }
    machine = Machine({f"{ROOT}/{name}": text for name, text in named.items()})
    return judge(command, machine).effect


RUNS = [RUN, "php artisan test", "./vendor/bin/phpunit", "vendor/bin/pest"]


@for_each("command", RUNS)
def test_tests_that_empty_a_database_elsewhere_are_asked_about(command):
    assert judged(command) == "junction"
    assert judged(command, xml=f"<!-- {MEMORY} -->") == "junction"
    assert judged(command, env="DB_URL=mysql://u:p@db.example.com/shop\n") == "junction"


@for_each("command", RUNS)
def test_tests_in_memory_or_on_this_machine_need_nobody(command):
    assert judged(command, xml=MEMORY) == "allow"
    assert judged(command, env="DB_CONNECTION=mysql\nDB_HOST=127.0.0.1\n") == "allow"
    assert judged(command, env="DB_CONNECTION=mysql\nDB_HOST=mysql\n") == "allow"
    assert judged(command, test=TEST.replace("use RefreshDatabase;", "")) == "allow"
    assert judged(command, **{".env.testing": "DB_CONNECTION=sqlite\n"}) == "allow"


def test_the_variables_of_the_command_count():
    assert judged(f"DB_HOST=localhost {RUN}") == "allow"
    local = "DB_CONNECTION=mysql\nDB_HOST=localhost\n"
    assert judged(f"DB_HOST=db.example.com {RUN}", env=local) == "junction"


def test_a_filter_that_leaves_the_tests_out_needs_nobody():
    assert judged("php artisan test --filter=PriceTest") == "allow"
