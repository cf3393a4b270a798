"""A project, a home and a client for each test; nothing of the machine's own is touched."""

from __future__ import annotations

import gc
import itertools
import os
import shutil
import subprocess
import tempfile
import types
from pathlib import Path

import pytest

from operators_edge.errors import EdgeError
from operators_edge.evidence.metrics import counts
from operators_edge.project import Project
from tests import properties, repository, tables  # noqa: F401 - the profiles of examples
from tests.crash.world import World, in_memory
from tests.hosting import Client, clean_env

_TESTS = Path(__file__).parent
_LONG = ("chaos", "claims", "crash", "resident")
"""Folders of tests that play whole stories with real processes."""

_STORIES = (*_LONG, "e2e", "fuzz")
"""Folders of tests that take long or start processes, whatever their modules look like."""


def pytest_addoption(parser):
    parser.addoption(
        "--rows", default="", metavar="WORDS", help="only rows of tables with these words"
    )


def pytest_configure(config):
    tables.wanted_rows = config.getoption("--rows")


def pytest_collection_modifyitems(items):
    """Mark as quick what starts no process: neither by a repository nor from its module."""
    known = {}
    for item in items:
        folder = item.path.parent.relative_to(_TESTS).as_posix()
        if folder in _LONG:
            item.add_marker(pytest.mark.long)
        if item.module not in known:
            known[item.module] = any(map(_may_start_processes, vars(item.module).values()))
        is_story = folder in _STORIES
        if not (is_story or "repo" in item.fixturenames or known[item.module]):
            item.add_marker(pytest.mark.quick)


def _may_start_processes(value):
    """Whether a name of a test's module leads to processes: a module or a function that knows how."""
    if value is subprocess:
        return True
    known = (
        vars(value) if isinstance(value, types.ModuleType) else getattr(value, "__globals__", {})
    )
    return known.get("subprocess") is subprocess


def pytest_collection_finish():
    """What was collected stays until the end: the collector of garbage need not walk it again and again.

    Nor need it look after every 700 new objects: that took a tenth of the time of all tests.
    """
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)


_NOT_OURS = ("AI_AGENT", "NO_COLOR", "PYTHONDONTWRITEBYTECODE")
"""The last one would have every process of a test compile again what it imports."""


@pytest.fixture(scope="session")
def homes():
    """A folder for each test, on a short path: the resident's socket lies deep below it."""
    with tempfile.TemporaryDirectory(prefix="edge-", ignore_cleanup_errors=True) as above:
        yield (Path(above).resolve() / str(number) for number in itertools.count())


@pytest.fixture(autouse=True)
def fenced(homes, monkeypatch):
    """HOME and the registry's folder are the test's own, and no variable of an agent is set."""
    home = next(homes)
    home.mkdir()
    for name in list(os.environ):
        if name.startswith(("CLAUDE", "EDGE_", "GIT_")) or name in _NOT_OURS:
            monkeypatch.delenv(name)
    monkeypatch.setenv("EDGE_RESIDENT", "off")  # who wants one starts it, and ends it
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("XDG_STATE_HOME", str(home / "state"))
    return str(home)


@pytest.fixture
def repo(tmp_path):
    """A real git repository with one commit."""
    return repository.make(tmp_path / "project")


@pytest.fixture
def project(repo):
    """The repository, set up: it has a state file."""
    with open(os.path.join(repo, "active_context.yaml"), "w", encoding="utf-8") as file:
        file.write(
            "schema_version: 4\nobjective: ship it\n"
            "plan:\n- description: one\n  status: pending\nconstraints: []\n"
        )
    return repo


@pytest.fixture
def world(monkeypatch):
    """A project that is set back in a moment; its functions set HOME, which is put back with the test."""
    monkeypatch.setenv("HOME", "")
    monkeypatch.setenv("XDG_STATE_HOME", "")
    base = in_memory()
    yield World(base)
    shutil.rmtree(base, ignore_errors=True)


@pytest.fixture
def client(project, fenced):
    """A headless session that has started."""
    client = Client(project, clean_env(fenced))
    client.start()
    yield client
    _without_drift(project)


@pytest.fixture
def same_user_folder(fenced, monkeypatch):
    """The test looks into the registry that the client's hooks write."""
    monkeypatch.setenv("XDG_STATE_HOME", clean_env(fenced)["XDG_STATE_HOME"])


@pytest.fixture
def attended(project, fenced):
    """A session with a person in front of it."""
    client = Client(project, clean_env(fenced), attended=True)
    client.start()
    yield client
    _without_drift(project)


def _without_drift(root):
    """Every decision that a test leaves in the log is explained by a junction in it."""
    try:
        record = Project(root, is_set_up=True).evidence.metrics()
    except EdgeError:
        return  # the test took the log itself away
    assert counts.of_project(record)["health"]["drift_events"] == 0
