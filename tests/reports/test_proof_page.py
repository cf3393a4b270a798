"""The page as a reader without a script finds it, and what hostile text can do in it: nothing."""

import re

import pytest
from tests.reports.pages import HANDLER, call, check, event, page_of, project_at
from tests.reports.test_html import HOSTILE

from operators_edge.reports import proof_page_service


@pytest.fixture
def page(project):
    """The page of a project with these entries."""

    def made(*entries, **state):
        opened = project_at(project, **state)
        opened.log.append_many(list(entries))
        return page_of(proof_page_service.write(opened, env={}))

    return made


def test_the_first_screen_says_what_was_asked_decided_changed_and_checked(page):
    found = page(
        event("prompt", preview="Refund a part of an order"),
        event("junction_raised", junction="j", rule="git-push", shown="git push"),
        event("junction_decided", junction="j", decision="approve", by="mira", why="I looked"),
        call("Edit", "src/a.py"),
        check("pytest", ok=False),
    )
    assert "Refund a part of an order" in found.section("What was asked")
    decided = found.section("What was decided, by whom")
    assert all(word in decided for word in ("approved", "by mira", "git push", "I looked"))
    assert "src/a.py" in found.section("What changed")
    assert "failedpytest3 passed; 1 run, 1 of them failed" in found.section("Which checks ran")
    assert "pytest fails: 1 of 1 run" in found.section("Where it went wrong")
    claims = found.section("Claims beside evidence")
    assert all(word in claims for word in ("Write it", "unverified", "Document it", "pending"))
    assert "Refund a part" in found.text[:200]


def test_a_decision_for_later_calls_says_so(page):
    found = page(
        event("scope_given", junction="j", decision="dismiss", by="mira", shown="git push")
    )
    decided = found.section("What was decided, by whom")
    assert all(word in decided for word in ("dismissed", "by mira", "Decided for later calls"))


def test_an_open_question_is_not_counted_as_decided(page):
    found = page(event("junction_raised", junction="j", rule="git-push", shown="git push"))
    assert "0decided1 open" in found.text


def test_what_went_wrong_is_named_before_everything_else(page):
    found = page(
        event("blocked", rule="disk", shown="dd of=/dev/sda"), event("prompt", preview="x")
    )
    assert "dd of=/dev/sda" in found.section("Where it went wrong")
    assert found.text.index("Where it went wrong") < found.text.index("What was asked")


def test_nothing_wrong_is_said_with_what_was_looked_at(page):
    found = page(call(), call(ok=False))
    said = "Nothing was denied, weakened or contradicted in 2 entries; 1 call failed on the way."
    assert said in found.section("Where it went wrong")


def test_an_empty_log_makes_a_page_that_says_so(page):
    found = page()
    assert "no entries" in found.text
    assert found.lines["x"] == []


def test_a_state_that_cannot_be_read_is_not_taken_for_an_empty_plan(page):
    found = page(call(), state="plan: [\n")
    assert "Plan and claims" in found.section("Could not be found out")


def test_every_address_leads_to_a_place_in_the_page_and_nothing_is_loaded(page):
    found = page(call(), event("prompt", preview="https://example.org"))
    for tag, attrs in found.tags:
        assert tag not in ("img", "iframe", "link", "object", "embed", "base")
        assert attrs.get("href", "#").startswith("#")
        assert "src" not in attrs
    (policy,) = [a["content"] for t, a in found.tags if a.get("http-equiv")]
    assert policy.startswith("default-src 'none'; style-src 'sha256-")
    assert "unsafe" not in policy


def test_every_link_to_a_card_finds_it(page):
    found = page(call())
    idents = {attrs["id"] for _, attrs in found.tags if "id" in attrs}
    linked = {attrs["href"][1:] for _, attrs in found.tags if "href" in attrs}
    assert {each for each in linked if not re.fullmatch(r"e\d+|from=\d+&to=\d+", each)} <= idents


def everywhere(text):
    """Entries with the text in every field that a page shows."""
    return (
        event("session_start", text, source="startup"),
        event("objective", objective=text),
        event("prompt", preview=text),
        event("junction_raised", junction="j", rule=text, shown=text),
        event("junction_decided", junction="j", decision="approve", by=text, why=text, shown=text),
        event("tampering", kind=text, path=text, name=text, detail=text),
        event("message_contradicted", why=text),
        event(text, shown=text),
        call("Edit", f"/p/{text}", session=text, agent=text),
        {**call(text=text, output=text), "tool": text},
        check(text, ok=False, command=text),
    )


def state_with(text):
    import json  # noqa: PLC0415 - YAML takes it

    said = json.dumps(text, ensure_ascii=True)
    return (
        f"schema_version: 4\nobjective: {said}\nplan:\n- description: {said}\n  status: completed\n"
        f"  proof: {said}\n- description: {said}\n  status: pending\nconstraints: []\n"
    )


@pytest.mark.parametrize("text", [each for each in HOSTILE if "\ud800" not in each])
def test_hostile_text_in_every_field_adds_nothing_that_acts(page, text):
    found = page(*everywhere(text), state=state_with(text.replace("\x00", "")))
    assert {tag for tag, _ in found.tags} <= TAGS
    for _, attrs in found.tags:
        assert not [name for name in attrs if HANDLER.fullmatch(name) or name == "style"]
    assert set(found.scripts) <= {"seal", "lines", "phases", "d0", ""}
    assert all(char.isprintable() or char in "\n\t" for char in "".join(found.said))
    assert all(char.isprintable() for char in found.scripts["lines"])


TAGS = frozenset(
    (
        *("html", "head", "meta", "title", "style", "body", "script", "header", "main"),
        *("section", "div", "p", "h1", "h2", "h3", "ul", "li", "dl", "dt", "dd", "table", "thead"),
        *("tbody", "tr", "th", "td", "a", "span", "strong", "bdi", "code", "pre", "kbd", "time"),
        *("details", "summary", "svg", "rect", "i", "form", "label", "input", "select", "option"),
        *("button", "output", "dialog"),
    )
)


def test_a_line_of_a_megabyte_makes_no_page_of_a_megabyte(page, project):
    long = "word " * 200_000
    found = page(*everywhere(long), state=state_with(long))
    assert len("".join(found.said)) < 100_000


def test_a_hundred_lists_are_bounded_and_say_what_they_leave_out(page):
    found = page(*[event("denied", shown=f"c{n}") for n in range(400)])
    assert "100 further ones in the timeline" in found.section("Where it went wrong")
    assert len(found.subjects) == 400


def test_what_was_removed_is_listed(page):
    found = page(call(text="curl -H 'Authorization: Bearer kq7Rw2mXz9TbL4vNc8Yd'"))
    said = found.section("About this page")
    assert "authorization: " in said
    assert "abcdefghijk1234567890" not in "".join(found.scripts.values())
