"""A second opinion on what a shell text runs: shfmt's parser, and what bash itself accepts (``bash -n``).

Owns how their answers are read, and compared with ours. Does not own the texts.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING, Any, NamedTuple

from operators_edge.shell.commands import program_name
from operators_edge.shell.evaluate import parse

if TYPE_CHECKING:
    from collections.abc import Iterator

    from operators_edge.shell.commands import Command, Script

SECONDS = 60
"""A parser that takes longer has failed; it takes milliseconds, but the machine may be busy."""

_SIMPLE = {
    "CallExpr": "",
    "DeclClause": "",
    "LetClause": "let",
    "TestClause": "[[",
    "ArithmCmd": "((",
}
_COMPUTED = frozenset(["[[", "(("])
"""Statements that run nothing themselves; we report no command for them."""
_DECLARED = frozenset(["declare", "export", "let", "local", "nameref", "readonly", "typeset"])
_UNKNOWN = re.compile(r"[*?\[\]{}~\\!]")
_FUNCTION = re.compile(r"([^\s;&|(){}<>]+)\s*\(\s*\)|function\s+([^\s;&|(){}<>]+)")


class Simple(NamedTuple):
    """One simple command of the second grammar; a word that is not plain text is None."""

    start: int
    end: int
    words: tuple[str | None, ...]


def find_shfmt() -> str | None:
    """Return where the parser is: among the programs of this environment, else on the PATH."""
    beside = os.path.join(os.path.dirname(sys.executable), "shfmt")
    return beside if os.path.exists(beside) else shutil.which("shfmt")


def read(text: str) -> list[Simple] | None:
    """Return the simple commands of a text in order; None if the second grammar refuses it."""
    raw = text.encode()
    done = subprocess.run(
        [find_shfmt() or "shfmt", "-ln=bash", "--to-json"],
        input=raw,
        capture_output=True,
        timeout=SECONDS,
        check=False,
    )
    if done.returncode:
        return None
    found = [
        Simple(
            len(raw[: node["Pos"]["Offset"]].decode()),
            len(raw[: node["End"]["Offset"]].decode()),
            _words(node),
        )
        for node in _commands(json.loads(done.stdout))
    ]
    return sorted(found, key=lambda one: one[:2])


def is_accepted_by_bash(text: str) -> bool:
    done = subprocess.run(
        [shutil.which("bash") or "bash", "-O", "extglob", "-n", "-c", text],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=SECONDS,
        check=False,
        env={"LC_ALL": "C.UTF-8"},
    )
    return done.returncode == 0 and b"here-document" not in done.stderr


def _commands(tree: Any) -> Iterator[dict[str, Any]]:
    left = [tree]
    while left:
        node = left.pop()
        if isinstance(node, dict):
            kind = node.get("Type")
            if kind in _SIMPLE and (kind != "CallExpr" or node.get("Args")):
                yield node
            left += node.values()
        elif isinstance(node, list):
            left += node


def _words(node: dict[str, Any]) -> tuple[str | None, ...]:
    if node["Type"] == "CallExpr":
        return tuple(_text(word.get("Parts", ())) for word in node["Args"])
    return (node["Variant"]["Value"] if node["Type"] == "DeclClause" else _SIMPLE[node["Type"]],)


def _text(parts: Any) -> str | None:
    texts = [_part(part) for part in parts]
    return None if None in texts else "".join(filter(None, texts))


def _part(part: dict[str, Any]) -> str | None:
    kind, value = part["Type"], part.get("Value", "")
    if kind == "Lit":
        return None if _UNKNOWN.search(value) else value
    if kind == "SglQuoted":
        return None if part.get("Dollar") else value
    inside = part.get("Parts", ()) if kind == "DblQuoted" else [part]
    is_plain = all(one["Type"] == "Lit" and "\\" not in one["Value"] for one in inside)
    return "".join(one["Value"] for one in inside) if is_plain else None


def differences(text: str) -> list[str]:
    """Return where our reading of a text differs from the others'; nothing if neither of them accepts it."""
    script, theirs = parse(text), read(text)
    found: list[str] = []
    if script.problems and (theirs is not None or is_accepted_by_bash(text)):
        found.append(f"we cannot read it: {script.problems[0].kind}")
    return found + (compare(text, script, theirs) if theirs is not None else [])


def compare(text: str, script: Script, theirs: list[Simple]) -> list[str]:
    """Return the commands that only one of both has found, and those with other words."""
    functions = {name for pair in _FUNCTION.findall(text) for name in pair}
    found: list[str] = []
    for simple in theirs:
        name = simple.words[0]
        if name is None or name in functions or name in _COMPUTED:
            continue
        near = [one for one in script.commands if _overlap(one.span, simple)]
        same = [one for one in near if name in _names(one)]
        if not same:
            found.append(f"we do not find {name!r} at {simple.start}")
        elif not any(_has_words(one, simple) for one in same):
            ours = [[word.text for word in one.argv] for one in same]
            found.append(f"other words at {simple.start}: {ours}, not {list(simple.words)}")
    for command in script.commands:
        is_own = command.argv and not command.through and command.argv[0].text != "{"
        if is_own and not any(_overlap(command.span, simple) for simple in theirs):
            found.append(f"only we find {command.argv[0].text!r} at {command.span[0]}")
    return found


def _overlap(span: tuple[int, int], simple: Simple) -> bool:
    return span[0] < simple.end and simple.start < span[1]


def _names(command: Command) -> set[str]:
    """The names that a command or a wrapper of it may have in the text."""
    names = {one.split()[0] for one in command.through if one}
    if command.argv:
        names |= {command.argv[0].text, program_name(command.argv[0])}
    return names


def _has_words(command: Command, simple: Simple) -> bool:
    """Whether the words agree, as far as both know them; those of a wrapper are not compared."""
    if command.through or simple.words[0] in _DECLARED or None in simple.words:
        return True
    return tuple(word.text for word in command.argv) == simple.words


# end of module
