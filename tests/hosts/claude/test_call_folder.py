"""The folder of a check is the one in which its line began, whatever the client reports afterwards."""

import os

import pytest

from operators_edge.hosts.claude import call_folder
from operators_edge.model import Call


def call(command, cwd, ident="toolu_1"):
    return Call("Bash", {"command": command}, cwd, id=ident)


@pytest.mark.parametrize(
    ("command", "may_move"),
    [
        ("cd sub && pytest", True),
        ("pushd web; npm test; popd", True),
        ("pytest sub", False),
        ("cd sub && ls", False),
        (None, False),
    ],
)
def test_only_a_check_on_a_line_that_moves_is_noted(command, may_move):
    assert call_folder.may_move(command) is may_move


def test_the_folder_is_given_back_once(tmp_path):
    root = str(tmp_path)
    call_folder.keep(root, call("cd sub && pytest", root))
    ended = call("cd sub && pytest", os.path.join(root, "sub"))
    assert call_folder.begun(root, ended).cwd == root
    assert call_folder.begun(root, ended).cwd == ended.cwd


def test_a_call_without_an_id_or_a_note_keeps_the_folder_of_the_client(tmp_path):
    root = str(tmp_path)
    call_folder.keep(root, call("cd sub && pytest", root, ident=""))
    assert call_folder.begun(root, call("cd sub && pytest", "/sub", ident="")).cwd == "/sub"
    assert call_folder.begun(root, call("ls", "/sub")).cwd == "/sub"


def test_a_call_that_never_ended_is_forgotten_after_a_day(tmp_path):
    root = str(tmp_path)
    call_folder.keep(root, call("cd a && pytest", root))
    call_folder.keep(root, call("cd b && pytest", root, ident="toolu_2"))
    old = call_folder._path(root, "toolu_1")
    os.utime(old, (1.0, 1.0))
    call_folder.sweep(root)
    assert not os.path.exists(old)
    assert os.path.exists(call_folder._path(root, "toolu_2"))
    call_folder.sweep(str(tmp_path / "elsewhere"))
