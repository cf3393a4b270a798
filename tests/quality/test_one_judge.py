"""The same sessions before every judge: step done, `edge log claims`, verify, done, Stop, a fresh clone."""

import os

import pytest
from tests.claims.stage import Stage
from tests.hosting import git

from operators_edge.locations import BASIS_FILE
from operators_edge.project import Project
from operators_edge.quality import basis_service, ci

SUB = "return a + b\n\n\ndef sub(a, b):\n    return a - b\n"
TESTS = "python -m unittest -q"


def passing(stage):
    stage.edit("calc.py", "return a + b\n", SUB)
    stage.sh(TESTS)


def broken(stage):
    stage.edit("calc.py", "return a + b", "return a - b")
    stage.sh(TESTS)


def hollowed(stage):
    stage.edit("calc.py", "return a + b", "return a - b")
    stage.sh(TESTS)
    stage.sh("sed -i 's/def test_adds(/def check_adds(/' test_calc.py")
    stage.sh(TESTS)


@pytest.mark.parametrize(
    ("work", "verdict"),
    [(passing, "VERIFIED"), (broken, "CONTRADICTED"), (hollowed, "CONTRADICTED")],
)
def test_every_judge_says_the_same(tmp_path, monkeypatch, work, verdict):
    stage = Stage(str(tmp_path), "Make it add")
    stage.begin(1)
    work(stage)
    is_true = verdict == "VERIFIED"

    said = stage.edge("step", "done", "1", "--proof", "All tests pass").stdout
    assert f"{verdict}: " in said

    assert stage.verdicts()[1]["verdict"] == verdict

    told = stage.says("All tests pass").get("systemMessage", "")
    assert ("is contradicted" in told) is not is_true

    assert stage.edge("verify").stdout.startswith("PASS" if is_true else "FAIL")

    assert stage.edge("proof", "report", "--save").returncode == 0
    git(stage.repo, "add", "calc.py", "test_calc.py", BASIS_FILE)
    git(stage.repo, "commit", "-qm", "work")
    git(str(tmp_path), "clone", "-q", stage.repo, "clone")
    clone = str(tmp_path / "clone")
    monkeypatch.setenv("PATH", stage.env["PATH"])
    found = basis_service.read(os.path.join(clone, BASIS_FILE))
    limits = ci.Limits(each=60, all=60)
    result = ci.judge(Project(clone, is_set_up=False), found, os.environ, limits=limits)
    assert [each.verdict for each in result.claims] == [verdict]
    assert result.verdict == ("PASS" if is_true else "FAIL")

    assert stage.edge("done").returncode == (0 if is_true else 1)
