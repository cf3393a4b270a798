"""``edge notify``: a person sets it up in their own file, an agent does not; no address shows a secret."""

import json
import os

import pytest
from tests.hosting import at_a_terminal

from operators_edge.sessions import notify_service
from operators_edge.sessions.notify import Settings
from operators_edge.storage import wake

SECRET = "ntfy://ann:hunter2@ntfy.example.org/topic"


def test_it_is_off_until_a_person_sets_it_up(edge):
    code, out, _ = edge("notify")
    assert code == 0
    assert out.startswith("Notifications are off.")
    assert not os.path.exists(wake.settings_path())


def test_a_person_adds_changes_and_removes_an_address_and_its_secret_is_never_shown(project, edge):
    done = at_a_terminal(project, "notify", "add", SECRET)
    assert done.returncode == 0, done.stderr
    done = at_a_terminal(project, "notify", "set", "--after", "45", "--detail", "command")
    assert notify_service.load() == Settings((SECRET,), 45, "command")
    _, out, _ = edge("notify", "--json")
    assert json.loads(out)["data"]["addresses"] == ["ntfy://ntfy.example.org"]
    _, text, _ = edge("notify")
    assert "longer than 45 s" in text
    for shown in (done.stdout, out, text):
        assert "hunter2" not in shown
        assert "/topic" not in shown
    again = at_a_terminal(project, "notify", "add", SECRET)
    assert again.returncode == 1
    assert at_a_terminal(project, "notify", "remove", "2").returncode == 64
    assert at_a_terminal(project, "notify", "remove", "1").returncode == 0
    assert notify_service.load() == Settings((), 45, "command")


@pytest.mark.parametrize(
    "words",
    [("add", "json://evil.example"), ("remove", "1"), ("set", "--detail", "command"), ("test",)],
)
def test_nobody_but_a_person_changes_or_sends_anything(edge, words):
    notify_service.save(Settings((SECRET,)))
    code, _, err = edge("notify", *words)
    assert code == 1
    assert "only a person decides this" in err
    assert notify_service.load() == Settings((SECRET,))


def test_a_message_that_does_not_arrive_is_told_by_test_status_and_doctor(project, edge):
    notify_service.save(Settings(("json://ann:hunter2@127.0.0.1:9/topic",)))
    done = at_a_terminal(project, "notify", "test")
    assert done.returncode == 1
    assert "hunter2" not in done.stderr
    problem = notify_service.trouble()
    assert "not everything arrived: json://" in done.stderr
    for words in (("status",), ("doctor",), ("notify",)):
        _, out, _ = edge(*words)
        assert problem in " ".join(out.split()), words


@pytest.mark.parametrize("value", ["-1", "86401"])
def test_a_time_that_makes_no_sense_is_refused(project, value):
    assert at_a_terminal(project, "notify", "set", f"--after={value}").returncode == 64
