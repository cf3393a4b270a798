"""The decision card: what a person needs to decide on one call, as plain data and as lines of text.

Pure, and computed: nothing here is anybody's word. Owns the card's keys, its size and its lines, which
are the same on every surface. Does not own the counting (``approvals.impact.measure``), how a fact is worded
(``approvals.card.consequences``) or the decision (``approvals.junction``).
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from operators_edge.approvals.card import consequences
from operators_edge.redaction.redact import redact
from operators_edge.text.markup import (
    GAP,
    MarkedText,
    redacted_text,
    shortened,
    underlined,
    wrapped,
)
from operators_edge.text.wording import columns, one_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from operators_edge.model import Verdict

Card = dict[str, Any]

COMMAND_LIMIT = 4000
TEXT_LIMIT = 600
KEPT_BYTES = 2048
"""Of a card in the state file, as JSON: the file stays one that people read."""

SCREEN = (80, 20)
DIALOG = (74, 9)
"""Columns and lines. A client's dialog shows ten wrapped lines in all, its own first one included."""

INDENT = 11
_DETAIL = ""
_LEAST_NEEDED = ("Where", "Also", "Step", "Before", "Instead", "Read as", _DETAIL)
"""The rows that are left out first where the lines are too many, and one by one."""


def build(
    text: str,
    verdict: Verdict,
    *,
    is_marked: bool = True,
    radius: Sequence[dict[str, Any]] = (),
    step: dict[str, Any] | None = None,
    history: dict[str, Any] | None = None,
    where: Mapping[str, str] | None = None,
    values: Iterable[str] = (),
) -> Card:
    """The card for a verdict that found something.

    ``text`` is the call's own text and the findings' spans are of it, but where ``is_marked`` is
    False. ``radius`` holds the facts of ``approvals.impact.measure``, ``history`` what ``precedents`` found.
    ``values`` are secrets that are hidden wherever they stand.
    """
    first = verdict.findings[0]
    secrets = tuple(values)
    spans = [span for one in verdict.findings for span in one.spans] if is_marked else []
    command = shortened(redacted_text(text, spans, values=secrets), COMMAND_LIMIT)
    facts = [_fit(fact, secrets) for fact in radius]
    is_kept = bool(verdict.destroys) and verdict.effect != "block"
    others = dict.fromkeys((one.rule, one.reason) for one in verdict.findings[1:])
    return {
        "verdict": verdict.effect,
        "command": command.text,
        "marks": [list(mark) for mark in command.marks],
        "understood": _fit(first.understood, secrets),
        "rule": first.rule,
        "effect": first.effect,
        "type": first.type,
        "reason": first.why,
        "instead": first.instead,
        "also": [{"rule": rule, "reason": why} for rule, why in others if rule != first.rule],
        "radius": facts,
        "undo": consequences.undo(facts, is_kept=is_kept, is_external=first.type == "external"),
        "step": _fit(step, secrets),
        "history": _fit(history, secrets),
        "where": _fit(dict(where or {}), secrets),
    }


def _fit(value: Any, secrets: tuple[str, ...], limit: int = TEXT_LIMIT) -> Any:
    """JSON-like data with every text in it redacted, on one line and bounded."""
    if isinstance(value, str):
        return one_line(redact(value, values=secrets), limit)
    if isinstance(value, dict):
        return {key: _fit(each, secrets, limit) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [_fit(each, secrets, limit) for each in value]
    return value


# -- kept in the state ---------------------------------------------------------------------------


def kept(card: Card) -> Card:
    """The same card, small enough for the state file."""
    for limit in (600, 300, 150, 80, 40):
        small = _reduced(card, limit)
        if _size(small) <= KEPT_BYTES:
            return small
    return {**small, "command": small["command"][:200] + GAP, "marks": [], "radius": []}


def _reduced(card: Card, limit: int) -> Card:
    command = shortened(marked(card), limit)
    small: Card = _fit(card, (), limit) | {
        "command": command.text,
        "marks": [list(mark) for mark in command.marks],
        "also": [_fit(one, (), limit) for one in card["also"][:3]],
        "radius": [
            _fewer(fact, 3 if limit > 100 else 1) for fact in _fit(card["radius"], (), limit)
        ],
    }
    if small["understood"] == small["command"]:
        small["understood"] = ""
    return small


def _fewer(value: Any, most: int) -> Any:
    if isinstance(value, dict):
        return {key: _fewer(each, most) for key, each in value.items()}
    return [_fewer(each, most) for each in value[:most]] if isinstance(value, list) else value


def _size(card: Card) -> int:
    return len(json.dumps(card, ensure_ascii=False).encode("utf-8", "backslashreplace"))


# -- lines ---------------------------------------------------------------------------------------


def marked(card: Card) -> MarkedText:
    return MarkedText(card["command"], tuple((start, end) for start, end in card["marks"]))


def rows(card: Card) -> Iterator[tuple[str, str]]:
    """Everything but the command, the decisive first: a label and one line of text each."""
    for fact in card["radius"]:
        first, *more = consequences.sentences(fact)
        yield "At stake", first
        for each in more:
            yield _DETAIL, each
    yield "Undo", consequences.undo_text(card["undo"])
    yield "Rule", f"{card['rule']} ({card['type']}): {card['reason']}"
    if not _says_the_same(card["understood"], card["command"]):
        yield "Read as", card["understood"]
    if card["instead"]:
        yield "Instead", card["instead"]
    if card["history"] or card["verdict"] == "junction":
        yield "Before", consequences.history_text(card["history"])
    if card["step"]:
        yield (
            "Step",
            f"{card['step']['number']} of {card['step']['of']}: {card['step']['description']}",
        )
    for other in card["also"]:
        yield "Also", f"{other['rule']}: {other['reason']}"
    if where := _where(card["where"]):
        yield "Where", where


def _says_the_same(understood: str, command: str) -> bool:
    """Whether the reading differs from the command in its quotes at most."""
    import shlex  # noqa: PLC0415 - where a card is shown

    try:
        return not understood or shlex.split(understood) == shlex.split(command)
    except ValueError:
        return False


def _where(where: Mapping[str, str]) -> str:
    parts = [where.get("cwd") or ""]
    if where.get("branch"):
        parts[0] = f"{parts[0]} on {where['branch']}".strip()
    if where.get("session"):
        parts.append(f"session {where['session'][:8]}")
    if where.get("agent"):
        parts.append(f"agent {where['agent'][:16]}")
    return ", ".join(part for part in parts if part)


def lines(card: Card, *, head: str = "Pending", size: tuple[int, int] = SCREEN) -> list[str]:
    """The whole card on one screen: ``head`` stands before the command, carets under its marks."""
    width, most = size
    room = width - INDENT
    command = shortened(marked(card), room * 4)
    shown_command = underlined(command, room)
    if len(shown_command) > 8:
        shown_command = [*shown_command[:8], GAP]
    groups = [(head, shown_command)]
    for label, text in rows(card):
        found = wrapped(text, room)
        groups.append((label, _cut(found, 4, room)))
    return _fitted(groups, most, _column)


def readable(card: object) -> list[str] | None:
    """The lines of a card that was kept; None for what is none, as after somebody's edit."""
    if not isinstance(card, dict):
        return None
    try:
        again = redacted_text(card["command"], marked(card).marks)
        command = {"command": again.text, "marks": [list(mark) for mark in again.marks]}
        return lines(_fit(card, ()) | command)
    except (KeyError, TypeError, ValueError, AttributeError, IndexError):
        return None


def asked(card: Card, *, size: tuple[int, int] = DIALOG) -> list[str]:
    """What a client's dialog shows beside the command: the decisive first, and no more than fits."""
    width, most = size
    groups = []
    for label, text in rows(card):
        is_news = label != "Before" or card["history"]
        if is_news and label not in ("Instead", "Where"):
            prefix = f"{label}: " if label else "  "
            most_lines = 2 if label else 1
            groups.append((label, _cut(wrapped(prefix + text, width), most_lines, width)))
    return _fitted(groups, most, lambda _label, found: found)


def told(card: Card) -> list[str]:
    """What the agent is told: rule, understanding, what is at stake, what to do instead."""
    found = [f"Operator's Edge ({card['rule']}): {card['reason']}"]
    if card["understood"]:
        found.append(f"Understood as: {card['understood']}")
    found += [f"At stake: {consequences.sentences(fact)[0]}" for fact in card["radius"]]
    if card["instead"]:
        found.append(f"Instead: {card['instead']}")
    return found


def _column(label: str, found: list[str]) -> list[str]:
    return [f"{label if number == 0 else '':<{INDENT}}{one}" for number, one in enumerate(found)]


def _cut(found: list[str], most: int, width: int) -> list[str]:
    if len(found) <= most:
        return found
    last = found[most - 1]
    while columns(last) > width - 2:
        last = last[:-1]
    return [*found[: most - 1], f"{last.rstrip()} {GAP}"]


def _fitted(groups: list[tuple[str, list[str]]], most: int, written: Any) -> list[str]:
    """The groups' lines; what is least needed is left out until they are few enough."""
    left = list(groups)
    for label in _LEAST_NEEDED:
        while sum(len(found) for _, found in left) > most:
            last = max((at for at, group in enumerate(left) if group[0] == label), default=None)
            if last is None:
                break
            del left[last]
    found = [one for label, lines_ in left for one in written(label, lines_)]
    return [one.rstrip() for one in (found if len(found) <= most else [*found[: most - 1], GAP])]
