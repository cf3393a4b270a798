import multiprocessing
import os
import stat

import pytest

from operators_edge.errors import NotSetUp, StateDamaged, StateError
from operators_edge.storage import keys
from operators_edge.system import user_dirs

GRANT = {"id": "g1", "kind": "allowance", "fingerprint": "ab", "consumed": False}


@pytest.fixture
def env(tmp_path):
    return {"HOME": str(tmp_path / "home")}


@pytest.mark.parametrize(
    ("env", "platform", "folder"),
    [
        ({"HOME": "/h"}, "linux", "/h/.local/state/operators-edge"),
        ({"HOME": "/h", "XDG_STATE_HOME": "/x"}, "linux", "/x/operators-edge"),
        ({"HOME": "/h", "XDG_STATE_HOME": "x"}, "linux", "/h/.local/state/operators-edge"),
        ({"HOME": "/h"}, "darwin", "/h/Library/Application Support/operators-edge"),
        ({"LOCALAPPDATA": "C:\\l"}, "win32", "C:\\l\\operators-edge"),
        ({"USERPROFILE": "C:\\u"}, "win32", "C:\\u\\AppData\\Local\\operators-edge"),
    ],
)
def test_the_users_folder_is_where_the_platform_keeps_state(env, platform, folder):
    assert user_dirs.user_dir(env, platform) == folder


@pytest.mark.skipif(os.name != "posix", reason="the password database is POSIX")
def test_without_home_the_password_database_knows_it():
    pwd = pytest.importorskip("pwd")
    home = pwd.getpwuid(os.getuid()).pw_dir
    assert user_dirs.user_dir({}, "linux").startswith(home)


def test_a_home_that_is_no_place_is_refused():
    with pytest.raises(NotSetUp):
        user_dirs.user_dir({"HOME": "relative"}, "linux")


def test_what_was_signed_is_genuine_and_nothing_else_is(env, tmp_path):
    root, other = str(tmp_path / "a"), str(tmp_path / "b")
    grant = keys.signed(root, GRANT, env=env)
    assert keys.is_genuine(root, grant, env=env)
    assert keys.is_genuine(root, {**grant, "consumed": True}, env=env)
    assert not keys.is_genuine(other, grant, env=env)
    assert not keys.is_genuine(root, {**grant, "fingerprint": "cd"}, env=env)
    assert not keys.is_genuine(root, {**grant, "more": 1}, env=env)
    assert not keys.is_genuine(root, GRANT, env=env)
    assert not keys.is_genuine(root, {**GRANT, "mac": "é"}, env=env)
    assert not keys.is_genuine(root, {**GRANT, "mac": 7}, env=env)


def test_another_users_key_signs_nothing_for_us(env, tmp_path):
    grant = keys.signed("/p", GRANT, env={"HOME": str(tmp_path / "other")})
    keys.mac("/p", GRANT, env=env)
    assert not keys.is_genuine("/p", grant, env=env)


def test_asking_makes_no_key(env):
    assert not keys.is_genuine("/p", {**GRANT, "mac": "00"}, env=env)
    assert not os.path.exists(user_dirs.user_dir(env))


def test_key_and_folders_are_the_users_alone(env):
    keys.mac("/p", GRANT, env=env)
    folder = user_dirs.user_dir(env)
    assert stat.S_IMODE(os.stat(folder).st_mode) == 0o700
    key = os.stat(os.path.join(folder, "key"))
    assert stat.S_IMODE(key.st_mode) == 0o600
    assert key.st_size == 32


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o620])
def test_a_key_that_others_may_touch_is_refused(env, mode):
    grant = keys.signed("/p", GRANT, env=env)
    os.chmod(os.path.join(user_dirs.user_dir(env), "key"), mode)
    with pytest.raises(StateError, match="proves nothing") as caught:
        keys.is_genuine("/p", grant, env=env)
    assert "no earlier grant counts any more" in caught.value.hint
    with pytest.raises(StateError):
        keys.signed("/p", GRANT, env=env)


def test_a_linked_key_is_refused(env, tmp_path):
    folder = keys.make_user_dir(env)
    (tmp_path / "planted").write_bytes(b"k" * 32)
    os.symlink(tmp_path / "planted", os.path.join(folder, "key"))
    with pytest.raises(StateError, match="not an ordinary file"):
        keys.mac("/p", GRANT, env=env)


@pytest.mark.skipif(
    getattr(os, "geteuid", lambda: 1)() != 0, reason="only root can give a file away"
)
def test_a_key_of_another_user_is_refused(env):
    keys.mac("/p", GRANT, env=env)
    os.chown(os.path.join(user_dirs.user_dir(env), "key"), 12345, 12345)
    with pytest.raises(StateError, match="belongs to user 12345"):
        keys.mac("/p", GRANT, env=env)


@pytest.mark.parametrize("size", [0, 31, 33])
def test_a_key_of_another_length_is_damaged_and_not_replaced(env, size):
    folder = keys.make_user_dir(env)
    path = os.path.join(folder, "key")
    with open(os.open(path, os.O_WRONLY | os.O_CREAT, 0o600), "wb") as file:
        file.write(b"k" * size)
    with pytest.raises(StateDamaged):
        keys.mac("/p", GRANT, env=env)
    assert os.path.getsize(path) == size


def _mac(env):
    return keys.mac("/p", GRANT, env=env)


def test_processes_that_come_at_once_get_one_key(env):
    with multiprocessing.get_context("fork").Pool(8) as pool:
        assert len(set(pool.map(_mac, [env] * 32, chunksize=1))) == 1


def test_a_project_is_named_by_its_real_path(tmp_path):
    (tmp_path / "real").mkdir()
    os.symlink(tmp_path / "real", tmp_path / "link")
    ident = user_dirs.project_id(str(tmp_path / "real"))
    assert user_dirs.project_id(str(tmp_path / "link")) == ident
    assert user_dirs.project_id(str(tmp_path)) != ident
    assert len(ident) == 16
