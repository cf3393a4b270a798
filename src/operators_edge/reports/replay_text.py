"""What ``edge replay`` and the lines before a change say. Pure: lines that fit a width."""

from __future__ import annotations

from operators_edge.datetimes import UTC, datetime
from operators_edge.reports.replay import STOPPED, Counts, Kind, changes
from operators_edge.text.markup import wrapped
from operators_edge.text.wording import fitted, many, one_line
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from operators_edge.reports.replay import Change, Outcome, Reading, Tally

    Redacted = Callable[[str], str]

MAX_ROWS = 8
"""So many commands, sessions and unread files are listed; ``--json`` has more."""
_MAX_RULES = 20
_COUNT_COLUMNS = 40
_LONGEST = 400
_VERBS: dict[Outcome, str] = {
    "asked": "would be asked",
    "denied": "would be denied",
    "snapshot": "would run after a snapshot",
}
_NOT_KNOWN = (
    "Judged with the files and branches of today: what was there at the time is not known. Where a file is "
    "gone, the command is judged by its words."
)


class Frame(NamedTuple):
    """What a replay was about: how many days, whose sessions, which profile."""

    days: int
    where: str
    profile: str

    @property
    def since(self) -> str:
        return f"last {many(self.days, 'day')}"


def lines(
    tally: Tally, reading: Reading, frame: Frame, redacted: Redacted, width: int
) -> Iterator[str]:
    yield fitted(f"{frame.since.capitalize()}, {frame.where}, profile {frame.profile}", width)
    yield _size(tally)
    if tally.calls:
        yield ""
        yield from _outcomes(tally)
        yield from _rules(tally, width)
        yield from _kinds(tally, redacted, width)
        yield from _sessions(tally, width)
    yield from _limits(tally, reading, width)


def _size(tally: Tally) -> str:
    if not tally.calls:
        return "no calls in the client's transcripts"
    calls = f"{tally.calls:,} calls" if tally.calls > 1 else "1 call"
    return f"{many(len(tally.sessions), 'session')}, {calls} ({tally.different:,} different)"


def _outcomes(tally: Tally) -> Iterator[str]:
    counts = tally.counts
    if not (counts.stopped or counts.snapshot):
        yield "  nothing would be asked or denied"
        return
    for outcome, verb in _VERBS.items():
        count = getattr(counts, outcome)
        where = f"in {many(tally.sessions_with((outcome,)), 'session')}" if count else ""
        yield f"{count:7,}  {verb:28}{where}".rstrip()
    yield f"{tally.per_hundred():7.1f}  {'of 100 calls stopped':28}in {_share(tally)} of sessions"


def _share(tally: Tally) -> str:
    return f"{100 * tally.sessions_with(STOPPED) / len(tally.sessions):.0f} %"


def _rules(tally: Tally, width: int) -> Iterator[str]:
    found = tally.by_rule()
    if not found:
        return
    wide = min(max(len(name) for name, _ in found), max(12, width - _COUNT_COLUMNS))
    yield ""
    yield f"{'Rule':{wide}}  {'asked':>6} {'denied':>6} {'snapshot':>8}  you answered"
    for name, counts in found[:_MAX_RULES]:
        row = f"{fitted(name, wide):{wide}}  {counts.asked:6} {counts.denied:6} {counts.snapshot:8}"
        yield fitted(f"{row}  {_answers(counts)}".rstrip(), width)
    if len(found) > _MAX_RULES:
        yield f"… and {many(len(found) - _MAX_RULES, 'rule')} more"


def _answers(counts: Counts) -> str:
    yes = f"{counts.yes} yes" if counts.yes else ""
    no = f"{counts.no} no" if counts.no else ""
    return ", ".join(filter(None, (yes, no)))


def _kinds(tally: Tally, redacted: Redacted, width: int) -> Iterator[str]:
    found = tally.most_stopped(MAX_ROWS)
    if not found:
        return
    yield ""
    yield "Stopped most"
    for kind in found:
        text = one_line(redacted(kind.text), _LONGEST)
        yield fitted(f"{kind.counts.stopped:5}x  {text}", width)
        for line in wrapped(_about(kind), width - 8):
            yield f"        {line}"


def _about(kind: Kind) -> str:
    verb = "denied" if not kind.counts.asked else "asked"
    said = f"{kind.rule}, {verb} in {many(len(kind.sessions), 'session')}"
    answers = _answers(kind.counts)
    said += f"; you answered {answers}" if answers else ""
    if kind.is_worth_a_scope:
        said += ". When it asks again, `/edge 1h` or `/edge session` covers the next ones"
    return said


def _sessions(tally: Tally, width: int) -> Iterator[str]:
    stopped = [each for each in tally.sessions.items() if each[1].counts.stopped]
    if not stopped:
        return
    stopped.sort(key=lambda each: (-each[1].counts.stopped, -each[1].first))
    several = len({session.start for session in tally.sessions.values()}) > 1
    yield ""
    yield "Sessions stopped most"
    for name, session in stopped[:MAX_ROWS]:
        counts = session.counts
        what = f"{counts.asked} asked, {counts.denied} denied of {many(session.calls, 'call')}"
        folder = f"  {one_line(session.start, _LONGEST)}" if several else ""
        yield fitted(
            f"  {_day(session.first)}  {one_line(name, _LONGEST)[:8]}  {what}{folder}", width
        )


def _day(at: float) -> str:
    try:
        return f"{datetime.fromtimestamp(at, UTC):%Y-%m-%d %H:%M}"
    except (ValueError, OverflowError, OSError):
        return "????-??-?? ??:??"


def _limits(tally: Tally, reading: Reading, width: int) -> Iterator[str]:
    """What is not known, and what was not read: never passed over."""
    said = [_NOT_KNOWN] if tally.calls else []
    if reading.gone:
        gone = many(len(reading.gone), "folder")
        said.append(f"{gone} of these sessions no longer there: {_list(reading.gone)}")
    if not reading.is_whole:
        said.append("Stopped before the end: older sessions are not counted. For fewer: --days N")
    if reading.damaged_lines:
        said.append(f"{many(reading.damaged_lines, 'line')} of transcripts could not be read")
    if reading.unread:
        said.append(f"Not read: {_list(f'{path} ({why})' for path, why in reading.unread)}")
    for text in said:
        yield ""
        yield from wrapped(text, width)


def _list(texts: object) -> str:
    every = [one_line(each, _LONGEST) for each in texts]  # type: ignore[attr-defined]
    more = f" and {len(every) - MAX_ROWS} more" if len(every) > MAX_ROWS else ""
    return ", ".join(every[:MAX_ROWS]) + more


# -- in few words ------------------------------------------------------------------------------------


def summary(tally: Tally, reading: Reading, frame: Frame) -> list[str]:
    """One or two lines for the end of ``edge init``; none without calls."""
    if not tally.calls:
        return []
    part = "" if reading.is_whole else "at least "
    counts = tally.counts
    size = f"{part}{many(len(tally.sessions), 'session')}, {tally.calls:,} calls"
    said = f"asked you {'once' if counts.asked == 1 else f'{counts.asked:,} times'}"
    said += f", stopped {counts.denied:,}" if counts.denied else ""
    said += f", let {counts.snapshot:,} through after a snapshot" if counts.snapshot else ""
    last = " and ".join(said.rsplit(", ", 1))
    return [f"In your {frame.since} ({size}) it would have {last}. `edge replay` shows them."]


def difference(before: Tally, after: Tally, reading: Reading, frame: Frame) -> list[str]:
    """What a change of rules would have meant, in two lines at most; none without calls."""
    if not before.calls:
        return []
    found = [_changed(each) for each in changes(before, after)]
    part = "" if reading.is_whole else ", as far as they were read"
    head = f"In your {frame.since} ({many(len(before.sessions), 'session')}{part}) it would have changed"
    return [f"{head}: {'; '.join(found)}."] if found else [f"{head} nothing."]


_NOUNS: dict[Outcome, str] = {"asked": "question", "denied": "denial", "snapshot": "snapshot"}


def _changed(change: Change) -> str:
    more = "more" if change.calls > 0 else "fewer"
    count = abs(change.calls)
    noun = many(count, _NOUNS[change.outcome]).partition(" ")[2]
    return f"{count:,} {more} {noun} in {many(change.sessions, 'session')}"


# end of module
