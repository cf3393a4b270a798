"""The main job through the real client: an agent works, is stopped, a person decides, it goes on."""

import pytest
from tests.e2e.drive import World, notices, one_shot, session
from tests.e2e.model_server import ModelServer, Use, bash
from tests.e2e.story import Story

pytestmark = pytest.mark.e2e


def test_one_approval_typed_in_the_client_lets_exactly_one_push_through(
    world: World, server: ModelServer, story: Story
) -> None:
    app = story.path("app.py")
    fixed = {"file_path": app, "old_string": "a - b", "new_string": "a + b"}
    server.play(
        [Use("Read", {"file_path": app}, "read")],
        [Use("Edit", fixed, "edit")],
        [bash("python -m unittest -q", id="test")],
        [bash("git commit --quiet --all --message 'Add adds'", id="commit")],
        # Home is a folder of this test's own: a gate that fails destroys nothing of anybody's.
        [bash("rm -rf ~", id="remove")],
        [bash("git push origin main", id="push")],
        ["I need a decision about the push."],
    )
    before = story.head(at=story.remote)
    with session(world) as typed:
        assert typed.say("Make the sum right and push it.")[-1]["is_error"] is False
        assert story.head(at=story.remote) == before
        assert world.home.exists()
        asked = len(server.requests)
        (said,) = notices(typed.say("/edge approve"))
        assert "git push origin main" in said
        assert len(server.requests) == asked

        server.play(
            [bash("git push origin main", id="push-approved")],
            [bash("git commit --quiet --allow-empty --message more", id="more")],
            [bash("git push origin main", id="push-again")],
            ["The first push is out, the second waits."],
        )
        typed.say("Go on.")
        assert typed.close() == 0

    assert "a + b" in (world.project / "app.py").read_text()
    assert "OK" in str(server.result_of("test"))
    assert "Operator's Edge (fs-delete-whole)" in str(server.result_of("remove"))
    assert "/edge approve" in str(server.result_of("push"))
    assert "/edge approve" in str(server.result_of("push-again"))
    # One commit is out; the one after it is not.
    assert story.head(at=story.remote) == story.git("rev-parse", "main~1")
    used = story.recorded("allowance_used")
    assert [entry["tool_use_id"] for entry in used] == ["push-approved"]
    assert not any("Stop hook feedback" in request.as_text() for request in server.requests)
    assert server.unplayed() == {}

    server.play(["I see."])
    assert one_shot(world, "What happened?").returncode == 0
    told = server.of()[-1].as_text()
    assert "Last session (ended cleanly)" in told
    assert "app.py" in told
    assert "Last check: unittest passed" in told
    assert "git push origin main" in told
    assert "push" in story.edge("status")
