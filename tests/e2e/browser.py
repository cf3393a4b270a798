"""Pages in a real Chromium: what they log, what they request, and what axe finds in them."""

import os
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import pytest
from tests.e2e.npm import CACHE, Package, ensured

if TYPE_CHECKING:  # collecting the tests must not load it
    from playwright.sync_api import Browser, ConsoleMessage, Dialog, Page, Request

AXE = Package("axe-core", "4.14.1", "axe.min.js", for_browser=True)

DESKTOP = (1280, 800)
PHONE = (390, 844)

_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
# Quiet on the network: what a page requests is what the tests count.
_OPTIONS = (
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-dev-shm-usage",
    "--disable-gpu",
    "--disable-quic",
    "--disable-sync",
    "--no-first-run",
)


def chromium() -> str:
    """An installed Chromium, or the one that `EDGE_CHROMIUM` names; without one the test is skipped."""
    named = os.environ.get("EDGE_CHROMIUM", "")
    found = named or next(filter(None, map(shutil.which, _NAMES)), "")
    if not found:
        pytest.skip("there is no Chromium: install Debian's package chromium")
    return found


@contextmanager
def running() -> "Iterator[Browser]":
    """A headless Chromium with an empty profile."""
    from playwright.sync_api import sync_playwright  # noqa: PLC0415 - see above

    # As root, Chromium refuses to start inside its own sandbox.
    options = [*_OPTIONS, *(["--no-sandbox"] if os.geteuid() == 0 else [])]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=options)
        try:
            yield browser
        finally:
            browser.close()


@dataclass
class View:
    """A page, and what went wrong in it. `allowed` are the origins that it may request from."""

    page: "Page"
    allowed: Sequence[str] = ()
    errors: list[str] = field(default_factory=list)
    foreign: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.page.on("console", self._logged)
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("dialog", self._dialog_opened)
        self.page.on("request", self._requested)

    def _logged(self, message: "ConsoleMessage") -> None:
        if message.type in {"error", "warning"}:
            self.errors.append(message.text)

    def _dialog_opened(self, dialog: "Dialog") -> None:
        self.errors.append(f"dialog: {dialog.message}")
        dialog.dismiss()  # the page stands still until someone answers

    def _requested(self, request: "Request") -> None:
        parts = urlsplit(request.url)
        origin = f"{parts.scheme}://{parts.netloc}"
        if parts.scheme not in {"file", "data", "blob", "about"} and origin not in self.allowed:
            self.foreign.append(request.url)

    def assert_clean(self) -> None:
        """Nothing was logged as an error, and nothing was requested from another origin."""
        assert not self.errors, self.errors
        assert not self.foreign, self.foreign

    def assert_accessible(self) -> None:
        """axe finds nothing serious or critical in the page as it is shown now."""
        # Evaluated by the browser's own console, so the page's content policy does not matter.
        self.page.evaluate(ensured(AXE, CACHE / AXE.name).read_text(encoding="utf-8"))
        found = self.page.evaluate("async () => (await axe.run(document)).violations")
        serious = [
            f"{each['id']}: {node['html'][:200]}"
            for each in found
            if each["impact"] in {"serious", "critical"}
            for node in each["nodes"]
        ]
        assert not serious, serious

    def assert_fits(self) -> None:
        """The page does not have to be scrolled sideways."""
        shown, whole = self.page.evaluate("[innerWidth, document.documentElement.scrollWidth]")
        assert whole <= shown, f"{whole} pixels wide"


@contextmanager
def opened(
    browser: "Browser",
    url: str,
    *,
    size: tuple[int, int] = DESKTOP,
    dark: bool = False,
    allowed: Sequence[str] = (),
) -> Iterator[View]:
    """The page at `url` in a profile of its own."""
    width, height = size
    context = browser.new_context(
        viewport={"width": width, "height": height}, color_scheme="dark" if dark else "light"
    )
    try:
        view = View(context.new_page(), allowed)
        view.page.goto(url)
        yield view
    finally:
        context.close()
