"""``edge redact``: take the secrets out of files or of what is piped through, or say where there are any.

Works without a project and without a home folder. Never prints what it found. Does not own what a secret is
(``redaction``).
"""

from __future__ import annotations

import codecs
import sys
from itertools import chain

from operators_edge.cli.command import Answer, Args, arg, command
from operators_edge.errors import StateError, UsageError
from operators_edge.redaction import redact
from operators_edge.redaction.stream import Stream
from operators_edge.text.wording import many, one_line
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import BinaryIO

STDIN = "-"
MAX_LISTED = 1000
"""Findings that are listed; the others are counted."""

_BLOCK = 256 * 1024
_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # before UTF-16: it begins with the same bytes
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_WHY = {
    "value": "a value that is secret on this machine",
    "format": "it has the form of one",
    "name": "the name before it says so",
    "header": "a header that carries one",
    "url": "a password in an address",
    "command": "an argument that carries one",
    "vendor": "the service is named before it",
    "encoded": "it is one when it is decoded",
    "pattern": "a pattern of your configuration",
}


class Place(NamedTuple):
    """Where a secret is, counted from 1; ``kind`` is "" where only its surroundings tell."""

    file: str
    line: int
    column: int
    kind: str
    why: str


@command(
    "redact",
    arg("[FILE...]", "files; - or none reads stdin"),
    [
        arg("--explain", "list where secrets are, what kind and why, instead of the text"),
        arg("--check", "the same, and exit code 1 if there is any"),
    ],
    description="Print the text with a mark in the place of each secret. The secrets are never printed: "
    "--explain and --check say line, column, kind and reason. Exit codes: 0; 1 with --check if something was "
    "found; 5 if reading failed half way; 64 if a file cannot be opened.",
    example="build.log > shareable.log   (or: git diff | %(prog)s --check)",
)
def _redact(args: Args) -> Answer | int:
    names = args.file or [STDIN]
    if names == [STDIN] and sys.stdin.isatty() and not args.file:
        raise UsageError("there is nothing to read", hint="edge redact FILE, or: … | edge redact")
    for name in names:
        _require_readable(name)
    if not (args.explain or args.check or args.json):
        for name in names:
            _copy(name, args.secrets)
        return 0
    return _listing(args, names)


def _listing(args: Args, names: list[str]) -> Answer:
    """The places of secrets; with --json alone the text, too."""
    with_text = not (args.explain or args.check)
    count, found, texts = 0, list[Place](), list[str]()
    for name in names:
        for text, places in _pieces(name, args.secrets):
            count += len(places)
            found += places[: max(0, MAX_LISTED - len(found))]
            texts += [text] if with_text else []
    data = {"count": count, "found": [each._asdict() for each in found]}
    if with_text:
        data["text"] = "".join(texts)
    lines = [_line(each, is_alone=len(names) == 1) for each in found]
    if count > len(found):
        lines.append(f"and {count - len(found):,} more")
    lines.append(many(count, "secret") if count else "No secret was found.")
    return Answer(data, lines, ok=not (args.check and count))


def _line(place: Place, *, is_alone: bool) -> str:
    file = "" if is_alone else f"{one_line(place.file, 200)}:"
    what = place.kind or "secret"
    return f"{file}{place.line}:{place.column}: {what}: {_WHY.get(place.why, place.why)}"


# -- reading ---------------------------------------------------------------------------------------


def _require_readable(name: str) -> None:
    """Before anything is printed."""
    if name == STDIN:
        return
    try:
        with open(name, "rb"):
            pass
    except OSError as error:
        raise UsageError(f"{name} cannot be read: {error.strerror or error}") from error


def _copy(name: str, secrets: tuple[str, ...]) -> None:
    """The same bytes but for the secrets, in the encoding in which they came."""
    out = sys.stdout.buffer
    read = _Reading(name)
    stream = Stream(values=secrets)
    for text in read.texts():
        out.write(read.encoded(stream.feed_text(text)))
    out.write(read.encoded(stream.end()) + read.rest)
    out.flush()


def _pieces(name: str, secrets: tuple[str, ...]) -> Iterator[tuple[str, list[Place]]]:
    """The redacted text piece by piece, each with the places of what was hidden in it."""
    stream, read = Stream(values=secrets), _Reading(name)
    line, column = 1, 1
    for text in chain(read.texts(), [None]):
        shown = stream.end() if text is None else stream.feed_text(text)
        given = stream.given
        places, at = [], 0
        for each in redact.findings(given, values=secrets):
            line, column = _moved(given[at : each.begin], line, column)
            at = each.begin
            places.append(Place(name, line, column, each.kind, each.why))
        line, column = _moved(given[at:], line, column)
        yield shown, places


def _moved(text: str, line: int, column: int) -> tuple[int, int]:
    """The place behind a text that begins at a place."""
    breaks = text.count("\n")
    return line + breaks, len(text) - text.rfind("\n") if breaks else column + len(text)


class _Reading:
    """One file or stdin as text, whatever its encoding: bytes that are not text survive."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._encoding = "utf-8"
        self.rest = b""
        """Bytes at the end that are no character."""

    def texts(self) -> Iterator[str]:
        """The text, in blocks. StateError if reading fails half way."""
        try:
            if self._name == STDIN:
                yield from self._decoded(sys.stdin.buffer)
            else:
                with open(self._name, "rb") as file:
                    yield from self._decoded(file)
        except OSError as error:
            why = error.strerror or str(error)
            raise StateError(f"{self._name} could not be read to its end: {why}") from error

    def _decoded(self, file: BinaryIO) -> Iterator[str]:
        block = file.read(_BLOCK)
        self._encoding = _encoding_of(block)
        decoder = codecs.getincrementaldecoder(self._encoding)(self._errors)
        while block:
            yield decoder.decode(block)
            block = file.read1(_BLOCK) if hasattr(file, "read1") else file.read(_BLOCK)
        self.rest = decoder.getstate()[0]

    @property
    def _errors(self) -> str:
        return "surrogateescape" if self._encoding == "utf-8" else "surrogatepass"

    def encoded(self, text: str) -> bytes:
        return text.encode(self._encoding, self._errors)


def _encoding_of(start: bytes) -> str:
    for mark, name in _MARKS:
        if start.startswith(mark):
            return name
    sample = start[:1024]
    for name, at in (("utf-16-le", 1), ("utf-16-be", 0)):  # without a mark: every other byte is 0
        if sample[at::2].count(0) > len(sample) // 3 and not sample[1 - at :: 2].count(0):
            return name
    return "utf-8"


# end of module
