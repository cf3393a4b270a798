"""Modules of Elixir that nothing of a program names: a client for which settings choose another one.

Owns where a module begins and ends. Pure. Does not own the settings (``shell.code.mix_settings``), nor what a
call in a module does (``shell.code.client_calls``).
"""

from __future__ import annotations

import re
from collections import Counter

from operators_edge.text.patterns import pattern, without

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container, Mapping

_MODULE = pattern(r"(?m)^(?P<in>[ \t]*)defmodule[ \t]+(?P<name>[A-Z][\w.]*)[ \t]+do[ \t]*$")
_WORD = pattern(r"\w+")
_BY_NAME = pattern(
    r"\bModule\.(?:safe_)?concat\b|\bto_(?:existing_)?atom\b|\bget_key\(|\ball_loaded\b|\bdefimpl\b|\b__using__\b"
)
"""What finds a module otherwise than by its name in the code."""


def without_unnamed(code: Mapping[str, str], told: str, entries: Container[str]) -> dict[str, str]:
    """The files of a program without the modules that no other code names, nor what is ``told`` by settings.

    Nothing has to name those in ``entries``, the files where it begins.
    """
    if any(map(_BY_NAME.search, (told, *code.values()))):
        return dict(code)
    found = {path: _leaf_modules(text) for path, text in code.items() if path not in entries}
    words = Counter(_WORD.findall("\n".join((told, *code.values()))))
    left = dict(code)
    for path, modules in found.items():
        for name, start, end in modules:
            if words[name] == _WORD.findall(code[path][start:end]).count(name):
                left[path] = without(left[path], start, end)
    return left


def _leaf_modules(text: str) -> list[tuple[str, int, int]]:
    """The last names of the modules without modules inside them, each with where it begins and ends."""
    found = []
    for head in _MODULE.finditer(text):
        ends = re.compile(rf"(?m)^{head['in']}end\b").search(text, head.end())
        if ends and not _MODULE.search(text, head.end(), ends.end()):
            found.append((head["name"].rpartition(".")[2], head.start(), ends.end()))
    return found


# end of module
