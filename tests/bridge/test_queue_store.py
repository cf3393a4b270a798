"""The queue of one machine: it keeps the port's contract, and is what ``.ai-handoff`` shows."""

import os

import pytest
from tests import repository
from tests.bridge.queue_contract import Contract, result, task

from operators_edge.bridge.database_store import Database
from operators_edge.bridge.lease import LeaseLost
from operators_edge.bridge.queue_store import LocalQueue


class TestLocalQueue(Contract):
    @pytest.fixture
    def connect(self, tmp_path, clock):
        root = repository.make(tmp_path / "work")
        env = {**os.environ, "XDG_STATE_HOME": str(tmp_path / "state")}
        return lambda: LocalQueue(root, clock=clock, database=Database(root, env=env))

    def test_the_next_watcher_does_not_wait_for_the_leases_of_the_one_before(
        self, connect, worker, claimed
    ):
        other = connect()
        other.become_worker()
        assert [each.stem for each in other.abandoned()] == ["t-1"]
        for verb in (worker.tasks, lambda: next(worker.candidates())):
            with pytest.raises(LeaseLost, match="another watcher"):
                verb()

    def test_a_files_folder_says_how_its_task_stands(self, planner, worker, claimed, tmp_path):
        top = tmp_path / "work" / ".ai-handoff"

        def where():
            return [each for each in ("tasks", "running", "failed") if os.listdir(top / each)]

        assert where() == ["running"]
        worker.release(claimed)
        assert where() == ["tasks"]
        row = self.claim(worker)
        worker.finish(row, result(row, "verify_failed"))
        assert where() == ["failed"]

    def test_a_task_that_was_changed_and_released_still_counts_as_changed(
        self, planner, worker, tmp_path
    ):
        planner.submit(task())
        path = tmp_path / "work" / ".ai-handoff" / "tasks" / "t-1.json"
        path.write_text(path.read_text().replace("Do it.", "Do more."))
        assert next(worker.candidates()).is_changed
        worker.release(self.claim(worker))
        assert next(worker.candidates()).is_changed

    def test_a_file_that_is_dropped_again_under_the_name_of_one_that_was_claimed_is_seen(
        self, planner, worker, tmp_path
    ):
        path = tmp_path / "work" / ".ai-handoff" / "tasks" / "t-1.json"
        text = '{"id": "t-1", "prompt": "x", "attempt": %d, "retry_policy": {"max_attempts": 9}}'
        for attempt in (1, 2):
            path.write_text(text % attempt)
            (found,) = worker.candidates(is_final=True)
            row = worker.claim(found)
            assert row.attempt == attempt
            worker.finish(row, result(row, "verify_failed"))
