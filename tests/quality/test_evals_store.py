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


def test_runs_expire_and_the_folders_of_their_days_with_them(runs):
    for days in (40, 15, 14, 3):
        runs.add(NOW - timedelta(days=days), {"diff": PASSED})
    runs.delete(runs.expired(NOW))
    assert runs.names() == ["2026-01-17/run-01", "2026-01-28/run-01"]
    assert sorted(os.listdir(runs.folder)) == ["2026-01-17", "2026-01-28"]
    assert runs.expired(NOW) == []


def test_a_run_that_cannot_be_read_is_damaged(runs):
    name = runs.add(NOW, {"diff": "{half"})
    with pytest.raises(StateDamaged):
        runs.part(name, "diff")


@pytest.mark.parametrize("name", ["", "../x", "2026-01-31", "2026-01-31/run-1/../..", "a/b"])
def test_only_a_runs_name_names_one(runs, name):
    with pytest.raises(UsageError):
        runs.part(name, "diff")


def test_other_files_in_the_folder_are_let_alone(runs):
    runs.add(NOW - timedelta(days=40), {"diff": PASSED})
    other = os.path.join(runs.folder, "notes.txt")
    with open(other, "w", encoding="utf-8") as file:
        file.write("mine")
    runs.delete(runs.expired(NOW))
    assert os.path.exists(other)
    assert runs.names() == []


def test_what_waits_is_taken_once(runs):
    runs.begin("toolu_1/../x", '{"state": {}}')
    assert runs.pending() == 1
    assert runs.take("toolu_1/../x") == {"state": {}}
    assert runs.take("toolu_1/../x") is None
    assert runs.pending() == 0


def test_an_orphan_is_cleared_after_its_time_and_not_before(runs):
    runs.begin("a", "{}")
    now = datetime.now(UTC)
    assert runs.orphans(now) == []
    runs.delete(runs.orphans(now + timedelta(hours=2)))
    assert runs.pending() == 0


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_cannot_be_written_is_an_error_that_says_so(runs):
    runs.add(NOW, {"diff": PASSED})
    os.chmod(os.path.join(runs.folder, "2026-01-31"), 0o500)
    with pytest.raises(StateError):
        runs.add(NOW, {"diff": PASSED})
