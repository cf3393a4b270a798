"""``edge lesson`` as a person and an agent use it."""

import io
import json
import os

import pytest

from operators_edge.cli.commands import lesson
from operators_edge.gate import decide, rules
from operators_edge.gate.facts import SystemFacts
from operators_edge.model import Call, Place
from operators_edge.project import Project


def memory_of(project):
    return Project(project, is_set_up=True).state.read()["memory"]


def test_the_short_form_adds_and_the_noun_alone_lists(edge, project):
    assert "No lesson yet" in edge("lesson")[1]
    assert edge("lesson", "git push", "run", "make", "test") == (
        0,
        "Lesson 1: git push: run make test\n",
        "",
    )
    edge("lesson", "add", "list", "is a verb", "--evergreen", "--applies-to", "verbs")
    assert edge("lesson")[1] == "  1. git push: run make test\n  2. list: is a verb (evergreen)\n"
    assert memory_of(project)[1]["applies_to"] == ["verbs"]
    listed = json.loads(edge("lesson", "--json")[1])["data"]
    assert [each["number"] for each in listed] == [1, 2]
    assert len(listed[0]["key"]) == 12
    assert edge("lesson", "rm", "1", "2")[1].count("Removed") == 2
    assert memory_of(project) == []


SECRET = "ghp_" + "a1B2" * 9


@pytest.mark.parametrize(
    "words",
    [
        ("lesson", "git push", f"use {SECRET}"),
        ("lesson", f"curl -u me:{SECRET}", "like this"),
        ("lesson", "edit", "1", "--lesson", f"use {SECRET}"),
        ("lesson", "add", "x", "--command", f"login {SECRET}"),
        ("note", f"use {SECRET}"),
        ("objective", f"use {SECRET}"),
        ("plan", "add", f"use {SECRET}"),
        ("constraint", f"use {SECRET}"),
        ("mismatch", f"use {SECRET}"),
        ("question", f"use {SECRET}"),
        ("intent", f"use {SECRET}"),
        ("active", f"use {SECRET}"),
        ("ask", f"use {SECRET}?", "--option", "a", "--option", "b"),
        ("brainstorm", f"use {SECRET}"),
        ("risk", f"use {SECRET}"),
    ],
)
def test_a_text_with_a_secret_is_refused_everywhere_and_is_kept_nowhere(edge, project, words):
    edge("lesson", "git push", "run make test")
    code, out, err = edge(*words)
    assert (code, out) == (64, "")
    assert "nothing was stored: the text contains what looks like a secret (github)" in err
    assert "here: " in err
    assert "[REDACTED:github]" in err
    assert "$GITHUB_TOKEN" in err
    assert SECRET not in err
    for folder, _, names in os.walk(project):
        for name in names:
            with open(os.path.join(folder, name), "rb") as file:
                assert SECRET.encode() not in file.read()


def test_the_value_of_a_secret_variable_is_refused_and_an_old_one_stands_in_no_ones_way(
    edge, project, monkeypatch
):
    edge("lesson", "deploy", "the word is plain-words-only")
    monkeypatch.setenv("DEPLOY_TOKEN", "plain-words-only")
    assert edge("lesson", "deploy again", "say plain-words-only")[0] == 64
    assert edge("note", "something else")[0] == 0
    assert len(memory_of(project)) == 1


def test_conditions_say_when_it_comes_up(edge, project):
    edge("lesson", "apply by hand", "--path", "db/**/*.sql", "--exit", "3", "--command", "psql")
    assert memory_of(project)[0]["when"] == {
        "command": ["psql"],
        "path": ["db/**/*.sql"],
        "exit_code": ["3"],
    }
    out = edge("lesson", "why", "1")[1]
    assert "matches:   command psql and path db/**/*.sql and exit code 3" in out
    assert edge("lesson", "edit", "1", "--no-when", "--trigger", "psql")[0] == 0
    assert "matches:   command psql\n" in edge("lesson", "why", "1")[1]


def test_the_search_asks_exact_triggers_first_then_words(edge):
    edge("lesson", "when all is done", "then git push is a good idea")
    edge("lesson", "git push", "run make test first")
    edge("lesson", "*.sql", "apply by hand")
    assert edge("lesson", "search", "cd x && git push origin")[1].startswith(
        '  2. git push: run make test first\n     command "git push"\n  1. '
    )
    assert 'path "*.sql"' in edge("lesson", "search", "db/a.sql")[1]
    assert edge("lesson", "search", "kubernetes") == (0, "No lesson matches.\n", "")
    found = json.loads(edge("lesson", "search", "git push", "--most", "1", "--json")[1])["data"]
    assert [(each["number"], each["why"]) for each in found] == [(2, 'command "git push"')]


def test_an_agents_word_keeps_a_lesson_alive_and_counts_for_nothing(edge, project, monkeypatch):
    monkeypatch.setenv("CLAUDECODE", "1")
    edge("lesson", "a", "b")
    code, out, err = edge("lesson", "used", "1")
    assert (code, out) == (0, "Lesson 1 used today: a: b\n")
    assert "only an observed outcome" in err
    assert memory_of(project)[0]["reinforced"] == 0
    last = Project(project, is_set_up=True).log.tail(1)[0]
    assert (last["event"], last["data"]["observed"]) == ("lesson_used", False)


@pytest.mark.parametrize(
    "text",
    [
        '{"trigger": "a", "lesson": "b"}\n\n{"trigger": "c", "lesson": "d", "reinforced": 2}\n',
        '[{"trigger": "a", "lesson": "b"}, {"trigger": "c", "lesson": "d", "reinforced": 2}]',
        '\ufeff{"memory": [{"trigger":"a", "lesson":"b"}, {"trigger":"c", "lesson":"d", "reinforced":2}]}',
    ],
)
def test_a_file_brings_many_in_one_change(edge, project, tmp_path, text):
    path = tmp_path / "lessons.json"
    path.write_text(text, encoding="utf-8")
    assert edge("lesson", "add", "--from", str(path))[1] == "Lesson 1: a: b\nLesson 2: c: d\n"
    assert [each["reinforced"] for each in memory_of(project)] == [0, 2]
    assert edge("lesson", "add", "--from", str(path))[1] == "Nothing was added.\n"


def test_lessons_come_from_a_pipe_too(edge, project, monkeypatch):
    data = b'{"trigger": "a", "lesson": "b"}\n'
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(data)))
    assert edge("lesson", "add", "--from", "-")[0] == 0
    assert memory_of(project)[0]["lesson"] == "b"


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"", "contains no lessons"),
        (b"[]", "contains no lessons"),
        (b"7", "contains no lessons"),
        (b'{"trigger": "a", "lesson": "b"}\n{"trig', "line 2 of"),
        (b'{"trigger": "a", "lesson": "b"}\n{"trigger": "c"}', "line 2 of"),
        (b'["a text"]', "entry 1 of"),
        (b"\xff\xfe", "is not UTF-8"),
        (b"[" * 100_000, "is not JSON"),
    ],
)
def test_a_file_that_is_wrong_anywhere_brings_nothing_and_is_said(
    edge, project, tmp_path, data, why
):
    brings_nothing(edge, project, tmp_path, data, why)


def test_a_file_that_is_too_large_brings_nothing_and_is_said(edge, project, tmp_path):
    brings_nothing(edge, project, tmp_path, b" " * (lesson._MAX_BYTES + 1), "larger than 5 MB")


def brings_nothing(edge, project, tmp_path, data, why):
    path = tmp_path / "lessons.json"
    path.write_bytes(data)
    code, out, err = edge("lesson", "add", "--from", str(path))
    assert (code, out) == (64, "")
    assert why in err
    assert "memory" not in Project(project, is_set_up=True).state.read()


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("add",), "a trigger and a text"),
        (("only one",), "a lesson needs both"),
        (("add", "a", "b", "--error", "/(a+)+/"), "take too long"),
        (("add", "--from", "/nowhere/at/all"), "could not be read"),
        (("add", "a", "--from", "x"), "take no other options"),
        (("rm", "4"), "there is no lesson 4"),
        (("why", "1"), "there is no lesson 1"),
        (("edit", "1"), "no change of lesson 1"),
        (("search",), "missing: TEXT"),
    ],
)
def test_what_cannot_be_done_is_said(edge, words, why):
    code, out, err = edge("lesson", *words)
    assert (code, out) == (64, "")
    assert why in err


def test_an_agent_may_keep_and_read_lessons(tmp_path):
    loaded, place = rules.load(), Place(root=str(tmp_path), home="/home/ann")
    for words in ('add "git push" "test"', "used 1", "search x", "rm 1", "--json", "why 1"):
        call = Call("Bash", {"command": f"edge lesson {words}"}, str(tmp_path))
        assert decide.assess(call, place, SystemFacts(), loaded).effect == "allow"
