"""The words of a line as they are compared: a name in two commands is the same if it means the same thing.

Owns which words are known, by a variable too, and which names nothing can have had before the line. Does not
own what commands do (``gate.own.made_here``), nor in which case they run (``gate.own.line_order``). Pure.
"""

from __future__ import annotations

import re

from operators_edge.gate.own.throwaway_names import is_throwaway
from operators_edge.shell.commands import OWN_PATH
from operators_edge.shell.scope import OWN_NUMBER
from operators_edge.text.patterns import compiled, found_in, pattern
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from operators_edge.gate.invocation import Invocation
    from operators_edge.gate.paths import CallContext
    from operators_edge.shell.commands import Script, Word

NAME = r"[^-\s]\S*"
ONE = rf"(?P<name>{NAME})"
"""In patterns of commands: what something is called."""
MOVED_BY = pattern(
    r"PATH|GIT_\w+|(?:DOCKER|CONTAINER|COMPOSE)_(?!(?:PROJECT_NAME|FILE)$)\w+|PG(HOST|PORT|SERVICE\w*)"
)
"""Variables that lead a program to another place than its words say."""
_SINGLE = pattern(
    r"\"?(?P<before>[\w.=/-]*)\$(?:(?P<name>\w+)|\{(?P<braced>\w+)\})(?P<after>[\w.-]*)\"?"
)
_TEXT_OF_TRAP = pattern(r"['\"]([^`*?\[\]~()!#<\\]*)['\"]")
"""One in which nothing but a variable has a value that is not known before."""
_RANDOM = (
    r"[\"']?[\w.-]*(?:\$\{?RANDOM\}?"
    r"|\$\((?:date \+%s\w*|uuidgen|openssl rand -hex \d+|mktemp -u\b[^()|;&\n]*)\))"
    r"[\w.-]*[\"']?(?=[\s;&)]|$)"
)
"""What no other name contains: a variable with such a value names what the line makes."""
_NEW_ID = (
    r"\"?\$\((?:docker|podman)(?: volume create|(?: container)?"
    r" (?:create|run(?: --rm| -[itP]+| (?:-[ep]|--name|--env|--publish)[= ][^\s()|;&]+)*"
    r" (?:-[it]*d[it]*|--detach))"
    r" [^()|;&\n]*)\)"
)
"""The id of a new container, or the name of a new volume."""
_LATER = ("trap", "function")
"""Steps to a command that say when it runs, not where."""


class Line(NamedTuple):
    """A text, what it is read as, and its commands in order."""

    text: str
    script: Script
    invs: Sequence[Invocation]
    context: CallContext


def matched(pattern: str, inv: Invocation, line: Line) -> dict[str, str] | None:
    """The groups of a pattern in the words of a command; None if it has another form, or unknown words."""
    command = inv.command
    if command.has_more_words or inv.is_help() or inv.is_dry_run():
        return None
    is_in_trap = "trap" in command.through
    words = [name_of(word, line.text, is_in_trap=is_in_trap) for word in command.argv]
    if None in words:
        return None
    text = " ".join(map(str, words))
    if is_compose(inv) and (given := _compose_options(inv, line)):
        text = re.sub(r"^(docker compose|docker-compose)\b", rf"\1{given}", text)
    match = compiled(rf"(?:{pattern})$").match(text)
    return match and {key: value or "" for key, value in match.groupdict().items()}


def is_compose(inv: Invocation) -> bool:
    return "compose" in " ".join(word.text for word in inv.command.argv[:2])


def _compose_options(inv: Invocation, line: Line) -> str:
    """The options that variables and files stand for: a project's name, and its files without others."""
    project, files = set_for(inv, "COMPOSE_PROJECT_NAME"), set_for(inv, "COMPOSE_FILE").split(":")
    words = {word.text for word in inv.command.argv}
    named = [] if words & {"-f", "--file"} else [f" -f {one}" for one in files if one]
    others = {name for name, _ in line.script.variables} | inv.command.environment.keys()
    if not project and not any(name.startswith("COMPOSE_") for name in others):
        from operators_edge.gate.own import compose_projects  # noqa: PLC0415 - few lines have one

        project = compose_projects.name_in_files(inv, line.context, files)
    return "".join(named) + (f" -p {project}" if project else "")


def set_for(inv: Invocation, name: str) -> str:
    """The value of a variable that a command certainly gets from the line; "" if that is not known."""
    value = inv.command.environment.get(name, "")
    return value if re.fullmatch(r"[\w./:-]+", value) else ""


def name_of(word: Word, text: str, *, is_in_trap: bool = False) -> str | None:
    """A word as it is compared: its text, or the variable in it that names something new; None if unknown."""
    if word.is_known:
        return re.sub(r"\s", "_", word.text)
    source = text[slice(*word.span)]
    if is_in_trap and (
        quoted := _TEXT_OF_TRAP.fullmatch(source)
    ):  # its words have the place of all
        source = " ".join(part for part in quoted[1].split() if "$" in part)
    found = _SINGLE.fullmatch(source)
    if found is None:
        return None
    name = found["name"] or found["braced"]
    if len(re.findall(rf"(?<![\w$])(?<!\$\{{){name}\b", text)) != 1:
        return None  # it may be changed
    is_new = found_in(
        rf"(?<![\w$]){name}=(?:{_RANDOM}|{_NEW_ID})", re.sub(r"\s*\\\n\s*", " ", text)
    )
    return f"{found['before']}${name}{found['after']}" if is_new else None


def is_free_name(name: str, *, is_work: bool = False) -> bool:
    """Whether nothing can have had that name before the line, or nothing but what is there for a test.

    What is a person's ``work``, as the commits of a branch, may have such a name, too.
    """
    is_new = "$" in name or OWN_NUMBER in name or OWN_PATH in name
    return is_new or (not is_work and is_throwaway(name))


def assigned_name(line: Line, at: int) -> str:
    """The variable that gets what a command prints: ``id=$(docker run …)``; "" for none."""
    found = re.search(r"(\w+)=\"?\$\(\s*$", line.text[: line.invs[at].command.span[0]])
    return f"${found[1]}" if found else ""


def commands_before(line: Line, at: int) -> Sequence[Invocation]:
    """What runs before a command: all others, if a trap runs it."""
    return line.invs if "trap" in line.invs[at].command.through else line.invs[:at]


def is_same_place(maker: Invocation, remover: Invocation, *, is_free: bool = False) -> bool:
    """Whether both act on the same server or folder; when they run counts, too, unless the name is free."""
    first, second = maker.command, remover.command
    through = first.through[:-1] if first.through[-1:] == ("$(…)",) else first.through
    given, removed = ([(name, word.text) for name, word in one.assigns] for one in (first, second))
    if not all(word.is_known for _, word in first.assigns):
        return False
    other = second.through
    if is_free:
        through, other = (
            tuple(one for one in steps if one not in _LATER) for steps in (through, other)
        )
    return (through, given, first.is_remote, first.cwd) == (
        *(other, removed, second.is_remote),
        second.cwd if remover.program == "git" else first.cwd,
    )


# end of module
