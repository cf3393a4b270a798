"""What a person approved is what runs, through the real client: at a prompt, and around its own dialog."""

import re

import pytest
from tests.e2e.drive import World, terminal
from tests.e2e.model_server import ModelServer, bash
from tests.e2e.story import Story

pytestmark = pytest.mark.e2e

READY = "manual mode"
PUSH = "git push origin main"
ELSEWHERE = (
    "export GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=remote.origin.pushurl "
    "GIT_CONFIG_VALUE_0={}; git push origin main"
)


def test_an_approval_given_at_a_terminal_is_for_its_commits_and_its_address(
    world: World, server: ModelServer, story: Story
) -> None:
    story.file("edge.toml").write_text('junction_style = "deny"\n')
    elsewhere = world.top / "elsewhere.git"
    story.git("init", "--quiet", "--bare", str(elsewhere))
    before = story.head(at=story.remote)
    server.play([bash(PUSH, id="asks")], ["It waits."])
    with terminal(world) as screen:
        screen.wait_for(READY)
        screen.type("push it")
        screen.wait_for("It waits")
        screen.type("/edge approve")
        screen.wait_for("Approved once")
        story.commit("add prod.env")
        server.play([bash(PUSH, id="more")], ["It waits again."])
        screen.type("push it now")
        screen.wait_for("It waits again")
        screen.type("/edge approve")
        screen.wait_for("Approved once: git push origin main[\\s\\S]*Approved once")
        server.play([bash(ELSEWHERE.format(elsewhere), id="else")], ["Not there."])
        screen.type("push it there")
        screen.wait_for("Not there")
    assert "+1 commit" in str(server.result_of("more"))
    assert "add prod.env" in str(server.result_of("more"))
    assert "Operator's Edge (git-" in str(server.result_of("else"))
    assert story.head(at=story.remote) == before
    assert story.git("-C", str(elsewhere), "for-each-ref") == ""
    assert story.recorded("allowance_used") == []


def test_a_commit_made_while_the_dialog_was_open_is_an_alarm_until_it_was_seen(
    world: World, server: ModelServer, story: Story
) -> None:
    story.commit("shown")
    server.play([bash(PUSH, id="push")], ["It is out."])
    with terminal(world) as screen:
        screen.wait_for(READY)
        screen.type("push it")
        screen.wait_for_dialog(re.escape(PUSH))
        story.commit("add secret.env")
        screen.answer(screen.YES)
        screen.wait_for("It is out")
        screen.wait_for("what ran differs")
    (entry,) = story.recorded("approved_changed")
    assert "add secret.env" in entry["data"]["changed"][0]
    with terminal(world) as screen:
        screen.wait_for("add secret.env")
    with terminal(world) as screen:
        screen.wait_for(READY)
        assert "add secret.env" not in screen.text()
