"""Each of the twelve checks: when it fails, how hard, and what it says clears it."""

import os
import re

import pytest
from hypothesis import given, strategies as st
from tests.properties import examples

from operators_edge.evidence.claims.model import Claim
from operators_edge.quality import checks as quality_checks
from operators_edge.quality.checks import Corpus, Facts

WORK = {
    "actions": 5,
    "files": {"src/a.py": {"seq": 3, "by": "Edit"}},
    "outside": [],
    "checks": [
        {
            "seq": 9,
            "kind": "test",
            "name": "pytest",
            "command": "pytest -q",
            "passed": True,
            "look": None,
        }
    ],
    "commands": {"pytest -q": {"seq": 9, "passed": True}},
    "evals": [],
    "elsewhere": False,
    "tampering": {},
}
STEP = {"description": "write the parser", "status": "completed", "proof": "9 tests pass"}
FINE = {"objective": "ship it", "plan": [STEP]}


def claim(step=1, verdict="UNVERIFIED", **more):
    given_ = {"step": step, "key": "k", "text": "t", "proof": "", "source": "", "why": "because"}
    return Claim(verdict=verdict, **{**given_, **more})


def ask(state=None, *, claims=(), tests=None, changed=None, session="s", has_tree=True, **work):
    facts = Facts({**WORK, **work}, claims, session, tests, changed, has_tree)
    return quality_checks.failures({**FINE, **(state or {})}, facts)


def failures(*args, **kwargs):
    return [(check.name, check.severity) for check in ask(*args, **kwargs)]


def only(*args, **kwargs):
    (check,) = ask(*args, **kwargs)
    return check


def plan(*steps):
    return {"plan": [{**STEP, **each} for each in steps]}


def test_work_that_was_observed_passes():
    assert ask() == ()


def test_there_are_twelve_checks_with_the_names_that_people_use():
    assert len(quality_checks.NAMES) == len(set(quality_checks.NAMES)) == 12


def test_nothing_at_all_fails_with_what_is_missing_and_in_a_fixed_order():
    found = quality_checks.failures({}, Facts({**WORK, "actions": 0, "files": {}}))
    assert [each.name for each in found] == [
        "objective_defined",
        "steps_completed",
        "activity_observed",
    ]
    assert [each.fix for each in found][:2] == ['edge objective "…"', 'edge plan add "…"']


@pytest.mark.parametrize("objective", [None, "", "  "])
def test_without_an_objective_there_is_nothing_to_have_done(objective):
    assert failures({"objective": objective}) == [("objective_defined", "error")]


def test_a_step_in_progress_is_named_with_the_two_ways_out():
    check = only(plan({}, {"status": "in_progress"}))
    assert (check.name, check.severity, check.steps) == ("no_dangling_in_progress", "error", (2,))
    assert check.text == "step 2 is still in progress"
    assert check.fix == "edge step done 2, or edge plan rm 2"


def test_blocked_and_pending_steps_are_open():
    (check,) = ask(plan({}, {"status": "blocked"}, {"status": "pending"}))
    assert check.name == "steps_completed"
    assert check.severity == "error"
    assert check.text == "steps 2 and 3 are not completed"


def test_todos_of_the_client_may_be_open():
    assert ask(plan({}, {"status": "pending", "source": "host"})) == ()


@pytest.mark.parametrize(("actions", "fails"), [(0, True), (2, True), (3, False)])
def test_fewer_than_three_tool_uses_are_no_activity(actions, fails):
    assert bool(ask(actions=actions)) is fails


# -- claims_match_files ----------------------------------------------------------------------------


def test_completed_steps_without_a_changed_file_are_an_error():
    assert failures(files={}) == [("claims_match_files", "error")]


def test_a_file_outside_the_project_is_a_changed_file():
    assert ask(files={}, outside=["/etc/app.conf"]) == ()


@pytest.mark.parametrize(
    ("text", "severity"),
    [
        ("research how to implement the cache", "warning"),
        ("Read the docs and examples", "warning"),
        ("Review PR 12", "warning"),
        ("Run the tests", "warning"),
        ("1. Investigate the crash", "warning"),
        ("reviewing the open requests", "warning"),
        ("Review the parser and fix the bug", "error"),
        ("Read the docs to write a summary", "error"),
        ("Carefully fix the bug", "error"),
        ("Researched, then implementing it", "error"),
        ("the parser", "error"),
    ],
)
def test_what_a_plan_names_decides_how_much_a_missing_file_weighs(text, severity):
    assert failures(plan({"description": text}), files={}) == [("claims_match_files", severity)]


def test_one_step_of_code_work_among_others_is_enough_for_an_error():
    state = plan({"description": "Read the docs"}, {"description": "Add the flag"})
    assert failures(state, files={}) == [("claims_match_files", "error")]


def test_where_the_work_may_lie_elsewhere_or_git_cannot_say_nobody_is_accused():
    check = only(files={}, elsewhere=True)
    assert check.severity == "warning"
    assert "another tree" in check.text
    check = only(files={}, has_tree=False)
    assert check.severity == "warning"
    assert "git cannot determine" in check.text


# -- proof, mismatches, verification ---------------------------------------------------------------


@pytest.mark.parametrize("proof", [None, "", "  ", "null", []])
def test_a_completed_step_needs_a_proof_that_says_something(proof):
    check = only(plan({}, {"proof": proof}))
    assert (check.name, check.severity, check.steps) == ("steps_have_proof", "error", (2,))
    assert check.fix == 'edge step proof 2 "what shows it"'


@pytest.mark.parametrize("kind", ["files", "commands", "checks"])
def test_what_was_observed_meanwhile_is_a_proof_too(kind):
    assert ask(plan({"proof": None}), claims=[claim(evidence={kind: ["x"]})]) == ()
    assert ask(plan({"proof": None}), claims=[claim(evidence={kind: []})]) != ()


@pytest.mark.parametrize(
    ("mismatch", "fails"),
    [
        ({"id": "m1"}, True),
        ({"id": "m1", "resolved": False, "status": "open"}, True),
        ({"id": "m1", "resolved": "yes"}, True),
        ("the API says 403", True),
        ({"id": "m1", "resolved": True}, False),
        ({"id": "m1", "status": "resolved"}, False),
    ],
)
def test_a_mismatch_is_resolved_by_either_word_of_the_protocols(mismatch, fails):
    found = ask({"mismatches": [mismatch]})
    assert [each.name for each in found] == ["no_unresolved_mismatches"] * fails


def test_a_mismatch_that_touches_the_intent_says_so():
    check = only({"mismatches": [{"id": "m1", "intent_link": "user_wants"}, {"observation": "x"}]})
    assert check.text == "2 mismatches not resolved: m1, x; the intent is affected"


INTENT = {"intent": {"user_wants": "a parser"}}


@pytest.mark.parametrize("intent", [None, {}, {"user_wants": ""}, {"success_criteria": []}, ""])
def test_without_an_intent_no_verification_step_is_asked_for(intent):
    assert ask({"intent": intent}) == ()


@pytest.mark.parametrize("intent", [{"user_wants": "x"}, {"criteria": ["x"]}, "a parser"])
def test_an_intent_asks_for_a_step_that_verifies_it(intent):
    assert failures({"intent": intent}) == [("verification_step_exists", "error")]


@pytest.mark.parametrize(
    ("step", "passes"),
    [
        ({"is_verification": True}, True),
        ({"description": "Verify that it parses"}, True),
        ({"description": "run the whole test suite"}, True),
        ({"description": "Verify that it parses", "is_verification": False}, False),
        ({"is_verification": True, "status": "pending"}, False),
    ],
)
def test_a_step_verifies_when_it_says_so_or_its_words_do(step, passes):
    assert (ask({**INTENT, **plan({}, step)}) == ()) is passes


def verified(verification, text="", *, is_whole=True, **work):
    state = plan({"verification": verification})
    return ask(state, tests=Corpus(text.lower(), is_whole), **work)


def test_a_verification_is_covered_by_half_of_its_words_in_the_tests():
    assert verified("rejects empty input", "def test_rejects_empty(): …") == ()
    (check,) = verified("rejects empty input gracefully always", "def test_rejects(): …")
    assert (check.name, check.severity, check.steps) == ("verifications_tested", "warning", (1,))


def test_a_verification_without_a_telling_word_asks_for_nothing():
    assert verified("it works correctly") == ()


@pytest.mark.parametrize("verification", ["pytest -q", "`pytest -q` passes", "run pytest"])
def test_a_verification_that_was_run_and_passed_needs_no_test_that_names_it(verification):
    assert verified(verification) == ()
    failed = {"checks": [], "commands": {"pytest -q": {"passed": False}}}
    assert ("verifications_tested", "warning") in [
        (each.name, each.severity) for each in verified(verification, **failed)
    ]


def test_a_bound_that_was_hit_while_reading_the_tests_is_told():
    (check,) = verified("rejects empty input", is_whole=False)
    assert "not all test files were read" in check.text


def test_the_test_files_are_read_only_where_a_verification_needs_them():
    assert quality_checks.needs_tests(plan({"verification": "rejects empty input"}), WORK)
    assert not quality_checks.needs_tests(plan({"verification": "pytest -q"}), WORK)
    assert not quality_checks.needs_tests(plan({"verification": "x", "status": "pending"}), WORK)


# -- evals, claims, tests --------------------------------------------------------------------------

RUN = {"session": "s", "invariants_failed": ["INV-02"]}


@pytest.mark.parametrize(
    ("evals", "expected"),
    [
        (None, [("eval_gate", "warning")]),
        ({"policy": {"gate_on_fail": True}}, [("eval_gate", "error")]),
        ({"policy": {"gate_on_fail": False}}, [("eval_gate", "warning")]),
        ({"enabled": False, "policy": {"gate_on_fail": True}}, []),
        ({"level": 0}, []),
    ],
)
def test_a_failed_invariant_weighs_what_the_policy_says(evals, expected):
    assert failures({"evals": evals}, evals=[RUN]) == expected


def test_an_edit_that_no_invariant_was_asked_about_is_none_that_passed():
    unseen = {"session": "s", "invariants": {"INV-01": "skipped", "INV-02": "skipped"}}
    seen = {"session": "s", "invariants": {"INV-01": "passed", "INV-03": "skipped"}}
    assert failures({"evals": {"policy": {"gate_on_fail": True}}}, evals=[seen, unseen]) == [
        ("eval_gate", "error")
    ]
    (check,) = ask(evals=[unseen, unseen])
    assert check.severity == "warning"
    assert check.text == "2 edits of the state could not be checked: it was too large"
    assert ask(evals=[seen]) == ()


def test_eval_runs_of_other_sessions_and_those_that_passed_say_nothing():
    assert ask(evals=[{**RUN, "session": "t"}, {"session": "s", "invariants_failed": []}]) == ()


def test_a_contradicted_claim_is_an_error_and_a_stale_one_a_warning():
    contradicted = claim(2, "CONTRADICTED", why="the tests failed", command="pytest -q")
    check = only(claims=[claim(1, "STALE"), contradicted])
    assert (check.name, check.severity, check.steps) == ("claims_supported", "error", (2, 1))
    assert check.text == "step 2 contradicted: the tests failed; step 1 stale: because"
    assert check.fix == "pytest -q"
    assert failures(claims=[claim(1, "STALE")]) == [("claims_supported", "warning")]


@pytest.mark.parametrize("verdict", ["VERIFIED", "UNVERIFIED", "OVERRIDDEN"])
def test_the_other_verdicts_fail_nothing(verdict):
    assert ask(claims=[claim(1, verdict)]) == ()


def last(**more):
    return {"checks": [{**WORK["checks"][0], **more}]}


def test_code_without_a_test_run_after_it_is_a_warning_that_names_the_files():
    check = only(checks=[])
    assert (check.name, check.severity) == ("tests_observed", "warning")
    assert check.text == "code changed and no test run was observed: src/a.py"


def test_an_edit_after_the_last_run_is_seen_by_content_or_else_by_order():
    assert only(changed=("src/b.py", "notes.md")).text.endswith("test run: src/b.py")
    assert ask(changed=("notes.md",)) == ()
    assert only(**last(seq=2)).text == "changed after the last test run: src/a.py"
    assert ask(changed=(), **last(seq=2)) == ()


def test_a_change_that_only_the_tree_showed_is_not_held_to_be_later():
    files = {"src/a.py": {"seq": 99, "by": "tree"}}
    assert ask(files=files) == ()


def test_the_last_runs_outcome_counts_and_an_unknown_one_is_called_unknown():
    assert "failed" in only(**last(passed=False)).text
    assert "unknown" in only(**last(passed=None)).text
    again = [{**WORK["checks"][0], "passed": False}, WORK["checks"][0]]
    assert ask(checks=again) == ()


def test_lint_runs_are_no_test_runs_and_prose_is_no_code():
    assert failures(**last(kind="lint")) == [("tests_observed", "warning")]
    assert ask(checks=[], files={"README.md": {"seq": 1, "by": "Edit"}}) == ()


# -- todos of a host -------------------------------------------------------------------------------


def test_a_hosts_todos_inform_and_fail_nothing():
    todo = {"description": "fix it", "source": "host", "proof": None}
    state = plan({}, todo, {**todo, "status": "in_progress"})
    claims = [claim(2, "CONTRADICTED", source="host")]
    assert ask({**state, **plan({}, todo)}, claims=claims) == ()
    assert ask(state, claims=claims) == ()
    assert ask({"plan": [{**STEP, **todo}]}, files={}) == ()


# -- words -----------------------------------------------------------------------------------------


def test_the_summary_counts_what_fails_and_what_only_warns():
    assert quality_checks.summary(()) == "all 12 checks pass"
    assert quality_checks.summary(ask(checks=[])) == "passes, with 1 warning"
    assert quality_checks.summary(ask({"objective": None})) == "1 of 12 checks fails"
    both = ask({"objective": None, "plan": []}, checks=[])
    assert quality_checks.summary(both) == "2 of 12 checks fail, 1 warning"


def test_many_steps_are_counted_and_not_all_listed():
    check = only(plan(*[{"proof": None}] * 9))
    assert check.text.startswith("steps 1, 2, 3, 4 and 5 more have no proof")


def test_the_completion_epoch_is_of_a_plan_that_is_wholly_done_and_of_no_other():
    epoch = quality_checks.completion_epoch(FINE)
    assert epoch == quality_checks.completion_epoch({**FINE, "risks": ["x"], "mode": "active"})
    others = [
        {**FINE, "objective": "another"},
        {**FINE, **plan({"description": "other"})},
        {**FINE, **plan({}, {})},
    ]
    assert len({epoch, *map(quality_checks.completion_epoch, others)}) == 4
    for status in ("pending", "in_progress", "blocked"):
        assert quality_checks.completion_epoch({**FINE, **plan({}, {"status": status})}) is None
    assert quality_checks.completion_epoch({"objective": "x", "plan": []}) is None


# -- laws ------------------------------------------------------------------------------------------

steps = st.lists(
    st.fixed_dictionaries(
        {
            "description": st.sampled_from(["fix it", "read the docs", "verify it", ""]),
            "status": st.sampled_from(["pending", "in_progress", "completed", "blocked"]),
            "proof": st.sampled_from([None, "seen"]),
        },
        optional={"source": st.just("host"), "is_verification": st.booleans()},
    ),
    max_size=5,
)
states = st.fixed_dictionaries(
    {"objective": st.sampled_from([None, "x"]), "plan": steps},
    optional={
        "intent": st.sampled_from([{}, {"user_wants": "x"}]),
        "mismatches": st.lists(
            st.fixed_dictionaries({"id": st.just("m"), "resolved": st.booleans()}), max_size=2
        ),
    },
)
facts = st.builds(
    lambda actions, files, checks, verdicts: Facts(
        {**WORK, "actions": actions, "files": files, "checks": checks},
        [claim(n, verdict) for n, verdict in enumerate(verdicts, 1)],
        "s",
    ),
    st.integers(0, 5),
    st.sampled_from([{}, WORK["files"]]),
    st.sampled_from([[], WORK["checks"]]),
    st.lists(st.sampled_from(["VERIFIED", "STALE", "CONTRADICTED"]), max_size=3),
)


def repaired(state, seen, check):
    """State and facts after somebody did exactly what the failed check asks for."""
    step_of = {
        "no_dangling_in_progress": {"status": "completed", "proof": "seen"},
        "steps_have_proof": {"proof": "seen"},
    }
    done = {**STEP, "description": "verify it"}
    if check.name == "objective_defined":
        return {**state, "objective": "x"}, seen
    if check.name in step_of:
        changed = [
            {**each, **step_of[check.name]} if n in check.steps else each
            for n, each in enumerate(state["plan"], 1)
        ]
        return {**state, "plan": changed}, seen
    if check.name == "steps_completed":
        ended = {"status": "completed", "proof": "seen"}
        left = [each if each["status"] == "in_progress" else each | ended for each in state["plan"]]
        return {**state, "plan": [*left, done]}, seen
    if check.name == "verification_step_exists":
        return {**state, "plan": [*state["plan"], done]}, seen
    if check.name == "no_unresolved_mismatches":
        return {**state, "mismatches": []}, seen
    if check.name == "claims_supported":
        return state, seen._replace(claims=())
    more = {
        "activity_observed": {"actions": 3},
        "claims_match_files": {"files": WORK["files"]},
        "tests_observed": {"checks": WORK["checks"]},
    }[check.name]
    return state, seen._replace(work={**seen.work, **more})


@examples(200)
@given(states, facts)
def test_mending_what_a_failure_names_clears_it_and_adds_no_other_error(state, seen):
    before = quality_checks.failures(state, seen)
    errors = {each.name for each in before if each.severity == "error"}
    for check in before:
        after = quality_checks.failures(*repaired(state, seen, check))
        assert check.name not in {each.name for each in after}
        new = {each.name for each in after if each.severity == "error"} - errors
        # The first completed step is the first claim that files can contradict.
        stated = {"claims_match_files"} if check.name in _COMPLETING else set()
        assert new <= stated


_COMPLETING = ("steps_completed", "no_dangling_in_progress", "verification_step_exists")


@examples(100)
@given(states, facts)
def test_errors_come_first_and_every_failure_has_a_name_a_text_and_one_place(state, seen):
    found = quality_checks.failures(state, seen)
    order = [(each.severity != "error", quality_checks.NAMES.index(each.name)) for each in found]
    assert order == sorted(set(order))
    assert len({each.name for each in found}) == len(found)
    assert all(each.text and len(each.text) < 500 for each in found)


def test_every_check_is_in_the_documents_under_its_name():
    root = os.path.dirname(os.path.dirname(os.path.dirname(__file__)))
    with open(os.path.join(root, "docs", "quality-gate.md"), encoding="utf-8") as file:
        named = re.findall(r"^\| `(\w+)` \|", file.read(), re.MULTILINE)
    assert tuple(named) == quality_checks.NAMES
