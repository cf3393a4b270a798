"""Where the output of a command goes: whether it is printed, or run as a text that was fetched.

Owns the path of an output through pipes, substitutions and variables. Does not own which outputs are secret
(the packs), nor which programs fetch something (``shell.wrapper_table``). Pure.
"""

from __future__ import annotations

import os.path
import re
from bisect import bisect_left
from functools import lru_cache

from operators_edge.shell.wrapper_table import FETCHES
from operators_edge.text.patterns import found_in, pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from operators_edge.shell.commands import Command

_PASSES_ON = (
    r"^(cat|bat|batcat|tee|head|tail|tac|less|more|most|nl|rev|strings|base64|base32|xxd|od|hexdump|jq|yq|sed|awk|gawk"
    r"|tr|sort|uniq|cut|fold|column|paste|xargs|echo|printf|perl|python3? -m json\.tool|openssl base64"
    r"|openssl enc|gunzip|zcat|(bsd)?tar\s.*O|uuencode|basenc|pbcopy|xclip|xsel|wl-copy|clip|qrencode"
    r"|Format-\w+|Out-(?:String|Host)|Sort-Object|Where-Object)\b"
    # Of the lines that it finds, only those that are asked for by such a word are secret.
    r"|^(e|f|z)?grep\b(?=.*(?i:key|token|secret|pass|pwd|cred|auth|private|dsn|stripe|openai|anthropic|twilio|sendgrid"
    r"|\s['\"]?(\.\*?|=|\^)?['\"]?$|\s-\w*v))"
)
_MASKS = (
    r"^jq\s.*\b(?:keys|metadata|length)\b|^cut\s.*(-d ?=.*-f ?1\b(?!-)|-f ?1\b(?!-).*-d ?=)"
    r"|^g?awk\s+-F ?=\s+\{\s*print \$1\s*\}"
    r"|^sed\s.*s(?P<mark>.)=(\.\*|\.\+|\[\^)\S*(?P=mark)|^[ef]?grep\s+(-\w+\s+)*-\w*([cql]|o\w*E?\w*\s+\^[\[\\\w])"
)
_ASSIGNED = r"(?:(?:export|declare|local|readonly|typeset)\s+(?:-\w+\s+)*)?(\w+)="
_ECHOING = r"^(echo|printf|print)\b"
_TO_FILE = r"\s(-\w*[oO] ?|--output(-document)?[= ]|--remote-name\b)(?!-(\s|$)|/dev/stdout)"
_MAX_STEPS = 8


def is_printed(command: Command, commands: Sequence[Command], text: str) -> bool:
    """Whether the command's output is printed, as it is or through programs that pass it on.

    ``commands`` are those of the ``text``. What a file, a variable or another program gets is not printed.
    """
    for _ in range(_MAX_STEPS):
        if _goes_to_file(command) or found_in(_MASKS, _line(command)):
            return False
        reader = _reader_of(command, commands, text)
        if reader is None:
            is_kept = any(each[1:] == "(…)" for each in command.through)
            return not is_kept or _is_echoed(command, commands, text)
        if found_in(_SHOWS, _line(reader)):
            return True
        if _line(reader).startswith("read "):
            return _is_said(reader, commands, text)
        if not found_in(_PASSES_ON, _line(reader)):
            return False
        command = reader
    return True


def _line(command: Command) -> str:
    if not command.argv:
        return ""
    first, *rest = (word.text for word in command.argv)
    return " ".join([os.path.basename(first), *rest])


def _goes_to_file(command: Command) -> bool:
    return any(
        one.op in (">", ">>", ">|", "&>", "&>>")
        and one.fd in (None, 1)
        and not found_in(r"^/dev/(tty|stdout|stderr|fd/[12])$", one.target.text)
        for one in command.redirects
    )


def _reader_of(command: Command, commands: Sequence[Command], text: str) -> Command | None:
    """Return the command that reads the output through a pipe."""
    name = _line(command).partition(" ")[0]
    after = (
        one
        for one in commands[_place_of(command, commands) + 1 :]
        if one.stdin_kind in ("pipe", "text") and one.stdin_program == name and one.argv
    )
    return next((one for one in after if _is_piped(command, one, commands, text)), None)


def _is_piped(command: Command, reader: Command, commands: Sequence[Command], text: str) -> bool:
    """Whether a pipe leads from the command to the reader, out of the groups around the command."""
    if command.span == reader.span:  # both in a text within the text
        alike = [one for one in commands if one.span == command.span and one.argv]
        return sum(one.argv[0].text == command.argv[0].text for one in alike) == 1
    if "function" in command.through and "function" not in reader.through:
        return _is_always_piped(command, text)
    end, last = command.span[1], reader.span[0]
    start = max((one for one in _ends_around(text, end) if one <= last), default=end)
    between = _REDIRECT.sub(" ", text[start : min(last, start + _LONGEST_REST)])
    if re.match(r"[^;&|\n]*\|(?!\|)", between) is not None:
        return True
    return "function" in command.through and _is_always_piped(command, text)


def _ends_around(text: str, at: int) -> Iterator[int]:
    """Yield where the groups around a place in a text end, from the inside out."""
    begins, ends, outer = _groups(text)
    number = outer[bisect_left(begins, at)]
    while number:
        yield ends[number - 1]
        number = outer[number]


@lru_cache(maxsize=16)
def _groups(text: str) -> tuple[list[int], list[int], list[int]]:
    """Where the brackets of groups in a text begin and end; and for each, counted from 1, the next lower one.

    That is the number of the first one after it which closes a group that is open there; 0 for none.
    The first number is that of the beginning of the text.
    """
    brackets = list(_BRACKET.finditer(text))
    depths = [0]
    for one in brackets:
        depths.append(depths[-1] + (1 if one[1] else -1))
    outer = [0] * len(depths)
    waiting: list[int] = []
    for number, depth in enumerate(depths):
        while waiting and depths[waiting[-1]] > depth:
            outer[waiting.pop()] = number
        waiting.append(number)
    return [one.start() for one in brackets], [one.end() for one in brackets], outer


def _is_always_piped(command: Command, text: str) -> bool:
    """Whether each call of the function that the command is in leads into a pipe."""
    defined = [name for end, name in _definitions(text) if end <= command.span[0]]
    return bool(defined) and _are_piped(defined[-1], text)


@lru_cache(maxsize=16)
def _definitions(text: str) -> list[tuple[int, str]]:
    """The functions of a text, each with the place where its body begins."""
    return [(one.end(), one[1] or one[2]) for one in _DEFINED.finditer(text)]


@lru_cache(maxsize=256)
def _are_piped(name: str, text: str) -> bool:
    """Whether there are calls of a function in a text, and each leads into a pipe."""
    starts = r"(?:^|[;&|({\n]|\bdo\b|\bthen\b)[ \t]*"
    called = rf"{starts}{re.escape(name)}\b(?![ \t]*\(\))[^;&|\n]*(\|(?!\|))?"
    calls = [one[1] for one in re.finditer(called, text)]
    return bool(calls) and None not in calls


_DEFINED = pattern(r"(\w[\w-]*)[ \t]*\(\)[ \t]*[{(]|\bfunction[ \t]+(\w[\w-]*)")
_REDIRECT = pattern(r"\d*[<>]{1,2}&?\d*|&>{1,2}|\\\n")
_BRACKET = pattern(r"([{(]|\b(?:do|if|case)\b)|[})]|\b(?:done|fi|esac)\b")
_LONGEST_REST = 4_000
"""Characters behind a command, or its group, in which a pipe is looked for."""
_SHOWS = r"^tee\b.*\s/dev/(tty|stderr|fd/2)\b"


def _place_of(command: Command, commands: Sequence[Command]) -> int:
    return next((at for at, one in enumerate(commands) if one is command), -1)


def _is_echoed(command: Command, commands: Sequence[Command], text: str) -> bool:
    """Whether a command substitution ends in an echo: at once, or through a variable."""
    outer = _around(command, commands)
    if outer is None:
        return False
    variable = _variable_of(command, commands, text)
    if not variable:
        is_file = any(one == "<(…)" for one in command.through)
        shows = found_in(_PASSES_ON if is_file else _ECHOING, _line(outer))
        return shows and is_printed(outer, commands, text)
    return any(
        one.span[0] >= command.span[1]
        and found_in(_ECHOING, _line(one))
        and _uses(variable, one, text)
        and is_printed(one, commands, text)
        for one in commands
    )


_OPTION_OF_READ = pattern(r"-[dnNptui]")
"""Options of ``read`` with a value."""


def _is_said(reader: Command, commands: Sequence[Command], text: str) -> bool:
    """Whether a value that ``read`` takes from a pipe is printed: all but the name in front of a ``=``."""
    words = [word.text for word in reader.argv[1:]]
    names = [
        one
        for before, one in zip(["", *words], words, strict=False)
        if one[:1] != "-" and not _OPTION_OF_READ.fullmatch(before)
    ]
    is_split = ("IFS", "=") in [(name, value.text) for name, value in reader.assigns]
    held = names[1:] if is_split and len(names) > 1 else names or ["REPLY"]
    return any(
        found_in(_ECHOING, _line(one)) and is_printed(one, commands, text)
        for one in commands[_place_of(reader, commands) + 1 :]
        if any(_uses(name, one, text) for name in held)
    )


def _around(command: Command, commands: Sequence[Command]) -> Command | None:
    """The command that a substitution is a part of."""
    around = [one for one in commands if _is_within(command, one)]
    return min(around, key=lambda one: one.span[1] - one.span[0], default=None)


def _is_within(inner: Command, outer: Command) -> bool:
    is_inside = outer.span[0] <= inner.span[0] and inner.span[1] <= outer.span[1]
    return is_inside and outer.span != inner.span


def _variable_of(command: Command, commands: Sequence[Command], text: str) -> str:
    """The variable that a substitution is assigned to."""
    outer = _around(command, commands)
    assigned = re.match(_ASSIGNED, text[outer.span[0] :]) if outer is not None else None
    return assigned[1] if assigned is not None else ""


def _uses(variable: str, command: Command, text: str) -> bool:
    return re.search(rf"\$\{{?{variable}\b", text[slice(*command.span)]) is not None


def fetcher_of(command: Command, commands: Sequence[Command], text: str) -> str:
    """The program that fetched the text which a command is: ``eval "$(curl URL)"``; empty if none did."""
    if not _names_fetcher(text):
        return ""
    for one in commands:
        if not one.through or one.through[-1][1:] != "(…)":
            continue
        name = os.path.basename(one.argv[0].text.partition(" ")[0]) if one.argv else ""
        if name not in FETCHES or one.is_remote or not _gives_text(name, one):
            continue
        if _is_within(one, command):
            return name
        variable = _variable_of(one, commands, text)
        if variable and one.span[1] <= command.span[0] and _uses(variable, command, text):
            return name
    return ""


def is_fetcher(command: Command) -> bool:
    """Whether the program of a command is one that fetches something."""
    return bool(command.argv) and os.path.basename(command.argv[0].text) in FETCHES


@lru_cache(maxsize=8)
def _names_fetcher(text: str) -> bool:
    """Each command of a text asks."""
    return any(name in text for name in FETCHES)


def _gives_text(name: str, command: Command) -> bool:
    """Whether it prints what it fetches, as wget does not by itself."""
    line = _line(command)
    if name == "wget":
        return found_in(r"\s(-\w*O ?|--output-document[= ])(-(\s|$)|/dev/stdout)", line)
    return not found_in(_TO_FILE, line) and not _goes_to_file(command)


# end of module
