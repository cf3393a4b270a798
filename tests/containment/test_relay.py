"""The relay with real files and processes: a request as a contained command leaves it."""

import json
import os
import stat
import threading

import pytest

from operators_edge.containment import relay as relays, service
from operators_edge.containment.policy import RELAY_VARIABLE
from operators_edge.errors import StateError
from operators_edge.hosts.claude import contained, wiring

VERBS = [each for each in wiring.AGENT_VERBS if each not in contained.NOT_RELAYED]


@pytest.fixture
def policy(project):
    return service.policy(project)


@pytest.fixture
def relay(policy):
    return relays.Relay(policy, VERBS)


@pytest.fixture
def relayed(relay, policy, monkeypatch):
    """Ask as a contained command does, while the relay looks once."""

    def ask(*words, cwd=policy.project, stdin=""):
        monkeypatch.chdir(cwd)
        looking = threading.Thread(target=relay.look, args=(30,))
        looking.start()
        try:
            return relays.ask(words, stdin, {RELAY_VARIABLE: policy.relay})
        finally:
            looking.join()

    return ask


def test_an_agents_command_runs_outside_and_its_answer_comes_back(relayed, project):
    assert relayed("note", "from inside") == {"code": 0, "out": "Note 1: from inside\n", "err": ""}
    with open(os.path.join(project, "active_context.yaml"), encoding="utf-8") as file:
        assert "from inside" in file.read()


def test_what_is_piped_in_comes_along(relayed):
    assert '"git-push"' in relayed("explain", "--jsonl", stdin='{"command": "git push"}\n')["out"]


@pytest.mark.parametrize(
    "words",
    [
        ("approve",),
        ("dismiss", "60"),
        ("disable",),
        ("uninstall",),
        ("init", "--no-contain"),
        ("config", "set", "profile", "off"),
        ("proof", "rerun", "--all"),
        ("hook", "claude"),
    ],
)
def test_what_is_a_persons_is_not_run(relay, policy, words):
    assert "a person's" in relay.refusal(words, policy.project)


@pytest.mark.parametrize(
    "words",
    [
        ("note", "x", "--project", "/other"),
        ("note", "x", "--project=/other"),
        ("undo", "--pro", "/other"),
        ("trash", "../other"),
        ("report", "--out", "/home/ann/page.html"),
        ("report", "--out=../other/page.html"),
        ("report", "--open"),
        ("trash", "restore", "1", "--to", "/home/ann/.bashrc"),
        ("trash", "restore", "1", "--to=/home/ann/.bashrc"),
        ("trash", ".claude/settings.json"),
        ("undo", ".proof/session_log.jsonl"),
        ("lesson", "add", "--from", "{own}/key"),
    ],
)
def test_nothing_is_done_beyond_what_the_contained_command_could_do_itself(relay, policy, words):
    words = [each.replace("{own}", policy.hidden[0]) for each in words]
    assert relay.refusal(words, policy.project)


def test_work_on_the_projects_own_files_is_done(relay, policy):
    assert relay.refusal(("trash", "old.txt"), policy.project) == ""
    assert relay.refusal(("undo", "a.txt"), policy.project) == ""
    assert relay.refusal(("report", "--out", "page.html"), policy.project) == ""
    assert relay.refusal(("plan", "add", "two words"), policy.project) == ""


def test_it_works_in_a_worktree_that_the_client_made(relay, policy):
    folder = os.path.join(policy.project, ".claude", "worktrees", "w")
    os.makedirs(folder)
    assert relay.refusal(("note", "x"), folder) == ""
    assert relay.refusal(("note", "x"), os.path.dirname(os.path.dirname(folder)))


def test_another_folder_is_refused(relay, tmp_path):
    assert "not in the project" in relay.refusal(("note", "x"), str(tmp_path))


def test_without_a_relay_a_contained_command_says_so(policy):
    with pytest.raises(StateError, match="no process of Operator's Edge"):
        relays.ask(("note", "x"), "", {RELAY_VARIABLE: policy.relay})


@pytest.mark.parametrize("kind", ["link", "pipe", "garbage", "list", "large"])
def test_a_request_that_is_no_plain_file_of_words_is_refused_and_gone(
    relay, policy, kind, tmp_path
):
    path = os.path.join(policy.relay, f"x{relays.REQUEST}")
    if kind == "link":
        (tmp_path / "secret").write_text('{"words": ["note", "x"], "cwd": "/"}')
        os.symlink(tmp_path / "secret", path)
    elif kind == "pipe":
        os.mkfifo(path)
    else:
        text = {"garbage": "{", "list": "[]", "large": " " * (relays.MAX_BYTES + 1)}[kind]
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
    relay.look(0)
    assert not os.path.lexists(path)
    with open(os.path.join(policy.relay, f"x{relays.ANSWER}"), encoding="utf-8") as file:
        assert json.load(file)["code"] == 1


def test_an_answer_is_never_written_through_a_link(relay, policy, tmp_path):
    target = tmp_path / "victim"
    target.write_text("kept")
    os.symlink(target, os.path.join(policy.relay, f"x{relays.ANSWER}"))
    os.symlink(target, os.path.join(policy.relay, f"x.{os.getpid()}"))
    with open(os.path.join(policy.relay, f"x{relays.REQUEST}"), "w", encoding="utf-8") as file:
        file.write("{")
    relay.look(0)
    assert target.read_text() == "kept"


def test_a_bell_that_is_no_pipe_is_not_listened_to(policy):
    os.makedirs(policy.relay)
    with open(os.path.join(policy.relay, relays.BELL), "w", encoding="utf-8") as file:
        file.write("x")
    with pytest.raises(StateError, match="no named pipe"):
        relays.Relay(policy, VERBS)


def test_the_folder_is_the_persons_alone(relay, policy):
    assert stat.S_IMODE(os.stat(policy.relay).st_mode) == 0o700
