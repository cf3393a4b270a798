"""The commands of a target that run one after the other, as one text: what one has made, the next may use.

make, just and Task run each line of a target in a shell of its own, and stop at the first that fails. So
``docker run --name t …`` and, on the next line, ``docker rm -f t`` are as ``docker run … && docker rm …``;
the same holds of the targets that one needs, and of what npm runs before a script.

Owns which lines are joined: those of one target, or of several that surely run one after the other, if one
of them makes something, and nothing says that a failure does not count; and which of them the run waits for.
Pure. Does not own the order of a run (the formats), nor what a line has made (``gate.own.made_here``).
"""

from __future__ import annotations

import re

from operators_edge.gate.own.leading_variables import NAMED_BY_TASKS
from operators_edge.text.patterns import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from operators_edge.gate.disk.recipe_types import Recipe

_MAKES = pattern(
    r"\b(?:docker|podman)(?: container)? (?:run|create|build|volume create|network create)\b"
    r"|\bcompose\b.*\b(?:up|create)\b|\b(?:createdb|redis-server|valkey-server|mysqladmin)\b"
    r"|\b(?:kind create|k3d cluster create|minikube start)\b"
)
_RUNS_FILE = pattern(
    r"(?:^|&&[ ]*|;[ ]*)(?:\S*/\S|make\b|\$[({]MAKE[)}]|(?:ba|da|z)?sh[ ]|(?:npm|pnpm|yarn|bun|just|task)[ ])"
)
_REACHES = pattern(
    r"\b(?:psql|dropdb|mysql|mariadb|redis-cli|valkey-cli|mongo\w*|alembic|\w*migrat\w*|prisma|rails|rake|knex"
    r"|flyway|(?:docker|podman|compose) exec)\b"
)
"""What works on a server, which a file that is run before may have started."""
_PREFIX = {
    # how a line of a target begins whose failure ends the run
    "make": pattern(r"\t[ \t]*@?[ \t]*(?![-+@ \t])"),
    "just": pattern(r"[ \t]+@?(?![-@ \t])"),
    "taskfile": pattern(
        r"[ \t]+-[ \t]+(?:(?P<defer>defer:)[ \t]+(?=[^\s{'\"|>])|(?![ \t]|(?:defer|cmd|task|for)\b))"
    ),
    "package-scripts": pattern(r""),
}
_GOES_ON = {
    "make": pattern(
        r"\.(?:IGNORE|ONESHELL|POSIX|SHELLFLAGS)\b|MAKEFLAGS\b|(?<![\w.])SHELL[ \t]*[:+?!]*="
        r"|\bdefine[ \t]+SHELL\b"
    ),
    "just": pattern(r"(?m)^set\b.*\bshell|^[ \t]*#!|^(?:import|mod)\b"),
    "taskfile": pattern(r"\bignore_error\b|\bset:|\bshopt:"),
    "package-scripts": pattern(r"(?!)"),
}
"""What has a run go on after a failure, or run its lines in another way."""
_GIVES_VARIABLES = pattern(
    r"(?m)^[ \t]*-?s?include\b|^[^\t#\n]*\bexport\b|^\.EXPORT_ALL|\bdotenv\b|^[ \t]*env:"
)
"""What may give a run variables that are not named in the file."""
_WORDS = pattern(
    r"-\w*[ikjnEeotqWp]\w*|--(?:i|k|j|e|sh|cl|force|cont|old|assume|touch|question|no-d|dry|par|status|if)[\s\S]*"
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


def makes_something(text: str) -> bool:
    return _MAKES.search(text) is not None


def joined(kind: str, text: str, runs: Sequence[Recipe], words: Sequence[str]) -> list[Recipe]:
    """Return the recipes with those in one that follow each other; ``words`` are the command's."""
    begins, goes_on = _PREFIX.get(kind), _GOES_ON.get(kind)
    if begins is None or goes_on is None:
        return list(runs)
    named = (text, *words[1:])
    is_led = any(one.search(each) for one in (NAMED_BY_TASKS, _GIVES_VARIABLES) for each in named)
    if is_led or goes_on.search(text) or any(map(_WORDS.fullmatch, words[1:])):
        return [one._replace(is_sure=False) for one in runs]
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
        one = one._replace(is_sure=one.is_sure and is_step)  # noqa: PLW2901 - as it is known now
        last = found[-1][-1] if found else one
        is_below = last.line == one.line - 1 and kind != "package-scripts"
        is_next = is_below or (last.is_sure and one.is_sure)
        is_next &= last.environment == one.environment
        follows = is_step and is_after_step and is_next
        is_after_step = is_step
        if follows and not _NEVER.search(last.text):
            found[-1].append(one)
        else:
            found.append([one])
    return [one for group in found for one in _as_one(group, begins, lines)]


_CHANGES = pattern(
    r"(?:^|[\s;&|(])(?:cp|mv|ln|install|tee|g?sed[ ]+-\w*i|rsync|curl|wget|git[ ]+checkout)[ ]"
    r"|>>?[ ]*(?!/dev/)[\w.\"'$/~]"
)
"""What puts another file in the place of one."""
_TAKES = pattern(
    r"(?:^|[\s;&|(])(?:(?:\.|source|\w*sh|python3?|node|ruby|perl|make|\$[({]MAKE[)}])[ ]|\.?/\S)"
    r"|\benv-file\b|\b(?:dotenvx?|env-cmd|direnv)\b"
)
"""What runs a file, or has settings from one."""
_MAX_JOINED = 30


def after_changes(runs: Sequence[Recipe]) -> list[Recipe]:
    """The recipes behind the first that changes a file which one of them may then take, as one text.

    Whether they run so is not sure: what is found in it counts besides what is found in each of them.
    """
    plain = [one for one in dict.fromkeys(runs) if not one.numbers]
    first = next((at for at, one in enumerate(plain) if _CHANGES.search(one.text)), len(plain))
    last = max((at for at, one in enumerate(plain) if _TAKES.search(one.text)), default=-1)
    chosen = plain[first : last + 1][:_MAX_JOINED]
    if len(chosen) < 2 or any(one.text.count("\n") or _NEVER.search(one.text) for one in chosen):
        return []
    whole = "\n".join(f"({one.text.strip()})" for one in chosen)
    return [
        chosen[-1]._replace(text=whole, numbers=tuple(one.line for one in chosen), is_sure=False)
    ]


def _as_one(group: Sequence[Recipe], begins: re.Pattern[str], lines: Sequence[str]) -> list[Recipe]:
    is_run = any(_RUNS_FILE.search(one.text.strip()) for one in group)
    is_run = is_run and any(_REACHES.search(one.text) for one in group)
    # What is deferred runs after the others, the last one first; if one of those behind it fails, too.
    is_late = [_is_deferred(begins, lines[one.line - 1 : one.line]) for one in group]
    first = is_late.index(True) if any(is_late) else len(group)
    makes_late = any(
        makes_something(one.text) or _RUNS_FILE.search(one.text.strip()) for one in group[first:]
    )
    makes = any(makes_something(one.text) for one in group)
    if len(group) == 1 or makes_late or not (is_run or makes):
        return [one._replace(is_awaited=one.is_sure) for one in group]
    ordered = [one for one, late in zip(group, is_late, strict=True) if not late]
    ordered += [one for one, late in zip(group[::-1], is_late[::-1], strict=True) if late]
    texts = [one.text.strip() for one in ordered]
    steps = [one if _SIMPLE.fullmatch(one) else f"({one})" for one in texts]
    is_awaited = all(one.is_sure for one in group)
    numbers = tuple(one.line for one in ordered)
    whole = group[0]._replace(text=" &&\n".join(steps), numbers=numbers, is_awaited=is_awaited)
    return [whole._replace(is_sure=False)]


def _is_deferred(begins: re.Pattern[str], lines: Sequence[str]) -> bool:
    begun = [begins.match(line) for line in lines]
    return any(one is not None and bool(one.groupdict().get("defer")) for one in begun)


# end of module
