from datetime import UTC, datetime, timedelta

from operators_edge.approvals import junction
from operators_edge.approvals.binding import bound
from operators_edge.approvals.binding.bound import BoundFact
from operators_edge.approvals.junction import GrantsInForce
from operators_edge.model import Call, Finding, Verdict

NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
PUSH = Finding("git-push", "junction", "irreversible", "publishes commits", "git push --dry-run")
RISKY = Verdict("junction", (PUSH,), exact="e1", classes=("c1",))
TWO = Verdict("junction", (PUSH, PUSH), exact="e2", classes=("c1", "c2"))


def pending(kind="irreversible", exact="other"):
    return {"id": "j1", "type": kind, "reason": "r", "fingerprint": exact, "classes": ["c9"]}


def resolve(verdict, *, is_asking=False, **grants):
    return junction.resolve(verdict, GrantsInForce(**grants), is_asking=is_asking)


def test_only_the_last_ten_left_questions_are_kept_and_each_once():
    state = {}
    for number in [*range(12), 11]:
        state["junction"] = {"id": f"q{number}", "type": "external", "shown": str(number)}
        junction.leave(state, now=NOW)
    assert [each["shown"] for each in state["left_questions"]] == [str(n) for n in range(2, 12)]
    last = junction.left_questions(state)[-1]
    junction.take_up(state, last)
    assert state["junction"]["shown"] == "11"
    assert len(junction.left_questions(state)) == 9
    assert junction.left_questions({"left_questions": "no list"}) == []


def test_a_block_stays_a_block_whatever_was_granted():
    verdict = Verdict("block", (PUSH,), exact="e1", classes=("c1",))
    allowed = ({"id": "a", "fingerprint": "e1"},)
    assert resolve(verdict, allowances=allowed).step == "block"


def test_an_allowance_answers_exactly_its_own_call():
    allowed = ({"id": "a", "fingerprint": "e1"},)
    assert resolve(RISKY, allowances=allowed) == junction.Resolution("use", ("a",))
    assert resolve(TWO, allowances=allowed).step == "raise"


def test_a_dismissal_must_cover_every_class_of_the_call():
    one = {"id": "d1", "fingerprint": "c1"}
    two = {"id": "d2", "fingerprint": "c2"}
    assert resolve(RISKY, dismissals=(one,)) == junction.Resolution("covered", ("d1",))
    assert resolve(TWO, dismissals=(one,)).step == "raise"
    assert resolve(TWO, dismissals=(one, two)).grants == ("d1", "d2")


def test_the_allowance_goes_before_the_dismissal_and_both_before_a_refusal():
    allowed = ({"id": "a", "fingerprint": "e1"},)
    dismissed = ({"id": "d", "fingerprint": "c1"},)
    assert resolve(RISKY, allowances=allowed, dismissals=dismissed).step == "use"
    assert resolve(RISKY, dismissals=dismissed, refused="turn").step == "covered"


def test_a_refused_call_is_not_asked_about_again():
    assert resolve(RISKY, refused="turn").step == "refused"
    assert resolve(RISKY, refused="turn", is_asking=True).step == "refused"


def test_while_one_is_pending_a_second_call_waits_but_a_dialog_does_not():
    assert resolve(RISKY, pending=pending()).step == "pending"
    assert resolve(RISKY, pending=pending(), is_asking=True).step == "raise"


def test_a_convenience_junction_gives_way_to_one_of_the_gate():
    for kind in junction.DISPLACEABLE:
        assert resolve(RISKY, pending=pending(kind)).step == "raise"


def test_calls_denied_meanwhile_are_counted_on_the_pending_one():
    waiting = pending(exact="e1")
    junction.count_blocked(waiting, RISKY, shown="git push")
    junction.count_blocked(waiting, TWO, shown="two")
    junction.count_blocked(waiting, TWO, shown="two")
    assert waiting["repeats"] == 1
    assert [(each["shown"], each["times"]) for each in waiting["also_blocked"]] == [("two", 2)]


def test_the_raised_record_names_what_a_person_decides_on():
    call = Call("Bash", {"command": "git push"}, "/p", session="s", agent="sub", id="t1")
    record = junction.new_junction(RISKY, call, new_id="j", now=NOW, shown="git push")
    assert record["fingerprint"] == "e1"
    assert record["classes"] == ["c1"]
    assert (record["session"], record["agent"], record["shown"]) == ("s", "sub", "git push")
    assert record["created_at"] == "2026-01-02T03:04:05+00:00"


def test_a_dismissal_ends_at_its_wall_clock_time_and_an_unreadable_end_is_over():
    record = junction.new_junction(TWO, Call("Bash", {}, "/"), new_id="j", now=NOW, shown="x")
    grants = junction.dismissals_for(record, new_ids=["a", "b"], now=NOW, minutes=60, by="me")
    assert [grant["fingerprint"] for grant in grants] == ["c1", "c2"]
    assert not junction.is_expired(grants[0], NOW + timedelta(minutes=59))
    assert junction.is_expired(grants[0], NOW + timedelta(minutes=60))
    assert not junction.is_expired(grants[0], NOW - timedelta(minutes=5))
    assert junction.is_expired(grants[0], NOW - timedelta(minutes=6))  # the clock went back
    assert junction.is_expired({"expires_at": "soon"}, NOW)
    assert junction.is_expired({"expires_at": "2999-01-01T00:00:00"}, NOW)
    assert not junction.is_expired({"granted_at": "x"}, NOW)


def test_closing_keeps_twenty_decisions():
    state = {"junction_history": [{"id": str(n)} for n in range(20)], "junction": pending()}
    closed = junction.close(state, decision="skip", now=NOW, by="me")
    assert closed["id"] == "j1"
    assert state["junction"] is None
    assert len(state["junction_history"]) == 20
    assert state["junction_history"][-1]["decision"] == "skip"
    assert state["junction_history"][0]["id"] == "1"


def test_a_junction_takes_the_place_of_what_nobody_decided_a_moment_before():
    def after(decision, seconds=0, when=None):
        at = (NOW + timedelta(seconds=seconds)).isoformat()
        last = {"id": "j0", "decision": decision, "decided_at": when or NOW.isoformat()}
        state = {"junction": {**pending(), "created_at": at}, "junction_history": [last]}
        return junction.just_replaced(state)

    assert after("displaced")["id"] == "j0"
    assert after("withdrawn", 60)["id"] == "j0"
    assert after("withdrawn", 61) is None
    assert after("withdrawn", when="yesterday")["id"] == "j0"
    for decided in ("approve", "skip", "dismiss"):
        assert after(decided) is None
    assert junction.just_replaced({"junction": pending(), "junction_history": []}) is None
    assert junction.just_replaced({"junction": None}) is None


def test_an_approval_ends_after_an_hour():
    record = junction.new_junction(RISKY, Call("Bash", {}, "/"), new_id="j", now=NOW, shown="x")
    grant = junction.allowance_for(record, new_id="a", now=NOW, by="me, at a terminal")
    assert not junction.is_expired(grant, NOW + timedelta(minutes=59))
    assert junction.is_expired(grant, NOW + timedelta(minutes=60))
    assert junction.is_expired(grant, NOW - timedelta(minutes=6))  # the clock went back


def test_a_grant_counts_for_what_it_was_given_for():
    def fact(value, **more):
        return BoundFact("url", "origin", value, side="target", of="c1", **more)

    now = (fact("b"), BoundFact("commit", "main", "1" * 40))
    once = {"id": "a", "fingerprint": "e1", "binding": bound.as_data(now)}
    hour = {"id": "d", "fingerprint": "c1", "binding": bound.as_data([fact("b")])}

    def resolved(binding, **grants):
        return junction.resolve(RISKY, GrantsInForce(**grants), is_asking=False, binding=binding)

    assert resolved(now, allowances=(once,)).step == "use"
    other = (fact("b"), BoundFact("commit", "main", "2" * 40))
    changed = resolved(other, allowances=(once,))
    assert (changed.step, len(changed.changes)) == ("raise", 1)
    assert resolved(other, dismissals=(hour,)).step == "covered"
    elsewhere = resolved((fact("c"),), dismissals=(hour,))
    assert (elsewhere.step, elsewhere.changes[0].now) == ("raise", fact("c"))
    assert resolved((fact("b", unknown="too slow"),), dismissals=(hour,)).step == "raise"
    of_before = {key: value for key, value in once.items() if key != "binding"}
    assert resolved(now, allowances=(of_before,)).step == "raise"
