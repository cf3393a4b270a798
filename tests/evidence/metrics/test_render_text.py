from operators_edge.evidence.metrics import counts, render_text


def scope(**more):
    record = counts.new_record("/p")
    every = [f"{group}.{name}" for group, names in counts.GROUPS.items() for name in names]
    record["all"]["numbers"] = dict.fromkeys(every, 1_234_567) | more
    record["all"]["first"] = record["all"]["last"] = "2026-03-01T12:00:00+00:00"
    return counts.of_project(record)


def test_everything_stands_on_one_screen_of_eighty_columns():
    text = render_text.text(scope(), {"session": "0" * 300, **scope()}, name="a folder " * 40)
    lines = text.splitlines()
    assert len(lines) <= 24
    assert max(map(len, lines)) <= 80
    assert text.isprintable() or "\n" in text


def test_the_sessions_number_stands_beside_the_projects():
    one = {"session": "s", **scope(**{"calls.blocked": 2})}
    text = render_text.text(scope(**{"calls.blocked": 7}), one, name="p")
    (line,) = (line for line in text.splitlines() if line.startswith(" blocked "))
    assert line.split()[:3] == ["blocked", "2", "7"]
    assert "Session s, since 2026-03-01 12:00" in text


def test_without_a_session_there_is_one_column():
    text = render_text.text(scope(**{"calls.blocked": 7}), None, name="p")
    (line,) = (line for line in text.splitlines() if line.startswith(" blocked "))
    assert line.split()[:2] == ["blocked", "7"]
    assert "session " not in text.split("\n", 2)[2]


def test_where_nothing_happened_that_is_said_instead_of_times():
    text = render_text.text(counts.of_project(counts.new_record("/p")), None, name="p")
    assert "0 entries, 0 sessions; nothing happened yet" in text


def test_a_huge_number_keeps_its_column():
    text = render_text.text(scope(**{"calls.ran": 12_345_678_901}), None, name="p")
    assert max(map(len, text.splitlines())) <= 80
    assert "1.23e+10" in text


def test_the_last_line_says_whether_to_look_closer():
    well = {"health.drift_events": 0, "health.log_damage": 0}
    assert "Healthy" in render_text.text(scope(**well), None, name="p")
    assert "Drift" in render_text.text(scope(**well | {"health.drift_events": 1}), None, name="p")
    assert "damaged 3 times" in render_text.text(
        scope(**well | {"health.log_damage": 3}), None, name="p"
    )


def test_a_name_that_a_terminal_would_obey_does_nothing():
    assert "\x1b" not in render_text.text(scope(), None, name="\x1b[2J")
