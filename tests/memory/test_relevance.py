"""Which of a project's lessons are shown with a call or failure: those that are about it, and no others."""

import tomllib
from pathlib import Path

import pytest

from operators_edge.memory import service, triggers

TABLE = tomllib.loads(Path(__file__).with_name("relevance.toml").read_text(encoding="utf-8"))
LESSONS = [{"trigger": trigger, "lesson": text} for trigger, text in TABLE["lessons"]]
RELEVANT = [(call, each["lesson"]) for each in TABLE["relevant"] for call in each["calls"]]
OTHERS = [call for each in TABLE["other"] for call in each["calls"]]


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    """The lessons that are shown with a call, or with its failure."""
    root = str(tmp_path_factory.mktemp("project"))

    def of(call):
        command, _, error = call.partition(" => ")
        code = int(error.removeprefix("Exit code ")) if error.startswith("Exit code ") else 1
        about = {"tool": "Bash", "command": command}
        if command.startswith("edit "):
            about = {"tool": "Edit", "path": f"{root}/{command.removeprefix('edit ')}"}
        if not error:
            hits = triggers.exact_hits(LESSONS, **about)
        else:
            hits = service.about_failure(root, LESSONS, error=error, exit_code=code, **about)
        return [hit.lesson["lesson"] for hit in hits]

    return of


def test_lessons_are_shown_with_what_they_are_about(found):
    missed = [
        (call, text) for call, text in RELEVANT if not any(text in each for each in found(call))
    ]
    assert missed == []


def test_lessons_are_not_shown_with_what_only_looks_like_it(found):
    assert {call: told for call in OTHERS if (told := found(call))} == {}


def test_every_call_that_a_lesson_is_about_passes_the_quick_check():
    words = triggers.trigger_words(LESSONS)
    calls = [call for call, _ in RELEVANT if " => " not in call]
    assert [call for call in calls if not any(word in call.lower() for word in words)] == []
