"""What the dashboard needs for each view, with ten projects and one long log."""

from __future__ import annotations

import os
import shutil
import statistics
import time
from typing import TYPE_CHECKING

from tests.web.conftest import Page, serving

from bench.rows import Row
from operators_edge.integrity import store
from operators_edge.system.user_dirs import project_id
from operators_edge.web import frame, links_store
from operators_edge.web.index_store import TimelineIndex

if TYPE_CHECKING:
    from collections.abc import Iterator

    from operators_edge.integrity.store import GuardedProject

PROJECTS = 10
BAR_MS = 200.0
ROUNDS = 7

_SEARCHES = {
    "timeline, a rare word": {"words": "test_module42"},
    "timeline, words and outcome": {"words": "pytest+src", "outcome": "ok"},
    "timeline, a beginning": {"words": "modul*"},
}


def views(small: str, large: str, env: dict[str, str]) -> Iterator[Row]:
    """The project with the ``large`` log, beside nine copies of the ``small`` one (DA-1)."""
    roots = [large]
    for number in range(1, PROJECTS):
        roots.append(f"{small}-{number}")
        shutil.copytree(small, roots[-1], symlinks=True)
    guarded: GuardedProject = {"host": "claude", "since": "2030-01-01T00:00:00+00:00"}
    store.change(env, lambda record: record["projects"].update(dict.fromkeys(roots, guarded)))
    os.environ["XDG_STATE_HOME"] = env["XDG_STATE_HOME"]
    index = TimelineIndex(large)
    started = time.perf_counter()
    index.catch_up(float("inf"))
    yield Row("-", "index of the long log built", time.perf_counter() - started, "s")
    yield Row("-", "its size", os.path.getsize(index.path) / 1e6, "MB")
    with serving(env) as server:
        page = Page(server.port, links_store.redeem(links_store.new_code(env), env))
        asked = {"project": project_id(large)}
        found = {name: (name, asked) for name in (frame.HOME, *frame.OF_PROJECT)}
        found["entry"] = ("entry", {**asked, "n": "4242"})
        found |= {what: ("timeline", {**asked, **more}) for what, more in _SEARCHES.items()}
        for what, (name, query) in found.items():
            yield Row("DA-1", f"dashboard, {what}", _warm(page, name, query), "ms", BAR_MS)
    for root in roots[1:]:
        shutil.rmtree(root)


def _warm(page: Page, name: str, query: dict[str, str]) -> float:
    """The median after the first one that was ready."""
    while page.view(name, **query).get("is_pending"):
        time.sleep(0.1)
    spent = []
    for _ in range(ROUNDS):
        started = time.perf_counter()
        page.view(name, **query)
        spent.append(time.perf_counter() - started)
    return statistics.median(spent) * 1e3
