"""The lock by which there is one of each."""

import os
import stat

import pytest
from tests.hosting import clean_env

from operators_edge.storage.process_lock import acquire


@pytest.fixture
def env(fenced):
    return clean_env(fenced)


@pytest.fixture
def path(env):
    return os.path.join(env["XDG_STATE_HOME"], "operators-edge", "run", "x.lock")


def test_one_has_it_and_nobody_else_until_it_is_let_go(env, path):
    lock = acquire(path, env)
    assert acquire(path, env) is None
    os.close(lock)
    assert acquire(path, env) is not None


def test_its_folder_and_file_are_for_the_person_alone(env, path):
    acquire(path, env)
    assert stat.S_IMODE(os.stat(path).st_mode) == 0o600
    assert stat.S_IMODE(os.stat(os.path.dirname(path)).st_mode) == 0o700


def test_a_link_in_its_place_is_not_followed(env, path, tmp_path):
    os.close(acquire(path, env))
    os.unlink(path)
    os.symlink(tmp_path / "elsewhere", path)
    with pytest.raises(OSError, match="symbolic links"):
        acquire(path, env)
    assert not (tmp_path / "elsewhere").exists()
