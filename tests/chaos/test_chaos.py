"""A slice of ``make chaos``: a few watchers killed at random moments, and one agent that misbehaves."""

import shutil
import sys

import pytest

from tests.chaos import killing, misbehaviour
from tests.crash.world import in_memory

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="forks this process")


@pytest.fixture
def base():
    folder = in_memory()
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


def test_after_kills_every_attempt_has_one_result_and_nothing_is_lost(base):
    assert killing.at_random(base, kills=4, seed=7).wrong == []


def test_an_agent_that_commits_on_another_branch_changes_nothing(base):
    report = misbehaviour.run(base, "commits on main")
    assert (report.kills, report.wrong) == (1, [])
