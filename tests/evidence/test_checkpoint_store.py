"""Checkpoints of the log: folded from one or from the whole log, records are the same; none is forged."""

import json
import os
import shutil
from datetime import UTC, datetime

import pytest
from hypothesis import given, settings, strategies as st

from operators_edge.evidence import checkpoint_store
from operators_edge.evidence.session_facts import tool_entry
from operators_edge.evidence.store import EvidenceStore
from operators_edge.storage.log import ProofLog
from operators_edge.storage.verify import verify
from operators_edge.system.digest import sha256_hex


def opened(root, *, segment_bytes=2000):
    return ProofLog(
        str(root),
        clock=lambda: datetime(2030, 1, 1, tzinfo=UTC),
        segment_bytes=segment_bytes,
        on_session=EvidenceStore(str(root)).begin,
        on_sealed=EvidenceStore(str(root)).bring_on,
    )


def edit(log, name, session="s"):
    call = {"tool": "Edit", "session": session, "success": True, "cwd": log.root}
    given = {"file_path": name, "new_string": "x"}
    log.append(tool_entry({**call, "event": "tool", "input": given}))


@pytest.fixture
def log(tmp_path):
    """A log of several segments, of two sessions."""
    made = opened(tmp_path)
    for number in range(12):
        edit(made, f"f{number}", session=f"s{number % 2}")
    return made


def path_of(log):
    return os.path.join(log.root, ".proof", "log", "evidence.checkpoint")


def lose_caches(log):
    shutil.rmtree(os.path.join(log.root, ".proof", "cache"), ignore_errors=True)


def known(root):
    store = EvidenceStore(str(root))
    return store.work(), store.metrics(), store.session("s0"), store.session("s1")


def change_first_segment(log):
    """Change what only a reader of the first segment sees."""
    path = os.path.join(log.root, ".proof", "log", "000000000001.jsonl")
    with open(path, "rb") as file:
        text = file.read()
    with open(path, "wb") as file:
        file.write(text.replace(b"/f0", b"/zz"))


def test_what_was_lost_is_folded_from_the_checkpoint_and_not_from_the_whole_log(log):
    before = known(log.root)
    lose_caches(log)
    change_first_segment(log)
    assert known(log.root) == before


def test_a_reader_of_a_long_log_without_a_checkpoint_makes_one(log):
    before = known(log.root)
    checkpoint_store.forget(log.root)
    lose_caches(log)
    assert EvidenceStore(log.root).work() == before[0]
    change_first_segment(log)
    assert known(log.root) == before


def test_a_short_log_has_no_checkpoint(tmp_path):
    log = opened(tmp_path, segment_bytes=1 << 20)
    edit(log, "a")
    known(log.root)
    lose_caches(log)
    known(log.root)
    assert not os.path.lexists(path_of(log))


def forge(log):
    """Another file in the work record, with sums that fit."""
    with open(path_of(log), "rb") as file:
        first, work, *rest = file.read().split(b"\n")
    head = json.loads(first)
    work = work.replace(b'"f0"', b'"forged"')
    head["about"]["sums"]["work"] = sha256_hex(work)
    with open(path_of(log), "wb") as file:
        file.write(b"\n".join([json.dumps(head).encode(), work, *rest]))


def cut(log):
    with open(path_of(log), "r+b") as file:
        file.truncate(os.fstat(file.fileno()).st_size - 10)


def make_older(log):
    with open(path_of(log), "rb") as file:
        text = file.read()
    with open(path_of(log), "wb") as file:
        file.write(text.replace(b'"version": ', b'"version": 1'))


@pytest.mark.parametrize("spoil", [forge, cut, make_older])
def test_a_checkpoint_that_this_person_did_not_seal_is_not_believed(log, spoil):
    before = known(log.root)
    lose_caches(log)
    spoil(log)
    assert known(log.root) == before


def test_a_checkpoint_of_another_project_is_not_believed(log, tmp_path_factory):
    other = opened(tmp_path_factory.mktemp("other"))
    for number in range(12):
        edit(other, f"other{number}", session="s0")
    before = known(log.root)
    lose_caches(log)
    shutil.copy(path_of(other), path_of(log))
    assert known(log.root) == before


def test_a_checkpoint_of_a_log_that_was_replaced_is_not_believed(log):
    shutil.copy(path_of(log), os.path.join(log.root, "kept"))
    shutil.rmtree(os.path.join(log.root, ".proof"))
    for number in range(12):
        edit(log, f"new{number}", session="s0")
    before = known(log.root)
    lose_caches(log)
    os.replace(os.path.join(log.root, "kept"), path_of(log))
    assert known(log.root) == before


def test_without_a_key_the_log_is_written_and_nothing_is_kept(log, monkeypatch, tmp_path):
    checkpoint_store.forget(log.root)
    monkeypatch.setenv("XDG_STATE_HOME", "/dev/null")
    monkeypatch.setenv("HOME", "/dev/null")
    for number in range(12):
        edit(log, f"more{number}")
    assert log.count() == 24
    assert not os.path.lexists(path_of(log))
    assert "more11" in known(log.root)[0]["files"]


def audited(log):
    audit = EvidenceStore(log.root).audit()
    assert verify(log, follow=audit.line).first_broken is None
    return audit.differing()


def test_an_audit_compares_what_is_kept_with_the_log(log):
    known(log.root)
    assert audited(log) == []
    forge(log)
    assert audited(log) == [".proof/log/evidence.checkpoint"]


def test_an_audit_finds_a_cached_record_that_does_not_follow_from_the_log(log):
    known(log.root)
    path = os.path.join(log.root, ".proof", "cache", "work.json")
    with open(path, encoding="utf-8") as file:
        text = file.read()
    with open(path, "w", encoding="utf-8") as file:
        file.write(text.replace('"f0"', '"forged"'))
    assert audited(log) == [".proof/cache/work.json"]
    EvidenceStore(log.root).forget()
    assert "f0" in known(log.root)[0]["files"]
    assert audited(log) == []


EVENTS = st.sampled_from(["edit", "objective", "session_start", "prompt", "session_end"])


@settings(max_examples=40)
@given(st.lists(st.tuples(EVENTS, st.integers(0, 3)), max_size=40), st.integers(1, 4000))
def test_from_a_checkpoint_or_from_the_beginning_the_records_are_the_same(
    tmp_path_factory, events, segment_bytes
):
    log = opened(tmp_path_factory.mktemp("log"), segment_bytes=segment_bytes)
    for number, (event, session) in enumerate(events):
        if event == "edit":
            edit(log, f"f{number}", session=f"s{session}")
        else:
            data = {"objective": "o", "objective_hash": f"{number}", "source": "resume"}
            log.append({"event": event, "session": f"s{session}", "data": data})
    lose_caches(log)
    from_checkpoint = known(log.root)
    lose_caches(log)
    checkpoint_store.forget(log.root)
    assert known(log.root) == from_checkpoint


def test_a_checkpoint_that_another_key_sealed_is_removed_by_verify(log, monkeypatch, tmp_path):
    known(log.root)
    with monkeypatch.context() as other:
        other.setenv("XDG_STATE_HOME", str(tmp_path / "other"))
        checkpoint_store.forget(log.root)
        EvidenceStore(log.root).bring_on()
    assert audited(log) == [".proof/log/evidence.checkpoint"]
