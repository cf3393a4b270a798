"""Where configuration lies on each system, and what of it is read."""

from __future__ import annotations

import os

import pytest

from operators_edge.config import files as config_files, stamps
from operators_edge.locations import known_home
from operators_edge.system.user_dirs import config_file


@pytest.mark.parametrize(
    ("env", "platform", "path"),
    [
        ({"HOME": "/h"}, "linux", "/h/.config/operators-edge/config.toml"),
        ({"HOME": "/h", "XDG_CONFIG_HOME": "/c"}, "linux", "/c/operators-edge/config.toml"),
        # A relative one is to be ignored (XDG Base Directory Specification).
        ({"HOME": "/h", "XDG_CONFIG_HOME": "c"}, "linux", "/h/.config/operators-edge/config.toml"),
        (
            {"HOME": "/h"},
            "darwin",
            "/h/Library/Application Support/operators-edge/config.toml",
        ),
        ({"HOME": "/h", "XDG_CONFIG_HOME": "/c"}, "darwin", "/c/operators-edge/config.toml"),
        ({"APPDATA": "/a", "HOME": "/h"}, "win32", "/a/operators-edge/config.toml"),
        ({"USERPROFILE": "/u"}, "win32", "/u/AppData/Roaming/operators-edge/config.toml"),
    ],
)
def test_the_person_s_file_lies_where_the_system_keeps_such_files(env, platform, path):
    assert config_file(env, platform) == path


@pytest.mark.skipif(os.name != "posix", reason="the password database is POSIX's")
def test_without_home_the_password_database_says_where():
    assert config_file({}).startswith(known_home({}) + "/.config/")


def test_lines_are_known_for_plain_keys_and_never_guessed_for_others():
    text = (
        'profile = "strict"\n'
        "[rules.git-push]  # ours\n"
        'effect = "warn"\n'
        '[ rules . "http-write" ]\n'
        'effect = "block"\n'
        "[[rule]]\n"
        'id = "x"\n'
        'effect = "warn"\n'
    )
    lines = config_files.lines_of(text)
    assert lines["profile"] == 1
    assert lines["rules.git-push.effect"] == 3
    assert "effect" not in lines


def test_a_file_that_is_not_there_has_no_stamp_and_one_that_is_has(tmp_path):
    path = tmp_path / "x"
    assert stamps.stamp_of(str(path)) == ""
    path.write_text("")
    assert stamps.stamp_of(str(path))
    assert stamps.stamp_of(str(path / "below")) == ""


def test_a_pyproject_that_does_not_mention_us_is_no_configuration(tmp_path):
    env = {"HOME": str(tmp_path)}
    (tmp_path / "pyproject.toml").write_text("[project]\n")
    assert stamps.stamp(str(tmp_path), env) == ""
    (tmp_path / "pyproject.toml").write_text("[tool.operators-edge]\n")
    assert stamps.stamp(str(tmp_path), env)


def test_a_section_that_is_no_table_is_a_problem(tmp_path):
    (tmp_path / "pyproject.toml").write_text("[tool]\noperators-edge = 3\n")
    source = config_files.read_one(str(tmp_path / "pyproject.toml"))
    assert source.problem == "tool.operators-edge is not a table"


def test_a_home_folder_is_shown_as_a_tilde():
    assert config_files.with_tilde("/h/.config/x", {"HOME": "/h"}) == "~/.config/x"
    assert config_files.with_tilde("/homes/x", {"HOME": "/home"}) == "/homes/x"
