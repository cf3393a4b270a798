"""The calls of past sessions, from Claude Code's own transcripts (CL-3). Reads, never writes.

Owns where transcripts are, and reading an undocumented format: what is not understood is not a call. A
transcript has a line for each part of a message. What is known of it (versions up to 2.1.329):

- a call is an ``assistant`` line with a ``tool_use`` block, its ``cwd`` the folder at that time;
- a fork repeats the lines of the session that it continues, under its own ``sessionId`` and folder, with the
  first one's id in ``requestSessionId`` or ``session_id``; older versions repeat them without that;
- a subagent's calls are in ``SESSION/subagents/*.jsonl``, in older versions in the session's own file;
- an answer to a dialog is in the line of the call's result.

Files can have gigabytes: lines without a call or an answer are not parsed.
"""

from __future__ import annotations

import json
import os
import stat

from operators_edge.hosts.claude.transcript import BY_A_PERSON
from operators_edge.locations import known_home
from operators_edge.model import Call
from operators_edge.reports.replay import PastAnswer, PastCall
from operators_edge.text.timestamps import parse
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from typing import Any, BinaryIO

_MAX_LINE = 32 * 1024 * 1024
_PIECE = 4 * 1024 * 1024
_COST = _PIECE // 50
"""A line with a call takes as long as so many bytes without one."""
_MAX_HEAD = 8 * 1024 * 1024
"""The first line with a folder usually comes within so many bytes; if not, that of a call counts."""
_MAX_FILES = 100_000

_REFUSED = "The user doesn't want to proceed with this tool use"
"""How the result of a refused call begins, also in versions that say nothing else about the answer."""


def folder_of_transcripts(env: Mapping[str, str]) -> str:
    """The folder with a folder of transcripts for each project; "" if no home folder is known."""
    home = known_home(env)
    client = env.get("CLAUDE_CONFIG_DIR") or (home and os.path.join(home, ".claude"))
    return client and os.path.join(client, "projects")


class _File(NamedTuple):
    """One transcript; ``main`` is that of the session, for a subagent's another file."""

    path: str
    session: str
    main: str
    changed: float


class PastSessions:
    """Every call and answer since a time, each once, the files that changed last first.

    ``is_wanted`` chooses sessions by the folder in which they began. ``goes_on`` is called after each file
    and every few megabytes, with the number of files that are read and of all; if it says no, ``is_whole``
    is False. ``unread`` names what could not be read, with the reason.
    """

    def __init__(
        self,
        env: Mapping[str, str],
        *,
        since: float,
        is_wanted: Callable[[str], bool] = lambda _: True,
        goes_on: Callable[[int, int], bool] = lambda *_: True,
    ) -> None:
        self.unread: list[tuple[str, str]] = []
        self.damaged_lines = 0
        self.is_whole = True
        self._env = env
        self._since = since
        self._is_wanted = is_wanted
        self._goes_on = goes_on
        self._starts: dict[str, str] = {}
        self._seen: set[int] = set()
        self._with_copies: list[_File] = []
        self._done = self._all = 0

    def items(self) -> Iterator[PastCall | PastAnswer]:
        files = self._files()
        self._all = len(files)
        for file in files:
            yield from self._items_of(file, of_copies=False)
            if not self._may_go_on(1):
                return
        # What a fork repeats counts where it first happened; only what is nowhere else counts here.
        for file in self._with_copies:
            yield from self._items_of(file, of_copies=True)
            if not self._may_go_on():
                return

    def _may_go_on(self, files: int = 0) -> bool:
        self._done += files
        self.is_whole = self._goes_on(self._done, self._all) and self.is_whole
        return self.is_whole

    # -- finding files -----------------------------------------------------------------------------

    def _files(self) -> list[_File]:
        top = folder_of_transcripts(self._env)
        found: list[_File] = []
        for project in self._folders(top) if top else ():
            for entry in self._entries(project.path):
                name, ending = os.path.splitext(entry.name)
                if ending == ".jsonl":
                    found += self._file(entry, name, entry.path)
                elif not ending:
                    main = f"{entry.path}.jsonl"
                    for agent in self._entries(os.path.join(entry.path, "subagents")):
                        if agent.name.endswith(".jsonl"):
                            found += self._file(agent, name, main)
            if len(found) > _MAX_FILES:
                self.unread.append((top, f"more than {_MAX_FILES} transcripts: not all are read"))
                self.is_whole = False
                break
        found.sort(key=lambda file: (-file.changed, file.path))
        return found[:_MAX_FILES]

    def _folders(self, top: str) -> list[os.DirEntry[str]]:
        return [each for each in self._entries(top) if os.path.isdir(each.path)]

    def _entries(self, folder: str) -> list[os.DirEntry[str]]:
        try:
            with os.scandir(folder) as entries:
                return list(entries)
        except (FileNotFoundError, NotADirectoryError):
            return []
        except OSError as error:
            self._cannot(folder, error)
            return []

    def _file(self, entry: os.DirEntry[str], session: str, main: str) -> list[_File]:
        try:
            found = entry.stat()
        except OSError as error:
            self._cannot(entry.path, error)
            return []
        if not stat.S_ISREG(found.st_mode) or found.st_mtime < self._since:
            return []
        return [_File(entry.path, session, main, found.st_mtime)]

    def _cannot(self, path: str, error: OSError) -> None:
        self.unread.append((path, error.strerror or type(error).__name__))

    def _start(self, file: _File) -> str:
        """Where the session began: the first folder that its transcript names."""
        if file.session not in self._starts:
            is_main_there = os.path.exists(file.main)
            self._starts[file.session] = self._first_folder(
                file.main if is_main_there else file.path
            )
        return self._starts[file.session]

    def _first_folder(self, path: str) -> str:
        try:
            with open(path, "rb") as lines:
                while lines.tell() < _MAX_HEAD and (line := lines.readline(_MAX_HEAD)):
                    folder = _folder(_table(_parsed(line))) if b'"cwd"' in line else ""
                    if folder:
                        return folder
        except OSError:
            pass  # reading its calls says why
        return ""

    # -- reading one -------------------------------------------------------------------------------

    def _items_of(self, file: _File, *, of_copies: bool) -> Iterator[PastCall | PastAnswer]:
        start = self._start(file)
        if start and not self._is_wanted(start):
            return
        try:
            with open(file.path, "rb") as lines:
                for line in self._lines(lines):
                    yield from self._items_in(line, file, start, of_copies=of_copies)
        except OSError as error:
            self._cannot(file.path, error)

    def _lines(self, file: BinaryIO) -> Iterator[bytes]:
        """The lines that may hold a call or an answer. One that is too long is damaged."""
        read = 0
        while line := file.readline(_MAX_LINE):
            is_wanted = b'"tool_use"' in line or _may_be_answer(line)
            read += len(line) + _COST * is_wanted
            if read >= _PIECE:
                read = 0
                if not self._may_go_on():
                    return
            if len(line) == _MAX_LINE and not line.endswith(b"\n"):
                self.damaged_lines += 1
                while line and not line.endswith(b"\n"):
                    line = file.readline(_MAX_LINE)
            elif is_wanted:
                yield line

    def _items_in(
        self, line: bytes, file: _File, start: str, *, of_copies: bool
    ) -> Iterator[PastCall | PastAnswer]:
        entry = _table(_parsed(line))
        if not entry:
            self.damaged_lines += not of_copies
            return
        own = entry.get("sessionId") or file.session
        first = str(entry.get("requestSessionId") or entry.get("session_id") or own)
        is_copy = first != own
        if is_copy and not of_copies and file not in self._with_copies[-1:]:
            self._with_copies.append(file)
        if entry.get("type") == "user":
            yield from _answers(entry)
        elif entry.get("type") == "assistant" and is_copy == of_copies:
            yield from self._calls(entry, file, start, first)

    def _calls(
        self, entry: dict[str, Any], file: _File, start: str, session: str
    ) -> Iterator[PastCall]:
        when = parse(entry.get("timestamp"))
        at = when.timestamp() if when else file.changed
        begun = start or _folder(entry)
        if at < self._since or not (start or self._is_wanted(begun)):
            return
        for block in _blocks(entry):
            call = _call(block, _folder(entry) or start or "/", entry, session)
            if call is not None and self._is_new(call, file):
                yield PastCall(call, begun, at)

    def _is_new(self, call: Call, file: _File) -> bool:
        """Each call once, by the id that the client gave it."""
        mark = hash(call.id or (file.path, call.tool, json.dumps(call.input, sort_keys=True)))
        is_new = mark not in self._seen
        self._seen.add(mark)
        return is_new


def _may_be_answer(line: bytes) -> bool:
    return b'"tool_result"' in line and (
        b'"permissionDecision"' in line or _REFUSED.encode() in line
    )


def _blocks(entry: dict[str, Any]) -> list[dict[str, Any]]:
    content = _table(entry.get("message")).get("content")
    return [each for each in content if isinstance(each, dict)] if isinstance(content, list) else []


def _call(block: dict[str, Any], cwd: str, entry: dict[str, Any], session: str) -> Call | None:
    tool, given = block.get("name"), block.get("input")
    if block.get("type") != "tool_use" or not isinstance(tool, str) or not isinstance(given, dict):
        return None
    agent, ident = entry.get("agentId"), block.get("id")
    return Call(
        tool,
        given,
        cwd,
        session=session,
        agent=agent if isinstance(agent, str) else "",
        id=ident if isinstance(ident, str) else "",
    )


def _folder(entry: dict[str, Any]) -> str:
    folder = entry.get("cwd")
    return folder if isinstance(folder, str) and os.path.isabs(folder) else ""


def _answers(entry: dict[str, Any]) -> Iterator[PastAnswer]:
    decision = _table(entry.get("permissionDecision"))
    for block in _blocks(entry):
        ident = block.get("tool_use_id")
        if block.get("type") != "tool_result" or not isinstance(ident, str):
            continue
        if _text(block.get("content")).startswith(_REFUSED):
            yield PastAnswer(ident, is_yes=False)
        elif decision.get("source") in BY_A_PERSON:
            yield PastAnswer(ident, is_yes=decision.get("decision") == "accept")


def _text(content: Any) -> str:
    """The text of a result, which is one or the first of several parts."""
    part = content[0] if isinstance(content, list) and content else content
    return str(_table(part).get("text", part))


def _parsed(line: bytes) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None


def _table(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


# end of module
