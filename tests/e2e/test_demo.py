"""The first command of the README, as a new user runs it: the main job with the real client."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

pytestmark = pytest.mark.e2e


def test_the_demo_plays_to_its_end_with_the_real_client() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.demo"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    assert "the agent is told:" in done.stdout
    assert "Log OK: " in done.stdout
    assert "farewell success" in done.stdout
