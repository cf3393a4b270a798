"""The exposition, read by the official parser: it refuses what a scraper would."""

import pytest
from hypothesis import given, strategies as st
from prometheus_client.openmetrics.parser import text_string_to_metric_families as parsed

from operators_edge.evidence.metrics import counts, render_openmetrics

LABELS = {"project": '/a "b"\\c\nd', "session": "s"}


def record_of(**numbers):
    """Numbers by their dotted names, with __ for the dot."""
    record = counts.new_record("/p")
    record["all"]["numbers"] = {name.replace("__", "."): n for name, n in numbers.items()}
    record["all"]["first"] = "2026-03-01T12:00:00+00:00"
    record["all"]["last"] = "2026-03-01T12:00:01.500+00:00"
    return counts.of_project(record)


def samples(text):
    return {
        (sample.name, *(value for key, value in sample.labels.items() if key not in LABELS)): sample
        for family in parsed(text)
        for sample in family.samples
    }


def test_every_number_comes_with_type_help_its_suffix_and_its_labels():
    told = record_of(calls__blocked=3, stuck__max_reached=4)
    text = render_openmetrics.text(told, LABELS)
    found = samples(text)
    assert found["edge_calls_blocked_total",].value == 3
    assert found["edge_stuck_max_reached",].value == 4
    assert found["edge_last_entry_timestamp_seconds",].value == 1772366401.5
    assert all(sample.labels.items() >= LABELS.items() for sample in found.values())
    assert text.endswith("\n# EOF\n")
    for family in parsed(text):
        assert family.type in ("counter", "gauge")
        assert family.documentation
        assert family.name.startswith("edge_")
    assert "# UNIT edge_last_entry_timestamp_seconds seconds\n" in text


def test_every_number_that_people_see_is_a_sample():
    names = [f"{group}.{name}" for group, names in counts.GROUPS.items() for name in names]
    told = record_of(**{name.replace(".", "__"): 1000 + n for n, name in enumerate(names)})
    values = {sample.value for sample in samples(render_openmetrics.text(told, {})).values()}
    assert values >= {1000 + n for n in range(len(names))}


def test_before_the_first_entry_there_is_no_time_and_the_text_is_still_whole():
    told = counts.of_project(counts.new_record("/p"))
    found = samples(render_openmetrics.text(told, {}))
    assert ("edge_session_start_timestamp_seconds",) not in found
    assert found["edge_record_entries_total",].value == 0


@given(st.text())
def test_any_label_reaches_the_scraper_as_it_was(value):
    told = counts.of_project(counts.new_record("/p"))
    first = next(iter(parsed(render_openmetrics.text(told, {"project": value}))))
    assert first.samples[0].labels["project"] == value


@pytest.mark.parametrize("value", ["\udcff", "a\udc80b"])
def test_a_folder_whose_name_is_no_utf_8_can_still_be_encoded(value):
    told = counts.of_project(counts.new_record("/p"))
    assert render_openmetrics.text(told, {"project": value}).encode()
