"""What an agent leaves that git cannot store, or that keeps git from storing: the tree is as before."""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from tests import repository
from tests.bridge.test_audit import git, put
from tests.bridge.test_watcher import Bridge, work

from operators_edge.bridge import cleanup
from operators_edge.errors import StateError

pytestmark = pytest.mark.skipif(os.name == "nt", reason="no pipes with a name")

EDITS = "import os, socket, subprocess, sys; open('new.txt', 'w').write('x'); "
NESTED = (
    "os.makedirs('sub/inner'); subprocess.run(['git', 'init', '-q', 'sub/inner'], check=True); "
    "open('sub/inner/a.txt', 'w').write('kept'); open('sub/b.txt', 'w'); "
)
DEEP = "\nfor _ in range(3000):\n  os.mkdir('d')\n  os.chdir('d')\nopen('bottom', 'w').write('x')\n"


@pytest.fixture
def bridge(tmp_path):
    return Bridge(repository.make(tmp_path / "work"), tmp_path / "state")


def everything(root):
    """Every path of the tree with its kind and permissions, but git's own and the Bridge's."""
    found = {}
    for base, folders, names in os.walk(root):
        folders[:] = [each for each in folders if each not in (".git", ".ai-handoff")]
        for name in (*folders, *names):
            path = os.path.join(base, name)
            found[os.path.relpath(path, root)] = stat.filemode(os.lstat(path).st_mode)
    return found


def test_a_repository_of_its_own_is_put_aside_and_the_next_task_runs(bridge):
    before = everything(bridge.root)
    bridge.script(EDITS + NESTED)
    assert bridge.run()[0] == ("opencode_failed",)
    assert everything(bridge.root) == before
    detail = bridge.result()["detail"]
    assert "it left repositories in the tree: sub/inner" in detail
    assert "it is in .ai-handoff/meta/t-1.attempt-1.left/inner" in detail
    assert bridge.file("meta/t-1.attempt-1.left/inner/a.txt") == "kept"
    assert "sub/b.txt" in bridge.file("patches/t-1_pre.patch")
    bridge.submit("t-2")
    assert bridge.run()[0] == (None,)


def test_one_that_verification_makes_is_put_aside_too_and_one_of_before_stays(bridge):
    git(bridge.root, "init", "-q", "mine")
    put(bridge.root, ".git/info/exclude", b"mine/\n")
    bridge.submit(commands_to_run=["git init -q other; mkfifo pipe; touch mine/x"])
    assert bridge.run()[0] == (None,)
    assert "it is in .ai-handoff/meta/t-1.attempt-1.left/other" in bridge.result()["detail"]
    assert os.path.isdir(os.path.join(bridge.root, "mine/.git"))
    bridge.submit("t-2")
    assert bridge.run()[0] == (None,)


def test_pipes_sockets_and_devices_go_and_those_of_before_or_ignored_stay(bridge):
    os.mkfifo(os.path.join(bridge.root, "own-pipe"))
    put(bridge.root, ".git/info/exclude", b"build/\n")
    before = everything(bridge.root)
    line = (
        "os.makedirs('a/b'); os.mkfifo('a/b/pipe'); os.makedirs('build'); os.mkfifo('build/p'); "
        "s = socket.socket(socket.AF_UNIX); s.bind('sock'); "
    )
    bridge.script(EDITS + line)
    assert bridge.run()[0] == (None,)
    after = everything(bridge.root)
    assert after.pop("build/p")[0] == "p"
    assert after.pop("build")
    assert after == before
    assert "removed a/b/pipe (a pipe); removed sock (a socket)" in bridge.result()["detail"]


def test_a_pipe_in_the_place_of_a_file_is_that_file_again(bridge):
    before = work(bridge.root)
    bridge.script(
        EDITS + "os.unlink('readme.txt'); os.mkfifo('readme.txt'); ", commands_to_run=["false"]
    )
    assert bridge.run()[0] == ("verify_failed",)
    assert work(bridge.root) == before


def test_a_path_too_long_to_be_named_is_put_aside(bridge):
    before = everything(bridge.root)
    bridge.script(f"exec({EDITS + DEEP!r})")
    assert bridge.run()[0] == (None,)
    assert everything(bridge.root) == before
    assert "too deep" in bridge.result()["detail"]
    assert len(bridge.result()["detail"]) < 1_000
    left = cleanup.found(bridge.root, bridge.queue.tasks(), bridge.clock())
    cleanup.remove(bridge.root, left)
    assert not [each for each in bridge.names("meta") if "t-1" in each]


def test_what_only_the_attempts_own_rules_ignored_goes_and_is_kept(bridge):
    before = everything(bridge.root)
    hides = EDITS + "open('.gitignore', 'w').write('*.log'); open('x.log', 'w').write('kept'); "
    for ident, commands in (("t-1", ["false"]), ("t-2", ["true"])):
        bridge.script(hides, ident, commands_to_run=commands)
        bridge.run()
        assert everything(bridge.root) == before
        ref = f"refs/operators-edge/bridge/{ident}/1-ignored"
        assert git(bridge.root, "show", f"{ref}:x.log") == b"kept"
    assert bridge.result("t-2")["status"] == "success"


def test_a_cache_that_hides_itself_is_no_part_of_the_work_and_rules_over_the_work_are_put_aside(
    bridge,
):
    cache = "import os; os.mkdir('cache'); open('cache/x', 'w'); open('cache/.gitignore', 'w').write('*'); "
    bridge.script(EDITS + cache, "t-1")
    bridge.script(cache.replace("cache", "other") + "open('.gitignore', 'w').write('*')", "t-2")
    bridge.run()
    changed = git(bridge.root, "diff", "--name-only", "main", "feat/ai/t-1").decode()
    assert "cache" not in changed
    assert bridge.result("t-1")["status"] == "success"
    assert "rules that hide themselves" in bridge.result("t-2")["detail"]


CLOSES = """
import os
os.makedirs('src/deep'); open('src/deep/a', 'w').write('a'); os.mkfifo('src/deep/p')
open('closed.txt', 'w').write('c'); os.chmod('closed.txt', 0)
os.chmod('readme.txt', 0); os.chmod('src/deep', 0); os.chmod('src', 0o500); os.chmod('tracked', 0)
"""


WITHOUT_RIGHTS = ("setpriv", "--bounding-set=-dac_override,-dac_read_search")
"""For root, whom no permission keeps from anything."""


@pytest.mark.skipif(
    os.getuid() == 0 and shutil.which(WITHOUT_RIGHTS[0]) is None, reason="root may do everything"
)
@pytest.mark.parametrize("commands", [["true"], ["false"]], ids=["passes", "fails"])
def test_what_was_closed_is_opened_for_a_person_without_special_rights(tmp_path, commands):
    code = f"from tests.bridge.test_strays import closes; closes({str(tmp_path)!r}, {commands})"
    first = WITHOUT_RIGHTS if os.getuid() == 0 else ()
    top = os.path.dirname(os.path.dirname(os.path.dirname(__file__)))
    subprocess.run([*first, sys.executable, "-c", code], cwd=top, check=True)


def closes(top, commands):
    root, state = repository.make(f"{top}/work"), Path(top, "state")
    put(root, "tracked/a.txt", b"a")
    git(root, "add", ".")
    git(root, "-c", "user.name=a", "-c", "user.email=a@example.invalid", "commit", "-qm", "x")
    bridge = Bridge(root, state)
    before = everything(root)
    bridge.script(f"exec({CLOSES!r})", commands_to_run=commands)
    bridge.run()
    result = bridge.result()
    assert everything(root) == before, result
    patch = bridge.file("patches/t-1_post.patch")
    assert "closed.txt" in patch, result
    assert "src/deep/a" in patch, result


def test_a_name_that_is_no_text_is_shown_with_a_mark(bridge):
    bridge.script(EDITS + "open(b'a\\xff', 'w')", scope=["src/**"], enforce_scope=True)
    assert bridge.run()[0] == ("scope_violation",)
    assert "a\ufffd" in bridge.result()["detail"]


@pytest.mark.parametrize("commands", [[], ["mv .git away; git init -q ."]])
def test_another_git_folder_is_put_aside_and_the_one_of_before_is_back(bridge, commands):
    before = everything(bridge.root)
    line = EDITS + (
        "" if commands else "os.rename('.git', 'x'); subprocess.run(['git', 'init', '-q'])"
    )
    bridge.script(line, commands_to_run=commands)
    assert bridge.run()[0] == ("tampered",)
    assert ".git was replaced" in bridge.result()["detail"]
    assert everything(bridge.root) == before
    assert bridge.names("meta") == ["t-1.attempt-1.left"]
    bridge.submit("t-2")
    assert bridge.run()[0] == (None,)


def test_without_the_git_folder_nothing_more_is_done_and_it_is_said(bridge):
    bridge.script(EDITS + "import shutil; shutil.rmtree('.git'); ")
    with pytest.raises(StateError, match="is not in the tree"):
        bridge.run()
    assert os.path.exists(os.path.join(bridge.root, "new.txt"))
    assert not os.path.exists(os.path.join(bridge.root, ".git"))
