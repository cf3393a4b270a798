"""Verdicts from hand-made records: every doubt is in the claim's favour."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import pytest

from operators_edge.evidence.claims import judge as claims_judge
from operators_edge.evidence.claims.model import Case, History, NamedFile

ROOT = "/p"
START, DONE = 10, 50


class Tree(NamedTuple):
    """``changes`` by the digest of a tree state, ``named`` by path; ``units`` are folders with a manifest."""

    changes: Mapping[str, tuple[str, ...] | None] = {}
    named: Mapping[str, NamedFile] = {}
    there: tuple[str, ...] = ()
    units: tuple[str, ...] = ()
    differs: Mapping[tuple[str, str], tuple[str, ...]] = {}
    old: tuple[str, ...] = ()
    past: History | None = None
    commits: tuple[str, ...] = ()
    is_on_remote: bool | None = None

    def between(self, one, other):
        return self.differs.get((one["digest"], other["digest"]))

    def was_there(self, path):
        return path in self.old

    def history(self):
        return self.past

    def is_pushed(self):
        return self.is_on_remote

    def has_commit(self, name):
        return name in self.commits

    def changed(self, look):
        return self.changes.get(look["digest"], ()) if look else None

    def named_file(self, path):
        return self.named.get(path, NamedFile(path, is_there=False, is_untouched=False))

    def is_there(self, path):
        return path in self.there

    def unit(self, folder):
        inside = folder.removeprefix(ROOT).strip("/")
        return inside if inside in self.units else ""


def run(seq, *, passed, name="pytest", kind="test", **more):
    at = f"2026-01-01T00:{seq:02}:00+00:00"
    base: dict[str, Any] = {
        "seq": seq,
        "at": at,
        "kind": kind,
        "name": name,
        "command": name,
        "cwd": ROOT,
        "passed": passed,
        "counts": None,
        "scope": [],
        "look": {"digest": f"look{seq}"},
        "look_why": "",
        "elsewhere": False,
        "session": "s",
        "agent": "",
        "duration_ms": 1000,
        "is_whole": True,
    }
    return base | more


def record(*checks, files=None, **more):
    written = files if files is not None else {"src/a.py": 20}
    return {
        "root": ROOT,
        "since": {"seq": 1, "at": "2026-01-01T00:00:00+00:00"},
        "files": {
            path: {"seq": seq, "at": f"2026-01-01T00:{seq:02}:00+00:00", "by": "Edit"}
            for path, seq in written.items()
        },
        "checks": list(checks),
        "commands": {},
        "outside": [],
        "elsewhere": False,
        "tampering": {},
        "dropped": {},
        "steps": {
            "k": {
                "first_seq": 2,
                "started_seq": START,
                "completed_seq": DONE,
                "status": "completed",
            }
        },
        **more,
    }


def judged(work, tree=None, override=None, **step):
    files = [path for path, each in work["files"].items() if START <= each["seq"] <= DONE]
    seen = {"files": files, "tree": [], "from": START + 1, "to": DONE, "actions": 3}
    step = {"description": "Implement the parser", "proof": "all tests pass", **step}
    subject = claims_judge.subject_of(1, "k", step, work, seen)
    return claims_judge.judge(Case(subject, work, tree or Tree()), override)


def verdict(work, tree=None, **step):
    return judged(work, tree, **step).verdict


# -- a check that failed ---------------------------------------------------------------------------


def test_tests_that_are_said_to_pass_and_failed_contradict():
    counts = {"failed": 2, "passed": 40}
    claim = judged(record(run(30, passed=False, counts=counts)))
    assert claim.verdict == "CONTRADICTED"
    assert claim.why == "pytest failed at log 30: 2 failed, 40 passed; it has not passed since"
    assert claim.command == "pytest"


def test_a_failure_that_passed_later_is_none():
    work = record(run(30, passed=False), run(40, passed=True))
    assert verdict(work) == "VERIFIED"


def test_a_message_at_the_end_of_a_turn_is_judged_by_all_of_the_work():
    work = record(run(5, passed=False)) | {"actions": 3}

    def judge(text):
        subject = claims_judge.subject_of_message(text, work)
        return claims_judge.judge(Case(subject, work, Tree()))

    claim = judge("Done. All tests pass.")
    assert (claim.step, claim.verdict) == (0, "CONTRADICTED")
    assert claim.evidence["files"] == ["src/a.py"]
    assert judge("One test still fails.").verdict == "UNVERIFIED"


def test_a_failure_contradicts_nobody_who_says_nothing_of_tests():
    claim = judged(record(run(30, passed=False)), proof="wrote it")
    assert claim.verdict == "UNVERIFIED"
    assert "failed at log 30" in claim.why


def test_a_step_that_wants_a_failing_test_is_not_contradicted_by_it():
    work = record(run(30, passed=False))
    assert verdict(work, description="Write a failing test", proof="1 failed") == "UNVERIFIED"
    assert (
        verdict(work, description="Reproduce the bug in a test", proof="tests ok") == "UNVERIFIED"
    )


def test_a_narrow_pass_does_not_clear_a_whole_failure():
    narrow = run(40, passed=True, command="pytest tests/test_a.py", scope=["tests/test_a.py"])
    assert verdict(record(run(30, passed=False), narrow)) == "CONTRADICTED"


def test_a_whole_pass_clears_a_narrow_failure():
    narrow = run(30, passed=False, command="pytest tests/test_a.py", scope=["tests/test_a.py"])
    tree = Tree(there=("tests/test_a.py",))
    assert verdict(record(narrow, run(40, passed=True)), tree) == "VERIFIED"
    assert verdict(record(narrow), tree) == "CONTRADICTED"


def test_a_failed_test_that_is_gone_accuses_nobody():
    narrow = run(30, passed=False, command="pytest tests/test_a.py", scope=["tests/test_a.py"])
    assert verdict(record(narrow), Tree(there=())) == "UNVERIFIED"


def test_a_failure_after_the_claim_and_after_changes_is_stale_and_no_contradiction():
    work = record(
        run(40, passed=True), run(60, passed=False), files={"src/a.py": 20, "src/b.py": 55}
    )
    claim = judged(work, Tree(changes={"look40": ("src/b.py",)}))
    assert (claim.verdict, claim.files) == ("STALE", ("src/b.py",))
    assert claim.why.endswith("changed since: src/b.py; pytest failed at log 60")


def test_a_failure_after_the_claim_with_nothing_changed_shows_what_was_there():
    assert verdict(record(run(60, passed=False))) == "CONTRADICTED"


def test_tests_that_passed_before_the_claim_and_fail_later_unchanged_accuse_nobody():
    same = {"digest": "same"}
    work = record(run(40, passed=True, look=same), run(60, passed=False, look=same))
    assert verdict(work) == "UNVERIFIED"


def test_a_failure_before_the_step_counts_only_where_nothing_changed_since():
    assert verdict(record(run(5, passed=False))) == "CONTRADICTED"
    changed = Tree(changes={"look5": ("src/a.py",)})
    assert verdict(record(run(5, passed=False)), changed) == "UNVERIFIED"


def test_a_run_of_unknown_outcome_leaves_nothing_certain():
    work = record(run(30, passed=False), run(40, passed=None, command="pytest | tee x"))
    assert verdict(work) == "UNVERIFIED"


def test_a_command_that_may_have_been_a_check_leaves_nothing_certain():
    later = {"./scripts/test-all": {"seq": 40, "passed": True, "cwd": ROOT}}
    assert verdict(record(run(30, passed=False), commands=later)) == "UNVERIFIED"
    looked = {"git diff tests": {"seq": 40, "passed": True, "cwd": ROOT}}
    assert verdict(record(run(30, passed=False), commands=looked)) == "CONTRADICTED"


def test_a_runner_that_may_run_the_same_tests_leaves_nothing_certain():
    assert verdict(record(run(30, passed=False, name="make test"), run(40, passed=True))) in (
        "UNVERIFIED",
        "VERIFIED",
    )
    other = run(40, passed=True, name="jest")
    assert verdict(record(run(30, passed=False), other)) == "CONTRADICTED"


def test_another_parts_failure_is_not_this_claims():
    work = record(
        run(30, passed=False, name="npm test", scope=["packages/b"]),
        files={"packages/a/x.js": 20},
    )
    tree = Tree(units=("packages/a", "packages/b"), there=("packages/b",))
    assert verdict(work, tree) == "UNVERIFIED"
    assert verdict(work, tree, proof="tests pass, b's too") == "CONTRADICTED"


def test_a_failure_in_another_work_tree_is_not_this_claims():
    assert verdict(record(run(30, passed=False, elsewhere=True))) == "UNVERIFIED"


def test_words_that_narrow_a_claim_are_contradicted_only_by_a_run_of_those():
    whole = record(run(30, passed=False, counts={"failed": 1, "passed": 9}))
    assert verdict(whole, proof="auth tests pass") == "UNVERIFIED"
    all_failed = record(run(30, passed=False, counts={"failed": 10, "passed": 0}))
    assert verdict(all_failed, proof="auth tests pass") == "CONTRADICTED"
    theirs = run(30, passed=False, command="pytest tests/auth", scope=["tests/auth"])
    tree = Tree(there=("tests/auth",))
    assert verdict(record(theirs), tree, proof="auth tests pass") == "CONTRADICTED"


def test_a_run_whose_tests_passed_and_that_failed_for_another_reason_contradicts_no_tests():
    coverage = run(30, passed=False, counts={"passed": 42})
    assert verdict(record(coverage)) == "UNVERIFIED"
    broken = run(30, passed=False, counts={"passed": 42, "errors": 1})
    assert verdict(record(broken)) == "CONTRADICTED"


def test_one_of_the_tests_is_not_all_of_them():
    work = record(run(30, passed=False, counts={"failed": 1, "passed": 9}))
    for proof in ("the new test passes", "these tests pass", "the added tests pass"):
        assert verdict(work, proof=proof) == "UNVERIFIED"
    assert verdict(work, proof="Added tests, all passing") == "CONTRADICTED"


def test_a_proof_that_tells_of_failures_is_heard_before_what_was_wanted():
    work = record(run(30, passed=False))
    wanted = "Make all tests pass"
    assert verdict(work, description=wanted, proof="one still fails") == "UNVERIFIED"
    assert verdict(work, description=wanted, proof="ein Test ist noch rot") == "UNVERIFIED"
    assert verdict(work, description=wanted, proof="fixed the failing tests") == "CONTRADICTED"
    assert verdict(work, description=wanted, proof="") == "CONTRADICTED"


def test_a_proof_may_be_a_list_of_sentences():
    work = record(run(30, passed=False))
    assert verdict(work, proof=["Rewrote the parser", "All tests pass"]) == "CONTRADICTED"


def test_a_proof_that_the_product_filled_in_is_nobodys_word():
    work = record(run(30, passed=False))
    assert verdict(work, proof="auto: 1 file, pytest passed (log 11-50)") == "UNVERIFIED"


def test_what_another_agent_broke_meanwhile_accuses_nobody():
    mine = run(30, passed=True, agent="")
    theirs = run(40, passed=False, agent="sub")
    assert verdict(record(mine, theirs)) == "UNVERIFIED"
    assert verdict(record(run(30, passed=True), run(40, passed=False))) == "CONTRADICTED"


def test_each_kind_of_check_is_asked_for_itself():
    work = record(run(30, passed=True), run(31, passed=False, kind="lint", name="ruff check"))
    assert verdict(work, proof="lint clean") == "CONTRADICTED"
    assert verdict(work, proof="tests pass") == "VERIFIED"
    assert verdict(work, proof="all checks pass") == "CONTRADICTED"
    assert verdict(work, proof="mypy ok") == "UNVERIFIED"


def test_a_step_that_was_complete_before_anybody_watched_is_not_accused():
    work = record(run(30, passed=False))
    work["steps"]["k"] = {"first_seq": 2, "started_seq": None, "completed_seq": 2}
    assert verdict(work) == "UNVERIFIED"
    work["steps"] = {}
    assert verdict(work) == "UNVERIFIED"


# -- a command that failed -------------------------------------------------------------------------


def test_a_command_that_is_said_to_succeed_and_failed_contradicts():
    commands = {"npm run build": {"seq": 30, "passed": False, "cwd": ROOT}}
    work = record(commands=commands)
    claim = judged(work, proof="`npm run build` succeeds")
    assert (claim.verdict, claim.command) == ("CONTRADICTED", "npm run build")
    assert verdict(work, proof="", verification="npm run build") == "CONTRADICTED"
    assert verdict(work, proof="ran `npm run build`") == "UNVERIFIED"
    work["commands"]["./verify.sh"] = {"seq": 31, "passed": True, "cwd": ROOT}
    assert verdict(work, proof="`npm run build` succeeds") == "CONTRADICTED"


def test_a_command_that_failed_first_and_ran_since_does_not():
    commands = {
        "./verify.sh": {"seq": 30, "passed": False, "cwd": ROOT},
        "cd /p && ./verify.sh": {"seq": 40, "passed": True, "cwd": ROOT},
    }
    assert verdict(record(commands=commands), proof="", verification="./verify.sh") == "UNVERIFIED"


def test_a_command_whose_output_was_cut_ended_unknown():
    commands = {
        "./verify.sh": {"seq": 30, "passed": False, "cwd": ROOT},
        "./verify.sh | tail -5": {"seq": 40, "passed": True, "cwd": ROOT},
    }
    assert verdict(record(commands=commands), proof="", verification="./verify.sh") == "UNVERIFIED"


# -- files -----------------------------------------------------------------------------------------

UNTOUCHED = {"src/b.py": NamedFile("src/b.py", is_there=True, is_untouched=True)}
NOWHERE = {"src/b.py": NamedFile("src/b.py", is_there=False, is_untouched=True)}


def files(text, tree, **more):
    return verdict(record(**more), tree, description=text, proof="")


def test_a_file_that_is_said_to_be_changed_and_is_as_it_was_contradicts():
    claim = judged(record(), Tree(named=UNTOUCHED), description="Update src/b.py", proof="")
    assert claim.verdict == "CONTRADICTED"
    assert claim.why == "src/b.py has not changed since the work began"


def test_a_file_that_is_said_to_be_new_and_is_nowhere_contradicts():
    assert files("Create src/b.py", Tree(named=NOWHERE)) == "CONTRADICTED"


def test_a_file_that_is_said_to_be_gone_and_lies_there_contradicts():
    assert files("Delete src/b.py", Tree(named=UNTOUCHED)) == "CONTRADICTED"
    assert files("Delete src/b.py", Tree(named=NOWHERE)) == "UNVERIFIED"


def test_a_file_that_a_command_took_out_of_the_index_may_lie_there():
    commands = {"git rm --cached src/b.py": {"seq": 20, "passed": True, "cwd": ROOT}}
    assert files("Delete src/b.py", Tree(named=UNTOUCHED), commands=commands) == "UNVERIFIED"


def test_a_proof_that_explains_why_a_file_is_as_it_was_is_heard():
    tree = Tree(named=UNTOUCHED)
    for proof in ("it was already there", "not needed: done in src/c.py instead"):
        claim = judged(record(), tree, description="Update src/b.py", proof=proof)
        assert claim.verdict == "UNVERIFIED"
    claim = judged(record(), tree, description="Update src/b.py", proof="raised the limit")
    assert claim.verdict == "CONTRADICTED"


def test_a_file_that_is_said_to_be_renamed_and_was_not_contradicts():
    nowhere = {"src/c.py": NamedFile("src/c.py", is_there=False, is_untouched=True)}
    assert files("Rename src/b.py to src/c.py", Tree(named=UNTOUCHED | nowhere)) == "CONTRADICTED"
    old = {"src/c.py": NamedFile("src/c.py", is_there=True, is_untouched=True)}
    there = Tree(named=UNTOUCHED | old)
    assert files("Rename src/b.py to src/c.py", there) == "UNVERIFIED"


@pytest.mark.parametrize(
    "more",
    [
        {"elsewhere": True},
        {"outside": ["/other/src/b.py"]},
        {"files": {"lib/b.py": 20}},
        {"files": {"src/b_.py": 20}},
        {"dropped": {"files": 3}},
        {"commands": {"make": {"seq": 20, "passed": True, "cwd": "/other"}}},
        {"commands": {"sed -i s/1/2/ ../x/b.py": {"seq": 20, "passed": True, "cwd": ROOT}}},
        {"commands": {"cd ../other && make": {"seq": 20, "passed": True, "cwd": ROOT}}},
        {"commands": {"sed -i s/1/2/ ../x/b.py; make": {"seq": 20, "passed": False, "cwd": ROOT}}},
        {"commands": {"scp b.py host:": {"seq": 20, "passed": True, "cwd": ROOT}}},
    ],
)
def test_work_that_may_lie_elsewhere_or_under_another_name_accuses_nobody(more):
    assert files("Update src/b.py", Tree(named=UNTOUCHED), **more) == "UNVERIFIED"


def test_commands_inside_of_the_project_leave_no_doubt():
    commands = {
        "cat src/b.py": {"seq": 20, "passed": True, "cwd": ROOT},
        "cd /p/src && grep -n x /p/src/b.py": {"seq": 21, "passed": True, "cwd": "/p/src"},
        "ls /tmp": {"seq": 22, "passed": True, "cwd": "/tmp/x"},
    }
    assert files("Update src/b.py", Tree(named=UNTOUCHED), commands=commands) == "CONTRADICTED"


def test_a_path_that_is_there_means_that_file_and_no_other_of_its_name():
    tree = Tree(named=UNTOUCHED, there=("src/b.py",))
    assert files("Update src/b.py", tree, files={"lib/b.py": 20}) == "CONTRADICTED"
    assert files("Update src/b.py", tree, files={"packages/x/src/b.py": 20}) == "UNVERIFIED"


def test_a_name_may_have_a_kindred_ending():
    traces = {"src/b.js": NamedFile("src/b.js", is_there=False, is_untouched=True)}
    tree = Tree(named=traces)
    assert files("Update src/b.js", tree, files={"src/b.ts": 20}) == "UNVERIFIED"
    assert files("Update src/b.js", tree, files={"src/b.md": 20}) == "CONTRADICTED"


def test_a_file_that_a_command_named_and_that_is_gone_now_accuses_nobody():
    made = {"touch src/b.py; ./run; rm src/b.py": {"seq": 20, "passed": True, "cwd": ROOT}}
    assert files("Create src/b.py", Tree(named=NOWHERE), commands=made) == "UNVERIFIED"


def test_a_product_with_the_name_of_a_script_is_no_missing_file():
    nowhere = {"node.js": NamedFile("node.js", is_there=False, is_untouched=True)}
    assert files("Update node.js to 20", Tree(named=nowhere)) == "UNVERIFIED"
    there = {"node.js": NamedFile("node.js", is_there=True, is_untouched=True)}
    assert files("Update node.js", Tree(named=there)) == "CONTRADICTED"


def test_what_cannot_be_told_of_a_file_accuses_nobody():
    assert files("Update src/b.py", Tree()) == "UNVERIFIED"


# -- how a claim stands ----------------------------------------------------------------------------


def test_a_check_that_passed_and_nothing_changed_since_verifies():
    claim = judged(record(run(30, passed=True)), proof="")
    assert claim.verdict == "VERIFIED"
    assert claim.why == "pytest passed at log 30; nothing changed since"
    assert claim.check is not None
    assert claim.check["seq"] == 30


def test_what_changed_since_makes_a_claim_stale_and_names_the_files_and_the_command():
    tree = Tree(changes={"look30": ("src/a.py", "README.md")})
    claim = judged(record(run(30, passed=True, cwd="/p/sub", command="pytest -q")), tree)
    assert claim.verdict == "STALE"
    assert claim.files == ("src/a.py",)
    assert claim.command == "cd sub && pytest -q"


def test_what_a_task_ran_on_its_branch_is_stale_where_that_is_not_merged():
    tree = Tree(changes={"look30": ("src/a.py",)})
    claim = judged(record(run(30, passed=True, session="bridge:t-1/2")), tree)
    assert claim.verdict == "STALE"
    assert claim.why == "pytest passed at log 30 for the task t-1; this tree differs: src/a.py"


def test_prose_outside_of_code_makes_nothing_stale():
    tree = Tree(changes={"look30": ("README.md", "docs/a.md", "active_context.yaml")})
    assert verdict(record(run(30, passed=True)), tree) == "VERIFIED"
    for path in ("tests/data/case.md", "src/prompts/system.md", "requirements.txt", "Makefile"):
        tree = Tree(changes={"look30": (path,)})
        assert verdict(record(run(30, passed=True)), tree) == "STALE"


def test_prose_that_a_check_reads_by_its_name_makes_it_stale():
    reads = run(30, passed=True, kind="custom", command="grep two docs/a.md")
    tree = Tree(changes={"look30": ("README.md",)})
    wanted = "Run `grep two docs/a.md`, all good."
    assert verdict(record(reads), tree, proof="", verification=wanted) == "VERIFIED"
    tree = Tree(changes={"look30": ("README.md", "docs/a.md")})
    assert verdict(record(reads), tree, proof="", verification=wanted) == "STALE"


def test_where_nobody_can_tell_what_changed_a_pass_verifies_nothing():
    blind = run(30, passed=True, look=None, look_why="this is no git repository")
    claim = judged(record(blind))
    assert claim.verdict == "UNVERIFIED"
    assert "no git repository" in claim.why
    assert verdict(record(blind, files={"src/a.py": 40})) == "STALE"


def test_what_was_written_while_the_check_ran_came_after_it():
    slow = run(30, passed=True, duration_ms=15 * 60_000)
    assert verdict(record(slow)) == "STALE"


def test_where_the_duration_is_unknown_nothing_is_taken_to_be_written_meanwhile():
    assert verdict(record(run(30, passed=True, duration_ms=None))) == "VERIFIED"


def test_times_without_a_zone_are_compared_like_any():
    slow = run(30, passed=True, duration_ms=15 * 60_000, at="2026-01-01T00:30:00")
    assert verdict(record(slow)) == "STALE"


def test_a_step_without_work_and_without_claim_is_unverified_and_says_why():
    claim = judged(record(run(30, passed=True), files={}), description="Read the docs", proof="")
    assert claim.verdict == "UNVERIFIED"
    assert claim.why == "nothing was observed for or against it"
    claim = judged(record(files={"README.md": 20}), description="Write the manual", proof="")
    assert claim.why == "only documents changed (README.md), which no check covers"
    work = record(files={})
    work["steps"] = {}
    claim = judged(work, description="Read the docs", proof="")
    assert claim.why == "it was complete before anything was observed"


def test_a_step_that_only_ran_the_tests_is_verified_by_them():
    work = record(run(30, passed=True, counts={"passed": 42}), files={})
    assert verdict(work, description="Run the test suite", proof="42 passed") == "VERIFIED"


def test_lint_verifies_no_work_and_a_narrow_run_not_all_the_tests():
    assert verdict(record(run(30, passed=True, kind="lint", name="ruff")), proof="") == "UNVERIFIED"
    narrow = run(30, passed=True, command="pytest tests/test_a.py", scope=["tests/test_a.py"])
    assert verdict(record(narrow)) == "UNVERIFIED"
    assert verdict(record(narrow), proof="") == "VERIFIED"


def test_a_check_before_the_step_verifies_nothing():
    assert verdict(record(run(5, passed=True)), proof="") == "UNVERIFIED"


def test_a_check_in_another_work_tree_verifies_nothing():
    assert verdict(record(run(30, passed=True, elsewhere=True))) == "UNVERIFIED"


def test_the_command_that_a_step_names_verifies_it():
    custom = run(30, passed=True, kind="custom", name="./verify.sh")
    assert verdict(record(custom), proof="", verification="./verify.sh") == "VERIFIED"
    assert verdict(record(custom), proof="") == "UNVERIFIED"


def test_a_check_whose_tests_were_weakened_verifies_nothing_and_says_so():
    weakened = {
        "x": {
            "kind": "test_skipped",
            "path": "tests/test_a.py",
            "name": "test_x",
            "seen": "edit",
            "at": "2026-01-01T00:25:00+00:00",
        }
    }
    claim = judged(record(run(30, passed=True), tampering=weakened))
    assert claim.verdict == "UNVERIFIED"
    assert claim.beside == ("test skipped: tests/test_a.py::test_x",)
    assert claim.why == "pytest passed at log 30, after tests were weakened"


@pytest.mark.parametrize("path", ["bin/pytest", "pytest.py", "pytest/__init__.py"])
def test_a_runner_that_was_written_in_the_work_itself_vouches_for_nothing(path):
    work = record(run(40, passed=True), files={"src/a.py": 20, path: 25})
    claim = judged(work)
    assert claim.verdict == "UNVERIFIED"
    assert path in claim.why
    assert verdict(record(run(40, passed=True), outside=[f"/opt/x/{path}"])) == "UNVERIFIED"


def test_a_fake_runner_clears_no_failure_for_certain():
    work = record(run(30, passed=False), run(40, passed=True), files={"bin/pytest": 35})
    assert verdict(work) == "UNVERIFIED"


def test_what_one_run_left_out_speaks_against_that_run_alone():
    left_out = {"kind": "tests_deselected", "path": "", "severity": "normal", "seen": "command"}
    then = {"x": {**left_out, "at": "2026-01-01T00:25:00+00:00"}}
    assert verdict(record(run(30, passed=True), tampering=then)) == "VERIFIED"
    now = {"x": {**left_out, "at": "2026-01-01T00:30:00+00:00"}}
    assert verdict(record(run(30, passed=True), tampering=now)) == "UNVERIFIED"


def test_what_a_person_let_pass_is_overridden_and_says_who_when_and_why():
    override = {"by": "ada", "approved_at": "2026-01-01T10:11:12+00:00", "reason": "known"}
    claim = judged(record(run(30, passed=False)), override=override)
    assert claim.verdict == "OVERRIDDEN"
    assert claim.why.startswith("ada overrode it at 2026-01-01 10:11: known (pytest failed")
    assert judged(record(run(30, passed=True)), override=override).verdict == "VERIFIED"


def test_a_claim_as_data_is_plain():
    data = judged(record(run(30, passed=True))).as_data()
    assert data["verdict"] == "VERIFIED"
    assert data["evidence"]["from"] == START + 1
