"""Files that the client runs by their name or at another time: skills, commands, agents, settings of editors.

Owns where the client looks for a name, and what such a file runs, as pieces. Does not own the formats
(``gate.disk.later``), nor the judging (``gate.pieces``). Loaded for the few calls that name or write such a
file.
"""

from __future__ import annotations

import json
import os.path
import re

from operators_edge.gate.disk import follow, later
from operators_edge.gate.disk.search import MAX_FILE, Piece
from operators_edge.locations import is_within

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from operators_edge.gate.disk.follow import Follower
    from operators_edge.gate.paths import CallContext
    from operators_edge.gate.rules import Rules

MAX_NAMED = 200
"""Files of one folder that are looked at for a skill, a command or an agent."""
_MAX_LISTED = 64 * 1024
"""Characters of the list of plugins."""


def later_pieces(
    path: str, text: str, arguments: str | None, context: CallContext, rules: Rules
) -> list[Piece]:
    """What a file that runs later would run: each command in the folder of the project."""
    read = later.READERS[follow.runs_later(path, rules) or "client-markdown"]
    folder = os.path.dirname(path)
    plugin = os.path.dirname(os.path.dirname(folder))
    known = (("CLAUDE_SKILL_DIR", folder), ("CLAUDE_PLUGIN_ROOT", plugin))
    return [
        Piece(path, one.text, one.line, folder=context.cwd, assigned=known)
        for one in read(text, arguments)
    ]


def named_pieces(
    name: str, arguments: str, context: CallContext, follower: Follower
) -> Iterator[Piece]:
    """Yield what a skill, command or agent of the host runs as soon as it is used."""
    words = name.removeprefix("/").split(None, 1)
    if not words:
        return
    given = " ".join(filter(None, (*words[1:], arguments)))
    for path, text in _named_files(words[0], context, follower.rules):
        follower.note(path, text)
        yield from later_pieces(path, text, given, context, follower.rules)


def _named_files(name: str, context: CallContext, rules: Rules) -> Iterator[tuple[str, str]]:
    """Yield the files that the host may use for a name, with their texts."""
    plugin, colon, rest = name.partition(":")
    bases = [context.root, context.home, *_folders_between(context.cwd, context.root)]
    names = [name, rest.replace(":", "/"), name.replace(":", "/")] if colon else [name]
    bases += _plugin_folders(plugin if colon else "", context, rules)
    for base in dict.fromkeys(bases):
        for pattern in rules.tools["named_files"]:
            for one in dict.fromkeys(filter(None, names)):
                path = os.path.normpath(pattern.format(base=base, name=one))
                text = context.facts.text(path, MAX_FILE)
                if text is not None:
                    yield path, text
            yield from _titled_files(pattern, base, rest or name, context)


_TITLE = re.compile(r"(?m)^name:[ \t]*[\"']?([^\"'\n]+?)[\"']?[ \t]*$")


def _titled_files(
    pattern: str, base: str, name: str, context: CallContext
) -> Iterator[tuple[str, str]]:
    """Yield files that have the name in their head, whatever their own name is, or in a folder below."""
    above, _, below = pattern.format(base=base, name="\0").partition("\0")
    for found in (context.facts.names(above) or ())[:MAX_NAMED]:
        for path in (f"{above}{found}{below}", f"{above}{found}/{name}{below}", above + found):
            if path.endswith(f"/{name}{below}") and found == name:
                continue
            text = context.facts.text(path, MAX_FILE) if path.endswith(".md") else None
            title = _TITLE.search(text[:4_096]) if text else None
            is_below = path == f"{above}{found}/{name}{below}"
            if text and (is_below or (title is not None and title[1] == name)):
                yield path, text


def _folders_between(cwd: str, root: str) -> Iterator[str]:
    folder = cwd
    while is_within(folder, root) and folder != root:
        yield folder
        folder = os.path.dirname(folder)


def _plugin_folders(plugin: str, context: CallContext, rules: Rules) -> list[str]:
    """Return the folders of the plugins with this name; of all without one."""
    text = context.facts.text(os.path.join(context.home, rules.tools["plugins"]), _MAX_LISTED)
    try:
        listed = json.loads(text or "{}").get("plugins", {})
        pairs = [
            (key, one["installPath"])
            for key, each in listed.items()
            for one in (each if isinstance(each, list) else [each])
        ]
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return []
    return [str(path) for key, path in pairs if not plugin or key.partition("@")[0] == plugin]


# end of module
