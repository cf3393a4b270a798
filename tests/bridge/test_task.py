"""The task file: what is valid, and that everything wrong with one is said."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st
from tests.properties import examples
from tests.tables import for_each

from operators_edge.bridge.task import (
    FIELDS,
    Task,
    circle,
    problems_with,
    with_defaults,
)

SMALLEST = {"id": "2026-01-02_01_fix", "prompt": "Fix it."}


def problems_of(value, **more):
    return [str(each) for each in problems_with(value, **more)]


def test_a_task_needs_an_id_and_a_prompt_only():
    assert problems_of(SMALLEST) == []
    task = with_defaults(SMALLEST)
    assert task["timeout_sec"] == 1_800
    assert task["retry_policy"] == {"max_attempts": 1}
    assert set(task) == set(Task.__annotations__) == set(FIELDS)


def test_every_problem_is_said_at_once_with_its_place():
    value = {
        "id": "../x",
        "scope": ["ok.py", "../out", 3],
        "commands_to_run": "make",
        "allow_dirty": 1,
        "timeout_sec": 0,
        "retry_policy": {"max_attempts": True, "attempts": 3},
        "prompts": "x",
    }
    assert problems_of(value) == [
        "prompt is missing",
        "id: must start with a letter or digit, and have only letters, digits, _, - and single dots",
        "scope[2]: must be a text, not 3",
        "commands_to_run: must be a list, not 'make'",
        "allow_dirty: must be true or false, not 1",
        "timeout_sec: must be from 1 to 604,800, not 0",
        "retry_policy.max_attempts: must be a whole number, not True",
        "retry_policy: unknown key 'attempts'",
        "unknown key 'prompts' (did you mean 'prompt'?); your own keys start with x_",
    ]


@for_each(
    ("key", "value"),
    [
        ("scope", ["/etc/passwd"]),
        ("scope", ["a/../../b"]),
        ("scope", ["C:\\x"]),
        ("scope", ["~/x"]),
        ("scope", ["..\\x"]),
        ("scope", ["a\0b"]),
        ("scope", [""]),
        ("scope", ["x"] * 1_001),
        ("protect", ["/x"]),
        ("prompt", "  "),
        ("prompt", "x" * 200_001),
        ("prompt", None),
        ("commands_to_run", [" "]),
        ("commands_to_run", ["a\0"]),
        ("commands_to_run", [["make"]]),
        ("timeout_sec", 1.5),
        ("timeout_sec", "60"),
        ("timeout_sec", 10**30),
        ("attempt", 2),
        ("attempt", -1),
        ("risk_level", "extreme"),
        ("risk_level", ["low"]),
        ("risk_level", None),
        ("retry_on", ["schema_invalid"]),
        ("retry_policy", 3),
        ("depends_on", [SMALLEST["id"]]),
        ("depends_on", ["a..b"]),
        ("base", "task:a/b"),
        ("base", f"task:{SMALLEST['id']}"),
        ("base", "file:x"),
        ("executor", "rm -rf"),
        ("max_cost", -1),
        ("max_cost", True),
    ],
)
def test_a_wrong_value_is_refused(key, value):
    assert problems_of({**SMALLEST, key: value})


def test_the_file_is_called_as_the_task():
    assert problems_of(SMALLEST, stem=SMALLEST["id"]) == []
    assert problems_of(SMALLEST, stem="other") == [
        "id: is '2026-01-02_01_fix', and the file is called 'other'"
    ]


def test_a_planners_own_keys_are_kept():
    value = {**SMALLEST, "x_ticket": {"n": 4}}
    assert problems_of(value) == []
    assert with_defaults(value)["x_ticket"] == {"n": 4}


def test_defaults_are_valid_and_never_shared():
    task = with_defaults(SMALLEST)
    assert problems_of(dict(task)) == []
    task["scope"].append("x")
    task["retry_policy"]["max_attempts"] = 9
    assert with_defaults(SMALLEST)["scope"] == []
    assert with_defaults(SMALLEST)["retry_policy"] == {"max_attempts": 1}


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=8,
)


@given(st.dictionaries(st.sampled_from([*FIELDS, "other"]), JSON))
@examples(100)
def test_whatever_the_values_are_a_task_is_valid_or_its_problems_are_said(value):
    problems = problems_with(value)
    assert all(each.what for each in problems)
    if not problems:
        assert problems_with(dict(with_defaults(value))) == []


@pytest.mark.parametrize(
    ("waits", "expected"),
    [
        ({}, set()),
        ({"a": ["b"], "b": ["c"]}, set()),
        ({"a": ["b", "c"], "b": ["d"], "c": ["d"], "d": ["e"]}, set()),
        ({"a": ["b"], "b": ["a"]}, {"a", "b"}),
        ({"x": ["a"], "a": ["n", "b"], "b": ["m", "c"], "c": ["a"]}, {"a", "b", "c"}),
        ({"a": ["b", "c"], "b": ["d"], "c": ["a"], "d": ["n"]}, {"a", "c"}),
    ],
)
def test_tasks_that_wait_for_each_other_are_found(waits, expected):
    assert set(circle(waits)) == expected


def test_what_a_task_does_not_say_the_settings_say_and_then_the_product():
    defaults = {"timeout_sec": 60, "protect": ["ci/*"], "retry_policy": {"max_attempts": 3}}
    task = with_defaults({**SMALLEST, "protect": [], "retry_policy": {}}, defaults)
    assert (task["timeout_sec"], task["protect"], task["repair"]) == (60, [], 0)
    assert task["retry_policy"] == {"max_attempts": 3}
    assert problems_with({**SMALLEST, "attempt": 3}, defaults=defaults) == []
    assert problems_with({**SMALLEST, "attempt": 4}, defaults=defaults) != []
