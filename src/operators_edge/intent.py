"""What is wanted, written: one edit of the state and its entries in the log, as one act.

Owns how an edit of ``core.planning`` and ``core.concerns`` gets into the project, and that a changed plan is
looked at afterwards. Does not own the edits, the words with which people and agents ask for them (``cli``,
``hosts``) or what a look at the plan finds (``gating``).
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from operators_edge.core import schema
from operators_edge.errors import EdgeError, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from operators_edge.core.planning import Said
    from operators_edge.model import State
    from operators_edge.project import Project
    from operators_edge.store.transaction import Transaction


def write(
    project: Project,
    edit: Callable[[State], Said],
    *,
    command: str,
    session: str | None = None,
    env: Mapping[str, str] = os.environ,
) -> Said:
    """Apply ``edit`` to the state and log what it says of itself; all of it happens, or nothing.

    ``edit`` may be called again on a newer state, when an editor wrote in between. ``session`` is whose
    doing it is in the log; None means the latest one's. What changes the plan comes with what the quality
    gate says of one that is complete now, and the mode that fits (QG-1, MO-2).
    """
    return _written(
        project, lambda tx, _: edit(tx.state), command=command, session=session, env=env
    )


def set_objective(project: Project, text: str | None) -> Said:
    """Set the objective, or clear it with None; one that is done is archived first (MO-6)."""
    from operators_edge import archiving  # noqa: PLC0415 - a note needs none of it

    def act(tx: Transaction, session: str) -> Said:
        return archiving.replace_objective(project, tx, session, text, is_new_work=False)

    return _written(project, act, command="objective", session=None, env=os.environ)


def _written(
    project: Project,
    act: Callable[[Transaction, str], Said],
    *,
    command: str,
    session: str | None,
    env: Mapping[str, str],
) -> Said:
    from operators_edge.core.redact import secret_values  # noqa: PLC0415 - loads many patterns

    session = session if session is not None else project.asking or None
    secrets = secret_values(env)

    def change(tx: Transaction) -> Said:
        before = set(_texts(tx.state))
        said = act(tx, _whose(tx.state, session))
        _require_no_secret([each for each in _texts(tx.state) if each not in before], secrets)
        tx.tell(said.events, session=_whose(tx.state, session))
        return said

    said = project.transact(change, command=command, secrets=secrets)
    return (
        _looked_at(project, said, session) if command.split(maxsplit=1)[0] in _OF_THE_PLAN else said
    )


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for each in value.values() if isinstance(value, dict) else value:
            yield from _texts(each)


def _require_no_secret(texts: Sequence[str], secrets: Sequence[str]) -> None:
    """The state is read by every session and often committed: a secret is refused, not kept half."""
    from operators_edge.core.redact import certainly  # noqa: PLC0415 - loads many patterns

    for text in texts:
        if kind := certainly(text, values=secrets):
            what = "a secret" if kind == "secret" else f"a secret ({kind})"
            raise UsageError(
                f"nothing was kept: the text holds what looks like {what}, and every session reads it",
                hint="say where it lies instead, as in: the token is in $API_TOKEN",
            )


_OF_THE_PLAN = ("objective", "plan", "step")


def _looked_at(project: Project, said: Said, session: str | None) -> Said:
    from operators_edge import gating  # noqa: PLC0415 - a note needs none of it

    try:
        told = gating.after_plan_change(project, _whose(project.state.read(), session))
    except EdgeError as error:
        # The change is written; what could not be looked at afterwards is no failure of it.
        remark = f"written, but the quality gate could not be asked: {error.message}"
        return said._replace(remarks=(*said.remarks, remark))
    if not told:
        return said
    return said._replace(text="\n".join([said.text, *told]), data={**said.data, "gate": told})


def _whose(state: State, session: str | None) -> str:
    return schema.latest_session(state) if session is None else session
