import json
import os
from datetime import UTC, datetime, timedelta

import pytest

from operators_edge.errors import StateError
from operators_edge.memory import outcomes
from operators_edge.model import KEEP_DAYS
from operators_edge.project import Project
from operators_edge.storage import archive

NOW = datetime(2026, 1, 31, 9, 30, tzinfo=UTC)


@pytest.fixture
def project(tmp_path):
    project = Project(str(tmp_path), is_set_up=True, clock=lambda: NOW)
    project.state.create(command="test")
    return project


def put(project, *entries, clock=NOW):
    later = Project(project.root, is_set_up=True, clock=lambda: clock)

    def change(tx):
        for entry in entries:
            tx.archive(entry)

    later.transact(change, command="archive")


def aged(kind, days, **more):
    return {"type": kind, "timestamp": (NOW - timedelta(days=days)).isoformat(), **more}


def kept(project):
    return [(each["type"], each.get("n")) for each in archive.read(project.root).entries]


def append(project, data):
    with open(os.path.join(project.root, archive.PATH), "ab") as file:
        file.write(data)


def test_a_project_that_archived_nothing_has_an_empty_archive(project):
    assert archive.read(project.root) == ((), ())


def test_what_is_archived_is_read_back_with_its_type_and_time_first(project):
    put(project, {"n": 1, "text": "ä\u2028\ud800 \n", "type": "completed_step"})
    (entry,) = archive.read(project.root).entries
    assert list(entry)[:2] == ["type", "timestamp"]
    assert entry["timestamp"] == NOW.isoformat()
    assert entry["text"] == "ä\u2028\ud800 \n"
    assert project.state.read()["archive"] == {
        "path": ".proof/archive.jsonl",
        "last_prune": NOW.isoformat(),
        "last_mismatch": 0,
        "entries_archived": 1,
    }


def test_what_no_reader_knows_is_not_archived(project):
    with pytest.raises(StateError, match="'gossip'"):
        put(project, {"type": "gossip"})
    assert not os.path.exists(os.path.join(project.root, archive.PATH))


def test_each_type_has_its_own_time(project):
    over = [aged(kind, days + 1, n=1) for kind, days in KEEP_DAYS.items() if days is not None]
    fresh = [aged(kind, days - 1, n=2) for kind, days in KEEP_DAYS.items() if days is not None]
    put(project, *over, *fresh, aged("completed_objective", 5000, n=3))
    put(project, {"type": "completed_step", "n": 4})
    left = kept(project)
    assert [each for each in left if each[1] == 1] == []
    assert len([each for each in left if each[1] == 2]) == len(fresh)
    assert left[-2:] == [("completed_objective", 3), ("completed_step", 4)]
    (entry,) = [e for e, _ in project.log.entries() if e["event"] == "archive_pruned"]
    assert entry["data"]["over"] == {each["type"]: 1 for each in over}
    assert project.state.read()["archive"]["entries_archived"] == len(over) + len(fresh) + 2


def test_a_person_configures_how_long_and_a_project_only_longer(project, fenced):
    folder = os.path.join(fenced, ".config", "operators-edge")
    os.makedirs(folder)
    with open(os.path.join(folder, "config.toml"), "w", encoding="utf-8") as file:
        file.write("[retention]\ncompleted_step = 3\ncompleted_objective = 10\n")
    with open(os.path.join(project.root, "edge.toml"), "w", encoding="utf-8") as file:
        file.write('[retention]\ncompleted_step = 2\ndecayed_lesson = "forever"\n')
    put(
        project,
        aged("completed_step", 4, n=1),
        aged("completed_step", 2.5, n=2),
        aged("completed_objective", 11, n=3),
        aged("decayed_lesson", 4000, n=4),
    )
    put(project, {"type": "completed_step", "n": 5})
    assert kept(project) == [("completed_step", 2), ("decayed_lesson", 4), ("completed_step", 5)]


def test_damaged_lines_are_named_kept_and_in_nobodys_way(project):
    put(project, aged("completed_step", 400, n=1))
    append(project, b'[1]\n\xff{"type": \n{"type": "completed_step"')
    content = archive.read(project.root)
    assert [each["n"] for each in content.entries] == [1]
    assert content.problems == tuple(
        f".proof/archive.jsonl:{line} is not an entry of the archive" for line in (2, 3, 4)
    )
    put(project, {"type": "completed_step", "n": 2})
    assert kept(project) == [("completed_step", 2)]
    with open(os.path.join(project.root, archive.PATH), "rb") as file:
        lines = file.read().split(b"\n")
    assert lines[:3] == [b"[1]", b'\xff{"type": ', b'{"type": "completed_step"']
    assert json.loads(lines[3])["n"] == 2


def test_an_unfinished_last_line_is_not_glued_to_the_next(project):
    put(project, {"type": "completed_step", "n": 1})
    append(project, b'{"type": "comp')
    put(project, {"type": "completed_step", "n": 2})
    assert kept(project) == [("completed_step", 1), ("completed_step", 2)]
    assert len(archive.read(project.root).problems) == 1


def test_an_archive_behind_a_link_is_refused(project, tmp_path):
    os.makedirs(os.path.join(project.root, ".proof"), exist_ok=True)
    os.symlink(tmp_path / "elsewhere", os.path.join(project.root, archive.PATH))
    with pytest.raises(StateError, match="symbolic link"):
        put(project, {"type": "completed_step"})


def mismatch(number, **more):
    return {"type": "resolved_mismatch", "mismatch_id": f"mismatch-{number:03d}", **more}


def test_the_last_mismatch_number_is_known_without_reading_the_archive(project):
    put(project, mismatch(7), mismatch(2), {"type": "completed_step"})
    os.remove(os.path.join(project.root, archive.PATH))
    put(project, {"type": "completed_step"}, mismatch(3))
    assert project.state.read()["archive"]["last_mismatch"] == 7
    assert outcomes.last_archived(project) == 7


def test_an_archive_from_before_the_number_was_kept_is_read_until_it_grows(project):
    put(project, mismatch(9))

    def forget(tx):
        del tx.state["archive"]["last_mismatch"]

    project.transact(forget, command="as it was")
    assert outcomes.last_archived(project) == 9
    put(project, mismatch(1))
    assert project.state.read()["archive"]["last_mismatch"] == 9
