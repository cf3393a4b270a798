"""The files of a release: versions agree, the action runs what it says, the formula has what is locked."""

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from ruamel.yaml import YAML

from operators_edge import __version__
from operators_edge.cli.parsers import parser_of
from tests.hosting import git, write
from tests.release import homebrew

ROOT = Path(__file__).resolve().parents[2]
ACTION = YAML(typ="safe").load(ROOT / "action.yml")
HOOKS = YAML(typ="safe").load(ROOT / ".pre-commit-hooks.yaml")


def test_the_newest_section_of_the_changelog_is_this_version_with_its_date():
    text = (ROOT / "CHANGELOG.md").read_text("utf-8")
    heads = [head for head in re.findall(r"^## (.+)$", text, re.MULTILINE) if head != "Unreleased"]
    assert re.fullmatch(rf"{re.escape(__version__)} - 20\d\d-\d\d-\d\d", heads[0])


def test_the_version_is_the_same_wherever_a_page_names_it():
    text = (ROOT / "docs" / "how-to" / "headless-and-ci.md").read_text("utf-8")
    named = re.findall(r"(?:@|rev: )v(\d+\.\d+\.\d+)", text)
    assert len(named) == 2
    assert set(named) == {__version__}


def steps():
    return {each["name"]: each for each in ACTION["runs"]["steps"] if "name" in each}


def run_step(name, folder, env, **inputs):
    """One step of the action, with the shell that GitHub gives it."""
    step = steps()[name]
    assert step["shell"] == "bash"
    given = {key: each["default"] for key, each in ACTION["inputs"].items()} | inputs
    own = {
        key: re.sub(r"\$\{\{ inputs\.([\w-]+) \}\}", lambda found: given[found[1]], value)
        for key, value in step["env"].items()
    }
    return subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
        cwd=folder,
        env={**os.environ, **env, **own},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


@pytest.fixture
def edge(tmp_path):
    """The folder of a runner in which the installed program writes down the words it is called with."""
    script = '#!/bin/sh\nprintf "%s\\n" "$@"\nexit 1\n'
    os.chmod(write(str(tmp_path), "runner/edge/bin/edge", script), 0o700)
    return str(tmp_path / "runner")


def test_the_action_gives_its_inputs_to_edge_as_single_words(tmp_path, edge):
    hostile = "a b; touch gone $(touch gone)"
    done = run_step("Verify", tmp_path, {"RUNNER_TEMP": edge}, allow=hostile)
    assert done.stdout.splitlines() == [
        *("verify", "--ci", "--allow", hostile, "--timeout", "600", "--total", "1800")
    ]
    assert done.returncode == 1
    assert not (tmp_path / "gone").exists()


def test_the_action_s_words_are_ones_that_edge_takes(tmp_path, edge):
    done = run_step(
        "Verify", tmp_path, {"RUNNER_TEMP": edge}, allow="tests_observed", file="x.json"
    )
    words = done.stdout.splitlines()
    given = parser_of(words).parse_args(words)
    assert (given.file, given.allow, given.timeout) == ("x.json", "tests_observed", 600)


def test_no_script_of_the_action_has_an_input_in_its_text():
    assert all("${{" not in each["run"] for each in steps().values())


def test_the_action_s_verdict_is_the_exit_code_of_edge(tmp_path):
    edge = str(tmp_path / "runner")
    os.makedirs(f"{edge}/edge")
    os.symlink(os.path.dirname(sys.executable), f"{edge}/edge/bin")
    git(str(tmp_path), "init", "-q", "-b", "main", ".")
    done = run_step("Verify", tmp_path, {"RUNNER_TEMP": edge})
    assert done.returncode not in (0, 2)
    assert "edge.proof.json" in done.stdout + done.stderr


@pytest.mark.parametrize("hook", HOOKS, ids=lambda hook: hook["id"])
def test_a_hook_of_pre_commit_runs_words_that_edge_takes(hook):
    program, *words = hook["entry"].split()
    assert program == "edge"
    assert parser_of(words).parse_args(words).run
    assert hook["pass_filenames"] is False
    text = (ROOT / "docs" / "how-to" / "headless-and-ci.md").read_text("utf-8")
    assert f"id: {hook['id']} " in text


def test_the_formula_installs_what_is_locked_and_needed(tmp_path):
    locked = homebrew.locked()
    direct = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["dependencies"]
    needed = homebrew.needed()
    assert (
        {re.split(r"[><=]", each)[0].replace(".", "-") for each in direct}
        <= set(needed)
        <= set(locked)
    )
    assert "pytest" not in needed
    sdist = tmp_path / "operators_edge-1.2.3.tar.gz"
    sdist.write_bytes(b"sources")
    needs = [
        homebrew.Resource(each, locked[each][0], f"{each}-{locked[each][0]}.tar.gz", "0" * 64)
        for each in needed
    ]
    text = homebrew.formula(sdist, needs)
    assert text.count("  resource ") == len(needed)
    assert re.search(
        r'^  url "https://files\.pythonhosted\.org/.+/operators_edge-1\.2\.3\.tar\.gz"$',
        text,
        re.MULTILINE,
    )


def test_the_lock_is_read_with_versions_digests_and_who_needs_what():
    version, digests = homebrew.locked()["lizard"]
    assert re.fullmatch(r"[\d.]+", version)
    assert all(re.fullmatch(r"[0-9a-f]{64}", each) for each in digests)
    assert len(digests) >= 2
