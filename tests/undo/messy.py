"""A working tree with everything in it that a snapshot may lose, and all that can be compared of one."""

from __future__ import annotations

import os
import stat
import subprocess

SETUP = r"""
export GIT_CONFIG_GLOBAL=/dev/null GIT_ALLOW_PROTOCOL=file GIT_AUTHOR_DATE=@1700000000 \
GIT_COMMITTER_DATE=@1700000000
new() { git init -q -b main "$1"; git -C "$1" config user.email ann@example.com
git -C "$1" config user.name Ann; }
new library; echo one > library/lib.c; git -C library add .; git -C library commit -qm lib
new inner; echo in > inner/in.c; git -C inner add .; git -C inner commit -qm inner
new project; cd project; git config core.autocrlf input; git config filter.store.clean 'tr a-z A-Z'
git config filter.store.smudge 'tr A-Z a-z'; git config protocol.file.allow always
printf '*.bin filter=store\n*.bat eol=crlf\n* text=auto\n' > .gitattributes
printf 'build/\n*.log\n.env\nnode_modules/\n.proof/\nactive_context.yaml\nnested/\n' > .gitignore
mkdir -p src/pkg docs private deep/a/b
echo app > src/app.py; echo util > src/util.py; echo x > src/pkg/x.txt; echo doc > 'docs/a b.md'
printf 'one\r\ntwo\r\n' > src/dos.bat; echo data > asset.bin; echo secret > private/key
echo deep > deep/a/b/c
printf '#!/bin/sh\n' > run.sh; ln -s src/app.py link; ln -s docs dirlink; echo staged > staged.txt
echo both > both.txt
git add -A; git commit -qm one
git -c protocol.file.allow=always submodule --quiet add ../library sm; git commit -qm submodule
echo two > src/second.py; git add -A; git commit -qm two
git branch side HEAD~1; git branch topic; git tag light HEAD~1; git tag -a noted -m words
git notes add -m remark HEAD
git checkout -q topic; echo topic > topic.txt; echo theirs > both.txt; git add -A
git commit -qm 'only on topic'
git checkout -q main
echo stashed > src/util.py; git stash -q; echo again > src/app.py; git stash -q
chmod 0600 private/key; chmod 0700 private run.sh; chmod 0640 src/pkg/x.txt; chmod 0444 'docs/a b.md'
echo changed >> src/util.py; printf 'one\r\nmixed\nthree' > src/dos.bat; echo changed > asset.bin
echo untracked > new.txt; chmod 0664 new.txt; ln new.txt newer.txt; mkdir -p empty/inner untracked/dir
chmod 0750 empty/inner
echo u > untracked/dir/u; echo KEY=1 > .env; chmod 0600 .env; mkdir -p build node_modules/m
echo o > build/o; echo m > node_modules/m/i.js
echo 'staged more' > staged.txt; git add staged.txt; echo 'and changed' >> staged.txt
echo intent > intent.txt; git add -N intent.txt
echo added > added.txt; git add added.txt; echo n > "$(printf 'line\nbreak')"; echo q > "quo'te\".txt"
echo d > ./-dash; echo l > "$(printf 'latin-\351')"
ln -s nowhere broken; ln -s ../outside out; echo assumed > src/second.py
git update-index --assume-unchanged src/second.py
git worktree add -q ../linked side; echo w > ../linked/work.txt; echo changed >> ../linked/src/util.py
cp -a ../inner nested; echo changed > nested/in.c; echo new > nested/new.c
echo changed >> sm/lib.c; echo new > sm/new.c
git -C sm config user.email ann@example.com; git -C sm config user.name Ann
find . -path ./.git -prune -o -type f -exec touch -d @1690000000.123456789 {} +
find sm nested -name .git -prune -o -type f -exec touch -d @1690000001.987654321 {} +
setfattr -n user.note -v kept src/util.py || true
setfattr -n user.of -v folder private || true; chmod 2775 src; chmod 1770 untracked; chmod 0711 .
git update-index -q --refresh || true
"""


def make(folder: str) -> None:
    subprocess.run(["bash", "-ec", SETUP], cwd=folder, check=True, capture_output=True, timeout=60)


def copy(template: str, folder: str) -> str:
    subprocess.run(["cp", "-a", f"{template}/.", folder], check=True)
    linked = os.path.join(folder, "linked", ".git")  # both sides name the other by its full path
    own = os.path.join(folder, "project", ".git", "worktrees", "linked")
    for path, text in ((linked, f"gitdir: {own}\n"), (os.path.join(own, "gitdir"), f"{linked}\n")):
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
    for name in ("project", "project/sm", "project/nested", "linked"):
        git(os.path.join(folder, name), "update-index", "-q", "--refresh", allowed=(0, 1))
    return os.path.join(folder, "project")


def git(folder: str, *words: str, allowed: tuple[int, ...] = (0,)) -> bytes:
    done = subprocess.run(["git", "-C", folder, *words], capture_output=True, check=False)
    assert done.returncode in allowed, (words, done.stderr)
    return done.stdout


def files(folder: str) -> dict[str, object]:
    """Every file, link and folder: kind, permissions, content, and of files which other names they have."""
    found: dict[str, object] = {}
    names_of: dict[tuple[int, int], list[str]] = {}
    for base, inner, names in os.walk(os.fsencode(folder)):
        inner[:] = [name for name in inner if name not in (b".git", b".proof")]
        for name in (*names, *inner):
            path = os.path.join(base, name)
            shown = os.fsdecode(os.path.relpath(path, os.fsencode(folder)))
            info = os.lstat(path)
            if stat.S_ISLNK(info.st_mode):
                found[shown] = ("link", os.readlink(path))
            elif stat.S_ISDIR(info.st_mode):
                found[f"{shown}/"] = ("folder", oct(info.st_mode & 0o7777))
                if hasattr(os, "listxattr"):
                    found[f"{shown} (attributes)"] = os.listxattr(path)
            elif name != b".git":
                with open(path, "rb") as file:
                    content = file.read() if info.st_size < 1 << 20 else info.st_size
                found[shown] = ("file", oct(info.st_mode & 0o777), content)
                if hasattr(os, "listxattr"):
                    found[f"{shown} (attributes)"] = os.listxattr(path)
                names_of.setdefault((info.st_dev, info.st_ino), []).append(shown)
    for names in names_of.values():
        if len(names) > 1:
            found.update({f"{name} (names)": sorted(names) for name in names})
    return found


def of_git(folder: str) -> dict[str, object]:
    """What git has besides the files: HEAD, branches, tags, stashes, the index."""
    if not os.path.lexists(os.path.join(folder, ".git")):
        return {}
    found: dict[str, object] = {
        "HEAD": git(folder, "rev-parse", "HEAD", allowed=(0, 128)),
        "on": git(folder, "symbolic-ref", "-q", "HEAD", allowed=(0, 1)),
    }
    for line in (
        git(folder, "for-each-ref", "refs/heads", "refs/tags", "refs/notes").decode().splitlines()
    ):
        commit, _, name = line.split()
        found[name] = commit
    found["stashes"] = git(folder, "stash", "list", "--format=%H")
    found["index"] = git(folder, "ls-files", "-s", "-v", "-z")
    lines = git(folder, "status", "--porcelain", "-z").split(b"\0")
    found.update({f"status {os.fsdecode(line)}": True for line in lines})
    for name in ("MERGE_HEAD", "rebase-merge/git-rebase-todo", "sequencer/todo"):
        if os.path.exists(path := os.path.join(folder, ".git", name)):
            with open(path, "rb") as file:
                found[name] = file.read()
    return found


def everything(folder: str) -> dict[str, object]:
    found = files(folder)
    for name in ("project", "project/sm", "project/nested", "linked"):
        of = of_git(os.path.join(folder, name))
        found.update({f"{name}: {key}": value for key, value in of.items()})
    return found


# end of module
