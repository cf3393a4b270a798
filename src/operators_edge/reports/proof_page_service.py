"""Writes the proof page of a project, and checks one later against the log.

What is written is recorded in the log with its digest, so that the log, which is a chain, vouches for the
whole file: entries, claims, verdicts and words. Does not own what the page says (``reports.proof_page``) or
whether the chain holds (``storage.verify``).
"""

from __future__ import annotations

import gc
import os
from collections import Counter
from contextlib import contextmanager

from operators_edge import __version__
from operators_edge.datetimes import UTC
from operators_edge.errors import AnswerIsNo, EdgeError, UsageError
from operators_edge.git import commands as git
from operators_edge.redaction.redact import redact
from operators_edge.reports import entries, proof_page, seal, service, summary, timeline
from operators_edge.storage import files, segments, verify as log_verify
from operators_edge.system.digest import sha256_hex
from operators_edge.text.wording import one_line
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from datetime import datetime
    from typing import Any

    from operators_edge.project import Project
    from operators_edge.records import LogEntry
    from operators_edge.reports.summary import Summary

PAGE = "proof_viz.html"
"""The page's name below ``.proof``, where it is written unless a person names another place."""

MAX_ENTRIES = 100_000
MAX_BYTES = 25_000_000

_LARGEST_FILE = 100 * 1024 * 1024
_COMPARED = 200
"""Files whose lines are counted."""
_COMPARED_BYTES = 500_000


class Selection(NamedTuple):
    """Which entries: of one session, since a time, at most so many, the last ones."""

    session: str = ""
    since: datetime | None = None
    most: int = MAX_ENTRIES


class Written(NamedTuple):
    """``problem`` says why the log does not record it, "" if it does."""

    path: str
    size: int
    digest: str
    summary: Summary
    removed: int
    problem: str


# -- writing ---------------------------------------------------------------------------------------


def write(
    project: Project,
    *,
    path: str = "",
    selection: Selection = Selection(),  # noqa: B008 - it cannot be changed
    env: Mapping[str, str] = os.environ,
) -> Written:
    """Write the page and record it in the log. Raises UsageError for a place that holds something else."""
    folder = segments.folder_of(project.root)
    files.ensure_private_dir(folder)
    target = path or os.path.join(folder, PAGE)
    _require_place(target, is_ours=not path)
    with _without_collection():
        content, data = _built(project, selection, env)
    files.write_durable(target, data)
    made = seal.opened(data)
    digest = made.digest if made else ""
    said = {
        "file": os.path.basename(target),
        "digest": digest,
        "entries": content.summary.entries,
        "head": content.head.seq,
    }
    problem = ""
    try:
        project.log.append({"event": "report_written", "session": None, "data": said})
    except EdgeError as error:
        problem = error.message
    removed = sum(each.times for each in content.timeline.removed)
    return Written(target, len(data), digest, content.summary, removed, problem)


@contextmanager
def _without_collection() -> Iterator[None]:
    """No search for circles of garbage: a hundred thousand entries make none, and it takes long."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def _require_place(path: str, *, is_ours: bool) -> None:
    """A page replaces a page, and nothing else; a new file has the ending of one.

    In our own folder it replaces whatever older versions wrote there under its name.
    """
    if not path.endswith((".html", ".htm")):
        raise UsageError(f"{path} does not end in .html", hint="edge report --out proof.html")
    if not os.path.isdir(os.path.dirname(os.path.abspath(path))):
        raise UsageError(f"there is no folder {os.path.dirname(path)}")
    if os.path.islink(path) or (os.path.lexists(path) and not os.path.isfile(path)):
        raise UsageError(f"{path} is not an ordinary file", hint="name another one with --out")
    if is_ours or not os.path.lexists(path) or not os.path.getsize(path):
        return
    if seal.opened(_read(path)) is None:
        raise UsageError(
            f"{path} is not one of our proof pages, so it is not replaced", hint="name another one"
        )


_SMALLER = ((timeline.DETAILS, timeline.SUBJECT), (0, timeline.SUBJECT), (0, 40))
"""Room for details and length of texts, until the page fits: signs of other scripts take more bytes."""


def _built(
    project: Project, selection: Selection, env: Mapping[str, str]
) -> tuple[proof_page.Content, bytes]:
    """The page within its bounds, and what is on it."""
    content, builder = _content(project, selection, env)
    data = b""
    for room, limit in _SMALLER:
        made = builder.timeline(content.summary.answers, room=room, limit=limit)
        content = content._replace(timeline=made)
        data = proof_page.page(content).encode()
        if len(data) <= MAX_BYTES:
            break
    return content, data


def _content(
    project: Project, selection: Selection, env: Mapping[str, str]
) -> tuple[proof_page.Content, timeline.Builder]:
    """All that the page says, without secrets, and what its list of entries is made of.

    That list hides its secrets by itself, in batches: it is a hundred times as long as the rest.
    """
    values = project.secrets(env)

    def clean(text: str) -> str:
        return redact(text, values=values)

    unknown: list[str] = []
    fold, builder = summary.Fold(project.root), timeline.Builder(clean)
    reader = _Reader(project, selection)
    for entry, line in entries_of(reader):
        fold.add(entry, line)
        builder.add(entry, line)
    unknown += reader.problems
    found = fold.summary()
    if (selection.session or selection.since) and not found.entries:
        raise AnswerIsNo(f"{_chosen(selection)} has no entries", hint="edge report")
    now = _PlanNow(project, unknown)
    content = proof_page.Content(
        project=os.path.basename(project.root.rstrip(os.sep)) or project.root,
        version=__version__,
        written=project.clock().isoformat(timespec="seconds"),
        objective=now.objective,
        summary=found,
        claims=now.claims,
        counted=now.counted,
        open_steps=now.open_steps,
        lines=_lines(project.root, found, unknown),
        base=found.base,
        traceability=_traceability(found),
        unknown=tuple(unknown),
        earlier=reader.earlier,
        head=reader.head,
        timeline=timeline.Timeline({}, {}, 0, 0, ()),
    )
    hidden: proof_page.Content = _cleaned(content, clean)
    return hidden, builder


def _chosen(selection: Selection) -> str:
    session = f"session {selection.session}" if selection.session else "the log"
    return f"{session} since {selection.since:%Y-%m-%d %H:%M}" if selection.since else session


def _cleaned(value: Any, clean: Callable[[str], str]) -> Any:
    """The same with every text cleaned, however deep."""
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, tuple):
        parts = (_cleaned(each, clean) for each in value)
        return type(value)(*parts) if hasattr(value, "_fields") else tuple(parts)
    if isinstance(value, dict):
        return {_cleaned(key, clean): _cleaned(each, clean) for key, each in value.items()}
    return value


class _Reader:
    """The chosen entries of the log, and what was seen on the way: where it ends, whether it is a chain."""

    def __init__(self, project: Project, selection: Selection) -> None:
        self.root = project.root
        self._chosen = selection
        since = selection.since
        self._since = since.astimezone(UTC).isoformat(timespec="milliseconds") if since else ""
        last = project.log.count()
        self._first = max(1, last - selection.most + 1)
        self.head = seal.Head(0, segments.START)
        self.problems: list[str] = []
        self.earlier = 0

    def __iter__(self) -> Iterator[LogEntry]:
        """Every entry from the first on; ``has`` chooses. The others tell which step was in progress."""
        before = ""
        for raw, _ in segments.lines_from(self.root, self._first):
            digest = sha256_hex(raw)
            entry = segments.read(raw)
            seq, prev = entry.get("seq"), entry.get("prev")
            if (
                before
                and isinstance(prev, str)
                and prev != before
                and len(self.problems) < _PROBLEMS
            ):
                self.problems.append(
                    f"The log's chain is broken before entry {seq}: edge log verify"
                )
            before = digest
            if isinstance(seq, int):
                self.head = seal.Head(seq, digest)
            yield entry

    def has(self, line: entries.Line) -> bool:
        """Whether a line belongs on the page."""
        if line.seq and line.seq < self._first:
            return False
        if self._chosen.session and not line.session.startswith(self._chosen.session):
            return False
        return not self._since or not line.at or line.at >= self._since


_PROBLEMS = 5


def entries_of(reader: _Reader) -> Iterator[tuple[LogEntry, entries.Line]]:
    """The entries of the page, each with its line."""
    is_begun = False
    for entry, line in entries.with_lines(reader, root=reader.root):
        if reader.has(line):
            if not is_begun:
                reader.earlier, is_begun = max(0, line.seq - 1), True
            yield entry, line


class _PlanNow:
    """What state and tree say now, with a note for what could not be found out."""

    def __init__(self, project: Project, unknown: list[str]) -> None:
        self.objective = self.counted = ""
        self.claims: tuple[Any, ...] = ()
        self.open_steps: tuple[proof_page.OpenStep, ...] = ()
        try:
            state = project.state.read()
        except EdgeError as error:
            unknown.append(f"Plan and claims: {error.message}")
            return
        self.objective = one_line(state.get("objective") or "", 1000)
        steps = [each if isinstance(each, dict) else {} for each in state.get("plan") or []]
        self.open_steps = tuple(
            proof_page.OpenStep(
                number,
                one_line(each.get("description") or "", 200),
                one_line(each.get("status") or "pending", 40),
            )
            for number, each in enumerate(steps, 1)
            if each.get("status") != "completed"
        )
        try:
            found = service.proof_ledger_of(project)
        except (EdgeError, git.GitFailed) as error:
            unknown.append(f"Verdicts on the claims: {error}")
            return
        self.claims, self.counted = found.rows, found.counted


def _traceability(found: Summary) -> float | None:
    phases = [each for session in found.sessions for each in session.phases]
    calls = sum(each.calls for each in phases)
    return 100 * sum(each.tied for each in phases) / calls if calls else None


def _lines(root: str, found: Summary, unknown: list[str]) -> dict[str, tuple[int, int]]:
    """Lines that are new and gone in each changed file since the first commit; a moved line is neither."""
    paths = [each.path for each in found.changes if not os.path.isabs(each.path)][:_COMPARED]
    if not paths or not found.base:
        return {}
    before = _texts_at(root, found.base, paths)
    if before is None:
        unknown.append(f"Lines of changed files: git cannot read commit {found.base[:12]}")
        return {}
    counted: dict[str, tuple[int, int]] = {}
    for path, text in before.items():
        now = _text_now(os.path.join(root, path))
        if now is not None:
            old, new = Counter((text or "").splitlines()), Counter(now.splitlines())
            counted[path] = ((new - old).total(), (old - new).total())
    return counted


def _texts_at(root: str, commit: str, paths: Sequence[str]) -> dict[str, str | None] | None:
    """The files as they were; None if git fails or does not have the commit: then each would look new."""
    try:
        if git.ask(root, "cat-file", "-e", f"{commit}^{{commit}}") is None:
            return None
    except git.GitFailed:
        return None
    return git.texts(root, commit, paths, limit=_COMPARED_BYTES)


def _text_now(path: str) -> str | None:
    """A file as text, "" if it is gone; None for one that is too long or no file."""
    try:
        data = _read(path, limit=_COMPARED_BYTES)
    except FileNotFoundError:
        return ""
    except (OSError, EdgeError):
        return None
    return None if b"\0" in data else data.decode("utf-8", "replace")


def _read(path: str, *, limit: int = _LARGEST_FILE) -> bytes:
    fd = segments.open_log(path)
    with os.fdopen(fd, "rb") as file:
        data = file.read(limit + 1)
    if len(data) > limit:
        raise UsageError(f"{path} is larger than {limit} bytes")
    return data


# -- checking a page -------------------------------------------------------------------------------


class Checked(NamedTuple):
    """``problems`` say why the page is not to be trusted; ``notes`` what could not be checked."""

    manifest: seal.Manifest
    problems: tuple[str, ...]
    notes: tuple[str, ...]
    written: str
    """When the log says that this very file was written, "" if it does not."""

    @property
    def is_ok(self) -> bool:
        return not self.problems and bool(self.written)


def check(path: str, project: Project | None) -> Checked:
    """Check a page against the log of the project; without one, only against itself."""
    try:
        data = _read(path)
    except FileNotFoundError:
        raise UsageError(f"there is no file {path}", hint="edge report") from None
    made = seal.opened(data)
    if made is None:
        raise AnswerIsNo(f"{path} is not a proof page", hint="edge report")
    problems = []
    if not made.is_whole:
        problems.append("The file was changed after it was written: its digest does not fit.")
    if project is None:
        note = (
            "There is no log here, so only its own digest was checked: anyone can make a new one."
        )
        return Checked(made.manifest, tuple(problems), (note,), "")
    report = log_verify.verify(project.log)
    problems += [f"The log: {each}" for each in report.problems]
    notes = [f"The log: {each}" for each in report.notes]
    at = _recorded(project, made)
    if made.is_whole and not at:
        problems.append(_not_recorded(project, made.manifest))
    problems += _head_problems(project, made.manifest.head)
    return Checked(made.manifest, tuple(problems), tuple(notes), at if made.is_whole else "")


def _recorded(project: Project, made: seal.Sealed) -> str:
    """When the log recorded this digest."""
    for entry in project.log.search(event="report_written"):
        if (entry.get("data") or {}).get("digest") == made.digest:
            return str(entry.get("timestamp") or "")
    return ""


def _not_recorded(project: Project, manifest: seal.Manifest) -> str:
    here = os.path.basename(project.root.rstrip(os.sep))
    if manifest.project != here:
        return f"This log does not know the page: it says it belongs to {manifest.project}, not to {here}."
    return (
        "This log does not know the page: it was not written from it, or somebody made another one."
    )


def _head_problems(project: Project, head: seal.Head) -> Sequence[str]:
    """Whether the log still has the line that the page was written from."""
    if not head.seq:
        return ()
    for raw, _ in segments.lines_from(project.root, head.seq):
        if segments.read(raw).get("seq") == head.seq:
            is_same = sha256_hex(raw) == head.hash
            return () if is_same else (f"Entry {head.seq} of the log is not what it was then.",)
    return (f"The log no longer has entry {head.seq}, where the page ends.",)


# end of module
