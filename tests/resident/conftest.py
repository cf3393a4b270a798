"""A resident of the test's own user, started by hand and ended with the test."""

from __future__ import annotations

import subprocess
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

from operators_edge.resident import control
from tests.hosting import COMMAND, Client, clean_env
from tests.processes import HOOK

if TYPE_CHECKING:
    from collections.abc import Iterator

STAY = [*COMMAND[:3], HOOK, "--stay"]


@contextmanager
def staying(
    env: dict[str, str], command: list[str] | None = None
) -> Iterator[subprocess.Popen[str]]:
    """A resident that is ready."""
    process = subprocess.Popen(command or STAY, env=env, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    try:
        assert process.stdout.readline() == "ready\n"
        yield process
    finally:
        process.kill()
        process.communicate()


@pytest.fixture
def env(fenced):
    """A home in which residents are started as for a user; at its end all of them are sent away."""
    env = clean_env(fenced, EDGE_RESIDENT="on")
    yield env
    control.switch(env, is_on=False)


@pytest.fixture
def resident(env):
    with staying(env) as process:
        yield process


@pytest.fixture
def warm(project, env, resident):
    """A headless session whose calls the resident answers."""
    client = Client(project, env)
    client.start()
    return client


@pytest.fixture
def cold(project, fenced):
    """The same project without a resident."""
    client = Client(project, clean_env(fenced))
    client.start()
    return client
