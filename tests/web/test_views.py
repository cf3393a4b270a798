"""Every view, of a project with nothing or anything in it: what it shows, and that nothing of it runs."""

import json
import os
import re

import pytest

from operators_edge.memory import lessons, person_store
from operators_edge.project import wall_clock
from operators_edge.system.user_dirs import project_id
from operators_edge.undo.trash import Trash
from operators_edge.web import frame
from operators_edge.web.projects_service import Place
from operators_edge.web.views import timeline
from tests.hosting import change, events, forget_client, git, opened, read_state, write

VIEWS = [name for name in frame.OF_PROJECT if name != "entry"]

HOSTILE = (
    "</script><script>alert(1)</script><img src=x onerror=alert(2)>\" onfocus=alert(3) ' javascript:alert(4)"
    " \x1b[2J\x1b]52;c;eA==\x07\x1b]8;;http://evil.example\x07 \u202egnp.exe\u2066 \u200b\ufeff\x00 {{7*7}}"
)
LONG = "x" * 1_000_000


def html_of(page, name, of, /, **more):
    found = page.view(name, project=project_id(of.root), **more)
    return found["html"]


def assert_harmless(html):
    """No element and no attribute comes from a text, and every character can be seen."""
    assert "<script" not in html
    assert "<img" not in html
    assert not re.search(r"<[^>]*\son\w+\s*=", re.sub(r'"[^"]*"', '""', html))
    assert not re.search(r"(href|src|action)=\"(?!#|/)", html)
    assert not re.search(
        "[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b\u202a-\u202e\u2066-\u2069\ufeff]", html
    )


@pytest.mark.parametrize("name", VIEWS)
def test_a_project_in_which_nothing_happened_has_every_view(page, session, name):
    html = html_of(page, name, session)
    assert html.count("<h1") == 1
    assert "could not be read" not in html


@pytest.fixture
def hostile(session):
    """A project in which every field is what an attacker would write."""
    change(
        session,
        objective=HOSTILE,
        intent={"user_wants": HOSTILE, "success_looks_like": HOSTILE, HOSTILE[:30]: HOSTILE},
        next_action=HOSTILE,
        plan=[
            {
                "description": f"{status} {HOSTILE}",
                "status": status,
                "proof": HOSTILE,
                "verification": HOSTILE,
            }
            for status in ("completed", "in_progress", "pending", HOSTILE[:40])
        ],
        constraints=[HOSTILE],
        risks=[{"risk": HOSTILE, "mitigation": HOSTILE, "status": HOSTILE}],
        open_questions=[{"question": HOSTILE, "answer": HOSTILE}],
        memory=[
            {"trigger": HOSTILE, "lesson": HOSTILE, "timestamp": HOSTILE, HOSTILE[:20]: HOSTILE}
        ],
        junction_history=[
            {
                "id": HOSTILE,
                "type": HOSTILE,
                "decision": HOSTILE,
                "decided_at": HOSTILE,
                "by": HOSTILE,
                "rule": HOSTILE,
                "shown": HOSTILE,
            }
        ],
    )
    session.prompt(HOSTILE.replace("\x00", ""))
    session.before("Bash", command=f"git push origin main # {HOSTILE}".replace("\x00", ""))
    session.before("Read", file_path=f"/{HOSTILE}"[:200])
    session.done("Read", {"text": LONG}, file_path=f"/{HOSTILE}"[:200])
    session.before("Bash", command="pytest -q")
    session.done("Bash", error=f"Exit code 1\n{HOSTILE}\n{LONG}", command="pytest -q")
    path = write(session.root, "evil<img src=x onerror=alert(1)>.txt")
    Trash(session.root, clock=wall_clock).move(path, by=HOSTILE)
    forget_client(session)
    return session


@pytest.mark.parametrize("name", ["home", *VIEWS])
def test_nothing_that_anybody_wrote_runs_or_hides_in_a_view(page, hostile, name):
    html = html_of(page, name, hostile)
    assert_harmless(html)
    assert len(html) < 1_500_000
    assert html.count("<h1") == 1


def test_every_entry_of_the_log_is_harmless_in_full(page, hostile):
    count = opened(hostile).log.count()
    for number in range(1, count + 1):
        html = html_of(page, "entry", hostile, n=str(number))
        assert_harmless(html)
        assert f"Entry {number}" in html


def test_a_secret_is_in_no_view_however_it_got_into_the_state(page, session):
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"[:36]
    change(
        session,
        objective=secret,
        intent={"user_wants": secret},
        plan=[{"description": secret, "status": "in_progress", "proof": secret}],
        memory=[{"trigger": secret, "lesson": secret}],
        constraints=[secret],
        junction_history=[{"id": "1", "shown": secret, "by": secret, "decision": secret}],
    )
    session.bash(f"git push https://x:{secret}@example.com/y main")
    for name in ("home", *VIEWS):
        assert secret not in html_of(page, name, session), name


def test_the_persons_own_lessons_are_listed_with_those_of_the_project(page, session):
    assert "Your own" not in html_of(page, "memory", session)
    new = [{"trigger": "git push", "lesson": f"test first {HOSTILE}".replace("\x00", "")}]
    person_store.change(lambda book: lessons.add(book, new, now=wall_clock()))
    html = html_of(page, "memory", session)
    assert "Your own" in html
    assert "test first" in html
    assert_harmless(html)


def test_what_is_asked_for_in_an_address_is_harmless_too(page, session):
    asked = "%3Cscript%3Ealert(1)%3C/script%3E%22%20onfocus=x"
    for name in VIEWS:
        more = dict.fromkeys(("words", "kind", "outcome", "session", "before", "task"), asked)
        status, data = page.get(
            f"view/{name}?project={project_id(session.root)}&"
            + "&".join(f"{key}={value}" for key, value in more.items())
        )
        assert status == 200
        assert_harmless(json.loads(data)["html"])


def test_a_task_of_the_bridge_is_harmless_and_only_its_own_files_are_shown(page, hostile):
    write(hostile.root, ".ai-handoff/tasks/.keep")
    for task in ("../../etc/passwd", "..%2f..%2factive_context.yaml", "x%00y"):
        html = html_of(page, "bridge", hostile, task=task)
        assert "root:" not in html
        assert "could not be read" in html


def test_a_view_says_what_it_could_not_read(page, session):
    write(session.root, "active_context.yaml", "plan: [\n")
    for name in ("home", "overview", "plan", "grants"):
        html = html_of(page, name, session)
        assert "could not be read" in html or "active_context.yaml" in html
        assert "Nothing waits for you" not in html


def test_the_home_view_has_every_project_and_one_that_is_damaged_hides_no_other(page, session):
    session.bash("git push origin main")
    found = page.view("home")
    assert found["waiting"] == 1
    assert "git <mark>push</mark>" in found["html"] or "<mark>" in found["html"]
    assert [each["text"] for each in found["asked"]] == ["git push origin main"]
    for label in ("Yes, once", "No, not now", "Yes, for 1 hour", "Yes, every git-push", "Never"):
        assert f">{label}</button>" in found["html"]
    assert "autofocus" not in found["html"]


def test_the_card_says_what_changed_since_the_question(page, session):
    session.bash("git push origin main")
    forget_client(session)
    question = read_state(session)["junction"]["id"]
    write(session.root, "new.txt")
    git(session.root, "add", "-A")
    git(session.root, "commit", "-qm", "more")
    given = {"project": project_id(session.root), "question": question}
    said = page.act(act="approve", **given)
    assert "it changed since you were asked" in said["why"]
    assert "(since you were asked)" in page.view("home")["html"]
    assert "Approved once" in page.act(act="approve", **given)["said"]


def test_a_never_and_a_revocation_are_listed_among_the_decisions(page, session):
    project = project_id(session.root)
    for command, act in (("git push origin main", "never"), ("npm publish", "approve")):
        session.bash(command)
        page.act(act=act, project=project, question=read_state(session)["junction"]["id"])
    page.act(act="revoke", project=project, grant=read_state(session)["allowances"][0]["id"])
    listed = html_of(page, "grants", session).partition("Decisions so far")[2]
    words = re.findall(r'class="badge"[^>]*>(\w+)', listed)
    assert words == ["revoke", "approved", "never"]
    assert listed.count("npm publish") == 2
    assert "never: git push origin main" in " ".join(session.prompt("/edge status").split())


# -- keys ------------------------------------------------------------------------------------------


def test_the_digits_lead_to_the_views_of_the_project_that_is_meant():
    shop, billing = Place("s", "/shop", "shop"), Place("b", "/billing", "billing")

    def keys(places, here="", **asked):
        return frame.view_of("home", places, asked, {}, here)["keys"]

    assert keys([billing, shop], "/shop")[:2] == ["#/overview?project=s", "#/plan?project=s"]
    assert keys([billing])[9] == "#/health?project=b"
    assert len(keys([billing])) == 10
    assert keys([billing, shop]) == []
    assert keys([billing, shop], "/shop", project="b")[0] == "#/overview?project=b"


# -- timeline --------------------------------------------------------------------------------------


@pytest.fixture
def worked(session):
    for command, error in (("pytest -q tests", "Exit code 1\n1 failed"), ("ls src", None)):
        session.before("Bash", command=command)
        session.done("Bash", error=error, command=command)
    session.prompt("write the importer")
    return session


@pytest.mark.parametrize(
    ("asked", "shown", "hidden"),
    [
        ({}, "ls src", "no such"),
        ({"words": "importer"}, "write the importer", "ls src"),
        ({"words": "impo*"}, "write the importer", "ls src"),
        ({"words": "write%20impor"}, "write the importer", "ls src"),
        ({"kind": "check"}, "pytest -q tests", "ls src"),
        ({"outcome": "failed"}, "pytest -q tests", "ls src"),
        ({"kind": "prompt", "words": "importer"}, "write the importer", "pytest"),
        ({"session": "0000"}, "No such entry", "ls src"),
        ({"words": "nothing"}, "No such entry", "ls src"),
    ],
)
def test_the_timeline_is_searched_and_filtered(page, worked, asked, shown, hidden):
    html = html_of(page, "timeline", worked, **asked)
    lines = html.partition("entries card")[2] or html
    assert shown in lines
    assert hidden not in lines


def test_older_entries_are_on_further_pages(page, session):
    opened(session).log.append_many(
        [{"event": "note", "data": {"text": f"note {n}."}} for n in range(timeline.ROWS + 10)]
    )
    html = html_of(page, "timeline", session)
    assert f"note {timeline.ROWS + 9}." in html
    assert "note 9." not in html
    before = re.search(r"before=(\d+)", html)[1]
    assert "note 9." in html_of(page, "timeline", session, before=before)


def test_an_entry_that_is_not_there_is_said_to_be_missing(page, session):
    assert "there is no entry 999" in html_of(page, "entry", session, n="999")


# -- bringing back ---------------------------------------------------------------------------------


def test_what_is_in_the_trash_comes_back_by_a_button_and_overwrites_nothing(page, session):
    path = write(session.root, "notes.txt", "mine\n")
    entry = Trash(session.root, clock=wall_clock).move(path, by="me")
    assert "notes.txt" in html_of(page, "undo", session)
    forget_client(session)
    given = {"project": project_id(session.root), "act": "trash_restore", "item": str(entry.id)}
    write(session.root, "notes.txt", "other\n")
    assert page.act(**given)["ok"] is False
    os.unlink(path)
    assert page.act(**given)["said"] == f"Restored: {path}"
    with open(path, encoding="utf-8") as file:
        assert file.read() == "mine\n"
    assert events(session, "trash_restored")[0]["by"].endswith(", on the dashboard")


def test_files_of_a_snapshot_come_back_by_a_button(page, session):
    write(session.root, "readme.txt", "precious\n")
    assert session.bash("git checkout -- readme.txt") == ""  # a snapshot holds it
    forget_client(session)
    html = html_of(page, "undo", session)
    number = re.search(r"snapshot=(\d+)", html)[1]
    write(session.root, "readme.txt", "hello\n")
    assert "precious" in html_of(page, "undo", session, snapshot=number)
    given = {"project": project_id(session.root), "act": "undo", "snapshot": number}
    assert "1 file restored" in page.act(**given)["said"]
    with open(os.path.join(session.root, "readme.txt"), encoding="utf-8") as file:
        assert file.read() == "precious\n"
    assert events(session, "undone")[0]["saved"]
