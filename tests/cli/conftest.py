import pytest

from operators_edge.cli.main import main


@pytest.fixture
def edge(project, monkeypatch, capsys):
    """A command line in the project: its exit code, what it printed, what it printed as errors."""
    monkeypatch.chdir(project)

    def run(*words):
        code = main(list(words))
        done = capsys.readouterr()
        return code, done.out, done.err

    return run
