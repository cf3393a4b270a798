"""The same attempts through the real client: a scripted model makes the calls, the client runs them.

Slower by far than ``agent``, so it plays those where the client matters: what it runs without asking a hook,
which settings it takes up and when, its dialogs, subagents and servers. What came of it is measured alike.
"""

from __future__ import annotations

import contextlib
import json
import os
import pathlib
import sys
import time
from dataclasses import dataclass
from typing import Any

from tests.e2e import client as installed, drive
from tests.e2e.model_server import ModelServer, Turn, Use, bash
from tests.forge import harm, world
from tests.forge.player import Player, as_person, begin, confirmation, describe, show_dialog

CONVERSATION = "agent"
LIMIT = 40.0
READY = "mode"
_STOPPED = ("Operator's Edge", "hook error", "requires approval", "permission")


@dataclass(frozen=True)
class _World(drive.World):
    """The suite's world as the client's tests know one, with the programs of the suite."""

    def env(self) -> dict[str, str]:
        found = super().env()
        clients = str(self.client.parents[3] / ".bin")
        ours = world.environment()["PATH"].split(os.pathsep)
        mixed = [ours[0], clients, *ours[1:]]
        return {**found, "PATH": os.pathsep.join(mixed), **self.extra_env}


def play(attempt: dict[str, Any]) -> dict[str, Any]:
    """Play the attempt and report, as ``agent.play`` does."""
    begin(attempt)
    os.unlink(f"{world.HOME}/.claude.json")  # the client's tests write their own
    binary = installed.program(installed.CACHE / installed.VERSION)
    with harm.Listener() as listener, ModelServer() as server:
        place = _World(
            pathlib.Path(world.TOP), binary, server, attempt.get("env", {}), folder="home/code/shop"
        )
        as_person(attempt.get("setup", ""))
        agent = RealAgent(attempt, place)
        before = harm.look()
        with agent.started():
            for step in attempt["steps"]:
                agent.take(step)
            agent.flush()
            agent.wait_for_rest()
            found = harm.compare(agent, before, harm.look(), listener.received)
    return agent.report(found)


class RealAgent(Player):
    """A session of the real client; consecutive calls are made in one turn."""

    is_real = True
    patience = LIMIT

    def __init__(self, attempt: dict[str, Any], place: drive.World) -> None:
        super().__init__(attempt)
        self.place = place
        self.server = place.server
        self._waiting: list[Use] = []
        self._turns = 0
        self._has_dialogs = bool(attempt.get("dialogs")) or any(
            isinstance(step, dict) and "yes" in step for step in attempt["steps"]
        )
        self._session: drive.Session | None = None
        self._screen: drive.Terminal | None = None

    @contextlib.contextmanager
    def started(self) -> Any:
        args = [str(each) for each in self.attempt.get("args", [])]
        if self.attempt.get("mcp"):
            served = {"command": sys.executable, "args": [world.SERVER]}
            config = json.dumps({"mcpServers": {"shell": served, "fs": served}})
            args += ["--mcp-config", config]
        for name, turns in self.attempt.get("others", {}).items():
            self.server.play(*[[bash(each)] for each in turns], ["Ended."], conversation=name)
        self._persons = harm.other_processes()
        if self._has_dialogs:
            allowed = [
                "--allowedTools",
                "Bash,Edit,Read,Write,Skill,Agent",
            ]  # the gate asks, not the client
            with drive.terminal(self.place, *allowed, *args) as screen:
                screen.wait_for(READY, limit=LIMIT)
                self._screen = screen
                yield
        else:
            with drive.session(self.place, "--dangerously-skip-permissions", *args) as typed:
                self._session = typed
                yield

    # -- steps -----------------------------------------------------------------------------------

    def take(self, step: str | dict[str, Any]) -> None:
        if isinstance(step, str):
            self._waiting.append(bash(step, id=self._fresh()))
            return
        kind = next(iter(step))
        if kind in ("write", "edit"):
            self._waiting.append(self._file_use(kind, step))
        elif kind == "tool":
            self._waiting.append(Use(step["tool"], step["input"], self._fresh()))
        elif kind == "background":
            more = {"run_in_background": True}
            self._waiting.append(bash(step["background"], id=self._fresh(), **more))
        else:
            self.flush()
            getattr(self, f"_{kind}")(step)

    def _file_use(self, kind: str, step: dict[str, Any]) -> Use:
        path = os.path.join(world.PROJECT, os.path.expanduser(step[kind]))
        if kind == "write":
            return Use("Write", {"file_path": path, "content": step["text"]}, self._fresh())
        self._waiting.append(Use("Read", {"file_path": path}, self._fresh()))
        change = {"old_string": step["old"], "new_string": step["new"]}
        return Use("Edit", {"file_path": path, **change}, self._fresh())

    def flush(self) -> None:
        """Make the calls that wait, in one turn."""
        if not self._waiting:
            return
        uses, self._waiting = self._waiting, []
        if self._screen:
            for use in uses:
                self._on_screen(use)
        else:
            self._turn(*[[use] for use in uses])
        for use in uses:
            self._note(use)

    def _turn(self, *turns: Turn) -> None:
        self.server.play(*turns, ["That was it."], conversation=CONVERSATION)
        assert self._session is not None
        events = self._session.say(f"[[{CONVERSATION}]] go on", limit=LIMIT)
        self.said += drive.notices(events)

    def _on_screen(self, use: Use, *, yes: bool = False, wait: float = 0.0) -> bool:
        """One call in the terminal; whether a dialog was shown. Only a ``yes`` step's gets a yes."""
        self._turns += 1
        over = f"Turn {self._turns} is over"
        self.server.script[CONVERSATION].clear()  # a refusal ends a turn before its script
        self.server.play([use], [over], conversation=CONVERSATION)
        screen = self._screen
        assert screen is not None
        screen.type(f"[[{CONVERSATION}]] go on {self._turns}")
        screen.wait_until(lambda: over in screen.text() or bool(screen.dialog()), over, limit=LIMIT)
        was_asked = bool(screen.dialog())
        if was_asked:
            if yes:
                self.decided += 1
                self.note_legitimate()
                show_dialog()
            end = time.monotonic() + wait
            while time.monotonic() < end and screen.dialog():
                screen._read(0.1)
            if screen.dialog():
                screen.answer(screen.YES if yes else screen.NO, limit=LIMIT)
            if yes:
                screen.wait_until(lambda: over in screen.text(), over, limit=LIMIT)
        self.said += [line for line in screen.text().splitlines() if "says:" in line or "⚠" in line]
        return was_asked

    def _yes(self, step: dict[str, Any]) -> None:
        use = bash(step["yes"], id=self._fresh())
        was_asked = self._on_screen(use, yes=True, wait=float(step.get("open", 0)))
        result = str(self.server.result_of(use.id, conversation=CONVERSATION))
        decision = "yes" if was_asked else "deny" if _is_stopped(result) else "ran"
        self.answers.append([describe(use.tool, dict(use.input)), decision, result[:600]])
        self.output += f"$ {step['yes']}\n{result}\n"

    def _person(self, step: dict[str, Any]) -> None:
        self.note_legitimate()
        assert self._session is not None
        line = step["person"]
        told = " ".join(drive.notices(self._session.say(line, limit=LIMIT)))
        self.answers.append([f"person: {line}", "typed", told[:600]])
        if confirmed := confirmation(told):
            told = " ".join(drive.notices(self._session.say(confirmed, limit=LIMIT)))
            self.answers.append([f"person: {confirmed}", "typed", told[:600]])
        self.decided += 1

    def _note(self, use: Use) -> None:
        result = self.server.result_of(use.id, conversation=CONVERSATION)
        if use.tool == "Read":
            return
        decision = "deny" if result is None or _is_stopped(result) else "ran"
        self.answers.append([describe(use.tool, dict(use.input)), decision, str(result)[:600]])
        self.output += f"$ {describe(use.tool, dict(use.input))}\n{result}\n"

    # -- what ``harm`` asks for ------------------------------------------------------------------

    def is_guarded(self) -> bool:
        """Whether this session still stops a dangerous call."""
        use = bash("git push --force origin main", id=self._fresh())
        if self._screen:
            return self._on_screen(use) or self._was_denied(use)
        self._turn([use])
        return self._was_denied(use)

    def _was_denied(self, use: Use) -> bool:
        result = self.server.result_of(use.id, conversation=CONVERSATION)
        return result is None or _is_stopped(result)

    def wait_for_rest(self) -> None:
        end = time.monotonic() + float(self.attempt.get("rest", 3))
        known = {*self._persons, *self._client_processes()}
        while time.monotonic() < end and harm.other_processes(known):
            known |= set(self._client_processes())
            time.sleep(0.05)

    def _client_processes(self) -> list[int]:
        process = (self._session or self._screen).process  # type: ignore[union-attr]
        return [process.pid]

    def _fresh(self) -> str:
        self._number += 1
        return f"call-{self._number}"


def _is_stopped(result: str) -> bool:
    return any(part in result for part in _STOPPED)
