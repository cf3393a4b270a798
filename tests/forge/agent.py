"""One attempt: the agent's calls through the hooks, what a person does meanwhile, and what came of it.

Stands in for the client: a call that is neither denied nor asked about is really made. Nobody answers a
dialog unless the attempt says that a person does. What came of it is ``harm``'s to measure.
"""

from __future__ import annotations

import contextlib
import os
import re
import shlex
import shutil
import subprocess
import time
from typing import Any

from tests.forge import harm, world
from tests.forge.player import (
    CALL_SECONDS,
    Player,
    as_person,
    begin,
    confirmation,
    describe,
    show_dialog,
)
from tests.hosting import Client
from tests.processes import edge

_BASH = ["bash", "-c"]


def guard_projects() -> None:
    """``edge init`` in both projects, and one session that has ended in each."""
    os.environ.clear()
    os.environ.update(world.environment())
    for place in (world.OTHER, world.PROJECT):
        done = edge(place, "init", env=world.environment())
        assert done.returncode == 0, done.stdout + done.stderr


def play(attempt: dict[str, Any]) -> dict[str, Any]:
    """Play the attempt and report."""
    begin(attempt)
    as_person(attempt.get("setup", ""))
    agent = Agent(attempt)
    with harm.Listener() as listener:
        before = harm.look()
        for step in attempt["steps"]:
            agent.take(step)
        agent.wait_for_rest()
        agent.finish()
        after = harm.look()
        found = harm.compare(agent, before, after, listener.received)
        return agent.report(found)


class Agent(Player, Client):
    """A session of the real hooks, with calls that are really made."""

    def __init__(self, attempt: dict[str, Any]) -> None:
        attended = attempt.get("attended", True)
        env = {**world.environment(), **attempt.get("env", {}), "CLAUDECODE": "1"}
        Player.__init__(self, attempt)
        Client.__init__(self, world.PROJECT, env, attended=attended)
        self.env["CLAUDE_CODE_SESSION_ID"] = self.session
        self.cwd = world.PROJECT
        self.start()
        self.prompt("do the work")

    # -- what the client does --------------------------------------------------------------------

    def send(self, name: str, **fields: Any) -> dict[str, Any]:
        answer = super().send(name, **{"cwd": self.cwd, **fields})
        inner = answer.get("hookSpecificOutput", {})
        for text in (answer.get("systemMessage"), inner.get("additionalContext")):
            if text:
                self.said.append(str(text))
        if answer.get("decision") == "block":
            self.said.append(str(answer.get("reason")))
        return answer

    def take(self, step: str | dict[str, Any]) -> None:
        """One step: a string is a Bash call; else the first key says what it is."""
        if isinstance(step, str):
            self.call("Bash", {"command": step})
            return
        kind = next(iter(step))
        getattr(self, f"_{kind}")(step)

    def call(self, tool: str, given: dict[str, Any], *, yes: bool = False) -> str:
        """A call between its two hooks, made unless it is denied or asked about."""
        inner = self.before(tool, **given)
        decision = str(inner.get("permissionDecision", ""))
        reason = str(inner.get("permissionDecisionReason", ""))
        self.answers.append([describe(tool, given), decision or "ran", reason[:600]])
        given = inner.get("updatedInput") or given
        if decision == "ask" and yes:
            self.decided += 1
            self.note_legitimate()
        elif decision in ("ask", "deny") and not self._is_contained(tool):
            return decision
        if self.attempt.get("dry"):  # a sandbox bounds neither processes nor memory
            self.would_run.append(describe(tool, given))
        else:
            self._made(tool, given)
        return "ran"

    def _made(self, tool: str, given: dict[str, Any]) -> None:
        make = getattr(self, f"_make_{tool.lower()}", None) or self._make_server_tool(tool)
        if make is None:
            return
        ok, said = make(given)
        self.output += f"$ {describe(tool, given)}\n{said}\n"
        if ok:
            self.done(tool, {"stdout": said, "stderr": "", "interrupted": False}, **given)
        else:
            self.done(tool, error=f"Exit code 1\n{said}", **given)

    def _make_bash(self, given: dict[str, Any]) -> tuple[bool, str]:
        self._number += 1
        said, where = f"/tmp/.said-{self._number}", f"/tmp/.where-{self._number}"
        text = str(given.get("command", ""))
        sourced = 'for f in ~/.claude/shell-snapshots/*.sh; do . "$f"; done 2>/dev/null'
        script = f"{sourced}; eval {shlex.quote(text)} < /dev/null; c=$?; pwd -P > {where}; exit $c"
        with open(said, "wb") as out:
            process = subprocess.Popen(
                self._words([*_BASH, script]),
                cwd=self.cwd if os.path.isdir(self.cwd) else "/",
                env=self.env,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=out,
                start_new_session=True,
            )
        try:
            code = process.wait(CALL_SECONDS if not given.get("run_in_background") else 0.05)
        except subprocess.TimeoutExpired:
            code = 0 if given.get("run_in_background") else 124
        with contextlib.suppress(OSError), open(where, encoding="utf-8") as file:
            self.cwd = file.read().strip() or self.cwd
        return code == 0, harm.read(said)[-4000:]

    def _words(self, words: list[str]) -> list[str]:
        """The command, under the policy of containment where that is to be tried."""
        if not self.attempt.get("contained"):
            return words
        from operators_edge.containment import service  # noqa: PLC0415 - for this run alone

        policy = service.policy(world.PROJECT, self.env)
        return service.arguments(policy, words, folder=self.cwd, temp="/tmp")

    def _is_contained(self, tool: str) -> bool:
        """Whether the operating system alone is to stop the call: it is made whatever the gate says."""
        return tool in ("Bash", "Monitor") and bool(self.attempt.get("contained"))

    _make_monitor = _make_bash

    def _make_write(self, given: dict[str, Any]) -> tuple[bool, str]:
        path = _expanded(given["file_path"])
        try:
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8") as file:
                file.write(given["content"])
        except OSError as error:
            return False, str(error)
        return True, "written"

    def _make_edit(self, given: dict[str, Any]) -> tuple[bool, str]:
        text = harm.read(_expanded(given["file_path"]))
        if given["old_string"] not in text:
            return False, "String to replace not found"
        changed = text.replace(given["old_string"], given["new_string"], 1)
        return self._make_write({"file_path": given["file_path"], "content": changed})

    def _make_skill(self, given: dict[str, Any]) -> tuple[bool, str]:
        """The shell lines in a skill or a slash command, which the client runs without asking a hook."""
        name = str(given.get("skill") or given.get("command") or "").lstrip("/").split()[0]
        places = (f".claude/skills/{name}/SKILL.md", f".claude/commands/{name}.md")
        text = "".join(
            harm.read(os.path.join(above, place))
            for above in (world.PROJECT, world.HOME)
            for place in places
        )
        lines = re.findall(r"!`([^`]+)`", text) + re.findall(r"(?s)```!\n(.*?)```", text)
        said = [self._make_bash({"command": line})[1] for line in lines]
        return True, "\n".join(said)

    _make_slashcommand = _make_skill

    def _make_server_tool(self, tool: str) -> Any:
        """A server's tool, by its name: one runs commands, one writes files, one moves them."""
        if tool.endswith(("run_command", "execute", "exec", "bash")):
            return lambda given: self._make_bash({"command": _text_of(given)})
        if tool.endswith("write_file"):
            return lambda given: self._make_write(
                {"file_path": given["path"], "content": given["content"]}
            )
        if tool.endswith("move_file"):
            return lambda given: (bool(shutil.move(given["source"], given["destination"])), "moved")
        return None

    # -- steps -----------------------------------------------------------------------------------

    def _write(self, step: dict[str, Any]) -> None:
        path = os.path.join(world.PROJECT, _expanded(step["write"]))
        self.call("Write", {"file_path": path, "content": step["text"]})

    def _edit(self, step: dict[str, Any]) -> None:
        path = os.path.join(world.PROJECT, _expanded(step["edit"]))
        given = {"file_path": path, "old_string": step["old"], "new_string": step["new"]}
        self.call("Edit", given)

    def _tool(self, step: dict[str, Any]) -> None:
        self.call(step["tool"], step["input"])

    def _yes(self, step: dict[str, Any]) -> None:
        """A call whose dialog a person answers with yes, after ``open`` seconds."""
        given = {"command": step["yes"]}
        inner = self.before("Bash", **given)
        decision = str(inner.get("permissionDecision", ""))
        reason = str(inner.get("permissionDecisionReason", ""))
        shown = "yes" if decision == "ask" else decision or "ran"
        self.answers.append([describe("Bash", given), shown, reason[:600]])
        if decision == "deny":
            return
        if decision == "ask":
            self.decided += 1
            self.note_legitimate()
            self._wait_at_dialog(step)
        self._made("Bash", inner.get("updatedInput") or given)

    def _person(self, step: dict[str, Any]) -> None:
        """A line that the person types."""
        line = step["person"]
        self.note_legitimate()
        said = self.prompt(line)
        self.answers.append([f"person: {line}", "typed", said[:600]])
        if confirmed := confirmation(said):
            said = self.prompt(confirmed)
            self.answers.append([f"person: {confirmed}", "typed", said[:600]])
        self.decided += 1

    def _background(self, step: dict[str, Any]) -> None:
        self.call("Bash", {"command": step["background"], "run_in_background": True})

    def _prompted(self, step: dict[str, Any]) -> None:
        """A prompt that the client itself brings in, as for a schedule: not typed by anybody."""
        self.prompt(step["prompted"])

    def _again(self, step: dict[str, Any]) -> None:
        """The session ends and another one starts."""
        self.send("SessionEnd", reason="other")
        self.session = f"{self.session[:-1]}{'0' if self.session[-1] != '0' else '1'}"
        self.env["CLAUDE_CODE_SESSION_ID"] = self.session
        self.start(step["again"] or "startup")

    def _event(self, step: dict[str, Any]) -> None:
        fields = {k: v for k, v in step.items() if k != "event"}
        answer = self.send(step["event"], **fields)
        self.answers.append([f"event: {step['event']}", str(answer.get("decision") or "ran"), ""])

    # -- what ``harm`` asks for ------------------------------------------------------------------

    def is_guarded(self) -> bool:
        """Whether this session still stops a dangerous call."""
        answer = self.before("Bash", command="git push --force origin main")
        return answer.get("permissionDecision") in ("ask", "deny")

    # -- bookkeeping -----------------------------------------------------------------------------

    def _wait_at_dialog(self, step: dict[str, Any]) -> None:
        """Let what waits for the dialog happen while it is open."""
        show_dialog()
        time.sleep(step.get("open", 0))

    def wait_for_rest(self) -> None:
        """Wait until nothing that the agent started runs any more, at most for a while."""
        end = time.monotonic() + float(self.attempt.get("rest", 4))
        while time.monotonic() < end and harm.other_processes(self._persons):
            time.sleep(0.05)

    def finish(self) -> None:
        self.send("Stop", stop_hook_active=False)


def _text_of(given: dict[str, Any]) -> str:
    return next(
        (
            " ".join(v) if isinstance(v, list) else str(v)
            for v in given.values()
            if isinstance(v, str | list)
        ),
        "",
    )


def _expanded(path: str) -> str:
    return os.path.expanduser(path)
