"""Everyday commands: the gate allows all of them, under every profile."""

from __future__ import annotations

import shlex

import pytest
from tests.gate.example_project import PLACE, ROOT, RULES, Machine
from tests.gate.packs.everyday import EVERYDAY, REGENERABLE
from tests.tables import for_each

from operators_edge.gate.decide import assess
from operators_edge.model import PROFILES, Call

IGNORED = ("node_modules", "dist", "build", "web/.next", "target", ".pytest_cache", ".mypy_cache")
MACHINE = Machine(ignored=tuple(f"{ROOT}/{name}" for name in (*IGNORED, ".ruff_cache")))


def stopped(commands, profile):
    """The commands that are not allowed, with the rule that matched."""
    rules = RULES.with_profile(profile)
    verdicts = [
        (c, assess(Call("Bash", {"command": c}, ROOT), PLACE, MACHINE, rules)) for c in commands
    ]
    return [
        f"{verdict.rule}: {command}" for command, verdict in verdicts if verdict.effect != "allow"
    ]


@for_each("profile", PROFILES)
@for_each("ecosystem", EVERYDAY)
def test_everyday_commands_are_silent(ecosystem, profile):
    assert stopped(EVERYDAY[ecosystem], profile) == []


def test_there_are_enough_of_them_to_mean_something_and_none_twice():
    commands = [command for commands in EVERYDAY.values() for command in commands]
    assert len(commands) == len(set(commands)) >= 350
    assert min(map(len, EVERYDAY.values())) >= 10
    assert len(EVERYDAY) >= 10


def test_what_can_be_made_again_is_deleted_in_silence_under_the_contextual_profile_alone():
    assert stopped(REGENERABLE, "contextual") == []
    silent = set(REGENERABLE) - {each.split(": ", 1)[1] for each in stopped(REGENERABLE, "strict")}
    assert silent <= {"rm -rf /tmp/try-out"}


WRAPPINGS = (
    "cd {root} && {c} 2>&1 | tail -30",
    "timeout 60 env CI=1 {c} > /tmp/out.txt 2>&1; echo $?",
    "{c} 2>/dev/null | sort | uniq -c",
    "bash -lc {quoted}",
    "set -e\n{c}",
    "for i in 1 2 3; do {c}; done",
    'OUT=$({c}) && echo "$OUT" | head',
    "if {c}; then echo ok; else echo failed; fi",
    "{{ {c}; }} 2>&1 | tee /tmp/log.txt",
)
KEYWORDS = ("for ", "while ", "if ", "(", "set ", "test ", "export ", "source ", "T=")


@pytest.mark.parametrize("wrapping", WRAPPINGS)
def test_everyday_commands_stay_silent_in_what_agents_put_around_them(wrapping):
    commands = [
        wrapping.format(root=ROOT, c=command, quoted=shlex.quote(command))
        for commands in EVERYDAY.values()
        for command in commands
        if "\n" not in command and not command.endswith("&") and not command.startswith(KEYWORDS)
    ]
    assert len(commands) > 400
    assert stopped(commands, "strict") == []


def test_where_messages_go_is_not_where_files_are_copied_to():
    assert stopped(["cp a.txt b.txt 2>/dev/null", "mv -n a b >/dev/null 2>&1"], "strict") == []
    assert len(stopped(["cp job /etc/cron.d/job 2>err.txt"], "contextual")) == 1
