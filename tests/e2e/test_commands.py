"""Slash commands in the real client: which of them reach the model, and with what."""

import pytest
from tests.e2e.drive import notices, session
from tests.e2e.model_server import ModelServer
from tests.e2e.story import Story

from operators_edge.hosts.claude.slash_commands import COMMANDS

pytestmark = pytest.mark.e2e

# What is typed, and what of the answer has to be there.
FOR_THE_PERSON = {
    "/edge objective Ship the parser": "Ship the parser",
    "/edge-plan add write the parser": "Step 1: write the parser",
    "/edge-step start 1": "Step 1 is in_progress",
    "/edge-research add Which grammar fits?": "R001",
    "/edge-research-results R001 PEG it is": "R001 is completed",
    "/edge-research add Which one is fast?": "R002",
    "/edge-brainstorm show": "No brainstorm yet",
    "/edge-mismatch the parser hangs": "Mismatch 1",
    "/edge-adapt 1 escalate is that fast enough?": "is that fast enough?",
    "/edge-verify": "FAIL  steps_completed: no step is completed",
    "/edge-score": "of 6",
    "/edge-prune --dry-run": "Would go to .proof/archive.jsonl: 1 entry",
    "/edge-eval": "Evals are off",
    "/edge-loop --no-serve": "✓ Traceability",
    "/edge-yolo": "Auto is off",
    "/edge review save it is fine": ".proof/reviews",
    "/edge approve": "nothing is pending",
    "/edge status": "Mode",
}
FOR_THE_MODEL = {
    "/edge-step": "Step 1: write the parser",
    "/edge-research start R002": "Which one is fast?",
    "/edge-brainstorm name the product": "name the product",
    "/edge-adapt": "the parser hangs",
    "/edge-review": "+    return a + b",
    "/edge-plan": "Mode plan: read what is needed",
}
OURS = "Do what Operator's Edge says beside this line"


def test_what_only_asks_or_decides_is_answered_without_a_request(
    story: Story, server: ModelServer
) -> None:
    with session(story.world) as talk:
        for line, wanted in FOR_THE_PERSON.items():
            said = "\n".join(notices(talk.say(line)))
            assert wanted in said, line
        assert server.requests == []


def test_what_the_model_is_to_do_arrives_with_its_computed_text_and_costs_one_request(
    story: Story, server: ModelServer
) -> None:
    story.edge("objective", "Ship the parser")
    story.edge("plan", "add", "write the parser")
    story.edge("mismatch", "the parser hangs")
    story.edge("research", "add", "Which grammar fits?")
    story.edge("research", "add", "Which one is fast?")
    app = story.file("app.py")
    app.write_text(app.read_text().replace("a - b", "a + b"))
    with session(story.world) as talk:
        for number, (line, wanted) in enumerate(FOR_THE_MODEL.items(), 1):
            server.play(["On it."])
            assert notices(talk.say(line)) == []
            assert len(server.requests) == number
            told = server.requests[-1].as_text().rpartition(OURS)[2]
            assert wanted in told, line
        begun = next(each for each in talk.events if each.get("subtype") == "init")
    typed = {line.split()[0].removeprefix("/") for line in (*FOR_THE_PERSON, *FOR_THE_MODEL)}
    assert typed == {each.name for each in COMMANDS}
    assert typed <= set(begun["slash_commands"])


def test_commands_that_nobody_types_add_nothing_to_a_request(
    story: Story, server: ModelServer
) -> None:
    server.play(["Hello."])
    with session(story.world) as talk:
        talk.say("hello")
    (request,) = server.requests
    assert "edge-brainstorm" not in str(request.body)
