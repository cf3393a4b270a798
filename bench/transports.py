"""Whether a call is answered alike by every way there is.

    python -m bench.transports CORPUS.jsonl [--cold N]

Each line of the corpus holds a command. All of them go through the gate in process, the process hook
with a resident, and the http endpoint; every so many of them, N in all, also through the process hook
that decides by itself. Each way has its own copy of a project, so that none sees another's junctions.
What differs is printed; the exit code is 1 when anything does.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any, NamedTuple, Self

from tests.hosting import COMMAND, clean_env

from bench import servers
from bench.hooks import event, project, run, session_of
from operators_edge import hook_client, hook_local
from operators_edge.storage import bindings

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

IN_PROCESS, COLD, WARM, HTTP = WAYS = ("in process", "cold", "warm", "http")
COLD_CALLS = 200


class Answer(NamedTuple):
    """What the client acts on, and the line that names the rule."""

    decision: str
    line: str


class Ways:
    """The four ways; each has its own person, session and project. To be entered and left."""

    def __init__(self, top: str, *, is_attended: bool) -> None:
        self._stack = ExitStack()
        self._calls = 0
        self.places: dict[str, tuple[str, dict[str, str]]] = {}
        for name in WAYS:
            root = project(os.path.join(top, name[0]), "project")
            env = {**clean_env(os.path.join(top, name[0], "home")), **session_of(root)}
            env |= {"CLAUDE_PID": str(os.getpid())}
            env |= {"CLAUDE_CODE_SESSION_ATTENDED": "1" if is_attended else "0"}
            self.places[name] = root, env
        self._send: dict[str, Callable[[bytes], bytes]] = {}
        self._bindings: dict[str, dict[str, Any]] = {}

    def __enter__(self) -> Self:
        homes = {name: env for name, (_, env) in self.places.items()}
        self._stack.enter_context(servers.resident(homes[WARM]))
        self._stack.enter_context(servers.resident(homes[HTTP]))
        _, known = self._stack.enter_context(servers.http_server(homes[HTTP]))
        connection = servers.Connection(known)
        self._stack.callback(connection.close)
        self._send = {
            IN_PROCESS: self._in_process,
            COLD: self._cold,
            WARM: self._warm,
            HTTP: connection.post,
        }
        for name, (root, env) in self.places.items():
            run(COMMAND, event(root, "SessionStart", source="startup"), env)
            self._bindings[name] = bindings.session_binding("bench", env=env) or {}
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def answers(
        self, tool: str, given: dict[str, Any], ways: Sequence[str] = WAYS, **more: Any
    ) -> dict[str, Answer]:
        """What each way says to the call; ``ROOT`` in its strings is the way's own project."""
        self._calls += 1
        return {way: self._answer(way, tool, given, more) for way in ways}

    def _answer(self, way: str, tool: str, given: dict[str, Any], more: dict[str, Any]) -> Answer:
        root, env = self.places[way]
        here = json.loads(json.dumps(given).replace("ROOT", root))
        fields = {"tool_name": tool, "tool_input": here, "tool_use_id": f"t{self._calls}", **more}
        session = f"session-{self._calls}"  # its own: what was asked before is remembered
        bindings.bind_session(session, self._bindings[way], env=env)
        said = self._send[way](event(root, "PreToolUse", session, **fields))
        inner = json.loads(said)["hookSpecificOutput"] if said else {}
        text = inner.get("permissionDecisionReason") or inner.get("additionalContext") or ""
        line = str(text).partition("\n")[0]
        line = line.replace(root, "ROOT").replace(os.path.dirname(root), "TOP")
        return Answer(str(inner.get("permissionDecision", "")), line)

    def _in_process(self, data: bytes) -> bytes:
        kept = dict(os.environ)
        os.environ.clear()
        os.environ.update(self.places[IN_PROCESS][1])
        try:
            return hook_local.answer("claude", json.loads(data)).encode()
        finally:
            os.environ.clear()
            os.environ.update(kept)

    def _cold(self, data: bytes) -> bytes:
        env = self.places[COLD][1]
        done = subprocess.run(COMMAND, input=data, env=env, capture_output=True, check=True)
        return done.stdout

    def _warm(self, data: bytes) -> bytes:
        root, env = self.places[WARM]
        reply = hook_client.ask_resident(
            "claude", data, {**env, hook_client.RESIDENT_VARIABLE: "on"}, root
        )
        if reply is None:
            raise RuntimeError("the resident did not answer")
        return reply.answer


def differing(answers: dict[str, Answer]) -> bool:
    return len(set(answers.values())) > 1


def main(words: list[str]) -> int:
    parser = argparse.ArgumentParser(description="Whether every way answers alike.")
    parser.add_argument("corpus")
    parser.add_argument(
        "--cold", type=int, default=COLD_CALLS, help="calls that are also sent cold"
    )
    given = parser.parse_args(words)
    with open(given.corpus, encoding="utf-8") as file:
        commands = [json.loads(line)["command"] for line in file if line.strip()]
    step = max(1, len(commands) // given.cold) if given.cold else len(commands) + 1
    others = [way for way in WAYS if way != COLD]
    differ, cold = 0, 0
    decisions: dict[str, int] = {}
    with (
        tempfile.TemporaryDirectory(prefix="edge-") as top,
        Ways(os.path.realpath(top), is_attended=True) as ways,
    ):
        for number, command in enumerate(commands):
            is_cold = number % step == step - 1
            cold += is_cold
            found = ways.answers("Bash", {"command": command}, WAYS if is_cold else others)
            decision = found[IN_PROCESS].decision or "silence"
            decisions[decision] = decisions.get(decision, 0) + 1
            if differing(found):
                differ += 1
                print(f"{command!r}")
                for way, said in found.items():
                    print(f"  {way:10} {said.decision or 'silence':8} {said.line}")
    shares = ", ".join(f"{count} {name}" for name, count in sorted(decisions.items()))
    print(
        f"{len(commands)} calls ({shares}), {cold} of them also cold: {differ} answered differently"
    )
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
