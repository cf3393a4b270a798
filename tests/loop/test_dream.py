"""The dream over a real project: its archive, its memory, its gear."""

import os

import pytest

from operators_edge.errors import StateError
from operators_edge.loop import dream as loop_dream
from operators_edge.project import Project


@pytest.fixture
def project(tmp_path):
    (tmp_path / "active_context.yaml").write_text("objective: x\n")
    return Project(str(tmp_path), is_set_up=True)


def archived(project, *entries):
    def change(tx):
        for each in entries:
            tx.archive({"type": "resolved_mismatch", "observation": each})

    project.transact(change, command="archive")


def reflected(project, session="s1"):
    return loop_dream.reflect(project, project.state.read(), session=session)


def test_what_was_archived_is_remembered(project):
    archived(project, "pytest failed", "a test failed", "an assert failed")
    proposal = reflected(project).proposal
    assert proposal["type"] == "guardrail"

    def raise_it(tx):
        tx.state["gear"] = {"proposal_session": "s1"}

    project.transact(raise_it, command="cycle")
    assert reflected(project).proposal is None
    assert reflected(project, "s2").proposal == proposal


def test_a_damaged_line_is_said_and_hides_nothing_else(project):
    archived(project, "pytest failed", "a test failed", "an assert failed")
    with open(os.path.join(project.root, ".proof", "archive.jsonl"), "a") as file:
        file.write("{half\n")
    seen = reflected(project)
    assert seen.proposal is not None
    assert "1 line of the archive could not be read" in seen.observations[-1]


def test_an_archive_that_cannot_be_read_is_an_error_and_not_an_empty_one(project):
    os.makedirs(os.path.join(project.root, ".proof", "archive.jsonl"))
    with pytest.raises(StateError):
        reflected(project)
