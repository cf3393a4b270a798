"""The index of the log: what it finds, that it follows the log, and that losing it costs only time."""

import json
import os
import sqlite3

import pytest

from operators_edge.project import Project
from operators_edge.storage import segments
from operators_edge.web.index_store import TimelineIndex, Wanted


@pytest.fixture
def log(project, env):
    """The log of a project, with small segments."""
    found = Project(project, is_set_up=True).log
    found.segment_bytes = 20_000
    return found


@pytest.fixture
def index(project, log):
    return TimelineIndex(project)


def add(log, count, text="note"):
    log.append_many([{"event": "note", "data": {"text": f"{text} {n}"}} for n in range(count)])


def numbers(index, **wanted):
    assert index.catch_up(60).is_complete
    return [each.entry["seq"] for each in index.page(Wanted(**wanted))]


def test_it_follows_the_log_over_its_segments(log, index):
    for _ in range(5):
        add(log, 60)
        count = log.count()
        assert numbers(index) == list(range(count, max(0, count - 100), -1))
    assert len(segments.sealed(log.root)) > 1


def test_every_page_follows_the_one_before(log, index):
    add(log, 250)
    index.catch_up(60)
    found, before = [], 0
    while page := index.page(Wanted(), before=before, count=100):
        found += [each.entry["seq"] for each in page]
        before = page[-1].place
    assert found == list(range(log.count(), 0, -1))


@pytest.mark.parametrize(
    ("words", "finds"),
    [
        ("importer", True),
        ("IMPORTER", True),
        ("src/importer.py", True),
        ("test_importer", True),
        ("impor", True),
        ("impor*", True),
        ("porter", False),
        ("importer missing", False),
        ('"importer" OR x', False),
        ("importer*)", True),
        ("NEAR(importer)", False),
        ("-", False),
        ("\ue000kplan", False),
        ("m\u00fcller", True),
        ("muller", True),
        ("\u65e5\u672c", True),
        ("';drop table words;--", False),
    ],
)
def test_words_are_found_wherever_they_are_and_nothing_is_a_query_language(
    log, index, words, finds
):
    text = "run src/importer.py and test_importer for M\u00fcller \u65e5\u672c"
    log.append({"event": "note", "data": {"text": text}})
    add(log, 3)
    assert bool(numbers(index, words=words)) is finds


def test_a_beginning_of_too_many_words_is_refused_and_not_slow(log, index):
    add(log, 300, "word")
    log.append_many([{"event": "note", "data": {"text": f"zz{n}"}} for n in range(300)])
    index.catch_up(60)
    with pytest.raises(Exception, match="too many words begin with zz"):
        index.page(Wanted(words="zz*"))
    assert len(numbers(index, words="zz29*")) == 11


def test_kind_outcome_and_session_narrow_the_words(log, index):
    log.append({"event": "blocked", "session": "a-1", "data": {"command": "rm -rf importer"}})
    log.append({"event": "denied", "session": "b-2", "data": {"command": "push importer"}})
    first, second = log.count() - 1, log.count()
    assert numbers(index, words="importer", outcome="blocked") == [first]
    assert numbers(index, words="importer", session="b-2") == [second]
    assert numbers(index, words="importer", kind="gate") == [second, first]
    assert numbers(index, kind="plan", session="a-1") == []


def test_one_entry_is_found_by_its_number(log, index):
    add(log, 100)
    index.catch_up(60)
    assert index.entry(50).entry["seq"] == 50
    assert index.entry(1000) is None


@pytest.mark.parametrize(
    "content", [None, b"", b"no database at all", b"SQLite format 3\0" + b"x" * 5000]
)
def test_an_index_that_is_lost_or_damaged_is_built_again(log, index, content):
    add(log, 50)
    before = numbers(index)
    for end in ("-wal", "-shm"):
        if os.path.exists(index.path + end):
            os.unlink(index.path + end)
    if content is None:
        os.unlink(index.path)
    else:
        with open(index.path, "wb") as file:
            file.write(content)
    assert numbers(index) == before


def test_an_index_of_another_version_is_built_again(log, index):
    add(log, 5)
    before = numbers(index)
    with sqlite3.connect(index.path) as other:
        other.execute("UPDATE about SET value = '0' WHERE name = 'version'")
    assert numbers(index) == before


def test_the_index_of_another_log_is_built_again(log, index):
    add(log, 50, "old")
    assert numbers(index, words="old")
    path = segments.current_path(log.root)
    with open(path, encoding="utf-8") as file:
        lines = [line for line in file if '"old' not in line]
    entry = json.dumps({"seq": 1, "event": "note", "data": {"text": "another"}, "prev": "0" * 64})
    with open(path, "w", encoding="utf-8") as file:
        file.writelines([*lines, *[f"{entry}\n"] * 60])
    assert numbers(index, words="old") == []
    assert numbers(index, words="another")


def test_lines_that_are_no_entries_are_listed_and_stop_nothing(log, index):
    add(log, 5)
    with open(segments.current_path(log.root), "ab") as file:
        file.write(b"\xff\xfe no entry\n[1]\nnull\n")
    add_more = {"event": "note", "data": {"text": "behind"}}
    index.catch_up(60)
    events = [each.entry["event"] for each in index.page(Wanted())]
    assert events[:3] == ["log_unreadable"] * 3
    log.append(add_more)
    assert numbers(index, words="behind")


def test_a_long_log_is_read_in_the_background_and_says_how_far_it_is(log, index):
    add(log, 1500)
    found = index.catch_up(0)
    assert not found.is_complete
    assert 0 < found.read < found.size
    index._worker.join(60)
    assert index.catch_up().is_complete


def test_only_the_person_can_read_it(log, index):
    add(log, 1)
    index.catch_up(60)
    assert os.stat(index.path).st_mode & 0o077 == 0


def test_where_it_cannot_be_written_that_is_said(log, index, monkeypatch):
    add(log, 1)
    folder = os.path.dirname(index.path)
    os.makedirs(os.path.dirname(folder), exist_ok=True)
    if os.path.isdir(folder):
        os.rename(folder, f"{folder}-before")
    with open(folder, "w", encoding="utf-8"):
        pass
    assert "could not be indexed" in index.catch_up().problem
