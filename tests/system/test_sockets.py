"""Whose socket is at the other end of a loopback connection."""

import os
import socket
import subprocess
import sys

import pytest

from operators_edge.system import processes, sockets

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="told by /proc alone")


@pytest.fixture
def listening():
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server


def test_the_process_that_connected_is_known_and_no_other(listening):
    port = listening.getsockname()[1]
    code = (
        "import socket, sys\n"
        f"end = socket.create_connection(('127.0.0.1', {port}))\n"
        "sys.stdin.read()\n"
    )
    other = subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE)
    with other:
        end, (_, theirs) = listening.accept()
        with end:
            assert sockets.is_end_of(processes.identity(other.pid), theirs, port) is True
            assert sockets.is_end_of(processes.identity(os.getpid()), theirs, port) is False
            assert sockets.is_end_of(processes.identity(other.pid), theirs, port + 1) is False
        other.stdin.close()


def test_a_process_that_is_gone_holds_nothing(listening):
    port = listening.getsockname()[1]
    with socket.create_connection(("127.0.0.1", port)) as end:
        theirs = end.getsockname()[1]
        gone = processes.Identity(2**22 - 1, "never")
        assert sockets.is_end_of(gone, theirs, port) is False


def test_the_user_at_the_other_end_is_known(listening):
    port = listening.getsockname()[1]
    with socket.create_connection(("127.0.0.1", port)) as end:
        theirs = end.getsockname()[1]
        assert sockets.user_of_end(theirs, port) == os.geteuid()
        assert sockets.user_of_end(theirs, port + 1) is None
