"""Signs that look like others, or like nothing, do not change what a text says."""

from __future__ import annotations

import pytest

from operators_edge.text.confusables import normalised


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
