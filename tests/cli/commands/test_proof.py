import csv
import io
import json
import os

import pytest
from tests.cli import helps

from operators_edge.errors import EdgeError
from operators_edge.evidence.session_facts import tool_entry
from operators_edge.project import Project, wall_clock
from operators_edge.storage.log import ProofLog


@pytest.fixture
def log(project):
    log = Project(project, is_set_up=True).log
    log.append({"event": "session_start", "session": "s", "data": {"source": "startup"}})
    for command in ("git status", "git push origin main", "echo \x1b]0;owned\x07\x9b2J\u202e"):
        log.append(
            tool_entry(
                {
                    "event": "tool",
                    "session": "s",
                    "tool": "Bash",
                    "success": command != "git status",
                    "input": {"command": command},
                    "output": "=1+1",
                    "cwd": project,
                }
            )
        )
    return log


@pytest.fixture
def edge(project):
    """The noun alone, in this process: exit code, what was said, and what went wrong."""

    def run(*words):
        try:
            return helps.run("proof", *words, "--project", project)
        except EdgeError as error:
            return error.exit_code, "", error.message

    return run


def test_the_tail_is_one_line_an_entry(log, edge):
    code, out, _ = edge("tail", "-n", "3")
    assert code == 0
    lines = out.splitlines()
    assert len(lines) == 3
    assert lines[0].startswith("     2 ")
    assert lines[0].endswith(" ✗ Bash failed: git status")
    assert lines[1].endswith("   Bash: git push origin main")
    assert edge("-n", "3")[1] == out


@pytest.mark.parametrize("words", [("tail",), ("show", "4"), ("search", "owned")])
def test_nothing_shown_acts_on_a_terminal(log, edge, words):
    _, out, _ = edge(*words)
    assert "owned" in out
    assert all(c.isprintable() for c in out.replace("\n", ""))
    assert "x1b" in out or "u001b" in out


def test_one_entry_is_shown_in_full(log, edge):
    code, out, _ = edge("show", "3")
    assert code == 0
    assert "git push origin main" in out
    assert "prev" in out
    rows = out.splitlines()
    place = next(at for at, row in enumerate(rows) if row.startswith("data "))
    assert [row[:16].strip() for row in rows[place : place + 2]] == ["data", ""]
    assert all(": " in row for row in rows[place : place + 2])


def test_an_entry_that_is_not_there_is_a_no(log, edge):
    code, _, err = edge("show", "99")
    assert code == 1
    assert "there is no entry 99" in err


def test_json_gives_the_entries_as_they_are(log, edge):
    _, out, _ = edge("tail", "-n", "1", "--json")
    assert json.loads(out)["data"][0]["data"]["command"].startswith("echo \x1b]0;")


def test_search_narrows_by_text_and_fields_and_says_when_there_is_more(log, edge):
    assert len(edge("search", "GIT")[1].splitlines()) == 2
    assert "No entry matches" in edge("search", "GIT", "--event", "asked")[1]
    _, out, err = edge("search", "--tool", "Bash", "--limit", "1")
    assert len(out.splitlines()) == 1
    assert "more than 1" in err


def test_a_whole_log_is_verified_with_zero(log, edge):
    code, out, _ = edge("verify")
    assert code == 0
    assert out == "Log OK: 4 entries, hash chain intact, end as recorded.\n"


def test_a_broken_log_is_verified_with_one_and_names_the_line(log, edge, project):
    path = os.path.join(project, ".proof", "session_log.jsonl")
    with open(path, encoding="utf-8") as file:
        text = file.read()
    with open(path, "w", encoding="utf-8") as file:
        file.write(text.replace("git push", "git pull"))
    code, out, _ = edge("verify")
    assert code == 1
    assert "Broken: .proof/session_log.jsonl, line 3" in out
    code, out, _ = edge("verify", "--json")
    assert code == 1
    answer = json.loads(out)
    assert answer["ok"] is False
    assert answer["data"]["first_broken"]["line"] == 3


def test_a_cut_log_is_verified_with_one(log, edge, project):
    path = os.path.join(project, ".proof", "session_log.jsonl")
    with open(path, "rb") as file:
        lines = file.readlines()
    with open(path, "wb") as file:
        file.writelines(lines[:2])
    code, out, _ = edge("verify")
    assert code == 1
    assert "the log ends at seq 2, but seq 4 was recorded" in out


def test_the_log_is_exported_line_by_line(log, edge):
    _, out, _ = edge("export")
    assert [json.loads(line)["seq"] for line in out.splitlines()] == [1, 2, 3, 4]


def test_the_csv_has_a_header_and_no_formula(log, edge):
    _, out, _ = edge("export", "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(out)))
    assert [row["seq"] for row in rows] == ["1", "2", "3", "4"]
    assert rows[1]["output_preview"] == "'=1+1"


def test_an_empty_log_is_said_so(project, edge):
    assert edge("tail")[1] == "The log is empty.\n"
    assert edge("verify")[0] == 0


@pytest.mark.parametrize("words", [("tail", "-n", "0"), ("search", "--limit", "0")])
def test_words_that_make_no_sense_are_usage_errors(log, edge, words):
    assert edge(*words)[0] == 64


def test_an_unreadable_line_is_not_passed_over_silently(log, edge, project):
    with open(os.path.join(project, ".proof", "session_log.jsonl"), "ab") as file:
        file.write(b"garbage\n")
    _, out, err = edge("tail")
    assert "Line could not be read" in out
    assert "1 lines could not be read" in err


def test_a_change_of_intent_is_told_by_what_it_was(edge, log):
    log.append({"event": "step", "data": {"step": 2, "to": "completed", "proof": "seen\x1b[2J"}})
    log.append({"event": "question", "data": {"to": "answered", "text": "why?", "answer": "so"}})
    lines = edge("tail", "-n", "2")[1].splitlines()
    assert lines[0].endswith("   Step: 2 completed: seen\\x1b[2J")
    assert lines[1].endswith("   Question: answered: why? so")


def test_a_refusal_in_the_clients_dialog_is_told_with_its_question(edge, log):
    asked = {"event": "asked", "session": "s", "data": {"shown": "git push", "rule": "git-push"}}
    log.append({**asked, "tool_use_id": "a"})
    log.append({"event": "tool", "session": "s", "tool": "Bash", "tool_use_id": "a"})
    log.append({**asked, "tool_use_id": "b"})
    log.append({"event": "prompt", "session": "s"})
    log.append({**asked, "tool_use_id": "c"})
    lines = edge("tail", "-n", "5")[1].splitlines()
    assert "Asked in the client, approved: git push (git-push)" in lines[0]
    assert "Asked in the client, refused: git push (git-push)" in lines[2]
    assert "Asked in the client: git push (git-push)" in lines[4]


def test_an_export_as_json_is_one_document_and_no_table(log, edge):
    log.append({"event": "stop"})
    told = json.loads(edge("export", "--json")[1])
    assert told["ok"] is True
    assert [each["event"] for each in told["data"]][-1] == "stop"
    assert edge("export", "--json", "--format", "csv")[0] == 64


def test_a_person_accepts_what_a_full_disk_left_and_an_agent_cannot(project, person, log):
    ProofLog(project, clock=wall_clock).append({"event": "tool"})

    told = person("proof", "verify")
    assert (told.returncode, told.stdout[:12]) == (1, "Not anchored")
    assert "edge log anchor" in told.stdout
    assert person("proof", "anchor", CLAUDECODE="1").returncode != 0
    assert person("proof", "anchor", answer="n\n").returncode == 1
    assert person("proof", "verify").returncode == 1
    assert person("proof", "anchor").returncode == 0
    told = person("proof", "verify")
    assert (told.returncode, told.stdout[:6]) == (0, "Log OK")
    assert "accepted by " in told.stdout
    assert person("proof", "anchor").returncode == 1


def test_verify_removes_what_does_not_follow_from_the_log_and_says_so(log, edge, project):
    folder = os.path.join(project, ".proof", "log")
    os.makedirs(folder, exist_ok=True)
    path = os.path.join(folder, "evidence.checkpoint")
    with open(path, "w", encoding="utf-8") as file:
        file.write("{}")
    code, out, _ = edge("verify")
    assert code == 0
    assert "note: .proof/log/evidence.checkpoint did not follow from the log" in out
    assert not os.path.lexists(path)
