"""Decisions about the quality gate and the mode, typed at the real hook: what they cover, how long, and what
is kept of them."""

import os

import pytest
from tests.hosting import Client, change, clean_env, events, opened, read_state, write

from operators_edge.errors import AnswerIsNo
from operators_edge.quality import service as quality_service
from operators_edge.sessions.decisions import Decisions
from operators_edge.storage.keys import signed

pytestmark = pytest.mark.usefixtures("same_user_folder")

PUSH = "git push origin main"


def names(client):
    pending = read_state(client)["junction"]
    return [check["name"] for check in pending["payload"]["failed_checks"]]


def step(text="read the docs", status="completed", proof="read", **more):
    return {"description": text, "status": status, "proof": proof, **more}


def work(client, times=3):
    """Enough activity that the gate has nothing to say about it."""
    for number in range(times):
        client.before("Read", file_path=os.path.join(client.root, "readme.txt"))
        client.done("Read", {"n": number}, file_path=os.path.join(client.root, "readme.txt"))


def test_done_is_asked_of_the_gate_and_every_failure_is_numbered_as_shown(client):
    answer = client.prompt("/edge done")
    assert "2 of 12 checks fail" in answer
    for number, name in enumerate(names(client), 1):
        assert f"[{number}] {name}: " in answer
    assert names(client) == ["steps_completed", "activity_observed"]
    shown = client.prompt("/edge status")
    assert "[1] steps_completed" in shown
    assert "[2] activity_observed" in shown


def test_an_override_by_number_lets_that_check_pass_and_no_other(client):
    client.prompt("/edge done")
    said = client.prompt("/edge approve 1 because the plan is only a note")
    assert "steps_completed" in said
    answer = client.prompt("/edge done")
    assert "[1] activity_observed" in answer
    assert "overridden: steps_completed" in answer
    assert names(client) == ["activity_observed"]
    assert "activity_observed" in client.prompt("/edge approve activity_observed")
    assert "Mode is now done" in client.prompt("/edge done")
    assert [each["checks"] for each in events(client, "override_used")] == [
        ["steps_completed"],
        ["activity_observed"],
    ]


def test_a_full_override_covers_what_fails_later_too(client):
    client.prompt("/edge done")
    said = client.prompt("/edge approve")
    assert "say which checks, or all: 1 steps_completed, 2 activity_observed" in said
    assert not read_state(client).get("overrides")
    assert "every check" in client.prompt("/edge approve all")
    change(client, mismatches=[{"id": "m1", "expectation": "a", "observation": "b"}])
    assert "Mode is now done" in client.prompt("/edge done")


def test_a_check_that_newly_fails_is_not_covered_by_one_that_was_named(client):
    client.prompt("/edge done")
    client.prompt("/edge approve 1,2")
    change(client, mismatches=[{"id": "m1", "expectation": "a", "observation": "b"}])
    client.prompt("/edge done")
    assert names(client) == ["no_unresolved_mismatches"]


def test_who_when_and_why_are_kept_and_shown(client):
    client.prompt("/edge done")
    client.prompt("/edge approve 1,2 because the API is down")
    (grant,) = read_state(client)["overrides"]
    assert grant["mode"] == "check_specific"
    assert grant["reason"] == "the API is down"
    assert grant["session_id"] == client.session
    assert "typed in Claude Code" in grant["by"]
    (told,) = events(client, "override_set")
    assert told == {
        "override": grant["id"],
        "mode": "check_specific",
        "checks": ["steps_completed", "activity_observed"],
        "why": "the API is down",
    }
    for shown in (client.prompt("/edge grants"), client.prompt("/edge status")):
        told = " ".join(shown.split())
        assert "override steps_completed, activity_observed" in told
        assert "because the API is down" in told
        assert all(len(line) <= 80 for line in shown.splitlines() if "override" in line)


def test_words_that_name_no_failed_check_override_nothing(client):
    client.prompt("/edge done")
    answer = client.prompt("/edge approve 3")
    assert "3 is not one of the failed checks: 1 steps_completed, 2 activity_observed" in answer
    assert not read_state(client).get("overrides")
    assert names(client) == ["steps_completed", "activity_observed"]


def test_another_session_ends_an_override_and_that_is_logged_once(client, fenced):
    client.prompt("/edge done")
    client.prompt("/edge approve all")
    client.send("SessionEnd", reason="exit")
    second = Client(client.root, clean_env(fenced))
    second.start()
    assert "another session" in " ".join(second.prompt("/edge grants").split())
    assert "steps_completed" in second.prompt("/edge done")
    second.prompt("/edge done")
    (told,) = events(client, "override_invalidated")
    assert told["why"] == "session"
    assert "No live grants" in second.prompt("/edge grants")


def test_another_objective_ends_an_override_and_coming_back_revives_nothing(client):
    client.prompt("/edge done")
    client.prompt("/edge approve all")
    with_override = read_state(client)["overrides"]
    change(client, objective="another")
    assert "another objective" in " ".join(client.prompt("/edge grants").split())
    client.prompt("/edge done")
    assert events(client, "override_invalidated")[0]["why"] == "objective"
    change(client, objective="ship it", overrides=with_override)
    assert "steps_completed" in client.prompt("/edge done")
    assert "used, revoked" in events(client, "grant_ignored")[0]["why"]
    assert len(events(client, "override_invalidated")) == 1


def test_a_forged_override_counts_for_nothing_and_is_reported(client):
    client.prompt("/edge done")
    client.prompt("/edge approve 1")
    (genuine,) = read_state(client)["overrides"]
    forged = {**genuine, "mode": "full", "approved_checks": []}
    unknown = signed(client.root, {**genuine, "id": "never-given", "mode": "full"})
    change(client, overrides=[forged, unknown])
    client.prompt("/edge done")
    assert "activity_observed" in names(client)
    assert [each["why"] for each in events(client, "grant_ignored")] == [
        "its code is not genuine",
        "it was used, revoked or never given",
    ]
    assert events(client, "override_invalidated") == []


def test_a_grant_that_a_lost_key_made_worthless_is_said_and_not_only_gone(client):
    client.prompt("/edge done")
    client.prompt("/edge approve 1")
    (key,) = [
        os.path.join(folder, name)
        for folder, _, names_there in os.walk(client.env["XDG_STATE_HOME"])
        for name in names_there
        if name == "key"
    ]
    os.unlink(key)
    for words in ("/edge grants", "/edge status"):
        assert "Ignored    a grant in the state: its code is not genuine" in client.prompt(words)


def test_an_override_of_one_project_is_worth_nothing_in_another(client, tmp_path, fenced):
    client.prompt("/edge done")
    client.prompt("/edge approve")
    other = tmp_path / "other"
    other.mkdir()
    with open(os.path.join(client.root, "active_context.yaml"), "rb") as file:
        (other / "active_context.yaml").write_bytes(file.read())
    second = Client(str(other), clean_env(fenced))
    second.session = client.session
    second.start()
    assert "steps_completed" in second.prompt("/edge done")


def test_a_revoked_override_is_over(client):
    client.prompt("/edge done")
    client.prompt("/edge approve all")
    assert "Revoked: override" in client.prompt("/edge grants revoke 1")
    assert "steps_completed" in client.prompt("/edge done")


def test_the_gates_junction_is_replaced_and_never_stacked(client):
    client.prompt("/edge done")
    first = read_state(client)["junction"]["id"]
    client.prompt("/edge done")
    assert read_state(client)["junction"]["id"] == first
    assert len(events(client, "junction_raised")) == 1
    work(client)
    client.prompt("/edge done")
    state = read_state(client)
    assert state["junction"]["id"] != first
    assert names(client) == ["steps_completed"]
    assert [each["decision"] for each in state["junction_history"]] == ["displaced"]


def test_another_pending_decision_goes_first_and_keeps_its_place(client):
    client.bash(PUSH)
    answer = client.prompt("/edge done")
    assert PUSH in answer
    assert read_state(client)["junction"]["shown"] == PUSH


def test_repaired_work_passes_and_its_junction_is_gone(client):
    client.prompt("/edge done")
    work(client)
    change(client, plan=[step()])
    answer = client.prompt("/edge done")
    assert answer.startswith("Mode is now done.")
    assert "passes, with 1 warning" in answer
    assert "warning claims_match_files" in answer
    state = read_state(client)
    assert state["mode"] == "done"
    assert state["junction"] is None


def test_what_was_taken_away_from_the_checks_is_told_and_stops_nothing(client):
    change(client, plan=[step("fix one")])
    given = {"command": "git commit --no-verify -qm one"}
    client.before("Bash", **given)
    client.done("Bash", {"stdout": "", "stderr": "", "interrupted": False}, **given)
    given = {"file_path": write(client.root, "one.txt"), "content": "x\n"}
    client.before("Write", **given)
    client.done("Write", {"filePath": given["file_path"], "originalFile": None}, **given)
    work(client)
    answer = client.prompt("/edge done")
    assert answer.startswith("Mode is now done.")
    assert "remark: hooks skipped" in answer


def test_a_decision_that_moved_meanwhile_is_not_approved_by_mistake(client):
    client.prompt("/edge done")
    seen = read_state(client)["junction"]["id"]
    work(client)
    client.prompt("/edge done")
    decide = Decisions(opened(client), session=client.session, by="a person")
    with pytest.raises(AnswerIsNo, match="another decision"):
        decide.approve("1", expected=seen)
    assert not read_state(client).get("overrides")


def of_old(client, junction):
    """A junction that another version raised, which its log tells."""
    change(client, junction=junction)
    raised = {"junction": junction["id"], "type": junction["type"]}
    opened(client).log.append({"event": "junction_raised", "session": "", "data": raised})


@pytest.mark.parametrize(
    "payload", [None, {}, {"failed_checks": ["steps_completed"]}, {"failed_checks": "x"}]
)
def test_a_junction_of_an_older_version_is_shown_and_decided(client, payload):
    old = {"id": "j1", "type": "quality_gate", "reason": "it failed", "fingerprint": ""}
    of_old(client, {**old, "session": client.session, "payload": payload})
    assert "edge done: it failed" in client.prompt("/edge status")
    assert "not one of the failed checks" in client.prompt("/edge approve activity_observed")
    assert "say which checks, or all" in client.prompt("/edge approve")
    assert "every check" in client.prompt("/edge approve all")


def test_a_mode_change_of_an_older_version_that_names_no_mode_is_put_away(client):
    old = {"id": "j1", "type": "mode_transition", "reason": "plan ready", "fingerprint": ""}
    of_old(client, old)
    assert "Decided" in client.prompt("/edge approve")
    assert read_state(client)["junction"] is None


def test_dismissing_what_is_no_call_silences_it_and_approves_nothing(client):
    client.prompt("/edge done")
    shown = client.prompt("/edge dismiss")
    assert "approves nothing" in shown
    assert "class" not in shown
    client.prompt(shown.rsplit("type: ", 1)[1])
    assert read_state(client)["junction"] is None
    assert "No live grants" in client.prompt("/edge grants")
    assert "steps_completed" in client.prompt("/edge done")


# -- modes -----------------------------------------------------------------------------------------


def test_an_objective_that_comes_with_a_mode_is_shown_once(client):
    assert client.prompt("/edge active tidy the parser").count("tidy the parser") == 1


def suggested(client):
    pending = read_state(client).get("junction") or {}
    return (
        pending.get("payload", {}).get("to") if pending.get("type") == "mode_transition" else None
    )


def plan(client, *statuses):
    change(client, plan=[step(f"step {n}", status) for n, status in enumerate(statuses)])


def test_a_plan_that_has_outgrown_its_mode_is_worth_one_question_and_yes_performs_it(client):
    client.prompt("/edge plan")
    assert "Pending    mode plan to active: 1 step of the plan waits" in client.prompt("/edge")
    assert suggested(client) == "active"
    assert "Mode is now active" in client.prompt("/edge approve")
    state = read_state(client)
    assert (state["mode"], state["junction"]) == ("active", None)
    plan(client, "completed")
    client.prompt("/edge")
    assert suggested(client) == "review"
    assert "Mode is now review" in client.prompt("/edge approve")
    client.prompt("/edge")
    assert suggested(client) is None


def test_after_a_skip_the_mode_stays_and_the_same_plan_is_never_asked_about_again(client, fenced):
    client.prompt("/edge plan")
    client.prompt("/edge")
    client.prompt("/edge skip")
    client.prompt("/edge")
    second = Client(client.root, clean_env(fenced))
    second.start()
    second.prompt("/edge")
    assert read_state(client)["mode"] == "plan"
    assert suggested(client) is None
    plan(client, "pending", "pending")
    second.prompt("/edge")
    assert suggested(client) == "active"


def test_a_plan_that_grows_is_one_question_and_fills_no_history(client):
    client.prompt("/edge plan")
    client.prompt("/edge")
    first = read_state(client)["junction"]
    plan(client, "pending", "pending", "pending")
    client.prompt("/edge")
    state = read_state(client)
    assert state["junction"]["id"] == first["id"]
    assert "3 steps" in state["junction"]["reason"]
    assert not state.get("junction_history")


@pytest.mark.parametrize("verb", ["approve", "skip"])
def test_an_answer_that_may_be_meant_for_what_waited_before_is_asked_once_more(client, verb):
    client.prompt("/edge plan")
    client.prompt("/edge")
    client.bash(PUSH)
    told = client.prompt(f"/edge {verb}")
    assert "has replaced: mode plan to active" in told
    assert PUSH in told
    assert read_state(client)["junction"]["shown"] == PUSH
    assert PUSH in client.prompt(f"/edge {verb}")
    assert read_state(client)["junction"] is None


def test_whoever_has_seen_what_waits_now_is_not_asked_once_more(client):
    client.prompt("/edge plan")
    client.prompt("/edge")
    client.bash(PUSH)
    client.prompt("/edge status")
    assert "Approved once" in client.prompt("/edge approve")


def test_a_failed_done_waits_for_nobody_once_what_failed_is_repaired(client):
    plan(client, "completed")
    client.prompt("/edge done")
    first = read_state(client)["junction"]["id"]
    client.prompt("/edge")
    assert read_state(client)["junction"]["id"] == first
    work(client)
    change(client, plan=[step("read the docs", "completed", proof="seen")])
    assert "Quality gate: passes" in client.prompt("/edge")
    assert read_state(client)["junction_history"][-1]["decision"] == "withdrawn"


def test_a_derived_mode_asks_nothing(client):
    client.prompt("/edge")
    assert suggested(client) is None


def test_a_suggestion_waits_for_every_other_decision_and_gives_way_to_each(client):
    client.bash(PUSH)
    client.prompt("/edge plan")
    client.prompt("/edge")
    assert read_state(client)["junction"]["shown"] == PUSH
    client.prompt("/edge skip")
    client.prompt("/edge")
    assert suggested(client) == "active"
    assert client.bash("git push origin other") == "deny"
    assert read_state(client)["junction"]["shown"] == "git push origin other"


def test_a_pending_suggestion_stands_in_no_calls_way(client):
    client.prompt("/edge plan")
    client.prompt("/edge")
    assert suggested(client) == "active"
    assert client.bash("ls") == ""
    assert client.before("Write", file_path=os.path.join(client.root, "a.py"), content="x") == {}


def test_a_suggestion_whose_reason_is_gone_is_put_away(client):
    client.prompt("/edge plan")
    client.prompt("/edge")
    plan(client, "blocked")
    client.prompt("/edge")
    assert suggested(client) is None
    plan(client, "pending")
    client.prompt("/edge")
    client.prompt("/edge active")
    assert read_state(client).get("junction") is None


def test_a_session_start_keeps_an_explicit_mode(client, fenced):
    for mode in ("plan", "active", "review"):
        client.prompt(f"/edge {mode}")
        second = Client(client.root, clean_env(fenced))
        second.start()
        assert read_state(client)["mode"] == mode


def test_review_shows_how_the_gate_stands_and_asks_nobody(client):
    answer = client.prompt("/edge review")
    assert answer.startswith("Mode is now review.")
    assert "[1] steps_completed" in answer
    assert read_state(client).get("junction") is None


# -- the completion epoch --------------------------------------------------------------------------


def test_a_plan_that_becomes_complete_is_judged_once_and_asks_nobody(client):
    project = opened(client)
    assert quality_service.after_plan_change(project, client.session) == []
    plan(client, "completed")
    told = quality_service.after_plan_change(project, client.session)
    assert told[0] == "The plan is complete."
    assert any("activity_observed" in line for line in told)
    assert read_state(client).get("junction") is None
    assert quality_service.after_plan_change(project, client.session) == []
    assert [each["why"] for each in events(client, "quality_gate")] == ["plan complete"]
    plan(client, "completed", "pending")
    assert quality_service.after_plan_change(project, client.session) == []
    assert read_state(client)["gear"]["completion_epoch"] is None
    plan(client, "completed", "completed")
    assert quality_service.after_plan_change(project, client.session)[0] == "The plan is complete."


def test_the_status_tells_gate_and_claims_line_each(client):
    plan(client, "completed", "in_progress")
    shown = client.prompt("/edge status")
    assert "Gate       3 of 12 checks fail" in shown
    assert "no_dangling_in_progress (step 2)" in shown
    assert "Claims     1 unverified" in shown
    assert all(len(line) <= 80 for line in shown.splitlines() if line.startswith("Gate"))
