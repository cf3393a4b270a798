"""Which commands judge the work, and what their outcome tells of it (PR-4, PR-5).

Pure. A *check* is a command that judges: its tests, its style, its types, its form, whether it builds. A
text that only names one is none, and an outcome that something else shares in is unknown. Owns what a line's
checks are and how each ended. Does not own where the log keeps that (``checking``) or what follows from it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

from operators_edge.core.checks.first_look import may_judge

if TYPE_CHECKING:
    from collections.abc import Sequence

    from operators_edge.core.checks.lines import Place
    from operators_edge.core.shell import Command

KINDS = ("test", "lint", "types", "format", "build", "custom")


class Check(NamedTuple):
    """One check of a command line.

    ``scope``: the paths and selectors named on it; empty is the whole project. ``cwd``: where it works,
    relative to the call's folder, None when unknown. ``is_remote``: on another machine or in a container.
    ``rewrites``: it takes its results for the right ones, so passing tells nothing.
    """

    kind: str
    name: str
    place: Place
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


# -- recognising ---------------------------------------------------------------------------------


def of_command(text: str, custom: Sequence[str] = ()) -> tuple[Check, ...]:
    """The checks of a command line, in its order; ``custom`` are the commands the project calls so."""
    if not may_judge(text, custom):
        return ()
    from operators_edge.core import shell  # noqa: PLC0415 - the parser, for these commands alone
    from operators_edge.core.checks.lines import Line, peeled  # noqa: PLC0415

    text = peeled(text)
    script = shell.parse(text)
    line = Line(text, script)
    found: list[Check] = []
    seen: set[tuple[object, ...]] = set()
    # What a project's own check runs inside is part of it.
    own = {one.span for one in script.commands if _custom([word.text for word in one.argv], custom)}
    for command in script.commands:
        if command.span in own and not _custom([word.text for word in command.argv], custom):
            continue
        for each in _checks_of(command, custom):
            key = (command.span, each.kind, each.name.rsplit("/", 1)[-1], each.scope)
            if key not in seen:
                seen.add(key)
                found.append(
                    each._replace(place=line.place(command), is_alone=_is_alone(script, command))
                )
    return tuple(found)


def _is_alone(script: Any, command: Command) -> bool:
    return all(
        one.span == command.span or not one.argv or one.argv[0].text == "cd"
        for one in script.commands
    )


def _checks_of(command: Command, custom: Sequence[str]) -> tuple[Check, ...]:
    from operators_edge.core.checks.lines import Place  # noqa: PLC0415 - see of_command
    from operators_edge.core.checks.recognise import checks_of  # noqa: PLC0415
    from operators_edge.core.checks.wordings import KIND_READERS  # noqa: PLC0415

    words = [word.text for word in command.argv]
    assigns = {name: word.text for name, word in command.assigns}
    nowhere = Place(passes=False, fails=False, view="")
    named = _custom(words, custom)
    if named is not None:
        # A project's own word on what judges it: also where that runs in a container.
        name, scope = named
        known = checks_of(words, assigns, has_more=command.has_more_words)
        kind = known[0].kind if known else "custom"
        readers = tuple((known[0].reads or KIND_READERS[kind]).split()) if known else ()
        return (Check(kind, name, nowhere, scope, command.cwd or "", readers=readers),)
    made = []
    for one in checks_of(words, assigns, has_more=command.has_more_words):
        cwd = command.cwd
        if one.folder:
            cwd = (
                None
                if cwd is None
                else f"{cwd}/{one.folder}"
                if cwd and one.folder[0] != "/"
                else one.folder
            )
        readers = tuple((one.reads or KIND_READERS[one.kind]).split())
        made.append(
            Check(
                one.kind,
                one.name,
                nowhere,
                one.scope,
                cwd,
                command.is_remote,
                readers,
                one.rewrites,
                one.needs_summary,
            )
        )
    return tuple(made)


def _custom(words: Sequence[str], custom: Sequence[str]) -> tuple[str, tuple[str, ...]] | None:
    """The configured command that the words are, and what is added to it."""
    if not words or not custom:
        return None
    given = list(words)
    if len(given) > 1 and given[0].rsplit("/", 1)[-1] in ("sh", "bash", "zsh", "dash"):
        given = given[1:]
    for one in custom:
        wanted = one.split()
        if not wanted or len(given) < len(wanted) or given[1 : len(wanted)] != wanted[1:]:
            continue
        if _plain(given[0]) == _plain(wanted[0]):
            return one, tuple(given[len(wanted) :])
    return None


def _plain(program: str) -> str:
    return program.removeprefix("./")


def runner_of(command: Command) -> str:
    """The test runner that a command is; "" for every other command."""
    tests = [one for one in _checks_of(command, ()) if one.kind == "test"]
    return tests[-1].name if tests else ""


# -- outcomes --------------------------------------------------------------------------------------


def outcomes(checks: Sequence[Check], output: str, code: int | None) -> list[Outcome]:
    """How each check of one line ended.

    ``output`` is what the line printed; ``code`` its exit code, None where it was stopped or goes on.
    """
    from operators_edge.core.checks.outcome import outcomes as told  # noqa: PLC0415 - after a check

    return told(checks, output, code)


class TestRun:
    """The last test run of a line, for an entry that was written without its output's summary."""

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


def test_run(text: str) -> TestRun | None:
    """The last test run in a command line; None when there is none, or none can be made out."""
    tests = [one for one in of_command(text) if one.kind == "test"]
    return TestRun(tests[-1]) if tests else None


# -- commands as people quote them -----------------------------------------------------------------

_LEAD = re.compile(
    r"(?:cd\s+(?:\"[^\"]*\"|'[^']*'|[^\s;&]+)\s*(?:&&|;)\s*|\$\s+|(?:env\s+)?[A-Za-z_]\w*=\S*\s+)+"
)
_TAIL = re.compile(r"(?:\s*(?:\d?>&\d|\d?>\s*/dev/null|\|\s*(?:tail|head|cat|tee)\b[^|;&]*))+$")


def same_command(one: str, other: str) -> bool:
    """Whether two texts are the same command.

    White space, ``cd X &&``, assignments before it, a viewer behind it, and backquotes do not count.
    """
    return _bare(one) == _bare(other) != ""


def _bare(text: str) -> str:
    plain = text.strip().strip("`").strip()
    plain = _TAIL.sub("", _LEAD.sub("", plain, count=1) if _LEAD.match(plain) else plain)
    return " ".join(plain.split()).rstrip("; ")
