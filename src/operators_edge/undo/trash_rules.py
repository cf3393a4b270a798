"""What may be put into the trash, and back to where: the project's things, and temporary ones.

Owns the refusals and their words. Does not own the moves (``undo.trash``). Links are never followed:
a link goes itself, and what lies behind one counts as where it really is.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from operators_edge.errors import AnswerIsNo
from operators_edge.gate.facts import SystemFacts, place
from operators_edge.gate.paths import CallContext, is_git_internal, is_startup_or_key
from operators_edge.model import Call

if TYPE_CHECKING:
    from collections.abc import Mapping

_BY_PERSON = "a person does this in their own terminal"


def ground(root: str, env: Mapping[str, str] = os.environ) -> CallContext:
    return CallContext(Call("Bash", {}, root), place(root, env), SystemFacts())


def real_path(path: str, base: str) -> str:
    """The absolute path of the thing itself: links above it followed, itself not."""
    full = os.path.join(base, path).rstrip("/") or "/"
    name = os.path.basename(full)
    if name in ("", ".", ".."):
        return os.path.realpath(full)
    return os.path.join(os.path.realpath(os.path.dirname(full)), name)


def require_movable(path: str, here: CallContext) -> None:
    """Raise AnswerIsNo, with what to do, for a path that does not go into the trash."""
    if not os.path.lexists(path):
        raise AnswerIsNo(f"there is no {path}", hint="ls -la")
    if os.path.ismount(path):
        raise AnswerIsNo(f"{path} is where a file system is mounted", hint="umount it first")
    if path in (here.root, here.home, *here.temp) or here.is_root_or_home(path):
        raise AnswerIsNo(
            f"{path} holds more than a thing of this project", hint="name what is in it"
        )
    if here.is_state_file(path) or here.is_own_file(path) or here.holds_own_file(path):
        raise AnswerIsNo(f"{path} is, or holds, what guards this project", hint="edge uninstall")
    if is_git_internal(path):
        raise AnswerIsNo(f"{path} is git's own", hint="use git's commands")
    if _is_outside(path, here):
        raise AnswerIsNo(f"{path} is outside {here.root} and no temporary file", hint=_BY_PERSON)


def require_free(path: str, here: CallContext) -> None:
    """Raise AnswerIsNo for a path to which nothing is restored."""
    is_guarded = here.is_state_file(path) or here.is_own_file(path) or here.holds_own_file(path)
    if is_guarded or is_git_internal(path) or is_startup_or_key(path):
        raise AnswerIsNo(f"nothing is restored to {path}: it is run or trusted", hint=_BY_PERSON)
    if _is_outside(path, here):
        raise AnswerIsNo(f"{path} is outside {here.root} and no temporary file", hint=_BY_PERSON)


def _is_outside(path: str, here: CallContext) -> bool:
    """By where the thing is, not by where it points to, when it is a link."""
    folder = os.path.dirname(path)
    return here.is_outside(folder) if folder != path else True
