"""Lessons that were shown, and their outcome by the log."""

from datetime import UTC, datetime, timedelta

import pytest
from tests.evidence.entries import ROOT, Log

from operators_edge.evidence import obligations, session_facts
from operators_edge.state.lesson import key_of

LESSON = {"trigger": "cargo build", "lesson": "set CARGO_TARGET_DIR first"}
KEY = key_of(LESSON)
NOW = datetime(2030, 1, 1, 13, tzinfo=UTC)
NO_MODULE = "ModuleNotFoundError: No module named 'y'"


class Told(Log):
    """A log in which calls have their ids and outputs, as the client sends them."""

    def call(self, command, *, code=0, error="", ident="", **data):
        about = {"command": command, "cwd": ROOT, **data}
        ended = {"success": not code, "exit_code": code, "output_preview": error}
        return self.add(tool="Bash", tool_use_id=ident, data=about, **ended)

    def show(self, when, ident, tool="Bash", key=KEY, **fields):
        data = {"key": key, "when": when, "why": "x"}
        return self.add("lesson_told", tool=tool, tool_use_id=ident, data=data, **fields)

    def show_on(self, command, error="boom", code=1):
        self.call(command, code=code, error=error, ident="f")
        self.show("failure", "f")

    def lessons(self):
        return session_facts.fold(session_facts.new_facts("s", ROOT), self.entries)["lessons"]

    def only(self):
        (each,) = self.lessons()["told"].values()
        return each


@pytest.fixture
def log():
    return Told()


def carried(log, state, now=NOW):
    """Write to the state what the log shows, and to the log what changed, as at the end of a turn."""
    folded = obligations.carry(state, obligations.changes(log.lessons()), session="s", now=now)
    for event, data in folded.events:
        log.add(event, data=data)
    return folded


# -- shown before a call ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("code", "status", "outcome"),
    [(0, "dismissed", "it succeeded without the lesson"), (101, "pending", "")],
)
def test_the_call_with_which_a_lesson_is_shown_ends_without_it(log, code, status, outcome):
    log.show("before", "c")
    log.call("ls", ident="other")
    assert log.only()["status"] == "pending"
    log.call("cargo build", code=code, ident="c")
    each = log.only()
    assert (each["status"], each["outcome"], each["summary"]) == (status, outcome, "cargo build")


def test_a_lesson_shown_with_a_call_that_failed_is_judged_by_the_next_such_call(log):
    log.show("before", "c")
    log.call("cargo build", code=101, ident="c")
    log.call("cargo build", code=101)
    assert log.only()["outcome"] == "it failed in the same way (exit 101)"


@pytest.mark.parametrize(
    ("between", "status"),
    [([], "dismissed"), (["git status"], "dismissed"), (["make test"], "applied")],
)
def test_a_denied_call_counts_for_the_lesson_only_if_what_it_names_was_done(log, between, status):
    data = {"key": KEY, "when": "denied", "why": "x", "command": "git push"}
    data["names"] = ["make test"]
    log.add("lesson_told", tool="Bash", tool_use_id="d", data=data)
    for command in between:
        log.call(command)
    log.call("git push")
    assert log.only()["status"] == status


def test_a_lesson_that_names_no_command_counts_if_anything_was_done_in_between(log):
    data = {"key": KEY, "when": "denied", "why": "x", "command": "git push"}
    log.add("lesson_told", tool="Bash", tool_use_id="d", data=data)
    log.add(tool="Edit", success=True, file_touched=f"{ROOT}/a.py", data={})
    log.call("git push")
    assert log.only()["status"] == "applied"


def test_a_check_that_failed_behind_a_pipe_is_no_help_and_one_that_passes_later_is(log):
    failed, passed = ({"kind": "test", "passed": each} for each in (False, True))
    log.show("before", "c")
    log.call("cargo build", ident="c", check=failed)
    assert log.only()["status"] == "pending"
    log.entries.clear()
    log.call("pytest | tail", ident="f", check=failed, error=NO_MODULE)
    log.show("failure", "f")
    assert log.only()["status"] == "pending"
    log.call("pytest | tail", check=passed)
    assert log.only()["status"] == "applied"


@pytest.mark.parametrize("fields", [{"code": None}, {"background": True}])
def test_a_call_that_was_stopped_or_goes_on_behind_says_nothing(log, fields):
    log.show("before", "c")
    log.call("cargo build", ident="c", **fields)
    if fields.get("code", 0) is None:
        log.entries[-1]["success"] = False
    assert log.only()["status"] == "pending"


# -- shown on a failure -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "command",
    [
        "python x.py",
        "python  x.py",
        "cd sub && python x.py",
        "A=1 B=2 python x.py",
        "export A=1; python x.py",
    ],
)
def test_a_lesson_shown_on_a_failure_is_applied_if_the_same_command_succeeds_later(log, command):
    log.show_on("python x.py")
    log.call("ls")
    assert log.only()["status"] == "pending"
    log.call(command)
    assert log.only()["status"] == "applied"


@pytest.mark.parametrize(
    "command", ["python y.py", "echo python x.py", "python x.py --help", "A=1", ""]
)
def test_another_command_says_nothing_of_it(log, command):
    log.show_on("python x.py")
    log.call(command)
    assert log.only()["status"] == "pending"


def test_the_failure_that_it_was_shown_on_does_not_count(log):
    log.show_on("python x.py")
    assert log.only()["status"] == "pending"


@pytest.mark.parametrize(
    ("code", "error", "status"),
    [
        (1, f"Exit code 1\n{NO_MODULE}", "violated"),
        (1, "Exit code 1\nKeyError: 'id'", "pending"),
        (2, f"Exit code 2\n{NO_MODULE}", "pending"),
        (1, "Exit code 1", "pending"),
    ],
)
def test_it_is_violated_where_the_command_fails_again_in_the_same_way(log, code, error, status):
    log.show_on("python x.py", error=NO_MODULE)
    log.call("python x.py", code=code, error=error)
    assert log.only()["status"] == status


def test_a_failure_that_names_no_error_goes_by_its_exit_code(log):
    log.show_on("make", error="stop.", code=2)
    log.call("make", code=2, error="halt.")
    assert log.only()["outcome"] == "it failed in the same way (exit 2)"


def test_of_an_edit_the_same_tool_on_the_same_file_counts(log):
    def edit(path, **fields):
        log.add(tool="Edit", file_touched=f"{ROOT}/{path}", data={}, **fields)

    edit("a.py", success=False, tool_use_id="f", output_preview="not found")
    log.show("failure", "f", tool="Edit")
    edit("b.py", success=True)
    log.add(tool="Write", success=True, file_touched=f"{ROOT}/a.py", data={})
    assert log.only()["status"] == "pending"
    edit("a.py", success=True)
    assert log.only()["status"] == "applied"


def test_what_is_settled_stays_as_it_is(log):
    log.show_on("make")
    log.call("make")
    log.call("make", code=1, error="boom")
    log.add("session_end", data={})
    assert log.only()["status"] == "applied"


def test_what_nothing_came_of_is_dismissed_when_the_session_ends(log):
    log.show_on("make")
    log.add("session_end", data={})
    state = {"memory": [LESSON]}
    carried(log, state)
    (each,) = state["obligations"]
    assert (each["status"], each["dismiss_reason_category"]) == ("dismissed", "context_changed")


def test_the_calls_of_another_session_say_nothing(log):
    log.show_on("make")
    log.add(tool="Bash", session="other", success=True, data={"command": "make"})
    assert log.only()["status"] == "pending"


def test_the_facts_are_bounded_however_much_is_shown_and_fails(log):
    for n in range(150):
        log.call(f"make {n}", code=1, ident=f"f{n}")
        log.show("failure", f"f{n}", key=f"{n:012}")
    kept = log.lessons()
    assert len(kept["told"]) == obligations.TOLD_KEPT
    assert len(kept["failed"]) == obligations.FAILED_KEPT


# -- in the state ----------------------------------------------------------------------------------


def test_the_state_has_what_was_shown_and_how_it_ended(log):
    log.show("before", "c")
    state = {"memory": [LESSON]}
    assert carried(log, state).helped == ()
    assert state["obligations"][0]["status"] == "pending"
    log.call("cargo build", ident="c", code=101)
    log.call("cargo build")
    assert carried(log, state).helped == (KEY,)
    (each,) = state["obligations"]
    assert each.pop("id") in log.lessons()["told"]
    assert each == {
        "lesson_key": KEY,
        "lesson_trigger": "cargo build",
        "lesson_text": "set CARGO_TARGET_DIR first",
        "tool_name": "Bash",
        "tool_input_summary": "cargo build",
        "session_id": "s",
        "status": "applied",
        "created_at": "2030-01-01T12:00:01+00:00",
        "resolved_at": "2030-01-01T12:00:04+00:00",
        "outcome": "it succeeded",
    }


def test_it_is_written_once_however_often_the_turn_ends(log):
    log.show_on("make")
    log.call("make")
    state = {"memory": [LESSON]}
    assert carried(log, state).helped == (KEY,)
    assert carried(log, state) == ((), ())
    assert obligations.changes(log.lessons()) == {}


def test_two_that_carry_the_same_news_count_it_once(log):
    log.show_on("make")
    log.call("make")
    news, state = obligations.changes(log.lessons()), {"memory": [LESSON]}
    assert obligations.carry(state, news, session="s", now=NOW).helped == (KEY,)
    second = obligations.carry(state, news, session="s", now=NOW)
    assert second.helped == ()
    assert [name for name, _ in second.events] == ["obligation"]
    assert len(state["obligations"]) == 1


def test_so_it_is_also_where_more_came_at_once_than_is_kept(log):
    for n in range(30):
        log.show("before", f"c{n}", key=f"{n:012}")
        log.call("make", ident=f"c{n}", code=1)
        log.call("make")
    news, state = obligations.changes(log.lessons()), {}
    assert len(obligations.carry(state, news, session="s", now=NOW).helped) == 30
    assert obligations.carry(state, news, session="s", now=NOW).helped == ()
    later = {"later": {**news.popitem()[1], "key": KEY}}
    obligations.carry(state, later, session="s", now=NOW)
    assert len(state["obligations"]) == obligations.SETTLED_KEPT


def test_what_the_state_has_dismissed_meanwhile_is_news_no_more(log):
    log.show_on("make")
    state = {"memory": [LESSON]}
    carried(log, state)
    state["obligations"][0]["status"] = "dismissed"
    log.call("make")
    assert carried(log, state).helped == ()
    assert obligations.changes(log.lessons()) == {}


def test_a_lesson_that_was_taken_out_meanwhile_keeps_what_was_known_of_it(log):
    log.show_on("make")
    state = {"memory": [LESSON]}
    carried(log, state)
    log.call("make")
    state["memory"] = []
    carried(log, state)
    assert state["obligations"][0]["lesson_text"] == LESSON["lesson"]
    assert state["obligations"][0]["status"] == "applied"


def pending(ident, at):
    return {"id": ident, "status": "pending", "created_at": at}


def test_one_that_is_open_for_more_than_a_day_is_dismissed_and_counted():
    old, new = (NOW - timedelta(hours=25)).isoformat(), (NOW - timedelta(hours=23)).isoformat()
    state = {"obligations": [pending("a", old), pending("b", new), pending("c", old[:19])]}
    assert obligations.is_due(state, now=NOW)
    folded = obligations.carry(state, {}, session="s", now=NOW)
    assert folded.events[-1] == ("obligations_expired", {"count": 2})
    statuses = [each["status"] for each in state["obligations"]]
    assert statuses == ["dismissed", "pending", "dismissed"]
    assert not obligations.is_due(state, now=NOW)
    assert obligations.carry(state, {}, session="s", now=NOW) == ((), ())


def test_the_state_keeps_what_is_open_and_the_last_that_are_settled(log):
    there = [{"id": str(n), "status": "applied"} for n in range(30)]
    state = {"obligations": ["a text", pending("p", NOW.isoformat()), *there], "memory": [LESSON]}
    log.show_on("make")
    log.call("make")
    carried(log, state)
    kept = state["obligations"]
    assert kept[:2] == ["a text", pending("p", NOW.isoformat())]
    settled = [each["id"] for each in kept[2:]]
    assert len(settled) == obligations.SETTLED_KEPT
    assert settled[:2] == ["11", "12"]
    assert kept[-1]["lesson_key"] == KEY


@pytest.mark.parametrize("there", [None, [], "text", ["text", 3, None], [{"status": ["x"]}]])
def test_what_somebody_else_wrote_there_is_never_due(there):
    assert not obligations.is_due({"obligations": there}, now=NOW)


def test_a_time_that_cannot_be_read_leaves_it_open():
    assert not obligations.is_due({"obligations": [pending("a", "soon")]}, now=NOW)
