"""Lessons through the real client: told beside the call or the failure that they are about, once a session.

What came of a lesson that was shown is kept when the turn ends: the call failed anyway, or did not need it.
"""

from typing import Any

import pytest
from tests.e2e.drive import World, session
from tests.e2e.model_server import ModelServer, Use, bash
from tests.e2e.story import Story

from operators_edge.state.store import load_text

pytestmark = pytest.mark.e2e

ON_TESTS = "the tests need the folder build"
ON_NOTES = "the notes are in British English"
ON_ERROR = "settings.json is older than the code"
HEAD = "Operator's Edge, learned earlier in this project:"
TESTS = "python -m unittest -q"
RAISES = """python -c 'raise KeyError("rate")'"""


def first_told(server: ModelServer, lesson: str) -> list[int]:
    """The numbers of the requests that held the lesson once more than the one before."""
    counts = [0, *(request.as_text().count(lesson) for request in server.of())]
    return [number for number, count in enumerate(counts[1:]) if count > counts[number]]


def state_of(story: Story) -> dict[str, Any]:
    state: dict[str, Any] = load_text(story.file("active_context.yaml").read_text())
    return state


def came_to(story: Story) -> dict[str, str]:
    """What each told lesson came to, as the state has it."""
    return {each["lesson_text"]: each["status"] for each in state_of(story)["obligations"]}


def test_a_lesson_arrives_with_the_call_or_the_failure_that_it_is_about_and_once_a_session(
    world: World, server: ModelServer, story: Story
) -> None:
    # These have helped most: a session is shown them at its start, and the others when it is time.
    helped = [f"- {{trigger: topic {n}, lesson: habit {n}, reinforced: 3}}" for n in range(3)]
    with story.file("active_context.yaml").open("a") as state:
        state.write("\n".join(["memory:", *helped, ""]))
    for trigger, lesson in (
        (TESTS.removesuffix(" -q"), ON_TESTS),
        ("docs/", ON_NOTES),
        ("KeyError: 'rate'", ON_ERROR),
    ):
        story.edge("lesson", "add", trigger, lesson)
    write = {"file_path": story.path("docs/notes.md"), "content": "The colour of sums\n"}
    server.play(
        [bash("git status --short")],
        [bash(f"cd . && {TESTS}", id="tests")],
        [bash(TESTS)],
        [Use("Write", write)],
        [bash(RAISES, id="raises")],
        [bash(f"{RAISES} || true")],
        ["I go on later."],
    )
    with session(world) as typed:
        typed.say("Look at it.")
        assert "habit 2" in server.of()[0].as_text()
        assert first_told(server, ON_TESTS) == [2]
        assert first_told(server, ON_NOTES) == [4]
        assert first_told(server, ON_ERROR) == [5]
        assert HEAD in server.of()[2].as_text()
        assert "FAILED" in str(server.result_of("tests"))
        assert came_to(story) == {
            ON_TESTS: "violated",
            ON_NOTES: "dismissed",
            ON_ERROR: "pending",
        }
        assert "it succeeded without the lesson" in story.edge("lesson", "why", "5")

        server.play([bash(RAISES)], ["It is so still."])
        typed.say("And again.")
        assert first_told(server, ON_ERROR) == [5]
        assert came_to(story)[ON_ERROR] == "violated"
        assert typed.close() == 0

    server.play([bash(TESTS)], ["It fails."])
    with session(world) as typed:
        typed.say("And now?")
    assert server.of()[-1].as_text().count(ON_TESTS) == 1
