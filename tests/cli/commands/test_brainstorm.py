"""``edge brainstorm`` as it is typed."""

import json
import os

import pytest
from tests.hosting import write
from tests.inquiry.test_brainstorm import JUDGED, RECOMMENDED, WORKED_OUT
from tests.processes import start_edge

from operators_edge.cli.main import main
from operators_edge.inquiry import brainstorm_model
from operators_edge.project import Project


@pytest.fixture
def load(edge, tmp_path):
    def take(given):
        path = tmp_path / "answer.json"
        path.write_text(json.dumps(given))
        return edge("brainstorm", "load", "--file", str(path))

    return take


def finished(edge, load):
    edge("brainstorm", "How might", "we start faster?")
    for part in (*WORKED_OUT, {**JUDGED, **RECOMMENDED}):
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
    assert entry["board"]["id"] == entry["brainstorm_id"]  # whole, as a prune keeps it
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
        (("complete", "--outcome", "great"), "unknown outcome 'great'"),
    ],
)
def test_what_cannot_be_done_is_said(edge, words, why):
    code, out, err = edge("brainstorm", *words)
    assert (code, out) == (64, "")
    assert why in err


def test_a_text_that_is_no_json_is_said(edge, tmp_path):
    path = tmp_path / "answer.json"
    for data, why in ((b"{", "is not valid JSON"), (b"\xff{", "is not UTF-8")):
        path.write_bytes(data)
        code, _, err = edge("brainstorm", "load", "--file", str(path))
        assert code == 64
        assert why in err


@pytest.mark.parametrize("form", ["\ufeff{}", "```json\n{}\n```\n", "\n```\n{}\n```"])
def test_an_answer_is_taken_as_models_and_editors_write_it(edge, tmp_path, form):
    edge("brainstorm", "faster?")
    path = tmp_path / "answer.json"
    path.write_text(form.replace("{}", '{"expert": {"name": "Ada"}}'), encoding="utf-8")
    assert edge("brainstorm", "load", "--file", str(path))[0] == 0


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('{"expert": {"name": "a", "name": "b"}}', "the key 'name' appears twice"),
        ("[" * 100_000, "is not valid JSON"),
        ('{"expert": ' + "9" * 6000 + "}", "is not valid JSON"),
        ('{"expert": {"name": "\\ud800"}}', "not UTF-8"),
        ('{"expert": {"name": "' + "y" * 20_000 + '"}}', "the limit is 10,000"),
        ('{"' + "x" * 100_000 + '": 1}', "is not a part of a brainstorm"),
        ("x" * 1_000_001, "larger than 1 MB"),
    ],
)
def test_an_answer_that_cannot_be_taken_is_refused_in_a_few_words(edge, tmp_path, text, why):
    edge("brainstorm", "faster?")
    path = tmp_path / "answer.json"
    path.write_text(text, encoding="utf-8")
    code, _, err = edge("brainstorm", "load", "--file", str(path))
    assert code == 64
    assert why in err
    assert len(err) < 500


def test_two_at_once_lose_no_idea_of_the_other(edge, project):
    edge("brainstorm", "faster?")
    at_work = [
        start_edge("brainstorm", "idea", kind, kind, cwd=project)
        for kind in ("safe", "combo", "child")
    ]
    assert [each.wait(60) for each in at_work] == [0, 0, 0]
    ideas = state_of(project)["brainstorm"]["ideas"]
    assert {each["title"] for each in ideas} == {"safe", "combo", "child"}
    assert sorted(each["id"] for each in ideas) == ["I001", "I002", "I003"]


def state_of(project):
    return Project(project, is_set_up=True).state.read()


def test_alone_it_looks_at_the_project_keeps_what_it_found_and_begins_what_is_named(edge, project):
    assert "No brainstorm yet" in edge("brainstorm", "show")[1]
    write(project, "a.py", "# FIXME: rest\n")
    code, out, _ = edge("brainstorm")
    first = "How might we resolve the notes left in a.py?"
    assert (code, out.splitlines()[0]) == (0, f"1. {first}")
    kept = state_of(project)["scan_findings"]
    assert kept["suggested_challenges"] == [first]
    assert kept["categories"]["code_quality"][0]["issue"] == "FIXME: rest"
    assert edge("brainstorm", "2")[0] == 64
    edge("brainstorm", "1")
    begun = state_of(project)["brainstorm"]
    assert (begun["challenge"], begun["mode"]) == (first, "scan")
    edge("brainstorm", "drop")
    edge("brainstorm", "How might we rest?")
    assert state_of(project)["brainstorm"]["mode"] == "topic"


def test_a_whole_one_can_be_made_of_single_things(edge, project):
    edge("brainstorm", "faster?")
    for name in brainstorm_model.SECTIONS["expert"].form:
        assert edge("brainstorm", "set", f"expert.{name}", "said")[0] == 0
    for number, kind in enumerate((*brainstorm_model.KINDS, "denial", "denial")):
        words = ("idea", kind, "idea", str(number), "--description", "more of it")
        assert edge("brainstorm", *words)[0] == 0
    _, out, _ = edge("brainstorm", "select", "1", "I002", "3", "4")
    assert "The phase is now transform." in out
    chosen = ("I001", "I002", "I003", "I004")
    fields = [
        (f"{each}.scamper.{name}", "said")
        for each in chosen
        for name in brainstorm_model.SECTIONS["scamper"].form
    ]
    fields += [
        (f"{each}.analogies.{name}", "said")
        for each in chosen
        for name in ("biology", "game_design", "history")
    ]
    fields += [
        (f"{each}.scores.{name}", "8")
        for each in chosen
        for name in brainstorm_model.SECTIONS["scores"].form
    ]
    fields += [
        (f"{each}.stress_test.{name}", "said")
        for each in chosen
        for name in brainstorm_model.SECTIONS["stress_test"].form
    ]
    for part in brainstorm_model.RECOMMENDED:
        names = [name for name in brainstorm_model.SECTIONS[part].form if name != "actions"]
        fields += [(f"{part}.{name}", "said") for name in names]
    for field in fields:
        assert edge("brainstorm", "set", *field)[0] == 0, field
    _, out, _ = edge("brainstorm", "set", "top.actions", "do one", "do two", "do three")
    assert "Nothing is missing" in out
    assert edge("brainstorm", "complete")[0] == 0
    kept = state_of(project)["brainstorm"]
    assert [each["scores"]["total"] for each in kept["transformed"]] == [32] * 4
    assert kept["recommendations"]["top"]["actions"] == ["do one", "do two", "do three"]
    assert [each["wave"] for each in kept["ideas"]].count("denial") == 3


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("idea", "dull", "x"), "unknown kind 'dull'"),
        (("set", "top", "x"), "there is no field top"),
        (("set", "I001.mood.low", "x"), "there is no field I001.mood.low"),
        (("set", "expert.hobby", "x"), "expert has no 'hobby'"),
        (("set", "I001.scores.novelty", "8"), "'I001' is not a part of a brainstorm"),
        (("select", "1", "2"), "there is no idea I001"),
    ],
)
def test_a_single_thing_is_held_to_the_same_rules(edge, project, words, why):
    edge("brainstorm", "faster?")
    before = state_of(project)
    code, _, err = edge("brainstorm", *words)
    assert code == 64
    assert why in err
    assert state_of(project) == before


@pytest.mark.parametrize(
    "kept", ["x", ["x"], {"suggested_challenges": "x"}, {"suggested_challenges": [7]}]
)
def test_findings_that_were_edited_by_hand_are_no_reason_to_fail(edge, project, kept):
    Project(project, is_set_up=True).transact(
        lambda tx: tx.state.update(scan_findings=kept), command="test"
    )
    assert edge("brainstorm", "3")[0] == 64
    assert edge("brainstorm", "How might we rest?")[0] == 0
    assert edge("brainstorm", "scan")[0] == 0


def test_at_a_terminal_the_answer_is_asked_for_and_through_a_pipe_not(project, monkeypatch, capsys):
    main(["brainstorm", "faster?", "--project", project])
    for is_terminal in (True, False):
        master, slave = os.openpty() if is_terminal else os.pipe()
        os.write(master if is_terminal else slave, b"{}\n\x04")
        with os.fdopen(slave if is_terminal else master, "r", closefd=False) as stdin:
            if not is_terminal:
                os.close(slave)
            monkeypatch.setattr("sys.stdin", stdin)
            main(["brainstorm", "load", "--project", project])
        assert ("Paste the JSON" in capsys.readouterr().err) is is_terminal
        os.close(master)
