"""What changes in the projects, as server-sent events: names only, the page asks for what it shows.

Owns the files whose change matters. They are compared by size and time; none is read.
"""

from __future__ import annotations

import json
import os

from operators_edge.bridge import layout
from operators_edge.errors import EdgeError
from operators_edge.locations import HANDOFF_DIR, STATE_FILE
from operators_edge.storage import segments
from operators_edge.system.user_dirs import project_id, user_dir

TYPE_CHECKING = False
if TYPE_CHECKING:
    import threading
    from collections.abc import Callable, Iterator, Mapping

    from operators_edge.web.projects_service import Place

EVERY_SECONDS = 0.2
PLACES_EVERY = 25
"""Rounds between two looks at which projects there are."""

ALIVE_EVERY = 75
"""Rounds after which something is sent in any case: that is how a page that went away is noticed."""

Stamp = tuple[tuple[int, int, int], ...]


def files_of(root: str, env: Mapping[str, str]) -> tuple[str, ...]:
    """The files and folders of which one changes whenever a view of the project does."""
    name = project_id(root)
    own = os.path.join(user_dir(env), "projects", name)
    handoff = os.path.join(root, HANDOFF_DIR)
    return (
        os.path.join(root, STATE_FILE),
        segments.current_path(root),
        segments.sealed_dir(root),
        own,
        os.path.join(own, "questions"),
        os.path.join(own, "bridge.db"),
        os.path.join(own, "bridge.db-wal"),
        os.path.join(user_dir(env), "trash", name),
        *(os.path.join(handoff, folder) for folder in layout.FOLDERS),
    )


def stamp(paths: tuple[str, ...]) -> Stamp:
    """The files as they are now; one that is not there has zeros."""
    found = []
    for path in paths:
        try:
            status = os.stat(path)
        except OSError:
            found.append((0, 0, 0))
        else:
            found.append((status.st_mtime_ns, status.st_size, status.st_ino))
    return tuple(found)


def events(
    places: Callable[[], list[Place]], env: Mapping[str, str], ending: threading.Event
) -> Iterator[bytes]:
    """An event at once, and one for each change, until the server ends."""
    watched: dict[str, tuple[str, ...]] = {}
    before: dict[str, Stamp] = {}
    count = 0
    while True:
        if count % PLACES_EVERY == 0:
            try:
                watched = {each.id: files_of(each.root, env) for each in places()}
            except EdgeError:
                watched = {}  # the views say that the record cannot be read
        now = {ident: stamp(paths) for ident, paths in watched.items()}
        changed = [ident for ident in {**now, **before} if now.get(ident) != before.get(ident)]
        if changed or count == 0:
            yield f"data: {json.dumps({'changed': changed, 'is_first': count == 0})}\n\n".encode()
        elif count % ALIVE_EVERY == 0:
            yield b": still here\n\n"
        before = now
        count += 1
        if ending.wait(EVERY_SECONDS):
            return


# end of module
