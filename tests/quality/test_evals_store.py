"""What eval runs leave on the disk, and how it goes away."""

import os
from datetime import UTC, datetime, timedelta

import pytest

from operators_edge.errors import StateDamaged, StateError, UsageError
from operators_edge.quality.evals_store import Runs

NOW = datetime(2026, 1, 31, 12, tzinfo=UTC)
PASSED, FAILED = '{"failed": []}', '{"failed": ["INV-02"]}'


@pytest.fixture
def runs(project):
    return Runs(project)


def test_runs_of_a_day_are_numbered_and_read_back(runs):
    assert runs.add(NOW, {"diff": PASSED, "after": '{"a": 1}'}) == "2026-01-31/run-01"
    assert runs.add(NOW, {"diff": FAILED}) == "2026-01-31/run-02"
    assert runs.names() == ["2026-01-31/run-01", "2026-01-31/run-02"]
    assert runs.part("2026-01-31/run-01", "after") == {"a": 1}
    assert runs.part("2026-01-31/run-02", "after") is None


def test_a_tenth_run_stands_behind_the_ninth_and_a_hundredth_behind_those(runs):
    names = [runs.add(NOW, {"diff": PASSED}) for _ in range(101)]
    assert runs.names() == names


def test_a_run_goes_after_a_week_and_one_that_failed_after_a_month(runs):
    for days in (40, 20, 8, 3):
        runs.add(NOW - timedelta(days=days), {"diff": PASSED})
        runs.add(NOW - timedelta(days=days), {"diff": FAILED})
    assert runs.remove_old(NOW) == 4
    left = [(name, bool(runs.part(name, "diff")["failed"])) for name in runs.names()]
    assert left == [
        ("2026-01-11/run-02", True),
        ("2026-01-23/run-02", True),
        ("2026-01-28/run-01", False),
        ("2026-01-28/run-02", True),
    ]
    assert runs.remove_old(NOW) == 0


def test_a_run_that_cannot_be_read_is_damaged_and_kept_as_long_as_a_failed_one(runs):
    name = runs.add(NOW - timedelta(days=8), {"diff": "{half"})
    with pytest.raises(StateDamaged):
        runs.part(name, "diff")
    assert runs.remove_old(NOW) == 0


@pytest.mark.parametrize("name", ["", "../x", "2026-01-31", "2026-01-31/run-1/../..", "a/b"])
def test_only_a_runs_name_names_one(runs, name):
    with pytest.raises(UsageError):
        runs.part(name, "diff")


def test_other_files_in_the_folder_are_let_alone(runs):
    runs.add(NOW - timedelta(days=40), {"diff": PASSED})
    other = os.path.join(runs.folder, "notes.txt")
    with open(other, "w", encoding="utf-8") as file:
        file.write("mine")
    runs.remove_old(NOW)
    assert os.path.exists(other)
    assert runs.names() == []


def test_what_waits_is_taken_once(runs):
    runs.begin("toolu_1/../x", '{"state": {}}')
    assert runs.waiting() == 1
    assert runs.take("toolu_1/../x") == {"state": {}}
    assert runs.take("toolu_1/../x") is None
    assert runs.waiting() == 0


def test_an_orphan_is_cleared_after_its_time_and_not_before(runs):
    runs.begin("a", "{}")
    now = datetime.now(UTC)
    assert runs.clear_orphans(now, older_than=3600) == 0
    assert runs.clear_orphans(now + timedelta(hours=2), older_than=3600) == 1
    assert runs.waiting() == 0


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_cannot_be_written_is_an_error_that_says_so(runs):
    runs.add(NOW, {"diff": PASSED})
    os.chmod(os.path.join(runs.folder, "2026-01-31"), 0o500)
    with pytest.raises(StateError):
        runs.add(NOW, {"diff": PASSED})
