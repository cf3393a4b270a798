"""A kept text is read as a time with a zone, or as none."""

from datetime import UTC, datetime, timedelta, timezone

import pytest

from operators_edge.text import timestamps


def test_a_zone_that_is_named_stays_and_one_that_is_left_out_is_utc():
    assert timestamps.parse("2026-01-02T03:04:05") == datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
    named = timestamps.parse("2026-01-02T03:04:05+02:00")
    assert named == datetime(2026, 1, 2, 3, 4, 5, tzinfo=timezone(timedelta(hours=2)))
    assert timestamps.parse("2026-01-02") == datetime(2026, 1, 2, tzinfo=UTC)


@pytest.mark.parametrize("text", [None, "", "yesterday", 7, [], "2026-13-01"])
def test_what_is_no_time_is_none(text):
    assert timestamps.parse(text) is None


def test_a_duration_is_a_number_with_its_unit():
    given = {
        "30m": 30,
        "2h": 120,
        "1d": 1440,
        "30": None,
        "2w": None,
        "h": None,
        "-1h": None,
        "": None,
    }
    assert {text: timestamps.minutes(text) for text in given} == given
    assert timestamps.minutes("30", {**timestamps.UNITS, "": 1}) == 30
