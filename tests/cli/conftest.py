import pytest

from operators_edge.cli.main import main
from tests.hosting import at_a_terminal, clean_env


@pytest.fixture
def edge(project, monkeypatch, capsys):
    """A command line in the project: its exit code, what it printed, what it printed as errors."""
    monkeypatch.chdir(project)

    def run(*words):
        code = main(list(words))
        done = capsys.readouterr()
        return code, done.out, done.err

    return run


@pytest.fixture
def person(project, fenced):
    def run(*words, answer="y\n", **more):
        return at_a_terminal(project, *words, answer=answer, env=clean_env(fenced, **more))

    return run


@pytest.fixture
def claude(tmp_path, monkeypatch):
    """A client that only says its version; call it to change what it says."""
    program = tmp_path / "claude"

    def says(version):
        program.write_text(f"#!/bin/sh\necho '{version} (Claude Code)'\n")
        program.chmod(0o755)

    says("2.1.329")
    monkeypatch.setenv("EDGE_CLAUDE", str(program))
    return says


@pytest.fixture
def wired(repo, claude, monkeypatch):
    """A project with the hooks of such a client; the test stands in it."""
    monkeypatch.chdir(repo)
    assert main(["init"]) == 0
    return repo
