"""Lessons found by their words: a full-text index beside the record, made anew when the lessons change.

Owns ``.proof/cache/recall-*.sqlite`` and the ranking. The index can be deleted at any time; where none can be
written it is made in memory. Does not own exact triggers (``core.triggers``) or how often a lesson is told.
"""

from __future__ import annotations

import math
import os
import sqlite3
from contextlib import closing, suppress
from typing import TYPE_CHECKING, Any

from operators_edge.core import lesson as lessons_
from operators_edge.core.digest import sha256_hex
from operators_edge.core.lesson import Hit
from operators_edge.core.terms import terms
from operators_edge.errors import EdgeError, StateError
from operators_edge.store import files, segments

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

THRESHOLD = 0.6
"""Share of what a query says that a lesson has to hold to be told unasked: below it there is silence."""

_VERSION = "1"
"""Of the index; another one makes it anew."""

_MOST_TEXT = 20_000
"""Characters of a query that are read."""

_MOST_TERMS = 48
"""Terms of a query that are searched for, the rarest: an error's output may hold thousands."""

_CANDIDATES = 40
_WEIGHTS = (2.0, 1.0)
"""Of a word in the trigger and in the text."""

_TABLES = (
    """CREATE VIRTUAL TABLE lessons USING fts5(
    trigger, lesson, tokenize="unicode61 remove_diacritics 0 tokenchars '_'")""",
    "CREATE VIRTUAL TABLE counts USING fts5vocab(lessons, 'row')",
)


def search(
    project_root: str,
    lessons: Sequence[Any],
    query: str,
    *,
    most: int = 5,
    threshold: float | None = None,
) -> list[Hit]:
    """The lessons whose words fit the query best, the best first; ``score`` is below 1.

    ``lessons`` are the entries of ``memory`` in order. With a ``threshold`` a lesson is only found where it
    holds that share of what the query says, by the weight of its words; without one the best are found.
    """
    if not lessons or most < 1:
        return []
    try:
        with closing(_opened(project_root, lessons)) as index:
            return _found(index, lessons, query, most=most, threshold=threshold or 0.0)
    except sqlite3.Error as error:
        raise EdgeError(
            f"the lessons could not be searched: {error}",
            hint="edge lesson list   (shows them all)",
        ) from error


def _asked(query: str) -> dict[str, str]:
    """Term → the word that it was."""
    found: dict[str, str] = {}
    for term, word in _tokens(query[:_MOST_TEXT]):
        found.setdefault(term, word)
    return found


def _found(
    index: sqlite3.Connection,
    lessons: Sequence[Any],
    query: str,
    *,
    most: int,
    threshold: float,
) -> list[Hit]:
    asked = _asked(query)
    weights = _weights(index, asked, len(lessons))
    nowhere = _weight(0, len(lessons))
    known = sorted(
        (term for term in weights if weights[term] < nowhere),
        key=lambda term: (-weights[term], term),
    )[:_MOST_TERMS]
    if not known:
        return []
    total = sum(weights.values())
    match = " OR ".join(f'"{term}"' for term in known)
    rows = index.execute(
        "SELECT rowid, trigger, lesson FROM lessons WHERE lessons MATCH ?"
        " ORDER BY bm25(lessons, ?, ?) LIMIT ?",
        (match, *_WEIGHTS, _CANDIDATES if threshold else most),
    )
    said = _lines(query, set(known))
    hits: list[Hit] = []
    for number, trigger, text in rows:
        wanted = set(trigger.split())
        there = wanted.union(text.split())
        held = [term for term in known if term in there]
        share = max(sum(weights[term] for term in held) / total, _of_trigger(wanted, said))
        if share >= threshold:
            shown = list(dict.fromkeys(asked[term] for term in held))[:4]
            lesson = lessons_.read(lessons[number - 1])
            hits.append(Hit(number, lesson, min(share, 0.999), f"words: {', '.join(shown)}"))
    return hits[:most]


def _lines(query: str, known: set[str]) -> list[set[str]]:
    """The known terms of each line; one that has a single one says nothing by itself."""
    found = (
        known.intersection(term for term, _ in _tokens(line))
        for line in query[:_MOST_TEXT].splitlines()
    )
    return [each for each in found if len(each) > 1]


def _of_trigger(wanted: set[str], lines: Sequence[set[str]]) -> float:
    """How much of a trigger one line said. An error's output says much beside it, which counts for nothing.

    One word alone is no sign: what it plainly names is an exact trigger, and else it stands in many texts.
    """
    most = max((len(wanted & line) for line in lines), default=0)
    return most / len(wanted) if most > 1 else 0.0


def _weights(index: sqlite3.Connection, asked: Mapping[str, str], count: int) -> dict[str, float]:
    """How much each term says: the fewer lessons hold it, the more."""
    holes = ",".join("?" * min(len(asked), 900))
    listed = list(asked)[:900]
    rows = index.execute(f"SELECT term, doc FROM counts WHERE term IN ({holes})", listed)  # noqa: S608 - holes only
    found = dict(rows.fetchall())
    return {term: _weight(found.get(term, 0), count) for term in listed}


def _weight(lessons: int, count: int) -> float:
    return math.log(1 + (count - lessons + 0.5) / (lessons + 0.5))


# -- the index -------------------------------------------------------------------------------------


def _opened(root: str, lessons: Sequence[Any]) -> sqlite3.Connection:
    """The index of these very lessons: the one on the disk where it is whole, else a new one."""
    path = _path(root, lessons)
    with suppress(sqlite3.Error):  # not there, or damaged: it is made anew
        return _read_only(path)
    read = [lessons_.read(each) for each in lessons]
    _write(path, read)
    with suppress(sqlite3.Error):  # nothing could be written here
        return _read_only(path)
    return _filled(sqlite3.connect(":memory:"), read)


_last: tuple[str, list[Any], str] = ("", [], "")
"""Project, what its lessons say and their index: a digest of a thousand takes longer than the search."""


def _path(root: str, lessons: Sequence[Any]) -> str:
    global _last  # noqa: PLW0603 - one entry, replaced whole
    said = [
        (each.get("trigger"), each.get("lesson")) if isinstance(each, dict) else each
        for each in lessons
    ]
    known_root, known, path = _last
    if known_root == root and known == said:
        return path
    texts = [lessons_.read(each) for each in lessons]
    whole = "\0".join([_VERSION, *(f"{each['trigger']}\0{each['lesson']}" for each in texts)])
    key = sha256_hex(whole.encode("utf-8", "backslashreplace"))[:16]
    path = os.path.join(segments.folder_of(root), "cache", f"recall-{key}.sqlite")
    _last = (root, said, path)
    return path


def _read_only(path: str) -> sqlite3.Connection:
    index = sqlite3.connect(f"file:{_quoted(path)}?mode=ro&immutable=1", uri=True)
    try:
        index.execute("SELECT count(*) FROM lessons_config").fetchone()
    except sqlite3.Error:
        index.close()
        raise
    return index


def _quoted(path: str) -> str:
    """As a URI holds it; ``urllib`` takes longer to load than the search takes."""
    for sign in "%?#":
        path = path.replace(sign, f"%{ord(sign):02x}")
    return path if os.sep == "/" else "/" + path.replace(os.sep, "/")


def _write(path: str, lessons: Sequence[dict[str, Any]]) -> None:
    """Make the file whole or not at all, and remove those of lessons as they were."""
    folder, own = os.path.split(path)
    temp = f"{path}.{os.urandom(6).hex()}.tmp"
    with suppress(OSError, sqlite3.Error, StateError):  # a cache: it is made in memory then
        files.ensure_private_dir(folder)
        try:
            _filled(sqlite3.connect(temp), lessons).close()
            os.replace(temp, path)
        finally:
            with suppress(FileNotFoundError):
                os.unlink(temp)
        for name in os.listdir(folder):
            if name.startswith("recall-") and name.endswith(".sqlite") and name != own:
                os.unlink(os.path.join(folder, name))


def _filled(index: sqlite3.Connection, lessons: Sequence[dict[str, Any]]) -> sqlite3.Connection:
    for table in _TABLES:
        index.execute(table)
    rows = (
        (number, _terms(each["trigger"]), _terms(each["lesson"]))
        for number, each in enumerate(lessons, 1)
    )
    index.executemany("INSERT INTO lessons(rowid, trigger, lesson) VALUES (?, ?, ?)", rows)
    index.execute("INSERT INTO lessons(lessons) VALUES ('optimize')")
    index.commit()
    return index


def _terms(text: str) -> str:
    return " ".join(term for term, _ in _tokens(text))


def _tokens(text: str) -> Iterator[tuple[str, str]]:
    """As the index holds them: what SQLite takes for a letter depends on its version."""
    for term, word in terms(text):
        yield (term if term.isascii() else f"u{term.encode().hex()}"), word
