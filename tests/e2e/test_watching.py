"""What a person reads beside the work, in the real client: the status line, and the answer of /edge-loop."""

import os
import re

import pytest
from tests.e2e.drive import World, terminal
from tests.e2e.model_server import ModelServer
from tests.e2e.story import Story

pytestmark = pytest.mark.e2e


def test_the_status_line_and_the_answer_of_edge_loop_fit_on_a_narrow_screen(
    world: World, server: ModelServer, story: Story
) -> None:
    world.settings("settings.json", statusLine={"type": "command", "command": "echo theirs"})
    story.edge("init", "--statusline")
    story.edge("plan", "add", "Find the wrong sum")
    with terminal(world, size=(60, 80)) as screen:
        screen.wait_for("theirs")
        screen.wait_for(r"edge +step 1/1 Find the wrong sum")
        screen.type("/edge-loop --no-serve")
        shown = screen.wait_for(r"Dashboard +left alone")
    if os.environ.get("SHOW"):
        print(shown)
    for name in ("Proof page", "Traceability", "Archive", "Digest"):
        assert re.search(rf"✓ {name} ", shown), shown
    assert "edge_digest_" in shown
    assert server.requests == []
