"""Commands, paths and texts among the arguments of a tool that is no shell.

Pure. Does not own which tool runs or writes what (the packs) or the judging (``gate.decide``).
"""

from __future__ import annotations

import shlex

from operators_edge.gate.disk.search import MAX_FILE
from operators_edge.text.patterns import compiled

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from typing import Any

    from operators_edge.gate.paths import CallContext
    from operators_edge.gate.rule_types import Tools

MAX_STRINGS = 2_000


def join_command(command: Any, arguments: Any) -> Any:
    """Join a command given as words, or as program and arguments, into one text."""
    words = command if isinstance(command, list) else []
    if arguments and isinstance(arguments, list) and isinstance(command, str):
        return " ".join([command, *(shlex.quote(str(one)) for one in arguments)])
    return shlex.join(map(str, words)) if words else command


def line_of_program(name: str, arguments: dict[str, Any], tools: Tools) -> str:
    """Return the command of a tool that is named after a program and given its arguments."""
    named = compiled(tools.get("program_name", "$.")).search(name)
    given = (
        [arguments[key] for key in tools["program_arguments"] if key in arguments] if named else ()
    )
    words = [
        shlex.join(map(str, one)) if isinstance(one, list) else str(one) for one in reversed(given)
    ]
    if named is None or not words:
        return ""
    program = named[1].lower().replace("_", "-")
    return " ".join(words if words[0].split()[:1] == [program] else [program, *words])


def server_tool(tool: str, texts: Iterable[str], words: Mapping[str, str]) -> list[str]:
    """Return the pseudo command of an MCP server's tool: its server, its name with its words, and the texts.

    ``mcp__github__createIssue`` is ``--server github --name mcp__github__createIssue create issue``; a name
    that says by ``words``, those of ``[verbs]``, that the tool only reads, is said by ``--reads``.
    """
    from operators_edge.gate import verbs  # noqa: PLC0415 - for tools of servers alone

    _, server, name = [*tool.split("__", 2), "", ""][:3]
    above = verbs.parts_of(server)
    every = [each for each in verbs.parts_of(name) if each != "api"]
    parts = [each for each in every if each not in above] or every
    reads = ["--reads"] if verbs.kind_of(parts, words) in (verbs.READS, verbs.MAY_READ) else []
    found = ["--server", server, "--name", tool, *reads, *parts]
    return found + [word for text in texts for word in ("--text", text)]


def search_words(arguments: dict[str, Any]) -> list[str]:
    """Return the command of a tool that searches through folders; none if it only names files."""
    given = {key: one for key, one in arguments.items() if isinstance(one, str) and "\0" not in one}
    if given.get("output_mode") != "content" or "pattern" not in given:
        return []
    options = [f"--{key}={given[key]}" for key in ("glob", "type") if key in given]
    return ["rg", "--hidden", *options, given["pattern"], given.get("path", ".")]


def paths_in(arguments: dict[str, Any], keys: Iterable[str]) -> list[Any]:
    """Return the paths among a tool's arguments, also in a list."""
    given = [arguments[key] for key in (*keys, "paths", "files") if key in arguments]
    return [one for each in given for one in (each if isinstance(each, list) else [each])]


def given_text(arguments: dict[str, Any], keys: Iterable[str]) -> str:
    """Return the texts that an edit puts into a file, without what the file holds already."""
    parts = [arguments, *_listed(arguments.get("edits"))]
    given = (one.get(key) for one in parts if isinstance(one, dict) for key in keys)
    return "\n".join(one for one in given if isinstance(one, str))[:MAX_FILE]


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def written_text(
    arguments: dict[str, Any], keys: Iterable[str], context: CallContext, path: str
) -> str:
    """Return the text of a file after an edit: given whole, or as the replacement of a part."""
    parts = _listed(arguments.get("edits")) or [arguments]
    text = ""
    if any(isinstance(one, dict) and "old_string" in one for one in parts):
        text = context.facts.text(path, MAX_FILE) or ""
    for part in parts:
        given = (
            next((part[key] for key in keys if key in part), "") if isinstance(part, dict) else ""
        )
        old = part.get("old_string") if isinstance(part, dict) else None
        is_known = isinstance(old, str) and old and old in text
        text = text.replace(str(old), str(given)) if is_known else f"{text}\n{given}".lstrip("\n")
    return text[:MAX_FILE]


def fold_confusables(text: str) -> str:
    if text.isascii():
        return text
    from operators_edge.text.confusables import normalised  # noqa: PLC0415 - only prompts beyond ASCII

    return normalised(text)


def find_strings(value: Any) -> Iterator[str]:
    """Yield every string in JSON-like data, keys too, without recursion."""
    left = [value]
    count = 0
    while left and count < MAX_STRINGS:
        one = left.pop()
        if isinstance(one, str):
            count += 1
            yield one
        elif isinstance(one, dict):
            left += [*one.keys(), *one.values()]
        elif isinstance(one, (list, tuple)):
            left += one


# end of module
