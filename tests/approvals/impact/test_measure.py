"""What would go, counted in real repositories and real folders."""

import datetime as dt
import os
import subprocess

import pytest
from tests.hosting import write

from operators_edge.approvals.impact import files as impact_files, measure as impact_measure
from operators_edge.approvals.impact.files import FileScan
from operators_edge.gate import decide, rules
from operators_edge.gate.facts import SystemFacts
from operators_edge.git.commands import Budget
from operators_edge.model import Call, Place

NOW = dt.datetime(2030, 1, 1, tzinfo=dt.UTC)
RULES = rules.load()


def git(root, *words, env=None):
    base = ["git", "-c", "user.name=t", "-c", "user.email=t@example.invalid", "-C", root]
    done = subprocess.run([*base, *words], check=True, capture_output=True, text=True, env=env)
    return done.stdout.strip()


def commit(root, *subjects):
    for subject in subjects:
        write(root, "log.txt", subject)
        git(root, "add", "log.txt")
        git(root, "commit", "-qm", subject)


def measured(command, root, kind, *, seconds=30, now=NOW, cwd=None, tool="Bash", **given):
    """The fact about the decisive rule, as if its pack said that ``kind`` is counted."""
    call = Call(tool, given or {"command": command}, cwd or root)
    place = Place(root=root, home="/home/nobody")
    verdict = decide.assess(call, place, SystemFacts(), RULES)
    assert verdict.findings, f"no rule fires on {command}"
    findings = tuple(one._replace(radius=kind) for one in verdict.findings[:1])
    (fact,) = impact_measure.measure(
        verdict._replace(findings=findings),
        call,
        place,
        SystemFacts(),
        RULES,
        now=now,
        seconds=seconds,
    )
    return fact


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
    fact = measured("rm -rf src", repo, "files")
    assert fact["act"] == "delete"
    assert fact["files"] == 4
    assert fact["bytes"] == len("clean\nafter it\n12345123")
    assert fact["in_git"] == {"clean": 1, "modified": 1, "untracked": 1, "ignored": 1}


def test_a_pattern_stands_for_the_files_it_fits_now(repo):
    for name in ("a.log", "b.log", "keep.txt", ".hidden.log", "ü 文.log"):
        write(repo, name, "1234")
    fact = measured("rm -rf *.log", repo, "files")
    assert (fact["files"], fact["bytes"]) == (3, 12)


def test_a_pattern_in_the_middle_of_a_path_stands_for_folders(repo):
    for name in ("one/dist/a", "two/dist/b", "two/src/c", ".git2/dist/d"):
        write(repo, name, "12")
    assert measured("rm -rf */dist", repo, "files")["files"] == 2
    assert measured("rm -rf [ot]*/d?st/[!b]", repo, "files")["files"] == 1


def test_links_are_not_followed(repo, tmp_path):
    write(str(tmp_path), "far/a", "x" * 100)
    os.makedirs(os.path.join(repo, "dir"))
    os.symlink(tmp_path / "far", os.path.join(repo, "dir", "link"))
    fact = measured("rm -rf dir", repo, "files")
    assert (fact["files"], fact["bytes"]) == (1, 0)


def test_outside_of_a_repository_nothing_can_be_brought_back(tmp_path):
    write(str(tmp_path), "data/a", "xyz")
    fact = measured("rm -rf data", str(tmp_path), "files")
    assert fact["in_git"] == {"outside": 1}


def test_a_history_that_would_go_is_said(repo, tmp_path):
    fact = measured(f"rm -rf {repo}", str(tmp_path), "files")
    assert fact["histories"] == 1
    assert fact["files"] == 1


def test_a_repository_below_another_one_is_none_of_its_files(repo):
    inner = os.path.join(repo, "vendor", "lib")
    write(inner, "a.c", "x")
    subprocess.run(["git", "init", "-q", inner], check=True)
    fact = measured("rm -rf vendor", repo, "files")
    assert fact["histories"] == 1
    assert fact["in_git"] == {"untracked": 1}


def test_more_files_than_are_counted_are_said_to_be_more(repo, monkeypatch):
    monkeypatch.setattr(impact_files, "MAX_ENTRIES", 5)
    for number in range(9):
        write(repo, f"many/{number}", "x")
    fact = measured("rm -rf many", repo, "files")
    assert fact["is_more"]
    assert fact["files"] == 5


def test_without_time_nothing_is_said_to_be_zero(repo):
    write(repo, "src/a.py", "x")
    fact = measured("rm -rf src", repo, "files", seconds=0)
    assert fact["is_more"]
    assert "unknown" in measured("git push", repo, "commits", seconds=0)


def test_a_file_that_would_be_emptied_counts_and_a_folder_that_rm_refuses_does_not(repo):
    assert measured("> readme.txt", repo, "files") == {
        "kind": "files",
        "act": "overwrite",
        "files": 1,
        "bytes": 6,
        "in_git": {"clean": 1},
    }
    write(repo, "dir/a", "x")
    assert measured("rm /etc/nothing-there dir", repo, "files")["files"] == 0


def test_paths_that_cannot_be_known_are_unknown(repo):
    assert "cannot be known" in measured("rm -rf $X", repo, "files")["unknown"]


def test_a_file_that_an_editing_tool_replaces_is_counted(repo):
    write(repo, ".git/hooks/pre-commit", "exit 0\n")
    path = os.path.join(repo, ".git/hooks/pre-commit")
    fact = measured("", repo, "files", tool="Write", file_path=path, content="x")
    assert (fact["act"], fact["files"], fact["bytes"]) == ("overwrite", 1, 7)


def test_what_is_no_path_on_the_line_is_unknown_and_not_nothing(repo):
    assert "hg" in measured("hg update -C stable", repo, "files")["unknown"]
    fact = measured("rsync -a --delete src/ web:/srv/shop", repo, "files")
    assert "cannot be known" in fact["unknown"]


def test_a_folder_that_is_made_like_another_loses_at_most_what_it_holds(repo):
    write(repo, "to/a", "x")
    write(repo, "from/b", "xyz")
    fact = measured("rsync -a --delete from/ to", repo, "files")
    assert (fact["files"], fact["bytes"], fact["is_at_most"]) == (1, 1, True)


def test_a_device_is_no_file_of_no_bytes():
    look = FileScan(Budget())
    look.add("/dev/full")
    assert look.report() == {"files": 0, "bytes": 0, "devices": 1}


def test_find_deletes_at_most_what_lies_below(repo):
    write(repo, "other.pyc", "x")
    write(repo, "src/a.pyc", "x")
    fact = measured("find src -name '*.pyc' -delete", repo, "files")
    assert fact["is_at_most"]
    assert fact["files"] == 1


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
    ("command", "counts"),
    [
        ("git checkout -- src", {"modified": 1}),
        ("git checkout .", {"modified": 2}),
        ("git checkout HEAD -- readme.txt", {"modified": 1}),
        ("git restore src/a.py", {"modified": 1}),
        ("cd src && git restore .", {"modified": 1}),
        ("git -C src checkout -- .", {"modified": 1}),
        ("git reset --hard", {"modified": 2}),
        ("git clean -f", {"untracked": 1}),
        ("git clean -fd", {"untracked": 2}),
        ("git clean -fdx", {"untracked": 2, "ignored": 1}),
        ("git clean -fX", {"ignored": 1}),
        ("git clean -fd out", {"untracked": 1}),
    ],
)
def test_git_discards_what_is_not_committed_below_its_paths(dirty, command, counts):
    fact = measured(command, dirty, "files")
    found = fact["files"] if command.startswith("git reset") else fact
    assert found["in_git"] == counts


def test_a_deleted_file_is_a_change_too(dirty):
    os.remove(os.path.join(dirty, "readme.txt"))
    fact = measured("git checkout .", dirty, "files")
    assert fact["files"] == 2


def test_a_path_that_git_does_not_know_is_unknown_or_nothing(dirty):
    assert measured("git checkout -- nothing.py", dirty, "files")["files"] == 0
    assert "unknown" in measured("git clean -fd ../..", dirty, "files")


# -- push ----------------------------------------------------------------------------------------


def test_a_push_publishes_what_the_remote_does_not_have(repo, remote):
    commit(repo, "one", "two", "three")
    fact = measured("git push", repo, "commits")
    (ref,) = fact["refs"]
    assert (fact["remote"], fact["folder"]) == ("origin", remote)
    assert (ref["name"], ref["publishes"]) == ("main", 3)
    assert [each.split(" ", 1)[1] for each in ref["subjects"]] == ["three", "two", "one"]
    assert "loses" not in ref


def test_a_forced_push_loses_what_only_the_remote_has_as_of_the_last_fetch(repo, remote):
    commit(repo, "one", "two")
    git(repo, "push", "-q")
    git(repo, "reset", "-q", "--hard", "HEAD~2")
    commit(repo, "other")
    then = os.stat(os.path.join(repo, ".git/logs/refs/remotes/origin/main")).st_mtime
    now = dt.datetime.fromtimestamp(then + 86400 * 3 + 0.5, tz=dt.UTC)
    fact = measured("git push --force origin main", repo, "commits", now=now)
    (ref,) = fact["refs"]
    assert (ref["publishes"], ref["loses"]) == (1, 2)
    assert [each.split(" ", 1)[1] for each in ref["lost"]] == ["two", "one"]
    assert fact["fetched"] == 86400 * 3
    assert measured("git push origin main", repo, "commits")["refs"][0]["behind"] == 2
    assert measured("git push origin +HEAD:main", repo, "commits")["refs"][0]["loses"] == 2


def test_a_new_branch_publishes_what_no_branch_there_has(repo, remote):
    git(repo, "checkout", "-q", "-b", "feature")
    commit(repo, "one")
    (ref,) = measured("git push -u origin feature", repo, "commits")["refs"]
    assert (ref["name"], ref["is_new"], ref["publishes"]) == ("feature", True, 1)


def test_a_deleted_branch_loses_what_nothing_else_holds(repo, remote):
    git(repo, "checkout", "-q", "-b", "feature")
    commit(repo, "one")
    git(repo, "push", "-q", "origin", "feature")
    git(repo, "checkout", "-q", "main")
    assert measured("git push origin --delete feature", repo, "commits")["refs"][0]["loses"] == 0
    git(repo, "branch", "-qD", "feature")
    (ref,) = measured("git push origin :feature", repo, "commits")["refs"]
    assert (ref["is_deleted"], ref["loses"]) == (True, 1)


def test_all_branches_and_tags_are_counted_as_such(repo, remote):
    git(repo, "branch", "b")
    commit(repo, "one")
    fact = measured("git push --all origin", repo, "commits")
    assert (fact["all"], fact["names"], fact["publishes"]) == ("branches", 2, 1)
    git(repo, "tag", "v1")
    assert measured("git push --tags", repo, "commits")["all"] == "tags"
    (ref,) = measured("git push origin v1", repo, "commits")["refs"]
    assert (ref["name"], ref["is_tag"], ref["publishes"]) == ("v1", True, 1)


def test_without_an_upstream_the_only_remote_and_the_same_name_are_meant(repo, tmp_path):
    git(repo, "remote", "add", "hub", "https://ann:secret99@git.example.com:8443/acme/shop.git?x=1")
    fact = measured("git push", repo, "commits")
    assert (fact["remote"], fact["host"], fact["path"]) == ("hub", "git.example.com", "acme/shop")
    assert fact["refs"][0]["is_new"]
    assert fact["fetched"] is None
    assert "secret99" not in str(fact)


@pytest.mark.parametrize(
    ("command", "why"),
    [
        ("git push", "detached"),
        ("git push origin $BRANCH", "cannot be known"),
        ("git push https://u:p@example.com/x.git main", "nothing is known here"),
        ("git --git-dir=/x/.git push", "--git-dir"),
        ("git push origin nosuch", "nothing here is called nosuch"),
    ],
)
def test_what_cannot_be_counted_is_said_to_be_unknown(repo, remote, command, why):
    git(repo, "checkout", "-q", "--detach")
    fact = measured(command, repo, "commits")
    assert why in (fact.get("unknown") or fact["refs"][0]["unknown"])
    assert "u:p" not in str(fact)


def test_outside_of_a_repository_a_push_is_unknown(tmp_path):
    assert "no git repository" in measured("git push", str(tmp_path), "commits")["unknown"]


def test_a_folder_that_is_not_there_yet_is_unknown(repo):
    assert "not there" in measured("cd newly && git push", repo, "commits")["unknown"]


def test_another_machines_repository_is_not_looked_for_here(repo, remote):
    commit(repo, "one")
    assert "another machine" in measured("ssh web git push", repo, "commits")["unknown"]


# -- history -------------------------------------------------------------------------------------


def test_a_reset_tells_the_commits_it_leaves_and_who_still_holds_them(repo):
    commit(repo, "one", "two")
    write(repo, "readme.txt", "changed")
    fact = measured("git reset --hard HEAD~2", repo, "commits")
    assert (fact["branch"], fact["leaves"], fact["only_here"]) == ("main", 2, 2)
    assert fact["kept_by"] == []
    assert fact["files"]["in_git"] == {"modified": 1}
    git(repo, "tag", "v1")
    fact = measured("git reset --hard HEAD~2", repo, "commits")
    assert (fact["leaves"], fact["only_here"], fact["kept_by"]) == (2, 0, ["v1"])


def test_a_reset_of_a_detached_head_is_counted(repo):
    commit(repo, "one")
    git(repo, "checkout", "-q", "--detach")
    fact = measured("git reset --hard HEAD~1", repo, "commits")
    assert (fact["branch"], fact["leaves"], fact["only_here"]) == ("", 1, 0)


def test_a_deleted_branch_tells_the_commits_that_nothing_else_reaches(repo):
    git(repo, "checkout", "-q", "-b", "feature")
    commit(repo, "one", "two")
    git(repo, "checkout", "-q", "main")
    (ref,) = measured("git branch -D feature", repo, "commits")["refs"]
    assert (ref["name"], ref["only_here"]) == ("feature", 2)
    assert git(repo, "rev-parse", "feature").startswith(ref["sha"])
    git(repo, "merge", "-q", "feature")
    assert measured("git branch -D feature", repo, "commits")["refs"][0]["only_here"] == 0


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
    fact = measured(command, repo, "commits")
    (ref,) = fact["refs"]
    assert (fact["act"], ref["name"], ref["only_here"]) == ("branch", "feature", 1)


def test_a_tag_that_is_set_anew_loses_what_only_it_held(repo):
    commit(repo, "one")
    git(repo, "tag", "v1")
    git(repo, "reset", "-q", "--hard", "HEAD~1")
    (ref,) = measured("git tag -f v1", repo, "commits")["refs"]
    assert ref["only_here"] == 1
    assert measured("git tag -f v1 v1", repo, "commits")["refs"][0]["only_here"] == 0


def test_a_dropped_stash_is_named(repo):
    for text in ("first", "second"):
        write(repo, "readme.txt", text)
        git(repo, "stash", "push", "-qm", f"work on {text}")
    (stash,) = measured("git stash drop", repo, "commits")["stashes"]
    assert stash["text"] == "On main: work on second"
    (stash,) = measured("git stash drop stash@{1}", repo, "commits")["stashes"]
    assert stash["text"] == "On main: work on first"
    assert measured("git stash clear", repo, "commits")["count"] == 2


def test_a_rebase_tells_how_many_commits_it_rewrites_and_how_many_of_them_are_published(
    repo, remote
):
    git(repo, "branch", "base")
    commit(repo, "one", "two")
    git(repo, "push", "-q")
    commit(repo, "three")
    fact = measured("git filter-branch --all", repo, "commits")
    assert (fact["rewrites"], fact["published"]) == (4, 3)
    git(repo, "push", "-q")
    for command, count in (("git rebase base", 3), ("git commit --amend --no-edit", 1)):
        fact = measured(command, repo, "commits")
        assert (fact["rewrites"], fact["published"]) == (count, count)


def test_a_repositorys_own_programs_are_not_run(repo, tmp_path):
    mark = str(tmp_path / "ran")
    git(repo, "config", "core.fsmonitor", f"touch {mark};")
    git(repo, "config", "diff.external", f"touch {mark};")
    write(repo, "readme.txt", "changed")
    measured("git reset --hard", repo, "commits")
    assert not os.path.exists(mark)


# -- what the line itself tells -------------------------------------------------------------------


def test_a_file_that_would_be_sent_is_told_with_its_size(repo):
    write(repo, "a.zip", "x" * 70)
    fact = measured("curl -F file=@a.zip https://example.com", repo, "request")
    assert fact["uploads"] == [{"path": "a.zip", "bytes": 70}]
    fact = measured("curl -T missing.zip https://example.com", repo, "request")
    assert fact["uploads"] == [{"path": "missing.zip", "bytes": None}]


def test_a_rule_that_counts_nothing_asks_nothing(repo):
    call = Call("Bash", {"command": "git push"}, repo)
    place = Place(root=repo, home="/home/nobody")
    verdict = decide.assess(call, place, SystemFacts(), RULES)
    bare = verdict._replace(findings=tuple(one._replace(radius="") for one in verdict.findings))
    assert impact_measure.measure(bare, call, place, SystemFacts(), RULES, now=NOW) == []
