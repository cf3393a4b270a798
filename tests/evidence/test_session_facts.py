import pytest

from operators_edge.evidence import session_facts

ROOT = "/p"


def entry(event="tool", *, session="s", agent=None, ident=None, at="12:00", **fields):
    return {
        "event": event,
        "session": session,
        "agent": agent,
        "tool_use_id": ident,
        "timestamp": f"2030-01-01T{at}:00+00:00",
        **fields,
    }


def ran(command, *, success=True, exit_code=None, **data):
    fields = {"tool": "Bash", "success": success, "exit_code": exit_code}
    return entry(**fields, data={"command": command, **data})


def record(*entries):
    return session_facts.fold(session_facts.new_facts("s", ROOT), entries)


def seen(*entries):
    return session_facts.observations(record(*entries))


# -- the entry of a call ---------------------------------------------------------------------------


def test_a_commands_entry_keeps_the_whole_command():
    made = session_facts.tool_entry(
        {"tool": "Bash", "input": {"command": "make"}, "output": "ok", "cwd": "/p/sub"}
    )
    assert made["data"] == {"command": "make", "cwd": "/p/sub"}
    assert made["input_preview"] == {"command": "make"}
    assert made["output_preview"] == "ok"
    assert "file_touched" not in made


def test_an_edits_entry_names_the_file_and_hashes_the_change():
    def made(new):
        given = {"file_path": "a/../b.py", "old_string": "x", "new_string": new}
        return session_facts.tool_entry({"tool": "Edit", "input": given, "cwd": "/p"})

    assert made("y")["file_touched"] == "/p/b.py"
    assert made("y")["diff_hash"] == made("y")["diff_hash"] != made("z")["diff_hash"]
    assert len(made("y")["diff_hash"]) == 64


def test_a_command_in_the_background_and_an_edit_without_a_path_are_logged_as_such():
    given = {"command": "make serve", "run_in_background": True}
    made = session_facts.tool_entry({"tool": "Bash", "input": given, "cwd": "/p"})
    assert made["data"] == {"command": "make serve", "cwd": "/p", "background": True}
    assert "file_touched" not in session_facts.tool_entry({"tool": "Write", "input": "odd"})


def test_reading_a_file_does_not_touch_it():
    made = session_facts.tool_entry({"tool": "Read", "input": {"file_path": "/p/a"}, "cwd": "/p"})
    assert "file_touched" not in made


# -- what was observed -----------------------------------------------------------------------------


def test_nothing_observed_is_said_as_nothing():
    assert seen() == {
        "files_modified": [],
        "tools_used": {},
        "tests_run": False,
        "tests_passed": None,
        "commands_failed": [],
        "last_activity": None,
        "tampering": [],
    }


def test_tools_are_counted_and_files_listed_once_relative_to_the_project():
    edit = entry(tool="Edit", success=True, file_touched="/p/src/a.py")
    got = seen(edit, edit, entry(tool="Write", file_touched="/elsewhere/b"), ran("ls"))
    assert got["tools_used"] == {"Edit": 2, "Write": 1, "Bash": 1}
    assert got["files_modified"] == ["src/a.py", "/elsewhere/b"]


def test_the_products_own_files_and_failed_edits_are_no_work():
    own = ["/p/active_context.yaml", "/p/.proof/x", "/p/.ai-handoff/tasks/t"]
    got = seen(
        *(entry(tool="Write", success=True, file_touched=path) for path in own),
        entry(tool="Edit", success=False, file_touched="/p/a.py"),
        entry(tool="Edit", success=True, file_touched="/p/sub/.proofread"),
    )
    assert got["files_modified"] == ["sub/.proofread"]


def test_failed_commands_are_listed_the_latest_twenty():
    got = seen(*(ran(f"false {n}", success=False, exit_code=1) for n in range(25)))
    assert len(got["commands_failed"]) == 20
    assert got["commands_failed"][-1] == {"command": "false 24", "exit_code": 1}


def test_other_sessions_do_not_count():
    assert seen(entry(tool="Edit", session="t", file_touched="/p/a"))["tools_used"] == {}


def test_the_last_activity_is_the_last_entrys_time():
    got = seen(entry("prompt", at="12:00"), entry("stop", at="12:05"))
    assert got["last_activity"] == "2030-01-01T12:05:00+00:00"


def test_folding_in_parts_gives_what_folding_at_once_gives():
    entries = [ran("pytest"), ran("false", success=False), entry("asked", ident="a", data={})]
    parts = session_facts.new_facts("s", ROOT)
    for each in entries:
        session_facts.fold(parts, [each])
    assert parts == record(*entries)


def took_away(name, event="tampering", *, at="12:00", severity="normal"):
    data = {
        "kind": "test_skipped",
        "path": "t.py",
        "name": name,
        "detail": "",
        "severity": severity,
    }
    return entry(event, at=at, data=data)


def test_what_the_checks_lost_is_listed_until_it_is_back():
    got = seen(took_away("a"), took_away("b"), took_away("a", at="12:05"))["tampering"]
    assert [(each["name"], each["at"][11:16]) for each in got] == [("b", "12:00"), ("a", "12:00")]
    assert seen(took_away("a"), took_away("a", "tampering_undone"))["tampering"] == []
    assert seen(took_away("a", severity="low"))["tampering"] == []


def test_the_list_of_what_the_checks_lost_is_bounded():
    many = [took_away(str(n)) for n in range(300)]
    assert len(seen(*many)["tampering"]) == session_facts.TAMPERING_SHOWN
    assert len(record(*many)["tampering"]) == session_facts.TAMPERING_KEPT


def test_noting_a_loss_answers_no_open_question():
    open_question = entry("asked", ident="a", data={"fingerprint": "x"})
    assert record(open_question, took_away("b"))["asks"].keys() == {"a"}


# -- test runs -------------------------------------------------------------------------------------


def checked(passed, **more):
    check = {"kind": "test", "name": "pytest", "passed": passed, **more}
    return ran("pytest", success=bool(passed), check=check)


def test_the_last_run_of_tests_counts():
    assert seen(ran("ls"))["tests_run"] is False
    assert seen(checked(False), checked(True))["tests_passed"] is True
    assert seen(checked(True), checked(False))["tests_passed"] is False
    assert seen(checked(True), ran("ls", success=False))["tests_passed"] is True
    got = seen(checked(None))
    assert (got["tests_run"], got["tests_passed"]) == (True, None)


def test_a_linter_is_no_run_of_tests():
    assert seen(checked(True, kind="lint", name="ruff check"))["tests_run"] is False


def test_a_line_that_ran_tests_and_a_linter_ran_tests():
    also = [{"kind": "test", "name": "pytest", "passed": False}]
    got = seen(checked(True, kind="lint", name="ruff check", also=also))
    assert (got["tests_run"], got["tests_passed"]) == (True, False)


# -- what a person was asked -----------------------------------------------------------------------


def prompted(ident, exact="x", classes=(), **fields):
    data = {"fingerprint": exact, "classes": [*classes], "shown": "git push"}
    return entry("asked", ident=ident, data=data, **fields)


def outcomes(*entries):
    got = record(*entries)
    return {ident: each["outcome"] for ident, each in got["answers"].items()}


def test_a_call_that_ran_was_approved_also_when_it_failed():
    assert outcomes(prompted("a"), entry(ident="a", tool="Bash", success=False)) == {
        "a": "approved"
    }


@pytest.mark.parametrize("event", ["tool", "prompt", "stop", "session_end", "denied", "warned"])
def test_an_agent_that_goes_on_without_the_call_was_refused(event):
    assert outcomes(prompted("a"), entry(event, ident="b", tool="Read")) == {"a": "refused"}


def test_questions_to_parallel_agents_stay_open_beside_each_other():
    got = record(
        prompted("a", agent="one"),
        prompted("b", agent="two"),
        entry(ident="c", tool="Read", agent="three"),
    )
    assert set(got["asks"]) == {"a", "b"}
    session_facts.fold(got, [entry(ident="b", tool="Bash", agent="two", success=True)])
    assert set(got["asks"]) == {"a"}
    assert got["answers"]["b"]["outcome"] == "approved"


def test_the_sessions_end_closes_every_agents_question():
    assert outcomes(prompted("a", agent="one"), entry("session_end")) == {"a": "refused"}


def test_an_approval_that_comes_late_is_an_approval():
    late = entry(ident="a", tool="Bash", success=True)
    assert outcomes(prompted("a"), entry(ident="b", tool="Read"), late) == {"a": "approved"}


def was_refused(facts, exact, agent="", classes=()):
    return session_facts.was_refused(facts, exact, classes, agent)


def test_a_refused_call_and_its_class_stay_refused_until_the_persons_next_prompt():
    got = record(prompted("a", exact="x", classes=["c"]), entry("tool", ident="b", tool="Read"))
    assert was_refused(got, "x")
    assert was_refused(got, "y", classes=["other", "c"])
    assert not was_refused(got, "y", classes=["other"])
    assert not was_refused(got, "")
    session_facts.fold(got, [entry("prompt")])
    assert not was_refused(got, "x", classes=["c"])


@pytest.mark.parametrize(
    "scheduled", [{"prompt": "go  on\nplease"}, '{"cron": "* *", "prompt": "go  on\\nplease"}']
)
def test_a_notice_of_the_host_and_a_prompt_that_the_agent_scheduled_end_no_refusal(scheduled):
    got = record(prompted("a", exact="x"), entry("tool", ident="b", tool="Read"))
    session_facts.fold(
        got,
        [
            entry("prompt", data={"notice": True, "preview": "<task-notification>done"}),
            {**entry(tool="CronCreate"), "input_preview": scheduled},
            entry("prompt", data={"preview": "go on please"}),
        ],
    )
    assert was_refused(got, "x")
    session_facts.fold(got, [entry("prompt", data={"preview": "go on"})])
    assert not was_refused(got, "x")


def test_an_agent_that_asks_again_while_its_question_is_open_was_refused():
    got = record(prompted("a", exact="x", agent="one"))
    assert was_refused(got, "x", "one")
    assert not was_refused(got, "x", "two")


def test_an_approved_call_was_not_refused():
    got = record(prompted("a", exact="x"), entry(ident="a", tool="Bash", success=True))
    assert not was_refused(got, "x")


def test_answers_are_kept_in_bounds():
    entries = [each for n in range(300) for each in (prompted(f"a{n}"), entry("prompt"))]
    got = record(*entries)
    assert len(got["answers"]) == session_facts.ANSWERS_KEPT
    assert "a299" in got["answers"]


def test_where_an_answer_came_from_is_kept_with_it():
    got = record(
        prompted("a"),
        entry("tool", ident="a", tool="Bash", data={}),
        entry("answer_source", data={"answered": "a", "source": "person"}),
        entry("answer_source", data={"answered": "unknown", "source": "person"}),
    )
    assert got["answers"]["a"]["source"] == "person"
    assert "unknown" not in got["answers"]
