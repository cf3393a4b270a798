"""The end of a turn is never held up, whatever is broken (MO-4): the real hook, real damage."""

import json
import os
import shutil
import subprocess
import sys

import pytest
from tests.hosting import write

HOLD = """
import sys
from operators_edge.storage.files import Lock
with Lock(sys.argv[1], command="a slow edit"):
    print("held", flush=True)
    sys.stdin.read()
"""


def replaced(client, name, text):
    path = os.path.join(client.root, name)
    if os.path.isdir(path):
        shutil.rmtree(path)
    write(client.root, name, text)


def a_folder_instead(client, name):
    path = os.path.join(client.root, name)
    if os.path.isdir(path):
        shutil.rmtree(path)
    elif os.path.lexists(path):
        os.unlink(path)
    os.makedirs(path)


def registry_damaged(client):
    folder = os.path.join(client.env["XDG_STATE_HOME"], "operators-edge", "projects")
    for name in os.listdir(folder):
        for book in ("ledger.json", "head.json"):
            write(os.path.join(folder, name), book, "{not json")


def without_git(client):
    client.env["PATH"] = os.path.join(client.root, "nowhere")


def repository_broken(client):
    replaced(client, ".git/HEAD", "nonsense")


def everything(client):
    replaced(client, ".proof/session_log.jsonl", "\0garbage\n{]")
    replaced(client, ".proof/journal.json", "half a rec")
    replaced(client, ".proof/cache/sessions/x.json", "[")
    replaced(client, "active_context.yaml", "plan: [unclosed\n")
    registry_damaged(client)
    repository_broken(client)
    without_git(client)


DAMAGES = {
    "a state that is no YAML": lambda c: replaced(c, "active_context.yaml", "plan: [\n"),
    "a state of another shape": lambda c: replaced(c, "active_context.yaml", "plan: 3\nmode: x\n"),
    "no state": lambda c: os.unlink(os.path.join(c.root, "active_context.yaml")),
    "a folder for a state": lambda c: a_folder_instead(c, "active_context.yaml"),
    "a log of garbage": lambda c: replaced(c, ".proof/session_log.jsonl", "\0garbage\n{]"),
    "a folder for a log": lambda c: a_folder_instead(c, ".proof/session_log.jsonl"),
    "a file for the log's folder": lambda c: replaced(c, ".proof", "x"),
    "a torn write-ahead record": lambda c: replaced(c, ".proof/journal.json", "half a rec"),
    "a damaged ledger": registry_damaged,
    "no git": without_git,
    "a broken repository": repository_broken,
    "no project": lambda c: shutil.rmtree(c.root),
    "all of it": everything,
}


def stops(client, **fields):
    """Whether the client would let the turn end."""
    answer = client.send("Stop", **fields)
    assert client.returncode == 0
    return "decision" not in answer and answer.get("continue") is not False


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_a_turn_ends_whatever_is_damaged(client, damage):
    client.prompt("/edge active")
    damage(client)
    assert stops(client)
    assert stops(client, last_assistant_message="9 tests pass, committed as 1a2b3c4 and pushed")


@pytest.mark.parametrize("mode", ["plan", "active", "review", "done"])
def test_a_turn_ends_in_every_mode_with_a_failing_gate_and_a_decision_pending(client, mode):
    write(
        client.root,
        "active_context.yaml",
        "schema_version: 4\nobjective: ship it\nplan:\n- {description: one, status: in_progress}\n"
        f'constraints: []\n# Written by edge\nmode: "{mode}"\n',
    )
    client.bash("git push origin main")
    client.prompt("/edge done")
    assert stops(client)
    assert stops(client, stop_hook_active=True)


def test_a_turn_ends_while_another_process_holds_the_state(client):
    lock = os.path.join(client.root, ".proof", "lock")
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, lock],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as holder:
        assert holder.stdout.readline() == "held\n"
        assert stops(client)
        holder.stdin.close()


@pytest.mark.parametrize("data", [b"", b"{", b"[]", b'{"hook_event_name": "Stop"', b"\xff\xfe"])
def test_a_turn_ends_after_an_event_that_cannot_be_read(client, data):
    """It may be any event, so the answer is that of a call: it must hold no word that keeps a turn going."""
    out = client.raw(data)
    answer = json.loads(out) if out else {}
    assert client.returncode == 0
    assert "decision" not in answer
