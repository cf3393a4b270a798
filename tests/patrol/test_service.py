"""A scan of real projects: what is found, what is reported as not scanned, and what stays the same."""

import json
import os
import sys
import time
from datetime import UTC, datetime, timedelta

import pytest
from tests.hosting import git, write

from operators_edge.patrol import findings, service as patrol_service
from operators_edge.project import Project

HARD = "def tangled(x):\n" + "".join(f"    if x == {n}:\n        return {n}\n" for n in range(30))
TEST = "from calm import soothe\n\ndef test_it():\n    assert soothe(1)\n"


def scan(root, state=None, **more):
    project = Project(root, is_set_up=True)
    return patrol_service.scan(project, project.state.read() if state is None else state, **more)


def kinds(scan):
    return [each.type for each in scan.findings]


@pytest.fixture
def code(project):
    """A project with one of each: a tangled function, a note, a source that no test names."""
    write(project, "src/tangled.py", HARD)
    write(project, "src/calm.py", "# TODO: rest\ndef soothe(x):\n    return x\n")
    write(project, "tests/test_calm.py", TEST)
    git(project, "add", "-A")
    git(project, "commit", "-qm", "code")
    return project


def test_what_is_worth_doing_is_found_and_the_worst_comes_first(code):
    found = scan(code)
    assert kinds(found) == ["missing_tests", "marker", "complexity"]
    last = found.findings[-1]
    assert (last.file, last.line, last.value) == ("src/tangled.py", 1, 31)
    assert (found.skipped, found.files) == ((), 3)
    assert findings.challenges(found.findings)[-1].startswith("How might we make src/tangled.py")


def test_a_second_scan_says_the_same(code):
    assert scan(code).findings == scan(code).findings


def test_a_finding_keeps_its_name_when_its_line_moves_and_its_number_changes(code):
    before = {each.type: each for each in scan(code).findings}
    write(code, "src/tangled.py", "import os\n\n\n" + HARD + "    if x:\n        return os\n")
    write(code, "src/calm.py", '"""Calm."""\n\n\n# TODO:   rest\ndef soothe(x):\n    return x\n')
    after = {each.type: each for each in scan(code).findings}
    assert after["complexity"].line == 4
    assert after["complexity"].value == 32
    assert after["marker"].line == 4
    assert {k: f.id for k, f in before.items()} == {k: f.id for k, f in after.items()}


def test_a_finding_has_the_same_name_on_every_machine(code, tmp_path, fenced):
    before = {each.id for each in scan(code).findings}
    other = str(tmp_path / "else where")
    os.makedirs(other)
    for name in ("src/tangled.py", "src/calm.py", "tests/test_calm.py"):
        with open(os.path.join(code, name), encoding="utf-8") as file:
            write(other, name, file.read().replace("\n", "\r\n"))
    write(other, "src/another.py", "x = 1\n")
    assert {each.id for each in scan(other, {}).findings} == before


def test_what_was_done_is_found_no_more(code):
    write(code, "src/tangled.py", "def tangled(x):\n    return x\n")
    write(code, "src/calm.py", "def soothe(x):\n    return x\n")
    assert scan(code).findings == ()


def test_ignored_files_and_the_products_own_are_never_a_finding(code):
    write(code, ".gitignore", "ignored/\n")
    for name in (
        "ignored/a.py",
        ".proof/a.py",
        ".claude/hooks/edge.py",
        ".ai-handoff/a.py",
        "vendor/a.py",
        "node_modules/b/a.js",
        "a_pb2.py",
    ):
        write(code, name, "# FIXME: not here\n" + HARD)
    write(code, "reports/edge_digest_2026-01-01.md", "TODO: nor here\n")
    assert "FIXME" not in json.dumps([each.as_data() for each in scan(code).findings])
    assert {each.file for each in scan(code).findings} == {"src/tangled.py", "src/calm.py"}


def test_a_coverage_report_is_used_though_git_ignores_it(code):
    write(code, ".gitignore", "lcov.info\n")
    lines = "".join(f"DA:{n},0\n" for n in range(1, 61))
    write(code, "lcov.info", f"SF:src/tangled.py\n{lines}end_of_record\n")
    found = {each.type: each for each in scan(code).findings}
    assert "missing_tests" not in found
    assert found["low_coverage"].value == 0


def test_a_damaged_report_is_reported_and_names_decide_instead(code):
    write(code, "coverage.xml", "<broken")
    found = scan(code)
    assert "missing_tests" in kinds(found)
    assert "coverage.xml could not be read" in found.skipped[0]


def test_what_changes_often_ranks_higher(code):
    before = {each.type: each for each in scan(code).findings}["complexity"]
    for number in range(3):
        write(code, "src/tangled.py", HARD + f"# {number}\n")
        git(code, "commit", "-qam", "again")
    after = {each.type: each for each in scan(code).findings}["complexity"]
    assert after.score == before.score + 3


# -- time and trouble ------------------------------------------------------------------------------


def test_the_time_limit_holds_and_what_was_left_out_is_reported(code):
    for number in range(300):
        write(code, f"src/more{number}.py", HARD)
    begun = time.monotonic()
    found = scan(code, budget=0.4)
    assert time.monotonic() - begun < 10
    assert any("the time limit was reached" in each for each in found.skipped)
    assert found.files < 303


def test_a_file_that_keeps_an_analyser_busy_does_not_stop_the_scan(code):
    lesson = {"lesson": "no", "audit_pattern": "(a+)+$"}
    write(code, "src/evil.py", "a" * 80 + "!\n")
    found = scan(code, {"memory": [lesson]}, budget=8)
    assert "complexity" in kinds(found)
    assert any(
        each.startswith("lesson 1: its pattern was not searched further") for each in found.skipped
    )


@pytest.mark.skipif(os.geteuid() == 0, reason="the administrator may read everything")
def test_a_file_that_may_not_be_read_is_reported(code):
    os.chmod(os.path.join(code, "src/tangled.py"), 0)
    assert any("Permission denied" in each for each in scan(code).skipped)


@pytest.mark.parametrize(
    "state", [{}, {"memory": [{"lesson": "l", "audit_pattern": "x"}]}], ids=["plain", "lesson"]
)
def test_without_any_time_only_that_is_reported_about_the_files(code, state):
    found = scan(code, state, budget=1e-9)
    assert (found.findings, found.files) == ((), 0)
    assert "missing tests cannot be determined without all files" in found.skipped


def test_a_test_that_was_left_out_means_that_missing_tests_are_unknown(code):
    write(code, "tests/test_huge.py", "x = 1\n" * 200_000)
    found = scan(code)
    assert "missing_tests" not in kinds(found)
    assert "missing tests cannot be determined without all files" in found.skipped


def test_without_git_the_scan_continues_and_reports_what_is_unknown(tmp_path, fenced):
    write(str(tmp_path), "a.py", HARD)
    found = scan(str(tmp_path), {})
    assert "complexity" in kinds(found)
    assert len(found.skipped) == 2
    assert ".gitignore is not honoured" in found.skipped[0]
    assert "how often files change is unknown" in found.skipped[1]


def test_an_empty_project_has_no_finding_and_nothing_was_skipped(project):
    found = scan(project)
    assert found[:3] == ((), (), 0)


def test_a_secret_in_a_note_is_redacted(code):
    write(code, "src/calm.py", "# TODO: password=hunter2secret9 must go\ndef soothe(x): pass\n")
    assert "hunter2secret9" not in str(scan(code).findings)
    env = {"API_TOKEN": "plain-looking-value"}
    write(code, "src/calm.py", "# TODO: move plain-looking-value away\n")
    assert "plain-looking-value" not in str(scan(code, env=env).findings)


def test_the_scan_writes_nothing_but_what_files_held(code):
    def tree():
        return {
            os.path.join(folder, name): os.stat(os.path.join(folder, name)).st_mtime_ns
            for folder, _, names in os.walk(code)
            for name in names
        }

    scan(code)
    before = tree()
    scan_later(code)
    written = {each for each, when in tree().items() if before.get(each) != when}
    assert written == {os.path.join(code, ".proof", "cache", "patrol")}


# -- what earlier scans measured -------------------------------------------------------------------


def scan_later(root, **more):
    """A scan for which the files have been there for a while."""
    project = Project(root, is_set_up=True, clock=lambda: datetime.now(UTC) + timedelta(minutes=1))
    return patrol_service.scan(project, {}, **more)


def test_a_second_scan_reads_only_what_changed_and_finds_the_same(code, monkeypatch):
    first = scan_later(code)
    write(code, "src/calm.py", "# FIXME: run\ndef soothe(x):\n    return x\n")
    changed = scan_later(code)
    assert [each.title for each in changed.findings if each.type == "marker"] == ["FIXME: run"]
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    again = scan_later(code)
    assert again[:3] == (changed.findings, (), 3)
    assert {each.id for each in first.findings} - {each.id for each in again.findings} == {
        each.id for each in first.findings if each.type == "marker"
    }


def test_a_scan_without_enough_time_is_completed_by_the_next(code):
    for number in range(200):
        write(code, f"src/more{number}.py", HARD)
    seen = [scan_later(code, budget=0.5).files]
    while seen[-1] < 203 and (len(seen) < 50 or seen[-50] < seen[-1]):
        seen.append(scan_later(code, budget=0.5).files)
    assert seen[-1] == 203


def test_a_file_that_gave_no_answer_is_asked_after_all_others_the_next_time(code):
    """Else a few of them would take the time of each scan from what comes behind them."""
    write(code, "a.go", "// TODO: q\nfunc (\n" + "func(\n" * 60_000)
    git(code, "add", "a.go")
    git(code, "commit", "-qm", "it changes as often as the others")
    first = scan_later(code, budget=20)
    assert any(each.endswith("seconds): a.go") for each in first.skipped)
    write(code, "src/calm.py", "# TODO: again\ndef soothe(x):\n    return x\n")
    again = scan_later(code, budget=2)
    assert again.files == 3
    assert any("TODO: again" in each.title for each in again.findings)


def test_what_is_a_test_now_is_asked_for_its_words(code):
    scan_later(code)
    os.rename(os.path.join(code, "tests"), os.path.join(code, "src", "checks"))
    os.rename(os.path.join(code, "src", "tangled.py"), os.path.join(code, "test_tangled.py"))
    assert kinds(scan_later(code)) == ["marker"]


# -- the record ------------------------------------------------------------------------------------


def test_a_lesson_with_a_pattern_finds_the_code_that_does_not_keep_to_it(code):
    lesson = {
        "lesson": "soothe nobody by force",
        "audit_pattern": r"def soothe\(",
        "audit_scope": ["src/**/*.py"],
        "reinforced": 3,
    }
    (found,) = [
        each
        for each in scan(code, {"memory": [lesson]}).findings
        if each.type == "lesson_violation"
    ]
    assert (found.file, found.line, found.priority) == ("src/calm.py", 2, "high")


def test_a_mismatch_that_came_back_is_found_from_the_archive(code):
    entry = {"type": "resolved_mismatch", "suspected_cause": "the cache was cold"}
    rows = [json.dumps({**entry, "mismatch_id": f"m{n}"}) for n in range(2)]
    write(code, ".proof/archive.jsonl", "\n".join([*rows, "broken", ""]))
    found = scan(code)
    assert "recurring_mismatch" in kinds(found)
    assert "1 line of the archive could not be read" in found.skipped


def test_a_failed_invariant_and_an_unproven_claim_are_found(client):
    project = Project(client.root, is_set_up=True)
    session = client.session
    project.transact(
        lambda tx: tx.log("eval_run", {"invariants_failed": ["INV-02"]}, session=session),
        command="eval run",
    )
    state = project.state.read()
    state["plan"] = [{"description": "all tests pass", "status": "completed", "proof": "42 passed"}]
    found = {each.type: each for each in patrol_service.scan(project, state).findings}
    assert found["failed_invariant"].priority == "high"
    assert found["unverified_claim"].title == "Verify step 1: all tests pass"


@pytest.mark.parametrize("memory", [None, "a text", {"x": 1}, [None, 3, {"audit_pattern": 5}]])
def test_a_state_that_was_edited_by_hand_causes_no_failure(code, memory):
    state = {"memory": memory, "mismatches": "x", "plan": ["a text", None], "evals": 3}
    assert "complexity" in kinds(scan(code, state))


def test_an_unreadable_log_is_reported_and_the_files_are_scanned(code):
    os.makedirs(os.path.join(code, ".proof", "session_log.jsonl"))
    os.makedirs(os.path.join(code, ".proof", "archive.jsonl"))
    found = scan(code)
    assert "complexity" in kinds(found)
    assert any(each.startswith("mismatches were not scanned") for each in found.skipped)


def test_a_manifest_that_cannot_be_read_is_named(code):
    os.symlink("package.json", os.path.join(code, "package.json"))
    assert any(each.startswith("package.json: ") for each in scan(code).skipped)


def test_where_no_analyser_can_be_started_the_scan_says_so_and_calls_nothing_clean(
    code, monkeypatch
):
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    found = scan(code)
    assert (found.findings, found.files) == ((), 0)
    assert any("no analyser could be started" in each for each in found.skipped)
    assert any(each.startswith("missing tests cannot be determined") for each in found.skipped)
