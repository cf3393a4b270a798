"""The proof page in a real Chromium: read, searched, used by keys, small, dark, and fed with hostile text."""

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from tests.e2e.browser import DESKTOP, PHONE, opened
from tests.reports.pages import call, check, event, project_at
from tests.reports.test_html import HOSTILE
from tests.reports.test_proof_page import everywhere, state_with

from operators_edge.reports import proof_page_service

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.e2e


def _url(top: Path, entries: list[Any], **state: str) -> str:
    root = top / "shop"
    root.mkdir()
    project = project_at(root, **state)
    project.log.append_many(entries)
    return Path(proof_page_service.write(project, env={}).path).as_uri()


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> str:
    with pytest.MonkeyPatch.context() as patch:
        top = tmp_path_factory.mktemp("page")
        patch.setenv("HOME", str(top))
        patch.setenv("XDG_STATE_HOME", str(top / "state"))
        entries = [event("prompt", preview="Refund a part"), event("denied", shown="rm -rf x")]
        entries += [call(text=f"echo {n}", output=f"said {n}") for n in range(3, 500)]
        entries += [check("pytest", ok=False), call("Edit", "src/a.py", session="other")]
        return _url(top, entries)


def _seqs(page: "Page") -> list[int]:
    """The numbers of the entries that are drawn."""
    return [int(each) for each in page.locator(".line .seq").all_inner_texts()]


def _count(page: "Page", text: str) -> None:
    page.get_by_text(text, exact=True).wait_for()


@pytest.mark.parametrize("size", [DESKTOP, PHONE])
@pytest.mark.parametrize("dark", [False, True])
def test_it_fits_and_is_accessible_without_an_error(
    browser: "Browser", url: str, size: tuple[int, int], *, dark: bool
) -> None:
    with opened(browser, url, size=size, dark=dark) as view:
        view.page.wait_for_selector("html[data-ready]")
        view.assert_fits()
        view.assert_accessible()
        view.page.locator(".line").first.click()
        view.page.locator("#detail h3").wait_for()
        view.assert_fits()
        view.assert_accessible()
        view.assert_clean()


def test_only_the_entries_in_view_are_drawn_and_all_can_be_reached_by_keys(
    browser: "Browser", url: str
) -> None:
    with opened(browser, url) as view:
        page = view.page
        page.wait_for_selector("html[data-ready]")
        assert len(_seqs(page)) < 60
        page.keyboard.press("j")
        assert page.locator("[aria-selected=true] .seq").inner_text() == "1"
        page.keyboard.press("G")
        assert page.locator("[aria-selected=true] .seq").inner_text() == "501"
        page.keyboard.press("Enter")
        assert "src/a.py" in page.locator("#detail").inner_text()
        page.keyboard.press("k")
        assert "pytest" in page.locator("#detail").inner_text()
        page.keyboard.press("Escape")
        assert page.locator("#detail").is_hidden()
        page.keyboard.press("p")
        assert page.locator("[aria-selected=true] .seq").inner_text() == "2"
        page.keyboard.press("?")
        page.get_by_role("dialog").wait_for()
        page.keyboard.press("Escape")
        view.assert_clean()


def test_search_and_filters_narrow_the_list_and_stand_in_the_address(
    browser: "Browser", url: str
) -> None:
    with opened(browser, url) as view:
        page = view.page
        page.wait_for_selector("html[data-ready]")
        page.keyboard.press("/")
        page.keyboard.type("said 421")  # in the output alone
        _count(page, "1 of 501 entries")
        assert "q=said+421" in page.url
        page.keyboard.press("Escape")
        page.keyboard.press("Escape")
        _count(page, "501 entries")
        page.locator("#kind").select_option("check")
        _count(page, "1 of 501 entries")
        page.goto(f"{url}#kind=edit")
        page.wait_for_selector("html[data-ready]")
        _count(page, "1 of 501 entries")
        view.assert_clean()


def test_a_link_leads_to_its_entry(browser: "Browser", url: str) -> None:
    with opened(browser, f"{url}#e321") as view:
        page = view.page
        page.locator("#detail h3").wait_for()
        assert "321" in page.locator("#detail h3").inner_text()
        assert page.locator("[aria-selected=true]").is_visible()
        page.locator("#trouble li", has_text="rm -rf x").get_by_role("link").click()
        page.get_by_role("heading", name=re.compile("^2 ")).wait_for()
        view.assert_clean()


def test_the_first_screen_needs_no_script(browser: "Browser", url: str) -> None:
    context = browser.new_context(java_script_enabled=False)
    try:
        page = context.new_page()
        page.goto(url)
        assert page.get_by_text("rm -rf x").first.is_visible()
        assert page.get_by_text("The list of every entry needs JavaScript").is_visible()
    finally:
        context.close()


def test_on_paper_the_entries_follow(browser: "Browser", url: str) -> None:
    with opened(browser, url) as view:
        view.page.wait_for_selector("html[data-ready]")
        view.page.evaluate("dispatchEvent(new Event('beforeprint'))")
        assert view.page.locator("#printed tr").count() == 501
        assert view.page.locator("main details:not([open])").count() == 0
        view.page.evaluate("dispatchEvent(new Event('afterprint'))")
        assert view.page.locator("#printed tr").count() == 0


@pytest.mark.usefixtures("fenced")
def test_hostile_text_runs_nothing_and_breaks_no_layout(browser: "Browser", tmp_path: Path) -> None:
    texts = [each.replace("\x00", "").replace("\ud800", "") for each in HOSTILE]
    texts += ["x" * 300_000, "javascript:alert(1)", "\u0645\u0631\u062d\u0628\u0627 rtl"]
    entries = [each for text in texts for each in everywhere(text)]
    url = _url(tmp_path, entries, state=state_with(" ".join(texts)[:5000]))
    with opened(browser, url, size=PHONE) as view:
        page = view.page
        page.wait_for_selector("html[data-ready]")
        for at in range(0, len(entries), 7):
            page.evaluate(f"location.hash = 'e{at + 1}'")
            page.wait_for_selector(f"#detail h3:has-text('{at + 1} ')")
        view.assert_fits()
        assert "\u202e" not in page.locator("body").inner_text()
        assert page.evaluate("document.querySelectorAll('img, iframe, script[src]').length") == 0
        view.assert_clean()
