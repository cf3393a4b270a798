"""The options of a shell: how they are written, and which kind of shell they make.

Owns both. Does not own what a shell runs (``shell.evaluate``), nor which files each kind reads first (the
packs).
"""

from __future__ import annotations

import re

from operators_edge.shell.commands import Word, has_option
from operators_edge.text.patterns import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


def kind_of(name: str, options: Sequence[Word]) -> str:
    """Return ``bash -i`` for an interactive shell, ``bash -l`` for a login shell, ``bash -il`` for both."""
    is_interactive = has_option(options, "i", "--interactive")
    letters = "i" * is_interactive + "l" * has_option(options, "l", "--login")
    return f"{name} -{letters}" if letters else ""


_OWN_FILES = pattern(r"BASH\w*|ENV|SHELLOPTS")
"""Variables that give a shell something before it reads its text."""
_PLAIN_OPTIONS = pattern(r"(?:ba|da)?sh(?: -[euxvs]+| -[eux]*o pipefail)*(?: --)?(?: (?!-)|\Z)")
_FIRST_LINE = pattern(r"#!\s*/[\w/]+?(?:/env\s+)?/?(?:ba|da)?sh(?:\s+-[eux]+)?\s*")


def is_plain(words: Sequence[str], text: str, given: Iterable[str]) -> bool:
    """Whether a shell reads a text as bash does, with no more than the variables that it is given."""
    first = text.partition("\n")[0]
    is_usual = not first.startswith("#!") or _FIRST_LINE.fullmatch(first) is not None
    line = " ".join((words[0].rpartition("/")[2], *words[1:]))
    is_shell = "/" in words[0] or _PLAIN_OPTIONS.match(line) is not None
    return is_usual and is_shell and not any(map(_OWN_FILES.fullmatch, given))


_HANDS_ON = pattern(
    r"\b(?:declare|typeset|export|local|readonly)\b[^\n;|&]*[ \t]-\w*f|\b(?:type|which)\b"
    r"|\bset[ \t]+-\w*a|allexport"
    r"|\b(?:declare|typeset)\s*(?:[;|&)\n]|\Z)"
)


def hands_functions_on(text: str) -> bool:
    """Whether a text may give its functions to another shell, or write them out."""
    return _HANDS_ON.search(text) is not None


_LEAVE_FILES = frozenset(
    (
        *("chmod", "cat", "echo", "printf", "mkdir", "ls", "cd", "pwd", "test", "[", "true", ":"),
        *("export", "set", "read", "date", "basename", "dirname", "envsubst", "shellcheck"),
    )
)


def leaves_files(words: Sequence[str]) -> bool:
    """Whether a command is known to change no file by itself, whatever it prints."""
    if words[0] in _LEAVE_FILES:
        return True
    from operators_edge.shell.filters.text_filters import filter_of  # noqa: PLC0415 - few texts ask

    return filter_of(words[0], words[1:]) is not None


def with_dashes(argv: Sequence[Word]) -> tuple[Word, ...]:
    """Return the words of a shell with ``+x``, which unsets an option, written as an option: ``-x``."""
    start = next((n for n, word in enumerate(argv[1:], 1) if word.text[:1] not in "-+"), len(argv))
    options = [
        word._replace(text=f"-{word.text[1:]}")
        if re.fullmatch(r"\+[abefhkmnptuvxBCEHPTO]+|\+o", word.text)
        else word
        for word in argv[:start]
    ]
    rest = argv[start:]
    if options[-1].text == "-o" and len(rest) > 1:
        return (*options, rest[0], *with_dashes((argv[0], *rest[1:]))[1:])
    return (*options, *rest)


# end of module
