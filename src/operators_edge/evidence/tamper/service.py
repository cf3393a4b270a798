"""Logging weakened checks: by an edit, by a command, or found on the disk at a turn's end (PR-8).

Owns when they are searched for and what is logged. They are shown, and block nothing. Does not own what
counts as weakened (``evidence.tamper.detect``, ``evidence.tamper.bypass_options``).
"""

from __future__ import annotations

import os
import re

from operators_edge.evidence.session_facts import TAMPERING_KEPT, work_path
from operators_edge.evidence.tamper.model import SUPPRESSION, Change
from operators_edge.storage.files import read_bytes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

    from operators_edge.evidence.tamper.model import Finding
    from operators_edge.git.worktree import TreeState
    from operators_edge.model import Call
    from operators_edge.project import Project
    from operators_edge.records import LogEntry

MAX_FILES = 60
"""Changed files that are compared at a turn's end: tests and configuration first."""

MAX_BYTES = 200_000
"""A longer file is probably generated, and is not read."""

# A prefilter, because the detectors cost more to load than the rest of an event. What it rules out is not a
# test, configuration or suppression.
_PATH = re.compile(
    r"(?i)test|spec|\be2e\b|__|\.(?:rs|cy|bats|exs)\b"
    r"|\.(?:toml|cfg|ini|json|ya?ml|neon|xml|gradle|kts|properties)\b"
    r"|IT\.\w+$|\.(?:github|gitlab|circleci|husky|git)|hooks/|config|rc$|(?:make|jenkins|just|rake)file"
    r"|\b(?:ci|scripts|check|lint)|ignore|flake8|stylelint|simplecov|bandit"
)
_COMMAND = re.compile(
    r"no-verify|\s-\w*n\b|\s-\w*n\w*m\b|ooksPath|SKIP=|HUSKY|LEFTHOOK|PRE_COMMIT|uninstall|hooks/|\.husky"
    r"|deselect|--ignore|-k[ =]|assWithNoTests|[sS]kip|xclude|\s-x\s"
    r"|\|\||;\s*true|-u\b|[uU]pdate|UPDATE|insta\b"
    r"|testPathIgnore"
)


def of_call(project: Project, call: Call, response: object) -> list[LogEntry]:
    """The entries for what a finished call weakened; empty for nearly every call."""
    found: Sequence[Finding] = ()
    seen = "edit"
    if call.tool == "Bash":
        command = str(call.input.get("command") or "")
        if _COMMAND.search(command):
            from operators_edge.evidence.tamper import bypass_options  # noqa: PLC0415 - for these commands alone

            found, seen = bypass_options.of_command(command), "command"
    elif isinstance(response, dict):
        found = _of_edit(project.root, call, response)
    if not found:
        return []
    known = project.evidence.session(call.session)["tampering"]
    origin: LogEntry = {
        "session": call.session,
        "agent": call.agent,
        "tool": call.tool,
        "tool_use_id": call.id,
    }
    return [{**origin, **each} for each in _new(known, found, seen)]


def _of_edit(root: str, call: Call, response: Mapping[str, Any]) -> Sequence[Finding]:
    before, path = response.get("originalFile"), str(call.input.get("file_path") or "")
    if not isinstance(before, str) or max(len(before), 1) > MAX_BYTES:
        return ()
    relative = work_path(os.path.normpath(os.path.join(call.cwd, path)), root)
    if not _PATH.search(relative) and not SUPPRESSION.search(str(call.input)):
        return ()
    after = _after(before, call.input)
    if after is None or len(after) > MAX_BYTES:
        return ()
    from operators_edge.evidence.tamper import detect  # noqa: PLC0415 - for these files alone

    return detect.findings_of([Change(relative, before, after)])


def _after(text: str, edited: Mapping[str, Any]) -> str | None:
    """The text after the edit; None if unknown."""
    if isinstance(edited.get("content"), str):
        return str(edited["content"])
    edits = edited.get("edits", [edited])
    for edit in edits if isinstance(edits, list) else []:
        old, new = edit.get("old_string"), edit.get("new_string")
        if not isinstance(old, str) or not isinstance(new, str) or not old or old not in text:
            return None
        text = text.replace(old, new) if edit.get("replace_all") else text.replace(old, new, 1)
    return text


def _new(known: Mapping[str, Any], found: Iterable[Finding], seen: str) -> Iterable[LogEntry]:
    """The entries for what is not logged yet with this detail."""
    room = TAMPERING_KEPT - len(known)
    for each in found:
        before = known.get(each.key)
        if (before is None and room <= 0) or (before and before["detail"] == each.detail):
            continue
        room -= before is None
        yield {"event": "tampering", "data": {**each._asdict(), "seen": seen}}


# -- when a check or a turn ends ---------------------------------------------------------------------------


def compare_with_start(
    project: Project, session: str, before: TreeState, files: Sequence[str]
) -> None:
    """Log what changed since the session began against what was committed then.

    This covers the whole session: what commands did, and what was undone or moved meanwhile.
    """
    known = project.evidence.session(session)["tampering"]
    entries = since_start(project.root, known, before, files)
    project.log.append_many([{"session": session, **each} for each in entries])


def when_checked(project: Project, session: str, look: object) -> None:
    """The same for the tree that a check has just judged: by the turn's end it may be restored (PR-12)."""
    from operators_edge.evidence import tree_cache  # noqa: PLC0415 - after a check alone
    from operators_edge.git import worktree  # noqa: PLC0415 - after a check alone

    before = tree_cache.load(project.root, project.evidence.session(session)["tree"])
    judged = tree_cache.load(project.root, look)
    if before is None or judged is None:
        return
    files = worktree.changed(project.root, before, judged)
    if files:
        compare_with_start(project, session, before, files)


def since_start(
    root: str, known: Mapping[str, Any], before: TreeState, files: Sequence[str]
) -> list[LogEntry]:
    """The entries for what is weakened now and not known, and for what is known and restored.

    A file that differed from its commit already at the start is skipped: its content at that time is unknown.
    """
    if before.differs is None:
        return []
    chosen = _select([path for path in files if path not in before.differs])
    if not chosen and not known:
        return []
    found, read = _compared(root, before.head, chosen)
    undone: list[LogEntry] = [
        {
            "event": "tampering_undone",
            "data": {name: each[name] for name in ("kind", "path", "name")},
        }
        for key, each in known.items()
        if each["seen"] != "command"
        and key not in {one.key for one in found}
        and (each["path"] in read or _is_unchanged(each["path"], before.differs, files))
    ]
    return [*undone, *_new(known, found, "tree")]


def _is_unchanged(path: str, differed: Mapping[str, str], files: Sequence[str]) -> bool:
    return path not in files and path not in differed and not os.path.isabs(path)


_CODE = re.compile(
    r"\.(?:py|pyi|[cm]?[jt]sx?|vue|svelte|go|rs|java|kt|scala|cs|rb|php|exs?|dart|swift|c|cc|cpp|cxx|h|hpp)$"
)


def _select(files: Sequence[str]) -> list[str]:
    """The files to compare: tests and configuration first, then other code."""
    watched = [path for path in files if _PATH.search(path)]
    code = [path for path in files if _CODE.search(path) and not _PATH.search(path)]
    return [*watched, *code][:MAX_FILES]


def _compared(root: str, head: str, paths: Sequence[str]) -> tuple[Sequence[Finding], set[str]]:
    """The findings, and the paths that could be compared."""
    if not paths:
        return (), set()
    from operators_edge.evidence.tamper import detect  # noqa: PLC0415 - see above
    from operators_edge.git import commands as git  # noqa: PLC0415

    then = git.texts(root, head, paths, limit=MAX_BYTES)
    if then is None:
        return (), set()
    changes: list[Change] = []
    for path in paths:
        full = os.path.join(root, path)
        if path not in then or os.path.islink(full):
            continue
        size = os.path.getsize(full) if os.path.isfile(full) else 0
        data = read_bytes(full) if size <= MAX_BYTES and not os.path.isdir(full) else None
        if data is None and os.path.lexists(full):
            continue  # too long, or not a file any more
        after = None if data is None else data.decode("utf-8", "replace")
        changes.append(Change(path, then[path], after))
    return detect.findings_of(changes), {each.path for each in changes}


# end of module
