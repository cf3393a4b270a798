"""The side files of versions before 4: merging their contents into the state.

Pure: values in, values out; the caller supplies time zones. Owns the names of the side files, what is merged
and what never is: an old decision is recorded, but grants nothing. Does not own files
(``migration.migrate``), which files older versions wrote (``migration.legacy_files``), or the keys of an old
state file (``schema.lifted``).
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable

from operators_edge.model import JUNCTION_HISTORY_TAIL, SCHEMA_VERSION
from operators_edge.state.schema import maps
from operators_edge.text.wording import many
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from operators_edge.model import State

GEAR, JUNCTION, DISPATCH = "gear_state.json", "junction_state.json", "dispatch_state.json"
OBLIGATIONS, EVALS, UNFINISHED = "obligations.json", "eval_state.json", "wal.json"

SIDE_FILES = (GEAR, JUNCTION, DISPATCH, OBLIGATIONS, EVALS, UNFINISHED)
"""Side files below ``.claude/state``, each with a JSON object."""

SESSION_FILES = ("session_id", "session_start_hash", "failure_log.jsonl", "plan_mode", "state.lock")
"""Side files about a single session. Nothing of them is merged."""

RUNTIME_PARTS = ("junction", "gear", "dispatch")
"""What older state files have below ``runtime``, and newer ones in separate keys."""

_NAIVE = re.compile(r"(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,6})?)?)")
_RUNTIME_NAMES = {"current": "current_gear"}

Localize = Callable[[str], str]
"""From a local time, as ISO 8601 text without a zone, to its offset."""


class Merged(NamedTuple):
    """The merged state; the source of each changed key; what was not merged, and why."""

    state: State
    sources: dict[str, str]
    dropped: tuple[str, ...]


def with_zone(value: Any, offset: Localize) -> Any:
    """A copy in which every time without a zone gets one; nothing else changes."""
    if isinstance(value, dict):
        return {str(key): with_zone(each, offset) for key, each in value.items()}
    if isinstance(value, list):
        return [with_zone(each, offset) for each in value]
    if isinstance(value, str) and (found := _NAIVE.fullmatch(value)):
        text = f"{found[1]}T{found[2]}"
        return text + offset(text)
    return value


def is_ours(junction: object) -> bool:
    """Whether a pending junction was raised by this product (``schema.lifted`` marks the others)."""
    return isinstance(junction, dict) and junction.get("source") != "legacy"


def merge(
    state: State,
    sides: dict[str, dict[str, Any]],
    *,
    now: str,
    offset: Localize,
    is_genuine: Callable[[dict[str, Any]], bool],
) -> Merged:
    """Merge the side files and ``runtime`` into the state.

    ``state`` is lifted (``schema.lifted``); ``sides`` holds the content of ``SIDE_FILES`` by name. Current
    values win over older ones, and lists are joined by id, so a second run changes nothing.
    """
    merger = _Merge(dict(state), with_zone(sides, offset), now, is_genuine, offset)
    runtime = state.get("runtime")
    merger.runtime = with_zone(runtime, offset) if isinstance(runtime, dict) else {}
    merger.gear()
    merger.junctions()
    merger.grants()
    merger.auto()
    merger.obligations()
    merger.evals()
    merger.finish()
    return Merged(merger.state, merger.sources, tuple(dict.fromkeys(merger.dropped)))


class _Merge:
    """One merge in progress: the state so far, and what is reported about it."""

    def __init__(
        self,
        state: State,
        sides: dict[str, dict[str, Any]],
        now: str,
        is_genuine: Callable[[dict[str, Any]], bool],
        offset: Localize,
    ) -> None:
        self.state = state
        self.sides = sides
        self.runtime: dict[str, Any] = {}
        self.now = now
        self.is_genuine = is_genuine
        self.offset = offset
        self.sources: dict[str, str] = {}
        self.dropped: list[str] = []

    def _set(self, key: str, value: Any, source: str) -> None:
        self.state[key] = value
        self.sources[key] = source

    def _part(self, name: str) -> dict[str, Any]:
        part = self.runtime.get(name)
        return part if isinstance(part, dict) else {}

    def _newer(self, file: str, part: str, clocks: tuple[str, ...]) -> tuple[dict[str, Any], str]:
        """The side file or the same part of ``runtime``, whichever was written later."""
        side, section = self.sides.get(file) or {}, self._part(part)
        latest = [max((str(e.get(c) or "") for c in clocks), default="") for e in (side, section)]
        if section and (not side or (any(latest) and latest[1] >= latest[0])):
            return section, f"runtime.{part}"
        return side, file

    def gear(self) -> None:
        old, source = self._newer(GEAR, "gear", ("last_run_at", "entered_at"))
        old = {_RUNTIME_NAMES.get(key, key): value for key, value in old.items()}
        old.pop("schema_version", None)
        if old.pop("quality_gate_override", None):
            self.dropped.append(
                f"{source}: an override of the quality gate. It does not prove that a person decided; "
                "answer the gate again."
            )
        if old and not self.state.get("gear"):
            self._set("gear", old, source)

    def junctions(self) -> None:
        history: list[dict[str, Any]] = []
        for part, source in (
            (self.sides.get(JUNCTION) or {}, JUNCTION),
            (self._part("junction"), "runtime.junction"),
        ):
            history += [_history_entry(each) for each in maps(part.get("history_tail"))]
            self._pending(part.get("pending"), source, history)
            self._suppressions(part, source)
        dispatch = self.sides.get(DISPATCH) or {}
        self._pending(_dispatch_junction(dispatch), DISPATCH, history)
        present = self.state.get("junction")
        if present is not None and not is_ours(present):
            self._pending(present, "junction", history)
            self._set("junction", None, "junction")
        known = maps(self.state.get("junction_history"))
        ids = {each.get("id") for each in known}
        new = [each for each in _unique(history) if each.get("id") not in ids]
        if new:
            joined = [*new, *known][-JUNCTION_HISTORY_TAIL:]
            self._set("junction_history", joined, JUNCTION)

    def _suppressions(self, part: dict[str, Any], source: str) -> None:
        if silenced := part.get("suppression") or part.get("suppressions"):
            self.dropped.append(
                f"{source}: {_count(silenced, 'suppression')}. Nothing proves that a person silenced "
                "those calls; use `edge dismiss` when the gate stops one again."
            )

    def _pending(self, pending: Any, source: str, history: list[dict[str, Any]]) -> None:
        """A pending decision becomes history: whether its call is still needed is unknown."""
        if not isinstance(pending, dict) or not pending:
            return
        text = describe(pending)
        kind = str(pending.get("type") or "unknown")
        ident = pending.get("id") or f"legacy-{kind}"
        history.append(
            {
                "id": ident,
                "type": kind,
                "decision": "dropped",
                "decided_at": self.now,
                "raised_at": with_zone(pending.get("created_at"), self.offset),
                "by": "edge migrate",
                "shown": text,
                "fingerprint": "",
            }
        )
        self.dropped.append(
            f"{source}: a pending decision ({text}). It is in junction_history; repeat the step and the "
            "question is raised again."
        )

    def grants(self) -> None:
        for key in ("allowances", "dismissals", "overrides"):
            entries = self.state.get(key)
            if not isinstance(entries, list):
                continue
            live = [e for e in entries if isinstance(e, dict) and self.is_genuine(e)]
            if len(live) < len(entries):
                self._set(key, live, key)
                lost = _count(entries[len(live) :], key.removesuffix("s"))
                self.dropped.append(f"{key}: {lost} without a valid signature. They never counted.")

    def auto(self) -> None:
        old, source = self._newer(DISPATCH, "dispatch", ("updated_at",))
        omitted = ("junction", "pending_junction", "junction_type", "junction_reason")
        old = {key: value for key, value in old.items() if key not in omitted}
        if not old or self.state.get("auto"):
            return
        if old.get("enabled"):
            self.dropped.append(
                f"{source}: dispatch was on. Only a person can switch it on: auto is off."
            )
        if old.get("state") in ("running", "junction"):
            old["state"] = "idle"
        self._set("auto", {**old, "enabled": False}, source)

    def obligations(self) -> None:
        new = maps((self.sides.get(OBLIGATIONS) or {}).get("pending"))
        present = self.state.get("obligations") or []
        if not new or not isinstance(present, list):
            return
        ids = {each.get("id") for each in maps(present)}
        added = [each for each in _unique(new) if each.get("id") not in ids]
        if added:
            self._set("obligations", [*present, *added], OBLIGATIONS)

    def evals(self) -> None:
        old = dict(self.sides.get(EVALS) or {})
        if old.pop("pending_run", None):
            self.dropped.append(f"{EVALS}: a run that was not finished. Its result is unknown.")
        present = self.state.get("evals") or {}
        if old and isinstance(present, dict) and not old.keys() <= present.keys():
            self._set("evals", {**old, **present}, EVALS)

    def finish(self) -> None:
        unfinished = self.sides.get(UNFINISHED) or {}
        if unfinished and not unfinished.get("completed"):
            names = sorted({str(e.get("target")) for e in maps(unfinished.get("operations"))})
            self.dropped.append(
                f"{UNFINISHED}: a change of {unfinished.get('started_at')} that was not finished"
                f"{': ' + ', '.join(names) if names else ''}. The current content of those files is used."
            )
        self._drop_runtime_parts()
        if self.state.get("schema_version") != SCHEMA_VERSION:
            self._set("schema_version", SCHEMA_VERSION, "schema_version")

    def _drop_runtime_parts(self) -> None:
        runtime = self.state.get("runtime")
        if not isinstance(runtime, dict) or runtime.keys().isdisjoint(RUNTIME_PARTS):
            return
        rest = {key: value for key, value in runtime.items() if key not in RUNTIME_PARTS}
        self.sources["runtime"] = "runtime"
        del self.state["runtime"]  # the rest of it moves to the end, after the newer keys
        if rest:
            self.state["runtime"] = rest


def describe(pending: dict[str, Any]) -> str:
    """A pending decision of an older version in one line."""
    payload = pending.get("payload")
    payload = payload if isinstance(payload, dict) else {}
    kind = str(pending.get("type") or "unknown")
    reason = pending.get("reason") or payload.get("reason") or payload.get("title")
    if reason is None and payload:
        reason = json.dumps(payload, ensure_ascii=False, sort_keys=True)
    return f"{kind}: {reason}"[:200] if reason else kind


def _history_entry(entry: dict[str, Any]) -> dict[str, Any]:
    """An old decision. Without a fingerprint it is not a precedent for any call."""
    return {"rule": "", "shown": "", **entry, "by": entry.get("by") or "unknown", "fingerprint": ""}


def _dispatch_junction(dispatch: dict[str, Any]) -> dict[str, Any] | None:
    """The second place of the pending junction, which older versions did not keep in sync."""
    if isinstance(dispatch.get("junction"), dict):
        return dict(dispatch["junction"])
    if dispatch.get("pending_junction"):
        return {"type": dispatch.get("junction_type"), "reason": dispatch.get("junction_reason")}
    return None


def _unique(entries: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Each id once, with its last entry."""
    found: dict[Any, dict[str, Any]] = {}
    for number, each in enumerate(entries):
        ident = each.get("id")
        found[ident if isinstance(ident, str) else number] = each
    return list(found.values())


def _count(entries: Any, noun: str) -> str:
    number = len(entries) if isinstance(entries, list) else 1
    return many(number, noun)


# end of module
