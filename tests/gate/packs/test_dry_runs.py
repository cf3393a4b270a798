"""Dry runs: every program that has them is silent with them, and stopped without."""

from __future__ import annotations

import shlex

import pytest
from tests.gate.example_project import RULES, judge
from tests.gate.packs.dry_runs import DRY_RUNS, REAL_RUNS

LINES = DRY_RUNS.split("\n")[1:-1]


def program_of(line):
    name = shlex.split(line)[0]
    return RULES.names.get(name, name)


def without_the_dry_words(line):
    said = {each.split()[-1] for each in RULES.programs[program_of(line)]["dry_run"]}
    return " ".join(
        word
        for word in line.replace("-nv", "-n").split()
        if word.partition("=")[0] not in said and word not in said
    )


@pytest.mark.parametrize("line", LINES)
def test_a_dry_run_is_silent_and_the_real_run_is_stopped(line):
    assert judge(line).effect == "allow"
    assert judge(without_the_dry_words(line)).effect in ("junction", "block")


@pytest.mark.parametrize("line", REAL_RUNS)
def test_what_only_looks_like_a_dry_run_is_stopped(line):
    assert judge(line).effect in ("junction", "block")


def test_every_program_with_dry_runs_has_an_example():
    known = {name for name, table in RULES.programs.items() if "dry_run" in table}
    assert known - {program_of(line) for line in LINES} == set()
