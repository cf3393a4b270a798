"""The decision card as lines of text: on a screen, in a client's dialog, and for the agent.

Pure. Owns the rows, their order and which are left out first if there is too little room. Does not own the
card (``approvals.card.build``) or the sentences about what is at stake (``approvals.impact``).
"""

from __future__ import annotations

import shlex
from itertools import islice

from operators_edge.approvals.card.build import bounded, marked_command, undo_text
from operators_edge.approvals.card.precedents import history_text
from operators_edge.model import OF_TASK
from operators_edge.text.confusables import confusables
from operators_edge.text.markup import GAP, redacted_text, shortened, underlined, wrapped
from operators_edge.text.wording import columns, screen_width
from operators_edge.tuples import cast

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from operators_edge.approvals.card.model import Card, Where
    from operators_edge.text.confusables import Confusable

SCREEN = (80, 20)
DIALOG = (74, 9)
"""Columns and lines. A client's dialog shows ten wrapped lines in all, its own first one included."""

INDENT = 11
_MAX_CONFUSABLES = 3
_MAX_WORD = 60
_DETAIL = ""
_OMITTED_FIRST = (
    *("Where", "Also", "Step", "Instead", "Before", "Read as", "Noted", _DETAIL),
    *("Offer", "On", "Found in", "Reversible", "Refused", "Changed", "Letters", "Rule", "At stake"),
)
"""The rows that are left out, one by one in this order, while there are too many lines; "To" never is."""


def rows(card: Card) -> Iterator[tuple[str, str]]:
    """Everything but the command, the decisive first: a label and one line of text each."""
    yield from _stake(card)
    yield "Reversible", undo_text(card["undo"])
    yield "Rule", f"{card['rule']} ({card['type']}): {card['reason']}"
    is_reading = not card["understood"].startswith(
        "@"
    )  # how the gate writes a call that is no command
    if is_reading and not _is_same_command(card["understood"], card["command"]):
        yield "Read as", card["understood"]
    if source := card.get("source"):
        yield "Found in", source
    if card["instead"]:
        yield "Instead", card["instead"]
    for each in card.get("lessons") or ():
        yield "Noted", each
    if offer := card.get("offer"):
        yield "Offer", offer
    if card["history"] or card["verdict"] == "junction":
        text = history_text(card["history"])
        yield "Refused" if text.startswith("you refused") else "Before", text
    if step := card["step"]:
        yield "Step", f"{step['number']} of {step['of']}: {step['description']}"
    for other in card["also"]:
        yield "Also", f"{other['rule']}: {other['reason']}"
    if where := _where(card["where"]):
        yield "Where", where


def _stake(card: Card) -> Iterator[tuple[str, str]]:
    """What changed since the last approval, what the call takes or loses, and where it goes."""
    for each in card.get("changed") or ():  # a card in the state may be of an older version
        yield "Changed", f"{each} (since you approved)"
    since = card.get("changed_since") or ()
    for each in since:
        yield "Changed", f"{each} (since you were asked)"
    for report in card["radius"]:
        first, *details = report["at_stake"]
        yield "At stake", f"when you were asked: {first}" if since else first
        for each in details:
            yield _DETAIL, each
    if target := card.get("target"):
        yield "To", target
    if machine := card.get("machine"):
        yield "On", machine
    for word in islice(confusables(card["command"]), _MAX_CONFUSABLES):
        yield "Letters", _letters(word)


def _letters(word: Confusable) -> str:
    return f"{word.text[:_MAX_WORD]} is not {word.plain[:_MAX_WORD]}: {word.signs[:_MAX_WORD]}"


def _is_same_command(understood: str, command: str) -> bool:
    """Whether the gate's reading differs from the command in its quotes at most."""
    try:
        return not understood or shlex.split(understood) == shlex.split(command)
    except ValueError:
        return False


def _where(where: Where) -> str:
    parts = [where.get("cwd") or ""]
    if where.get("branch"):
        parts[0] = f"{parts[0]} on {where['branch']}".strip()
    if where.get("session") and not where["session"].startswith(OF_TASK):
        parts.append(f"session {where['session'][:8]}")
    if where.get("agent"):
        parts.append(f"agent {where['agent'][:16]}")
    return ", ".join(part for part in parts if part)


def lines(card: Card, *, head: str = "Pending", size: tuple[int, int] | None = None) -> list[str]:
    """The whole card on one screen: ``head`` labels the command, carets underline its marks.

    Without a size it is laid out for the screen of this process; a narrow one scrolls.
    """
    width, max_lines = size or (screen_width(), SCREEN[1] * SCREEN[0] // screen_width())
    room = width - INDENT
    command = underlined(shortened(marked_command(card), room * 4), room)
    if len(command) > 8:
        command = [*command[:8], GAP]
    groups = [(head, command)]
    groups += [(label, _cut(wrapped(text, room), 4, room)) for label, text in rows(card)]
    return _fit(groups, max_lines, _column)


def stored(card: object) -> Card | None:
    """A card read from the state, safe to show; None if it is not a card, as after a manual edit."""
    if not isinstance(card, dict):
        return None
    safe: Card = bounded(card, ())
    try:
        # It is redacted again, and made safe for a terminal: anyone can write the state file.
        command = redacted_text(card["command"], marked_command(cast("Card", card)).marks)
        safe["command"], safe["marks"] = command.text, [list(mark) for mark in command.marks]
        list(rows(safe))
    except _NO_CARD:
        return None
    return safe


_NO_CARD = (KeyError, TypeError, ValueError, AttributeError, IndexError)


def stored_lines(card: object) -> list[str] | None:
    """The lines of a card read from the state; None as for ``stored``."""
    safe = stored(card)
    try:
        return None if safe is None else lines(safe)
    except _NO_CARD:
        return None


def dialog_lines(card: Card, *, size: tuple[int, int] = DIALOG) -> list[str]:
    """What a client's dialog shows besides the command: the decisive first, as much as fits."""
    width, max_lines = size
    groups = []
    for label, text in rows(card):
        if label in ("Instead", "Where") or (label == "Before" and not card["history"]):
            continue
        prefix = f"{label}: " if label else "  "
        groups.append((label, _cut(wrapped(prefix + text, width), 2 if label else 1, width)))
    return _fit(groups, max_lines, lambda _label, group: group)


def denial_lines(card: Card) -> list[str]:
    """What the agent sees: rule, the gate's reading, what is at stake, what to do instead."""
    text = [f"Operator's Edge ({card['rule']}): {card['reason']}"]
    if card["understood"]:
        text.append(f"Understood as: {card['understood']}")
    if source := card.get("source"):
        text.append(f"Found in: {source}")
    text += [f"Changed since it was approved: {each}" for each in card.get("changed") or ()]
    text += [f"At stake: {report['at_stake'][0]}" for report in card["radius"]]
    if card["instead"]:
        text.append(f"Instead: {card['instead']}")
    return text


# -- fitting -------------------------------------------------------------------------------------


def _column(label: str, group: list[str]) -> list[str]:
    return [f"{'' if number else label:<{INDENT}}{line}" for number, line in enumerate(group)]


def _cut(group: list[str], max_lines: int, width: int) -> list[str]:
    if len(group) <= max_lines:
        return group
    last = group[max_lines - 1]
    while columns(last) > width - 2:
        last = last[:-1]
    return [*group[: max_lines - 1], f"{last.rstrip()} {GAP}"]


def _fit(
    groups: list[tuple[str, list[str]]],
    max_lines: int,
    format_group: Callable[[str, list[str]], list[str]],
) -> list[str]:
    """The groups' lines; groups are left out, the least needed first, until the rest fits."""
    left = list(groups)
    for label in _OMITTED_FIRST:
        while sum(len(group) for _, group in left) > max_lines:
            last = max((n for n, (each, _) in enumerate(left) if each == label), default=None)
            if last is None:
                break
            del left[last]
    text = [line.rstrip() for label, group in left for line in format_group(label, group)]
    return text if len(text) <= max_lines else [*text[: max_lines - 1], GAP]


# end of module
