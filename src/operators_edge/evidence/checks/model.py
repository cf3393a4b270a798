"""One check of a command line: its shape, and how it is found.

Owns ``Check`` and ``Outcome``, and what a project itself calls a check. Does not own the reading of words
(``evidence.checks.detect``), of the line (``evidence.checks.attribution``) or of outputs
(``evidence.checks.outcome``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from operators_edge.evidence.checks import detect
from operators_edge.evidence.checks.attribution import Line, Place, peeled
from operators_edge.evidence.checks.runner_patterns import KIND_READERS
from operators_edge.shell.evaluate import parse

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from operators_edge.shell.commands import Command, Script

_NOWHERE = Place(passes=False, fails=False, view="")
_SHELLS = frozenset({"sh", "bash", "zsh", "dash"})


class Check(NamedTuple):
    """One check of a command line.

    ``scope``: the paths and selectors named on it; empty is the whole project. ``cwd``: where it works,
    relative to the call's folder, None when unknown. ``is_remote``: on another machine or in a container.
    ``readers``: whose summaries it may print. ``rewrites``: it takes its results for the right ones, so
    passing tells nothing. ``needs_summary``: its exit code alone tells nothing. ``is_alone``: nothing else
    runs.
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
    """``passed`` is None where it cannot be told; ``has_run`` is False where it certainly did not run."""

    passed: bool | None
    counts: dict[str, int] | None = None
    has_run: bool = True


class TestRun:
    """The last test run of a line, for an entry that was written without its outcome."""

    __slots__ = ("check", "runner")

    def __init__(self, check: Check) -> None:
        self.check = check
        self.runner = check.name

    def outcome(self, *, is_success: bool) -> bool | None:
        """Whether the tests passed; None where the command's success says more than that."""
        place = self.check.place
        if not place.is_judged or self.check.needs_summary:
            return None
        if is_success:
            return True if place.passes and not self.check.rewrites else None
        return False if place.fails else None


def checks_of(text: str, custom: Sequence[str]) -> tuple[Check, ...]:
    """The checks of a command line, in its order; ``custom`` are the commands the project calls so."""
    text = peeled(text)
    script = parse(text)
    line = Line(text, script)
    found: dict[tuple[object, ...], Check] = {}
    # What a project's own check runs inside is part of it.
    own = {one.span for one in script.commands if _custom(one, custom) is not None}
    for command in script.commands:
        given = _custom(command, custom)
        if given is None and command.span in own:
            continue
        for each in _of(command) if given is None else [given]:
            key = (command.span, each.kind, each.name.rsplit("/", 1)[-1], each.scope)
            is_alone = _is_alone(script, command)
            found.setdefault(key, each._replace(place=line.place(command), is_alone=is_alone))
    return tuple(found.values())


def _is_alone(script: Script, command: Command) -> bool:
    return all(
        one.span == command.span or not one.argv or one.argv[0].text == "cd"
        for one in script.commands
    )


def _of(command: Command) -> Iterator[Check]:
    """The checks that one command is."""
    for one in detect.checks_of_command(command):
        yield Check(
            one.kind,
            one.name,
            scope=one.scope,
            cwd=_joined(command.cwd, one.folder),
            is_remote=command.is_remote,
            readers=tuple((one.reads or KIND_READERS[one.kind]).split()),
            rewrites=one.rewrites,
            needs_summary=one.needs_summary,
        )


def _joined(cwd: str | None, folder: str) -> str | None:
    if cwd is None or not folder:
        return cwd
    return f"{cwd}/{folder}" if cwd and not folder.startswith("/") else folder


def _custom(command: Command, custom: Sequence[str]) -> Check | None:
    """The configured check that the command is; what is added to it narrows it.

    It judges the project also where it runs in a container: that is the project's own word.
    """
    given = [word.text for word in command.argv]
    if len(given) > 1 and given[0].rsplit("/", 1)[-1] in _SHELLS:
        given = given[1:]
    for text in custom:
        wanted = text.split()
        if len(given) < len(wanted) or given[1 : len(wanted)] != wanted[1:]:
            continue
        if given[0].removeprefix("./") == wanted[0].removeprefix("./"):
            known = next(_of(command), None)
            kind, readers = (known.kind, known.readers) if known else ("custom", ())
            scope = tuple(given[len(wanted) :])
            return Check(kind, text, scope=scope, cwd=command.cwd or "", readers=readers)
    return None
