"""One edit of objective, plan or notes: the change of the state and its log entries in one transaction.

Owns how an edit of ``plan.edits`` and ``plan.notes`` is applied to the project. Does not own the edits, the
commands that ask for them (``cli``, ``hosts``) or the quality gate's check of a changed plan
(``quality.service``).
"""

from __future__ import annotations

import os

from operators_edge.errors import UsageError
from operators_edge.redaction.redact import findings, mark, redact, strings_in
from operators_edge.state import schema

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import TypeVar

    from operators_edge.model import State
    from operators_edge.plan.edits import EditResult
    from operators_edge.project import Project
    from operators_edge.state.transaction import Transaction

    T = TypeVar("T")


def write(
    project: Project,
    edit: Callable[[State], EditResult],
    *,
    command: str,
    session: str | None = None,
    env: Mapping[str, str] = os.environ,
) -> EditResult:
    """Apply ``edit`` to the state and log its events, all or nothing.

    ``edit`` may be called again on a newer state, if an editor wrote in between. ``session`` is the session
    in the log; None means the latest one.
    """
    return write_with(
        project, lambda tx, _: edit(tx.state), command=command, session=session, env=env
    )


def write_with(
    project: Project,
    act: Callable[[Transaction, str], EditResult],
    *,
    command: str,
    session: str | None = None,
    env: Mapping[str, str] = os.environ,
) -> EditResult:
    """The same for an edit that needs the whole transaction; ``act`` also gets the session."""
    session = session if session is not None else project.asking or None
    secrets = project.secrets(env)

    def change(tx: Transaction) -> EditResult:
        whose = schema.latest_session(tx.state) if session is None else session
        result = act(tx, whose)
        tx.tell(result.events, session=whose)
        return result

    return project.transact(without_secrets(change, secrets), command=command, secrets=secrets)


def without_secrets(
    change: Callable[[Transaction], T], secrets: Sequence[str]
) -> Callable[[Transaction], T]:
    """The change, refused if it adds a text with a secret to the state or to a file of the project."""

    def checked(tx: Transaction) -> T:
        before = set(strings_in(tx.state))
        result = change(tx)
        new = [each for each in strings_in(tx.state) if each not in before]
        require_no_secret([*new, *(step.get("text", "") for step in tx.steps)], secrets)
        return result

    return checked


def require_no_secret(texts: Iterable[str], secrets: Sequence[str]) -> None:
    """Every session reads the state, and it is often committed: a secret is refused, not redacted."""
    for text in texts:
        found = findings(text, values=secrets)
        if not found:
            continue
        kinds = sorted({each.kind for each in found} - {""})
        what = f"a secret ({', '.join(kinds)})" if kinds else "a secret"
        first = found[0]
        shown = redact(_around(text, first.begin, first.end), values=secrets)
        name = f"${(first.kind or 'my').replace('-', '_').upper()}_TOKEN"
        raise UsageError(
            f"nothing was stored: the text contains what looks like {what}, and every session reads it",
            detail=f"here: {shown}",
            hint=f"write where it is kept instead, as in: {shown.replace(mark(first.kind), name)}\n"
            "  If it is no secret: docs/redaction.md",
        )


_MAX_SHOWN = 60


def _around(text: str, begin: int, end: int) -> str:
    """The words around a secret, with it, on one line."""
    start = text.rfind("\n", max(0, begin - _MAX_SHOWN), begin) + 1 or max(0, begin - _MAX_SHOWN)
    if start and text[start - 1] != "\n":
        start = text.find(" ", start, begin) + 1 or begin
    stop = text.find("\n", end, end + _MAX_SHOWN)
    return text[start : stop if stop >= 0 else end + _MAX_SHOWN].strip()


# end of module
