"""What of a long program is judged: the calls that may start, delete or write something, and what they name.

Owns which parts of a file are kept, with the numbers of their lines. Pure: text in, text out. Does not own
reading files (``gate.disk.follow``), nor which calls count (``shell.code.languages``): more is kept than
counts. Loaded for files that are too long to be judged as a whole.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from itertools import accumulate

from operators_edge.gate.prefilter import words_in
from operators_edge.text.patterns import pattern
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from operators_edge.gate.prefilter import TriggerWords

MAX_EXTRACT = 48 * 1024
"""Characters that are kept of one file."""
_MAX_FOUND = 20_000
_MAX_LINE = 400
"""Longer lines, as in bundles, are taken apart at the ends of statements."""
_MAX_CALL = 8
"""Lines of one call."""
_MAX_NAMES = 200
_AROUND = 2

_CALLS = """
system exec popen Popen spawn rmtree unlink remove rmdir rmSync rimraf removeSync delete truncate fork
writeFile write_text write_bytes appendFile rename move copy symlink kill getattr eval __import__ run call
check_ getoutput create_subprocess fromhex decode rm open chmod execute cmd Command shell Function passthru
urlretrieve getstore mirror download.file qx %x $` ` delTree send
Cmd getstatusoutput capture2 capture3 del emptyDir file_put_contents output createWriteStream writeTextFile
write saveRDS binwrite replace mv cp link File.new
""".split()  # noqa: SIM905 - a table
_MODULES = (
    """
import os|import subprocess|import shutil|import pty|import posix|from os|from subprocess
from shutil|from pty|import pathlib|from pathlib|import importlib|import builtins|import ctypes|import asyncio
import glob|from glob|child_process|'fs'|"fs"|node:fs|fs/promises|fs-extra|shelljs|execa|fileutils|open3
File::Path
""".strip()
    .replace("\n", "|")
    .split("|")
)
_BARE = frozenset(["perl", "ruby", "osascript", "elixir", "groovy", "lua", "php"])
"""Languages in which a call may do without parentheses."""
_VALUE = r"(?:[rbfu]{0,2}['\"`\[{~$/@:]|[A-Za-z_]\w\w)"
"""How what is given to a call begins: with a text, a list, or a name of more than two letters."""
_END = r"(?:\w|(?<=\w)(?:\.|::)(?=\w))*[!?]?\s*"
_BY_NAME = r"\w*['\"]\]\s*\("
_AT = re.compile(rf"{_END}\(\s*{_VALUE}|{_BY_NAME}|\$`")
_AT_BARE = re.compile(rf"{_END}[(\[,\s]*{_VALUE}|{_BY_NAME}|`\s*\w|[q%]x\s?[({{\[|/!]")
_NAME = pattern(r"\b[A-Za-z_$][\w$]{2,}\b")
_LITERAL = pattern(r"['\"`][^'\"`\n]*[/~\w]")
_TEXT = pattern(r"(['\"`])[^'\"`\n]*[/~ ][^'\"`\n]*\1")
"""A text that may be a path or a command line."""
_MODULE = pattern(r"^\s*(?:import|from)\b|require\(")


class Extract(NamedTuple):
    """The parts kept, the number of each line of theirs, and whether nothing was left out for room."""

    text: str
    numbers: tuple[int, ...]
    is_whole: bool = True


def of_code(text: str, program: str) -> Extract:
    """Keep the calls of a program in a language that is not a shell's."""
    units = _units(text)
    starts = [0, *accumulate(len(unit) for _, unit in units)]
    hits = {bisect_right(starts, at) - 1 for at in _calls_in(text, program)}
    kept = {at for hit in hits for at in _whole_call(units, hit)}
    modules = {bisect_right(starts, at) - 1 for at in _found(text, _MODULES)}
    named = _assigned(units, {name for at in kept for name in _NAME.findall(units[at][1])})
    found = sorted(kept | modules | named.keys())
    if sum(len(units[at][1]) for at in found) > MAX_EXTRACT:
        known = set(named.values())
        found = [at for at in found if _names_something(units[at][1], known)]
    return _extract(units, found)


def _names_something(text: str, known: set[str]) -> bool:
    """Whether a call says what it is about: a path or a command line, or a name that is set to one."""
    return bool(
        _TEXT.search(text) or _MODULE.search(text) or known.intersection(_NAME.findall(text))
    )


def of_lines(text: str, words: TriggerWords, *, first: int = 0) -> Extract:
    """Keep the lines of a text after its first characters around those that hold a trigger word.

    Lines that set a variable are kept too.
    """
    start = text.rfind("\n", 0, first) + 1
    before = text.count("\n", 0, start)
    units = [(before + n, unit) for n, unit in _units(text[start:])]
    hits = _with_word([unit.lower() for _, unit in units], words)
    around = {at + by for at in hits for by in range(-_AROUND, _AROUND + 1)}
    sets = {at for at, (_, unit) in enumerate(units) if _SETS.match(unit)}
    return _extract(units, sorted((around & set(range(len(units)))) | sets))


def _with_word(units: Sequence[str], words: TriggerWords) -> set[int]:
    """The numbers of the texts that hold a trigger word; most lines of a long script hold none of its few."""
    seen = words_in(" ".join(units))
    telling = {word for word in seen if words.counts(word, seen)}
    known: dict[str, bool] = {}
    for unit in units:
        if unit not in known:
            found = words_in(unit)
            known[unit] = any(words.counts(word, found) for word in found & telling)
    return {at for at, unit in enumerate(units) if known[unit]}


_SETS = pattern(r"\s*(?:export\s+|local\s+|readonly\s+)?[A-Za-z_]\w*\s*[:?+]?=")


def _units(text: str) -> list[tuple[int, str]]:
    """Return the lines of a text with their numbers; long ones in parts."""
    found: list[tuple[int, str]] = []
    for number, line in enumerate(text.splitlines(keepends=True), 1):
        if len(line) <= _MAX_LINE:
            found.append((number, line))
        else:
            found += [(number, part) for part in re.findall(r"[^;{}]*[;{}]|[^;{}]+", line)]
    return found


def _found(text: str, words: Iterable[str]) -> Iterator[int]:
    for word in words:
        at = text.find(word)
        count = 0
        while at >= 0 and count < _MAX_FOUND:
            yield at
            count += 1
            at = text.find(word, at + len(word))


def _calls_in(text: str, program: str) -> Iterator[int]:
    is_call = _AT_BARE if program in _BARE else _AT
    return (at for at in _found(text, _CALLS) if is_call.match(text, at))


def _whole_call(units: Sequence[tuple[int, str]], at: int) -> Iterator[int]:
    depth = 0
    for place in range(at, min(at + _MAX_CALL, len(units))):
        yield place
        line = units[place][1]
        depth += line.count("(") - line.count(")") + line.count("[") - line.count("]")
        if depth <= 0:
            return


def _assigned(units: Sequence[tuple[int, str]], names: set[str]) -> dict[int, str]:
    """Return where one of the names gets a value that is written out, with the name."""
    chosen = sorted(names, key=len)[:_MAX_NAMES]
    sets = re.compile(rf"\b({'|'.join(map(re.escape, chosen))})\s*(?:=(?!=)|:)")
    return {
        at: found[1]
        for at, (_, unit) in enumerate(units if chosen else ())
        if "=" in unit and _LITERAL.search(unit) and (found := sets.search(unit))
    }


def _extract(units: Sequence[tuple[int, str]], kept: Sequence[int]) -> Extract:
    """Join the parts, as far as there is room for them."""
    size = 0
    lines: list[str] = []
    numbers: list[int] = []
    seen: set[str] = set()
    for at in kept:
        number, unit = units[at]
        if unit in seen:  # as in generated code
            continue
        seen.add(unit)
        size += len(unit)
        if size > MAX_EXTRACT:
            return Extract("".join(lines), tuple(numbers), is_whole=False)
        lines.append(unit if unit.endswith("\n") else f"{unit}\n")
        numbers.append(number)
    return Extract("".join(lines), tuple(numbers))


# end of module
