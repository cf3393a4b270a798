"""What a program has from a file of SQL begins with what changes something."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

from tests.tables import for_each

from operators_edge.shell.code.python import sql_texts

FILES = {
    "a.sql": "SELECT 1;\nTRUNCATE\n  a;\n",
    "b.txt": "TRUNCATE a;",
    "c.sql": "-- TRUNCATE a;\n",
}


@for_each(
    ("path", "text"),
    [("a.sql", "TRUNCATE a;\nSELECT 1;"), ("b.txt", None), ("c.sql", ""), ("d.sql", None)],
)
def test_what_changes_something_comes_first(path, text):
    walk = cast("Any", SimpleNamespace(read=FILES.get))
    assert sql_texts.content(walk, path) == text


# end of module
