"""What a filter such as ``sed``, ``grep`` or ``jq`` prints of a known text.

Owns the small part of each that people use to take commands out of a file. Anything else of them gives None:
the output is then unknown. Does not own where the text comes from (``shell.evaluate``).
"""

from __future__ import annotations

import json
import re

from operators_edge.shell.commands import HOLE
from operators_edge.text.patterns import pattern
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any

FILTERS = frozenset("sed gsed grep egrep fgrep head tail cut uniq tac jq".split())  # noqa: SIM905 - names


class Filter(NamedTuple):
    """What a filter does, and the files that it reads; without any it reads its input."""

    apply: Callable[[str], str | None]
    files: tuple[str, ...]


def filter_of(name: str, arguments: Sequence[str]) -> Filter | None:
    """Return the filter; None for one whose output is not certain."""
    if name not in FILTERS or any(HOLE in one for one in arguments):
        return None
    try:
        return _READERS[name.removeprefix("g") if name == "gsed" else name](list(arguments))
    except (ValueError, IndexError, re.error):
        return None


def substituted(text: str, value_of: Callable[[str], str]) -> str:
    """Return the text as ``envsubst`` prints it."""
    return re.sub(
        r"\$(?:([A-Za-z_]\w*)|\{([A-Za-z_]\w*)\})",
        lambda found: value_of(found[1] or found[2]),
        text,
    )


def _lines(text: str) -> list[str]:
    return text.removesuffix("\n").split("\n") if text else []


def _joined(lines: Sequence[str]) -> str:
    return "".join(f"{line}\n" for line in lines)


def _options(
    arguments: list[str], plain: str, valued: str = ""
) -> tuple[dict[str, str], list[str]]:
    """Return the options of one letter with their values, and the operands; other options raise."""
    found: dict[str, str] = {}
    operands: list[str] = []
    rest = list(arguments)
    while rest:
        text = rest.pop(0)
        if text == "--":
            return found, operands + rest
        if text[:1] != "-" or text == "-":
            operands.append(text)
            continue
        letters = text[1:]
        while letters:
            letter, letters = letters[0], letters[1:]
            if letter in valued:
                found[letter], letters = letters or rest.pop(0), ""
            elif letter in plain:
                found[letter] = ""
            else:
                raise ValueError(text)
    return found, operands


# -- patterns --------------------------------------------------------------------------------------

_SAME = pattern(r"[\w @%/:,=#\"'!&~<>;-]|\\[./*\[\]$^\\]|\[\^?\]?[\w @%/:,=#.-]*\]|\.|\*")
"""What means the same in a basic, an extended and Python's regular expressions."""


def _pattern(source: str, *, ignores_case: bool = False) -> re.Pattern[str]:
    """Compile a pattern, if each sign of it means the same to all."""
    body = source.removeprefix("^")
    is_ended = body.endswith("$") and not body.endswith("\\$")
    body = body[:-1] if is_ended else body
    at = 0
    while at < len(body):
        found = _SAME.match(body, at)
        if found is None or (found[0] == "*" and at == 0):
            raise ValueError(source)
        at = found.end()
    if not source:
        raise ValueError(source)
    begin, end = "^" * source.startswith("^"), "$" * is_ended
    return re.compile(begin + body + end, re.IGNORECASE if ignores_case else 0)


# -- the filters -----------------------------------------------------------------------------------


def _grep(arguments: list[str], *, is_fixed: bool = False) -> Filter | None:
    options, operands = _options(arguments, "hviFEGxw", "e")
    source = options["e"] if "e" in options else operands.pop(0)
    is_inverted, ignores_case = "v" in options, "i" in options
    if "w" in options or (len(operands) > 1 and "h" not in options):
        return None
    if is_fixed or "F" in options:
        source = re.sub(r"([.*\[\]$^\\])", r"\\\1", source)
    pattern = _pattern(source, ignores_case=ignores_case)
    finds = pattern.fullmatch if "x" in options else pattern.search

    def apply(text: str) -> str:
        return _joined([one for one in _lines(text) if (finds(one) is None) == is_inverted])

    return Filter(apply, tuple(operands))


def _fgrep(arguments: list[str]) -> Filter | None:
    return _grep(arguments, is_fixed=True)


def _count(arguments: list[str]) -> tuple[str, tuple[str, ...]]:
    if arguments and re.fullmatch(r"-\d+", arguments[0]):
        arguments = ["-n", arguments[0][1:], *arguments[1:]]
    options, operands = _options(arguments, "q", "n")
    if len(operands) > 1 or not re.fullmatch(r"[+]?\d{1,6}", options.get("n", "10")):
        raise ValueError(arguments)
    return options.get("n", "10"), tuple(operands)


def _head(arguments: list[str]) -> Filter:
    number, files = _count(arguments)
    return Filter(lambda text: _joined(_lines(text)[: int(number)]), files)


def _tail(arguments: list[str]) -> Filter:
    number, files = _count(arguments)
    if number[:1] == "+":
        return Filter(lambda text: _joined(_lines(text)[max(int(number) - 1, 0) :]), files)
    return Filter(lambda text: _joined(_lines(text)[-int(number) :] if int(number) else []), files)


def _cut(arguments: list[str]) -> Filter:
    options, operands = _options(arguments, "", "dfc")
    mark = options.get("d", "\t")
    given = re.fullmatch(r"(\d{1,4})(-?)(\d{0,4})", options.get("f", options.get("c", "")))
    if given is None or len(mark) != 1 or ("f" in options) == ("c" in options):
        raise ValueError(arguments)
    first = int(given[1])
    last = (int(given[3]) if given[3] else None) if given[2] else first

    def apply(text: str) -> str:
        lines = []
        for line in _lines(text):
            if "c" in options:
                lines.append(line[first - 1 : last])
            else:
                lines.append(
                    mark.join(line.split(mark)[first - 1 : last]) if mark in line else line
                )
        return _joined(lines)

    return Filter(apply, tuple(operands))


def _uniq(arguments: list[str]) -> Filter | None:
    _, operands = _options(arguments, "")

    def apply(text: str) -> str:
        lines = _lines(text)
        return _joined([one for at, one in enumerate(lines) if at == 0 or one != lines[at - 1]])

    return Filter(apply, tuple(operands)) if len(operands) < 2 else None


def _tac(arguments: list[str]) -> Filter:
    _, operands = _options(arguments, "")
    return Filter(lambda text: _joined(_lines(text)[::-1]), tuple(operands))


# -- sed -------------------------------------------------------------------------------------------

_ADDRESS = r"(?:(\d{1,6})(?:,(\d{1,6}|\$))?|(\$)|/((?:[^/\\]|\\.)*)/)?"
_REPLACES = r"s([/|#,@])((?:(?!\6)[^\\\n]|\\.)*)\6((?:(?!\6)[^\\&\n]|\\[&/\\|#,@])*)\6([gI]*)"
_STEP = pattern(rf"\s*{_ADDRESS}\s*(?:([pdq])|{_REPLACES})\s*(?:;|\n|\Z)")


class _Step(NamedTuple):
    """One command of a script: the lines that it is for, and what it does to them."""

    first: str
    last: str
    is_last: bool
    pattern: re.Pattern[str] | None
    verb: str
    search: re.Pattern[str] | None
    text: str
    is_global: bool

    def holds(self, number: int, line: str, count: int) -> bool:
        if self.pattern is not None:
            return self.pattern.search(line) is not None
        if self.is_last:
            return number == count
        if not self.first:
            return True
        if not self.last:
            return number == int(self.first)
        end = count if self.last == "$" else max(int(self.last), int(self.first))
        return int(self.first) <= number <= end

    def replaced(self, line: str) -> str:
        return (
            self.search.sub(lambda _: self.text, line, int(not self.is_global))
            if self.search
            else line
        )


def _steps(script: str) -> Iterator[_Step]:
    at = 0
    while at < len(script.rstrip()):
        found = _STEP.match(script, at)
        if found is None:
            raise ValueError(script)
        first, last, is_last, address, verb, mark, search, text, flags = found.groups()
        pattern = _pattern(address) if address is not None else None
        looked_for = None
        if search is not None:
            plain = search.replace(f"\\{mark}", mark) if mark not in "/.*[]$^" else search
            looked_for = _pattern(plain, ignores_case="I" in flags)
        new = re.sub(r"\\(.)", r"\1", text or "")
        yield _Step(
            first or "",
            last or "",
            bool(is_last),
            pattern,
            verb or "s",
            looked_for,
            new,
            "g" in (flags or ""),
        )
        at = found.end()


def _sed(arguments: list[str]) -> Filter:
    options, operands = _options(arguments, "nEr", "e")
    steps = list(_steps(options["e"] if "e" in options else operands.pop(0)))
    is_quiet = "n" in options

    def apply(text: str) -> str:
        lines = _lines(text)
        printed: list[str] = []
        for number, whole in enumerate(lines, 1):
            line, is_deleted, is_ended = whole, False, False
            for step in steps:
                if not step.holds(number, line, len(lines)):
                    continue
                if step.search is not None:
                    line = step.replaced(line)
                elif step.verb == "p":
                    printed.append(line)
                else:
                    is_deleted, is_ended = step.verb == "d", step.verb == "q"
                    break
            printed += [] if is_deleted or is_quiet else [line]
            if is_ended:
                break
        return _joined(printed)

    return Filter(apply, tuple(operands))


# -- jq --------------------------------------------------------------------------------------------

_PATH = pattern(
    r"\.?\[\]\??|\.?\[(-?\d{1,4})\]|\.?\[\"([^\"\\]+)\"\]|\.([A-Za-z_]\w*)\??|\.\"([^\"\\]+)\""
)


def _jq(arguments: list[str]) -> Filter:
    options, operands = _options(arguments, "reMc")
    path = operands.pop(0).replace(" | .", ".").replace("|.", ".")
    steps: list[re.Match[str]] = []
    at = 0
    while at < len(path):
        found = _PATH.match(path, at)
        if found is None:
            raise ValueError(path)
        steps.append(found)
        at = found.end()
    if "r" not in options or len(operands) > 1 or not steps:
        raise ValueError(arguments)

    def apply(text: str) -> str | None:
        try:
            values = [json.loads(text)]
            for step in steps:
                values = [inner for value in values for inner in _inside(value, step)]
        except (ValueError, KeyError, IndexError, TypeError, RecursionError):
            return None
        known = [one for one in values if isinstance(one, str)]
        return _joined(known) if len(known) == len(values) else None

    return Filter(apply, tuple(operands))


def _inside(value: Any, step: re.Match[str]) -> list[Any]:
    index, *names = step.groups()
    name = next(filter(None, names), None)
    if index is not None:
        return [value[int(index)]]
    if name is not None:
        return [value[name]]
    return list(value.values()) if isinstance(value, dict) else list(value)


_READERS: dict[str, Callable[[list[str]], Filter | None]] = {
    "sed": _sed,
    "grep": _grep,
    "egrep": _grep,
    "fgrep": _fgrep,
    "head": _head,
    "tail": _tail,
    "cut": _cut,
    "uniq": _uniq,
    "tac": _tac,
    "jq": _jq,
}

# end of module
