"""The checks of a command line: their shape, and how they are found.

Owns ``Check`` and ``Outcome``, and how a configured check is matched. Does not own the words of a command
(``evidence.checks.programs``), the line around it (``evidence.checks.attribution``) or outputs
(``evidence.checks.outcome``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from operators_edge.evidence.checks import programs
from operators_edge.evidence.checks.attribution import Line, Place, unwrapped
from operators_edge.evidence.checks.runner_patterns import KIND_READERS
from operators_edge.shell.evaluate import parse

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from operators_edge.shell.commands import Command, Script

_NOWHERE = Place(passes=False, fails=False, view="")
_SHELLS = frozenset({"sh", "bash", "zsh", "dash"})


class Check(NamedTuple):
    """One check of a command line.

    ``scope``: the paths and selectors named; empty for the whole project. ``cwd``: its folder, relative to
    the call's, None if unknown. ``is_remote``: on another machine or in a container. ``readers``: whose
    summaries it may print. ``rewrites``: it accepts its own results, so a pass means nothing.
    ``needs_summary``: its exit code alone means nothing. ``is_alone``: nothing else runs in the line.
    """

    kind: str
    name: str
    place: Place = _NOWHERE
    scope: tuple[str, ...] = ()
    cwd: str | None = ""
    is_remote: bool = False
    readers: tuple[str, ...] = ()
    rewrites: bool = False
    needs_summary: bool = False
    is_alone: bool = True


class Outcome(NamedTuple):
    """``passed`` is None if it is unknown; ``has_run`` is False if the check certainly did not run."""

    passed: bool | None
    counts: dict[str, int] | None = None
    has_run: bool = True


def checks_of(text: str, custom: Sequence[str]) -> tuple[Check, ...]:
    """As ``detect.checks_of``, of a text that may hold a check."""
    text = unwrapped(text)
    script = parse(text)
    line = Line(text, script)
    found: dict[tuple[object, ...], Check] = {}
    # What a configured check runs inside is part of it.
    configured = {each.span for each in script.commands if _configured(each, custom) is not None}
    for command in script.commands:
        check = _configured(command, custom)
        if check is None and command.span in configured:
            continue
        for each in _recognised(command) if check is None else [check]:
            key = (command.span, each.kind, each.name.rsplit("/", 1)[-1], each.scope)
            is_alone = _is_alone(script, command)
            found.setdefault(key, each._replace(place=line.place(command), is_alone=is_alone))
    return tuple(found.values())


def _is_alone(script: Script, command: Command) -> bool:
    return all(
        each.span == command.span or not each.argv or each.argv[0].text == "cd"
        for each in script.commands
    )


def _recognised(command: Command) -> Iterator[Check]:
    """The checks of one command, by the table."""
    for one in programs.checks_of_command(command):
        yield Check(
            one.kind,
            one.name,
            scope=one.scope,
            cwd=_join(command.cwd, one.folder),
            is_remote=command.is_remote,
            readers=tuple((one.reads or KIND_READERS[one.kind]).split()),
            rewrites=one.rewrites,
            needs_summary=one.needs_summary,
        )


def _join(cwd: str | None, folder: str) -> str | None:
    if cwd is None or not folder:
        return cwd
    return f"{cwd}/{folder}" if cwd and not folder.startswith("/") else folder


def _configured(command: Command, custom: Sequence[str]) -> Check | None:
    """The configured check that the command runs; further arguments narrow it.

    It judges the project even in a container, because the project's configuration says so.
    """
    words = [word.text for word in command.argv]
    if len(words) > 1 and words[0].rsplit("/", 1)[-1] in _SHELLS:
        words = words[1:]
    for text in custom:
        expected = text.split()
        if len(words) < len(expected) or words[1 : len(expected)] != expected[1:]:
            continue
        if words[0].removeprefix("./") == expected[0].removeprefix("./"):
            known = next(_recognised(command), None)
            kind, readers = (known.kind, known.readers) if known else ("custom", ())
            scope = tuple(words[len(expected) :])
            return Check(kind, text, scope=scope, cwd=command.cwd or "", readers=readers)
    return None
