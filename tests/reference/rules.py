"""The reference of the gate's rules, from the packs: a page for each pack, a section for each rule.

Does not own the rules (``operators_edge/gate/packs``) or what they match.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from operators_edge.gate import rules as gate_rules
from tests.reference.markdown import block, code, page, plain, table

if TYPE_CHECKING:
    from collections.abc import Mapping

    Table = dict[str, Any]

FOLDER = "reference/rules"

EFFECTS = {
    "block": "The call is denied, and nobody can approve it.",
    "junction": "The call waits for a person's decision.",
    "warn": "The call runs, and the agent gets a remark.",
    "allow": "The call runs, after a snapshot of what it can destroy.",
}


def pages() -> Mapping[str, str]:
    """Each page of the reference by its path: a table of all rules, and one page for each pack."""
    packs = [pack for pack in gate_rules.read_packs().values() if pack.get("rule")]
    packs.sort(key=lambda pack: str(pack["pack"]["name"]))
    made = {f"{FOLDER}/index.md": _overview(packs)}
    for pack in packs:
        made[f"{FOLDER}/{pack['pack']['name']}.md"] = _page(pack)
    return made


def _overview(packs: list[Table]) -> str:
    count = sum(len(pack["rule"]) for pack in packs)
    parts = [
        f"The {count} rules that are shipped, made from the packs that the gate reads.",
        "`edge rules list` shows their effects in your project, `edge explain 'COMMAND'` which decide.",
        table(("effect", "what happens"), ((f"**{key}**", text) for key, text in EFFECTS.items())),
        "The [profile](../../configuration.md#the-two-profiles) is `contextual`, or `strict`.",
    ]
    for pack in packs:
        name = pack["pack"]["name"]
        rows = (
            (f"[`{rule['id']}`]({name}.md#{rule['id']})", _effect(rule), plain(rule["reason"]))
            for rule in pack["rule"]
        )
        head = f"## {name} {{ #{name} }}\n\n{plain(pack['pack']['summary'])}."
        parts += [head, table(("rule", "effect", "why"), rows)]
    return page("Rules", *parts)


def _page(pack: Table) -> str:
    summary = plain(pack["pack"]["summary"])
    return page(f"Rules: {pack['pack']['name']}", f"{summary}.", *map(_section, pack["rule"]))


def _effect(rule: Table) -> str:
    """What it does under each profile, in few words."""
    effect, contextual = rule["effect"], rule.get("contextual")
    return f"{contextual} (strict: {effect})" if contextual else str(effect)


def _section(rule: Table) -> str:
    strict, contextual = rule["effect"], rule.get("contextual", rule["effect"])
    facts = [("type", code(rule["type"])), ("profile `contextual`", f"**{contextual}**")]
    facts.append(("profile `strict`", f"**{strict}**"))
    facts.append(("loosened by a project", _loosened(rule)))
    if rule.get("destroys"):
        facts.append(("before it runs", "a [snapshot](../../undo.md) is taken"))
    if any("recovers" in each for each in rule["when"]):
        text = (
            "under `contextual` it runs without a question if a snapshot holds all that it reaches"
        )
        facts.append(("no question", text))
    parts = [
        f"## {rule['id']} {{ #{rule['id']} }}",
        plain(rule["reason"]),
        table(("property", "value"), facts),
        f"**Instead**: {_instead(rule['instead'])}",
        "**It matches**",
        block(rule["match"]),
        "**It does not match**" if rule["no_match"] else "",
        block(rule["no_match"]) if rule["no_match"] else "",
    ]
    return "\n\n".join(part.strip("\n") for part in parts if part)


def _loosened(rule: Table) -> str:
    if rule["id"].startswith("edge-"):
        return "never, as it protects your decisions"
    return "after you confirmed it" if rule.get("loosenable") else "never; you can"


def _instead(text: str) -> str:
    filled = " (fields in braces are filled from the call)" if "{" in text else ""
    return f"{plain(text)}{filled}"


# end of module
