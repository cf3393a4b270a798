"""The ways a tool call is asked about, through the real client, while what answers comes and goes.

Whatever is killed, stopped, upgraded or replaced by a stranger: a risky call never runs unasked, and
the session goes on. ``rm -rf /`` stands for it: the gate alone is between it and the disk, and the
folder that it names here is the test's own.
"""

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from tests.e2e.drive import Session, World, notices, session, terminal, wait_for
from tests.e2e.model_server import ModelServer, bash
from tests.e2e.story import Story
from tests.hosting import at_a_terminal, end_staying

import operators_edge

pytestmark = pytest.mark.e2e

READY = "manual mode"
PUSH = "git push origin main"
OTHER_PROGRAM = """
import http.server, sys
class Yes(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    def do_GET(self):
        self.send_response(204)
        self.end_headers()
    def do_POST(self):
        said = self.rfile.read(int(self.headers["Content-Length"]))
        open(sys.argv[2], "ab").write(said + b"\\n")
        self.do_GET()
    def log_message(self, *_):
        pass
server = http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Yes)
print("ready", flush=True)
server.serve_forever()
"""


@pytest.fixture
def world(client: Path, server: ModelServer) -> Iterator[World]:
    """A home whose path is short enough for a resident's socket; nothing of it stays behind."""
    top = Path(tempfile.mkdtemp(prefix="edge-", dir="/tmp"))
    world = World(top, client, server)
    yield world
    end_staying(str(world.home))
    shutil.rmtree(top)


@pytest.fixture
def story(world: World) -> Story:
    story = Story(world)
    (world.top / "victim").mkdir()
    # The victim lies in a temporary folder, where the default profile stops nothing.
    settings = world.home / ".config/operators-edge"
    settings.mkdir(parents=True, exist_ok=True)
    (settings / "config.toml").write_text('profile = "strict"\n')
    return story


@pytest.fixture
def http(story: Story) -> Story:
    story.edge("init", "--transport", "http")
    return story


class Turns:
    """Turns of one session, each with a list of commands; what happened to them, by command."""

    def __init__(self, story: Story, typed: Session) -> None:
        self.story, self.typed = story, typed
        self.said: list[str] = []
        self._count = 0
        self.risky = f"rm -rf {story.world.top / 'victim'}/"

    def go(self, *commands: str) -> list[str]:
        names = [f"call-{self._count + n}" for n in range(len(commands))]
        self._count += len(commands)
        server = self.story.world.server
        server.play(
            *([bash(c, id=name)] for c, name in zip(commands, names, strict=True)), ["Done."]
        )
        self.said = notices(self.typed.say("Go on."))
        return [str(server.result_of(name)) for name in names]

    def check(self) -> None:
        """A harmless call runs, a risky one is denied by us."""
        harmless, risky = self.go("echo fine", self.risky)
        assert harmless == "fine"
        assert "Operator's Edge (fs-recursive-delete)" in risky

    def warm(self) -> int:
        """See that a resident answers, as if the last one had been started long ago; its number."""
        world = self.story.world
        run = world.home / ".local/state/operators-edge/run"
        if not world.staying("--stay"):
            for lock in run.glob("*.lock"):
                os.utime(lock, (0, 0))
            self.check()
        wait_for("a resident", lambda: world.staying("--stay") and list(run.glob("*.sock")))
        self.check()
        return world.staying("--stay")[0]


@contextmanager
def turns(story: Story) -> Iterator[Turns]:
    with session(story.world) as typed:
        yield Turns(story, typed)
    assert (story.world.top / "victim").exists()


def ended(world: World, word: str, sign: signal.Signals = signal.SIGKILL) -> None:
    """Send it to the one process of that sort; killed, it is gone when this returns."""
    (pid,) = world.staying(word)
    os.kill(pid, sign)
    if sign == signal.SIGKILL:
        wait_for("its end", lambda: [] if pid in world.staying(word) else ["gone"])


def types(story: Story) -> set[str]:
    """How the hooks of tool calls are wired."""
    hooks = json.loads(story.file(".claude/settings.local.json").read_text())["hooks"]
    return {hooks[name][0]["hooks"][0]["type"] for name in ("PreToolUse", "PostToolUse")}


def outcomes(story: Story) -> dict[str, Sequence[object]]:
    """What the record says of each call that ran; a call that is in it twice shows up as such."""
    found: dict[str, list[object]] = {}
    for each in story.recorded("tool"):
        found.setdefault(each["tool_use_id"], []).append(each["exit_code"])
    return found


@contextmanager
def other_program(story: Story) -> Iterator[Path]:
    """Another program on the person's port, which lets everything run; the file of what it saw."""
    kept = story.world.home / ".local/state/operators-edge/http.json"
    port = json.loads(kept.read_text())["port"]
    seen = story.world.top / "seen"
    seen.touch()
    command = [sys.executable, "-c", OTHER_PROGRAM, str(port), str(seen)]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        try:
            assert process.stdout.readline() == b"ready\n"
            yield seen
        finally:
            process.kill()


def approve_one_push(turn: Turns) -> None:
    story = turn.story
    story.commit("more")
    (asked,) = turn.go(PUSH)
    assert "/edge approve" in asked
    assert "Approved once" in notices(turn.typed.say("/edge approve"))[0]
    through, again = turn.go(PUSH, PUSH)
    assert "main -> main" in through
    assert "/edge approve" in again
    assert story.head(at=story.remote) == story.head()


# -- processes, with a resident --------------------------------------------------------------------


def test_calls_are_decided_with_a_warm_a_killed_a_hung_and_an_upgraded_resident(
    world: World, story: Story
) -> None:
    copy = world.top / "lib" / "operators_edge"
    shutil.copytree(os.path.dirname(operators_edge.__file__), copy)
    story.world = world = replace(world, extra_env={"PYTHONPATH": str(copy.parent)})
    story.edge("init")
    with turns(story) as turn:
        turn.warm()
        known = json.loads(story.edge("resident", "status", "--json"))["data"]
        assert known["answered"] >= 2
        approve_one_push(turn)

        ended(world, "--stay")
        turn.check()
        hung = turn.warm()
        ended(world, "--stay", signal.SIGSTOP)
        turn.check()
        assert hung not in world.staying("--stay")  # the hook has ended it
        old = turn.warm()
        os.utime(copy / "gate" / "decide.py")
        turn.check()
        wait_for("the end of the old code", lambda: [] if old in world.staying("--stay") else ["x"])
    assert all(len(each) == 1 for each in outcomes(story).values())


# -- http ------------------------------------------------------------------------------------------


def test_over_http_calls_are_decided_approved_recorded_once_and_secrets_hidden(
    world: World, http: Story
) -> None:
    http.edge("lesson", "add", "curl", "the proxy wants a token")
    http.world = replace(world, extra_env={"DEPLOY_TOKEN": "Xyzzy-4711-plugh"})
    (world.project / "build.log").write_text("Xyzzy-4711-plugh\n")
    ended(world, "--hold")  # the session's start starts it
    with turns(http) as turn:
        turn.check()
        assert turn.said == []
        fails, shows, curls = turn.go("false", "cat build.log", "curl --version | head -c 4")
        assert "Exit code 1" in fails
        assert shows == "Xyzzy-4711-plugh"
        assert curls == "curl"
        approve_one_push(turn)
        assert "the proxy wants a token" in world.server.of()[-1].as_text()
        approve = [name for name, each in outcomes(http).items() if each != [0]]
        assert outcomes(http)[approve[0]] == [1]
        assert len(approve) == 1
    assert "Xyzzy" not in http.file(".proof/session_log.jsonl").read_text()
    assert types(http) == {"http"}


def test_a_holder_that_is_killed_or_hangs_blocks_the_next_call_and_is_back_in_seconds(
    world: World, http: Story
) -> None:
    with turns(http) as turn:
        for signal_name in ("KILL", "STOP"):
            turn.warm()  # it looks after the holder
            (pid,) = world.staying("--hold")
            first, risky = turn.go(f"kill -{signal_name} {pid}; echo sent", turn.risky)
            assert first == "sent"
            assert "hook error" in risky
            turn.check()
            assert world.staying("--hold") not in ([], [pid])
        ended(world, "--hold")
        turn.check()  # the prompt has started it
        assert "had ended, and was restarted" in turn.said[0]
        ended(world, "--hold", signal.SIGSTOP)
        turn.check()


def test_a_resident_that_is_killed_or_hangs_behind_the_holder_costs_no_call(
    world: World, http: Story
) -> None:
    with turns(http) as turn:
        turn.warm()
        ended(world, "--stay", signal.SIGSTOP)
        turn.check()
        for pid in world.staying("--stay"):
            os.kill(pid, signal.SIGKILL)
        turn.check()
        assert turn.said == []


@pytest.mark.parametrize("when", ["before", "between"])
def test_another_program_on_the_port_is_not_trusted_and_processes_decide_from_then_on(
    world: World, http: Story, when: str
) -> None:
    if when == "before":
        ended(world, "--hold")
        with other_program(http) as seen, turns(http) as turn:
            turn.check()
            assert seen.read_text() == ""
        assert types(http) == {"command"}
        with other_program(http):  # who tries once more while it is there gets another port
            http.edge("init", "--transport", "http")
            with turns(http) as turn:
                turn.check()
        assert types(http) == {"http"}
    else:
        with turns(http) as turn:
            turn.check()
            ended(world, "--hold")
            with other_program(http) as seen:
                turn.check()
                assert "another program listens on its port" in turn.said[0]
                turn.check()
                assert seen.read_text() == ""
        assert types(http) == {"command"}


def test_another_program_that_takes_the_port_in_the_middle_of_a_turn_is_noticed_within_seconds(
    world: World, http: Story
) -> None:
    with turns(http) as turn:
        turn.warm()
        begun, gone = world.top / "begun", world.top / "gone"
        waits = f"touch {begun}; while ! [ -e {gone} ]; do sleep 0.1; done"
        world.server.play([bash(waits)], [bash("sleep 6")], [bash(turn.risky, id="r")], ["Done."])
        turn.typed.type("Go on.")
        wait_for("the first call", lambda: [begun] if begun.exists() else [])
        ended(world, "--hold")
        with other_program(http):
            gone.touch()
            turn.typed.until("result")
            assert "Operator's Edge (fs-recursive-delete)" in str(world.server.result_of("r"))
            turn.check()


def test_going_back_to_processes_is_taken_up_by_a_session_that_runs(
    world: World, http: Story
) -> None:
    with turns(http) as turn:
        turn.check()
        http.edge("init", "--transport", "process")
        turn.check()
        wait_for("nobody holds the port", lambda: [] if world.staying("--hold") else ["gone"])
        turn.check()
        assert turn.said == []


def test_taking_the_hooks_out_leaves_a_session_that_runs_its_port(
    world: World, http: Story
) -> None:
    with turns(http) as turn:
        turn.check()
        assert at_a_terminal(str(world.project), "uninstall", env=world.env()).returncode == 0
        ended(world, "--hold")
        turn.check()  # the prompt has started it: the client goes on asking the port
        assert len(world.staying("--hold")) == 1


def test_a_person_reads_who_did_not_answer_and_what_was_done_about_it(
    world: World, http: Story
) -> None:
    with terminal(world) as screen:
        screen.wait_for(READY)
        http.commit("more")
        world.server.play([bash(PUSH)], ["It is out."])
        screen.type("push it")
        screen.wait_for_dialog("git-push")
        screen.answer(screen.YES)
        screen.wait_for("It is out")
        assert http.head(at=http.remote) == http.head()

        pids = " ".join(str(pid) for word in ("--stay", "--hold") for pid in world.staying(word))
        world.server.play([bash(f"kill -9 {pids}")], [bash("ls", id="blocked")], ["It is over."])
        screen.type("go on")
        screen.wait_for("1 action not run")
        screen.wait_for("had ended, and was restarted")
        assert "/operators-edge/" in str(world.server.result_of("blocked"))
        world.server.play([bash("echo again", id="again")], ["Now it runs."])
        screen.type("once more")
        screen.wait_for("Now it runs")
        assert world.server.result_of("again") == "again"
