"""Statements of a file of SQL stand in one line each, where they begin."""

from tests.tables import for_each

from operators_edge.shell.code.sql_files import in_lines

TEXTS = [
    ("TRUNCATE a;\n", "TRUNCATE a;\n"),
    ("DELETE\n  FROM a;\nSELECT 1;", "DELETE FROM a;\n\nSELECT 1;"),
    ("-- DROP TABLE a;\nSELECT 1;\n", "\nSELECT 1;\n"),
    ("/* DROP\nTABLE a; */ SELECT 1;", "\nSELECT 1;"),
    ("INSERT INTO a VALUES ('-- b; c');\nDROP TABLE d;", "INSERT INTO a VALUES ('-- b; c');\nDROP TABLE d;"),
    ("SELECT 'it''s';\nDROP TABLE d", "SELECT 'it''s';\nDROP TABLE d"),
]  # fmt: skip


@for_each(("text", "lines"), TEXTS)
def test_a_statement_stands_in_the_line_where_it_begins(text, lines):
    assert in_lines(text) == lines
    assert in_lines(text).count("\n") == text.count("\n")


# end of module
