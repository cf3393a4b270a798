"""The client's own todo tools end up in the plan, with what was done for them, through the real client."""

from pathlib import Path
from typing import Any

import pytest
from tests.e2e.drive import World, one_shot
from tests.e2e.model_server import ModelServer, Use
from tests.e2e.story import Story

from operators_edge.state.store import load_text

pytestmark = pytest.mark.e2e

TASKS = {"CLAUDE_CODE_ENABLE_TODO_TOOLS": "1"}
LISTS = {**TASKS, "CLAUDE_CODE_ENABLE_TASKS": "0"}


def plan_of(story: Story) -> list[dict[str, Any]]:
    steps: list[dict[str, Any]] = load_text(story.file("active_context.yaml").read_text())["plan"]
    return steps


def test_tasks_become_steps_with_their_status_and_an_observed_proof(
    client: Path, server: ModelServer, tmp_path: Path
) -> None:
    world = World(tmp_path, client, server, TASKS)
    story = Story(world)
    server.play(
        [Use("TaskCreate", {"subject": "mend the sum", "description": "d"})],
        [Use("TaskCreate", {"subject": "say so", "description": "d"})],
        [Use("TaskCreate", {"subject": "given up", "description": "d"})],
        [Use("TaskUpdate", {"taskId": "1", "status": "in_progress"})],
        [Use("Write", {"file_path": story.path("new.py"), "content": "a = 1\n"})],
        [Use("TaskUpdate", {"taskId": "1", "status": "completed"})],
        [Use("TaskUpdate", {"taskId": "3", "status": "deleted"})],
        [Use("TaskUpdate", {"taskId": "9", "status": "completed"})],
        ["Done."],
    )
    one_shot(world, "mend it")
    first, second = plan_of(story)
    assert (first["description"], first["status"]) == ("mend the sum", "completed")
    assert first["proof"].startswith("auto: 1 file (log ")
    assert (second["description"], second["status"]) == ("say so", "pending")
    assert {step["source"] for step in (first, second)} == {"host"}


def test_a_todo_list_becomes_steps_too(client: Path, server: ModelServer, tmp_path: Path) -> None:
    world = World(tmp_path, client, server, LISTS)
    story = Story(world)

    def listed(*statuses: str) -> list[Use]:
        texts = ("mend the sum", "say so")
        todos = [
            {"content": text, "status": status, "activeForm": text}
            for text, status in zip(texts, statuses, strict=False)
        ]
        return [Use("TodoWrite", {"todos": todos})]

    server.play(listed("in_progress", "pending"), listed("completed"), ["Done."])
    one_shot(world, "mend it")
    assert [(step["description"], step["status"]) for step in plan_of(story)] == [
        ("mend the sum", "completed")
    ]
