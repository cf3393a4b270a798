from operators_edge.migration import legacy_files, legacy_state
from operators_edge.state import schema
from operators_edge.storage import log as proof_log

NOW = "2026-03-01T00:00:00+00:00"
NONE = {"history_tail": [], "pending": None, "suppression": []}


def carried(state, sides, **more):
    given = {
        "now": NOW,
        "offset": lambda _: "+01:00",
        "is_genuine": lambda grant: grant.get("mac") == "ok",
    }
    return legacy_state.merge(schema.lifted(state), sides, **given | more)


def test_the_gear_comes_over_with_its_times_and_without_its_override():
    gear = {
        "schema_version": 2,
        "current_gear": "patrol",
        "entered_at": "2026-01-15T09:42:04.366656",
        "iterations": 7,
        "own": 1,
        "quality_gate_override": {"mode": "full"},
    }
    found = carried({}, {legacy_state.GEAR: gear})
    assert found.state["gear"] == {
        "current_gear": "patrol",
        "entered_at": "2026-01-15T09:42:04.366656+01:00",
        "iterations": 7,
        "own": 1,
    }
    assert any("override" in each for each in found.dropped)


def test_what_the_state_says_today_wins_over_an_older_word():
    today = {"gear": {"current_gear": "active"}, "auto": {"enabled": True}, "evals": {"level": 2}}
    sides = {
        legacy_state.GEAR: {"current_gear": "dream"},
        legacy_state.DISPATCH: {"enabled": False, "iteration": 3},
        legacy_state.EVALS: {"level": 0, "last_run": {"run_id": 1}},
    }
    found = carried(today, sides)
    assert found.state["gear"] == {"current_gear": "active"}
    assert found.state["auto"] == {"enabled": True}
    assert found.state["evals"] == {"level": 2, "last_run": {"run_id": 1}}


def test_the_later_of_runtime_and_side_file_is_taken():
    def gear_of(entered):
        state = {"runtime": {"gear": {"current": "active", "entered_at": entered}}}
        side = {legacy_state.GEAR: {"current_gear": "dream", "entered_at": "2026-02-01T00:00:00"}}
        return carried(state, side).state["gear"]["current_gear"]

    assert gear_of("2026-03-01T00:00:00") == "active"
    assert gear_of("2026-01-01T00:00:00") == "dream"
    assert gear_of(None) == "dream"


def test_runtime_is_removed_but_unknown_keys_in_it_are_kept():
    state = {"runtime": {"gear": {"current": "active"}, "experiments": {"churn": 3}}, "own": 1}
    found = carried(state, {})
    assert found.state["runtime"] == {"experiments": {"churn": 3}}
    assert "runtime" not in carried({"runtime": {"gear": {"current": "active"}}}, {}).state
    assert found.state["own"] == 1


def test_a_pending_decision_becomes_history_and_grants_nothing():
    pending = {"id": "a", "type": "dangerous", "payload": {"reason": "drops a table"}}
    found = carried({}, {legacy_state.JUNCTION: NONE | {"pending": pending}})
    (entry,) = found.state["junction_history"]
    assert (entry["decision"], entry["shown"], entry["fingerprint"]) == (
        "dropped",
        "dangerous: drops a table",
        "",
    )
    assert found.state.get("junction") is None
    assert any("pending decision" in each for each in found.dropped)


def test_the_junction_of_the_other_store_is_not_lost_either():
    by_flags = {"pending_junction": True, "junction_type": "external", "junction_reason": "deploys"}
    for dispatch in ({"junction": {"type": "external", "reason": "deploys"}}, by_flags):
        found = carried({}, {legacy_state.DISPATCH: {**dispatch, "state": "junction"}})
        assert found.state["junction_history"][0]["shown"] == "external: deploys"
        assert found.state["auto"] == {"state": "idle", "enabled": False}


def test_suppressions_and_grants_without_a_code_never_come_alive():
    state = {
        "allowances": [{"fingerprint": "a", "consumed": False}],
        "dismissals": [{"fingerprint": "b", "expires_at": "2099-01-01", "mac": "ok"}],
        "overrides": [{"mode": "full"}],
    }
    sides = {
        legacy_state.JUNCTION: NONE | {"suppression": [{"fingerprint": "c", "expires_at": "2099"}]}
    }
    found = carried(state, sides)
    assert found.state["allowances"] == found.state["overrides"] == []
    assert found.state["dismissals"] == state["dismissals"], "a genuine one is today's"
    text = "\n".join(found.dropped)
    assert "1 suppression" in text
    assert "1 allowance without" in text
    assert "1 override without" in text


def test_autonomy_that_was_on_is_off_until_a_person_says_so():
    found = carried(
        {}, {legacy_state.DISPATCH: {"enabled": True, "state": "stuck", "stuck_count": 3}}
    )
    assert found.state["auto"] == {"enabled": False, "state": "stuck", "stuck_count": 3}
    assert any("Only a person" in each for each in found.dropped)


def test_history_joins_by_id_and_keeps_its_tail():
    old = [{"id": str(n), "type": "external", "decision": "approve"} for n in range(15)]
    today = [{"id": f"t{n}"} for n in range(10)]
    found = carried(
        {"junction_history": today}, {legacy_state.JUNCTION: NONE | {"history_tail": old}}
    )
    ids = [each["id"] for each in found.state["junction_history"]]
    assert len(ids) == 20
    assert ids[-10:] == [each["id"] for each in today]
    again = carried(found.state, {legacy_state.JUNCTION: NONE | {"history_tail": old[-5:]}})
    assert again.state["junction_history"] == found.state["junction_history"]


def test_an_old_decision_is_not_a_precedent():
    tail = [{"id": "1", "decision": "approve", "fingerprint": "f"}]
    found = carried({}, {legacy_state.JUNCTION: NONE | {"history_tail": tail}})
    assert found.state["junction_history"][0]["fingerprint"] == ""


def test_obligations_are_joined_by_id_and_an_unfinished_run_is_reported():
    state = {"obligations": [{"id": "1"}]}
    sides = {
        legacy_state.OBLIGATIONS: {"pending": [{"id": "1", "status": "pending"}, {"id": "2"}]},
        legacy_state.EVALS: {"pending_run": {"tool": "Edit"}},
    }
    found = carried(state, sides)
    assert [each["id"] for each in found.state["obligations"]] == ["1", "2"]
    assert "evals" not in found.state
    assert any("was not finished" in each for each in found.dropped)


def test_an_unfinished_change_of_the_older_version_is_reported():
    wal = {"started_at": "2026-01-01T00:00:00", "operations": [{"target": "gear_state.json"}]}
    (told,) = carried({}, {legacy_state.UNFINISHED: wal}).dropped
    assert "gear_state.json" in told
    assert carried({}, {legacy_state.UNFINISHED: {**wal, "completed": True}}).dropped == ()


def test_doing_it_twice_changes_nothing():
    sides = {
        legacy_state.GEAR: {"current_gear": "active", "entered_at": "2026-01-01T00:00:00"},
        legacy_state.JUNCTION: NONE | {"pending": {"id": "p", "type": "external"}},
        legacy_state.DISPATCH: {"enabled": True},
        legacy_state.OBLIGATIONS: {"pending": [{"id": "1"}]},
        legacy_state.EVALS: {"last_run": {"run_id": 1}},
    }
    once = carried({"runtime": {"gear": {"current": "x"}}}, sides).state
    assert carried(once, sides).state == once


def test_odd_shapes_in_side_files_are_passed_over_and_break_nothing():
    sides = {
        legacy_state.GEAR: {"current_gear": None},
        legacy_state.JUNCTION: {"pending": "yes", "history_tail": {"a": 1}, "suppression": "all"},
        legacy_state.DISPATCH: {"junction": [], "history": None},
        legacy_state.OBLIGATIONS: {"pending": None},
        legacy_state.EVALS: {},
    }
    state = {"runtime": {"gear": [], "junction": None}, "junction_history": None, "evals": 3}
    found = carried(state, sides)
    assert schema.violations(found.state) == []


def test_only_a_whole_time_without_a_zone_gets_one_and_no_precision_is_invented():
    given = [
        "2026-01-15T09:42",
        "2026-01-15 09:42:00",
        "2026-01-15",
        "2026-01-15T09:42:00Z",
        "at 10:00",
        3,
    ]
    assert legacy_state.with_zone(given, lambda _: "-05:00") == [
        "2026-01-15T09:42-05:00",
        "2026-01-15T09:42:00-05:00",
        *given[2:],
    ]


def test_a_hook_file_is_recognised_by_its_name_and_its_text():
    signed = '"""Operator\'s Edge - a hook"""'
    assert legacy_files.is_hook_file("pre_tool.py", signed)
    assert legacy_files.is_hook_file("stop.py", "import edge_protocol\nedge_protocol.on_stop()")
    assert legacy_files.is_hook_file("test_gear_engine.py", "from gear_engine import run")
    assert not legacy_files.is_hook_file("quality_gate.py", "import sys\n# a gate of our own")
    assert not legacy_files.is_hook_file("stop.py", "import stop\nimport pre_tool")
    assert not legacy_files.is_hook_file("our_check.py", signed)
    assert not legacy_files.is_hook_file("pre_tool.sh", signed)


def test_a_command_file_of_today_or_of_a_person_is_not_the_ancestors():
    assert legacy_files.is_command_file("edge.md", "# Operator\u2019s Edge (v3.9)")
    assert legacy_files.is_command_file("edge-plan.md", "Write it to `active_context.yaml`.")
    assert not legacy_files.is_command_file("edge.md", "<!-- operators-edge -->\nOperator's Edge")
    assert not legacy_files.is_command_file("edge-review.md", "Our release notes.")
    assert not legacy_files.is_command_file("edge-deploy.md", "Operator's Edge")


def test_a_settings_entry_is_known_by_the_file_it_runs():
    for command in (
        "python .claude/hooks/pre_tool.py",
        'python3 "$CLAUDE_PROJECT_DIR/.claude/hooks/pre_tool.py"',
        'python "%CLAUDE_PROJECT_DIR%\\.claude\\hooks\\pre_tool.py"',
    ):
        assert legacy_files.hook_run_by({"type": "command", "command": command}) == "pre_tool.py"
    exec_form = {"command": "python3", "args": ["/p/.claude/hooks/stop.py"]}
    assert legacy_files.hook_run_by(exec_form) == "stop.py"
    assert legacy_files.hook_run_by({"command": "python tools/pre_tool.py"}) == ""
    assert legacy_files.hook_run_by("python .claude/hooks/pre_tool.py") == ""


def test_a_line_of_the_old_log_has_a_time_and_no_place_in_a_chain():
    assert proof_log.is_older_line(b'{"timestamp": "2026-01-01T00:00:00", "tool": "Bash"}')
    assert not proof_log.is_older_line(b'{"seq": 1, "timestamp": "x", "prev": "0"}')
    assert not proof_log.is_older_line(b'{"timestamp": "2026')
    assert not proof_log.is_older_line(b"")
