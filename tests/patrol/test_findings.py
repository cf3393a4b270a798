"""A finding keeps its id, and the most important one comes first."""

from datetime import UTC, datetime

import pytest

from operators_edge.patrol import findings
from operators_edge.patrol.findings import finding

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)


def made(subject="parse", *, kind="complexity", category="complexity", priority="medium", **more):
    more.setdefault("file", "src/a.py")
    return finding(kind, category, priority, more.pop("title", "t"), "d", subject=subject, **more)


def test_the_name_stays_when_line_words_priority_and_measured_number_change():
    before = made(line=10, value=17, title="17 ways")
    after = made(line=99, value=40, title="40 ways", priority="high", bonus=9)
    assert before.id == after.id
    assert len(before.id) == 10


@pytest.mark.parametrize(
    "other", [made("other"), made(kind="marker"), made(file="src/b.py"), made(file="")]
)
def test_another_subject_kind_or_file_is_another_finding(other):
    assert other.id != made().id


def test_white_space_and_case_of_a_note_do_not_make_it_another():
    assert made("TODO  fix this").id == made("todo fix\tthis").id


def test_equal_subjects_are_numbered_in_order():
    assert findings.distinct_names(["a", "b", "A"]) == ["a", "b", "A #2"]


def test_high_comes_before_medium_before_low_and_urgent_words_raise_the_rank():
    low = made("1", priority="low", bonus=20)
    medium = made("2")
    urgent = made("3", title="FIXME: x")
    high = made("4", priority="high")
    security = made("5", priority="high", title="a vulnerability in y")
    assert findings.ranked([low, medium, urgent, high, security]) == (
        security,
        high,
        urgent,
        medium,
        low,
    )


def test_a_finding_found_twice_is_kept_once_with_its_better_score():
    assert findings.ranked([made(bonus=1), made(bonus=7), made(bonus=3)]) == (made(bonus=7),)


def test_the_order_does_not_depend_on_the_order_in_which_things_were_found():
    found = [made(str(number), line=number) for number in range(9)]
    assert findings.ranked(found) == findings.ranked(reversed(found))


def test_of_the_first_five_two_are_of_a_type_as_long_as_there_are_others():
    found = [made(str(n), kind="marker", priority="high") for n in range(6)]
    found += [made(str(n), kind="complexity") for n in range(4)]
    found += [made("big", kind="large_file", priority="low")]
    order = [(each.type, each.priority) for each in findings.ranked(found)]
    loud, tangled, big = ("marker", "high"), ("complexity", "medium"), ("large_file", "low")
    assert order[:5] == [loud, loud, tangled, tangled, big]
    assert order[5:] == [loud] * 4 + [tangled] * 2


def test_what_is_left_of_varied_findings_is_varied_again_and_that_changes_nothing_twice():
    found = [made(str(n), kind=kind) for n in range(9) for kind in ("a", "b", "c", "d")]
    left = findings.varied(findings.ranked(found)[3:])
    assert sorted(left) == sorted(findings.ranked(found)[3:])
    assert max([each.type for each in left[:5]].count(kind) for kind in "abcd") == 2
    assert findings.varied(left) == left


def test_data_for_programs_leaves_out_what_is_not_known():
    data = made(line=3).as_data()
    assert data["line"] == 3
    assert "value" not in data
    assert "metric" not in data


def test_the_state_keeps_ten_findings_in_the_words_of_their_categories():
    found = [
        made("f", metric="cyclomatic_complexity", value=45, threshold=15, line=4, priority="high"),
        made("m", kind="marker", category="code_quality", title="TODO: x", line=7),
        made(
            "c", kind="low_coverage", category="missing_tests", metric="line_coverage", value=12.4
        ),
        made("s", kind="recurring_mismatch", category="state_patterns", file="", title="again"),
        made("l", kind="large_file", category="architecture", title="1,200 lines"),
    ]
    kept = findings.stored(found, now=NOW)
    assert kept["timestamp"] == "2026-03-01T12:00:00+00:00"
    assert list(kept["categories"]) == list(findings.CATEGORIES)
    only = {name: entries[0] for name, entries in kept["categories"].items()}
    assert only["complexity"] | {"id": "", "issue": ""} == {
        "id": "",
        "file": "src/a.py",
        "line": 4,
        "metric": "cyclomatic_complexity",
        "value": 45,
        "threshold": 15,
        "issue": "",
        "priority": "high",
    }
    assert only["code_quality"]["issue"] == "TODO: x"
    assert only["missing_tests"]["coverage"] == "12%"
    assert only["state_patterns"]["pattern"] == "recurring_mismatch"
    assert "file" not in only["state_patterns"]
    assert only["architecture"]["issue"] == "1,200 lines"
    many = [made(str(number)) for number in range(30)]
    assert len(findings.stored(many, now=NOW)["categories"]["complexity"]) == findings.MAX_STORED


def test_challenges_are_at_most_five_and_one_for_each_kind():
    kinds = ("complexity", "marker", "large_file", "low_coverage", "missing_tests", "no_tests")
    found = [made(str(n), kind=kind) for n in range(3) for kind in kinds]
    asked = findings.challenges(found)
    assert len(asked) == 5
    assert all(each.startswith("How might we ") for each in asked)
    assert "the notes left in src/a.py" in asked[1]
    assert findings.challenges([]) == []


def test_others_text_in_a_title_is_one_bounded_printable_line():
    found = made(title="TODO: \x1b[31m" + "x" * 500 + "\n\u202eend")
    assert len(found.title) <= 100
    assert found.title.isprintable()


def test_names_that_are_not_utf8_can_be_stored_and_stay_distinct():
    one, other = made(file="\udcff.py", title="\udcff"), made(file="\udcfe.py")
    assert one.id != other.id
    assert one.file.encode() == b"\\udcff.py"
    assert str(findings.stored([one, other], now=NOW)).encode()
