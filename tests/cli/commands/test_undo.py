"""``edge undo`` after real calls through the real hook, and what it prints."""

import json
import os
import pty
import re
import subprocess
import sys

import pytest
from tests.hosting import Client, clean_env, write
from tests.undo.taking import take

from operators_edge.cli.main import main
from operators_edge.project import Project
from operators_edge.undo.snapshots import SnapshotReason


def read(path):
    with open(path, encoding="utf-8", newline="") as file:
        return file.read()


def edge(capsys, root, *words):
    """The exit code and what was printed; as data where ``--json`` is asked for."""
    code = main(["undo", *words[:1], "--project", root, *words[1:]])
    out = capsys.readouterr()
    return code, json.loads(out.out) if "--json" in words else out.out + out.err


def logged(root, event):
    with open(os.path.join(root, ".proof", "session_log.jsonl"), encoding="utf-8") as file:
        return [entry for entry in map(json.loads, file) if entry["event"] == event]


@pytest.fixture
def strict(project):
    """Where a person decides about what a snapshot could bring back."""
    write(project, "edge.toml", 'profile = "strict"\n')


def decided(client, command):
    answer = client.before("Bash", command=command)
    return answer.get("permissionDecision", ""), answer.get("permissionDecisionReason", "")


def test_a_list_of_no_snapshots_leaves_nothing_behind(repo, capsys, fenced):
    before = sorted(os.walk(fenced))
    assert edge(capsys, repo, "list", "--json") == (0, {"ok": True, "data": [], "warnings": []})
    assert sorted(os.walk(fenced)) == before


def test_outside_of_a_working_tree_it_says_what_is_missing(tmp_path, capsys):
    bare = str(tmp_path / "bare")
    subprocess.run(["git", "init", "-q", "--bare", bare], check=True)
    for folder in (str(tmp_path), bare):
        code, said = edge(capsys, folder, "list")
        assert code == 4
        assert "is in no working tree of git" in " ".join(said.split())


def test_a_file_that_a_let_through_rm_deleted_comes_back(client, project, capsys):
    notes = write(project, "notes.txt", "nowhere but here\r\nand not committed\n")
    assert client.bash("rm notes.txt") == ""
    os.remove(notes)
    [entry] = logged(project, "snapshot")
    assert (entry["data"]["id"], entry["data"]["why_not"]) == (1, "")
    assert entry["data"]["shown"] == "rm notes.txt"
    code, said = edge(capsys, project, "apply", "1")
    assert code == 0
    assert "brought back notes.txt" in " ".join(said.split())
    assert read(notes) == "nowhere but here\r\nand not committed\n"
    assert [each["data"]["files"] for each in logged(project, "undone")] == [1]


def test_a_command_that_destroys_nothing_takes_no_snapshot(client, project):
    assert client.bash("git status && ls") == ""
    assert logged(project, "snapshot") == []


@pytest.mark.usefixtures("strict")
def test_a_blocked_call_takes_no_snapshot_and_an_approved_one_does(client, project, capsys):
    path = write(project, "readme.txt", "work of today\n")
    assert decided(client, "git reset --hard")[0] == "deny"
    assert logged(project, "snapshot") == []
    client.prompt("/edge approve")
    decision, text = decided(client, "git reset --hard")
    assert decision == "allow"
    assert "edge undo apply 1" in text
    subprocess.run(["git", "-C", project, "reset", "--hard", "-q"], check=True)
    assert read(path) == "hello\n"
    assert edge(capsys, project, "apply", "last")[0] == 0
    assert read(path) == "work of today\n"


@pytest.mark.usefixtures("strict")
def test_a_call_that_a_dismissal_covers_is_kept_too(client, project):
    write(project, "readme.txt", "work of today\n")
    client.bash("git reset --hard")
    code = client.prompt("/edge dismiss 30").rsplit("type: ", 1)[1]
    client.prompt(code)
    assert client.bash("git reset --hard") == ""
    assert [each["data"]["id"] for each in logged(project, "snapshot")] == [1]


@pytest.mark.usefixtures("strict")
def test_before_a_dialog_the_snapshot_is_there_and_the_dialog_names_it(attended, project):
    write(project, "readme.txt", "work of today\n")
    decision, text = decided(attended, "git reset --hard")
    assert decision == "ask"
    assert "edge undo apply 1" in text
    refs = ["git", "-C", project, "for-each-ref", "--format=%(refname)", "refs/operators-edge"]
    assert subprocess.run(refs, check=True, capture_output=True).stdout.count(b"\n") == 1


@pytest.mark.usefixtures("strict")
def test_a_second_question_at_once_does_not_close_the_first(attended, project):
    """The second call's snapshot is in the log between the two questions."""
    write(project, "readme.txt", "work of today\n")
    first = attended.before("Bash", command="git reset --hard")
    write(project, "readme.txt", "more work\n")
    attended.before("Bash", command="git push origin main")
    assert first["permissionDecision"] == "ask"
    record = Project(project, is_set_up=True).evidence.session(attended.session)
    assert set(record["asks"]) == {"toolu_1", "toolu_2"}


def test_a_secret_in_the_command_is_in_no_ref(client, project, capsys):
    write(project, "notes.txt", "x\n")
    token = "ghp_" + "a1B2" * 9
    client.bash(f"rm notes.txt; echo {token}")
    held = subprocess.run(
        ["git", "-C", project, "log", "--format=%B", "refs/operators-edge/undo/1"],
        check=True,
        capture_output=True,
    ).stdout.decode()
    assert "rm notes.txt" in held
    assert token not in held
    assert token not in edge(capsys, project, "list")[1]


def test_a_project_without_git_is_told_once_and_not_held_up(tmp_path, fenced):
    root = str(tmp_path / "plain")
    write(root, "active_context.yaml", "schema_version: 4\nobjective: x\nplan: []\n")
    write(root, "a.txt", "x\n")
    client = Client(root, clean_env(fenced))
    client.start()
    first = client.before("Bash", command="rm a.txt")
    assert "permissionDecision" not in first
    assert "not a git repository" in first["additionalContext"]
    assert client.before("Bash", command="rm a.txt") == {}
    assert [each["data"]["why_not"] for each in logged(root, "snapshot")] == [
        "the project is not a git repository"
    ] * 2


def test_a_repository_that_was_never_set_up_is_left_as_it_is(repo, fenced):
    client = Client(repo, clean_env(fenced))
    write(repo, "a.txt", "x\n")
    assert client.bash("rm a.txt") == ""
    refs = subprocess.run(["git", "-C", repo, "for-each-ref"], check=True, capture_output=True)
    assert b"operators-edge" not in refs.stdout


@pytest.fixture
def kept(project):
    write(project, "a.txt", "one\n")
    take(project, root=project, reason=SnapshotReason("rm a.txt", "0123456789abcdef"))
    os.remove(os.path.join(project, "a.txt"))
    return project


def test_the_list_tells_number_session_command_and_what_differs(kept, capsys):
    _, text = edge(capsys, kept, "list")
    first, last = text.splitlines()
    words = first.split()
    assert re.fullmatch(r"1 snapshot, .* in all", last)
    assert words[0] == "1"
    assert words[3:] == ["0123456…", "1", "differ", "rm", "a.txt"]
    _, told = edge(capsys, kept, "list", "--json")
    assert [(each["id"], each["command"], each["differs"]) for each in told["data"]] == [
        (1, "rm a.txt", 1)
    ]


def test_showing_tells_the_difference_and_changes_nothing(kept, capsys):
    _, text = edge(capsys, kept, "show", "1")
    assert "deleted file" in text
    assert "-one" in text
    _, stat = edge(capsys, kept, "show", "1", "--stat")
    assert "a.txt" in stat
    assert "-one" not in stat
    assert not os.path.exists(os.path.join(kept, "a.txt"))


def test_a_dry_run_says_what_would_be_done(kept, capsys):
    code, text = edge(capsys, kept, "apply", "1", "--dry-run")
    assert code == 0
    assert text.split() == ["would:", "bring", "back", "a.txt"]
    assert not os.path.exists(os.path.join(kept, "a.txt"))


def test_what_is_not_the_agents_to_bring_back_is_said_before_and_after(kept, capsys):
    settings = write(kept, ".claude/settings.json", "{}\n")
    take(kept, root=kept, reason=SnapshotReason("rm"))
    os.remove(settings)
    for more in (["--dry-run"], []):
        code, told = edge(capsys, kept, "apply", "last", "--json", *more)
        assert code == 1
        assert [each["path"] for each in told["data"]["left"]] == [".claude/settings.json"]
        assert told["data"]["done"] == []


def test_applying_twice_has_nothing_to_do(kept, capsys):
    edge(capsys, kept, "apply", "1")
    assert "nothing to do" in edge(capsys, kept, "apply", "1")[1]


def test_bad_words_end_with_their_codes(kept, capsys):
    assert edge(capsys, kept, "apply", "x")[0] == 64
    assert edge(capsys, kept, "apply", "9")[0] == 1
    assert edge(capsys, kept, "show", "1", "../out")[0] == 1


def test_text_of_files_cannot_steer_the_terminal(project, capsys):
    write(project, "a.txt", "\x1b]0;owned\x07\x9b31m\u202egnp\r\n")
    take(project, root=project, reason=SnapshotReason("rm \x1b[31ma.txt"))
    os.remove(os.path.join(project, "a.txt"))
    text = edge(capsys, project, "show", "1")[1] + edge(capsys, project, "list")[1]
    assert not any(c in text for c in "\x1b\x07\x9b\u202e\r")


def test_a_long_difference_is_shown_page_by_page_at_a_terminal(project, fenced, tmp_path):
    write(project, "a.txt", "line\n" * 500)
    take(project, root=project, reason=SnapshotReason("rm a.txt"))
    os.remove(os.path.join(project, "a.txt"))
    seen = tmp_path / "paged"
    ours, terminal = pty.openpty()
    done = subprocess.run(
        [sys.executable, "-m", "operators_edge", "undo", "show", "1"],
        stdout=terminal,
        cwd=project,
        env=clean_env(fenced, PAGER=f"cp /dev/stdin {seen}", LINES="24", COLUMNS="80"),
        check=False,
    )
    os.close(ours)
    os.close(terminal)
    assert done.returncode == 0
    assert seen.read_text().count("-line") == 500


def test_a_slow_git_holds_up_no_call(client, project, tmp_path):
    """The bound is the product's own; a git that never ends is ended, and the call is let through."""
    write(project, "notes.txt", "x\n")
    slow = write(str(tmp_path / "bin"), "git", "#!/bin/sh\nexec sleep 600\n")
    os.chmod(slow, 0o700)
    client.env["PATH"] = f"{os.path.dirname(slow)}:{client.env['PATH']}"
    answer = client.before("Bash", command="rm notes.txt")
    assert "permissionDecision" not in answer
    assert "took longer than 4 seconds" in answer["additionalContext"]
    [entry] = logged(project, "snapshot")
    assert (entry["data"]["id"], entry["data"]["ms"] < 6000) == (0, True)


def test_names_that_are_no_text_are_recorded_and_brought_back(client, project, capsys):
    name = os.path.join(os.fsencode(project), b"latin-\xe9")
    os.mkdir(name)
    subprocess.run(["git", "init", "-q", name], check=True)
    with open(os.path.join(os.fsencode(project), b"also-\xe9.txt"), "wb") as file:
        file.write(b"kept\n")
    assert client.bash("rm readme.txt a\ud800b also*") == ""
    assert logged(project, "snapshot")[0]["data"]["id"] == 1
    os.remove(os.path.join(os.fsencode(project), b"also-\xe9.txt"))
    code, told = edge(capsys, project, "apply", "1", "--json")
    assert code == 0
    assert [each["path"] for each in told["data"]["done"]] == ["also-\udce9.txt"]


def test_the_list_says_where_a_moved_repository_was(repo, capsys):
    take(repo, root=repo, reason=SnapshotReason("git reset --hard"))
    moved = f"{repo}-elsewhere"
    os.rename(repo, moved)
    code, said = edge(capsys, moved, "list")
    assert code == 0
    assert f"1 snapshot taken while it was at {repo}\n" in said
