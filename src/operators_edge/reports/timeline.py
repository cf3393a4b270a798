"""The entries of a log as data for a page's script: columns of numbers and short texts, and details apart.

Pure. The columns hold every entry, so that a hundred thousand stay quick to filter. Details (input, output,
what else was logged) are in pieces that a script reads when an entry is opened; if they do not all fit, those
of failures, decisions and checks come first, and then the latest.
"""

from __future__ import annotations

import json
from collections import Counter

from operators_edge.reports.entries import KINDS, TONES
from operators_edge.text import timestamps
from operators_edge.text.patterns import pattern
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import Any

    from operators_edge.records import LogEntry
    from operators_edge.reports.entries import Line

PIECE = 1000
"""Entries of one piece of details."""

SUBJECT = 1000
SUBJECT_OF_MANY = 160
"""Characters of a line's subject, and where there are many entries."""
MANY = 20_000

INPUT, OUTPUT, MORE = 600, 1000, 800
"""Characters of a detail."""

DETAILS = 8_000_000
"""Characters of all details together."""

_MARK = pattern(r"\[REDACTED(?::([\w-]+))?\]")
_BATCH = 200

# What a line shows already, and what only programs can use.
_LEFT_OUT = frozenset(
    (
        *(
            "command",
            "shown",
            "rule",
            "by",
            "decision",
            "preview",
            "gist",
            "said",
            "tree",
            "classes",
        ),
        *("fingerprint", "binding", "cwd", "objective_hash", "hash", "key", "grants", "mac"),
        *(
            "look",
            "also",
            "look_why",
            "elsewhere",
            "junction",
            "answered",
            "host_id",
            "previous_clean",
        ),
    )
)


class Detail(NamedTuple):
    """What is shown of an opened entry besides its line; "" and None are left out."""

    input: str
    output: str
    more: str
    digest: str
    exit_code: int | None
    milliseconds: int | None


class Removed(NamedTuple):
    """What was hidden as a secret: its kind, how often, and the first entries."""

    kind: str
    times: int
    entries: tuple[int, ...]


class Timeline(NamedTuple):
    """``columns`` by name. ``details``: of each piece by the row's number in it; ``detailed`` counts them."""

    columns: Mapping[str, Any]
    details: Mapping[int, Mapping[str, Sequence[Any]]]
    detailed: int
    rows: int
    removed: tuple[Removed, ...]


class _Kept(NamedTuple):
    """What the details of an entry are made of, if there is room for them."""

    command: object
    input: object
    output: object
    rest: dict[str, Any]
    digest: str
    exit_code: int | None
    milliseconds: int | None

    @property
    def size(self) -> int:
        """About how many characters they take."""
        given = min(len(self.input), INPUT) if isinstance(self.input, str) else 0
        answered = min(len(self.output), OUTPUT) if isinstance(self.output, str) else 0
        return given + answered + _SIZE + (MORE // 4 if self.rest else 0)

    def detail(self) -> Detail:
        is_command = self.input == json.dumps({"command": self.command}, ensure_ascii=False)
        return Detail(
            "" if is_command else _text(self.input, INPUT),  # the line shows it
            _text(self.output, OUTPUT),
            _text(_outline(self.rest), MORE) if self.rest else "",
            self.digest,
            self.exit_code,
            self.milliseconds,
        )


def _kept(entry: LogEntry, line: Line) -> _Kept:
    data = entry.get("data")
    rest = data.keys() - _LEFT_OUT if isinstance(data, dict) else ()
    return _Kept(
        data.get("command") if isinstance(data, dict) else "",
        entry.get("input_preview") if line.event == "tool" else "",
        entry.get("output_preview"),
        {name: data[name] for name in data if name in rest} if data and rest else {},
        str(entry.get("diff_hash") or ""),
        entry.get("exit_code"),
        entry.get("duration_ms"),
    )


def _outline(value: object, indent: str = "") -> str:
    """Data as lines of names and values, which a person reads more easily than JSON."""
    if isinstance(value, dict):
        named = ((name, each) for name, each in value.items() if name not in _LEFT_OUT)
        parts = (f"{indent}{name}:{_behind(each, indent)}" for name, each in named if _says(each))
        return "\n".join(parts)
    if isinstance(value, list):
        return "\n".join(f"{indent}- {_outline(each, indent + '  ').strip()}" for each in value)
    return f"{indent}{_word(value)}"


def _says(value: object) -> bool:
    """Whether a value tells a reader anything: a check that did not pass does, an empty list does not."""
    return value is False or value not in ("", None, [], {})


def _behind(value: object, indent: str) -> str:
    """What follows a name: on its line if it is short."""
    if isinstance(value, list) and not any(isinstance(each, dict | list) for each in value):
        return " " + ", ".join(map(_word, value))
    if isinstance(value, dict | list) and value:
        return "\n" + _outline(value, indent + "  ")
    return f" {_word(value)}"


def _word(value: object) -> str:
    if isinstance(value, bool) or value is None:
        return {True: "yes", False: "no", None: "unknown"}[value]
    return str(value)


def _text(value: object, limit: int) -> str:
    if value in (None, "", {}, []):
        return ""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= limit else text[: limit - 1] + "…"


class Builder:
    """Lines and details as they come; ``clean`` hides secrets in a text."""

    def __init__(self, clean: Callable[[str], str], *, many: int = MANY) -> None:
        self._clean = clean
        self._many = many
        self._lines: list[Line] = []
        self._entries: list[_Kept] = []

    def add(self, entry: LogEntry, line: Line) -> None:
        self._lines.append(line)
        self._entries.append(_kept(entry, line))

    def timeline(
        self, answers: Mapping[int, str], *, room: int = DETAILS, limit: int = SUBJECT
    ) -> Timeline:
        """All of it; ``answers`` are the outcomes of questions that were asked in the client's dialog.

        ``room`` is for all details together, ``limit`` for each text of a line.
        """
        if len(self._lines) > self._many:
            limit = min(limit, SUBJECT_OF_MANY)
        chosen = sorted(self._fitting(room))
        subjects = self._cleaned([each.subject[: limit + _SPARE] for each in self._lines])
        subjects = [each if len(each) <= limit else each[: limit - 1] + "…" for each in subjects]
        details = self._cleaned_details(chosen)
        pieces: dict[int, dict[str, Sequence[Any]]] = {}
        for row, each in zip(chosen, details, strict=True):
            pieces.setdefault(row // PIECE, {})[str(row % PIECE)] = _trimmed(each)
        columns = self._columns(answers, limit) | {"x": subjects}
        removed = self._removed(subjects, dict(zip(chosen, details, strict=True)))
        return Timeline(columns, pieces, len(chosen), len(self._lines), removed)

    def _fitting(self, room: int) -> Iterable[int]:
        """The rows whose details fit: first what matters, then the latest."""
        sizes = [each.size for each in self._entries]
        if sum(sizes) <= room:
            return range(len(sizes))
        order = sorted(range(len(sizes)), key=lambda row: (not _matters(self._lines[row]), -row))
        chosen = []
        for row in order:
            room -= sizes[row]
            if room < 0:
                break
            chosen.append(row)
        return chosen

    def _cleaned(self, texts: list[str]) -> list[str]:
        """The texts without secrets. Most hold none, so a batch is looked at as one text first."""
        found: list[str] = []
        for start in range(0, len(texts), _BATCH):
            batch = texts[start : start + _BATCH]
            joined = "\n".join(batch)
            found += batch if self._clean(joined) == joined else map(self._clean, batch)
        return found

    def _cleaned_details(self, rows: Sequence[int]) -> list[Detail]:
        details = [self._entries[row].detail() for row in rows]
        columns = (
            [getattr(each, name) for each in details] for name in ("input", "output", "more")
        )
        texts = list(map(self._cleaned, columns))
        return [
            each._replace(input=given, output=output, more=more)
            for each, given, output, more in zip(details, *texts, strict=True)
        ]

    def _columns(self, answers: Mapping[int, str], limit: int) -> dict[str, Any]:
        outcomes = _Table(self._clean)
        sessions, agents, titles = _Table(self._clean), _Table(self._clean), _Table(self._clean)
        files, people, rules = _Table(self._clean), _Table(self._clean), _Table(self._clean)
        kinds = {kind: number for number, kind in enumerate(KINDS)}
        lines = self._lines
        columns: dict[str, Any] = {
            "q": _differences([each.seq for each in lines]),
            "t": _differences(_milliseconds(lines)),
            "k": [kinds[each.kind] for each in lines],
            "n": [titles.number(each.title) for each in lines],
            "o": [outcomes.number(answers.get(each.seq) or each.outcome) for each in lines],
            "s": [sessions.number(each.session) for each in lines],
            "a": [agents.number(each.agent) for each in lines],
            "p": [each.step or 0 for each in lines],
            "f": [files.number(each.file) for each in lines],
            "w": [people.number(each.who) for each in lines],
            "r": [rules.number(each.rule) for each in lines],
        }
        tables = {"n": titles, "o": outcomes, "s": sessions, "a": agents, "f": files}
        tables |= {"w": people, "r": rules}
        columns["tables"] = {"k": list(KINDS)} | {
            k: each.texts(limit) for k, each in tables.items()
        }
        columns["tones"] = [TONES.get(each, "") for each in outcomes.texts(limit)]
        return columns

    def _removed(
        self, subjects: Sequence[str], details: Mapping[int, Detail]
    ) -> tuple[Removed, ...]:
        times: Counter[str] = Counter()
        entries: dict[str, dict[int, None]] = {}
        for row, subject in enumerate(subjects):
            texts = (subject, *details[row][:3]) if row in details else (subject,)
            for text in texts:
                if "[REDACTED" in text:
                    for mark in _MARK.finditer(text):
                        kind = mark[1] or "secret"
                        times[kind] += 1
                        entries.setdefault(kind, {})[self._lines[row].seq] = None
        return tuple(
            Removed(kind, count, tuple(entries[kind])[:_ENTRIES_NAMED])
            for kind, count in times.most_common()
        )


_SIZE = 100
"""Characters of an entry's details besides its texts: a digest, numbers, signs between them."""

_SPARE = 200
"""A secret that stands across the end of a text is hidden before the text is cut."""

_ENTRIES_NAMED = 20


class _Table:
    """Texts that are stored once, by number."""

    def __init__(self, clean: Callable[[str], str]) -> None:
        self._clean = clean
        self._numbers: dict[str, int] = {}

    def number(self, text: str) -> int:
        return self._numbers.setdefault(text, len(self._numbers))

    def texts(self, limit: int) -> list[str]:
        return [self._clean(each)[:limit] for each in self._numbers]


def _matters(line: Line) -> bool:
    return line.tone != "" or line.kind in ("decision", "check", "claim")


def _milliseconds(lines: Iterable[Line]) -> list[int]:
    """Times since 1970; a missing one is that of the entry before."""
    found: list[int] = []
    for line in lines:
        at = timestamps.parse(line.at)
        found.append(round(at.timestamp() * 1000) if at else found[-1] if found else 0)
    return found


def _differences(numbers: list[int]) -> list[int]:
    return [now - before for before, now in zip([0, *numbers], numbers, strict=False)]


def _trimmed(each: Detail) -> list[Any]:
    values = list(each)
    while values and values[-1] in ("", None):
        values.pop()
    return values


# end of module
