"""What a command took away comes back, through the real client: after a Yes, after a silent allow."""

import re

import pytest
from tests.e2e.drive import World, one_shot, terminal
from tests.e2e.model_server import ModelServer, bash
from tests.e2e.story import Story

pytestmark = pytest.mark.e2e

RESET = "git reset --hard"


def test_work_that_an_approved_reset_threw_away_is_brought_back_by_the_agent(
    world: World, server: ModelServer, story: Story
) -> None:
    story.file("app.py").write_text("uncommitted\n")
    story.file("notes.txt").write_text("never added\n")
    server.play(
        [bash(f"{RESET} && git clean -f", id="reset")],
        [bash("edge undo apply last", id="undo")],
        ["Back again."],
    )
    with terminal(world) as screen:
        screen.wait_for("manual mode")
        screen.type("start afresh")
        dialog = screen.wait_for_dialog(re.escape(RESET))
        # The card: what is at stake, counted, and how to restore it; nothing of it cut off.
        assert "uncommitted changes in 1 file" in dialog
        assert "edge undo" in dialog
        assert "more lines" not in dialog
        screen.answer(screen.YES)
        screen.wait_for("Back again")
    assert story.recorded("tool")[0]["success"] is True
    assert story.file("app.py").read_text() == "uncommitted\n"
    assert story.file("notes.txt").read_text() == "never added\n"
    assert story.recorded("snapshot")


def test_a_file_that_was_silently_let_go_is_brought_back_by_the_person(
    world: World, server: ModelServer, story: Story
) -> None:
    story.file("notes.txt").write_text("never added\n")
    server.play([bash("rm notes.txt", id="remove")], ["Gone."])
    assert one_shot(world, "tidy up").returncode == 0
    assert not story.file("notes.txt").exists()
    assert "rm notes.txt" in story.edge("undo", "list")
    story.edge("undo", "apply", "last")
    assert story.file("notes.txt").read_text() == "never added\n"


def test_a_deleted_folder_comes_back_and_so_does_one_in_the_trash(
    world: World, server: ModelServer, story: Story
) -> None:
    build = story.file("build")
    build.mkdir()
    (build / "out.txt").write_text("built\n")
    server.play([bash("rm -rf build", id="silent")], ["Gone."])
    assert one_shot(world, "remove the build").returncode == 0
    assert not build.exists()
    story.edge("undo", "apply", "last")
    assert (build / "out.txt").read_text() == "built\n"
    server.play(
        [bash("rm -rf .", id="remove")],
        [bash("edge trash build", id="trash")],
        ["It is out of the way."],
    )
    assert one_shot(world, "remove it").returncode == 0
    assert "fs-delete-whole" in str(server.result_of("remove"))
    assert not build.exists()
    story.edge("trash", "restore", "1")
    assert (build / "out.txt").read_text() == "built\n"


def test_a_test_skipped_by_the_agent_is_named_beside_the_outcome(
    world: World, server: ModelServer, story: Story
) -> None:
    skip = (
        "sed -i 's/    def test_two/    @unittest.skip(\"later\")\\n    def test_two/' test_app.py"
    )
    server.play(
        [bash(skip, id="skip")],
        [bash("python -m unittest -q", id="test")],
        ["All tests pass."],
    )
    assert one_shot(world, "make the tests pass").returncode == 0
    (seen,) = story.recorded("tampering")
    assert seen["data"]["path"] == "test_app.py"
    assert "test_app.py" in story.edge("status")
