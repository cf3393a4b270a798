"""Temporary files that a kill or a power loss left: the next session removes them, and no live one."""

import os
import time
from pathlib import Path

import pytest

from operators_edge.project import Project
from operators_edge.storage.files import OLD_SECONDS, Lock
from operators_edge.system.user_dirs import user_dir

MARK = "0123456789ab"


@pytest.fixture
def opened(project):
    made = Project(project, is_set_up=True)
    made.state.create(command="init")
    made.transact(lambda tx: tx.refuse("s", "x"), command="refuse")
    return made


def left(folder, name, *, seconds=0.0):
    path = Path(folder, f".{name}.{MARK}.tmp")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"half")
    os.utime(path, (time.time() - seconds,) * 2)
    return path


def test_what_only_the_holder_of_a_lock_writes_goes_at_once(opened):
    proof = Path(opened.root, ".proof")
    gone = [
        left(opened.root, "active_context.yaml"),
        left(proof, "journal.json"),
        left(proof, "archive.jsonl"),
        left(proof / "history", "x.yaml"),
        left(opened.registry.folder, "ledger.json"),
    ]
    opened.tidy()
    assert [path for path in gone if path.exists()] == []


def test_what_is_written_without_a_lock_goes_when_it_is_old(opened):
    folders = [
        Path(opened.root, ".proof", "cache"),
        Path(opened.root, ".proof", "log"),
        Path(user_dir(os.environ)),
        Path(user_dir(os.environ), "sessions"),
    ]
    old = [left(each, "old", seconds=OLD_SECONDS + 60) for each in folders]
    live = [left(each, "live") for each in folders]
    opened.tidy()
    assert [path for path in old if path.exists()] == []
    assert [path for path in live if not path.exists()] == []


def test_nothing_of_a_person_or_of_a_process_that_holds_the_lock_goes(opened):
    kept = [
        left(opened.root, "notes", seconds=OLD_SECONDS * 9),
        left(Path(user_dir(os.environ), "trash"), "notes", seconds=OLD_SECONDS * 9),
        left(opened.root, "active_context.yaml"),
    ]
    with Lock(os.path.join(opened.root, ".proof", "lock"), command="another"):
        opened.tidy()
    assert [path for path in kept if not path.exists()] == []
