"""The harness itself: a hook of three lines, the real client, the scripted model."""

import json
import os
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from tests.e2e.client import CACHE, ensure_client
from tests.e2e.drive import DriveError, World, notices, one_shot, session, terminal
from tests.e2e.model_server import ModelServer, Use, bash
from tests.e2e.npm import ClientUnavailableError

pytestmark = pytest.mark.e2e

EVENTS = ("SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "PostToolUseFailure")
HOOK = """
import json, sys
log, answers = sys.argv[1:]
raw = sys.stdin.read()
event = json.loads(raw)
open(log, "a").write(json.dumps(event) + "\\n")
for name, part, answer in json.load(open(answers)):
    if event["hook_event_name"] == name and part in raw:
        print(json.dumps(answer))
        break
"""


class Hook:
    """A hook that logs every event and answers `(event, part of the input, answer)` rules."""

    def __init__(self, world: World, *answers: tuple[str, str, dict[str, Any]]) -> None:
        self._log = world.top / "events.jsonl"
        script, rules = world.top / "hook.py", world.top / "answers.json"
        script.write_text(HOOK)
        rules.write_text(json.dumps(answers))
        entry = {
            "type": "command",
            "command": sys.executable,
            "args": ["-I", "-S", str(script), str(self._log), str(rules)],
            "timeout": 30,
        }
        hooks = {event: [{"hooks": [entry]}] for event in EVENTS}
        allow = ["Bash", "Edit", "Read", "Write"]
        world.settings("settings.local.json", hooks=hooks, permissions={"allow": allow})

    def events(self, name: str) -> list[dict[str, Any]]:
        events = [json.loads(line) for line in self._log.read_text().splitlines()]
        return [event for event in events if event["hook_event_name"] == name]

    def calls(self, name: str) -> list[str]:
        return [event["tool_use_id"] for event in self.events(name)]


def decide(decision: str, reason: str) -> dict[str, Any]:
    answer = {"permissionDecision": decision, "permissionDecisionReason": reason}
    return {"hookSpecificOutput": {"hookEventName": "PreToolUse", **answer}}


ASK = ("PreToolUse", "push", decide("ask", "A person decides.\nWhat: push"))


def test_the_client_is_the_pinned_one_and_a_second_install_changes_nothing(client: Path) -> None:
    before = client.stat()
    assert ensure_client() == client
    assert client.stat().st_ino == before.st_ino


def test_another_version_in_the_cache_is_refused(tmp_path: Path, client: Path) -> None:
    other = tmp_path / client.relative_to(CACHE)
    other.parent.mkdir(parents=True)
    other.write_text("#!/bin/sh\necho '1.0.0 (Claude Code)'\n")
    other.chmod(0o755)
    with pytest.raises(ClientUnavailableError, match=r"1\.0\.0"):
        ensure_client(tmp_path)


def test_one_prompt_runs_allowed_calls_and_tells_the_model_of_a_denial(
    world: World, server: ModelServer
) -> None:
    hook = Hook(world, ("PreToolUse", "two", decide("deny", "not that one")))
    server.play([bash("touch one", id="one")], [bash("touch two", id="two")], ["All done."])
    run = one_shot(world, "go")
    assert (run.returncode, run.result["result"]) == (0, "All done.")
    assert [(world.project / name).exists() for name in ("one", "two")] == [True, False]
    assert "not that one" in str(server.result_of("two"))
    assert (hook.calls("PreToolUse"), hook.calls("PostToolUse")) == (["one", "two"], ["one"])
    assert server.unplayed() == {}


def test_turns_are_typed_into_one_process_and_a_blocked_one_reaches_no_model(
    world: World, server: ModelServer
) -> None:
    blocked = {"decision": "block", "reason": "Said by\nthe hook."}
    hook = Hook(world, ("UserPromptSubmit", "/edge", blocked))
    server.play(["First."], ["Second."])
    with session(world) as typed:
        assert typed.say("one")[-1]["result"] == "First."
        asked = len(server.requests)
        assert "Said by\nthe hook." in notices(typed.say("/edge approve"))[0]
        assert len(server.requests) == asked
        assert typed.say("two")[-1]["result"] == "Second."
        assert typed.close() == 0
    prompts = hook.events("UserPromptSubmit")
    assert [event["prompt"] for event in prompts] == ["one", "/edge approve", "two"]
    assert {event["session_id"] for event in prompts} == {typed.session_id}


def test_what_a_session_start_hook_adds_is_shown_to_the_model(
    world: World, server: ModelServer
) -> None:
    context = {"hookEventName": "SessionStart", "additionalContext": "remember the milk"}
    Hook(world, ("SessionStart", "startup", {"hookSpecificOutput": context}))
    server.play(["Yes."])
    one_shot(world, "go")
    assert "remember the milk" in server.of()[0].as_text()


def test_subagents_and_nested_clients_have_conversations_of_their_own(
    world: World, server: ModelServer
) -> None:
    hook = Hook(world)
    agent = {"description": "help", "prompt": "do it [[sub]]", "subagent_type": "general-purpose"}
    nested = f"ANTHROPIC_BASE_URL={server.url_of('nested')} {world.client} -p hello </dev/null"
    # The agent runs beside the main conversation: the client waits for it before it ends.
    server.play([Use("Agent", agent)], [bash(nested, id="nested")], ["Done."], ["Noted."])
    server.play([bash("touch by-subagent", id="inner")], ["Sub done."], conversation="sub")
    server.play(["From the nested one."], conversation="nested")
    assert one_shot(world, "go").returncode == 0
    assert (world.project / "by-subagent").exists()
    assert server.result_of("inner", conversation="sub") is not None
    assert "From the nested one." in str(server.result_of("nested"))
    inner = next(e for e in hook.events("PreToolUse") if e["tool_use_id"] == "inner")
    assert inner["agent_type"] == "general-purpose"


def test_a_run_that_outlives_its_limit_is_ended_with_all_its_processes(
    world: World, server: ModelServer
) -> None:
    Hook(world)
    server.play([bash("echo $$ > pid; exec sleep 600")], ["Done."])
    with pytest.raises(DriveError, match="no end"):
        one_shot(world, "go", limit=6)
    pid = int((world.project / "pid").read_text())
    assert _ends(pid)


def _ends(pid: int) -> bool:
    end = time.monotonic() + 5
    while time.monotonic() < end:
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return True
        if (Path("/proc") / str(pid) / "stat").read_text().rpartition(")")[2].split()[0] == "Z":
            return True  # dead, not yet buried by its new parent
    return False


def test_a_person_says_yes_no_and_escape_in_the_terminal(world: World, server: ModelServer) -> None:
    hook = Hook(world, ASK)
    with terminal(world) as screen:
        screen.wait_for("manual mode")
        for name, key in (("yes", screen.YES), ("no", screen.NO), ("escape", screen.ESCAPE)):
            # A refusal ends the turn: the model is asked again with the next prompt only.
            answer = [[f"After {name}."]] if key == screen.YES else []
            server.play([bash(f"touch {name}; : push", id=name)], *answer)
            screen.type(f"please {name}")
            assert "A person decides.\n │ What: push" in screen.wait_for_dialog(f"touch {name}")
            screen.answer(key)
            screen.wait_for(
                f"After {name}" if answer else rf"touch {name}; : push\s+⎿  Interrupted"
            )
        server.play(["Nothing left."])
        screen.type("and now")
        screen.wait_for("Nothing left")
    assert [(world.project / n).exists() for n in ("yes", "no", "escape")] == [True, False, False]
    assert hook.calls("PreToolUse") == ["yes", "no", "escape"]
    assert hook.calls("PostToolUse") == ["yes"]
    assert "user doesn't want to proceed" in str(server.result_of("no"))
    assert server.unplayed() == {}


def test_an_approved_call_that_fails_is_a_failure_event(world: World, server: ModelServer) -> None:
    hook = Hook(world, ASK)
    server.play([bash("exit 3 # push", id="fails")], ["It failed."])
    with terminal(world) as screen:
        screen.wait_for("manual mode")
        screen.type("go")
        screen.wait_for_dialog("exit 3")
        screen.answer(screen.YES)
        screen.wait_for("It failed")
    assert (hook.calls("PostToolUse"), hook.calls("PostToolUseFailure")) == ([], ["fails"])


def test_two_subagents_that_ask_at_once_get_a_dialog_each(
    world: World, server: ModelServer
) -> None:
    hook = Hook(world, ASK)
    for name in ("a", "b"):
        server.play([bash(f"touch {name}; : push", id=name)], ["Ended."], conversation=name)
    agents = [
        Use("Agent", {"description": f"agent {n}", "prompt": f"go [[{n}]]"}) for n in ("a", "b")
    ]
    server.play(agents, ["Waiting."])
    with terminal(world) as screen:
        screen.wait_for("manual mode")
        screen.type("go")
        first = "a" if "touch a" in screen.wait_for_dialog("1 of 2") else "b"
        screen.answer(screen.YES)
        second = screen.wait_for_dialog("2 of 2")
        assert f"touch {first}" not in second
        screen.answer(screen.NO)
        screen.wait_until(lambda: len(server.of("a")) == len(server.of("b")) == 2, "both told")
    assert [p.name for p in sorted(world.project.glob("?"))] == [first]
    agents_seen = {event.get("agent_id") for event in hook.events("PreToolUse")}
    assert len(agents_seen) == 3  # the main thread has none


def test_a_line_typed_in_the_terminal_and_blocked_shows_its_reason(
    world: World, server: ModelServer
) -> None:
    blocked = {"decision": "block", "reason": "Said by\nthe hook."}
    Hook(world, ("UserPromptSubmit", "/edge", blocked))
    commands = world.project / ".claude" / "commands"
    commands.mkdir()
    (commands / "edge.md").write_text("---\ndescription: decide\n---\n")
    with terminal(world) as screen:
        screen.wait_for("manual mode")
        screen.type("/edge approve")
        assert "Said by\n  the hook." in screen.wait_for("operation blocked by hook")
        screen.type("/edge")
        screen.wait_for(r"(?s)Said by.*Said by")
    assert server.requests == []
