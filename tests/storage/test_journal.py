import os
import stat

import pytest

from operators_edge.errors import StateError
from operators_edge.storage import journal
from operators_edge.storage.journal import Record, Torn

RECORD = Record(
    "id-1",
    "test",
    "now",
    state={"before": None, "text": "a: \udcff\n"},
    ledger=[],
    files=[],
    log={"after": 0, "entries": []},
)


@pytest.fixture
def root(tmp_path):
    return str(tmp_path)


def write(root, record=RECORD):
    journal.write(root, record, before=lambda: None)


def put(root, name, data):
    path = os.path.join(root, name)
    with open(path, "wb") as file:
        file.write(data)
    return path


def content(root, name):
    with open(os.path.join(root, name), "rb") as file:
        return file.read()


def apply(root, **step):
    return journal.apply(root, step, "id-1")


def test_a_record_is_read_as_it_was_written_and_for_its_owner_alone(root):
    assert journal.read(root) is None
    write(root)
    assert journal.read(root) == RECORD
    assert stat.S_IMODE(os.stat(journal.path_of(root)).st_mode) == 0o600
    journal.remove(root)
    assert journal.read(root) is None
    journal.remove(root)


def test_a_record_never_replaces_another(root):
    write(root)
    with pytest.raises(StateError, match="already exists"):
        write(root, RECORD)


def test_what_is_raised_at_the_last_moment_leaves_no_record(root):
    def refuse():
        raise KeyError

    with pytest.raises(KeyError):
        journal.write(root, RECORD, before=refuse)
    assert journal.read(root) is None


@pytest.mark.parametrize("size", [0, 1, 20, 100, 200, -2])
def test_a_record_that_is_cut_anywhere_is_torn(root, size):
    write(root)
    path = journal.path_of(root)
    os.truncate(path, size if size >= 0 else os.path.getsize(path) + size)
    with pytest.raises(Torn):
        journal.read(root)


def test_a_record_of_another_project_is_not_followed(root, tmp_path):
    write(root)
    other = tmp_path / "other"
    (other / ".proof").mkdir(parents=True)
    put(str(other), ".proof/journal.json", content(root, ".proof/journal.json"))
    with pytest.raises(Torn, match="not written by this person"):
        journal.read(str(other))


def test_a_record_without_a_key_is_followed_only_where_there_still_is_none(root, monkeypatch):
    monkeypatch.delenv("HOME")
    monkeypatch.setenv("XDG_STATE_HOME", os.path.join(put(root, "file", b""), "below"))
    write(root)
    assert journal.read(root) == RECORD
    monkeypatch.setenv("XDG_STATE_HOME", os.path.join(root, "state"))
    with pytest.raises(Torn, match="not written by this person"):
        journal.read(root)


def test_each_step_done_twice_is_done_once(root):
    put(root, "old", b"old")
    put(root, "lines", b"one\n")
    steps = [
        {"do": "write", "path": "a/b", "before": None, "text": "new", "mode": 0o640},
        {"do": "append", "path": "lines", "size": 4, "text": "two\n"},
        {"do": "append", "path": "fresh", "size": 0, "text": "first\n"},
        {"do": "rename", "path": "old", "to": "old.bak"},
    ]
    for _ in range(2):
        assert [journal.apply(root, step, "id-1") for step in steps] == [""] * 4
        assert content(root, "a/b") == b"new"
        assert content(root, "lines") == b"one\ntwo\n"
        assert content(root, "fresh") == b"first\n"
        assert content(root, "old.bak") == b"old"
        assert "old" not in os.listdir(root)
    assert stat.S_IMODE(os.stat(os.path.join(root, "a/b")).st_mode) == 0o640


def test_an_append_that_was_torn_is_completed(root):
    put(root, "lines", b"one\ntw")
    assert apply(root, do="append", path="lines", size=4, text="two\nthree\n") == ""
    assert content(root, "lines") == b"one\ntwo\nthree\n"


def test_a_foreign_end_is_never_cut(root):
    put(root, "lines", b"one\nthe")
    assert "changed meanwhile" in apply(root, do="append", path="lines", size=4, text="two\n")
    assert content(root, "lines") == b"one\nthe\ntwo\n"
    assert apply(root, do="append", path="lines", size=4, text="two\n") == ""
    assert content(root, "lines") == b"one\nthe\ntwo\n"


def test_lines_are_added_to_a_file_that_somebody_made_shorter(root):
    put(root, "lines", b"o")
    apply(root, do="append", path="lines", size=4, text="two\n")
    assert content(root, "lines") == b"o\ntwo\n"


def test_a_file_that_is_there_again_is_left_and_told(root):
    put(root, "old", b"old")
    put(root, "old.bak", b"other")
    assert "both were left" in apply(root, do="rename", path="old", to="old.bak")
    assert "was deleted" in apply(root, do="rename", path="never", to="never.bak")
    assert content(root, "old") == b"old"
    assert content(root, "old.bak") == b"other"


def test_a_link_that_was_put_in_the_way_stops_the_step(root, tmp_path):
    outside = tmp_path / "outside"
    outside.mkdir()
    os.symlink(outside, os.path.join(root, "folder"))
    with pytest.raises(StateError, match="symbolic link"):
        apply(root, do="write", path="folder/x", before=None, text="x")
    assert list(outside.iterdir()) == []
