"""The words of a line as they are compared: a name in two commands is the same if it means the same thing.

Owns which words are known, by a variable too, and which names nothing can have had before the line. Does not
own what commands do (``gate.own.made_here``), nor in which case they run (``gate.own.line_order``). Pure.
"""

from __future__ import annotations

import os.path
import re

from operators_edge.gate.own.leading_variables import LEADS
from operators_edge.gate.own.throwaway_names import is_throwaway
from operators_edge.shell.commands import OWN_PATH, SOURCING
from operators_edge.shell.scope import EITHER, OWN_NUMBER
from operators_edge.text.patterns import compiled, found_in, found_in_file, pattern
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator, Sequence
    from typing import TypeVar

    from operators_edge.gate.invocation import Invocation
    from operators_edge.gate.paths import CallContext
    from operators_edge.shell.commands import Script, Word

    _Found = TypeVar("_Found")

NAME = r"[^-\s]\S*"
ONE = rf"(?P<name>{NAME})"
"""In patterns of commands: what something is called."""
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
_EMPTY = r"=(?:\"\"|'')?(?=[\s;]|$)"
"""A variable has no value yet: a trap that runs before it has one removes nothing by it."""
_LATER = ("trap", "function")
"""Steps to a command that say when it runs, not where."""
_UNSURE = frozenset(
    (
        *("@unknown", "alias", "enable", "eval", "hash", "ln"),
        *("mapfile", "mount", "mv", "read", "trap"),
    )
)
"""Programs that make a name mean something else, or put in place what the line has not made."""
_SIGNALS = frozenset(
    f"{sig}{name}" for sig in ("", "SIG") for name in ("0", "EXIT", "INT", "TERM", "HUP", "QUIT")
)
"""Those after which a shell ends; what a trap for them runs is judged as the end of the line."""
_SETS = frozenset(("export", "declare", "typeset", "local", "readonly", "let"))
_RENAMES = (
    r"(?i)\b(?:rename|update-ref|symbolic-ref|printf\s+-v)\b"
    r"|\bbranch\s+(?:-\S+\s+)*(?:-\w*[mc]|--move|--copy)|\bcontext\s+(?:use|update|import)\b"
)
"""What has been made may get another name, and something else its name; or another machine is meant."""


class Line(NamedTuple):
    """A text, what it is read as, and its commands in order."""

    text: str
    script: Script
    invs: Sequence[Invocation]
    context: CallContext


def each_before(
    line: Line, at: int, key: Hashable, find: Callable[[int], _Found | None]
) -> Iterator[tuple[int, _Found]]:
    """Yield what is found of the commands before one, with their numbers; each is looked at once.

    ``key`` says what is looked for.
    """
    noted = line.context.noted.setdefault((line.text, len(line.invs), key), [])
    noted += [find(each) for each in range(len(noted), at)]
    for each in range(at):
        found = noted[each]
        if found is not None:
            yield each, found


def makers(pattern: str, line: Line, at: int) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield the groups of a pattern in the words of each command before one."""
    return each_before(line, at, pattern, lambda each: matched(pattern, line.invs[each], line))


def matched(pattern: str, inv: Invocation, line: Line) -> dict[str, str] | None:
    """The groups of a pattern in the words of a command; None if it has another form, or unknown words."""
    command = inv.command
    is_one_of = EITHER in command.through
    if command.has_more_words or is_one_of or inv.is_help() or inv.is_dry_run():
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
    if word.is_known and (word.text or not is_in_trap):
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
    if len(re.findall(rf"(?<![\w$])(?<!\$\{{){name}\b(?!{_EMPTY})", text)) != 1:
        return None  # it may be changed
    if re.search(rf"\$\{{{name}:?=", text):
        return None  # `${c:=a}` sets it, too
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


def count_before(line: Line, at: int) -> int:
    """How many commands run before one: all, if a trap runs it."""
    is_at_end = at < len(line.invs) and "trap" in line.invs[at].command.through
    return len(line.invs) if is_at_end else at


def is_unsure(line: Line, at: int) -> bool:
    """Whether a name may mean another program, server or thing than it seems to."""
    of_all = each_before(
        line, 1, ("unsure", line.context.code), lambda _: _is_unsure_text(line) or None
    )
    before = each_before(
        line, count_before(line, at), "unsure", lambda each: _makes_unsure(line, each)
    )
    return any(True for _ in of_all) or any(True for _ in before)


def _is_unsure_text(line: Line) -> bool:
    return any(LEADS.fullmatch(name) or name == "IFS" for name, _ in line.script.variables) or any(
        found_in_file(_RENAMES, one) for one in (line.text, line.context.code)
    )


def _makes_unsure(line: Line, at: int) -> bool | None:
    """Whether what follows a command may mean something else than it seems to; None if not."""
    inv = line.invs[at]
    is_unsure_program = inv.program in _UNSURE and not (_waits_for_end(inv) or _reads_known(inv))
    sets_unknown = inv.program in _SETS and not _sets_known(inv)
    return is_unsure_program or sets_unknown or _may_load(line, inv) or None


def _may_load(line: Line, inv: Invocation) -> bool:
    """Whether a command sources a file that may do more than define what is known."""
    words, cwd, context = inv.command.argv, inv.command.cwd, line.context
    if not any(word.text in SOURCING for word in words[:1]):
        return False
    if len(words) != 2 or not words[1].is_known or cwd is None or inv.command.is_remote:
        return True
    place = os.path.normpath(os.path.join(cwd, words[1].text))
    return context.resolve(place, context.cwd) not in context.sourced


def _waits_for_end(inv: Invocation) -> bool:
    signals = [word.text for word in inv.command.argv[2:] if word.is_known]
    return inv.program == "trap" and bool(signals) and _SIGNALS.issuperset(signals)


def _reads_known(inv: Invocation) -> bool:
    """Whether it is ``read`` into variables that lead no program anywhere."""
    words = [word.text for word in inv.command.argv[1:]]
    names = [one for one in words if one != "-r"]
    return inv.program == "read" and all(
        re.fullmatch(r"[A-Za-z_]\w*", one) and not LEADS.fullmatch(one) and one != "IFS"
        for one in names
    )


def _sets_known(inv: Invocation) -> bool:
    return all(re.match(r"-|[A-Za-z_]\w*(=|$)", word.text) for word in inv.command.argv[1:])


def is_same_place(maker: Invocation, remover: Invocation) -> bool:
    """Whether both act on the same server or folder, whenever they run."""
    first, second = maker.command, remover.command
    through = first.through[:-1] if first.through[-1:] == ("$(…)",) else first.through
    given, removed = ([(name, word.text) for name, word in one.assigns] for one in (first, second))
    if not all(word.is_known for _, word in first.assigns):
        return False
    through, other = (
        tuple(one for one in steps if one not in _LATER) for steps in (through, second.through)
    )
    return (through, given, first.is_remote, first.cwd) == (
        *(other, removed, second.is_remote),
        second.cwd if remover.program == "git" else first.cwd,
    )


# end of module
