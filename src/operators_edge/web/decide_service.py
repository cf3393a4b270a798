"""What a person decides on the page, done by the code that does it at a terminal.

Owns the words of a request and the channel that the log names. Does not own what a decision changes
(``sessions.decisions``) or whose page it is (``web.server``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from operators_edge.approvals import junction, scopes
from operators_edge.errors import AnswerIsNo, UsageError
from operators_edge.sessions.decisions import Decisions, person_name

if TYPE_CHECKING:
    from collections.abc import Callable

    from operators_edge.project import Project


def decide(project: Project, given: dict[str, Any]) -> dict[str, Any]:
    """Do it; returns what the page tells the person, for a preview with the code that confirms it.

    Raises EdgeError where it cannot be done: another question is pending now, say.
    """
    act = _ACTS.get(_word(given, "act"))
    if act is None:
        raise UsageError(f"the dashboard cannot do {_word(given, 'act') or 'nothing'}")
    name = person_name()
    made = Decisions(project, session=project.latest_session(), by=f"{name}, on the dashboard")
    return act(made, given)


def _approve(made: Decisions, given: dict[str, Any]) -> dict[str, Any]:
    question = _taken_up(made, given)
    words = _word(given, "words")
    return {"said": made.approve(words, why=_word(given, "why"), expected=question)}


def _skip(made: Decisions, given: dict[str, Any]) -> dict[str, Any]:
    return {"said": made.skip(expected=_taken_up(made, given))}


def _never(made: Decisions, given: dict[str, Any]) -> dict[str, Any]:
    return {"said": made.never(expected=_taken_up(made, given))}


def _preview(made: Decisions, given: dict[str, Any]) -> dict[str, Any]:
    """What a dismissal would let through, before it is given."""
    question = _taken_up(made, given)
    text, code = made.preview_dismissal(_scope(given), expected=question)
    return {"said": "", "preview": text, "code": code}


def _dismiss(made: Decisions, given: dict[str, Any]) -> dict[str, Any]:
    return {"said": made.dismiss(_scope(given), _word(given, "code"))}


def _revoke(made: Decisions, given: dict[str, Any]) -> dict[str, Any]:
    ident = _word(given, "grant")
    if len(ident) < 32:
        raise UsageError("a grant is named by its whole id")
    return {"said": made.revoke(ident)}


_ACTS: dict[str, Callable[[Decisions, dict[str, Any]], dict[str, Any]]] = {
    "approve": _approve,
    "skip": _skip,
    "never": _never,
    "preview": _preview,
    "dismiss": _dismiss,
    "revoke": _revoke,
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
        raise AnswerIsNo(f"there is no scope {_word(given, 'scope') or 'without a name'}")
    return found


def _word(given: dict[str, Any], name: str) -> str:
    value = given.get(name)
    return value if isinstance(value, str) else ""


# end of module
