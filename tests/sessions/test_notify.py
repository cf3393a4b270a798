"""Notifications: what a person chose, what a message says, and when it is sent."""

import json
import os
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from tests.processes import ended

from operators_edge.bridge.service import Bridge
from operators_edge.errors import UsageError
from operators_edge.project import Project
from operators_edge.sessions import notify, notify_service
from operators_edge.sessions.notify import Question, Settings
from operators_edge.storage import wake
from operators_edge.system.user_dirs import user_dir

SECRET = "ntfy://ann:hunter2@ntfy.example.org/topic-only-ann-knows?token=tk_secret"
AT = datetime(2026, 11, 23, 8, 0, tzinfo=UTC)


class Clock:
    """Time passes only while somebody sleeps."""

    def __init__(self):
        self.now = AT

    def __call__(self):
        return self.now

    def sleep(self, seconds):
        self.now += timedelta(seconds=seconds)


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def here(project, clock):
    return Project(project, is_set_up=True, clock=clock)


def raise_question(here, shown="git push origin main", ident="j1"):
    pending = {"id": ident, "type": "external", "rule": "git-push", "shown": shown}
    pending |= {"source": "gate", "fingerprint": "f", "session": "s", "reason": "because"}
    pending["created_at"] = here.clock().isoformat()
    here.transact(lambda tx: tx.state.update(junction=pending), command="x")


class Service:
    """What was sent; ``takes`` is whether it arrives."""

    def __init__(self, *, takes=True):
        self.sent = []
        self.takes = takes

    def __call__(self, url, title, text):
        self.sent.append((title, text))
        if isinstance(self.takes, Exception):
            raise self.takes
        return self.takes


def run(here, clock, service, settings=Settings(("json://x.example",)), meanwhile=lambda: None):  # noqa: B008
    def sleep(seconds):
        meanwhile()
        clock.sleep(seconds)

    return notify_service.run(here, settings, by=service, sleep=sleep)


# -- when ------------------------------------------------------------------------------------------


def test_a_question_that_still_waits_after_the_time_is_announced_once(here, clock):
    service = Service()
    raise_question(here)
    assert run(here, clock, service) == {"j1"}
    assert service.sent == [(f"{os.path.basename(here.root)}: 1 decision for you", "git-push")]
    assert timedelta(seconds=20) <= clock.now - AT < timedelta(seconds=24)
    (entry,) = here.log.search(event="notified")
    assert entry["data"] == {"questions": 1, "passed": True}


def test_one_that_is_answered_in_time_is_not(here, clock):
    service = Service()
    raise_question(here)

    def answer():
        if clock.now - AT > timedelta(seconds=10):
            here.transact(lambda tx: tx.state.update(junction=None), command="x")

    assert run(here, clock, service, meanwhile=answer) == set()
    assert service.sent == []


def test_one_that_comes_up_while_another_waits_gets_its_own_time(here, clock):
    service = Service()
    raise_question(here)

    def displaced():
        if clock.now == AT + timedelta(seconds=10):
            raise_question(here, ident="j2")

    assert run(here, clock, service, meanwhile=displaced) == {"j2"}
    assert clock.now - AT >= timedelta(seconds=30)
    assert len(service.sent) == 1


def test_a_dialog_that_nobody_answers_is_announced_and_an_answered_one_is_not(here, clock):
    asked = {
        "event": "asked",
        "session": "s",
        "tool": "Bash",
        "data": {"rule": "git-push", "shown": "x"},
    }
    here.log.append_many(
        [{**asked, "tool_use_id": "t1"}, {**asked, "tool_use_id": "t2", "agent": "a"}]
    )
    here.log.append({**asked, "event": "tool", "tool_use_id": "t2", "agent": "a", "success": True})
    service = Service()
    assert run(here, clock, service) == {"t1"}
    assert len(service.sent) == 1


def test_a_queue_that_cannot_be_read_is_announced_and_not_taken_for_an_empty_one(here):
    os.makedirs(os.path.join(here.root, ".ai-handoff", "tasks"))
    Bridge(here.root).queue.counts()
    (database,) = Path(user_dir(os.environ)).rglob("bridge.db")
    database.write_bytes(b"no database at all " * 100)
    (waiting,) = notify_service.open_questions(here)
    assert (waiting.id, waiting.about) == ("queue", "the Bridge's queue cannot be read")


def test_nothing_that_waits_ends_it_at_once(here, clock):
    assert run(here, clock, Service()) == set()
    assert clock.now == AT


def test_a_service_that_does_not_take_it_is_tried_once_and_logged_without_its_secrets(here, clock):
    service = Service(takes=OSError(f"cannot reach {SECRET}"))
    raise_question(here)
    run(here, clock, service, Settings((SECRET,)))
    assert len(service.sent) == 1
    (entry,) = here.log.search(event="notified")
    assert entry["data"]["passed"] is False
    assert entry["data"]["why"] == "ntfy://ntfy.example.org: failed (OSError)"
    said = notify_service.last_result()
    assert said.problem == entry["data"]["why"]


# -- what ------------------------------------------------------------------------------------------


def question(shown="x", about="git-push"):
    return Question("1", AT, about, shown)


def test_by_default_a_message_names_project_and_rule_and_nothing_of_the_command():
    title, text = notify.message("shop", [question("curl -H 'Authorization: Bearer abc'")], "class")
    assert (title, text) == ("shop: 1 decision for you", "git-push")


def test_with_the_command_its_secrets_are_removed_and_it_is_short():
    shown = f"git push https://ann:hunter2hunter2@example.org {'x' * 5_000}\x1b[2J\n\u202e"
    _, text = notify.message("shop", [question(shown)], "command")
    assert "hunter2" not in text
    assert len(text) < 250
    assert text.isprintable()


def test_of_many_questions_the_first_are_named():
    title, text = notify.message("shop", [question()] * 9, "class")
    assert title == "shop: 9 decisions for you"
    assert text.splitlines()[-1] == "and 4 more"


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        (SECRET, "ntfy://ntfy.example.org"),
        ("tgram://123456:token/42", "tgram://…"),
        ("json://localhost:8080/x", "json://localhost"),
        ("slack://TokenA/TokenB/TokenC", "slack://…"),
        ("dbus://", "dbus://…"),
        ("nonsense", "?://…"),
        ("json://[bad", "an invalid address"),
    ],
)
def test_an_address_is_shown_without_what_may_be_a_secret(url, shown):
    assert notify.masked(url) == shown


# -- what the person chose -------------------------------------------------------------------------


def test_settings_are_written_private_and_read_as_they_were(fenced):
    settings = Settings((SECRET, 'json://a"b\\c\n\x1b'), 45, "command")
    path = notify_service.save(settings)
    assert os.stat(path).st_mode & 0o777 == 0o600
    assert notify_service.load() == settings
    assert path.startswith(fenced)


def test_a_project_has_no_say_and_no_file_means_off(project):
    for name in ("notify.toml", "edge.toml", ".operators-edge/notify.toml"):
        path = os.path.join(project, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write('urls = ["json://evil.example"]\n')
    assert notify_service.load() is None
    assert notify_service.trouble() == ""


@pytest.mark.parametrize(
    "text",
    [
        "urls = 3",
        "urls = [1]",
        "after_seconds = -1",
        "after_seconds = true",
        'detail = "all"',
        "x = 1",
        "[",
    ],
)
def test_a_file_that_is_wrong_is_named_and_is_not_taken_for_off(text):
    path = notify_service.save(Settings())
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    with pytest.raises(UsageError, match=r"notify\.toml"):
        notify_service.load()
    assert "notify.toml" in notify_service.trouble()


def test_a_file_that_others_can_read_is_refused():
    path = notify_service.save(Settings(("json://x",)))
    os.chmod(path, 0o644)
    with pytest.raises(UsageError, match="can be read by others"):
        notify_service.load()


def test_without_the_library_it_says_how_to_get_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "apprise", None)
    problem = notify_service.send_all(Settings(("json://x.example",)), "t", "b")
    assert problem == f"json://x.example: {notify_service.NOT_INSTALLED}"


# -- the process -----------------------------------------------------------------------------------


def test_nothing_is_started_where_nobody_set_it_up(project, monkeypatch):
    def start(*_, **__):
        raise AssertionError("a process was started")

    monkeypatch.setattr(subprocess, "Popen", start)
    wake.now(project)


def test_the_detached_process_waits_sends_and_leaves_the_outcome(project):
    """Without the library here: what is seen is that it came up by itself, looked, and tried to send."""
    notify_service.save(Settings(("json://127.0.0.1:9",), after_seconds=0))
    here = Project(project, is_set_up=True)
    raise_question(here)
    command = [sys.executable, "-I", "-m", wake.MODULE, project]
    process = subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    done = ended(process)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    (entry,) = here.log.search(event="notified")
    assert entry["data"]["questions"] == 1
    assert json.loads(json.dumps(entry["data"]))["passed"] is False


def test_what_was_announced_is_not_announced_again_with_the_next_question(project):
    notify_service.save(Settings(("json://127.0.0.1:9",), after_seconds=0))
    here = Project(project, is_set_up=True)
    for ident in ("j1", "j1", "j2"):
        raise_question(here, ident=ident)
        assert notify_service.main([project]) == 0
    assert len([*here.log.search(event="notified")]) == 2


def test_why_the_process_could_not_look_is_said_afterwards(project):
    notify_service.save(Settings(("json://127.0.0.1:9",), after_seconds=0))
    with open(os.path.join(project, "active_context.yaml"), "w", encoding="utf-8") as file:
        file.write("objective: [")
    assert notify_service.main([project]) != 0
    said = notify_service.last_result()
    assert said.problem.startswith(f"{project}: ")


def test_a_call_that_asks_a_person_starts_it(client, same_user_folder, monkeypatch):
    started = []
    notify_service.save(Settings(("json://127.0.0.1:9",), after_seconds=0), client.env)
    assert client.bash("git push origin main") == "deny"
    here = Project(client.root, is_set_up=True)
    end = datetime.now(UTC) + timedelta(seconds=30)
    while not started and datetime.now(UTC) < end:
        started = [*here.log.search(event="notified")]
    assert started
