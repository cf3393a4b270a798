"""What an override lets pass: what it names, in its session, for its objective."""

import pytest
from hypothesis import given, strategies as st

from operators_edge.evidence import overrides
from operators_edge.evidence.plan_events import objective_hash
from operators_edge.quality.checks import NAMES, Check

FAILED = tuple(Check(name, "error", "missing") for name in NAMES[:4])
STATE = {"objective": "ship it"}
GRANT = {"session_id": "s", "objective_hash": objective_hash(STATE), "mode": "full"}


def some(*names):
    return {**GRANT, "mode": "check_specific", "approved_checks": list(names)}


def test_an_override_holds_for_its_session_and_its_objective_only():
    assert overrides.lapsed(GRANT, STATE, "s") == ""
    assert overrides.lapsed(GRANT, STATE, "t") == "session"
    assert overrides.lapsed(GRANT, {"objective": "another"}, "s") == "objective"
    assert overrides.lapsed({}, STATE, "s") == "session"


def test_only_genuine_overrides_of_this_session_and_objective_apply():
    kept = {**GRANT, "kind": "override", "id": "a"}
    forged, elsewhere = {**kept, "id": "b"}, {**kept, "session_id": "t"}
    state = {**STATE, "overrides": [kept, forged, elsewhere, {"kind": "allowance"}, "odd"]}

    def refusal_reason(grant):
        return "" if grant["id"] == "a" else "forged"

    assert list(overrides.active(state, "s", refusal_reason)) == [kept]
    assert list(overrides.active(STATE, "s", refusal_reason)) == []


def test_an_override_covers_what_it_names_and_no_more():
    assert overrides.split(FAILED, []) == (FAILED, ())
    assert overrides.split(FAILED, [GRANT]) == ((), FAILED)
    assert overrides.split(FAILED, [some(NAMES[1])]) == (
        (FAILED[0], *FAILED[2:]),
        (FAILED[1],),
    )


def test_a_warning_needs_no_override_and_stays_to_be_read():
    warning = Check("tests_observed", "warning", "no run")
    assert overrides.split([warning], [GRANT]) == ((warning,), ())


@pytest.mark.parametrize("named", [None, "steps_completed", {"steps_completed": 1}])
def test_a_list_of_checks_in_another_shape_covers_nothing(named):
    grant = {**some(), "approved_checks": named}
    assert not overrides.covers(grant, "steps_completed")


def test_checks_are_chosen_by_the_number_shown_or_by_name():
    listed = ["a_check", "b_check"]
    assert overrides.named("2", listed) == ["b_check"]
    assert overrides.named("1,2, a_check", listed) == ["a_check", "b_check"]
    assert overrides.named("", listed) == []
    for wrong in ("3", "0", "c_check", "²"):
        with pytest.raises(ValueError, match=wrong):
            overrides.named(wrong, listed)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("", ("", "")),
        ("1,2", ("1,2", "")),
        ("1, 2 because the API is down", ("1, 2", "the API is down")),
        ("because I looked", ("", "I looked")),
        ("a_check BECAUSE it is because of CI", ("a_check", "it is because of CI")),
        ("1,2 --why the API is down", ("1,2", "the API is down")),
        ("--why=CI", ("", "CI")),
        ("because", ("because", "")),
    ],
)
def test_the_reason_stands_behind_because(words, expected):
    assert overrides.parse_typed(words) == expected


@given(st.sets(st.sampled_from(NAMES), max_size=6), st.lists(st.integers(0, 13), max_size=4))
def test_a_choice_covers_exactly_the_checks_that_stand_at_its_numbers(failing, numbers):
    shown = [Check(name, "error", "x") for name in NAMES if name in failing]
    names = [each.name for each in shown]
    words = ",".join(map(str, numbers))
    if any(not 1 <= number <= len(shown) for number in numbers):
        with pytest.raises(ValueError, match=r"^\d+$"):
            overrides.named(words, names)
        return
    chosen = overrides.named(words, names)
    left, covered = overrides.split(shown, [some(*chosen)])
    assert {each.name for each in covered} == {names[number - 1] for number in numbers}
    assert {each.name for each in left} == set(names) - set(chosen)
    newly = Check(next(name for name in NAMES if name not in failing), "error", "new")
    assert newly in overrides.split([*shown, newly], [some(*chosen)])[0]
