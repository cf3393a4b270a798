"""``make pictures``: the real client, the real gate and the real pages, recorded for README and docs."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from tests.e2e.client import ensure_client
from tests.e2e.drive import Terminal, World, terminal
from tests.e2e.model_server import ModelServer, Use, bash
from tests.e2e.story import Story
from tests.pictures.recording import Recording

PICTURES = Path(__file__).resolve().parents[2] / "docs" / "pictures"

READY = "manual mode"
PUSH = "git push origin main"


def main() -> int:
    PICTURES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="edge-pictures-") as top, ModelServer() as server:
        world = World(Path(top), ensure_client(), server, folder="home/shop")
        story = Story(world)
        (PICTURES / "first-call.svg").write_text(_first_call(world, story), encoding="utf-8")
    for picture in sorted(PICTURES.iterdir()):
        print(f"{picture.name:<28} {picture.stat().st_size / 1024:7.0f} KB")
    return 0


def _first_call(world: World, story: Story) -> str:
    """The gate's dialog in the client: a block, a question, an approved push."""
    recording = Recording()
    story.edge("objective", "Fix the sum")
    story.edge("plan", "add", "Correct add() in app.py")
    story.edge("plan", "add", "Publish it")
    world.server.play(
        [
            Use(
                "Edit",
                {
                    "file_path": story.path("app.py"),
                    "old_string": "return a - b",
                    "new_string": "return a + b",
                },
                id="edit",
            )
        ],
        [bash("python3 -m unittest -q", id="test")],
        [bash('rm -rf "$HOME"', id="clean")],
        [bash("git commit -qam 'Add, do not subtract'", id="commit")],
        [bash(PUSH, id="push")],
        ["The sum is right, tested and pushed. I left your home folder alone."],
    )
    with terminal(world, size=(38, 96)) as screen:
        screen.watch = recording.watch
        screen.wait_for(READY)
        screen.type("Fix the sum, test it, clean up and push.")
        screen.wait_for_dialog("git push origin main")
        screen.stay(4.0)
        screen.answer(Terminal.YES)
        screen.wait_for("I left your home folder alone")
        screen.wait_without("esc to interrupt")
    return recording.svg(
        "A coding agent fixes a file and runs the tests. Its rm -rf of the home folder is blocked. "
        "Its git push waits in a dialog that says what would be published; the person approves it once."
    )


if __name__ == "__main__":
    sys.exit(main())
