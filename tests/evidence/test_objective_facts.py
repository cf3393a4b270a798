"""The work record as tables of entries, and its laws."""

import json

import pytest
from hypothesis import given, strategies as st
from tests.evidence.entries import ROOT, Log

from operators_edge.evidence import objective_facts, plan_events, progress


@pytest.fixture
def log():
    return Log()


def key(text):
    return progress.keys_of([text])[0]


def step(record, text):
    return record["steps"][key(text)]


def seen(record, text):
    return progress.observed_during(record, key(text))


# -- what was done ---------------------------------------------------------------------------------


def test_every_sessions_work_counts_and_what_was_done_before_the_objective_does_not(log):
    log.edited("old.py")
    log.objective("go")
    log.edited("a.py")
    log.ran("ls", success=False)
    log.add(tool="Write", session="t", success=True, file_touched="/elsewhere/b", data={})
    record = log.folded()
    assert record["since"]["seq"] == 2
    assert record["sessions"] == ["s", "t"]
    assert record["actions"] == 3
    assert record["files"] == {"a.py": {"seq": 3, "at": "2030-01-01T12:00:03+00:00", "by": "Edit"}}
    assert record["outside"] == ["/elsewhere/b"]
    assert record["commands"]["ls"]["passed"] is False


def test_the_same_objective_set_again_later_begins_anew(log):
    log.objective("go")
    log.edited("a.py")
    log.objective("else")
    log.objective("go")
    record = log.folded()
    assert (record["files"], record["since"]["seq"]) == ({}, 4)
    assert record["objective_hash"] == plan_events.objective_hash({"objective": "go"})


def test_without_an_objective_in_the_log_everything_counts(log):
    log.edited("a.py")
    record = log.folded()
    assert record["objective_hash"] is None
    assert list(record["files"]) == ["a.py"]


def test_files_that_only_a_look_at_the_tree_showed_are_files(log):
    log.edited("a.py")
    first = log.add("tree_changed", data={"files": ["a.py", "b.py", ".proof/x"]})
    assert log.folded()["files"]["a.py"]["by"] == "Edit"
    assert log.folded()["files"]["b.py"] == {
        "seq": first,
        "at": "2030-01-01T12:00:02+00:00",
        "by": "tree",
    }
    assert list(log.folded()["files"]) == ["a.py", "b.py"]


def test_a_look_that_knows_what_is_new_renews_only_that(log):
    log.add("tree_changed", data={"files": ["a", "b"], "recent": ["a", "b"]})
    log.edited("b")
    log.add("tree_changed", data={"files": ["a", "b", "c"], "recent": ["a", "b", "c"]})
    files = log.folded()["files"]
    assert {path: (each["seq"], each["by"]) for path, each in files.items()} == {
        "b": (2, "Edit"),
        "a": (3, "tree"),
        "c": (3, "tree"),
    }


def test_a_check_is_kept_with_where_and_how_it_ran(log):
    log.checked("cd a && pytest -q", passed=True, counts={"passed": 3}, scope=["a"])
    (check,) = log.folded()["checks"]
    assert (check["seq"], check["name"], check["passed"], check["is_whole"]) == (
        1,
        "pytest",
        True,
        True,
    )
    assert (check["counts"], check["scope"], check["cwd"]) == ({"passed": 3}, ["a"], ROOT)


def test_a_line_with_two_checks_gives_both_the_decisive_one_last(log):
    also = [{"kind": "lint", "name": "ruff", "passed": True}]
    log.checked("ruff check && pytest", passed=False, also=also)
    got = [(each["name"], each["passed"]) for each in log.folded()["checks"]]
    assert got == [("ruff", True), ("pytest", False)]
    assert "also" not in log.folded()["checks"][-1]


def test_how_a_command_in_the_background_ends_is_unknown(log):
    log.ran("make serve", background=True)
    assert log.folded()["commands"]["make serve"]["passed"] is None


@pytest.mark.parametrize("command", ["pytest --token [REDACTED:token]", "pytest " + "x" * 3000])
def test_a_command_that_was_not_kept_whole_is_not_one_to_run_again(log, command):
    log.checked(command, passed=True)
    assert log.folded()["checks"][0]["is_whole"] is False


def test_only_the_latest_checks_keep_the_names_of_what_differed(log):
    look = {"digest": "d", "head": "h", "differs": {"a": "b"}}
    for _ in range(objective_facts.TREE_STATES_KEPT + 1):
        log.checked("pytest", passed=True, look=look)
    kept = [each["look"] for each in log.folded()["checks"]]
    assert kept[0] == look | {"differs": None}
    assert kept[1:] == [look] * objective_facts.TREE_STATES_KEPT


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("git worktree add ../x", True),
        ("cd x && git -C . stash pop", True),
        ("git switch main", True),
        ("git status", False),
        ("echo switch", False),
    ],
)
def test_work_may_lie_elsewhere_once_a_branch_or_tree_was_changed(log, command, expected):
    log.ran(command)
    assert log.folded()["elsewhere"] is expected


def test_a_check_that_was_run_again_counts_with_its_outcome_and_is_no_work(log):
    log.checked("pytest -q", passed=False)
    check = {"kind": "test", "name": "pytest", "passed": True}
    data = {"command": "pytest -q", "cwd": ROOT, "source": "rerun", "check": check}
    log.add("check", success=True, data=data)
    record = log.folded()
    assert [each["passed"] for each in record["checks"]] == [False, True]
    assert record["commands"]["pytest -q"]["passed"] is True
    assert record["actions"] == 1


def test_a_weakened_check_is_known_until_it_is_restored(log):
    about = {"kind": "test_skipped", "path": "t.py", "name": "test_a"}
    log.add("tampering", data={**about, "detail": "skip added", "seen": "edit"})
    (kept,) = log.folded()["tampering"].values()
    assert (kept["path"], kept["at"]) == ("t.py", "2030-01-01T12:00:01+00:00")
    log.add("tampering", data={**about, "severity": "low", "seen": "tree"})
    assert log.folded()["tampering"] == {}
    log.add("tampering", data={**about, "seen": "tree"})
    log.add("tampering_undone", data=about)
    assert log.folded()["tampering"] == {}


def test_a_failure_that_was_not_expected_is_known_until_the_check_passes(log):
    log.add("mismatch_seen", data={"key": "k", "command": "pytest"})
    assert log.folded()["mismatches"]["k"]["passed"] is False
    log.checked("pytest", passed=True)
    assert log.folded()["mismatches"] == {}


def test_a_run_of_the_invariants_is_kept_with_its_entry(log):
    log.add("eval_run", data={"level": "full", "invariants_failed": []})
    (run,) = log.folded()["evals"]
    assert (run["level"], run["seq"], run["session"]) == ("full", 1, "s")


def test_a_session_that_begins_in_another_work_tree_is_work_elsewhere(log):
    log.add("session_start", data={"source": "startup"})
    assert log.folded()["elsewhere"] is False
    log.add("session_start", data={"source": "worktree"})
    assert log.folded()["elsewhere"] is True


def test_entering_a_work_tree_is_work_elsewhere(log):
    log.add(tool="EnterWorktree", success=True, data={})
    assert log.folded()["elsewhere"] is True


def test_every_list_is_bounded_and_says_what_it_dropped(log):
    for number in range(objective_facts.FILES_KEPT + 5):
        log.edited(f"f{number}")
    for number in range(objective_facts.COMMANDS_KEPT + 7):
        log.checked(f"pytest t{number}", passed=True)
    for number in range(objective_facts.SESSIONS_KEPT + 3):
        log.add("stop", session=f"s{number}")
    record = log.folded()
    assert record["dropped"] == {
        "files": 5,
        "commands": 7,
        "checks": objective_facts.COMMANDS_KEPT + 7 - objective_facts.CHECKS_KEPT,
        "sessions": 4,
    }
    assert next(iter(record["files"])) == "f5"
    assert record["checks"][-1]["seq"] == log.entries[-objective_facts.SESSIONS_KEPT - 4]["seq"]


# -- steps -----------------------------------------------------------------------------------------


def test_a_steps_interval_is_from_its_start_to_its_completion(log):
    log.objective("go")
    log.plan(("one", "in_progress"), ("two", "pending"))
    log.edited("a.py")
    log.checked("pytest", passed=True)
    done = log.plan(("one", "completed"), ("two", "in_progress"))
    log.edited("b.py")
    record = log.folded()
    one = step(record, "one")
    assert (one["started_seq"], one["completed_seq"], one["status"]) == (2, done, "completed")
    assert seen(record, "one")["files"] == ["a.py"]
    assert [each["command"] for each in seen(record, "one")["checks"]] == ["pytest"]
    assert (seen(record, "one")["from"], seen(record, "one")["to"]) == (3, done)
    assert seen(record, "two")["files"] == ["b.py"]
    assert seen(record, "unknown") is None


def test_what_later_work_covers_is_still_the_earlier_steps(log):
    log.plan(("one", "in_progress"), ("two", "pending"))
    log.edited("a.py")
    log.plan(("one", "completed"), ("two", "in_progress"))
    log.edited("a.py")
    log.plan(("one", "completed"), ("two", "completed"))
    record = log.folded()
    assert seen(record, "one")["files"] == seen(record, "two")["files"] == ["a.py"]


def test_a_step_that_was_never_begun_has_what_came_since_the_completion_before_it(log):
    log.objective("go")
    log.plan(("one", "pending"), ("two", "pending"), ("three", "pending"))
    log.edited("a.py")
    log.plan(("one", "completed"), ("two", "pending"), ("three", "pending"))
    log.edited("b.py")
    log.ran("make", success=False)
    log.plan(("one", "completed"), ("two", "completed"), ("three", "completed"))
    record = log.folded()
    assert seen(record, "one")["files"] == ["a.py"]
    assert seen(record, "two")["files"] == seen(record, "three")["files"] == ["b.py"]
    assert seen(record, "two")["failed"] == ["make"]


def test_a_moved_step_keeps_its_history(log):
    log.plan(("one", "in_progress"), ("two", "pending"))
    log.edited("a.py")
    log.plan(("two", "pending"), ("one", "completed"))
    assert seen(log.folded(), "one")["files"] == ["a.py"]


def test_a_step_reworded_in_its_place_keeps_its_history_and_two_at_once_do_not(log):
    log.plan(("one", "in_progress"), ("two", "pending"))
    log.plan(("One, better", "in_progress"), ("two", "pending"))
    assert step(log.folded(), "One, better")["started_seq"] == 1
    assert key("one") not in log.folded()["steps"]
    log.plan(("x", "in_progress"), ("y", "in_progress"))
    assert step(log.folded(), "x")["started_seq"] == 3


def test_a_step_taken_up_again_is_not_complete_and_goes_on_from_its_beginning(log):
    log.plan(("one", "in_progress"))
    log.plan(("one", "completed"))
    log.plan(("one", "in_progress"))
    one = step(log.folded(), "one")
    assert (one["started_seq"], one["completed_seq"], one["seen"]) == (1, None, None)


def test_a_step_that_left_the_plan_is_known_as_gone_and_back_it_is_not(log):
    log.plan(("one", "pending"))
    log.plan()
    assert step(log.folded(), "one")["gone_seq"] == 2
    log.plan(("one", "pending"))
    assert step(log.folded(), "one")["gone_seq"] is None


def test_a_call_that_completes_a_step_belongs_to_it(log):
    log.plan(("one", "in_progress"))
    log.plan(("one", "completed"))
    call = log.checked("pytest && edge step done 1", passed=True)
    log.entries[-1]["duration_ms"] = 5000
    record = log.folded()
    assert step(record, "one")["completed_seq"] == call
    assert [each["name"] for each in seen(record, "one")["checks"]] == ["pytest"]
    ended = log.entries[-1]["timestamp"]
    log.entries[-1]["timestamp"] = ended.split("+")[0]  # without a zone it is the same moment
    assert [each["name"] for each in seen(log.folded(), "one")["checks"]] == ["pytest"]
    log.entries[-1]["timestamp"] = ended
    log.entries[-1]["duration_ms"] = 10
    assert seen(log.folded(), "one")["checks"] == []


def test_the_products_own_commands_and_todos_are_no_work_of_a_step(log):
    log.plan(("one", "in_progress"))
    log.ran("edge step start 1")
    log.todos(("x", "pending"))
    log.plan(("one", "completed"))
    got = seen(log.folded(), "one")
    assert (got["commands"], got["actions"]) == (0, 0)
    assert log.folded()["actions"] == 2


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("edge step done 1", True),
        (" .venv/bin/edge plan", True),
        ("edge", True),
        ("edge step done 1 && make", False),
        ("edges", False),
        ("make edge", False),
    ],
)
def test_a_command_is_the_products_own_only_where_nothing_else_runs(command, expected):
    assert progress.is_own(command) is expected


def test_a_later_look_at_the_tree_may_show_a_completed_steps_files(log):
    log.plan(("one", "in_progress"), ("two", "pending"))
    log.add("tree_changed", data={"files": ["early"], "recent": ["early"]})
    log.plan(("one", "completed"), ("two", "pending"))
    log.add("tree_changed", data={"files": ["early", "late"], "recent": ["late"]})
    log.add("tree_changed", data={"files": ["early", "late", "x"], "recent": ["x"]})
    got = seen(log.folded(), "one")
    assert (got["files"], got["tree"]) == (["early"], ["late"])


# -- todos -----------------------------------------------------------------------------------------


def statuses(record):
    return {each["text"]: each["status"] for each in record["todos"].values()}


def test_a_whole_list_replaces_the_sessions_list(log):
    log.todos(("one", "in_progress"), ("two", "pending"), ("three", "pending"))
    log.todos(("one", "completed"), ("three", "in_progress"))
    log.todos(("three", "completed"))
    assert statuses(log.folded()) == {
        "one": "completed",
        "two": "deleted",
        "three": "completed",
    }


def test_single_todos_are_known_by_the_hosts_ids(log):
    log.todo("1", text="one")
    log.todo("2", text="two")
    log.todo("1", status="completed")
    log.todo("2", text="two, better")
    log.todo("2", status="deleted")
    log.todo("9", status="completed")
    assert statuses(log.folded()) == {"one": "completed", "two, better": "deleted"}


def test_subagents_and_failed_calls_change_no_todos(log):
    log.todos(("inner", "pending"), agent="a1")
    log.todos(("failed", "pending"))
    log.entries[-1]["success"] = False
    assert log.folded()["todos"] == {}


def test_what_an_earlier_session_left_open_is_taken_over_under_the_same_words(log):
    log.todos(("one", "in_progress"), ("two", "pending"))
    log.todos(("one", "in_progress"), session="t")
    todos = log.folded()["todos"]
    assert [(each["session"], each["text"]) for each in todos.values()] == [
        ("s", "two"),
        ("t", "one"),
    ]
    assert todos[f"t/{key('one')}"]["started_seq"] == 1


def test_what_is_seen_while_a_todo_is_at_work_is_the_mirrored_steps(log):
    log.todos(("one", "in_progress"))
    log.edited("a.py")
    done = log.todos(("one", "completed"))
    log.edited("b.py")
    log.plan(("one", "completed", "host"))
    record = log.folded()
    assert seen(record, "one")["files"] == ["a.py"]
    assert (step(record, "one")["started_seq"], step(record, "one")["completed_seq"]) == (1, done)
    assert record["todos"][f"s/{key('one')}"]["mirrored"] is True


def test_a_new_objective_takes_over_what_is_open_and_the_host_goes_on_with_its_ids(log):
    log.todo("1", text="one")
    log.todo("2", text="two", status="completed")
    log.objective("go", todos=progress.open_todos(log.folded()))
    log.todo("1", status="completed")
    assert statuses(log.folded()) == {"one": "completed"}


# -- laws ------------------------------------------------------------------------------------------

TEXTS = st.sampled_from(["one", "two", "three", "four"])
STATUSES = st.sampled_from(["pending", "in_progress", "completed", "blocked"])
SESSIONS = st.sampled_from(["s", "t"])
STEPS = st.lists(st.tuples(TEXTS, STATUSES, st.sampled_from(["", "host"])), max_size=4)


def act(log, kind, draw):
    if kind == "objective":
        carried = progress.open_todos(log.folded())
        log.objective(draw(st.sampled_from(["a", "b", None])), todos=carried)
    elif kind == "plan":
        log.plan(*draw(STEPS))
    elif kind == "todos":
        items = draw(
            st.lists(
                st.tuples(TEXTS, st.sampled_from(progress.TODO_STATUSES)), max_size=3, unique=True
            )
        )
        log.todos(*items, session=draw(SESSIONS))
    elif kind == "todo":
        log.todo(
            draw(st.sampled_from("12")),
            session=draw(SESSIONS),
            **draw(
                st.fixed_dictionaries(
                    {}, optional={"text": TEXTS, "status": st.sampled_from(progress.TODO_STATUSES)}
                )
            ),
        )
    elif kind == "edit":
        log.edited(draw(st.sampled_from(["a", "b", ".proof/x"])))
    elif kind == "run":
        commands = ["ls", "pytest", "git stash", "pytest && edge step done 1"]
        log.ran(draw(st.sampled_from(commands)), success=draw(st.booleans()), duration=2000)
    else:
        paths = draw(st.lists(st.sampled_from("abc"), max_size=3, unique=True))
        log.add("tree_changed", data={"files": paths, "recent": paths})


KINDS = st.sampled_from(["objective", "plan", "todos", "todo", "edit", "run", "tree"])


@st.composite
def logs(draw):
    log = Log()
    for kind in draw(st.lists(KINDS, max_size=25)):
        act(log, kind, draw)
    return log


def stored(record):
    """As it comes back from its file."""
    return json.loads(json.dumps(record))


@given(logs(), st.integers(0, 25))
def test_folding_in_parts_with_the_record_stored_in_between_is_folding_at_once(log, cut):
    parts = objective_facts.fold(objective_facts.new_facts(ROOT), log.entries[:cut])
    assert objective_facts.fold(stored(parts), log.entries[cut:]) == log.folded()


@given(logs())
def test_folding_from_the_last_objective_is_folding_everything(log):
    starts = [n for n, each in enumerate(log.entries) if each["event"] == "objective"]
    start = starts[-1] if starts else 0
    assert (
        objective_facts.fold(objective_facts.new_facts(ROOT), log.entries[start:]) == log.folded()
    )


@given(logs())
def test_what_is_seen_of_a_step_lies_in_its_interval(log):
    record = log.folded()
    for name in record["steps"]:
        got = progress.observed_during(record, name)
        assert got["files_count"] >= len(got["files"])
        assert all(got["from"] <= each["seq"] <= got["to"] for each in got["checks"])
