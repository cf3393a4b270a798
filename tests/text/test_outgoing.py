"""Whatever a text holds, nothing of it acts on who reads it."""

import json
import os
import unicodedata
from pathlib import Path

from hypothesis import given, strategies as st
from tests.properties import examples

from operators_edge.text import outgoing

UNSEEN = (
    "\x00\x07\x1b\x7f\x85\x9b\u061c\u200b\u200e\u2028\u2029\u202e\u2066\u2069\ufeff\udc80\U000e0041"
)
HOSTILE = st.text(st.one_of(st.characters(exclude_categories=()), st.sampled_from(UNSEEN)))


def unsafe(text, keep=""):
    """What of the text moves a cursor, changes a direction, ends a line or is alone of a pair."""
    return [
        char
        for char in text
        if char not in keep
        and (
            unicodedata.category(char) in ("Cc", "Cs", "Zl", "Zp")
            or unicodedata.bidirectional(char)
            in ("LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI")
            or char in UNSEEN
        )
    ]


@given(HOSTILE)
@examples(200)
def test_a_terminal_gets_no_unsafe_character_but_colours(text):
    shown = outgoing.to_terminal(text)
    assert unsafe(shown, "\n\t\x1b") == []
    assert len(shown) == len(text)


@given(HOSTILE)
@examples(200)
def test_a_program_gets_everything_and_nothing_of_it_unescaped(text):
    sent = outgoing.to_program({"data": {text: [text]}})
    assert unsafe(sent) == []
    assert json.loads(sent) == {"data": {text: [text]}}


@given(HOSTILE)
@examples(200)
def test_what_a_client_shows_is_clean_and_what_it_acts_on_is_as_it_was(text):
    inner = {"permissionDecisionReason": text, "updatedInput": {"reason": text, "command": text}}
    sent = outgoing.to_client({"systemMessage": text, "hookSpecificOutput": inner})
    assert unsafe(sent) == []
    answer = json.loads(sent)
    assert unsafe(answer["systemMessage"], "\n\t") == []
    assert unsafe(answer["hookSpecificOutput"]["permissionDecisionReason"], "\n\t") == []
    assert answer["hookSpecificOutput"]["updatedInput"] == inner["updatedInput"]


def test_what_people_write_stays():
    text = "naïve — 漢字 👩‍👩‍👧 می‌خواهم\tx\ny"
    assert outgoing.to_terminal(text) == text
    assert json.loads(outgoing.to_program(text)) == text


def test_a_problem_is_said_on_stderr_harmlessly_and_whatever_a_path_is_called(capfd):
    outgoing.to_stderr("not recorded: /w/\udc80\x1b]0;x\x07/\u202ea")
    assert capfd.readouterr().err == "operators-edge: not recorded: /w/  ]0;x / a\n"


def test_a_problem_that_cannot_be_said_is_no_second_problem():
    kept = os.dup(2)
    try:
        os.close(2)
        outgoing.to_stderr("nobody reads this")
    finally:
        os.dup2(kept, 2)
        os.close(kept)


def test_nothing_but_the_one_door_writes_to_stderr_directly():
    source = Path(outgoing.__file__).parents[1]
    writing = [
        path.relative_to(source).as_posix()
        for path in source.rglob("*.py")
        if "os.write(2," in path.read_text(encoding="utf-8")
    ]
    assert sorted(writing) == [
        "rehearsal/stage.py",  # in namespaces of its own, where nothing more is loaded
        "text/outgoing.py",
    ]
