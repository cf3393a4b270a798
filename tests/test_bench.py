"""What the bench is made of, on a small scale; the numbers themselves are ``make bench``'s."""

import importlib
import json
import os
import pkgutil
import tempfile

import bench
import pytest
from bench import client, load
from bench.rows import Row, as_json, percentile, table

from tests.tables import for_each


@pytest.fixture
def top():
    """A short path: it has to leave room for a socket's."""
    with tempfile.TemporaryDirectory(prefix="edge-") as folder:
        yield os.path.realpath(folder)


@for_each("name", [each.name for each in pkgutil.iter_modules(bench.__path__)])
def test_every_part_of_it_can_be_imported(name):
    importlib.import_module(f"bench.{name}")


def test_sessions_at_once_are_answered_without_an_error(top):
    found = load.load(top, sessions=2, calls=200, clients=2)
    assert found.errors == []
    assert sum(map(len, found.spent.values())) == 200
    assert found.is_log_whole
    assert found.log_entries >= 200 // 20 * 4
    for at_start, *later in found.memory.values():
        assert max(later) - at_start < 16 * 1024
    assert "200 calls" in load.report_of(found)


def test_a_call_that_is_answered_otherwise_than_it_has_to_be_is_an_error():
    session = load.Session(0, "/nowhere", 6, None)
    session._answer = lambda data: (b"rm -rf" in data and b"other words") or b""
    session.run()
    assert session.errors == ["resident, denied: other words"]
    session._answer = lambda data: session.known.port  # as where nobody listens
    session.run()
    assert len(session.errors) == 7


def test_a_bar_that_is_met_holds_and_a_row_that_was_not_measured_says_why(monkeypatch, tmp_path):
    monkeypatch.setattr(client.clients, "CACHE", tmp_path)
    (skipped,) = client.measure(str(tmp_path))
    assert "is not installed here" in skipped.note
    rows = [
        Row("PE-2", "low", 1.2, "x", 1.5),
        Row("PE-2", "high", 1.6, "x", 1.5),
        Row("PE-5", "enough", 20.0, "MB/s", 15.0, is_least=True),
        Row("-", "told", 3.0, "x", before="15"),
        skipped,
    ]
    assert [each["holds"] for each in json.loads(as_json(rows))] == [True, False, True, None, None]
    shown = table(rows)
    assert "MISSED" in shown
    assert "SKIPPED" in shown
    assert skipped.note in shown


def test_a_percentile_is_not_exceeded_by_that_share():
    assert percentile(range(100), 0.99) == 99
    assert percentile([5.0], 0.99) == 5.0


def test_an_interval_holds_the_value_and_is_the_same_on_every_run():
    pairs = [(0.0, 1.0 + number % 7) for number in range(100)]

    def mean(chosen):
        return sum(each[1] for each in chosen) / len(chosen)

    low, high = client.interval(pairs, mean)
    assert low < mean(pairs) < high
    assert client.interval(pairs, mean) == (low, high)
