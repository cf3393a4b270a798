"""What the commands that write intent have in common: words that may be left out, one way to answer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from operators_edge import gating, intent
from operators_edge.cli.main_options import opened
from operators_edge.errors import EdgeError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Collection

    from operators_edge.cli.terminal import Terminal
    from operators_edge.core.planning import Said
    from operators_edge.model import State
    from operators_edge.project import Project

DASH = "a text that begins with a dash stands behind --"

_ALONE = ("--json",)
_WITH_VALUE = ("--project",)


def verb_first(
    verbs: Collection[str], *, other: str, alone: str
) -> Callable[[list[str]], list[str]]:
    """Fills in the verb that was left out: ``other`` before other words, ``alone`` where there are none.

    An empty name fills nothing in. What every command takes may stand before the verb.
    """

    def filled(words: list[str]) -> list[str]:
        at = 0
        while at < len(words) and (
            words[at] in _ALONE or words[at].split("=", 1)[0] in _WITH_VALUE
        ):
            at += 1 + (words[at] in _WITH_VALUE)
        options, rest = words[:at], words[at:]
        if rest[:1] and rest[0] in ("-h", "--help"):
            return words
        if rest and rest[0] in verbs:
            return [rest[0], *options, *rest[1:]]
        verb = other if rest else alone
        return [verb, *words] if verb else words

    return filled


def write(
    args: argparse.Namespace, terminal: Terminal, edit: Callable[[State], Said], *, command: str
) -> int:
    """Write what an edit makes of the state, and say what it was."""
    project = opened(args)
    said = intent.write(project, edit, command=command)
    if command.split(maxsplit=1)[0] in _OF_THE_PLAN:
        said = _weighed(project, said)
    answer(terminal, said)
    return 0


_OF_THE_PLAN = ("objective", "plan", "step")


def _weighed(project: Project, said: Said) -> Said:
    """With what the quality gate says of a plan that is complete now, and the mode that fits (QG-1, MO-2)."""
    session = str((project.state.read().get("session") or {}).get("id") or "")
    try:
        told = gating.after_plan_change(project, session)
    except EdgeError as error:
        # The change is written; what could not be looked at afterwards is no failure of it.
        remark = f"written, but the quality gate could not be asked: {error.message}"
        return said._replace(remarks=(*said.remarks, remark))
    if not told:
        return said
    return said._replace(text="\n".join([said.text, *told]), data={**said.data, "gate": told})


def answer(terminal: Terminal, said: Said) -> None:
    """The remarks, then the one answer."""
    for remark in said.remarks:
        terminal.warn(remark)
    terminal.show(said.data, said.text)


def now_of(args: argparse.Namespace) -> Any:
    """The time for what is kept with one."""
    return opened(args).clock()
