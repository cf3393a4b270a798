"""``edge log scrub``: a person takes out what an older version wrote, and the log still explains itself."""

import json
import os
import sys
from pathlib import Path

import pytest
from tests.crash import killing

from operators_edge.errors import StateError
from operators_edge.project import Project
from operators_edge.sessions import scrub_service
from operators_edge.storage import verify
from operators_edge.storage.log import ProofLog

pytestmark = pytest.mark.usefixtures("same_user_folder")

TOKEN = "ghp_" + ("a1B2c3D4e5F6g7H8i9J0" * 2)[:36]
LATER = "Tango-77-known-later"


@pytest.fixture
def old(project):
    """A record as an older version left it, with a secret in every part; the log in several segments."""
    opened = Project(project, is_set_up=True)
    log = ProofLog(project, registry=opened.registry, clock=opened.clock, segment_bytes=2500)
    for number in range(30):
        word = LATER if number in (3, 17) else f"word-{number}"
        log.append({"event": "note", "session": "s", "data": {"text": f"say {word} here"}})
    proof = Path(project, ".proof")
    (proof / "history").mkdir(exist_ok=True)
    state = f"schema_version: 4\nobjective: use {TOKEN}\nplan:\n- description: {TOKEN}\n  status: pending\n"
    (proof / "history" / "20200101T000000000000-aaaa.yaml").write_text(state)
    (proof / "archive.jsonl").write_text(
        json.dumps({"type": "completed_step", "text": f"with {TOKEN}"}) + "\n"
    )
    (proof / "reviews").mkdir()
    (proof / "reviews" / "a.md").write_text(f"it says {TOKEN}\n")
    (proof / "cache").mkdir(exist_ok=True)
    (proof / "cache" / "x.json").write_text(json.dumps(TOKEN))
    Path(project, "reports").mkdir()
    Path(project, "reports", "proof_1.html").write_text(f"<p>{TOKEN}</p>")
    with open(os.path.join(project, "active_context.yaml"), "a", encoding="utf-8") as file:
        file.write(f"notes:\n- text: '{TOKEN}'\n  at: 2020-01-01\n")
    return opened


def everywhere(root):
    """The files of the record with a secret in them."""
    found = []
    for top in (".proof", "reports", "active_context.yaml"):
        paths = [Path(root, top), *Path(root, top).rglob("*")]
        for each in filter(Path.is_file, paths):
            data = each.read_bytes()
            if TOKEN.encode() in data or LATER.encode() in data:
                found.append(each.relative_to(root).as_posix())
    return sorted(found)


def test_it_shows_asks_takes_out_and_the_log_verifies(person, project, old):
    before = everywhere(project)
    assert len(before) >= 7
    done = person("proof", "scrub", "--dry-run", SOME_TOKEN=LATER)
    assert done.returncode == 0, done.stderr
    assert set(before) <= set(everywhere(project))
    assert "entry 4, entry 18" in done.stdout
    assert TOKEN not in done.stdout
    done = person("proof", "scrub", SOME_TOKEN=LATER, answer="n\n")
    assert done.returncode == 1
    assert set(before) <= set(everywhere(project))
    done = person("proof", "scrub", SOME_TOKEN=LATER)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Taken out" in done.stdout
    assert everywhere(project) == []
    report = verify.verify(old.log)
    assert report.ok, report.problems
    assert report.scrubbed == 2
    assert any("secrets were taken out of 2 entries" in each for each in report.notes)
    assert "say [REDACTED] here" in json.dumps(old.log.show(4))
    assert old.log.show(5)["data"] == {"text": "say word-4 here"}
    assert "You took secrets out of 2." in person("proof", "verify").stdout
    assert "No secret was found." in person("proof", "scrub", SOME_TOKEN=LATER).stdout
    history = Path(project, ".proof", "history", "20200101T000000000000-aaaa.yaml").read_text()
    assert 'description: "[REDACTED:github]"' in history
    old.log.append({"event": "note", "session": "s", "data": {"text": "after"}})
    assert verify.verify(old.log).ok


def test_what_is_used_as_it_is_is_named_and_stays(person, project):
    task = Path(project, ".ai-handoff", "tasks", "t.json")
    task.parent.mkdir(parents=True)
    task.write_text(json.dumps({"prompt": f"use {TOKEN}"}))
    done = person("proof", "scrub")
    assert "stays    .ai-handoff/tasks/t.json: 1 " in done.stdout, done.stdout + done.stderr
    assert "No secret was found that can be taken out." in done.stdout
    assert TOKEN in task.read_text()


def test_a_log_that_does_not_verify_is_not_chained_anew(person, project, old):
    path = Path(project, ".proof", "session_log.jsonl")
    path.write_bytes(path.read_bytes().replace(b"word-28", b"WORD-28"))
    done = person("proof", "scrub")
    assert done.returncode == 1
    assert "edge log anchor" in done.stderr + done.stdout
    assert everywhere(project)


def test_what_cannot_be_read_is_no_file_without_secrets(person, project):
    Path(project, ".proof").mkdir(exist_ok=True)
    os.mkfifo(os.path.join(project, ".proof", "pipe.txt"))
    done = person("proof", "scrub")
    assert done.returncode == 1
    assert "not read .proof/pipe.txt" in done.stdout
    assert "No secret was found in what could be read." in done.stdout


def test_only_a_person_takes_out_and_a_changed_note_is_a_problem(edge, person, project, old):
    assert edge("proof", "scrub", "--yes")[0] == 1
    assert everywhere(project)
    assert person("proof", "scrub", "--yes", answer="").returncode == 0
    path = Path(project, ".proof", "session_log.jsonl")
    path.write_bytes(path.read_bytes().replace(b'"entries":0', b'"entries":1'))
    assert any("no key of yours signed it" in each for each in verify.verify(old.log).problems)


def test_what_a_person_accepted_before_stays_accepted(person, project, old):
    accepted = {"event": "note", "session": "s", "data": {"text": f"say {LATER}"}}
    old.log.append(accepted)
    verify.accept(old.log, ["it was cut"], by="me", session="s")
    scrub_service.take_out(old, (LATER,), by="me")
    report = verify.verify(old.log)
    assert report.ok, report.problems
    assert not any("explains nothing" in each for each in report.notes)


def test_a_list_that_is_not_signed_replaces_nothing(project, old):
    staged = Path(project, ".proof", "scrub")
    staged.mkdir()
    (staged / "000000").write_text("x")
    record = {
        "files": [{"path": "README.md", "name": "000000", "sum": ""}],
        "gone": ["src"],
        "end": None,
    }
    Path(project, ".proof", "scrub.json").write_text(json.dumps(record))
    with pytest.raises(StateError, match="not signed with your key"):
        old.log.append({"event": "note", "session": "s", "data": {}})


@pytest.mark.skipif(sys.platform == "win32", reason="fork and SIGKILL")
def test_killed_at_any_step_everything_is_as_before_or_without_secrets(world):
    for number in range(8):
        log = ProofLog(
            world.root,
            registry=world.project().registry,
            clock=world.project().clock,
            segment_bytes=900,
        )
        log.append({"event": "note", "session": "s", "data": {"n": number, "text": LATER}})
    for name in ("a.md", "b.json"):
        Path(world.root, ".proof", name).write_text(json.dumps({"text": LATER}))
    state = Path(world.root, "active_context.yaml")
    state.write_text(state.read_text() + f"next_action: {LATER}\n")
    world.keep("before")

    def act():
        scrub_service.take_out(world.project(100), (LATER,), by="me")

    steps = killing.steps_of(act)
    world.load("before")
    all_of_them = everywhere(world.root)
    seen = set()
    for number in range(1, len(steps) + 1, 3):
        world.load("before")
        killing.killed_at(act, number)
        project = world.project(1000)
        project.log.append({"event": "note", "session": "s", "data": {"text": "the next one"}})
        left = [each for each in everywhere(world.root) if not each.startswith(".proof/scrub/")]
        # The state is first, and the version that it replaces is kept until the log is done.
        parts = [each for each in left if "history" not in each and each != state.name]
        assert parts in ([], [each for each in all_of_them if each != state.name]), (
            number,
            steps[number - 1],
            left,
        )
        assert parts or not left
        seen.add((bool(parts), state.name in left))
        report = verify.verify(project.log)
        assert report.ok, (number, report.problems)
        act()
        assert everywhere(world.root) == []
        assert verify.verify(project.log).ok
    assert seen == {(True, True), (True, False), (False, False)}


# end of module
