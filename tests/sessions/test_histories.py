"""Work of several sessions, played through the real hooks, and what the next session is shown of it."""

import os
import re
import shlex
import tomllib
from pathlib import Path

import pytest
from tests import processes
from tests.hosting import Client, at_a_terminal, clean_env, forget_client, git, write

from operators_edge.sessions import briefing

pytestmark = pytest.mark.long

HISTORIES = tomllib.loads(Path(__file__).with_name("histories.toml").read_text(encoding="utf-8"))[
    "history"
]


class Played:
    """A project without a plan, and the sessions of one history in it."""

    def __init__(self, root, home):
        self.root, self.home = root, home
        write(
            root,
            "active_context.yaml",
            "schema_version: 4\nobjective: null\nplan: []\nconstraints: []\n",
        )
        self.client = Client(root, clean_env(home))

    def play(self, lines):
        for line in lines:
            verb, _, rest = line.partition(": ")
            getattr(self, verb)(*([rest] if rest else []))

    def begins(self):
        self.client = Client(self.root, clean_env(self.home))
        self.client.start()

    def asks(self, text):
        self.client.prompt(text)

    def says(self, text):
        self.client.send("Stop", stop_hook_active=False, last_assistant_message=text)

    def reads(self, name):
        self._used("Read", {"type": "text"}, file_path=os.path.join(self.root, name))

    def edits(self, name):
        path = os.path.join(self.root, name)
        before = Path(path).read_text(encoding="utf-8") if os.path.exists(path) else ""
        given = {"file_path": path, "content": f"{before}line\n"}
        self.client.before("Write", **given)
        write(self.root, name, given["content"])
        self.client.done("Write", {"type": "create", "filePath": path}, **given)

    def interrupted(self, name):
        """The person stops the agent while it edits."""
        given = {"file_path": os.path.join(self.root, name), "content": "half"}
        self.client.before("Write", **given)
        self.client.send(
            "PostToolUseFailure",
            tool_name="Write",
            tool_input=given,
            tool_use_id=f"toolu_{self.client.calls}",
            error="The user doesn't want to proceed with this tool use.",
            is_interrupt=True,
        )

    def runs(self, line):
        command, _, output = line.partition(" -> ")
        self._used("Bash", {"stdout": output, "stderr": "", "interrupted": False}, command=command)

    def fails(self, line):
        command, _, output = line.partition(" -> ")
        self.client.before("Bash", command=command)
        self.client.done("Bash", error=f"Exit code 1\n{output}", command=command)

    def meanwhile(self, name):
        """The person changes a file between two sessions, and commits it."""
        path = Path(self.root, name)
        write(self.root, name, path.read_text(encoding="utf-8") + "by hand\n")
        git(self.root, "add", name)
        git(self.root, "commit", "-qm", f"change {name}")

    def worktree(self, name):
        """The session goes on in a second working tree of the repository."""
        place = f"{self.root}-{name}"
        git(self.root, "worktree", "add", "-q", place)
        self._used("EnterWorktree", {"worktreePath": place}, name=name)
        self.root = self.client.root = place

    def beside(self, name):
        """The next session begins in a second working tree of the repository, which is new."""
        self.root = f"{self.root}-{name}"
        git(self.client.root, "worktree", "add", "-q", self.root)

    def tries(self, command):
        """A call that needs a person, who does not decide."""
        assert self.client.bash(command) == "deny"

    def edge(self, line):
        done = processes.edge(self.root, *shlex.split(line), env=self.client.env)
        assert done.returncode == 0, done.stderr

    def person(self, line):
        """A person's command at a terminal."""
        forget_client(self.client)
        env = {key: val for key, val in self.client.env.items() if not key.startswith("CLAUDE")}
        done = at_a_terminal(self.root, *shlex.split(line), env=env)
        assert done.returncode == 0, done.stderr

    def sub(self, text):
        agent = {"agent_id": "a1", "agent_type": "Explore"}
        self.client.send("SubagentStart", **agent)
        self.client.send("SubagentStop", last_assistant_message=text, **agent)

    def todos(self, line):
        """The client's own list: "STATUS TEXT; STATUS TEXT"."""
        items = [each.split(" ", 1) for each in line.split("; ")]
        todos = [{"content": text, "status": status, "activeForm": text} for status, text in items]
        self._used("TodoWrite", {"oldTodos": [], "newTodos": todos}, todos=todos)

    def notes(self, count):
        texts = [
            f"'observation {n}: the log of host {n} shows nothing new'" for n in range(int(count))
        ]
        self.edge(f"note {' '.join(texts)}")

    def compacts(self):
        self.client.send("PreCompact", trigger="auto", custom_instructions="")

    def ends(self):
        self.client.send("SessionEnd", reason="other")

    def dies(self):
        forget_client(self.client)

    def idles(self, count):
        """Sessions in which nothing was done."""
        for _ in range(int(count)):
            self.begins()
            self.asks("anything new?")
            self.reads("readme.txt")
            self.says("Nothing has changed since yesterday.")
            self.ends()

    def _used(self, tool, response, **given):
        self.client.before(tool, **given)
        self.client.done(tool, response, **given)


def next_briefing(played, lines):
    if lines[-1] == "compacts":
        return played.client.start("compact")
    return Client(played.root, clean_env(played.home)).start()


def missing(needs, text):
    flat = " ".join(text.split())
    return [each for each in needs if not re.search(each, flat, re.IGNORECASE)]


@pytest.mark.parametrize("history", HISTORIES, ids=lambda each: each["name"])
def test_the_next_session_is_shown_what_it_needs_within_the_budget(history, repo, fenced):
    played = Played(repo, fenced)
    played.play(history["play"])
    text = next_briefing(played, history["play"])
    assert missing(history["needs"], text) == []
    assert not [each for each in history.get("never", []) if re.search(each, text)]
    assert briefing.estimate_tokens(text) <= briefing.DEFAULT_BUDGET
