"""The commands of a target that run one after the other, as one text: what one has made, the next may use.

make, just and Task run each line of a target in a shell of its own, and stop at the first that fails. So
``docker run --name t …`` and, on the next line, ``docker rm -f t`` are as ``docker run … && docker rm …``.

Owns which lines are joined: those of one target, if one of them makes something, and nothing says that a
failure does not count. Pure. Does not own what a line has made (``gate.own.made_here``).
"""

from __future__ import annotations

import re

from operators_edge.gate.disk.recipe_types import Recipe
from operators_edge.text.patterns import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_MAKES = pattern(
    r"\b(?:docker|podman)(?: container)? (?:run|create|build|volume create|network create)\b"
    r"|\bcompose\b.*\b(?:up|create)\b|\b(?:createdb|redis-server|valkey-server|mysqladmin)\b"
    r"|\b(?:kind create|k3d cluster create|minikube start)\b"
)
_PREFIX = {
    # how a line of a target begins whose failure ends the run
    "make": pattern(r"\t[ \t]*@?[ \t]*(?![-+@ \t])"),
    "just": pattern(r"[ \t]+@?(?![-@ \t])"),
    "taskfile": pattern(
        r"[ \t]+-[ \t]+(?:(?P<defer>defer:)[ \t]+(?=[^\s{'\"|>])|(?![ \t]|(?:defer|cmd|task|for)\b))"
    ),
}
_GOES_ON = {
    "make": pattern(
        r"\.(?:IGNORE|ONESHELL|POSIX|SHELLFLAGS)\b|MAKEFLAGS\b|(?<![\w.])SHELL[ \t]*[:+?!]*="
        r"|\bdefine[ \t]+SHELL\b"
    ),
    "just": pattern(r"(?m)^set\b.*\bshell|^[ \t]*#!|^(?:import|mod)\b"),
    "taskfile": pattern(r"\bignore_error\b|\bset:|\bshopt:"),
}
"""What has a run go on after a failure, or run its lines in another way."""
_WORDS = pattern(
    r"-\w*[ikjnEe]\w*|--(?:i|k|j|e|sh|cl|force|cont)[\s\S]*"
    r"|(?:(?:GNU)?MAKEFLAGS|SHELL|\.\w+)[ \t]*[:+?!]*=[\s\S]*"
)
_SIMPLE = pattern(
    r"(?!(?:cd|export|set|unset|trap|eval|source|alias|exec|exit|return|pushd|popd|local|declare|read)\b)"
    r"(?!\.[ ]|\w+=|[({!])"
    r"[^;&|\n#`(){}<>]+(?:[12]?>(?:&[12]|[ ]*/dev/null)[ ]*)*"
    r"|(?:until|while)[ ][^;\n#]*;[ ]*do[ ][^;\n#]*;[ ]*done"
)
_NEVER = pattern(r"<<|#|\n|\\$|&\s*$")
"""What cannot be put between brackets on one line."""


_FROM_VARIABLE = pattern(r"[ \t]*@?[ \t]*\$[({]?(?P<name>\w+)")


def _is_named(line: str, text: str, words: Sequence[str]) -> bool:
    """Whether a line begins with a program: a variable may hold the sign of one whose failure is nothing."""
    held = _FROM_VARIABLE.match(line)
    if held is None:
        return "$" not in line.strip()[:2]
    name = held["name"]
    values = re.findall(rf"(?m)\b{name}[ \t]*[:+?!]*=[ \t]*(.?)", text)
    is_set = any(one.startswith(f"{name}=") for one in words) or f"define {name}" in text
    is_plain = bool(values) and all(one.isalnum() or one in "./" for one in values)
    return name == "MAKE" or (is_plain and not is_set)


def joined(kind: str, text: str, runs: Sequence[Recipe], words: Sequence[str]) -> list[Recipe]:
    """Return the recipes with those in one that follow each other; ``words`` are the command's."""
    begins, goes_on = _PREFIX.get(kind), _GOES_ON.get(kind)
    if begins is None or goes_on is None or not any(_MAKES.search(one.text) for one in runs):
        return list(runs)
    if goes_on.search(text) or any(map(_WORDS.fullmatch, words[1:])):
        return list(runs)
    lines = text.split("\n")
    found: list[list[Recipe]] = []
    is_after_step = False
    for one in dict.fromkeys(runs):
        is_step = (
            0 < one.line <= len(lines)
            and begins.match(lines[one.line - 1]) is not None
            and _is_named(lines[one.line - 1], text, words)
            and not _NEVER.search(one.text)
        )
        follows = is_step and is_after_step and found[-1][-1].line == one.line - 1
        is_after_step = is_step
        if follows and not _NEVER.search(found[-1][-1].text):
            found[-1].append(one)
        else:
            found.append([one])
    return [one for group in found for one in _as_one(group, begins, lines)]


def _as_one(group: Sequence[Recipe], begins: re.Pattern[str], lines: Sequence[str]) -> list[Recipe]:
    is_step = begins.match(lines[group[0].line - 1]) if 0 < group[0].line <= len(lines) else None
    if len(group) == 1 or is_step is None or not any(_MAKES.search(one.text) for one in group):
        return list(group)
    # What is deferred runs after the others, the last one first; if one of those behind it fails, too.
    is_late = [_is_deferred(begins, lines[one.line - 1]) for one in group]
    first = is_late.index(True) if any(is_late) else len(group)
    if any(_MAKES.search(one.text) for one in group[first:]):
        return list(group)
    texts = [one.text.strip() for one, late in zip(group, is_late, strict=True) if not late]
    later = [one.text.strip() for one, late in zip(group, is_late, strict=True) if late]
    texts += reversed(later)
    steps = [one if _SIMPLE.fullmatch(one) else f"({one})" for one in texts]
    return [Recipe(" &&\n".join(steps), group[0].line)]


def _is_deferred(begins: re.Pattern[str], line: str) -> bool:
    begun = begins.match(line)
    return begun is not None and bool(begun.groupdict().get("defer"))


# end of module
