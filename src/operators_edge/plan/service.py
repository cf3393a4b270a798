"""One edit of objective, plan or notes: the change of the state and its log entries in one transaction.

Owns how an edit of ``plan.edits`` and ``plan.notes`` is applied to the project. Does not own the edits, the
commands that ask for them (``cli``, ``hosts``) or the quality gate's check of a changed plan
(``quality.service``).
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from operators_edge.errors import UsageError
from operators_edge.redaction.redact import certainly, strings_in
from operators_edge.state import schema

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from operators_edge.model import State
    from operators_edge.plan.edits import EditResult
    from operators_edge.project import Project
    from operators_edge.state.transaction import Transaction


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
        before = set(strings_in(tx.state))
        result = act(tx, whose)
        require_no_secret([each for each in strings_in(tx.state) if each not in before], secrets)
        tx.tell(result.events, session=whose)
        return result

    return project.transact(change, command=command, secrets=secrets)


def require_no_secret(texts: Sequence[str], secrets: Sequence[str]) -> None:
    """Every session reads the state, and it is often committed: a secret is refused, not redacted."""
    for text in texts:
        if kind := certainly(text, values=secrets):
            what = "a secret" if kind == "secret" else f"a secret ({kind})"
            raise UsageError(
                f"nothing was stored: the text contains what looks like {what}, and every session reads it",
                hint="say where it is stored instead, as in: the token is in $API_TOKEN",
            )


# end of module
