"""The packs about this machine, over a table of commands of every day and of every danger."""

from __future__ import annotations

import os
import tomllib

import pytest
from tests.core.ground import ROOT, Machine, judge

from operators_edge.core.rules import first_look

with open(os.path.join(os.path.dirname(__file__), "local.toml"), "rb") as file:
    TABLE = tomllib.load(file)
CASES = [
    pytest.param(wanted, command, id=f"{group} {wanted}: {command}")
    for group, verdicts in TABLE.items()
    for wanted, commands in verdicts.items()
    for command in commands
]
MACHINE = Machine(
    {
        f"{ROOT}/wipe.sql": "-- tidy\nDROP TABLE users;\n",
        f"{ROOT}/look.sql": "-- DROP TABLE users\nSELECT 1;\n",
    }
)


@pytest.mark.parametrize(("wanted", "command"), CASES)
def test_a_command_is_judged_as_the_table_says(wanted, command):
    verdict = judge(command, MACHINE)
    found = "silent" if verdict.effect == "allow" else verdict.effect
    assert found == wanted, verdict.rule
    assert verdict.effect == "allow" or first_look(command)
