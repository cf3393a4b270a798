"""What a command line says by itself: tables, database, request."""

import pytest
from tests.gate.example_project import PLACE, ROOT, RULES, Machine, judge

from operators_edge.approvals.impact import command as impact_command
from operators_edge.gate.paths import CallContext
from operators_edge.model import Call


def told(command, kind):
    finding = judge(command).findings[0]
    inv = impact_command.command_of(finding, RULES)
    if kind == "request":
        return impact_command.request(inv)
    return impact_command.tables(inv, CallContext(Call("Bash", {}, ROOT), PLACE, Machine()))


def test_tables_and_their_database_are_read_off_the_line():
    fact = told(
        'psql -h db.example.com shop -c "DROP TABLE IF EXISTS users, \\"Old Orders\\";'
        ' delete from log; update x set a=1 where id=2"',
        "tables",
    )
    assert fact["statements"] == [
        {"verb": "DROP TABLE", "names": ["users", "Old Orders"]},
        {"verb": "DELETE", "names": ["log"], "where": False},
        {"verb": "UPDATE", "names": ["x"], "where": True},
    ]
    assert (fact["host"], fact["database"]) == ("db.example.com", "shop")


def test_a_heredoc_and_a_url_without_its_password():
    fact = told(
        "psql postgres://u:pw@db.example.com:5432/shop?ssl=1 <<E\nTRUNCATE orders;\nE",
        "tables",
    )
    assert fact["statements"] == [{"verb": "TRUNCATE", "names": ["orders"]}]
    assert (fact["host"], fact["database"]) == ("db.example.com", "shop")
    assert "pw" not in str(fact)


def test_a_database_file_and_a_program_without_sql():
    fact = told("sqlite3 my.db 'drop table users'", "tables")
    assert fact["database"] == "my.db"
    assert "no table" in told("dropdb shop", "tables")["unknown"]


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        (
            "curl -X DELETE https://u:p@api.example.com/v1/users?token=1",
            {"method": "DELETE", "host": "api.example.com", "path": "/v1/users"},
        ),
        ("curl -d a=1 https://example.com", {"method": "POST", "path": ""}),
        ("curl -T a.zip https://example.com/x", {"method": "PUT"}),
        ("wget --post-data=x https://example.com/a", {"method": "POST", "path": "/a"}),
        ("http example.com/x a=1", {"method": "POST", "host": "example.com", "path": "/x"}),
        ("curl -X POST $URL/x", {"method": "POST", "host": "…"}),
    ],
)
def test_a_request_tells_method_host_and_path(command, expected):
    fact = told(command, "request")
    assert {key: fact.get(key) for key in expected} == expected
    assert "u:p" not in str(fact)
    assert not fact["is_loopback"]
