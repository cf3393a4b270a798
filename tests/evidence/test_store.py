import json
import os
import subprocess
import sys
from datetime import UTC, datetime

import pytest

from operators_edge.evidence import objective_facts, session_facts, store as evidence_store
from operators_edge.evidence.session_facts import tool_entry
from operators_edge.evidence.store import EvidenceStore
from operators_edge.storage import segments
from operators_edge.storage.log import ProofLog


@pytest.fixture
def log(tmp_path):
    return opened(str(tmp_path))


def opened(root):
    return ProofLog(
        root,
        clock=lambda: datetime(2030, 1, 1, tzinfo=UTC),
        on_session=EvidenceStore(root).begin,
    )


def store(log):
    return EvidenceStore(log.root)


def edit(log, name, session="s"):
    call = {"tool": "Edit", "session": session, "success": True, "cwd": log.root}
    given = {"file_path": name, "new_string": "x"}
    log.append(tool_entry({**call, "event": "tool", "input": given}))


def cache(log):
    folder = os.path.join(log.root, ".proof", "cache", "sessions")
    return [os.path.join(folder, name) for name in os.listdir(folder)]


def files(log, session="s"):
    return store(log).observations(session)["files_modified"]


def test_what_was_added_since_is_folded_onto_what_was_kept(log):
    edit(log, "a")
    assert files(log) == ["a"]
    (path,) = cache(log)
    with open(path, encoding="utf-8") as file:
        kept = json.load(file)
    kept["record"]["files_modified"] = ["from-the-cache"]
    with open(path, "w", encoding="utf-8") as file:
        json.dump(kept, file)
    edit(log, "b")
    assert files(log) == ["from-the-cache", "b"]


def test_when_a_session_began_is_read_from_what_was_kept_and_what_was_added_is_not(log):
    edit(log, "a")
    began = store(log).started_at("s")
    assert began is not None
    assert began.startswith("2030-01-01")
    (path,) = cache(log)
    with open(path, "rb") as file:
        kept = file.read()
    edit(log, "b")
    assert store(log).started_at("s") == began
    with open(path, "rb") as file:
        assert file.read() == kept
    assert store(log).started_at("unknown") is None


def test_the_cache_can_be_deleted_at_any_time(log):
    edit(log, "a")
    edit(log, "b", session="t")
    assert files(log) == ["a"]
    for path in cache(log):
        os.unlink(path)
    edit(log, "c")
    assert files(log) == ["a", "c"]
    assert files(log, "t") == ["b"]


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", '{"version": 1}', '{"version": 1, "record": {}, "position": [1, 2, "x"]}'],
)
def test_a_damaged_cache_is_made_anew(log, text):
    edit(log, "a")
    files(log)
    (path,) = cache(log)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    assert files(log) == ["a"]


def test_a_cache_of_a_log_that_is_no_more_is_made_anew(log):
    edit(log, "a")
    edit(log, "b")
    assert files(log) == ["a", "b"]
    os.unlink(os.path.join(log.root, ".proof", "session_log.jsonl"))
    edit(log, "c")
    assert files(log) == ["c"]


def test_a_new_session_does_not_search_the_log_before_it(log):
    for number in range(5):
        edit(log, f"old{number}")
    log.append({"event": "session_start", "session": "new", "data": {"source": "startup"}})
    (path,) = cache(log)
    with open(path, encoding="utf-8") as file:
        assert json.load(file)["position"][1] > 1000
    edit(log, "n", session="new")
    assert files(log, "new") == ["n"]


def test_a_resumed_session_keeps_what_it_did_before(log):
    log.append({"event": "session_start", "session": "s", "data": {"source": "startup"}})
    edit(log, "a")
    log.append({"event": "session_end", "session": "s"})
    assert files(log) == ["a"]
    for path in cache(log):
        os.unlink(path)
    log.append({"event": "session_start", "session": "s", "data": {"source": "resume"}})
    edit(log, "b")
    assert files(log) == ["a", "b"]


@pytest.mark.parametrize("session", ["../../x", "a\x00b", 'q"uote', "ü\ud800", ""])
def test_any_session_id_is_kept_inside_the_cache(log, session):
    edit(log, "a", session=session)
    assert files(log, session) == (["a"])
    assert len(cache(log)) == 1


def test_a_cache_that_cannot_be_written_only_costs_time(log):
    edit(log, "a")
    os.mkdir(os.path.join(log.root, ".proof", "cache"))
    with open(os.path.join(log.root, ".proof", "cache", "sessions"), "w", encoding="utf-8"):
        pass
    assert files(log) == ["a"]


def test_what_a_person_refused_is_known_in_the_next_process(log):
    log.append({"event": "asked", "session": "s", "tool_use_id": "a", "data": {"fingerprint": "x"}})
    log.append({"event": "stop", "session": "s"})
    again = EvidenceStore(log.root)
    assert session_facts.was_refused(again.session("s"), "x", (), "")
    assert not session_facts.was_refused(again.session("s"), "y", (), "")


# -- what all sessions did -------------------------------------------------------------------------


def objective(log, text):
    data = {"objective": text, "objective_hash": text}
    log.append({"event": "objective", "session": "s", "data": data})


def work_path(log):
    return os.path.join(log.root, ".proof", "cache", "work.json")


def test_every_sessions_work_since_the_objective_is_kept_beside_the_log(log):
    edit(log, "before")
    objective(log, "go")
    edit(log, "a")
    edit(log, "b", session="t")
    record = store(log).work()
    assert list(record["files"]) == ["a", "b"]
    assert record["sessions"] == ["s", "t"]
    with open(work_path(log), encoding="utf-8") as file:
        assert json.load(file)["record"] == record
    assert store(log).work() == record


def test_a_lost_work_record_is_folded_from_the_last_objective_and_is_the_same(log):
    objective(log, "first")
    edit(log, "a")
    objective(log, "second")
    for number in range(30):
        edit(log, f"f{number}")
    kept = store(log).work()
    os.unlink(work_path(log))
    assert store(log).work() == kept
    assert kept["since"]["seq"] == 3


@pytest.mark.parametrize("segment_bytes", [1, 2000, 10_000_000])
def test_the_last_objective_is_found_in_whichever_segment_it_lies(tmp_path, segment_bytes):
    log = ProofLog(
        str(tmp_path), clock=lambda: datetime(2030, 1, 1, tzinfo=UTC), segment_bytes=segment_bytes
    )
    edit(log, "before")
    objective(log, "go")
    edit(log, "a")
    edit(log, "b")
    assert list(store(log).work()["files"]) == ["a", "b"]
    os.unlink(work_path(log))
    assert list(store(log).work()["files"]) == ["a", "b"]


def test_a_line_that_only_quotes_an_objective_sets_none(log):
    objective(log, "go")
    edit(log, "a")
    quoted = '{"seq":1,"event":"objective","session":"s"}'
    log.append({"event": "note", "session": "s", "data": {"text": "," + quoted[1:]}})
    store(log).work()
    os.unlink(work_path(log))
    assert list(store(log).work()["files"]) == ["a"]


def test_without_an_objective_the_work_record_begins_with_the_log(log):
    edit(log, "a")
    assert list(store(log).work()["files"]) == ["a"]
    os.unlink(work_path(log))
    assert store(log).work()["since"] is None
    assert list(store(log).work()["files"]) == ["a"]


def test_who_folds_a_long_log_keeps_what_is_done_on_the_way(log, monkeypatch):
    monkeypatch.setattr(segments, "KEEP_EVERY", 2)
    for name in "abc":
        edit(log, name)
    cache = evidence_store._Cache(
        log.root, work_path(log), lambda: objective_facts.new_facts(log.root), stopped_at("c")
    )
    with pytest.raises(KeyboardInterrupt):
        cache.current()
    with open(work_path(log), encoding="utf-8") as file:
        assert list(json.load(file)["record"]["files"]) == ["a", "b"]
    assert list(store(log).work()["files"]) == ["a", "b", "c"]


def stopped_at(name):
    def fold(record, entries):
        if entries[0]["file_touched"].endswith(f"/{name}"):
            raise KeyboardInterrupt
        return objective_facts.fold(record, entries)

    return fold


ASK = """
import sys
from operators_edge.evidence.store import EvidenceStore
print(*sorted(EvidenceStore(sys.argv[1]).work()["files"]))
"""


def test_processes_that_fold_at_the_same_time_do_not_spoil_the_record(log):
    objective(log, "go")
    names = [f"f{number:03}" for number in range(200)]
    for name in names:
        edit(log, name)
    asking = [
        subprocess.Popen([sys.executable, "-c", ASK, log.root], stdout=subprocess.PIPE, text=True)
        for _ in range(6)
    ]
    for process in asking:
        out, _ = process.communicate(timeout=60)
        assert out.split() == names
    assert list(store(log).work()["files"]) == names
    assert os.listdir(os.path.dirname(work_path(log))).count("work.json") == 1
    assert not [each for each in os.listdir(os.path.dirname(work_path(log))) if "tmp" in each]
