"""The types of a check: what runs, where it stands in its command line, and how it ended.

Does not own the words of a command (``evidence.checks.programs``), the line around it
(``evidence.checks.attribution``) or outputs (``evidence.checks.outcome``).
"""

from __future__ import annotations

from operators_edge.tuples import NamedTuple

VIEWS = ("", "lines", "start", "end", "all")
"""How much of a command's output the line shows, the least first."""


class Place(NamedTuple):
    """What the line shows about one command in it.

    ``passes``: the line's success is the command's. ``fails``: its failure is. ``view``: one of VIEWS.
    ``max_lines``: what the narrowest viewer lets through, 0 without one. ``codes``: patterns of lines that
    print the command's exit code. ``is_judged`` is False in the background. ``is_chained``: only ``&&`` joins
    it. ``is_first``: it begins the last pipeline of its chain. ``is_mixed``: the line also shows files, which
    may hold the summary of another run; ``echoed`` is what its own ``echo`` commands print.
    """

    passes: bool = False
    fails: bool = False
    view: str = ""
    max_lines: int = 0
    codes: tuple[str, ...] = ()
    is_judged: bool = True
    is_chained: bool = False
    is_first: bool = False
    is_mixed: bool = False
    echoed: str = ""


class Check(NamedTuple):
    """One check of a command line.

    ``scope``: the paths and selectors named; empty for the whole project. ``cwd``: its folder, relative to
    the call's, None if unknown. ``is_remote``: on another machine or in a container. ``readers``: whose
    summaries it may print. ``rewrites``: it accepts its own results, so a pass means nothing.
    ``needs_summary``: its exit code alone means nothing. ``is_alone``: nothing else runs in the line.
    """

    kind: str
    name: str
    scope: tuple[str, ...] = ()
    cwd: str | None = ""
    readers: tuple[str, ...] = ()
    rewrites: bool = False
    is_remote: bool = False
    needs_summary: bool = False
    is_alone: bool = True
    place: Place = Place()


class Outcome(NamedTuple):
    """``passed`` is None if it is unknown; ``has_run`` is False if the check certainly did not run.

    ``failed`` are the names of failed tests.
    """

    passed: bool | None
    counts: dict[str, int] | None = None
    has_run: bool = True
    failed: tuple[str, ...] = ()


# end of module
