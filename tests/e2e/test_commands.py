"""Slash commands in the real client: which of them reach the model, and with what."""

import pytest
from tests.e2e.drive import notices, session
from tests.e2e.model_server import ModelServer
from tests.e2e.story import Story

pytestmark = pytest.mark.e2e


def test_a_command_for_the_model_arrives_with_its_text_and_one_that_asks_never_does(
    story: Story, server: ModelServer
) -> None:
    story.edge("objective", "Ship the parser")
    with session(story.world) as talk:
        said = "\n".join(notices(talk.say("/edge-plan add write the parser")))
        assert "write the parser" in said
        assert server.requests == []
        assert "Mode" in "\n".join(notices(talk.say("/edge status")))
        assert server.requests == []
        server.play(["On it."])
        talk.say("/edge-step")
        (request,) = server.requests
        shown = request.shown()
        assert "Do what Operator's Edge says beside this line" in shown
        assert "write the parser" in shown.partition("Do what Operator's Edge says")[2]


def test_commands_that_nobody_types_add_nothing_to_a_request(
    story: Story, server: ModelServer
) -> None:
    server.play(["Hello."])
    with session(story.world) as talk:
        talk.say("hello")
    (request,) = server.requests
    assert "edge-brainstorm" not in str(request.body)
