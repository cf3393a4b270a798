"""A contained session through the real client: what an unread program tries, and ordinary work."""

import functools
import json
import os
import socket
import subprocess
import threading
import zipfile
import zlib
from collections.abc import Iterator
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from tests.e2e.drive import World, one_shot
from tests.e2e.model_server import ModelServer, bash
from tests.e2e.story import Story

from operators_edge.containment import service
from operators_edge.hosts.claude import sandbox

WHY_NOT = service.why_not(*sandbox.NEEDED)
pytestmark = [pytest.mark.e2e, pytest.mark.skipif(bool(WHY_NOT), reason=WHY_NOT)]

TRY = """
import json, subprocess, zlib
given = json.loads(zlib.decompress(bytes.fromhex("TRIES")))
for name, line in given.items():
    done = subprocess.run(["bash", "-c", line], capture_output=True, text=True, timeout=30)
    print(name, "rc", done.returncode)
"""
"""A program that runs lines which the gate does not see: they are compressed in it."""


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        """Nothing."""


@pytest.fixture
def index(tmp_path: Path) -> Iterator[str]:
    """A package index outside, with one package; its address."""
    folder = tmp_path / "index" / "simple" / "tiny"
    folder.mkdir(parents=True)
    name = "tiny-1.0-py3-none-any.whl"
    info = "tiny-1.0.dist-info"
    with zipfile.ZipFile(folder / name, "w") as wheel:
        wheel.writestr("tiny.py", "SIZE = 'tiny'\n")
        wheel.writestr(f"{info}/METADATA", "Metadata-Version: 2.1\nName: tiny\nVersion: 1.0\n")
        wheel.writestr(
            f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        )
        wheel.writestr(f"{info}/RECORD", "")
    (folder / "index.html").write_text(f'<a href="{name}">{name}</a>')
    handler = functools.partial(_Quiet, directory=str(tmp_path / "index"))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()
        thread.join()


@pytest.fixture
def contained(story: Story) -> Story:
    story.edge("init", "--contain")
    return story


def ran(server: ModelServer, world: World, lines: dict[str, str]) -> dict[str, str]:
    """Let the agent run lines, one call each; return the results."""
    server.play(*[[bash(line, id=name)] for name, line in lines.items()], ["Done."])
    # The story's permissions let every command pass: what is stopped, the operating system has stopped.
    # Not by skipping permissions altogether, as the client then also allows every host.
    one_shot(world, "go on")
    return {name: str(server.result_of(name)) for name in lines}


def test_no_program_reaches_anything_outside_or_the_guards_own_parts(
    world: World, server: ModelServer, contained: Story, index: str
) -> None:
    home, project = world.home, world.project
    multiplexer = ["tmux", "-S", str(world.top / "tmux")]
    subprocess.run([*multiplexer, "new-session", "-d"], env=world.env(), check=True)
    registry = home / ".local/state/operators-edge"
    package = Path(service.__file__).parent
    (home / ".gnupg").mkdir()
    agent, bus = str(home / ".gnupg" / "S.gpg-agent"), f"edge-{os.getpid()}"
    kept = [socket.socket(socket.AF_UNIX) for _ in range(2)]
    for one, address in zip(kept, (agent, f"\0{bus}"), strict=True):
        one.bind(address)
        one.listen()
    kept.append(socket.create_server(("127.0.0.1", 0)))
    local = f"import socket; socket.create_connection({kept[2].getsockname()!r})"
    connect = "import socket; socket.socket(socket.AF_UNIX).connect"
    relay = {"words": ["approve"], "cwd": str(project), "stdin": ""}
    tries = {
        "settings": "echo ' ' >> .claude/settings.local.json",
        "settings-moved": "mv .claude .c && mkdir .claude",
        "skill": "mkdir -p .claude/skills/x && touch .claude/skills/x/SKILL.md",
        "home": "touch ~/.hit ~/hit",
        "beside": f"touch {world.top}/hit",
        "record": "touch .proof/hit",
        "state": "echo >> active_context.yaml",
        "key": f"cat {registry}/key",
        "registry": f"touch {registry}/hit && ls {registry}/key",
        "installation": f"touch {package}/hit",
        "git-hook": "echo 'touch ~/hit' > .git/hooks/pre-commit",
        "git-config": "git config core.fsmonitor 'touch ~/hit'",
        "keys-pressed": f"tmux -S {world.top}/tmux send-keys 'touch {home}/hit' Enter",
        "key-agent": f"""python3 -c '{connect}("{agent}")'""",
        "bus": f"""python3 -c '{connect}(chr(0) + "{bus}")'""",
        "loopback": f'python3 -c "{local}"',
        "other-family": "python3 -c 'import socket as s; s.create_connection((\"2001:db8::1\", 9), 3)'",
        "signal": f"kill -0 {os.getpid()}",
        "its-memory": f"test -e /proc/{os.getpid()}/mem",
        "another-root": f"touch /proc/1/root{home}/hit",
        "hard-link": "ln ~/.gitconfig hit && echo >> hit",
        "guarded-hard-link": "ln .git/config hit && echo >> hit",
        "git-renamed": "mv .git .g && cp -r .g .git",
        "device": "mknod hit b 8 0",
        "nested": "bwrap --ro-bind / / true",
        "namespace": "unshare -Ur true",
        "mount": "mount -o remount,rw,bind /",
        "host": f"curl -sSf --noproxy '' {index}/ -m 5",
        "past-the-proxy": f"curl -sSf --noproxy '*' {index}/ -m 5",
        "edge": "edge approve || edge init --no-contain",
        "edge-elsewhere": f"edge note x --project {world.top}",
    }
    left = f"(setsid sh -c 'sleep 600; touch {project}/late' >/dev/null 2>&1 &); sleep 0.2"
    request = f"echo '{json.dumps(relay)}' > $EDGE_RELAY/x.request; printf ! > $EDGE_RELAY/bell"
    wait = "for i in 1 2 3 4 5 6 7 8 9; do test -e $EDGE_RELAY/x.answer && break; sleep 1; done"
    tries["left-behind"] = f"{left}; exit 1"
    tries["relay"] = f"{request}; {wait}; grep '\"code\": 0' $EDGE_RELAY/x.answer"
    packed = zlib.compress(json.dumps(tries).encode()).hex()
    program = contained.file("tries.py")
    program.write_text(TRY.replace("TRIES", packed))
    own = contained.file(".claude/settings.local.json").read_bytes()
    said = ran(server, world, {"tries": f"python3 {program}"})["tries"]
    subprocess.run([*multiplexer, "kill-server"], env=world.env(), check=False)
    for each in kept:
        each.close()
    outcomes = dict(line.split(" rc ") for line in said.splitlines() if " rc " in line)
    assert outcomes.keys() == tries.keys(), said
    assert [name for name, code in outcomes.items() if code == "0"] == []
    assert contained.file(".claude/settings.local.json").read_bytes() == own
    assert [path for path in world.top.rglob("*hit*") if ".git" not in path.parts] == []
    assert not (package / "hit").exists()
    assert contained.recorded("junction_decided") == []
    running = subprocess.run(
        ["pgrep", "-f", f"touch {project}/late"], capture_output=True, check=False
    )
    assert running.stdout == b""


def test_ordinary_work_goes_on(world: World, server: ModelServer, story: Story, index: str) -> None:
    story.edge("init", "--contain", "--allow-host", "127.0.0.1")
    install = f"NO_PROXY= no_proxy= v/bin/pip install -q --index-url {index}/simple/ tiny"
    serve = (
        "python3 -m http.server 8123 >/dev/null 2>&1 & sleep 1; curl -sSf http://127.0.0.1:8123/"
    )
    said = ran(
        server,
        world,
        {
            "commit": "echo x > new.py && git add -A && git commit -qm new && git status --short",
            "branch": "git switch -qc topic && git switch -q main && git log --oneline | wc -l",
            "install": f"python3 -m venv v && {install} && v/bin/python -c 'import tiny; print(tiny.SIZE)'",
            "serve": f"{serve} | grep -c new.py; kill %1",
            "temporary": "f=$(mktemp) && echo kept > $f && cat $f",
            "test": "python3 -m unittest -q 2>&1 | tail -1",
            "edge": "edge note 'from inside' && edge status | head -1 && echo after",
        },
    )
    assert said["commit"] == "(Bash completed with no output)", said["commit"]
    assert said["branch"].strip() == "2"
    assert said["install"].splitlines()[-1] == "tiny", said["install"]
    assert said["serve"].strip() == "1"
    assert said["temporary"].strip() == "kept"
    assert "FAILED" in said["test"]  # the story's sum is wrong; the tests ran
    assert said["edge"].splitlines() == [
        "Note 1: from inside",
        f"Project    {os.path.realpath(world.project)}, contained",
        "after",
    ]
    tracked = story.git("ls-files").splitlines()
    assert "new.py" in tracked
    assert not [each for each in tracked if each.startswith((".bash", ".vscode"))]
    # The record has the commands as they were written, so checks are still recognised.
    checks = [each["data"].get("check") for each in story.recorded("tool")]
    assert [each["name"] for each in checks if each] == ["unittest"]


def test_doctor_tries_it_through_the_client_and_says_what_does_not_hold(
    world: World, server: ModelServer, contained: Story
) -> None:
    said = [each for each in doctor(world) if each["name"] == "containment"]
    (holds,) = [each["what"] for each in said if each["what"].startswith("tried, and holds")]
    # Run as root, as this suite may be, the client leaves the kernel's settings within reach.
    wrong = [each["what"] for each in said if each["level"] == "problem"]
    assert ["can change the kernel" in each for each in wrong] == [True] * (os.geteuid() == 0)
    assert any("a server that one command starts" in each["what"] for each in said)
    for word in (
        "settings",
        "record",
        "keys",
        "installation",
        "home",
        "outside",
        "sockets",
        "network",
    ):
        assert word in holds
    settings = contained.file(".claude/settings.local.json")
    value = json.loads(settings.read_text())
    value["sandbox"]["enabled"] = False
    settings.write_text(json.dumps(value))
    problems = [each["what"] for each in doctor(world) if each["level"] == "problem"]
    assert any("sandbox.enabled is false" in each for each in problems)
    assert any("can be written" in each for each in problems)
    assert server.requests == []  # the model that the person uses was not asked


def doctor(world: World) -> list[dict[str, str]]:
    done = subprocess.run(
        ["edge", "doctor", "--json"],
        cwd=world.project,
        env=world.env(),
        capture_output=True,
        text=True,
        check=False,
    )
    checks: list[dict[str, str]] = json.loads(done.stdout)["data"]["checks"]
    return checks
