"""``edge trash``: what it takes, what it refuses and what it says."""

import json
import os

import pytest
from tests.hosting import at_a_terminal, clean_env, write

from operators_edge.cli.main import main


@pytest.fixture
def here(project, monkeypatch):
    monkeypatch.chdir(project)
    return project


def edge(capsys, *words):
    code = main(["trash", *words])
    out = capsys.readouterr()
    return code, json.loads(out.out)["data"] if "--json" in words else out.out + out.err


def logged(root):
    with open(os.path.join(root, ".proof", "session_log.jsonl"), encoding="utf-8") as file:
        return [entry["event"] for entry in map(json.loads, file)]


def test_the_status_says_that_the_trash_takes_much(here, capsys):
    with open("large.bin", "wb") as file:
        file.truncate(101 << 20)
    edge(capsys, "large.bin")
    main(["status"])
    assert "Undo       trash 106 MB: edge trash empty\n" in capsys.readouterr().out


def test_things_go_are_listed_and_come_back(here, capsys):
    write(here, "build/out.o", b"12345")
    write(here, "old.txt")
    code, said = edge(capsys, "build", "old.txt")
    assert code == 0
    assert "build (1 file, 5 bytes)" in said
    assert "edge trash restore 1 2" in said
    assert not os.path.exists("build")
    assert not os.path.exists("old.txt")
    listed = edge(capsys, "list")[1].splitlines()
    assert [line.split()[0] for line in listed] == ["2", "1", "7"]
    assert edge(capsys, "restore", "1", "2")[0] == 0
    assert os.path.exists("build/out.o")
    assert edge(capsys, "list")[1] == "The trash is empty.\n"
    assert logged(here) == ["trashed", "trashed", "trash_restored", "trash_restored"]


@pytest.mark.parametrize("flags", [["-rf"], ["-r", "-f"], ["-Rfv"], ["--recursive", "--force"]])
def test_the_flags_of_rm_are_taken_and_change_nothing(here, capsys, flags):
    write(here, "build/out.o")
    assert edge(capsys, *flags, "build")[0] == 0
    assert not os.path.exists("build")


def test_names_that_look_like_options_or_verbs_are_names(here, capsys):
    for name in ("-rf", "list", "empty", "line\nbreak \x1b[31m", b"latin-\xe9", "two words"):
        write(here, name)
    assert edge(capsys, "--", "-rf")[0] == 0
    assert edge(capsys, "./list", "./empty")[0] == 0
    code, said = edge(capsys, "line\nbreak \x1b[31m", os.fsdecode(b"latin-\xe9"), "two words")
    assert code == 0
    assert "\x1b" not in said + edge(capsys, "list")[1]
    assert [each["id"] for each in edge(capsys, "list", "--json")[1]] == [6, 5, 4, 3, 2, 1]
    assert edge(capsys, "restore", "1", "2", "3", "4", "5", "6")[0] == 0
    assert os.path.exists(b"latin-\xe9")
    assert os.path.exists("-rf")


def test_a_link_with_a_slash_behind_it_is_still_the_link(here, capsys):
    kept = write(here, "folder/kept.txt")
    os.symlink("folder", os.path.join(here, "link"))
    assert edge(capsys, "link/")[0] == 0
    assert os.path.exists(kept)
    assert not os.path.lexists("link")


def test_what_is_not_the_projects_to_lose_is_refused(here, tmp_path, fenced, capsys, monkeypatch):
    monkeypatch.setenv("TMPDIR", "/nonexistent")
    outside = write(fenced, "elsewhere/a.txt")
    write(here, ".proof/session_log.jsonl", b"")
    write(here, ".claude/settings.json", b"{}")
    os.symlink(os.path.dirname(outside), os.path.join(here, "way-out"))
    paths = ["/", fenced, ".", "..", here, ".git", ".git/config", ".proof", "active_context.yaml"]
    paths += [".proof/session_log.jsonl", ".claude", ".claude/settings.json", "/etc/hostname"]
    paths += ["/proc", "no such file", os.path.join(fenced, "state", "operators-edge")]
    if not outside.startswith("/tmp/"):
        paths += [outside, "way-out/a.txt"]
    code, told = edge(capsys, "--json", *paths)
    assert code == 1
    assert told["moved"] == []
    assert [each["path"] for each in told["refused"]] == paths
    assert all(each["why"] and each["hint"] for each in told["refused"])
    assert os.path.exists(outside)


def test_one_refused_path_does_not_keep_the_others(here, capsys):
    write(here, "a.txt")
    code, said = edge(capsys, "a.txt", "no such file")
    assert code == 1
    assert "Moved to the trash: a.txt" in said
    assert "not moved: there is no" in said
    assert not os.path.exists("a.txt")


def test_temporary_files_may_go_too(here, tmp_path, capsys, monkeypatch):
    temp = tmp_path / "temporary"
    monkeypatch.setenv("TMPDIR", str(temp))
    path = write(str(temp), "scratch.txt")
    assert edge(capsys, path)[0] == 0
    assert not os.path.exists(path)
    assert edge(capsys, str(temp))[0] == 1


def test_restoring_to_another_place_follows_mv(here, capsys):
    write(here, "a.txt", b"a")
    write(here, "folder/b.txt", b"b")
    edge(capsys, "a.txt")
    write(here, "a.txt", b"newer")
    assert edge(capsys, "restore", "1")[0] == 1
    assert edge(capsys, "restore", "1", "--to", "folder")[0] == 0
    assert os.path.exists("folder/a.txt")


@pytest.mark.parametrize(
    "target", [".git/hooks/pre-commit", ".claude", ".proof", "active_context.yaml", "/etc/x"]
)
def test_nothing_comes_back_where_it_would_be_run_or_trusted(here, capsys, target):
    write(here, "x/settings.json", b'{"hooks": {}}')
    edge(capsys, "x")
    if target == "active_context.yaml":
        os.rename(target, "aside.yaml")
    assert edge(capsys, "restore", "1", "--to", target)[0] == 1
    assert not os.path.lexists(os.path.join(here, target, "settings.json"))
    assert [each["id"] for each in edge(capsys, "list", "--json")[1]] == [1]


def test_bad_words_end_with_their_codes(here, capsys):
    assert edge(capsys, "restore")[0] == 64
    assert edge(capsys, "restore", "x")[0] == 64
    assert edge(capsys, "restore", "5")[0] == 1
    assert edge(capsys, "list", "a")[0] == 64
    assert edge(capsys, "a", "--to", "b")[0] == 64
    assert edge(capsys, "list", "--older-than", "3")[0] == 64
    assert edge(capsys, "empty", "--older-than", "soon")[0] == 64


def test_an_agent_may_not_empty_it(here, capsys, monkeypatch):
    write(here, "a.txt")
    edge(capsys, "a.txt")
    monkeypatch.setenv("CLAUDECODE", "1")
    assert edge(capsys, "empty")[0] == 1
    monkeypatch.delenv("CLAUDECODE")
    assert edge(capsys, "empty")[0] == 1  # no terminal
    assert len(edge(capsys, "list", "--json")[1]) == 1


def test_a_person_at_a_terminal_empties_it(here, fenced, capsys):
    write(here, "a.txt")
    edge(capsys, "a.txt")
    done = at_a_terminal(here, "trash", "empty", "--older-than", "0", env=clean_env(fenced))
    assert (done.returncode, done.stdout) == (0, "deleted permanently: 1 item, 2 bytes\n")
    assert edge(capsys, "list")[1] == "The trash is empty.\n"
    assert logged(here)[-1] == "trash_emptied"


def test_who_put_it_there_is_kept(here, capsys, monkeypatch):
    write(here, "a.txt")
    write(here, "b.txt")
    edge(capsys, "a.txt")
    monkeypatch.setenv("CLAUDE_CODE_SESSION_ID", "s-77")
    edge(capsys, "b.txt")
    theirs, mine = edge(capsys, "list", "--json")[1]
    assert theirs["by"] == "agent s-77"
    assert "agent" not in mine["by"]
