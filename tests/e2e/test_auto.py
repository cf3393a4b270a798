"""Auto through the real client: a turn's end hands the next step over, and the loop ends itself.

What the agent gets comes with the model's next request; why the loop ended, the person reads.
"""

import json
import subprocess
from collections.abc import Sequence

import pytest
from tests.e2e.drive import LIMIT, Event, World, notices, session, wait_for
from tests.e2e.model_server import ModelServer, Turn, Use, bash
from tests.e2e.story import Story

pytestmark = pytest.mark.e2e

STEPS = ("Make add() in app.py add", "Say in app.py what it is for")
PUSH = "git push origin main"
GO_ON = "Auto, turn"


@pytest.fixture
def planned(story: Story) -> Story:
    story.edge("objective", "Make the calculator right")
    story.edge("plan", "add", *STEPS)
    return story


def repair_turns(story: Story) -> list[Turn]:
    path = story.path("app.py")
    change = {"file_path": path, "old_string": "a - b", "new_string": "a + b"}
    return [[Use("Read", {"file_path": path})], [Use("Edit", change)]]


class Gate:
    """A call of the agent's that goes on when the test opens it."""

    def __init__(self, story: Story) -> None:
        self.path = story.path("gate")
        subprocess.run(["mkfifo", self.path], check=True)

    def call(self, ident: str) -> Use:
        return bash(f"cat {self.path}", id=ident)

    def open(self) -> None:
        subprocess.run(["sh", "-c", f"echo go > {self.path}"], check=True, timeout=LIMIT)


def why_ended(events: Sequence[Event]) -> list[str]:
    return [each for each in notices(events) if "auto has ended" in each]


def test_each_turns_end_hands_the_next_step_over_until_a_person_has_to_choose(
    world: World, server: ModelServer, planned: Story
) -> None:
    describe = 'sed -i "1i # Sums. TODO: subtract, too" app.py'
    with session(world) as typed:
        assert "Auto is on" in notices(typed.say("/edge auto on"))[0]
        assert server.requests == []
        server.play(
            *repair_turns(planned),
            ["I stop here."],
            [bash("python -m unittest -q")],
            [bash("edge step done 1 --proof 'the tests pass'", id="one")],
            ["Step one is done."],
            [bash(describe), bash("python -m unittest -q")],
            [bash("edge step done 2 --proof 'it says so'", id="two")],
            ["All is done."],
        )
        said = typed.say("Make the calculator right.")
    told = [request.as_text() for request in server.of()]
    first = next(n for n, text in enumerate(told) if GO_ON in text)
    assert f"Step 1: {STEPS[0]}" in told[first].partition(GO_ON)[2]
    assert "edge step done 1 --proof" in told[first]
    assert f"Step 2: {STEPS[1]}" in told[-1].rpartition(GO_ON)[2]
    assert "Step 2 is completed" in str(server.result_of("two"))
    assert server.unplayed() == {}
    # The plan is complete: what comes next is for a person, who gets a message.
    (why,) = why_ended(said)
    assert "a person has to decide" in why
    assert "TODO" in why
    assert len(server.of()) == 9
    assert "finding_selection" in planned.edge("status")
    assert "Auto is off" in planned.edge("auto", "status")
    assert [each["data"]["to"] for each in planned.recorded("auto")] == ["on", "off"]


def test_a_call_that_needs_a_decision_ends_it_and_the_model_is_not_asked_again(
    world: World, server: ModelServer, planned: Story
) -> None:
    with session(world) as typed:
        typed.say("/edge auto on")
        server.play(*repair_turns(planned), [bash(PUSH, id="push")], ["The push needs a decision."])
        (why,) = why_ended(typed.say("Make the calculator right and push it."))
        assert f"a person has to decide: {PUSH}" in why
        assert "/edge approve" in str(server.result_of("push"))
        assert len(server.of()) == 4

        typed.say("/edge approve")
        assert "Auto is on" in notices(typed.say("/edge auto on"))[0]
        server.play([bash(PUSH, id="again")], ["It is out."], ["I have nothing more to say."])
        (why,) = why_ended(typed.say("Go on."))
    assert "2 turns brought no progress" in why
    assert planned.head(at=planned.remote) == planned.head()
    assert not any("Stop hook feedback" in request.as_text() for request in server.requests)


def test_it_ends_at_its_limit_and_is_off_for_the_turns_after_it(
    world: World, server: ModelServer, planned: Story
) -> None:
    with session(world) as typed:
        typed.say("/edge auto on")
        state = planned.file("active_context.yaml")
        text = state.read_text()
        assert '"iterations": 0' in text
        state.write_text(text.replace('"iterations": 0', '"iterations": 50'))
        server.play(*repair_turns(planned), ["The last turn."])
        (why,) = why_ended(typed.say("Make the calculator right."))
        assert "the limit of 50 turns is reached" in why
        assert len(server.of()) == 3
        assert notices(typed.say("And now?")) == []
    assert GO_ON not in server.of()[-1].as_text()


def test_it_waits_for_the_subagents_of_a_turn_and_goes_on_when_they_have_ended(
    world: World, server: ModelServer, planned: Story
) -> None:
    gate = Gate(planned)
    server.play([gate.call("waits")], ["I have looked."], conversation="looker")
    looker = {
        "description": "look",
        "prompt": "[[looker]] Look.",
        "subagent_type": "general-purpose",
    }
    with session(world) as typed:
        typed.say("/edge auto on")
        server.play([Use("Agent", looker)], ["It is being looked at."])
        assert why_ended(typed.say("Have somebody look at it.")) == []
        assert len(server.of()) == 2
        assert "Auto is on" in planned.edge("auto", "status")
        server.play(["I know now."], ["I do step one."])
        gate.open()
        typed.until("result")
    assert server.result_of("waits", conversation="looker") == "go"
    assert "task-notification" in server.of()[2].as_text()
    assert f"Step 1: {STEPS[0]}" in server.of()[3].as_text().partition(GO_ON)[2]


def test_what_the_person_types_while_it_runs_ends_it_at_the_next_turns_end(
    world: World, server: ModelServer, planned: Story
) -> None:
    gate = Gate(planned)
    server.play([gate.call("waits")], ["Something is done."])
    with session(world) as typed:
        typed.say("/edge auto on")
        typed.type("Make the calculator right.")
        typed.until("assistant")
        typed.type("/edge off")
        # The client keeps a command until the turn is over, and notes it in its own time.
        wait_for(
            "the queued command",
            lambda: [e for e in world.transcript(typed.session_id) if "/edge off" in json.dumps(e)],
        )
        gate.open()
        (paused,) = notices(typed.until("result"))
        assert "stops for what you typed" in paused
        (said,) = notices(typed.until("result"))
        assert "Auto is off" in said
    assert len(server.of()) == 2
    assert planned.recorded("auto")[-1]["data"]["why"] == "off"
