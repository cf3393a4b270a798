"""The client's own dialog, asked for by the product: a person's Yes, No and Esc, and what they leave."""

import dataclasses
import json
import re
from typing import Any

import pytest
from tests.e2e.drive import Terminal, World, terminal
from tests.e2e.model_server import ModelServer, Use, bash
from tests.e2e.story import Story

pytestmark = pytest.mark.e2e

READY = "manual mode"
PUSH = "git push origin main"


def dialog_for(screen: Terminal, command: str) -> str:
    """Wait for the dialog about a command; return it as one line, without the frame of its reason."""
    dialog = screen.wait_for_dialog(re.escape(command))
    return " ".join(dialog.replace("│", " ").split())


def replay(story: Story) -> dict[str, Any]:
    """What the client's transcripts say by now."""
    data: dict[str, Any] = json.loads(story.edge("replay", "--json"))["data"]
    return data


def test_yes_lets_one_call_through_and_the_next_same_call_asks_again(
    world: World, server: ModelServer, story: Story
) -> None:
    story.commit("more")
    server.play([bash(PUSH, id="first")], ["The first is out."])
    with terminal(world) as screen:
        screen.wait_for(READY)
        screen.type("push it")
        dialog = dialog_for(screen, PUSH)
        assert "Publishes commits to another repository." in dialog
        assert "git-push" in dialog
        screen.answer(screen.YES)
        screen.wait_for("The first is out")
        assert story.head(at=story.remote) == story.head()

        story.commit("and more")
        server.play([bash(PUSH, id="second")], ["The second is out."])
        screen.type("push it again")
        dialog_for(screen, PUSH)
        screen.answer(screen.YES)
        screen.wait_for("The second is out")
        # The client writes down who answered some time later; it is read at a turn's end.
        screen.wait_until(lambda: "source" in story.answers()["first"], "who answered")
        screen.wait_until(lambda: replay(story)["approved_then"] == 2, "both answers")
    assert story.answers()["first"]["source"] == "user_temporary"
    assert story.head(at=story.remote) == story.head()
    outcomes = {ident: (a["outcome"], a["rule"]) for ident, a in story.answers().items()}
    assert outcomes == dict.fromkeys(("first", "second"), ("approved", "git-push"))
    assert "Pending    nothing" in story.edge("status")
    replayed = replay(story)
    assert (replayed["calls"], replayed["asked"], replayed["approved_then"]) == (2, 2, 2)
    assert [each["is_worth_a_scope"] for each in replayed["commands"]] == [True]


@pytest.mark.parametrize("key", [Terminal.NO, Terminal.ESCAPE], ids=["No", "Esc"])
def test_a_refusal_leaves_nothing_pending_and_the_same_call_is_asked_again_at_the_next_prompt(
    world: World, server: ModelServer, story: Story, key: str
) -> None:
    before = story.head(at=story.remote)
    story.commit("more")
    server.play([bash(PUSH, id="refused")])
    with terminal(world) as screen:
        screen.wait_for(READY)
        screen.type("push it")
        dialog_for(screen, PUSH)
        screen.answer(key)
        screen.wait_for("Interrupted")
        assert "Pending    nothing" in story.edge("status")

        server.play([bash(PUSH, id="again")])
        screen.type("try once more")
        assert "you refused this" in dialog_for(screen, PUSH)
        screen.answer(screen.NO)
        screen.wait_until(lambda: len(story.recorded("asked")) == 2, "asked twice")
    assert story.head(at=story.remote) == before
    assert [entry["tool_use_id"] for entry in story.recorded("asked")] == ["refused", "again"]


def test_an_approved_call_that_fails_is_recorded_as_approved_and_as_failed(
    world: World, server: ModelServer, story: Story
) -> None:
    command = "git push nowhere main"
    server.play([bash(command, id="fails")], ["It failed."])
    with terminal(world) as screen:
        screen.wait_for(READY)
        screen.type("push it there")
        dialog_for(screen, command)
        screen.answer(screen.YES)
        screen.wait_for("It failed")
    assert story.answers()["fails"]["outcome"] == "approved"
    (ran,) = story.recorded("tool")
    assert (ran["tool_use_id"], ran["success"], ran["exit_code"]) == ("fails", False, 128)


def test_two_subagents_that_ask_at_once_are_answered_and_recorded_apart(
    world: World, server: ModelServer, story: Story
) -> None:
    for name in ("a", "b"):
        server.play([bash(f"git push origin main:{name}", id=name)], ["Ended."], conversation=name)
    agents = [
        Use("Agent", {"description": f"agent {n}", "prompt": f"go [[{n}]]"}) for n in ("a", "b")
    ]
    server.play(agents, ["Waiting."])
    with terminal(world) as screen:
        screen.wait_for(READY)
        screen.type("let both push")
        yes, no = ("a", "b") if "main:a" in screen.wait_for_dialog("1 of 2") else ("b", "a")
        screen.answer(screen.YES)
        assert f"main:{no}" in screen.wait_for_dialog("2 of 2")
        screen.answer(screen.NO)
        screen.wait_until(lambda: story.answers().keys() == {"a", "b"}, "both answers recorded")
    branches = story.git("-C", str(story.remote), "branch", "--format=%(refname:short)").split()
    assert branches == sorted([yes, "main"])
    answers = story.answers()
    assert {i: a["outcome"] for i, a in answers.items()} == {yes: "approved", no: "refused"}
    assert len({answers["a"]["agent"], answers["b"]["agent"], ""}) == 3


def test_a_typed_edge_line_is_answered_on_the_screen_without_a_model_request(
    world: World, server: ModelServer, story: Story
) -> None:
    story.edge("objective", "Ship the sum")
    with terminal(world) as screen:
        screen.wait_for(READY)
        screen.type("/edge approve")
        screen.wait_for("nothing is pending")
        screen.type("/edge")
        screen.wait_for(r"Objective +Ship the sum")
    assert server.requests == []


def test_keys_that_a_program_sends_later_to_the_persons_tmux_need_a_dialog_themselves(
    world: World, server: ModelServer, story: Story
) -> None:
    inside = dataclasses.replace(world, extra_env={"TMUX": str(world.home / "tmux/default,1,0")})
    keys = "(sleep 2; tmux send-keys 1) &"
    server.play([bash(keys, id="keys"), bash(PUSH, id="push")])
    with terminal(inside) as screen:
        screen.wait_for(READY)
        screen.type("push it")
        assert "the terminal that your client runs in" in dialog_for(screen, "tmux send-keys 1")
        screen.answer(screen.NO)
        screen.wait_for("Interrupted")
    assert next(entry["tool_use_id"] for entry in story.recorded("asked")) == "keys"
    assert story.recorded("tool") == []
