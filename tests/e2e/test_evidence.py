"""Work that is called done is compared with what was observed, through the real client.

An agent says more than is true, the person asks for done, the gate names it; after a fix it passes. What a
person alone may do stays a person's, and a person's edit makes an older proof stale.
"""

import json
from typing import Any

import pytest
from tests.e2e.drive import World, notices, session
from tests.e2e.model_server import ModelServer, Turn, Use, bash
from tests.e2e.story import Story

from operators_edge.state.store import load_text

pytestmark = pytest.mark.e2e

OBJECTIVE = "Make the sum right"
STEP = "Make add() in app.py add"
TESTS = "python -m unittest -q 2>&1 | tail -5"  # the exit code is tail's


def edit(path: str, old: str, new: str, *, id: str = "") -> Use:
    return Use("Edit", {"file_path": path, "old_string": old, "new_string": new}, id)


def state_of(story: Story) -> dict[str, Any]:
    state: dict[str, Any] = load_text(story.file("active_context.yaml").read_text())
    return state


def claimed(story: Story) -> Turn:
    """An agent's turns up to a claim that is not so: the tests failed, and it says that they pass."""
    return [
        [bash(f"edge plan add '{STEP}'", id="plan")],
        [bash("edge step start 1", id="start")],
        [Use("Read", {"file_path": story.path("app.py")})],
        [edit(story.path("app.py"), "a - b", "a // b", id="wrong")],
        [bash(TESTS, id="failing")],
        [bash("edge step done 1 --proof 'all tests pass'", id="claim")],
        ["All done."],
    ]


def test_a_check_in_a_folder_below_is_known_by_where_it_ran(
    world: World, server: ModelServer, story: Story
) -> None:
    """The client names the folder after a `cd`; a check is bound to the one before it."""
    inside = "cd lib && python -m unittest -q"
    server.play(
        [bash("mkdir lib && cp app.py test_app.py lib/")],
        [bash(f"edge objective '{OBJECTIVE}'")],
        [bash(f"edge plan add '{STEP}'")],
        [bash("edge step start 1")],
        [bash(f"{inside} 2>&1 | tail -5", id="failing")],
        [bash("cd .. && edge step done 1 --proof 'all tests pass'", id="claim")],
        [edit(story.path("lib/app.py"), "a - b", "a + b")],
        [bash(inside)],
        [bash("cd .. && edge log claims", id="ledger")],
        [bash("edge log rerun 1", id="rerun")],
        ["Done."],
    )
    with session(world) as typed:
        typed.say("Make the sum right.")
        assert typed.close() == 0
    assert "FAILED (failures=1)" in str(server.result_of("failing"))
    assert "CONTRADICTED" in str(server.result_of("claim"))
    assert "VERIFIED" in str(server.result_of("ledger"))
    assert "1 claim: 1 verified" in str(server.result_of("rerun"))
    assert server.unplayed() == {}


def test_a_line_that_goes_on_after_set_e_does_not_vouch_for_its_check(
    world: World, server: ModelServer, story: Story
) -> None:
    """The client joins the line to a command of its own by `&&`, so its shell ignores `-e`."""
    server.play(
        [bash(f"edge objective '{OBJECTIVE}'")],
        [bash(f"edge plan add '{STEP}'")],
        [bash("edge step start 1")],
        [bash("set -e; python -m unittest -q > /dev/null 2>&1; echo finished", id="hidden")],
        [bash("edge step done 1 --proof 'all tests pass'", id="claim")],
        [bash("edge log claims", id="ledger")],
        ["Done."],
    )
    with session(world) as typed:
        typed.say("Make the sum right.")
        assert typed.close() == 0
    assert "finished" in str(server.result_of("hidden"))
    assert "UNVERIFIED" in str(server.result_of("ledger"))
    assert server.unplayed() == {}


def test_a_false_claim_keeps_done_shut_until_the_work_bears_it_out(
    world: World, server: ModelServer, story: Story
) -> None:
    server.play(*claimed(story))
    with session(world) as typed:
        typed.say(f"/edge objective {OBJECTIVE}")
        typed.say("Make the sum right.")
        assert "FAILED (failures=1)" in str(server.result_of("failing"))
        (refused,) = notices(typed.say("/edge done"))
        assert "claims_supported: step 1" in refused
        assert state_of(story)["plan"][0]["status"] == "completed"
        assert state_of(story).get("mode") != "done"

        server.play(
            [bash("edge log claims", id="ledger-before")],
            [edit(story.path("app.py"), "a // b", "a + b", id="right")],
            [bash(TESTS, id="passing")],
            [bash("edge log claims", id="ledger-after")],
            ["Now it is."],
        )
        typed.say("That is not so. Mend it.")
        before, after = (str(server.result_of(f"ledger-{when}")) for when in ("before", "after"))
        assert "CONTRADICTED" in before
        assert "unittest failed at log" in before
        assert "VERIFIED" in after
        assert "CONTRADICTED" not in after

        (passed,) = notices(typed.say("/edge done"))
        assert "Mode is now done." in passed
        server.play(["Yes."])
        typed.say("Thank you.")
        assert typed.close() == 0
    assert server.unplayed() == {}

    lines = (world.project / ".proof" / "archive.jsonl").read_text().splitlines()
    archived = [json.loads(line) for line in lines]
    types = ["completed_objective", "completed_step", "objective_basis"]
    assert sorted(entry["type"] for entry in archived) == types

    server.play(["Hello."])
    with session(world) as typed:
        typed.say("What is next?")
    assert state_of(story)["mode"] == "plan"
    assert state_of(story)["plan"] == []
    assert state_of(story)["objective"] is None


def test_only_the_person_lets_a_failed_check_pass(
    world: World, server: ModelServer, story: Story
) -> None:
    server.play(*claimed(story))
    with session(world) as typed:
        typed.say(f"/edge objective {OBJECTIVE}")
        typed.say("Make the sum right.")
        (refused,) = notices(typed.say("/edge done"))
        assert "[1] claims_supported: step 1" in refused

        server.play(
            [bash("edge approve 1 --why 'they pass on my machine'", id="forged")],
            [bash("edge done", id="done")],
            ["I may not."],
        )
        typed.say("Go on.")
        assert "Operator's Edge" in str(server.result_of("forged"))
        assert state_of(story).get("mode") != "done"
        assert story.recorded("override_set") == []

        (approved,) = notices(typed.say("/edge approve 1 because the machine divides"))
        assert "claims_supported" in approved
        (given,) = story.recorded("override_set")
        assert "the machine divides" in json.dumps(given)
        (passed,) = notices(typed.say("/edge done"))
        assert "Mode is now done." in passed
        assert "OVERRIDDEN" in story.edge("proof", "ledger")
        assert typed.close() == 0


def test_the_agent_edits_the_plan_itself_and_clears_what_a_person_made_stale(
    world: World, server: ModelServer, story: Story
) -> None:
    plan = story.path("active_context.yaml")
    server.play(
        [bash(f"edge plan add '{STEP}'"), bash("edge step start 1")],
        [Use("Read", {"file_path": story.path("app.py")})],
        [Use("Read", {"file_path": plan})],
        [edit(story.path("app.py"), "a - b", "a + b")],
        [bash(TESTS)],
        [bash("ls")],
        [edit(plan, "status: in_progress", "status: completed", id="completes")],
        [bash("edge log claims", id="verified")],
        ["Done."],
    )
    with session(world) as typed:
        typed.say(f"/edge objective {OBJECTIVE}")
        typed.say("Make the sum right.")
        # Nothing that was recorded meanwhile has touched the file that the agent had read (PR-10).
        assert "has been updated" in str(server.result_of("completes"))
        assert "VERIFIED" in str(server.result_of("verified"))
        assert state_of(story)["plan"][0]["status"] == "completed"

        story.file("app.py").write_text("def add(a, b):\n    return b + a\n")
        server.play(
            [bash("edge log claims", id="stale")],
            [bash("edge log rerun", id="rerun")],
            [bash("edge log claims", id="cleared")],
            ["Still right."],
        )
        typed.say("I turned it round.")
        assert typed.close() == 0
    stale = str(server.result_of("stale"))
    assert "STALE" in stale
    assert "app.py" in stale
    assert f"run: {TESTS}" in stale
    assert "passed" in str(server.result_of("rerun"))
    cleared = str(server.result_of("cleared"))
    assert "VERIFIED" in cleared
    assert "STALE" not in cleared
