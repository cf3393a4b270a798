"""Real programs that talk, hang, die and leave others behind, started in both ways."""

import os
import subprocess
import sys
import time

import pytest

from operators_edge.system import children

MEGABYTE = bytes(range(256)) * 4096


@pytest.fixture(params=["spawned", "popen"])
def start(request):
    """Starts a shell's line; a descriptor to inherit makes it the business of ``subprocess``."""

    def start(line):
        if request.param == "spawned":
            child = children.start(["sh", "-c", line], env=os.environ)
            assert isinstance(child, children.Child)
            return child
        end, other = os.pipe()
        try:
            child = children.start(["sh", "-c", line], env=os.environ, pass_fds={end})
        finally:
            os.close(end)
            os.close(other)
        assert isinstance(child, children.PopenChild)
        return child

    return start


def test_output_errors_and_exit_code(start):
    child = start("echo out; echo err >&2; exit 3")
    assert child.returncode is None
    assert child.communicate(timeout=20) == (b"out\n", b"err\n")
    assert child.returncode == 3


def test_more_input_and_output_than_a_pipe_holds(start):
    child = start("cat; echo end >&2")
    assert child.communicate(MEGABYTE, 60) == (MEGABYTE, b"end\n")


def test_input_that_nobody_reads_is_no_failure(start):
    child = start("exec <&-; echo done")
    assert child.communicate(MEGABYTE, 60) == (b"done\n", b"")
    assert child.returncode == 0


def test_what_comes_too_late_is_had_by_waiting_again(start):
    child = start("echo first; read word; echo $word")
    with pytest.raises(TimeoutError):
        # The input stays open for as long as it has not been written.
        child.communicate(b"", 0)
    out, _ = child.communicate(timeout=20)
    assert out == b"first\n\n"


def test_a_program_that_has_closed_its_output_is_waited_for_no_longer_than_told(start):
    child = start("exec >&- 2>&-; exec sleep 60")
    with pytest.raises(TimeoutError):
        child.communicate(timeout=0.2)
    child.kill()
    child.communicate(timeout=20)
    assert child.returncode == -9


@pytest.mark.parametrize(("end", "number"), [("terminate", 15), ("kill", 9)])
def test_a_signal_is_the_negative_exit_code_and_no_other_process_gets_one(start, end, number):
    child = start("exec sleep 60")
    getattr(child, end)()
    child.communicate(timeout=20)
    assert child.returncode == -number
    getattr(child, end)()


def test_a_conversation(start):
    child = start("while read word; do echo got $word; done")
    to, answers = child.streams()
    for word in (b"one", b"two"):
        to.write(word + b"\n")
        to.flush()
        assert answers.readline() == b"got " + word + b"\n"
    assert child.communicate(timeout=20) == (b"", b"")
    assert child.returncode == 0


def test_the_child_has_this_environment_and_a_broken_pipe_ends_it(start):
    # Python ignores SIGPIPE, and programs that inherit that write on to nobody.
    child = start("yes | head -n 1; kill -PIPE $$; echo survived")
    assert child.communicate(timeout=20)[0] == b"y\n"
    assert child.returncode == -13
    child = children.start(["sh", "-c", "echo $ONLY$HOME"], env={"ONLY": "this"})
    assert child.communicate(timeout=20)[0] == b"this\n"


def test_a_missing_program_is_an_error_and_leaves_no_descriptor_open():
    before = os.listdir("/dev/fd")
    with pytest.raises(FileNotFoundError):
        children.start(["operators-edge-no-such-program"], env=os.environ)
    assert len(os.listdir("/dev/fd")) == len(before)


def test_no_descriptor_stays_open(start):
    start("true").communicate(timeout=20)
    before = len(os.listdir("/dev/fd"))
    for _ in range(3):
        start("cat").communicate(b"x", 20)
    assert len(os.listdir("/dev/fd")) == before


def test_without_standard_streams_the_child_has_its_own(tmp_path):
    program = """
import os
from operators_edge.system import children
for each in (0, 1, 2):
    os.close(each)
child = children.start(["sh", "-c", "cat; echo err >&2"], env=os.environ)
said = child.communicate(b"in", 20)
open("said", "w").write(repr(said))
"""
    done = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, check=False)
    assert done.returncode == 0
    assert (tmp_path / "said").read_text() == "(b'in', b'err\\n')"


def test_git_is_asked_without_subprocess(repo):
    program = """
import sys
from operators_edge.git import commands
assert commands.ask(sys.argv[1], "log", "--format=%s") == "first\\n"
print(sorted({"subprocess", "threading", "selectors", "re"} & set(sys.modules)))
"""
    done = subprocess.run(
        [sys.executable, "-c", program, repo], capture_output=True, text=True, check=True
    )
    assert done.stdout == "[]\n"


def test_waiting_takes_no_longer_than_the_program(start):
    begun = time.monotonic()
    start("exit 0").communicate(timeout=60)
    assert time.monotonic() - begun < 5
