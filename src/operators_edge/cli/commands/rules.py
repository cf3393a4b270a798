"""``edge rules list|show|test``: the effective rules, and a test of their examples."""

from __future__ import annotations

import os

from operators_edge.cli.command import Answer, Args, arg, command
from operators_edge.cli.layout import table
from operators_edge.cli.reading import meant_by
from operators_edge.config import compiled, effective, files as config_files, own_rules
from operators_edge.errors import UsageError
from operators_edge.gate import examples, rules as gate_rules
from operators_edge.text.markup import hanging_indent

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from operators_edge.gate.rule_types import Rule

    Packs = dict[str, dict[str, Any]]


@command(
    "rules list",
    arg("[PACK]", "only the rules of this pack"),
    about="list every rule, with its effect here",
    is_alone=True,
    example="git",
)
def _list(args: Args) -> Answer:
    rules = effective.listed(args.location.root)
    packs = sorted({rule["pack"] for rule in rules})
    if args.pack is not None and args.pack not in packs:
        raise UsageError(f"there is no pack {args.pack}", hint=f"packs: {', '.join(packs)}")
    shown = [rule for rule in rules if args.pack in (None, rule["pack"])]
    rows: list[tuple[str, str, str]] = []
    for rule in shown:
        rows.append((rule["effect"], rule["id"], rule["reason"]))
        if "note" in rule:
            rows.append(("", "", rule["note"]))
    return Answer(shown, table(args.terminal, rows, styles=_STYLES))


_STYLES = {"block": "red", "junction": "yellow", "warn": "cyan", "allow": "green"}


@command(
    "rules show", arg("ID", "the rule's name"), about="show one rule in full", example="git-push"
)
def _show(args: Args) -> Answer:
    root = args.location.root
    rules = effective.listed(root)
    in_force = next((each for each in rules if each["id"] == args.id), None)
    shipped = f"{in_force['pack']}.toml" if in_force is not None else ""
    for file, pack in {shipped: gate_rules.read_pack(shipped), **_own(root)}.items():
        for rule in pack.get("rule", ()):
            if rule["id"] == args.id and in_force is not None:
                said = {key: in_force[key] for key in ("effect", "note") if key in in_force}
                return Answer({"file": file, **rule, **said}, _text(file, rule, in_force))
    meant = meant_by(args.id, [rule["id"] for rule in rules])
    raise UsageError(f"there is no rule {args.id}{meant}", hint="edge rules list")


def _text(file: str, rule: dict[str, Any], in_force: Rule) -> str:
    lines = [
        f"{rule['id']} ({in_force['effect']}, {rule['type']}) in {file}",
        *hanging_indent("  ", rule["reason"]),
    ]
    lines += hanging_indent("  ", in_force["note"]) if "note" in in_force else []
    lines += [*hanging_indent("  instead: ", rule["instead"]), "", "fires on"]
    lines += [f"  {example}" for example in rule["match"]]
    lines += ["", "stays silent on", *(f"  {each}" for each in rule["no_match"])]
    return "\n".join(lines)


# -- test ------------------------------------------------------------------------------------------


@command(
    "rules test",
    arg("--file FILE", "only the rules of this file"),
    about="run every rule's examples",
    example="--file edge.toml",
)
def _test(args: Args) -> Answer:
    """Test the shipped rules with their shipped effects, whatever is configured here, and own ones."""
    shipped, packs = (
        gate_rules.read_packs(),
        _own_of(args.file) if args.file else _own(args.location.root),
    )
    every = gate_rules.compiled_packs().extended(packs)
    found = examples.check_examples(packs, gate_rules.Rules(every.table())) if packs else []
    if not args.file:
        found += examples.check_examples(shipped, gate_rules.load())
        packs = {**shipped, **packs}
    count = sum(
        len(rule["match"]) + len(rule["no_match"])
        for pack in packs.values()
        for rule in pack.get("rule", ())
    )
    data = {"examples": count, "failures": found}
    if found:
        return Answer(data, [*found, f"{len(found)} of {count} examples do not hold"], ok=False)
    return Answer(data, f"{count} examples hold")


def _own(root: str | None) -> Packs:
    """The person's and the project's own rules, as packs; those of an invalid file are left out."""
    files = config_files.read(root, os.environ)
    if files.user is None and files.project is None:
        return {}
    in_force = compiled.load(root)
    said, ids = in_force.config, {rule["id"] for rule in in_force.rules}
    packs: Packs = {}
    for kind, source in (("user", files.user), ("project", files.project)):
        if source is None or any(each.startswith(source.name) for each in said["problems"]):
            continue
        packs |= own_rules.packs_of(source, kind, root)
    for pack in packs.values():
        pack["rule"] = [rule for rule in pack.get("rule", ()) if rule.get("id") in ids]
    return {name: pack for name, pack in packs.items() if pack["rule"]}


def _own_of(file: str) -> Packs:
    """The rules of one file, checked as a project's."""
    source = config_files.read_one(file)
    if source is None:
        raise UsageError(f"file not found: {file}")
    said = compiled.compiled(None, os.environ, config_files.Files(None, source))["config"]
    if problems := [*said["problems"], *said["left_out"]]:
        raise UsageError(problems[0], hint="edge config show")
    return own_rules.packs_of(source, "project", None)


# end of module
