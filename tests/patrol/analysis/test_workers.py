"""A real worker process: asked, kept busy, killed."""

import os
import signal
import sys

import pytest
from tests.hosting import write

from operators_edge.patrol.analysis.workers import NoAnswer, Worker

ENDLESS = "(a+)+$"


@pytest.fixture
def worker():
    with Worker() as worker:
        yield worker


@pytest.fixture
def question(tmp_path):
    return {"path": write(str(tmp_path), "a.py", "# TODO: x\n"), "name": "a.py", "is_test": False}


def test_one_process_answers_one_question_after_another(worker, question):
    first = worker.ask(question)
    number = worker._process.pid
    assert first["markers"] == [[1, "TODO", "x"]]
    assert worker.ask(question) == first
    assert worker._process.pid == number


def test_a_pattern_that_never_ends_is_given_up_and_the_next_question_is_answered(
    worker, question, tmp_path
):
    path = write(str(tmp_path), "long.py", "a" * 60 + "!\n")
    with pytest.raises(NoAnswer, match=r"more than 0\.5 seconds"):
        worker.ask({"path": path, "pattern": ENDLESS}, 0.5)
    with pytest.raises(NoAnswer, match=r"more than 0\.0 seconds"):
        worker.ask({"path": path, "pattern": ENDLESS}, 0)
    assert worker.ask(question)["lines"] == 1


def test_a_worker_that_dies_is_replaced_and_its_last_output_is_the_reason(worker, question):
    worker.ask(question)
    with pytest.raises(NoAnswer, match="KeyError"):
        worker.ask({"path": question["path"]})
    assert worker.ask(question)["lines"] == 1
    os.kill(worker._process.pid, signal.SIGKILL)
    worker._process.wait()
    with pytest.raises(NoAnswer, match="without output"):
        worker.ask(question)
    assert worker.ask(question)["lines"] == 1


def test_a_missing_file_is_reported(worker, question):
    os.remove(question["path"])
    assert worker.ask(question) == {"unread": "No such file or directory"}


def test_a_pipe_in_the_place_of_a_file_does_not_block(worker, question):
    os.remove(question["path"])
    os.mkfifo(question["path"])
    assert worker.ask(question)["lines"] == 0


def test_a_module_of_the_project_is_not_imported_for_an_analyser(worker, tmp_path, monkeypatch):
    write(str(tmp_path), "lizard.py", "raise SystemExit('taken over')\n")
    monkeypatch.chdir(tmp_path)
    path = write(str(tmp_path), "b.py", "def f():\n    pass\n")
    told = worker.ask({"path": path, "name": "b.py", "is_test": False})
    assert told["functions"] == [["f", 1, 1]]


def test_nothing_of_it_is_left_afterwards(question):
    with Worker() as worker:
        worker.ask(question)
        process = worker._process
    assert process.returncode is not None


def test_an_analyser_that_cannot_be_started_is_reported(worker, question, monkeypatch):
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    with pytest.raises(NoAnswer, match="no analyser could be started: No such file"):
        worker.ask(question)
