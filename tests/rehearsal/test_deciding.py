"""A rehearsal of what waits for a decision, and the question after one."""

import os

import pytest
from tests.hosting import at_a_terminal, forget_client
from tests.processes import edge
from tests.rehearsal.world import needs_rehearsal

from operators_edge.project import Project

pytestmark = needs_rehearsal


def terminal(client, *words, answer, **env):
    """The person's own, while no client is known that could have opened it."""
    forget_client(client)
    plain = {key: value for key, value in client.env.items() if not key.startswith("CLAUDE")}
    return at_a_terminal(client.root, *words, answer=answer, env={**plain, **env})


def pending(client):
    """A target that publishes, and writes a file before it does."""
    with open(os.path.join(client.root, "Makefile"), "w", encoding="utf-8") as file:
        file.write("release:\n\techo 1 > version.txt\n\t-git push origin main\n")
    client.bash("make release")
    return Project(client.root, is_set_up=True).state.read()["junction"]


def test_the_pending_command_is_rehearsed(client):
    assert pending(client)["shown"] == "make release"
    done = edge(client.root, "rehearse", env=client.env)
    assert done.returncode == 0, done.stderr
    assert "version.txt" in done.stdout
    assert not os.path.exists(os.path.join(client.root, "version.txt"))
    assert Project(client.root, is_set_up=True).state.read()["junction"]["shown"] == "make release"


def test_a_key_rehearses_before_the_answer(client):
    pending(client)
    done = terminal(client, "approve", answer="r\ny\n")
    assert "version.txt" in done.stderr
    assert done.returncode == 0, done.stderr
    assert not Project(client.root, is_set_up=True).state.read().get("junction")


def test_without_a_question_there_is_nothing_to_rehearse(client):
    done = edge(client.root, "rehearse", env=client.env)
    assert "nothing is pending" in done.stderr


@pytest.mark.parametrize(
    ("answer", "text", "is_there"),
    [
        ("t\n", "1 change taken over", True),
        ("\n", "Nothing was done.", False),
        ("r\n", "exit code 0", True),
    ],
)
def test_a_person_is_asked_what_is_to_come_of_it(client, answer, text, is_there):
    done = terminal(client, "rehearse", "echo x > new.txt", answer=answer)
    assert text in done.stdout, done.stderr
    assert os.path.exists(os.path.join(client.root, "new.txt")) is is_there


def test_an_agent_rehearses_but_is_asked_nothing_and_sees_no_secrets(client):
    env = {**client.env, "CLAUDECODE": "1"}
    done = terminal(client, "rehearse", "echo x > new.txt", answer="t\n", CLAUDECODE="1")
    assert "Created (1)" in done.stdout
    assert not os.path.exists(os.path.join(client.root, "new.txt"))
    for line in ("cat ~/.ssh/id_ed25519", "$(cat line.txt)", 'base64 -d <<< "$CODE" | sh'):
        refused = edge(client.root, "rehearse", line, env=env)
        assert "only a person rehearses what reads secrets" in refused.stderr
