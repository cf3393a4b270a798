"""What a filter such as ``grep``, ``sort`` or ``jq`` prints of a known text.

Owns the small part of each that people use to take commands out of a file. Anything else of them gives None:
the output is then unknown. Does not own where the text comes from (``shell.evaluate``), nor those with a
language of their own (``shell.filters.sed``, ``shell.filters.awk``, ``shell.filters.jq``).
"""

from __future__ import annotations

import re
from itertools import pairwise

from operators_edge.shell.commands import HOLE
from operators_edge.shell.filters.text_lines import (
    Filter,
    joined,
    line_pattern,
    lines_of,
    options_of,
)
from operators_edge.text.patterns import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    Read = Callable[[str], str | None]

_NOT_TEXT = pattern(r"[\ud800-\udfff]")
"""What is left of bytes outside of UTF-8: each program does something else with them."""


def filter_of(name: str, arguments: Sequence[str], read: Read | None = None) -> Filter | None:
    """Return the filter; None for one whose output is not certain.

    ``read`` gives the content of a file to programs that lie on the disk: without it, they are no filters.
    """
    reader, program = _READERS.get(name), _PROGRAMS.get(name)
    if any(HOLE in one for one in arguments):
        return None
    try:
        found = reader(list(arguments)) if reader else program and program(list(arguments), read)
    except (ValueError, KeyError, IndexError, re.error):
        return None
    return found and found._replace(apply=lambda text: _printed(found, text))


def _printed(found: Filter, text: str) -> str | None:
    try:
        return None if _NOT_TEXT.search(text) else found.apply(text)
    except (ValueError, KeyError, IndexError, TypeError, RecursionError):
        return None


_VARIABLE = pattern(r"\$(?:([A-Za-z_]\w*)|\{([A-Za-z_]\w*)\})")


def substituted(text: str, value_of: Callable[[str], str], format_: Sequence[str] = ()) -> str:
    """Return the text as ``envsubst`` prints it; a format names the only variables that are put in."""
    names = {one or other for each in format_ for one, other in _VARIABLE.findall(each)}

    def put(found: re.Match[str]) -> str:
        name = found[1] or found[2]
        return value_of(name) if name in names or not format_ else found[0]

    return _VARIABLE.sub(put, text)


# -- lines -----------------------------------------------------------------------------------------


def _sed(arguments: list[str]) -> Filter:
    from operators_edge.shell.filters import sed  # noqa: PLC0415 - few filters have a language

    return sed.sed(arguments)


def _awk(arguments: list[str]) -> Filter:
    from operators_edge.shell.filters import awk  # noqa: PLC0415 - few filters have a language

    return awk.awk(arguments)


def _grep(arguments: list[str], *, kind: str = "") -> Filter | None:
    options, operands = options_of(arguments, "hviFEGxo", "e")
    sources = options["e"] if "e" in options else [operands.pop(0)]
    is_inverted, takes_part = "v" in options, "o" in options
    if (len(operands) > 1 and "h" not in options) or (is_inverted and takes_part):
        return None
    kinds = [one for one in "FEG" if one in options or one == kind]
    if len(kinds) > 1:
        return None
    if kinds == ["F"]:
        sources = [re.sub(r"([.*\[\]$^\\])", r"\\\1", one) for one in sources]
    patterns = [
        line_pattern(one, ignores_case="i" in options, is_extended=kinds == ["E"])
        for one in sources
    ]
    if takes_part and (len(patterns) > 1 or not patterns[0].is_extent_known or "x" in options):
        return None

    def apply(text: str) -> str:
        if takes_part:
            found = [
                one[0] for line in lines_of(text) for one in patterns[0].compiled.finditer(line)
            ]
            return joined([one for one in found if one])
        return joined([one for one in lines_of(text) if finds(one) != is_inverted])

    def finds(line: str) -> bool:
        is_whole = "x" in options
        return any(one.search(line, is_whole=is_whole) is not None for one in patterns)

    return Filter(apply, tuple(operands))


def _count(arguments: list[str]) -> tuple[str, tuple[str, ...]]:
    if arguments and re.fullmatch(r"-\d+", arguments[0]):
        arguments = ["-n", arguments[0][1:], *arguments[1:]]
    options, operands = options_of(arguments, "q", "n")
    number = options.get("n", ["10"])[-1]
    if len(operands) > 1 or not re.fullmatch(r"[+]?\d{1,6}", number):
        raise ValueError(arguments)
    return number, tuple(operands)


def _head(arguments: list[str]) -> Filter:
    number, files = _count(arguments)
    return Filter(lambda text: "".join(_with_ends(text)[: int(number)]), files)


def _tail(arguments: list[str]) -> Filter:
    number, files = _count(arguments)
    first = max(int(number) - 1, 0) if number[:1] == "+" else -int(number)
    if number == "0":
        return Filter(lambda _: "", files)
    return Filter(lambda text: "".join(_with_ends(text)[first:]), files)


def _with_ends(text: str) -> list[str]:
    return re.findall(r"[^\n]*\n|[^\n]+\Z", text)


def _cut(arguments: list[str]) -> Filter:
    options, operands = options_of(arguments, "s", "dfc")
    mark = options.get("d", ["\t"])[-1]
    which = [*options.get("f", ()), *options.get("c", ())]
    given = re.fullmatch(r"(\d{1,4})(-?)(\d{0,4})", which[0])
    if given is None or len(which) != 1 or len(mark) != 1 or not int(given[1]):
        raise ValueError(arguments)
    first = int(given[1])
    last = (int(given[3]) if given[3] else None) if given[2] else first
    if last is not None and last < first:
        raise ValueError(arguments)

    def apply(text: str) -> str | None:
        if "c" in options and not text.isascii():
            return None
        lines = []
        for line in lines_of(text):
            if "c" in options:
                lines.append(line[first - 1 : last])
            elif mark in line:
                lines.append(mark.join(line.split(mark)[first - 1 : last]))
            elif "s" not in options:
                lines.append(line)
        return joined(lines)

    return Filter(apply, tuple(operands))


def _uniq(arguments: list[str]) -> Filter | None:
    _, operands = options_of(arguments, "")

    def apply(text: str) -> str:
        lines = lines_of(text)
        return joined([one for at, one in enumerate(lines) if at == 0 or one != lines[at - 1]])

    return Filter(apply, tuple(operands)) if len(operands) < 2 else None


def _tac(arguments: list[str]) -> Filter:
    _, operands = options_of(arguments, "")
    if len(operands) > 1:
        raise ValueError(arguments)
    return Filter(lambda text: "".join(_with_ends(text)[::-1]), tuple(operands))


def _sort(arguments: list[str]) -> Filter:
    options, operands = options_of(arguments, "nur", "k")
    field = _number_field(options.get("k", []), is_plain="r" not in options)

    def apply(text: str) -> str | None:
        lines = lines_of(text)
        if "n" in options or field:
            keys = {one: _number_in(one, field or 1) for one in lines}
            is_sure = len(set(keys.values())) == len(keys) and (
                "u" in options or len(keys) == len(lines)
            )
            ordered = sorted(set(lines), key=keys.__getitem__)
        else:
            ordered = sorted(set(lines) if "u" in options else lines)
            is_sure = all(
                one == other or _is_before(one, other) for one, other in pairwise(ordered)
            )
        return joined(ordered[::-1] if "r" in options else ordered) if is_sure else None

    return Filter(apply, tuple(operands))


def _number_field(keys: Sequence[str], *, is_plain: bool) -> int:
    """The one field that lines are sorted by as numbers; 0 for none."""
    # A general -r does not count for a key with a letter of its own.
    if not keys:
        return 0
    found = re.fullmatch(r"([1-9])(?:,([1-9]))?n", keys[0])
    if len(keys) > 1 or found is None or not is_plain or found[2] not in (None, found[1]):
        raise ValueError(keys)
    return int(found[1])


def _number_in(line: str, field: int) -> int:
    """The number that a field begins with; it raises where there is none that each sort reads alike."""
    rest = re.findall(rf"\A(?:\s*\S+(?=\s)){{{field - 1}}}\s*(-?\d{{1,9}})(?![\d.,])", line)
    return int(rest[0])


def _is_before(one: str, other: str) -> bool:
    """Whether a line comes before another one in every language."""
    at = next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), None)
    if at is None:
        return True
    both = one[at] + other[at]
    return both.isascii() and (
        both.isdigit() or (both.isalpha() and (both.islower() or both.isupper()))
    )


def _paste(arguments: list[str]) -> Filter:
    options, operands = options_of(arguments, "s", "d")
    mark = options.get("d", ["\t"])[-1]
    if "s" not in options or len(operands) != 1 or len(mark) != 1 or mark == "\\":
        raise ValueError(arguments)
    files = () if operands == ["-"] else tuple(operands)
    return Filter(lambda text: joined([mark.join(lines_of(text))]), files)


def _column(arguments: list[str]) -> Filter:
    """How wide the columns are is of no concern to a shell, unless it is in quotes."""
    options, operands = options_of(arguments, "t")

    def apply(text: str) -> str | None:
        if "t" not in options or re.search(r"['\"\\#]|<<", text):
            return None
        return joined(["  ".join(one.split()) for one in lines_of(text) if one.strip()])

    return Filter(apply, tuple(operands))


def _jq(arguments: list[str]) -> Filter:
    from operators_edge.shell.filters import jq  # noqa: PLC0415 - few filters have a language

    return jq.jq(arguments)


def _yq(arguments: list[str]) -> Filter:
    from operators_edge.shell.filters import jq  # noqa: PLC0415 - as above

    return jq.yq(arguments)


def _python(arguments: list[str], read: Read | None) -> Filter:
    from operators_edge.shell.filters import data_programs  # noqa: PLC0415 - as above

    return data_programs.python(arguments, read)


def _node(arguments: list[str], read: Read | None) -> Filter:
    from operators_edge.shell.filters import data_programs  # noqa: PLC0415 - as above

    return data_programs.node(arguments, read)


def _perl(arguments: list[str], _: Read | None) -> Filter:
    from operators_edge.shell.filters import perl_texts  # noqa: PLC0415 - as above

    return perl_texts.perl(arguments)


_OF_LAST_COMMIT = pattern(r"(?:HEAD|@):(?!/)(.+)")


def _git(arguments: list[str]) -> Filter:
    """``git show HEAD:F``: a file as the last commit has it."""
    if arguments[:-1] not in (["show"], ["cat-file", "-p"], ["cat-file", "blob"]):
        raise ValueError(arguments)
    found = _OF_LAST_COMMIT.fullmatch(arguments[-1])
    if found is None:
        raise ValueError(arguments)
    return Filter(lambda text: text, (found[1],), is_committed=True)


def _base64(arguments: list[str]) -> Filter:
    from operators_edge.shell.known_output import known_output  # noqa: PLC0415 - as above

    options = [one for one in arguments if one[:1] == "-"]
    files = [one for one in arguments if one[:1] != "-"]
    return Filter(lambda text: known_output("base64", options, text), tuple(files))


_READERS: dict[str, Callable[[list[str]], Filter | None]] = {
    **dict.fromkeys(("sed", "gsed"), _sed),
    **dict.fromkeys(("awk", "gawk", "mawk", "nawk"), _awk),
    "grep": _grep,
    "egrep": lambda arguments: _grep(arguments, kind="E"),
    "fgrep": lambda arguments: _grep(arguments, kind="F"),
    "head": _head,
    "tail": _tail,
    "cut": _cut,
    "uniq": _uniq,
    "tac": _tac,
    "sort": _sort,
    "paste": _paste,
    "column": _column,
    "jq": _jq,
    "yq": _yq,
    "base64": _base64,
    "git": _git,
}
_PROGRAMS: dict[str, Callable[[list[str], Read | None], Filter]] = {
    **dict.fromkeys(("python", "python3"), _python),
    "node": _node,
    "perl": _perl,
}
FILTERS = frozenset((*_READERS, *_PROGRAMS))
LOAD_MODULES = frozenset(_PROGRAMS)

# end of module
