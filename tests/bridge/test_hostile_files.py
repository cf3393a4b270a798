"""Files that nobody should have written: each gets a result or a clear refusal, and none stops the queue."""

from __future__ import annotations

import json
import os

import pytest
from tests import repository
from tests.bridge.test_audit import put
from tests.bridge.test_watcher import PATCH, Bridge

from operators_edge.bridge.locks_store import hostname
from operators_edge.errors import AnswerIsNo, StateError

TOP = ".ai-handoff"
GOOD = {"id": "t-1", "prompt": "Do it.", "patch": PATCH}


@pytest.fixture
def bridge(tmp_path):
    return Bridge(repository.make(tmp_path / "work"), tmp_path / "state")


@pytest.fixture
def inbox(tmp_path):
    (tmp_path / "work").mkdir()
    return Bridge(str(tmp_path / "work"), tmp_path / "state")


def text(**fields):
    return json.dumps({**GOOD, **fields}).encode()


WRONG_VALUES = [
    *({name: value} for name in ("id", "prompt") for value in (None, 1, True, [], {}, "")),
    *({name: value} for name in ("goal", "bead_title", "base", "patch") for value in (None, 7, [])),
    *(
        {name: value}
        for name in ("scope", "commands_to_run", "protect", "depends_on", "constraints", "retry_on")
        for value in ("text", {}, [None], [""], [["nested"]], None)
    ),
    *({name: value} for name in ("allow_dirty", "baseline") for value in ("yes", 1, 0, None)),
    *({"timeout_sec": value} for value in (0, -1, 1.5, True, "60", 10**30, None)),
    *({"attempt": value} for value in (0, -1, 2, 99, 10**20, "1", 1.0, None)),
    *({"repair": value} for value in (-1, 11, "2", [1])),
    *({"max_cost": value} for value in (-0.01, "1", None, True)),
    *({"risk_level": value} for value in ("LOW", 1, None, ["low"])),
    *({"retry_policy": value} for value in ([], {"max_attempts": 0}, {"max": 1}, None, 3)),
    *({"executor": value} for value in ("no such", "../bin/sh", "nobody", 5, "a\nb")),
    *({"base": value} for value in ("task:", "task:../x", "task:t-1", "issue:4")),
    *({"scope": [value]} for value in ("../x", "/etc/passwd", "a/../../b", "~/x", "C:\\x", "a\0b")),
    *({"protect": [value]} for value in ("..", "x/..", "\\\\host\\share", "/")),
    *({"depends_on": [value]} for value in ("t-1", "../t", "a b", "con", "x.lock")),
    *({"commands_to_run": [value]} for value in ("   ", "true\0", "\t\n")),
    {"Prompt": "x"},
    {"commands": []},
    {"__proto__": {}},
    {"": 1},
    {"x": 1},
]


@pytest.mark.parametrize("fields", WRONG_VALUES, ids=lambda each: json.dumps(each)[:60])
def test_a_value_of_a_wrong_kind_is_no_task(inbox, fields):
    found = dropped(inbox, text(**fields))
    assert found.task is None or fields == {"executor": "nobody"}
    assert found.problems or fields == {"executor": "nobody"}


DEEP = b'{"id": "t-1", "prompt": "x", "x_deep": ' + b"[" * 100_000 + b"]" * 100_000 + b"}"
RAW = [
    *(b"", b" ", b"\0", b"null", b"true", b"1", b'"t-1"', b"[]", b"[{}]", b"{", b"}", b"{}"),
    *(b"\xff\xfe{\0}\0", b"\xef\xbb\xbf", b"\x00" * 4096, b"not json", b"<task/>", b"id: t-1"),
    text()[:-1],
    text() + b"}",
    text() + text(),
    text() + b"\0",
    b"\xc3\x28" + text(),
    text().replace(b"Do it.", b"\xff\xff"),
    text().replace(b"Do it.", b"\\ud800"),
    text().replace(b'"Do it."', b"NaN"),
    text(max_cost=7).replace(b"7", b"Infinity"),
    text(max_cost=7).replace(b"7", b"-Infinity"),
    text(max_cost=7).replace(b"7", b"1e999"),
    text(timeout_sec=7).replace(b"7", b"9" * 5_000),
    b'{"id": "t-1", "id": "t-2", "prompt": "x"}',
    b'{"id": "t-1", "prompt": "x", "x_a": {"b": 1, "b": 2}}',
    text(commands_to_run=["true"] * 101),
    text(scope=["a"] * 1_001),
    DEEP,
    b'{"x_a":' * 5_000 + b"1" + b"}" * 5_000,
    b"[" * 100_000,
    text(id="t-1\n"),
    text(id="T-1"),
    text(id="../../t-1"),
    text(id="t-1/../t-1"),
    text(id="t-1\0"),
]
HUGE = ("prompt", "x_mine")
"""Fields that are too long: made in the tests, as each process that is forked pays for what is kept."""


def too_long(field):
    return text(**{field: "x" * 2_000_000})


@pytest.mark.parametrize("number", range(len(RAW)))
def test_content_of_a_wrong_form_is_no_task(inbox, number):
    is_refused(inbox, RAW[number])


@pytest.mark.parametrize("field", HUGE)
def test_a_task_file_that_is_too_long_is_no_task(inbox, field):
    is_refused(inbox, too_long(field))


def is_refused(inbox, raw):
    found = dropped(inbox, raw)
    assert found.task is None
    assert found.problems
    assert max(map(len, found.problems)) < 1_000


def dropped(bridge, raw):
    put(bridge.root, f"{TOP}/tasks/t-1.json", raw)
    return next(bridge.queue.candidates(is_final=True))


def test_every_hostile_content_has_a_result_and_the_good_task_behind_them_runs(bridge):
    every = [*RAW, *map(too_long, HUGE)]
    for number, raw in enumerate(every):
        put(bridge.root, f"{TOP}/tasks/a-{number:03}.json", raw)
    put(bridge.root, f"{TOP}/tasks/t-1.json", text())
    ran = bridge.run()
    assert ran.reasons == ("schema_invalid",) * len(every) + (None,)
    assert not ran.did_stop
    for number in range(len(every)):
        assert bridge.result(f"a-{number:03}")["reason"] == "schema_invalid"


NAMES = [
    *("-t", "a b", "a..b", "ä", "a\nb", "a\tb", "a\\b", "a;b", "$(a)", "a'b", 'a"b', "--once", "*"),
    *("con", "NUL", "com1.x", "x.lock", "x.attempt-1", "__worker__", "a" * 240, "a.", "\x1b[2J"),
]


@pytest.mark.skipif(os.name == "nt", reason="names are text there")
def test_a_file_name_that_cannot_be_a_task_is_refused_with_a_result(bridge):
    folder = os.fsencode(os.path.join(bridge.root, TOP, "tasks"))
    for name in (*map(os.fsencode, NAMES), b"\xff\xfe"):
        with open(os.path.join(folder, name + b".json"), "wb") as file:
            file.write(text(id=name.decode("utf-8", "replace")))
    bridge.submit("zz-good")
    wanted = [None, *["schema_invalid"] * (len(NAMES) + 1)]
    assert sorted(bridge.run().reasons, key=str) == wanted
    results = [each for each in bridge.names("results") if each.startswith("refused-")]
    assert len(results) == 2 * (len(NAMES) + 1)
    for each in results:
        assert "file name" in " ".join(json.loads(bridge.file(f"results/{each}"))["problems"])
    assert os.listdir(folder) == []


def test_names_that_differ_only_by_case_are_two_results(bridge):
    put(bridge.root, f"{TOP}/tasks/t-1.json", text())
    put(bridge.root, f"{TOP}/tasks/T-1.json", text(id="T-1"))
    reasons = bridge.run().reasons
    assert sorted(reasons, key=str) == [None, "schema_invalid"]
    [name] = [each for each in bridge.names("results") if each.startswith("refused-")][1:]
    assert "only by case" in bridge.file(f"results/{name}")


@pytest.mark.skipif(os.name == "nt", reason="links and pipes")
@pytest.mark.parametrize("kind", ["link", "dangling", "loop", "folder", "full folder", "pipe"])
def test_a_task_file_that_is_no_file_is_refused_with_a_result(bridge, kind, tmp_path):
    plant(os.path.join(bridge.root, TOP, "tasks", "t-1.json"), kind, tmp_path)
    bridge.submit("t-2")
    assert sorted(bridge.run().reasons, key=str) == [None, "schema_invalid"]
    assert "cannot be read" in bridge.result()["detail"]
    assert (tmp_path / "secret").read_text() == "mine" or kind != "link"


def plant(path, kind, tmp_path):
    (tmp_path / "secret").write_text("mine")
    if kind == "pipe":
        os.mkfifo(path)
    elif "folder" in kind:
        os.makedirs(os.path.join(path, "more") if "full" in kind else path)
    else:
        where = {"link": str(tmp_path / "secret"), "dangling": "/nowhere", "loop": path}
        os.symlink(where[kind], path)


OURS = [
    "running/t-1.json",
    "failed/t-1.json",
    "pending/t-1.json",
    "results/t-1.json",
    "results/t-1.attempt-1.json",
    "patches/t-1_pre.patch",
    "logs/t-1.log",
    "meta/t-1.attempt-1.task.json",
    "locks/t-1.lock",
]


@pytest.mark.skipif(os.name == "nt", reason="links and pipes")
@pytest.mark.parametrize("kind", ["link", "dangling", "folder", "full folder", "pipe"])
def test_what_is_planted_where_our_files_go_is_replaced_and_not_followed(bridge, kind, tmp_path):
    bridge.submit()
    bridge.submit("t-2", commands_to_run=["false"])
    for name in OURS:
        plant(os.path.join(bridge.root, TOP, name), kind, tmp_path)
    assert bridge.run().reasons == (None, "verify_failed")
    assert bridge.result()["status"] == "success"
    assert (tmp_path / "secret").read_text() == "mine"


@pytest.mark.skipif(os.name == "nt", reason="links")
@pytest.mark.parametrize("name", ["", "tasks", "running", "results", "locks", "logs"])
def test_a_folder_that_is_a_link_is_refused_in_words(bridge, name, tmp_path):
    bridge.submit()
    folder = os.path.join(bridge.root, TOP, name).rstrip("/")
    os.rename(folder, tmp_path / "elsewhere")
    os.symlink(tmp_path / "elsewhere", folder)
    with pytest.raises(StateError, match="is a symbolic link"):
        bridge.run()
    os.unlink(folder)
    os.rename(tmp_path / "elsewhere", folder)
    assert bridge.run().reasons == (None,)


@pytest.mark.parametrize(
    "lock",
    [
        b"",
        b"{",
        b"[]",
        b"\xff",
        b'{"epoch": "x"}',
        b'{"epoch": -1}',
        b'{"pid": "x", "host": 7}',
        b'{"created_at": 5, "epoch": null}',
        b'{"created_at": "9999-12-31T23:59:59+00:00"}',
        b'{"pid": 1, "host": "HERE", "created_at": "9999-12-31T23:59:59+00:00"}',
        b"[" * 50_000,
    ],
)
def test_a_planted_lock_of_no_other_host_stops_no_task(bridge, lock):
    put(bridge.root, f"{TOP}/locks/t-1.lock", lock.replace(b"HERE", hostname().encode()))
    bridge.submit()
    assert bridge.run().reasons == (None,)


def test_the_fresh_lock_of_another_host_is_respected_and_told(bridge):
    lock = {"pid": 1, "host": "elsewhere", "created_at": bridge.clock().isoformat()}
    put(bridge.root, f"{TOP}/locks/t-1.lock", json.dumps(lock).encode())
    bridge.submit()
    bridge.submit("t-2")
    assert bridge.run().reasons == (None,)
    assert ("locked", "t-1", {}) in bridge.told
    assert bridge.queue.task("t-1").state == "queued"


def test_a_planted_result_does_not_count(bridge):
    planted = {"id": "t-1", "status": "success", "exit_path": "success", "attempt": 1}
    for name in ("t-1.json", "t-1.attempt-1.json"):
        put(bridge.root, f"{TOP}/results/{name}", json.dumps(planted).encode())
    bridge.submit(commands_to_run=["false"])
    assert bridge.run().reasons == ("verify_failed",)
    assert bridge.result()["status"] == bridge.result(attempt=1)["status"] == "failed"


@pytest.mark.parametrize("folder", ["running", "pending"])
def test_a_planted_task_in_work_or_waiting_runs_only_if_a_person_approves(bridge, folder):
    put(bridge.root, f"{TOP}/{folder}/t-1.json", text())
    assert bridge.run().reasons == ()
    assert bridge.queue.task("t-1").state == "pending"
    bridge.queue.approve("t-1", by="ann")
    assert bridge.run().reasons == (None,)


def test_a_task_that_is_changed_after_it_was_submitted_waits_for_a_person(bridge):
    bridge.submit()
    put(bridge.root, f"{TOP}/tasks/t-1.json", text(commands_to_run=["touch pwned"]))
    assert bridge.run().reasons == ("requires_confirmation",)
    put(bridge.root, f"{TOP}/pending/t-1.json", text(commands_to_run=["touch worse"]))
    with pytest.raises(AnswerIsNo, match="was changed while it waited"):
        bridge.queue.approve("t-1", by="ann")
    bridge.queue.approve("t-1", by="ann")
    put(bridge.root, f"{TOP}/tasks/t-1.json", text(commands_to_run=["touch worst"]))
    assert bridge.run().reasons == ("requires_confirmation",)
    bridge.queue.approve("t-1", by="ann")
    assert bridge.run().reasons == (None,)


def test_a_task_whose_file_is_deleted_is_cancelled(bridge):
    bridge.submit()
    bridge.submit("t-2")
    os.unlink(os.path.join(bridge.root, TOP, "tasks/t-1.json"))
    assert bridge.run().reasons == ("cancelled", None)
    assert bridge.result()["exit_path"] == "skipped"


def test_queued_tasks_survive_the_deletion_of_the_whole_folder(bridge):
    line = "import shutil; shutil.rmtree('.ai-handoff'); open('a.txt', 'w')"
    bridge.script(line, retry_policy={"max_attempts": 2}, retry_on=["verify_failed"])
    bridge.submit("t-2")
    assert bridge.run().reasons == (None, None)
    assert bridge.result()["status"] == "success"


def test_the_next_attempt_is_the_one_that_was_submitted_whatever_happened_to_its_file(bridge):
    forged = json.dumps({**GOOD, "commands_to_run": ["true"]})
    line = f"open('.ai-handoff/running/t-1.json', 'w').write({forged!r}); open('a.txt', 'w')"
    bridge.script(line, commands_to_run=["false"])
    assert bridge.run().reasons == ("internal_error",)
    bridge.queue.retry("t-1")
    given = json.loads(bridge.file("tasks/t-1.json"))
    assert (given["commands_to_run"], given["attempt"]) == (["false"], 2)


def test_a_file_of_a_task_that_is_over_is_skipped_unless_it_is_a_later_attempt(bridge):
    bridge.submit(retry_policy={"max_attempts": 3})
    bridge.run()
    put(bridge.root, f"{TOP}/tasks/t-1.json", text(retry_policy={"max_attempts": 3}))
    assert bridge.run().reasons == ()
    put(bridge.root, f"{TOP}/tasks/t-1.json", text(retry_policy={"max_attempts": 3}, attempt=3))
    assert bridge.run().reasons == (None,)
    assert bridge.result()["attempt"] == 3
