"""After each destructive command everything is back byte for byte, or what would not be was named before."""

from __future__ import annotations

import os
import re
import subprocess
from typing import TYPE_CHECKING

import pytest
from tests.undo import messy

from operators_edge.errors import AnswerIsNo
from operators_edge.model import Call
from operators_edge.project import Project
from operators_edge.sessions import before_call
from operators_edge.sessions.context import EventContext
from operators_edge.state import document
from operators_edge.undo.restore import Undo
from operators_edge.undo.snapshots import SnapshotReason

if TYPE_CHECKING:
    from pathlib import Path

    from operators_edge.model import Outcome

pytestmark = (
    pytest.mark.long
)  # a repository with all that there is in it for each line, and an undo

WHOLE = (
    "git reset --hard",
    "git reset --hard HEAD~1",
    "git reset --hard side",
    "git checkout .",
    "git checkout -f",
    "git checkout -f topic",
    "git checkout HEAD~1 -- .",
    "git checkout -- src staged.txt",
    "git switch -f topic",
    "git switch -C topic",
    "git checkout -B topic",
    "git restore .",
    "git restore -SW .",
    "git restore -s HEAD~2 -SW src",
    "git stash -u && git stash drop",
    "git stash push -u -- src && git stash drop",
    "git stash drop",
    "git stash drop stash@{1}",
    "git stash clear",
    "git stash pop",
    "git branch -D topic",
    "git branch -f topic side",
    "git tag -d light",
    "git tag -d light noted",
    "git reset",
    "git restore --staged .",
    "git rm -r --cached -q src",
    "git read-tree --empty",
    "git branch -M topic",
    "git clean -fd",
    "git clean -fd untracked empty",
    "git rm -rfq src",
    "git read-tree -u --reset HEAD~1",
    "git checkout-index -f -a",
    "git sparse-checkout set docs",
    "git sparse-checkout set --no-cone docs",
    "git apply --directory=src -R < /dev/null; rm -rf src",
    "rm -rf src private deep",
    "rm -rf untracked empty",
    "rm -f .env new.txt",
    "rm -f new.txt newer.txt",
    "rm -f -- -dash 'line\nbreak' \"quo'te\\\".txt\" latin*",
    "find src -type f -delete",
    "find . -name '*.txt' -not -path './nested/*' -not -path './.git/*' -delete",
    "> src/util.py",
    "mv new.txt src/util.py",
    "cp src/app.py .env",
    "sed -i s/a/b/ src/util.py src/dos.bat",
    "python3 -c \"import shutil; shutil.rmtree('src')\"",
    "python3 -c \"from pathlib import Path\nfor p in Path('.').rglob('*.txt'): p.write_text('')\"",
    "echo \"import sys; [open(name, 'w').close() for name in sys.argv[1:]]\" > e.py; python3 e.py src/*",
    'for f in src/*.py *.txt; do date > "$f"; done',
    "chmod -R 777 src private && rm -rf docs",
    "ln -sf nowhere link && rm -f dirlink",
    "git rebase topic || git rebase --abort; git reset --hard",
    "git reflog expire --expire=now --all && git gc -q --prune=now && git branch -D topic",
    "git update-ref -d refs/heads/topic && git stash clear && git gc -q --prune=now",
    "chmod -R 755 build src private .env",
    "git add -A && git commit -qm all",
    "git commit -qam all",
    "git update-index --force-remove staged.txt",
    "git fetch -q . +side:topic",
    "git merge-file src/util.py src/app.py both.txt",
    "git -C sm reset --hard",
    "git submodule foreach git reset --hard",
    "git submodule foreach 'git clean -fdx && git checkout .'",
    "git submodule update --force",
    "git -C nested checkout .",
    "git -C nested clean -fdx",
    "rm -rf nested/*",
    "git -C ../linked checkout .",
    "git -C ../linked clean -fd",
    "git worktree remove --force ../linked",
    "grep -rlZ util src | xargs -0 sed -i '/util/d'",
    "printf x 1<> src/util.py",
    "rm -rf empty",
    "chmod 700 . && rm -rf src",
    "git notes remove HEAD",
)
"""What undo brings back completely."""

REFUSED_BY_GIT = frozenset(
    (
        *("git reset --hard HEAD~1", "git reset --hard side", "git read-tree -u --reset HEAD~1"),
        *("git stash -u && git stash drop", "git stash push -u -- src && git stash drop"),
        *("git stash pop", "git commit -qam all", "git add -A && git commit -qm all"),
    )
)
"""Of them what git does not do while files are only intended, or assumed to be unchanged."""

PLAIN = """git reset -q intent.txt; git update-index --no-assume-unchanged src/second.py
git checkout -q src/second.py"""

PARTLY = (
    "git clean -fdx",
    "git clean -ffdx",
    "rm -rf nested",
    "rm -rf sm",
    "git rm -rfq sm",
    "git checkout -q --orphan blank && git rm -rfq .",
    "rm -rf *",
    "rm -f large.dat",
    "git submodule deinit -f --all",
    "find . -mindepth 1 -maxdepth 1 -not -name .git -exec rm -rf {} +",
)
"""What undo does not, and says so."""

IN_MERGE = (
    "git merge --abort",
    "git reset --hard",
    "git checkout -f",
    "git checkout --theirs . && git add -A",
    "git clean -fd",
)


UNDER_WAY = {
    "merge": "git merge -q topic",
    "rebase": "git rebase -q topic",
    "cherry-pick": "git cherry-pick main~1 topic",
    "revert": "git revert --no-edit HEAD~1 topic",
}

ENDING = (
    "git {} --abort",
    "git {} --quit && git reset -q --hard",
    "git reset -q --hard && git {} --quit",
)


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = str(tmp_path_factory.mktemp("messy"))
    messy.make(folder)
    root = os.path.join(folder, "project")
    with open(os.path.join(root, "active_context.yaml"), "wb") as file:
        file.write(document.fresh("x").encoded())
    os.mkdir(os.path.join(root, ".proof"))
    return folder


def decided(root: str, line: str) -> Outcome:
    context = EventContext(Project(root, is_set_up=True), session="s", can_ask=True)
    return before_call.decide(context, Call("Bash", {"command": line}, root, session="s", id="t"))


def run(root: str, line: str) -> None:
    env = {**os.environ, "GIT_ALLOW_PROTOCOL": "file"}
    subprocess.run(
        ["bash", "-c", line], cwd=root, env=env, capture_output=True, check=False, timeout=60
    )


def snapshots(root: str) -> list[tuple[int, str]]:
    """Number and repository of each snapshot that was taken for the call."""
    found = [
        each["data"]
        for each, _ in Project(root, is_set_up=True).log.entries()
        if each["event"] == "snapshot"
    ]
    return [(each["id"], each["top"]) for each in found if each["id"]]


def undo_all(root: str, taken: list[tuple[int, str]]) -> None:
    for number, top in taken:
        if not os.path.lexists(top):
            run(root, make_again(root, number))
        reason = SnapshotReason("edge undo apply")
        done = Undo(top, root=root).apply(number, (), reason=reason, with_git=True)
        assert done.left == ()


def make_again(root: str, number: int) -> str:
    """The command that an undo gives for a working tree that is gone."""
    with pytest.raises(AnswerIsNo) as refused:
        Undo(root, root=root).apply(number, (), reason=SnapshotReason("edge undo apply"))
    return refused.value.hint.partition("; then: ")[0]


def lost(before: dict[str, object], after: dict[str, object]) -> list[str]:
    return [name for name, value in before.items() if after.get(name) != value]


def names(text: str, what: str) -> bool:
    """Whether a text names something, or a folder above it; what git says of it counts as the file itself."""
    what = re.sub(r"^project: status .. ", "", what)
    path = what.split(": ", maxsplit=1)[0].removeprefix("project/").split(" (")[0].rstrip("/")
    while path:
        if path in text:
            return True
        path = os.path.dirname(path)
    return False


@pytest.mark.parametrize("line", WHOLE)
def test_everything_is_back_after(line: str, template: str, tmp_path: Path) -> None:
    root = messy.copy(template, str(tmp_path))
    if line in REFUSED_BY_GIT:
        run(root, PLAIN)
    before = messy.everything(str(tmp_path))
    answer = decided(root, line)
    assert answer.effect != "block", answer.text
    taken = snapshots(root)
    run(root, line)
    assert lost(before, messy.everything(str(tmp_path))) != []
    undo_all(root, taken)
    assert lost(before, messy.everything(str(tmp_path))) == []


@pytest.mark.parametrize("line", PARTLY)
def test_what_is_not_back_was_named_before(line: str, template: str, tmp_path: Path) -> None:
    root = messy.copy(template, str(tmp_path))
    run(root, "truncate -s 101M large.dat")
    before = messy.everything(str(tmp_path))
    answer = decided(root, line)
    assert answer.effect == "ask"
    taken = snapshots(root)
    run(root, line)
    undo_all(root, taken)
    gone = lost(before, messy.everything(str(tmp_path)))
    assert [each for each in gone if not names(answer.text, each)] == []


@pytest.mark.parametrize("line", IN_MERGE)
def test_a_merge_with_conflicts_is_back_after(line: str, template: str, tmp_path: Path) -> None:
    root = messy.copy(template, str(tmp_path))
    run(
        root,
        "git stash -qu; echo ours > both.txt; git commit -qam ours; git merge -q topic; echo n > n.txt",
    )
    before = messy.everything(str(tmp_path))
    assert before["project: MERGE_HEAD"]
    assert decided(root, line).effect != "block"
    taken = snapshots(root)
    run(root, line)
    undo_all(root, taken)
    assert lost(before, messy.everything(str(tmp_path))) == []


@pytest.mark.parametrize("what", UNDER_WAY)
@pytest.mark.parametrize("line", ENDING)
def test_what_git_is_in_the_middle_of_is_back_after(
    what: str, line: str, template: str, tmp_path: Path
) -> None:
    root = messy.copy(template, str(tmp_path))
    run(
        root,
        f"git stash -qu; echo ours > both.txt; git commit -qam ours; {UNDER_WAY[what]}; echo n > n.txt",
    )
    before = messy.everything(str(tmp_path))
    assert any("_HEAD" in each or "todo" in each for each in before), before
    assert decided(root, line.format(what)).effect != "block"
    taken = snapshots(root)
    run(root, line.format(what))
    undo_all(root, taken)
    assert lost(before, messy.everything(str(tmp_path))) == []


# end of module
