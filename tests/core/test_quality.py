import pytest

from operators_edge.core import quality

BUSY = {"tools_used": {"Edit": 3}, "files_modified": ["a.py"]}
FINE = {"objective": "x", "plan": [{"status": "completed"}]}


def names(state, seen):
    return [check.name for check in quality.failures(state, seen)]


def test_work_that_was_observed_passes():
    assert names(FINE, BUSY) == []


def test_each_missing_thing_has_its_stable_name():
    assert names({}, {}) == ["objective_defined", "steps_completed", "activity_observed"]
    dangling = {"objective": "x", "plan": [{"status": "completed"}, {"status": "in_progress"}]}
    assert names(dangling, BUSY) == ["no_dangling_in_progress"]


def test_a_completed_step_without_a_modified_file_is_a_claim_without_evidence():
    assert names(FINE, {"tools_used": {"Read": 9}}) == ["claims_match_files"]


def test_an_override_covers_what_it_names_and_no_more():
    failed = quality.failures({}, {})
    assert quality.remaining(failed, None) == failed
    assert quality.remaining(failed, {"mode": "full"}) == ()
    some = {"mode": "check_specific", "approved_checks": ["objective_defined"]}
    left = [check.name for check in quality.remaining(failed, some)]
    assert left == ["steps_completed", "activity_observed"]


def test_checks_are_chosen_by_the_number_shown_or_by_name():
    listed = ["a_check", "b_check"]
    assert quality.named("2", listed) == ["b_check"]
    assert quality.named("1,2, a_check", listed) == ["a_check", "b_check"]
    assert quality.named("", listed) == []
    for wrong in ("3", "0", "c_check", "²"):
        with pytest.raises(ValueError, match=wrong):
            quality.named(wrong, listed)


def test_the_objectives_hash_is_the_same_in_every_process():
    expected = "2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881"
    assert quality.objective_hash({"objective": "x"}) != quality.objective_hash({"objective": "y"})
    assert len(quality.objective_hash({"objective": "x"})) == len(expected)


def test_what_the_checks_lost_is_a_warning_and_fails_nothing():
    lost = {"kind": "test_skipped", "path": "t.py", "name": "test_a", "detail": ""}
    (check,) = quality.failures(FINE, {**BUSY, "tampering": [lost]})
    assert (check.name, check.severity) == ("checks_untouched", "warning")
    assert check.text == "test skipped: t.py::test_a"
    (check,) = quality.failures(FINE, {**BUSY, "tampering": [lost] * 5})
    assert check.text.endswith("; and 2 more")
