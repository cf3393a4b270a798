"""What each agent's program prints, as it was seen: what a person reads, and how it counts."""

from __future__ import annotations

import itertools
import json
from datetime import UTC, datetime

import pytest
from hypothesis import given, strategies as st

from operators_edge.bridge.executors.aider_text import AiderText
from operators_edge.bridge.executors.claude_events import ClaudeEvents
from operators_edge.bridge.executors.codex_events import CodexEvents
from operators_edge.bridge.executors.limits import ends_at
from operators_edge.bridge.executors.opencode_events import OpenCodeEvents
from operators_edge.bridge.executors.port import Usage
from operators_edge.bridge.executors.transcript import Lines, PlainText

STEP = {"input": 100, "output": 20, "reasoning": 5, "cache": {"write": 0, "read": 10}}


def read(transcript, *events):
    text = "".join(transcript.read(json.dumps(each) + "\n") for each in events)
    return text, transcript.report


def tool(name, status="completed", **state):
    part = {"tool": name, "state": {"status": status, "input": {"filePath": "a.py"}, **state}}
    return {"type": "tool_use", "part": part}


def step(reason, cost=0.5):
    return {"type": "step_finish", "part": {"reason": reason, "tokens": STEP, "cost": cost}}


def failure(message, status=None, name="APIError"):
    data = {"message": message} | ({"statusCode": status} if status else {})
    return {"type": "error", "error": {"name": name, "data": data}}


def test_opencode_is_done_when_its_last_step_says_stop():
    events = OpenCodeEvents("p/m")
    text, said = read(
        events,
        {"type": "text", "part": {"text": "I look"}},
        tool("read"),
        step("tool-calls"),
        tool("bash", "error", error="Model tried to call unavailable tool 'invalid'."),
        tool("edit", "error", error="oldString not found"),
        step("stop"),
    )
    assert (
        text == "I look\n> read a.py\n> bash a.py: not allowed\n> edit a.py: oldString not found\n"
    )
    assert (said.is_finished, said.outcome, said.denied) == (True, "done", ["bash a.py"])
    assert said.usage == Usage(1.0, 220, 50, 2, "p/m")


@pytest.mark.parametrize("reason", ["tool-calls", "unknown", "length"])
def test_opencode_is_not_done_when_its_last_step_says_anything_else(reason):
    _, said = read(OpenCodeEvents("p/m"), step("stop"), step(reason))
    assert said.is_finished is False


@pytest.mark.parametrize(
    ("event", "outcome"),
    [
        (failure("invalid key", 401), "not_logged_in"),
        (failure("slow down", 429), "usage_limited"),
        (failure("Your credit balance is too low", 400), "usage_limited"),
        (failure("overloaded", 500), "failed"),
        (failure("Unexpected server error. Check server logs."), "no_model"),
        (failure("JSON parsing failed", name="UnknownError"), "failed"),
        ({"type": "error"}, "failed"),
    ],
)
def test_an_error_of_opencode_has_its_kind_and_words(event, outcome):
    _, said = read(OpenCodeEvents("p/m"), event)
    assert (said.outcome, bool(said.detail)) == (outcome, True)


def test_an_unexpected_error_after_the_first_step_is_not_about_the_model():
    _, said = read(OpenCodeEvents("p/m"), step("stop"), failure("Unexpected server error."))
    assert said.outcome == "failed"


def test_opencode_prints_when_its_providers_limit_ends():
    event = failure("Slow down. Please try again in 2h10m0s.", 429)
    event["error"]["data"]["responseHeaders"] = {"retry-after": "7"}
    _, said = read(OpenCodeEvents("p/m"), event)
    now = datetime(2030, 1, 1, tzinfo=UTC)
    assert ends_at(said.due, now) == datetime(2030, 1, 1, 2, 10, tzinfo=UTC)
    event["error"]["data"]["message"] = "Slow down."
    _, said = read(OpenCodeEvents("p/m"), event)
    assert ends_at(said.due, now) == datetime(2030, 1, 1, 0, 0, 7, tzinfo=UTC)


def assistant(*blocks, **more):
    return {"type": "assistant", "message": {"content": list(blocks)}, **more}


def result(**more):
    usage = {"input_tokens": 8, "cache_read_input_tokens": 2, "output_tokens": 3}
    start = {"type": "result", "subtype": "success", "is_error": False, "num_turns": 4}
    return {**start, "usage": usage, "total_cost_usd": 0.25, **more}


def test_claude_is_done_when_its_result_has_no_error():
    denied = {"tool_name": "Write", "tool_input": {"file_path": ".git/x"}}
    text, said = read(
        ClaudeEvents(),
        {"type": "system", "subtype": "init", "model": "m"},
        assistant(
            {"type": "text", "text": "Hm"}, {"type": "tool_use", "name": "Bash", "input": {}}
        ),
        {
            "type": "user",
            "message": {
                "content": [
                    {
                        "type": "tool_result",
                        "is_error": True,
                        "content": "Error: No such tool available: Bash. Bash is disabled",
                    }
                ]
            },
        },
        result(permission_denials=[denied]),
    )
    assert text.startswith("Hm\n> Bash\n  Error: No such tool")
    assert (said.is_finished, said.denied) == (True, ["Bash", "Write .git/x"])
    assert said.usage == Usage(0.25, 10, 3, 4, "m")


@pytest.mark.parametrize(
    ("events", "outcome"),
    [
        ([assistant(error="authentication_failed"), result(is_error=True)], "not_logged_in"),
        ([assistant(error="model_not_found"), result(is_error=True)], "no_model"),
        ([assistant(error="billing_error"), result(is_error=True)], "usage_limited"),
        ([assistant(error="rate_limit"), result(is_error=True)], "usage_limited"),
        ([result(is_error=True, api_error_status=429)], "usage_limited"),
        ([result(is_error=True, api_error_status=500)], "failed"),
        ([result(is_error=True, subtype="error_max_budget_usd")], "cost_exceeded"),
        ([result(is_error=True, subtype="error_max_turns")], "failed"),
        ([result(is_error=True, result="It broke")], "failed"),
    ],
)
def test_an_error_of_claude_has_its_kind_and_words(events, outcome):
    _, said = read(ClaudeEvents(), *events)
    assert (said.outcome, said.is_finished, bool(said.detail)) == (outcome, False, True)


def test_claude_says_when_the_limit_of_a_subscription_ends():
    info = {"status": "rejected", "resetsAt": 1893463200, "rateLimitType": "five_hour"}
    events = [
        {"type": "rate_limit_event", "rate_limit_info": info},
        assistant(error="rate_limit"),
        result(is_error=True, result="You've hit your 5-hour limit · resets 2am (UTC)"),
    ]
    _, said = read(ClaudeEvents(), *events)
    assert said.outcome == "usage_limited"
    now = datetime(2030, 1, 1, tzinfo=UTC)
    assert ends_at(said.due, now) == datetime(2030, 1, 1, 2, tzinfo=UTC)
    info["status"] = "allowed_warning"
    assert read(ClaudeEvents(), events[0])[1].due == ""


def test_claude_trying_a_refused_key_again_is_hopeless_and_waiting_for_a_limit_is_not():
    retry = {"type": "system", "subtype": "api_retry", "error_status": 401}
    _, said = read(ClaudeEvents(), {**retry, "error": "authentication_failed"})
    assert (said.is_hopeless, said.outcome) == (True, "not_logged_in")
    _, said = read(ClaudeEvents(), {**retry, "error": "rate_limit", "error_status": 429})
    assert (said.is_hopeless, said.outcome) == (False, "done")


def test_codex_is_done_when_its_turn_is_completed():
    change = {"type": "file_change", "changes": [{"path": "a.py"}]}
    text, said = read(
        CodexEvents(),
        {"type": "item.completed", "item": change},
        {"type": "item.completed", "item": {"type": "agent_message", "text": "Done"}},
        {"type": "turn.completed", "usage": {"input_tokens": 7, "output_tokens": 2}},
    )
    assert text == "> edit a.py\nDone\n"
    assert (said.is_finished, said.usage.input_tokens, said.usage.cost) == (True, 7, None)
    _, said = read(CodexEvents(), {"type": "turn.failed", "error": {"message": "401 no key"}})
    assert (said.is_finished, said.outcome) == (False, "not_logged_in")


def test_aider_says_in_words_what_its_exit_code_does_not():
    aider = AiderText()
    aider.read("Tokens: 2.5k sent, 20 received. Cost: $0.01 message, $0.03 session.\n")
    aider.read("Tokens: 1,200 sent, 5 received.\n")
    assert aider.report.usage._replace(cost=None) == Usage(None, 3_700, 25, 2)
    aider.read("litellm.AuthenticationError: AnthropicException - invalid x-api-key\n")
    assert aider.report.outcome == "not_logged_in"
    aider.read("Tokens: 1 sent, 1 received. Cost: $0.01 message, $0.04 session.\n")
    assert (aider.report.outcome, aider.report.usage.cost) == ("done", 0.04)


@pytest.mark.parametrize("make", [ClaudeEvents, CodexEvents, lambda: OpenCodeEvents("p/m")])
@given(
    st.recursive(
        st.none() | st.text(max_size=5) | st.integers() | st.booleans(),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(
                st.sampled_from(["type", "part", "error", "message", "content", "usage", "item"]),
                inner
                | st.sampled_from(["error", "result", "assistant", "step_finish", "tool_use"]),
                max_size=4,
            )
        ),
        max_leaves=8,
    )
)
def test_no_event_of_another_shape_breaks_the_reading(make, value):
    transcript = make()
    for _ in range(2):
        assert isinstance(transcript.read(json.dumps(value)), str)


def test_a_line_that_is_no_event_is_shown_as_it_is():
    assert ClaudeEvents().read("warning: x\n") == "warning: x\n"
    plain = PlainText()
    assert (plain.read("{}\n"), plain.report.is_finished) == ("{}\n", None)


@given(st.binary(max_size=200), st.lists(st.integers(0, 200), max_size=5))
def test_lines_are_the_same_however_their_bytes_arrive(data, cuts):
    lines = Lines()
    places = sorted({0, *cuts, len(data)})
    found = [
        each for start, end in itertools.pairwise(places) for each in lines.feed(data[start:end])
    ]
    whole = Lines()
    assert found + lines.end() == whole.feed(data) + whole.end()


def test_a_separator_of_lines_within_a_text_cuts_no_event():
    line = json.dumps({"a": "x\u2028y\x85z"}, ensure_ascii=False)
    assert Lines().feed(f"{line}\n".encode()) == [line]
