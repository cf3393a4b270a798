"""The options of a shell: how they are written, and which kind of shell they make.

Owns both. Does not own what a shell runs (``shell.evaluate``), nor which files each kind reads first (the
packs).
"""

from __future__ import annotations

import re

from operators_edge.shell.commands import Word, has_option

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


def kind_of(name: str, options: Sequence[Word]) -> str:
    """Return ``bash -i`` for an interactive shell, ``bash -l`` for a login shell, ``bash -il`` for both."""
    is_interactive = has_option(options, "i", "--interactive")
    letters = "i" * is_interactive + "l" * has_option(options, "l", "--login")
    return f"{name} -{letters}" if letters else ""


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
