"""Signs that look like others, or like nothing, do not change what a text says."""

from __future__ import annotations

import pytest

from operators_edge.text.confusables import confusable_hosts, confusables, normalised


@pytest.mark.parametrize(
    "text",
    [
        "/\u0435dge approve",
        "/edge\u200b approve",
        "/ed\u00adge approve",
        "\uff0fedge approve",
        "/edge\u00a0approve",
        "\u2215edge \uff41pprove",
        "/\u202eedge approve",
    ],
)
def test_a_hidden_or_lookalike_sign_is_read_as_what_it_looks_like(text):
    assert normalised(text) == "/edge approve"


def test_words_in_another_script_keep_no_latin_meaning_by_chance():
    assert normalised("grüße") == "grüße"
    assert normalised("日本語") == "日本語"


def test_a_word_that_reads_as_another_is_found_with_the_characters_that_differ():
    (found,) = confusables("git push origin m\u0430in")
    assert (found.plain, found.span, found.signs) == ("main", (16, 20), "\u0430 (U+0430)")
    (found,) = confusables("npm install re\u200bact")
    assert (found.plain, found.signs) == ("react", "U+200B")


@pytest.mark.parametrize(
    "text",
    ["git push origin main", "echo grüße", "echo 日本語", "git commit -m '\u0440\u0430\u043a'"],
)
def test_plain_words_and_words_of_one_other_alphabet_are_no_confusables(text):
    assert list(confusables(text)) == []


def test_only_hosts_of_addresses_are_hosts():
    text = "git clone https://u@g\u0456thub.com/\u0430bc git@g\u0456tlab.com:x \u0430bc.com"
    assert [one.plain for one in confusable_hosts(text)] == ["github.com", "gitlab.com"]


@pytest.mark.parametrize(
    ("word", "hosts"),
    [
        ("g\u0456thub.com/a/b", ["github.com"]),
        ("g\u0456thub.com:a/b", ["github.com"]),
        ("--host=ex\u0430mple.com", ["example.com"]),
        ("github.com:443:g\u0456thub.com", ["github.com"]),
        ("@\u0430ngular/core", ["angular"]),
        ("\u0430\u0440\u0440\u04cf\u0435.com", ["apple.com"]),
        ("registry.npmjs.\u043erg", ["registry.npmjs.org"]),
        ("\u0440\u0430\u043a", []),
        ("\u0440\u0430\u043a.txt", []),
        ("\u043f\u0440\u0438.\u0440\u0444", []),
        ("see g\u0456thub.com", []),
        ("thanks @\u0430nn", []),
    ],
)
def test_a_host_may_be_written_without_a_scheme_for_a_program_that_connects(word, hosts):
    assert [one.plain for one in confusable_hosts(word, is_plain=True)] == hosts
