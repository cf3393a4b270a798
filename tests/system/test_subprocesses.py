"""Real processes: their output, their end, and what is left of a group when the time is up."""

import os
import threading

from operators_edge.system.processes import identity
from operators_edge.system.subprocesses import MAX_OUTPUT, run


def test_output_and_errors_are_kept_in_their_order_with_the_exit_code(tmp_path):
    ran = run("echo one; echo two >&2; exit 3", str(tmp_path), seconds=20)
    assert (ran.code, ran.output, ran.why) == (3, "one\ntwo\n", "")
    assert ran.duration_ms >= 0


def test_the_output_is_shown_as_it_comes(tmp_path):
    gate = tmp_path / "gate"
    os.mkfifo(gate)
    seen = threading.Event()

    def show(text):
        if "first" in text:
            seen.set()

    def answer():
        # The command goes on only once its first words were shown.
        assert seen.wait(20)
        gate.write_text("on\n")

    helper = threading.Thread(target=answer)
    helper.start()
    ran = run(f"echo first; read x < {gate}; echo $x", str(tmp_path), seconds=20, show=show)
    helper.join()
    assert ran.output == "first\non\n"


def test_when_the_time_is_up_the_whole_group_ends(tmp_path):
    ran = run("sleep 300 & echo $!; wait", str(tmp_path), seconds=0.5)
    assert ran.code is None
    assert ran.why == "it was stopped after 0.5 seconds"
    assert identity(int(ran.output.split()[0])) is None


def test_what_a_command_leaves_in_the_background_ends_with_it(tmp_path):
    ran = run("sleep 300 & echo $!", str(tmp_path), seconds=20)
    assert ran.code == 0
    assert identity(int(ran.output.split()[0])) is None


def test_a_command_that_a_signal_ended_has_the_shells_code(tmp_path):
    assert run("kill -9 $$", str(tmp_path), seconds=20).code == 137


def test_a_command_has_nothing_to_read(tmp_path):
    assert run("cat", str(tmp_path), seconds=20).output == ""


def test_a_folder_that_is_not_there_is_said(tmp_path):
    ran = run("true", str(tmp_path / "gone"), seconds=20)
    assert ran.code is None
    assert ran.why.startswith("it could not be started")


def test_of_much_output_the_beginning_and_the_end_are_kept(tmp_path):
    ran = run("echo begin; yes | head -c 1000000; echo end", str(tmp_path), seconds=60)
    assert len(ran.output) < 2 * MAX_OUTPUT
    assert ran.output.startswith("begin\n")
    assert ran.output.endswith("end\n")
    assert "characters truncated]" in ran.output
