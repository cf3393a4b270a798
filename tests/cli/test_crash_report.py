"""The report of an unexpected error: what it says and does not say, where it lies, and how many are kept.

The errors are real ones: no file name may hold a NUL character, and an ASCII terminal cannot print "é".
"""

import json
import os
import re
import subprocess
import sys
from datetime import UTC, datetime, timedelta

import pytest

from operators_edge import __version__
from operators_edge.cli import crash_report
from operators_edge.cli.parsers import parser_of
from operators_edge.cli.topics import TOPICS
from tests.cli.test_main import commands
from tests.hosting import Client, clean_env

BREAKS = ("status", "--project", "\0")
NUL = "ValueError: .*embedded null (byte|character.*)"
TOKEN = "ghp_0123456789abcdefghijABCDEFGHIJ012345"
NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)


def reports():
    return crash_report.kept(os.environ)


def the_text():
    (path,) = reports()
    with open(path, encoding="utf-8") as file:
        return file.read()


def raised(call, *given):
    """The error of a call, with the traceback that it has by then."""
    try:
        call(*given)
    except Exception as error:  # noqa: BLE001 - whichever it is
        return error
    raise AssertionError("nothing was raised")


def test_without_a_usable_home_there_are_no_reports():
    assert crash_report.kept({"HOME": os.devnull}) == []


def test_an_unexpected_error_ends_with_70_and_names_its_report(edge):
    code, out, err = edge(*BREAKS)
    assert (code, out) == (70, "")
    (path,) = reports()
    first, *rest = err.splitlines()
    assert re.fullmatch(f"edge: {NUL}", first)
    assert rest == [f"  report: {path}", "  run: edge doctor"]


def test_the_report_says_what_is_needed_to_find_the_cause(edge):
    edge(*BREAKS)
    text = the_text()
    rows = dict(re.findall(r"^(\w+): +(.+)$", text, re.MULTILINE))
    assert rows["version"] == __version__
    assert rows["python"].endswith(".".join(map(str, sys.version_info[:3])))
    assert rows["platform"]
    assert re.match(r"\d+\.\d+", rows["git"])
    assert rows["command"].startswith("edge status --project ")
    assert re.fullmatch(NUL, rows["error"])
    assert datetime.now(UTC) - datetime.fromisoformat(rows["time"]) < timedelta(minutes=5)
    assert "Traceback (most recent call last):" in text
    assert "in main" in text


def test_json_names_the_report_too(edge):
    code, out, err = edge("--json", *BREAKS)
    told = json.loads(out)
    assert (code, err, told["ok"]) == (70, "", False)
    assert told["error"]["code"] == "internal"
    assert [told["error"]["report"]] == reports()


@pytest.mark.parametrize("at", [0, 1, 3])
def test_debug_prints_the_traceback_wherever_it_stands(edge, at):
    words = [*BREAKS[:at], "--debug", *BREAKS[at:]]
    _, _, err = edge(*words)
    assert "Traceback (most recent call last):" in err
    assert len(reports()) == 1


def test_debug_changes_nothing_where_all_is_well(edge):
    assert edge("--debug", "plan", "show") == edge("plan", "show", "--debug")
    assert edge("plan", "--debug", "show") == edge("plan", "show") == (0, "[ ] 1. one\n", "")


def test_debug_is_an_option_of_every_command_and_its_help_says_so():
    parser = parser_of()
    inner = {" ".join(words): each for words, each in commands(parser)}
    takes_json = {name for name, each in inner.items() if "--json" in each._option_string_actions}
    assert len(takes_json) > 50
    for each in (parser, *(inner[name] for name in takes_json)):
        assert "--debug" in each._option_string_actions, each.prog
    assert "--debug" in TOPICS["options"].text


def test_a_text_behind_two_dashes_is_no_option(edge):
    assert edge("note", "--", "--debug")[0] == 0
    _, _, err = edge(*BREAKS[:1], "--project", "\0", "--", "--debug")
    assert "Traceback" not in err


def test_the_report_is_for_its_owner_alone(edge):
    edge(*BREAKS)
    (path,) = reports()
    if os.name == "posix":
        assert os.stat(path).st_mode & 0o777 == 0o600
        assert os.stat(os.path.dirname(path)).st_mode & 0o777 == 0o700
    assert os.listdir(os.path.dirname(path)) == [os.path.basename(path)]


# -- secrets ---------------------------------------------------------------------------------------


def test_a_secret_on_the_command_line_is_in_no_report(edge):
    command = f"echo é; curl -H 'Authorization: Bearer {TOKEN}' -u jo:correct-horse-9 x.example"
    code, _, err = edge("--debug", "explain", command, "--project", "\0")
    assert code == 70
    text = the_text()
    assert "ValueError" in text
    assert "curl -H" in text
    for where in (text, err):
        assert TOKEN not in where
        assert "correct-horse-9" not in where


def test_a_secret_in_the_message_of_an_error_or_of_its_cause_is_hidden():
    def fails():
        try:
            int(TOKEN)
        except ValueError as error:
            raise RuntimeError("password=correct-horse-9") from error

    report = crash_report.leave(raised(fails), ["status"])
    for text in (the_text(), *report):
        assert TOKEN not in text
        assert "correct-horse-9" not in text
    assert "invalid literal for int()" in the_text()
    assert report.error == "RuntimeError: password=[REDACTED]"


@pytest.mark.parametrize(
    "words",
    [
        ["run", "--password", "Tr0ub4dor&3"],
        ["run", "--password=Tr0ub4dor&3"],
        ["note", "the password: Tr0ub4dor&3"],
        ["explain", "curl https://jo:Tr0ub4dor&3@x.example/"],
    ],
)
def test_what_the_arguments_show_to_be_secret_is_hidden_where_a_message_repeats_it_alone(words):
    report = crash_report.leave(raised(int, "Tr0ub4dor&3"), words)
    assert report.error.startswith("ValueError: invalid literal")
    assert "Tr0ub4dor" not in the_text()


def test_the_value_of_a_secret_variable_is_hidden(monkeypatch):
    monkeypatch.setenv("DEPLOY_TOKEN", "plain words in a row")
    crash_report.leave(raised(int, "plain words in a row"), ["note", "plain words in a row"])
    assert "plain words" not in the_text()


def test_the_home_folder_is_not_named(monkeypatch):
    monkeypatch.setenv("HOME", "/home/joan.doe")
    crash_report.leave(raised(os.listdir, "/home/joan.doe/none"), ["x", "/home/joan.does"])
    assert "joan.doe/" not in the_text()
    assert "'~/none'" in the_text()
    assert "/home/joan.does" in the_text()


def test_nothing_in_a_report_drives_a_terminal():
    crash_report.leave(raised(int, "\x1b]0;title\x07"), ["note", "\x1b[2J\x9b"])
    assert not set("\x1b\x07\x9b") & set(the_text())


def test_where_the_redactor_is_gone_no_value_is_shown(project, fenced, tmp_path):
    """As with an installation that lacks a file."""
    code = (
        "import sys; from operators_edge.cli.main import main;"
        f"sys.modules[{_redactor()!r}] = None;"
        "sys.exit(main(sys.argv[1:]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, "explain", f"echo é {TOKEN}"],
        cwd=project,
        env={**clean_env(fenced), "PYTHONIOENCODING": "ascii:strict"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 70
    assert TOKEN not in the_text() + done.stderr
    assert "(not shown)" in the_text()
    assert "in main" in the_text()


def _redactor():
    from operators_edge.redaction import redact  # noqa: PLC0415 - for its name alone

    return redact.__name__


# -- bounds ----------------------------------------------------------------------------------------


def test_the_newest_twenty_are_kept():
    error = raised(int, "x")
    for number in range(23):
        moment = NOW + timedelta(minutes=number)
        crash_report.leave(error, ["run", str(number)], clock=lambda moment=moment: moment)
    kept = reports()
    assert len(kept) == crash_report.MAX_REPORTS_KEPT == 20
    assert crash_report.written_at(kept[0]) == NOW + timedelta(minutes=22)
    assert crash_report.written_at(kept[-1]) == NOW + timedelta(minutes=3)


def test_a_file_that_is_no_report_is_left_alone():
    path = crash_report.leave(raised(int, "x"), ["run"]).path
    mine = os.path.join(os.path.dirname(path), "0-mine.txt")
    with open(mine, "w", encoding="utf-8") as file:
        file.write("x")
    for _ in range(crash_report.MAX_REPORTS_KEPT + 1):
        crash_report.leave(raised(int, "x"), ["run"])
    assert os.path.exists(mine)
    assert mine not in reports()


def test_a_report_is_bounded_whatever_the_error_holds():
    def deeper(depth):
        return deeper(depth - 1) if depth else int("y" * 3_000_000)

    crash_report.leave(raised(deeper, 400), ["note", "z" * 1_000_000])
    (path,) = reports()
    assert os.path.getsize(path) < 100_000
    assert "ValueError" in the_text()


# -- where it cannot be written --------------------------------------------------------------------


def test_where_no_report_can_be_written_that_is_said_and_the_traceback_printed(edge, fenced):
    folder = os.path.join(fenced, "state", "operators-edge")
    os.makedirs(folder)
    with open(os.path.join(folder, crash_report.FOLDER), "w", encoding="utf-8") as file:
        file.write("no folder")
    code, _, err = edge(*BREAKS)
    assert code == 70
    assert re.search(f"edge: {NUL}\n  report: not written \\(", err)
    assert "is not a folder" in err
    assert "Traceback (most recent call last):" in err
    _, out, _ = edge("--json", *BREAKS)
    told = json.loads(out)["error"]
    assert told["report"] == ""
    assert "is not a folder" in told["detail"]


@pytest.mark.skipif(os.name != "posix", reason="modes of POSIX")
def test_a_folder_that_may_not_be_written_loses_the_report_and_not_the_error(edge, fenced):
    if os.geteuid() == 0:
        pytest.skip("root writes everywhere")
    os.makedirs(os.path.join(fenced, "state"))
    os.chmod(os.path.join(fenced, "state"), 0o500)
    try:
        code, _, err = edge(*BREAKS)
    finally:
        os.chmod(os.path.join(fenced, "state"), 0o700)
    assert code == 70
    assert "Permission denied" in err
    assert "Traceback (most recent call last):" in err


# -- doctor, and the hook --------------------------------------------------------------------------


def test_doctor_names_the_newest_report(edge):
    def check():
        checks = json.loads(edge("doctor", "--json")[1])["data"]["checks"]
        return next(each for each in checks if each["name"] == "error reports")

    assert (check()["level"], check()["what"]) == ("ok", "none")
    edge(*BREAKS)
    assert check()["level"] == "warning"
    assert reports()[0] in check()["what"]


def test_an_old_report_is_no_warning_of_doctor(edge):
    crash_report.leave(raised(int, "x"), ["run"], clock=lambda: NOW - timedelta(days=900))
    (check,) = (
        each
        for each in json.loads(edge("doctor", "--json")[1])["data"]["checks"]
        if each["name"] == "error reports"
    )
    assert check["level"] == "ok"
    assert "2024-06-03" in check["what"]


def event(**given):
    body = {"session_id": "s", "cwd": "\0", "tool_name": "Bash", "tool_use_id": "t", **given}
    return json.dumps(body).encode()


def push(**more):
    command = f"git push https://jo:correct-horse-9@x.example; echo {TOKEN}"
    return event(hook_event_name="PreToolUse", tool_input={"command": command}, **more)


def test_a_hook_that_fails_denies_the_call_and_leaves_a_report(client):
    del client.env["CLAUDE_PROJECT_DIR"]
    answer = json.loads(client.raw(push()))
    assert answer["hookSpecificOutput"]["permissionDecision"] == "deny"
    assert client.returncode == 0
    text = the_text()
    assert reports()[0].encode() in client.stderr
    assert "about:    PreToolUse Bash" in text
    assert re.search(f"error: +{NUL}\n", text)
    assert "git push" not in text
    assert TOKEN not in text


def test_the_same_failure_behind_the_resident_leaves_a_report(project, fenced):
    from tests.resident.conftest import staying  # noqa: PLC0415 - the only test with one

    client = Client(project, {**clean_env(fenced), "EDGE_RESIDENT": "on"})
    del client.env["CLAUDE_PROJECT_DIR"]
    with staying(client.env):  # its end waits for what it has forked
        answer = json.loads(client.raw(push(cwd="/\0")))
        assert answer["hookSpecificOutput"]["permissionDecision"] == "deny"
    assert "about:    PreToolUse Bash" in the_text()
    assert "/resident/" in the_text()


def test_an_event_that_cannot_be_read_leaves_no_report(client):
    client.raw(b'{"hook_event_name": "PreToolUse"')
    client.raw(b"[]")
    assert reports() == []


def test_a_hook_answers_where_no_report_can_be_written(client, fenced):
    folder = os.path.join(fenced, "state", "operators-edge", crash_report.FOLDER)
    with open(folder, "w", encoding="utf-8") as file:
        file.write("no folder")
    del client.env["CLAUDE_PROJECT_DIR"]
    answer = json.loads(client.raw(push()))
    assert answer["hookSpecificOutput"]["permissionDecision"] == "deny"
    assert b"is not a folder" in client.stderr
    assert client.returncode == 0
