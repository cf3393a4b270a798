"""What the installation needs to know about the machine: the client's version, and git's exclude file."""

from __future__ import annotations

import os
import re
import subprocess

from operators_edge.git import commands
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


class Version(NamedTuple):
    """A version of the client."""

    major: int
    minor: int
    patch: int

    def __str__(self) -> str:
        return ".".join(map(str, self))


ANSWER_SECONDS = 20.0
"""For the client or git to answer a question of a person's command."""


class Exclude(NamedTuple):
    """``path`` is git's exclude file; ``prefix`` the project's folder in the working tree ("", "sub/").

    ``path`` is empty if there is none; ``why`` is the reason.
    """

    path: str
    prefix: str = ""
    why: str = ""


def client_path(env: Mapping[str, str]) -> str | None:
    """The Claude Code on PATH, or the one that EDGE_CLAUDE names."""
    import shutil  # noqa: PLC0415 - to set up only

    return env.get("EDGE_CLAUDE") or shutil.which("claude", path=env.get("PATH"))


def client_version(env: Mapping[str, str]) -> Version | None:
    """The version that the client reports; None if it is not installed or does not answer."""
    program = client_path(env)
    if program is None:
        return None
    try:
        done = subprocess.run(
            [program, "--version"],
            env=dict(env),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            timeout=ANSWER_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    found = re.search(r"(\d+)\.(\d+)\.(\d+)", done.stdout)
    return Version(*map(int, found.groups())) if found else None


def exclude_file(root: str) -> Exclude:
    """The file for ignore rules of this clone only; correct in worktrees and submodules, too.

    git is asked, because a worktree shares the file of its main repository.
    """
    question = ("rev-parse", "--show-prefix", "--git-path", "info/exclude")
    try:
        answer = commands.finish(commands.start(root, *question), ANSWER_SECONDS)
    except commands.GitFailed as error:
        return Exclude("", why=error.message)
    if answer.code != 0:
        is_none = "not a git repository" in answer.why
        return Exclude("", why="this is not a git repository" if is_none else answer.why)
    prefix, _, path = os.fsdecode(answer.out).removesuffix("\n").partition("\n")
    if "\n" in path:
        return Exclude("", why="the folder's name contains a line break")
    return Exclude(os.path.normpath(os.path.join(root, path)), prefix)


# end of module
