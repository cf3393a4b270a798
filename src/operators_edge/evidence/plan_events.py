"""Objective and plan as the log tells them, and what is written into the plan that nobody claimed by hand.

Pure. Owns a step's key, the events ``objective`` and ``plan``, the host's todos as steps (PR-6) and proofs
found by observation (PR-5). Does not own what was observed (``evidence.objective_facts``,
``evidence.progress``) or when it is asked (``project``, ``sessions.end``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from operators_edge.evidence.progress import keys_of, open_todos, seen_of
from operators_edge.gate.fingerprint import canonical
from operators_edge.model import HOST
from operators_edge.system.digest import sha256_hex
from operators_edge.text.wording import as_text, many, one_line

if TYPE_CHECKING:
    from operators_edge.evidence.objective_facts import Work
    from operators_edge.evidence.session_facts import Entry
    from operators_edge.model import State

TEXT_LIMIT = 200
"""Characters of a step's text, and of its verification, that the log keeps."""

STEPS_LOGGED = 200
"""Steps of a longer plan are not followed one by one; the log keeps no longer lists."""

NO_OBJECTIVE = ""

AUTO = "auto:"
"""How a proof begins that nobody gave: what was observed while the step was at work."""

_CHECKS_NAMED = 3


def step_keys(state: State) -> list[str]:
    """The key of every step of the plan, in its order."""
    return keys_of(step.get("description") for step in _steps(state))


def objective_hash(state: State) -> str:
    """The objective's identity; ``NO_OBJECTIVE`` where there is none."""
    objective = state.get("objective")
    return sha256_hex(canonical(objective)) if objective else NO_OBJECTIVE


# -- what the log is told --------------------------------------------------------------------------


def is_same(one: State, other: State) -> bool:
    """Whether two states tell the log the same."""
    return objective_hash(one) == objective_hash(other) and _told(one) == _told(other)


def remark(state: State, told: Work) -> list[Entry]:
    """The entries that tell what the state's objective and plan are and the log does not say yet."""
    entries: list[Entry] = []
    now, before = objective_hash(state), told["objective_hash"]
    is_new = now != (before or NO_OBJECTIVE)
    if is_new:
        data: dict[str, Any] = {"objective": state.get("objective"), "objective_hash": now}
        if todos := open_todos(told):
            data["todos"] = todos
        entries.append({"event": "objective", "data": data})
    steps = _told(state)
    digest = sha256_hex(canonical(steps))[:16] if steps else None
    if digest != (None if is_new else told["plan_hash"]):
        data = {"steps": steps[:STEPS_LOGGED], "hash": digest}
        if len(steps) > STEPS_LOGGED:
            data["count"] = len(steps)
        entries.append({"event": "plan", "data": data})
    return entries


def _told(state: State) -> list[dict[str, Any]]:
    told = []
    for key, step in zip(step_keys(state), _steps(state), strict=True):
        one = {
            "key": key,
            "text": one_line(step.get("description") or "", TEXT_LIMIT),
            "status": str(step.get("status") or "pending"),
        }
        if step.get("verification"):
            one["verification"] = one_line(step["verification"], TEXT_LIMIT)
        if step.get("source"):
            one["source"] = one_line(step["source"], TEXT_LIMIT)
        told.append(one)
    return told


def _steps(state: State) -> list[dict[str, Any]]:
    plan = state.get("plan")
    steps = plan if isinstance(plan, list) else []
    return [step if isinstance(step, dict) else {"description": step} for step in steps]


# -- the host's todos ------------------------------------------------------------------------------


def mirror(state: State, work: Work, session: str) -> None:
    """Bring the host's todos into the plan: new ones behind the steps there are, dropped ones out of it.

    A step of the same words that somebody wrote is left as it is, and so is a mirrored one that somebody
    moved on since; one that somebody took out stays out. Completed ones stay until the objective is archived;
    without an objective, until another session begins.
    """
    plan = state.get("plan")
    if not isinstance(plan, list) or not all(isinstance(step, dict) for step in plan):
        return
    kept, before = list(plan), canonical(plan)
    for todo in work["todos"].values():
        _mirror_one(kept, work, todo)
    if not state.get("objective"):
        kept = [step for step in kept if not _is_past(step, session)]
    if canonical(kept) == before:
        return
    state["plan"] = kept
    state["current_step"] = _at_work(kept, plan, state.get("current_step"))


def _mirror_one(plan: list[Any], work: Work, todo: dict[str, Any]) -> None:
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
            plan[index] = {**plan[index], "host_id": ident}  # taken over from an earlier session
        elif todo["mirrored"]:
            return
        else:
            new = {"description": todo["text"], "status": todo["status"]}
            plan.append({**new, "source": HOST, "host_id": ident})
            return
    step, key = plan[index], keys_of(each.get("description") for each in plan)[index]
    last = work["steps"].get(key, {}).get("seq") or 0
    if step.get("source") == HOST and step.get("status") != todo["status"] and last <= todo["seq"]:
        step = {**step, "status": todo["status"]}
    if step.get("source") == HOST and step.get("description") == todo["was"]:
        step = {**step, "description": todo["text"]}
    plan[index] = step


def _host_id(todo: dict[str, Any]) -> str:
    return f"{todo['session'][:8]}/{todo['id'] or todo['key'][:6]}"


def _is_past(step: dict[str, Any], session: str) -> bool:
    is_ours = str(step.get("host_id") or "").startswith(f"{session[:8]}/")
    return step.get("source") == HOST and step.get("status") == "completed" and not is_ours


def _at_work(plan: list[Any], before: list[Any], said: object) -> object:
    """The step at work: the one that was named while it is there and unfinished, else the host's next."""
    if isinstance(said, int) and 1 <= said <= len(before):
        named = next((n for n, step in enumerate(plan, 1) if step is before[said - 1]), 0)
        if named and plan[named - 1].get("status") != "completed":
            return named
    wanted = ("in_progress", "pending", "blocked")
    open_steps = [(wanted.index(s), n) for n, s in enumerate(_statuses(plan), 1) if s in wanted]
    return min(open_steps)[1] if open_steps else None


def _statuses(plan: list[Any]) -> list[str]:
    return [str(step.get("status") or "pending") for step in plan]


# -- proofs found by observation -------------------------------------------------------------------


def add_proofs(state: State, work: Work) -> None:
    """Give each completed step without a proof of its own what was observed, where there is something."""
    for key, step in zip(step_keys(state), _steps(state), strict=True):
        if step.get("status") != "completed" or not _may_write(step.get("proof")):
            continue
        proof = proof_text(seen_of(work, key))
        if proof and proof != step.get("proof"):
            step["proof"] = proof


def _may_write(proof: object) -> bool:
    text = as_text(proof)
    return not text or text.startswith(AUTO)


def proof_text(seen: dict[str, Any]) -> str:
    """As in ``auto: 3 files, pytest passed (log 120-148)``; "" where nothing was observed."""
    if not seen:
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
