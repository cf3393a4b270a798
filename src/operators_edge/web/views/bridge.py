"""The Bridge's queue, and one task: its result, its change, its log, and what a person decides about it."""

from __future__ import annotations

import json
import os

from operators_edge.bridge import layout
from operators_edge.bridge.result import REASONS
from operators_edge.bridge.service import Bridge
from operators_edge.locations import HANDOFF_DIR
from operators_edge.redaction.redact import redact
from operators_edge.reports.html import Html, Node, tag, together
from operators_edge.storage import files
from operators_edge.text.wording import as_text, many, one_line
from operators_edge.web import parts
from operators_edge.web.parts import badge, code, text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any

    from operators_edge.bridge.queue import TaskRow
    from operators_edge.web.projects_service import Place

_TONES = {"done": "good", "failed": "bad", "pending": "wait", "running": "note"}
_MAX_ROWS = 200
_MAX_TEXT = 200_000


def show(place: Place, asked: Mapping[str, str], _env: Mapping[str, str]) -> Html:
    if not os.path.isdir(os.path.join(place.root, HANDOFF_DIR)):
        none = tag("p", "This project has no Bridge: ", tag("code", "edge bridge init"))
        return parts.page(f"Bridge of {place.name}", tag("div", none, class_="card quiet"))
    bridge = Bridge(place.root)
    if asked.get("task"):
        return _task(place, bridge, bridge.queue.task(asked["task"]))
    rows = bridge.queue.tasks()
    watcher = bridge.watched_by()
    who = f"Process {watcher.get('pid', '?')} works on it." if watcher else "No watcher runs."
    counts = bridge.queue.counts()
    states = [
        badge(f"{counts[state]} {state}", tone)
        for state, tone in {"queued": "", **_TONES}.items()
        if counts.get(state)
    ]
    return parts.page(
        f"Bridge of {place.name}",
        parts.line(*states, tag("span", who, class_="quiet")),
        tag("ul", *(_row(place, bridge, each) for each in rows[:_MAX_ROWS]), class_="list card")
        if rows
        else tag("p", "No tasks: ", tag("code", "edge bridge submit FILE"), class_="card quiet"),
        parts.quiet(f"and {many(len(rows) - _MAX_ROWS, 'more task')}: edge bridge list")
        if len(rows) > _MAX_ROWS
        else None,
    )


def _row(place: Place, bridge: Bridge, row: TaskRow) -> Html:
    result = bridge.result(row.stem) if row.state in ("queued", "pending", "failed") else {}
    why = as_text(result.get("detail")) or as_text(result.get("reason"))
    to = parts.address("bridge", place.id, task=row.stem)
    return tag(
        "li",
        parts.line(
            parts.link(parts.words(row.stem), to),
            badge(row.state, _TONES.get(row.state, "")),
            f"attempt {row.attempt}" if row.attempt > 1 else None,
            tag("span", parts.local_time(row.changed_at), class_="quiet small"),
        ),
        tag("div", text(why, 200), class_="small") if why else None,
        data_item=True,
        tabindex="-1",
        id=f"t-{place.id}-{row.stem}",
    )


# -- one task --------------------------------------------------------------------------------------


def _task(place: Place, bridge: Bridge, row: TaskRow) -> Html:
    result, task, secrets = bridge.result(row.stem), bridge.to_do(row), bridge.secrets()
    names = layout.artifacts(row.stem)
    return parts.page(
        row.stem,
        parts.line(
            badge(row.state, _TONES.get(row.state, "")),
            f"attempt {row.attempt}" if row.attempt > 1 else None,
            parts.link("The queue", parts.address("bridge", place.id)),
        ),
        _decide(place, row, secrets),
        parts.card("What it asks for", "asks", parts.rows(_asks(task))) if task else None,
        parts.card("Result", "result", parts.rows(_result(result))) if result else None,
        _file(bridge, "Change", "change", layout.redacted(names.patch_post), secrets),
        _file(bridge, "Log", "log", names.logs, secrets),
    )


def _decide(place: Place, row: TaskRow, secrets: Sequence[str]) -> Node:
    """The answers that fit its state; one that asks about commands is answered in its own cards."""
    buttons = {
        "pending": [
            parts.button("Let it run", "task_approve"),
            parts.button("Reject", "task_reject"),
        ],
        "queued": [parts.button("Cancel", "task_cancel")],
        "running": [parts.button("Cancel", "task_cancel")],
        "failed": [parts.button("Try again", "task_retry")],
    }.get(row.state, [])
    sealed = json.loads(row.work or "{}").get("sealed", {}) if row.state == "pending" else {}
    commands = [code(one_line(redact(str(each), values=secrets), 400)) for each in sealed]
    if row.state == "pending" and row.questions:
        to = parts.link("in its cards", "#/home")
        buttons = [parts.button("Reject", "task_reject")]
        about: Node = tag("p", "It asks about its commands: answer ", to, ".")
    else:
        about = together("It would run: ", parts.listed(commands)) if commands else None
    if not buttons:
        return None
    spaced = [node for each in buttons for node in (each, " ")]
    return tag(
        "div",
        parts.answer(
            f"d-{place.id}-{row.stem}",
            place.id,
            about,
            tag("div", *spaced, class_="row buttons"),
            task=row.stem,
        ),
        class_="card",
        data_tone=_TONES.get(row.state),
    )


def _asks(task: Mapping[str, Any]) -> Iterator[tuple[str, Node]]:
    yield "Title", text(as_text(task.get("bead_title")))
    yield "Prompt", text(as_text(task.get("prompt")))
    yield "Scope", text(", ".join(map(str, task.get("scope") or [])))
    for each in task.get("commands_to_run") or []:
        yield "To run", code(each)


def _result(result: Mapping[str, Any]) -> Iterator[tuple[str, Node]]:
    reason = as_text(result.get("reason"))
    about = REASONS[reason].about if reason in REASONS else ""
    status = as_text(result.get("status"))
    yield "Status", badge(status, {"success": "good", "failed": "bad"}.get(status, "wait"))
    yield "Reason", text(": ".join(filter(None, (reason, about))))
    yield "Detail", text(as_text(result.get("detail")))
    for each in result.get("problems") or []:
        yield "Problem", text(as_text(each))
    git = result.get("git") or {}
    if git.get("branch"):
        commit = f", commit {str(git['result_commit'])[:10]}" if git.get("result_commit") else ""
        yield "Branch", code(f"{git['branch']}{commit}")
        yield "Change", text(as_text(git.get("diff_stat_post")))
    executor = result.get("executor") or {}
    if executor.get("name"):
        yield "Executor", text(f"{executor['name']}: {executor.get('outcome')}")
        yield "Contained", text(as_text(executor.get("contained")))
        yield "Refused", text("; ".join(map(str, executor.get("denied") or [])))
    for each in result.get("commands") or []:
        ended = each.get("exit_code")
        passed = badge("exit 0", "good") if ended == 0 else badge(f"exit {ended}", "bad")
        yield "Ran", together(code(each.get("cmd")), " ", passed)
    if status == "success" and not result.get("commands"):
        yield "Ran", "nothing: the change is not verified"


def _file(bridge: Bridge, label: str, ident: str, name: str, secrets: Sequence[str]) -> Node:
    """The end of a file of the Bridge; its name comes from the layout, never from a request."""
    data = files.read_bytes(os.path.join(bridge.root, HANDOFF_DIR, name))
    if data is None:
        return None
    shown = redact(data[-_MAX_TEXT:].decode("utf-8", "replace"), values=secrets)
    cut = "The end of it; the rest is in the file." if len(data) > _MAX_TEXT else None
    return parts.card(
        label,
        ident,
        parts.small(f"{HANDOFF_DIR}/{name}", f" ({cut})" if cut else None),
        tag("pre", parts.words(shown), class_="box", tabindex="0"),
    )


# end of module
