"""One idea and one field, in the format of a complete answer."""

import pytest

from operators_edge.errors import UsageError
from operators_edge.inquiry import brainstorm_model, brainstorm_prompts


@pytest.mark.parametrize("kind", brainstorm_prompts.KINDS)
def test_the_kind_of_an_idea_says_its_wave(kind):
    (idea,) = brainstorm_prompts.idea(kind, "a title", None)["ideas"]
    assert idea["wave"] in brainstorm_model.WAVES
    assert (idea.get("type") or idea.get("perspective") or idea["wave"]) == kind


@pytest.mark.parametrize(
    ("name", "texts", "given"),
    [
        ("expert.name", ["Ada", "L."], {"expert": {"name": "Ada L."}}),
        ("top.risk", ["none"], {"recommendations": {"top": {"risk": "none"}}}),
        ("top.actions", ["a b", "c"], {"recommendations": {"top": {"actions": ["a b", "c"]}}}),
        (
            "I007.scores.impact",
            ["9"],
            {"transformed": [{"idea_id": "I007", "scores": {"impact": 9}}]},
        ),
        (
            "7.scamper.adapt",
            ["9"],
            {"transformed": [{"idea_id": "7", "scamper": {"adapt": "9"}}]},
        ),
        (
            "I007.scores.impact",
            ["nine"],
            {"transformed": [{"idea_id": "I007", "scores": {"impact": "nine"}}]},
        ),
    ],
)
def test_a_field_is_named_by_its_way(name, texts, given):
    assert brainstorm_prompts.field(name, texts) == given


@pytest.mark.parametrize(
    "name", ["", "expert", "expert.a.b", "I001", "I001.mood.x", "a.b.c.d", "."]
)
def test_a_field_that_there_is_not_is_refused_with_an_example_of_each_kind(name):
    with pytest.raises(UsageError, match="there is no field") as refused:
        brainstorm_prompts.field(name, ["x"])
    assert "top.actions" in (refused.value.hint or "")


@pytest.mark.parametrize("name", brainstorm_prompts.FIELDS)
def test_every_example_is_a_field(name):
    assert brainstorm_prompts.field(name, ["x"])
