"""The demo's script through the real client: a scripted model on loopback, typed prompts."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.e2e.drive import World, notices, session
from tests.e2e.model_server import ModelServer, Use

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping


@contextlib.contextmanager
def real_world(top: Path, client: Path) -> Iterator[World]:
    """A hermetic place for the client below ``top``, with its scripted model."""
    with ModelServer() as server:
        yield World(top / "world", client, server)


class RealStage:
    """One client process; each typed line goes into the same one."""

    def __init__(
        self, world: World, turns: list[dict[str, Any]], show: Callable[..., None]
    ) -> None:
        self.server = world.server
        self.show = show
        self.is_told = False
        for turn in turns:
            if "says" in turn:
                calls = turn.get("calls", [])
                self.server.play(*[[Use(c["tool"], c["input"])] for c in calls], [turn["says"]])
        self._stack = contextlib.ExitStack()
        self.session = self._stack.enter_context(session(world))

    def person(self, turn: dict[str, Any]) -> None:
        self.show(f"> {turn['person']}")
        seen = len(self.server.requests)
        events = self.session.say(turn["person"])
        for text in notices(events):
            self.show("", text.partition("\n")[2])
        if len(self.server.requests) == seen:
            return
        self._tell(self.server.requests[seen].as_text())
        for event in events:
            self._event(event)

    def _tell(self, shown: str) -> None:
        """Show once what the session's first request carried of the record."""
        _, mark, rest = shown.partition("SessionStart hook additional context: ")
        if mark and not self.is_told:
            self.show("  the agent is told:", rest.partition("\n\n")[0])
        self.is_told = True

    def _event(self, event: Mapping[str, Any]) -> None:
        if event["type"] not in ("assistant", "user"):
            return
        content = event["message"]["content"]
        for block in content if isinstance(content, list) else []:
            if block["type"] == "tool_use":
                given = block["input"]
                words = given.get("command") or Path(str(given.get("file_path"))).name
                self.show(f"  {block['name']}: {words}")
            elif block["type"] == "text":
                self.show(f"  agent: {block['text']}")
            elif block["type"] == "tool_result" and block.get("is_error"):
                self.show("    denied:", str(block["content"]))
            elif block["type"] == "tool_result":
                self.show("    ran")

    def end(self) -> None:
        self.session.close()
        self._stack.close()
