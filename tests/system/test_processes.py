import json
import os
import signal
import struct
import subprocess
import sys
import textwrap

import pytest

from operators_edge.system import processes
from operators_edge.system.processes import Identity

linux_only = pytest.mark.skipif(sys.platform != "linux", reason="the answer needs /proc")

HOOK = """
import json, os, sys
from operators_edge.system import processes
client = processes.identity(int(sys.argv[1]))
print(json.dumps({"answer": processes.started_as_hook_of(client), "parent": os.getppid()}))
"""

CLIENT = """
import os, socket, subprocess, sys
ours, theirs = socket.socketpair()
command = [part.replace("CLIENT", str(os.getpid())) for part in sys.argv[1:]]
ours.sendall(b"{}")
with subprocess.Popen(command, stdin=theirs, stdout=subprocess.PIPE) as hook:
    theirs.close()
    ours.close()
    sys.stdout.buffer.write(hook.stdout.read())
"""

FORGER = """
import os, socket, sys
ours, theirs = socket.socketpair()
ours.sendall(b"{}")
os.dup2(theirs.fileno(), 0)
os.execv(sys.argv[1], sys.argv[1:])
"""


def hook_answer(*command):
    """What the hook says when a client starts ``command``; CLIENT is the client's number."""
    done = subprocess.run(
        [sys.executable, "-c", CLIENT, *command], capture_output=True, check=True, timeout=30
    )
    return json.loads(done.stdout)["answer"]


def hook_command():
    return [sys.executable, "-c", HOOK, "CLIENT"]


def shell(text):
    words = " ".join(f"'{word}'" for word in [sys.executable, "-c", HOOK.strip()])
    return ["/bin/sh", "-c", text.replace("HOOK", f"{words} CLIENT")]


def test_a_process_is_itself_and_alive():
    me = processes.identity(os.getpid())
    assert me is not None
    assert processes.is_alive(me)


def test_the_same_number_with_another_start_is_another_process():
    me = processes.identity(os.getpid())
    other = Identity(me.pid, me.started + "1")
    assert other != me
    assert not processes.is_alive(other)


def test_a_process_that_ended_is_not_alive():
    child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    known = processes.identity(child.pid)
    assert known is not None
    child.communicate(b"\n")
    assert not processes.is_alive(known)


@linux_only
def test_a_process_that_ended_but_was_not_collected_is_not_alive():
    child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    known = processes.identity(child.pid)
    child.send_signal(signal.SIGKILL)
    os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
    assert not processes.is_alive(known)
    child.communicate()


def test_a_number_that_nobody_has_is_no_process():
    assert processes.identity(2**22 + 1) is None
    assert processes.parents(2**22 + 1) == []


def test_the_parents_lead_from_the_nearest_upwards():
    chain = processes.parents(os.getpid())
    assert chain[0].pid == os.getppid()
    assert processes.parents(os.getpid(), limit=1) == chain[:1]


@linux_only
def test_a_name_with_brackets_and_blanks_does_not_shift_the_fields(tmp_path):
    odd = tmp_path / "a) (b c"
    odd.symlink_to("/bin/cat")
    child = subprocess.Popen([str(odd)], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    chain = processes.parents(child.pid)
    child.communicate(b"")
    assert chain[0].pid == os.getpid()


@linux_only
def test_a_hook_that_the_client_starts_and_feeds_is_its_hook():
    assert hook_answer(*hook_command()) is True


@linux_only
def test_a_hook_inside_the_fail_closed_wrapper_is_still_its_hook():
    assert hook_answer(*shell("timeout 15 HOOK || { echo no >&2; exit 2; }")) is True


@linux_only
@pytest.mark.parametrize(
    "text",
    [
        "exec HOOK < /dev/null",
        "exec HOOK < /etc/hostname",
        "echo '{}' | HOOK",
        "echo '{}' | exec HOOK",
    ],
)
def test_input_that_does_not_come_from_the_client_is_no_hook_of_it(text):
    assert hook_answer(*shell(text)) is False


@linux_only
def test_a_socket_pair_of_the_agents_own_names_the_agent():
    assert hook_answer(sys.executable, "-c", FORGER, *hook_command()) is False


@linux_only
def test_a_connection_to_the_clients_own_listening_socket_is_no_hook_of_it(tmp_path):
    script = textwrap.dedent("""
        import os, socket, subprocess, sys
        server = socket.socket(socket.AF_UNIX)
        server.bind(sys.argv[1])
        server.listen()
        end = socket.socket(socket.AF_UNIX)
        end.connect(sys.argv[1])
        hook = [sys.executable, "-c", sys.argv[2], str(os.getpid())]
        subprocess.run(hook, stdin=end, check=True)
    """)
    done = subprocess.run(
        [sys.executable, "-c", script, str(tmp_path / "s"), HOOK],
        capture_output=True,
        check=True,
        timeout=30,
    )
    assert json.loads(done.stdout)["answer"] is False


@linux_only
def test_a_hook_of_a_nested_client_is_no_hook_of_the_outer_one():
    inner = [sys.executable, "-c", CLIENT.replace("CLIENT", "NOBODY"), *hook_command()]
    assert hook_answer(*inner) is False


def test_the_table_of_ps_is_read_without_processes_that_have_exited():
    text = (
        "  501     1 Ss   Sat Nov 21 03:52:00 2026\n"
        " 9001   501 S+   Sat Nov 21 04:00:07 2026\n"
        " 9002  9001 Z    Sat Nov 21 04:00:08 2026\n"
    )
    rows = processes.ps_rows(text)
    assert rows[9001] == (501, "Sat Nov 21 04:00:07 2026")
    assert 9002 not in rows


STARTED = """
import os, sys
os.environ["EDGE_SAID"] = "later"
print("ready", flush=True)
sys.stdin.read()
"""


@pytest.mark.skipif(sys.platform not in ("linux", "darwin"), reason="it is not told here")
def test_what_a_process_began_with_is_told_and_not_what_it_says_since():
    env = {"PATH": os.environ["PATH"], "EDGE_SAID": "at first=x"}
    with subprocess.Popen(
        [sys.executable, "-c", STARTED], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=env
    ) as child:
        child.stdout.readline()
        known = processes.identity(child.pid)
        assert processes.began_with(known, "EDGE_SAID") == "at first=x"
        assert processes.began_with(known, "EDGE_UNSAID") == ""
        other = Identity(child.pid, "another start")
        assert processes.began_with(other, "EDGE_SAID") is None
        child.stdin.close()
    assert processes.began_with(known, "EDGE_SAID") is None


def test_the_kernels_copy_of_arguments_and_environment_is_told_apart():
    data = struct.pack("=i", 2) + b"/bin/x\0\0\0\0x\0A=argument\0A=1\0B=\0\0"
    assert processes.environment_of_procargs(data)[:2] == [b"A=1", b"B="]
    for odd in (b"", b"\1", struct.pack("=i", 9) + b"/bin/x\0x\0", struct.pack("=i", -1) + b"x\0"):
        assert processes.environment_of_procargs(odd) is None
