import json
import os

import pytest

from operators_edge import __version__, hook
from operators_edge.cli.main import parser_of
from operators_edge.hosts import claude, wiring

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
RUNNER = wiring.Runner("/p/python", "/l/operators_edge/hook.py", "")


def in_repository(*parts):
    with open(os.path.join(ROOT, *parts), encoding="utf-8") as file:
        return json.load(file)


def test_every_event_that_is_answered_is_wired_and_no_other():
    assert {event.name for event in wiring.EVENTS} == set(claude.EVENTS)


def test_the_plugin_runs_what_the_table_says():
    assert in_repository("plugins", "edge", "hooks", "hooks.json") == wiring.plugin_hooks()


def test_plugin_and_marketplace_name_each_other_and_this_version():
    plugin = in_repository("plugins", "edge", ".claude-plugin", "plugin.json")
    (listed,) = in_repository(".claude-plugin", "marketplace.json")["plugins"]
    assert plugin["version"] == __version__
    assert (listed["name"], listed["source"]) == (plugin["name"], "./plugins/edge")


@pytest.mark.parametrize("form", ["exec", "wrapped", "portable"])
def test_what_must_answer_blocks_on_failure_in_every_form_and_nothing_is_matched_away(form):
    made = wiring.hooks(form, RUNNER)
    for event in wiring.EVENTS:
        (group,) = made[event.name]
        assert group.keys() == {"hooks"}
        (entry,) = group["hooks"]
        assert entry.get("onFailure") == ("block" if event.must_answer else None)
        assert entry["timeout"] == event.timeout
    assert wiring.ours({"hooks": made}) == made


def test_the_client_waits_longer_than_the_hook_gives_itself():
    assert all(event.timeout > hook.DEADLINE_SECONDS for event in wiring.EVENTS)
    (prompts,) = (event for event in wiring.EVENTS if event.name == "UserPromptSubmit")
    assert prompts.timeout > hook.TYPED_SECONDS


@pytest.mark.parametrize(
    "entry",
    [
        {"command": "/a/python", "args": ["-I", "/b/operators_edge/hook.py", "claude"]},
        {"command": "C:\\py.exe", "args": ["C:\\lib\\operators_edge\\hook.py"]},
        {"command": "timeout 15 '/a b/python' -I -S '/x/operators_edge/hook.py' claude || exit 2"},
        {"command": "edge", "args": ["hook", "claude"]},
        {"command": "/home/me/.local/bin/edge", "args": ["hook", "claude"]},
        {"command": "edge hook claude"},
    ],
)
def test_our_entries_are_recognised_whatever_the_machine(entry):
    assert wiring.is_ours(entry)


@pytest.mark.parametrize(
    "entry",
    [
        {"command": "ledge hook"},
        {"command": "python", "args": ["hook.py"]},
        {"command": "edge", "args": ["webhook"]},
        {"type": "http", "url": "http://localhost"},
        "edge hook",
    ],
)
def test_other_peoples_entries_are_not(entry):
    assert not wiring.is_ours(entry)


def test_every_verb_that_an_agent_may_run_unasked_exists():
    parser = parser_of()
    (nouns,) = (each for each in parser._actions if each.dest == "noun")
    assert {verb.split()[0] for verb in wiring.AGENT_VERBS} <= nouns.choices.keys()
