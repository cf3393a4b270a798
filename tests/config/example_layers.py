"""What the tests of configuration have in common: an own rule, and what two files make effective."""

from __future__ import annotations

import copy

from tests.gate.example_project import PLACE, ROOT, Machine

from operators_edge.config.layers import effective
from operators_edge.config.schema import Source
from operators_edge.gate.decide import assess
from operators_edge.gate.rules import Rules, compiled_packs
from operators_edge.model import Call

USER, PROJECT = "~/config.toml", "edge.toml"

PUSH, RM, OWN_FILES = "git-push", "fs-recursive-delete", "edge-own-files"

OWN_RULE = {
    "id": "ship-it",
    "effect": "junction",
    "type": "external",
    "reason": "Ships.",
    "instead": "Build only: `make build`",
    "when": [{"program": "frobnicate", "sub": "ship"}],
    "match": ["frobnicate ship"],
    "no_match": ["frobnicate list"],
}

PACKS = compiled_packs()

SHIPPED = Rules(effective(PACKS, user=None, project=None, root=ROOT))


def source(name, table, **more):
    return None if table is None else Source(name, table, **more)


def rules_of(user=None, project=None, confirmed=(), root=ROOT):
    made = effective(
        PACKS,
        user=source(USER, copy.deepcopy(user)),
        project=source(PROJECT, copy.deepcopy(project)),
        root=root,
        confirmed=confirmed,
    )
    made["config"]["notes"] = []
    return Rules(made)


def judged(command, rules):
    machine = Machine({f"{ROOT}/frobnicate": "edge approve"})
    return assess(Call("Bash", {"command": command}, ROOT), PLACE, machine, rules)


def sets(ident, effect):
    return {"rules": {ident: {"effect": effect}}}


def why_not(rules):
    return [each["why"] for each in rules.config["ignored"]]
