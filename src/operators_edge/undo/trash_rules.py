"""What may be moved into the trash, and restored to where: files of the project, and temporary ones.

Owns the refusals and their messages. Does not own the moves (``undo.trash``). Links are never followed: a
link is moved itself, and a path through one counts as the real path.
"""

from __future__ import annotations

import os

from operators_edge.errors import AnswerIsNo
from operators_edge.gate.facts import SystemFacts, place
from operators_edge.gate.paths import CallContext, is_git_internal
from operators_edge.model import Call

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

_BY_PERSON = "a person does this in their own terminal"


def trash_ground(root: str, env: Mapping[str, str] = os.environ) -> CallContext:
    return CallContext(Call("Bash", {}, root), place(root, env), SystemFacts())


def real_path(path: str, base: str) -> str:
    """The absolute path: links above it are resolved, the last component is not."""
    full = os.path.join(base, path).rstrip("/") or "/"
    name = os.path.basename(full)
    if name in ("", ".", ".."):
        return os.path.realpath(full)
    return os.path.join(os.path.realpath(os.path.dirname(full)), name)


def require_movable(path: str, ground: CallContext) -> None:
    """Raise AnswerIsNo, with what to do, for a path that must not be moved into the trash."""
    if not os.path.lexists(path):
        raise AnswerIsNo(f"there is no {path}", hint="ls -la")
    if os.path.ismount(path):
        raise AnswerIsNo(f"{path} is where a file system is mounted", hint="umount it first")
    if path in (ground.root, ground.home, *ground.temp) or ground.is_root_or_home(path):
        raise AnswerIsNo(
            f"{path} contains more than files of this project", hint="name what is in it"
        )
    if ground.is_state_file(path) or ground.is_own_file(path) or ground.holds_own_file(path):
        raise AnswerIsNo(f"{path} is, or contains, what guards this project", hint="edge uninstall")
    if is_git_internal(path):
        raise AnswerIsNo(f"{path} is git's own", hint="use git's commands")
    if _is_outside(path, ground):
        raise AnswerIsNo(
            f"{path} is outside {ground.root} and not a temporary file", hint=_BY_PERSON
        )


def require_free(path: str, ground: CallContext) -> None:
    """Raise AnswerIsNo for a path to which nothing may be restored."""
    is_guarded = (
        ground.is_state_file(path) or ground.is_own_file(path) or ground.holds_own_file(path)
    )
    if is_guarded or is_git_internal(path) or ground.is_startup_or_key(path):
        raise AnswerIsNo(f"nothing is restored to {path}: it is run or trusted", hint=_BY_PERSON)
    if _is_outside(path, ground):
        raise AnswerIsNo(
            f"{path} is outside {ground.root} and not a temporary file", hint=_BY_PERSON
        )


def _is_outside(path: str, ground: CallContext) -> bool:
    """By the path of the file itself: a link counts where it is, not where it points to."""
    folder = os.path.dirname(path)
    return ground.is_outside(folder) if folder != path else True


# end of module
