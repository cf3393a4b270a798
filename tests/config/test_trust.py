"""What a person confirmed: signed, for one project, and gone when it is withdrawn."""

from __future__ import annotations

import json
import os
import stat

import pytest

from operators_edge.config import trust
from operators_edge.errors import StateDamaged


@pytest.fixture
def env(tmp_path):
    return {"HOME": str(tmp_path / "home"), "XDG_STATE_HOME": str(tmp_path / "state")}


def confirm(root, env, *items):
    trust.confirm(str(root), items, by="ann", at="2026-01-01T00:00:00+00:00", env=env)


def test_exactly_what_was_confirmed_last_is_confirmed(tmp_path, env):
    assert trust.confirmed(str(tmp_path), env) == frozenset()
    confirm(tmp_path, env, "git-push=warn", "http-write=warn")
    confirm(tmp_path, env, "git-push=warn")
    assert trust.confirmed(str(tmp_path), env) == {"git-push=warn"}
    assert trust.RECORD.withdraw(str(tmp_path), env)
    assert not trust.RECORD.withdraw(str(tmp_path), env)
    assert trust.confirmed(str(tmp_path), env) == frozenset()


def test_a_record_changed_by_hand_or_of_another_project_confirms_nothing(tmp_path, env):
    confirm(tmp_path, env, "git-push=warn")
    path = trust.RECORD.path(str(tmp_path), env)
    with open(path, encoding="utf-8") as file:
        record = json.load(file)
    other = tmp_path / "other"
    confirm(other, env)
    with open(trust.RECORD.path(str(other), env), "w", encoding="utf-8") as file:
        json.dump(record, file)
    assert trust.confirmed(str(other), env) == frozenset()
    with open(path, "w", encoding="utf-8") as file:
        json.dump({**record, "loosenings": ["git-push=allow"]}, file)
    assert trust.confirmed(str(tmp_path), env) == frozenset()


@pytest.mark.parametrize("damage", ["", "{", "[]", '{"kind": "grant"}'])
def test_a_record_that_is_none_is_an_error_and_never_an_empty_one(tmp_path, env, damage):
    confirm(tmp_path, env, "git-push=warn")
    with open(trust.RECORD.path(str(tmp_path), env), "w", encoding="utf-8") as file:
        file.write(damage)
    with pytest.raises(StateDamaged):
        trust.confirmed(str(tmp_path), env)


@pytest.mark.skipif(os.name != "posix", reason="modes are POSIX's")
def test_the_record_is_for_its_owner_alone(tmp_path, env):
    confirm(tmp_path, env, "git-push=warn")
    assert stat.S_IMODE(os.stat(trust.RECORD.path(str(tmp_path), env)).st_mode) == 0o600
