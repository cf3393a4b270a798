"""Calls and answers of past sessions, read from transcripts as the client writes them."""

import json
import os
import time
from datetime import timedelta

import pytest
from tests.hosts.claude.transcripts import NOW, Transcript

from operators_edge.hosts.claude import past_sessions
from operators_edge.hosts.claude.past_sessions import PastSessions
from operators_edge.reports.replay import PastAnswer, PastCall

HERE = "/home/me/project"
LAST_DAYS = (NOW - timedelta(days=14)).timestamp()


@pytest.fixture(autouse=True)
def _own_home(fenced):
    pass


def past(**more):
    return PastSessions(os.environ, **{"since": LAST_DAYS, **more})


def read(sessions=None):
    """The texts of all calls, and the answers."""
    items = list((sessions or past()).items())
    calls = [item for item in items if isinstance(item, PastCall)]
    return calls, [item for item in items if isinstance(item, PastAnswer)]


def commands(sessions=None):
    return [item.call.input.get("command", item.call.tool) for item in read(sessions)[0]]


def test_a_call_has_its_tool_input_folder_session_and_time():
    Transcript(HERE).bash("ls", id="toolu_1")
    ((call, start, at),), answers = read()
    assert (call.tool, call.input["command"], call.cwd) == ("Bash", "ls", HERE)
    assert (call.session, call.id, start) == ("5e551017", "toolu_1", HERE)
    assert abs(at - (NOW - timedelta(days=1)).timestamp()) < 1
    assert answers == []


def test_without_transcripts_there_is_nothing_and_nothing_is_wrong():
    sessions = past()
    assert read(sessions) == ([], [])
    assert (sessions.unread, sessions.damaged_lines, sessions.is_whole) == ([], 0, True)


def test_a_configured_folder_of_the_client_is_read_instead(tmp_path, monkeypatch):
    Transcript(HERE).bash("ls")
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path))
    assert commands() == []
    folder = past_sessions.folder_of_transcripts(os.environ)
    assert folder == str(tmp_path / "projects")


def test_the_folder_of_a_call_is_the_one_at_that_time_and_the_start_stays_the_first():
    transcript = Transcript(HERE).bash("cd sub && ls")
    transcript.cwd = f"{HERE}/sub"
    transcript.bash("pwd")
    assert [(each.call.cwd, each.start) for each in read()[0]] == [
        (HERE, HERE),
        (f"{HERE}/sub", HERE),
    ]


def test_a_call_that_a_fork_or_a_resumed_session_repeats_counts_once_in_the_first_session():
    Transcript(HERE, "first").bash("git push", id="toolu_1").aged(3)
    fork = Transcript("/home/me/other", "second")
    block = {"type": "tool_use", "id": "toolu_1", "name": "Bash", "input": {"command": "git push"}}
    fork.line("assistant", [block], requestSessionId="first", session_id=None)
    fork.line("user", [{"type": "tool_result", "tool_use_id": "toolu_1"}], session_id="first")
    fork.bash("ls", id="toolu_2")
    found = {each.call.id: (each.call.session, each.start) for each in read()[0]}
    assert found == {"toolu_1": ("first", HERE), "toolu_2": ("second", "/home/me/other")}


def test_what_only_a_fork_still_has_counts_as_the_session_that_it_was():
    fork = Transcript(HERE, "second")
    block = {"type": "tool_use", "id": "toolu_1", "name": "Bash", "input": {"command": "git push"}}
    fork.line("assistant", [block], requestSessionId="first")
    assert [each.call.session for each in read()[0]] == ["first"]


def test_versions_that_repeat_lines_without_saying_so_are_counted_once():
    for name in ("first", "second"):
        transcript = Transcript(HERE, name)
        block = {"type": "tool_use", "id": "toolu_1", "name": "Bash", "input": {"command": "ls"}}
        transcript.line("assistant", [block], session_id=None, timestamp=None)
    assert commands() == ["ls"]


def test_calls_of_subagents_belong_to_their_session():
    Transcript(HERE).bash("ls")
    agent = Transcript(HERE, agent="a0d24a71")
    agent.cwd = f"{HERE}/sub"
    agent.bash("git status")
    by_command = {each.call.input["command"]: each for each in read()[0]}
    found = by_command["git status"]
    assert (found.call.session, found.call.agent, found.start) == ("5e551017", "a0d24a71", HERE)


def test_every_kind_of_tool_is_a_call_and_what_the_server_ran_is_none():
    transcript = Transcript(HERE).call("mcp__db__query", sql="select 1")
    transcript.call("Write", file_path=f"{HERE}/a", content="x")
    transcript.call("Bash", command="sleep 9", run_in_background=True)
    transcript.line("assistant", [{"type": "server_tool_use", "id": "s", "name": "web_search"}])
    assert [each.call.tool for each in read()[0]] == ["mcp__db__query", "Write", "Bash"]


@pytest.mark.parametrize("source", ["user_temporary", "user_permanent", "user_session"])
def test_a_persons_answers_are_read(source):
    transcript = (
        Transcript(HERE).bash("git push", id="yes").answered("yes", yes=True, source=source)
    )
    transcript.bash("git push", id="no").answered("no", yes=False)
    assert read()[1] == [PastAnswer("yes", is_yes=True), PastAnswer("no", is_yes=False)]


@pytest.mark.parametrize("source", ["config", "hook", "classifier"])
def test_what_a_rule_or_a_hook_decided_is_no_answer_of_a_person(source):
    Transcript(HERE).bash("ls", id="one").answered("one", yes=True, source=source)
    assert read()[1] == []


def test_an_older_refusal_is_known_by_its_words_also_in_parts():
    said = "The user doesn't want to proceed with this tool use. The tool use was rejected"
    parts = [{"type": "text", "text": said}]
    result = {"type": "tool_result", "tool_use_id": "one", "content": parts, "is_error": True}
    Transcript(HERE).bash("git push", id="one").line("user", [result])
    assert read()[1] == [PastAnswer("one", is_yes=False)]


def test_a_result_that_only_quotes_a_refusal_is_none():
    said = "log: The user doesn't want to proceed with this tool use"
    result = {"type": "tool_result", "tool_use_id": "one", "content": said}
    Transcript(HERE).bash("cat log", id="one").line("user", [result])
    assert read()[1] == []


def test_what_is_older_is_left_out_by_file_and_by_line():
    Transcript(HERE, "old").bash("git push").aged(20)
    transcript = Transcript(HERE, "long").bash("now")
    transcript.at = NOW - timedelta(days=20)
    transcript.bash("then")
    assert commands() == ["now"]


@pytest.mark.parametrize("when", [None, "yesterday", 7, "2999-01-01T00:00:00Z"])
def test_a_call_without_a_time_or_with_one_to_come_counts(when):
    transcript = Transcript(HERE)
    block = {"type": "tool_use", "id": "one", "name": "Bash", "input": {"command": "ls"}}
    transcript.line("assistant", [block], timestamp=when)
    assert commands() == ["ls"]


def test_damaged_lines_are_counted_and_the_others_read():
    transcript = Transcript(HERE).bash("one")
    transcript.raw(b'{"type":"assistant","message":{"content":[{"type":"tool_use","id"')
    transcript.raw(b'["tool_use"]').raw(b'\xff\xfe\x00 "tool_use"').raw(
        b"[" * 100_000 + b'"tool_use"'
    )
    transcript.bash("two")
    sessions = past()
    assert commands(sessions) == ["one", "two"]
    assert sessions.damaged_lines == 4


@pytest.mark.parametrize(
    "message",
    [
        None,
        "text",
        {"content": '"tool_use"'},
        {"content": [None, 3, {"type": "tool_use"}, {"type": "tool_use", "name": 3, "input": {}}]},
        {"content": [{"type": "tool_use", "name": "Bash", "input": "ls"}]},
        {"content": {"type": "tool_use"}},
    ],
)
def test_shapes_that_are_not_known_are_no_calls(message):
    entry = {"type": "assistant", "message": message, "note": "tool_use", "new_key": {"a": [1]}}
    transcript = Transcript(HERE).raw(entry)
    transcript.bash("ls")
    sessions = past()
    assert commands(sessions) == ["ls"]
    assert sessions.damaged_lines == 0


def test_a_line_without_end_is_skipped_in_bounded_memory(monkeypatch):
    monkeypatch.setattr(past_sessions, "_MAX_LINE", 4096)
    transcript = Transcript(HERE).raw(b'"tool_use"' + b"x" * 20_000)
    transcript.bash("ls")
    sessions = past()
    assert commands(sessions) == ["ls"]
    assert sessions.damaged_lines == 1


@pytest.mark.skipif(os.name != "posix", reason="folders of other names")
def test_what_cannot_be_read_is_named(tmp_path):
    transcript = Transcript(HERE, "readable").bash("ls")
    folder = transcript.path.parent
    (folder / "gone.jsonl").symlink_to(tmp_path / "nowhere")
    (folder / "round.jsonl").symlink_to(folder / "round.jsonl")
    os.mkfifo(folder / "pipe.jsonl")
    (folder / "folder.jsonl").mkdir()
    sessions = past()
    assert commands(sessions) == ["ls"]
    assert {os.path.basename(path) for path, why in sessions.unread if why} == {
        "gone.jsonl",
        "round.jsonl",
    }


def test_only_wanted_sessions_are_read():
    Transcript(HERE, "one").bash("here")
    Transcript("/elsewhere", "two").bash("there")
    assert commands(past(is_wanted=lambda start: start == HERE)) == ["here"]


def test_a_session_that_names_its_folder_late_began_where_its_first_call_ran():
    transcript = Transcript(HERE)
    with transcript.path.open("wb") as file:
        file.write(b"x" * (past_sessions._MAX_HEAD + 1) + b"\n")
    transcript.bash("ls")
    assert [each.start for each in read()[0]] == [HERE]
    assert commands(past(is_wanted=lambda start: start == HERE)) == ["ls"]
    assert commands(past(is_wanted=lambda start: start != HERE)) == []


def test_reading_stops_when_it_is_told_to_and_says_so():
    for number in range(5):
        Transcript(HERE, f"s{number}").bash(f"echo {number}")
    seen = []

    def goes_on(done, every):
        seen.append((done, every))
        return done < 2

    sessions = past(goes_on=goes_on)
    assert len(commands(sessions)) == 2
    assert seen == [(1, 5), (2, 5)]
    assert not sessions.is_whole


def test_many_megabytes_without_calls_are_not_parsed():
    transcript = Transcript(HERE)
    blob = json.dumps({"type": "api-request-blob", "data": "x" * 1_000_000}).encode()
    with transcript.path.open("wb") as file:
        for _ in range(200):
            file.write(blob + b"\n")
    transcript.bash("ls")
    started = time.process_time()
    assert commands() == ["ls"]
    assert time.process_time() - started < 3  # some 0.5
