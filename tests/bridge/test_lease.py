"""When a lock still holds: age decides, a process that is gone only helps."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from operators_edge.bridge.lease import Seen, is_of_another_host, task_ttl, verdict

NOW = datetime(2026, 1, 2, 12, tzinfo=UTC)
TTL = 7_200


def seen(*, age=0.0, modified=0.0, **record):
    made = (NOW - timedelta(seconds=age)).isoformat()
    whole = {"pid": 123, "host": "here", "created_at": made, **record}
    return Seen(whole, NOW - timedelta(seconds=modified), "d")


def judged(lock, *, ttl=TTL, is_alive=None):
    return verdict(lock, now=NOW, ttl=ttl, host="here", is_alive=is_alive)


def test_a_fresh_lock_holds_and_an_old_one_does_not_whatever_its_process_does():
    assert judged(seen(age=TTL - 1)) == "held"
    assert judged(seen(age=TTL + 1), is_alive=True) == "stale"


def test_a_process_that_is_gone_frees_the_lock_on_its_own_host_only():
    assert judged(seen(), is_alive=False) == "stale"
    assert judged(seen(host="there"), is_alive=False) == "held"


def test_a_renewed_lock_holds_however_old_it_is():
    renewed = (NOW - timedelta(seconds=5)).isoformat()
    assert judged(seen(age=10 * TTL, renewed_at=renewed)) == "held"


def test_a_time_in_the_future_does_not_count_and_that_of_the_file_at_most_as_now():
    assert judged(seen(age=-10_000_000, modified=TTL - 1)) == "held"
    assert judged(seen(age=-10_000_000, modified=TTL + 1)) == "stale"
    assert judged(Seen(None, NOW + timedelta(days=9), "d")) == "held"


@pytest.mark.parametrize("made", ["", "yesterday", "2026-01-02T12:00:00", None, 7])
def test_a_lock_without_a_usable_time_counts_from_its_file(made):
    assert judged(seen(created_at=made, modified=TTL - 1)) == "held"
    assert judged(seen(created_at=made, modified=TTL + 1)) == "stale"
    assert judged(Seen(None, NOW - timedelta(seconds=TTL + 1), "d")) == "stale"


def test_no_lease_is_shorter_than_two_seconds():
    assert judged(seen(age=1.5), ttl=0) == "held"
    assert judged(seen(age=2.5), ttl=0) == "stale"


def test_a_task_has_twice_its_time_but_never_less_than_a_worker():
    assert task_ttl(60) == TTL
    assert task_ttl(10_000) == 20_000


@pytest.mark.parametrize("host", ["here", "", None, 7])
def test_a_lock_that_names_no_other_host_is_of_none(host):
    assert not is_of_another_host(seen(host=host), "here")
    assert not is_of_another_host(Seen(None, NOW, "d"), "here")
    assert is_of_another_host(seen(host="there"), "here")
