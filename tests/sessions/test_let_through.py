"""What a snapshot holds needs nobody's decision; nothing is lost of what is let through (GA-12)."""

from __future__ import annotations

import json
import os
import shutil
import stat
import subprocess

import pytest
from tests.cli import helps

from operators_edge.model import Call
from operators_edge.project import Project
from operators_edge.sessions import before_call
from operators_edge.sessions.context import EventContext
from operators_edge.state import document
from operators_edge.undo.restore import Undo
from operators_edge.undo.snapshots import SnapshotReason

pytestmark = pytest.mark.long  # a real repository for each line, and an undo

SETUP = r"""
git init -q -b main; git config user.email ann@example.com; git config user.name Ann
printf 'build/\n*.log\n.env\nnode_modules/\n*.pyc\n.proof/\nactive_context.yaml\n' > .gitignore
mkdir -p src/pkg src/__pycache__ docs build huge pipes node_modules sub/deep hl conf vendor/lib
echo readme > README.md; echo app > src/app.py; echo util > src/util.py; echo a > 'docs/a b.md'
echo '#!/bin/sh' > run.sh; chmod +x run.sh; ln -s src/app.py link; echo x > src/pkg/x.txt
echo c > conf/local.ini; echo s > src/staged.py
git add -A; git commit -qm one; echo two > src/second.py; git add -A; git commit -qm two
git branch side HEAD~1; git tag light; git tag -m text annotated; echo s > README.md; git stash -q
echo changed >> src/util.py; echo new > src/new.py; echo KEY=1 > .env; echo l > dev.log
echo o > build/out.o; echo m > node_modules/i.js; echo c > src/__pycache__/a.pyc
ln -s ../outside/secret.txt extlink; mkdir ext; ln -s ../../outside/dir ext/dir
truncate -s 120M huge/big.bin; mkfifo pipes/f; echo n > "$(printf 'nl\nname')"; echo notes > notes.txt
git -C vendor/lib init -q; echo v > vendor/lib/v.c; echo d > sub/deep/d.txt; ln -s deep sub/ln
ln ../outside/hard.txt hl/hard.txt
git update-index --skip-worktree conf/local.ini; echo mine > conf/local.ini
"""

KEPT = (
    "rm -rf src",
    "rm -rf src/pkg docs",
    "rm -rf node_modules/* src/pkg",
    "rm -rf nonexistent",
    "rm -rf sub",
    "rm -rf sub/ln/*",
    "rm -rf s* 'nl\nname'",
    "find . -name '*.pyc' -delete",
    "find . -name __pycache__ -exec rm -rf {} +",
    "find src -type f -delete",
    "find src -name src -exec rm -rf {} +",
    "> README.md",
    ": > src/util.py",
    "truncate -s 0 notes.txt",
    "cp /dev/null .env",
    "> dev.log",
    "> link",
    "tee notes.txt < /dev/null",
    "sed -i d notes.txt",
    "cat /dev/null > 'docs/a b.md'",
    "git checkout .",
    "git checkout -- src/util.py",
    "git restore .",
    "git reset --hard",
    "git checkout -f side",
    "git clean -fd src",
    "touch src/z && git clean -fd src",
    "git clean -fd -- sub",
    "git rm -rf src",
    "cd src && git rm -rf pkg",
    "cp README.md notes.txt",
    "mv README.md notes.txt",
    "rm -f .env notes.txt",
    "echo x > .env",
    "ln -sf /dev/null notes.txt",
    "git -C src clean -fd",
    "mkdir -p src && rm -rf src && mkdir src",
    "cd src && rm -rf pkg",
    "D=src; rm -rf $D/pkg",
    "for d in src docs; do rm -rf $d; done",
    "bash -c 'rm -rf src'",
    "python3 -c \"import shutil; shutil.rmtree('src')\"",
    "python3 - <<'E'\nfrom pathlib import Path\nPath('notes.txt').unlink()\nE",
    "find src -name '*.py' | xargs rm -f",
    "find src -name '*.py' | while read f; do rm \"$f\"; done",
    "find src -type f | xargs rm",
    "find src | xargs rm -rf",
    "find notes.txt | xargs rm",
    "find link notes.txt -print0 | xargs -0 rm",
    "find notes.txt -exec rm {} +",
    "find . -name '*.md' -print0 | xargs -0 rm",
    "find src -name pkg -print0 | xargs -0 rm -rf",
    "mkdir -p tmp && cp notes.txt tmp/ && rm -r tmp",
    "cp notes.txt src/ && rm -rf src",
    "git reset --hard HEAD~1",
    "git reset --hard side",
    "git branch -D side",
    "git branch -f side main",
    "git tag -f light HEAD~1",
    "git stash drop",
    "git stash clear",
)

ASKED = (
    # more than a snapshot holds
    "rm -rf huge",
    "rm -rf pipes",
    "rm -rf vendor",
    "rm -rf *",
    "rm -f *",
    "git clean -fd",
    "git clean -ffd vendor",
    "> huge/big.bin",
    "rm huge/big.bin",
    "rm -f huge/*",
    "cp README.md huge/big.bin",
    "mv README.md huge/big.bin",
    "tee huge/big.bin < README.md",
    "git rm -rf .",
    # other names of the same file, and what is elsewhere
    "> hl/hard.txt",
    "> extlink",
    "cp -l ../outside/secret.txt x.txt; > x.txt",
    "rm -rf ext/dir/",
    "rm -rf ext/dir/*",
    "cd ext/dir && rm -rf *",
    "find -L ext -name f.txt -delete",
    "find . -name a -o -size 0 -delete",
    # a cd that may fail, or lead elsewhere, leaves the command where it was
    "cd nowhere; rm -rf *",
    "cd nowhere; rm -rf build",
    "cd /tmp/nowhere; rm -rf src",
    "cd nowhere || true; rm -rf notes.txt",
    "cd nowhere; git clean -fd",
    "cd nowhere; git clean -fdx build",
    "cd nowhere; find . -name '*.txt' -delete",
    "CDPATH=..; cd src && rm -rf pkg",
    # something on the line that comes between
    "mv notes.txt build/ && rm -rf build",
    "mv notes.txt build/ && git clean -fdx build",
    "mv src build/ && rm -rf build",
    "cp -a ext src/ && rm -rf src",
    "rm .gitignore; git clean -fd src",
    "echo > .gitignore; git clean -fd src",
    "ln -s ../outside/dir src/l && rm -rf src/l/*",
    "make && rm -rf src",
    "python3 -c 'print(1)' > src/q; rm -rf src",
    "for d in src docs; do rm -rf $d; make; done",
    "while true; do rm -rf src; done",
    "for ((;;)); do rm -rf src; done",
    "while true; do find src -name '*.py' | xargs rm; done",
    "tail -f notes.txt | while read x; do rm -rf src; done",
    "f() { rm -rf src; }; while true; do f; done",
    "trap 'rm -rf src' EXIT; make",
    "rm -rf src & make",
    "rm -rf src | python3 w.py",
    "sleep 9 && rm -rf src",
    "sudo rm -rf src",
    'rm -rf "$UNKNOWN"',
    "find docs -name '*.md' | xargs rm",
    "cat list | xargs rm -f",
    "mv notes.txt src/n; find src -name n | xargs rm",
    "python3 -c \"import os, shutil; os.chdir('docs'); shutil.rmtree('src')\"",
    "python3 -c \"import os, shutil; os.rename('notes.txt', 'src/n'); shutil.rmtree('src')\"",
    "mkdir -p tmp && mv notes.txt tmp/ && rm -r tmp",
    # commits, and repositories elsewhere
    "git --work-tree=../outside checkout .",
    "GIT_DIR=vendor/lib/.git git clean -fd",
    "git branch -m side x && git branch -D x",
    "git branch -rD origin/main",
    "git commit -qam x && git branch -D side",
    "git stash && git stash drop",
    "git branch -D side && git gc --prune=now",
)


@pytest.fixture(scope="module")
def template(tmp_path_factory):
    folder = tmp_path_factory.mktemp("template")
    for name, text in (("secret.txt", "s"), ("hard.txt", "h"), ("dir/f.txt", "f")):
        path = folder / "outside" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    root = folder / "project"
    root.mkdir()
    run(SETUP, root)
    (root / "active_context.yaml").write_bytes(document.fresh("x").encoded())
    (root / ".proof").mkdir()
    return folder


@pytest.fixture
def root(template, tmp_path):
    run(f"cp -a {template}/. {tmp_path}", tmp_path)
    run("git update-index -q --refresh || true", tmp_path / "project")
    return str(tmp_path / "project")


def run(line, cwd):
    subprocess.run(["bash", "-c", line], cwd=cwd, check=True, capture_output=True, timeout=60)


def decided(root, line):
    context = EventContext(Project(root, is_set_up=True), session="s", can_ask=True)
    return before_call.decide(context, Call("Bash", {"command": line}, root, session="s", id="t"))


def tree(folder):
    """Every file of a folder and beside it: its kind, executable bit and content."""
    found = {}
    for base, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if name not in (".git", ".proof")]
        links = [name for name in folders if os.path.islink(os.path.join(base, name))]
        for name in (*names, *links):
            path = os.path.join(base, name)
            info = os.lstat(path)
            if stat.S_ISLNK(info.st_mode):
                found[path] = os.readlink(path)
            elif stat.S_ISREG(info.st_mode) and info.st_size < 1 << 20:
                with open(path, "rb") as file:
                    found[path] = (info.st_mode & 0o100, file.read())
            else:
                found[path] = info.st_size
    return found


def entries(root):
    return [each for each, _ in Project(root, is_set_up=True).log.entries()]


@pytest.mark.parametrize("line", KEPT)
def test_what_a_snapshot_holds_is_let_through_and_brought_back_byte_for_byte(root, line):
    before = tree(os.path.dirname(root))
    assert decided(root, line).effect in ("allow", "warn")
    run(line, root)
    undo = Undo(root, root=root)
    if undo.list():
        undo.apply(None, (), reason=SnapshotReason("undo"))
    after = tree(os.path.dirname(root))
    assert {path: after.get(path) for path in before} == before


@pytest.mark.parametrize("line", ASKED)
def test_what_a_snapshot_may_not_hold_needs_a_person(root, line):
    assert decided(root, line).effect in ("ask", "block")


def test_the_card_names_what_would_not_be_kept(root):
    assert (
        "Reversible: partly, not kept: huge/big.bin has 120 MB" in decided(root, "rm -rf huge").text
    )


@pytest.mark.parametrize(
    ("line", "passes", "said"),
    [
        (
            "rm -rf src",
            True,
            "asks, unless a snapshot first keeps all of it (here: 7 files, 31 bytes)",
        ),
        ("git checkout .", True, "asks, unless a snapshot first keeps all of it"),
        ("rm -rf huge", False, "no snapshot would keep huge/big.bin has 120 MB"),
        ("git branch -D side", True, "asks, unless a snapshot first keeps all of it"),
        ("git branch -D nowhere", False, "no snapshot would keep which branch or tag it is"),
        ("rm -rf src vendor/lib/v.c", False, "no snapshot would keep what is in more than one"),
        ("git push", False, ""),
    ],
)
def test_explain_says_what_a_snapshot_would_keep_and_takes_none(
    root, monkeypatch, line, passes, said
):
    monkeypatch.chdir(root)
    code, out, _ = helps.run("explain", line, "--json")
    assert code == 0
    assert json.loads(out)["data"]["passes_with_snapshot"] is passes
    text = helps.run("explain", line)[1]
    assert said in text
    assert text.startswith("allow, once a snapshot holds all of it\n") is passes
    assert Undo(root, root=root).list() == []


def test_a_large_file_that_git_has_or_ignores_is_deleted_without_a_question(root):
    run("truncate -s 120M huge/ignored.log; git add -f huge/big.bin; git commit -qm big", root)
    assert decided(root, "rm huge/big.bin huge/ignored.log").effect in ("allow", "warn")


def test_a_folder_is_not_disposable_because_git_ignores_it(root):
    run("mkdir data; echo precious > data/a.csv; echo data/ >> .git/info/exclude", root)
    answer = decided(root, "rm -rf data")
    assert answer.context.startswith("Operator's Edge kept 1 file (9 bytes) first.")
    run("truncate -s 25M data/big.csv", root)
    assert decided(root, "rm -rf data").effect == "ask"
    assert decided(root, "rm -rf build node_modules").context == ""
    assert decided(root, "git clean -fdx build").context == ""


@pytest.mark.parametrize(
    ("line", "path"),
    [
        ("unzip -o ../outside/a.zip", "notes.txt"),
        ("git apply -R ../outside/x.patch", "src/util.py"),
        ("cp -r docs/. src/", "src/new.py"),
        ("sort -o notes.txt /dev/null", "notes.txt"),
        ("mv sub build/", "sub/deep/d.txt"),
        ("git checkout src", "src/util.py"),
        ("git sparse-checkout set docs", "conf/local.ini"),
        (r"rm -f $'bad\xff\303\244'", "bad\udcff\xe4"),
    ],
)
def test_before_a_command_that_overwrites_files_of_the_folder_they_are_kept(root, line, path):
    run(r"echo bad > $'bad\xff\303\244'", root)
    with open(os.path.join(root, path), "rb") as file:
        content = file.read()
    assert decided(root, line).effect in ("allow", "warn")
    os.remove(os.path.join(root, path))
    Undo(root, root=root).apply(1, [path], reason=SnapshotReason("test"))
    with open(os.path.join(root, path), "rb") as file:
        assert file.read() == content


def test_what_is_lost_in_a_repository_inside_is_kept_in_that_one(root):
    answer = decided(root, "git -C vendor/lib clean -fd")
    inner = os.path.join(root, "vendor", "lib")
    assert answer.context.endswith(f"To undo: edge undo apply 1 --project {inner}")
    run("git -C vendor/lib clean -fd", root)
    Undo(inner, root=root).apply(1, (), reason=SnapshotReason("test"))
    assert sorted(os.listdir(inner)) == [".git", "v.c"]


def test_what_a_call_that_nobody_decides_can_lose_for_good_is_said_once(root):
    with open(os.path.join(root, "Makefile"), "w", encoding="utf-8") as file:
        file.write("clean:\n\tfind . -name '*.bin' -delete\nother:\n\trm -f docs/*\n")
    run("git add Makefile; git -c user.name=t -c user.email=t@e.invalid commit -qm make", root)
    assert decided(root, "make other").context == ""
    answer = decided(root, "make clean")
    assert answer.effect == "warn"
    assert "(not in it: huge/big.bin has 120 MB" in answer.context
    assert decided(root, "make clean").context == ""


def test_what_was_only_staged_is_not_lost(root):
    run("echo staged > src/staged.py; git add src; echo later > src/staged.py", root)
    answer = decided(root, "git reset --hard")
    assert answer.context.endswith("To undo: edge undo apply 1 --git")
    run("git reset --hard -q", root)
    Undo(root, root=root).apply(1, (), reason=SnapshotReason("test"), with_git=True)
    shown = subprocess.run(
        ["git", "show", ":src/staged.py"], cwd=root, capture_output=True, check=True
    )
    assert shown.stdout == b"staged\n"


def test_it_is_in_the_log_before_the_answer_and_said_in_one_line_if_work_was_at_stake(root):
    answer = decided(root, "rm -rf src")
    assert answer.context == (
        "Operator's Edge kept 7 files (31 bytes) first. To undo: edge undo apply 1"
    )
    events = {each["event"]: each["data"] for each in entries(root)}
    assert events["let_through"]["snapshot"] == events["snapshot"]["id"] == 1
    assert decided(root, "rm -rf docs").context == ""


def test_without_a_log_nothing_is_let_through(root):
    shutil.rmtree(os.path.join(root, ".proof"))
    with open(os.path.join(root, ".proof"), "w", encoding="utf-8") as file:
        file.write("")
    assert decided(root, "rm -rf src").effect not in ("allow", "warn")


def test_without_git_only_what_is_not_there_is_let_through(root):
    shutil.rmtree(os.path.join(root, ".git"))
    assert decided(root, "rm -rf gone").effect == "allow"
    asked = decided(root, "rm -rf src")
    assert asked.effect == "ask"
    assert "the project is not a git repository" in asked.text


@pytest.mark.parametrize(
    "text", ['profile = "strict"', '[rules.fs-recursive-delete]\neffect = "junction"']
)
def test_what_a_person_set_is_asked_or_blocked_whatever_a_snapshot_holds(
    root, text, monkeypatch, tmp_path
):
    folder = tmp_path / "config" / "operators-edge"
    folder.mkdir(parents=True)
    (folder / "config.toml").write_text(text + "\n", encoding="utf-8")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    context = EventContext(
        Project(root, is_set_up=True), session="s", can_ask=True, env=dict(os.environ)
    )
    call = Call("Bash", {"command": "rm -rf src"}, root, session="s", id="t")
    assert before_call.decide(context, call).effect in ("ask", "block")
