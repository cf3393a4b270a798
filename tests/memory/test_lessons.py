"""Lessons as edits of the state, and what is forgotten when."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, strategies as st

from operators_edge.errors import UsageError
from operators_edge.memory import lessons
from operators_edge.memory.lessons import Exposure, key_of

NOW = datetime(2026, 3, 31, 12, tzinfo=UTC)


def lesson(trigger="a thing", text="do it", *, days=0, **more):
    day = (NOW - timedelta(days=days)).date().isoformat()
    return {"trigger": trigger, "lesson": text, "reinforced": 0, "last_used": day, **more}


def added(*pairs):
    state = {}
    lessons.add(state, [{"trigger": one, "lesson": two} for one, two in pairs], now=NOW)
    return state


# -- edits -----------------------------------------------------------------------------------------


def test_a_lesson_is_kept_with_its_day_and_unreinforced():
    state = {}
    said = lessons.add(
        state, [{"trigger": " git push ", "lesson": "test first"}], now=NOW, source="s"
    )
    assert state["memory"] == [
        {
            "trigger": "git push",
            "lesson": "test first",
            "reinforced": 0,
            "last_used": "2026-03-31",
            "source": "s",
        }
    ]
    assert said.text == "Lesson 1: git push: test first"
    key = key_of(state["memory"][0])
    assert said.events[0] == (
        "lesson",
        {"to": "added", "key": key, "trigger": "git push", "text": "test first"},
    )


def test_the_same_lesson_is_not_kept_twice_also_within_one_file():
    state = added(("a", "b"), ("a", "b"))
    said = lessons.add(state, [{"trigger": "a", "lesson": "b"}], now=NOW)
    assert len(state["memory"]) == 1
    assert said.remarks == ("lesson 1 is the same",)
    assert said.events == ()


def test_what_says_nearly_the_same_or_something_else_at_the_same_trigger_is_said():
    state = added(("git push", "run make test first"))
    near = lessons.add(state, [{"trigger": "git push", "lesson": "first run make tests"}], now=NOW)
    assert "is nearly the same" in near.remarks[0]
    other = lessons.add(state, [{"trigger": "Git push", "lesson": "ask the team"}], now=NOW)
    assert "has the same trigger" in other.remarks[0]
    assert len(state["memory"]) == 3


def test_of_many_the_first_are_said_and_all_are_kept():
    state = {}
    many = [{"trigger": f"word{n}", "lesson": f"do number {n} of the things"} for n in range(2000)]
    said = lessons.add(state, many, now=NOW)
    assert len(state["memory"]) == len(said.data["numbers"]) == len(said.events) == 2000
    assert said.text.splitlines()[-1] == "and 1980 lessons more"


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({"trigger": "a"}, "needs a text"),
        ({"trigger": "a", "lesson": " "}, "this one is empty"),
        ({"trigger": "a", "lesson": "x" * 20_000}, "20,000 characters"),
        ({"lesson": "x", "when": {"moon": "full"}}, "'moon' is not a condition of a lesson"),
        ({"lesson": "x", "when": "often"}, "has no condition"),
        ({"lesson": "x", "when": {"exit_code": "x"}}, "could never be shown"),
        ({"lesson": "x", "when": {"error": "/(a+)+/"}}, "take too long"),
    ],
)
def test_a_lesson_that_could_do_nothing_is_refused(given, why):
    state = {}
    with pytest.raises(UsageError, match=why.replace("(", r"\(")):
        lessons.add(state, [given], now=NOW)
    assert state == {}


def test_conditions_stand_for_a_trigger_that_is_missing():
    state = {}
    lessons.add(state, [{"lesson": "x", "when": {"path": "*.sql", "exit_code": 3}}], now=NOW)
    assert state["memory"][0]["trigger"] == "*.sql, 3"
    assert state["memory"][0]["when"] == {"path": ["*.sql"], "exit_code": ["3"]}


def test_only_an_observed_outcome_reinforces():
    state = {"memory": [lesson(days=9)]}
    claimed = lessons.mark_used(state, [1], now=NOW, is_observed=False)
    assert state["memory"][0]["reinforced"] == 0
    assert state["memory"][0]["last_used"] == "2026-03-31"
    assert "only an observed outcome" in claimed.remarks[0]
    lessons.mark_used(state, [1, 1], now=NOW, is_observed=True)
    assert state["memory"][0]["reinforced"] == 1


def test_reinforcement_names_lessons_by_key_wherever_they_stand():
    state = added(("a", "b"), ("c", "d"))
    key = key_of(state["memory"][1])
    lessons.remove(state, [1])
    assert lessons.reinforce(state, [key, "gone"], now=NOW).data["used"] == [1]
    assert state["memory"][0]["reinforced"] == 1


def test_a_changed_lesson_keeps_what_it_earned_and_its_log_names_both_keys():
    state = {"memory": [lesson("a", "b", reinforced=3)]}
    before = key_of(state["memory"][0])
    said = lessons.edit(state, 1, {"lesson": "c", "evergreen": True}, now=NOW)
    assert state["memory"][0]["reinforced"] == 3
    assert said.events[0][1]["before"] == before != said.events[0][1]["key"]
    lessons.edit(state, 1, {"trigger": "", "evergreen": None}, now=NOW)
    assert state["memory"][0]["trigger"] == ""
    assert "evergreen" not in state["memory"][0]
    with pytest.raises(UsageError, match="needs a text"):
        lessons.edit(state, 1, {"lesson": ""}, now=NOW)


def test_what_people_write_by_hand_is_read_as_it_is_meant():
    state = {"memory": ["be careful", None, {"lesson": 7, "reinforced": "x"}, {"trigger": ["a"]}]}
    assert [each["lesson"] for each in lessons.listed(state)] == ["be careful", "", "7", ""]
    lessons.mark_used(state, [1, 3], now=NOW, is_observed=True)
    assert state["memory"][0] == {
        "trigger": "",
        "lesson": "be careful",
        "last_used": "2026-03-31",
        "reinforced": 1,
    }
    assert state["memory"][1] is None
    assert lessons.listed({"memory": "a text alone"})[0]["lesson"] == "a text alone"
    with pytest.raises(UsageError, match="not a list"):
        lessons.add({"memory": "a text alone"}, [{"lesson": "x"}], now=NOW)
    with pytest.raises(UsageError, match="there is 1 lesson, counted"):
        lessons.remove({"memory": ["x"]}, [2])


def test_why_says_when_it_comes_up_and_how_long_it_stays():
    state = {"memory": [lesson("git push", "x"), lesson("y", "z", evergreen=True)]}
    about = lessons.explain(state, 1, now=NOW)
    assert about.data["exactly"] == {"command": ["git push"]}
    assert "until 2026-04-14" in about.text
    assert "evergreen" in lessons.explain(state, 2, now=NOW).text


# -- decay -----------------------------------------------------------------------------------------


def test_why_says_how_often_it_was_told_and_what_came_of_it_the_newest_first():
    one = lesson("cargo build", "x", days=20)
    key = lessons.key_of(one)
    calls = [
        ("2026-03-01T10:00:00+00:00", "violated", {"outcome": "it failed (exit 101)"}),
        ("2026-03-30T10:00:00+00:00", "applied", {"outcome": "it succeeded"}),
        ("2026-03-02T10:00:00+00:00", "dismissed", {"dismiss_reason": "the session ended"}),
    ]
    kept = [
        {"lesson_key": key, "created_at": at, "status": to, "tool_input_summary": "cargo", **more}
        for at, to, more in calls
    ]
    state = {"memory": [one], "obligations": [*kept, {"lesson_key": "other"}, "text", {}]}
    told = lessons.explain(state, 1, now=NOW, exposures={key: Exposure(4, NOW - timedelta(days=1))})
    lines = told.text.splitlines()
    assert lines[2] == "  shown:     4 times, last on 2026-03-30"
    assert lines[3:6] == [
        "  outcome:   2026-03-30 applied: cargo (it succeeded)",
        "  outcome:   2026-03-02 dismissed: cargo (the session ended)",
        "  outcome:   2026-03-01 violated: cargo (it failed (exit 101))",
    ]
    assert lines[-1] == "  kept:      until the next edge prune"
    assert [each["status"] for each in told.data["came_to"]] == ["applied", "dismissed", "violated"]
    lately = {key: Exposure(2, NOW - timedelta(days=1))}
    assert lessons.explain(state, 1, now=NOW, exposures=lately).data["stays"] == (
        "while it is shown: it is on probation"
    )


def test_why_says_of_a_pattern_written_by_hand_that_it_never_holds():
    one = lesson("x", when={"error": "/(a+)+/"})
    assert "never:     /(a+)+/ repeats" in lessons.explain({"memory": [one]}, 1, now=NOW).text


@pytest.mark.parametrize(
    ("reinforced", "days", "stays"),
    [
        (2, 400, True),
        (1, 6, True),
        (1, 7, False),
        (0, 13, True),
        (0, 14, False),
        ("2", 400, True),
        ("many", 14, False),
    ],
)
def test_the_table_of_decay_holds(reinforced, days, stays):
    one = lesson(days=days, reinforced=reinforced)
    kept, gone, merged = lessons.decay([one], now=NOW)
    assert (kept == [one], bool(gone), merged) == (stays, not stays, [])


def test_what_leaves_says_why():
    gone = lessons.decay([lesson(days=20), lesson("b", "c", days=9, reinforced=1)], now=NOW).removed
    assert [reason for _, reason in gone] == [
        "Never reinforced, 20 days old",
        "Helped once, not used for 9 days",
    ]


def test_an_evergreen_lesson_and_what_cannot_be_read_as_one_stay():
    entries = [lesson(days=900, evergreen=True), None, "a text", {"own": 1}]
    entries.append(lesson("b", last_used="?"))
    assert lessons.decay(entries, now=NOW).remaining == entries


def test_a_lesson_on_probation_stays_while_it_comes_up():
    one = lesson(days=30)
    lately = NOW - timedelta(days=2)
    for seen, stays in (
        (Exposure(2, lately), True),
        (Exposure(3, lately), False),
        (Exposure(2, NOW - timedelta(days=15)), False),
    ):
        assert bool(lessons.decay([one], now=NOW, exposures={key_of(one): seen}).remaining) is stays


def test_a_lesson_without_a_date_gets_one_and_its_time_begins():
    kept = lessons.decay([{"trigger": "a", "lesson": "b"}], now=NOW).remaining
    assert kept == [{"trigger": "a", "lesson": "b", "last_used": "2026-03-31"}]
    assert lessons.decay(kept, now=NOW + timedelta(days=15)).remaining == []


def test_over_the_budget_those_leave_first_that_had_their_chance_then_the_oldest():
    told, old, new = lesson("p", "q", days=1), lesson("r", "s", days=5), lesson("t", "u")
    good = lesson("v", "w", reinforced=1)
    seen = {key_of(told): Exposure(3, NOW)}
    for budget, left in ((4, [told, old, new, good]), (3, [old, new, good]), (2, [new, good])):
        found = lessons.decay([told, old, new, good], now=NOW, exposures=seen, budget=budget)
        assert found.remaining == left
    assert lessons.decay([good, good | {"trigger": "x"}], now=NOW, budget=0).removed == []


@given(
    st.lists(
        st.builds(
            lesson,
            st.sampled_from(["git push", "git pull", "cargo test", "a b"]),
            st.sampled_from(["run make test first", "first run make tests", "never", "x 1", "x 2"]),
            days=st.integers(0, 40),
            reinforced=st.integers(0, 3),
            evergreen=st.booleans(),
        )
        | st.none()
        | st.text(max_size=3)
        | st.just({"lesson": "no date"}),
        max_size=12,
    ),
    st.integers(0, 12),
)
def test_decay_done_twice_changes_nothing_and_loses_nothing(entries, budget):
    first = lessons.decay(entries, now=NOW, budget=budget)
    again = lessons.decay(first.remaining, now=NOW, budget=budget)
    assert again == (first.remaining, [], [])
    assert len(first.remaining) + len(first.removed) + len(first.merged) == len(entries)
    for each in entries:
        if isinstance(each, dict) and each.get("evergreen") is True:
            assert any(
                isinstance(k, dict) and k["lesson"] == each["lesson"] for k in first.remaining
            )


def test_a_key_names_trigger_and_text_and_nothing_else():
    assert key_of(lesson("a", "b")) == key_of({"trigger": " a", "lesson": "b", "reinforced": 9})
    assert key_of(lesson("a", "b")) != key_of(lesson("ab", ""))
    assert len(key_of("é\ud800")) == 12
