"""``edge rules list|show|test``: the effective rules, and a test of their examples."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, Any

from operators_edge.cli.options import common
from operators_edge.config import effective, files as config_files, layers
from operators_edge.errors import AnswerIsNo, UsageError
from operators_edge.gate.examples import check_examples
from operators_edge.gate.pack_schema import compile_packs
from operators_edge.gate.rules import Rules, load, read_packs
from operators_edge.system import project_root

if TYPE_CHECKING:
    import argparse

    from operators_edge.cli.terminal import Terminal
    from operators_edge.gate.rule_types import Rule

Packs = dict[str, dict[str, Any]]


def register(nouns: Any) -> None:
    parser = nouns.add_parser("rules", epilog="edge rules show git-push")
    verbs = parser.add_subparsers(dest="verb", required=True, metavar="VERB")
    parser = verbs.add_parser(
        "list",
        parents=[common()],
        help="list every rule, with its effect here",
        epilog="edge rules list git",
    )
    parser.add_argument("pack", nargs="?", help="only the rules of this pack")
    parser.set_defaults(run=_list)
    parser = verbs.add_parser(
        "show", parents=[common()], help="show one rule in full", epilog="edge rules show git-push"
    )
    parser.add_argument("id")
    parser.set_defaults(run=_show)
    parser = verbs.add_parser(
        "test",
        parents=[common()],
        help="run every rule's examples",
        epilog="edge rules test --file edge.toml",
    )
    parser.add_argument("--file", help="only the rules of this file")
    parser.set_defaults(run=_test)


def _root(args: argparse.Namespace) -> str | None:
    found = project_root.named(args.project) if args.project else project_root.find(os.getcwd())
    return found.root


def _list(args: argparse.Namespace, terminal: Terminal) -> int:
    rules = effective.load(_root(args)).rules
    packs = sorted({rule["pack"] for rule in rules})
    if args.pack is not None and args.pack not in packs:
        raise UsageError(f"there is no pack {args.pack}", hint=f"packs: {', '.join(packs)}")
    shown = [rule for rule in rules if args.pack in (None, rule["pack"])]
    lines = []
    for rule in shown:
        lines.append(f"{rule['effect']:8} {rule['id']:26} {rule['reason']}")
        if "note" in rule:
            lines.append(f"{'':8} {'':26} {rule['note']}")
    terminal.show(shown, "\n".join(lines))
    return 0


def _show(args: argparse.Namespace, terminal: Terminal) -> int:
    root = _root(args)
    rules = effective.load(root)
    in_force = rules.rule(args.id)
    for file, pack in {**read_packs(), **_own(root)}.items():
        for rule in pack.get("rule", ()):
            if rule["id"] == args.id and in_force is not None:
                said = {key: in_force[key] for key in ("effect", "note") if key in in_force}
                terminal.show({"file": file, **rule, **said}, _text(file, rule, in_force))
                return 0
    near = [rule["id"] for rule in rules.rules if _is_near(args.id, rule["id"])]
    hint = f"perhaps: {', '.join(near)}" if near else "edge rules list"
    raise UsageError(f"there is no rule {args.id}", hint=hint)


def _is_near(wanted: str, name: str) -> bool:
    return any(part in name.split("-") for part in re.split(r"\W+", wanted.lower()) if part)


def _text(file: str, rule: dict[str, Any], in_force: Rule) -> str:
    lines = [
        f"{rule['id']} ({in_force['effect']}, {rule['type']}) in {file}",
        f"  {rule['reason']}",
    ]
    lines += [f"  {in_force['note']}"] if "note" in in_force else []
    lines += [f"  instead: {rule['instead']}", "", "fires on"]
    lines += [f"  {example}" for example in rule["match"]]
    lines += ["", "stays silent on", *(f"  {each}" for each in rule["no_match"])]
    return "\n".join(lines)


# -- test ------------------------------------------------------------------------------------------


def _test(args: argparse.Namespace, terminal: Terminal) -> int:
    """Test the shipped rules with their shipped effects, whatever is configured here, and own ones."""
    shipped, packs = read_packs(), _own_of(args.file) if args.file else _own(_root(args))
    found = check_examples(packs, Rules(compile_packs({**shipped, **packs}))) if packs else []
    if not args.file:
        found += check_examples(shipped, load())
        packs = {**shipped, **packs}
    count = sum(
        len(rule["match"]) + len(rule["no_match"])
        for pack in packs.values()
        for rule in pack.get("rule", ())
    )
    if found:
        terminal.show({"examples": count, "failures": found}, "\n".join(found), ok=False)
        raise AnswerIsNo(f"{len(found)} of {count} examples do not hold")
    terminal.show({"examples": count, "failures": []}, f"{count} examples hold")
    return 0


def _own(root: str | None) -> Packs:
    """The person's and the project's own rules, as packs; those of an invalid file are left out."""
    files = config_files.read(root, os.environ)
    said = effective.load_uncached(root).config
    packs: Packs = {}
    for kind, source in (("user", files.user), ("project", files.project)):
        if source is None or any(each.startswith(source.name) for each in said["problems"]):
            continue
        packs |= layers.own_packs(source, kind, root)
    return {name: pack for name, pack in packs.items() if pack.get("rule")}


def _own_of(file: str) -> Packs:
    """The rules of one file, checked as a project's."""
    source = config_files.read_one(file)
    if source is None:
        raise UsageError(f"file not found: {file}")
    problems = effective.compiled(None, os.environ, config_files.Files(None, source))["config"][
        "problems"
    ]
    if problems:
        raise UsageError(problems[0], hint="edge config show")
    return layers.own_packs(source, "project", None)
