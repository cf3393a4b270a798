import os
import re
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from operators_edge.redaction.scanner import (
    Runs,
    Words,
    all_at_once,
    holds_any,
    lowered,
    one_by_one,
)


def by_index(words: list[bytes]):
    search = one_by_one(words)
    return lambda text: search(Runs(text))


MADE = [pytest.param(by_index, id="without"), pytest.param(all_at_once, id="with the library")]
BOTH = pytest.mark.parametrize("made", MADE)
HOT = pytest.mark.parametrize("is_hot", [False, True])
words_of = st.lists(st.text("jkx-ab", min_size=1, max_size=4), min_size=1, max_size=8, unique=True)


def everywhere(text: str, words: list[str]) -> list[tuple[int, int]]:
    return [
        (at, number)
        for at in range(len(text))
        for number, word in enumerate(words)
        if text.startswith(word, at)
    ]


@BOTH
@given(text=st.text("jkx-ab \n", max_size=40), words=words_of)
def test_every_place_of_every_word_is_found_once(made, text: str, words: list[str]) -> None:
    search = made([word.encode() for word in words])
    assert search is not None
    found = list(search(text.encode()))
    assert sorted((at, number) for number, at, _ in found) == everywhere(text, words)
    assert all(text[at:end] == words[number] for number, at, end in found)


@given(texts=st.lists(st.text("jkx-ab \n", max_size=20), max_size=6), words=words_of)
def test_what_is_known_from_one_text_hides_nothing_in_the_next(texts, words) -> None:
    search = by_index([word.encode() for word in words])
    for text in texts:
        found = search(text.encode())
        assert sorted((at, number) for number, at, _ in found) == everywhere(text, words)


@HOT
def test_words_are_found_across_a_long_text(is_hot) -> None:
    words = ["token", "secret"]
    text = "".join(" " * (65_530 + each) + words[each % 2] for each in range(12))
    assert sorted(
        (at, number) for number, at, _ in Words(words).found_in(Runs(lowered(text)), is_hot=is_hot)
    ) == [
        (match.start(), words.index(match.group())) for match in re.finditer("token|secret", text)
    ]


@HOT
def test_a_text_may_hold_a_value_wherever_it_stands_also_beyond_ascii(is_hot) -> None:
    words = Words(["hunter22", "pässwörd"])
    for before in (0, 7, 65_530, 200_000):
        assert words.may_be_in(Runs(lowered("." * before + "pässwörd")), is_hot=is_hot)
        assert words.may_be_in(Runs(lowered("✓" * before + "hunter22.")), is_hot=is_hot)
    assert not words.may_be_in(Runs(lowered("hunter2 " * 20_000)), is_hot=is_hot)


@given(st.text())
def test_a_lowered_text_is_as_long_as_the_text(text: str) -> None:
    assert len(lowered(text)) == len(text)


def in_each_way(words: Words, text: str) -> list[list[tuple[int, int, int]]]:
    """What is found with the library, at first without it, and when much was searched without it."""
    runs = Runs(lowered(text))
    found = [words.found_in(runs, is_hot=True), words.found_in(runs)]
    words.found_in(Runs(b" " * 10_000))
    return [list(each) for each in (*found, words.found_in(runs))]


@given(text=st.text("jkx-ab", max_size=40), words=words_of)
def test_whole_words_are_found_wherever_no_letter_stands_before_them(text, words) -> None:
    wanted = {
        (at, number) for at, number in everywhere(text, words) if at == 0 or text[at - 1] == "-"
    }
    for found in in_each_way(Words(words, whole=words), text):
        places = [(at, number) for number, at, _ in found]
        assert wanted <= set(places) <= set(everywhere(text, words))
        assert len(places) == len(set(places))


def test_a_name_is_found_with_each_sign_and_none_by_a_number_above_those_of_the_words() -> None:
    words = Words(["word"], names=[b"new-relic", b"datadog"])
    for name in ("newrelic", "new-relic", "new_relic", "NEW.RELIC", "New Relic", "DataDog"):
        for found in in_each_way(words, f"a word, {name}_key"):
            ((_, *word), (number, *place)) = sorted(found)
            assert (word, number > 0, place) == ([2, 6], True, [8, 8 + len(name)])


def test_a_name_that_is_a_part_of_words_too_is_found_within_one() -> None:
    for found in in_each_way(Words(["mollie"], names=[b"mollie"]), "directmollie"):
        assert (0, 6, 12) in found


@HOT
@given(
    text=st.text("jkx-=\n", max_size=40), words=st.sets(st.text("jkx-=\n", min_size=1), min_size=1)
)
def test_a_text_holds_any_of_a_few_words_wherever_one_stands(text, words, is_hot) -> None:
    some = [word.encode() for word in words]
    assert holds_any(text.encode(), *some, is_hot=is_hot) == any(word in text for word in words)


BROKEN = {
    "absent": "raise ImportError('no such library for this machine')",
    "of another make": "class Automaton: pass",
    "failing": """
        class MatchKind:
            Standard = LeftmostFirst = None
        class Implementation:
            DFA = None
        class BytesAhoCorasick:
            def __init__(self, words, matchkind=None, implementation=None):
                raise RuntimeError('not today')
        """,
    "blind": """
        class MatchKind:
            Standard = LeftmostFirst = None
        class Implementation:
            DFA = None
        class BytesAhoCorasick:
            def __init__(self, words, matchkind=None, implementation=None): pass
            def find_matches_as_indexes(self, text, overlapping=False):
                return []
        """,
}

REDACTED = """
import sys
from operators_edge.redaction.redact import redact
text = 'ordinary line, nothing in it\\n' * 40_000 + 'API_KEY=a8f3kd92kf and hunter2hunter2\\n'
assert 'ahocorasick_rs' not in sys.modules
print(redact(text, values=['hunter2hunter2']).splitlines()[-1])
"""


@pytest.mark.parametrize("broken", BROKEN.values(), ids=BROKEN)
def test_without_a_library_that_works_the_same_is_redacted(broken: str, tmp_path: Path) -> None:
    (tmp_path / "ahocorasick_rs.py").write_text(textwrap.dedent(broken))
    source = os.path.join(os.getcwd(), "src")
    env = {**os.environ, "PYTHONPATH": os.pathsep.join((str(tmp_path), source))}
    done = subprocess.run(
        [sys.executable, "-c", REDACTED], env=env, capture_output=True, text=True, check=False
    )
    assert (done.stderr, done.stdout) == ("", "API_KEY=[REDACTED] and [REDACTED]\n")


def test_a_process_that_reads_as_much_as_a_hook_imports_no_library() -> None:
    code = REDACTED.replace("40_000", "20_000") + "assert 'ahocorasick_rs' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True, capture_output=True)
