"""What of a program's output is in the log and in the result, however much it prints."""

from __future__ import annotations

import re
import threading
import tracemalloc

import pytest

from operators_edge.bridge.capture import AttemptLog, Capture, Keep
from operators_edge.bridge.executors import transcript
from operators_edge.bridge.executors.agent import Output
from operators_edge.bridge.executors.port import Request
from operators_edge.bridge.verify import Limits, Place
from operators_edge.text.wording import amount

SECRET = "correct-horse-battery-staple-9"


@pytest.fixture(scope="module")
def flood():
    return "".join(f"line {number}\n" for number in range(300_000))


@pytest.fixture
def captured(tmp_path):
    def capture(text, keep):
        log = AttemptLog(str(tmp_path / "log"), values=[SECRET])
        stream = Capture(log, keep)
        data = text.encode()
        for at in range(0, len(data), 65_536):
            stream.feed(data[at : at + 65_536])
        said = stream.end("logs/t-1.log")
        assert log.close() == ""
        return said, (tmp_path / "log").read_text(encoding="utf-8")

    return capture


def test_a_short_output_is_whole_in_the_result_and_in_the_log(captured):
    assert captured("one\ntwo\n", Keep()) == ("one\ntwo\n", "one\ntwo\n")


def test_a_long_output_is_whole_in_the_log_alone(captured, flood):
    assert captured(flood, Keep()) == ("[TRUNCATED - see logs/t-1.log]", flood)


def test_of_a_flood_the_log_has_beginning_and_end_and_says_how_much_is_missing(captured, flood):
    said, log = captured(flood, Keep(in_log=1_000_000))
    assert log.startswith("line 0\nline 1\n")
    assert log.endswith("line 299998\nline 299999\n")
    assert len(log) < 1_300_000
    note = re.search(r"\n\[([\d.]+ MB) of output are left out here\]\n", log)
    assert note[1] == amount(len(flood) - len(log) + len(note[0]))
    assert said == f"[TRUNCATED - see logs/t-1.log] [the log lacks {note[1]} in the middle]"


def test_secrets_of_a_flood_are_hidden_in_its_end_too(captured, flood):
    text = f"{SECRET}\n" + flood.replace("9\n", f"9 {SECRET}\n")
    _, log = captured(text, Keep(in_log=1_000_000))
    assert SECRET not in log
    assert log.count("[REDACTED]") > 1_000


@pytest.mark.parametrize("kind", ["command", "agent"])
@pytest.mark.parametrize("piece", [b"x" * 65_536, b"word " * 13_000], ids=["nospace", "words"])
def test_a_line_without_end_takes_no_more_memory_than_its_bounds(
    tmp_path, monkeypatch, kind, piece
):
    monkeypatch.setattr(transcript, "_MAX_LINE", 256 * 1024)
    log = AttemptLog(str(tmp_path / "log"), values=[SECRET])
    stream = Capture(log, Keep(in_log=512 * 1024))
    place = Place(str(tmp_path), {}, threading.Event())
    request = Request({"max_cost": 0}, "", place, Limits(1, 1), stream.feed)
    output = Output(request, transcript.PlainText())
    feed = output.feed if kind == "agent" else stream.feed
    tracemalloc.start()
    try:
        for _ in range(12_000_000 // len(piece)):
            feed(piece)
        output.end()
        stream.end("logs/t-1.log")
        assert tracemalloc.get_traced_memory()[1] < 6_000_000
    finally:
        tracemalloc.stop()
    log.close()
