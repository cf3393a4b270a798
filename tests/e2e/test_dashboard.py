"""The dashboard in a real Chromium: what a person decides on it changes what a hook answers."""

from __future__ import annotations

import contextlib
import os
import re
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest
from tests.e2e.browser import DESKTOP, PHONE, View, opened
from tests.hosting import Client, change, clean_env, events, forget_client, read_state, write
from tests.web.conftest import serving

from operators_edge.integrity import store
from operators_edge.web import links_store

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser

    from operators_edge.web.server import Dashboard

pytestmark = pytest.mark.e2e

PUSH = "git push origin main"
VIEWS = (
    "overview",
    "plan",
    "proof",
    "timeline",
    "grants",
    "bridge",
    "undo",
    "memory",
    "metrics",
    "health",
)


@pytest.fixture
def env(fenced: str, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    found = clean_env(fenced)
    monkeypatch.setenv("XDG_STATE_HOME", found["XDG_STATE_HOME"])
    return found


@pytest.fixture
def session(project: str, env: dict[str, str]) -> Client:
    """A headless session whose client is gone, so that this process can be a person's."""
    made = Client(project, env)
    made.start()
    forget_client(made)
    return made


@pytest.fixture
def dashboard(session: Client, env: dict[str, str]) -> Iterator[Dashboard]:
    with serving(env, session.root) as found:
        yield found


@contextmanager
def page_of(
    browser: Browser, dashboard: Dashboard, env: dict[str, str], **how: Any
) -> Iterator[View]:
    """A page that was opened by a link, when it shows its first view."""
    origin = f"http://127.0.0.1:{dashboard.port}"
    link = f"{origin}/operators-edge/#code={links_store.new_code(env)}"
    with opened(browser, link, allowed=[origin], **how) as view:
        view.page.wait_for_selector("#h-projects")
        view.page.wait_for_selector('#live[data-state="on"]')
        yield view


def raise_question(session: Client, command: str = PUSH) -> dict[str, Any]:
    """A call that waits for a decision."""
    session.bash(command)
    forget_client(session)
    pending: dict[str, Any] = read_state(session)["junction"]
    return pending


def press(view: View, label: str) -> None:
    view.page.get_by_role("button", name=label, exact=True).click()


def wait_for_answer(view: View, text: str) -> None:
    view.page.locator("#said").get_by_text(text).wait_for()


def test_the_link_is_used_up_and_leaves_the_address(
    browser: Browser, dashboard: Dashboard, env: dict[str, str]
) -> None:
    with page_of(browser, dashboard, env) as view:
        assert "code=" not in view.page.url
        view.page.reload()
        view.page.wait_for_selector("#h-projects")
        other = view.page.context.new_page()
        other.goto(view.page.url)
        other.get_by_text("edge serve link").wait_for()
        view.assert_clean()


def test_an_approval_on_the_page_lets_the_call_run_once(
    browser: Browser, dashboard: Dashboard, env: dict[str, str], session: Client
) -> None:
    with page_of(browser, dashboard, env) as view:
        raise_question(session)
        card = view.page.locator(".question")
        card.wait_for(timeout=5000)
        assert view.page.evaluate("document.activeElement.tagName") in ("BODY", "MAIN")
        assert view.page.title().startswith("(1) ")
        view.page.get_by_label("Note, kept with the decision").fill("it is reviewed")
        press(view, "Yes, once")
        wait_for_answer(view, "Approved once")
        card.wait_for(state="detached")
        assert session.bash(PUSH) == "allow"
        assert session.bash(PUSH) == "deny"
        assert events(session, "junction_decided")[0]["why"] == "it is reviewed"
        view.assert_clean()


def test_a_no_a_yes_for_an_hour_and_its_end(
    browser: Browser, dashboard: Dashboard, env: dict[str, str], session: Client
) -> None:
    with page_of(browser, dashboard, env) as view:
        raise_question(session)
        press(view, "No, not now")
        wait_for_answer(view, "Skipped")
        assert session.bash(PUSH) == "deny"
        session.prompt("go on")
        raise_question(session)
        press(view, "Yes, for 1 hour")
        view.page.get_by_text("Calls so far that it would have allowed").wait_for()
        assert session.bash(PUSH) == "deny"
        forget_client(session)
        press(view, "Do it")
        wait_for_answer(view, "Not asked again for 60 minutes")
        assert session.bash(PUSH) == ""
        forget_client(session)
        view.page.keyboard.press("h")
        view.page.get_by_role("link", name="project", exact=True).last.click()
        view.page.get_by_role("link", name="Grants", exact=True).click()
        view.page.get_by_role("button", name=re.compile("^Revoke")).first.click()
        wait_for_answer(view, "Revoked")
        assert session.bash(PUSH) == "deny"
        view.assert_clean()


def test_a_left_question_waits_for_the_pending_one_and_a_refusal_is_no_error_of_the_page(
    browser: Browser, dashboard: Dashboard, env: dict[str, str], session: Client
) -> None:
    raise_question(session)
    session.send("SessionEnd", reason="exit")
    session.session = "0" * 8 + session.session[8:]
    session.start()
    forget_client(session)
    with page_of(browser, dashboard, env) as view:
        view.page.route("**/live", lambda route: route.abort())
        view.page.evaluate("following.abort()")
        view.page.get_by_role("button", name="No, not now").wait_for()
        raise_question(session, "git push origin other")
        press(view, "No, not now")
        view.page.locator("#said").get_by_text("another decision is pending first").wait_for()
        assert view.page.get_by_role("button", name="No, not now", exact=True).count() == 1
        view.page.unroute("**/live")
        view.page.get_by_role("link", name="the pending question").click()
        focused = view.page.evaluate("document.activeElement.textContent")
        assert "git push origin other" in focused
        press(view, "No, not now")
        wait_for_answer(view, "Skipped")
        view.page.locator(".later").wait_for(state="detached")
        press(view, "No, not now")
        view.page.get_by_text("Nothing waits for you").wait_for()
        assert not [each for each in view.errors if "409" in each]
        view.errors.clear()  # the browser logs the connection that was cut
        view.assert_clean()


def test_one_failed_check_is_approved_on_the_page(
    browser: Browser, dashboard: Dashboard, env: dict[str, str], session: Client
) -> None:
    change(session, plan=[{"description": "one", "status": "in_progress", "proof": ""}])
    session.prompt("/edge done")
    forget_client(session)
    checks = [each["name"] for each in read_state(session)["junction"]["payload"]["failed_checks"]]
    with page_of(browser, dashboard, env) as view:
        press(view, "Override the chosen checks")
        view.page.locator(".outcome").get_by_text("say which checks").wait_for()
        view.page.locator(".option input").first.check()
        press(view, "Override the chosen checks")
        wait_for_answer(view, "Overridden for this session and objective")
        view.assert_clean()
    assert read_state(session)["overrides"][0]["approved_checks"] == checks[:1]


def test_what_changes_elsewhere_is_on_the_page_within_a_second(
    browser: Browser, dashboard: Dashboard, env: dict[str, str], session: Client
) -> None:
    with page_of(browser, dashboard, env) as view:
        change(session, objective="a new objective")
        began = time.monotonic()
        view.page.get_by_text("a new objective").wait_for(timeout=5000)
        assert time.monotonic() - began < 1
        view.assert_clean()


def test_a_change_disturbs_nobody_who_is_writing(
    browser: Browser, dashboard: Dashboard, env: dict[str, str], session: Client
) -> None:
    raise_question(session)
    with page_of(browser, dashboard, env) as view:
        note = view.page.get_by_label("Note, kept with the decision")
        note.fill("half a no")
        session.bash("terraform apply -auto-approve")
        forget_client(session)
        summary = view.page.get_by_text("1 other call denied meanwhile")
        summary.wait_for(timeout=5000)
        assert note.input_value() == "half a no"
        assert view.page.evaluate("document.activeElement.name") == "why"
        summary.click()
        change(session, objective="another")
        view.page.get_by_text("another", exact=True).wait_for()
        assert view.page.locator("details[open]").count() == 1
        view.page.get_by_label("Note, kept with the decision").press("Enter")
        assert read_state(session)["junction"]
        view.assert_clean()


def test_keys_alone_reach_and_give_every_answer(
    browser: Browser, dashboard: Dashboard, env: dict[str, str], session: Client
) -> None:
    raise_question(session)
    with page_of(browser, dashboard, env) as view:
        keys = view.page.keyboard
        keys.press("j")
        assert "question" in view.page.evaluate("document.activeElement.className")
        for key in ("Enter", "y", "a", " "):
            keys.press(key)
        assert read_state(session)["junction"]
        labels = []
        for _ in range(12):
            keys.press("Tab")
            labels.append(view.page.evaluate("document.activeElement.textContent"))
            if labels[-1] == "Yes, once":
                break
        assert labels[-1] == "Yes, once"
        assert view.page.evaluate("getComputedStyle(document.activeElement).outlineStyle") != "none"
        keys.press("Enter")
        wait_for_answer(view, "Approved once")
        keys.press("?")
        view.page.get_by_role("dialog").get_by_text("No key decides anything").wait_for()
        keys.press("Escape")
        view.page.locator("#keys").wait_for(state="hidden")
        keys.press("0")
        view.page.wait_for_selector('#view[data-view="health"]')
        keys.press("h")
        view.page.wait_for_selector('#view[data-view="home"]')
        keys.press("j")
        view.page.get_by_role("link", name="project", exact=True).first.focus()
        keys.press("Enter")
        view.page.wait_for_selector('#view[data-view="overview"]')
        for number, title in ((4, "Timeline of project"), (2, "Plan of project")):
            keys.press(str(number))
            view.page.get_by_role("heading", name=title).wait_for()
        keys.press("4")
        view.page.get_by_role("heading", name="Timeline of project").wait_for()
        keys.press("/")
        keys.type("push")
        keys.press("Enter")
        view.page.wait_for_url(re.compile("words=push"))
        view.page.locator(".entries").get_by_text(PUSH).first.wait_for()
        view.assert_clean()
    assert session.bash(PUSH) == "allow"


HOSTILE = (
    "</script><script>window.hit = 1</script><img src=x onerror='window.hit = 2'>\"><svg onload=window.hit=3>"
    " javascript:window.hit=4 \x1b[2J\x1b]52;c;eA==\x07 \u202egnp.exe\u2066 \u200b "
)


@pytest.mark.parametrize("look", [{"size": DESKTOP}, {"size": PHONE, "dark": True}])
def test_every_view_is_readable_and_nothing_in_it_runs(
    browser: Browser,
    dashboard: Dashboard,
    env: dict[str, str],
    session: Client,
    look: dict[str, Any],
) -> None:
    change(
        session,
        objective=HOSTILE + "x" * 5000,
        plan=[
            {
                "description": HOSTILE,
                "status": status,
                "proof": HOSTILE * 20,
                "verification": HOSTILE,
            }
            for status in ("completed", "in_progress", "pending")
        ],
        memory=[{"trigger": HOSTILE, "lesson": "y" * 3000}],
        constraints=[HOSTILE, "z" * 3000],
    )
    session.prompt(HOSTILE)
    session.before("Bash", command="pytest -q")
    session.done("Bash", error="Exit code 1\n" + "w" * 1_000_000, command="pytest -q")
    raise_question(session, f"git push origin main # {HOSTILE} {'v' * 3000}")
    write(session.root, ".ai-handoff/tasks/.keep")
    with page_of(browser, dashboard, env, **look) as view:
        project = view.page.locator(".project").first.get_attribute("id")
        assert project
        shown = ["#/home", *(f"#/{each}?project={project[2:]}" for each in VIEWS)]
        shown.append(f"#/entry?project={project[2:]}&n=4")
        for address in shown:
            view.page.evaluate("address => { location.hash = address }", address)
            name = address[2:].partition("?")[0]
            view.page.wait_for_selector(f'#view[data-view="{name}"]')
            view.assert_fits()
            view.assert_accessible()
            assert view.page.evaluate("window.hit") is None
        view.assert_clean()


def test_several_projects_are_side_by_side(
    browser: Browser,
    dashboard: Dashboard,
    env: dict[str, str],
    session: Client,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    roots = [session.root]
    for name in ("shop", "billing"):
        root = str(tmp_path_factory.mktemp("more") / name)
        write(
            root,
            "active_context.yaml",
            f"schema_version: 4\nobjective: build the {name}\nplan: []\n",
        )
        roots.append(root)
    for root in roots:
        guarded = {"host": "claude", "since": "2026-01-02T03:04:05+00:00"}
        store.change(
            env, lambda record, root=root, it=guarded: record["projects"].update({root: it})
        )
    raise_question(session)
    with page_of(browser, dashboard, env) as view:
        for text in ("build the shop", "build the billing", "ship it"):
            view.page.locator(".project").get_by_text(text).wait_for()
        assert view.page.locator(".question").count() == 1
        view.page.get_by_role("link", name="shop", exact=True).first.click()
        view.page.get_by_role("heading", name="shop").wait_for()
        os.unlink(os.path.join(roots[1], "active_context.yaml"))
        view.page.get_by_text("has no active_context.yaml").first.wait_for()
        view.assert_clean()


def test_a_tab_that_nobody_sees_keeps_no_connection_and_still_follows(
    browser: Browser, dashboard: Dashboard, env: dict[str, str], session: Client
) -> None:
    hide = "is => { Object.defineProperty(document, 'hidden', {value: is, configurable: true});"
    with page_of(browser, dashboard, env) as view:
        view.page.evaluate(f"{hide} document.dispatchEvent(new Event('visibilitychange')) }}", True)
        raise_question(session)
        view.page.locator(".question").wait_for(timeout=10_000)
        view.page.evaluate(
            f"{hide} document.dispatchEvent(new Event('visibilitychange')) }}", False
        )
        view.page.wait_for_selector('#live[data-state="on"]')
        change(session, objective="seen again")
        view.page.get_by_text("seen again").wait_for(timeout=2000)
        view.assert_clean()


def test_a_dashboard_that_ends_is_said_to_be_gone_and_its_page_goes_on_with_the_next(
    browser: Browser, session: Client, env: dict[str, str]
) -> None:
    with contextlib.ExitStack() as stack:
        with serving(env, session.root) as dashboard:
            view = stack.enter_context(page_of(browser, dashboard, env))
        view.page.get_by_text("not connected").wait_for()
        change(session, objective="changed meanwhile")
        with serving(env, session.root, dashboard.port):
            view.page.wait_for_selector('#live[data-state="on"]')
            view.page.get_by_text("changed meanwhile").wait_for(timeout=3000)
        view.errors.clear()  # the browser logs each attempt to connect again
        assert not view.foreign
