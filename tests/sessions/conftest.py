"""A remote of the project, for sessions that push."""

import pytest
from tests.hosting import git


@pytest.fixture
def remote(repo, tmp_path):
    path = str(tmp_path / "up.git")
    git(str(tmp_path), "init", "-q", "--bare", path)
    git(repo, "remote", "add", "origin", path)
    git(repo, "push", "-q", "origin", "main")
    return path
