"""Which of a project's lessons are shown with a call or failure: those that are about it, and no others."""

import tomllib
from pathlib import Path

import pytest

from operators_edge.memory import service, triggers

NAMES = ("relevance", "relevance_by_meaning", "relevance_by_acts")


class Memory:
    """The lessons of one project, calls and failures that one of them is about, and others."""

    def __init__(self, name, root):
        table = tomllib.loads(Path(__file__).with_name(f"{name}.toml").read_text(encoding="utf-8"))
        self.root = str(root)
        self.lessons = [{"trigger": trigger, "lesson": text} for trigger, text in table["lessons"]]
        self.relevant = [(call, e["lesson"]) for e in table["relevant"] for call in e["calls"]]
        self.others = [call for each in table["other"] for call in each["calls"]]

    def hits(self, call):
        """The lessons that are shown with a call, or with its failure."""
        command, _, error = call.partition(" => ")
        code = int(error.removeprefix("Exit code ")) if error.startswith("Exit code ") else 1
        about = {"tool": "Bash", "command": command}
        if command.startswith("edit "):
            about = {"tool": "Edit", "path": f"{self.root}/{command.removeprefix('edit ')}"}
        if not error:
            found = triggers.exact_hits(self.lessons, **about)
        else:
            given = {"error": error, "exit_code": code, **about}
            found = service.about_failure(self.root, self.lessons, **given)
        return [hit.lesson["lesson"] for hit in found]


@pytest.fixture(scope="module", params=NAMES)
def memory(request, tmp_path_factory):
    return Memory(request.param, tmp_path_factory.mktemp("project"))


def test_lessons_are_shown_with_what_they_are_about(memory):
    missed = [
        (call, text)
        for call, text in memory.relevant
        if not any(text in each for each in memory.hits(call))
    ]
    assert missed == []


def test_lessons_are_not_shown_with_what_only_looks_like_it(memory):
    assert {call: told for call in memory.others if (told := memory.hits(call))} == {}


def test_every_call_that_a_lesson_is_about_passes_the_quick_check(memory):
    words = triggers.trigger_words(memory.lessons)
    calls = [call for call, _ in memory.relevant if " => " not in call]
    assert [call for call in calls if not any(word in call.lower() for word in words)] == []
