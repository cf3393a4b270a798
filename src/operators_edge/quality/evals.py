"""What an edit of the state must preserve: invariants over the state before and after (QG: ``eval_gate``).

Pure. Owns the policy, the difference between two states, and the result of each invariant. Does not own when
a run happens or what is stored of it (``quality.evals_service``).
"""

from __future__ import annotations

import fnmatch
import json

from operators_edge.errors import UsageError
from operators_edge.model import MACHINE_KEYS
from operators_edge.plan.edits import EditResult
from operators_edge.redaction.redact import MARK, redact
from operators_edge.state.schema import Check, fault
from operators_edge.text.wording import many, one_line
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from typing import Any

    from operators_edge.model import State

MAX_PATHS = 500
MAX_BYTES = 2_000_000
_MAX_VALUE = 200
"""Characters of a value in a difference."""

INVARIANTS = {
    "INV-01": "objective and plan exist, and current_step if it existed before",
    "INV-02": "nothing was deleted except what allow_deletions names",
    "INV-03": "reserved",
    "INV-04": "reserved",
    "INV-05": "only what expected_changes names has changed",
}
"""What each requires. The reserved names have no meaning yet: they are skipped, and never pass."""


class Policy(NamedTuple):
    """The state's ``evals``; invalid values count as missing. ``level`` applies if ``mode`` is manual."""

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
    """The paths that differ; ``is_whole`` is False if there are more than are listed."""

    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    is_whole: bool = True


# -- the policy ------------------------------------------------------------------------------------


def policy_of(state: State) -> Policy:
    """The policy of this state; without a block, evals are off."""
    block = state.get("evals")
    if not isinstance(block, dict):
        return Policy()
    inner, snapshots = _as_map(block.get("policy")), _as_map(block.get("snapshots"))
    level, max_bytes = block.get("level"), snapshots.get("max_bytes")
    return Policy(
        enabled=block.get("enabled") is True,
        mode="manual" if block.get("mode") == "manual" else "auto",
        level=level if type(level) is int and 0 <= level <= 2 else 1,
        gate_on_fail=inner.get("gate_on_fail") is True,
        allow_deletions=_texts(block.get("allow_deletions")),
        expected_changes=_texts(block.get("expected_changes")),
        keeps_states=snapshots.get("enabled") is not False,
        max_bytes=max_bytes if type(max_bytes) is int and max_bytes > 0 else MAX_BYTES,
        redactions=_texts(snapshots.get("redactions")),
    )


def is_off(state: State) -> bool:
    """Whether somebody switched evals off: then the results of earlier runs no longer count."""
    block = _as_map(state.get("evals"))
    return block.get("enabled") is False or block.get("level") == 0


def set_policy(state: State, changes: Mapping[str, Any]) -> EditResult:
    """Change the named fields of the policy."""
    if not changes:
        raise UsageError("no field of the policy is named", hint="edge eval policy --help")
    block = dict(_as_map(state.get("evals")))
    for name, value in changes.items():
        if name == "gate_on_fail":
            block["policy"] = {**_as_map(block.get("policy")), name: value, "warn_only": not value}
        elif name == "redactions":
            block["snapshots"] = {**_as_map(block.get("snapshots")), name: value}
        else:
            block[name] = value
    state["evals"] = block
    policy = policy_of(state)
    return EditResult("\n".join(policy_lines(policy)), policy._asdict())


def policy_lines(policy: Policy) -> list[str]:
    """The policy, for a person."""
    if not policy.enabled:
        return ["Evals are off. A person switches them on: edge eval policy --on"]
    level = "" if policy.mode == "auto" else f", always at level {policy.level}"
    fails = "stops `edge done`" if policy.gate_on_fail else "is a warning of `edge done`"
    return [
        f"Evals are on: a run after each edit of the state by an agent{level}.",
        f"A failed run {fails}.",
        f"May be deleted: {', '.join(policy.allow_deletions) or 'nothing'}",
        f"May change: {', '.join(policy.expected_changes) or 'everything'}",
    ]


# -- two states ------------------------------------------------------------------------------------


def compared(state: State) -> dict[str, Any]:
    """The part of the state that is compared: without the product's own keys, which change all the time."""
    return {key: value for key, value in state.items() if key not in MACHINE_KEYS}


def hidden(value: Any, redactions: Sequence[str], path: str = "") -> Any:
    """The state without secrets and without the values that the policy redacts."""
    if path and _is_named(path, redactions):
        return MARK
    if isinstance(value, str):
        return redact(value)
    if isinstance(value, dict):
        return {str(key): hidden(each, redactions, _join(path, key)) for key, each in value.items()}
    if isinstance(value, list):
        return [hidden(each, redactions, _join(path, n)) for n, each in enumerate(value)]
    return value


def stored_text(state: Mapping[str, Any]) -> str:
    """A state as it is stored."""
    return json.dumps(state, ensure_ascii=False, indent=1, sort_keys=True)


def difference(before: Mapping[str, Any], after: Mapping[str, Any]) -> Diff:
    """The leaves that differ; one that became a mapping or a list is not removed."""
    old, new = dict(_nodes(before)), dict(_nodes(after))
    old_leaves, new_leaves = _leaves(old), _leaves(new)
    added = sorted(new_leaves - old.keys())
    removed = sorted(old_leaves - new.keys())
    changed = sorted(path for path in old_leaves & new_leaves if _differ(old[path], new[path]))
    is_whole = max(len(added), len(removed), len(changed)) <= MAX_PATHS
    return Diff(
        tuple(added[:MAX_PATHS]), tuple(removed[:MAX_PATHS]), tuple(changed[:MAX_PATHS]), is_whole
    )


def _leaves(nodes: Mapping[str, Any]) -> set[str]:
    return {path for path, value in nodes.items() if _is_leaf(value)}


def shown_difference(
    diff: Diff, before: Mapping[str, Any], after: Mapping[str, Any]
) -> dict[str, Any]:
    """The difference with its values, from states without secrets."""
    old, new = ({path: _bounded(each) for path, each in _nodes(one)} for one in (before, after))
    return {
        "added": {path: new.get(path, MARK) for path in diff.added},
        "removed": {path: old.get(path, MARK) for path in diff.removed},
        "changed": {path: [old.get(path, MARK), new.get(path, MARK)] for path in diff.changed},
        "is_whole": diff.is_whole,
    }


def _bounded(value: Any) -> str:
    return one_line(value, _MAX_VALUE) if _is_leaf(value) else ""


def _nodes(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Every value with its path, as in "plan.0.status"."""
    if path:
        yield path, value
    inner: Iterable[tuple[Any, Any]] = ()
    if isinstance(value, dict):
        inner = value.items()
    elif isinstance(value, list):
        inner = enumerate(value)
    for key, each in inner:
        yield from _nodes(each, _join(path, key))


def _is_leaf(value: Any) -> bool:
    """An empty mapping or list is a leaf, too."""
    return not (isinstance(value, dict | list) and value)


# -- the invariants --------------------------------------------------------------------------------


def results(
    before: Mapping[str, Any] | None, after: Mapping[str, Any], policy: Policy
) -> tuple[list[Check], Diff]:
    """The result of each invariant. Without an earlier state, those about a change are skipped."""
    diff = difference(before, after) if before is not None else Diff()
    required = ["objective", "plan"]
    if "current_step" in (before or {}):
        required.append("current_step")
    unknown = "" if diff.is_whole else f"more than {MAX_PATHS} paths differ"
    if before is None:
        unknown = "there is no earlier state to compare with"
    deleted = _unnamed(diff.removed, policy.allow_deletions)
    unexpected = _unnamed([*diff.added, *diff.removed, *diff.changed], policy.expected_changes)
    if before is not None and not policy.expected_changes:
        unexpected, unknown_changes = [], "expected_changes is empty"
    else:
        unknown_changes = unknown
    reserved = "this name has no meaning yet"
    return [
        _result("INV-01", "missing", [key for key in required if key not in after]),
        _result("INV-02", "deleted", deleted, unknown),
        Check("INV-03", None, reserved),
        Check("INV-04", None, reserved),
        _result("INV-05", "changed", unexpected, unknown_changes),
    ], diff


def skipped(why: str) -> list[Check]:
    """Every invariant, if a state could not be compared."""
    return [Check(name, None, why) for name in INVARIANTS]


def failed_in(run: Mapping[str, Any]) -> list[str]:
    """The invariants that failed in a run, as this version logs it or an older one did."""
    failed = run.get("invariants_failed") or []
    listed = failed if isinstance(failed, list | tuple | dict) else [failed]
    return [
        str(each.get("id") or each.get("name") or "?") if isinstance(each, dict) else str(each)
        for each in listed
    ]


def _result(name: str, what: str, paths: Sequence[str], unknown: str = "") -> Check:
    """Fails for these paths; without any it passes, unless ``unknown`` says why that is not certain."""
    if not paths:
        return Check(name, None if unknown else True, unknown)
    more = f" and {many(len(paths) - 5, 'path')} more" if len(paths) > 5 else ""
    return fault(name, f"{what}: {one_line(', '.join(paths[:5]), _MAX_VALUE)}{more}")


def _unnamed(paths: Iterable[str], patterns: Sequence[str]) -> list[str]:
    return [path for path in paths if not _is_named(path, patterns)]


def _is_named(path: str, patterns: Sequence[str]) -> bool:
    """Whether a pattern names the path or something above it; ``*`` is any one part."""
    parts = path.split(".")
    for pattern in patterns:
        wanted = pattern.strip().split(".")
        pairs = zip(parts, wanted, strict=False)
        if len(wanted) <= len(parts) and all(
            fnmatch.fnmatchcase(part, want) for part, want in pairs
        ):
            return True
    return False


# -- small parts -----------------------------------------------------------------------------------


def _differ(one: Any, other: Any) -> bool:
    return type(one) is not type(other) or one != other


def _join(path: str, key: object) -> str:
    return f"{path}.{key}" if path else str(key)


def _as_map(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _texts(value: object) -> tuple[str, ...]:
    listed = value if isinstance(value, list) else []
    return tuple(each for each in listed if isinstance(each, str) and each.strip())


# end of module
