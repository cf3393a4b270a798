"""``edge help``: commands by their words, and topics."""

import json

import pytest

from operators_edge.cli.topics import TOPICS
from operators_edge.text.wording import WIDTH, lay_out_for


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["rules", "show"], "Usage: edge rules show ID"),
        (["proof", "anchor"], "Usage: edge log anchor"),
        (["revoke"], "Usage: edge grants revoke GRANT"),
        (["exit-codes"], "64   the command was written wrongly"),
        (["exit", "codes"], "64   the command was written wrongly"),
        (["commands"], "For agents and programs"),
        ([], "Topics: edge help TOPIC"),
        (["topics"], "Topics: edge help TOPIC"),
    ],
)
def test_a_command_or_a_topic_is_explained(words, said, edge):
    code, out, _ = edge("help", *words)
    assert (code, said in out) == (0, True), out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["profile"], "did you mean profiles"),
        (["rules", "shwo"], "edge rules has no 'shwo'; did you mean show"),
        (["qqqq"], "no command or topic 'qqqq'\n"),
    ],
)
def test_what_there_is_not_is_said_with_what_was_meant(words, said, edge):
    code, _, err = edge("help", *words)
    assert (code, said in err) == (64, True), err


@pytest.mark.parametrize("name", TOPICS)
def test_a_topic_fits_a_screen(name, edge):
    text = TOPICS[name].text
    assert max(map(len, text.splitlines())) <= 96
    assert len(text.splitlines()) <= 24
    assert json.loads(edge("help", name, "--json")[1])["data"]["topic"] == name


def test_the_paragraphs_of_a_topic_are_filled_again_on_a_narrow_screen(edge):
    try:
        lay_out_for(50)
        _, out, _ = edge("help", "environment")
    finally:
        lay_out_for(WIDTH)
    files = out[out.index("Files:") :].splitlines()
    assert max(map(len, files)) <= 50
    assert min(map(len, files[:-1])) > 25
