"""Whether the work is where the plan says."""

from tests.hosting import change


def test_an_open_step_fails_the_verification(client):
    said = client.prompt("/edge-verify")
    assert said.startswith("FAIL: 2 errors\nFAIL  steps_completed: no step is completed")


def test_a_step_that_is_left_fails_the_verification_as_it_fails_done(client):
    done = {"description": "one", "status": "completed", "proof": "seen"}
    change(client, plan=[done, {"description": "two", "status": "blocked"}])
    for command in ("/edge verify", "/edge done"):
        assert "step 2 is not completed" in client.prompt(command)


def test_without_a_plan_there_is_nothing_that_could_stand(client):
    change(client, plan=[])
    assert "there is no plan, so no step is completed" in client.prompt("/edge verify")


def test_a_completed_step_without_anything_seen_is_no_pass(client):
    change(client, plan=[{"description": "one", "status": "completed"}])
    said = client.prompt("/edge verify")
    assert not said.startswith("PASS")
    assert "no step is completed" not in said


def test_an_open_mismatch_is_told(client):
    change(client, mismatches=[{"id": "M1", "observation": "it was slow", "status": "open"}])
    assert "1 mismatch not resolved: M1" in client.prompt("/edge verify")
