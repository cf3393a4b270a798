"""A verdict is kept exactly as long as everything that it rests on is the same."""

from __future__ import annotations

from tests.gate.example_project import PLACE, ROOT, RULES, Machine

from operators_edge.gate.decide import assess
from operators_edge.gate.remembered import MAX_ANSWERS, MAX_VERDICTS, Remembered
from operators_edge.model import ALLOW, Call, FollowedFile

WIPE = "rm -rf /home/ann/photos"
SEEN = ALLOW._replace(followed=(FollowedFile("x", "y"),))


def run(command):
    return Call("Bash", {"command": command}, ROOT)


class Judge:
    """Judges by the text of one file, and counts how often."""

    def __init__(self, verdict=SEEN, texts=1):
        self.verdict, self.texts, self.times = verdict, texts, 0

    def __call__(self, call, place, facts, rules):
        self.times += 1
        for at in range(self.texts):
            facts.text(f"{ROOT}/{at}", 9000)
            facts.text(f"{ROOT}/{at}", 9000)
        facts.names(ROOT)
        return self.verdict


class Counting(Machine):
    asked = 0

    def text(self, path, limit):
        self.asked += 1
        return super().text(path, limit)


def test_the_same_call_is_judged_once_and_each_answer_is_asked_once():
    kept, judge, facts = Remembered(), Judge(), Counting()
    for _ in range(2):
        assert kept.assess(run("a"), PLACE, facts, RULES, judge) == SEEN
    assert (judge.times, facts.asked) == (1, 2)


def test_another_call_place_or_profile_is_judged_for_itself():
    kept, judge, facts = Remembered(), Judge(), Machine()
    kept.assess(run("a"), PLACE, facts, RULES, judge)
    kept.assess(run("b"), PLACE, facts, RULES, judge)
    kept.assess(run("a"), PLACE._replace(home="/home/eve"), facts, RULES, judge)
    other = "strict" if RULES.profile != "strict" else "contextual"
    kept.assess(run("a"), PLACE, facts, RULES.with_profile(other), judge)
    assert judge.times == 4


def test_a_file_that_changed_is_judged_again_also_at_the_same_length():
    kept, judge = Remembered(), Judge()
    for text in ("a" * 500, "b" * 500, "b" * 500, "c"):
        kept.assess(run("a"), PLACE, Machine({f"{ROOT}/0": text}), RULES, judge)
    assert judge.times == 3


def test_a_verdict_on_what_runs_no_file_is_kept_too():
    kept, judge = Remembered(), Judge(verdict=ALLOW)
    for _ in range(2):
        assert kept.assess(run("a"), PLACE, Machine(), RULES, judge) == ALLOW
    assert judge.times == 1


def test_a_long_command_is_kept_and_told_from_one_that_differs_at_its_end():
    kept, judge = Remembered(), Judge()
    for end in ("a", "a", "b"):
        kept.assess(run("x" * 9_000 + end), PLACE, Machine(), RULES, judge)
    assert judge.times == 2


def test_what_rests_on_too_much_is_not_kept():
    kept, judge = Remembered(), Judge(texts=MAX_ANSWERS)
    for _ in range(2):
        kept.assess(run("a"), PLACE, Machine(), RULES, judge)
    assert judge.times == 2


def test_only_the_last_verdicts_are_kept():
    kept, judge, facts = Remembered(), Judge(), Machine()
    for at in range(MAX_VERDICTS + 1):
        kept.assess(run(str(at)), PLACE, facts, RULES, judge)
    kept.assess(run("0"), PLACE, facts, RULES, judge)
    assert judge.times == MAX_VERDICTS + 2


def test_a_script_that_changes_between_two_runs_gets_another_verdict():
    for text, effect in (("echo", "allow"), (WIPE, "block"), ("echo", "allow")) * 2:
        verdict = assess(run("sh x.sh"), PLACE, Machine({f"{ROOT}/x.sh": text}), RULES)
        assert (verdict.effect == "allow") == (effect == "allow")
