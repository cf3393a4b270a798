"""The proof page of 100,000 entries: how large it is, how long it takes to write and to open.

python -m bench.reports
"""

from __future__ import annotations

import os
import statistics
import sys
import tempfile
import time
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from bench.rows import Row, report
from operators_edge.evidence.session_facts import tool_entry
from operators_edge.project import Project
from operators_edge.reports import proof_page_service

if TYPE_CHECKING:
    from collections.abc import Iterator

    from operators_edge.records import LogEntry

ENTRIES = 100_000
SESSION = 2_000
"""Entries of a session."""

MEGABYTES, WRITE_SECONDS, OPEN_SECONDS = 25.0, 5.0, 2.0
ROUNDS = 3
_BATCH = 2_000

_FILES = tuple(
    f"src/{part}/{name}.py" for part in "abcdefgh" for name in ("api", "models", "views")
)
_OUTPUT = "tests/test_orders.py::test_refund PASSED                       [ 12%]\n" * 12


def measure(top: str) -> Iterator[Row]:
    root = os.path.join(top, "reported")
    os.makedirs(root)
    with open(os.path.join(root, "active_context.yaml"), "w", encoding="utf-8") as file:
        file.write("schema_version: 4\nobjective: measure\nplan: []\nconstraints: []\n")
    project = Project(root, is_set_up=True, clock=lambda: datetime.now(UTC))
    entries = list(_entries())
    for start in range(0, ENTRIES, _BATCH):
        project.log.append_many(entries[start : start + _BATCH])
    project.evidence.work()  # kept up to date by every session
    spent = []
    for _ in range(ROUNDS):
        began = (
            time.process_time()
        )  # it is one thread that computes: on a free core, what one waits
        written = proof_page_service.write(project, env={})
        spent.append(time.process_time() - began)
    size = written.size / 1e6
    yield Row("PE-8", f"proof page, {ENTRIES} entries: size", size, "MB", MEGABYTES)
    yield Row("PE-8", "  to write it, on a free core", statistics.median(spent), "s", WRITE_SECONDS)
    yield _opened(written.path)


def _entries() -> Iterator[LogEntry]:
    for number in range(ENTRIES):
        session = f"{number // SESSION:08x}-session"
        if number % SESSION == 0:
            yield {"event": "session_start", "session": session, "data": {"source": "startup"}}
        elif number % 50 == 1:
            said = f"Please go on with part {number}: the refund of an order. " * 4
            yield {"event": "prompt", "session": session, "data": {"preview": said}}
        elif number % 200 == 7:
            shown = f"git push origin feature-{number}"
            yield {
                "event": "denied",
                "session": session,
                "data": {"rule": "git-push", "shown": shown},
            }
        else:
            yield _call(number, session)


def _call(number: int, session: str) -> LogEntry:
    path = _FILES[number % len(_FILES)]
    more: dict[str, Any] = {}
    if number % 3 == 0:
        tool, given = "Read", {"file_path": path}
    elif number % 3 == 1:
        tool, given = (
            "Edit",
            {"file_path": path, "old_string": f"x{number}", "new_string": "y" * 200},
        )
    else:
        tool, given = "Bash", {"command": f"pytest -q {path} -k refund_{number % 97}"}
        passed = number % 7 != 2
        more = {"data": {"check": {"kind": "test", "name": "pytest", "passed": passed}}}
    is_good = number % 7 != 2
    raw = {"event": "tool", "session": session, "tool": tool, "success": is_good, "input": given}
    return tool_entry({**raw, "output": _OUTPUT, "cwd": "/p", "duration_ms": number % 5000, **more})


def _opened(path: str) -> Row:
    """Until the list can be scrolled and searched, in a browser that is running already."""
    what = "  to open it in Chromium, until it can be used"
    try:
        from playwright.sync_api import Error, sync_playwright  # noqa: PLC0415 - only to develop

        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(
                executable_path=os.environ.get("EDGE_CHROMIUM", "/usr/bin/chromium"),
                args=["--disable-gpu", *(["--no-sandbox"] if os.geteuid() == 0 else [])],
            )
            spent = []
            for _ in range(ROUNDS):
                page = browser.new_page()
                began = time.perf_counter()
                page.goto(f"file://{path}")
                page.wait_for_selector("html[data-ready]")
                page.keyboard.press("j")
                page.wait_for_selector("[aria-selected=true]")
                spent.append(time.perf_counter() - began)
                page.close()
            browser.close()
    except (ImportError, Error) as error:
        return Row("PE-8", what, None, "s", OPEN_SECONDS, note=str(error).splitlines()[0])
    return Row("PE-8", what, statistics.median(spent), "s", OPEN_SECONDS)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory(prefix="edge-") as folder:
        sys.exit(report(list(measure(os.path.realpath(folder)))))
