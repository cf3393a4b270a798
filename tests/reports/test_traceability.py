"""Traceability: what counts as tied, the shares, the rows of the history, and what a change is called."""

from datetime import UTC, datetime

import pytest

from operators_edge.errors import StateError
from operators_edge.project import Project
from operators_edge.reports import digest_service, history_store, traceability
from operators_edge.reports.traceability import Row

AT = datetime(2026, 11, 23, 8, 0, tzinfo=UTC)


def bash(command, **more):
    return {"event": "tool", "tool": "Bash", "data": {"command": command}, **more}


def edit(path, **more):
    return {"event": "tool", "tool": "Edit", "file_touched": path, **more}


def counts(*entries):
    return traceability.fold(traceability.new_counts("/p"), entries)


@pytest.mark.parametrize(
    "entry",
    [
        edit("/p/src/app.py"),
        {"event": "tool", "tool": "Read", "input_preview": '{"file_path": "/p/app.py"}'},
        {"event": "tool", "tool": "Grep", "input_preview": '{"pattern": "x", "path": "src"}'},
        bash("cat notes.md"),
        bash("sed -n 1,5p src/app.py"),
        bash("pytest tests/test_app.py::test_one"),
        bash("grep -rn word ./docs"),
        bash("diff --file=setup.cfg other"),
        bash("python -c \"open('data.json')\""),
    ],
)
def test_a_call_that_names_a_file_is_tied(entry):
    assert counts(entry)["tied"] == 1


@pytest.mark.parametrize(
    "command",
    ["git status", "pytest -q", "curl https://example.com/a/b.html", "echo hello", "make test", ""],
)
def test_a_call_that_names_no_file_is_not_tied(command):
    assert counts(bash(command)) == {**traceability.new_counts("/p"), "calls": 1}


def test_only_calls_of_tools_count():
    found = counts(
        {"event": "tree_changed", "data": {"files": ["src/app.py"]}},
        {"event": "check", "success": True, "data": {"command": "mypy src/app.py"}},
    )
    assert found == traceability.new_counts("/p")


def test_a_call_during_a_step_is_tied_and_one_after_it_is_not():
    found = counts(
        {"event": "step", "data": {"step": 1, "to": "in_progress"}},
        bash("git status"),
        {"event": "step", "data": {"step": 1, "to": "completed"}},
        bash("git status"),
    )
    assert (found["calls"], found["tied"]) == (2, 1)


def test_a_step_goes_on_over_the_place_where_counting_stopped():
    first = counts({"event": "plan", "data": {"steps": [{"status": "in_progress"}]}})
    assert traceability.fold(first, [bash("git status")])["tied"] == 1


def test_prompts_sessions_and_decisions_do_not_count():
    events = ("prompt", "session_start", "stop", "junction_raised", "log_anchored", "gear")
    found = counts(*({"event": each} for each in events))
    assert found == traceability.new_counts("/p")
    assert traceability.cti(found) == traceability.success_rate(found) == 100.0


def test_both_shares_are_percent_and_an_unknown_outcome_does_not_count_as_failed():
    found = counts(
        edit("/p/a.py", success=True), bash("make", success=False), bash("make"), bash("make")
    )
    assert traceability.cti(found) == 25.0
    assert traceability.success_rate(found) == 50.0


# -- the history -----------------------------------------------------------------------------------


def row(cti, day=1):
    return Row(AT.replace(day=day), 10, cti, 90.0)


@pytest.mark.parametrize(
    ("before", "now", "name"),
    [
        (90.0, 84.9, "drift"),
        (90.0, 85.0, "slipping"),
        (90.0, 89.9, "slipping"),
        (90.0, 90.0, "stable"),
        (90.0, 90.1, "improving"),
    ],
)
def test_a_fall_of_more_than_five_points_is_a_drift_and_any_fall_is_slipping(before, now, name):
    found = traceability.drift([row(10.0), row(before, 2), row(now, 3)])
    assert found.name == name
    assert found.text().startswith(name)


def test_the_change_is_told_with_both_values_and_since_when():
    text = traceability.summary([row(82.0, 21), row(71.4, 22)])
    assert text == "drift: 82.0 % to 71.4 %, down 10.6 points since 2026-11-21 08:00"
    assert traceability.summary([row(82.0)]).startswith("82.0 % of 10 calls")
    assert traceability.summary([]) == "no history yet"
    assert traceability.summary([row(80.0)._replace(events=0)]) == "no call so far"


def test_what_is_no_row_is_passed_over():
    text = (
        "timestamp,events,cti,success_rate\n2026-11-20T08:00:00,5,80,1\nnonsense\n,,,\n"
        "2026-11-20T08:00:00+00:00,5,nan,1\n=cmd|' /C calc'!A0,1,2,3\n2026-11-21T08:00:00+00:00,9,70.5,99.0"
    )
    assert [each.cti for each in traceability.rows(text)] == [80.0, 70.5]


def test_the_bars_show_the_scale_from_none_to_all():
    assert traceability.sparkline([row(0.0), row(50.0), row(100.0), row(-4), row(1e9)]) == "▁▅█▁█"


def test_a_row_is_added_and_everything_that_was_there_stays(tmp_path):
    history_store.append(str(tmp_path), row(80.0))
    path = tmp_path / ".proof" / "cti_history.csv"
    before = path.read_bytes() + b"a torn ro"
    path.write_bytes(before)
    history_store.append(str(tmp_path), row(70.0, 2))
    assert path.read_bytes() == before + b"\n2026-11-02T08:00:00+00:00,10,70.0,90.0\n"
    assert [each.cti for each in history_store.rows(str(tmp_path))] == [80.0, 70.0]
    assert before.startswith(
        b"timestamp,events,cti,success_rate\n2026-11-01T08:00:00+00:00,10,80.0"
    )
    assert path.stat().st_mode & 0o777 == 0o600


def test_a_history_without_a_file_is_empty_and_one_that_cannot_be_read_is_an_error(tmp_path):
    assert history_store.rows(str(tmp_path)) == []
    (tmp_path / ".proof" / "cti_history.csv").mkdir(parents=True)
    with pytest.raises(StateError, match="Cannot read"):
        history_store.rows(str(tmp_path))
    with pytest.raises(StateError, match="Cannot append to"):
        history_store.append(str(tmp_path), row(1.0))


def test_a_link_in_the_place_of_the_history_is_not_followed(tmp_path):
    target = tmp_path / "elsewhere"
    target.write_text("mine")
    (tmp_path / ".proof").mkdir()
    (tmp_path / ".proof" / "cti_history.csv").symlink_to(target)
    with pytest.raises(StateError):
        history_store.append(str(tmp_path), row(1.0))
    assert target.read_text() == "mine"


def test_the_whole_log_is_counted_once_and_then_only_what_was_added(project):
    here = Project(project, is_set_up=True)
    here.log.append(edit("/p/a.py", success=True))
    assert digest_service.counts_of(here)["calls"] == 1
    here.log.append_many([bash("git status", success=True), {"event": "prompt"}])
    *_, added = digest_service.note_history(here)
    assert (added.events, added.cti) == (2, 50.0)
    assert history_store.rows(project)[0].cti == 50.0
