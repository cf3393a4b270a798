"""``EDGE_DISABLED`` through the real client: whose environment counts, and whose does not."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from tests.e2e.drive import World, session
from tests.e2e.model_server import bash
from tests.e2e.story import Story

pytestmark = pytest.mark.e2e

PUSH = "git push origin main"


def pushed(world: World, story: Story) -> bool:
    """Whether a push of the agent's goes out in a new session."""
    story.commit("Not to be published")
    with session(world) as typed:
        world.server.play([bash(PUSH, id="push")], ["That was it."])
        typed.say("go on")
    return story.head(at=story.remote) == story.head()


def in_settings(path: Path, name: str) -> None:
    """Give every process of the client a variable, as a settings file can."""
    path.parent.mkdir(exist_ok=True)
    settings = json.loads(path.read_text()) if path.exists() else {}
    path.write_text(json.dumps({**settings, "env": {name: "1"}}))


def test_a_person_who_starts_the_client_with_it_is_asked_nothing(
    world: World, story: Story
) -> None:
    assert pushed(replace(world, extra_env={"EDGE_DISABLED": "1"}), story)
    (used,) = story.recorded("switch_used")
    assert used["data"]["switches"] == ["EDGE_DISABLED"]
    assert story.recorded("gate_disabled")


@pytest.mark.parametrize("name", ["settings.json", "settings.local.json"])
def test_a_settings_file_of_the_project_switches_nothing_off(
    world: World, story: Story, name: str
) -> None:
    in_settings(world.project / ".claude" / name, "EDGE_DISABLED")
    assert not pushed(world, story)
    assert story.recorded("switch_ignored")
    assert story.recorded("junction_raised")
