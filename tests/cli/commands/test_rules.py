"""``edge rules``: the rules can be listed, read and tested."""

from __future__ import annotations

import functools
import json

import pytest
from tests.cli import helps

from operators_edge.errors import UsageError


def run(*words, code=0):
    done = helps.run("rules", *words)
    assert done[0] == code
    return done[1]


def test_the_list_names_every_rule_with_its_effect():
    shown = json.loads(run("list", "--json"))["data"]
    assert {"git-push", "fs-recursive-delete", "edge-human-verb"} <= {one["id"] for one in shown}


def test_the_list_of_one_pack_holds_only_its_rules():
    assert all("git-" in line for line in run("list", "git").splitlines())
    with pytest.raises(UsageError, match="no pack nonsense"):
        run("list", "nonsense")


def test_a_rule_is_shown_with_its_examples():
    text = run("show", "git-clean")
    assert "git.toml" in text
    assert "git clean -xdf" in text


def test_an_unknown_rule_is_answered_with_near_ones():
    with pytest.raises(UsageError) as caught:
        run("show", "push")
    assert "git-push" in caught.value.message


@functools.cache
def shipped():
    """What is said of the shipped examples, which take seconds."""
    return run("test")


def test_every_shipped_example_holds():
    assert "examples hold" in shipped()


OWN = """
[rules.git-push]
effect = "block"
[[rule]]
id = "ship-it"
effect = "junction"
type = "external"
reason = "Ships."
instead = "Build only: `make build`"
when = [{ program = "frobnicate" }]
match = "frobnicate"
no_match = ["make"]
"""


@pytest.fixture
def configured(repo, monkeypatch):
    monkeypatch.chdir(repo)

    def write(text):
        with open("edge.toml", "w", encoding="utf-8") as file:
            file.write(text)

    write(OWN)
    return write


def test_the_list_shows_effects_as_they_are_here_and_own_rules_with_their_file(configured):
    shown = {one["id"]: one for one in json.loads(run("list", "--json"))["data"]}
    assert shown["git-push"]["effect"] == "block"
    assert shown["git-push"]["note"] == "Set to block in edge.toml:3."
    assert shown["ship-it"]["origin"] == "edge.toml"
    assert "This rule is from edge.toml." in run("list", "project")


def test_an_own_rule_is_shown_like_any_other(configured):
    text = run("show", "ship-it")
    assert "ship-it (junction, external) in edge.toml" in text
    assert "git-push (block" in run("show", "git-push")


def test_the_examples_of_own_rules_are_run_with_all_others_and_alone(configured):
    assert "2 examples hold" in run("test", "--file", "edge.toml")
    count = int(run("test").split()[0])
    configured("")
    assert int(shipped().split()[0]) == count - 2


def test_an_example_of_an_own_rule_that_does_not_hold_is_the_answer_no(configured):
    configured(OWN.replace('no_match = ["make"]', 'no_match = ["frobnicate x"]'))
    assert "1 of 2 examples do not hold" in run("test", "--file", "edge.toml", code=1)


def test_a_file_that_cannot_be_used_is_told(configured):
    configured("profil = 1")
    with pytest.raises(UsageError, match="unknown key 'profil'"):
        run("test", "--file", "edge.toml")
    with pytest.raises(UsageError, match="file not found:"):
        run("test", "--file", "nowhere.toml")
