"""The commands that write objective, plan and steps, as real processes in a real project."""

import json
import os
import subprocess

import pytest
from tests.processes import edge, start_edge

from operators_edge.project import Project


def data(root, *words):
    done = edge(root, *words, "--json")
    answer = json.loads(done.stdout)
    assert answer["ok"] is (done.returncode == 0), done
    return answer["data"] if answer["ok"] else answer["error"]


def state(root):
    return Project(root, is_set_up=True).state.read()


def logged(root, event):
    return [e for e in Project(root, is_set_up=True).log.tail(100) if e["event"] == event]


def test_a_plan_is_written_and_worked_through(project):
    assert data(project, "plan", "add", "two", "three") == {"step": 2, "steps": [2, 3]}
    assert data(project, "step", "start")["step"] == 1
    assert data(project, "plan", "done", "--proof", "seen")["status"] == "completed"
    assert edge(project, "plan", "show").stdout == (
        "[x] 1. one\n      proof: seen\n[ ] 2. two\n[ ] 3. three\n"
    )
    assert [step["number"] for step in data(project, "plan", "show")] == [1, 2, 3]
    assert state(project)["current_step"] == 2


def test_a_change_of_a_step_is_in_the_log_with_the_session_that_made_it(client):
    edge(client.root, "step", "done", "1", "--proof", "p")
    (entry,) = logged(client.root, "step")
    assert entry["session"] == client.session
    assert entry["data"]["step"] == 1
    assert entry["data"]["to"] == "completed"
    assert entry["data"]["proof"] == "p"


def test_plan_alone_lists_the_steps_and_the_mode_has_its_own_noun(project):
    for words in (("plan",), ("plan", "--project", project), ("step",)):
        assert [each["description"] for each in data(project, *words)] == ["one"]
    assert data(project, "mode") == {"mode": "active", "is_explicit": False, "suggested": None}
    assert data(project, "mode", "plan") == {"mode": "plan"}
    assert data(project, "mode")["is_explicit"] is True


@pytest.mark.parametrize(
    "words",
    [
        ("plan", "edit", "1", "--expected", "x", "new text"),
        ("plan", "edit", "--expected", "x", "1", "new text"),
        ("plan", "--json", "edit", "1", "new text", "--expected=x"),
    ],
)
def test_options_and_texts_stand_in_any_order(project, words):
    assert edge(project, *words).returncode == 0
    assert state(project)["plan"][0]["description"] == "new text"
    assert state(project)["plan"][0]["expected"] == "x"


@pytest.mark.parametrize(
    ("words", "code", "why"),
    [
        (("step", "done", "0"), 64, "there is no step 0: the plan has 1 step, counted from 1"),
        (("step", "done", "-1"), 64, "there is no step -1"),
        (("step", "start", "two"), 64, "'two' is not a number"),
        (("plan", "add", ""), 64, "this one is empty"),
        (("plan", "add", "x" * 100_000), 64, "has 100,000 characters"),
        (("plan", "add", b"\xff\xfe"), 64, "is not UTF-8 text"),
        (
            ("plan", "add", "--at", "3", "x"),
            64,
            "3 is not a position in the plan: it can be 1 to 2",
        ),
        (("plan", "add", "-x"), 64, "put -- before"),
        (("plan", "wipe"), 64, "unknown verb 'wipe'; there are list, add, edit"),
        (("step", "block", "1", "the API"), 64, "run: edge step block --help"),
        (("objective", "x", "--clear"), 64, "cannot be used together"),
        (("step", "dnoe"), 64, "did you mean done"),
    ],
)
def test_what_cannot_be_done_is_said_with_the_way_on_and_changes_nothing(project, words, code, why):
    before = state(project)
    done = edge(project, *words)
    assert done.returncode == code
    assert why in done.stderr
    assert "run: " in done.stderr
    assert state(project) == before


@pytest.mark.parametrize(
    "text", ["-h is broken", "--json", "a\nb: 'c' # d", "\x1b[31mred\x1b[0m", "日本 \u202e", "null"]
)
def test_any_text_comes_back_as_it_was_given_and_acts_on_no_terminal(project, text):
    done = edge(project, "plan", "add", "--", text)
    assert done.returncode == 0, done.stderr
    assert state(project)["plan"][1]["description"] == text
    seen = edge(project, "plan", "show").stdout
    assert "\x1b" not in seen
    assert "\u202e" not in seen
    with open(os.path.join(project, "active_context.yaml"), encoding="utf-8") as file:
        assert "\x1b" not in file.read()


def test_the_comments_of_people_survive_every_command(project):
    path = os.path.join(project, "active_context.yaml")
    with open(path, "w", encoding="utf-8") as file:
        file.write(
            "# mine\nschema_version: 4\nobjective: 'ship it'  # the goal\n"
            'plan:\n- "one"  # a text alone\n- description: two   # with care\n  status: pending\n'
            "constraints: []  # none yet\nmine: {a: 1}\n"
        )
    for words in (["step", "done", "2"], ["plan", "add", "three"], ["note", "n"], ["next", "go"]):
        assert edge(project, *words).returncode == 0
    with open(path, encoding="utf-8") as file:
        text = file.read()
    for kept in ("# mine\n", "'ship it'  # the goal\n", '- "one"  # a text alone\n'):
        assert kept in text
    for kept in ("- description: two   # with care\n", "[]  # none yet\n", "mine: {a: 1}\n"):
        assert kept in text


def test_a_removed_step_is_still_in_the_history(project):
    edge(project, "plan", "add", "two")
    assert edge(project, "plan", "rm", "2").returncode == 0
    assert "two" in edge(project, "state", "diff").stdout


def test_intent_and_next_action_are_shown_set_and_cleared(project):
    assert data(project, "intent", "fast", "--success", "1 s")["intent"]["user_wants"] == "fast"
    assert edge(project, "intent").stdout == "user_wants: fast\nsuccess_looks_like: 1 s\n"
    assert data(project, "intent", "--clear") == {"intent": None}
    assert data(project, "next", "go") == {"next_action": "go"}
    assert edge(project, "next").stdout == "go\n"
    assert data(project, "next", "--clear") == {"next_action": None}
    assert data(project, "objective", "--clear") == {"objective": None}


def test_every_command_and_verb_has_a_help_with_an_example(project):
    for words in (["plan"], ["plan", "add"], ["step"], ["step", "block"], ["question", "answer"]):
        done = edge(project, *words, "--help")
        assert done.returncode == 0
        assert f"edge {words[0]}" in done.stdout.split("options:")[-1]


def test_processes_that_add_at_the_same_time_lose_no_step(project):
    workers = [
        start_edge(*noun, f"{noun[0]}-{n}", cwd=project, stdout=subprocess.DEVNULL)
        for n in range(6)
        for noun in (["plan", "add"], ["note"])
    ]
    assert [worker.wait(timeout=120) for worker in workers] == [0] * 12
    now = state(project)
    assert {step["description"] for step in now["plan"]} == {
        "one",
        *(f"plan-{n}" for n in range(6)),
    }
    assert sorted(now["notes"]) == [f"note-{n}" for n in range(6)]
    assert len(logged(project, "note")) == 6
    assert edge(project, "proof", "verify").returncode == 0


@pytest.mark.parametrize(
    ("words", "key"),
    [(("objective",), "objective"), (("next",), "next_action"), (("active",), "objective")],
)
def test_one_text_needs_no_quotes_in_a_terminal(project, words, key):
    assert edge(project, *words, "make", "it", "fast").returncode == 0
    assert state(project)[key] == "make it fast"
    assert edge(project, *words, "in quotes, too").returncode == 0
    assert state(project)[key] == "in quotes, too"


def test_an_intent_a_steps_text_and_its_proof_need_no_quotes(project):
    edge(project, "intent", "a", "faster", "import", "--success", "10,000 rows a second")
    assert state(project)["intent"]["user_wants"] == "a faster import"
    edge(project, "plan", "edit", "1", "write", "it", "--expected", "it works")
    edge(project, "step", "proof", "1", "all", "tests", "pass")
    (step,) = state(project)["plan"]
    assert (step["description"], step["expected"], step["proof"]) == (
        "write it",
        "it works",
        "all tests pass",
    )


def test_words_that_became_a_step_each_are_remarked_on(project):
    assert "a step of its own" in edge(project, "plan", "add", "write", "the", "parser").stderr
    assert edge(project, "plan", "add", "write it", "test").stderr == ""
