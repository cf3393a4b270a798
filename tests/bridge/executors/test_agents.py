"""Each executor with a program in its place: what it is given, and how each of its endings counts."""

from __future__ import annotations

import itertools
import json
import os

import pytest

from operators_edge.bridge.executor_settings import ExecutorSettings
from operators_edge.bridge.executors.port import Usage

DONE = """echo '{"type":"step_finish","part":{"reason":"stop","cost":0.5}}'"""
RESULT = """echo '{"type":"result","is_error":false,"total_cost_usd":0.5,"num_turns":1}'"""


def test_opencode_gets_our_configuration_a_home_of_its_own_and_the_prompt_as_input(bench):
    keys = bench.home / ".local/share/opencode/auth.json"
    keys.parent.mkdir(parents=True)
    keys.write_text("{}")
    bench.env["OPENCODE_PERMISSION"] = '{"bash":"allow"}'
    bench.program("opencode", 'readlink "$XDG_DATA_HOME/opencode/auth.json"', DONE)
    edited = bench.edit("opencode", scope=["src/**", "a.py"], enforce_scope=True)
    assert (edited.outcome, edited.usage.cost) == ("done", 0.5)
    assert bench.output.decode() == f"{keys}\n"
    assert bench.noted("input") == ["Do it.\n"]
    env = bench.noted_env()
    assert env["OPENCODE_DISABLE_PROJECT_CONFIG"] == env["OPENCODE_PURE"] == "1"
    assert "OPENCODE_PERMISSION" not in env
    assert env["HOME"] != str(bench.home)
    assert not os.path.exists(env["HOME"])
    permission = json.loads(env["OPENCODE_CONFIG_CONTENT"])["permission"]
    allowed = {name for name, each in permission.items() if each == "allow"}
    assert allowed == {"glob", "grep", "list", "todowrite"}
    assert permission["bash"] == permission["webfetch"] == permission["*"] == "deny"
    edit = permission["edit"]
    assert [each for each in edit if edit[each] == "allow"] == [
        "src/*",
        "src/*/*",
        "a.py",
        "a.py/*",
    ]
    assert next(iter(edit)) == "*"
    assert edit[".git/*"] == edit[".ai-handoff/*"] == "deny"


def test_claude_gets_only_tools_that_edit_and_the_hooks_of_the_gate(bench):
    bench.env["ANTHROPIC_API_KEY"] = "k"
    bench.program("claude", RESULT)
    bench.settings["claude"] = ExecutorSettings(model="m", max_turns=7)
    edited = bench.edit("claude", max_cost=2)
    assert (edited.outcome, edited.usage.cost) == ("done", 0.5)
    words = bench.noted("words")
    given = dict(itertools.pairwise(words))
    assert given["--tools"] == "Read,Edit,Write,Glob,Grep"
    assert given["--setting-sources"] == ""
    assert (given["--model"], given["--max-turns"], given["--max-budget-usd"]) == ("m", "7", "2")
    assert "--strict-mcp-config" in words
    settings = json.loads(given["--settings"])
    assert settings["hooks"] == {"PreToolUse": []}
    assert "Write(.git/**)" in settings["permissions"]["deny"]
    assert bench.noted_env()["CLAUDE_CONFIG_DIR"].endswith("t-1.claude")


def test_claude_keeps_the_persons_folder_where_the_login_is_in_it(bench):
    bench.program("claude", RESULT)
    assert bench.edit("claude").outcome == "done"
    assert "CLAUDE_CONFIG_DIR" not in bench.noted_env()


def test_a_command_is_filled_in_word_by_word_and_once(bench):
    path = bench.program("mine", "echo said; echo warned >&2")
    words = (path, "--in={root}", "{prompt}", "{id} {model}", "{scope}")
    bench.settings["mine"] = ExecutorSettings(command=words, model="{id}", env={"X": "{home}/x"})
    assert bench.edit("mine", scope=["--test-cmd=x", "a.py"]).outcome == "done"
    first = [f"--in={bench.root}", "Do it.\n", "t-1 {id}"]
    assert bench.noted("words") == [*first, "./--test-cmd=x", "./a.py", ""]
    assert bench.noted("input") == [""]
    assert bench.noted_env()["X"].endswith("t-1.mine/x")
    assert sorted(bench.output.decode().split()) == ["said", "warned"]


@pytest.mark.parametrize(
    ("lines", "fields", "outcome", "words"),
    [
        (["exit 3"], {}, "crashed", "exit code 3"),
        (["echo no such key >&2", "exit 1"], {}, "crashed", "no such key"),
        (["printf '\\033[91mred\\033[0m\\n' >&2; exit 1"], {}, "crashed", "code 1: red"),
        (["kill -9 $$"], {}, "crashed", "signal 9"),
        (["true"], {}, "crashed", "without saying that it was done"),
        ([DONE, "exit 1"], {}, "crashed", "exit code 1"),
        (["sleep 60"], {"seconds": 1.0}, "timed_out", "after 1 s (timeout_sec)"),
        ([DONE, "sleep 60"], {"max_cost": 0.1}, "cost_exceeded", "0.50 dollars"),
        ([DONE, "sleep 60"], {"seconds": 1.0}, "timed_out", "after 1 s "),
    ],
)
def test_each_ending_has_its_kind_and_words(bench, lines, fields, outcome, words):
    bench.program("opencode", *lines)
    edited = bench.edit("opencode", **fields)
    assert (edited.outcome, words in edited.detail) == (outcome, True), edited.detail


def test_a_client_that_tries_a_refused_key_for_minutes_is_ended(bench):
    retry = '{"type":"system","subtype":"api_retry","error":"authentication_failed"}'
    bench.program("claude", f"echo '{retry}'", "sleep 60")
    edited = bench.edit("claude")
    assert edited.outcome == "not_logged_in"
    assert edited.seconds < 20


def test_the_end_of_the_watcher_is_no_failure_of_the_agent(bench):
    bench.program("opencode", "sleep 60")
    bench.stop.set()
    assert bench.edit("opencode").outcome == "interrupted"


def test_what_is_missing_shows_before_anything_is_started(bench):
    bench.env["PATH"] = str(bench.programs)
    assert bench.executor("opencode").problem().outcome == "not_installed"
    assert bench.executor("claude").problem().outcome == "not_installed"
    bench.program("opencode")
    assert bench.executor("opencode").problem() is None
    bench.settings = {}
    problem = bench.executor("opencode").problem()
    assert (problem.outcome, "executors.opencode.model" in problem.detail) == (
        "not_configured",
        True,
    )


def test_a_repository_cannot_bring_the_program_that_edits_it(bench, tmp_path):
    inside = tmp_path / "work" / "node_modules" / ".bin"
    inside.mkdir(parents=True)
    bench.program("claude", folder=inside)
    bench.env["PATH"] = os.pathsep.join([str(inside), bench.env["PATH"]])
    problem = bench.executor("claude").problem()
    assert (problem.outcome, "is in this repository" in problem.detail) == ("not_configured", True)
    bench.settings["mine"] = ExecutorSettings(command=("./run.sh",))
    assert bench.executor("mine").problem().outcome == "not_configured"
    (bench.programs / "codex").symlink_to(inside / "claude")
    bench.settings["mine"] = ExecutorSettings(command=("codex",))
    assert bench.executor("mine").problem().outcome == "not_configured"
    bench.settings["mine"] = ExecutorSettings(command=(str(inside / "claude"),))
    assert bench.executor("mine").problem() is None


def test_what_rounds_of_an_attempt_used_is_added_and_the_limit_is_for_all_of_them(bench):
    both = Usage(0.5, 1, 2, 3, "m").plus(Usage(0.25, 1, None, None, ""))
    assert both == Usage(0.75, 2, 2, 3, "m")
    assert Usage().plus(Usage()) == Usage()
    bench.program("opencode", DONE)
    assert bench.edit("opencode", max_cost=0.6).outcome == "done"
    edited = bench.edit("opencode", max_cost=0.6, spent=0.2)
    assert (edited.outcome, "0.70 dollars" in edited.detail) == ("cost_exceeded", True)
