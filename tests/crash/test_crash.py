"""A slice of ``make crash``: some operations at every step, one recovery at some, and a small storm."""

import os
import sys

import pytest

from operators_edge.storage import files
from tests.crash import killing
from tests.crash.everywhere import everywhere, recovery_everywhere
from tests.crash.failing_disk import failures
from tests.crash.operations import OPERATIONS
from tests.crash.power import losses
from tests.crash.storm import storm

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="fork and SIGKILL")

BY_NAME = {each.name: each for each in OPERATIONS}


@pytest.mark.parametrize("name", ["use an approval", "log append, sealing"])
def test_an_operation_killed_at_any_durable_step_happened_wholly_or_not_at_all(world, name):
    report = everywhere(world, BY_NAME[name])
    assert report.violations == []
    assert report.before
    assert report.after


def test_a_recovery_that_is_killed_is_recovered(world):
    report = recovery_everywhere(world, BY_NAME["archive on done"], every=12)
    assert report.violations == []
    assert report.kills > 50
    assert report.before == 0


def test_what_eight_writers_were_told_is_there_once_whenever_they_are_killed(world):
    measured = storm(world, kills=40, seed=7)
    assert measured.violations == []
    assert measured.acknowledged > 10


@pytest.mark.parametrize("name", ["use an approval", "prune", "log append, sealing"])
def test_what_was_acknowledged_survives_a_power_loss_and_the_rest_is_whole_or_not_there(
    world, name
):
    report = losses(world, BY_NAME[name], most=20, seed=3)
    assert report.violations == []
    assert report.after


def test_a_failing_disk_leaves_nothing_torn_and_the_answer_says_what_holds(world):
    report = failures(world, BY_NAME["log append, sealing"])
    assert report.violations == []
    assert report.before
    assert report.after


def test_a_change_that_is_not_synced_before_it_is_acknowledged_would_be_noticed(world):
    """The harness itself: a file replaced without waiting for the disk is lost with the power."""

    def careless(project):
        path = os.path.join(project.root, "notes.txt")
        files.replace_file(path, b"noted\n", temp=f"{path}.new")

    operation = BY_NAME["approve"]._replace(act=careless)
    wrong = losses(world, operation).violations
    assert any("it was acknowledged, and did not happen" in each for each in wrong)
    assert any("neither before nor after" in each for each in wrong)


def test_a_change_that_is_not_written_down_first_would_be_noticed(world):
    """The harness itself: two files changed without a record are seen half done."""

    def careless(project):
        project.transact(lambda tx: tx.state.update(objective="x"), command="careless")
        project.log.append({"event": "careless"})

    operation = BY_NAME["approve"]._replace(act=careless)
    assert any(
        "neither before nor after" in each for each in everywhere(world, operation).violations
    )


def test_a_victim_that_fails_by_itself_is_no_crash(world, capfd):
    with pytest.raises(killing.Died):
        killing.steps_of(lambda: 1 / 0)
    assert "ZeroDivisionError" in capfd.readouterr().err
