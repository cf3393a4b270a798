"""``edge eval run|status|list|show|policy``: the state looked at by invariants."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from operators_edge.cli.options import common, opened
from operators_edge.cli.parser import verb_first
from operators_edge.cli.person import require_person
from operators_edge.cli.writing import answer
from operators_edge.errors import UsageError
from operators_edge.plan import service as plan_service
from operators_edge.quality import evals, evals_service
from operators_edge.quality.evals_store import Runs
from operators_edge.text.wording import many

if TYPE_CHECKING:
    import argparse

    from operators_edge.cli.terminal import Terminal

_SHOWN = 20
"""Paths of each kind that `show` lists, and runs that `list` does."""


def register(nouns: Any) -> None:
    parser = nouns.add_parser("eval", epilog="edge eval run")
    verbs = parser.add_subparsers(dest="verb", required=True, metavar="VERB")
    texts = (
        ("run", _run, "look now, against the newest run"),
        ("status", _status, "the policy, the last run, what waits"),
        ("list", _list, "the runs that are kept"),
    )
    for name, act, told in texts:
        verb = verbs.add_parser(name, parents=[common()], help=told, epilog=f"edge eval {name}")
        verb.set_defaults(run=act)
    show = verbs.add_parser(
        "show", parents=[common()], help="what a run saw", epilog="edge eval show 1"
    )
    show.add_argument("number", nargs="?", type=int, default=1, help="as in `edge eval list`")
    show.set_defaults(run=_show)
    _register_policy(verbs)
    parser.filled_in = verb_first(tuple(verbs.choices), other="", alone="status")


def _register_policy(verbs: Any) -> None:
    policy = verbs.add_parser(
        "policy",
        parents=[common()],
        help="what is asked, and what a failure means (a person)",
        epilog="edge eval policy --on --allow-deletion notes",
    )
    switch = policy.add_mutually_exclusive_group()
    switch.add_argument("--on", action="store_true", help="a run after each edit of the state")
    switch.add_argument("--off", action="store_true", help="no runs but those by hand")
    fails = policy.add_mutually_exclusive_group()
    fails.add_argument("--gate", action="store_true", help="a failed run stops `edge done`")
    fails.add_argument("--warn", action="store_true", help="a failed run is a warning")
    policy.add_argument("--mode", choices=("auto", "manual"), help="triage, or --level always")
    policy.add_argument("--level", type=int, choices=(0, 1, 2), help="0: none, 2: states are kept")
    for name, told in (
        ("allow-deletion", "what may go: notes, plan.*.actual"),
        ("expect", "what alone may change: plan"),
        ("redact", "what is kept without its value: intent.customer"),
    ):
        policy.add_argument(f"--{name}", action="append", metavar="PATH", help=told)
    policy.set_defaults(run=_policy)


def _run(args: argparse.Namespace, terminal: Terminal) -> int:
    project = opened(args)
    found = evals_service.run(project, project.latest_session())
    lines = [_outcome(each.name, each.outcome, each.text) for each in found.checks]
    lines += _counts(found.diff)
    if found.name:
        lines.append(f"kept as {found.name}")
    terminal.show(found.as_data(), "\n".join(lines), ok=not found.failed)
    return 1 if found.failed else 0


def _status(args: argparse.Namespace, terminal: Terminal) -> int:
    project = opened(args)
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
    waiting, names = runs.waiting(), runs.names()
    lines.append(f"Kept: {many(len(names), 'run')}; waiting for a write: {waiting}")
    data = {"policy": policy._asdict(), "last": last, "kept": len(names), "waiting": waiting}
    terminal.show(data, "\n".join(lines))
    return 0


def _list(args: argparse.Namespace, terminal: Terminal) -> int:
    runs = Runs(opened(args).root)
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
    terminal.show(listed, "\n".join(lines) or "No run is kept.")
    return 0


def _show(args: argparse.Namespace, terminal: Terminal) -> int:
    runs = Runs(opened(args).root)
    names = list(reversed(runs.names()))
    if not 1 <= args.number <= len(names):
        raise UsageError(
            f"{args.number} is none of {many(len(names), 'run')}", hint="edge eval list"
        )
    name = names[args.number - 1]
    found = runs.part(name, "diff")
    if found is None:
        terminal.show({"run": name}, f"{name} was cut short: it holds no result")
        return 0
    lines = [f"{name}, at {found.get('at')}"]
    results = found.get("results")
    for invariant, each in (results if isinstance(results, dict) else {}).items():
        lines.append(_outcome(str(invariant), each["outcome"], each["why"]))
    diff = found.get("diff")
    lines += _paths(diff if isinstance(diff, dict) else {})
    terminal.show({**found, "run": name}, "\n".join(lines))
    return 0


def _policy(args: argparse.Namespace, terminal: Terminal) -> int:
    project = opened(args)
    changes: dict[str, Any] = {}
    if args.on or args.off:
        changes["enabled"] = args.on
    if args.gate or args.warn:
        changes["gate_on_fail"] = args.gate
    lists = {
        "allow_deletions": args.allow_deletion,
        "expected_changes": args.expect,
        "redactions": args.redact,
    }
    changes |= {name: value for name, value in lists.items() if value is not None}
    changes |= {
        name: getattr(args, name) for name in ("mode", "level") if getattr(args, name) is not None
    }
    if not changes:
        policy = evals.policy_of(project.state.read())
        terminal.show(policy._asdict(), "\n".join(evals.policy_lines(policy)))
        return 0
    require_person("eval policy", project.root)
    edit = lambda state: evals.set_policy(state, changes)  # noqa: E731 - one edit
    answer(terminal, plan_service.write(project, edit, command="eval policy"))
    return 0


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
