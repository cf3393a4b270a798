"""Our entry for the client's status line: how it is written, recognised, and put around another one.

Pure. The client shows one status line. With ours, the one that was there before is run first, and its words
stand in ours, so that removing ours brings it back. Does not own what the line shows
(``reports.status_line``) or the settings file (``hosts.claude.install``).
"""

from __future__ import annotations

import os
import re
import shlex

from operators_edge.text.patterns import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from operators_edge.hosts.claude.settings_files import SettingsFile
    from operators_edge.hosts.claude.wiring import Runner

KEY = "statusLine"

REFRESH_SECONDS = 10
"""A question can be raised while the client is idle: by another session, or the Bridge."""

_FILE = pattern(r".*operators_edge[/\\]+statusline\.py", re.DOTALL)
_OPTION = "--wrap"


def is_ours(value: object, runner: Runner | None = None) -> bool:
    """Whether some version of us wrote the entry; with a runner, whether it runs that installation.

    Only the very words that we write count: anything beside them is somebody else's.
    """
    words = _words(value)
    if runner is not None:
        return words[:4] == _program(runner)
    return bool(words)


def inner(value: Any) -> dict[str, Any] | None:
    """The entry that ours is put around; None if there is none."""
    words = _words(value)
    return {**value, "command": words[5]} if len(words) > 4 else None


def _words(value: object) -> list[str]:
    """The words of an entry of ours; [] for any other."""
    command = str(value.get("command")) if isinstance(value, dict) else ""
    try:
        words = shlex.split(command)
    except ValueError:
        return []
    is_whole = len(words) == 4 or (len(words) == 6 and words[4] == _OPTION)
    if not is_whole or words[1:3] != ["-I", "-S"] or shlex.join(words) != command:
        return []
    return words if _FILE.fullmatch(words[3]) else []


def _program(runner: Runner) -> list[str]:
    file = os.path.join(os.path.dirname(runner.hook_file), "statusline.py")
    return [runner.interpreter, "-I", "-S", file]


def entry(runner: Runner, before: object = None) -> dict[str, Any]:
    """Our entry, around the one that was effective before."""
    words = _program(runner)
    if not isinstance(before, dict) or not before.get("command"):
        return {"type": "command", "command": shlex.join(words), "refreshInterval": REFRESH_SECONDS}
    return {**before, "command": shlex.join([*words, _OPTION, str(before["command"])])}


def effective(settings: Iterable[SettingsFile]) -> object:
    """The entry that the client would show without ours; ``settings`` with the strongest last."""
    found: object = None
    for each in settings:
        value = each.value.get(KEY) if isinstance(each.value, dict) else None
        if value:
            found = inner(value) or found if is_ours(value) else value
    return found


# end of module
