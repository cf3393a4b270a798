"""What snapshots and trash take, as far as that is known already: for a screen that must not wait.

Nothing is measured, and git is not asked. Does not own the exact size of the snapshots
(``undo.restore.Undo.space``).
"""

from __future__ import annotations

import os

from operators_edge.system.project_root import git_folder, shared_folder
from operators_edge.system.user_dirs import undo_dir
from operators_edge.undo import budget
from operators_edge.undo.trash import Trash

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from operators_edge.project import Project


def taken(project: Project, env: Mapping[str, str] = os.environ) -> dict[str, int]:
    """Bytes: of the ``snapshots`` about, their ``limit``, and of the ``trash``. Raises EdgeError."""
    folder = undo_dir(shared_folder(git_folder(os.path.realpath(project.root))), env)
    trash = Trash(project.root, clock=project.clock, env=env).entries()
    return {
        "snapshots": budget.known_size(folder),
        "limit": project.undo_megabytes << 20,
        "trash": sum(each.size for each in trash),
    }


# end of module
