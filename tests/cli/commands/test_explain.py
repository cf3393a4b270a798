"""``edge explain``: the same verdict as the gate's, as text, as JSON and line by line."""

from __future__ import annotations

import io
import json

import pytest
from tests.cli import helps
from tests.gate.example_project import PLACE, ROOT, RULES

from operators_edge.cli.commands import explain
from operators_edge.errors import UsageError


def run(*words):
    return helps.run("explain", *words)[:2]


def lines_of(*given):
    out = io.StringIO()
    text = "".join(line if isinstance(line, str) else json.dumps(line) + "\n" for line in given)
    code = explain.explain_lines(io.StringIO(text), out, ROOT, PLACE, RULES)
    return code, [json.loads(line) for line in out.getvalue().splitlines()]


def test_a_refusal_is_explained_and_is_no_error():
    code, text = run("sudo sh -c 'rm -rf /etc'")
    assert code == 0
    for part in ("block", "sudo → sh -c → rm -rf /etc", "fs-recursive-delete", "Instead"):
        assert part in text


def test_both_fingerprints_are_shown():
    _, text = run("git push origin main", "--json")
    data = json.loads(text)["data"]
    assert data["verdict"] == "junction"
    assert len(data["exact"]) == 64
    assert data["classes"] == [data["findings"][0]["class"]]
    assert data["findings"][0]["subject"] == {"remote": "origin", "branch": "main"}


def test_what_was_read_of_a_command_is_named(tmp_path, monkeypatch):
    (tmp_path / "Makefile").write_text("clean:\n\trm -f x.o\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert json.loads(run("make clean", "--json")[1])["data"]["read"] == ["Makefile"]
    assert "what it runs was read in\n  Makefile" in run("make clean")[1]
    assert "was read" not in run("ls")[1]


def test_no_command_is_a_usage_error():
    with pytest.raises(UsageError, match="no command"):
        run()


def test_each_line_is_answered_in_order():
    code, answers = lines_of(
        {"command": "ls"},
        {"command": "git push"},
        {"tool": "Write", "tool_input": {"file_path": "/etc/x"}},
        {"command": "rm x", "cwd": "/srv"},
    )
    assert code == 0
    assert [one["verdict"] for one in answers] == ["allow", "junction", "junction", "junction"]
    assert answers[1]["command"] == "git push"
    assert answers[1]["rule"] == "git-push"
    assert set(answers[0]) == {
        *("command", "verdict", "rule", "type", "reason"),
        "passes_with_snapshot",
        "takes_snapshot",
    }


@pytest.mark.parametrize("line", ["{", "[]", '{"command": 3}', "{}", '{"tool": 1, "command": "x"}'])
def test_a_bad_line_is_answered_in_its_place_and_the_others_still_are(line):
    code, answers = lines_of({"command": "ls"}, line + "\n", {"command": "git push"})
    assert code == 64
    assert "line 2" in answers[1]["error"]
    assert [answers[0]["verdict"], answers[2]["verdict"]] == ["allow", "junction"]


def test_the_card_is_shown_and_is_there_as_data(repo, monkeypatch):
    monkeypatch.chdir(repo)
    code, text = run("rm -rf readme.txt nothing")
    assert code == 0
    assert "At stake   1 file, 6 bytes would go" in text
    assert "Reversible yes, git restore" in text
    _, out = run("rm -rf readme.txt nothing", "--json")
    card = json.loads(out)["data"]["card"]
    assert card["radius"][0]["at_stake"][0].startswith("1 file, ")
    assert card["history"] is None
    words = [card["command"][start:end] for start, end in card["marks"]]
    assert words == ["-rf"]


def test_what_needs_no_decision_has_no_card():
    _, out = run("ls", "--json")
    assert json.loads(out)["data"]["card"] is None


def test_an_explanation_hides_secrets_and_controls():
    _, text = run("git push https://ann:pw12345678@example.com/x \x1b[2J")
    assert "pw12345678" not in text
    assert "\x1b" not in text


def test_before_set_up_it_says_what_would_be_and_that_nothing_is_guarded(repo, monkeypatch):
    monkeypatch.chdir(repo)
    _, text = run("rm -rf node_modules")
    assert text.startswith("allow, once a snapshot holds all of it")
    assert "Nothing is guarded here yet" in text
