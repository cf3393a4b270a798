"""What a snapshot contains, what it leaves alone, and restoring it; in real repositories."""

import json
import os
import shutil
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from multiprocessing import get_context
from pathlib import Path

import pytest
from tests.hosting import git, write
from tests.undo.taking import take

from operators_edge.errors import AnswerIsNo, EdgeError, StateError
from operators_edge.model import Finding, Recovery
from operators_edge.project import wall_clock
from operators_edge.system.user_dirs import undo_dir
from operators_edge.undo import kept
from operators_edge.undo.restore import Undo, unhurried
from operators_edge.undo.snapshots import (
    BEFORE_CALL,
    Bounds,
    SnapshotReason,
    StoredTree,
    before_call,
    opened,
)

ABOUT = SnapshotReason("git reset --hard && git clean -fd", "s-1", "", "toolu_1")


def files(root):
    """Every file and link below the root, with its bytes and whether it can be run."""
    found = {}
    for base, folders, names in os.walk(os.fsencode(root)):
        if b".git" in folders:
            folders.remove(b".git")
        links = [name for name in folders if os.path.islink(os.path.join(base, name))]
        for name in (*names, *links):
            path = os.path.join(base, name)
            if os.path.islink(path):
                content = b"link to " + os.readlink(path)
            else:
                with open(path, "rb") as file:
                    content = file.read()
            is_program = bool(os.lstat(path).st_mode & 0o100)
            found[os.path.relpath(path, os.fsencode(root))] = (content, is_program)
    return found


def about_target(root, *targets):
    paths = tuple(os.path.join(root, each) for each in targets)
    return [Finding("r", "allow", "dangerous", "", destroys=True, targets=paths, cwd=root)]


def apply(root, number=None, *paths, **how):
    return Undo(root, root=root).apply(
        number, paths, reason=SnapshotReason("edge undo apply"), **how
    )


def of_the_user(root):
    """Everything of the repository that is the user's: index, HEAD, refs, stashes, settings."""
    folder = os.path.join(root, ".git")
    kept = {}
    for base, folders, names in os.walk(folder):
        for skipped in ("objects", "operators-edge"):
            if skipped in folders:
                folders.remove(skipped)
        for name in names:
            with open(os.path.join(base, name), "rb") as file:
                kept[os.path.relpath(os.path.join(base, name), folder)] = file.read()
    return kept


@pytest.fixture
def busy(repo):
    """A repository in the middle of work: every kind of change that git would throw away."""
    write(repo, "crlf.txt", b"one\r\ntwo\r\n")
    write(repo, "gone.txt", b"to be deleted\n")
    write(repo, "run.sh", b"#!/bin/sh\n")
    write(repo, "folder/inner.txt", b"tracked\n")
    os.symlink("readme.txt", os.path.join(repo, "link"))
    git(repo, "add", "-A")
    git(repo, "commit", "-qm", "second")
    write(repo, "readme.txt", b"changed, not committed\n")
    write(repo, "crlf.txt", b"one\r\nmixed\nthree\r")
    os.remove(os.path.join(repo, "gone.txt"))
    os.chmod(os.path.join(repo, "run.sh"), 0o700)
    os.remove(os.path.join(repo, "link"))
    os.symlink("folder/inner.txt", os.path.join(repo, "link"))
    os.symlink("nowhere at all", os.path.join(repo, "broken"))
    write(repo, "staged.txt", b"staged, then ")
    git(repo, "add", "staged.txt")
    write(repo, "staged.txt", b"staged, then changed again\n")
    write(repo, "new folder/ünï cödé name.txt", b"\x00\xff binary\n")
    write(repo, b"latin-\xe9.txt", b"a name that is no UTF-8\n")
    write(repo, "-rf", b"a name like an option\n")
    write(repo, "line\nbreak \x1b[31m.txt", b"a name with a line break\n")
    write(repo, "*.txt", b"a name like a pattern\n")
    write(repo, "empty.txt", b"")
    return repo


def test_everything_is_restored_byte_for_byte_after_a_reset_and_a_clean(busy):
    before = files(busy)
    taken = take(busy, root=busy, reason=ABOUT)
    git(busy, "reset", "--hard", "-q")
    git(busy, "clean", "-fdq")
    assert len(files(busy)) < len(before)
    applied = apply(busy, taken.id)
    # What git itself had brought back is left: only --exact removes.
    assert {**files(busy), b"gone.txt": None} == {**before, b"gone.txt": None}
    assert applied.left == ()
    apply(busy, taken.id, exact=True)
    assert files(busy) == before


@pytest.mark.parametrize(
    ("attributes", "settings"),
    [
        (b"* text=auto eol=crlf\n", {}),
        (b"* text eol=lf\n", {}),
        (b"*.txt ident filter=shout\n", {"filter.shout.clean": "tr a-z A-Z"}),
        (b"*.txt working-tree-encoding=UTF-16\n", {}),
        (b"", {"core.autocrlf": "true", "core.safecrlf": "true"}),
        (b"", {"core.autocrlf": "input", "core.eol": "crlf"}),
    ],
)
def test_no_conversion_of_the_repository_changes_a_byte(repo, attributes, settings):
    contents = {
        "lf.txt": b"a\nb\n",
        "crlf.txt": b"a\r\nb\r\n",
        "mixed.txt": b"a\r\nb\n\r$Id$\r",
        "ident.txt": b"$Id: 1234 $\n",
    }
    write(repo, ".gitattributes", attributes)
    for name, value in settings.items():
        git(repo, "config", name, value)
    for name, content in contents.items():
        write(repo, name, content)
    take(repo, root=repo, reason=ABOUT)
    for name in contents:
        os.remove(os.path.join(repo, name))
    apply(repo)
    found = files(repo)
    assert {name: found[name.encode()][0] for name in contents} == contents


def test_a_snapshot_changes_nothing_of_the_users(busy):
    git(busy, "stash", "push", "-q", "--include-untracked", "--", "empty.txt")
    status = git(busy, "--no-optional-locks", "status", "--porcelain=v2", "-z")
    before, tree = of_the_user(busy), files(busy)
    assert take(busy, root=busy, reason=ABOUT).is_new
    assert of_the_user(busy) == before
    assert files(busy) == tree
    assert git(busy, "--no-optional-locks", "status", "--porcelain=v2", "-z") == status
    shown = git(busy, "branch", "-a") + git(busy, "tag") + git(busy, "stash", "list")
    assert b"edge" not in shown


def test_applying_touches_neither_index_nor_head(busy):
    take(busy, root=busy, reason=ABOUT)
    write(busy, "readme.txt", b"lost\n")
    before = of_the_user(busy)
    apply(busy)
    assert of_the_user(busy) == before


def test_a_snapshot_runs_nothing_and_needs_no_identity(busy, tmp_path):
    trace = tmp_path / "ran"
    hook = write(busy, ".git/hooks/x", f"#!/bin/sh\necho $0 >> {trace}\n".encode())
    os.chmod(hook, 0o700)
    for name in ("reference-transaction", "post-index-change", "pre-commit", "fsmonitor"):
        os.symlink(hook, os.path.join(busy, ".git/hooks", name))
    git(busy, "config", "core.fsmonitor", hook)
    git(busy, "config", "filter.x.clean", hook)
    git(busy, "config", "filter.x.process", hook)
    git(busy, "config", "commit.gpgSign", "true")
    git(busy, "config", "gpg.program", hook)
    git(busy, "config", "user.useConfigOnly", "true")
    write(busy, ".gitattributes", b"* filter=x\n")
    trace.unlink(missing_ok=True)  # what the settings above ran is not ours
    assert take(busy, root=busy, reason=ABOUT).id == 1
    assert not trace.exists()


def test_a_tree_that_did_not_change_is_not_kept_twice(busy):
    first = take(busy, root=busy, reason=ABOUT)
    again = take(busy, root=busy, reason=ABOUT)
    assert (again.id, again.tree, again.is_new, again.stored) == (first.id, first.tree, False, 0)
    write(busy, "more.txt")
    assert take(busy, root=busy, reason=ABOUT).id == first.id + 1


def test_a_change_of_the_same_size_at_the_same_time_is_seen(busy):
    path = write(busy, "racy.txt", b"one\n")
    take(busy, root=busy, reason=ABOUT)
    write(busy, "racy.txt", b"two\n")
    second = take(busy, root=busy, reason=ABOUT)
    assert second.is_new
    os.remove(path)
    apply(busy, second.id)
    assert files(busy)[b"racy.txt"][0] == b"two\n"


def test_an_unborn_branch_a_merge_and_a_lock_of_the_users_are_no_obstacle(tmp_path):
    root = str(tmp_path / "unborn")
    subprocess.run(["git", "init", "-q", "-b", "main", root], check=True)
    write(root, "a.txt", b"never committed\n")
    assert take(root, root=root, reason=ABOUT).id == 1
    git(root, "add", "-A")
    git(root, "commit", "-qm", "1")
    git(root, "checkout", "-qb", "other")
    write(root, "a.txt", b"theirs\n")
    git(root, "commit", "-qam", "2")
    git(root, "checkout", "-q", "main")
    write(root, "a.txt", b"ours\n")
    git(root, "commit", "-qam", "3")
    with pytest.raises(subprocess.CalledProcessError):
        git(root, "merge", "other")
    write(root, ".git/index.lock", b"")
    conflict = files(root)
    taken = take(root, root=root, reason=ABOUT)
    write(root, "a.txt", b"gone wrong\n")
    apply(root, taken.id)
    assert files(root) == conflict


def test_a_sha256_repository_is_kept_too(tmp_path):
    root = str(tmp_path / "long")
    subprocess.run(["git", "init", "-q", "--object-format=sha256", root], check=True)
    path = write(root, "a.txt", b"content\n")
    assert len(take(root, root=root, reason=ABOUT).tree) == 64
    os.remove(path)
    apply(root)
    assert files(root)[b"a.txt"][0] == b"content\n"


def test_what_git_ignores_is_kept_when_the_call_names_it(repo):
    write(repo, ".gitignore", b".env\nbuild/\nnode_modules/\n")
    secret = write(repo, ".env", b"KEY=1\n")
    os.chmod(secret, 0o600)
    write(repo, "build/out.bin", b"built\n")
    before_call(repo, about_target(repo, "src"), ABOUT, env=os.environ)
    os.remove(secret)
    assert apply(repo).done == ()
    write(repo, ".env", b"KEY=1\n")
    os.chmod(secret, 0o640)
    before_call(repo, about_target(repo, ".env", "bui*"), ABOUT, env=os.environ)
    os.remove(secret)
    os.remove(os.path.join(repo, "build/out.bin"))
    assert [path for _, path in apply(repo).done] == [".env", "build/out.bin"]
    assert os.stat(secret).st_mode & 0o777 == 0o640


def test_a_call_on_everything_keeps_small_ignored_files_and_reports_what_is_left_out(
    repo,
):
    bounds = Bounds(ignored_file=1_000_000, ignored_bytes=3_000_000, ignored_files=20)
    write(repo, ".gitignore", b".env\nnode_modules/\ndata.bin\n")
    write(repo, ".env", b"KEY=1\n")
    write(repo, "data.bin", b"x" * 5_000_000)
    for number in range(30):
        write(repo, f"node_modules/{number}.js")
    taken = before_call(repo, about_target(repo, "."), ABOUT, env=os.environ, bounds=bounds)[0]
    assert any(each.startswith("node_modules/ ") for each in taken.left_out)
    assert any(each.startswith("data.bin ") for each in taken.left_out)
    git(repo, "clean", "-fdxq")
    assert ("brought back", ".env") in apply(repo).done


def test_a_repository_in_which_everything_is_ignored_keeps_what_is_named(tmp_path):
    root = str(tmp_path / "ignored")
    subprocess.run(["git", "init", "-q", root], check=True)
    write(root, ".git/info/exclude", b"*\n")
    path = write(root, "only.txt", b"kept\n")
    before_call(root, about_target(root, "only.txt"), ABOUT, env=os.environ)
    os.remove(path)
    assert apply(root).done == (("brought back", "only.txt"),)


def test_a_pattern_over_folders_names_the_ignored_files_in_all_of_them(repo):
    write(repo, ".gitignore", b"media/\nnode_modules/\n")
    kept = ("media/a.jpg", "media/old/[x]/b.jpg")
    for path in (*kept, "media/c.txt", "media/node_modules/d.jpg"):
        write(repo, path, b"x")
    before_call(repo, about_target(repo, "media/**/*.jpg"), ABOUT, env=os.environ)
    shutil.rmtree(os.path.join(repo, "media"))
    assert sorted(path for _, path in apply(repo).done) == sorted(kept)


def test_a_call_on_the_files_of_its_folder_that_names_none_is_one_on_all_of_them(repo):
    write(repo, ".gitignore", b".env\n")
    write(repo, ".env", b"KEY=1\n")
    cleaning = Finding("r", "allow", "dangerous", "", destroys=True, radius="files", cwd=repo)
    before_call(repo, [cleaning], ABOUT, env=os.environ)
    git(repo, "clean", "-fdxq")
    assert ("brought back", ".env") in apply(repo).done


def test_a_current_ignored_file_is_saved_before_an_older_one_replaces_it(repo):
    write(repo, ".gitignore", b".env\n")
    write(repo, ".env", b"old\n")
    first = before_call(repo, about_target(repo, ".env"), ABOUT, env=os.environ)[0]
    write(repo, ".env", b"new\n")
    applied = apply(repo, first.id)
    assert files(repo)[b".env"][0] == b"old\n"
    apply(repo, applied.saved.id)
    assert files(repo)[b".env"][0] == b"new\n"


def test_a_tracked_file_that_the_ignore_rules_hide_is_kept(repo):
    write(repo, ".gitignore", b"dist/\n")
    write(repo, "dist/kept.js", b"committed all the same\n")
    git(repo, "add", "-f", "dist/kept.js", ".gitignore")
    git(repo, "commit", "-qm", "dist")
    write(repo, "dist/kept.js", b"and changed\n")
    take(repo, root=repo, reason=ABOUT)
    git(repo, "checkout", "-q", "--", "dist/kept.js")
    apply(repo)
    assert files(repo)[b"dist/kept.js"][0] == b"and changed\n"


def test_files_that_git_keeps_behind_a_filter_are_stored_only_when_they_changed(repo):
    git(repo, "config", "filter.lfs.clean", "sha256sum")
    write(repo, ".gitattributes", b"*.psd filter=lfs\n")
    write(repo, "same.psd", b"large\n")
    write(repo, "changed.psd", b"large\n")
    git(repo, "add", "-A")
    git(repo, "commit", "-qm", "pictures")
    write(repo, "changed.psd", b"work on it\n")
    write(repo, "new.psd", b"never added\n")
    for name in ("same.psd", "readme.txt"):
        os.utime(os.path.join(repo, name), (1_000_000_000, 1_000_000_000))
    git(repo, "update-index", "-q", "--refresh", "same.psd")
    taken = take(repo, root=repo, reason=ABOUT)
    held = git(repo, "ls-tree", "--name-only", taken.ref).decode().split()
    assert held == [".gitattributes", "changed.psd", "new.psd", "readme.txt"]
    assert taken.left_out == ("1 unchanged files behind a filter: git has them",)
    git(repo, "checkout", "-q", "--", ".")
    os.remove(os.path.join(repo, "new.psd"))
    assert apply(repo, taken.id).left == ()
    assert files(repo)[b"changed.psd"][0] == b"work on it\n"
    assert files(repo)[b"new.psd"][0] == b"never added\n"


def test_the_products_own_files_are_neither_kept_nor_restored(project):
    write(project, ".proof/session_log.jsonl", b"{}\n")
    write(project, ".claude/settings.json", b"{}\n")
    taken = take(project, root=project, reason=ABOUT)
    held = git(project, "ls-tree", "-r", "--name-only", taken.ref).decode().split()
    assert held == [".claude/settings.json", "readme.txt"]
    write(project, ".claude/settings.json", b'{"hooks": 1}\n')
    write(project, ".proof/session_log.jsonl", b"more\n")
    applied = apply(project)
    assert [path for _, path in applied.left] == [".claude/settings.json"]
    assert files(project)[b".claude/settings.json"][0] == b'{"hooks": 1}\n'
    assert files(project)[b".proof/session_log.jsonl"][0] == b"more\n"


def test_a_forged_snapshot_writes_nothing_outside_the_tree_or_into_git(repo, tmp_path):
    take(repo, root=repo, reason=ABOUT)
    blob = git(repo, "hash-object", "-w", "--stdin", data=b"evil\n").decode().strip()
    raw = bytes.fromhex(blob)

    def tree(*entries):
        body = b"".join(mode + b" " + name + b"\0" + oid for mode, name, oid in entries)
        words = ("hash-object", "-w", "-t", "tree", "--literally", "--stdin")
        return bytes.fromhex(git(repo, *words, data=body).decode().strip())

    hooks = tree((b"100755", b"post-checkout", raw))
    dotgit = tree((b"40000", b"hooks", hooks))
    up = tree((b"100644", b"escaped.txt", raw))
    top = tree(
        (b"40000", b"..", up),
        (b"40000", b".GIT", dotgit),
        (b"100644", b"/tmp/edge-escaped", raw),
        (b"100644", b"a/../../escaped.txt", raw),
        (b"100644", b"ok.txt", raw),
    )
    with opened(repo, repo, os.environ, BEFORE_CALL) as work:  # as if the key had signed even that
        number = work.keep(StoredTree(top.hex(), 1, ()), ABOUT, wall_clock).id
    applied = apply(repo, number)
    assert applied.done == (("brought back", "ok.txt"),)
    assert not (tmp_path / "escaped.txt").exists()
    assert not os.path.exists("/tmp/edge-escaped")
    assert not os.path.exists(os.path.join(repo, ".git/hooks/post-checkout"))


@pytest.mark.parametrize("part", ["tree", "state", "everything"])
def test_what_somebody_else_wrote_or_changed_is_shown_and_not_applied(repo, part):
    write(repo, "readme.txt", b"mine\n")
    mine = take(repo, root=repo, reason=ABOUT)
    ref = "refs/operators-edge/undo/1"
    message = git(repo, "log", "-1", "--format=%B", ref).decode()
    body = json.loads(message.partition("\n\n")[2])
    tree = git(repo, "rev-parse", "HEAD^{tree}").decode().strip()
    if part == "tree":
        text = message
    elif part == "state":
        state = json.loads(git(repo, "cat-file", "blob", body["state"]))
        state["git"]["operation"] = {"rebase-merge/git-rebase-todo": "exec evil"}
        ident = git(repo, "hash-object", "-w", "--stdin", data=json.dumps(state).encode())
        text = message.replace(body["state"], ident.decode().strip())
        tree = mine.tree
    else:
        text = "mine\n\n{}\n"
    commit = git(repo, "commit-tree", tree, "-m", text).decode().strip()
    git(repo, "update-ref", ref, commit)
    write(repo, "readme.txt", b"lost\n")
    with pytest.raises(AnswerIsNo, match="not as it was taken: somebody else wrote or changed it"):
        apply(repo, 1, with_git=True)
    assert files(repo)[b"readme.txt"][0] == b"lost\n"
    assert not os.path.exists(os.path.join(repo, ".git", "rebase-merge"))
    assert "somebody else" in Undo(repo, root=repo).show(1, (), stat_only=True)[2][0]


def test_files_folders_and_links_replace_each_other(repo):
    write(repo, "a/deep/file.txt", b"in a folder\n")
    write(repo, "b", b"a file\n")
    outside = os.path.join(os.path.dirname(repo), "outside")
    os.mkdir(outside)
    os.mkdir(os.path.join(repo, "c"))
    write(repo, "c/x.txt", b"not through the link\n")
    before = files(repo)
    taken = take(repo, root=repo, reason=ABOUT)
    for name in ("a/deep/file.txt", "b", "c/x.txt"):
        os.remove(os.path.join(repo, name))
    os.removedirs(os.path.join(repo, "a/deep"))
    os.rmdir(os.path.join(repo, "c"))
    write(repo, "a", b"now a file\n")
    write(repo, "b/inner.txt", b"now a folder\n")
    os.symlink(outside, os.path.join(repo, "c"))
    applied = apply(repo, taken.id)
    assert applied.left == ()
    assert files(repo) == before
    assert os.listdir(outside) == []


def test_what_cannot_be_saved_first_is_not_overwritten(repo):
    write(repo, "thing", b"a file\n")
    taken = take(repo, root=repo, reason=ABOUT)
    os.remove(os.path.join(repo, "thing"))
    nested = os.path.join(repo, "thing")
    subprocess.run(["git", "init", "-q", nested], check=True)
    write(nested, "work.txt", b"a repository of its own\n")
    applied = apply(repo, taken.id)
    assert [path for _, path in applied.left] == ["thing"]
    assert files(nested) == {b"work.txt": (b"a repository of its own\n", False)}


def test_only_the_named_paths_are_restored_and_by_a_dry_run_none(busy):
    taken = take(busy, root=busy, reason=ABOUT)
    git(busy, "reset", "--hard", "-q")
    before = files(busy)
    planned = apply(busy, taken.id, "readme.txt", dry_run=True)
    assert planned.done == (("restore", "readme.txt"),)
    assert planned.saved.id == 0
    assert files(busy) == before
    apply(busy, taken.id, "readme.txt")
    assert files(busy) == {**before, b"readme.txt": (b"changed, not committed\n", False)}
    with pytest.raises(AnswerIsNo, match=r"not contain never\.txt"):
        apply(busy, taken.id, "never.txt")
    with pytest.raises(AnswerIsNo, match="outside"):
        apply(busy, taken.id, "../x")


def test_a_folder_names_all_below_it_and_the_top_names_everything(busy):
    before = files(busy)
    taken = take(busy, root=busy, reason=ABOUT)
    git(busy, "reset", "--hard", "-q")
    git(busy, "clean", "-fdq")
    apply(busy, taken.id, "new folder")
    assert "new folder/ünï cödé name.txt".encode() in files(busy)
    assert b"empty.txt" not in files(busy)
    inner = Undo(os.path.join(busy, "folder"), root=busy)
    inner.apply(taken.id, ["../empty.txt"], reason=ABOUT)
    assert b"empty.txt" in files(busy)
    apply(busy, taken.id, ".", exact=True)
    assert files(busy) == before


def test_a_target_through_a_link_belongs_to_the_project_too(repo, tmp_path):
    os.symlink(repo, tmp_path / "by-link")
    for target in (".", "readme.txt"):
        findings = about_target(str(tmp_path / "by-link"), target)
        assert before_call(repo, findings, ABOUT, env=os.environ)[0].id == 1


def test_files_made_since_stay_unless_exactly_that_tree_is_wanted(busy):
    before = files(busy)
    taken = take(busy, root=busy, reason=ABOUT)
    write(busy, "later/made.txt")
    write(busy, "readme.txt", b"lost\n")
    apply(busy, taken.id)
    assert files(busy) == {**before, b"later/made.txt": (b"x\n", False)}
    apply(busy, taken.id, exact=True)
    assert files(busy) == before
    assert not os.path.exists(os.path.join(busy, "later"))


def test_undoing_can_be_undone(busy):
    first = take(busy, root=busy, reason=ABOUT)
    git(busy, "reset", "--hard", "-q")
    write(busy, "fresh.txt", b"work done after the reset\n")
    middle = files(busy)
    applied = apply(busy, first.id, exact=True)
    assert b"fresh.txt" not in files(busy)
    apply(busy, applied.saved.id, exact=True)
    assert files(busy) == middle


def test_the_list_shows_what_differs_now(busy):
    take(busy, root=busy, reason=ABOUT)
    undo = Undo(busy, root=busy)
    assert [each.differs for each in undo.list()] == [0]
    write(busy, "readme.txt", b"other\n")
    os.remove(os.path.join(busy, "run.sh"))
    assert [each.differs for each in undo.list()] == [2]
    kept, diff, _ = undo.show(None, ["readme.txt"], stat_only=False)
    assert kept.id == 1
    assert "-changed, not committed" in diff
    assert "+other" in diff
    assert "run.sh" not in diff


def test_only_the_newest_are_kept_and_only_our_own_refs_go(repo):
    git(repo, "update-ref", "refs/operators-edge/other", "HEAD")
    for number in range(6):
        write(repo, "readme.txt", b"%d\n" % number)
        take(repo, root=repo, reason=ABOUT, bounds=Bounds(keep=3, young=0))
    refs = git(repo, "for-each-ref", "--format=%(refname)").decode().split()
    assert refs == [
        "refs/heads/main",
        "refs/operators-edge/other",
        *(f"refs/operators-edge/undo/{number}" for number in (4, 5, 6)),
    ]


def test_many_calls_in_a_row_do_not_push_out_the_work_of_the_day(repo):
    now = datetime.now(UTC)

    def kept_after(text, days=0):
        write(repo, "readme.txt", text)
        few = Bounds(keep=2, most=4)
        take(repo, root=repo, reason=ABOUT, bounds=few, clock=lambda: now + timedelta(days))
        return [each.kept.id for each in Undo(repo, root=repo).list()]

    assert [kept_after(text) for text in (b"a", b"b", b"c", b"d")][-1] == [4, 3, 2, 1]
    with pytest.raises(StateError, match="4 snapshots of the last day already"):
        kept_after(b"e")
    assert [each.kept.id for each in Undo(repo, root=repo).list(2)] == [4, 3]
    assert kept_after(b"e", days=2) == [5, 4]


def random_file(repo):
    write(repo, "large.bin", os.urandom(1 << 20))


def test_the_oldest_go_when_they_take_too_much_and_that_is_said(repo):
    now = datetime(2026, 1, 1, tzinfo=UTC)
    bounds = Bounds(total=4 << 20)
    for hour in range(7):
        random_file(repo)
        taken = take(
            repo,
            root=repo,
            reason=ABOUT,
            bounds=bounds,
            clock=lambda h=hour: now + timedelta(hours=2 * h),
        )
    assert taken.removed
    undo = Undo(repo, root=repo)
    assert [each.kept.id for each in undo.list()] == [7, 6, 5]
    space = undo.space()
    assert space.snapshots == 3
    assert 3 << 20 < space.size < 4 << 20
    assert [each["id"] for each in space.removed] == [1, 2, 3, 4]
    with pytest.raises(
        AnswerIsNo, match=r"snapshot 2 was removed on .* to keep within undo_megabytes"
    ):
        apply(repo, 2)


def test_what_an_undo_saves_stays_within_the_limit_that_a_person_set(repo, tmp_path, monkeypatch):
    write(str(tmp_path), "config/operators-edge/config.toml", "undo_megabytes = 321\n")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    assert unhurried(repo).total == 321 << 20


def test_none_of_the_last_hour_goes_for_its_size(repo):
    now = datetime(2026, 1, 1, tzinfo=UTC)
    bounds = Bounds(total=3 << 20)
    for _ in range(2):
        random_file(repo)
        take(repo, root=repo, reason=ABOUT, bounds=bounds, clock=lambda: now)
    random_file(repo)
    with pytest.raises(StateError, match="the snapshots of the last hour take"):
        take(repo, root=repo, reason=ABOUT, bounds=bounds, clock=lambda: now)
    assert len(Undo(repo, root=repo).list()) == 2


def test_what_the_commits_have_does_not_count(repo):
    random_file(repo)
    git(repo, "add", "-A")
    git(repo, "commit", "-qm", "large")
    assert take(repo, root=repo, reason=ABOUT, bounds=Bounds(total=1 << 19)).id == 1
    assert Undo(repo, root=repo).space().size < 1 << 16


def test_a_large_file_is_kept_without_the_time_that_compressing_it_takes(repo):
    write(repo, "large", bytes(9 << 20))
    snapshot = take(repo, root=repo, reason=ABOUT)
    ident = git(repo, "rev-parse", f"{snapshot.ref}:large").decode().strip()
    assert os.path.getsize(os.path.join(repo, ".git", "objects", ident[:2], ident[2:])) > 9 << 20


def test_a_large_file_for_which_there_is_no_time_does_not_cost_the_others_their_snapshot(repo):
    write(repo, "notes.txt", b"mine\n")
    with open(os.path.join(repo, "large"), "wb") as file:
        file.truncate(3 << 30)
    bounds = Bounds(seconds=30, file=1 << 40)
    snapshot = take(repo, root=repo, reason=ABOUT, bounds=bounds)
    assert "large has 3072 MB, for which there was no time" in snapshot.describe(repo)
    assert git(repo, "show", f"{snapshot.ref}:notes.txt") == b"mine\n"


def test_permissions_times_and_names_of_one_file_are_as_they_were(repo):
    for name, mode in (("secret", 0o600), ("shared", 0o664), ("tool", 0o755), ("ro", 0o444)):
        os.chmod(write(repo, f"d/{name}", b"x\n"), mode)
        os.utime(os.path.join(repo, "d", name), ns=(1, 1_600_000_000_123_456_789))
    os.link(os.path.join(repo, "d/secret"), os.path.join(repo, "d/same"))
    os.chmod(os.path.join(repo, "d"), 0o700)
    os.makedirs(os.path.join(repo, "d/empty/inner"))
    before = {
        base: os.stat(os.path.join(repo, base)).st_mode
        for base in ("d", "d/ro", "d/tool", "d/shared")
    }
    before_call(repo, about_target(repo, "d"), ABOUT, env=os.environ)
    shutil.rmtree(os.path.join(repo, "d"))
    apply(repo)
    assert {base: os.stat(os.path.join(repo, base)).st_mode for base in before} == before
    found = os.stat(os.path.join(repo, "d/secret"))
    assert (found.st_mode & 0o777, found.st_nlink, found.st_mtime_ns) == (
        0o600,
        2,
        1_600_000_000_123_456_789,
    )
    assert os.path.isdir(os.path.join(repo, "d/empty/inner"))


def test_permissions_and_times_are_given_back_although_no_content_changed(repo):
    write(repo, ".gitignore", b"build/\n")
    names = ("build/out.bin", "readme.txt", "new.txt")
    for at, name in enumerate(names):
        path = write(repo, name, b"x\n")
        os.chmod(path, 0o640 + at)
        os.utime(path, ns=(1, 1_600_000_000_123_456_789 + at))

    def seen():
        infos = [os.stat(os.path.join(repo, name)) for name in names]
        return [(info.st_mode, info.st_mtime_ns) for info in infos]

    before = seen()
    before_call(repo, about_target(repo, ""), ABOUT, env=os.environ)
    for name in names:
        os.chmod(os.path.join(repo, name), 0o600)
        os.utime(os.path.join(repo, name), ns=(1, 1))
    planned = apply(repo, dry_run=True).done
    assert {("permissions of", "build/out.bin"), ("time of", "build/out.bin")} <= {*planned}
    done = apply(repo).done
    assert seen() == before
    assert {("permissions", "build/out.bin"), ("time", "new.txt")} <= {*done}


def test_what_cannot_be_looked_at_is_not_taken_for_small(repo):
    names = [os.path.join(repo, each) for each in ("readme.txt", "gone.txt", "x" * 300)]
    (said,) = kept.unkeepable(repo, Recovery("file", tuple(names)))
    assert said.endswith("xxx cannot be read (File name too long)")


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root reads all")
def test_what_may_not_be_read_is_not_taken_for_kept(repo):
    os.chmod(write(repo, "private", b"x\n"), 0)
    (said,) = kept.unkeepable(repo, Recovery("file", (os.path.join(repo, "private"),)))
    assert said == "private cannot be read"


@pytest.mark.parametrize(
    ("name", "is_free"),
    [
        *(("out", True), ("out/", True), ("*.egg-info", True), ("d/out", True)),
        *(("readme.txt", False), ("*.txt", False), ("link", False), ("../out", False)),
        *(("new/link/out", False), ("away/out", False), (".", False)),
    ],
)
def test_a_line_may_delete_what_was_not_there_before_it(repo, name, is_free):
    write(repo, "readme.txt", b"x\n")
    write(repo, "d/one.txt", b"x\n")
    os.symlink("nowhere", os.path.join(repo, "link"))
    os.symlink(os.path.dirname(repo), os.path.join(repo, "away"))
    absent = Recovery("absent", (f"{repo}/{name}",))
    assert (not kept.at_stake(repo, [absent], env={}).missing) is is_free


def test_a_snapshot_survives_garbage_collection(repo):
    write(repo, "untracked.txt", b"kept\n")
    take(repo, root=repo, reason=ABOUT)
    os.remove(os.path.join(repo, "untracked.txt"))
    git(repo, "gc", "-q", "--prune=now")
    apply(repo)
    assert files(repo)[b"untracked.txt"][0] == b"kept\n"


def _take_one(root, name):
    write(root, name)
    return take(root, root=root, reason=SnapshotReason(name), bounds=Bounds(seconds=60.0)).id


def test_many_at_once_get_numbers_of_their_own_or_share_one_tree(repo):
    with get_context("spawn").Pool(8) as pool:
        numbers = pool.starmap(_take_one, [(repo, f"{n}.txt") for n in range(8)])
    kept = [each.kept for each in Undo(repo, root=repo).list()]
    assert set(numbers) <= {each.id for each in kept}
    assert len({each.tree for each in kept}) == len(kept)
    held = git(repo, "ls-tree", "--name-only", f"refs/operators-edge/undo/{max(numbers)}")
    assert len(held.split()) == 9


def test_worktrees_share_the_numbers_and_keep_their_snapshots_apart(repo, tmp_path):
    other = str(tmp_path / "other")
    git(repo, "worktree", "add", "-q", other)
    write(repo, "here.txt")
    write(other, "there.txt")
    assert take(repo, root=repo, reason=ABOUT).id == 1
    assert take(other, root=other, reason=ABOUT).id == 2
    assert take(repo, root=repo, reason=ABOUT).id == 1
    assert [each.kept.id for each in Undo(other, root=other).list()] == [2]
    with pytest.raises(AnswerIsNo, match="of another working tree"):
        apply(other, 1)


def test_a_project_below_the_repositorys_top_is_covered_with_all_around_it(repo):
    inner = os.path.join(repo, "inner")
    write(inner, "active_context.yaml", b"schema_version: 4\n")
    write(inner, "a.txt")
    write(repo, "above.txt")
    taken = before_call(inner, about_target(inner, "a.txt"), ABOUT, env=os.environ)[0]
    held = git(repo, "ls-tree", "-r", "--name-only", taken.ref).decode().split()
    assert held == ["above.txt", "inner/a.txt", "readme.txt"]


def test_a_nested_repository_is_reported_as_left_out_and_has_its_own_snapshots(repo):
    nested = os.path.join(repo, "nested")
    subprocess.run(["git", "init", "-q", nested], check=True)
    write(nested, "n.txt")
    outer, inner = before_call(
        repo, about_target(repo, "readme.txt", "nested/n.txt"), ABOUT, env=os.environ
    )
    assert outer.left_out == ("nested/ is a repository of its own",)
    assert git(nested, "ls-tree", "--name-only", inner.ref) == b"n.txt\n"
    assert inner.restore_command(repo) == f"edge undo apply 1 --project {nested}"
    assert outer.restore_command(repo) == "edge undo apply 1"


def test_a_repository_inside_that_stays_has_its_own_snapshot(repo):
    nested = os.path.join(repo, "nested")
    subprocess.run(["git", "init", "-q", nested], check=True)
    write(nested, "n.txt")
    about = Finding("r", "allow", "dangerous", "", destroys=True, targets=(repo,), cwd=repo)
    for line, has_one in (("chmod -R go-r .", True), ("rm -rf .", False)):
        findings = [about._replace(detail=(("command", line),))]
        _, inner = before_call(repo, findings, ABOUT, env=os.environ)
        assert (inner.top, bool(inner.id)) == (nested, has_one)
    findings = [about._replace(detail=(("command", "git rm -rq --cached ."),))]
    assert [each.top for each in before_call(repo, findings, ABOUT, env=os.environ)] == [repo]


def test_why_there_is_no_snapshot_is_reported(tmp_path, repo):
    plain = str(tmp_path / "plain")
    write(plain, "a.txt")
    why = before_call(plain, about_target(plain, "a.txt"), ABOUT, env=os.environ)[0].missing_because
    assert why == "the project is not a git repository"
    write(repo, "new.txt")
    targets = about_target(repo, "new.txt")
    taken = before_call(repo, targets, ABOUT, env=os.environ, bounds=Bounds(seconds=0.0))[0]
    assert (taken.id, taken.missing_because) == (0, "git and the disk took longer than 0 seconds")


def test_another_worktree_of_the_repository_has_its_snapshot_too(repo, tmp_path):
    linked = str(tmp_path / "linked")
    git(repo, "worktree", "add", "-q", "-b", "side", linked)
    write(linked, "readme.txt", "unsaved\n")
    inside = Finding("r", "allow", "dangerous", "", destroys=True, cwd=linked)
    for findings in (about_target(linked, "readme.txt"), [inside]):
        (taken,) = before_call(repo, findings, ABOUT, env=os.environ)
        assert taken.id
        assert taken.top == linked
    write(linked, "readme.txt", "lost\n")
    Undo(linked, root=repo).apply(taken.id, (), reason=SnapshotReason("edge undo apply"))
    assert files(linked)[b"readme.txt"][0] == b"unsaved\n"


def test_a_worktree_that_is_gone_comes_back_once_git_has_made_it_again(repo, tmp_path):
    linked = str(tmp_path / "linked")
    git(repo, "worktree", "add", "-q", "-b", "side", linked)
    write(linked, "readme.txt", "unsaved\n")
    (taken,) = before_call(repo, about_target(linked, "."), ABOUT, env=os.environ)
    shutil.rmtree(linked)
    with pytest.raises(AnswerIsNo) as refused:
        apply(repo, taken.id)
    first, then = refused.value.hint.split("; then: ")
    assert first == f"git worktree add -f {linked} side"
    git(repo, *first.split()[1:])
    assert then == f"edge -C {linked} undo apply {taken.id}"
    Undo(linked, root=repo).apply(taken.id, (), reason=SnapshotReason("edge undo apply"))
    assert files(linked)[b"readme.txt"][0] == b"unsaved\n"


def test_what_is_not_all_named_concerns_the_folder_that_it_runs_in(repo):
    (named,) = about_target("/", "TODO/d")
    findings = [named._replace(cwd=repo, detail=(("text", "xargs sed -i /TODO/d"),))]
    (taken,) = before_call(repo, findings, ABOUT, env=os.environ)
    assert taken.id


def test_targets_outside_the_project_need_no_snapshot(repo, tmp_path):
    outside = write(str(tmp_path / "elsewhere"), "a.txt")
    assert before_call(repo, about_target(repo, outside), ABOUT, env=os.environ) == []


def test_a_read_only_repository_is_a_reason_and_no_failure(repo):
    write(repo, "new.txt")
    objects = os.path.join(repo, ".git/objects")
    os.chmod(objects, 0o500)
    if os.access(objects, os.W_OK):
        pytest.skip("nothing is read-only for this user")
    try:
        taken = before_call(repo, about_target(repo, "new.txt"), ABOUT, env=os.environ)[0]
    finally:
        os.chmod(objects, 0o700)
    assert taken.id == 0
    assert "permission" in taken.missing_because


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes")
@pytest.mark.parametrize("name", ["HEAD", "config", "index", "info/exclude"])
def test_a_pipe_in_the_place_of_a_file_of_gits_is_a_reason_at_once(repo, name):
    path = os.path.join(repo, ".git", name)
    os.unlink(path)
    os.mkfifo(path)
    (taken,) = before_call(repo, about_target(repo, "readme.txt"), ABOUT, env=os.environ)
    assert taken.missing_because == f"{path} is not an ordinary file"
    with pytest.raises(EdgeError, match="is not an ordinary file"):
        Undo(repo, root=repo).list()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes")
def test_what_saves_time_in_comparing_may_be_unreadable(repo):
    assert take(repo, root=repo, reason=ABOUT).id == 1
    (folder,) = Path(undo_dir(os.path.join(repo, ".git"), os.environ, repo)).glob("index")
    for name in ("index", "seen", "attributes", "index-state", "../sizes"):
        path = folder.parent / name
        path.unlink(missing_ok=True)
        os.mkfifo(path)
    assert [each.kept.id for each in Undo(repo, root=repo).list()] == [1]


def test_a_bare_repository_and_a_broken_one_are_reasons_too(tmp_path):
    root = str(tmp_path / "broken")
    write(root, ".git", b"gitdir: /nowhere\n")
    write(root, "a.txt")
    assert (
        "git"
        in before_call(root, about_target(root, "a.txt"), ABOUT, env=os.environ)[0].missing_because
    )
    bare = str(tmp_path / "bare")
    subprocess.run(["git", "init", "-q", "--bare", bare], check=True)
    with pytest.raises(AnswerIsNo):
        take(bare, root=bare, reason=ABOUT)


def test_a_snapshot_says_what_it_was_taken_before(repo):
    taken = take(repo, root=repo, reason=ABOUT)
    message = git(repo, "log", "-1", "--format=%B", taken.ref).decode()
    subject, _, body = message.partition("\n\n")
    assert subject == "edge: before git reset --hard && git clean -fd"
    told = json.loads(body)
    assert (told["session"], told["call"], told["top"]) == ("s-1", "toolu_1", repo)


def test_what_a_killed_process_left_behind_is_no_obstacle(repo, fenced):
    take(repo, root=repo, reason=ABOUT)
    [lock] = [
        os.path.join(base, "index.lock")
        for base, _, names in os.walk(os.path.join(fenced, "state"))
        if "index" in names
    ]
    write(os.path.dirname(lock), "index.lock", b"half")
    write(repo, "new.txt")
    assert take(repo, root=repo, reason=ABOUT).is_new


@pytest.mark.skipif(sys.platform == "win32", reason="there are no pipes in folders")
def test_pipes_and_unreadable_files_are_left_out_and_reported(repo):
    os.remove(os.path.join(repo, "readme.txt"))
    os.mkfifo(os.path.join(repo, "readme.txt"))
    write(repo, "kept.txt")
    taken = take(repo, root=repo, reason=ABOUT)
    held = git(repo, "ls-tree", "--name-only", taken.ref).decode().split()
    assert held == ["kept.txt"]


def test_what_a_link_took_the_place_of_has_its_permissions_and_time_again(repo):
    write(repo, "docs/guide.md", b"words\n")
    guide = os.path.join(repo, "docs", "guide.md")
    os.chmod(guide, 0o440)
    os.utime(guide, ns=(1, 1_700_000_000_000_000_001))
    taken = take(repo, root=repo, reason=ABOUT)
    shutil.rmtree(os.path.join(repo, "docs"))
    os.symlink("folder", os.path.join(repo, "docs"))
    apply(repo, taken.id)
    info = os.lstat(guide)
    assert (info.st_mode & 0o777, info.st_mtime_ns) == (0o440, 1_700_000_000_000_000_001)


def test_an_attribute_that_a_file_got_since_goes(repo):
    readme = os.path.join(repo, "readme.txt")
    try:
        os.setxattr(readme, "user.kept", b"1")
    except (AttributeError, OSError):
        pytest.skip("no attributes here")
    taken = take(repo, root=repo, reason=ABOUT)
    os.removexattr(readme, "user.kept")
    os.setxattr(readme, "user.since", b"2")
    assert apply(repo, taken.id).done == (("time", "readme.txt"),)
    assert os.listxattr(readme) == ["user.kept"]
    assert apply(repo, taken.id).done == ()


@pytest.mark.parametrize(
    "before", [(), ("set", "--cone", "folder"), ("set", "--no-cone", "/*.txt")]
)
def test_an_undo_with_git_gives_back_how_the_checkout_was_sparse(repo, before):
    write(repo, "folder/inner.txt")
    write(repo, "other/inner.txt")
    git(repo, "add", "-A")
    git(repo, "commit", "-qm", "more")
    if before:
        git(repo, "sparse-checkout", *before)

    def setting():
        settings = subprocess.run(
            ["git", "-C", repo, "config", "--get-regexp", r"^(core\.sparse|index\.sparse)"],
            capture_output=True,
            check=False,
        ).stdout
        patterns = Path(repo, ".git", "info", "sparse-checkout")
        listed = git(repo, "ls-files", "-v")
        return settings, patterns.exists() and patterns.read_bytes(), listed, files(repo)

    then = setting()
    taken = take(repo, root=repo, reason=ABOUT)
    git(repo, "sparse-checkout", "set", "--no-cone", "other")
    assert "the sparse checkout was set differently" in apply(repo, taken.id, dry_run=True).others
    applied = apply(repo, taken.id, with_git=True, exact=True)
    assert ("restored", "the sparse checkout") in applied.done
    assert setting() == then
    assert apply(repo, taken.id, with_git=True).done == ()


def test_without_room_on_the_disk_nothing_is_restored_and_the_error_says_what_to_do(
    repo, tmp_path, monkeypatch
):
    taken = take(repo, root=repo, reason=ABOUT)
    write(repo, "readme.txt", b"newer\n")
    program = tmp_path / "bin" / "git"
    program.parent.mkdir()
    full = "error: unable to write loose object file: No space left on device"
    program.write_text(
        f'#!/bin/sh\ncase " $* " in *" update-index "*) echo "{full}" >&2; exit 128;; esac\n'
        f'exec {shutil.which("git")} "$@"\n'
    )
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(program.parent), prepend=os.pathsep)
    with pytest.raises(AnswerIsNo) as caught:
        apply(repo, taken.id)
    assert "nothing was changed" in caught.value.message
    assert "No space left" in caught.value.detail
    assert caught.value.hint.startswith("Free some space on the disk. A single file: git show ")


def test_a_file_whose_content_git_has_lost_keeps_the_others_from_nothing(repo):
    write(repo, "lost.txt", b"lost\n")
    write(repo, "readme.txt", b"kept\n")
    taken = take(repo, root=repo, reason=ABOUT)
    ident = git(repo, "rev-parse", f"{taken.ref}:lost.txt").decode().strip()
    git(repo, "checkout", "-qf", ".")
    os.unlink(os.path.join(repo, "lost.txt"))
    os.unlink(os.path.join(repo, ".git", "objects", ident[:2], ident[2:]))
    applied = apply(repo, taken.id)
    assert ("restored", "readme.txt") in applied.done
    assert applied.left == ((f"the snapshot's object {ident} is missing", "lost.txt"),)
    assert Undo(repo, root=repo).space().snapshots == 2


def test_a_clock_before_1970_keeps_no_snapshot_from_being_taken(repo):
    write(repo, "readme.txt", b"kept\n")
    taken = take(repo, root=repo, reason=ABOUT, clock=lambda: datetime.fromtimestamp(-86400.0, UTC))
    write(repo, "readme.txt", b"lost\n")
    assert apply(repo, taken.id).left == ()
    assert Path(repo, "readme.txt").read_bytes() == b"kept\n"


def test_a_submodule_that_is_gone_comes_back_once_git_has_checked_it_out(repo, tmp_path):
    library, inner = str(tmp_path / "library"), os.path.join(repo, "inner")
    git(str(tmp_path), "clone", "-q", repo, library)
    of_files = ("-c", "protocol.file.allow=always", "submodule", "--quiet")
    git(repo, *of_files, "add", library, "inner")
    git(repo, "commit", "-qm", "submodule")
    write(inner, "readme.txt", b"work in the submodule\n")
    take(repo, root=repo, reason=ABOUT)
    taken = take(inner, root=repo, reason=ABOUT)
    git(repo, "submodule", "--quiet", "deinit", "-f", "inner")
    undo = Undo(inner, root=repo)
    with pytest.raises(AnswerIsNo, match="not checked out") as caught:
        undo.apply(taken.id, (), reason=ABOUT)
    assert caught.value.hint == "git submodule update --init inner, then repeat"
    git(repo, *of_files, "update", "--init", "inner")
    assert ("restored", "readme.txt") in undo.apply(taken.id, (), reason=ABOUT).done
    assert Path(inner, "readme.txt").read_bytes() == b"work in the submodule\n"


def test_a_repository_that_was_moved_has_its_snapshots_still(repo, tmp_path):
    git(repo, "worktree", "add", "-q", str(tmp_path / "linked"), "-b", "side")
    linked = str(tmp_path / "linked")
    take(linked, root=linked, reason=ABOUT)
    write(repo, "readme.txt", b"not committed\n")
    taken = take(repo, root=repo, reason=ABOUT)
    git(repo, "worktree", "remove", "--force", linked)
    moved = f"{repo} elsewhere"
    os.rename(repo, moved)
    write(moved, "readme.txt", b"lost\n")
    listed = Undo(moved, root=moved).list()
    assert [(each.kept.id, each.differs) for each in listed] == [(taken.id, 1)]
    assert ("restored", "readme.txt") in apply(moved, taken.id).done
    assert Path(moved, "readme.txt").read_bytes() == b"not committed\n"


def test_a_copy_of_a_repository_has_none_of_its_snapshots(repo):
    taken = take(repo, root=repo, reason=ABOUT)
    copy = f"{repo} again"
    shutil.copytree(repo, copy)
    assert Undo(copy, root=copy).list() == []
    with pytest.raises(AnswerIsNo, match="of another working tree"):
        apply(copy, taken.id)
