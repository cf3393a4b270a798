"""The projects that the dashboard shows: all that are guarded, and the one that it was started in."""

from __future__ import annotations

import os

from operators_edge.errors import NotSetUp
from operators_edge.integrity import store
from operators_edge.locations import STATE_FILE
from operators_edge.project import Project
from operators_edge.system.user_dirs import project_id
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


class Place(NamedTuple):
    """A project; ``id`` names it in addresses, ``name`` is for people: the end of its path."""

    id: str
    root: str
    name: str

    @property
    def is_there(self) -> bool:
        return os.path.lexists(os.path.join(self.root, STATE_FILE))

    def opened(self) -> Project:
        """The project; NotSetUp where its state file is gone."""
        if not self.is_there:
            raise NotSetUp(f"{self.root} has no {STATE_FILE}", hint="edge init")
        return Project(self.root, is_set_up=True)


def places(env: Mapping[str, str], here: str = "") -> list[Place]:
    """Every project, by name. StateDamaged: the record of them cannot be read."""
    record = store.read(env)
    roots = dict.fromkeys([*(record["projects"] if record else ()), *([here] if here else ())])
    there = [root for root in roots if root == here or os.path.isdir(root)]
    names = _names(there)
    found = [Place(project_id(root), root, names[root]) for root in there]
    return sorted(found, key=lambda each: (each.name.casefold(), each.root))


def _names(roots: list[str]) -> dict[str, str]:
    """The last part of each path; where two are the same, the last two."""
    short = {root: os.path.basename(root) or root for root in roots}
    taken = list(short.values())
    return {
        root: name if taken.count(name) == 1 else os.sep.join(root.rsplit(os.sep, 2)[-2:])
        for root, name in short.items()
    }


# end of module
