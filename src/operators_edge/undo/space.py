"""What snapshots and trash take, as far as that is known already: for a screen that must not wait.

Nothing is measured, and git is not asked. Does not own the exact size of the snapshots
(``undo.restore.Undo.space``).
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from operators_edge.system.project_root import git_folder
from operators_edge.system.user_dirs import project_id, user_dir
from operators_edge.undo import budget
from operators_edge.undo.trash import Trash

if TYPE_CHECKING:
    from collections.abc import Mapping

    from operators_edge.project import Project


def taken(project: Project, env: Mapping[str, str] = os.environ) -> dict[str, int]:
    """Bytes: of the ``snapshots`` about, their ``limit``, and of the ``trash``. Raises EdgeError."""
    folder = os.path.join(user_dir(env), "undo", project_id(_common(project.root)))
    trash = Trash(project.root, clock=project.clock, env=env).entries()
    return {
        "snapshots": budget.known_size(folder),
        "limit": project.undo_megabytes << 20,
        "trash": sum(each.size for each in trash),
    }


def _common(root: str) -> str:
    """The folder that the worktrees of the repository share; a linked one names it in a file."""
    own = git_folder(os.path.realpath(root))
    try:
        with open(os.path.join(own, "commondir"), encoding="utf-8") as file:
            return os.path.join(own, file.read(4096).strip())
    except (OSError, ValueError):
        return own


# end of module
