import os

import pytest

from operators_edge.errors import StateDamaged
from operators_edge.storage import bindings
from operators_edge.system.user_dirs import user_dir


@pytest.fixture
def env(tmp_path):
    return {"HOME": str(tmp_path / "home")}


@pytest.mark.parametrize(
    "session",
    ["0aa33df8-fd5a-4d32-8b84-9a187d7ac25c", "../../evil", "a/b", "\0", "x" * 9000, "ü", ""],
)
def test_a_binding_is_found_again_and_stays_in_its_folder(env, session):
    assert bindings.session_binding(session, env=env) is None
    bindings.bind_session(session, {"root": "/p", "pid": 7}, env=env)
    assert bindings.session_binding(session, env=env)["pid"] == 7
    folder = os.path.join(user_dir(env), "sessions")
    assert len(os.listdir(folder)) == 1
    assert os.listdir(user_dir(env)) == ["sessions"]


def test_all_bindings_are_listed(env):
    assert bindings.session_bindings(env=env) == []
    for name in ("a", "b"):
        bindings.bind_session(name, {"root": f"/{name}"}, env=env)
    assert {record["root"] for record in bindings.session_bindings(env=env)} == {"/a", "/b"}


def test_another_sessions_binding_is_not_taken_for_ours(env):
    bindings.bind_session("a", {}, env=env)
    folder = os.path.join(user_dir(env), "sessions")
    (name,) = os.listdir(folder)
    bindings.bind_session("b", {}, env=env)
    (other,) = set(os.listdir(folder)) - {name}
    os.replace(os.path.join(folder, name), os.path.join(folder, other))
    with pytest.raises(StateDamaged, match="another session"):
        bindings.session_binding("b", env=env)


def test_a_damaged_binding_is_said(env):
    bindings.bind_session("a", {}, env=env)
    folder = os.path.join(user_dir(env), "sessions")
    (name,) = os.listdir(folder)
    with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
        file.write("{")
    with pytest.raises(StateDamaged):
        bindings.session_binding("a", env=env)
    with pytest.raises(StateDamaged):
        bindings.session_bindings(env=env)


def test_bindings_of_a_month_ago_are_removed_by_the_next_one(env):
    bindings.bind_session("old", {}, env=env)
    folder = os.path.join(user_dir(env), "sessions")
    (name,) = os.listdir(folder)
    os.utime(os.path.join(folder, name), (0, 0))
    bindings.bind_session("new", {}, env=env)
    assert bindings.session_binding("old", env=env) is None
    assert bindings.session_binding("new", env=env) is not None
