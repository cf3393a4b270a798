"""What a session is shown of the work, through the real client: after a compaction, a kill or a fork.

The second session's first request holds the objective, how far the work is, what was verified last, which
claims went stale and what waits for a person; and nothing of another project or another worktree.
"""

import os
import signal
import subprocess

import pytest
from tests.e2e.drive import Session, World, one_shot, session
from tests.e2e.model_server import ModelServer, Use, bash
from tests.e2e.story import Story

from operators_edge.sessions import briefing
from operators_edge.state.store import load_text

pytestmark = pytest.mark.e2e

OBJECTIVE = "Make the calculator right"
FIRST = "Make add() in app.py add"
SECOND = "Give app.py a sub() that subtracts"
PUSH = "git push origin main"
TESTS = "python -m unittest -q"
EVERYTHING = dict.fromkeys(("objective", "step", "evidence", "stale", "junction"), True)
ELSEWHERE = ("Paint the barn", "Buy the paint", "Teach the worktree to fly", "Grow the wings")


def edit(story: Story, old: str, new: str) -> Use:
    path = story.path("app.py")
    return Use("Edit", {"file_path": path, "old_string": old, "new_string": new})


def others(world: World, story: Story) -> None:
    """A second project and a second worktree of this one, each with a plan of its own."""
    barn, tree = world.top / "barn", world.top / "wings"
    barn.mkdir()
    subprocess.run(["git", "init", "--quiet", str(barn)], env=world.env(), check=True)
    story.git("worktree", "add", "--quiet", "-b", "wings", str(tree))
    for place, objective, step in (
        (barn, *ELSEWHERE[:2]),
        (tree, *ELSEWHERE[2:]),
    ):
        for words in (("init",), ("objective", objective), ("plan", "add", step)):
            subprocess.run(
                ["edge", *words], cwd=place, env=world.env(), check=True, capture_output=True
            )


def kill(typed: Session) -> None:
    """As the power going off: the client has no time to say that the session ends."""
    os.killpg(typed.pid, signal.SIGKILL)
    typed.process.wait()


def work(server: ModelServer, story: Story) -> None:
    """Two steps: the first is verified, the second one changes the same file and is under way."""
    server.play(
        [bash(f"edge plan add '{FIRST}'"), bash(f"edge plan add '{SECOND}'")],
        [bash("edge step start 1")],
        [Use("Read", {"file_path": story.path("app.py")})],
        [edit(story, "a - b", "a + b")],
        [bash(TESTS, id="passing")],
        [bash("edge step done 1 --proof 'the tests pass'")],
        [bash("edge step start 2")],
        [edit(story, "a + b\n", "a + b\n\n\ndef sub(a, b):\n    return a - b\n")],
        [bash(PUSH, id="push")],
        ["The push needs a decision."],
    )


def holds(request: str) -> dict[str, bool]:
    """What a session must be shown, and whether it is."""
    lines = request.splitlines()
    return {
        "objective": any("Objective:" in line and OBJECTIVE in line for line in lines),
        "step": any("Step 2 of 2" in line and SECOND in line for line in lines),
        "evidence": any("unittest passed at log" in line for line in lines),
        "stale": any("STALE" in line and "Step 1" in line for line in lines),
        "junction": any("decision" in line and PUSH in line for line in lines),
    }


def test_a_killed_session_is_taken_up_by_the_next_one(
    world: World, server: ModelServer, story: Story
) -> None:
    others(world, story)
    work(server, story)
    with session(world) as typed:
        typed.say(f"/edge objective {OBJECTIVE}")
        typed.say("Make the calculator right.")
        assert "OK" in str(server.result_of("passing"))
        assert "/edge approve" in str(server.result_of("push"))

        typed.say("/compact")
        server.play([bash("git status --short", id="after-compaction")])
        typed.type("Go on.")
        typed.until("user")  # the tool's result: the turn is not over yet
        compacted = next(each for each in reversed(server.of()) if "Go on." in each.as_text())
        kill(typed)
        killed = typed.session_id
    assert compacted.result_of("push") is None  # what was said before is gone
    assert holds(compacted.as_text()) == EVERYTHING

    asked = len(server.of())
    server.play(["I see where we are."])
    assert one_shot(world, "Where are we?").returncode == 0
    first = server.of()[asked].as_text()
    assert holds(first) == EVERYTHING
    assert "did not end cleanly" in first
    assert [each for each in ELSEWHERE if each in first] == []

    asked = len(server.of())
    server.play(["And here."])
    assert one_shot(world, "Go on there.", "--resume", killed).returncode == 0
    resumed = server.of()[asked].as_text()
    assert holds(resumed) == EVERYTHING
    assert "This session before it was resumed (did not end cleanly" in resumed


def test_sessions_side_by_side_are_each_told_of_their_own_work_tree_and_recorded_there(
    world: World, server: ModelServer, story: Story
) -> None:
    others(world, story)
    story.edge("objective", OBJECTIVE)
    story.edge("plan", "add", FIRST)
    wings = world.at("wings")
    wings.settings(permissions={"allow": ["Bash"]})
    server.play([bash("touch mine.txt")], ["Here."])
    server.play([bash("touch yours.txt")], ["There."], conversation="there")
    with session(world) as here, session(wings) as there:
        here.type("Work here.")
        there.type("[[there]] Work there.")
        assert here.until("result")[-1]["is_error"] is False
        assert there.until("result")[-1]["is_error"] is False
        assert (here.close(), there.close()) == (0, 0)

    told_here, told_there = (server.of(name)[0].as_text() for name in ("main", "there"))
    assert OBJECTIVE in told_here
    assert ELSEWHERE[2] in told_there
    assert [each for each in ELSEWHERE if each in told_here] == []
    assert [each for each in (OBJECTIVE, FIRST, *ELSEWHERE[:2]) if each in told_there] == []
    for typed, place, own, others_file in (
        (here, world.project, "mine.txt", "yours.txt"),
        (there, wings.project, "yours.txt", "mine.txt"),
    ):
        state = load_text((place / "active_context.yaml").read_text())
        assert state["session"]["id"] == typed.session_id
        assert state["observations"]["files_modified"] == [own]
        assert others_file not in (place / ".proof" / "session_log.jsonl").read_text()


def test_a_fork_is_told_where_the_work_stands_and_has_a_record_of_its_own(
    world: World, server: ModelServer, story: Story
) -> None:
    story.edge("objective", OBJECTIVE)
    story.edge("plan", "add", FIRST)
    server.play([bash("touch first.txt")], ["Begun."])
    with session(world) as typed:
        typed.say("Begin.")
        story.edge("step", "start", "1")
        asked = len(server.of())
        server.play([bash("touch forked.txt", id="forked")], ["Tried."])
        forked = one_shot(world, "Try it.", "--resume", typed.session_id, "--fork-session")
        assert forked.returncode == 0
        # What the first one was shown at its start is still there; the fork's own follows it.
        told = server.of()[asked].as_text().rpartition("Try it.")[2]
        assert f"Step 1 of 1, in_progress: {FIRST}" in told
        assert "Another session is at work in this tree now" in told
        typed.say("And I am still here.")
        assert typed.close() == 0
    fork = forked.result["session_id"]
    assert fork != typed.session_id
    begun = {e["session"]: e["data"]["source"] for e in story.recorded("session_start")}
    assert begun == {typed.session_id: "startup", fork: "fork"}
    calls = {e["data"]["command"]: e["session"] for e in story.recorded("tool")}
    assert calls == {"touch first.txt": typed.session_id, "touch forked.txt": fork}
    assert {e["session"] for e in story.recorded("session_end")} == {typed.session_id, fork}


def test_a_subagent_is_told_what_the_work_is_for_in_a_few_lines_and_nothing_of_elsewhere(
    world: World, server: ModelServer, story: Story
) -> None:
    others(world, story)
    story.edge("objective", OBJECTIVE)
    story.edge("plan", "add", FIRST)
    story.edge("constraint", "add", "the standard library alone")
    helper = {
        "description": "help",
        "prompt": "[[helper]] Help.",
        "subagent_type": "general-purpose",
    }
    server.play([Use("Agent", helper)], ["It is being done."])
    server.play([bash("touch helped.txt")], ["Helped."], conversation="helper")
    with session(world) as typed:
        typed.say("Let somebody help.")
        while not any(each.get("summary") == "Helped." for each in typed.events):
            typed.until("system")
    first = server.of("helper")[0].as_text()
    told = first.partition("SubagentStart hook additional context: ")[2].partition("\n\n")[0]
    assert OBJECTIVE in told
    assert FIRST in told
    assert "the standard library alone" in told
    assert briefing.estimate_tokens(told) <= briefing.SUBAGENT_BUDGET
    assert [each for each in (*ELSEWHERE, "SessionStart hook") if each in first] == []
    (begun,) = story.recorded("subagent_start")
    assert begun["session"] == typed.session_id
    (call,) = [each for each in story.recorded("tool") if each["tool"] == "Bash"]
    assert call["agent"] == begun["agent"] != ""
