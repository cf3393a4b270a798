"""An index of the proof log, for a page of it and for a search in a million entries.

Owns ``.proof/cache/timeline.db``: where each entry is, and which words it has. The entries themselves are
read from the log. The index is a cache: it is brought up to date before it is asked, a long way in the
background, and built again if it is lost, damaged or of another log. Does not own how an entry reads
(``reports.entries``).
"""

from __future__ import annotations

import json
import os
import re
import sqlite3
import threading
import time
from contextlib import closing, suppress

from operators_edge.errors import EdgeError, StateError, UsageError
from operators_edge.reports import entries as told
from operators_edge.storage import segments
from operators_edge.storage.files import ensure_private_dir
from operators_edge.storage.log import searchable
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from operators_edge.records import LogEntry
    from operators_edge.storage.segments import Position

VERSION = "1"
"""Of the tables; another one is built again."""

INLINE_SECONDS = 0.1
"""How long a request brings the index up to date before it answers with what there is."""

_BATCH = 500
_MAX_WORDS = 12
_MAX_TERMS = 200
"""Words that begin alike, of which entries are looked for."""

_MAX_TEXT = 4000
_TAG = "\ue000"
"""In front of what is no word of an entry: a character for private use, which the tokenizer keeps."""

_TABLES = """
CREATE TABLE about (name TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;
CREATE TABLE places (place INTEGER PRIMARY KEY, seq INT, segment INT, start INT, length INT);
CREATE INDEX numbers ON places (seq);
CREATE VIRTUAL TABLE words USING fts5(text, content='', detail='none', columnsize=0,
  tokenize="unicode61 remove_diacritics 2 categories 'L* N* Co'");
INSERT INTO about VALUES ('version', '1');
"""


class Wanted(NamedTuple):
    """Which entries; "" for all. ``words``: all of them, in any field."""

    words: str = ""
    kind: str = ""
    outcome: str = ""
    session: str = ""

    @property
    def is_all(self) -> bool:
        return not any(self)


class IndexedEntry(NamedTuple):
    """``place`` orders the entries, as their numbers can be missing or twice in a damaged log."""

    place: int
    entry: LogEntry


class Progress(NamedTuple):
    """How much of the log is in the index, in bytes. ``problem``: why there is none."""

    read: int
    size: int
    problem: str = ""

    @property
    def is_complete(self) -> bool:
        return not self.problem and self.read >= self.size


class TimelineIndex:
    """The index of the project at ``root``; one object for all the threads of a process."""

    def __init__(self, root: str) -> None:
        self.root = root
        self.path = os.path.join(segments.folder_of(root), "cache", "timeline.db")
        self._writing = threading.Lock()
        self._worker: threading.Thread | None = None
        self._problem = ""

    def catch_up(self, seconds: float = INLINE_SECONDS) -> Progress:
        """Read what was added to the log; after ``seconds`` the rest is read in the background."""
        if self._writing.acquire(blocking=False):
            try:
                is_complete = self._read_on(time.monotonic() + seconds)
            finally:
                self._writing.release()
            if not is_complete and not self._problem:
                self._read_in_background()
        return self.progress()

    def _read_in_background(self) -> None:
        if self._worker is None or not self._worker.is_alive():
            self._worker = threading.Thread(target=self._read_all, daemon=True)
            self._worker.start()

    def _read_all(self) -> None:
        with self._writing:
            self._read_on(float("inf"))

    def progress(self) -> Progress:
        size = _size(self.root)
        if self._problem:
            return Progress(0, size, self._problem)
        try:
            with closing(_opened(self.path)) as index:
                return Progress(int(_about(index).get("read", "0")), size)
        except (sqlite3.Error, OSError, StateError):
            return Progress(0, size)

    def page(self, wanted: Wanted, *, before: int = 0, count: int = 100) -> list[IndexedEntry]:
        """The latest such entries, the latest first, of those before a place.

        Raises EdgeError if the index cannot be read.
        """
        try:
            with closing(_opened(self.path)) as index:
                rows = _rows(index, wanted, before or 1 << 62, count)
            return list(_entries(self.root, rows))
        except sqlite3.Error as error:
            raise EdgeError(f"the index of the log cannot be read: {error}") from error

    def entry(self, seq: int) -> IndexedEntry | None:
        """The entry with this number."""
        try:
            with closing(_opened(self.path)) as index:
                rows = index.execute(
                    "SELECT place, segment, start, length FROM places WHERE seq = ? LIMIT 1", (seq,)
                ).fetchall()
            return next(_entries(self.root, rows), None)
        except sqlite3.Error as error:
            raise EdgeError(f"the index of the log cannot be read: {error}") from error

    def _read_on(self, until: float) -> bool:
        """Add entries until the log's end or the time; whether the end was reached."""
        self._problem = ""
        for attempt in range(2):
            try:
                with closing(_opened(self.path, is_new=True)) as index:
                    return _add(index, self.root, until)
            except (segments.PositionLost, sqlite3.Error) as error:
                # Another log, or a damaged index: it is built again, once.
                _remove(self.path)
                if attempt:
                    self._problem = f"the log could not be indexed: {error}"
            except (OSError, StateError) as error:
                self._problem = f"the log could not be indexed: {error}"
                break
        return False


# -- the file --------------------------------------------------------------------------------------


def _opened(path: str, *, is_new: bool = False) -> sqlite3.Connection:
    if is_new and not os.path.exists(path):
        ensure_private_dir(os.path.dirname(path))
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
    index = sqlite3.connect(f"file:{_quoted(path)}?mode=rw", uri=True, timeout=5)
    try:
        index.execute("PRAGMA journal_mode = WAL")
        index.execute("PRAGMA synchronous = OFF")
        if is_new and _version(index) != VERSION:
            index.executescript(_TABLES)
    except sqlite3.Error:
        index.close()
        raise
    return index


def _quoted(path: str) -> str:
    return path.replace("%", "%25").replace("?", "%3f").replace("#", "%23")


def _version(index: sqlite3.Connection) -> str:
    tables = index.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
    if not tables:
        return ""
    version = _about(index).get("version", "")
    if version != VERSION:
        raise sqlite3.DatabaseError("it is of another version")
    return version


def _about(index: sqlite3.Connection) -> dict[str, str]:
    return dict(index.execute("SELECT name, value FROM about").fetchall())


def _remove(path: str) -> None:
    for end in ("", "-wal", "-shm"):
        with suppress(FileNotFoundError):
            os.unlink(path + end)


def _size(root: str) -> int:
    paths = [*(path for _, path in segments.sealed(root)), segments.current_path(root)]
    sizes = 0
    for path in paths:
        with suppress(OSError):
            sizes += os.stat(path).st_size
    return sizes


# -- writing ---------------------------------------------------------------------------------------


def _add(index: sqlite3.Connection, root: str, until: float) -> bool:
    """Add what follows the last entry, in transactions of many; whether it was all."""
    about = _about(index)
    start = _position(about.get("position", ""))
    place = index.execute("SELECT coalesce(max(place), 0) FROM places").fetchone()[0]
    read = int(about.get("read", "0"))
    batch: list[tuple[bytes, tuple[int, int]]] = []
    for each in segments.all_lines(root, start):
        batch.append(each)
        read += len(each[0]) + 1
        if len(batch) < _BATCH:
            continue
        place = _write(index, batch, place, read)
        batch = []
        if time.monotonic() > until:
            return False
        time.sleep(0)  # a page that waits comes first
    if batch:
        _write(index, batch, place, read)
    return True


def _write(
    index: sqlite3.Connection,
    batch: list[tuple[bytes, tuple[int, int]]],
    place: int,
    read: int,
) -> int:
    places, words = [], []
    for place_, (line, (segment, behind)) in enumerate(batch, place + 1):
        entry = segments.read(line)
        seq = entry.get("seq")
        start = behind - len(line) - 1
        number = seq if type(seq) is int else 0
        places.append((place_, number, segment, start, len(line)))
        words.append((place_, _text(entry)))
    position = segments.position(*batch[-1])
    with index:
        index.executemany("INSERT INTO places VALUES (?, ?, ?, ?, ?)", places)
        index.executemany("INSERT INTO words (rowid, text) VALUES (?, ?)", words)
        rows = (("position", json.dumps(position)), ("read", str(read)))
        index.executemany("INSERT OR REPLACE INTO about VALUES (?, ?)", rows)
    return place + len(batch)


def _position(text: str) -> Position | None:
    if not text:
        return None
    segment, offset, digest = json.loads(text)
    return int(segment), int(offset), str(digest)


def _text(entry: LogEntry) -> str:
    line = told.line(entry)
    tags = (
        _tag("k", line.kind),
        _tag("o", line.outcome),
        _tag("s", line.session),
    )
    said = searchable(entry)[:_MAX_TEXT].replace(_TAG, " ")
    words = f"{line.event} {line.title} {line.tool} {line.who} {line.rule} {said}"
    text = f"{words} {' '.join(filter(None, tags))}"
    return text.encode("utf-8", "replace").decode()


def _tag(name: str, value: str) -> str:
    kept = re.sub(r"[\W_]", "", value).lower()
    return f"{_TAG}{name}{kept}" if kept else ""


# -- reading ---------------------------------------------------------------------------------------

_Row = tuple[int, int, int, int]
"""Place, segment, start and length."""


def _rows(index: sqlite3.Connection, wanted: Wanted, before: int, count: int) -> list[_Row]:
    if wanted.is_all:
        return index.execute(
            "SELECT place, segment, start, length FROM places WHERE place < ?"
            " ORDER BY place DESC LIMIT ?",
            (before, count),
        ).fetchall()
    tags = [_tag("k", wanted.kind), _tag("o", wanted.outcome), _tag("s", wanted.session)]
    fixed = [f'"{each}"' for each in tags if each]
    words = _words(wanted.words)
    if wanted.words and not words:
        return []
    found = _matching(index, [*fixed, *(_term(index, each) for each in words)], before, count)
    if found or not words or words[-1].endswith("*"):
        return found
    words[-1] += "*"  # no such words: the last one may be unfinished
    return _matching(index, [*fixed, *(_term(index, each) for each in words)], before, count)


def _matching(index: sqlite3.Connection, terms: list[str], before: int, count: int) -> list[_Row]:
    if not all(terms):
        return []
    return index.execute(
        "SELECT place, segment, start, length FROM"
        " (SELECT rowid AS hit FROM words WHERE words MATCH ? AND rowid < ?"
        " ORDER BY rowid DESC LIMIT ?) JOIN places ON place = hit ORDER BY place DESC",
        (" AND ".join(terms), before, count),
    ).fetchall()


def _term(index: sqlite3.Connection, word: str) -> str:
    """A word, or any that begins with it; "" for none.

    SQLite's own search for a beginning reads every entry of each such word before the first is found.
    """
    if not word.endswith("*"):
        return f'"{word}"'
    start = word[:-1].lower()
    index.execute("CREATE VIRTUAL TABLE IF NOT EXISTS temp.terms USING fts5vocab(main, words, row)")
    rows = index.execute(
        "SELECT term FROM temp.terms WHERE term >= ? AND term < ? LIMIT ?",
        (start, f"{start}\U0010ffff", _MAX_TERMS + 1),
    ).fetchall()
    if len(rows) > _MAX_TERMS:
        raise UsageError(f"too many words begin with {start}: write more of it")
    return f"({' OR '.join(_quote(term) for (term,) in rows)})" if rows else ""


def _quote(term: str) -> str:
    doubled = term.replace('"', '""')
    return f'"{doubled}"'


def _words(text: str) -> list[str]:
    """The words to look for, as the index has them; with * behind it one is a beginning."""
    return re.findall(r"[^\W_]+\*?", text.replace(_TAG, " "))[:_MAX_WORDS]


def _entries(root: str, rows: list[_Row]) -> Iterator[IndexedEntry]:
    """The entries of the rows, from the log's files; those of a segment are read together."""
    paths: dict[int, str] = dict(segments.sealed(root))
    for segment in dict.fromkeys(each[1] for each in rows):
        path = paths.get(segment, segments.current_path(root))
        with segments.Opened(path) as fd:
            if fd is None:
                raise EdgeError(f"a part of the log is gone: {path}", hint="edge log verify")
            for place, _, start, length in (each for each in rows if each[1] == segment):
                yield IndexedEntry(place, segments.read(os.pread(fd, length, start)))


# end of module
