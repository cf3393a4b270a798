"""Commits, pushes, numbers and other acts: verified only by what can show them."""

import pytest
from tests.evidence.claims.test_claims import Tree, judged, record, run
from tests.tables import for_each

from operators_edge.evidence.claims.model import History

COMMANDS = {
    "pushed": {"git push origin main": {"seq": 40, "at": None, "passed": True, "cwd": None}},
    "rejected": {"git push origin main": {"seq": 40, "at": None, "passed": False, "cwd": None}},
    "hidden": {"git push || true": {"seq": 40, "at": None, "passed": True, "cwd": None}},
    "dry": {"git push --dry-run": {"seq": 40, "at": None, "passed": True, "cwd": None}},
    "deployed": {"kubectl apply -f x": {"seq": 40, "at": None, "passed": True, "cwd": None}},
    "publish failed": {"npm publish": {"seq": 40, "at": None, "passed": False, "cwd": None}},
    "": {},
}


def claim_of(proof, *, commands="", past=None, commits=(), counts=None, is_pushed=None, **more):
    work = record(run(30, passed=True, counts=counts or {"passed": 5}), **more)
    work["commands"] = COMMANDS[commands]
    return judged(work, Tree(past=past, commits=commits, is_on_remote=is_pushed), proof=proof)


@for_each(
    ("proof", "more", "verdict"),
    [
        ("tests pass, pushed", {}, "UNVERIFIED"),
        ("tests pass, pushed", {"commands": "pushed"}, "VERIFIED"),
        ("tests pass, pushed", {"is_pushed": True}, "VERIFIED"),
        ("tests pass, pushed", {"is_pushed": False}, "CONTRADICTED"),
        ("tests pass, pushed", {"is_pushed": False, "commands": "pushed"}, "VERIFIED"),
        ("tests pass, not pushed", {"is_pushed": False}, "VERIFIED"),
        ("tests pass, pushed", {"commands": "rejected"}, "CONTRADICTED"),
        ("tests pass, pushed", {"commands": "hidden"}, "UNVERIFIED"),
        ("tests pass, pushed", {"commands": "dry"}, "UNVERIFIED"),
        ("tests pass, not pushed", {}, "VERIFIED"),
        ("tests pass; the pushed events are counted", {}, "VERIFIED"),
        ("tests pass, committed", {"past": History(True, frozenset())}, "VERIFIED"),
        ("tests pass, committed", {"past": History(True, frozenset({"src/a.py"}))}, "UNVERIFIED"),
        ("tests pass, committed", {"past": History(False, frozenset({"src/a.py"}))}, "CONTRADICTED"),
        ("committed src/a.py", {"past": History(True, frozenset({"src/a.py"}))}, "CONTRADICTED"),
        ("tests pass, committed", {"past": History(False, frozenset())}, "UNVERIFIED"),
        ("tests pass, in commit 1a2b3c4", {"commits": ("1a2b3c4",)}, "VERIFIED"),
        ("tests pass, in commit 1a2b3c4", {}, "CONTRADICTED"),
        ("tests pass, deployed", {}, "UNVERIFIED"),
        ("tests pass, deployed", {"commands": "deployed"}, "VERIFIED"),
        ("tests pass, published to npm", {"commands": "publish failed"}, "CONTRADICTED"),
        ("5 tests pass", {}, "VERIFIED"),
        ("5/5 tests pass", {}, "VERIFIED"),
        ("9 tests pass", {}, "CONTRADICTED"),
        ("3 tests pass", {}, "UNVERIFIED"),
        ("added 3 tests, all tests pass", {}, "VERIFIED"),
    ],
)  # fmt: skip
def test_an_act_has_the_verdict_of_what_shows_it(proof, more, verdict):
    assert claim_of(proof, **more).verdict == verdict


def test_the_sentence_names_what_was_not_seen():
    assert claim_of("tests pass, pushed and deployed").why == (
        "pytest passed at log 30: 5 passed; nothing changed since; push, deployment not observed"
    )


def reproduced(*ran, proof="the bug no longer reproduces", **more):
    work = record(*ran, files={"src/a.py": 20}, **more)
    return judged(work, Tree(), proof=proof)


def command(seq, *, passed):
    return {"python repro.py": {"seq": seq, "at": None, "passed": passed, "cwd": None}}


def test_a_reproduction_is_judged_by_its_own_command():
    tests = run(30, passed=True)
    assert reproduced(tests, commands=command(35, passed=True)).verdict == "VERIFIED"
    assert reproduced(tests, commands=command(35, passed=False)).verdict == "CONTRADICTED"
    assert reproduced(tests, commands=command(15, passed=False)).verdict == "UNVERIFIED"
    assert reproduced(tests).verdict == "UNVERIFIED"
    assert reproduced(run(25, passed=False), tests).verdict == "VERIFIED"


def test_a_program_that_is_said_to_run_did():
    said = "repro.py runs without errors now, tests pass"
    tests = run(30, passed=True)
    assert reproduced(tests, proof=said, commands=command(35, passed=True)).verdict == "VERIFIED"
    assert (
        reproduced(tests, proof=said, commands=command(35, passed=False)).verdict == "CONTRADICTED"
    )
    assert reproduced(tests, proof=said).why.endswith("run of repro.py not observed")


def test_a_step_that_is_to_push_claims_it():
    work = record(run(30, passed=True))
    assert judged(work, description="Push the branch", proof="tests pass").verdict == "UNVERIFIED"
    assert judged(work, description="Deploy it", proof="not done, later").verdict != "CONTRADICTED"


@pytest.mark.parametrize(
    "description",
    [
        "Push notifications for iOS",
        "Commit message linter",
        "Tag input",
        "Release notes",
        "Merge sort",
    ],
)
def test_a_noun_asks_for_nothing(description):
    work = record(run(30, passed=True))
    past = History(False, frozenset({"src/a.py"}))
    assert judged(work, Tree(past=past), description=description).verdict == "VERIFIED"


@pytest.mark.parametrize(
    "description", ["Commit", "Commit the changes", "Fix it and commit", "Push to origin"]
)
def test_a_verb_asks_for_the_act(description):
    assert judged(record(run(30, passed=True)), description=description).verdict == "UNVERIFIED"
