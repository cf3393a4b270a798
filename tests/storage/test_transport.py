"""The person's port: chosen once, for that person alone, and provable."""

import os
import socket
import stat

import pytest
from tests.hosting import write

from operators_edge.errors import StateDamaged
from operators_edge.storage import transport


@pytest.fixture
def env(fenced):
    return {"HOME": fenced, "XDG_STATE_HOME": os.path.join(fenced, "state")}


def test_nothing_is_wanted_until_somebody_wants_it(env):
    assert transport.load(env) is None
    assert not os.path.exists(env["XDG_STATE_HOME"])


def test_a_choice_is_made_once_and_kept_for_its_owner_alone(env):
    first = transport.ensure(env)
    assert transport.ensure(env) == transport.load(env) == first
    assert stat.S_IMODE(os.stat(transport.path(env)).st_mode) == 0o600
    assert first.port in transport.PORTS
    assert first.url == f"http://127.0.0.1:{first.port}/operators-edge/{first.token}/claude"


def test_a_taken_port_is_not_chosen(env):
    first = transport.ensure(env).port
    transport.remove(env)
    with socket.socket() as end:
        end.bind(("127.0.0.1", first))
        assert transport.ensure(env).port != first


def test_what_is_forgotten_is_gone_and_may_be_forgotten_twice(env):
    transport.ensure(env)
    transport.remove(env)
    transport.remove(env)
    assert transport.load(env) is None


@pytest.mark.parametrize("text", ["", "{", "[]", '{"port": "x", "token": ""}', '{"port": 1}', "7"])
def test_a_damaged_choice_says_what_to_do(env, text):
    transport.ensure(env)
    with open(transport.path(env), "w", encoding="utf-8") as file:
        file.write(text)
    with pytest.raises(StateDamaged) as caught:
        transport.load(env)
    assert "edge init --transport http" in caught.value.hint


def test_the_proof_needs_the_persons_key(env, tmp_path):
    known = transport.ensure(env)
    other = {**env, "XDG_STATE_HOME": str(tmp_path)}
    assert transport.proof(known, "n", env) == transport.proof(known, "n", env)
    assert transport.proof(known, "n", env) != transport.proof(known, "m", env)
    assert transport.proof(known, "n", env) != transport.proof(known, "n", other)


def test_settings_that_name_a_port_are_seen_though_none_is_chosen(env, tmp_path):
    root = str(tmp_path)
    assert not transport.may_be_in_use(root, env)
    write(root, ".claude/settings.local.json", '{"hooks": {"url": "http://127.0.0.1:2/w/claude"}}')
    assert transport.may_be_in_use(root, env)
    assert not transport.may_be_in_use(str(tmp_path / "elsewhere"), env)
    transport.ensure(env)
    assert transport.may_be_in_use(str(tmp_path / "elsewhere"), env)


def test_settings_that_nobody_can_read_name_no_port(env, tmp_path):
    os.makedirs(tmp_path / ".claude" / "settings.local.json")
    assert not transport.may_be_in_use(str(tmp_path), env)
    assert not transport.may_be_in_use("", env)
