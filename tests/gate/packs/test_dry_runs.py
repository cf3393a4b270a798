"""Dry runs: every program that has them is silent with them, and stopped without."""

from __future__ import annotations

import shlex

import pytest
from tests.gate.example_project import ROOT, RULES, Machine, judge
from tests.gate.packs.dry_runs import DRY_RUNS, REAL_RUNS
from tests.tables import for_each

from operators_edge.gate.rules import read_packs

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


@for_each("line", LINES)
def test_a_dry_run_is_silent_and_the_real_run_is_stopped(line):
    assert judge(line).effect == "allow"
    assert judge(without_the_dry_words(line)).effect in ("junction", "block")


def _dry_words(program):
    known = RULES.programs.get(RULES.names.get(program, program), {})
    return {each.rpartition(" ")[2] for each in known.get("dry_run", ())}


def test_no_condition_repeats_what_the_dry_runs_of_all_its_programs_say():
    for pack in read_packs().values():
        for when in (one for rule in pack.get("rule", ()) for one in rule["when"]):
            named = when.get("program", [])
            programs = [named] if isinstance(named, str) else named
            said = set.intersection(*map(_dry_words, programs)) if programs else set()
            assert said.isdisjoint(when.get("unless_flag", ())), when


@for_each("line", REAL_RUNS)
def test_what_only_looks_like_a_dry_run_is_stopped(line):
    assert judge(line).effect in ("junction", "block")


KUBECTL = "kubectl delete ns prod"
FILES = Machine(
    {
        f"{ROOT}/Makefile": f"deploy:\n\t{KUBECTL}\n\nforced:\n\t@+{KUBECTL}\n\nsub:\n\t$(MAKE) deploy\n\n"
        f"joined:\n\t$(MAKE) deploy && {KUBECTL}\n\nshown:\n\techo $(shell {KUBECTL})\n",
        f"{ROOT}/computed.mk": f"X := $(shell {KUBECTL})\nx:\n\techo\n",
        f"{ROOT}/made.mk": f"include made.inc\nx:\n\techo\ny:\n\t{KUBECTL}\nmade.inc: y\n\techo\n",
        f"{ROOT}/package.json": f'{{"scripts": {{"wipe": "{KUBECTL}"}}}}',
        f"{ROOT}/justfile": f"deploy:\n    {KUBECTL}\n",
        f"{ROOT}/Taskfile.yml": f"tasks:\n  deploy:\n    cmds:\n      - {KUBECTL}\n",
        f"{ROOT}/Rakefile": f"task :deploy do\n  sh '{KUBECTL}'\nend\n",
    }
)


@pytest.mark.parametrize(
    "line",
    [
        "make -n deploy",
        "make -n sub",
        "just --dry-run deploy",
        "task --dry deploy",
        "rake -n deploy",
    ],
)
def test_what_a_dry_run_only_prints_is_not_followed(line):
    assert judge(line, FILES).effect == "allow"


@for_each(
    "line",
    [
        *(
            "make deploy",
            "make -n forced",
            "make -n joined",
            "make -n shown",
            "make -n -f computed.mk",
        ),
        *(
            "make -n -f made.mk x",
            "make -n -f made.mk y",
            "just deploy",
            "task deploy",
            "rake deploy",
        ),
        *("npm run wipe --dry-run", "npm run wipe"),
    ],
)
def test_what_runs_in_spite_of_a_dry_run_is_followed(line):
    assert judge(line, FILES).effect in ("junction", "block")


def test_every_program_with_dry_runs_has_an_example():
    known = {name for name, table in RULES.programs.items() if "dry_run" in table}
    assert known - {program_of(line) for line in LINES} == set()
