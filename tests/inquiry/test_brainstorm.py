"""A brainstorm from its challenge to its recommendation: counts, phases, sums."""

import copy
import json
from datetime import UTC, datetime

import pytest
from hypothesis import given, strategies as st
from tests.tables import for_each

from operators_edge.errors import UsageError
from operators_edge.inquiry import brainstorm, brainstorm_model

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)

EXPERT = dict.fromkeys(brainstorm_model.SECTIONS["expert"].form, "said")
IDEAS = [
    *(
        {"wave": "spectrum", "type": kind, "title": f"a {kind} idea"}
        for kind in ("safe", "modest", "combo", "adjacent", "unrelated", "absurd")
    ),
    *({"wave": "denial", "title": f"without {what}"} for what in ("cache", "disk", "net")),
    *(
        {"wave": "perspective", "perspective": kind, "title": f"as {kind}"}
        for kind in ("child", "future", "opposite")
    ),
]
SELECTED = ["I001", "I004", "I007", "I010"]
TRANSFORMED = {
    ident: {
        "scamper": dict.fromkeys(brainstorm_model.SECTIONS["scamper"].form, "said"),
        "analogies": {"biology": "cells", "game_design": "levels", "history": "roads"},
    }
    for ident in SELECTED
}
JUDGED = {
    ident: {
        "scores": {"novelty": 8, "feasibility": 7, "impact": 9, "elegance": 6, "total": 99},
        "stress_test": dict.fromkeys(brainstorm_model.SECTIONS["stress_test"].form, "said"),
    }
    for ident in SELECTED
}
RECOMMENDED = {
    "top": {
        **dict.fromkeys(brainstorm_model.SECTIONS["top"].form, "said"),
        "actions": ["one", "two", "three"],
    },
    "runner_up": {"name": "second", "core_idea": "said", "actions": []},
    "wild_card": {"name": "wild", "core_idea": "said", "risk_reward": "high"},
}


def begun(**more):
    state = {}
    brainstorm.begin(state, "How might we be faster?", mode="topic", now=NOW, **more)
    return state


def filled(*parts):
    state = begun()
    for part in parts:
        brainstorm.load(state, part)
    return state


DIVERGED = ({"expert": EXPERT, "ideas": IDEAS, "selected": SELECTED},)
WORKED_OUT = (*DIVERGED, TRANSFORMED)
WHOLE = (*WORKED_OUT, {**JUDGED, **RECOMMENDED})


def test_it_goes_through_its_phases_to_a_recommendation():
    state = filled(*WHOLE)
    assert state["brainstorm"]["phase"] == "converge"
    said = brainstorm.complete(state, outcome="deferred", now=NOW)
    assert state["brainstorm"]["phase"] == "complete"
    assert state["brainstorm"]["completed"] == "2026-03-01T12:00:00+00:00"
    assert said.data["actions"] == ["one", "two", "three"]
    state["plan"] = [{"description": "two"}]
    brainstorm.plan(state)
    assert [each["description"] for each in state["plan"]] == ["two", "one", "three"]
    assert brainstorm.plan(state).data == {"steps": []}


def test_totals_are_computed_whatever_was_said():
    state = filled(*WHOLE)
    assert [each["scores"]["total"] for each in state["brainstorm"]["transformed"]] == [30] * 4
    state["brainstorm"]["transformed"][0]["scores"]["total"] = 40
    brainstorm.complete(state, outcome="deferred", now=NOW)
    assert state["brainstorm"]["transformed"][0]["scores"]["total"] == 30


@for_each("gone", range(12))
def test_with_one_idea_of_the_twelve_missing_nothing_is_transformed(gone):
    state = begun()
    ideas = IDEAS[:gone] + IDEAS[gone + 1 :]
    chosen = SELECTED if gone == 11 else ["I001", "I002", "I003", "I004"]
    said = brainstorm.load(state, {"expert": EXPERT, "ideas": ideas, "selected": chosen})
    assert said.data["phase"] == "diverge"
    assert len(said.data["missing"]) == 1
    with pytest.raises(UsageError, match="belongs to the phase transform, and this is diverge"):
        brainstorm.load(state, {chosen[0]: TRANSFORMED["I001"]})


@pytest.mark.parametrize("chosen", [SELECTED[:3], [*SELECTED, "I002"], ["I001"] * 4])
def test_exactly_four_are_selected(chosen):
    with pytest.raises(UsageError, match="4 ideas must be selected"):
        filled({"ideas": IDEAS, "selected": chosen})


def test_ideas_are_named_by_any_spelling_of_their_ids():
    state = filled({"ideas": IDEAS, "selected": ["i1", "4", " I007", 10]})
    assert brainstorm_model.selected(state["brainstorm"]) == SELECTED


def test_scores_wait_until_four_are_transformed():
    state = filled(*DIVERGED, {ident: TRANSFORMED[ident] for ident in SELECTED[:3]})
    assert state["brainstorm"]["phase"] == "transform"
    with pytest.raises(UsageError, match="scores belongs to the phase converge"):
        brainstorm.load(state, {"I001": JUDGED["I001"]})


@for_each(
    ("given", "why"),
    [
        ([], "must be a mapping"),
        ({}, "the answer is empty"),
        ({"phase": "complete"}, "'phase' is not a part of a brainstorm"),
        ({"ideas": "many"}, "must be a list"),
        ({"ideas": [{"title": "x"}]}, "there is no idea with no wave"),
        ({"ideas": [{"wave": "tidal", "title": "x"}]}, "no idea with wave 'tidal'"),
        ({"ideas": [{"wave": ["denial"], "title": "x"}]}, "no idea with wave"),
        ({"ideas": [{**IDEAS[0], "selected": True}]}, "an idea has no 'selected'"),
        ({"I001": {}}, "'I001' is not a part of a brainstorm"),
        ({"ideas": [{"wave": "denial"}]}, "needs text"),
        ({"ideas": [{"wave": "denial", "title": "x", "type": "safe"}]}, "no idea with"),
        ({"ideas": [{"wave": "spectrum", "title": "x", "type": "dull"}]}, "type 'dull'"),
        ({"ideas": [IDEAS[0], {**IDEAS[1], "title": IDEAS[0]["title"]}]}, "with that title"),
        ({"ideas": [IDEAS[0], {**IDEAS[0], "title": "other"}]}, "type 'safe'"),
        (
            {"ideas": [{"wave": "denial", "title": str(n)} for n in range(4)]},
            "already an idea with wave 'denial'",
        ),
        ({"selected": ["I001", "I002", "I003", "I099"]}, "there is no idea I001"),
        ({"ideas": [{"wave": "denial", "title": ["x"]}]}, "title is .* must be text"),
        ({"ideas": [{"wave": "denial", "title": "x", "description": {"a": 1}}]}, "must be text"),
        ({"expert": {"name": 7}}, "must be text"),
        ({"expert": {"hobby": "chess"}}, "expert has no 'hobby'"),
    ],
)
def test_what_does_not_fit_is_refused_and_nothing_of_it_is_taken(given, why):
    state = begun()
    before = copy.deepcopy(state)
    with pytest.raises(UsageError, match=why):
        brainstorm.load(state, given)
    assert state == before


@pytest.mark.parametrize("score", [0, 11, 7.5, "8", True, None])
def test_a_score_is_a_whole_number_up_to_ten(score):
    state = filled(*WORKED_OUT)
    with pytest.raises(UsageError, match="novelty is"):
        brainstorm.load(state, {"I001": {"scores": {"novelty": score}}})


def test_actions_are_texts():
    state = filled(*WORKED_OUT)
    with pytest.raises(UsageError, match="an action is 3 and must be text"):
        brainstorm.load(state, {"top": {"actions": ["one", 3]}})


def test_an_idea_is_taken_out_as_long_as_ideas_are_gathered():
    state = filled({"ideas": IDEAS})
    brainstorm.remove(state, "3")
    assert [each["id"] for each in state["brainstorm"]["ideas"]][:3] == ["I001", "I002", "I004"]
    with pytest.raises(UsageError, match="there is no idea I003"):
        brainstorm.remove(state, "I003")
    brainstorm.load(state, {"ideas": [{**IDEAS[2], "title": "better"}]})
    assert state["brainstorm"]["ideas"][-1]["id"] == "I013"
    with pytest.raises(UsageError, match="belongs to the phase diverge"):
        brainstorm.remove(filled(*DIVERGED), "I001")


def test_completing_names_what_is_missing():
    state = filled(*WORKED_OUT, JUDGED)
    with pytest.raises(UsageError, match="this is missing: top: name") as refused:
        brainstorm.complete(state, outcome="deferred", now=NOW)
    assert "top actions: 3 more" in refused.value.message


def test_a_phase_that_somebody_wrote_by_hand_skips_nothing():
    state = begun()
    state["brainstorm"]["phase"] = "converge"
    with pytest.raises(UsageError, match="missing: expert"):
        brainstorm.complete(state, outcome="deferred", now=NOW)


def test_a_phase_that_was_set_back_by_hand_is_not_the_last_one():
    state = filled(*DIVERGED)
    state["brainstorm"]["phase"] = "diverge"
    with pytest.raises(UsageError, match="missing: I001 scamper"):
        brainstorm.complete(state, outcome="deferred", now=NOW)


def test_one_at_a_time_and_each_has_its_own_id():
    state = begun()
    assert state["brainstorm"]["id"] == "B20260301"
    with pytest.raises(UsageError, match="is in phase diverge"):
        brainstorm.begin(state, "another", mode="topic", now=NOW)
    brainstorm.drop(state)
    assert state["brainstorm"] is None
    assert begun(taken={"B20260301"})["brainstorm"]["id"] == "B20260301-2"
    with pytest.raises(UsageError, match="there is no brainstorm"):
        brainstorm.drop(state)


def test_a_complete_one_is_not_dropped_and_not_changed():
    state = filled(*WHOLE)
    brainstorm.complete(state, outcome="rejected", now=NOW)
    for edit in (
        brainstorm.drop,
        lambda state: brainstorm.load(state, {"expert": EXPERT}),
        lambda state: brainstorm.complete(state, outcome="deferred", now=NOW),
    ):
        with pytest.raises(UsageError, match="is complete"):
            edit(state)


def test_the_archive_keeps_the_fields_of_the_schema_and_the_board_itself():
    state = filled(*WHOLE)
    brainstorm.complete(state, outcome="implemented", now=NOW)
    assert brainstorm_model.is_finished(state["brainstorm"])
    assert brainstorm.archive_entry(state["brainstorm"], NOW) == {
        "type": "completed_brainstorm",
        "timestamp": "2026-03-01T12:00:00+00:00",
        "brainstorm_id": "B20260301",
        "challenge": "How might we be faster?",
        "mode": "topic",
        "ideas_generated": 12,
        "top_recommendation": "said",
        "actions_extracted": 3,
        "outcome": "implemented",
        "board": state["brainstorm"],
    }


ODD = st.one_of(
    st.none(),
    st.text(max_size=4),
    st.integers(),
    st.lists(st.dictionaries(st.sampled_from(["id", "wave", "scores", "selected"]), st.booleans())),
    st.dictionaries(st.sampled_from(["top", "name"]), st.one_of(st.none(), st.text(max_size=3))),
)
KEYS = ["phase", "expert", "ideas", "transformed", "recommendations", "outcome", "challenge"]


@given(st.dictionaries(st.sampled_from(KEYS), ODD))
def test_whatever_somebody_wrote_by_hand_is_shown_and_never_taken_for_complete(written):
    assert brainstorm_model.lines(written)
    assert brainstorm.archive_entry(written, NOW)["outcome"] in brainstorm_model.OUTCOMES
    with pytest.raises(UsageError):
        brainstorm.complete({"brainstorm": written}, outcome="deferred", now=NOW)


def test_a_text_where_a_brainstorm_is_meant_is_said():
    with pytest.raises(UsageError, match="is not a mapping"):
        brainstorm.begin({"brainstorm": "later"}, "x", mode="topic", now=NOW)


@pytest.mark.parametrize("kind", brainstorm_model.KINDS)
def test_the_kind_of_an_idea_determines_its_wave(kind):
    (idea,) = brainstorm.single_idea(kind, "a title", None)["ideas"]
    assert idea["wave"] in brainstorm_model.WAVES
    assert (idea.get("type") or idea.get("perspective") or idea["wave"]) == kind


@pytest.mark.parametrize(
    ("path", "texts", "answer"),
    [
        ("expert.name", ["Ada", "L."], {"expert": {"name": "Ada L."}}),
        ("top.risk", ["none"], {"top": {"risk": "none"}}),
        ("top.actions", ["a b", "c"], {"top": {"actions": ["a b", "c"]}}),
        ("I007.scores.impact", ["9"], {"I007": {"scores": {"impact": 9}}}),
        ("I007.scores.impact", ["nine"], {"I007": {"scores": {"impact": "nine"}}}),
        ("7.scamper.adapt", ["9"], {"7": {"scamper": {"adapt": "9"}}}),
    ],
)
def test_a_field_is_named_by_its_path_in_an_answer(path, texts, answer):
    assert brainstorm.single_field(path, texts) == answer


@pytest.mark.parametrize(
    "path", ["", "expert", "expert.a.b", "I001", "I001.mood.x", "a.b.c.d", "."]
)
def test_an_unknown_field_is_refused_with_an_example_of_each_kind(path):
    with pytest.raises(UsageError, match="there is no field") as refused:
        brainstorm.single_field(path, ["x"])
    assert "top.actions" in (refused.value.hint or "")


@pytest.mark.parametrize("path", brainstorm.FIELDS)
def test_every_example_of_a_field_can_be_set(path):
    state = filled(*WORKED_OUT)
    text = "7" if "scores" in path else "new"
    brainstorm.load(state, brainstorm.single_field(path, [text]))
    assert text in json.dumps(state)
