"""Files that run later without another look of the gate: skills, commands, editor tasks, servers, hooks.

Owns how such a file says what it runs: the inline shell and the hooks of a client's Markdown files, the
commands in JSON files. Pure: text in, commands out. Does not own which files these are (the packs), nor the
judging (``gate.pieces``) and the head of a Markdown file (``text.frontmatter``).
"""

from __future__ import annotations

import json
import re
import shlex

from operators_edge.gate.disk import settings
from operators_edge.gate.disk.package_files import package_scripts
from operators_edge.gate.disk.recipe_types import Recipe, Wanted
from operators_edge.shell.commands import HOLE
from operators_edge.text import frontmatter
from operators_edge.text.lines import line_at
from operators_edge.text.patterns import pattern
from operators_edge.text.settings_files import json_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

MAX_COMMANDS = 100
_INLINE = pattern(r"!`([^`]+)`|^[ \t]*(`{3,}|~{3,})!\s*\n(.*?)^[ \t]*\2", re.MULTILINE | re.DOTALL)
_PLACEHOLDER = pattern(r"\$(?:ARGUMENTS(?:\[\d+\])?|\d)")
_COMMAND = pattern(
    r"[\"']?\bcommand[\"']?[ \t]*:[ \t]*"
    r"(?:\"((?:[^\"\\]|\\.)*)\"|'((?:[^']|'')*)'"
    r"|[|>][-+\d]*[ \t]*\n((?:[ \t]+.*(?:\n|\Z)|[ \t]*\n)+)|([^\n]+))"
)


def markdown(text: str, arguments: str | None = None) -> list[Recipe]:
    """The inline shell of a client's skill, command or agent, and the commands of its hooks.

    ``arguments`` is what is put in for its placeholders; None if unknown.
    """
    value = HOLE if arguments is None else arguments
    found = [
        Recipe(
            _PLACEHOLDER.sub(lambda _: value, match[1] or match[3]),
            line_at(text, match.start(1 if match[1] else 3)),
        )
        for match in _INLINE.finditer(text)
    ]
    if frontmatter.has_hooks(text):
        head = frontmatter.block(text)
        found += [
            Recipe(_scalar(match), line_at(text, text.index(head) + match.start()))
            for match in _COMMAND.finditer(head)
        ]
    return found[:MAX_COMMANDS]


def _scalar(match: re.Match[str]) -> str:
    """Return a YAML scalar: in double or single quotes, as a block, or plain."""
    double, single, block, plain = match.groups()
    if double is not None:
        return re.sub(r"\\(.)", r"\1", double)
    if single is not None:
        return str(single).replace("''", "'")
    return str(block) if block is not None else str(plain).partition(" #")[0].rstrip(" }]")


def json_commands(text: str, _: str | None = None) -> list[Recipe]:
    """The commands in a JSON file with comments: ``command`` with its ``args``, ``…Command``."""
    data = json_of(text)
    if data is None:
        return [
            Recipe(_scalar(each), line_at(text, each.start())) for each in _COMMAND.finditer(text)
        ]
    found = []
    for command, arguments in _commands_in(data):
        words = [str(one) for one in arguments] if isinstance(arguments, list) else []
        at = text.find(json.dumps(command))
        found.append(
            Recipe(" ".join([command, *map(shlex.quote, words)]), line_at(text, max(at, 0)))
        )
    return found[:MAX_COMMANDS]


def _commands_in(data: Any) -> Iterator[tuple[str, Any]]:
    left = [data]
    while left:
        one = left.pop()
        if isinstance(one, list):
            left += one
        elif isinstance(one, dict):
            left += one.values()
            for key, value in one.items():
                if isinstance(key, str) and (key == "command" or key.endswith("Command")):
                    words = value if isinstance(value, list) else [value]
                    if words and all(isinstance(word, str) for word in words):
                        yield " ".join(words), one.get("args")


def script(text: str, _: str | None = None) -> list[Recipe]:
    """The whole file, which a shell runs."""
    return [Recipe(text, 1)]


def program(text: str, line: str | None = None) -> list[Recipe]:
    """The whole file if a shell runs it: not a binary, nor what another interpreter runs."""
    is_other = text.startswith("#!") and not _SHELL_LINE.match(text)
    return [] if is_other or "\0" in text or "\ufffd" in text else script(text, line)


_SHELL_LINE = pattern(r"#![^\n]*\b(ba|da|k|z)?sh\b")


def life_cycle(text: str, _: str | None = None) -> list[Recipe]:
    """The scripts of a package.json that an installation runs, in other people's checkouts too."""
    found = package_scripts(text, Wanted(("install", "prepare")))
    # A part of such a file says what it adds, too.
    found = found or [
        Recipe(one[1].replace('\\"', '"'), line_at(text, one.start()))
        for one in _LIFE_CYCLE.finditer(text)
    ]
    return found[:MAX_COMMANDS]


_LIFE_CYCLE = pattern(r'"(?:pre|post)?(?:install|prepare)"\s*:\s*"((?:[^"\\]|\\.)*)"')


def cargo_aliases(text: str, _: str | None = None) -> list[Recipe]:
    """What cargo runs under another name: any word may be one, so they are judged where they are given."""
    found = [one for one in settings.read(text) if one.name.startswith("alias.")]
    return [Recipe(f"cargo {one.value}", one.line) for one in found[:MAX_COMMANDS]]


READERS: dict[str, Callable[[str, str | None], list[Recipe]]] = {
    "client-markdown": markdown,
    "json-commands": json_commands,
    "cargo-aliases": cargo_aliases,
    "life-cycle": life_cycle,
    "script": script,
    "program": program,
}
"""The values of ``format`` of a file that runs later, in a pack."""

# end of module
