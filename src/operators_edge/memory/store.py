"""Lessons found by their words: a full-text index beside the record, made anew when the lessons change.

Owns ``.proof/cache/recall-*.sqlite`` and the ranking. The index can be deleted at any time; where none can be
written it is made in memory. Does not own exact triggers (``memory.triggers``) or how often a lesson is told.
"""

from __future__ import annotations

import math
import os
import re
import sqlite3
from contextlib import closing, suppress
from typing import TYPE_CHECKING, Any, NamedTuple

from operators_edge.audit import segments
from operators_edge.errors import EdgeError, StateError
from operators_edge.state import lesson as lessons_
from operators_edge.state.lesson import Hit
from operators_edge.storage import files
from operators_edge.system.digest import sha256_hex
from operators_edge.text.tokens import terms

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

_MOST_LINES = 12
"""Lines of a query that are looked at by themselves, those that say most."""

_CANDIDATES = 40
_OF_PART = 0.5
"""What a part of an identifier counts for; the whole counts 1."""

_OF_PLACE = 0.1
"""What a name counts for that only says where something stands: ``src/app.py:12:5:``."""

_PLACE = re.compile(
    r"""(?<![^\s("'])(?=\S{0,300}\.[A-Za-z])(?:[A-Za-z]:)?[\w@.+~\\/-]{1,300}+"""
    r"""(?:"?, line |:|\()\d+(?:[:,]\d+)?"""
)
_NUMBER = re.compile(r"\d")
_SATURATION = 1.2
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


class _Query(NamedTuple):
    """``terms``: what each counts for, and the word that it was; ``lines``: which stand on each line."""

    terms: dict[str, tuple[float, str]]
    lines: list[set[str]]


def _read(query: str) -> _Query:
    found: dict[str, tuple[float, str]] = {}
    lines = []
    for line in query[:_MOST_TEXT].splitlines():
        there = set()
        for term, word, sign in _signs(line):
            there.add(term)
            if sign > found.get(term, (0.0, ""))[0]:
                found[term] = sign, word
        lines.append(there)
    return _Query(found, lines)


def _signs(line: str) -> Iterator[tuple[str, str, float]]:
    """Each term of a line, its word, and what it counts for."""
    at = 0
    for place in _PLACE.finditer(line):
        yield from _counted(line[at : place.start()], 1.0)
        yield from _counted(place.group(), _OF_PLACE)
        at = place.end()
    yield from _counted(line[at:], 1.0)


def _counted(text: str, sign: float) -> Iterator[tuple[str, str, float]]:
    for term, word, is_part in _tokens(text):
        yield term, word, sign * _OF_PART if is_part else sign


def _found(
    index: sqlite3.Connection,
    lessons: Sequence[Any],
    query: str,
    *,
    most: int,
    threshold: float,
) -> list[Hit]:
    asked = _read(query)
    counts = _counts(index, list(asked.terms)[:900])
    weights = {
        term: asked.terms[term][0] * _weight(count, len(lessons)) for term, count in counts.items()
    }
    known = sorted(
        (term for term, count in counts.items() if count), key=lambda term: (-weights[term], term)
    )[:_MOST_TERMS]
    if not known:
        return []
    lines = _telling(asked.lines, known, weights)
    is_one = len(lines) < 2
    total = sum(weights.values())
    rows = index.execute(
        "SELECT rowid, trigger, lesson FROM lessons WHERE lessons MATCH ?"
        " ORDER BY bm25(lessons, ?, ?) LIMIT ?",
        (_match(known, asked), *_WEIGHTS, most if is_one and not threshold else _CANDIDATES),
    ).fetchall()
    if not is_one:
        rows = _by_line(rows, lines, weights)
    hits: list[Hit] = []
    for number, trigger, text in rows if threshold else rows[:most]:
        wanted = set(trigger.split())
        there = wanted.union(text.split())
        held = [term for term in known if term in there]
        share = max(sum(weights[term] for term in held) / total, _of_trigger(wanted, lines))
        if share >= threshold:
            shown = list(dict.fromkeys(asked.terms[term][1] for term in held))[:4]
            lesson = lessons_.read(lessons[number - 1])
            hits.append(Hit(number, lesson, min(share, 0.999), f"words: {', '.join(shown)}"))
    return hits[:most]


def _match(known: Sequence[str], asked: _Query) -> str:
    """What the index is asked: a term that is said twice counts twice, so parts of identifiers count half.

    A name that only says where something stands is asked for where nothing else is known.
    """
    telling = [term for term in known if asked.terms[term][0] > _OF_PLACE] or known
    is_mixed = any(asked.terms[term][0] < 1 for term in telling)
    twice = (term for term in telling if is_mixed and asked.terms[term][0] == 1)
    return " OR ".join(f'"{term}"' for term in [*telling, *twice])


def _telling(
    lines: Sequence[set[str]], known: Sequence[str], weights: Mapping[str, float]
) -> list[set[str]]:
    """The known terms of the lines that say most; one that has a single one says nothing by itself."""
    wanted = set(known)
    found = [each for each in map(wanted.intersection, lines) if len(each) > 1]
    found.sort(key=lambda each: -sum(weights[term] for term in each))
    return found[:_MOST_LINES]


def _by_line(
    rows: Sequence[tuple[int, str, str]], lines: Sequence[set[str]], weights: Mapping[str, float]
) -> list[tuple[int, str, str]]:
    """The rows in the order of what one line says of each: the others are about something else."""
    held = [(row, row[1].split(), row[2].split()) for row in rows]
    average = sum(len(trigger) + len(text) for _, trigger, text in held) / max(1, len(held))
    asked = set().union(*lines)

    def worth(trigger: list[str], text: list[str]) -> float:
        length = _SATURATION * (0.25 + 0.75 * (len(trigger) + len(text)) / average)
        gain = {}
        for term in asked:
            times = _WEIGHTS[0] * trigger.count(term) + _WEIGHTS[1] * text.count(term)
            gain[term] = weights[term] * times / (times + length)
        return max(sum(gain[term] for term in line) for line in lines)

    held.sort(key=lambda each: -worth(each[1], each[2]))
    return [row for row, _, _ in held]


def _of_trigger(wanted: set[str], lines: Sequence[set[str]]) -> float:
    """How much of a trigger one line said. An error's output says much beside it, which counts for nothing.

    One word alone is no sign: what it plainly names is an exact trigger, and else it stands in many texts. So
    do two of three, if none of them is a number.
    """
    said = max((wanted & line for line in lines), key=len, default=set())
    is_sign = len(said) > 2 or (
        len(said) == 2 and (len(wanted) == 2 or any(map(_NUMBER.search, said)))
    )
    return len(said) / len(wanted) if is_sign else 0.0


def _counts(index: sqlite3.Connection, asked: Sequence[str]) -> dict[str, int]:
    """In how many lessons each term stands."""
    holes = ",".join("?" * len(asked))
    rows = index.execute(f"SELECT term, doc FROM counts WHERE term IN ({holes})", asked)  # noqa: S608 - holes only
    return {**dict.fromkeys(asked, 0), **dict(rows.fetchall())}


def _weight(lessons: int, count: int) -> float:
    """How much a term says: the fewer lessons hold it, the more."""
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
    return " ".join(term for term, _, _ in _tokens(text))


def _tokens(text: str) -> Iterator[tuple[str, str, bool]]:
    """As the index holds them: what SQLite takes for a letter depends on its version."""
    for term, word, is_part in terms(text):
        yield (term if term.isascii() else f"u{term.encode().hex()}"), word, is_part
