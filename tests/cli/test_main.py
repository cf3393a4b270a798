"""The command line's edge: exit codes, texts and JSON that do not change with the weather."""

import argparse
import io
import json
import sys

import pytest

from operators_edge.cli.parsers import parser_of
from tests.cli import schema
from tests.cli.helps import examples
from tests.processes import edge as run
from tests.tables import for_each


def commands(parser, words=()):
    """Every noun and verb, with its parser."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for name, inner in action.choices.items():
                yield (*words, name), inner
                yield from commands(inner, (*words, name))


PARSER = parser_of()
COMMANDS = {" ".join(words): parser for words, parser in commands(PARSER) if words != ("hook",)}


@for_each("command", COMMANDS)
def test_every_command_has_help_with_examples_that_it_takes(command):
    told = list(examples(COMMANDS[command]))
    assert told
    assert {words[0] for words in told} == {command.split()[0]}
    for words in told:
        PARSER.parse_args(words)


def test_json_is_one_object_for_whatever_an_example_comes_to(edge, monkeypatch):
    for words in (words for command in COMMANDS for words in examples(COMMANDS[command])):
        if "--jsonl" in words or "--openmetrics" in words or "csv" in words:
            continue  # a format of its own
        if words[0] == "watch":
            continue  # an object for each entry, until it is ended
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO()))
        code, out, _ = edge(words[0], "--json", *words[1:])
        told = json.loads(out)
        assert told["ok"] is (code == 0), words
        assert [*schema.misfits(told)] == [], words
        of_event = {"event", "at", "task"} if words[:2] == ["bridge", "watch"] else set()
        answer = {"ok", "data" if "data" in told else "error", "warnings"}
        assert told.keys() - of_event == answer, words
        if "error" in told:
            assert code in (1, 3, 4, 5, 64), words


@pytest.mark.parametrize(
    "answer",
    [
        {"ok": True, "warnings": []},
        {"ok": True, "data": None},
        {"ok": "yes", "data": None, "warnings": []},
        {"ok": True, "data": None, "warnings": [1]},
        {"ok": False, "error": {"code": "no", "message": "x"}, "warnings": []},
        {
            "ok": False,
            "error": {"code": "new", "message": "x", "detail": "", "hint": ""},
            "warnings": [],
        },
        {
            "ok": True,
            "error": {"code": "no", "message": "x", "detail": "", "hint": ""},
            "warnings": [],
        },
    ],
)
def test_another_shape_does_not_fit_the_published_schema(answer):
    assert [*schema.misfits(answer)]


def test_help_is_printed_with_its_example(tmp_path):
    done = run(tmp_path, "status", "--help")
    assert done.returncode == 0
    assert done.stdout.rstrip().endswith("edge status")


@pytest.mark.parametrize("words", [["nonsense"], ["plan", "nonsense"], ["step", "done", "x"]])
def test_wrong_words_end_with_64_and_never_with_2(project, words):
    done = run(project, *words)
    assert done.returncode == 64
    assert "--help" in done.stderr


def test_outside_of_a_project_the_way_in_is_named(tmp_path):
    done = run(tmp_path, "status")
    assert done.returncode == 4
    assert "edge init" in done.stderr


def test_a_damaged_state_ends_with_5_and_says_where(project):
    with open(f"{project}/active_context.yaml", "w", encoding="utf-8") as file:
        file.write("objective: x\nplan: [\n")
    done = run(project, "status")
    assert done.returncode == 5
    assert "active_context.yaml:" in done.stderr


def test_json_is_one_object_for_answers_and_for_errors(project, tmp_path):
    good = json.loads(run(project, "status", "--json").stdout)
    assert good["ok"] is True
    assert good["data"]["objective"] == "ship it"
    bad = json.loads(run(tmp_path, "status", "--json").stdout)
    assert bad["ok"] is False
    assert bad["error"]["code"] == "not-set-up"
    assert bad["error"]["hint"] == "edge init"


def test_intent_is_written_and_read_back(project):
    assert run(project, "objective", "mend the parser").returncode == 0
    assert run(project, "plan", "add", "write a test").returncode == 0
    assert run(project, "step", "start", "2").returncode == 0
    assert run(project, "step", "done", "1", "--proof", "12 tests pass").returncode == 0
    shown = run(project, "status").stdout
    assert "mend the parser" in shown
    assert "[x] 1. one" in shown
    assert "[>] 2. write a test" in shown
    assert run(project, "step", "done", "9").returncode == 64


def test_what_a_file_says_cannot_drive_the_terminal(project):
    run(project, "objective", "red \x1b[31m and \x1b]0;title\x07 done\u202e")
    shown = run(project, "status").stdout
    assert "\x1b" not in shown
    assert "\x07" not in shown
    assert "\u202e" not in shown


def test_a_project_is_named_from_elsewhere(project, tmp_path):
    assert "ship it" in run(tmp_path, "status", "--project", project).stdout


def test_modes_change_only_along_the_protocol(project):
    assert run(project, "active").returncode == 0
    assert "active" in run(project, "status").stdout
    done = run(project, "done")
    assert done.returncode == 1
    assert "steps_completed" in done.stderr
    assert "Pending    edge done: 2 of 12 checks fail" in run(project, "status").stdout


def test_the_way_out_of_plan_mode_does_not_ask_for_an_objective_that_is_there(project):
    run(project, "mode", "plan")
    run(project, "objective", "--clear")
    assert 'run: edge active "the objective"\n' in run(project, "done").stderr
    run(project, "objective", "Ship the parser")
    assert "run: edge active\n" in run(project, "done").stderr


def test_no_line_of_the_status_is_wider_than_a_terminal(project):
    long = "Write the notes of the release, with every change that one can see and why it was done"
    run(project, "objective", long)
    run(project, "plan", "add", "--at", "1", long, long)
    run(project, "plan")
    run(project, "step", "done", "1")
    run(project, "done")
    lines = run(project, "status").stdout.splitlines()
    assert [line for line in lines if len(line) > 80 and not line.startswith("Project")] == []
    (at,) = (number for number, line in enumerate(lines) if line.startswith("Plan       [x] 1. W"))
    assert lines[at + 1].startswith(" " * 18)
    assert lines[at + 2].startswith(" " * 11 + "[ ] 2. W")


def test_a_proof_or_a_second_done_is_no_further_completion(project):
    run(project, "objective", "Ship the parser")
    run(project, "plan", "add", "write it")
    run(project, "step", "done", "1")
    run(project, "step", "done", "1")
    run(project, "step", "proof", "1", "seen")
    metrics = json.loads(run(project, "metrics", "--json").stdout)["data"]["project"]
    assert metrics["work"]["steps_completed"] == 1


def test_an_option_of_another_verb_is_named_with_that_verb(project):
    done = run(project, "log", "--evnt", "stop")
    assert done.returncode == 64
    assert "did you mean edge log search --event?" in done.stderr


@pytest.mark.parametrize(
    ("word", "said"),
    [("statsu", "did you mean stats or status"), ("qqqq", "edge: unknown command 'qqqq'\n")],
)
def test_a_command_that_is_none_names_those_like_it_in_one_line(project, word, said):
    done = run(project, word)
    assert done.returncode == 64
    assert said in done.stderr
    assert max(map(len, done.stderr.splitlines())) <= 80
