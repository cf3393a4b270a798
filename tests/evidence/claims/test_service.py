"""Questions to log, git and disk for the claims, in real repositories with real sessions."""

import os
import subprocess

import pytest
from tests.claims.stage import UNITTEST, Stage
from tests.hosting import git, write

from operators_edge.evidence.claims import service as claims_service
from operators_edge.evidence.claims.tree_facts import ProjectTreeFacts
from operators_edge.project import Project


@pytest.fixture
def claim_of(tmp_path, monkeypatch):
    """Play a session of one step, and judge it in this process."""

    def judge(step, act, **more):
        stage = Stage(str(tmp_path), step, **more)
        monkeypatch.setenv("XDG_STATE_HOME", stage.env["XDG_STATE_HOME"])
        act(stage)
        stage.claim(1, "done")
        project = Project(stage.root, is_set_up=True)
        (claim,) = claims_service.claims_of(project, project.state.read())
        return claim

    return judge


FILES = {"src/b.py": "B = 1\n"}


def test_an_untouched_file_is_known_by_disk_look_and_history(claim_of):
    claim = claim_of("Update src/b.py", lambda s: s.sh("ls"), files=FILES)
    assert claim.verdict == "CONTRADICTED"


@pytest.mark.parametrize(
    "act",
    [
        lambda s: s.sh("sed -i s/1/2/ src/b.py"),
        lambda s: s.person("src/b.py", "B = 3\n"),
        lambda s: s.sh("touch src/b.py"),
        lambda s: (s.person("src/b.py", "B = 3\n"), s.person("src/b.py", "B = 1\n")),
        lambda s: s.sh("chmod +x src/b.py"),
    ],
    ids=["sed", "person", "touch", "reverted", "mode"],
)
def test_whatever_touched_the_file_accuses_nobody(claim_of, act):
    assert claim_of("Update src/b.py", act, files=FILES).verdict == "UNVERIFIED"


def test_a_commit_on_a_ref_that_nobody_checked_out_is_a_trace(claim_of):
    def act(stage):
        # As a tool would that writes commits itself: the tree, the index and HEAD stay as they were.
        script = (
            "set -e; export GIT_INDEX_FILE=$PWD/.git/other; git read-tree HEAD;"
            " blob=$(echo B = 2 | git hash-object -w --stdin);"
            " git update-index --cacheinfo 100644,$blob,src/b.py;"
            " git update-ref refs/heads/side $(git commit-tree -p HEAD -m x $(git write-tree))"
        )
        subprocess.run(["bash", "-c", script], cwd=stage.root, env=stage.env, check=True)

    assert claim_of("Update src/b.py", act, files=FILES).verdict == "UNVERIFIED"


def test_an_ignored_file_that_is_not_there_accuses_nobody(claim_of):
    assert claim_of("Create build/x.json", lambda s: s.sh("ls")).verdict == "UNVERIFIED"


def test_a_file_that_is_nowhere_is_known_to_be(claim_of):
    claim = claim_of("Create src/new.py", lambda s: s.sh("ls"), files=FILES)
    assert claim.why == "src/new.py does not exist, and no trace of it was found"


@pytest.mark.parametrize(
    "command",
    [
        "git commit --allow-empty -m 'Create src/new.py'",
        "edge note 'created src/new.py'",
        "ls src | grep -v src/new.py",
        "echo created src/new.py",
    ],
)
def test_a_command_that_only_names_the_file_is_no_trace_of_it(claim_of, command):
    claim = claim_of("Create src/new.py", lambda s: s.sh(command), files=FILES)
    assert claim.verdict == ("UNVERIFIED" if "|" in command else "CONTRADICTED")


def test_a_new_file_of_that_name_elsewhere_may_be_what_was_meant(claim_of):
    claim = claim_of(
        "Create src/new.py", lambda s: s.sh("mkdir lib && touch lib/new.py"), files=FILES
    )
    assert claim.verdict == "UNVERIFIED"


def test_an_old_file_of_that_name_elsewhere_is_not(claim_of):
    files = {**FILES, "lib/new.py": "X\n"}
    assert (
        claim_of("Create src/new.py", lambda s: s.sh("ls"), files=files).verdict == "CONTRADICTED"
    )


def test_a_damaged_repository_accuses_nobody_of_an_absent_file(claim_of):
    def act(stage):
        write(stage.repo, ".git/index", "no index")

    assert claim_of("Create src/new.py", act, files=FILES).verdict == "UNVERIFIED"


def test_a_check_in_a_part_with_its_own_manifest_covers_that_part(claim_of):
    part = {f"packages/{name}/package.json": "{}\n" for name in "ab"}
    test = "import unittest\n\n\nclass X(unittest.TestCase):\n    def test_x(self):\n        pass\n"
    part["packages/a/test_x.py"] = test

    def act(stage):
        stage.write("packages/a/x.py", "X = 1\n")
        stage.sh(UNITTEST, cwd=os.path.join(stage.root, "packages/a"))
        stage.person("packages/b/y.py", "Y = 1\n")

    assert claim_of("Write x", act, files=part).verdict == "VERIFIED"


def test_without_a_completed_step_nothing_is_asked(tmp_path):
    root = str(tmp_path)
    git(root, "init", "-q")
    write(root, "active_context.yaml", "schema_version: 4\nplan: []\n")
    assert (
        claims_service.claims_of(Project(root, is_set_up=True), {"plan": [{"status": "pending"}]})
        == ()
    )
    assert not os.path.exists(os.path.join(root, ".proof"))


def test_what_was_verified_last_is_the_last_step_whose_check_still_holds(tmp_path, monkeypatch):
    stage = Stage(str(tmp_path), "Swap the operands")
    monkeypatch.setenv("XDG_STATE_HOME", stage.env["XDG_STATE_HOME"])

    def last() -> str:
        project = Project(stage.root, is_set_up=True)
        tree = ProjectTreeFacts(project, project.evidence.work())
        claims = claims_service.claims_of(project, project.state.read(), tree)
        return claims_service.last_verified(claims, tree.work, tree)

    assert last() == ""
    stage.sh(UNITTEST)
    assert last() == "Last check: unittest passed at log 4: 2 passed; nothing changed since"
    stage.edit("calc.py", "a + b", "b + a")
    assert last().endswith("; changed since: calc.py")
    stage.sh(UNITTEST)
    stage.claim(1, "done")
    assert last().startswith("Verified: step 1 (Swap the operands): unittest passed at log ")
