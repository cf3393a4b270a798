"""The first snapshot takes what git knows of unchanged files, and is byte for byte what the disk holds."""

from __future__ import annotations

import os
import subprocess

import pytest
from tests.undo.taking import take

from operators_edge.undo import first_index
from operators_edge.undo.snapshots import BEFORE_CALL, SnapshotReason, opened

MESSY = r"""git config user.name t; git config user.email t@example.invalid
printf '*.bat text eol=crlf\n*.up filter=up\n*.u16 working-tree-encoding=UTF-16LE-BOM\n*.id ident\n' \
> .gitattributes
git config filter.up.clean 'tr a-z A-Z'; git config filter.up.smudge 'tr A-Z a-z'
echo plain > plain.txt; printf 'a\nb\n' > dos.bat; echo up > x.up; printf '\377\376h\000i\000' > y.u16
echo '$Id$' > v.id; ln -s plain.txt link; echo x > run; chmod 755 run; echo gone > gone; : > void
mkdir sub; echo s > sub/s; echo assumed > assumed; echo skipped > skipped; echo ours > both
git add -A; git commit -qm messy; rm dos.bat v.id; git checkout -q -- dos.bat v.id
git checkout -qb side; echo side > both; git commit -qam side; git checkout -q -; echo main > both
git commit -qam main; git merge -q side || true
git update-index --assume-unchanged assumed --skip-worktree skipped
echo changed > assumed; echo changed > skipped; echo changed > plain.txt; rm gone; rm -r sub; ln -s . sub
: > intended; git add -N intended; echo staged > staged; git add staged; echo more > staged; echo new > new
"""


@pytest.fixture
def messy(repo: str) -> str:
    subprocess.run(["bash", "-ec", MESSY], cwd=repo, check=True, capture_output=True)
    return repo


def on_disk(top: str) -> dict[str, bytes]:
    found = {}
    for base, folders, names in os.walk(top):
        folders[:] = [name for name in folders if name != ".git"]
        for name in (*names, *folders):
            path = os.path.join(base, name)
            if os.path.islink(path):
                found[os.path.relpath(path, top)] = os.fsencode(os.readlink(path))
            elif os.path.isfile(path):
                with open(path, "rb") as file:
                    found[os.path.relpath(path, top)] = file.read()
    return found


def in_snapshot(top: str) -> dict[str, bytes]:
    tree = take(top, root=top, reason=SnapshotReason("x")).tree
    with opened(top, top, os.environ, BEFORE_CALL) as work, work.shadow.blobs() as blobs:
        entries = work.shadow.listing(tree)
        return {path: b"".join(blobs.read(ident)) for path, (_, ident) in entries.items()}


@pytest.mark.parametrize(
    "form",
    [
        (),
        ("update-index", "--split-index"),
        ("update-index", "--index-version", "4"),
        ("config", "--remove-section", "filter.up"),
        ("config", "core.autocrlf", "true"),
    ],
)
def test_the_first_snapshot_is_byte_for_byte_the_disk(messy: str, form: tuple[str, ...]) -> None:
    if form:
        subprocess.run(["git", "-C", messy, *form], check=True)
    with open(os.path.join(messy, ".git", "index"), "rb") as file:
        before = file.read()
    wanted, found = on_disk(messy), in_snapshot(messy)
    if (
        "filter.up" not in form
    ):  # unchanged, and git's filter keeps it: left out, unless it is that new
        wanted.pop("x.up"), found.pop("x.up", None)
    assert found == wanted
    with open(os.path.join(messy, ".git", "index"), "rb") as file:
        assert file.read() == before


def test_only_what_git_knows_for_certain_is_taken_from_its_index(messy: str) -> None:
    subprocess.run(["git", "-C", messy, "config", "--remove-section", "filter.up"], check=True)
    with opened(messy, messy, os.environ, BEFORE_CALL) as work:
        taken = set(first_index.adopt(work.shadow, ("run",)))
        assert set(work.shadow.known()) == taken
    assert taken == {"readme.txt", ".gitattributes", "link"}


def test_a_file_written_in_the_same_moment_as_the_index_is_read_again(repo: str) -> None:
    path, index = os.path.join(repo, "racy"), os.path.join(repo, ".git", "index")
    script = "git config core.trustctime false; echo one > racy; git add racy"
    subprocess.run(["bash", "-ec", script], cwd=repo, check=True)
    times = (os.stat(path).st_atime_ns, os.stat(path).st_mtime_ns)
    with open(path, "r+b") as file:
        file.write(b"two\n")
    for each in (path, index):
        os.utime(each, ns=times)
    assert in_snapshot(repo)["racy"] == b"two\n"


# end of module
