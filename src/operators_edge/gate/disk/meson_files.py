"""Paths in a ``meson.build`` written out, where a list of words names them by variables and folders of Meson.

``target = meson.current_build_dir() / 'pages'`` makes ``['rsync', 'docs/', target]`` a list of texts. Owns
which of its expressions are known. Pure: text in, text out. Does not own which texts are commands
(``gate.disk.loose_commands``).
"""

from __future__ import annotations

import os.path
import re

from operators_edge.text.patterns import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_TEXT = r"'[^'\\\n{}@$`\"]*'"
_OWN = r"meson\.(?:current_source_dir|current_build_dir|project_source_root|project_build_root)\(\)"
_JOINED = pattern(rf"(?:{_TEXT}|{_OWN})(?:[ \t]*/[ \t]*(?:{_TEXT}|{_OWN}))*")
_PART = pattern(rf"{_TEXT}|{_OWN}")
_SET = pattern(rf"(?m)^[ \t]*(?P<name>[a-z_]\w*)[ \t]*=[ \t]*(?P<value>{_TEXT})[ \t]*(?:#.*)?$")
_IS_TOP = pattern(r"(?m)^project[ \t]*\(")
_SETS_ANY = pattern(r"\bset_variable\b|\bforeach\b|\bsubproject\b")
_COMMENT = pattern(rf"(?m){_TEXT}|(?P<comment>#.*$)")
_PLAIN = pattern(r"/[\w./-]+")
_MAX_SET = 50


def with_paths(text: str, folder: str, build: str) -> str:
    """The text with such paths as texts; ``folder`` is the file's own, ``build`` where it is built, or ""."""
    if not _PLAIN.fullmatch(folder) or not _IS_TOP.search(text):
        return text
    found = _JOINED.sub(lambda one: _written(one[0], folder, build), text)
    if _SETS_ANY.search(found):
        return found
    code = _COMMENT.sub(lambda one: "" if one["comment"] else one[0], found)
    for one in list(_SET.finditer(found))[:_MAX_SET]:
        name = one["name"]
        count = len(re.findall(rf"\b{name}\b[ \t]*\+?=(?!=)", code))
        if count == 1:
            found = re.sub(rf"(?<=[\[,])(\s*){name}(?=\s*[,\]])", rf"\g<1>{one['value']}", found)
    return found


def _written(expression: str, folder: str, build: str) -> str:
    """An expression as one text; as it is, where a part of it is not known, or it is one already."""
    parts = _PART.findall(expression)
    if "_build_" in expression and not (build and _PLAIN.fullmatch(build)):
        return expression
    known = [one[1:-1] if one[0] == "'" else build if "_build_" in one else folder for one in parts]
    return f"'{os.path.join(*known)}'"


def build_folder(words: Sequence[str], folder: str) -> str:
    """The folder that the words of a command build in, from its working folder; "" if it is not known."""
    for at, one in enumerate(words[:-1]):
        if one == "-C":
            return os.path.normpath(os.path.join(folder, words[at + 1]))
    return ""


# end of module
