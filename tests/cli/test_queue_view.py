"""How the queue is shown: lines, a live line at a terminal, a list and a result within 80 columns."""

import io

import pytest

from operators_edge.bridge.queue import TaskRow
from operators_edge.cli import queue_view
from operators_edge.cli.queue_view import Lines, Live, list_lines, show_lines
from operators_edge.cli.terminal import Terminal

HOSTILE = "\x1b]0;owned\x07\x1b[2J\u202egnp\u200b<script>alert(1)</script>\r\nt-9  success"
"""A title of the window, a cleared screen, a turned text, an unseen character, a script, a false line."""


class Screen(io.StringIO):
    def isatty(self):
        return True


class Queue:
    def __init__(self, **counts):
        self._counts = counts

    def counts(self):
        return self._counts


def row(stem, state="queued", **fields):
    return TaskRow.new(1, stem, origin="submitted", at="")._replace(state=state, **fields)


def printed(*events):
    out = io.StringIO()
    view = Lines(Terminal(out=out))
    with view:
        for each in events:
            view.tell(*each)
    return out.getvalue().splitlines()


ENDED = {"attempt": 1, "status": "blocked", "reason": "dirty_repo", "detail": "there are changes"}


def test_plain_lines_say_what_ran_and_how_it_ended_once():
    ran = {"cmd": "make test", "number": 2, "of": 3, "exit_code": 1, "seconds": 1.26}
    lines = printed(
        ("started", "t-1", {"attempt": 1}),
        ("editing", "t-1", {"executor": "opencode"}),
        ("command", "t-1", ran),
        ("command_ended", "t-1", ran),
        ("ended", "t-1", ENDED),
        ("ended", "t-1", ENDED),
        ("idle", "", {}),
    )
    assert lines == [
        "t-1 opencode edits",
        "t-1 2/3 exit 1, 1.3 s: make test",
        "t-1 dirty_repo: there are changes",
    ]


def test_at_a_terminal_the_last_line_says_what_happens_now_and_what_waits(monkeypatch):
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "100")
    screen, times = Screen(), iter([0, *[75] * 9])
    queue = Queue(queued=2, pending=1)
    view = Live(Terminal(out=screen), queue, lambda: next(times))
    view.tell("command", "t-1", {"cmd": "make test", "number": 1, "of": 2})
    assert screen.getvalue().endswith(
        "t-1 command 1 of 2: make test  1 min 15 s  2 queued, 1 for you: edge bridge list"
    )
    view.tell("editing", "t-2", {"executor": "claude"})
    both = "t-1 command 1 of 2: make test  1 min 15 s  t-2 claude edits  0 s  2 queued"
    assert both in screen.getvalue()
    view.tell("ended", "t-2", {"status": "failed", "reason": "no_change"})
    assert screen.getvalue().endswith("1 min 15 s  1 failed  2 queued, 1 for you: edge bridge list")
    view.tell("ended", "t-1", ENDED)
    assert "\r\x1b[Kt-1 dirty_repo: there are changes\n" in screen.getvalue()


@pytest.mark.parametrize("event", ["editing", "command", "command_ended", "repairing", "ended"])
def test_nothing_in_a_task_or_its_output_acts_on_the_terminal(monkeypatch, event):
    data = dict.fromkeys(("executor", "cmd", "detail", "follows", "reason", "round"), HOSTILE)
    screen = Screen()
    monkeypatch.setenv("NO_COLOR", "1")
    view = Live(Terminal(out=screen), Queue(), lambda: 0)
    view.tell(event, HOSTILE, {**data, "number": 1, "of": 1, "exit_code": 0, "seconds": 1})
    shown = screen.getvalue().replace("\r\x1b[K", "")
    assert not {"\x1b", "\x07", "\r", "\u202e", "\u200b"} & set(shown)
    assert "\nt-9  success" not in shown


def test_a_list_fits_a_terminal_and_says_why():
    rows = [
        (row("t-1", "failed"), {"reason": "verify_failed", "detail": "failed: make test"}),
        (row("a" * 90, "pending"), {"detail": "a person has to allow git push origin main " * 3}),
        (row("日本語" * 20, "done"), {}),
        (row(HOSTILE, "running", attempt=2), {}),
    ]
    lines = list_lines(rows)
    assert all(queue_view.columns(each) <= 80 for each in lines)
    assert lines[0].split() == ["t-1", "failed:", "make", "test"]
    assert "waits for a person: a person has to" in lines[1]
    assert lines[3].endswith("is being worked on, attempt 2")


def test_a_result_is_shown_with_what_can_be_done_next():
    result = {
        "status": "success",
        "reason": None,
        "git": {"branch": "feat/ai/t-1", "result_commit": "a" * 40, "diff_stat_post": "1 file"},
        "executor": {"name": "patch", "outcome": "done", "seconds": 0.04},
        "commands": [{"cmd": "x" * 200, "exit_code": None, "ended": "timed_out", "seconds": 3}],
        "artifacts": {"logs": "logs/t-1.log"},
    }
    lines = show_lines(row("t-1", "done"), result)
    assert all(len(each) <= 80 for each in lines)
    assert lines[:3] == [
        "Task       t-1 succeeded",
        "Result     success",
        "Branch     feat/ai/t-1, commit aaaaaaaaaa",
    ]
    assert lines[-1] == "Next       git merge feat/ai/t-1"
    assert "Ran        nothing: the change is not verified" in show_lines(
        row("t-1", "done"), {"status": "success"}
    )
    assert "edge bridge retry t-1" in show_lines(row("t-1", "failed"), {})[-1]
    assert "edge bridge approve t-1" in show_lines(row("t-1", "pending"), {})[-1]


def test_a_task_that_is_to_be_done_is_shown_with_what_it_asks_for():
    task = {
        "prompt": "Make the sum right.\nAll of it.",
        "scope": ["src/**", "a.py"],
        "commands_to_run": ["make test"],
        "defaults": {"timeout_sec": 60, "protect": ["ci/*"], "baseline": True},
    }
    failed = {"attempt": 1, "reason": "verify_failed", "detail": "failed: make test"}
    assert show_lines(row("t-1", attempt=2), failed, task) == [
        "Task       t-1 waits for its turn, attempt 2",
        "Prompt     Make the sum right. All of it.",
        "Scope      src/**, a.py",
        "To run     make test",
        "Defaults   timeout_sec 60; protect ci/*; baseline yes",
        "Result     of attempt 1: verify_failed: make test",
        "Next       edge bridge watch",
    ]


def test_when_a_watcher_ends_it_says_how_many_tasks_ended_how_and_what_comes_next():
    ended = {"t-1": "success", "t-2": "failed", "t-3": "failed", "t-4": "needs_confirmation"}
    known = {
        "t-1": (row("t-1", "done"), {"git": {"branch": "feat/ai/t-1", "result_commit": "a" * 40}}),
        "t-4": (row("t-4", "pending"), {}),
        "t-5": (row("t-5"), {"reason": "dirty_repo"}),
    }
    assert queue_view.summary({**ended, "t-5": "blocked"}, known.__getitem__) == [
        "Succeeded  1: git merge feat/ai/t-1",
        "Failed     2: edge bridge list",
        "Blocked    1: edge bridge show t-5",
        "For you    1: edge bridge approve t-4, or edge bridge reject t-4",
    ]
