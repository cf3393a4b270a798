"""Comments are blanked, what a string holds is none."""

from __future__ import annotations

from tests.tables import for_each

from operators_edge.shell.code.comments import (
    HASH,
    SLASHES,
    SLASHES_AND_QUOTES,
    without_comments,
)

CASES = [
    (SLASHES, 'a // b\n"//c" /* d\n e */ f', 'a     \n"//c"     \n      f'),
    (SLASHES, "`//a` b", "`//a` b"),
    (SLASHES, "'a' // b'", "'a'      "),
    (SLASHES_AND_QUOTES, "'//a' // b", "'//a'     "),
    (SLASHES_AND_QUOTES, "x '/*' y // '*/'", "x '/*' y        "),
    (HASH, "x # y\n'#z'", "x    \n'#z'"),
    (HASH, "a#{b} $# c", "a#{b} $# c"),
]


@for_each(("kind", "code", "left"), CASES)
def test_comments_leave_their_place_empty(kind, code, left):
    assert without_comments(code, kind) == left
