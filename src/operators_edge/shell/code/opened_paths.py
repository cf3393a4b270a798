"""Paths of the system and the home that programs open for everybody: modes that they set in a loop.

Owns which calls set such a mode, and which paths of the program they may be for, where the call itself names
none. Does not own modes that are set by name (``shell.code.effects``). Pure: text in, commands out.
"""

from __future__ import annotations

import re
from functools import lru_cache

from operators_edge.shell.code.deleted_paths import path_in_home
from operators_edge.text.patterns import pattern
from operators_edge.tuples import NamedTuple

_CALL = pattern(
    r"(?i)(?<!['\"`])\b(?:l?chmod\w*|set_?permissions|setPosixFilePermissions|setWritable)"
    r"(?:\s*\(|\s+(?=['\"]?(?:0o?)?[0-7]{3,4}['\"]?\s*,|['\"][ugoa]*[+=]))\s*([^;\n]{1,300})"
)
"""A call, with brackets or as Perl and Ruby write it; a command in a text is none."""
_MODE = pattern(r"(?<![\w.'\"/])(?:0o?[0-7]{3,4}|\d{3,5})(?![\w.'\"/])")
_TEXT_MODE = pattern(r"['\"](0?[0-7]{3,4})['\"]")
_BY_NAME = pattern(
    r"(?i)['\"](?:[ug]*[oa][ugo]*\+[rx]*w\w*|[ugoa]*=rwx?|a\+\w*w\w*|rwxrwxrwx|rw-rw-rw-)['\"]"
    r"|OTHERS_WRITE|\bS_IRWXO\b|\bS_IWOTH\b|from_mode\(0o[0-7]+[2367]\)|setWritable\(\s*true\s*,\s*false"
)
_PATH = pattern(
    r"(?:\b(?:\w*chmod\w*|array|glob|\w*[wW]alk\w*|find\w*|\w*Iterator|listOf|asList|List\.of|Paths?(?:\.\w+)?)\(\s*"
    r"|(?<![\w(.])\(\s*|\[\s*|\{\s*|=\s*|,\s*|\bin\s+|^\s*|\bqw[(/\[{]\s*|\s)"
    r"['\"]?(?P<path>/(?:etc|usr|var|opt|home|root|srv|boot|lib\w*|s?bin|Library|System|Applications|Users|mnt|media)"
    r"(?:/[\w.@*-]+)*)/?['\"]?\s*(?=[,\])};]|$|\s)",
    re.MULTILINE,
)
_MAX_PATHS = 20


class Opened(NamedTuple):
    """A command that does the same, and the position of the call."""

    command: str
    position: int


@lru_cache(maxsize=512)
def opened_by(code: str) -> list[Opened]:
    """Return what a program opens for everybody, by a path that the call does not spell out."""
    calls = [one for one in _CALL.finditer(code) if _is_open(one[0])]
    if not calls:
        return []
    paths = dict.fromkeys(one["path"] for one in _PATH.finditer(code))
    paths |= dict.fromkeys(filter(None, (path_in_home(one) for one in re.split(r"[,\n]", code))))
    at = calls[0].start()
    return [Opened(f"chmod 777 {path}", at) for path in list(paths)[:_MAX_PATHS]]


def _is_open(call: str) -> bool:
    """Whether a call lets everybody write; a number without a leading zero is no octal one."""
    if _BY_NAME.search(call):
        return True
    if any(int(one, 8) & 0o002 for one in _TEXT_MODE.findall(call)):
        return True
    for one in _MODE.findall(call):
        mode = int(one.lower().replace("o", ""), 8) if one[0] == "0" else int(one)
        if mode & 0o002 and mode <= 0o7777:
            return True
    return False


# end of module
