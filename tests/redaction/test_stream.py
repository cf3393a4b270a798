"""Redaction of output that arrives in pieces hides what redaction of the whole hides."""

from __future__ import annotations

import random

import pytest

from operators_edge.redaction.redact import redact
from operators_edge.redaction.stream import Stream

KNOWN = "hunter2-correct-horse"
KEY = "-----BEGIN PRIVATE KEY-----\n" + "MIIEvQIBADANBgkqhkiG9w0BAQEFAASC\n" * 30
KEY += "-----END PRIVATE KEY-----\n"
SECRETS = (
    "Authorization: Bearer abcDEF123456.ghi-jkl\n",
    "ANTHROPIC_API_KEY=sk-ant-api03-Wk7Qz2Lm9Vt4Xb6\n",
    f"the password is {KNOWN}\n",
    "postgres://user:s3cr3tPassw0rd@db.example.com/x\n",
    KEY,
)


def streamed(data, sizes):
    stream, out, at = Stream(values=[KNOWN]), [], 0
    while at < len(data):
        size = next(sizes)
        out.append(stream.feed(data[at : at + size]))
        at += size
    return "".join((*out, stream.end()))


def always(size):
    while True:
        yield size


@pytest.mark.parametrize("secret", SECRETS)
def test_a_secret_is_hidden_wherever_it_is_cut(secret):
    text = f"before ünï\n{secret}after\n"
    wanted = redact(text, values=[KNOWN])
    assert wanted != text
    data = text.encode()
    for at in range(1, len(data)):
        stream = Stream(values=[KNOWN])
        assert stream.feed(data[:at]) + stream.feed(data[at:]) + stream.end() == wanted


@pytest.mark.parametrize("size", [1_000, 65_536, 300_000])
def test_a_long_output_is_redacted_as_the_whole_is_and_given_out_on_the_way(size):
    draw = random.Random(size)  # noqa: S311 - the same text in each run
    words = [f"line {number} of ordinary output\n" for number in range(20_000)]
    for secret in SECRETS * 20:
        words.insert(draw.randrange(len(words)), secret)
    text = "".join(words)
    stream = Stream(values=[KNOWN])
    out = [stream.feed(text[at : at + size].encode()) for at in range(0, len(text), size)]
    assert sum(map(len, out)) > len(text) // 2
    assert "".join((*out, stream.end())) == redact(text, values=[KNOWN])


def test_a_line_without_an_end_is_given_out_too():
    text = '{"a": [' + ",".join(f'"word{number}"' for number in range(200_000)) + "]}"
    stream = Stream()
    out = [stream.feed(text[at : at + 50_000].encode()) for at in range(0, len(text), 50_000)]
    assert sum(map(len, out)) > len(text) // 2
    assert "".join((*out, stream.end())) == redact(text)


def test_bytes_that_are_no_text_are_replaced():
    assert streamed(b"a\xff\xc3", always(1)) == "a\ufffd\ufffd"
