"""Finding lessons by their words: a full-text index that is rebuilt when the lessons change.

Owns ``.proof/cache/recall-*.sqlite`` and the ranking. The index can be deleted at any time; if it cannot be
written, it is built in memory. Does not own exact triggers (``memory.triggers``) or how often a lesson is
shown (``memory.service``).
"""

from __future__ import annotations

import math
import os
import sqlite3
from contextlib import closing, suppress
from itertools import pairwise

from operators_edge.errors import EdgeError, StateError
from operators_edge.state import lesson as lessons_
from operators_edge.state.lesson import Hit
from operators_edge.storage import files, segments
from operators_edge.system.digest import sha256_hex
from operators_edge.text.patterns import pattern
from operators_edge.text.tokens import terms
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any

THRESHOLD = 0.6
"""Share of a query, by the weight of its words, that a lesson must contain to be shown without request."""

_VERSION = "1"
"""Of the index format; an index of another version is not used."""

_MAX_TEXT = 20_000
"""Characters of a query that are read."""

_MAX_TERMS = 48
"""Terms of a query that are searched for, the rarest: the output of an error may have thousands."""

_MAX_LINES = 12
"""Lines of a query that are compared with a trigger, the most informative ones."""

_CANDIDATES = 40
_PART_WEIGHT = 0.5
"""Weight of a part of an identifier; the whole has weight 1."""

_LOCATION_WEIGHT = 0.1
"""Weight of a name that only gives a location: ``src/app.py:12:5:``."""

_LOCATION = pattern(
    r"""(?<![^\s("'])(?=\S{0,300}\.[A-Za-z])(?:[A-Za-z]:)?[\w@.+~\\/-]{1,300}+"""
    r"""(?:"?, line |:|\()\d+(?:[:,]\d+)?"""
)
_NUMBER = pattern(r"\d")
_WEIGHTS = (2.0, 1.0)
"""Weights of a word in the trigger and in the text."""

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
    limit: int = 5,
    threshold: float | None = None,
) -> list[Hit]:
    """The lessons whose words match the query best, the best first; ``score`` is below 1.

    ``lessons`` are the entries of ``memory`` in order. With a ``threshold``, only lessons that contain that
    share of the query, by the weight of its words.
    """
    if not lessons or limit < 1:
        return []
    try:
        with closing(_open_index(project_root, lessons)) as index:
            return _ranked_hits(index, lessons, query, limit=limit, threshold=threshold or 0.0)
    except sqlite3.Error as error:
        raise EdgeError(
            f"the lessons could not be searched: {error}",
            hint="edge lesson list   (shows them all)",
        ) from error


class _Query(NamedTuple):
    """``terms``: the weight of each, and its word as written; ``lines``: the terms of each line."""

    terms: dict[str, tuple[float, str]]
    lines: list[set[str]]


def _parse_query(query: str) -> _Query:
    query_terms: dict[str, tuple[float, str]] = {}
    lines = []
    for line in query[:_MAX_TEXT].splitlines():
        line_terms = set()
        for term, word, weight in _weighted_terms(line):
            line_terms.add(term)
            if weight > query_terms.get(term, (0.0, ""))[0]:
                query_terms[term] = weight, word
        lines.append(line_terms)
    return _Query(query_terms, lines)


def _weighted_terms(line: str) -> Iterator[tuple[str, str, float]]:
    """Each term of a line, its word, and its weight."""
    at = 0
    for place in _LOCATION.finditer(line):
        yield from _weighted(line[at : place.start()], 1.0)
        yield from _weighted(place.group(), _LOCATION_WEIGHT)
        at = place.end()
    yield from _weighted(line[at:], 1.0)


def _weighted(text: str, weight: float) -> Iterator[tuple[str, str, float]]:
    for term, word, is_part in _tokens(text):
        yield term, word, weight * _PART_WEIGHT if is_part else weight


def _ranked_hits(
    index: sqlite3.Connection,
    lessons: Sequence[Any],
    query: str,
    *,
    limit: int,
    threshold: float,
) -> list[Hit]:
    parsed = _parse_query(query)
    counts = _document_counts(index, list(parsed.terms)[:900])
    weights = {
        term: parsed.terms[term][0] * _weight(count, len(lessons)) for term, count in counts.items()
    }
    known = sorted(
        (term for term, count in counts.items() if count), key=lambda term: (-weights[term], term)
    )[:_MAX_TERMS]
    if not known:
        return []
    lines = _informative_lines(parsed.lines, known, weights)
    pairs = [one | other for one, other in pairwise(parsed.lines)]
    total = sum(weights.values())
    rows = index.execute(
        "SELECT rowid, trigger, lesson FROM lessons WHERE lessons MATCH ?"
        " ORDER BY bm25(lessons, ?, ?) LIMIT ?",
        (_match(known, parsed), *_WEIGHTS, _CANDIDATES if threshold else limit),
    ).fetchall()
    hits: list[Hit] = []
    for number, trigger, text in rows if threshold else rows[:limit]:
        wanted = set(trigger.split())
        contained = wanted.union(text.split())
        matching = [term for term in known if term in contained]
        share = max(
            sum(weights[term] for term in matching) / total, _trigger_share(wanted, lines, pairs)
        )
        if share >= threshold:
            named = list(dict.fromkeys(parsed.terms[term][1] for term in matching))[:4]
            lesson = lessons_.read(lessons[number - 1])
            hits.append(Hit(number, lesson, min(share, 0.999), f"words: {', '.join(named)}"))
    return hits[:limit]


def _match(known: Sequence[str], query: _Query) -> str:
    """The index query. A whole word is named twice to count double, as parts of identifiers count half.

    Names in locations are only searched for if nothing else is known.
    """
    searched = [term for term in known if query.terms[term][0] > _LOCATION_WEIGHT] or known
    is_mixed = any(query.terms[term][0] < 1 for term in searched)
    twice = (term for term in searched if is_mixed and query.terms[term][0] == 1)
    return " OR ".join(f'"{term}"' for term in [*searched, *twice])


def _informative_lines(
    lines: Sequence[set[str]], known: Sequence[str], weights: Mapping[str, float]
) -> list[set[str]]:
    """The known terms of the most informative lines; a line with a single one is left out."""
    wanted = set(known)
    found = [each for each in map(wanted.intersection, lines) if len(each) > 1]
    found.sort(key=lambda each: -sum(weights[term] for term in each))
    return found[:_MAX_LINES]


def _trigger_share(wanted: set[str], lines: Sequence[set[str]], pairs: Sequence[set[str]]) -> float:
    """The share of a trigger that one line contains, whatever else the output contains.

    Three words or more may also stand in two lines that follow each other.
    A single word does not count: if it names something exactly it is an exact trigger, and otherwise it
    occurs in many texts. The same holds for two words of three, if neither is a number.
    """
    if len(wanted) > 2 and any(wanted <= pair for pair in pairs):
        return 1.0
    shared = max((wanted & line for line in lines), key=len, default=set())
    is_significant = len(shared) > 2 or (
        len(shared) == 2 and (len(wanted) == 2 or any(map(_NUMBER.search, shared)))
    )
    return len(shared) / len(wanted) if is_significant else 0.0


def _document_counts(index: sqlite3.Connection, query_terms: Sequence[str]) -> dict[str, int]:
    """In how many lessons each term occurs."""
    placeholders = ",".join("?" * len(query_terms))
    sql = f"SELECT term, doc FROM counts WHERE term IN ({placeholders})"  # noqa: S608 - placeholders only
    rows = index.execute(sql, query_terms)
    return {**dict.fromkeys(query_terms, 0), **dict(rows.fetchall())}


def _weight(lessons: int, count: int) -> float:
    """The weight of a term: the fewer lessons contain it, the higher."""
    return math.log(1 + (count - lessons + 0.5) / (lessons + 0.5))


# -- the index -------------------------------------------------------------------------------------


def _open_index(root: str, lessons: Sequence[Any]) -> sqlite3.Connection:
    """The index of these lessons: the one on the disk if it is intact, else a new one."""
    path = _path(root, lessons)
    with suppress(sqlite3.Error):  # not there, or damaged: it is rebuilt
        return _existing(path)
    read = [lessons_.read(each) for each in lessons]
    _write(path, read)
    with suppress(sqlite3.Error):  # nothing could be written here
        return _existing(path)
    return _fill(sqlite3.connect(":memory:"), read)


_last: tuple[str, list[Any], str] = ("", [], "")
"""Project, texts of its lessons, path of their index: a digest of a thousand takes longer than the search."""


def _path(root: str, lessons: Sequence[Any]) -> str:
    global _last  # noqa: PLW0603 - one entry, replaced as a whole
    contents = [
        (each.get("trigger"), each.get("lesson")) if isinstance(each, dict) else each
        for each in lessons
    ]
    known_root, known, path = _last
    if known_root == root and known == contents:
        return path
    texts = [lessons_.read(each) for each in lessons]
    whole = "\0".join([_VERSION, *(f"{each['trigger']}\0{each['lesson']}" for each in texts)])
    key = sha256_hex(whole.encode("utf-8", "backslashreplace"))[:16]
    path = os.path.join(segments.folder_of(root), "cache", f"recall-{key}.sqlite")
    _last = (root, contents, path)
    return path


def _existing(path: str) -> sqlite3.Connection:
    if not os.path.isfile(path):
        raise sqlite3.OperationalError("there is no such file")
    index = sqlite3.connect(path)
    try:
        index.execute("SELECT count(*) FROM lessons_config").fetchone()
    except sqlite3.Error:
        index.close()
        raise
    return index


def _write(path: str, lessons: Sequence[dict[str, Any]]) -> None:
    """Write the file atomically, and remove those for earlier lessons."""
    folder, own = os.path.split(path)
    temp = f"{path}.{os.urandom(6).hex()}.tmp"
    with suppress(
        OSError, sqlite3.Error, StateError
    ):  # only a cache: the index is then built in memory
        files.ensure_private_dir(folder)
        try:
            _fill(sqlite3.connect(temp), lessons).close()
            os.replace(temp, path)
        finally:
            with suppress(FileNotFoundError):
                os.unlink(temp)
        for name in os.listdir(folder):
            if name.startswith("recall-") and name.endswith(".sqlite") and name != own:
                os.unlink(os.path.join(folder, name))


def _fill(index: sqlite3.Connection, lessons: Sequence[dict[str, Any]]) -> sqlite3.Connection:
    for table in _TABLES:
        index.execute(table)
    rows = (
        (number, _indexed_text(each["trigger"]), _indexed_text(each["lesson"]))
        for number, each in enumerate(lessons, 1)
    )
    index.executemany("INSERT INTO lessons(rowid, trigger, lesson) VALUES (?, ?, ?)", rows)
    index.execute("INSERT INTO lessons(lessons) VALUES ('optimize')")
    index.commit()
    return index


def _indexed_text(text: str) -> str:
    return " ".join(term for term, _, _ in _tokens(text))


def _tokens(text: str) -> Iterator[tuple[str, str, bool]]:
    """Terms as indexed: encoded, as what SQLite takes for a letter depends on its version."""
    for term, word, is_part in terms(text):
        yield (term if term.isascii() else f"u{term.encode().hex()}"), word, is_part


# end of module
