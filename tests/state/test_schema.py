from datetime import UTC, datetime

import pytest
from tests.tables import for_each

from operators_edge.errors import StateInvalid
from operators_edge.model import MACHINE_KEYS
from operators_edge.state import schema

NOW = datetime(2026, 3, 1, tzinfo=UTC)


def names(notes):
    return [note.name for note in notes]


def test_a_fresh_state_is_valid_and_worth_no_warning():
    assert schema.violations(schema.fresh()) == []
    assert schema.warnings(schema.fresh(), now=NOW) == []


@for_each(
    ("change", "name"),
    [
        ({"schema_version": None}, "schema-version"),
        ({"schema_version": True}, "schema-version"),
        ({"schema_version": 0}, "schema-version"),
        ({"schema_version": 99}, "schema-version"),
        ({"mode": "working"}, "mode-valid"),
        ({"mode": None}, "mode-valid"),
        ({"junction": [{}, {}]}, "junction-singular"),
        ({"allowances": [{"consumed": False}]}, "allowance-fingerprint"),
        ({"allowances": [{"fingerprint": "f"}]}, "allowance-fingerprint"),
        ({"allowances": [{"fingerprint": "f", "consumed": "no"}]}, "allowance-fingerprint"),
        ({"allowances": {"fingerprint": "f"}}, "allowance-fingerprint"),
        ({"dismissals": [{"fingerprint": "f"}]}, "dismissal-expiry"),
        ({"dismissals": [{"fingerprint": "f", "expires_at": True}]}, "dismissal-expiry"),
        ({"dismissals": ["f"]}, "dismissal-expiry"),
        ({"objective": ""}, "objective-text"),
        ({"objective": ["x"]}, "objective-text"),
        ({"plan": "do it"}, "plan-list"),
        ({"constraints": {}}, "constraints-list"),
        ({"notes": {1: "x"}}, "json-data"),
        ({"notes": [NOW]}, "json-data"),
        ({"progress": {"rate": float("nan")}}, "json-data"),
    ],
)
def test_a_state_that_breaks_a_rule_is_refused_by_the_rules_name(change, name):
    state = schema.fresh() | change
    assert names(schema.violations(state)) == [name]
    with pytest.raises(StateInvalid, match=name):
        schema.require_valid(state)


@pytest.mark.parametrize(
    "change",
    [
        {"objective": None},
        {"junction": None},
        {"junction": {"id": "1"}},
        {"allowances": [{"fingerprint": "f", "consumed": True}], "dismissals": None},
        {"dismissals": [{"fingerprint": "f", "expires_at": "2026-01-01T00:00:00+00:00"}]},
        {"mode": "review"},
        {"score": float("inf")},
    ],
)
def test_a_state_may_have_null_for_no_junction_no_grants_and_no_objective(change):
    schema.require_valid(schema.fresh() | change)


def step(status):
    return {"description": "x", "status": status}


@pytest.mark.parametrize(
    ("statuses", "said", "expected"),
    [
        ([], 3, 0),
        (["pending"], None, 1),
        (["completed", "pending"], 0, 2),
        (["completed", "pending"], 1, 1),
        (["completed", "completed"], 1, 3),
        (["completed", "blocked"], 3, 2),
        (["completed", "pending"], True, 2),
    ],
)
def test_the_current_step_counts_from_one_and_follows_the_plan(statuses, said, expected):
    plan = [step(status) for status in statuses]
    assert schema.current_step({"plan": plan, "current_step": said}) == expected


def test_an_old_file_is_read_in_todays_words():
    old = {"lessons": ["be careful", {"trigger": "t", "lesson": "l"}], "plan": None, "own": 1}
    assert schema.lifted(old) == {
        "schema_version": 1,
        "objective": None,
        "current_step": 0,
        "plan": [],
        "constraints": [],
        "memory": [{"trigger": "", "lesson": "be careful"}, {"trigger": "t", "lesson": "l"}],
        "own": 1,
    }
    assert old["plan"] is None
    assert schema.lifted({"mismatches": []})["schema_version"] == 2
    assert schema.lifted({"mode": "plan"})["schema_version"] == 4
    assert "mode" not in schema.lifted({})


@for_each("key", MACHINE_KEYS)
def test_a_changed_machine_key_is_named_and_an_empty_one_is_as_good_as_none(key):
    state = schema.fresh()
    assert schema.protected_changes(state, state | {key: "other"}) == [key]
    assert schema.protected_changes(state | {key: {"a": 1}}, state) == [key]
    assert schema.protected_changes(state | {key: {"a": 1}}, state | {key: {"a": True}}) == [key]
    for nothing in (None, [], {}):
        assert schema.protected_changes(state, state | {key: nothing}) == []


def test_human_keys_may_change_as_they_like():
    assert schema.protected_changes(schema.fresh(), {"plan": [step("pending")], "own": 1}) == []


@pytest.mark.parametrize(
    ("change", "name"),
    [
        ({"plan": ["do it"]}, "step-shape"),
        ({"plan": [step("started")]}, "step-status"),
        ({"plan": [step("completed")]}, "completed-without-proof"),
        ({"plan": [step("in_progress")]}, "started-without-expected"),
        ({"memory": [{"lesson": "x"}]}, "lesson-incomplete"),
        ({"mismatches": [{"resolved": True}]}, "resolved-mismatch-kept"),
        ({"plan": [step("completed") | {"proof": "p"}] * 4}, "many-completed-steps"),
        ({"mismatches": [{"resolved": True}] * 3}, "many-resolved-mismatches"),
        (
            {
                "memory": [
                    {"trigger": "t", "lesson": "l", "reinforced": 0, "last_used": "2026-02-01"}
                ]
            },
            "stale-lessons",
        ),
    ],
)
def test_a_soft_rule_warns_by_its_name_and_refuses_nothing(change, name):
    state = schema.fresh() | change
    assert name in names(schema.warnings(state, now=NOW))
    assert schema.violations(state) == []


def test_a_long_file_and_only_a_long_one_is_worth_a_warning():
    assert names(schema.warnings(schema.fresh(), now=NOW, lines=151)) == ["long-file"]
    assert schema.warnings(schema.fresh(), now=NOW, lines=150) == []


def test_a_lesson_that_was_used_lately_or_has_no_date_is_not_stale():
    lesson = {"trigger": "t", "lesson": "l", "reinforced": 0}
    for used in ("2026-02-20", "2026-02-20T10:00:00+00:00", None):
        state = schema.fresh() | {"memory": [lesson | {"last_used": used}]}
        assert schema.warnings(state, now=NOW) == []


def test_equality_tells_true_from_one_and_one_from_a_float():
    assert not schema.is_same(1, True)
    assert not schema.is_same([1], [1.0])
    assert schema.is_same({"a": 1, "b": [None]}, {"b": [None], "a": 1})
    assert schema.is_same(float("nan"), float("nan"))


@pytest.mark.parametrize(
    ("entry", "text"),
    [("read it", "read it"), (None, ""), (42, "42"), (["a", "ü"], '["a", "ü"]'), (True, "true")],
)
def test_an_entry_of_the_plan_that_is_no_mapping_is_read_as_a_pending_step(entry, text):
    step = {"description": "own", "status": "completed"}
    lifted = schema.lifted({"plan": [entry, step]})
    assert lifted["plan"] == [{"description": text, "status": "pending"}, step]
    assert lifted["current_step"] == 1


def test_an_entry_that_nobody_changed_keeps_the_form_in_which_it_was_written():
    written = ["one", {"description": "two"}, "one", None]
    read = [schema.step_of(each) for each in written]
    assert schema.as_written(read, written) == written
    read[2]["status"] = "completed"
    assert schema.as_written(read, written) == ["one", {"description": "two"}, read[2], None]
    assert schema.as_written(read[:1], written) == ["one"]


@pytest.mark.parametrize(
    ("old", "today"),
    [
        ({"mode": "ACTIVE"}, {"mode": "active"}),
        ({"mode": " Review "}, {"mode": "review"}),
        ({"mode": "exploring"}, {"mode": "exploring"}),
        ({"schema_version": "4"}, {"schema_version": 4}),
        ({"schema_version": 2.0}, {"schema_version": 2}),
        ({"schema_version": "four"}, {"schema_version": "four"}),
        ({"schema_version": None, "memory": []}, {"schema_version": 2}),
        ({"objective": "  "}, {"objective": None}),
        ({"objective": "Set your objective here"}, {"objective": None}),
        (
            {"objective": "Set your objective here, please"},
            {"objective": "Set your objective here, please"},
        ),
        ({"memory": [], "lessons": ["a"]}, {"memory": [{"trigger": "", "lesson": "a"}]}),
    ],
)
def test_an_old_spelling_is_read_as_what_it_meant_and_an_unknown_one_as_it_is(old, today):
    assert {key: schema.lifted(old)[key] for key in today} == today


@pytest.mark.parametrize("mode", [None, ""])
def test_no_mode_is_no_mode(mode):
    assert "mode" not in schema.lifted({"mode": mode})


def test_a_decision_that_an_older_version_waits_for_can_be_answered_and_grants_nothing():
    old = {"id": "1", "type": "quality_gate", "payload": {"reason": "no proof"}, "fingerprint": "f"}
    junction = schema.lifted({"junction": old})["junction"]
    assert (junction["type"], junction["shown"]) == ("ambiguous", "no proof")
    shown = {"type": "external", "shown": "git push"}
    assert schema.lifted({"junction": shown})["junction"]["shown"] == "git push"
    assert "fingerprint" not in junction
    ours = {**WHOLE, "type": "irreversible"}
    assert schema.lifted({"junction": ours})["junction"] == ours


WHOLE = {"id": "j", "type": "external", "session": "s", "reason": "r", "fingerprint": "f"}


@for_each(
    "odd",
    [
        {"id": 5},
        {"type": None},
        {"session": ["s"]},
        {"reason": {}},
        {"fingerprint": 1.5},
        {"classes": "c"},
        {"classes": [1]},
        {"payload": ["a"]},
        {"payload": {"warnings": 1.5}},
        {"payload": {"warnings": [{}]}},
        {"payload": {"findings": {}}},
        {"payload": {"proposal": [1]}},
        {"also_blocked": [{}]},
    ],
)
def test_a_junction_of_another_shape_waits_all_the_same_and_answering_it_grants_nothing(odd):
    junction = schema.lifted({"junction": {**WHOLE, **odd}})["junction"]
    assert junction["source"] == "legacy"
    assert "fingerprint" not in junction
    assert all(isinstance(junction[name], str) for name in ("id", "type", "reason", "shown"))
    assert junction["classes"] == []
    assert "payload" not in junction


def test_a_junction_of_the_written_shape_is_left_as_it_is():
    payload = {"failed_checks": [{"name": "x"}], "warnings": [{"name": "y"}], "options": ["a"]}
    more = {"classes": ["c"], "payload": payload, "also_blocked": [{"shown": "ls"}]}
    for junction in (WHOLE, {**WHOLE, **more}):
        assert schema.lifted({"junction": junction})["junction"] is junction
    assert schema.lifted({"junction": {}})["junction"] is None
