"""``edge rules list|show|test``: the rules in force, and whether their examples hold."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from operators_edge.cli.main_options import common
from operators_edge.core.examples import failures
from operators_edge.core.rules import load, read_packs
from operators_edge.errors import AnswerIsNo, UsageError

if TYPE_CHECKING:
    import argparse

    from operators_edge.cli.terminal import Terminal


def register(nouns: Any) -> None:
    parser = nouns.add_parser(
        "rules", help="the rules of the gate", epilog="edge rules show git-push"
    )
    verbs = parser.add_subparsers(dest="verb", required=True, metavar="VERB")
    parser = verbs.add_parser(
        "list", parents=[common()], help="every rule", epilog="edge rules list git"
    )
    parser.add_argument("pack", nargs="?", help="only this pack's")
    parser.set_defaults(run=_list)
    parser = verbs.add_parser(
        "show", parents=[common()], help="one rule, whole", epilog="edge rules show git-push"
    )
    parser.add_argument("id")
    parser.set_defaults(run=_show)
    parser = verbs.add_parser(
        "test", parents=[common()], help="run every rule's examples", epilog="edge rules test"
    )
    parser.set_defaults(run=_test)


def _list(args: argparse.Namespace, terminal: Terminal) -> int:
    rules = load().rules
    packs = sorted({rule["pack"] for rule in rules})
    if args.pack is not None and args.pack not in packs:
        raise UsageError(f"there is no pack {args.pack}", hint=f"packs: {', '.join(packs)}")
    shown = [rule for rule in rules if args.pack in (None, rule["pack"])]
    lines = [f"{rule['effect']:8} {rule['id']:26} {rule['reason']}" for rule in shown]
    terminal.show(shown, "\n".join(lines))
    return 0


def _show(args: argparse.Namespace, terminal: Terminal) -> int:
    for file, pack in read_packs().items():
        for rule in pack.get("rule", ()):
            if rule["id"] == args.id:
                terminal.show({"file": file, **rule}, _text(file, rule))
                return 0
    near = [rule["id"] for rule in load().rules if _is_near(args.id, rule["id"])]
    hint = f"perhaps: {', '.join(near)}" if near else "edge rules list"
    raise UsageError(f"there is no rule {args.id}", hint=hint)


def _is_near(wanted: str, name: str) -> bool:
    return any(part in name.split("-") for part in re.split(r"\W+", wanted.lower()) if part)


def _text(file: str, rule: dict[str, Any]) -> str:
    lines = [f"{rule['id']} ({rule['effect']}, {rule['type']}) in {file}", f"  {rule['reason']}"]
    lines += [f"  instead: {rule['instead']}", "", "fires on"]
    lines += [f"  {example}" for example in rule["match"]]
    lines += ["", "stays silent on", *(f"  {example}" for example in rule["no_match"])]
    return "\n".join(lines)


def _test(_: argparse.Namespace, terminal: Terminal) -> int:
    packs = read_packs()
    found = failures(packs, load())
    count = sum(
        len(rule["match"]) + len(rule["no_match"])
        for p in packs.values()
        for rule in p.get("rule", ())
    )
    if found:
        terminal.show({"examples": count, "failures": found}, "\n".join(found), ok=False)
        raise AnswerIsNo(f"{len(found)} of {count} examples do not hold")
    terminal.show({"examples": count, "failures": []}, f"{count} examples hold")
    return 0
