"""Where the repository of a backup program is: in a temporary folder, it holds nobody's backups.

Owns by which words and variables ``restic``, ``borg``, ``duplicity`` and ``kopia`` name it. Does not own what
they do to it (the packs), nor which folders are temporary (``gate.paths``). Pure but for ``Facts``.
"""

from __future__ import annotations

import re

from operators_edge.shell.commands import HOLE
from operators_edge.text.patterns import compiled

TYPE_CHECKING = False
if TYPE_CHECKING:
    from operators_edge.gate.invocation import Invocation
    from operators_edge.gate.paths import CallContext
    from operators_edge.shell.commands import Command

_PROGRAMS = ("restic", "borg", "duplicity", "kopia")
"""Programs whose words and variables alone name it: others have files of profiles."""
_OPTIONS = ("-r", "--repo", "--repository")
_FILES = ("--repository-file", "--from-repo", "--other-repo")
"""Options that name another repository, or a file that does."""
_ELSEWHERE = r"[\w.@+-]+:"
_NUMBER = r"\d+[a-zA-Z]?"


def is_temporary(inv: Invocation, context: CallContext) -> bool:
    """Whether a command works on a repository in a temporary folder of this machine, and no other."""
    command = inv.command
    is_known = inv.program in _PROGRAMS and not (command.is_remote or command.has_more_words)
    if not is_known or inv.values(_FILES):
        return False
    if inv.program == "kopia":
        return _is_connected_here(inv, context)
    names = [word.text for word in inv.values(_OPTIONS)] or _named(inv)
    return bool(names) and all(_is_temporary(name, inv, context) for name in names)


def _named(inv: Invocation) -> list[str]:
    """The repositories that operands name, or else a variable."""
    environment = inv.command.environment
    operands = [word.text for word in inv.operands[1:]]
    if inv.program == "duplicity":
        return [operands[-1].removeprefix("file://")] if operands else []
    if inv.program == "borg":
        places = [one.partition("::")[0] for one in operands if not re.fullmatch(_NUMBER, one)]
        named = [one for one in places if one]
        return named or _values(environment.get("BORG_REPO"))
    is_in_file = any(name.endswith("_REPOSITORY_FILE") for name in environment)
    return [] if is_in_file else _values(environment.get("RESTIC_REPOSITORY"))


def _values(value: str | None) -> list[str]:
    return [value] if value else []


def _is_temporary(name: str, inv: Invocation, context: CallContext) -> bool:
    name = name.removeprefix("local:")
    if HOLE in name or compiled(_ELSEWHERE).match(name):
        return False
    path = context.resolve(name, inv.working_folder(context))
    return path is not None and context.is_temporary(context.real(path))


def _is_connected_here(inv: Invocation, context: CallContext) -> bool:
    """Whether the text has connected a new file of settings to a temporary folder, and to nothing else."""
    given = [word.text for word in inv.values(("--config-file",))]
    config = given or _values(inv.command.environment.get("KOPIA_CONFIG_PATH"))
    if not config or not _is_temporary(config[-1], inv, context):
        return False
    path = context.resolve(config[-1], inv.working_folder(context))
    connected = [one for one in map(_connects, context.commands) if one is not None]
    is_new = path is not None and context.facts.size(path) is None
    return is_new and bool(connected) and all(_is_temporary(one, inv, context) for one in connected)


def _connects(command: Command) -> str | None:
    """The folder that ``kopia repository create filesystem --path`` names; HOLE for another kind of place."""
    words = [word.text for word in command.argv]
    if words[:1] != ["kopia"] or not {"repository", "repo"} & set(words):
        return None
    if not {"create", "connect", "sync-to"} & set(words):
        return None
    found = re.search(r"(?:^|\s)--path[= ](\S+)", " ".join(words))
    return found[1] if found and "filesystem" in words else HOLE


# end of module
