import json
import os
from datetime import UTC, datetime

import pytest

from operators_edge.store.proof import ProofLog


@pytest.fixture
def log(tmp_path):
    return ProofLog(str(tmp_path), clock=lambda: datetime(2030, 1, 1, tzinfo=UTC))


def edit(log, name, session="s"):
    call = {"tool": "Edit", "session": session, "success": True, "cwd": log.root}
    log.append_tool({**call, "event": "tool", "input": {"file_path": name, "new_string": "x"}})


def cache(log):
    folder = os.path.join(log.root, ".proof", "cache", "sessions")
    return [os.path.join(folder, name) for name in os.listdir(folder)]


def files(log, session="s"):
    return log.observations(session)["files_modified"]


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
    log.append({"event": "prompt", "session": "s"})
    again = ProofLog(log.root, clock=log.clock)
    assert again.session("s").was_refused("x")
    assert not again.session("s").was_refused("y")
