import json

from operators_edge.cli.main import main
from operators_edge.project import Project


def run(capsys, root, *words):
    assert main([*words, "--project", root]) == 0
    return capsys.readouterr().out


def fill(root, **values):
    Project(root, is_set_up=True).transact(lambda tx: tx.state.update(values), command="test")


def test_the_handoff_stands_by_itself(project, capsys):
    fill(
        project,
        intent={"user_wants": "a fast parser", "success_looks_like": "1 MB/s"},
        plan=[
            {"description": "write it", "status": "completed", "proof": "src/p.py"},
            {"description": "test it", "status": "in_progress", "expected": "all green"},
            {"description": "ship it", "expected": "tagged"},
        ],
        current_step=2,
        next_action="run the tests",
        constraints=["no new dependency"],
        open_questions=[
            {"question": "which cache?", "blocking": True},
            {"question": "old?", "answer": "yes"},
        ],
        risks=[{"risk": "the API may change"}],
        mismatches=[{"expectation": "200", "observation": "403"}, {"resolved": True}],
        memory=[{"trigger": "403", "lesson": "refresh the token", "reinforced": 2}],
        junction={
            "type": "irreversible",
            "shown": "git push",
            "reason": "publishes",
            "id": "j",
            "session": "s",
            "classes": [],
            "source": "gate",
        },
        notes=["the importer needs 2 GB"],
    )
    out = run(capsys, project, "handoff")
    for part in (
        "# Handoff: ship it",
        "Wanted: a fast parser",
        "Success: 1 MB/s",
        "- Step 2 of 3: test it",
        "1. write it (completed; proof: src/p.py)",
        "3. ship it (pending; expected: tagged)",
        "- run the tests",
        "- irreversible: git push",
        "- expected 200, saw 403",
        "- which cache? (blocking)",
        "- no new dependency",
        "- the API may change",
        "- 403: refresh the token",
        "- the importer needs 2 GB",
    ):
        assert part in out
    assert "## Decided\n\n- old? - yes" in out


def test_no_secret_goes_out_with_it(project, capsys, monkeypatch):
    monkeypatch.setenv("DEPLOY_TOKEN", "hunter2-hunter2-xyz")
    fill(project, notes=["use hunter2-hunter2-xyz to deploy"])
    out = run(capsys, project, "handoff", "--json")
    assert "hunter2" not in out
    assert json.loads(out)["data"]["tokens"] > 10


def test_an_empty_project_is_handed_over_as_one(project, capsys):
    fill(project, objective=None, plan=[])
    assert "no objective is set" in run(capsys, project, "handoff")


def test_what_a_hand_wrote_fails_nothing(project, capsys):
    fill(
        project,
        notes="a text",
        memory=["a lesson"],
        risks=[3, None],
        intent="go on\nnow",
        plan=["x"],
    )
    out = run(capsys, project, "handoff")
    assert "- a lesson" in out
    assert "Wanted: go on now" in out


def test_the_score_is_kept_in_the_state(project, capsys):
    out = run(capsys, project, "score", "--say", "stop_condition=asked in the chat")
    assert "Score 0 of 6 (demo_automation)" in out
    assert max(map(len, out.splitlines())) <= 80
    kept = Project(project, is_set_up=True).state.read()["self_score"]
    assert kept["total"] == 0
    assert set(kept) == {"timestamp", "checks", "total", "level"}


def test_the_session_that_hands_over_is_no_other_one_at_work(client, capsys, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", client.env["XDG_STATE_HOME"])
    client.before("Bash", command="ls")
    client.done("Bash", {"stdout": ""}, command="ls")
    out = run(capsys, client.root, "handoff")
    assert "- This session so far: 1 tool use" in out
    assert "Another session" not in out


def test_a_handoff_says_why_a_step_is_blocked_what_differs_and_which_research_is_open(edge):
    edge("objective", "ship it")
    edge("plan", "add", "the second")
    edge("step", "block", "1", "--why", "Maria creates the database", "--delta", "one table more")
    edge("research", "Does psycopg 3 pool by itself")
    text = edge("handoff")[1]
    assert "because: Maria creates the database" in text
    assert "differs: one table more" in text
    assert "Research: Does psycopg 3 pool by itself" in text
