"""``edge uninstall`` and the data: asked once, and kept unless a person says so."""

import os

import pytest
from tests.hosting import at_a_terminal

from operators_edge.cli.main import main


@pytest.fixture
def here(repo, tmp_path, monkeypatch):
    program = tmp_path / "claude"
    program.write_text("#!/bin/sh\necho '2.1.329 (Claude Code)'\n")
    program.chmod(0o755)
    monkeypatch.setenv("EDGE_CLAUDE", str(program))
    monkeypatch.chdir(repo)
    assert main(["init"]) == 0
    return repo


def has_data(root):
    return os.path.exists(os.path.join(root, "active_context.yaml"))


@pytest.mark.parametrize(
    ("words", "answer", "is_kept"),
    [
        ((), "remove\n", False),
        ((), "y\n", True),
        ((), "\n", True),
        (("--yes",), "", True),
        (("--no-input",), "", True),
        (("--purge",), "remove\n", False),
        (("--purge",), "\n", True),
        (("--purge", "--yes"), "", False),
    ],
)
def test_the_data_goes_only_where_a_person_says_so(here, words, answer, is_kept):
    done = at_a_terminal(here, "uninstall", *words, answer=answer)
    assert done.returncode == 0, done.stderr
    assert "The hooks are removed." in done.stdout
    assert has_data(here) is is_kept
    assert done.stderr.count("Remove this data, too?") == (bool(answer))
    assert ("Removed permanently" in done.stdout) is not is_kept


def test_a_dry_run_asks_nothing(here):
    done = at_a_terminal(here, "uninstall", "--purge", "--dry-run", answer="")
    assert (done.returncode, "Remove this data" in done.stderr) == (0, False)
    assert has_data(here)
