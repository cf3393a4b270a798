"""A text as it reads when what it is wrapped in is taken off, and where each of its signs stood.

Owns the decoding: escapes of JSON and of terminals, URL encoding, HTML entities, continued lines, base64.
Does not own what is secret in it, and what was wrapped (``redaction.wrapped``). Pure, and linear: a line
without a trigger is not decoded.
"""

from __future__ import annotations

from functools import cache

from operators_edge.redaction.scanner import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Callable, Iterator

    from operators_edge.redaction.scanner import Search


class View:
    """A text made of pieces of another one."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._at: list[int] = []
        self._begins: list[int] = []
        self._ends: list[int] = []
        self._size = 0

    def add(self, text: str, begin: int, end: int) -> None:
        """``text`` stands for that much of the original; for the same signs when it is as long."""
        if text:
            self._parts.append(text)
            self._at.append(self._size)
            self._begins.append(begin)
            self._ends.append(end)
            self._size += len(text)

    @property
    def text(self) -> str:
        return "".join(self._parts)

    @property
    def size(self) -> int:
        return self._size

    def lines(self, begin: int, end: int) -> Iterator[tuple[int, int]]:
        """The same, apart for each piece of the original: where lines were joined, their ends stay."""
        while begin < end:
            piece = self._piece(begin)
            stop = min(end, self._at[piece] + len(self._parts[piece]))
            yield self._exact(piece, begin, self._begins), self._exact(piece, stop, self._ends)
            begin = stop

    def origin(self, begin: int, end: int) -> tuple[int, int]:
        """Where in the original the signs from ``begin`` up to ``end`` stand."""
        first, last = self._piece(begin), self._piece(end - 1)
        return self._exact(first, begin, self._begins), self._exact(last, end, self._ends)

    def _piece(self, at: int) -> int:
        from bisect import bisect_right  # noqa: PLC0415 - for few texts

        return bisect_right(self._at, at) - 1

    def _exact(self, piece: int, at: int, edge: list[int]) -> int:
        size = self._ends[piece] - self._begins[piece]
        if size == len(self._parts[piece]):
            return self._begins[piece] + at - self._at[piece]
        return edge[piece]


_FORM = r"=[A-Za-z][a-z-]{1,15}(?:\+[^\s&+\"'%\\]{1,80}){2,}"
"""Words of a form that is sent: those of base64 would hardly begin so."""

_ESCAPED = (
    r"(?=[\x1b\x9b\\%+&=\"'])(?:"
    r"(?P<opened>(?<=[:,({=\[ ])(?:\"(?=(?:[^\"\\\n]|\\{1,8}[^n\n\\]){0,512}?\\{1,8}n)|'(?=(?:[^'\\\n]|\\{1,8}[^n\n\\]){0,512}?\\{1,8}n)"
    r"|(?P<slashes>\\{1,8})\"(?=(?:[^\"\\\n]|(?!(?P=slashes)\")\\{1,16}[^n\n\\]){0,512}?\\{1,16}n)))"
    r"|(?P<closed>\\{0,8}[\"'](?= ?[,}\])]|\Z))|"
    r"\x1b\[[0-9;:?]*[ -/]*[@-~]|\x1b\][^\x07\x1b\n]{0,256}(?:\x07|\x1b\\)|\x1b[@-Z\\-_]|\x9b[0-9;:?]*[@-~]"
    r"|\\{1,8}(?:x1b|u001[bB]|033|e)\[[0-9;]*[A-Za-z]"
    r"|\\{1,8}(?P<unicode>u[0-9A-Fa-f]{4})|\\{1,8}(?P<escape>[\"'nrt/&])|\\[ \t]*\r?\n[ \t]*"
    r"|(?P<percent>(?:%(?:25)*[0-9A-Fa-f]{2})+)|\+(?=[^\s+%]{0,40}(?:\+[^\s+%]{0,40}){0,4}%[0-9A-Fa-f]{2})|(?<=%[0-9A-Fa-f][0-9A-Fa-f])\+|&(?P<entity>quot|amp|lt|gt|apos|\#39|\#34|\#x27|\#x22);"
    r"|=\r?\n|=3D(?==|\S)"
    rf"|(?P<form>{_FORM}))"
)
_TRIGGERS = (
    ("\x1b", "\x1b"),
    ("\x9b", "\x9b"),
    ("\\", r"\\(?=[\"'nrtu/&ex0\n\\ ])"),
    ("%", r"%[0-9A-Fa-f]{2}"),
    ("&", r"&(?:quot|amp|lt|gt|apos|\#)"),
    ("=", r"=\r?\n(?=\S)"),
    ("+", _FORM),
)
"""What a line with an escape holds: signs that are looked for first, and the pattern."""

_ENTITIES = {
    "quot": '"',
    "amp": "&",
    "lt": "<",
    "gt": ">",
    "apos": "'",
    "#39": "'",
    "#34": '"',
    "#x27": "'",
    "#x22": '"',
}
_ESCAPES = {"n": "\n", "r": "\r", "t": "\t"}


def decoded(text: str) -> View | None:
    """The lines that hold an escape of any kind, one layer taken off; None where there is none."""
    places = [
        found.start()
        for sign, source in _TRIGGERS
        if sign in text
        for found in pattern(source).finditer(text)
    ]
    if not places:
        return None
    view = View()
    end = -1
    for at in sorted(places):
        if at > end:
            begin = text.rfind("\n", 0, at) + 1
            begin = max(text.rfind("\n", 0, max(begin - 1, 0)) + 1, end + 1)  # the line above, too
            end = _end_of_lines(text, at)
            _unescape(view, text, begin, end)
            view.add("\n", end, end)
    return view


def _end_of_lines(text: str, at: int) -> int:
    """The end of a line, with those that continue it."""
    while True:
        end = text.find("\n", at)
        if end < 0:
            return len(text)
        before = text[max(end - 2, 0) : end].rstrip("\r \t")
        if not before.endswith(("\\", "=")):
            return end
        at = end + 1


def _unescape(view: View, text: str, begin: int, end: int) -> None:
    at = begin
    quote = ""
    is_of_lines = text.find("\\n", begin, end) >= 0
    for found in pattern(_ESCAPED).finditer(text, begin, end):
        start, stop = found.span()
        view.add(text[at:start], at, start)
        if found["opened"]:
            quote = found["opened"]
            view.add(f"{quote[-1]}\n", start, stop)
        elif found["closed"]:
            is_end = found["closed"] == quote
            view.add("\n" * is_end + found["closed"][-1], start, stop)
            quote = "" if is_end else quote
        elif is_of_lines and found.group()[0] in "%+":
            view.add(
                found.group(), start, stop
            )  # decoded later: these lines may be cut at a column
        else:
            view.add(_plain(found), start, stop)
        at = stop
    view.add(text[at:end], at, end)


def _plain(found: re.Match[str]) -> str:
    kind = found.lastgroup
    if kind == "escape":
        return _ESCAPES.get(found[kind], found[kind])
    whole = found.group()
    if kind == "unicode":
        sign = chr(int(found["unicode"][1:], 16))
        return sign if sign.isprintable() or sign in "\n\t" else ""
    if kind == "form":
        return whole.replace("+", " ")
    if kind == "entity":
        return _ENTITIES[found["entity"]]
    if kind == "percent":
        codes = pattern(r"%(?:25)*([0-9A-Fa-f]{2})").findall(whole)
        return bytes(int(code, 16) for code in codes).decode("utf-8", "replace")
    return {"=3D": "=", "+": " "}.get(whole, "")


_QUOTED_OPTION = r"""["'],\s{0,24}["']-"""
_LISTED_OPTION = r"""- --?[A-Za-z][\w-]*[ \t]*\r?\n[ \t]*- (?!-)"""
"""An option in a list of arguments, as code, JSON and YAML write one."""
_QUOTED = r"""(?:["'][^"'\n]{1,512}["'],\s{0,24}){1,40}["'][^"'\n]{1,512}["']"""
_ITEMS = r"(?:[ \t]*- [^\n]{1,512}(?:\n|\Z)){2,40}"
_ARGUMENT = r"""["']([^"'\n]{1,512})["'](?:,\s{0,24})?|[ \t]*- (?:"([^"\n]*)"|'([^'\n]*)'|([^\n]*?))[ \t\r]*(?:\n|\Z)"""
_REACH, _LONGEST = 400, 2048


def arguments(text: str) -> View | None:
    """Each list of a program's arguments as the line of a shell; None where there is none."""
    options = [
        found.start()
        for source in (_QUOTED_OPTION, _LISTED_OPTION)
        for found in pattern(source).finditer(text)
    ]
    view = View()
    end = 0
    for at in sorted(options):
        whole = _list_around(text, at, end) if at >= end else None
        if whole is None:
            continue
        for each in pattern(_ARGUMENT).finditer(text, *whole):
            begin, stop = each.span(each.lastindex or 0)
            view.add(text[begin:stop], begin, stop)
            view.add(" ", stop, stop)
        end = whole[1]
        view.add("\n", end, end)
    return view if view.size else None


def _list_around(text: str, at: int, first: int) -> tuple[int, int] | None:
    """Where the list begins and ends that an option stands in."""
    first = max(first, at - _REACH)
    if text[at] in "\"'":
        begin = max(text.rfind(sign, first, at) for sign in "[({")
        found = pattern(_QUOTED).search(text, max(begin, first), at + _LONGEST)
    else:
        begin = text.rfind("\n", first, at) + 1
        while begin > first:
            line = text.rfind("\n", first, begin - 1) + 1
            if not text[line:begin].lstrip(" \t").startswith("- "):
                break
            begin = line
        found = pattern(_ITEMS).match(text, begin)
    return found.span() if found is not None and found.end() > at else None


_SHORTEST_RUN, _FIRST = 16, 259
"""Signs of base64 that are worth a look, and those at the beginning in which it has to show."""

# Of each code: `0` for digits, `A` for great and `a` for small letters, `x` for the other signs of base64.
_CLASSES = b"%43sx x x%b%7s%b%4sx %b%133s" % (b"", b"0" * 10, b"", b"A" * 26, b"", b"a" * 26, b"")
_IN_BASE64 = _CLASSES.translate(bytes.maketrans(b"0Aa", b"xxx"))

MIXED = (b"AaA", b"0aA", b"A0a", b"a0A", b"aA0")
"""Changes of class of which base64 of a text has one, and an ordinary line seldom."""

_BASE64 = r"(?<![\w+/-])(?:[A-Za-z0-9+/]{16,65536}+={0,2}|[\w-]{16,65536}+={0,2})(?![\w+/-])"


def encoded(text: str, mixed: Search | None = None) -> Iterator[tuple[int, int, str]]:
    """Runs of base64 in order, with the text of which they are, "" for none.

    ``mixed`` finds ``MIXED`` at once.
    """
    data = text.encode("ascii", "replace") + b" "
    for begin in _mixed_runs(data) if mixed is None else _runs_at(data.translate(_CLASSES), mixed):
        found = pattern(_BASE64).match(text, begin)
        if found is not None:
            yield begin, found.end(), _text_of(found.group())


def _mixed_runs(data: bytes) -> Iterator[int]:
    """Where long runs of base64 begin that have a change of class."""
    signs = data.translate(_IN_BASE64)
    run = b"x" * _SHORTEST_RUN
    at = signs.find(run)
    while at >= 0:
        end = signs.find(b" ", at)
        first = data[at : min(end, at + _FIRST)]
        if not first.islower():
            classes = first.translate(_CLASSES)
            if any(each in classes for each in MIXED):
                yield at
        at = signs.find(run, end)


def _runs_at(classes: bytes, mixed: Search) -> Iterator[int]:
    """The same, the changes of class being looked for."""
    last = 0
    for _, at, _ in mixed(classes):
        if at >= last:
            begin, last = classes.rfind(b" ", last, at) + 1 or last, classes.find(b" ", at)
            if last - begin >= _SHORTEST_RUN and at - begin <= _FIRST - 3:
                yield begin


_NO_LINES = dict.fromkeys(b"\r\n\t")
_CONTROLS = bytes({*range(32), 127} - _NO_LINES.keys())


@cache
def _decoder() -> Callable[[str], bytes]:
    from binascii import a2b_base64  # noqa: PLC0415 - for few texts

    return a2b_base64


def _text_of(run: str) -> str:
    run = run.rstrip("=")
    if len(run) % 4 == 1:
        return ""
    try:
        data = _decoder()(run.replace("-", "+").replace("_", "/") + "=" * (-len(run) % 4))
        if len(data.translate(None, _CONTROLS)) < len(data):
            return ""
        text = data.decode("utf-8")
    except ValueError:
        return ""
    return text if text.translate(_NO_LINES).isprintable() else ""


# end of module
