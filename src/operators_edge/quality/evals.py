"""What an edit of the state may not do to it: invariants over the state before and after (QG: ``eval_gate``).

Pure. Owns the policy's shape, how much is looked at (triage), the difference between two states and what each
invariant says of it. Does not own when a run happens or what is kept of it (``quality.evals_service``).
"""

from __future__ import annotations

import json
from fnmatch import fnmatchcase
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

from operators_edge.errors import UsageError
from operators_edge.model import MACHINE_KEYS
from operators_edge.plan.edits import EditResult
from operators_edge.redaction.redact import MARK, redact
from operators_edge.state.schema import Check, fault
from operators_edge.text.wording import many, one_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from operators_edge.model import State

MOST_PATHS = 500
MAX_BYTES = 2_000_000
SHOWN = 200
"""Characters of a value that a difference shows."""

LEVEL_1, LEVEL_2 = 3, 5
"""Points from which a run happens at all, and from which its states are kept."""

WRITING = ("Edit", "Write", "MultiEdit", "NotebookEdit")
STATEFUL = frozenset(
    {
        "autonomous",
        "database",
        "db",
        "eval",
        "guardrail",
        "memory",
        "migrate",
        "migration",
        "schema",
        "state",
        "sync",
        "tasks",
    }
)

INVARIANTS = {
    "INV-01": "objective and plan are there, and current_step where it was",
    "INV-02": "nothing is gone but what allow_deletions names",
    "INV-03": "reserved",
    "INV-04": "reserved",
    "INV-05": "only what expected_changes names has changed",
}
"""What each says. Two names are taken and mean nothing yet: they are skipped, and never pass."""

_RESERVED = "this name means nothing yet"
_NO_NAMES = "expected_changes names nothing"


class Policy(NamedTuple):
    """The state's ``evals``, with what is odd in it left out. ``level`` counts where ``mode`` is manual."""

    enabled: bool = False
    mode: str = "auto"
    level: int = 1
    gate_on_fail: bool = False
    allow_deletions: tuple[str, ...] = ()
    expected_changes: tuple[str, ...] = ()
    keeps_states: bool = True
    max_bytes: int = MAX_BYTES
    redactions: tuple[str, ...] = ()


class Diff(NamedTuple):
    """Paths by what became of them; ``is_whole`` is False where there were more than are listed."""

    added: dict[str, Any]
    removed: dict[str, Any]
    changed: dict[str, tuple[Any, Any]]
    is_whole: bool = True

    def as_data(self, redactions: Sequence[str]) -> dict[str, Any]:
        def shown(path: str, value: Any) -> str:
            if _is_named(path, redactions):
                return MARK
            return one_line(redact(str(value)), SHOWN)

        return {
            "added": {path: shown(path, value) for path, value in self.added.items()},
            "removed": {path: shown(path, value) for path, value in self.removed.items()},
            "changed": {
                path: [shown(path, before), shown(path, after)]
                for path, (before, after) in self.changed.items()
            },
            "is_whole": self.is_whole,
        }


# -- the policy ------------------------------------------------------------------------------------


def policy_of(state: State) -> Policy:
    """What the state says of evals; without a block, that there are none."""
    block = state.get("evals")
    if not isinstance(block, dict):
        return Policy()
    inner, kept = _map(block.get("policy")), _map(block.get("snapshots"))
    level, most = block.get("level"), kept.get("max_bytes")
    return Policy(
        enabled=block.get("enabled") is True,
        mode="manual" if block.get("mode") == "manual" else "auto",
        level=level if type(level) is int and 0 <= level <= 2 else 1,
        gate_on_fail=inner.get("gate_on_fail") is True,
        allow_deletions=_texts(block.get("allow_deletions")),
        expected_changes=_texts(block.get("expected_changes")),
        keeps_states=kept.get("enabled") is not False,
        max_bytes=most if type(most) is int and most > 0 else MAX_BYTES,
        redactions=_texts(kept.get("redactions")),
    )


def is_off(state: State) -> bool:
    """Whether somebody switched evals off: then what earlier runs found counts no more."""
    block = _map(state.get("evals"))
    return block.get("enabled") is False or block.get("level") == 0


def set_policy(state: State, changes: Mapping[str, Any]) -> EditResult:
    """Change the policy; what is not named stays as it is. ``gate_on_fail`` stands in ``policy``."""
    if not changes:
        raise UsageError("nothing was said that could be changed", hint="edge eval policy --help")
    block = dict(_map(state.get("evals")))
    for name, value in changes.items():
        if name == "gate_on_fail":
            block["policy"] = {**_map(block.get("policy")), name: value, "warn_only": not value}
        elif name == "redactions":
            block["snapshots"] = {**_map(block.get("snapshots")), name: value}
        else:
            block[name] = value
    state["evals"] = block
    policy = policy_of(state)
    return EditResult("\n".join(policy_lines(policy)), policy._asdict())


def policy_lines(policy: Policy) -> list[str]:
    """The policy as a person reads it."""
    if not policy.enabled:
        return ["Evals are off. A person switches them on: edge eval policy --on"]
    how = "as the triage says" if policy.mode == "auto" else f"always at level {policy.level}"
    fails = "stops `edge done`" if policy.gate_on_fail else "is a warning of `edge done`"
    return [
        f"Evals are on: a run after each edit of the state by an agent, {how}.",
        f"A failed run {fails}.",
        f"May be deleted: {', '.join(policy.allow_deletions) or 'nothing'}",
        f"May change: {', '.join(policy.expected_changes) or 'everything'}",
    ]


def triage(
    state: State, *, tool: str, has_proof: bool, failed_lately: bool
) -> tuple[int, list[str]]:
    """How closely a write is looked at (0 to 2), and the points for it."""
    words = "".join(c if c.isalnum() else " " for c in str(state.get("objective") or "").lower())
    points = ["there is a state"]
    if has_proof:
        points.append("there is a record")
    if STATEFUL & set(words.split()):
        points.append("the objective is about state")
    if tool in WRITING:
        points.append(f"{tool} writes")
    if failed_lately:
        points.append("a run failed lately")
    return (len(points) >= LEVEL_1) + (len(points) >= LEVEL_2), points


# -- two states ------------------------------------------------------------------------------------


def looked_at(state: State) -> dict[str, Any]:
    """The part that people and agents write: the product's own keys change all the time."""
    return {key: value for key, value in state.items() if key not in MACHINE_KEYS}


def kept(state: Mapping[str, Any], policy: Policy) -> str | None:
    """What is kept of a state, as JSON without secrets; None where that is more than the policy allows."""
    hidden = {path: MARK for path in paths(state) if _is_named(path, policy.redactions)}
    text = json.dumps(_without(state, "", hidden), ensure_ascii=False, indent=1, sort_keys=True)
    return text if len(text.encode("utf-8", "replace")) <= policy.max_bytes else None


def paths(value: Any) -> dict[str, Any]:
    """Every leaf by its path, "plan.0.status"; what is empty is a leaf, too."""
    found: dict[str, Any] = {}
    left: list[tuple[str, Any]] = [("", value)]
    while left:
        path, one = left.pop()
        inner: Iterable[tuple[Any, Any]] = ()
        if isinstance(one, dict):
            inner = one.items()
        elif isinstance(one, list):
            inner = enumerate(one)
        parts = [(f"{path}.{key}" if path else str(key), each) for key, each in inner]
        if parts:
            left += parts
        elif path:
            found[path] = one
    return dict(sorted(found.items()))


def difference(before: Mapping[str, Any], after: Mapping[str, Any]) -> Diff:
    """What became of each path; a leaf that grew into a branch is no loss."""
    old, new = paths(before), paths(after)
    branches = {path[:end] for path in new for end in range(len(path)) if path[end] == "."}
    there = new.keys() | branches
    removed = {path: value for path, value in old.items() if path not in there}
    added = {path: value for path, value in new.items() if path not in old}
    changed = {p: (old[p], new[p]) for p in old if p in new and _differ(old[p], new[p])}
    found = [dict(islice(each.items(), MOST_PATHS)) for each in (added, removed)]
    few = dict(islice(changed.items(), MOST_PATHS))
    is_whole = max(len(added), len(removed), len(changed)) <= MOST_PATHS
    return Diff(found[0], found[1], few, is_whole)


def judged(
    before: Mapping[str, Any] | None, after: Mapping[str, Any], policy: Policy
) -> tuple[list[Check], Diff]:
    """What every invariant says. Without a state before, only what holds of one state is asked."""
    diff = difference(before, after) if before is not None else Diff({}, {}, {})
    wanted = ["objective", "plan", *(["current_step"] if "current_step" in (before or {}) else [])]
    missing = [key for key in wanted if key not in after]
    gone = _others(diff.removed, policy.allow_deletions)
    every = [*diff.added, *diff.removed, *diff.changed]
    unexpected = _others(every, policy.expected_changes) if policy.expected_changes else []
    unknown = "" if diff.is_whole else f"more than {MOST_PATHS} paths differ"
    if before is None:
        unknown = "there is no state before to compare with"
    is_named = before is None or bool(policy.expected_changes)
    return [
        _of_paths("INV-01", "missing", missing),
        _of_paths("INV-02", "gone", gone, unknown),
        Check("INV-03", None, _RESERVED),
        Check("INV-04", None, _RESERVED),
        _of_paths("INV-05", "changed", unexpected, unknown if is_named else _NO_NAMES),
    ], diff


def skipped(why: str) -> list[Check]:
    """Every invariant, where a state could not be looked at."""
    return [Check(name, None, why) for name in INVARIANTS]


def failed_in(run: Mapping[str, Any]) -> list[str]:
    """The invariants that failed in a run, as this version logs it or an older one did."""
    failed = run.get("invariants_failed") or []
    each_of = failed if isinstance(failed, list | tuple | dict) else [failed]
    return [
        str(each.get("id") or each.get("name") or "?") if isinstance(each, dict) else str(each)
        for each in each_of
    ]


def _others(paths: Iterable[str], patterns: Sequence[str]) -> list[str]:
    return [path for path in paths if not _is_named(path, patterns)]


def _of_paths(name: str, what: str, found: Sequence[str], unknown: str = "") -> Check:
    """Fails for what was found; where nothing was, ``unknown`` says why that does not mean that it holds."""
    if not found:
        return Check(name, None if unknown else True, unknown)
    few = one_line(", ".join(found[:5]), SHOWN)
    more = f" and {many(len(found) - 5, 'path')} more" if len(found) > 5 else ""
    return fault(name, f"{what}: {few}{more}")


def _is_named(path: str, patterns: Sequence[str]) -> bool:
    """Whether a pattern names the path or what it lies in; ``*`` stands for any part of one step."""
    parts = path.split(".")
    for pattern in patterns:
        wanted = pattern.strip().split(".")
        pairs = zip(parts, wanted, strict=False)
        if len(wanted) <= len(parts) and all(fnmatchcase(part, want) for part, want in pairs):
            return True
    return False


def _differ(one: Any, other: Any) -> bool:
    return type(one) is not type(other) or one != other


def _without(value: Any, path: str, hidden: Mapping[str, str]) -> Any:
    if path in hidden:
        return hidden[path]
    if isinstance(value, str):
        return redact(value)
    head = f"{path}." if path else ""
    if isinstance(value, dict):
        return {str(k): _without(each, f"{head}{k}", hidden) for k, each in value.items()}
    if isinstance(value, list):
        return [_without(each, f"{head}{n}", hidden) for n, each in enumerate(value)]
    return value


def _map(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _texts(value: object) -> tuple[str, ...]:
    listed = value if isinstance(value, list) else []
    return tuple(one for one in listed if isinstance(one, str) and one.strip())
