"""How plan and todos went: when each step was begun and completed, and what was observed meanwhile.

Pure. Owns the part of the work record that the events ``plan`` and the host's todo tools make. Does not own
the rest of the record (``evidence.objective_facts``) or a step's name (``evidence.plan_events``).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from operators_edge.model import HOST
from operators_edge.system.digest import sha256_hex
from operators_edge.text import timestamps

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from operators_edge.evidence.objective_facts import Work
    from operators_edge.evidence.session_facts import Entry

STEPS_KEPT = 300
TODOS_KEPT = 100
OPEN_TODOS_CARRIED = 30
"""Open todos that a new objective takes over."""

FILES_SHOWN = 20
CHECKS_SHOWN = 10
FAILED_SHOWN = 5

TODO_STATUSES = ("pending", "in_progress", "completed", "deleted")

# One command of the product alone: it tells what is claimed, and is no work.
_OWN = re.compile(r"\s*(?:[\w./~-]*/)?edge(?:\s[^;&|\n]*)?\s*")


def new_course() -> Work:
    """The keys of an empty record that belong to this module.

    ``order`` holds the keys of the plan as the log last told it, ``plan_hash`` its identity; ``steps`` every
    step that it ever named, ``todos`` the host's. ``completions`` says where the last completed one stood, of
    steps and of todos; ``told`` where the plan was last told.
    """
    return {
        "plan_hash": None,
        "order": [],
        "steps": {},
        "todos": {},
        "completions": {},
        "told": None,
    }


def is_own(command: str) -> bool:
    """Whether nothing but one of the product's own commands is run."""
    return _OWN.fullmatch(command) is not None


# -- one thing's way -------------------------------------------------------------------------------


def _fresh(text: str) -> dict[str, Any]:
    return {
        "text": text,
        "status": None,
        "seq": 0,
        "started_seq": None,
        "started_at": None,
        "completed_seq": None,
        "completed_at": None,
        "from_seq": None,
        "actions_from": None,
        "seen": None,
    }


def _move(work: Work, one: dict[str, Any], status: str, entry: Entry) -> bool:
    """Bring a step or todo to a status; True where it was completed by this.

    What was begun stays begun: who takes a step up again goes on with it.
    """
    if one["status"] == status:
        return False
    seq = _seq(entry)
    one["status"], one["seq"] = status, seq
    if status == "in_progress" and one["started_seq"] is None:
        one["started_seq"], one["started_at"] = seq, entry.get("timestamp")
        one["actions_from"] = _actions(work)
    if status == "completed":
        one["completed_seq"], one["completed_at"] = seq, entry.get("timestamp")
        return True
    one["completed_seq"] = one["completed_at"] = one["seen"] = None
    return False


def _completed(work: Work, kind: str, done: Iterable[dict[str, Any]], entry: Entry) -> None:
    """Keep what was observed for the ones that one entry completed, before later work covers it."""
    finished = list(done)
    before = work["completions"].get(kind) or {}
    for one in finished:
        if one["started_seq"] is None and one["from_seq"] is None:
            one["actions_from"] = before.get("actions", 0)
            one["from_seq"] = before.get("seq") or (work["since"] or {}).get("seq") or 0
        one["seen"] = _seen(work, one, _seq(entry))
    if finished:
        work["completions"][kind] = {"seq": _seq(entry), "actions": _actions(work)}


def _begun(work: Work, one: dict[str, Any]) -> int:
    """The entry behind which the interval begins."""
    if one["started_seq"] is not None:
        return int(one["started_seq"])
    if one["from_seq"] is not None:
        return int(one["from_seq"])
    last = work["completions"].get("steps") or work["since"] or {}
    return int(last.get("seq") or 0)


def _seen(work: Work, one: dict[str, Any], to: int) -> dict[str, Any]:
    start = _begun(work, one)
    files = [path for path, each in work["files"].items() if start < each["seq"] <= to]
    ran = {
        text: each
        for text, each in work["commands"].items()
        if start < each["seq"] <= to and not is_own(text)
    }
    checks = [each for each in work["checks"] if start < each["seq"] <= to]
    failed = [text for text, each in ran.items() if each["passed"] is False]
    return {
        "files": files[-FILES_SHOWN:],
        "files_count": len(files),
        "tree": [],
        "commands": len(ran),
        "failed": failed[-FAILED_SHOWN:],
        "checks": [
            {name: each.get(name) for name in ("seq", "kind", "name", "passed")}
            for each in checks[-CHECKS_SHOWN:]
        ],
        "actions": max(0, _actions(work) - (one["actions_from"] or 0)),
        "from": start + 1,
        "to": to,
    }


def seen_of(work: Work, key: str) -> dict[str, Any]:
    """What was observed for the step of that key, while or until now; {} for an unknown one."""
    one = work["steps"].get(key)
    if one is None or one["source"] == HOST:
        todo = _mirrored(work, key)
        if todo is not None and todo["seen"] is not None:
            return dict(todo["seen"])
    if one is None:
        return {}
    if one["seen"] is not None:
        return dict(one["seen"])
    now = max((each["seq"] for each in _newest(work)), default=0)
    return _seen(work, one, now)


def _newest(work: Work) -> Iterable[dict[str, Any]]:
    yield from list(work["files"].values())[-1:]
    yield from list(work["commands"].values())[-1:]
    yield from work["checks"][-1:]


def _actions(work: Work) -> int:
    return int(work["actions"] - work["own"])


def keys_of(texts: Iterable[object]) -> list[str]:
    """One key for each description; a repeated one is numbered from its second time on."""
    found: dict[str, int] = {}
    keys = []
    for text in texts:
        key = sha256_hex(" ".join(str(text or "").split()).encode("utf-8", "backslashreplace"))[:12]
        found[key] = found.get(key, 0) + 1
        keys.append(key if found[key] == 1 else f"{key}#{found[key]}")
    return keys


# -- the plan --------------------------------------------------------------------------------------


def plan(work: Work, entry: Entry, data: dict[str, Any]) -> None:
    """The plan as it is now."""
    told = [each for each in data.get("steps") or [] if isinstance(each, dict) and each.get("key")]
    steps, order = work["steps"], [str(each["key"]) for each in told]
    _carry(steps, work["order"], order)
    done = []
    for each, key in zip(told, order, strict=True):
        one = steps.get(key) or _fresh("")
        steps[key] = one
        one["text"] = str(each.get("text") or "")
        one["source"] = each.get("source") or ""
        one["verification"] = each.get("verification") or ""
        one["gone_seq"] = None
        one.setdefault("first_seq", _seq(entry))
        todo = _mirrored(work, key) if one["source"] == HOST else None
        if todo is not None:
            todo["mirrored"] = True
        if todo is not None and todo["status"] == each.get("status"):
            one |= {name: todo[name] for name in _fresh("") if name != "text"}
        elif _move(work, one, str(each.get("status") or "pending"), entry):
            done.append(one)
    for key in set(work["order"]).difference(order):
        if key in steps:
            steps[key]["gone_seq"] = _seq(entry)
    _completed(work, "steps", done, entry)
    work["order"], work["plan_hash"] = order, data.get("hash")
    work["told"] = {"seq": _seq(entry), "at": entry.get("timestamp")}
    _bound(work, "steps", STEPS_KEPT, lambda one: one["gone_seq"] is not None)


def _carry(steps: dict[str, Any], before: list[str], now: list[str]) -> None:
    """One description that was reworded in its place is the same step, under another key."""
    gone = [key for key in before if key not in now]
    new = [key for key in now if key not in before]
    if len(gone) == len(new) == 1 and before.index(gone[0]) == now.index(new[0]):
        one = steps.pop(gone[0], None)
        if one is not None:
            steps[new[0]] = one


def _mirrored(work: Work, key: str) -> dict[str, Any] | None:
    """The todo that a step of the host stands for."""
    name, _, number_of = key.partition("#")
    found = [
        each
        for each in work["todos"].values()
        if each["key"] == name and each["status"] != "deleted"
    ]
    number = int(number_of or 1)
    return found[number - 1] if len(found) >= number else None


def enclose(work: Work, entry: Entry, command: str) -> None:
    """What a call completed while it ran, it did itself: `pytest && edge step done 1` is one entry, and
    comes after what its second half told of the plan.
    """
    told = work["told"]
    if told is None or "edge" not in command or not _began_before(entry, told["at"]):
        return
    for one in work["steps"].values():
        if one["completed_seq"] == told["seq"]:
            one["completed_seq"] = _seq(entry)
            one["seen"] = _seen(work, one, _seq(entry))
            work["completions"]["steps"] = {"seq": _seq(entry), "actions": _actions(work)}


def _began_before(entry: Entry, at: str | None) -> bool:
    from datetime import timedelta  # noqa: PLC0415 - for these commands alone

    took, ended, start = (
        entry.get("duration_ms"),
        timestamps.parse(entry.get("timestamp")),
        timestamps.parse(at),
    )
    if not isinstance(took, int) or ended is None or start is None:
        return False
    return ended - timedelta(milliseconds=took) <= start


def looked(work: Work, paths: list[str]) -> None:
    """Files that a look at the tree showed may belong to any step completed since the look before."""
    if not paths:
        return
    for one in (*work["steps"].values(), *work["todos"].values()):
        if one["seen"] is not None and (one["completed_seq"] or 0) > work["looked"]:
            one["seen"]["tree"] = paths[-FILES_SHOWN:]


# -- the host's todos ------------------------------------------------------------------------------


def todos(work: Work, entry: Entry, told: Any) -> None:
    """The host's todo tools: a whole list, or one todo that is new or has changed (PR-6).

    A subagent's list is its own affair, and is passed over.
    """
    items = told.get("items") if isinstance(told, dict) else None
    if entry.get("agent") or entry.get("success") is False or not isinstance(items, list):
        return
    items = [each for each in items if isinstance(each, dict)]
    done = _listed(work, entry, items) if told.get("all") else _changed(work, entry, items)
    _completed(work, "todos", done, entry)
    _bound(work, "todos", TODOS_KEPT, lambda one: one["status"] == "deleted")


def _listed(work: Work, entry: Entry, items: list[dict[str, Any]]) -> list[dict[str, Any]]:
    session = str(entry.get("session") or "")
    texts = [str(each.get("text") or "") for each in items]
    idents = [f"{session}/{key}" for key in keys_of(texts)]
    for ident, one in work["todos"].items():
        is_dropped = one["session"] == session and ident not in idents
        if is_dropped and one["status"] != "completed":
            _move(work, one, "deleted", entry)
    found = []
    for ident, text, each in zip(idents, texts, items, strict=True):
        one = work["todos"].pop(ident, None) or _todo(work, text, session, "")
        work["todos"][ident] = one  # in the order of the list
        if _move(work, one, _status(each), entry):
            found.append(one)
    return found


def _changed(work: Work, entry: Entry, items: list[dict[str, Any]]) -> list[dict[str, Any]]:
    session = str(entry.get("session") or "")
    found = []
    for each in items:
        ident, text = f"{session}/{each.get('id')}", str(each.get("text") or "")
        one = work["todos"].get(ident)
        if one is None:
            if not text:
                continue  # nobody knows what it is about
            one = work["todos"][ident] = _todo(work, text, session, str(each.get("id")))
        elif text and text != one["text"]:
            one["was"], one["text"], one["key"] = one["text"], text, keys_of([text])[0]
        is_new = one["status"] is None
        if (is_new or "status" in each) and _move(work, one, _status(each), entry):
            found.append(one)
    return found


def _todo(work: Work, text: str, session: str, ident: str) -> dict[str, Any]:
    """A new todo; one that an earlier session left open under the same words is taken over."""
    key = keys_of([text])[0]
    for name, one in work["todos"].items():
        is_open = one["status"] in ("pending", "in_progress")
        if one["key"] == key and one["session"] != session and is_open:
            del work["todos"][name]
            return {**one, "session": session, "id": ident}
    more = {"key": key, "session": session, "id": ident, "mirrored": False, "was": None}
    return {**_fresh(text), **more}


def _status(each: dict[str, Any]) -> str:
    status = each.get("status")
    return str(status) if status in TODO_STATUSES else "pending"


def open_todos(work: Work) -> list[dict[str, Any]]:
    """What a new objective takes over: the host goes on naming these by their ids."""
    return [
        {name: one[name] for name in ("session", "id", "text", "status", "mirrored")}
        for one in work["todos"].values()
        if one["status"] in ("pending", "in_progress")
    ][-OPEN_TODOS_CARRIED:]


def take_over(work: Work, entry: Entry, told: Any) -> None:
    """The todos that were open when the objective was set."""
    for each in told if isinstance(told, list) else []:
        if not isinstance(each, dict):
            continue
        text, session = str(each.get("text") or ""), str(each.get("session") or "")
        one = _todo(work, text, session, str(each.get("id") or ""))
        one["mirrored"] = each.get("mirrored") is True
        work["todos"][f"{session}/{one['id'] or one['key']}"] = one
        _move(work, one, _status(each), entry)


# -- bounds ----------------------------------------------------------------------------------------


def _bound(work: Work, name: str, most: int, goes_first: Callable[[dict[str, Any]], bool]) -> None:
    table = work[name]
    while len(table) > most:
        gone = next((key for key, one in table.items() if goes_first(one)), next(iter(table)))
        del table[gone]
        work["dropped"][name] = work["dropped"].get(name, 0) + 1


def _seq(entry: Entry) -> int:
    return int(entry.get("seq") or 0)
