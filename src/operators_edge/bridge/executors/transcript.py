"""What a program prints, line by line: what a person reads of it, and what it says of itself. Pure."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from operators_edge.bridge.executors.port import Usage

if TYPE_CHECKING:
    from collections.abc import Mapping

    from operators_edge.bridge.executors.port import Outcome

MAX_DENIED = 50
_MAX_LINE = 16 * 1024 * 1024
_MAX_SHOWN = 2_000


@dataclass
class Report:
    """What a program said so far.

    ``is_finished``: whether it said that it is done; None for a program that never says so. ``is_hopeless``:
    it goes on, and nothing will come of it, as when it tries a wrong key again and again.
    """

    is_finished: bool | None = None
    outcome: Outcome = "done"
    detail: str = ""
    is_hopeless: bool = False
    denied: list[str] = field(default_factory=list)
    usage: Usage = field(default_factory=Usage)
    due: str = ""

    def deny(self, what: str) -> None:
        if len(self.denied) < MAX_DENIED and what not in self.denied:
            self.denied.append(what)


class Transcript(Protocol):
    """One program's output, as it arrives."""

    report: Report

    def read(self, line: str) -> str:
        """Take one line; returns what a person reads of it, with its line break."""


_COLOURS = re.compile(r"\x1b\[[0-9;?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)")


def without_colours(text: str) -> str:
    """The text without what moves a terminal's cursor or changes its colours."""
    return _COLOURS.sub("", text)


class PlainText:
    """The output of a program that prints text: its exit code says everything."""

    def __init__(self) -> None:
        self.report = Report()

    def read(self, line: str) -> str:
        return without_colours(line)


class Events:
    """The output of a program that prints one JSON object for each event; other lines are text."""

    def __init__(self) -> None:
        self.report = Report(is_finished=False)

    def read(self, line: str) -> str:
        try:
            event = json.loads(line)
        except ValueError:
            return without_colours(line)
        return self.event(event) if isinstance(event, dict) else line

    def event(self, event: Mapping[str, Any]) -> str:
        """Take one event; returns what a person reads of it."""
        raise NotImplementedError


class Lines:
    """Bytes as whole lines of text, however they were cut on the way."""

    def __init__(self) -> None:
        self._held = bytearray()

    def feed(self, data: bytes) -> list[str]:
        """The lines that are whole now."""
        self._held += data
        if b"\n" not in data and len(self._held) < _MAX_LINE:
            return []
        whole, _, rest = bytes(self._held).rpartition(b"\n")
        if not whole and len(rest) >= _MAX_LINE:
            whole, rest = rest, b""
        self._held = bytearray(rest)
        return _lines(whole)

    def end(self) -> list[str]:
        rest, self._held = bytes(self._held), bytearray()
        return _lines(rest) if rest else []


def _lines(data: bytes) -> list[str]:
    """By line feeds alone: in JSON other separators of lines may stand within a text."""
    return data.decode("utf-8", "replace").split("\n")


def call_line(tool: str, given: object) -> str:
    """A call of a tool in one line: its name, and the path or pattern that it is about."""
    about = given if isinstance(given, dict) else {}
    for name in ("filePath", "file_path", "path", "pattern", "command", "url"):
        if about.get(name):
            return f"{tool} {cut(str(about[name]), 200)}"
    return tool


def cut(text: str, most: int = _MAX_SHOWN) -> str:
    """The beginning of a text, in one line."""
    line = " ".join(text.split())
    return line if len(line) <= most else f"{line[: most - 1]}…"


def number(value: object) -> int:
    return value if isinstance(value, int) else 0


def table(value: object) -> Mapping[str, Any]:
    """The value, if it is an object; an empty one if not."""
    return value if isinstance(value, dict) else {}


# end of module
