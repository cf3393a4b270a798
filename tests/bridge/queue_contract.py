"""What every engine behind the queue's port keeps (``bridge.queue``): one suite, for all of them.

An engine's tests inherit from ``Contract`` and make its queues. Only the port is used here, no file or table.
"""

from __future__ import annotations

import json
import threading
from datetime import UTC, datetime, timedelta

import pytest

from operators_edge.bridge.lease import LeaseLost
from operators_edge.bridge.result import bare
from operators_edge.errors import AnswerIsNo, LockHeld, UsageError

START = datetime(2030, 1, 1, 12, tzinfo=UTC)
LEASE = 60


class Clock:
    """Stands still until it is moved."""

    def __init__(self):
        self.now = START

    def __call__(self):
        return self.now

    def move(self, seconds):
        self.now += timedelta(seconds=seconds)


def task(ident="t-1", **fields):
    return {"id": ident, "prompt": "Do it.", **fields}


def result(row, reason=None):
    return bare(row.stem, row.attempt, reason, detail="", at=START.isoformat())


def names(found):
    return [each.row.stem for each in found]


class Contract:
    """``connect`` is a fixture of the engine: each call is another process that uses the same queue."""

    @pytest.fixture
    def clock(self):
        return Clock()

    @pytest.fixture
    def planner(self, connect):
        queue = connect()
        queue.prepare()
        return queue

    @pytest.fixture
    def worker(self, connect, planner):
        queue = connect()
        queue.become_worker()
        return queue

    @pytest.fixture
    def claimed(self, planner, worker):
        """A task that the worker has, and its claim."""
        planner.submit(task())
        return self.claim(worker)

    def claim(self, worker):
        return worker.claim(next(worker.candidates()), seconds=LEASE)

    def taken_over(self, connect, clock, row):
        """Another worker, and the claim with which it took this task over."""
        clock.move(LEASE + 1)
        other = connect()
        other.become_worker()
        (found,) = other.abandoned()
        assert found.stem == row.stem
        return other, other.adopt(found, seconds=LEASE)

    # -- order -----------------------------------------------------------------------------------

    def test_tasks_come_in_the_order_in_which_they_were_submitted(self, planner, worker):
        for ident in ("b", "a", "c"):
            planner.submit(task(ident))
        assert names(worker.candidates()) == ["b", "a", "c"]
        assert names(worker.candidates({"a"})) == ["b", "c"]
        assert self.claim(worker).stem == "b"
        assert names(worker.candidates()) == ["a", "c"]

    def test_a_task_that_is_not_valid_or_there_already_is_refused(self, planner):
        planner.submit(task())
        with pytest.raises(AnswerIsNo, match="t-1"):
            planner.submit(task("T-1"))
        with pytest.raises(UsageError, match="prompt"):
            planner.submit({"id": "t-2"})
        assert [each.stem for each in planner.tasks()] == ["t-1"]

    def test_a_claim_is_of_what_was_submitted(self, planner, worker):
        planner.submit(task(commands_to_run=["true"], x_mine=[1]))
        row = self.claim(worker)
        assert json.loads(row.text)["x_mine"] == [1]
        assert row.task()["commands_to_run"] == ["true"]
        assert (row.state, row.attempt) == ("running", 1)

    def test_of_many_that_want_a_task_one_has_it(self, planner, worker):
        for number in range(20):
            planner.submit(task(f"t-{number}"))
        seen = list(worker.candidates())
        had, refused = [], []

        def take():
            for found in seen:
                try:
                    had.append(worker.claim(found).stem)
                except LockHeld:
                    refused.append(found.row.stem)

        threads = [threading.Thread(target=take) for _ in range(3)]
        for each in threads:
            each.start()
        for each in threads:
            each.join()
        assert sorted(had) == sorted(names(seen))
        assert len(refused) == 2 * len(had)

    # -- what a claim allows ---------------------------------------------------------------------

    def test_a_result_is_written_once(self, worker, claimed):
        done = worker.finish(claimed, result(claimed))
        assert (done.state, worker.task("t-1").state) == ("done", "done")
        with pytest.raises(LeaseLost):
            worker.finish(claimed, result(claimed, "verify_failed"))
        assert worker.task("t-1").state == "done"

    @pytest.mark.parametrize(
        ("reason", "state"),
        [
            (None, "done"),
            ("verify_failed", "failed"),
            ("requires_confirmation", "pending"),
            ("dirty_repo", "queued"),
        ],
    )
    def test_where_a_task_goes_follows_from_its_result(self, worker, claimed, reason, state):
        worker.finish(claimed, result(claimed, reason))
        assert worker.task("t-1").state == state
        assert worker.counts() == {state: 1}
        assert worker.blocked()[0] == (reason == "dirty_repo")
        assert len(worker.pending()) == (state == "pending")
        assert worker.abandoned() == []

    def test_a_task_that_is_released_is_as_it_was(self, planner, worker, claimed):
        planner.submit(task("t-2"))
        worker.note(claimed, "begun", branch="b")
        worker.release(claimed)
        assert names(worker.candidates()) == ["t-1", "t-2"]
        assert worker.task("t-1").work == "{}"
        with pytest.raises(LeaseLost):
            worker.note(claimed, "begun")
        again = self.claim(worker)
        assert (again.stem, again.attempt) == ("t-1", 1)
        with pytest.raises(LeaseLost):
            worker.finish(claimed, result(claimed))

    def test_an_attempt_that_is_repeated_has_the_next_number(self, worker, claimed):
        worker.finish(claimed, result(claimed, "interrupted"), again=True)
        again = self.claim(worker)
        assert (again.attempt, again.task()["attempt"], again.interrupted) == (2, 2, 1)
        assert again.epoch > claimed.epoch

    def test_what_an_attempt_noted_is_there_for_who_takes_it_over(
        self, connect, clock, worker, claimed
    ):
        row = worker.note(claimed, "branching", home=["main", "abc"])
        worker.note(row, "begun", branch="feat")
        _, adopted = self.taken_over(connect, clock, claimed)
        work = json.loads(adopted.work)
        assert (work["home"], work["branch"]) == (["main", "abc"], "feat")

    # -- a worker that was paused ----------------------------------------------------------------

    @pytest.mark.parametrize("verb", ["renew", "note", "release", "finish", "again", "adopt"])
    def test_a_worker_that_was_paused_too_long_is_refused_everything(
        self, connect, clock, worker, claimed, verb
    ):
        self.taken_over(connect, clock, claimed)
        before = connect().task("t-1"), connect().events()
        verbs = {
            "renew": lambda: worker.renew(claimed),
            "note": lambda: worker.note(claimed, "judged"),
            "release": lambda: worker.release(claimed),
            "finish": lambda: worker.finish(claimed, result(claimed)),
            "again": lambda: worker.finish(claimed, result(claimed, "interrupted"), again=True),
            "adopt": lambda: worker.adopt(claimed),
        }
        with pytest.raises(LeaseLost):
            verbs[verb]()
        assert (connect().task("t-1"), connect().events()) == before

    @pytest.mark.parametrize("reason", [None, "stale_lock_recovered"])
    def test_it_is_refused_when_the_task_runs_again_or_is_over(
        self, connect, clock, worker, claimed, reason
    ):
        other, adopted = self.taken_over(connect, clock, claimed)
        other.finish(adopted, result(adopted, reason), again=reason is not None)
        if reason is not None:
            assert self.claim(other).attempt == 2
        before = connect().task("t-1")
        with pytest.raises(LeaseLost):
            worker.finish(claimed, result(claimed))
        assert connect().task("t-1") == before

    def test_an_attempt_has_one_result_whoever_writes_it(self, connect, clock, worker, claimed):
        other, adopted = self.taken_over(connect, clock, claimed)
        with pytest.raises(LeaseLost):
            worker.finish(claimed, result(claimed))
        other.finish(adopted, result(adopted, "stale_lock_recovered"))
        ended = [each.name for each in other.events() if each.name in ("succeeded", "failed")]
        assert ended == ["failed"]

    def test_of_two_that_take_a_task_over_one_has_it(self, connect, clock, worker, claimed):
        clock.move(LEASE + 1)
        worker.become_worker()
        (found,) = worker.abandoned()
        worker.adopt(found)
        with pytest.raises(LeaseLost):
            worker.adopt(found)

    # -- leases ----------------------------------------------------------------------------------

    def test_a_lease_lasts_as_long_as_it_is_renewed(self, clock, worker, claimed):
        for _ in range(3):
            clock.move(LEASE - 1)
            assert worker.renew(claimed, seconds=LEASE) == ""
        assert worker.abandoned() == []
        with pytest.raises(LeaseLost):
            worker.adopt(claimed)
        clock.move(LEASE)
        assert [each.stem for each in worker.abandoned()] == ["t-1"]

    def test_a_lease_that_is_over_can_be_renewed_while_nobody_took_the_task(
        self, clock, worker, claimed
    ):
        clock.move(10 * LEASE)
        worker.renew(claimed, seconds=LEASE)
        assert worker.abandoned() == []
        assert worker.finish(claimed, result(claimed)).state == "done"

    # -- a person --------------------------------------------------------------------------------

    def test_an_approved_task_goes_back_to_its_place(self, planner, worker, claimed):
        planner.submit(task("t-2"))
        worker.finish(claimed, result(claimed, "requires_confirmation"))
        assert names(worker.candidates()) == ["t-2"]
        planner.approve("t-1", by="ann")
        found = next(worker.candidates())
        assert (found.row.stem, found.row.answered_by) == ("t-1", "ann")
        assert self.claim(worker).answered_by == "ann"

    def test_a_task_whose_questions_are_answered_goes_back_to_its_place(self, worker, claimed):
        row = worker.note(claimed, "asked", asked=["q-1"])
        worker.finish(row, result(row, "requires_confirmation"))
        assert worker.task("t-1").questions == ("q-1",)
        worker.go_on("t-1")
        assert worker.task("t-1").questions == ()
        assert names(worker.candidates()) == ["t-1"]

    @pytest.mark.parametrize("reason", ["cancelled", "rejected"])
    def test_a_task_that_waits_can_be_dropped(self, planner, worker, claimed, reason):
        worker.finish(claimed, result(claimed, "requires_confirmation"))
        planner.drop("t-1", reason, detail="by ann")
        assert planner.task("t-1").state == "failed"
        assert names(worker.candidates()) == []
        with pytest.raises(AnswerIsNo):
            planner.drop("t-1", reason, detail="by ann")

    def test_a_task_that_was_dropped_before_it_is_claimed_is_not_run(self, planner, worker):
        planner.submit(task())
        found = next(worker.candidates())
        planner.drop("t-1", "cancelled", detail="by ann")
        with pytest.raises(LockHeld):
            worker.claim(found)

    def test_who_works_on_a_cancelled_task_is_told_and_it_is_not_repeated(
        self, planner, worker, claimed
    ):
        planner.drop("t-1", "cancelled", detail="cancelled by ann")
        assert planner.task("t-1").state == "running"
        assert worker.renew(claimed) == "cancelled by ann"
        worker.finish(claimed, result(claimed, "interrupted"), again=True)
        assert planner.task("t-1").state == "failed"

    def test_a_failed_task_can_be_tried_again_at_the_end(self, planner, worker, claimed):
        planner.submit(task("t-2"))
        worker.finish(claimed, result(claimed, "verify_failed"))
        assert planner.retry("t-1").attempt == 2
        assert names(worker.candidates()) == ["t-2", "t-1"]

    @pytest.mark.parametrize("verb", ["approve", "go_on", "retry", "reject"])
    def test_a_verb_for_another_state_changes_nothing(self, planner, claimed, verb):
        before = planner.tasks(), planner.events()
        verbs = {
            "approve": lambda: planner.approve("t-1", by="ann"),
            "go_on": lambda: planner.go_on("t-1"),
            "retry": lambda: planner.retry("t-1"),
            "reject": lambda: planner.drop("t-1", "rejected", detail=""),
        }
        with pytest.raises(AnswerIsNo, match="t-1 is running"):
            verbs[verb]()
        with pytest.raises(AnswerIsNo, match="no task t-9"):
            planner.task("t-9")
        assert (planner.tasks(), planner.events()) == before

    # -- waiting ---------------------------------------------------------------------------------

    def test_a_task_with_a_time_runs_when_it_is_due(self, clock, planner, worker, claimed):
        planner.submit(task("t-2"))
        due = (START + timedelta(hours=1)).astimezone(None).isoformat()
        worker.finish(claimed, result(claimed, "usage_limited"), due=due)
        assert names(worker.candidates()) == ["t-2"]
        assert names(worker.candidates(is_final=True)) == ["t-2"]
        assert datetime.fromisoformat(worker.task("t-1").due) == START + timedelta(hours=1)
        clock.move(3_600)
        assert names(worker.candidates()) == ["t-1", "t-2"]
        row = self.claim(worker)
        assert (row.attempt, row.due) == (1, "")

    def test_a_person_can_let_it_run_before(self, planner, worker, claimed):
        due = (START + timedelta(hours=1)).isoformat()
        worker.finish(claimed, result(claimed, "usage_limited"), due=due)
        assert planner.retry("t-1").attempt == 1
        assert names(worker.candidates()) == ["t-1"]

    def test_what_a_task_depends_on_has_to_succeed(self, planner, worker):
        for ident in ("t-1", "t-2"):
            planner.submit(task(ident))
        wants = {**task(), "depends_on": ["t-1", "t-2", "t-9"]}
        row = self.claim(worker)
        assert worker.dependency(wants) == ("t-1", "running")
        worker.finish(row, result(row))
        assert worker.dependency(wants) == ("t-2", "queued")
        row = self.claim(worker)
        worker.finish(row, result(row, "verify_failed"))
        assert worker.dependency(wants) == ("t-2", "failed")
        assert worker.dependency({**wants, "depends_on": ["t-1"]}) == ("", None)

    # -- looking ---------------------------------------------------------------------------------

    def test_every_change_is_told_once_and_in_order(self, planner, worker, claimed):
        worker.finish(worker.note(claimed, "begun"), result(claimed))
        told = planner.events()
        assert [each.name for each in told] == ["submitted", "claimed", "begun", "succeeded"]
        assert {(each.stem, each.data["attempt"]) for each in told} == {("t-1", 1)}
        assert planner.events(told[1].number) == told[2:]
        assert planner.events(limit=1) == told[:1]

    def test_a_task_is_blocked_while_its_last_result_says_so(self, planner, worker):
        for ident in ("t-1", "t-2", "t-3"):
            planner.submit(task(ident))
        for _ in range(2):
            for found in list(worker.candidates()):
                row = worker.claim(found)
                worker.finish(row, result(row, "dirty_repo"))
        count, first = worker.blocked(2)
        assert (count, [each.stem for each in first]) == (3, ["t-1", "t-2"])
        row = self.claim(worker)
        worker.finish(row, result(row, "requires_confirmation"))
        planner.approve("t-1", by="ann")
        assert worker.blocked(1)[0] == 2
        assert [each.stem for each in worker.pending()] == []
