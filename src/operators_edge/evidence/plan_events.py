"""Objective and plan as events of the log, and what is written into the plan automatically.

Pure. Owns the events ``objective`` and ``plan``, the host's todos as steps (PR-6) and proofs found by
observation (PR-5). Does not own what was observed (``evidence.objective_facts``, ``evidence.progress``).
"""

from __future__ import annotations

from operators_edge.evidence import said
from operators_edge.evidence.progress import keys_of, observed_during, open_todos
from operators_edge.gate.fingerprint import canonical
from operators_edge.model import HOST
from operators_edge.system.digest import sha256_hex
from operators_edge.text.wording import as_text, many, one_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from operators_edge.evidence.objective_facts import ObjectiveFacts
    from operators_edge.evidence.progress import Observed, TodoFacts
    from operators_edge.model import State
    from operators_edge.records import LogEntry

TEXT_LIMIT = 200
"""Characters of a step's text, and of its verification, that the log keeps."""

STEPS_LOGGED = 200
"""Further steps of a longer plan are not followed; the log keeps no longer lists."""

NO_OBJECTIVE = ""

AUTO = "auto:"
"""The start of a proof that was filled in from what was observed during the step."""

_CHECKS_NAMED = 3


def step_keys(state: State) -> list[str]:
    """The key of every step of the plan, in its order."""
    return keys_of(step.get("description") for step in _steps(state))


def objective_hash(state: State) -> str:
    """The objective's identity; ``NO_OBJECTIVE`` if there is none."""
    objective = state.get("objective")
    return sha256_hex(canonical(objective)) if objective else NO_OBJECTIVE


# -- events for the log ----------------------------------------------------------------------------


def new_entries(state: State, work: ObjectiveFacts) -> list[LogEntry]:
    """The entries for an objective and a plan of the state that the log does not show yet."""
    entries: list[LogEntry] = []
    now, before = objective_hash(state), work["objective_hash"]
    is_new = now != (before or NO_OBJECTIVE)
    if is_new:
        data: dict[str, Any] = {"objective": state.get("objective"), "objective_hash": now}
        if todos := open_todos(work):
            data["todos"] = todos
        if requests := said.carried(work["said"], _finished(state, work)):
            data["said"] = requests
        entries.append({"event": "objective", "data": data})
    steps = _logged(state)
    digest = sha256_hex(canonical(steps))[:16] if steps else None
    if digest != (None if is_new else work["plan_hash"]):
        data = {"steps": steps[:STEPS_LOGGED], "hash": digest}
        if len(steps) > STEPS_LOGGED:
            data["count"] = len(steps)
        entries.append({"event": "plan", "data": data})
    return entries


def _finished(state: State, work: ObjectiveFacts) -> int:
    """The entry after which requests may be about a new objective; 0 for all of them.

    The same plan under another text is the same work, and without an objective nothing was finished.
    """
    steps = _logged(state)
    is_same = bool(steps) and sha256_hex(canonical(steps))[:16] == work["plan_hash"]
    if is_same or not work["objective_hash"]:
        return 0
    return max((each["seq"] for each in work["completions"].values()), default=0)


def _logged(state: State) -> list[dict[str, Any]]:
    steps = []
    for key, step in zip(step_keys(state), _steps(state), strict=True):
        entry = {
            "key": key,
            "text": one_line(step.get("description") or "", TEXT_LIMIT),
            "status": str(step.get("status") or "pending"),
        }
        for name in ("verification", "source"):
            if step.get(name):
                entry[name] = one_line(step[name], TEXT_LIMIT)
        steps.append(entry)
    return steps


def _steps(state: State) -> list[dict[str, Any]]:
    plan = state.get("plan")
    steps = plan if isinstance(plan, list) else []
    return [step if isinstance(step, dict) else {"description": step} for step in steps]


# -- the host's todos ------------------------------------------------------------------------------


def mirror_todos(state: State, work: ObjectiveFacts, session: str) -> None:
    """Bring the host's todos into the plan: new ones after the existing steps; dropped ones are removed.

    A step with the same text that was not mirrored is unchanged, and so is a mirrored one whose status was
    changed since; a removed one is not added again. Completed ones stay until the objective is archived, or
    without an objective until another session begins.
    """
    plan = state.get("plan")
    if not isinstance(plan, list) or not all(isinstance(step, dict) for step in plan):
        return
    mirrored, before = list(plan), canonical(plan)
    for todo in work["todos"].values():
        _mirror_one(mirrored, work, todo)
    if not state.get("objective"):
        mirrored = [step for step in mirrored if not _is_past(step, session)]
    if canonical(mirrored) == before:
        return
    state["plan"] = mirrored
    state["current_step"] = _current_step(mirrored, plan, state.get("current_step"))


def _mirror_one(plan: list[Any], work: ObjectiveFacts, todo: TodoFacts) -> None:
    ident = _host_id(todo)
    index = next((n for n, step in enumerate(plan) if step.get("host_id") == ident), None)
    if todo["status"] == "deleted":
        if index is not None and plan[index].get("status") != "completed":
            del plan[index]
        return
    if index is None:
        keys = keys_of(step.get("description") for step in plan)
        if todo["key"] in keys:
            index = keys.index(todo["key"])
            if plan[index].get("source") != HOST:
                return
            plan[index] = {**plan[index], "host_id": ident}  # of an earlier session
        elif todo["mirrored"]:
            return
        else:
            new = {"description": todo["text"], "status": todo["status"]}
            plan.append({**new, "source": HOST, "host_id": ident})
            return
    step, key = plan[index], keys_of(each.get("description") for each in plan)[index]
    logged = work["steps"].get(key)
    last = logged["seq"] if logged else 0
    if step.get("source") == HOST and step.get("status") != todo["status"] and last <= todo["seq"]:
        step = {**step, "status": todo["status"]}
    if step.get("source") == HOST and step.get("description") == todo["was"]:
        step = {**step, "description": todo["text"]}
    plan[index] = step


def _host_id(todo: TodoFacts) -> str:
    return f"{todo['session'][:8]}/{todo['id'] or todo['key'][:6]}"


def _is_past(step: dict[str, Any], session: str) -> bool:
    is_ours = str(step.get("host_id") or "").startswith(f"{session[:8]}/")
    return step.get("source") == HOST and step.get("status") == "completed" and not is_ours


def _current_step(plan: list[Any], before: list[Any], current: object) -> object:
    """The current step while it is in the plan and not completed, else the next open one."""
    if isinstance(current, int) and 1 <= current <= len(before):
        step = before[current - 1]
        places = [number for number, each in enumerate(plan, 1) if each is step]
        if places and step.get("status") != "completed":
            return places[0]
    for wanted in ("in_progress", "pending", "blocked"):
        for number, each in enumerate(plan, 1):
            if str(each.get("status") or "pending") == wanted:
                return number
    return None


# -- proofs found by observation -------------------------------------------------------------------


def add_proofs(state: State, work: ObjectiveFacts) -> None:
    """Give each completed step without a proof of its own what was observed during it, if anything."""
    for key, step in zip(step_keys(state), _steps(state), strict=True):
        if step.get("status") != "completed" or not _may_write(step.get("proof")):
            continue
        proof = proof_text(observed_during(work, key))
        if proof and proof != step.get("proof"):
            step["proof"] = proof


def _may_write(proof: object) -> bool:
    text = as_text(proof)
    return not text or text.startswith(AUTO)


def proof_text(seen: Observed | None) -> str:
    """As in ``auto: 3 files, pytest passed (log 120-148)``; "" if nothing was observed."""
    if seen is None:
        return ""
    parts = []
    if seen["files_count"]:
        parts.append(many(seen["files_count"], "file"))
    checks = list({each["name"]: each for each in seen["checks"]}.values())[-_CHECKS_NAMED:]
    parts += [f"{each['name']} {_OUTCOMES[each['passed']]}" for each in checks]
    if not parts and seen["commands"]:
        failed = f" ({len(seen['failed'])} failed)" if seen["failed"] else ""
        parts.append(f"{many(seen['commands'], 'command')}{failed}")
    if not parts and seen["actions"]:
        parts.append(many(seen["actions"], "tool use"))
    return f"{AUTO} {', '.join(parts)} (log {seen['from']}-{seen['to']})" if parts else ""


_OUTCOMES = {True: "passed", False: "failed", None: "run, outcome unknown"}

# end of module
