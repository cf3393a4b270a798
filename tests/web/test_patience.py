"""A view that takes long holds up nothing else, and is there when it is ready."""

import threading
import time

import pytest

from operators_edge.web.patience import Patience


@pytest.fixture
def patience():
    found = Patience(0.05)
    yield found
    found.end()


def test_what_is_ready_in_time_is_returned_or_raised(patience):
    assert patience.result("a", lambda: 7) == 7
    for error in (KeyError, TimeoutError):

        def act(error=error):
            raise error("its own")

        with pytest.raises(error, match="its own"):
            patience.result("a", act)


def test_what_takes_longer_is_started_once_and_holds_up_no_other(patience):
    go_on, started = threading.Event(), []

    def slow():
        started.append(1)
        go_on.wait(60)
        return "late"

    assert patience.result("slow", slow) is None
    assert patience.result("slow", slow) is None
    assert patience.result("quick", lambda: "now") == "now"
    go_on.set()
    until = time.monotonic() + 20
    while (found := patience.result("slow", lambda: "again")) is None:
        assert time.monotonic() < until
    assert found == "again"
    assert started == [1]


def test_each_request_that_is_answered_in_time_is_read_for_itself(patience):
    counted = iter(range(9))
    assert [patience.result("a", lambda: next(counted)) for _ in range(3)] == [0, 1, 2]
