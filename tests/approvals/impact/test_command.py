"""What a command line says by itself: tables, database, request."""

import pytest
from tests.gate.example_project import PLACE, ROOT, RULES, Machine, judge

from operators_edge.approvals.binding import line as call_line
from operators_edge.approvals.impact import command as impact_command
from operators_edge.gate import decide
from operators_edge.gate.paths import CallContext
from operators_edge.model import Call, Finding


def at_stake(command, kind):
    finding = judge(command).findings[0]
    inv = call_line.command_of(finding, RULES)
    assert inv is not None
    measure = impact_command.request if kind == "request" else impact_command.tables
    found = measure(inv, CallContext(Call("Bash", {}, ROOT), PLACE, Machine()))
    assert found.can == "no"
    return found.at_stake


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (
            (
                'psql -h db.example.com shop -c "DROP TABLE IF EXISTS users, \\"Old Orders\\";'
                ' delete from log; update x set a=1 where id=2"'
            ),
            (
                "DROP TABLE users, Old Orders; DELETE log without WHERE: every row;"
                " UPDATE x with a WHERE; in shop on db.example.com"
            ),
        ),
        (
            "psql postgres://u:pw@db.example.com:5432/shop?ssl=1 <<E\nTRUNCATE orders;\nE",
            "TRUNCATE orders; in shop on db.example.com",
        ),
        ("sqlite3 my.db 'drop table users'", "DROP TABLE users; in my.db"),
        ("PGHOST=db psql -c 'drop table users'", "DROP TABLE users; in db"),
        ("mysql -e 'drop table a'", "DROP TABLE a; in a database not named"),
        ("dropdb shop", "not known: no table is named on the line"),
        (
            f"sqlite3 my.db '{'; '.join(f'drop table t{n}' for n in range(8))}'",
            f"{'; '.join(f'DROP TABLE t{n}' for n in range(6))}; 2 more statements; in my.db",
        ),
    ],
)
def test_tables_and_their_database_are_read_off_the_line(command, said):
    assert at_stake(command, "tables") == [said]


def test_sql_that_an_mcp_server_gets_is_read_too():
    call = Call("mcp__db__query", {"sql": "DROP TABLE users"}, ROOT)
    (finding, *_) = decide.assess(call, PLACE, Machine(), RULES).findings
    inv = call_line.command_of(finding, RULES)
    assert impact_command.tables(inv, CallContext(call, PLACE, Machine())).at_stake == [
        "DROP TABLE users; in db"
    ]


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (
            "curl -X DELETE https://u:p@api.example.com/v1/users?token=1",
            "DELETE api.example.com/v1/users",
        ),
        ("curl -d a=1 https://example.com", "POST example.com"),
        ("curl -d a=1 -G -X POST https://example.com", "POST example.com"),
        ("curl -T a.zip https://example.com/x", "PUT example.com/x"),
        ("wget --post-data=x https://example.com/a", "POST example.com/a"),
        ("http example.com/x a=1", "POST example.com/x"),
        ("http DELETE example.com/x", "DELETE example.com/x"),
        ("curl -X POST $URL/x", "POST …/x"),
        ("curl -X POST https://a.com https://b.com", "POST a.com, and 1 more address"),
        ("gh api -X DELETE repos/acme/shop", "DELETE repos/acme/shop"),
    ],
)
def test_a_request_tells_method_host_and_path(command, said):
    assert at_stake(command, "request")[0] == said


def test_a_request_without_a_host_claims_nothing_of_it():
    detail = (("command", "curl -d a=1 -K settings"),)
    finding = Finding("r", "junction", "external", "", detail=detail)
    inv = call_line.command_of(finding, RULES)
    found = impact_command.request(inv, CallContext(Call("Bash", {}, ROOT), PLACE, Machine()))
    assert found.at_stake == ["not known: where it goes"]


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("curl -T README.md https://example.com/x", ["sends README.md (7 bytes)"]),
        ("curl -F 'a=@b.zip;type=x' https://example.com", ["sends b.zip (size not known)"]),
        ("http POST example.com a@b.zip", ["sends b.zip (size not known)"]),
        ("curl --data-binary @- https://example.com", []),
    ],
)
def test_files_that_would_be_sent_are_told_with_their_sizes(command, said):
    assert at_stake(command, "request")[1:] == said
