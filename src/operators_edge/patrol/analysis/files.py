"""The analysis of one file: its length, the notes in comments, its functions, its words.

Only the worker that ``workers`` starts imports it, as the analysers take time to load. Does not own the
findings (``patrol.code_findings``).
"""

from __future__ import annotations

import os
import re
from itertools import groupby, islice

import lizard
from lizard_languages import get_reader_for
from pygments import lexers
from pygments.token import Comment, String

from operators_edge.patrol.analysis import line_patterns
from operators_edge.text.lines import line_at

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

MAX_MARKERS = 50
MAX_FUNCTIONS = 3000
MAX_WORDS = 20_000
MAX_HITS = 3

_MARKER = re.compile(
    r"(?<![\w-])(TODO|FIXME|XXX|HACK|BUG|OPTIMIZE)(?![\w-])\s*(\([^)\n]{0,60}\))?(\s*:)?"
)
_FAULT = re.compile(
    r"(?i)\b(?:(?:sometimes|occasionally|randomly|intermittently) (?:\w+ )?"
    r"(?:fails?|breaks?|hangs?|crash\w*)|(?:no idea|not sure|don'?t know|figure out|find out) (?:\w+ )?why"
    r"|(?:is|are|seems?) (?:broken|buggy|flaky)|known bug|not thread[- ]?safe)\b"
)
"""Comments that name a fault without a marker, of lines that are a comment."""

_SKIP = re.compile(
    r"@(?:pytest\.mark\.)?(?P<mark>skip|xfail|flaky)\b(?!\w)|@unittest\.(?P<unit>skip|expectedFailure)\b(?!\w)"
    r"|^[ \t]*(?:it|test|describe)\.(?P<js>skip|failing|fixme)\(|^[ \t]*x(?P<x>it|describe|test)\("
    r"|^[ \t]*#\[(?P<rust>ignore)\b|^[ \t]*@(?P<java>Ignore|Disabled)\b"
    r"|^func Test\w*\([^)]*\) \{\n[ \t]*t\.(?P<go>Skip)(?:f|Now)?\("
    r"|\{\s*(?P<option>skip|todo):\s*(?:true|['\"])",
    re.MULTILINE,
)
"""A test that is always left out, expected to fail or run again; conditional skips are none."""

_REASON = re.compile(r"([\"'`])((?:(?!\1)[^\n]){3,160})\1")
_TEST_NAME = re.compile(r"(?:def|fn|void|class|fun)\s+(\w+)")
_COMPAT = re.compile(r"\bsys\.version_info(?:\[:2\])?\s*(?:>=|<)\s*\((\d),\s*(\d+)")
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
    """The facts of a file: {"lines", "markers", "functions", "words", "skips", "compat", "inline"}.

    {"left_out": why} if there is nothing else ("generated", "minified", "binary"). Tests have ``words``, as
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
    if line_patterns.matches(
        text, name, is_test=is_test
    ):  # only then it is worth the time to know what is code
        facts["matches"] = line_patterns.matches(_code(text, name), name, is_test=is_test)
    if not is_test:
        facts["exports"] = line_patterns.exports(text, name)
    if is_test:
        facts["words"] = sorted(set(_WORD.findall(text)))[:MAX_WORDS]
        about_skips = "skip" in os.path.basename(name).lower()  # tests of a test runner
        facts["skips"] = [] if about_skips else list(islice(_skips(text), MAX_MARKERS))
    elif name.endswith(".py") and "version_info" in text:
        facts["compat"] = list(islice(_compat(text), MAX_MARKERS))
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
    yield from _named_faults(text)
    if not _MARKER.search(text):
        return
    lines = text.split("\n")
    first, position = 1, 0
    for at, comment in _comments(text, name):
        if at < position:  # a lexer for embedded languages may go back
            first, position = 1, 0
        first, position = first + text.count("\n", position, at), at
        for number, line in enumerate(comment.split("\n"), first):
            found = _MARKER.search(line)
            if found and (found[3] or found[2] or not line[: found.start()].strip(_FRAME)):
                text_after = re.split(r"\*/|-->", line[found.end() :])[0].strip(_FRAME + ":")
                yield [number, found[1], _continued(text_after, lines[number : number + 3])[:200]]


def _continued(note: str, following: list[str]) -> str:
    """A note with the comment lines that continue its sentence."""
    for line in following:
        is_comment = _COMMENT_START.match(line) is not None and _MARKER.search(line) is None
        plain = line.strip(_FRAME)
        if not note or note.endswith((".", "?", "!", ":")) or not is_comment or not plain:
            break
        note = f"{note} {plain}"
    return note


def _named_faults(text: str) -> Iterator[list[Any]]:
    is_noted = False  # it goes on with a note that has a marker
    for number, line in enumerate(text.split("\n"), 1):
        is_comment = _COMMENT_START.match(line) is not None
        is_noted = is_comment and (is_noted or _MARKER.search(line) is not None)
        if is_comment and not is_noted and _FAULT.search(line):
            yield [number, "", line.strip(_FRAME)[:200]]


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


def _code(text: str, name: str) -> str:
    """The text with each comment as "#", and without longer strings; its lines keep their numbers."""
    found = lexers.find_lexer_class_for_filename(name)
    if found is None or get_reader_for(name) is None:
        return text
    parts: list[str] = []
    tokens = found(stripnl=False, ensurenl=False).get_tokens_unprocessed(text)
    for what, group in groupby(((kind, value) for _, kind, value in tokens), key=_sort_of):
        whole = "".join(value for _, value in group)
        is_gone = what == "comment" or (what == "text" and _is_long(whole))
        parts.append("#" * (what == "comment") + "\n" * whole.count("\n") if is_gone else whole)
    return "".join(parts)


def _sort_of(token: tuple[Any, str]) -> str:
    kind = token[0]
    if kind in String:
        return "text"
    return "comment" if kind in Comment and kind not in Comment.Preproc else "code"


def _is_long(text: str) -> bool:
    return len(text) > _SHORT_STRING or "\n" in text


_SHORT_STRING = 40

# -- tests that are left out, and branches for old versions ---------------------------------------


def _skips(text: str) -> Iterator[list[Any]]:
    """[line, how, name of the test, reason] of each test that is left out."""
    for found in _SKIP.finditer(text):
        how = next(each for each in found.groups() if each)
        line = line_at(text, found.start())
        rest = text[found.end() : found.end() + 600]
        texts = [each[1] for each in _REASON.findall(rest[:300].split("\ndef ")[0])]
        named = _TEST_NAME.search(rest)
        is_script = bool(found["js"] or found["x"])
        name = (texts[0] if texts else "") if is_script else (named[1] if named else "")
        reason = "" if is_script or not texts else texts[0]
        if named and reason and rest.find(reason) > named.start():
            reason = ""  # of the test itself
        yield [line, how, name[:100], reason[:160]]


def _compat(text: str) -> Iterator[list[int]]:
    """[line, major, minor] of each comparison with a version of Python."""
    for found in _COMPAT.finditer(text):
        yield [line_at(text, found.start()), int(found[1]), int(found[2])]


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
