"""What counts as a change, and how soon it is noticed."""

import json
import os
import threading
import time

import pytest

from operators_edge.system.user_dirs import project_id, user_dir
from operators_edge.web import live
from operators_edge.web.projects_service import Place
from tests.hosting import write


@pytest.fixture
def changes(project, env):
    """The events of one project, after the first, which says what there is."""
    place = Place(project_id(project), project, "project")
    found = live.events(lambda: [place], env, threading.Event())
    assert json.loads(next(found)[5:]) == {"changed": [place.id], "is_first": True}
    return found


@pytest.mark.parametrize(
    "name",
    [
        "active_context.yaml",
        ".proof/session_log.jsonl",
        ".ai-handoff/tasks/2026-01-02_01_fix.json",
        ".ai-handoff/results/2026-01-02_01_fix.json",
    ],
)
def test_a_changed_file_of_the_project_is_noticed_within_a_second(changes, project, name):
    write(project, name, "x\n" * 20)
    began = time.monotonic()
    assert json.loads(next(changes)[5:])["changed"] == [project_id(project)]
    assert time.monotonic() - began < 5  # at once, where nobody else works


def test_a_grant_that_is_revoked_elsewhere_is_noticed(changes, project, env):
    folder = os.path.join(user_dir(env), "projects", project_id(project))
    write(folder, "registry.json")
    assert json.loads(next(changes)[5:])["changed"] == [project_id(project)]


def test_nothing_is_sent_while_nothing_changes_but_a_sign_that_the_server_is_there(
    changes, monkeypatch
):
    monkeypatch.setattr(live, "EVERY_SECONDS", 0)
    assert next(changes) == b": still here\n\n"


def test_it_ends_with_the_server(project, env):
    ending = threading.Event()
    found = live.events(list, env, ending)
    next(found)
    ending.set()
    assert list(found) == []
