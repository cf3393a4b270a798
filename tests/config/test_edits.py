"""One value set in a TOML file: everything else in it stays as the person wrote it."""

from __future__ import annotations

import os
import stat
import tomllib

import pytest

from operators_edge.config import edits as config_edits
from operators_edge.errors import StateDamaged


@pytest.mark.parametrize(
    ("before", "keys", "after"),
    [
        ("", ("profile",), 'profile = "new"\n'),
        ("# why\nprofile = 'old' # here\n", ("profile",), '# why\nprofile = "new" # here\n'),
        (
            '# top\n[rules.git-push]\neffect = "warn"  # kept\n',
            ("rules", "http-write", "effect"),
            None,
        ),
        ("[rules]\n[rules.git-push]\neffect = 'warn'\n", ("rules", "git-push", "effect"), None),
        ("rules = { git-push = { effect = 'warn' } }\n", ("rules", "git-push", "effect"), None),
        ("[[rule]]\nid = 'x'\n", ("junction_style",), None),
        ("[tool.ruff]\na = 1\n", ("tool", "operators-edge", "profile"), None),
    ],
)
def test_a_value_is_set_and_the_rest_is_as_it_was(tmp_path, before, keys, after):
    path = tmp_path / "edge.toml"
    path.write_text(before)
    text, table = config_edits.with_value(str(path), keys, "new")
    if after is not None:
        assert text == after
    expected = tomllib.loads(before)
    inner = expected
    for key in keys[:-1]:
        inner = inner.setdefault(key, {})
    inner[keys[-1]] = "new"
    assert table == tomllib.loads(text) == expected
    assert all(comment in text for comment in ("# top", "# kept", "# why") if comment in before)
    assert path.read_text() == before


@pytest.mark.parametrize(
    ("before", "keys"),
    [
        ("profile =", ("profile",)),
        ("rules = 3\n", ("rules", "x", "effect")),
        ("\x00", ("profile",)),
    ],
)
def test_a_file_with_something_in_the_way_is_left_alone(tmp_path, before, keys):
    path = tmp_path / "edge.toml"
    path.write_text(before)
    with pytest.raises(StateDamaged):
        config_edits.with_value(str(path), keys, "new")


def test_the_person_s_own_file_is_made_for_its_owner_alone(tmp_path):
    path = tmp_path / "config" / "operators-edge" / "config.toml"
    config_edits.write(str(path), 'profile = "strict"\n', is_private=True)
    assert path.read_text() == 'profile = "strict"\n'
    if os.name == "posix":
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
