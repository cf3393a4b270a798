import json
import os
import resource
import signal
import sys

import pytest
from tests.crash import killing
from tests.processes import edge

from operators_edge.errors import LockHeld, StateError, StateInvalid
from operators_edge.sessions import start as session_start
from operators_edge.state import notices_store
from operators_edge.storage import archive, journal
from operators_edge.storage.files import Lock
from operators_edge.storage.registry import GrantGone
from operators_edge.storage.verify import verify
from operators_edge.system.user_dirs import user_dir

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="fork and SIGKILL")

GRANT = {"id": "grant-1", "kind": "allowance", "expires_at": None}


def everything(tx):
    tx.state["objective"] = "ship it"
    tx.log("hello", {"n": 1}, session="s")
    tx.archive({"type": "completed_step", "description": "one"})
    tx.grant(GRANT)
    tx.refuse("s", "exact")


def transact(world, change=everything, first=100):
    return world.project(first).transact(change, command="test")


def events(world, name):
    return [entry for entry, _ in world.project().log.entries() if entry["event"] == name]


def crashed(world, is_reached, change=everything):
    """Leave the project as a process that was killed on its way left it."""
    world.keep("ready")
    killing.killed_when(lambda: transact(world, change), is_reached, lambda: world.load("ready"))


def is_in_state(world):
    return world.has_record() and b"ship it" in world.state_text()


def edit(world, more):
    with open(world.project().state.path, "ab") as file:
        file.write(more)


# What happens together


def test_state_log_archive_and_registry_change_together_under_one_id(world):
    transact(world)
    state = world.project().state.read()
    assert state["objective"] == "ship it"
    assert state["archive"]["entries_archived"] == 1
    assert [each["tx"] for each in events(world, "hello")] == [state["transaction"]]
    assert [each["tx"] for each in archive.read(world.root).entries] == [state["transaction"]]
    assert world.project().registry.is_live("grant-1")
    assert world.project().registry.is_refused("s", "exact")
    assert not world.has_record()
    assert verify(world.project().log).ok


def test_the_result_of_the_change_is_returned(world):
    assert transact(world, lambda tx: tx.log("hello", {}) or 7) == 7


def test_nothing_is_written_where_the_change_raises(world):
    before = world.picture()

    def fails(tx):
        everything(tx)
        raise KeyError

    with pytest.raises(KeyError):
        transact(world, fails)
    assert world.picture() == before


def test_nothing_is_written_where_an_invariant_would_break(world):
    before = world.picture()

    def breaks(tx):
        everything(tx)
        tx.state["mode"] = "sleepy"

    with pytest.raises(StateInvalid):
        transact(world, breaks)
    assert world.picture() == before


def test_a_grant_that_is_not_live_stops_everything(world):
    before = world.picture()

    def uses(tx):
        everything(tx)
        tx.consume("never-given")

    with pytest.raises(GrantGone):
        transact(world, uses)
    assert world.picture() == before
    assert not world.has_record()


def test_a_grant_is_used_up_once(world):
    transact(world)
    uses = lambda tx: (tx.consume("grant-1"), tx.log("used", {}))  # noqa: E731 - two parts, one line
    transact(world, uses, first=200)
    with pytest.raises(GrantGone):
        transact(world, uses, first=300)
    assert len(events(world, "used")) == 1


def test_a_change_of_the_state_alone_needs_no_record(world):
    transact(world, lambda tx: tx.state.update(objective="x"))
    assert world.project().state.read()["transaction"]  # the objective is logged with it
    transact(world, lambda tx: tx.state.update(next_action="y"), first=200)
    assert world.project().state.read()["transaction"].endswith("100")


def test_what_is_only_logged_leaves_the_state_file_alone(world):
    before = world.state_text()
    transact(world, lambda tx: tx.log("hello", {}))
    assert world.state_text() == before
    assert "tx" not in events(world, "hello")[0]


def test_an_editor_that_writes_in_between_is_not_overwritten(world):
    seen = []

    def change(tx):
        seen.append(tx.state.get("theirs"))
        if len(seen) == 1:
            path = world.project().state.path
            text = world.state_text().replace(b"schema_version", b"theirs: 1\nschema_version")
            os.unlink(path)
            with open(path, "wb") as file:
                file.write(text)
        everything(tx)

    transact(world, change)
    assert seen == [None, 1]
    assert world.project().state.read()["theirs"] == 1
    assert len(events(world, "hello")) == 1
    assert len(archive.read(world.root).entries) == 1


def test_files_are_written_and_moved_with_the_rest(world):
    with open(os.path.join(world.root, "old"), "wb") as file:
        file.write(b"\xffold")

    def change(tx):
        tx.state["objective"] = "x"
        tx.write("folder/new", b"\xfenew")
        tx.rename("old", "old.bak")

    transact(world, change)
    files = world.picture()["files"]
    assert files["folder/new"] == b"\xfenew"
    assert files["old.bak"] == b"\xffold"
    assert "old" not in files


@pytest.mark.parametrize("path", ["../out", "/etc/x", "a/../../out", "", "link/x", "a\\b"])
def test_no_file_outside_the_project_or_behind_a_link_is_touched(world, path):
    os.symlink(world.home, os.path.join(world.root, "link"))
    with pytest.raises(StateError):
        transact(world, lambda tx: tx.write(path, "x"))
    with pytest.raises(StateError):
        transact(world, lambda tx: tx.rename("active_context.yaml", path))
    assert not world.has_record()


# After a crash


def test_reading_finishes_what_a_killed_process_began_and_says_so_once(world):
    crashed(world, world.has_record)
    assert b"ship it" not in world.state_text()
    assert world.project().state.read()["objective"] == "ship it"
    assert len(events(world, "hello")) == 1
    (entry,) = events(world, "transaction_recovery")
    assert entry["data"]["command"] == "test"
    assert entry["data"]["outcome"] == "finished"
    assert notices_store.take(world.root) == ["A change that was interrupted (test) was finished."]
    assert notices_store.take(world.root) == []
    world.project().state.read()
    assert len(events(world, "transaction_recovery")) == 1


def test_the_command_line_tells_it_once(world):
    crashed(world, world.has_record)
    said = [json.loads(edge(world.root, "status", "--json").stdout) for _ in range(2)]
    assert ["interrupted (test)" in " ".join(each["warnings"]) for each in said] == [True, False]


def test_a_sessions_start_tells_it_once(world):
    crashed(world, world.has_record)
    told = [
        session_start.start(world.project(900 + n), f"session-{n}", source="startup")
        for n in range(2)
    ]
    assert ["interrupted (test) was finished" in each for each in told] == [True, False]


def test_a_hand_edit_before_recovery_stands_and_nothing_else_happens(world):
    before = world.picture()["registry"]
    crashed(world, lambda: world.has_record() and bool(world.registry()))
    assert world.registry() != before
    edit(world, b"notes: mine\n")
    state = world.project(900).state.read()
    assert state["notes"] == "mine"
    assert state["objective"] is None
    assert not world.project().registry.is_live("grant-1")
    assert world.registry()["spent"]["grant-1"]["how"] == "withdrawn"
    assert events(world, "hello") == []
    assert archive.read(world.root).entries == ()
    (entry,) = events(world, "transaction_recovery")
    assert entry["data"]["outcome"] == "dropped"
    assert os.path.exists(os.path.join(world.root, ".proof", entry["data"]["kept"]))
    assert "changed by hand" in notices_store.take(world.root)[0]


def test_a_hand_edit_behind_the_change_stands_and_the_rest_is_finished(world):
    crashed(world, lambda: is_in_state(world))
    text = world.state_text().replace(b"schema_version", b"notes: mine\nschema_version", 1)
    with open(world.project().state.path, "wb") as file:
        file.write(text)
    state = world.project(900).state.read()
    assert (state["notes"], state["objective"]) == ("mine", "ship it")
    assert len(events(world, "hello")) == 1
    assert len(archive.read(world.root).entries) == 1


def test_a_file_that_somebody_changed_meanwhile_is_kept_beside(world):
    path = os.path.join(world.root, "settings")
    with open(path, "w", encoding="utf-8") as file:
        file.write("before")

    def change(tx):
        tx.state["objective"] = "ship it"
        tx.write("settings", "after")

    crashed(world, world.has_record, change)
    with open(path, "w", encoding="utf-8") as file:
        file.write("theirs")
    world.project(900).state.read()
    assert world.picture()["files"]["settings"] == b"after"
    (note,) = notices_store.take(world.root)
    kept = os.path.join(world.root, note.partition("kept as ")[2].rstrip("."))
    with open(kept, encoding="utf-8") as file:
        assert file.read() == "theirs"


def test_a_torn_record_is_put_aside_and_reported(world):
    before = world.picture()
    crashed(world, world.has_record)
    os.truncate(journal.path_of(world.root), 300)
    project = world.project(900)
    project.state.read()
    assert world.picture() == before
    (entry,) = events(world, "transaction_recovery")
    assert entry["data"]["outcome"] == "torn"
    assert os.path.getsize(os.path.join(world.root, ".proof", entry["data"]["kept"])) == 300
    transact(world, first=950)


def test_a_record_that_somebody_else_wrote_is_not_followed(world):
    before = world.picture()
    record = journal.Record("forged", "x", "", ledger=[{"do": "grant", **GRANT}])
    journal.write(world.root, record, before=lambda: None)
    path = journal.path_of(world.root)
    with open(path, "rb") as file:
        head, _, body = file.read().partition(b"\n")
    with open(path, "wb") as file:
        file.write(json.dumps({**json.loads(head), "seal": "0" * 64}).encode() + b"\n" + body)
    world.project(900).state.read()
    assert world.picture() == before
    assert "not written by this person" in notices_store.take(world.root)[0]


def test_a_change_begun_with_another_key_is_not_said_to_be_undone(world):
    crashed(world, lambda: is_in_state(world))
    with open(os.path.join(user_dir(os.environ), "key"), "wb") as file:
        file.write(b"another key, of the same length!")
    assert world.project(900).state.read()["objective"] == "ship it"
    (told,) = notices_store.take(world.root)
    assert "part of it may be done" in told
    assert "did not happen" not in told
    assert not world.has_record()


def test_a_record_of_a_newer_version_is_refused_and_left(world):
    path = journal.path_of(world.root)
    text = b'{"form": 99, "sum": "", "seal": ""}\n{}\n'
    with open(path, "wb") as file:
        file.write(text)
    project = world.project()
    assert project.state.read()["objective"] is None
    assert "newer version" in project.state.unfinished
    with pytest.raises(StateError, match="newer version"):
        transact(world)
    with open(path, "rb") as file:
        assert file.read() == text


def test_a_live_process_is_left_to_finish_by_itself(world):
    before = world.project().state.read()
    number = killing.steps_of(lambda: transact(world)).index("unlink") - 3
    world.begin()
    pid = killing.stopped_at(lambda: transact(world), number)
    try:
        assert world.has_record()
        project = world.project(900)
        project.state.read()
        assert world.has_record()
        with (
            pytest.raises(LockHeld, match=rf"process {pid} \(test\)"),
            Lock(os.path.join(world.root, ".proof", "lock"), command="me", limit=0),
        ):
            pass
    finally:
        killing.go_on(pid)
    assert not world.has_record()
    assert world.project().state.read() != before
    assert events(world, "transaction_recovery") == []
    assert len(events(world, "hello")) == 1


# Where the disk refuses


def limited(act, size):
    """Run an act where no file can grow beyond ``size``, as on a full disk."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    ignored = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        act()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, ignored)


def test_a_full_disk_leaves_everything_as_it_was(world):
    before = world.picture()
    with pytest.raises(StateError, match=r"journal\.json") as refusal:
        limited(lambda: transact(world), 300)
    assert refusal.value.hint == "Free some space on the disk. Nothing was changed."
    assert world.picture() == before
    assert not world.has_record()
    assert world.leftovers() == []


def test_where_only_the_log_has_no_room_the_change_is_finished_later(world):
    for number in range(20):
        world.project().log.append({"event": "tool", "data": {"n": number, "text": "x" * 900}})
    with pytest.raises(StateError) as refusal:
        limited(lambda: transact(world), 16_000)
    assert "next edge command finishes it" in refusal.value.hint
    assert world.has_record()
    assert world.project(900).state.read()["objective"] == "ship it"
    assert len(events(world, "hello")) == 1
    assert not world.has_record()


@pytest.mark.skipif(not hasattr(os, "setuid"), reason="users")
def test_a_folder_that_cannot_be_written_leaves_everything_as_it_was(world):
    before = world.picture()
    folder = os.path.join(world.root, ".proof")
    if os.geteuid() == 0:
        for where, _, names in os.walk(world.base):
            for path in (where, *(os.path.join(where, name) for name in names)):
                os.chown(path, 65534, 65534)
    os.chmod(folder, 0o500)

    def refused():
        if os.geteuid() == 0:
            os.setuid(65534)
        with pytest.raises(StateError, match="Permission denied"):
            transact(world)

    killing.steps_of(refused)
    os.chmod(folder, 0o700)
    assert world.picture() == before
