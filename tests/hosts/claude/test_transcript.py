"""What is read off the client's transcript, as 2.1.329 writes it."""

import json

import pytest

from operators_edge.hosts.claude import transcript

OFF = {"operation": "enqueue", "content": "/edge off"}
SLOWER = {"operation": "enqueue", "content": "slower, please"}
SHOWN = {"operation": "remove", "content": "slower, please", "reason": "absorbed_mid_turn"}
TAKEN = {"operation": "dequeue"}
EDITED = {"operation": "popAll", "content": "/edge off"}
PROMPT = {"type": "user", "message": {"role": "user", "content": "go on"}}
RESULT = {"type": "user", "message": {"role": "user", "content": [{"type": "tool_result"}]}}


@pytest.mark.parametrize(
    ("lines", "waits"),
    [
        ([], False),
        ([OFF], True),
        ([OFF, RESULT], True),
        ([SLOWER, OFF, SHOWN], True),
        ([OFF, TAKEN], False),
        ([OFF, OFF, TAKEN], True),
        ([SLOWER], False),
        ([OFF, EDITED], False),
        ([OFF, PROMPT], False),
        ([OFF, {"type": "user", "message": None}], True),
    ],
)
def test_a_command_waits_until_the_client_takes_it_up(tmp_path, lines, waits):
    path = tmp_path / "transcript.jsonl"
    entries = [{"type": "queue-operation", **line} for line in lines]
    path.write_text("".join(json.dumps(e, separators=(",", ":")) + "\n" for e in entries))
    assert transcript.command_waits(str(path)) is waits


def test_a_transcript_that_is_not_there_or_not_understood_says_nothing(tmp_path):
    path = tmp_path / "transcript.jsonl"
    assert transcript.command_waits(str(path)) is False
    path.write_text('{"type":"queue-operation" broken\n["queue-operation"]\n')
    assert transcript.command_waits(str(path)) is False
