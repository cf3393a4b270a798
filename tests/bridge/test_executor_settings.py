"""What the settings may say of executors, and what of it a repository cannot say by itself."""

from __future__ import annotations

import pytest
from tests.tables import for_each

from operators_edge.bridge import executor_settings, settings
from operators_edge.errors import UsageError

COMMAND = {"command": ["aider", "--yes"], "reads": "text"}


def test_executors_are_read_with_every_default():
    found = settings.read({"executors": {"mine": COMMAND, "claude": {"model": "sonnet"}}})
    assert found.executors["mine"].command == ("aider", "--yes")
    assert (found.executors["claude"].model, found.contain) == ("sonnet", "auto")


@for_each(
    ("value", "named"),
    [
        ({"executors": []}, "executors must be an object"),
        ({"executors": {"x": 1}}, "executors.x must be an object"),
        ({"executors": {"x": {}}}, "executors.x.command is missing"),
        ({"executors": {"x": {"command": []}}}, "executors.x.command is missing"),
        ({"executors": {"x": {"command": "aider"}}}, "executors.x.command must be a list"),
        ({"executors": {"x": {**COMMAND, "shell": 1}}}, "unknown key executors.x.shell"),
        ({"executors": {"x": {**COMMAND, "reads": "xml"}}}, "executors.x.reads must be one of"),
        ({"executors": {"claude": {"max_turns": True}}}, "executors.claude.max_turns must be"),
        ({"executors": {"claude": COMMAND}}, "claude is built in"),
        ({"executors": {"patch": {}}}, "executors.patch: nothing can be set"),
        ({"redaction_patterns": ["("]}, r"redaction_patterns\[0\] is no regular expression"),
        ({"redaction_patterns": ["x*"]}, r"redaction_patterns\[0\] matches an empty text"),
        ({"redaction_patterns": "x"}, "redaction_patterns must be a list of texts"),
        ({"stop_on_failure": "yes"}, "stop_on_failure must be true or false"),
        ({"continue_on_failure": 1}, "continue_on_failure must be true or false"),
        ({"stop_on_failure": True, "continue_on_failure": True}, "disagree: keep one"),
        ({"worker_lock_ttl_sec": 0}, "worker_lock_ttl_sec must be 1 or more"),
        ({"log_size_cap_kb": "10"}, "log_size_cap_kb must be a whole number"),
        ({"on_success": "push"}, "on_success must be one of commit, leave"),
        ({"tracker": "jira"}, "tracker must be one of auto, beads, none"),
        ({"contain": "never"}, "contain must be one of off, auto, require"),
        ({"defaults": []}, "defaults must be an object"),
        ({"defaults": {"timeout": 5}}, "defaults.timeout: there is no such field"),
        ({"defaults": {"prompt": "x"}}, "defaults.prompt: only a task itself can say it"),
        ({"defaults": {"repair": 11}}, "defaults.repair: must be from 0 to 10"),
        ({"defaults": {"scope": ["../x"]}}, r"defaults.scope\[0\]: must not contain"),
    ],
)
def test_what_is_wrong_is_named(value, named):
    with pytest.raises(UsageError, match=named):
        settings.read(value)


@pytest.mark.parametrize(
    ("project", "own", "parts"),
    [
        ({"executor": "claude", "stop_on_failure": False}, {}, ()),
        ({"contain": "require"}, {}, ()),
        ({"contain": "auto"}, {}, ()),
        ({"contain": "off"}, {"contain": "off"}, ()),
        ({"contain": "off"}, {}, ("contain",)),
        ({"contain": "auto"}, {"contain": "require"}, ("contain",)),
        ({"executors": {"x": COMMAND}}, {"executors": {"x": COMMAND}}, ("executors",)),
        ({"executors": {"opencode": {"provider": {}}}}, {}, ("executors",)),
    ],
)
def test_a_repository_chooses_and_tightens_and_the_rest_needs_trust(project, own, parts):
    text = executor_settings.needs_trust(project, own)
    assert [name for name in ("contain", "executors") if f'"{name}"' in text] == list(parts)


def test_the_repositorys_word_on_failures_is_the_only_one():
    merged = executor_settings.merged({"continue_on_failure": True}, {"stop_on_failure": True})
    assert settings.read(merged).stop_on_failure is False


def test_what_is_shown_for_trust_holds_no_control_characters():
    project = {"executors": {"x": {"command": ["a\u202eb", "\x1b[2K"]}}}
    text = executor_settings.needs_trust(project, {})
    assert all(each == "\n" or each.isprintable() for each in text)
    assert "\\u202e" in text


def test_the_repositorys_values_come_before_the_persons_executor_by_executor():
    own = {"executor": "claude", "executors": {"a": COMMAND, "b": COMMAND}}
    found = executor_settings.merged({"executors": {"b": {"command": ["c"]}}}, own)
    assert found["executor"] == "claude"
    assert found["executors"] == {"a": COMMAND, "b": {"command": ["c"]}}
