"""What all checks of ``edge doctor`` found in a project, kept until they run again or the dashboard ends."""

from __future__ import annotations

import os

from operators_edge.doctor import checks
from operators_edge.gate.facts import home
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from operators_edge.doctor.check import Check
    from operators_edge.project import Project


class Examined(NamedTuple):
    """``at`` is when, in ISO 8601."""

    at: str
    checks: tuple[Check, ...]


_known: dict[str, Examined] = {}


def examine(project: Project) -> Examined:
    """Run all checks; takes as long as the hooks do."""
    found = checks.examine(project.root, home(os.environ), is_set_up=True, env=os.environ)
    _known[project.root] = Examined(project.clock().isoformat(), tuple(found))
    return _known[project.root]


def last(root: str) -> Examined | None:
    """What they found last; None if nobody ran them."""
    return _known.get(root)


# end of module
