"""Replaying past sessions for a command: which ones, for how long, with what progress (CL-3).

Used by ``edge replay``, by ``edge config`` before a change, and at the end of ``edge init``. Does not own
counting (``reports.replay``), judging (``reports.replay_service``) or reading
(``hosts.claude.past_sessions``).
"""

from __future__ import annotations

import os
import time

from operators_edge.cli.layout import columns
from operators_edge.cli.screen import ERASE_LINE
from operators_edge.errors import EdgeError
from operators_edge.hosts.claude.past_sessions import PastSessions
from operators_edge.project import wall_clock
from operators_edge.reports import replay_text
from operators_edge.reports.replay import Reading
from operators_edge.reports.replay_service import Replay, effective_rules, root_of
from operators_edge.text.markup import wrapped
from operators_edge.text.wording import WIDTH
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from operators_edge.cli.terminal import Terminal
    from operators_edge.reports.replay import Tally
    from operators_edge.reports.replay_service import Draft, RulesOf

DAYS = 30
_DAY = 86_400
_BRIEF_SECONDS = 1.5
"""For what is shown beside something else; a person waits for that."""
_PROGRESS_AFTER = 1.0


class Replayed(NamedTuple):
    tallies: Sequence[Tally]
    reading: Reading


def replay(
    rules: Sequence[RulesOf],
    *,
    days: int,
    root: str | None,
    seconds: float,
    terminal: Terminal | None = None,
) -> Replayed:
    """The sessions of so many days in the project at ``root``, None for all projects.

    Ends after so many seconds, wherever it is; ``terminal`` gets a line of progress if it is one.
    """
    started = time.monotonic()
    shown = terminal if terminal and terminal.err.isatty() and not terminal.json_wanted else None
    running = Replay(os.environ, rules)

    def goes_on(done: int, every: int) -> bool:
        elapsed = time.monotonic() - started
        if shown is not None and elapsed > _PROGRESS_AFTER:
            calls = running.tallies[0].calls
            shown.err.write(f"{ERASE_LINE}{done:,} of {every:,} transcripts, {calls:,} calls …")
            shown.err.flush()
        return elapsed < seconds

    past = PastSessions(
        os.environ,
        since=wall_clock().timestamp() - days * _DAY,
        is_wanted=lambda start: root is None or root_of(start) == root or _is_below(start, root),
        goes_on=goes_on,
    )
    try:
        running.run(past.items())
    finally:
        if shown is not None:
            shown.err.write(ERASE_LINE)
            shown.err.flush()
    reading = Reading(tuple(past.unread), past.damaged_lines, past.is_whole, tuple(running.gone))
    return Replayed(running.tallies, reading)


def _is_below(start: str, root: str) -> bool:
    """Whether a folder that is gone was in the project."""
    return not os.path.isdir(start) and f"{start}/".startswith(f"{root}/")


def at_the_end_of_init(root: str | None) -> list[str]:
    """What the last days would have been like: nothing if there were no sessions."""
    try:
        found = replay([effective_rules(os.environ)], days=DAYS, root=root, seconds=_BRIEF_SECONDS)
    except EdgeError as error:  # another project's settings must not undo what was set up here
        return [f"Past sessions were not counted: {error.message}"]
    told = replay_text.summary(found.tallies[0], found.reading, _frame(root))
    return [line for each in told for line in wrapped(each, _width())]


def _width() -> int:
    return min(columns(), WIDTH)


def before_a_change(root: str | None, draft: Draft) -> list[str]:
    """What other settings would have changed in the last days; ``root`` None: in all projects."""
    found = replay(
        [effective_rules(os.environ), effective_rules(os.environ, draft=draft)],
        days=DAYS,
        root=root,
        seconds=_BRIEF_SECONDS,
    )
    now, then = found.tallies
    told = replay_text.difference(now, then, found.reading, _frame(root))
    return [line for each in told for line in wrapped(each, _width())]


def _frame(root: str | None) -> replay_text.Frame:
    return replay_text.Frame(DAYS, where_of(root), "")


def where_of(root: str | None) -> str:
    return "all projects" if root is None else "this project"


# end of module
