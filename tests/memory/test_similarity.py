"""Which lessons are duplicates, and which only seem to be."""

import time
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, strategies as st

from operators_edge.memory import similarity

NOW = datetime(2026, 3, 31, 12, tzinfo=UTC)


def lesson(trigger="a thing", text="do it", *, days=0, **more):
    day = (NOW - timedelta(days=days)).date().isoformat()
    return {"trigger": trigger, "lesson": text, "reinforced": 0, "last_used": day, **more}


def test_two_that_say_the_same_become_the_one_that_helped_more():
    one = lesson("git push", "run make test first", days=3, applies_to=["a"])
    two = lesson("git push", "first run make tests", days=1, reinforced=2, applies_to=["b"])
    kept, merged = similarity.merge([one, two])
    assert kept == [{**two, "applies_to": ["b", "a"]}]
    assert merged == [(kept[0], one)]


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("always run the slow tests before a push", "never run the slow tests before a push"),
        ("the server listens on port 5432", "the server listens on port 5433"),
        ("use tabs in the makefile", "use spaces in the python files"),
    ],
)
def test_what_denies_another_or_names_another_number_is_not_put_together(one, two):
    both = [lesson("it", one), lesson("it", two)]
    assert similarity.merge(both) == (both, [])


def test_lessons_that_wait_for_different_things_are_not_put_together():
    both = [lesson("it", "do x", when={"path": ["a"]}), lesson("it", "do x", when={"path": ["b"]})]
    assert similarity.merge(both) == (both, [])


def test_an_evergreen_lesson_takes_in_the_other_and_two_of_them_stay_apart():
    one = lesson("git push", "run make test first", reinforced=5)
    two = lesson("git push", "first run make tests", evergreen=True)
    kept, _ = similarity.merge([one, two])
    assert [(each["evergreen"], each["reinforced"]) for each in kept] == [(True, 5)]
    both = [two, one | {"evergreen": True}]
    assert similarity.merge(both) == (both, [])


def similar_to(memory, entry):
    contents = [similarity.content_of(each) for each in memory]
    return list(similarity.duplicates(similarity.content_of(entry), contents))


def test_an_entry_that_is_not_a_lesson_has_no_duplicates():
    both = [None, None, "text", "text", {"own": 1}, {"own": 1}]
    assert similarity.merge(both) == (both, [])
    assert similar_to(["", None, {}], {"trigger": "", "lesson": ""}) == []


_TEXTS = st.lists(
    st.sampled_from(["abc", "bcd", "cde", "def", "efg", "fgh", "ghi", "hij", "ijk"]), max_size=7
)


@given(st.lists(_TEXTS, max_size=8), _TEXTS)
def test_no_lesson_that_shares_enough_words_is_overlooked(texts, text):
    memory = [lesson("", " ".join(each)) for each in texts]
    alike = [
        at
        for at, each in enumerate(texts)
        if each and len({*each} & {*text}) >= similarity.MIN_SIMILARITY * len({*each} | {*text})
    ]
    assert similar_to(memory, lesson("", " ".join(text))) == alike


def test_thousands_of_lessons_that_differ_in_a_number_are_kept_in_little_time():
    started = time.process_time()
    memory = [lesson(f"case {n}", f"build module {n} before the release test") for n in range(3000)]
    assert similarity.merge(memory) == (memory, [])
    assert time.process_time() - started < 20  # some 3


def test_thousands_of_lessons_of_few_words_are_compared_in_little_time():
    said = [
        " ".join(f"word{chr(97 + n % k)}{chr(97 + n // k % 26)}" for k in (26, 25, 23, 21, 19))
        for n in range(3000)
    ]
    memory = [lesson("", each) for each in said]
    started = time.process_time()
    assert similarity.merge(memory) == (memory, [])
    assert time.process_time() - started < 20  # some 3
