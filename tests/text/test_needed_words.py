"""Each match of a pattern has one of the words that it needs."""

from __future__ import annotations

import re

from hypothesis import given, strategies as st
from tests.tables import for_each

from operators_edge.shell.code.client_calls import CLIENTS
from operators_edge.text.needed_words import may_be_in, needed_words


@for_each(
    ("source", "words"),
    [
        ("remove", ("remove",)),
        (r"\brm\s*\(", ("rm",)),
        ("unlink|remove_all|remove_dir", ("unlink", "remove_all", "remove_dir")),
        ("remove|rmtree", ("emove", "mtree")),
        ("delete|deleteAll", ("delete",)),
        ("a(?:bc|de)?f", ("a",)),
        ("x(?:abc)+", ("abc",)),
        ("(?:abc)*", ()),
        ("abc|", ()),
        (r"\w+", ()),
        ("[ab]cd", ("cd",)),
        ("(?!abc)def", ("def",)),
        ("(?=abc)", ()),
        ("x(?i:ABC)", ("abc",)),
        ("(?i)ABC", ("abc",)),
        (r"com\.twilio\b|twilio[-_]rust", ("twilio",)),
        ("\u00fcber|abc", ("abc", "ber")),
    ],
)
def test_words_are_found_that_each_match_has(source, words):
    assert needed_words(source).words == words


def test_case_counts_unless_the_pattern_takes_both():
    assert may_be_in("rm", "rm(x)", "rm(x)")
    assert not may_be_in("rm", "RM(x)", "rm(x)")
    assert may_be_in("(?i)rm", "RM(x)", "rm(x)")
    assert may_be_in(r"\w+", "", "")


_PART = st.sampled_from(
    [
        "ab",
        "c",
        "de?",
        "[fg]",
        "(?:hi|j)",
        "(?:kl)*",
        "(?:mn)+",
        r"\w",
        "(?i:op)",
        "(?=q)",
        "(?>rs)",
        "|",
    ]
)


@given(st.lists(_PART, max_size=6).map("".join), st.text("abcdefghijklmnopqrsOP", max_size=30))
def test_no_text_without_such_a_word_has_a_match(source, text):
    if re.search(source, text):
        assert may_be_in(source, text, text.lower())


def test_vendors_libraries_are_looked_for_by_a_word():
    assert all(needed_words(one.uses).words for one in CLIENTS if not one.address)
