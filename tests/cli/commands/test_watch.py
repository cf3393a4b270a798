"""``edge watch`` at a terminal and in a pipe: live, at any size, and back to the shell as it was."""

import json
import os
import pty
import selectors
import struct
import subprocess
import termios
import time
from fcntl import ioctl

import pyte
import pytest
from tests.processes import EDGE

from operators_edge.project import Project

LIMIT = 30.0


class Screen:
    """A terminal with ``edge watch`` in it."""

    def __init__(self, project, env, size=(24, 80)):
        self.master, slave = pty.openpty()
        self.screen = pyte.Screen(size[1], size[0])
        self.stream = pyte.ByteStream(self.screen)
        self.raw = b""
        self.resize(*size)
        self.mode = termios.tcgetattr(slave)
        self.slave = slave
        self.process = subprocess.Popen(
            [*EDGE, "watch"], cwd=project, env=env, stdin=slave, stdout=slave, stderr=slave
        )
        self.selector = selectors.DefaultSelector()
        self.selector.register(self.master, selectors.EVENT_READ)

    def resize(self, rows, columns):
        ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        self.screen.resize(rows, columns)

    def text(self):
        return "\n".join(line.rstrip() for line in self.screen.display)

    def wait_for(self, what):
        end = time.monotonic() + LIMIT
        while what not in self.text():
            assert time.monotonic() < end, f"{what!r} is not on the screen:\n{self.text()}"
            if self.selector.select(0.2):
                data = os.read(self.master, 65536)
                self.raw += data
                self.stream.feed(data)
        return self.text()

    def press(self, key):
        os.write(self.master, key.encode())


@pytest.fixture
def watching(project, monkeypatch):
    env = {**os.environ, "TERM": "xterm-256color"}
    env.pop("COLUMNS", None)
    env.pop("LINES", None)
    started = []

    def start(**more):
        started.append(Screen(project, env, **more))
        return started[-1]

    yield start
    for each in started:
        each.process.kill()
        each.process.wait()
        os.close(each.master)
        os.close(each.slave)


def bash(command):
    return {"event": "tool", "tool": "Bash", "success": True, "data": {"command": command}}


def test_entries_and_questions_come_up_by_themselves_and_q_leaves_the_terminal_as_it_was(
    project, watching
):
    here = Project(project, is_set_up=True)
    here.log.append(bash("before"))
    screen = watching()
    screen.wait_for("Bash: before")
    here.log.append(bash("pytest -q \x1b[2J\x1b]0;title\x07"))
    screen.wait_for("Bash: pytest -q")
    here.transact(
        lambda tx: tx.state.update(junction={"type": "external", "reason": "Which one?"}),
        command="x",
    )
    shown = screen.wait_for("Which one?")
    assert shown.index("Which one?") < shown.index("pytest -q")
    screen.resize(12, 40)
    screen.wait_for("q ends this")
    assert max(map(len, screen.text().splitlines())) <= 40
    screen.press("q")
    assert screen.process.wait(LIMIT) == 0
    screen.raw += os.read(screen.master, 65536)
    assert screen.raw.endswith(b"\x1b[?25h\x1b[?1049l")
    assert termios.tcgetattr(screen.slave) == screen.mode
    assert b"\x1b]0;" not in screen.raw
    assert screen.raw.count(b"\x1b[2J") == 0


def test_in_a_pipe_it_is_a_line_for_each_entry_until_the_reader_goes_away(project):
    here = Project(project, is_set_up=True)
    here.log.append_many([bash("one"), bash("two \x1b[2J")])
    for words in ([], ["--json"]):
        with subprocess.Popen(
            [*EDGE, "watch", "-n", "2", *words], cwd=project, stdout=subprocess.PIPE, text=True
        ) as process:
            first, second = process.stdout.readline(), process.stdout.readline()
            process.kill()
        assert "\x1b" not in first + second
        if words:
            assert json.loads(second)["data"]["command"] == "two \x1b[2J"
        else:
            assert "Bash: one" in first
