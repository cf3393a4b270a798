"""``edge eval run|status|list|show|policy``: the state looked at by invariants."""

from __future__ import annotations

from operators_edge.cli.command import Answer, Args, arg, command
from operators_edge.cli.person import require_person
from operators_edge.cli.writing import write
from operators_edge.errors import UsageError
from operators_edge.quality import evals, evals_service
from operators_edge.quality.evals_store import Runs
from operators_edge.text.wording import many

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_SHOWN = 20
"""Paths of each kind that `show` lists, and runs that `list` does."""


@command("eval run", about="compare the state now with the newest run")
def _run(args: Args) -> Answer:
    project = args.project
    found = evals_service.run(project, project.latest_session())
    lines = [_outcome(each.name, each.outcome, each.text) for each in found.checks]
    lines += _counts(found.diff)
    if found.name:
        lines.append(f"kept as {found.name}")
    return Answer(found.as_data(), lines, ok=not found.failed)


@command("eval status", about="show the policy, the last run and what is pending", is_alone=True)
def _status(args: Args) -> Answer:
    project = args.project
    policy = evals.policy_of(project.state.read())
    runs = Runs(project.root)
    seen = project.evidence.work()["evals"]
    last = seen[-1] if seen else None
    lines = evals.policy_lines(policy)
    if last is None:
        lines.append("No run since the objective was set.")
    else:
        lost = ", ".join(map(str, last.get("invariants_failed") or [])) or "nothing"
        lines.append(f"Last run at {last.get('at')}: failed {lost}")
    waiting, names = runs.pending(), runs.names()
    lines.append(f"Kept: {many(len(names), 'run')}; waiting for a write: {waiting}")
    data = {"policy": policy._asdict(), "last": last, "kept": len(names), "waiting": waiting}
    return Answer(data, lines)


@command("eval list", about="list the runs that are kept")
def _list(args: Args) -> Answer:
    runs = Runs(args.project.root)
    listed = []
    lines = []
    for number, name in enumerate(reversed(runs.names()), 1):
        diff = runs.part(name, "diff")
        lost = [str(each) for each in (diff or {}).get("failed") or []]
        listed.append({"number": number, "run": name, "failed": lost, "is_whole": diff is not None})
        how = f"failed {', '.join(lost)}" if lost else "nothing failed"
        lines.append(f"{number:3}. {name}  {how if diff is not None else 'it was cut short'}")
    if len(lines) > _SHOWN:
        lines = [*lines[:_SHOWN], f"     and {len(lines) - _SHOWN} before: edge eval list --json"]
    return Answer(listed, lines or "No run is kept.")


@command(
    "eval show",
    arg("[N]", "as in `edge eval list`", default=1),
    about="what a run saw",
    example="1",
)
def _show(args: Args) -> Answer:
    runs = Runs(args.project.root)
    names = list(reversed(runs.names()))
    if not 1 <= args.number <= len(names):
        raise UsageError(
            f"{args.number} is not one of the {many(len(names), 'run')} kept", hint="edge eval list"
        )
    name = names[args.number - 1]
    found = runs.part(name, "diff")
    if found is None:
        return Answer({"run": name}, f"{name} was cut short: it holds no result")
    lines = [f"{name}, at {found.get('at')}"]
    results = found.get("results")
    for invariant, each in (results if isinstance(results, dict) else {}).items():
        lines.append(_outcome(str(invariant), each["outcome"], each["why"]))
    diff = found.get("diff")
    lines += _paths(diff if isinstance(diff, dict) else {})
    return Answer({**found, "run": name}, lines)


@command(
    "eval policy",
    [
        arg("--on", "a run after each edit of the state"),
        arg("--off", "only runs started by hand"),
    ],
    [
        arg("--gate", "a failed run stops `edge done`"),
        arg("--warn", "a failed run is a warning"),
    ],
    arg("--mode {auto,manual}", "manual: as --level says"),
    arg("--level N", "0: none, 2: all are stored", choices=(0, 1, 2)),
    arg("--allow-deletion PATH...", "what may go: notes, plan.*.actual"),
    arg("--expect PATH...", "what alone may change: plan"),
    arg("--redact PATH...", "what is kept without its value: intent.customer"),
    about="what is asked, and what a failure means (a person)",
    example="--on --allow-deletion notes",
)
def _policy(args: Args) -> Answer:
    project = args.project
    changes: dict[str, Any] = {}
    if args.on or args.off:
        changes["enabled"] = args.on
    if args.gate or args.warn:
        changes["gate_on_fail"] = args.gate
    given = {
        "allow_deletions": args.allow_deletion or None,
        "expected_changes": args.expect or None,
        "redactions": args.redact or None,
        "mode": args.mode,
        "level": args.level,
    }
    changes |= {name: value for name, value in given.items() if value is not None}
    if not changes:
        policy = evals.policy_of(project.state.read())
        return Answer(policy._asdict(), evals.policy_lines(policy))
    require_person("eval policy", project.root)
    return write(args, lambda state: evals.set_policy(state, changes))


def _outcome(name: str, outcome: str, why: str) -> str:
    what = evals.INVARIANTS.get(name, "")
    return f"{name}  {outcome:<8} {why or what}"


def _counts(diff: dict[str, Any]) -> list[str]:
    if not diff:
        return []
    kinds = ("added", "removed", "changed")
    return [", ".join(f"{len(diff[kind])} {kind}" for kind in kinds)]


def _paths(diff: dict[str, Any]) -> list[str]:
    lines = []
    for kind in ("added", "removed", "changed"):
        inner = diff.get(kind)
        table = inner if isinstance(inner, dict) else {}
        for path, value in list(table.items())[:_SHOWN]:
            told = " → ".join(map(str, value)) if isinstance(value, list) else value
            lines.append(f"  {kind:<8} {path}: {str(told)[:60]}")
        if len(table) > _SHOWN:
            lines.append(f"  {kind:<8} and {len(table) - _SHOWN} more")
    return lines


# end of module
