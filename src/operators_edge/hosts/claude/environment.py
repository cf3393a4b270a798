"""What the installation needs to know about the machine: the client's version, and git's exclude file."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

Version = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Exclude:
    """``path`` is git's exclude file; ``prefix`` the project's folder in the working tree ("", "sub/").

    ``path`` is empty if there is none; ``why`` is the reason.
    """

    path: str
    prefix: str = ""
    why: str = ""


def client_path(env: Mapping[str, str]) -> str | None:
    """The Claude Code on PATH, or the one that EDGE_CLAUDE names."""
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
            timeout=20,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    found = re.search(r"(\d+)\.(\d+)\.(\d+)", done.stdout)
    return (int(found[1]), int(found[2]), int(found[3])) if found else None


def exclude_file(root: str, env: Mapping[str, str]) -> Exclude:
    """The file for ignore rules of this clone only; correct in worktrees and submodules, too.

    git is asked, because a worktree shares the file of its main repository.
    """
    # A GIT_DIR set by an enclosing git hook would select another repository.
    clean = {name: value for name, value in env.items() if not name.startswith("GIT_")}
    question = ["git", "rev-parse", "--show-prefix", "--git-path", "info/exclude"]
    try:
        done = subprocess.run(
            question,
            cwd=root,
            env={**clean, "LC_ALL": "C"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=20,
            check=False,
        )
    except FileNotFoundError:
        return Exclude("", why="git is not installed")
    except (OSError, subprocess.TimeoutExpired) as error:
        return Exclude("", why=f"git did not answer: {error}")
    if done.returncode != 0:
        return Exclude("", why=_refusal(os.fsdecode(done.stderr)))
    prefix, _, path = os.fsdecode(done.stdout).removesuffix("\n").partition("\n")
    if "\n" in path:
        return Exclude("", why="the folder's name contains a line break")
    return Exclude(os.path.normpath(os.path.join(root, path)), prefix)


def _refusal(stderr: str) -> str:
    if "not a git repository" in stderr:
        return "this is not a git repository"
    first = stderr.strip().splitlines()[:1]
    return first[0] if first else "git failed without a message"
