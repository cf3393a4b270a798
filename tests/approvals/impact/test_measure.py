"""What would go, counted in real repositories and real folders."""

import datetime as dt
import os
import subprocess

import pytest
from tests.hosting import write

from operators_edge.approvals.impact import (
    commits,
    files as impact_files,
    measure as impact_measure,
)
from operators_edge.approvals.impact.files import FileScan
from operators_edge.gate import decide, rules
from operators_edge.gate.facts import SystemFacts
from operators_edge.git.commands import Budget
from operators_edge.model import Call, Finding, Place, Verdict

NOW = dt.datetime(2030, 1, 1, tzinfo=dt.UTC)
RULES = rules.load()
CONFIGURED = (
    "GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=remote.origin.pushurl GIT_CONFIG_VALUE_0=/elsewhere.git"
)


def git(root, *words, env=None):
    base = ["git", "-c", "user.name=t", "-c", "user.email=t@example.invalid", "-C", root]
    done = subprocess.run([*base, *words], check=True, capture_output=True, text=True, env=env)
    return done.stdout.strip()


def commit(root, *subjects):
    for subject in subjects:
        write(root, "log.txt", subject)
        git(root, "add", "log.txt")
        git(root, "commit", "-qm", subject)


def measured(command, root, kind, *, about="", seconds=30, now=NOW, cwd=None, tool="Bash", **given):
    """The impact of the first finding ``about`` a command, as if its rule said that ``kind`` is measured."""
    call = Call(tool, given or {"command": command}, cwd or root)
    place = Place(root=root, home="/home/nobody")
    verdict = decide.assess(call, place, SystemFacts(), RULES)
    assert verdict.findings, f"no rule fires on {command}"
    found = [one for one in verdict.findings if about in dict(one.detail).get("command", "")]
    findings = tuple(one._replace(radius=kind) for one in found[:1])
    (report,) = impact_measure.measure(
        verdict._replace(findings=findings),
        call,
        place,
        SystemFacts(),
        RULES,
        env=os.environ,
        now=now,
        budget=Budget(seconds),
    )
    assert report["kind"] == kind
    return report


def stake(command, root, kind, **more):
    return measured(command, root, kind, **more)["at_stake"]


@pytest.fixture
def remote(repo, tmp_path):
    """A bare remote that knows the repository's first commit."""
    bare = str(tmp_path / "shop.git")
    subprocess.run(["git", "init", "-q", "--bare", bare], check=True)
    git(repo, "remote", "add", "origin", bare)
    git(repo, "push", "-q", "-u", "origin", "main")
    return bare


# -- files ---------------------------------------------------------------------------------------


def test_a_folders_files_are_counted_with_what_git_has_of_them(repo):
    write(repo, ".gitignore", "*.log\n")
    write(repo, "src/a.py", "clean\n")
    write(repo, "src/b.py", "before\n")
    git(repo, "add", ".")
    git(repo, "commit", "-qm", "more")
    write(repo, "src/b.py", "after it\n")
    write(repo, "src/new ü.py", "12345")
    write(repo, "src/x.log", "123")
    assert stake("rm -rf src", repo, "files") == [
        "4 files, 23 bytes would go",
        "of them 1 git has as they are, 1 with uncommitted changes, 1 untracked, 1 ignored by git",
    ]


def test_a_pattern_stands_for_the_files_it_fits_now(repo):
    for name in ("a.log", "b.log", "keep.txt", ".hidden.log", "ü 文.log"):
        write(repo, name, "1234")
    assert stake("rm -rf *.log", repo, "files")[0] == "3 files, 12 bytes would go"


def test_a_pattern_in_the_middle_of_a_path_stands_for_folders(repo):
    for name in ("one/dist/a", "two/dist/b", "two/src/c", ".git2/dist/d"):
        write(repo, name, "12")
    assert stake("rm -rf */dist", repo, "files")[0] == "2 files, 4 bytes would go"
    assert stake("rm -rf [ot]*/d?st/[!b]", repo, "files")[0] == "1 file, 2 bytes would go"


def test_links_are_not_followed(repo, tmp_path):
    write(str(tmp_path), "far/a", "x" * 100)
    os.makedirs(os.path.join(repo, "dir"))
    os.symlink(tmp_path / "far", os.path.join(repo, "dir", "link"))
    assert stake("rm -rf dir", repo, "files")[0] == "1 file, 0 bytes would go"


def test_outside_of_a_repository_nothing_can_be_brought_back(tmp_path):
    write(str(tmp_path), "data/a", "xyz")
    report = measured("rm -rf data", str(tmp_path), "files")
    assert report["at_stake"][1] == "of them 1 in no repository"
    assert report["undo"] == {"can": "no", "how": "it is in no repository"}


def test_what_no_snapshot_reaches_is_not_called_reversible_by_one(repo, tmp_path):
    other = str(tmp_path / "other")
    git(str(tmp_path), "init", "-q", other)
    write(other, "src/a", "unsaved")
    report = measured(f"rm -rf {other}/src", repo, "files")
    assert report["undo"]["can"] == "no"
    linked = str(tmp_path / "linked")
    git(repo, "worktree", "add", "-q", "-b", "side", linked)
    write(linked, "readme.txt", "unsaved")
    report = measured(f"rm -rf {linked}", repo, "files")
    assert report["undo"] == {"can": "yes", "how": "edge undo (a snapshot is taken first)"}


def test_what_an_archiver_removes_is_counted(repo):
    write(repo, "docs/a", "12")
    write(repo, "docs/b", "34")
    for line in ("tar --remove-files -cf x.tar docs", "zip -rm x.zip docs"):
        assert stake(line, repo, "files")[0] == "at most 2 files, 4 bytes would go"


def test_a_history_that_would_go_is_said(repo, tmp_path):
    first, *_, last = stake(f"rm -rf {repo}", str(tmp_path), "files")
    assert first.startswith("1 file, ")
    assert last == "with 1 git repository and all history in it"


def test_a_repository_below_another_one_is_none_of_its_files(repo):
    inner = os.path.join(repo, "vendor", "lib")
    write(inner, "a.c", "x")
    subprocess.run(["git", "init", "-q", inner], check=True)
    assert stake("rm -rf vendor", repo, "files")[1:] == [
        "of them 1 untracked",
        "with 1 git repository and all history in it",
    ]


def test_more_files_than_are_counted_are_said_to_be_more(repo, monkeypatch):
    monkeypatch.setattr(impact_files, "MAX_ENTRIES", 5)
    for number in range(9):
        write(repo, f"many/{number}", "x")
    assert stake("rm -rf many", repo, "files")[0].startswith("more than 5 files")


def test_without_time_nothing_is_said_to_be_zero(repo):
    write(repo, "src/a.py", "x")
    assert stake("rm -rf src", repo, "files", seconds=0) == ["more than 0 files, 0 bytes would go"]
    assert measured("rm -rf src", repo, "files", seconds=0)["undo"]["can"] == "unknown"
    assert stake("git push", repo, "commits", seconds=0) == [
        "not known: git did not answer in time"
    ]


def test_a_file_that_would_be_emptied_counts_and_a_folder_that_rm_refuses_does_not(repo):
    assert measured("> readme.txt", repo, "files") == {
        "kind": "files",
        "at_stake": ["1 file, 6 bytes would be overwritten", "of them 1 git has as they are"],
        "undo": {"can": "yes", "how": "git restore"},
    }
    write(repo, "dir/a", "x")
    assert stake("rm /etc/nothing-there dir", repo, "files") == ["no file that exists"]


def test_paths_that_cannot_be_known_are_unknown(repo):
    (unknown,) = stake("rm -rf $X", repo, "files")
    assert unknown == "not known: which files cannot be known before it runs"


def test_a_file_that_an_editing_tool_replaces_is_counted(repo):
    write(repo, ".git/hooks/pre-commit", "exit 0\n")
    path = os.path.join(repo, ".git/hooks/pre-commit")
    lines = stake("", repo, "files", tool="Write", file_path=path, content="x")
    assert lines[0] == "1 file, 7 bytes would be overwritten"


def test_what_is_no_path_on_the_line_is_unknown_and_not_nothing(repo):
    for command, why in (
        ("hg update -C stable", "not known: what hg has not committed"),
        ("rsync -a --delete src/ web:/srv/shop", "not known: which files cannot be known"),
    ):
        assert stake(command, repo, "files")[0].startswith(why)


def test_a_folder_that_is_made_like_another_loses_at_most_what_it_holds(repo):
    write(repo, "to/a", "x")
    write(repo, "from/b", "xyz")
    lines = stake("rsync -a --delete from/ to", repo, "files")
    assert lines[0] == "at most 1 file, 1 byte would go"


def test_a_device_is_no_file_of_no_bytes():
    look = FileScan(Budget())
    look.add("/dev/full")
    assert look.loss("delete").at_stake() == ["1 device and everything on it"]


def test_find_deletes_at_most_what_lies_below(repo):
    write(repo, "other.pyc", "x")
    write(repo, "src/a.pyc", "x")
    lines = stake("find src -name '*.pyc' -delete", repo, "files")
    assert lines[0] == "at most 1 file, 1 byte would go"


def test_a_search_counts_only_what_has_the_names_it_asks_for(repo):
    write(repo, "src/deep/.a.orig", "x")
    write(repo, "b.orig", "xy")
    write(repo, "c.py", "xyz")
    for command in ("find . -name '*.orig' -delete", "find . -name '*.orig' -exec rm -f {} +"):
        assert stake(command, repo, "files")[0] == "at most 2 files, 3 bytes would go"


def test_folders_that_a_search_gives_to_rm_are_counted_with_all_in_them(repo):
    write(repo, "src/old/a", "x")
    write(repo, "old/b", "x")
    lines = stake("find . -name old -type d -exec rm -rf {} +", repo, "files")
    assert lines[0] == "at most 2 files, 2 bytes would go"


def test_a_search_that_finds_nothing_takes_nothing(repo):
    assert stake("find . -name '*.orig' -delete", repo, "files") == ["no file that exists"]


# -- work that is not committed ------------------------------------------------------------------


@pytest.fixture
def dirty(repo):
    write(repo, ".gitignore", "*.log\n")
    write(repo, "src/a.py", "before\n")
    git(repo, "add", ".")
    git(repo, "commit", "-qm", "more")
    write(repo, "src/a.py", "after\n")
    write(repo, "readme.txt", "changed\n")
    write(repo, "new.py", "12345")
    write(repo, "out/b.py", "123")
    write(repo, "x.log", "1")
    return repo


@pytest.mark.parametrize(
    ("command", "what"),
    [
        ("git checkout -- src", "uncommitted changes in 1 file"),
        ("git checkout .", "uncommitted changes in 2 files"),
        ("git checkout HEAD -- readme.txt", "uncommitted changes in 1 file"),
        ("git switch --discard-changes main", "uncommitted changes in 2 files"),
        ("git restore src/a.py", "uncommitted changes in 1 file"),
        ("cd src && git restore .", "uncommitted changes in 1 file"),
        ("git -C src checkout -- .", "uncommitted changes in 1 file"),
        ("git reset --hard", "uncommitted changes in 2 files"),
        ("git clean -f", "1 untracked file"),
        ("git clean -fd", "2 untracked files"),
        ("git clean -fdx", "2 untracked files and 1 ignored file"),
        ("git clean -fX", "1 ignored file"),
        ("git clean -fd out", "1 untracked file"),
    ],
)
def test_git_discards_what_is_not_committed_below_its_paths(dirty, command, what):
    (line,) = stake(command, dirty, "files")
    assert line.startswith(f"{what} (")
    assert line.endswith(") would go")


def test_a_deleted_file_is_a_change_too(dirty):
    os.remove(os.path.join(dirty, "readme.txt"))
    (line,) = stake("git checkout .", dirty, "files")
    assert line.startswith("uncommitted changes in 2 files")


def test_a_path_that_git_does_not_know_is_unknown_or_nothing(dirty):
    assert stake("git checkout -- nothing.py", dirty, "files") == [
        "nothing: there is no such uncommitted work"
    ]
    for command, why in (
        ("git clean -fd ../..", "git does not know these paths"),
        ("git clean -fd -e x", "it leaves out files by a pattern"),
        ("git checkout -- $X", "the paths cannot be known before it runs"),
        ("git restore --pathspec-from-file=x", "the paths are in another file"),
        ("git worktree remove --force nowhere", "there is no folder nowhere"),
    ):
        assert stake(command, dirty, "files") == [f"not known: {why}"]


def test_git_rm_takes_files_that_git_has_and_their_changes(dirty):
    assert stake("git rm -rf src readme.txt .gitignore", dirty, "files") == [
        "3 files would go",
        "of them 1 git has as they are, 2 with uncommitted changes",
    ]


def test_a_removed_working_tree_takes_what_only_it_has(dirty):
    git(dirty, "worktree", "add", "-q", "../other", "-b", "other")
    other = os.path.join(dirty, "../other")
    write(other, "draft.py", "12345")
    write(other, "x.log", "1")
    assert stake("git worktree remove --force ../other", dirty, "files") == [
        "1 untracked file and 1 ignored file (6 bytes) would go"
    ]


# -- push ----------------------------------------------------------------------------------------


def test_a_push_publishes_what_the_remote_does_not_have(repo, remote):
    commit(repo, "one", "two", "three")
    first, new, _ = stake("git push", repo, "commits")
    assert first == f"publishes 3 commits on main of origin ({remote})"
    subjects = new.removeprefix("new: ").split("; ")
    assert [each.split(" ", 1)[1] for each in subjects] == ["three", "two", "one"]
    assert measured("git push", repo, "commits")["undo"]["can"] == "no"


def test_a_forced_push_loses_what_only_the_remote_has_as_of_the_last_fetch(repo, remote):
    commit(repo, "one", "two")
    git(repo, "push", "-q")
    lost = git(repo, "rev-parse", "HEAD")[:10]
    git(repo, "reset", "-q", "--hard", "HEAD~2")
    commit(repo, "other")
    then = os.stat(os.path.join(repo, ".git/logs/refs/remotes/origin/main")).st_mtime
    now = dt.datetime.fromtimestamp(then + 86400 * 3 + 0.5, tz=dt.UTC)
    report = measured("git push --force origin main", repo, "commits", now=now)
    text = f"2 commits on main of origin ({remote}) would be lost, 1 commit published"
    first, lost_line, new, fetched = report["at_stake"]
    assert first == text
    assert [each.split(" ")[-1] for each in lost_line.split("; ")] == ["two", "one"]
    assert new.endswith(" other")
    assert fetched == "(as of the last fetch, 3 days ago)"
    assert report["undo"] == {
        "can": "partly",
        "how": f"git push -f origin {lost}:main, if nobody pushed there since the last fetch",
    }
    assert stake("git push origin main", repo, "commits")[0] == (
        f"git would refuse: main of origin ({remote}) has 2 commits not here"
    )
    assert stake("git push origin +HEAD:main", repo, "commits")[0] == text


def test_a_new_branch_publishes_what_no_branch_there_has(repo, remote):
    git(repo, "checkout", "-q", "-b", "feature")
    commit(repo, "one")
    first, *_ = stake("git push -u origin feature", repo, "commits")
    assert first == f"creates feature on origin ({remote}), with 1 commit new there"


def test_a_deletion_without_a_branch_is_not_known(repo, remote):
    lines = stake("git push origin --delete", repo, "commits")
    assert lines[0].startswith("not known: no branch is named")


def test_a_deleted_branch_loses_what_nothing_else_holds(repo, remote):
    git(repo, "checkout", "-q", "-b", "feature")
    commit(repo, "one")
    git(repo, "push", "-q", "origin", "feature")
    git(repo, "checkout", "-q", "main")
    deletes = f"deletes feature on origin ({remote}); "
    first, *_ = stake("git push origin --delete feature", repo, "commits")
    assert first == f"{deletes}its commits are held elsewhere too"
    sha = git(repo, "rev-parse", "feature")[:10]
    git(repo, "branch", "-qD", "feature")
    report = measured("git push origin :feature", repo, "commits")
    assert report["at_stake"][0] == f"{deletes}nothing else here holds 1 commit of it"
    assert report["undo"]["how"].startswith(f"git push origin {sha}:refs/heads/feature")
    (unknown,) = stake("git push origin :nosuch", repo, "commits")
    assert unknown.endswith("no branch nosuch of origin is known here")


def test_all_branches_and_tags_are_counted_as_such(repo, remote):
    git(repo, "branch", "b")
    commit(repo, "one")
    place = f"origin ({remote})"
    every = f"publishes all branches (2), 1 commit new there, on {place}"
    pruned = "and branches that exist only there would be deleted"
    assert stake("git push --all origin", repo, "commits") == [every, "branches: b; main"]
    assert stake("git push --mirror origin", repo, "commits") == [
        every,
        "branches: b; main",
        pruned,
    ]
    assert pruned in stake("git push --prune origin main", repo, "commits")
    git(repo, "tag", "v1")
    tags = f"publishes all tags (1), 1 commit new there, on {place}"
    assert stake("git push --tags", repo, "commits") == [tags, "tags: v1"]
    for named in ("v1", "tag v1"):
        first, *_ = stake(f"git push origin {named}", repo, "commits")
        assert first == f"creates tag v1 on {place}, with 1 commit new there"


def test_of_many_branches_the_first_are_told_and_the_others_counted(repo, remote):
    names = [f"b{number}" for number in range(6)]
    for name in names:
        git(repo, "branch", name)
    lines = stake(f"git push origin {' '.join(names)}", repo, "commits")
    assert lines[3].startswith("creates b3 on ")
    assert lines[4] == "and 2 more branches"
    deleted = stake(f"git branch -D {' '.join(names)}", repo, "commits")
    assert deleted[3:] == ["branch b3: its commits are held elsewhere too", "and 2 more"]


def test_without_an_upstream_the_only_remote_and_the_same_name_are_meant(repo, tmp_path):
    git(repo, "remote", "add", "hub", "https://ann:secret99@git.example.com:8443/acme/shop.git?x=1")
    first, *_, last = stake("git push", repo, "commits")
    assert first == "creates main on hub (git.example.com/acme/shop), with 1 commit new there"
    assert last == "(it was never fetched here)"


@pytest.mark.parametrize(
    ("url", "place"),
    [
        ("https://u:p@Git.Example.com:8443/acme/shop.git?x=1", "git.example.com/acme/shop"),
        ("git@github.com:acme/shop.git", "github.com/acme/shop"),
        ("file:///srv/shop.git", "/srv/shop.git"),
        ("../shop.git", "../shop.git"),
    ],
)
def test_a_remotes_address_is_told_without_user_and_password(url, place):
    assert commits.where(url) == place


@pytest.mark.parametrize(
    ("command", "why"),
    [
        ("git push", "detached"),
        ("git push origin $BRANCH", "cannot be known"),
        ("git push https://u:p@example.com/x.git main", "nothing is known here"),
        ("git --git-dir=/x/.git push", "--git-dir"),
        ("git push $REMOTE main", "the remote cannot be known before it runs"),
        ("git push origin nosuch", "nothing here is called nosuch"),
        ("git push origin 'refs/heads/*:refs/heads/*'", "which branches cannot be known"),
    ],
)
def test_what_cannot_be_counted_is_said_to_be_unknown(repo, remote, command, why):
    git(repo, "checkout", "-q", "--detach")
    (line,) = stake(command, repo, "commits")
    assert "not known: " in line
    assert why in line
    assert "u:p" not in line


def test_outside_of_a_repository_a_push_is_unknown(tmp_path):
    assert "no git repository" in stake("git push", str(tmp_path), "commits")[0]


def test_a_folder_that_is_not_there_yet_is_unknown(repo):
    assert "does not exist" in stake("cd newly && git push", repo, "commits")[0]


def test_another_machines_repository_is_not_looked_for_here(repo, remote):
    commit(repo, "one")
    assert "another machine" in stake("ssh web git push", repo, "commits")[0]


# -- history -------------------------------------------------------------------------------------


def test_a_reset_tells_the_commits_it_leaves_and_who_still_holds_them(repo):
    commit(repo, "one", "two")
    head = git(repo, "rev-parse", "HEAD")[:10]
    write(repo, "readme.txt", "changed")
    report = measured("git reset --hard HEAD~2", repo, "commits")
    files = "uncommitted changes in 1 file (7 bytes) would go"
    first, left = report["at_stake"]
    assert first == f"main would leave 2 commits, which nothing else holds; {files}"
    assert left.startswith("left: ")
    commits_how = f"git reset --hard {head} (git reflog)"
    assert report["undo"] == {
        "can": "yes",
        "how": f"commits: {commits_how}; files: edge undo (a snapshot is taken first)",
    }
    git(repo, "tag", "v1")
    first, _ = stake("git reset --hard HEAD~2", repo, "commits")
    assert first == f"main would leave 2 commits, all of them held by v1; {files}"
    git(repo, "checkout", "-q", "readme.txt")
    report = measured("git reset --hard HEAD~2", repo, "commits")
    assert report["at_stake"][0] == "main would leave 2 commits, all of them held by v1"
    assert report["undo"]["how"] == commits_how


def test_a_reset_that_moves_nothing_says_so(repo):
    report = measured("git reset --hard", repo, "commits")
    assert report["at_stake"] == ["nothing: there is no such uncommitted work"]
    assert report["undo"] == {"can": "yes", "how": "there is nothing to lose"}


def test_a_reset_of_a_detached_head_is_counted(repo):
    commit(repo, "one")
    git(repo, "checkout", "-q", "--detach")
    first, *_ = stake("git reset --hard HEAD~1", repo, "commits")
    assert first.startswith("HEAD (detached) would leave 1 commit, all of them held by main")


def test_a_deleted_branch_tells_the_commits_that_nothing_else_reaches(repo):
    git(repo, "checkout", "-q", "-b", "feature")
    commit(repo, "one", "two")
    git(repo, "checkout", "-q", "main")
    report = measured("git branch -D feature", repo, "commits")
    first, alone = report["at_stake"]
    assert first == "branch feature: nothing else here holds 2 commits of it"
    assert alone.startswith("held by it alone: ")
    sha = git(repo, "rev-parse", "--short=10", "feature")
    assert report["undo"] == {"can": "yes", "how": f"git branch feature {sha}"}
    git(repo, "merge", "-q", "feature")
    assert stake("git branch -D feature", repo, "commits") == [
        "branch feature: its commits are held elsewhere too"
    ]
    assert measured("git branch -D nosuch", repo, "commits") == {
        "kind": "commits",
        "at_stake": ["branch nosuch: not known: nothing here is called nosuch"],
        "undo": {"can": "unknown", "how": ""},
    }


@pytest.mark.parametrize(
    "command",
    [
        "git branch -f feature main",
        "git checkout -B feature",
        "git switch -C feature main",
        "git branch -M main feature",
    ],
)
def test_a_branch_that_is_set_anew_loses_what_only_it_held(repo, command):
    git(repo, "checkout", "-q", "-b", "feature")
    commit(repo, "one")
    git(repo, "checkout", "-q", "main")
    first, *_ = stake(command, repo, "commits")
    assert first == "branch feature: nothing else here holds 1 commit of it"


def test_a_tag_that_is_set_anew_loses_what_only_it_held(repo):
    commit(repo, "one")
    git(repo, "tag", "v1")
    git(repo, "reset", "-q", "--hard", "HEAD~1")
    lost = "tag v1: nothing else here holds 1 commit of it"
    for command in ("git tag -f v1", "git tag -d v1"):
        assert stake(command, repo, "commits")[0] == lost
    first, *_ = stake("git tag -f v1 v1", repo, "commits")
    assert first == "tag v1: its commits are held elsewhere too"


def test_a_dropped_stash_is_named(repo):
    for text in ("first", "second"):
        write(repo, "readme.txt", text)
        git(repo, "stash", "push", "-qm", f"work on {text}")
    then = int(git(repo, "log", "-1", "--format=%ct", "stash@{1}"))
    now = dt.datetime.fromtimestamp(then + 7200.5, tz=dt.UTC)
    (line,) = stake("git stash drop", repo, "commits")
    assert line.endswith(": On main: work on second")
    report = measured("git stash drop 1", repo, "commits", now=now)
    assert report["at_stake"] == ["stash@{1}, from 2 hours ago: On main: work on first"]
    sha = git(repo, "rev-parse", "stash@{1}")[:10]
    assert report["undo"] == {"can": "yes", "how": f"until git gc: git stash apply {sha}"}
    assert len(stake("git stash clear", repo, "commits")) == 2
    assert stake("git stash drop 7", repo, "commits") == ["not known: there is no stash@{7}"]


def test_of_many_stashes_the_newest_are_told_and_of_none_nothing(repo):
    assert stake("git stash clear", repo, "commits") == ["no stash is there"]
    for text in "abcd":
        write(repo, "readme.txt", text)
        git(repo, "stash", "push", "-q")
    assert stake("git stash clear", repo, "commits")[3:] == ["and 1 more stash"]


def test_a_rebase_tells_how_many_commits_it_rewrites_and_how_many_of_them_are_published(
    repo, remote
):
    git(repo, "branch", "base")
    commit(repo, "one", "two")
    git(repo, "push", "-q")
    commit(repo, "three")
    first, newest = stake("git filter-branch --all", repo, "commits")
    assert first == "rewrites 4 commits, 3 of them published"
    assert newest.startswith("newest: ")
    git(repo, "push", "-q")
    for command, count in (
        ("git rebase base", "3 commits, 3"),
        ("git rebase --root", "4 commits, 4"),
        ("git commit --amend --no-edit", "1 commit, 1"),
    ):
        first, _ = stake(command, repo, "commits")
        assert first == f"rewrites {count} of them published"


@pytest.mark.parametrize(
    ("command", "why"),
    [
        ("git rebase nosuch", "nothing here is called nosuch"),
        ("git reset --hard $X", "the commit cannot be known before it runs"),
        ("git bisect reset", "what git bisect takes with it is not counted"),
    ],
)
def test_history_that_cannot_be_counted_is_said_to_be_unknown(repo, command, why):
    finding = Finding(
        "r",
        "junction",
        "irreversible",
        "",
        radius="commits",
        cwd=repo,
        detail=(("command", command.replace("$X", "…")),),
    )
    call, place = Call("Bash", {"command": command}, repo), Place(root=repo, home="/home/nobody")
    verdict = Verdict("junction", (finding,))
    (report,) = impact_measure.measure(
        verdict, call, place, SystemFacts(), RULES, env=os.environ, now=NOW, budget=Budget(30)
    )
    assert report["at_stake"] == [f"not known: {why}"]


def test_a_repositorys_own_programs_are_not_run(repo, tmp_path):
    mark = str(tmp_path / "ran")
    git(repo, "config", "core.fsmonitor", f"touch {mark};")
    git(repo, "config", "diff.external", f"touch {mark};")
    write(repo, "readme.txt", "changed")
    measured("git reset --hard", repo, "commits")
    assert not os.path.exists(mark)


@pytest.mark.parametrize(
    "command",
    [
        "git -c remote.origin.pushurl={} push origin main",
        f"{CONFIGURED} git push origin main",
        "export GIT_CONFIG_PARAMETERS=\"'remote.origin.pushurl={}'\"; git push origin main",
        "U={} git --config-env=remote.origin.pushurl=U push origin main",
        "git -c url.{}.pushInsteadOf=/ push origin main",
    ],
)
def test_a_push_that_the_line_sends_elsewhere_names_no_usual_place(repo, remote, command):
    commit(repo, "one")
    (line,) = stake(command.format("/elsewhere.git"), repo, "commits", about="push origin")
    assert line.startswith("not known: nothing is known here of the branches at /elsewhere.git")
    assert remote not in line


def test_an_address_that_the_line_can_change_is_not_named(repo, remote):
    commit(repo, "one")
    command = "git config remote.origin.pushurl /x; git push origin main"
    line, *_ = stake(command, repo, "commits", about="push origin")
    assert line == "publishes 1 commit on main of origin (address not known)"


def test_settings_that_change_no_address_leave_the_count(repo, remote):
    commit(repo, "one")
    line, *_ = stake("git -c push.default=simple push origin main", repo, "commits")
    assert line == f"publishes 1 commit on main of origin ({remote})"


def test_what_the_line_sets_is_not_run_by_our_questions(repo, remote, tmp_path):
    mark, folder = tmp_path / "ran", tmp_path / "bin"
    write(str(folder), "git", f"#!/bin/sh\ntouch {mark}\n")
    os.chmod(os.path.join(str(folder), "git"), 0o700)
    write(repo, ".gitattributes", "* filter=own")
    git(repo, "add", ".gitattributes")
    git(repo, "commit", "-qm", "attributes")
    write(repo, "readme.txt", "changed")
    run = f"touch {mark};"
    for command in (
        f"PATH={folder} git --config-env=a.b=PATH push origin main",
        f"git -c core.fsmonitor='{run}' reset --hard",
        f"git -c filter.own.clean='{run}' reset --hard",
        f"R='{run}' git --config-env=core.fsmonitor=R push origin main",
    ):
        measured(command, repo, "commits")
        assert not mark.exists(), command


def test_the_variables_that_name_another_repository_make_it_unknown(repo):
    (line,) = stake("GIT_DIR=/x/.git git reset --hard", repo, "commits")
    assert line == "not known: it names a repository by GIT_DIR"


# -- what the line itself tells -------------------------------------------------------------------


def test_a_file_that_would_be_sent_is_told_with_its_size(repo):
    write(repo, "a.zip", "x" * 70)
    for name, size in (("a.zip", "70 bytes"), ("missing.zip", "size not known")):
        lines = stake(f"curl -F file=@{name} https://example.com", repo, "request")
        assert lines == ["POST example.com", f"sends {name} ({size})"]


def test_a_rule_that_counts_nothing_asks_nothing(repo):
    call = Call("Bash", {"command": "git push"}, repo)
    place = Place(root=repo, home="/home/nobody")
    verdict = decide.assess(call, place, SystemFacts(), RULES)
    bare = verdict._replace(findings=tuple(one._replace(radius="") for one in verdict.findings))
    assert (
        impact_measure.measure(
            bare, call, place, SystemFacts(), RULES, env=os.environ, now=NOW, budget=Budget(30)
        )
        == []
    )


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0, "just now"), (60, "1 minute ago"), (7200, "2 hours ago"), (86400 * 9, "9 days ago")],
)
def test_ages_are_told_in_the_unit_that_reads(seconds, text):
    assert commits.ago(seconds) == text
