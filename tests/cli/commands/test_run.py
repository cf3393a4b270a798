"""``edge``, ``edge run``, ``edge auto`` and ``edge off`` as they are typed at a terminal."""

import json

from tests.hosting import at_a_terminal, clean_env

from operators_edge.project import Project


def put(root, **values):
    Project(root, is_set_up=True).transact(lambda tx: tx.state.update(values), command="edit")


def a_session(root):
    put(root, session={"id": "s1", "started_at": "2026-01-02T03:04:05+00:00", "ended_at": None})


def test_edge_alone_is_the_status_with_the_next_step_and_writes_nothing(edge, project):
    before = Project(project, is_set_up=True).state.read()
    code, out, err = edge()
    assert (code, err) == (0, "")
    assert out.splitlines()[0].startswith("Project ")
    assert "\nNext       edge " in out
    assert Project(project, is_set_up=True).state.read() == before
    assert json.loads(edge("--json")[1])["data"]["objective"] == "ship it"


def test_run_and_on_are_one_cycle(edge):
    for words in (("on",), ("run",)):
        code, out, err = edge(*words)
        assert (code, err) == (0, "")
        assert out.splitlines()[0] == "Mode active, gear active"
        assert "Step 1: one" in out
    code, out, _ = edge("run", "--json")
    data = json.loads(out)["data"]
    assert (code, data["iterations"], data["step"]["number"]) == (0, 3, 1)
    assert data["result"]["suggested_next_gear"] == "none"


def test_what_waits_is_shown_with_how_to_decide_and_fits_a_terminal(edge, project):
    put(project, plan=[{"description": "deploy " + "the very long service " * 20}])
    _, out, _ = edge("run")
    assert "decide: /edge approve, /edge skip or /edge dismiss" in out
    put(project, junction=None, plan=[{"description": "write " + "the long word " * 30}])
    _, out, _ = edge("run")
    assert all(len(line) <= 80 for line in out.splitlines())


def test_modes_without_gears_say_what_to_do(edge, project):
    put(project, mode="plan", plan=[])
    assert "edge plan add TEXT" in edge("run")[1]
    put(project, mode="done")
    assert "Archive    the objective and 0 completed steps" in edge("run")[1]


def test_a_suggested_mode_hides_no_question_that_blocks_and_no_command(edge, project):
    question = {"question": "Which cache?", "blocking": True}
    put(project, mode="plan", open_questions=[question])
    shown = edge("run")[1]
    assert "decide: /edge approve or /edge skip" in shown
    assert "Blocking   1. Which cache?" in shown
    assert "edge question" in shown


def test_in_review_each_step_stands_with_its_verdict_and_the_gate_in_a_line(edge, project):
    put(project, mode="review", plan=[{"description": "one", "status": "completed"}])
    shown = [edge("run")[1].splitlines() for _ in range(2)][1]
    assert any(line.startswith("Checklist  [x] UNVERIFIED") for line in shown)
    assert all(len(line) <= 80 for line in shown)


def test_an_empty_plan_is_said_and_is_no_nothing_found(edge, project):
    put(project, plan=[])
    _, out, _ = edge("run")
    assert "There is no plan yet" in out
    assert "Found nothing to do" not in out


def test_auto_needs_a_person_and_a_session(edge, project, fenced):
    code, _, err = edge("auto", "on")
    assert code == 1
    assert "only a person decides this" in err
    env = clean_env(fenced)
    done = at_a_terminal(project, "auto", "on", env=env)
    assert "no session was seen here yet" in done.stderr
    a_session(project)
    assert "Auto is on" in at_a_terminal(project, "auto", "on", env=env).stdout
    assert "Auto is on" in edge("auto")[1]
    assert json.loads(edge("auto", "status", "--json")[1])["data"]["enabled"] is True
    assert "Auto is off." in edge("auto", "off")[1]
    assert "it was switched off" in edge("auto", "status")[1]


def test_off_and_stop_are_a_persons_and_reset_the_gears(edge, project, fenced):
    edge("run")
    for word in ("off", "stop"):
        assert edge(word)[0] == 1
        assert (
            "start from the beginning" in at_a_terminal(project, word, env=clean_env(fenced)).stdout
        )
    assert "iterations" not in Project(project, is_set_up=True).state.read()["gear"]


def test_ask_lets_a_question_pend_and_a_second_one_waits(edge, project, fenced):
    words = ("Which", "cache?", "--option", "Redis", "--option", "none", "--context", "latency")
    code, out, _ = edge("ask", *words)
    assert code == 0
    assert "[1] Redis" in out
    ways = "decide: /edge approve 1 or 2, /edge approve YOUR ANSWER, or /edge skip"
    assert ways in " ".join(out.split())
    assert edge("ask", "another?")[0] == 3
    done = at_a_terminal(project, "approve", "2", env=clean_env(fenced))
    assert "Answer: none?" in done.stderr
    assert "Answered: none" in done.stdout
    assert edge("ask", "x", "--option", "alone")[0] == 64


def test_a_gate_that_waits_in_review_fits_twelve_lines_and_the_status_has_all_of_it(edge, project):
    steps = [{"description": "write " + "it " * 60, "status": "completed"} for _ in range(9)]
    mismatches = [{"observation": "it failed " * 20, "resolved": False}]
    put(project, mode="review", plan=steps, mismatches=mismatches, intent={"user_wants": "speed"})
    assert edge("done")[0] == 1
    shown = edge("run")[1].splitlines()
    assert len(shown) <= 12
    assert all(len(line) <= 80 for line in shown)
    assert any(line.startswith("Claims     ") for line in shown)
    assert any("[1] " in line for line in shown)
    assert "           what clears them: edge status" in shown
    assert "-> " in edge("status")[1]


def test_at_a_persons_own_terminal_no_slash_is_typed(project, fenced):
    put(project, plan=[{"description": "deploy it"}])
    shown = at_a_terminal(project, "run", env=clean_env(fenced)).stdout
    assert "decide: edge approve, edge skip or edge dismiss" in shown
    shown = at_a_terminal(project, "status", env=clean_env(fenced)).stdout
    assert "decide: edge approve, edge skip or edge dismiss" in shown
