"""A program can give itself a terminal. Whose it is, the processes behind it show."""

import contextlib
import os
import shutil
import signal
import subprocess
import sys

import pytest

from operators_edge.cli import terminal_opener
from operators_edge.storage import bindings
from operators_edge.system import processes, terminals
from tests.hosting import clean_env

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux shows who opened it")

HOLDER = """
import os, sys
ours, theirs = os.openpty()
print(os.ttyname(theirs), flush=True)
sys.stdin.read()
"""


@pytest.fixture
def env(tmp_path):
    return clean_env(str(tmp_path))


@pytest.fixture
def started():
    """Starts programs, and ends them with the test."""
    with contextlib.ExitStack() as stack:

        def start(*command):
            pipe = subprocess.PIPE
            process = subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True)
            stack.callback(process.wait)
            stack.callback(process.kill)
            return process

        yield start


def bind(process, env, **more):
    """The process is the client of a session that runs; what is started now is younger."""
    known = processes.identity(process.pid)
    record = {"root": "/p", "pid": known.pid, "started": known.started, **more}
    bindings.bind_session("s", record, env=env)
    _until_the_clock_moves(known)
    return known


def _until_the_clock_moves(known):
    while True:
        pid = os.fork()
        if pid == 0:
            os._exit(0) if _is_younger_than(known) else os._exit(1)
        if os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0:
            return


def _is_younger_than(known):
    return processes.is_younger(processes.identity(os.getpid()), known)


def as_orphan(act, before=lambda: None):
    """What ``act`` says in a process without a parent; ``before`` runs here, while it waits."""
    answer, told = os.pipe()
    waits, goes = os.pipe()
    first = os.fork()
    if first == 0:
        os.setsid()
        if os.fork() == 0:
            os.close(goes)
            os.read(waits, 1)
            text = "it raised"
            try:
                text = act()
            finally:
                os.write(told, text.encode() or b"nothing")
                os._exit(0)
        os._exit(0)
    os.waitpid(first, 0)
    os.close(told)
    before()
    os.close(goes)
    with os.fdopen(answer) as file:
        text = file.read()
    os.close(waits)
    return text


def sign_of_own_terminal(env):
    ours, theirs = os.openpty()
    try:
        return terminal_opener.sign_of_an_agent(theirs, env)
    finally:
        os.close(ours)
        os.close(theirs)


def test_a_terminal_without_a_login_that_was_opened_during_a_session_is_no_persons(env, started):
    bind(started("sleep", "60"), env)
    assert "while an agent's session ran" in as_orphan(lambda: sign_of_own_terminal(env))


def test_one_that_was_there_before_the_session_is(env, started):
    def begin_session():
        bind(started("sleep", "60"), env)

    assert as_orphan(lambda: sign_of_own_terminal(env), before=begin_session) == "nothing"
    assert sign_of_own_terminal(env) == ""


def test_one_that_was_opened_after_the_session_is_and_one_that_waited_for_its_end_is_not(
    env, started
):
    client = started("sleep", "60")
    known = bind(client, env)

    def end_session():
        client.kill()
        client.wait()
        own = processes.identity(os.getpid())
        record = {"root": "/p", "pid": known.pid, "started": known.started}
        late = (
            own.started.partition(":")[0] + ":" + str(int(known.started.partition(":")[2]) + 5000)
        )
        bindings.bind_session("s", {**record, "ended": late}, env=env)

    assert "session ran" in as_orphan(lambda: sign_of_own_terminal(env), before=end_session)
    record = {"root": "/p", "pid": known.pid, "started": known.started}
    bindings.bind_session("s", {**record, "ended": known.started}, env=env)
    assert as_orphan(lambda: sign_of_own_terminal(env)) == "nothing"


def test_without_a_known_end_only_a_program_with_terminals_counts(env, started, tmp_path):
    client = started("sleep", "60")
    bind(client, env)
    client.kill()
    client.wait()
    assert "session ran" in as_orphan(lambda: sign_of_own_terminal(env))
    copy = tmp_path / "tmux"
    shutil.copy("/bin/sleep", copy)
    screen = started(str(copy), "60")
    assert terminals.is_terminal_program(processes.identity(screen.pid))
    assert not terminals.is_terminal_program(
        processes.identity(client.pid) or processes.Identity(0, "")
    )


def test_a_terminal_whose_other_end_a_client_holds_is_no_persons(env, started):
    client = started(sys.executable, "-c", HOLDER)
    fd = os.open(client.stdout.readline().strip(), os.O_RDWR | os.O_NOCTTY)
    try:
        assert terminal_opener.sign_of_an_agent(fd, env) == ""
        bind(client, env)
        assert terminal_opener.sign_of_an_agent(fd, env) == "an agent's client opened this terminal"
    finally:
        os.close(fd)


def test_what_a_service_manager_started_apart_from_the_session_is_a_persons(env, started):
    client = started("sleep", "60")
    first = processes.identity(os.getpid())
    group = terminals.cgroup_of(first.pid)
    if not group:
        pytest.skip("no service manager keeps processes in groups here")
    bind(client, env, cgroup=f"{group}/elsewhere")
    assert as_orphan(lambda: sign_of_own_terminal(env)) == "nothing"


def test_from_a_process_namespace_of_its_own_nothing_is_accepted(env, started):
    bind(started("sleep", "60"), env, namespace=terminals.process_namespace())
    code = (
        "import os, pty\n"
        "from operators_edge.cli import terminal_opener\n"
        "print(terminal_opener.sign_of_an_agent(os.openpty()[1], os.environ))"
    )
    inside = ["unshare", "-Urpf", "--mount-proc", sys.executable, "-c", code]
    done = subprocess.run(inside, env=env, capture_output=True, text=True, check=False, timeout=30)
    if "unshare" in done.stderr:
        pytest.skip(f"no namespaces here: {done.stderr.strip()}")
    assert "cannot be seen" in done.stdout, done.stderr


def test_a_name_that_a_process_gives_itself_makes_it_no_login(env, started, tmp_path):
    copy = tmp_path / "sshd"
    shutil.copy("/bin/cat", copy)
    process = started(str(copy))
    print("a", file=process.stdin, flush=True)
    assert process.stdout.readline() == "a\n"  # it runs, and is called by its file's name
    assert terminals.name_of(process.pid) == "sshd"
    assert not terminals.is_from_outside(processes.identity(process.pid))
    os.kill(process.pid, signal.SIGKILL)
