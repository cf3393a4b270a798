"""``edge brainstorm`` as it is typed."""

import json
import os

import pytest

from operators_edge.project import Project
from tests.core.test_brainstorm import JUDGED, RECOMMENDED, WORKED_OUT


@pytest.fixture
def load(edge, tmp_path):
    def take(given):
        path = tmp_path / "answer.json"
        path.write_text(json.dumps(given))
        return edge("brainstorm", "load", "--file", str(path))

    return take


def finished(edge, load):
    edge("brainstorm", "How might", "we start faster?")
    for part in (*WORKED_OUT, {"transformed": JUDGED, "recommendations": RECOMMENDED}):
        assert load(part)[0] == 0


def test_the_whole_way_from_a_challenge_to_the_plan(edge, load, project):
    finished(edge, load)
    code, out, _ = edge("brainstorm", "complete", "--outcome", "implemented")
    assert code == 0
    assert "is complete (implemented): said" in out
    edge("brainstorm", "plan")
    state = Project(project, is_set_up=True).state.read()
    assert [each["description"] for each in state["plan"]][-3:] == ["one", "two", "three"]
    kept = os.path.join(project, ".proof", "brainstorms", f"{state['brainstorm']['id']}.json")
    with open(kept, encoding="utf-8") as file:
        assert json.load(file)["ideas"] == state["brainstorm"]["ideas"]


def test_beginning_another_archives_the_finished_one(edge, load, project):
    finished(edge, load)
    edge("brainstorm", "complete")
    code, out, _ = edge("brainstorm", "another")
    assert code == 0
    with open(os.path.join(project, ".proof", "archive.jsonl"), encoding="utf-8") as file:
        entry = json.loads(file.readline())
    assert entry["type"] == "completed_brainstorm"
    assert out.splitlines()[0] == f"Brainstorm {entry['brainstorm_id']}-2: another"


def test_each_phase_is_asked_for_in_the_form_in_which_it_is_loaded(edge, load):
    edge("brainstorm", "faster?")
    for phase, answer in zip(("diverge", "transform", "converge"), (*WORKED_OUT, {}), strict=True):
        text = edge("brainstorm", "prompt")[1]
        assert phase in text.splitlines()[0]
        form = json.loads(text[text.index("\n\n{") : text.rindex("}") + 1])
        if phase == "diverge":
            assert len(form["ideas"]) == 12
        else:
            assert load(form)[0] == 0
        if phase == "diverge":
            assert load(answer)[0] == 0


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("prompt",), "there is no brainstorm"),
        (("complete",), "there is no brainstorm"),
        (("plan",), "no brainstorm is complete"),
        (("load", "--file", "/nowhere/at.all"), "could not be read"),
        (("complete", "--outcome", "great"), "'great' is no o"),
    ],
)
def test_what_cannot_be_done_is_said(edge, words, why):
    code, out, err = edge("brainstorm", *words)
    assert (code, out) == (64, "")
    assert why in err


def test_a_text_that_is_no_json_is_said(edge, tmp_path):
    path = tmp_path / "answer.json"
    path.write_bytes(b"\xff{")
    code, _, err = edge("brainstorm", "load", "--file", str(path))
    assert code == 64
    assert "is no JSON" in err


def test_alone_it_names_challenges_and_show_says_that_there_is_none(edge):
    assert edge("brainstorm")[0] == 0
    assert "No brainstorm yet" in edge("brainstorm", "show")[1]
