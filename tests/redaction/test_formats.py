"""The table of token kinds is read as it says, and a token that is made from any of its rows is hidden."""

from __future__ import annotations

import random
import re

import pytest

from operators_edge.redaction.formats import CLASSES, Piece, formats, pattern_of, pieces, vendors
from operators_edge.redaction.redact import redact
from operators_edge.redaction.token_table import ROWS

SIGNS = [chr(code) for code in range(33, 127)]


def made(shape: str, seed: int) -> tuple[str, str]:
    """A token of the shape, and the part of it that is secret."""
    draw = random.Random(seed)  # noqa: S311 - the same tokens in each run
    token = secret = ""
    is_secret = "<" not in shape
    for part in pieces(shape):
        text = "" if isinstance(part, str) else one_of(part, draw)
        is_secret = part == "<" if isinstance(part, str) else is_secret
        token += text
        secret += text if is_secret else ""
    return token, secret


def one_of(part: Piece, draw: random.Random) -> str:
    if part.texts:
        return draw.choice(part.texts)
    letters = [sign for sign in SIGNS if re.match(f"[{part.alphabet}]", sign)]
    return "".join(draw.choices(letters, k=draw.randint(part.least, part.most or part.least + 8)))


def test_every_line_of_the_table_is_a_row() -> None:
    lines = [line for line in ROWS.splitlines() if line]
    for line, row in zip(lines, formats(), strict=True):
        kind, shape, near, source = line.split(None, 3)
        assert (row.kind, row.shape, ",".join(row.near) or "-") == (kind, shape, near)
        assert re.fullmatch(r"[\w./-]+(, [\w./-]+)*", source), line


def test_rows_are_sorted_and_said_once() -> None:
    rows = list(formats())
    assert [each.kind for each in rows] == sorted(each.kind for each in rows)
    assert len({(each.shape, each.near) for each in rows}) == len(rows)


def test_a_row_without_words_near_begins_with_an_unmistakable_text() -> None:
    for row in formats():
        shortest = len(made(row.shape, 1)[0]) - len(row.start)
        is_unmistakable = len(row.start) > 3 or (
            len(row.start) == 3 and (row.start[-1] in "_-." or shortest > 16)
        )
        assert row.near or is_unmistakable, row
        assert all(word == word.lower() and len(word) > 2 for word in row.near), row
        assert re.fullmatch(r"[a-z0-9-]+", row.kind), row


@pytest.mark.parametrize("seed", range(3))
def test_what_is_made_from_a_row_matches_it_and_is_hidden_in_a_log_line(seed: int) -> None:
    left = []
    for row in formats():
        token, secret = made(row.shape, seed)
        match = re.match(pattern_of(row.shape), token)
        assert match is not None, row
        assert match["value"] == secret, row
        before = f"{row.near[0]} key: " if row.near else "12:04:01 INFO sync: uses "
        if secret in redact(f"{before}{token} here"):
            left.append((row, token))
    assert left == []


def test_vendors_are_sorted_and_said_once() -> None:
    assert vendors() == sorted(set(vendors()))
    assert all(
        re.fullmatch(rb"[a-z0-9]+(-[a-z0-9]+)*", name) and len(name) > 2 for name in vendors()
    )


@pytest.mark.parametrize("shape", ["{letters:3}", "ab{hex}", "a(b", "a b{hex:3", "{hex:3}}"])
def test_what_is_no_shape_is_refused(shape: str) -> None:
    with pytest.raises(ValueError, match="not a shape"):
        pieces(shape)


def test_classes_are_alphabets() -> None:
    assert all(re.compile(f"[{signs}]") for signs in CLASSES.values())


# end of module
