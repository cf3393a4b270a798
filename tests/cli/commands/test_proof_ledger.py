"""``edge log claims`` and ``edge log rerun`` over real sessions."""

import json
import os

import pytest
from tests.claims.stage import PYTEST, UNITTEST, Stage
from tests.hosting import write

from operators_edge.text.wording import WIDTH, columns


@pytest.fixture
def stage(tmp_path):
    stage = Stage(str(tmp_path), "Rewrite add")
    stage.begin(1)
    stage.edit("calc.py", "a + b", "b + a")
    return stage


def test_a_plan_without_a_completed_step_claims_nothing(stage):
    done = stage.edge("proof", "ledger")
    assert (done.returncode, done.stdout) == (0, "No step is completed, so nothing is claimed.\n")


def test_it_shows_verdict_words_and_why_and_counts_them(stage):
    stage.sh(UNITTEST)
    stage.claim(1, "tests pass")
    done = stage.edge("proof", "ledger")
    assert done.returncode == 0
    first, why, _, counted = done.stdout.rstrip("\n").split("\n")
    assert first == "  1 ✓  VERIFIED  Rewrite add"
    assert why.startswith("       unittest passed at log ")
    assert why.endswith("; nothing changed since")
    assert counted == "1 claim: 1 verified"


def test_a_contradicted_claim_fails_it_and_names_the_command(stage):
    stage.edit("calc.py", "b + a", "b - a")
    stage.sh(UNITTEST)
    stage.claim(1, "tests pass")
    done = stage.edge("proof", "ledger")
    assert done.returncode == 1
    assert f"       run: {UNITTEST}\n" in done.stdout


@pytest.mark.parametrize("word", ["again and again ", "またもや"])
def test_it_fits_a_terminal_and_obeys_nothing(tmp_path, word):
    stage = Stage(str(tmp_path), "Rewrite \x1b[31madd " + word * 12)
    stage.claim(1, "done")
    shown = stage.edge("proof", "ledger").stdout
    assert "\x1b" not in shown
    assert all(columns(line) <= WIDTH for line in shown.splitlines())


def test_it_as_json_holds_every_claim(stage):
    stage.sh(UNITTEST)
    stage.claim(1, "tests pass")
    answer = json.loads(stage.edge("proof", "ledger", "--json").stdout)
    (claim,) = answer["data"]["claims"]
    assert answer["ok"] is True
    assert (claim["step"], claim["verdict"]) == (1, "VERIFIED")
    assert claim["evidence"]["files"] == ["calc.py"]


# -- rerun -----------------------------------------------------------------------------------------


def test_a_rerun_is_on_record_as_a_check_and_clears_what_was_stale(stage):
    stage.sh(UNITTEST)
    stage.edit("calc.py", "b + a", "0 + b + a")
    stage.claim(1, "tests pass")
    assert stage.verdicts()[1]["verdict"] == "STALE"
    done = stage.edge("proof", "rerun", "1")
    assert done.returncode == 0, done.stderr
    assert f"$ {UNITTEST}\n" in done.stderr
    assert "VERIFIED" in done.stdout
    (entry,) = json.loads(stage.edge("proof", "search", "--event", "check", "--json").stdout)[
        "data"
    ]
    assert entry["data"]["source"] == "rerun"
    assert entry["data"]["check"]["passed"] is True
    assert entry["data"]["check"]["look"]


def test_a_rerun_that_fails_says_so_and_exits_with_1(stage):
    stage.sh(UNITTEST)
    stage.edit("calc.py", "b + a", "b - a")
    stage.claim(1, "tests pass")
    done = stage.edge("proof", "rerun")
    assert done.returncode == 1
    assert "  failed, " in done.stderr
    assert "CONTRADICTED" in done.stdout


def test_without_claims_the_last_run_of_each_check_runs_again_once(stage):
    stage.sh(UNITTEST)
    stage.sh(PYTEST)
    stage.sh(UNITTEST)
    done = stage.edge("proof", "rerun")
    assert done.returncode == 0
    ran = [line for line in done.stderr.splitlines() if line.startswith("$ ")]
    assert ran == [f"$ {PYTEST}", f"$ {UNITTEST}"]


def test_a_rerun_runs_where_the_check_ran(tmp_path):
    files = {
        "sub/test_x.py": "import unittest\n\n\nclass X(unittest.TestCase):\n    def test_x(self):\n"
        "        pass\n"
    }
    stage = Stage(str(tmp_path), "Rewrite add", files=files)
    stage.sh(f"cd sub && {UNITTEST}")
    stage.cwd = os.path.join(stage.root, "sub")
    stage.sh(UNITTEST)
    done = stage.edge("proof", "rerun", "--all", "--json")
    assert done.returncode == 0, done.stderr
    assert [each["passed"] for each in json.loads(done.stdout)["data"]["ran"]] == [True, True]


def test_what_the_gate_would_not_let_pass_is_not_run_and_says_why(stage):
    stage.sh(UNITTEST)
    write(
        stage.root,
        "edge.toml",
        '[[rule]]\nid = "no-tests"\neffect = "block"\ntype = "blocked"\nreason = "Not now."\n'
        'instead = "Wait."\n'
        'when = [{ program = "python" }]\nmatch = ["python x.py"]\nno_match = ["ls"]\n',
    )
    done = stage.edge("proof", "rerun", "--all")
    assert done.returncode == 1
    assert "not run: the gate would not allow it now (no-tests): Not now." in done.stderr


def test_a_command_whose_secret_is_hidden_in_the_log_is_not_run(stage):
    stage.sh(f"API_TOKEN=ghp_{'a1B2' * 9} {UNITTEST}")
    done = stage.edge("proof", "rerun", "--all")
    assert done.returncode == 1
    assert "not run: the log holds its command cut or redacted" in done.stderr


def test_a_check_that_takes_too_long_is_stopped(stage):
    write(
        stage.root,
        "test_slow.py",
        "import os, time, unittest\n\n\nclass S(unittest.TestCase):\n    def test_s(self):\n"
        "        if os.path.exists('slow'):\n            time.sleep(300)\n",
    )
    stage.sh(UNITTEST)
    write(stage.root, "slow", "")
    done = stage.edge("proof", "rerun", "--all", "--timeout", "1")
    assert done.returncode == 1
    assert "it was stopped after 1 seconds" in done.stderr


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("7",), 64, "step 7 is not completed"),
        (("1", "--all"), 64, "use either steps or --all"),
        (("--timeout", "0"), 64, "--timeout must be above 0 seconds"),
        ((), 1, "no check of this objective is recorded"),
    ],
)
def test_a_rerun_of_nothing_says_why(stage, words, code, said):
    done = stage.edge("proof", "rerun", *words)
    assert done.returncode == code
    assert said in done.stderr


def test_an_agent_may_ask_for_both(stage):
    assert stage.bash("edge log claims") == ""
    assert stage.bash("edge log rerun 1") == ""
