"""``edge rules``: the rules can be listed, read and tested."""

from __future__ import annotations

import argparse
import io
import json

import pytest

from operators_edge.cli import rules
from operators_edge.cli.terminal import Terminal
from operators_edge.errors import UsageError


def run(*words, json_wanted=False):
    parser = argparse.ArgumentParser()
    rules.register(parser.add_subparsers())
    args = parser.parse_args(["rules", *words])
    out = io.StringIO()
    assert args.run(args, Terminal(json_wanted=json_wanted, out=out)) == 0
    return out.getvalue()


def test_the_list_names_every_rule_with_its_effect():
    shown = json.loads(run("list", json_wanted=True))["data"]
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
    assert "git-push" in caught.value.hint


def test_every_shipped_example_holds():
    assert "examples hold" in run("test")
