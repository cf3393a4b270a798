"""When a usage limit ends, from the words of real clients."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, strategies as st
from tests.tables import for_each

from operators_edge.bridge.executors.limits import ends_at

NOW = datetime(2026, 11, 23, 1, 30, tzinfo=UTC)
EPOCH = int(NOW.timestamp()) + 7_200


@for_each(
    ("said", "expected"),
    [
        ("2026-11-23T04:00:00Z", "2026-11-23 04:00"),
        ("Usage limit reached. Resets at 2026-11-23 05:00:00+01:00.", "2026-11-23 04:00"),
        (f"Claude AI usage limit reached|{EPOCH}", "2026-11-23 03:30"),
        ("Rate limit reached for m. Please try again in 2h10m0s.", "2026-11-23 03:40"),
        ("Please try again in 1.5s. Visit https://example.com/limits", "2026-11-23 01:30"),
        ("try again in 3 hours 20 minutes.", "2026-11-23 04:50"),
        ("try again in 5 days, 1 hour and 2 minutes", "2026-11-28 02:32"),
        ("You've hit your 5-hour limit · resets 3:28am (UTC)", "2026-11-23 03:28"),
        ("You've hit your limit · resets 3pm (America/New_York)", "2026-11-23 20:00"),
        ("your weekly limit · resets Nov 25 at 1pm (Europe/Berlin)", "2026-11-25 12:00"),
        ("Try again at Nov 26th, 2026 9:18 AM (UTC).", "2026-11-26 09:18"),
        ("resets 1:30am (UTC)", "2026-11-24 01:30"),
        ("resets 12:05am (UTC)", "2026-11-24 00:05"),
    ],
)
def test_the_end_is_taken_from_what_a_client_says(said, expected):
    found = ends_at(said, NOW)
    assert found is not None
    assert f"{found:%Y-%m-%d %H:%M}" == expected


@pytest.mark.parametrize(
    "said",
    [
        "",
        "Your credit balance is too low",
        "You have used 1500000000 tokens in 3 requests",
        "Rate limit reached: 40000 tokens per min",
        "the limit was reset at 2026-11-22T00:00:00Z",
        "resets 2027-11-23T00:00:00Z",
        "try again in 99999999999 hours",
        "resets Feb 31 at 1pm",
        "resets 45:99pm",
        "resets Nov 1 at 1pm (UTC)",
    ],
)
def test_where_no_time_to_come_is_named_none_is_made_up(said):
    assert ends_at(said, NOW) is None


def test_a_zone_that_is_not_known_is_the_machines_own():
    assert ends_at("resets 3pm (Middle/Earth)", NOW) == ends_at("resets 3pm", NOW)


@given(st.text(alphabet="0123456789 :.-+TZjanmsdhpatinresets()/|", max_size=60))
def test_whatever_is_said_the_end_is_to_come(said):
    found = ends_at(said, NOW)
    assert found is None or NOW < found <= NOW + timedelta(days=31)
