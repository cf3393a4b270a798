"""Whether the gate is alive: what answers now, how long calls took, what differs from the record."""

from __future__ import annotations

import statistics

from operators_edge.doctor import resident
from operators_edge.errors import EdgeError
from operators_edge.hosts.claude import wiring_check
from operators_edge.integrity import service as integrity
from operators_edge.reports.html import Html, Node, tag
from operators_edge.sessions import status
from operators_edge.text.wording import many
from operators_edge.web import check_results, parts
from operators_edge.web.parts import badge, code, text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from operators_edge.doctor.check import Check
    from operators_edge.project import Project
    from operators_edge.web.projects_service import Place

_TONES = {"ok": "good", "warning": "wait", "problem": "bad"}
_RECENT = 1000
"""Entries from the end of the log that durations are taken from."""


def show(place: Place, _asked: Mapping[str, str], env: Mapping[str, str]) -> Html:
    project = place.opened()
    return parts.page(
        f"Health of {place.name}",
        parts.quiet(
            "The cheap part of ", tag("code", "edge doctor"), ", which also runs each hook."
        ),
        parts.card("All checks", "examined", _examined(place)),
        parts.card("What answers now", "alive", tag("ul", *_alive(place, env), class_="list")),
        parts.card("What differs from the record", "differs", _differences(env)),
        parts.card("How long calls took", "latency", _durations(project)),
        parts.card("What is switched off", "off", _switches(project)),
    )


def _examined(place: Place) -> Html:
    """What ``edge doctor`` found when a person asked for it here last."""
    ask = parts.answer(
        f"k-{place.id}",
        place.id,
        parts.quiet(
            "Runs each installed hook once, and everything else that edge doctor looks at."
        ),
        tag("div", parts.button("Run all checks", "examine"), class_="row buttons"),
    )
    known = check_results.last(place.root)
    if known is None:
        return ask
    lines = [_check(each.name, each) for each in known.checks]
    return tag(
        "div", parts.small("At ", parts.local_time(known.at)), tag("ul", *lines, class_="list"), ask
    )


def _alive(place: Place, env: Mapping[str, str]) -> Iterator[Html]:
    yield _check("Resident", resident.process(env))
    http = resident.http(place.root, env)
    if http is not None:
        yield _check("HTTP transport", http)


def _check(name: str, found: Check) -> Html:
    return tag(
        "li",
        parts.line(tag("strong", name), badge(found.level, _TONES[found.level])),
        tag("div", text(found.what)),
        tag("div", text(found.why), class_="quiet") if found.why else None,
        tag("div", "Run: ", code(found.run)) if found.run else None,
    )


def _differences(env: Mapping[str, str]) -> Html:
    try:
        found = integrity.look(wiring_check, env)
    except EdgeError as error:
        return parts.problem("The record could not be read", error.message, error.hint)
    if not found:
        return parts.quiet("Nothing: installation and settings are as they were recorded.")
    return parts.listed(
        [tag("div", badge("differs", "bad"), " ", text(each.what)), code(each.run)]
        for each in found
    )


def _durations(project: Project) -> Html:
    """By tool: how many of the last entries, and how long half of them took at most."""
    taken: dict[str, list[int]] = {}
    for entry in project.log.tail(_RECENT):
        duration: Any = entry.get("duration_ms")
        if isinstance(duration, int) and entry.get("tool"):
            taken.setdefault(str(entry["tool"]), []).append(duration)
    if not taken:
        return parts.quiet("The log has no call with a duration yet.")
    lines: list[tuple[Node, ...]] = [
        (
            parts.words(tool),
            f"{len(each):,}",
            f"{statistics.median(each):,.0f} ms",
            f"{max(each):,} ms",
        )
        for tool, each in sorted(taken.items(), key=lambda pair: -len(pair[1]))
    ]
    about = f"Durations of the last {many(_RECENT, 'entry')}"
    return parts.table(("Tool", "Calls", "Median", "Longest"), lines, about=about)


def _switches(project: Project) -> Html:
    lines = status.switch_lines(
        status.active_switches(project, project.latest_session()), project.clock()
    )
    if not lines:
        return parts.quiet("Nothing.")
    return parts.listed(text(each) for each in lines)


# end of module
