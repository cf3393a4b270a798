"""What a person decides on the page, done by the code that does it at a terminal.

Owns the words of a request and of a refusal, and the channel that the log names. Does not own what a
decision changes (``sessions.decisions``) or whose page it is (``web.server``).
"""

from __future__ import annotations

import re

from operators_edge.approvals import junction, scopes
from operators_edge.errors import AnswerIsNo, UsageError
from operators_edge.sessions.decisions import Decisions, person_name
from operators_edge.text.wording import many
from operators_edge.undo import trash_rules
from operators_edge.undo.restore import Undo
from operators_edge.undo.snapshots import SnapshotReason
from operators_edge.undo.trash import Trash
from operators_edge.web import check_results

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Literal

    from operators_edge.bridge.queue import Queue
    from operators_edge.errors import EdgeError
    from operators_edge.project import Project


def decide(project: Project, given: dict[str, Any]) -> dict[str, Any]:
    """Do it; returns what the page tells the person, for a preview with the code that confirms it.

    Raises EdgeError where it cannot be done: another question is pending now, say.
    """
    act = _ACTS.get(_word(given, "act"))
    if act is None:
        raise UsageError(f"the dashboard has no action {_word(given, 'act')!r}")
    name = person_name()
    made = Decisions(project, session=project.latest_session(), by=f"{name}, on the dashboard")
    return act(made, given)


_ON_THE_PAGE = (
    (re.compile(r"edge (approve|skip) \d"), "choose on the card"),
    (re.compile(r"edge (approve|skip|dismiss|status)\b"), "the cards show what waits now"),
    (re.compile(r"edge grants\b"), "Grants lists them"),
    (re.compile(r"edge (undo|trash) (list|show)\b"), "Undo lists them"),
)
"""Hints that name a command, and where the page itself has what it does."""


def refusal(error: EdgeError) -> dict[str, str]:
    """Why it cannot be done, and what helps, for somebody who looks at the page."""
    here = (text for command, text in _ON_THE_PAGE if command.match(error.hint))
    why = "\n".join(filter(None, (error.message, error.detail)))
    return {"why": why, "hint": next(here, error.hint)}


def _approve(made: Decisions, given: dict[str, Any]) -> dict[str, Any]:
    question = _taken_up(made, given)
    words = _word(given, "words")
    return {"said": made.approve(words, why=_word(given, "why"), expected=question)}


def _skip(made: Decisions, given: dict[str, Any]) -> dict[str, Any]:
    return {"said": made.skip(expected=_taken_up(made, given), why=_word(given, "why"))}


def _never(made: Decisions, given: dict[str, Any]) -> dict[str, Any]:
    return {"said": made.never(expected=_taken_up(made, given), why=_word(given, "why"))}


def _preview(made: Decisions, given: dict[str, Any]) -> dict[str, Any]:
    """What a dismissal would let through, before it is given."""
    question = _taken_up(made, given)
    if _word(given, "scope") == _OFFERED:
        text, code = made.dismissals.preview_rule(_offered(made, question))
        return {"said": "", "preview": text, "code": code}
    text, code = made.dismissals.preview(_scope(given), expected=question)
    return {"said": "", "preview": text, "code": code}


_OFFERED = "offered"


def _offered(made: Decisions, question: str) -> scopes.RuleScope:
    return made.dismissals.offered(scopes.AN_HOUR.minutes, expected=question)


def _dismiss(made: Decisions, given: dict[str, Any]) -> dict[str, Any]:
    if _word(given, "scope") == _OFFERED:
        scope = _offered(made, _word(given, "question"))
        return {"said": made.dismissals.dismiss_rule(scope, _word(given, "code"))}
    return {
        "said": made.dismissals.dismiss(
            _scope(given), _word(given, "code"), why=_word(given, "why")
        )
    }


def _revoke(made: Decisions, given: dict[str, Any]) -> dict[str, Any]:
    ident = _word(given, "grant")
    if len(ident) < 32:
        raise UsageError("a grant is named by its whole id")
    return {"said": made.revoke(ident)}


# -- tasks of the Bridge ---------------------------------------------------------------------------


def _task_approve(made: Decisions, given: dict[str, Any]) -> dict[str, Any]:
    row = _queue(made).approve(_word(given, "task"), by=person_name())
    return {"said": f"{row.stem} may run: a watcher takes it up (edge bridge watch)."}


def _task_reject(made: Decisions, given: dict[str, Any]) -> dict[str, Any]:
    return _dropped(made, given, "rejected")


def _task_cancel(made: Decisions, given: dict[str, Any]) -> dict[str, Any]:
    return _dropped(made, given, "cancelled")


def _dropped(
    made: Decisions, given: dict[str, Any], reason: Literal["cancelled", "rejected"]
) -> dict[str, Any]:
    detail = f"{reason} by {made.by}"
    row = _queue(made).drop(_word(given, "task"), reason, detail=detail)
    is_running = row.state == "running"
    return {
        "said": f"{row.stem} {'runs; its watcher ends it now' if is_running else f'is {reason}'}."
    }


def _task_retry(made: Decisions, given: dict[str, Any]) -> dict[str, Any]:
    row = _queue(made).retry(_word(given, "task"))
    return {"said": f"{row.stem} is queued again, for attempt {row.attempt}."}


def _queue(made: Decisions) -> Queue:
    from operators_edge.bridge.service import Bridge  # noqa: PLC0415 - few projects have one

    return Bridge(made.project.root).queue


# -- bringing back ---------------------------------------------------------------------------------


def _undo(made: Decisions, given: dict[str, Any]) -> dict[str, Any]:
    """Restore the files of a snapshot; what is there now is stored first."""
    project, number = made.project, _number(given, "snapshot")
    undo = Undo(project.root, root=project.root)
    applied = undo.apply(number, [], reason=SnapshotReason(f"edge undo apply {number}", ""))
    if not applied.done and not applied.left:
        return {"said": "Nothing differs from it."}
    if applied.saved.id:
        counts = {"files": len(applied.done), "left": len(applied.left)}
        about = {"id": applied.id, "saved": applied.saved.id, **counts, "by": made.by}
        project.log.append({"event": "undone", "session": made.session, "data": about})
    left = [f"Not restored: {path}: {why}" for why, path in applied.left]
    back = f"To take it back: edge undo apply {applied.saved.id} --exact"
    return {"said": "\n".join([f"{many(len(applied.done), 'file')} restored.", *left, back])}


def _trash_restore(made: Decisions, given: dict[str, Any]) -> dict[str, Any]:
    """Restore something to its path, if that is free."""
    project, number = made.project, _number(given, "item")
    trash = Trash(project.root, clock=project.clock)
    target = trash_rules.real_path(trash.entry(number).path, project.root)
    trash_rules.require_free(target, trash_rules.trash_ground(project.root))
    trash.restore(number, target)
    about = {"id": number, "path": target, "by": made.by}
    project.log.append({"event": "trash_restored", "session": made.session, "data": about})
    return {"said": f"Restored: {target}"}


def _examine(made: Decisions, _given: dict[str, Any]) -> dict[str, Any]:
    """Run what ``edge doctor`` runs."""
    found = check_results.examine(made.project).checks
    bad = sum(each.level == "problem" for each in found)
    return {"said": f"{many(len(found), 'check')} ran, {many(bad, 'problem')}."}


_ACTS: dict[str, Callable[[Decisions, dict[str, Any]], dict[str, Any]]] = {
    "approve": _approve,
    "skip": _skip,
    "never": _never,
    "preview": _preview,
    "dismiss": _dismiss,
    "revoke": _revoke,
    "task_approve": _task_approve,
    "task_reject": _task_reject,
    "task_cancel": _task_cancel,
    "task_retry": _task_retry,
    "undo": _undo,
    "trash_restore": _trash_restore,
    "examine": _examine,
}


def _taken_up(made: Decisions, given: dict[str, Any]) -> str:
    """The id of the question that the person has read; a left one becomes the pending one."""
    ident = _word(given, "question")
    if not ident:
        raise UsageError("the question is not named")
    left = junction.left_questions(made.project.state.read())
    if any(each["id"] == ident for each in left):
        made.take_up_question(ident)
    return ident


def _scope(given: dict[str, Any]) -> scopes.Scope:
    found = scopes.named(_word(given, "scope"))
    if found is None:
        raise AnswerIsNo(f"there is no scope {_word(given, 'scope')!r}")
    return found


def _number(given: dict[str, Any], name: str) -> int:
    word = _word(given, name)
    if not (word.isascii() and word.isdigit() and len(word) < 10):
        raise UsageError(f"{word!r} is not a number")
    return int(word)


def _word(given: dict[str, Any], name: str) -> str:
    value = given.get(name)
    return value if isinstance(value, str) else ""


# end of module
