"""An objective that was marked done, until it is archived: what it was then, and what was added since (MO-6).

Between ``edge done`` and the end of the turn, a command or an edit may already have written the next
objective. Pure. Owns the distinction between the two. Does not own the archive's entries
(``archive.retention``) or when the objective is archived (``archive.service``).
"""

from __future__ import annotations

import copy

from operators_edge.evidence.plan_events import objective_hash
from operators_edge.evidence.progress import keys_of
from operators_edge.plan import modes
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from operators_edge.model import State


class ClosedObjective(NamedTuple):
    """The objective to archive, and what belongs to the next one.

    ``steps`` are the steps of the closed objective, with their current content if the plan still has them.
    ``rest``, ``objective_next``, ``action_next`` and ``intent_next`` were added since. ``sessions`` are the
    first and the last session that worked on it; [] if that is unknown.
    """

    objective: Any
    steps: list[Any]
    sessions: list[str]
    rest: list[Any]
    objective_next: Any
    action_next: Any
    intent_next: Any

    @property
    def is_replaced(self) -> bool:
        return self.objective_next is not None


def mark(state: State, sessions: Sequence[str]) -> None:
    """Remember what was marked done."""
    state["archive"] = {
        **_kept(state),
        "ending": {
            "objective": state.get("objective"),
            "plan": copy.deepcopy(state.get("plan") or []),
            "next_action": state.get("next_action"),
            "intent": copy.deepcopy(state.get("intent")),
            "sessions": [sessions[0], sessions[-1]] if sessions else [],
        },
    }


def unmark(state: State) -> None:
    """Forget the mark: the work continues, or the objective was archived."""
    _forget(state, "ending")


def is_marked(state: State) -> bool:
    return isinstance(_kept(state).get("ending"), dict)


def may_be_due(state: State) -> bool:
    """A cheap test at the end of a turn; ``is_due`` decides."""
    return modes.current(state) == "done" or is_marked(state)


def is_due(state: State) -> bool:
    """Whether it must be archived now: also after an edit that set another mode and another objective."""
    if modes.current(state) == "done":
        return True
    return is_marked(state) and closed_objective(state).is_replaced


def closed_objective(state: State) -> ClosedObjective:
    """The closed objective; everything there is, if nothing was marked done."""
    ending = _kept(state).get("ending")
    objective, now = state.get("objective"), _by_key(state)
    if not isinstance(ending, dict):
        return ClosedObjective(objective, list(now.values()), [], [], None, None, None)
    is_other = objective_hash(state) != objective_hash(ending)
    then = _by_key(ending)
    mine = {
        key: each
        for key, each in now.items()
        if key in then and not (is_other and _is_done(then[key]) and not _is_done(each))
    }
    action, intent = state.get("next_action"), state.get("intent")
    return ClosedObjective(
        ending.get("objective"),
        [mine.get(key, each) for key, each in then.items()],
        [str(each) for each in _list(ending.get("sessions"))],
        [each for key, each in now.items() if key not in mine],
        objective if is_other else None,
        action if action != ending.get("next_action") else None,
        intent if intent != ending.get("intent") else None,
    )


def _by_key(state: State) -> dict[str, Any]:
    """Every step of a plan by its key, in order."""
    plan = _list(state.get("plan"))
    texts = (each.get("description") if isinstance(each, dict) else each for each in plan)
    return dict(zip(keys_of(texts), plan, strict=True))


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _is_done(step: Any) -> bool:
    return isinstance(step, dict) and step.get("status") == "completed"


def _kept(state: State) -> dict[str, Any]:
    value = state.get("archive")
    return value if isinstance(value, dict) else {}


def _forget(state: State, key: str) -> None:
    if key in _kept(state):
        state["archive"] = {k: each for k, each in _kept(state).items() if k != key}


# -- steps that a prune removed before - ------------------------------------------------------------


def count_steps(state: State, more: int) -> None:
    """Count steps of the objective that went to the archive before it ended."""
    if more:
        state["archive"] = {**_kept(state), "steps_pruned": steps_pruned(state) + more}


def steps_pruned(state: State) -> int:
    value = _kept(state).get("steps_pruned")
    return value if type(value) is int and value > 0 else 0


def forget_steps(state: State) -> None:
    """Start counting from 0, for another objective."""
    _forget(state, "steps_pruned")


# end of module
