"""What is in one file: its length, the notes left in comments, its functions, its words.

Owns the reading of a file, inside the worker that ``workers`` starts. Does not own what follows from it
(``patrol.code_findings``).
"""

from __future__ import annotations

import os
import re
from itertools import islice
from typing import TYPE_CHECKING, Any

from operators_edge.system.digest import sha256_hex

if TYPE_CHECKING:
    from collections.abc import Iterator

MOST_MARKERS = 50
MOST_FUNCTIONS = 3000
MOST_WORDS = 20_000
MOST_HITS = 3

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


def look(path: str, name: str, *, is_test: bool) -> dict[str, Any]:
    """What a file holds: {"lines", "markers", "functions", "words", "inline", "left_out"}.

    ``left_out`` says why there is nothing more to tell ("generated", "minified", "binary"). Of a test the
    words are told, as they are spelled, of anything else the functions. Raises OSError where the file
    cannot be read.
    """
    text = _text(path)
    if text is None:
        return {"left_out": "binary"}
    lines = text.count("\n") + (not text.endswith("\n") and bool(text))
    if _GENERATED.search(text[:2000]):
        return {"left_out": "generated"}
    if len(text) > 5000 and len(text) / max(1, lines) > 300:
        return {"left_out": "minified"}
    told: dict[str, Any] = {
        "lines": lines,
        "markers": list(islice(_markers(text, name), MOST_MARKERS)),
        "functions": [] if is_test else _functions(text, name)[:MOST_FUNCTIONS],
        "inline": bool(_INLINE_TESTS.search(text)),
    }
    if is_test:
        told["words"] = sorted(set(_WORD.findall(text)))[:MOST_WORDS]
    return told


def version() -> str:
    """What an answer depends on besides the file: this source, and the analysers."""
    from importlib.metadata import version as installed  # noqa: PLC0415 - once a scan

    with open(__file__, "rb") as source:
        own = sha256_hex(source.read())
    return " ".join([own, *(f"{each} {installed(each)}" for each in ("lizard", "pygments"))])


def hits(path: str, pattern: str) -> list[list[Any]]:
    """The first lines in which a pattern is found: [number, line]."""
    asked = re.compile(pattern)
    text = _text(path) or ""
    found: list[list[Any]] = []
    for number, line in enumerate(text.splitlines(), 1):
        if asked.search(line):
            found.append([number, line.strip()[:200]])
            if len(found) == MOST_HITS:
                break
    return found


def _text(path: str) -> str | None:
    """The file as text; None for one that holds none."""
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
    """Notes that somebody left: [line, word, text]. In a comment, at its begin or as ``WORD:``.

    Files without any such word, nearly all of them, cost one search.
    """
    if not _MARKER.search(text):
        return
    first, seen = 1, 0
    for at, comment in _comments(text, name):
        if at < seen:  # a lexer of a language in a language may go back
            first, seen = 1, 0
        first, seen = first + text.count("\n", seen, at), at
        for number, line in enumerate(comment.split("\n"), first):
            found = _MARKER.search(line)
            if found and (found[3] or found[2] or not line[: found.start()].strip(_FRAME)):
                said = re.split(r"\*/|-->", line[found.end() :])[0].strip(_FRAME + ":")
                yield [number, found[1], said[:200]]


def _comments(text: str, name: str) -> Iterator[tuple[int, str]]:
    """Where the comments of a text are, by the language's own grammar."""
    from pygments import lexers  # noqa: PLC0415 - only files that may hold a note need it
    from pygments.token import Comment, String  # noqa: PLC0415 - see above

    found = lexers.find_lexer_class_for_filename(name)
    if found is None:
        yield from _comment_lines(text)
        return
    for at, kind, value in found(stripnl=False, ensurenl=False).get_tokens_unprocessed(text):
        if kind in String.Doc or (kind in Comment and kind not in Comment.Preproc):
            yield at, value


def _comment_lines(text: str) -> Iterator[tuple[int, str]]:
    """For a language whose grammar nobody knows: the lines that begin as comments do."""
    at = 0
    for line in text.split("\n"):
        if _COMMENT_START.match(line):
            yield at, line
        at += len(line) + 1


# -- functions -------------------------------------------------------------------------------------


def _functions(text: str, name: str) -> list[list[Any]]:
    """[name, line, cyclomatic complexity] of each function, where the language is known."""
    import lizard  # noqa: PLC0415 - costs 40 ms
    from lizard_languages import get_reader_for  # noqa: PLC0415 - see above

    if get_reader_for(name) is None:
        return []
    told = lizard.analyze_file.analyze_source_code(name, text)
    return [[each.name, each.start_line, each.cyclomatic_complexity] for each in told.function_list]
