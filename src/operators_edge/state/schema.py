"""What a state must and should be: defaults, invariants, warnings, and what agents must not change.

Owns the conversion of older files to the current schema. Does not own storage, or what a mode or junction
means.
"""

from __future__ import annotations

import re

from operators_edge import jsons
from operators_edge.errors import StateInvalid
from operators_edge.model import MACHINE_KEYS, MODES, SCHEMA_VERSION, STEP_STATUSES
from operators_edge.text import timestamps
from operators_edge.text.wording import many
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime
    from typing import Any

    from operators_edge.model import State

HUMAN_KEYS = (
    "schema_version",
    "objective",
    "intent",
    "current_step",
    "plan",
    "next_action",
    "constraints",
    "open_questions",
    "risks",
    "obligations",
    "mismatches",
    "memory",
    "research",
    "brainstorm",
    "scan_findings",
    "self_score",
    "notes",
)
"""The known keys that people and agents write, in the order in which new ones are added."""

REQUIRED_KEYS = ("schema_version", "objective", "current_step", "plan", "constraints")
_LISTS = ("plan", "constraints", "open_questions", "risks", "mismatches", "memory", "research")
_MACHINE_LISTS = ("junction_history", "left_questions", "allowances", "dismissals", "overrides")
_MAPS = ("session", "junction", "observations", "progress", "gear", "archive")
_V2_KEYS = ("open_questions", "research", "mismatches", "memory", "self_score", "archive")
_V4_KEYS = ("mode", "junction", "allowances", "dismissals", "observations", "progress")
_NO_OBJECTIVE = ("", "null", "set your objective here")
_PLAIN_JUNCTIONS = ("irreversible", "external", "ambiguous", "dangerous", "complexity", "blocked")
"""Junctions of older versions that say all there is to them: no payload that answering would act on."""

_MAX_LINES = 150
_STALE_LESSON_SECONDS = 14 * 86400


class Check(NamedTuple):
    """One rule applied to a state, or to an edit of it; ``name`` is public and stable.

    ``text`` says why it does not hold, or why it could not be asked: then ``holds`` is None.
    """

    name: str
    holds: bool | None
    text: str

    @property
    def outcome(self) -> str:
        return "skipped" if self.holds is None else "passed" if self.holds else "failed"


def fault(name: str, text: str) -> Check:
    return Check(name, holds=False, text=text)


def fresh() -> State:
    """The state of a project that has none yet."""
    return {
        "schema_version": SCHEMA_VERSION,
        "objective": None,
        "current_step": 0,
        "plan": [],
        "constraints": [],
    }


def is_same(one: Any, other: Any) -> bool:
    """Equality of JSON-like data: ``1``, ``1.0`` and ``True`` differ, the order of keys does not."""
    if type(one) is not type(other):
        return False
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(is_same(one[key], other[key]) for key in one)
    if isinstance(one, list):
        return len(one) == len(other) and all(map(is_same, one, other))
    return bool(one == other) or (one != one and other != other)  # noqa: PLR0124 - NaN is itself


def lifted(state: State) -> State:
    """A copy in the current schema: what older files lack or name differently, without loss.

    The values are shared with ``state``; only the top level is new.
    """
    lifted = dict(state)
    lifted["schema_version"] = _version(state)
    lifted.setdefault("objective", None)
    if is_placeholder(lifted["objective"]):
        lifted["objective"] = None
    _lift_mode(lifted)
    junction = state.get("junction")
    if isinstance(junction, dict) and not _fits(junction, _JUNCTION):
        lifted["junction"] = _older_junction(junction) if junction else None
    if "lessons" in lifted and not lifted.get("memory"):
        old = lifted.pop("lessons")
        entries = old if isinstance(old, list) else [] if old is None else [old]
        lifted["memory"] = [
            {"trigger": "", "lesson": each} if isinstance(each, str) else each for each in entries
        ]
    for key in ("plan", "constraints"):
        lifted.setdefault(key, [])
    for key in _LISTS:
        if key in lifted and lifted[key] is None:
            lifted[key] = []
    if isinstance(lifted["plan"], list):
        lifted["plan"] = [step_of(each) for each in lifted["plan"]]
    lifted["current_step"] = current_step(lifted)
    return lifted


def _lift_mode(lifted: State) -> None:
    """Older versions took a mode in any case; a word that none of them knew stays as it is."""
    mode = lifted.get("mode")
    if isinstance(mode, str) and mode.strip().lower() in MODES:
        lifted["mode"] = mode.strip().lower()
    elif mode in (None, ""):
        lifted.pop("mode", None)


def is_placeholder(objective: object) -> bool:
    """True for an empty objective, or a template that was not filled in."""
    return isinstance(objective, str) and objective.strip().lower() in _NO_OBJECTIVE


_PAYLOAD = {
    "warnings?": [{"name": str}],
    "remarks?": list,
    "findings?": list,
    "options?": list,
    "proposal?": dict,
}
_JUNCTION = {
    "id": str,
    "type": str,
    "session": str,
    "reason": str,
    "fingerprint?": str,
    "classes?": [str],
    "also_blocked?": [{"shown": str}],
    "payload?": _PAYLOAD,
}
"""The shape in which a junction is written; people and other versions write others."""


def _fits(value: Any, shape: Any) -> bool:
    """Whether a value has a shape: a type, a list of one shape, or a mapping with these keys.

    A key that ends with a question mark can be missing or null.
    """
    if isinstance(shape, list):
        return isinstance(value, list) and all(_fits(each, shape[0]) for each in value)
    if isinstance(shape, dict):
        return isinstance(value, dict) and all(
            _fits(value.get(name.rstrip("?")), part)
            or (name.endswith("?") and value.get(name.rstrip("?")) is None)
            for name, part in shape.items()
        )
    return isinstance(value, shape)


_NOT_KEPT = ("fingerprint", "payload", "card", "also_blocked", "subject", "rule")


def _older_junction(junction: dict[str, Any]) -> dict[str, Any]:
    """A decision that an older version waits for: it can be read and answered, and answering grants nothing.

    Its fingerprint has another format, and its payload is no longer acted on. One that was written by hand,
    in another shape, is treated the same: what it asks for is unknown.
    """
    kind = str(junction.get("type") or "unknown")
    payload = junction.get("payload")
    reason = junction.get("reason") or (
        payload.get("reason") if isinstance(payload, dict) else None
    )
    kept = {key: value for key, value in junction.items() if key not in _NOT_KEPT}
    if _fits(payload, _PAYLOAD):
        kept["payload"] = payload
    return kept | {
        "id": str(junction.get("id") or "legacy"),
        "type": kind if kind in _PLAIN_JUNCTIONS else "ambiguous",
        "reason": str(reason or kind),
        "shown": str(junction.get("shown") or reason or kind),
        "session": "",
        "classes": [],
        "source": "legacy",
    }


def step_of(entry: Any) -> dict[str, Any]:
    """A plan's entry as a step: old files, and people in a hurry, write a text alone."""
    if isinstance(entry, dict):
        return entry
    text = "" if entry is None else entry
    text = text if isinstance(text, str) else jsons.dumps(text, ensure_ascii=False)
    return {"description": text, "status": "pending"}


def as_written(steps: list[Any], written: list[Any]) -> list[Any]:
    """The steps; unchanged ones in the form that they have in the file."""
    odd = [(step_of(each), each) for each in written if not isinstance(each, dict)]
    kept = []
    for step in steps:
        at = next((n for n, (read, _) in enumerate(odd) if is_same(read, step)), None)
        kept.append(step if at is None else odd.pop(at)[1])
    return kept


def _version(state: State) -> Any:
    """The schema version; older files have it as a text or a decimal number, or lack it."""
    said = state.get("schema_version")
    if isinstance(said, str) and re.fullmatch(r"\d{1,3}(\.0)?", said.strip()):
        return int(float(said))
    if isinstance(said, float) and said.is_integer():
        return int(said)
    if said is not None:
        return said
    if any(key in state for key in _V4_KEYS):
        return SCHEMA_VERSION
    return 2 if any(key in state for key in _V2_KEYS) else 1


def current_step(state: State) -> int:
    """The 1-indexed step at work: len+1 when all are complete, 0 for an empty plan."""
    plan = state.get("plan")
    if not isinstance(plan, list) or not plan:
        return 0
    unfinished = [
        number
        for number, step in enumerate(plan, 1)
        if not (isinstance(step, dict) and step.get("status") == "completed")
    ]
    if not unfinished:
        return len(plan) + 1
    said = state.get("current_step")
    if type(said) is int and 1 <= said <= len(plan):
        return said
    return unfinished[0]


def latest_session(state: State) -> str:
    """The id of the session that the state describes; "" before the first."""
    return str((state.get("session") or {}).get("id") or "")


def _known_version(said: object) -> Check:
    name, wanted = "schema-version", f"write schema_version: {SCHEMA_VERSION}"
    if type(said) is int and said > SCHEMA_VERSION:
        newer = f"schema_version is {said}, this version knows {SCHEMA_VERSION}: update operators-edge, or"
        return Check(name, holds=False, text=f"{newer} {wanted}")
    is_known = type(said) is int and said > 0
    return Check(name, is_known, f"schema_version must be a whole number; {wanted}")


def violations(state: State) -> list[Check]:
    """Every invariant and required field that does not hold; empty for a state that may be written."""
    checks = [
        _known_version(state.get("schema_version")),
        Check(
            "mode-valid",
            "mode" not in state or state["mode"] in MODES,
            f"mode is {state.get('mode')!r}, it can be {', '.join(MODES)}; or leave it out",
        ),
        Check(
            "junction-singular",
            state.get("junction") is None or isinstance(state["junction"], dict),
            "junction must be null or one mapping: at most one decision can be pending",
        ),
        Check(
            "objective-text",
            state.get("objective") is None or _is_text(state["objective"]),
            "objective must be a sentence, or null when there is none",
        ),
        Check(
            "plan-list",
            isinstance(state.get("plan"), list),
            "plan must be a list of steps; write plan: [] for none",
        ),
        Check(
            "constraints-list",
            isinstance(state.get("constraints"), list),
            "constraints must be a list; write constraints: [] for none",
        ),
    ]
    checks += _grants(state, "allowances", "allowance-fingerprint", "consumed")
    checks += _grants(state, "dismissals", "dismissal-expiry", "expires_at")
    where = _unstorable(state, "state")
    told = f"{where} cannot be stored: use text, numbers, lists, maps"
    checks.append(Check("json-data", not where, told))
    broken = [each for each in checks if not each.holds]
    if not broken and (shape := type_fault(state)):
        broken.append(shape._replace(name="key-shape"))
    return broken


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and bool(value.strip())


def _grants(state: State, key: str, name: str, second: str) -> list[Check]:
    entries = state.get(key)
    if entries is None:
        return []
    if not isinstance(entries, list):
        return [fault(name, f"{key} must be a list; write {key}: [] for none")]
    return [
        fault(
            name,
            f"{key}[{index}] needs fingerprint and {second}; remove it or run edge doctor",
        )
        for index, entry in enumerate(entries)
        if not (isinstance(entry, dict) and _is_text(entry.get("fingerprint")))
        or not (type(entry.get(second)) is bool or _is_text(entry.get(second)))
        or (type(entry.get(second)) is bool) != (second == "consumed")
    ]


def _unstorable(value: Any, where: str) -> str:
    """The place of the first value that is not JSON-like; empty when there is none."""
    if value is None or isinstance(value, (str, bool, int)):
        return ""
    if isinstance(value, float):
        import math  # noqa: PLC0415 - few states have such a number

        # YAML knows .nan and .inf; in the machine block, whose values are JSON, they do not exist.
        is_machine = where.partition(".")[2].partition(".")[0].partition("[")[0] in MACHINE_KEYS
        return where if is_machine and not math.isfinite(value) else ""
    if isinstance(value, dict):
        for key, each in value.items():
            if not isinstance(key, str):
                return f"{where}: the key {key!r}"
            if found := _unstorable(each, f"{where}.{key}"):
                return found
        return ""
    if isinstance(value, list):
        for index, each in enumerate(value):
            if found := _unstorable(each, f"{where}[{index}]"):
                return found
        return ""
    return where


def require_valid(state: State) -> None:
    """Raise StateInvalid with every invariant that does not hold, by name."""
    if notes := violations(state):
        listed = "\n".join(f"{note.name}: {note.text}" for note in notes)
        raise StateInvalid(
            f"the state would break {notes[0].name}: {notes[0].text}",
            detail=listed if len(notes) > 1 else "",
            hint="Correct it in active_context.yaml, then repeat. Nothing was written.",
        )


_KINDS = {
    **{
        key: (list, f"a list: write {key}: []") for key in (*_LISTS, "obligations", *_MACHINE_LISTS)
    },
    **dict.fromkeys(_MAPS, (dict, "a mapping: take it out")),
}


def type_fault(state: State) -> Check | None:
    """The first known key of a lifted state whose value is no such thing at all; its name and why.

    A string in place of a list of steps is not an empty plan: its meaning is unknown.
    """
    for key, (kind, wanted) in _KINDS.items():
        value = state.get(key)
        if value and not isinstance(value, kind):
            return fault(key, f"{key} is {_kind(value)} and has to be {wanted}")
    for key in _MACHINE_LISTS:
        for number, each in enumerate(state.get(key) or [], 1):
            if not isinstance(each, dict):
                what = f"entry {number} of {key} is {_kind(each)} and has to be a mapping"
                return fault(key, f"{what}: take it out")
    return next(_unusable_statuses(state.get("plan") or []), None)


def _unusable_statuses(plan: list[Any]) -> Iterator[Check]:
    for number, step in enumerate(plan, 1):
        status = step.get("status") if isinstance(step, dict) else None
        if isinstance(status, (dict, list)):
            what = f"the status of step {number} is {_kind(status)}"
            yield fault("plan", f"{what} and can be {', '.join(STEP_STATUSES)}")


def _kind(value: Any) -> str:
    names = {str: "a text", bool: "yes or no", dict: "a mapping", list: "a list"}
    return names.get(type(value), "empty" if value is None else "a number")


def protected_changes(old: State, new: State) -> list[str]:
    """The machine keys whose meaning differs; absent, null and empty mean the same (ST-8)."""
    return [key for key in MACHINE_KEYS if not is_same(old.get(key) or None, new.get(key) or None)]


def warnings(state: State, *, now: datetime, lines: int = 0) -> list[Check]:
    """Soft rules and entropy checks: worth saying, never a reason to refuse.

    ``lines`` is the length of the file.
    """
    steps = maps(state.get("plan"))
    completed = [step for step in steps if step.get("status") == "completed"]
    memory = maps(state.get("memory"))
    resolved = [each for each in maps(state.get("mismatches")) if is_resolved(each)]
    unused = [each for each in memory if _is_stale(each, now)]
    checks = (
        Check(
            "step-shape",
            len(steps) == len(state.get("plan") or []),
            "a step of the plan is not a mapping with description and status",
        ),
        Check(
            "step-status",
            all(step.get("status") in STEP_STATUSES for step in steps),
            f"the status of a step can only be {', '.join(STEP_STATUSES)}",
        ),
        Check(
            "completed-without-proof",
            all(step.get("proof") for step in completed),
            "a completed step has no proof",
        ),
        Check(
            "started-without-expected",
            all(s.get("status") != "in_progress" or s.get("expected") for s in steps),
            "a step in progress does not say what is expected",
        ),
        Check(
            "lesson-incomplete",
            len(memory) == len(state.get("memory") or [])
            and all(each.get("trigger") and each.get("lesson") for each in memory),
            "a lesson has no trigger or no text",
        ),
        Check(
            "resolved-mismatch-kept",
            not resolved,
            "a resolved mismatch is still here: edge prune",
        ),
        Check(
            "many-completed-steps",
            len(completed) <= 3,
            f"the plan keeps {len(completed)} completed steps: edge prune",
        ),
        Check(
            "many-resolved-mismatches",
            len(resolved) <= 2,
            f"{len(resolved)} resolved mismatches are kept: edge prune",
        ),
        Check(
            "stale-lessons",
            not unused,
            f"{many(len(unused), 'lesson')} not used again in 14 days: edge prune",
        ),
        Check(
            "long-file",
            lines <= _MAX_LINES,
            f"the file has {lines} lines, more than {_MAX_LINES}: edge prune",
        ),
    )
    return [each for each in checks if not each.holds]


def is_resolved(mismatch: dict[str, Any]) -> bool:
    """In either of the two words that there are for it."""
    return mismatch.get("resolved") is True or mismatch.get("status") == "resolved"


def maps(value: Any) -> list[dict[str, Any]]:
    """The mappings of a list; of whatever else is there, nothing."""
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []


def _is_stale(lesson: dict[str, Any], now: datetime) -> bool:
    if lesson.get("reinforced") != 0:
        return False
    used = timestamps.parse(lesson.get("last_used"))
    return used is not None and (now - used).total_seconds() > _STALE_LESSON_SECONDS


# end of module
