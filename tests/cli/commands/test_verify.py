"""Whether the work stands as the plan says."""

from tests.hosting import change


def test_an_open_step_fails_the_verification(client):
    said = client.prompt("/edge-verify")
    assert said.startswith("FAIL\nFAIL  step 1 is pending: one")


def test_without_a_plan_there_is_nothing_that_could_stand(client):
    change(client, plan=[])
    assert "FAIL  there is no plan" in client.prompt("/edge verify")


def test_a_completed_step_without_anything_seen_is_no_pass(client):
    change(client, plan=[{"description": "one", "status": "completed"}])
    said = client.prompt("/edge verify")
    assert not said.startswith("PASS")
    assert "step 1 is" not in said.splitlines()[1]


def test_an_open_mismatch_is_told(client):
    change(client, mismatches=[{"id": "M1", "observation": "it was slow", "status": "open"}])
    assert "it was slow" in client.prompt("/edge verify")
