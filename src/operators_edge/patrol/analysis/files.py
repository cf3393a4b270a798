"""The analysis of one file: its length, the notes in comments, its functions, its words.

Only the worker that ``workers`` starts imports it, as the analysers take time to load. Does not own the
findings (``patrol.code_findings``).
"""

from __future__ import annotations

import os
import re
from itertools import islice
from typing import TYPE_CHECKING, Any

import lizard
from lizard_languages import get_reader_for
from pygments import lexers
from pygments.token import Comment, String

if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_MARKERS = 50
MAX_FUNCTIONS = 3000
MAX_WORDS = 20_000
MAX_HITS = 3

_MARKER = re.compile(
    r"(?<![\w-])(TODO|FIXME|XXX|HACK|BUG|OPTIMIZE)(?![\w-])\s*(\([^)\n]{0,60}\))?(\s*:)?"
)
_GENERATED = re.compile(
    r"@generated\b|\bcode generated\b.{0,120}\bdo not edit\b"
    r"|\bgenerated (?:file|by|from)\b.{0,200}\bdo not (?:edit|modify|change)\b"
    r"|\bdo not (?:edit|modify|change)\b.{0,200}\bgenerated (?:file|by|from|automatically)\b",
    re.IGNORECASE | re.DOTALL,
)
_INLINE_TESTS = re.compile(r"#\[(?:cfg\(test\)|(?:\w+::)*test)\]|^\s*>>> ", re.MULTILINE)
_WORD = re.compile(r"[^\W\d][\w-]{2,80}")
_COMMENT_START = re.compile(r"^\s*(?:#|//|/\*|\*|--|;|%|<!--)")
_FRAME = " \t#/*!-;%<>=~|\"'"


def analyse(path: str, name: str, *, is_test: bool) -> dict[str, Any]:
    """The facts of a file: {"lines", "markers", "functions", "words", "inline", "left_out"}.

    ``left_out`` says why there is nothing else ("generated", "minified", "binary"). Tests have ``words``, as
    they are spelled; other files have ``functions``. Raises OSError if the file cannot be read.
    """
    text = _text(path)
    if text is None:
        return {"left_out": "binary"}
    lines = text.count("\n") + (not text.endswith("\n") and bool(text))
    if _GENERATED.search(text[:2000]):
        return {"left_out": "generated"}
    if len(text) > 5000 and len(text) / max(1, lines) > 300:
        return {"left_out": "minified"}
    facts: dict[str, Any] = {
        "lines": lines,
        "markers": list(islice(_markers(text, name), MAX_MARKERS)),
        "functions": [] if is_test else _functions(text, name)[:MAX_FUNCTIONS],
        "inline": bool(_INLINE_TESTS.search(text)),
    }
    if is_test:
        facts["words"] = sorted(set(_WORD.findall(text)))[:MAX_WORDS]
    return facts


def hits(path: str, pattern: str) -> list[list[Any]]:
    """The first lines that match a pattern: [number, line]."""
    regex = re.compile(pattern)
    text = _text(path) or ""
    found: list[list[Any]] = []
    for number, line in enumerate(text.splitlines(), 1):
        if regex.search(line):
            found.append([number, line.strip()[:200]])
            if len(found) == MAX_HITS:
                break
    return found


def _text(path: str) -> str | None:
    """The file as text; None for a binary file."""
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    with os.fdopen(os.open(path, flags), "rb") as file:
        data = file.read()
    return (
        None
        if b"\0" in data[:8000]
        else data.decode("utf-8-sig", "replace").replace("\r\n", "\n").replace("\r", "\n")
    )


# -- notes in comments -----------------------------------------------------------------------------


def _markers(text: str, name: str) -> Iterator[list[Any]]:
    """Notes in comments: [line, word, text]. At the start of a comment, or as ``WORD:`` within one.

    Nearly all files have no such word and cost one search.
    """
    if not _MARKER.search(text):
        return
    first, position = 1, 0
    for at, comment in _comments(text, name):
        if at < position:  # a lexer for embedded languages may go back
            first, position = 1, 0
        first, position = first + text.count("\n", position, at), at
        for number, line in enumerate(comment.split("\n"), first):
            found = _MARKER.search(line)
            if found and (found[3] or found[2] or not line[: found.start()].strip(_FRAME)):
                text_after = re.split(r"\*/|-->", line[found.end() :])[0].strip(_FRAME + ":")
                yield [number, found[1], text_after[:200]]


def _comments(text: str, name: str) -> Iterator[tuple[int, str]]:
    """The comments of a text with their offsets, by the language's lexer."""
    found = lexers.find_lexer_class_for_filename(name)
    if found is None:
        yield from _comment_lines(text)
        return
    for at, kind, value in found(stripnl=False, ensurenl=False).get_tokens_unprocessed(text):
        if kind in String.Doc or (kind in Comment and kind not in Comment.Preproc):
            yield at, value


def _comment_lines(text: str) -> Iterator[tuple[int, str]]:
    """For a language without a lexer: the lines that look like comments."""
    at = 0
    for line in text.split("\n"):
        if _COMMENT_START.match(line):
            yield at, line
        at += len(line) + 1


# -- functions -------------------------------------------------------------------------------------


def _functions(text: str, name: str) -> list[list[Any]]:
    """[name, line, cyclomatic complexity] of each function, where the language is known."""
    if get_reader_for(name) is None:
        return []
    analysed = lizard.analyze_file.analyze_source_code(name, text)
    return [
        [each.name, each.start_line, each.cyclomatic_complexity] for each in analysed.function_list
    ]


# end of module
