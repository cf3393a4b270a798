"""What an agent names after a secret is hidden in all that is kept and said of it."""

from __future__ import annotations

import os

import pytest
from tests.hosting import git, write

KNOWN = "plainly-known-7Qx2"
TOKENS = ("ghp_" + "kQ7rW2mXz9TbL4vNc8YdHs3JfGp6AeUo5iK1", "glpat-x7Kd93mQpL2vTz8RwY4b", KNOWN)


@pytest.fixture
def named(client, repo):
    """A session in which files, branches, commits, tools and addresses are called by a secret."""
    client.env["MY_SERVICE_TOKEN"] = KNOWN
    client.start()
    answers = []
    for secret in TOKENS:
        git(client.root, "checkout", "-q", "-b", f"try/{secret}")
        path = write(client.root, f"dir-{secret}/{secret}.py")
        git(client.root, "commit", "-q", "--allow-empty", "-m", f"add {secret}")
        client.before("Write", file_path=path, content=secret)
        client.done("Write", {"filePath": path}, file_path=path, content=secret)
        for tool, given in (
            ("Bash", {"command": f"git push https://{secret}@example.com/a.git main"}),
            (f"mcp__srv__{secret}", {secret: secret}),
            ("WebFetch", {"url": f"https://example.com/?q={secret}", "prompt": secret}),
        ):
            answers.append(str(client.before(tool, **given)))
            client.done(tool, error=f"no {secret}", **given)
        client.send("SubagentStart", agent_id="a1", agent_type=secret)
        client.send("Stop", stop_hook_active=False, last_assistant_message=f"done: {secret}")
    return client, answers


def kept(root):
    """All files in which the product keeps something, but for the names of files to compare the tree with."""
    yield os.path.join(root, "active_context.yaml")
    for folder, _, names in os.walk(os.path.join(root, ".proof")):
        if os.path.basename(folder) != "looks":
            yield from (os.path.join(folder, name) for name in names)


def test_nothing_that_is_kept_holds_a_secret_by_which_something_is_called(named):
    client, _ = named
    left = []
    for path in kept(client.root):
        with open(path, "rb") as file:
            data = file.read()
        left += [(path, secret) for secret in TOKENS if secret.encode() in data]
    assert left == []


def test_an_answer_does_not_repeat_a_token(named):
    _, answers = named
    assert [each for each in answers for token in TOKENS[:2] if token in each] == []
