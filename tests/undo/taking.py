"""Takes a snapshot as before a call, but raises what went wrong."""

import os

from operators_edge.project import wall_clock
from operators_edge.undo.snapshots import BEFORE_CALL, opened


def take(folder, *, root, reason, bounds=BEFORE_CALL, clock=wall_clock):
    with opened(folder, root, os.environ, bounds) as work:
        return work.keep(work.capture(), reason, clock)
