"""``make pictures``: the real client, the real gate and the real pages, recorded for README and docs."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from operators_edge.web import links_store
from operators_edge.web.access import BASE
from tests.e2e.browser import DESKTOP, PHONE, opened, running
from tests.e2e.client import ensure_client
from tests.e2e.drive import Terminal, World, terminal
from tests.e2e.model_server import ModelServer, Use, bash
from tests.e2e.story import Story
from tests.pictures import shop
from tests.pictures.recording import Recording
from tests.web.conftest import serving

if TYPE_CHECKING:
    from playwright.sync_api import Browser

PICTURES = Path(__file__).resolve().parents[2] / "docs" / "pictures"

READY = "manual mode"


def main() -> int:
    PICTURES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="edge-pictures-") as top, ModelServer() as server:
        world = World(Path(top), ensure_client(), server, folder="home/shop")
        story = Story(world)
        (PICTURES / "first-call.svg").write_text(_first_call(world, story), encoding="utf-8")
        shop.second_session(world, story)
        with running() as browser:
            _proof_page(browser, story)
            _dashboard(browser, world, story)
    for picture in sorted(PICTURES.iterdir()):
        print(f"{picture.name:<28} {picture.stat().st_size / 1024:7.0f} KB")
    return 0


def _first_call(world: World, story: Story) -> str:
    """The gate's dialog in the client: a block, a question, an approved push."""
    recording = Recording()
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
        [bash(shop.TEST, id="test")],
        [bash('rm -rf "$HOME"', id="clean")],
        [bash("git commit -qam 'Add, do not subtract'", id="commit")],
        [bash(shop.PUSH, id="push")],
        ["The sum is right, tested and pushed. I left your home folder alone."],
    )
    with terminal(world, size=(38, 96)) as screen:
        screen.watch = recording.watch
        screen.wait_for(READY)
        screen.type("Fix the sum, test it, clean up and push.")
        screen.wait_for_dialog(shop.PUSH)
        screen.stay(4.0)
        screen.answer(Terminal.YES)
        screen.wait_for("I left your home folder alone")
        screen.wait_without("esc to interrupt")
    return recording.svg(
        "A coding agent fixes a file and runs the tests. Its rm -rf of the home folder is blocked. "
        "Its git push waits in a dialog that says what would be published; the person approves it once."
    )


def _proof_page(browser: Browser, story: Story) -> None:
    page = Path(story.world.top) / "proof.html"
    story.edge("report", "--out", str(page))
    _taken(browser, page.as_uri(), "proof-page")


def _dashboard(browser: Browser, world: World, story: Story) -> None:
    with serving(world.env(), str(story.world.project)) as server:
        origin = f"http://127.0.0.1:{server.port}"
        for name, size, dark in (("dashboard", DESKTOP, False), ("dashboard-phone", PHONE, True)):
            link = f"{origin}{BASE}#code={links_store.new_code(world.env())}"
            _taken(browser, link, name, size=size, dark=dark, allowed=[origin])


def _taken(
    browser: Browser,
    url: str,
    name: str,
    *,
    size: tuple[int, int] = DESKTOP,
    dark: bool = False,
    allowed: tuple[str, ...] | list[str] = (),
) -> None:
    with opened(browser, url, size=size, dark=dark, allowed=allowed) as view:
        view.page.wait_for_load_state("networkidle" if not allowed else "load")
        view.page.wait_for_timeout(800)
        view.page.screenshot(path=str(PICTURES / f"{name}.png"))


if __name__ == "__main__":
    sys.exit(main())
