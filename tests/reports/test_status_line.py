"""The client's status line: its parts, hostile text in them, and what it costs."""

import json
import os
import subprocess
import sys
from datetime import UTC, datetime, timedelta

import pytest

import operators_edge
from operators_edge import locations, statusline
from operators_edge.project import Project
from operators_edge.reports import status_line, status_line_service

FILE = statusline.__file__
HOSTILE = "</script>\x1b]52;c;aGk=\x07\x1b[2J\u202e\u200b\x00\ud800 " + "x" * 500


@pytest.fixture
def plain(monkeypatch):
    monkeypatch.setenv("NO_COLOR", "1")


def line(project, **more):
    given = {"workspace": {"project_dir": str(project)}, "session_id": "s", **more}
    return status_line_service.line(json.dumps(given).encode())


def block(project, **values):
    """Write these keys of the product's own block."""
    text = "".join(f"{key}: {json.dumps(value)}\n" for key, value in values.items())
    with open(os.path.join(project, "active_context.yaml"), "a", encoding="utf-8") as file:
        file.write(f"{locations.STATE_MARK}\n{text}")


def known(project):
    Project(project, is_set_up=True).state.read()


def log(project, *entries):
    Project(project, is_set_up=True).log.append_many([*entries])


def check(name, *, passed):
    data = {"check": {"kind": "test", "name": name, "passed": passed}}
    return {"event": "tool", "tool": "Bash", "success": True, "data": data}


def test_it_shows_what_waits_first_and_then_step_and_check(project, plain):
    block(
        project,
        junction={"type": "external", "shown": "git push origin main"},
        left_questions=[{"type": "external"}],
        auto={"enabled": True},
    )
    known(project)
    log(project, check("pytest", passed=True))
    assert line(project) == (
        "edge  decide: git push origin main (/edge) · 1 left open · auto · step 1/1 one · ✓ pytest"
    )


def test_edits_after_the_last_check_are_counted_and_its_green_is_gone(project, monkeypatch):
    known(project)
    edit = {"event": "tool", "tool": "Edit", "success": True, "file_touched": "a.py"}
    log(project, check("mypy", passed=False), check("pytest", passed=True), edit, edit)
    assert line(project).endswith("✓ pytest, 2 edits since")
    log(project, check("pytest", passed=False))
    assert line(project).endswith("\x1b[31m✗ pytest\x1b[0m")
    log(project, check("pytest", passed=None))
    assert line(project).endswith("? pytest")


def test_a_quiet_project_says_that_nothing_waits(repo, plain):
    with open(os.path.join(repo, "active_context.yaml"), "w", encoding="utf-8") as file:
        file.write("schema_version: 4\nobjective: null\n")
    known(repo)
    assert line(repo) == "edge  nothing waits"


def test_a_folder_without_a_project_gets_no_line(tmp_path, plain):
    assert line(tmp_path) == ""


def test_after_an_edit_by_hand_the_step_is_unknown_and_not_absent(project, plain):
    assert line(project) == "edge  step ?"


def test_when_all_steps_are_done_it_says_so(project, plain):
    path = os.path.join(project, "active_context.yaml")
    with open(path, encoding="utf-8") as file:
        text = file.read().replace("pending", "completed")
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    known(project)
    assert line(project) == "edge  all 1 steps done"


def test_what_is_off_in_this_session_is_shown_until_its_end(project, monkeypatch, plain):
    soon = (datetime.now(UTC) + timedelta(hours=1)).isoformat()
    past = (datetime.now(UTC) - timedelta(hours=1)).isoformat()
    switch = {"kind": "switch", "rule": "", "session": "", "expires_at": soon}
    block(
        project,
        dismissals=[
            switch,
            {**switch, "rule": "git-push", "session": "s"},
            {**switch, "rule": "other", "session": "another"},
            {**switch, "rule": "ended", "expires_at": past},
            {"kind": "dismissal", "rule": "x", "session": "", "expires_at": soon},
        ],
    )
    known(project)
    until = datetime.fromisoformat(soon).astimezone().strftime("%H:%M")
    expected = f"edge  gate OFF until {until} · git-push OFF until {until} · step 1/1 one"
    assert line(project) == expected
    monkeypatch.setenv("EDGE_DISABLED", "1")
    assert line(project).startswith("edge  gate OFF (EDGE_DISABLED)")


def test_tasks_that_wait_are_counted(project, plain):
    folder = os.path.join(project, ".ai-handoff", "pending")
    os.makedirs(folder)
    for name in ("a.json", "b.json", ".hidden.json", "notes.txt"):
        with open(os.path.join(folder, name), "w", encoding="utf-8"):
            pass
    assert "2 tasks for you" in line(project)


def test_no_text_of_others_drives_the_terminal_or_takes_the_whole_line(project, plain):
    block(
        project,
        junction={"shown": HOSTILE},
        dismissals=[
            {
                "kind": "switch",
                "rule": HOSTILE[:60],
                "session": "",
                "expires_at": "2999-01-01T00:00:00+00:00",
            }
        ],
    )
    log(project, check(HOSTILE, passed=True))
    found = line(project)
    assert not any(ord(char) < 32 or char in "\x7f\u202e\u200b\ud800" for char in found)
    assert len(found) < 250


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        (b"", "nothing"),
        (b"not json", "nothing"),
        (b"[1]", "nothing"),
        (b'{"workspace": 3, "session_id": []}', "nothing"),
        (b"\xff\xfe" * 100, "nothing"),
        (b'{"workspace": {"project_dir": "/a\\u0000b"}}', "not read (ValueError)"),
        (b"[" * 100_000, "nothing"),
    ],
)
def test_whatever_the_client_sends_the_line_never_fails(tmp_path, given, shown):
    done = subprocess.run(
        [sys.executable, "-I", "-S", FILE],
        input=given,
        cwd=tmp_path,
        capture_output=True,
        check=True,
    )
    assert done.stderr == b""
    assert done.stdout.decode().strip() == ("" if shown == "nothing" else f"edge: {shown}")


def test_a_damaged_state_is_said_on_the_line(project):
    with open(os.path.join(project, "active_context.yaml"), "wb") as file:
        file.write(b"\xff\xff")
    given = json.dumps({"cwd": project}).encode()
    done = subprocess.run(
        [sys.executable, "-I", "-S", FILE], input=given, capture_output=True, check=True
    )
    assert done.stdout.decode() == "edge: not read (UnicodeDecodeError)\n"


def test_the_status_line_of_before_is_run_with_the_same_report_and_shown_first(project, capfd):
    given = json.dumps({"cwd": project}).encode()
    command = [sys.executable, "-I", "-S", FILE, "--wrap", "cat; echo; echo; exit 3"]
    done = subprocess.run(command, input=given, capture_output=True, check=True)
    first, second = done.stdout.decode().splitlines()
    assert json.loads(first) == {"cwd": project}
    assert "step" in second


@pytest.mark.parametrize("command", ["exit 1", "no-such-program-here", "sleep 30"])
def test_one_that_fails_or_hangs_costs_only_itself(command):
    assert status_line_service.wrapped(command, b"", seconds=0.2) == ""


def test_json_is_read_as_the_library_reads_it():
    for text in ('{"a": [1, 2.5, null, true, "\\u00e4\\n"]}', "[]", '"x"', "-1e3", "{}"):
        assert status_line_service.loads(text) == json.loads(text)
    for text in ("", "{", "nope", '{"a"}', "[1,"):
        assert status_line_service.loads(text) is None


def test_only_the_last_check_of_the_lines_counts():
    lines = [
        b'{"data":{"check":{"name":"old","passed":true}}}',
        b'{"data":{"check":null}}',
        b"torn",
    ]
    assert status_line.check_part(lines, json.loads) == ("✓ old", "good")
    assert status_line.check_part([], json.loads) == ("", "")


def test_it_imports_next_to_nothing(project):
    """A client runs it every few seconds: ``json`` alone would double what it takes."""
    known(project)
    source = os.path.dirname(os.path.dirname(operators_edge.__file__))
    code = (
        f"import sys; sys.path.insert(0, {source!r}); before = set(sys.modules);"
        "from operators_edge import statusline; statusline.main([]);"
        "sys.stderr.write(' '.join(sorted(set(sys.modules) - before)))"
    )
    given = json.dumps({"cwd": project}).encode()
    command = [sys.executable, "-I", "-S", "-c", code]
    done = subprocess.run(command, input=given, capture_output=True, check=True)
    assert b"step 1/1 one" in done.stdout
    names = done.stderr.decode().split()
    ours = [name for name in names if name.startswith("operators_edge")]
    assert len(ours) <= 11, ours
    assert not {"re", "json", "typing", "subprocess", "datetime", "enum"} & set(names), names
