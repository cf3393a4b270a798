"""The status of one project, as ``edge status`` gathers it."""

from __future__ import annotations

from operators_edge.reports.html import Html, Node, together
from operators_edge.sessions import status
from operators_edge.text.wording import many, point_in_time
from operators_edge.web import parts
from operators_edge.web.parts import badge, code, text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from operators_edge.web.projects_service import Place


def show(place: Place, _asked: Mapping[str, str], _env: Mapping[str, str]) -> Html:
    project = place.opened()
    found = {**status.gather(project), "context_tokens": status.context_tokens(project)}
    return parts.page(
        place.name,
        parts.small(parts.words(place.root)),
        parts.card("Now", "now", parts.rows(_now(found))),
        parts.card("Session", "session", _session(found)),
    )


def _now(found: Mapping[str, Any]) -> list[tuple[str, Node]]:
    derived = "" if found["mode_is_explicit"] else " (from objective and plan)"
    gate = found["gate"] or {}
    tokens = f"a new session gets about {found['context_tokens']} tokens"
    return [
        ("Mode", f"{found['mode']}{derived}"),
        ("Objective", text(found["objective"]) if found["objective"] else "none yet"),
        ("Claims", text(gate.get("claims"))),
        ("Done", text(gate.get("line"))),
        *(("Off", _off(each)) for each in found["off"]),
        *(("Alarm", together(badge("alarm", "bad"), " ", text(each))) for each in found["alarms"]),
        *(("State", text(each["text"])) for each in found["warnings"]),
        *(("Settings", text(each)) for each in found["configuration"]),
        ("Record", f"{many(found['log_entries'], 'entry')}; {tokens}"),
    ]


def _off(switch: Mapping[str, Any]) -> Html:
    until = f", until {point_in_time(switch['until'])}" if switch["until"] else ""
    what = switch["rule"] or "the gate's questions"
    return together(badge("switched off", "bad"), " ", text(f"{what}, by {switch['by']}{until}"))


def _session(found: Mapping[str, Any]) -> Html:
    session, seen = found["session"], found["observations"]
    if not session.get("id"):
        return parts.quiet("None seen yet.")
    ended = session.get("ended_at")
    used = ", ".join(f"{tool} {n}" for tool, n in sorted((seen.get("tools_used") or {}).items()))
    files = [each for name in seen.get("files_modified") or [] for each in (code(name), " ")]
    return parts.rows(
        [
            ("Latest", code(session["id"])),
            ("Since", parts.local_time(session.get("started_at"))),
            ("Ended", parts.local_time(ended) if ended else "open"),
            ("Tools", text(used) if used else "none yet"),
            ("Modified", together(*files) if files else "nothing"),
        ]
    )


# end of module
