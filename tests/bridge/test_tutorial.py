"""The page's first task, as a reader types it."""

from __future__ import annotations

import os
import pathlib
import re
import subprocess
import sys

import pytest
from tests import repository
from tests.hosting import clean_env

pytestmark = pytest.mark.long

PAGE = pathlib.Path(__file__).parents[2] / "docs" / "bridge.md"


def test_the_commands_of_the_tutorial_do_what_the_page_says(tmp_path):
    root = repository.make(tmp_path / "work")
    scripts = re.findall(r"```sh\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)[:2]
    env = clean_env(str(tmp_path))
    env["PATH"] = f"{os.path.dirname(sys.executable)}{os.pathsep}{env['PATH']}"
    first, second = (
        subprocess.run(
            ["bash", "-c", script], cwd=root, env=env, capture_output=True, text=True, check=False
        )
        for script in scripts
    )
    assert first.returncode == 0, first.stdout + first.stderr
    assert "Result     success" in first.stdout
    assert "Next       git merge feat/ai/2026-01-02_01_hello" in first.stdout
    assert pathlib.Path(root, "greeting.txt").read_text(encoding="utf-8") == "hello\n"
    assert second.returncode == 0, second.stdout + second.stderr
    assert "Result     verify_failed: grep goodbye farewell.txt" in second.stdout
    assert "+bye" in second.stdout
    assert not pathlib.Path(root, "farewell.txt").exists()
