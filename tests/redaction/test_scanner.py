import os
import re
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from operators_edge.redaction.scanner import Rule, Rules, Words, all_at_once, lowered, one_by_one

MADE = [pytest.param(one_by_one, id="without"), pytest.param(all_at_once, id="with the library")]
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


@HOT
def test_words_are_found_across_a_long_text(is_hot) -> None:
    words = ["token", "secret"]
    text = "".join(" " * (65_530 + each) + words[each % 2] for each in range(12))
    assert sorted((at, number) for number, at, _ in Words(words).found_in(text, is_hot=is_hot)) == [
        (match.start(), words.index(match.group())) for match in re.finditer("token|secret", text)
    ]


@HOT
def test_a_text_may_hold_a_value_wherever_it_stands_also_beyond_ascii(is_hot) -> None:
    words = Words(["hunter22", "pässwörd"])
    for before in (0, 7, 65_530, 200_000):
        assert words.may_be_in("." * before + "pässwörd", is_hot=is_hot)
        assert words.may_be_in("✓" * before + "hunter22.", is_hot=is_hot)
    assert not words.may_be_in("hunter2 " * 20_000, is_hot=is_hot)


@given(st.text())
def test_a_lowered_text_is_as_long_as_the_text(text: str) -> None:
    assert len(lowered(text)) == len(text)


LISTED = [
    Rule(("my-key",), r"(?i)my-key\d+", "[a key]"),
    Rule(("ab",), r"(?<=ab)x+", "[x]", is_behind=True),
    Rule(("key",), r"key\]?=(?P<value>\w+)", lambda m: m.group()[: -len(m["value"])] + "[v]"),
    Rule(("z",), r"z+", "[z]"),
]
RULES = Rules(LISTED)


PIECES = [
    *("my-key1", "MY-KEY22", "abx", "ab", "x", "key=", "key", "v1", "z", "zz", "name", "\n"),
    *(" ", "=", "]", "é", "✓", "\u0130", "\u212aey=", "my-\u212aey7"),
]


@HOT
@given(text=st.lists(st.sampled_from(PIECES), max_size=24).map("".join))
def test_rules_tried_where_they_can_match_change_a_text_as_rules_over_all_of_it_do(
    is_hot, text: str
) -> None:
    expected = text
    for rule in LISTED:
        expected = re.sub(rule.source, rule.replacement, expected)
    assert RULES.applied(text, is_hot=is_hot) == expected


def test_what_an_edit_put_in_is_seen_by_the_rules_behind_it() -> None:
    assert RULES.applied("see my-key1=v2, key=v3") == "see [a key]=[v], key=[v]"
    assert RULES.applied("abxx my-key9]=q") == "ab[x] [a key]]=q"


BROKEN = {
    "absent": "raise ImportError('no such library for this machine')",
    "of another make": "class Automaton: pass",
    "failing": """
        class MatchKind:
            Standard = LeftmostFirst = None
        class BytesAhoCorasick:
            def __init__(self, words, matchkind=None):
                raise RuntimeError('not today')
        """,
    "blind": """
        class MatchKind:
            Standard = LeftmostFirst = None
        class BytesAhoCorasick:
            def __init__(self, words, matchkind=None): pass
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
