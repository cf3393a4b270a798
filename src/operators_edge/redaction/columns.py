"""Secrets in tables: what stands below a heading that says secret, or in such a column of SQL.

Owns tables of lines: Markdown, what database clients print, and values with commas, tabs or semicolons;
rows that SQL inserts or copies; and lists of rows in JSON. Pure; the lines of a table are read once, from its head on.
"""

from __future__ import annotations

from operators_edge.redaction.finding import Finding
from operators_edge.redaction.randomness import (
    has_digit,
    is_place,
    is_placeholder,
    is_random,
    is_uuid,
)
from operators_edge.redaction.scanner import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_SIGNS = "|│\t,;"
_BOLD, _THIN = "┃", "│"
"""What some frame the head of a table with, and its rows."""

_HEAD = r"[\w .()/#\"'*-]{0,40}"
_TIGHT = (",", ";")
_TIGHT_HEAD = r"\"?\w[\w.()/#*-]{0,40}(?: \w{1,20}){0,3}\"?\r?"
"""Commas stand in sentences, too: there the heads of a table have no space around them."""

_RULER = r"[\s|+:=\u2500-\u257f-]+"
_LONGEST = 1024
_MAX = 4096
"""Signs of a table that are read."""


def below_heading(text: str, at: int, end: int) -> Iterator[Finding]:
    """The cells of a column that is called ``password`` or the like, up to ``end`` with a sign."""
    begin = text.rfind("\n", max(0, at - _LONGEST), at) + 1
    stop = text.find("\n", end - 1, at + _LONGEST)
    if stop < 0 or (begin == 0 and at > _LONGEST):
        return
    head = text[begin:stop].replace(_BOLD, _THIN)
    sign = next((each for each in _SIGNS if each in head), "")
    if not sign and " ".join(head.split()) == head.strip():
        return  # one cell
    cells = _cells(head, sign)
    shape = _TIGHT_HEAD if sign in _TIGHT else _HEAD
    if len(cells) < 2 or not all(pattern(shape).fullmatch(cell) for _, cell in cells):
        return
    above = text[text.rfind("\n", max(0, begin - _LONGEST), max(begin - 1, 0)) + 1 : begin]
    if len(_cells(above, sign)) == len(cells) and not pattern(_RULER).fullmatch(above):
        return  # a line of a table, not its head
    column = next(
        number for number, (offset, cell) in enumerate(cells) if begin + offset + len(cell) >= at
    )
    is_password = text[at:end].lower().startswith("pass")
    line = stop + 1
    while line < min(len(text), stop + _MAX):
        stop_of_line = text.find("\n", line, line + _LONGEST)
        stop_of_line = stop_of_line if stop_of_line >= 0 else min(len(text), line + _LONGEST)
        row = text[line:stop_of_line].replace(_BOLD, _THIN)
        if not pattern(_RULER).fullmatch(row):
            found = _cells(row, sign)
            if len(found) != len(cells):
                return
            offset, cell = found[column]
            value = cell.strip(" \r\"'`*")
            if _is_secret(value, is_password=is_password):
                first = line + offset + cell.index(value)
                yield Finding(first, first + len(value), "", "name")
        line = stop_of_line + 1


_INSERTED = (
    r"(?i)(?:insert|replace) into [\w.`\"\[\]]{1,80}\s{0,4}"
    r"\((?P<names>[^()]{1,400})\)\s{0,4}values\s{0,4}"
)
_CELL = r"""(?:'((?:[^'\n]|'')*+)'|[\w.-]{1,40}(?:\([^()\n]{0,40}\))?)"""
_ROW = rf"\((?P<cells>(?:\s{{0,4}}{_CELL}\s{{0,4}}(?:,|(?=\))))+)\)[\s,]{{0,8}}"
_TELLING = r"(?i)passw|passphrase|pwd|pass_?hash|secret|token|api_?key|private_?key|access_?key|key_?value|credential"


def inserted(text: str, at: int, _end: int) -> Iterator[Finding]:
    """``INSERT INTO users (name, password) VALUES ('ada', ...)``: rows within reach of one statement."""
    head = pattern(_INSERTED).match(text, at)
    if head is None:
        return
    names = head["names"].split(",")
    secret = [n for n, name in enumerate(names) if pattern(_TELLING).search(name)]
    row = pattern(_ROW).match(text, head.end(), at + _MAX) if secret else None
    while row is not None:
        cells = list(pattern(_CELL).finditer(text, row.start("cells"), row.end("cells")))
        for column in secret if len(cells) == len(names) else ():
            value, is_password = cells[column][1] or "", "pass" in names[column].lower()
            if _is_secret(value, is_password=is_password):
                yield Finding(*cells[column].span(1), "", "name")
        row = pattern(_ROW).match(text, row.end(), at + _MAX)


_COPIED = r"(?i)copy [\w.\"]{1,128} \((?P<names>[^()]{1,400})\) from stdin[^\n]{0,80};[ \t]*\r?\n"


def copied(text: str, at: int, _end: int) -> Iterator[Finding]:
    """``COPY users (name, password) FROM stdin;``: rows of a dump of PostgreSQL."""
    head = pattern(_COPIED).match(text, at)
    if head is None or not pattern(_TELLING).search(head["names"]):
        return
    names = head["names"].split(",")
    line = head.end()
    while line < min(len(text), head.end() + _MAX):
        stop = text.find("\n", line, line + _LONGEST)
        stop = stop if stop >= 0 else min(len(text), line + _LONGEST)
        cells = _cells(text[line:stop], "\t")
        if len(cells) != len(names):
            return
        for name, (offset, cell) in zip(names, cells, strict=True):
            if pattern(_TELLING).search(name) and _is_secret(
                cell, is_password="pass" in name.lower()
            ):
                yield Finding(line + offset, line + offset + len(cell), "", "name")
        line = stop + 1


_IN_JSON = r"""\\{0,4}["'](?P<text>(?:[^"'\\\n]|\\{1,4}[^"'\n]){0,512}+)\\{0,4}["']"""
_LISTED = rf"""[\w]{{5,12}}\\{{0,4}}["']\s{{0,4}}:\s{{0,4}}\[(?P<names>(?:\s{{0,16}}{_IN_JSON.replace("?P<text>", "?:")},?){{2,64}})\s{{0,16}}\]"""
_ROWS = r"""[\s,]{0,16}\\{0,4}["']\w{3,12}\\{0,4}["']\s{0,4}:\s{0,4}\[\s{0,16}"""
_LIST = rf"""\s{{0,16}}\[(?P<cells>(?:\s{{0,16}}(?:{_IN_JSON.replace("?P<text>", "?:")}|[\w.+-]{{1,40}}),?){{2,64}})\s{{0,16}}\],?"""
_ITEM = rf"""{_IN_JSON}|[\w.+-]{{1,40}}"""


def listed(text: str, at: int, _end: int) -> Iterator[Finding]:
    """``"columns": ["name", "token"], "rows": [["ada", ...]]``: how tools answer a query."""
    head = pattern(_LISTED).match(text, at)
    if head is None or not pattern(_TELLING).search(head["names"]):
        return
    names = [each["text"] for each in pattern(_IN_JSON).finditer(head["names"])]
    rows = pattern(_ROWS).match(text, head.end())
    row = pattern(_LIST).match(text, rows.end()) if rows else None
    while row is not None and row.end() < at + _MAX:
        cells = list(pattern(_ITEM).finditer(text, row.start("cells"), row.end("cells")))
        for name, cell in zip(names, cells, strict=False):
            if (
                cell["text"]
                and pattern(_TELLING).search(name)
                and _is_secret(cell["text"], is_password="pass" in name.lower())
            ):
                yield Finding(*cell.span("text"), "", "name")
        row = pattern(_LIST).match(text, row.end())


def _cells(line: str, sign: str) -> list[tuple[int, str]]:
    """Where the cells of a line begin, and their texts."""
    if sign:
        found: list[tuple[int, str]] = []
        at = 0
        for cell in line.split(sign):
            found.append((at, cell))
            at += len(cell) + 1
        return found
    return [(each.start(), each.group()) for each in pattern(r"\S+(?: \S+)*").finditer(line)]


def _is_secret(value: str, *, is_password: bool) -> bool:
    if len(value) < 4 or is_placeholder(value) or is_place(value) or " " in value:
        return False
    return is_random(value) or is_uuid(value) or (is_password and has_digit(value))


# end of module
