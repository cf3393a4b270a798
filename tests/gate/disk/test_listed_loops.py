"""Loops of scripts over the files of a folder: each of these runs."""

from __future__ import annotations

from tests.gate.disk.test_follow import judged
from tests.tables import for_each

GRANT = "GRANT ALL ON ALL TABLES IN SCHEMA public TO PUBLIC;\n"
APPLY = 'for f in %s; do\n  psql -h db.shop.example -f "$f"\ndone\n'
DANGEROUS = {
    "in this folder": (APPLY % "db/sql/*.sql", GRANT),
    "beside the script": ('here=$(dirname "$0")\n' + APPLY % '"$here"/sql/*.sql', GRANT),
    "beside a pattern of another kind": (APPLY % "*.txt db/sql/*.sql", GRANT),
}
CALM = {
    "that only reads": (APPLY % "db/sql/*.sql", "SELECT 1;\n"),
    "in another folder": (APPLY % "db/other/*.sql", GRANT),
    "of another name": (APPLY % "db/sql/x*.sql", GRANT),
}


def run(script, sql):
    files = {"db/apply.sh": script, "db/sql/10_roles.sql": sql}
    return judged("bash db/apply.sh", files, committed=files)


@for_each(("script", "sql"), DANGEROUS.values(), DANGEROUS)
def test_a_file_that_a_loop_goes_through_is_judged(script, sql):
    assert "database-access" in {one.rule for one in run(script, sql).findings}


@for_each(("script", "sql"), CALM.values(), CALM)
def test_no_other_file_is(script, sql):
    assert run(script, sql).effect == "allow"


def test_what_is_not_there_yet_stays_unknown():
    files = {"sql/a.sql": "SELECT 1;\n"}
    script = 'for f in sql/*.sql; do psql -f "$f"; done'
    assert judged(f"cat > x.sh <<'E'\n{script}\nE\nsh x.sh", files).effect == "junction"
