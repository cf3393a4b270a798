"""What an inspection of ``edge doctor`` finds."""

from __future__ import annotations

from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal

    Level = Literal["ok", "warning", "problem"]


class Check(NamedTuple):
    """What was found, why it matters and what to run; ``name`` is that of the inspection."""

    level: Level
    what: str
    why: str = ""
    run: str = ""
    name: str = ""


def ok(what: str) -> Check:
    return Check("ok", what)


def warning(what: str, why: str = "", run: str = "") -> Check:
    return Check("warning", what, why, run)


def problem(what: str, why: str = "", run: str = "") -> Check:
    return Check("problem", what, why, run)


# end of module
