"""Commands wrapped by everything a shell offers: what is dangerous stays caught, what is not stays silent.

A small part of what ``make fuzz`` runs.
"""

from __future__ import annotations

import shutil

import pytest

from tests.fuzz import wraps
from tests.fuzz.check import faults, is_caught
from tests.fuzz.compose import (
    DANGEROUS_TEXTS,
    DANGERS,
    HARMLESS,
    HARMLESS_TEXTS,
    STAND_INS,
    Wrapped,
    composition,
    seeded,
    wrap,
)
from tests.fuzz.sandbox import TOOLS, Sandbox
from tests.gate.example_project import judge
from tests.tables import for_each

SEED = 20_260_101
EVERY_WAY = (*wraps.RUN_SIMPLE, *wraps.RUN_TEXT, *wraps.MORE_SIMPLE, *wraps.MORE_TEXT)
STAY_SILENT = [one for one in EVERY_WAY if not wraps.LOUD.search(one)]


def one_level(template: str, words: tuple[str, ...]) -> str:
    return wrap(seeded(SEED), template, Wrapped(" ".join(words), words)).text


@pytest.fixture(scope="module")
def sandbox(tmp_path_factory):
    if not shutil.which("bash"):
        pytest.skip("no bash here")
    folder = tmp_path_factory.mktemp("sandbox")
    return Sandbox.make(str(folder), {words[0] for words in STAND_INS})


@for_each("words", DANGERS, ids=" ".join)
def test_each_dangerous_command_is_caught_as_it_stands(words):
    assert is_caught(" ".join(f"'{word}'" for word in words))


@pytest.mark.parametrize("text", DANGEROUS_TEXTS)
def test_each_dangerous_text_is_caught_as_it_stands(text):
    assert is_caught(text)


@for_each("template", EVERY_WAY)
def test_each_way_to_run_a_dangerous_command_is_seen(template):
    text = one_level(template, ("rm", "-rf", "/"))
    assert is_caught(text), text


@for_each("template", STAY_SILENT)
def test_each_way_to_run_a_harmless_command_is_silent(template):
    text = one_level(template, ("git", "status"))
    verdict = judge(text)
    assert verdict.effect == "allow", (text, verdict.findings)


@for_each("words", HARMLESS, ids=" ".join)
def test_words_that_only_mention_danger_are_silent(words):
    assert judge(" ".join(f"'{word}'" for word in words)).effect == "allow"


@pytest.mark.parametrize("text", HARMLESS_TEXTS)
def test_texts_that_only_mention_danger_are_silent(text):
    assert judge(text).effect == "allow"


def test_compositions_of_dangerous_commands_are_caught():
    found = faults(range(SEED, SEED + 700), "danger")
    assert not found, "\n".join(map(str, found))


def test_compositions_of_harmless_commands_are_silent():
    found = faults(range(SEED, SEED + 400), "harmless")
    assert not found, "\n".join(map(str, found))


def test_what_a_real_bash_runs_was_caught(sandbox):
    found = faults(range(SEED, SEED + 700), "run", sandbox)
    assert not found, "\n".join(map(str, found))


@for_each("template", [*wraps.RUN_SIMPLE, *wraps.RUN_TEXT])
def test_each_way_that_can_be_run_does_run_its_command_in_a_real_bash(template, sandbox):
    text = one_level(template, ("npm", "publish"))
    assert sandbox.run(text).startswith("npm publish"), text


def test_a_composition_is_the_same_for_the_same_seed():
    assert composition(SEED) == composition(SEED)
    assert composition(SEED) != composition(SEED + 1)


def test_stand_ins_leave_every_tool_but_the_dangerous_ones_real(sandbox):
    assert sandbox.run("ls >/dev/null 2>&1; cat /dev/null && npm x | cat") == "npm x\n"
    assert not {words[0] for words in STAND_INS} & set(TOOLS)
