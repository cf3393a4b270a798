"""Lessons found by their words, and an index that can be deleted at any time."""

import os
import sqlite3
import stat
import subprocess
import sys
import time

import pytest
from hypothesis import given, strategies as st
from tests.properties import examples

from operators_edge.memory import store as memory_store
from operators_edge.memory.store import THRESHOLD, search

LESSONS = [
    {
        "trigger": "API returns 403",
        "lesson": "Check token expiry; refresh it before long operations",
    },
    {"trigger": "flaky importer", "lesson": "getUserName needs the cache warmed up"},
    {"trigger": "", "lesson": "Migrations are applied by hand on the staging database"},
    "be careful with time zones",
    None,
    {"trigger": "release notes", "lesson": "write them in the changelog"},
]


def found(root, query, **more):
    return [hit.number for hit in search(root, LESSONS, query, **more)]


def indexes(root):
    folder = os.path.join(root, ".proof", "cache")
    return [name for name in os.listdir(folder) if name.startswith("recall-")]


@pytest.fixture
def root(tmp_path):
    (tmp_path / ".proof").mkdir()
    return str(tmp_path)


@pytest.mark.parametrize(
    ("query", "number"),
    [
        ("the token has expired, refreshing", 1),
        ("user name is empty", 2),
        ("migrating the database", 3),
        ("which time zone", 4),
        ("CHANGELOG", 6),
    ],
)
def test_the_lesson_that_says_it_comes_first_and_names_the_words(root, query, number):
    hit = search(root, LESSONS, query)[0]
    assert hit.number == number
    assert hit.why.startswith("words: ")
    assert 0 < hit.score < 1


def test_what_has_nothing_in_common_finds_nothing(root):
    for query in ("kubernetes", "", "the of and", "!!!", '" OR 1', "x" * 50_000):
        assert found(root, query) == []
    assert search(root, [], "token") == []
    assert found(root, "token", limit=0) == []


def test_below_the_threshold_there_is_silence(root):
    output = "compiling 14 files\nlinking the database driver\nwarning: unused variable\ndone in 3s"
    assert found(root, output) == [3]
    assert found(root, output, threshold=THRESHOLD) == []


def test_a_trigger_that_one_line_of_a_long_output_says_is_found(root):
    noise = "\n".join(f"downloading part {n} of something large" for n in range(300))
    output = f"{noise}\ncurl: (22) The requested URL returned error: 403\n{noise}"
    assert found(root, output, threshold=THRESHOLD) == [1]
    apart = f"{noise}\nreturned\n{noise}\n403\n"
    assert found(root, apart, threshold=THRESHOLD) == []


RULES = [
    {"trigger": "", "lesson": "An import that nothing uses is removed; models keep theirs"},
    {"trigger": "", "lesson": "The models of the app are views of one table, in src and tests"},
]


@pytest.mark.parametrize(
    "line",
    [
        "src/app/models.py:12:5: `os` import is not used",
        'File "src/app/models.py", line 12: the import is unused',
        "src\\app\\models.py(12,5): import never used",
    ],
)
def test_the_location_of_an_error_counts_less_than_its_text(root, line):
    output = f"$ make lint\n{line}\nFound 1 error.\nmake: *** [lint] Error 1"
    for query in (line, output):
        assert search(root, RULES, query)[0].number == 1


def test_a_whole_identifier_says_more_than_the_parts_of_another(root):
    lessons = ["set the user name and get it back; the user has one name", "getUserName is slow"]
    assert search(root, lessons, "call of getUserName, user, get name")[0].number == 2


@pytest.mark.parametrize(
    ("trigger", "line", "is_told"),
    [
        ("empty import list", "the list is empty now", False),
        ("server returns 503", "upstream server said 503", True),
        ("empty list", "the list is empty now", True),
        ("replace the empty import list", "an empty import in a list", True),
    ],
)
def test_two_words_of_three_are_no_sign_unless_one_is_a_number(root, trigger, line, is_told):
    lessons = [{"trigger": trigger, "lesson": "do something else entirely"}]
    lessons += [{"trigger": "", "lesson": "the list, the server and its upstream, empty now"}]
    output = f"one more line with many other words in it\n{line}\nanother that fills up the rest"
    assert (1 in [hit.number for hit in search(root, lessons, output, threshold=THRESHOLD)]) is (
        is_told
    )


@pytest.mark.parametrize("sign", ["a.", "a", "a.b ", "/", "(a.", "a.b:", "aB", "a_", "1", ": "])
def test_a_query_of_any_shape_is_read_in_little_time(root, sign):
    started = time.process_time()
    found(root, sign * (20_000 // len(sign)), threshold=THRESHOLD)
    assert time.process_time() - started < 1


def test_the_index_is_built_once_for_the_same_lessons_and_rebuilt_for_others(root):
    found(root, "token")
    before = indexes(root)
    found(root, "cache")
    assert indexes(root) == before
    more = [*LESSONS, {"trigger": "zebra crossing", "lesson": "look left"}]
    assert [hit.number for hit in search(root, more, "zebra")] == [7]
    assert len(indexes(root)) == 1
    assert indexes(root) != before


def test_help_and_dates_make_no_new_index(root):
    found(root, "token")
    before = indexes(root)
    used = [{**LESSONS[0], "reinforced": 9}, *LESSONS[1:]]
    assert search(root, used, "token")[0].lesson["reinforced"] == 9
    assert indexes(root) == before


@pytest.mark.parametrize("damage", [b"", b"no database at all", None])
def test_a_damaged_or_missing_index_is_rebuilt(root, damage):
    found(root, "token")
    path = os.path.join(root, ".proof", "cache", indexes(root)[0])
    if damage is None:
        os.unlink(path)
    else:
        with open(path, "wb") as file:
            file.write(damage)
    assert found(root, "token") == [1]
    with sqlite3.connect(path) as index:
        assert index.execute("SELECT count(*) FROM lessons").fetchone() == (len(LESSONS),)


def test_a_truncated_index_does_not_hide_lessons(root):
    found(root, "token")
    path = os.path.join(root, ".proof", "cache", indexes(root)[0])
    with open(path, "r+b") as file:
        file.truncate(os.path.getsize(path) // 2)
    assert found(root, "token") == [1]


def test_lessons_are_found_even_if_nothing_can_be_written(root):
    with open(os.path.join(root, ".proof", "cache"), "w", encoding="utf-8"):
        pass  # a file where the folder has to be: refused to every user, root too
    assert found(root, "token") == [1]


def test_a_folder_of_any_name_holds_the_index(tmp_path):
    root = str(tmp_path / "a b%20#?é")
    os.makedirs(os.path.join(root, ".proof"))
    assert found(root, "token") == [1]
    assert len(indexes(root)) == 1
    assert stat.S_IMODE(os.stat(os.path.join(root, ".proof", "cache")).st_mode) == 0o700


def test_processes_at_once_find_the_same(root):
    code = (
        "import sys; from operators_edge.memory.store import search\n"
        "print([h.number for h in search(sys.argv[1], [{'trigger': 'a', 'lesson': 'zebra'}], 'zebra')])"
    )
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    running = [
        subprocess.Popen([sys.executable, "-c", code, root], stdout=subprocess.PIPE, env=env)
        for _ in range(4)
    ]
    assert [each.communicate()[0] for each in running] == [b"[1]\n"] * 4


@examples(30)
@given(st.lists(st.text(), min_size=1, max_size=5), st.text())
def test_any_lesson_is_found_by_its_own_words(tmp_path_factory, texts, query):
    root = str(tmp_path_factory.mktemp("any"))
    lessons = [{"trigger": "", "lesson": each} for each in texts]
    search(root, lessons, query)
    for number, each in enumerate(texts, 1):
        hits = search(root, lessons, each, limit=len(texts), threshold=THRESHOLD)
        if memory_store._indexed_text(each):
            assert number in [hit.number for hit in hits]
