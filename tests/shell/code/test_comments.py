"""Comments are blanked, what a string holds is none."""

from __future__ import annotations

import time

from tests.tables import for_each

from operators_edge.shell.code.comments import (
    BARE_JAVASCRIPT,
    HASH,
    JAVASCRIPT,
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
    (SLASHES, 'x = \\"a // b', 'x = \\"a     '),
    (HASH, "x # y\n'#z'", "x    \n'#z'"),
    (HASH, "a#{b} $# c", "a#{b} $# c"),
]


TEXTS = ["'//a'", '"/*"', "`https://a`", "`${`//`}`", "`${f({a: `//`})}//`", "`\\`//`"]
PATTERNS = [r"/\//", "/[/*]/", "/[//]/", "/'/", "/`/", "/[\\]//]/"]
DIVIDED = ["(a) / b / c", "a[1] / b / c", "a! / b / c", "x.return / b / c", "a /= b / c"]


@for_each("text", [*TEXTS, *PATTERNS, *DIVIDED])
def test_what_begins_no_comment_hides_no_code_of_node(text):
    for before in ("x = ", "f(", "f(a, ", "return ", "() => ", "a ? ", "[", "!"):
        code = f"{before}{text}; act(); "
        assert without_comments(f"{code}// b", JAVASCRIPT) == f"{code}    "
        assert "act(); " in without_comments(f"{code}// b", BARE_JAVASCRIPT)


@for_each("text", PATTERNS)
def test_a_pattern_of_node_goes_with_the_comments_if_only_code_counts(text):
    assert without_comments(f"f({text}) // b", BARE_JAVASCRIPT) == f"f({' ' * len(text)})     "


@for_each(("kind", "code", "left"), CASES)
def test_comments_leave_their_place_empty(kind, code, left):
    assert without_comments(code, kind) == left


@for_each("kind", [HASH, SLASHES, SLASHES_AND_QUOTES, JAVASCRIPT, BARE_JAVASCRIPT])
@for_each("quote", ['"', "'", "`"])
def test_a_long_line_of_escaped_quotes_costs_no_more_than_another(kind, quote):
    line = f"\\{quote}a" * 10_000
    started = time.process_time()
    without_comments(line, kind)
    assert time.process_time() - started < 1.0  # it took half a minute
