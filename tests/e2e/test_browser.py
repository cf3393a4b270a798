"""What the tests of pages would notice: a harness that sees nothing lets every page pass."""

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.e2e.browser import PHONE, opened

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.e2e

_GOOD = (
    '<!doctype html><html lang="en"><title>t</title><main><h1>A page</h1><p>Text.</p></main></html>'
)


def _page(folder: Path, body: str) -> str:
    file = folder / "page.html"
    file.write_text(body, encoding="utf-8")
    return file.as_uri()


def test_a_good_page_passes_every_look(browser: "Browser", tmp_path: Path) -> None:
    with opened(browser, _page(tmp_path, _GOOD), size=PHONE, dark=True) as view:
        view.assert_fits()
        view.assert_accessible()
        view.assert_clean()


@pytest.mark.parametrize(
    "script", ["console.error('no')", "throw new Error('no')", "alert('no')", "nothing.at.all"]
)
def test_what_a_page_logs_or_throws_is_noticed(
    browser: "Browser", tmp_path: Path, script: str
) -> None:
    url = _page(tmp_path, f"{_GOOD}<script>{script}</script>")
    with opened(browser, url) as view, pytest.raises(AssertionError):
        view.assert_clean()


def test_a_request_to_another_origin_is_noticed(browser: "Browser", tmp_path: Path) -> None:
    url = _page(tmp_path, f'{_GOOD}<img alt="" src="http://127.0.0.1:9/x">')
    with opened(browser, url) as view:
        assert view.foreign == ["http://127.0.0.1:9/x"]


def test_a_button_without_a_name_is_noticed(browser: "Browser", tmp_path: Path) -> None:
    url = _page(tmp_path, _GOOD.replace("</main>", "<button></button></main>"))
    with opened(browser, url) as view, pytest.raises(AssertionError, match="button-name"):
        view.assert_accessible()


def test_a_page_wider_than_the_screen_is_noticed(browser: "Browser", tmp_path: Path) -> None:
    url = _page(tmp_path, _GOOD.replace("Text.", "x" * 500))
    with opened(browser, url, size=PHONE) as view, pytest.raises(AssertionError):
        view.assert_fits()
