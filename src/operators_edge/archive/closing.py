"""An objective that was said to be done, until it is archived: what it was then, and what came since (MO-6).

Between done and the end of the turn the next objective may already be written down, by a command or by
hand. Pure. Owns telling the two apart. Does not own the archive's words (``archive.retention``) or when it
is archived (``archive.service``).
"""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any, NamedTuple

from operators_edge.evidence.plan_events import objective_hash
from operators_edge.evidence.progress import keys_of
from operators_edge.plan import modes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from operators_edge.model import State


class Over(NamedTuple):
    """What is over, and what goes on.

    ``steps`` are the objective's, as they stand now where they are still there. ``rest`` are the plan's
    steps, ``objective_next`` and ``action_next`` the words that came since; ``sessions`` the first and the
    last one at work, [] where that was not kept.
    """

    objective: Any
    steps: list[Any]
    sessions: list[str]
    rest: list[Any]
    objective_next: Any
    action_next: Any

    @property
    def is_replaced(self) -> bool:
        return self.objective_next is not None


def mark(state: State, sessions: Sequence[str]) -> None:
    """Somebody said done: keep what of."""
    state["archive"] = {
        **_kept(state),
        "ending": {
            "objective": state.get("objective"),
            "plan": copy.deepcopy(state.get("plan") or []),
            "next_action": state.get("next_action"),
            "sessions": [sessions[0], sessions[-1]] if sessions else [],
        },
    }


def drop(state: State) -> None:
    """It goes on after all, or it is archived."""
    if "ending" in _kept(state):
        state["archive"] = {key: each for key, each in _kept(state).items() if key != "ending"}


def is_marked(state: State) -> bool:
    return isinstance(_kept(state).get("ending"), dict)


def may_be_over(state: State) -> bool:
    """Whether the end of a turn has to look closer: see ``is_over``."""
    return modes.current(state) == "done" or is_marked(state)


def is_over(state: State) -> bool:
    """Whether it has to be archived: also where a hand wrote another mode together with another objective."""
    if modes.current(state) == "done":
        return True
    return is_marked(state) and over(state).is_replaced


def over(state: State) -> Over:
    """What is over; where nobody kept what was done, that is all there is."""
    ending = _kept(state).get("ending")
    objective, now = state.get("objective"), _by_key(state)
    if not isinstance(ending, dict):
        return Over(objective, list(now.values()), [], [], None, None)
    is_other = objective_hash(state) != objective_hash(ending)
    then = _by_key(ending)
    mine = {
        key: each
        for key, each in now.items()
        if key in then and not (is_other and _is_done(then[key]) and not _is_done(each))
    }
    action = state.get("next_action")
    return Over(
        ending.get("objective"),
        [mine.get(key, each) for key, each in then.items()],
        [str(each) for each in _list(ending.get("sessions"))],
        [each for key, each in now.items() if key not in mine],
        objective if is_other else None,
        action if action != ending.get("next_action") else None,
    )


def _by_key(state: State) -> dict[str, Any]:
    """Every step of a plan by its key, in their order."""
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


# -- steps that a prune took out before ------------------------------------------------------------


def count_steps(state: State, more: int) -> None:
    """Steps of the objective that left the plan for the archive before it ends."""
    if more:
        state["archive"] = {**_kept(state), "steps_pruned": steps_pruned(state) + more}


def steps_pruned(state: State) -> int:
    value = _kept(state).get("steps_pruned")
    return value if type(value) is int and value > 0 else 0


def forget_steps(state: State) -> None:
    """Another objective begins without any."""
    if steps_pruned(state):
        state["archive"] = {k: each for k, each in _kept(state).items() if k != "steps_pruned"}
