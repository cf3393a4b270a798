"""What a task may not change."""

from __future__ import annotations

import pytest

from operators_edge.bridge import judge


@pytest.mark.parametrize(
    ("patterns", "scope", "found"),
    [
        ([], [], [".claude/settings.json", "sub/.claude/settings.local.json"]),
        ([], [".claude", "sub/**"], [".claude/settings.json", "sub/.claude/settings.local.json"]),
        ([], [".claude/settings.json"], ["sub/.claude/settings.local.json"]),
        (
            [".claude/commands"],
            [".claude/settings.json", "sub/.claude/settings.local.json"],
            [".claude/commands/x.md"],
        ),
    ],
)
def test_settings_that_can_switch_the_gate_off_change_only_if_the_scope_names_them(
    patterns, scope, found
):
    paths = [".claude/settings.json", ".claude/commands/x.md", "sub/.claude/settings.local.json"]
    assert judge.protected(paths, patterns, scope) == found
