"""Projects in unusual places: a command is rehearsed there like anywhere, and nothing of it happens."""

import ctypes
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from tests.hosting import clean_env, git
from tests.rehearsal.world import LIMITS, make_project, needs_rehearsal, tree

from operators_edge.cli.commands.rehearse import looked_at
from operators_edge.rehearsal.service import Rehearsal

pytestmark = [pytest.mark.long, needs_rehearsal]

COMMAND = "echo x > new.txt && rm src/a.txt && git add -A && git commit -qm second && echo done"


@pytest.fixture(scope="module")
def original(tmp_path_factory):
    place = tmp_path_factory.mktemp("original") / "project"
    make_project(place)
    return place


def plain(original, top):
    return Path(shutil.copytree(original, top / "p", symlinks=True))


def named(name):
    def made(original, top):
        return Path(shutil.copytree(original, top / name, symlinks=True))

    return made


def linked_tree(original, top):
    git(str(plain(original, top)), "worktree", "add", "-q", "-b", "side", str(top / "side "))
    return top / "side "


def submodule(original, top):
    project = plain(original, top)
    words = ["-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(original), "s"]
    git(str(project), *words)
    git(str(project / "s"), "config", "user.name", "t")
    git(str(project / "s"), "config", "user.email", "t@example.invalid")
    return project / "s"


def reached_by_a_link(original, top):
    (top / "link").symlink_to(plain(original, top))
    return top / "link"


NAMES = (
    "a,b",
    "a:b",
    " a b ",
    "äö",
    "a\nb",
    "a\\b",
    "a\\054b",
    "lowerdir=a,upperdir=:b",
    "a\vb",
    "\udcff",
)
PLACES = {repr(each): named(each) for each in NAMES} | {
    "a linked working tree": linked_tree,
    "a submodule": submodule,
    "a link": reached_by_a_link,
}


def checked(project, top, env, command=COMMAND):
    before = tree(top, with_times=True)
    with Rehearsal(
        command, folder=str(project), project=str(project), env=env, limits=LIMITS
    ) as rehearsal:
        seen = looked_at(rehearsal, env)
    assert tree(top, with_times=True) == before
    assert (seen.result.code, seen.result.output) == (0, "done\n")
    changed = {(Path(each.path).name, each.what) for each in seen.changes}
    assert {("new.txt", "created"), ("a.txt", "deleted")} <= changed


@pytest.mark.parametrize("place", PLACES.values(), ids=PLACES)
def test_a_commit_is_rehearsed_wherever_the_project_lies(original, tmp_path, place):
    checked(place(original, tmp_path), tmp_path, clean_env(str(tmp_path)))


@pytest.mark.parametrize("home", [None, "/dev/null", "", "/nowhere"])
def test_a_home_that_is_no_folder_is_not_needed(original, tmp_path, home):
    env = clean_env(home or "", XDG_STATE_HOME=str(tmp_path / "state"))
    if home is None:
        del env["HOME"]
    checked(plain(original, tmp_path), tmp_path, env)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root makes folders of two users")
def test_a_user_rehearses_in_a_project_below_a_folder_of_another_user(original):
    with tempfile.TemporaryDirectory(dir="/var/tmp") as top:
        Path(top).chmod(0o755)
        project = plain(original, Path(top))
        subprocess.run(["chown", "-R", "12345:12345", project], check=True)
        child = os.fork()  # another Python may lie where this user cannot read
        if child == 0:
            os.setgroups([])
            os.setgid(12345)
            os.setuid(12345)
            ctypes.CDLL(None).prctl(4, 1, 0, 0, 0)  # its /proc is its own again, as after a start
            try:
                place, env = str(project), clean_env(str(project))
                with Rehearsal(COMMAND, folder=place, project=place, env=env) as rehearsal:
                    os._exit(rehearsal.result.code or 0)
            finally:
                os._exit(99)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        assert not (project / "new.txt").exists()


@pytest.mark.parametrize("family", ["socket.AF_VSOCK", "socket.AF_ALG", "31"])
def test_sockets_that_know_no_namespace_cannot_be_made(original, tmp_path, family):
    code = f"import socket, sys\ntry:\n  socket.socket({family})\nexcept OSError as e:\n  sys.exit(e.errno)"
    command = f"{sys.executable} -I -S -c '{code}'"
    with Rehearsal(
        command, folder=str(tmp_path), project=str(tmp_path), env=clean_env(str(tmp_path))
    ) as rehearsal:
        assert rehearsal.result.code == 97, rehearsal.result.output
