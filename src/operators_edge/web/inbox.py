"""A question that waits for a person, as the page shows it: the decision card, and which answers it takes.

Pure. Owns which buttons a question has. Does not own the card (``approvals.card``), what an answer does
(``sessions.decisions``) or the HTML (``web.views.question``).
"""

from __future__ import annotations

from itertools import pairwise

from operators_edge.approvals import scopes
from operators_edge.approvals.card import render
from operators_edge.approvals.card.build import marked_command
from operators_edge.loop import choices
from operators_edge.quality import service as quality_service
from operators_edge.sessions import live
from operators_edge.text.wording import as_text
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from operators_edge.records import Junction


class Button(NamedTuple):
    """``act`` as ``web.decide_service`` knows it; ``scope`` of a dismissal; ``hint`` says what it means."""

    act: str
    label: str
    hint: str = ""
    scope: str = ""


class Piece(NamedTuple):
    """A part of the command; ``is_marked``: its words decided."""

    text: str
    is_marked: bool


class Question(NamedTuple):
    """``pick`` is how its options are chosen: "many", "one" or ""; ``is_free``: any words are an answer.

    ``is_left``: the session that asked has ended; ``is_shown_only``: it is answered in the client's dialog.
    ``first``: the id of the question that has to be answered before it, "" for none.
    """

    id: str
    kind: str
    title: str
    asked_at: str
    pieces: tuple[Piece, ...]
    rows: tuple[tuple[str, str], ...]
    also: tuple[str, ...]
    repeats: int
    options: tuple[tuple[str, str], ...]
    warnings: tuple[str, ...]
    pick: str
    is_free: bool
    takes_reason: bool
    buttons: tuple[Button, ...]
    is_left: bool
    is_shown_only: bool
    first: str
    asked_by: str


_SKIP = Button("skip", "No, not now", "Such calls are denied until your next prompt")
_HOUR = Button(
    "preview", "Yes, for 1 hour", "Calls of this class to this target are not asked about", "1h"
)
_PAUSE = Button("preview", "Not for 1 hour", "Silences it; approves nothing", "1h")

_TITLES = {
    "quality_gate": "Done, although checks fail?",
    "mode_transition": "Change the mode?",
    "finding_selection": "What to work on?",
    "proposal": "A proposal",
    "ambiguous": "The agent asks",
}


def question(
    pending: Junction, *, is_left: bool = False, is_shown_only: bool = False, first: str = ""
) -> Question:
    """One question of the state; any part of it may be damaged or missing."""
    card = render.stored(pending.get("card"))
    kind = as_text(pending.get("type")) or "a decision"
    others = pending.get("also_blocked")
    pick, options = _options(pending)
    rows = tuple(render.rows(card)) if card else _rows_without_card(pending)
    return Question(
        id=as_text(pending.get("id")),
        kind=kind,
        title=_TITLES.get(kind, "Let this call run?" if card else as_text(pending.get("reason"))),
        asked_at=as_text(pending.get("created_at")),
        pieces=_pieces(card["command"], marked_command(card).marks)
        if card
        else _pieces(as_text(pending.get("shown")), ()),
        rows=rows,
        also=tuple(as_text(each.get("shown")) for each in _maps(others)),
        repeats=_count(pending.get("repeats")),
        options=options,
        warnings=_warnings(pending),
        pick=pick,
        is_free=choices.is_ours(pending) and kind == "ambiguous",
        takes_reason=not choices.is_ours(pending) and kind != "mode_transition",
        buttons=() if first else _answers(pending, is_shown_only=is_shown_only),
        is_left=is_left,
        is_shown_only=is_shown_only,
        first=first,
        asked_by=_asked_by(pending),
    )


def _rows_without_card(pending: Junction) -> tuple[tuple[str, str], ...]:
    found = (("Why", as_text(pending.get("reason"))), ("Rule", as_text(pending.get("rule"))))
    return tuple(each for each in found if each[1])


def _pieces(text: str, marks: tuple[tuple[int, int], ...]) -> tuple[Piece, ...]:
    """The text in parts, every second one marked."""
    places = [0, *(at for mark in marks for at in mark), len(text)]
    if places != sorted(places):
        return (Piece(text, is_marked=False),)
    parts = (
        Piece(text[start:end], is_marked=bool(number % 2))
        for number, (start, end) in enumerate(pairwise(places))
    )
    return tuple(each for each in parts if each.text)


def _options(pending: Junction) -> tuple[str, tuple[tuple[str, str], ...]]:
    """How many can be chosen, and the options: the words of the answer, and the text that is shown."""
    if choices.is_ours(pending):
        listed = choices.offers(pending)
        return ("one" if listed else ""), tuple(
            (str(number), each) for number, each in enumerate(listed, 1)
        )
    checks = quality_service.failed_checks(pending)
    if pending.get("type") != "quality_gate":
        return "", ()
    return "many", tuple((str(number), _check(each)) for number, each in enumerate(checks, 1))


def _check(check: Mapping[str, Any]) -> str:
    fix = as_text(check.get("fix"))
    text = f"{check['name']}: {as_text(check.get('text'))}"
    return f"{text} \u2192 {fix}" if fix else text


def _warnings(pending: Junction) -> tuple[str, ...]:
    payload = pending.get("payload")
    found = payload.get("warnings") if isinstance(payload, dict) else None
    return tuple(
        f"{as_text(each.get('name'))}: {as_text(each.get('text'))}" for each in _maps(found)
    )


def _answers(pending: Junction, *, is_shown_only: bool) -> tuple[Button, ...]:
    return _scopes_only(pending) if is_shown_only else _buttons(pending)


def _buttons(pending: Junction) -> tuple[Button, ...]:
    kind = pending.get("type")
    if kind == "quality_gate" and not choices.is_ours(pending):
        chosen = Button("approve", "Override the chosen checks", "For this session and objective")
        return (chosen, Button("approve", "Override all", "", "all"), _SKIP)
    if kind == "mode_transition":
        return (Button("approve", "Change it"), Button("skip", "No"))
    if choices.is_ours(pending):
        again = () if kind == "ambiguous" else (_PAUSE,)
        yes = {"ambiguous": "Answer", "finding_selection": "Take the chosen one"}.get(
            str(kind), "Take it up"
        )
        return (Button("approve", yes), Button("skip", "No"), *again)
    if pending.get("source") != "gate":
        return (Button("approve", "Approve"), Button("skip", "No"), _PAUSE)
    return (Button("approve", "Yes, once", "Exactly this call, one time"), _SKIP, *_scoped(pending))


def _scopes_only(pending: Junction) -> tuple[Button, ...]:
    return _scoped(pending) if pending.get("source") == "gate" else ()


def _scoped(pending: Junction) -> tuple[Button, ...]:
    """The answers that go further than this one call."""
    rule = as_text(pending.get("rule"))
    within = "this task" if live.task_of(pending) else "this session"
    every = Button("preview", f"Yes, every {rule}", f"The whole rule, in {within}", "session")
    text = as_text((pending.get("offer") or {}).get("target"))
    offered = (
        [Button("preview", "Yes, as offered", f"For 1 hour: {text}", "offered")] if text else []
    )
    never = Button("never", "Never", f"Such calls are denied in {within}, and nobody is asked")
    return (*offered, _HOUR, *([every] if scopes.can_be_whole(rule) else []), never)


def _asked_by(pending: Junction) -> str:
    if task := live.task_of(pending):
        return f"the Bridge, for its task {task}"
    session = as_text(pending.get("session"))
    agent = as_text(pending.get("agent"))
    named = f"session {session[:8]}" if session else ""
    return ", ".join(filter(None, (named, f"agent {agent[:16]}" if agent else "")))


def _maps(value: object) -> list[dict[str, Any]]:
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []


def _count(value: object) -> int:
    return value if type(value) is int else 0


# end of module
