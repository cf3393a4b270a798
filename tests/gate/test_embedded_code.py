"""Code on the line, and what it is known to use."""

from __future__ import annotations

from tests.gate.example_project import judge
from tests.tables import for_each

DROPS = "python3 -c \"import sqlite3; c = sqlite3.connect({}); c.execute('DROP TABLE x')\""
ENGINE = (
    'python3 -c "from sqlalchemy import create_engine, text; '
    "create_engine(<>).connect().execute(text('DROP TABLE x'))\""
)
TEMPORARY = DROPS.format("'/tmp/try/x.db'")


@for_each(
    ("line", "asks"),
    [
        (TEMPORARY, False),
        (DROPS.format("F").replace("; c", "; F = '/tmp/x.sqlite3'; c", 1), False),
        (ENGINE.replace("<>", "'sqlite:////tmp/x.db'"), False),
        (ENGINE.replace("<>", "'postgresql:///x?host=/tmp/x.db'"), True),
        (ENGINE.replace("<>", "'postgresql:///x', connect_args={'host': '/tmp/x.db'}"), True),
        (DROPS.format("'x.db'"), True),
        (DROPS.format("'/home/ann/tmp/x.db'"), True),
        (DROPS.format("'/tmp/../home/ann/x.db'"), True),
        (DROPS.format("'/tmp/x.db' + n"), True),
        (DROPS.format("B + '/tmp/x.db'"), True),
        (DROPS.format("n or '/tmp/x.db'"), True),
        (f"mv app.db /tmp/try/x.db; {TEMPORARY}", True),
        (f"ln -s ~/app.db /tmp/try/x.db; {TEMPORARY}", True),
        (DROPS.format("'/tmp/x.db'); sqlite3.connect('app.db').execute('DROP TABLE y'"), True),
        (TEMPORARY.replace("c.ex", "c.execute('ATTACH \\\"app.db\\\" AS x'); c.ex"), True),
        (DROPS.replace("sqlite3", "psycopg2").format("host='/tmp/pg'"), True),
        (DROPS.replace("sqlite3", "psycopg2").format("host='/tmp/pg.db'"), True),
    ],
)  # fmt: skip
def test_a_database_in_a_temporary_file_is_the_code_s_own(line, asks):
    assert (judge(line).effect != "allow") == asks
