"""Programs that are forked from one process for all threads of a worker."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.forks import Forked, can_fork


@pytest.mark.skipif(not can_fork(), reason="this system cannot fork without a new program")
def test_threads_that_ask_at_once_get_a_process_each():
    def exit_code(length: int) -> int:
        return Forked("nothing", ["x" * length], env=None).wait()

    # Long enough that a request does not go over the line in one piece.
    with ThreadPoolExecutor(8) as pool:
        assert set(pool.map(exit_code, [100_000] * 100, timeout=60)) == {0}
