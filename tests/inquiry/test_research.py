"""Research from the unknown to its action items, as edits of the state."""

import copy
from datetime import UTC, datetime

import pytest
from hypothesis import given, strategies as st

from operators_edge.errors import UsageError
from operators_edge.inquiry import research

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
RESULTS = "## Summary\nTake Redis.\n\n## Action items\n- pin it\n- set a TTL\n"


def on(state, **more):
    return research.Research(state, now=NOW, **more)


def added(state, topic="which cache?", *, archived=None, **more):
    more.setdefault("is_critical", False)
    return on(state, archived=archived).add(topic, **more).data["id"]


def planned():
    return {"plan": [{"description": "choose a cache", "status": "in_progress"}]}


def test_an_entry_has_every_field_of_the_schema():
    state = planned()
    added(state, is_critical=True, step=1, context="sessions")
    entry = state["research"][0]
    assert list(entry) == [
        "id",
        "topic",
        "priority",
        "status",
        "blocking_step",
        "context",
        "prompt",
        "results",
        "action_items",
        "created",
        "completed",
    ]
    assert (entry["id"], entry["priority"], entry["status"]) == ("R001", "critical", "pending")
    assert "which cache?" in entry["prompt"]


def test_a_critical_one_blocks_its_step_until_its_results_are_there():
    state = planned()
    ident = added(state, is_critical=True, step=1)
    assert state["plan"][0]["status"] == "blocked"
    assert state["plan"][0]["blocked_by"] == "research R001"
    said = on(state).complete(ident, RESULTS)
    assert said.data["unblocked"] == [1]
    assert state["plan"][0] == {"description": "choose a cache", "status": "pending"}


def test_a_step_waits_for_all_of_its_research_and_wherever_it_is_moved():
    state = planned()
    one = added(state, "which cache?", is_critical=True, step=1)
    other = added(state, "which host?", is_critical=True, step=1)
    state["plan"].insert(0, {"description": "new", "status": "pending"})
    assert on(state).complete(one, RESULTS).data["unblocked"] == []
    assert on(state).lines()[-1] == "      blocks step 2"
    assert state["plan"][1]["blocked_by"] == "research R002"
    assert on(state).cancel(other).data["unblocked"] == [2]


def test_an_optional_one_and_one_for_a_finished_step_block_nothing():
    state = {"plan": [{"description": "a", "status": "completed"}, {"description": "b"}]}
    added(state, "one", is_critical=True, step=1)
    added(state, "two", step=2)
    assert [each.get("status") for each in state["plan"]] == ["completed", None]


def test_a_step_blocked_by_something_else_stays_so():
    state = {"plan": [{"description": "a", "status": "blocked", "blocked_by": "the API"}]}
    ident = added(state)
    assert on(state).complete(ident, RESULTS).data["unblocked"] == []
    assert state["plan"][0]["status"] == "blocked"


def test_a_step_that_waits_for_something_else_too_waits_for_that_still():
    state = {"plan": [{"description": "a", "status": "blocked", "blocked_by": "the API, at last"}]}
    state["research"] = [{"id": "cache study", "topic": "which cache?"}]
    added(state, "which key?", is_critical=True, step=1)
    state["plan"][0]["blocked_by"] += ", research cache study"
    told = on(state).complete("R001", "It is X.")
    assert state["plan"][0]["blocked_by"] == "the API, at last, research cache study"
    assert told.data["unblocked"] == []
    on(state).complete("cache study", "It is Y.")
    assert state["plan"][0] == {
        **state["plan"][0],
        "status": "blocked",
        "blocked_by": "the API, at last",
    }


def test_results_give_action_items_and_a_time():
    state = {}
    ident = added(state)
    said = on(state).complete(ident, RESULTS)
    entry = state["research"][0]
    assert entry["action_items"] == ["pin it", "set a TTL"]
    assert entry["status"] == "completed"
    assert entry["completed"] == "2026-03-01T12:00:00+00:00"
    assert said.data["summary"] == "Take Redis."


def test_results_without_action_items_are_kept_and_that_is_said():
    state = {}
    ident = added(state)
    said = on(state).complete(ident, "Redis, probably.")
    assert state["research"][0]["results"] == "Redis, probably."
    assert "no action items were found" in said.remarks[0]
    on(state).add_actions("R001", ["pin it", "pin it"])
    assert state["research"][0]["action_items"] == ["pin it"]
    assert on(state).add_actions("R001", ["pin it"]).events == ()


def test_results_are_not_overwritten_unasked():
    state = {}
    ident = added(state)
    on(state).complete(ident, RESULTS)
    with pytest.raises(UsageError, match="already has results"):
        on(state).complete(ident, "other")
    on(state).complete(ident, "other", replace=True)
    assert state["research"][0]["results"] == "other"


@pytest.mark.parametrize("text", ["", " \n ", "\0", "\ud800", "x" * 500_001])
def test_what_is_no_answer_is_refused_and_nothing_changes(text):
    state = planned()
    ident = added(state, is_critical=True, step=1)
    before = copy.deepcopy(state)
    with pytest.raises(UsageError):
        on(state).complete(ident, text)
    assert state == before


@pytest.mark.parametrize("name", ["R001", "r001", "r1", "1", " R1 "])
def test_an_id_is_known_in_every_spelling(name):
    state = {}
    added(state)
    assert on(state).entry(name)["id"] == "R001"


def test_an_id_is_never_given_twice():
    state = {}
    assert added(state, archived={"R007": "old"}) == "R008"
    on(state).remove("R008")
    assert state["research"] == []
    with pytest.raises(UsageError, match="there is no research R008"):
        on(state).remove("R008")


def test_the_same_topic_is_asked_once_and_again_when_it_was_cancelled():
    state = {}
    added(state, "Which cache?")
    assert added(state, "which  cache") == "R001"
    on(state).cancel("R001", "later")
    assert added(state, "which cache") == "R002"


def test_starting_gives_the_prompt_alone_and_says_so_once():
    state = {}
    ident = added(state)
    first = on(state).start(ident)
    assert first.text == state["research"][0]["prompt"]
    assert state["research"][0]["status"] == "in_progress"
    assert len(first.events) == 1
    assert on(state).start(ident).events == ()
    on(state).complete(ident, RESULTS)
    with pytest.raises(UsageError, match="is completed"):
        on(state).start(ident)


def test_a_prompt_that_somebody_wrote_into_goes_out_without_secrets_all_the_same():
    state = {"research": [{"id": "R001", "topic": "cache", "prompt": "Ask with hunter2secret9"}]}
    said = on(state, secrets=["hunter2secret9"]).start("R001")
    assert "hunter2secret9" not in said.text + str(said.data)
    assert said.text.startswith("Ask with ")


def test_a_scan_adds_what_is_unknown_once_and_blocks_no_step():
    state = {"plan": [{"description": "Evaluate caches", "status": "pending"}]}
    said = on(state).scan()
    assert said.data["found"] == ["R001"]
    assert state["research"][0]["blocking_step"] == 1
    assert "This step waits for it" in state["research"][0]["prompt"]
    assert state["plan"][0]["status"] == "pending"
    assert on(state).lines() == ["[ ] R001 Evaluate caches (critical)", "      for step 1"]
    assert on(state).scan().data["found"] == []
    state["research"] = []
    assert on(state, archived={"R001": "evaluate caches"}).scan().data["found"] == []


def test_one_with_results_is_not_thrown_away():
    state = {}
    ident = added(state)
    on(state).complete(ident, RESULTS)
    with pytest.raises(UsageError, match="results would be lost"):
        on(state).remove(ident)


def test_the_archive_keeps_exactly_the_fields_of_the_schema():
    state = planned()
    ident = added(state, is_critical=True, step=1)
    on(state).complete(ident, RESULTS)
    entry = state["research"][0]
    assert research.is_finished(entry)
    assert research.archive_entry(entry, NOW, session="s1") == {
        "type": "completed_research",
        "timestamp": "2026-03-01T12:00:00+00:00",
        "research_id": "R001",
        "topic": "which cache?",
        "priority": "critical",
        "blocking_step": 1,
        "results_summary": RESULTS.strip(),
        "action_items": ["pin it", "set a TTL"],
        "session": "s1",
    }


def test_action_items_go_into_the_plan_once():
    state = {"plan": [{"description": "pin it"}]}
    ident = added(state)
    with pytest.raises(UsageError, match="no action items"):
        on(state).plan(ident)
    on(state).complete(ident, RESULTS)
    on(state).plan(ident)
    assert [each["description"] for each in state["plan"]] == ["pin it", "set a TTL"]
    assert on(state).plan(ident).data == {"steps": []}


def test_entries_written_by_hand_are_read_as_they_are_meant():
    state = {"research": ["which cache?", {"topic": "hosts", "id": 7, "status": "done?"}, None]}
    assert [each["id"] for each in on(state).entries] == ["R008", "7", "R009"]
    assert len(on(state).lines()) == 3
    assert on(state).start("R008").data["id"] == "R008"
    with pytest.raises(UsageError, match="is not a list"):
        on({"research": "which cache?"}).lines()


ODD = st.one_of(st.none(), st.text(max_size=4), st.integers(), st.lists(st.text(max_size=3)))


@given(
    st.lists(
        st.one_of(
            ODD,
            st.dictionaries(
                st.sampled_from(["id", "topic", "status", "priority", "action_items", "results"]),
                ODD,
            ),
        ),
        max_size=4,
    ),
    st.lists(st.one_of(ODD, st.dictionaries(st.sampled_from(["status", "blocked_by"]), ODD))),
)
def test_no_entry_is_so_odd_that_it_cannot_be_listed_and_named(entries, plan):
    state = {"research": entries, "plan": plan}
    listed = on(state).entries
    assert len(on(state).lines()) >= len(entries)
    for each in listed:
        on(state).details(each["id"])
        if each["id"].strip():
            assert on(state).entry(each["id"])["id"].lower() == each["id"].lower()
