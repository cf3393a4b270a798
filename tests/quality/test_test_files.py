"""Reading a project's tests: which files, how much, and what is said when not all were read."""

import os

import pytest
from tests.hosting import write

from operators_edge.quality import test_files


def test_every_languages_test_files_are_read_in_lower_case(tmp_path):
    write(str(tmp_path), "tests/test_a.py", "def test_Rejects(): ...")
    write(str(tmp_path), "web/a.test.ts", "it('Accepts', f)")
    write(str(tmp_path), "src/a.py", "NOT_READ = 1")
    found = test_files.texts(str(tmp_path))
    assert "test_rejects" in found.text
    assert "accepts" in found.text
    assert "not_read" not in found.text
    assert found.is_whole


@pytest.mark.parametrize("folder", ["node_modules/x", ".venv/lib", "dist", "__pycache__", ".git"])
def test_others_and_generated_code_is_passed_over(tmp_path, folder):
    write(str(tmp_path), f"{folder}/test_a.py", "def test_a(): ...")
    assert test_files.texts(str(tmp_path)) == ("", True)


@pytest.mark.parametrize("bound", ["MAX_FILES", "MAX_ENTRIES", "MAX_BYTES"])
def test_a_bound_that_is_hit_is_said(tmp_path, monkeypatch, bound):
    for number in range(4):
        write(str(tmp_path), f"tests/test_{number}.py", "def test_a(): ...")
    monkeypatch.setattr(test_files, bound, 2)
    found = test_files.texts(str(tmp_path))
    assert not found.is_whole
    assert found.text.count("def test_a") <= 2


def test_a_long_file_is_read_from_its_beginning_and_that_is_said(tmp_path, monkeypatch):
    monkeypatch.setattr(test_files, "MAX_FILE_BYTES", 10)
    write(str(tmp_path), "test_a.py", "0123456789abcdef")
    assert test_files.texts(str(tmp_path)) == ("0123456789", False)


def test_no_link_is_followed_and_nothing_waits_for_a_pipe(tmp_path):
    outside = write(str(tmp_path), "outside.txt", "secret")
    root = tmp_path / "project"
    root.mkdir()
    os.symlink(outside, root / "test_a.py")
    os.mkfifo(root / "test_b.py")
    found = test_files.texts(str(root))
    assert "secret" not in found.text
    assert not found.is_whole
