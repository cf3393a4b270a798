import os
import shutil
import socket
import subprocess
import sys
import venv

import pytest
from tests.hosting import git
from tests.processes import HOOK

from operators_edge.containment import seatbelt, service, store
from operators_edge.containment.policy import Policy
from operators_edge.errors import StateDamaged
from operators_edge.storage.process_lock import acquire

BWRAP = service.why_not()
contained = pytest.mark.skipif(
    bool(BWRAP) or sys.platform != "linux", reason=f"bubblewrap: {BWRAP}"
)


@pytest.mark.parametrize(
    ("url", "host"),
    [
        ("https://user:pass@git.example/a/b.git", "git.example"),
        ("ssh://git@git.example:22/a.git", "git.example"),
        ("git@git.example:a/b.git", "git.example"),
        ("git.example:a/b.git", "git.example"),
        ("file:///srv/a.git", ""),
        ("/srv/a.git", ""),
        ("../a:b.git", ""),
    ],
)
def test_the_host_of_a_remote(url, host):
    assert service.host_of_remote(url) == host


def test_the_hosts_are_those_of_what_the_project_uses_of_its_remotes_and_the_named_ones(repo):
    os.mkdir(os.path.join(repo, "web"))
    for name in ("pyproject.toml", "web/package.json"):
        with open(os.path.join(repo, name), "w", encoding="utf-8"):
            pass
    git(repo, "remote", "add", "origin", "git@git.example:a/b.git")
    policy = service.policy(repo, added=["more.example"])
    assert {"git.example", "more.example", "pypi.org", "registry.npmjs.org"} <= {*policy.hosts}
    assert "rubygems.org" not in policy.hosts
    assert policy.variables["npm_config_cache"] == f"{policy.cache}/npm"


def test_a_project_without_any_of_that_reaches_no_host(repo):
    assert service.policy(repo).hosts == ()


def test_a_tracked_state_file_is_noticed(project):
    git(project, "add", "-f", "active_context.yaml")
    assert service.policy(project).can_write(os.path.join(project, "active_context.yaml"))


def test_two_projects_share_no_cache(repo, tmp_path):
    assert service.policy(repo).cache != service.policy(str(tmp_path)).cache


def test_a_damaged_policy_is_not_taken_for_none(repo, fenced):
    path = store.path_of(repo)
    os.makedirs(os.path.dirname(path))
    with open(path, "w", encoding="utf-8") as file:
        file.write('{"project": 1')
    with pytest.raises(StateDamaged):
        store.load(repo)


def test_a_missing_program_is_named():
    assert "no-such-program" in service.why_not("no-such-program", platform="linux")
    assert "Linux and macOS" in service.why_not(platform="win32")


# -- commands that really run under a policy -------------------------------------------------------


@pytest.fixture
def ran(project, fenced, tmp_path):
    """Run a shell line under the project's policy; the finished process."""
    os.makedirs(os.path.join(project, ".proof"))
    policy = service.policy(project)
    os.makedirs(policy.relay)
    os.makedirs(policy.hidden[0], exist_ok=True)

    def run(line):
        words = service.arguments(policy, ["sh", "-c", line], folder=project, temp=str(tmp_path))
        return subprocess.run(words, capture_output=True, text=True, timeout=30, check=False)

    return run


@contained
def test_it_writes_the_project_and_nothing_else(ran, fenced, project):
    guarded = (os.path.join(project, ".proof", "x"), "/usr/x", "/var/lib/x", "/etc/x")
    private = (
        os.path.join(fenced, "x"),
        os.path.join(os.path.dirname(project), "x"),
        "/tmp/edge-x",
    )
    done = ran(
        "echo x > new && echo y > $EDGE_RELAY/x && echo z > $TMPDIR/z && echo fine;"
        f"touch {' '.join((*guarded, *private))}; echo x >> active_context.yaml"
    )
    assert done.stdout == "fine\n"
    assert done.stderr.count("Read-only file system") == len(guarded) + 1, done.stderr
    assert not any(map(os.path.exists, (*guarded, *private)))
    assert os.path.exists(os.path.join(project, "new"))


@contained
def test_the_persons_folder_is_empty_inside(ran):
    acquire(os.path.join(os.environ["XDG_STATE_HOME"], "operators-edge", "run", "x"), os.environ)
    assert ran("ls $XDG_STATE_HOME/operators-edge").stdout == ""


@contained
def test_it_gets_no_further_namespace_no_mount_and_no_network(ran):
    done = ran("unshare -Ur true; mount -o remount,rw / ; cat /proc/net/dev | grep -c :")
    assert done.stdout == "1\n", done.stdout  # the loopback
    assert "ermitted" in done.stderr or "No space left" in done.stderr
    assert ran(
        "python3 -c 'import socket; socket.create_connection((\"192.0.2.1\", 80), 1)'"
    ).returncode


CONNECT = "import socket, sys; socket.socket(socket.AF_UNIX).connect(sys.argv[1])"


@pytest.fixture
def listening(project):
    """Sockets of other programs: of a key agent, where everything else can be written, and of a bus without
    a path."""
    agent, bus = os.path.join(project, "S.agent"), f"\0edge-bus-{os.getpid()}"
    with socket.socket(socket.AF_UNIX) as one, socket.socket(socket.AF_UNIX) as other:
        for server, address in ((one, agent), (other, bus)):
            server.bind(address)
            server.listen()
        yield agent


@contained
def test_it_reaches_no_program_outside(ran, listening):
    """Each line would succeed outside."""
    with (
        socket.create_server(("127.0.0.1", 0)) as server,
        subprocess.Popen(["sleep", "60"]) as other,
    ):
        python, port, pid = f"{shutil.which('python3')} -c", server.getsockname()[1], other.pid
        bus = f"socket.socket(socket.AF_UNIX).connect(chr(0) + 'edge-bus-{os.getpid()}')"
        lines = {
            "key agent": f'{python} "{CONNECT}" {listening}',
            "abstract socket": f'{python} "import socket; {bus}"',
            "loopback": f"{python} \"import socket; socket.create_connection(('127.0.0.1', {port}))\"",
            "signal": f"kill -0 {pid}",
            "its files": f"test -e /proc/{pid}/root",
            "terminal": "head -c0 /dev/tty",
        }
        reached = [name for name, line in lines.items() if ran(line).returncode == 0]
        other.kill()
    assert reached == []


@contained
def test_no_read_only_place_is_led_around(ran, project, fenced):
    """By what moves, links or mounts it, and by the kernel's settings."""
    with open(os.path.join(fenced, "mine"), "w", encoding="utf-8") as file:
        file.write("mine")
    lines = {
        "the folder above renamed": "mv .git .g && mkdir .git && cp -r .g/. .git && echo x > .git/hooks/x",
        "a hard link": f"ln {fenced}/mine mine && echo >> mine",
        "a hard link of a guarded file": "ln .git/config c && echo >> c",
        "unmounted": f"umount {project}/.git/config",
        "the kernel": "v=$(cat /proc/sys/kernel/core_pattern); echo $v > /proc/sys/kernel/core_pattern",
        "another root": f"touch /proc/1/root{fenced}/x && exit 1",  # what is written there is gone
        "a device": "mknod d b 8 0",
        "a setuid program": f"cp $(command -v sh) s && chmod 4755 s && ./s -pc 'touch {fenced}/x'; exit 1",
    }
    assert [name for name, line in lines.items() if ran(line).returncode == 0] == []
    assert not os.path.exists(os.path.join(fenced, "x"))


@contained
def test_an_installation_below_the_project_is_read_only_as_a_whole(repo, fenced):
    environment = os.path.join(repo, ".venv")
    venv.create(environment, with_pip=False, symlinks=True)
    shutil.copytree(os.path.dirname(HOOK), os.path.join(environment, "operators_edge"))
    python = os.path.join(environment, "bin", "python")
    found = "import sys; sys.path.append(sys.argv[1]); from operators_edge.containment import service as s"
    act = "print(*s.arguments(s.policy(sys.argv[2]), sys.argv[3:], folder=sys.argv[2], temp=''), sep=chr(0))"
    line = "ln -sf /bin/true .venv/bin/python || mv .venv .v || touch .venv/x || touch fine"
    words = [python, "-c", f"{found}; {act}", environment, repo, "sh", "-c", line]
    made = subprocess.run(words, capture_output=True, text=True, check=True).stdout[:-1].split("\0")
    done = subprocess.run(made, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert os.path.exists(os.path.join(repo, "fine"))
    assert os.path.samefile(python, sys.executable)


@contained
def test_a_server_on_its_loopback_can_be_reached(ran):
    line = (
        "import socket, threading; s = socket.create_server(('127.0.0.1', 0));"
        "c = socket.create_connection(s.getsockname()); print('reached')"
    )
    assert ran(f'{shutil.which("python3")} -c "{line}"').stdout == "reached\n"


@contained
def test_nothing_that_it_starts_outlives_it(ran, tmp_path):
    assert ran("sleep 4711 & echo started").stdout == "started\n"
    found = subprocess.run(["pgrep", "-f", "^sleep 4711$"], capture_output=True, check=False)
    assert found.stdout == b""


# -- macOS -----------------------------------------------------------------------------------------


def test_a_profile_denies_writing_first_and_the_guards_parts_last():
    policy = Policy(
        '/Users/ann/a "b"', read_only=("/Users/ann/a/.proof",), hidden=("/own",), cache="/c"
    )
    text = seatbelt.profile(policy, "/private/tmp/x")
    deny, allow, guard = (
        text.index(each)
        for each in (
            "(deny file-write*)",
            '(allow file-write* (subpath "/Users/ann/a \\"b\\"")',
            "/.proof",
        )
    )
    assert deny < allow < guard
    assert '(deny file-read* (subpath "/own"))' in text


def test_a_profile_is_given_to_the_program_with_the_variables():
    policy = Policy("/p", cache="/c", variables={"A": "1"})
    words = service.arguments(policy, ["true"], folder="/p", temp="/t", platform="darwin")
    assert words[:2] == ["/usr/bin/sandbox-exec", "-p"]
    assert words[-5:] == ["/usr/bin/env", "TMPDIR=/t", "A=1", "EDGE_RELAY=/c/relay", "true"]


def test_a_system_without_means_has_no_argument_list():
    assert service.arguments(Policy("/p"), ["true"], folder="/p", temp="/t", platform="win32") == []
