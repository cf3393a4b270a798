"""Eval runs around an agent's edit of the state, through the real hook; and by hand."""

import os
from datetime import timedelta

import pytest
from tests.hosting import events, opened, read_state

from operators_edge.quality import evals, evals_service, service as quality_service
from operators_edge.quality.evals_store import Runs

pytestmark = pytest.mark.usefixtures("same_user_folder")


def switch_on(client, **more):
    block = {"enabled": True, "policy": {"gate_on_fail": False}, **more}
    opened(client).transact(lambda tx: tx.state.update(evals=block), command="edit")


def edited(client, old, new, *, ends=True):
    """An agent's edit of the state file, before and after, as the client does it."""
    path = os.path.join(client.root, "active_context.yaml")
    given = {"file_path": path, "old_string": old, "new_string": new}
    answer = client.before("Edit", **given)
    assert answer.get("permissionDecision") is None
    with open(path, encoding="utf-8") as file:
        text = file.read()
    assert old in text
    with open(path, "w", encoding="utf-8") as file:
        file.write(text.replace(old, new))
    if ends:
        client.done("Edit", {"filePath": path}, **given)


def with_notes(client):
    opened(client).transact(lambda tx: tx.state.update(notes=["keep me"]), command="edit")


def test_without_a_policy_nothing_runs(client):
    edited(client, "ship it", "ship that")
    assert events(client, "eval_run") == []
    assert not os.path.exists(Runs(client.root).folder)


def test_an_edit_that_keeps_what_was_there_passes_and_leaves_no_files(client):
    switch_on(client)
    edited(client, "ship it", "ship that")
    run = events(client, "eval_run")[0]
    assert run["invariants_failed"] == []
    assert run["by"] == "eval_auto"
    assert Runs(client.root).names() == []
    assert Runs(client.root).pending() == 0


def test_an_edit_that_loses_something_fails_is_kept_and_seen_as_a_mismatch(client):
    with_notes(client)
    switch_on(client)
    edited(client, "- keep me", "[]")
    run = events(client, "eval_run")[0]
    assert run["invariants_failed"] == ["INV-02"]
    assert run["why"] == {"INV-02": "deleted: notes.0"}
    runs = Runs(client.root)
    assert runs.part(run["run"], "before")["notes"] == ["keep me"]
    assert runs.part(run["run"], "after")["notes"] == []
    assert runs.part(run["run"], "diff")["failed"] == ["INV-02"]
    seen = events(client, "mismatch_seen")[0]
    assert seen["source"] == "eval_auto"
    assert "INV-02" in seen["expectation"]


def test_the_same_failure_twice_is_the_same_mismatch(client):
    with_notes(client)
    switch_on(client)
    edited(client, "- keep me", "[]")
    with_notes(client)
    edited(client, "- keep me", "[]")
    keys = [each["key"] for each in events(client, "mismatch_seen")]
    assert len(keys) == 2
    assert len(set(keys)) == 1


def test_a_failed_run_is_a_failure_of_the_gate(client):
    with_notes(client)
    switch_on(client, policy={"gate_on_fail": True})
    edited(client, "- keep me", "[]")
    gate = quality_service.gate_of(opened(client), read_state(client), client.session)
    assert "eval_gate" in [check.name for check in gate.errors]


def test_a_level_of_its_own_keeps_every_run_or_makes_none(client):
    switch_on(client, mode="manual", level=2)
    edited(client, "ship it", "ship that")
    assert len(Runs(client.root).names()) == 1
    switch_on(client, mode="manual", level=0)
    edited(client, "ship that", "ship it")
    assert len(events(client, "eval_run")) == 1


def test_a_write_that_never_ends_is_an_orphan_and_cleared(client):
    switch_on(client)
    edited(client, "ship it", "ship that", ends=False)
    assert Runs(client.root).pending() == 1
    project = opened(client)
    assert evals_service.tidy(project) == (0, 0)
    later = project.clock() + timedelta(hours=2)
    project.clock = lambda: later
    assert evals_service.tidy(project) == (1, 0)
    assert events(client, "eval_orphans_cleared") == [{"count": 1}]


def test_a_state_that_is_too_large_is_skipped_and_said(client):
    switch_on(client, snapshots={"max_bytes": 10})
    edited(client, "ship it", "ship that")
    run = events(client, "eval_run")[0]
    assert set(run["invariants"].values()) == {"skipped"}


def test_an_edit_that_breaks_the_state_is_no_run_that_passed(client):
    switch_on(client)
    path = os.path.join(client.root, "active_context.yaml")
    given = {"file_path": path, "old_string": "ship it", "new_string": "ship that"}
    client.before("Edit", **given)
    with open(path, "a", encoding="utf-8") as file:
        file.write("}}} broken: [\n")
    client.done("Edit", {"filePath": path}, **given)
    assert b"no eval run" in client.stderr
    assert events(client, "eval_run") == []


def outcomes(run):
    return {each.name: each.outcome for each in run.checks}


def test_a_run_by_hand_compares_with_the_one_before(client):
    with_notes(client)
    project = opened(client)
    first = evals_service.run(project, client.session)
    assert outcomes(first)["INV-02"] == "skipped"
    assert outcomes(evals_service.run(project, client.session))["INV-02"] == "passed"
    project.transact(lambda tx: tx.state.update(notes=[]), command="edit")
    found = evals_service.run(project, client.session)
    assert found.failed == ["INV-02"]
    assert found.diff["removed"] == {"notes.0": "keep me"}


def test_a_secret_that_was_hidden_in_what_is_kept_is_no_change(client):
    project = opened(client)
    secret = "password=hunter2hunter2"
    project.transact(lambda tx: tx.state.update(notes=[secret]), command="edit")
    evals_service.run(project, client.session)
    found = evals_service.run(project, client.session)
    assert found.diff["changed"] == {}
    runs = Runs(client.root)
    assert "hunter2" not in str([runs.part(name, "after") for name in runs.names()])


def test_an_edit_of_another_file_is_no_run(client):
    switch_on(client)
    path = os.path.join(client.root, "readme.txt")
    given = {"file_path": path, "old_string": "hello", "new_string": "bye"}
    client.before("Edit", **given)
    client.done("Edit", {"filePath": path}, **given)
    assert events(client, "eval_run") == []


def test_every_invariant_is_in_every_run(client):
    found = evals_service.run(opened(client), client.session)
    assert list(outcomes(found)) == list(evals.INVARIANTS)
