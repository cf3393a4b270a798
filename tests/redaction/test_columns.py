"""Secrets in tables are known by the heading of their column."""

from __future__ import annotations

import pytest

from operators_edge.redaction.redact import redact

TABLES = [
    "| service | user  | password   |\n|---------|-------|------------|\n| ci      | admin | {} |\n",
    "user,password,email\nbob,{},bob@example.com\n",
    '"id";"api_key"\n"7";"{}"\n',
    "id\ttoken\n1\t{}\n",
    "NAME      TOKEN             TTL\nfirst     {}   23h\n",
    "┌──────┬──────────┐\n│ user │ password │\n├──────┼──────────┤\n│ ada  │ {} │\n└──────┴──────────┘\n",
    "┏━━━━━━┳━━━━━━━━━━┓\n┃ user ┃ password ┃\n┡━━━━━━╇━━━━━━━━━━┩\n│ ada  │ {} │\n└──────┴──────────┘\n",
    "user;pass;role\nada;{};admin\n",
    "role,user,pass\nadmin,ada,{}\n",
    "| user | pass   |\n|---|---|\n| ada | {} |\n",
    "COPY users (id, password, mail) FROM stdin;\n7\t{}\ta@example.org\n\\.\n",
    '{{"columns": ["id", "api_key"], "rows": [[1, "{}"], [2, "x"]]}}\n',
    '{{"headers":["id","token"],"data":[["1","{}"]]}}\n',
    " id |  name | secret\n----+-------+--------\n  1 | first | {}\n",
]


@pytest.mark.parametrize("table", TABLES)
def test_a_cell_below_a_telling_heading_is_hidden(table: str) -> None:
    secret = "kQ7rW2mXz9TbL4vN"
    assert redact(table.format(secret)) == table.format("[REDACTED]")


def test_each_line_of_a_table_counts() -> None:
    text = "user,password\nbob,Winter2031!\nann,\neve,Summer77_x\n\nuser,Winter2031!\n"
    expected = "user,password\nbob,[REDACTED]\nann,\neve,[REDACTED]\n\nuser,Winter2031!\n"
    assert redact(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "| option | password |\n|---|---|\n| default | none |\n| where | ~/.pgpass |\n",
        "name,token,position\nimport,keyword,12\n",
        "id,password,created\n1,changeme,2031-02-03\n",
        "a list of user, password, token and\nof sign7, word8, other9 and\n",
        "NAME  SECRET  AGE\ndb    db-tls  3d\n",
        "test,pass,fail\nparser7,12,0\nlexer8,none,1\n",
        "COPY tokens (id, kind, token) FROM stdin;\n7\tword\tidentifier\n\\.\n",
        '{"columns": ["id", "token"], "rows": [[1, "identifier"], [2, "keyword"]]}\n',
    ],
)
def test_a_table_without_secrets_stays(text: str) -> None:
    assert redact(text) == text


# end of module
