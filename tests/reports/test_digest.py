"""The digest: what a day held, and at most three recommendations, each with the number it comes from."""

import os
import re
from datetime import UTC, datetime, timedelta

import pytest

from operators_edge.project import Project
from operators_edge.reports import digest, digest_service, entries
from operators_edge.reports.digest import Day
from operators_edge.reports.proof_ledger import Row as Claim
from operators_edge.reports.traceability import Row
from operators_edge.system.user_dirs import project_id, user_dir

UNTIL = datetime(2026, 11, 23, 8, 0, tzinfo=UTC)


def bash(command, *, success=True, check=None, **more):
    data = {"command": command, **({"check": check} if check else {})}
    return {
        "event": "tool",
        "tool": "Bash",
        "session": "s",
        "success": success,
        "data": data,
        **more,
    }


def edit(path):
    return {"event": "tool", "tool": "Edit", "session": "s", "success": True, "file_touched": path}


def check(name, *, passed):
    return {"kind": "test", "name": name, "passed": passed}


def claim(step, verdict, **more):
    given = {"mark": "", "tone": "", "text": f"step {step}", "proof": "", "is_todo": False}
    given |= {
        "why": "",
        "run": "",
        "beside": (),
        "files": (),
        "check": "",
        "check_entry": 0,
        "seen": None,
    }
    return Claim(step=step, verdict=verdict, **(given | more))


def day(*logged, **more):
    numbered = [{"seq": n, **each} for n, each in enumerate(logged, 1)]
    since = UNTIL - timedelta(hours=24)
    lines = [*entries.lines(numbered)]
    return Day("shop", "/p", since, UNTIL, numbered, lines, **more)


def section(text, title):
    return text.partition(f"## {title}\n\n")[2].partition("\n\n##")[0].strip()


def test_it_tells_what_was_done_decided_failed_and_learned():
    found = digest.digest(
        day(
            {"event": "prompt", "session": "s"},
            edit("/p/src/app.py"),
            bash("pytest", check=check("pytest", passed=True)),
            {"event": "step", "data": {"step": 1, "to": "completed"}},
            {
                "event": "junction_decided",
                "data": {
                    "decision": "approve",
                    "by": "ann",
                    "shown": "git push",
                    "rule": "git-push",
                },
            },
            {"event": "asked", "tool_use_id": "t1", "data": {"shown": "rm -r build"}},
            bash("rm -r build", tool_use_id="t1"),
            {"event": "asked", "tool_use_id": "t2", "data": {"shown": "rm -r src"}},
            bash("make", success=False),
            {"event": "blocked", "data": {"rule": "disk", "shown": "dd of=/dev/sda"}},
            {"event": "lesson", "data": {"to": "added", "text": "pin the parser"}},
            objective="Ship it",
            steps=(1, 3),
            history=[Row(UNTIL, 3, 80.0, 90.0)],
        )
    ).markdown
    assert found.startswith("# Digest of shop, 2026-11-23\n")
    assert "1 session, 1 prompt, 4 calls, 1 failed." in found
    assert "Objective: Ship it: 1 of 3 steps done" in section(found, "Done")
    assert "1 edit in 1 file" in section(found, "Done")
    assert "1 check run, 1 passed" in section(found, "Done")
    decided = section(found, "Decided by a person")
    assert "approved by ann: git push" in decided
    assert "approved in the client: rm -r build" in decided
    assert "asked in the client; it did not run: rm -r src" in decided
    assert "Bash: make: 1 time, last in entry 9" in section(found, "Failed")
    assert "Blocked (disk): dd of=/dev/sda" in section(found, "Stopped")
    assert "pin the parser" in section(found, "Learned")
    assert "| src/app.py | 1 |" in section(found, "Files")
    assert "80.0 %" in section(found, "Traceability")


def test_a_day_without_entries_says_so_and_recommends_nothing():
    found = digest.digest(day())
    assert found.recommendations == ()
    assert "the log has no entry" in found.markdown
    assert "## Failed" not in found.markdown


def test_what_could_not_be_read_is_named():
    found = digest.digest(day(problems=["the log: it is locked"])).markdown
    assert "the log: it is locked" in section(found, "Not read")


def advice(*logged, **more):
    return digest.digest(day(*logged, **more)).recommendations


@pytest.mark.parametrize(
    ("made", "what", "why"),
    [
        (
            ((), {"open": ["git push", "rm -r x"]}),
            "Decide: git push",
            "2 questions wait for you",
        ),
        (((), {"claims": [claim(2, "CONTRADICTED")]}), "Look at step 2", "1 claim contradicted"),
        (
            ((bash("pytest", check=check("pytest", passed=False)),), {}),
            "Fix pytest",
            "its last run failed (entry 1)",
        ),
        (
            ((), {"history": [Row(UNTIL, 3, 80.0, 9.0), Row(UNTIL, 4, 70.0, 9.0)]}),
            "Say in the plan what the work is for",
            "fell by 10.0 points, to 70.0 %",
        ),
        (
            ((), {"claims": [claim(1, "STALE", run="make test")]}),
            "Prove step 1: run make test",
            "1 claim without fresh evidence",
        ),
        (
            (tuple(bash("make", success=False) for _ in range(3)), {}),
            "See why this fails: Bash: make",
            "3 of 3 calls failed (100 %)",
        ),
        (
            ((edit("/p/a.py"), edit("/p/a.py"), edit("/p/a.py"), edit("/p/b.py")), {}),
            "Look at a.py",
            "3 of 4 edits went there (75 %)",
        ),
    ],
)
def test_a_recommendation_says_what_to_do_and_the_number_it_comes_from(made, what, why):
    logged, more = made
    (first,) = advice(*logged, **more)
    assert first.what.startswith(what)
    assert why in first.why


def test_there_are_three_at_most_and_a_waiting_question_is_the_first():
    found = advice(
        *(bash("pytest", success=False, check=check("pytest", passed=False)) for _ in range(4)),
        *(edit(path) for path in ("/p/a", "/p/a", "/p/a", "/p/b")),
        open=["git push"],
        claims=[claim(1, "CONTRADICTED"), claim(2, "STALE")],
    )
    assert len(found) == 3
    assert [each.what.split()[0] for each in found] == ["Decide:", "Look", "Fix"]


@pytest.mark.parametrize(
    "logged",
    [
        (bash("make", success=False), *(bash("ls") for _ in range(30))),  # 3 % failed
        (edit("/p/only.py"), edit("/p/only.py"), edit("/p/only.py")),  # the only file
        (edit("/p/a"), edit("/p/a"), edit("/p/b")),  # too few edits to say anything
        (
            bash("pytest", success=False, check=check("pytest", passed=False)),
            bash("pytest", check=check("pytest", passed=True)),
        ),  # fixed meanwhile
    ],
)
def test_an_ordinary_day_has_no_recommendation(logged):
    assert advice(*logged) == ()


def test_long_lists_are_cut_and_say_how_much_is_missing():
    refused = {"event": "blocked", "data": {"rule": "disk", "shown": "x"}}
    text = digest.digest(day(*(refused for _ in range(30)))).markdown
    assert section(text, "Stopped").count("\n") == 8
    assert "and 22 before" in text


HOSTILE = (
    "</script><img src=x onerror=alert(1)> [a](javascript:alert(1)) @everyone `x` | # **b** "
    "https://evil.example \x1b[31m \u202e \u200b \ud800 \x00 ~~~ $(id)"
)


def test_no_text_of_others_is_markup_a_link_a_mention_or_a_control_character():
    found = digest.digest(
        day(
            bash(HOSTILE, success=False),
            edit(f"/p/{HOSTILE}"),
            {
                "event": "junction_decided",
                "data": {"decision": "skip", "by": HOSTILE, "shown": HOSTILE},
            },
            {"event": "blocked", "data": {"rule": HOSTILE, "shown": HOSTILE}},
            {"event": "lesson", "data": {"text": HOSTILE}},
            {"event": "step", "data": {"step": 1, "to": "completed", "text": HOSTILE}},
            objective=HOSTILE,
            open=[HOSTILE],
            claims=[claim(1, "CONTRADICTED", text=HOSTILE)],
            problems=[HOSTILE],
        )
    ).markdown
    assert not re.search(r"[<>@\[\x00-\x09\x0b-\x1f\u202e\u200b\ud800]", found)
    assert "https:" not in found.replace("https&#58;", "")
    found.encode()


def test_a_line_of_a_megabyte_stays_one_short_line():
    text = digest.digest(
        day(bash("x" * 1_000_000, success=False), objective="y" * 1_000_000)
    ).markdown
    assert max(map(len, text.splitlines())) < 1_000


# -- reading a project -----------------------------------------------------------------------------


def at(project, when):
    return Project(project, is_set_up=True, clock=lambda: when)


def test_only_the_last_day_of_the_log_is_told(project):
    at(project, UNTIL - timedelta(hours=30)).log.append(bash("old"))
    at(project, UNTIL - timedelta(hours=2)).log.append(bash("new"))
    found = digest_service.day_of(at(project, UNTIL))
    assert [each.subject for each in found.lines if each.event == "tool"] == ["new"]
    assert (found.objective, found.steps, found.is_cut) == ("ship it", (0, 1), False)


def test_of_a_busy_day_the_last_entries_are_told_and_it_says_so(project):
    here = at(project, UNTIL)
    here.log.append_many([bash(str(n)) for n in range(9)])
    found = digest_service.day_of(here, most=4)
    assert [each.subject for each in found.lines] == ["5", "6", "7", "8"]
    assert found.is_cut
    assert "Only the last 4 entries" in digest.digest(found).markdown


def test_a_pending_question_and_those_left_open_are_told():
    state = {
        "junction": {"shown": "git push"},
        "left_questions": [{"reason": "which one?"}, {"type": "external"}],
    }
    assert digest_service.open_questions(state) == ["git push", "which one?", "external"]


def test_tasks_of_the_bridge_that_cannot_be_read_are_named(project):
    os.makedirs(os.path.join(project, ".ai-handoff", "tasks"))
    folder = os.path.join(user_dir(), "projects", project_id(project))
    os.makedirs(folder, mode=0o700, exist_ok=True)
    with open(os.path.join(folder, "bridge.db"), "wb") as file:
        file.write(b"no database" * 1000)
    (problem,) = digest_service.day_of(at(project, UNTIL)).problems
    assert problem.startswith("the tasks of the Bridge: ")


def test_a_log_that_cannot_be_read_is_named_and_the_rest_is_told(project):
    here = at(project, UNTIL)
    here.log.append(bash("x"))
    path = os.path.join(project, ".proof", "session_log.jsonl")
    with open(path, "ab") as file:
        file.write(b"not an entry\n")
    found = digest_service.day_of(here)
    assert found.problems == ["1 line of the log: edge log verify"]
