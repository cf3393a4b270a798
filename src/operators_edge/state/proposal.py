"""An agent's edit of the state file, judged by the file's content after it (ST-8).

Does not own what a valid state is (``state.schema``) or the format of the text (``state.document``).
"""

from __future__ import annotations

from operators_edge.errors import StateDamaged, StateInvalid
from operators_edge.model import MACHINE_KEYS
from operators_edge.redaction.redact import redact, strings_in
from operators_edge.state import document, schema
from operators_edge.state.store import load_text
from operators_edge.storage.files import read_bytes
from operators_edge.text.wording import one_line
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from operators_edge.model import State


ATTEMPT = "edge-state-edit"
"""The rule that stops a change of what only the product writes."""

SLIP = "state-slip"
"""The rule that stops an edit which only makes the file unreadable or invalid: not a forgery."""


class Refused(NamedTuple):
    """The rule that refuses an edit, and why, with what to do instead."""

    rule: str
    why: str


def refused_edit(
    path: str, tool: str, given: dict[str, Any], secrets: Sequence[str] = ()
) -> Refused | None:
    """Why the edit is refused; None if it is allowed. ``secrets`` are known ones, which it must not add."""
    data = read_bytes(path)
    text = "" if data is None else data.decode("utf-8", "replace")
    try:
        proposed = _proposed(text, tool, given)
    except ValueError as error:
        return Refused(SLIP, str(error))
    try:
        new = load_text(proposed)
    except StateDamaged as damage:
        where = f"line {damage.line}, column {damage.column}: " if damage.line else ""
        # A second `allowances:` key is read as damage, although it was meant as a grant.
        added = set(proposed.splitlines()) - set(text.splitlines())
        keys = {line.partition(":")[0].strip("'\"") for line in added}
        rule = SLIP if keys.isdisjoint(MACHINE_KEYS) else ATTEMPT
        return Refused(rule, f"It would no longer be readable ({where}{damage.problem}).")
    # Before the invariants: a forged grant can also break one of them, and is still an attempt.
    changed = schema.protected_changes(_present(text), new)
    if changed:
        return Refused(
            ATTEMPT,
            f"Only the product writes {', '.join(changed)}; everything else in the file may be "
            "edited. Use the edge command for these.",
        )
    try:
        schema.require_valid(new)
    except StateInvalid as error:
        return Refused(SLIP, f"It would break a rule: {error.message}")
    before = set(strings_in(_present(text)))
    for each in strings_in(new):
        if each not in before and (hidden := redact(each, values=secrets)) != each:
            return Refused(
                SLIP,
                f"It would add what looks like a secret, and every session reads the file: "
                f"{one_line(hidden, 120)}. Write where it is kept instead.",
            )
    return None


def _proposed(text: str, tool: str, given: dict[str, Any]) -> str:
    """The text after the edit; ValueError if it cannot be determined."""
    if tool == "Write":
        return str(given.get("content", ""))
    edits = given.get("edits") if tool == "MultiEdit" else [given]
    if tool not in ("Edit", "MultiEdit") or not isinstance(edits, list):
        raise ValueError(f"{tool} cannot be judged beforehand; use Edit or Write.")
    for edit in edits:
        old, new = str(edit.get("old_string", "")), str(edit.get("new_string", ""))
        if old and old not in text:
            raise ValueError("The text to replace does not occur exactly like that.")
        text = text.replace(old, new) if edit.get("replace_all") else text.replace(old, new, 1)
    return text


def _present(text: str) -> State:
    """The current state; of a damaged one at least the machine block, which only the product changes."""
    try:
        return load_text(text) if text else {}
    except StateDamaged:
        return dict(document.block_of(text))


# end of module
