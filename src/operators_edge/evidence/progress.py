"""How plan and todos progressed: when each step started and was completed, and what was observed meanwhile.

Pure. Owns the part of the objective's facts that the event ``plan`` and the host's todo tools make. Does not
own the rest of them (``evidence.objective_facts``) or what is logged of a plan (``evidence.plan_events``).
"""

from __future__ import annotations

from operators_edge.datetimes import timedelta
from operators_edge.model import HOST
from operators_edge.system.digest import sha256_hex
from operators_edge.text import timestamps
from operators_edge.text.patterns import pattern
from operators_edge.tuples import cast

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any, TypedDict

    from operators_edge.evidence.objective_facts import ObjectiveFacts
    from operators_edge.records import LogEntry

    class LogPoint(TypedDict):
        """The number and the time of a log entry."""

        seq: int
        at: str | None

    class StepCheck(TypedDict):
        """A run of a check, shortened; ``Run`` has the rest."""

        seq: int
        kind: str
        name: str
        passed: bool | None

    class Item(TypedDict):
        """A step or a todo: when it started and was completed, as log entries.

        ``seen`` is set on completion.
        """

        text: str
        status: str | None
        seq: int
        started_seq: int | None
        completed_seq: int | None
        from_seq: int | None
        actions_from: int | None
        seen: Observed | None

    class StepFacts(Item):
        """A step that the plan ever had; ``gone_seq`` is set if it was removed."""

        source: str
        verification: str
        gone_seq: int | None
        first_seq: int

    class TodoFacts(Item):
        """A todo of the host; ``mirrored``: it is in the plan. ``was``: its text before the last change."""

        key: str
        session: str
        id: str
        mirrored: bool
        was: str | None

    class Completion(TypedDict):
        seq: int
        actions: int

    class PlanFacts(TypedDict):
        """The plan and the todos as the log shows them.

        ``order`` holds the keys of the latest plan, ``plan_hash`` its identity, ``told`` where it was logged.
        ``steps``: every step that it ever had. ``completions``: the last completed step and todo.
        """

        plan_hash: str | None
        order: list[str]
        steps: dict[str, StepFacts]
        todos: dict[str, TodoFacts]
        completions: dict[str, Completion]
        told: LogPoint | None

    Observed = TypedDict(
        "Observed",
        {
            "files": list[str],
            "files_count": int,
            "tree": list[str],
            "commands": int,
            "failed": list[str],
            "checks": list[Any],
            "actions": int,
            "from": int,
            "to": int,
        },
    )
    """What was observed during a step, or a todo.

    ``files``: paths that were written; ``tree``: paths that the next tree state showed, which may belong to
    it. ``commands``: how many different ones ran; ``failed``: which of them failed. ``checks``: ``StepCheck``
    or ``Run``. ``actions``: tool uses that were not claims. ``from``, ``to``: the first and last log entry.
    """


STEPS_KEPT = 300
TODOS_KEPT = 100
OPEN_TODOS_CARRIED = 30
"""Open todos that a new objective takes over."""

FILES_SHOWN = 20
CHECKS_SHOWN = 10
FAILED_SHOWN = 5

TODO_STATUSES = ("pending", "in_progress", "completed", "deleted")

# One command of the product alone: it states what is claimed, and is not work.
_OWN_COMMAND = pattern(r"\s*(?:[\w./~-]*/)?edge(?:\s[^;&|\n]*)?\s*")


def new_facts() -> PlanFacts:
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
    return _OWN_COMMAND.fullmatch(command) is not None


# -- one step or todo ------------------------------------------------------------------------------


def _new_item(text: str) -> Item:
    return {
        "text": text,
        "status": None,
        "seq": 0,
        "started_seq": None,
        "completed_seq": None,
        "from_seq": None,
        "actions_from": None,
        "seen": None,
    }


def _set_status(work: ObjectiveFacts, item: Item, status: str, entry: LogEntry) -> bool:
    """Set a status; True if this completed the item. Only its first start counts."""
    if item["status"] == status:
        return False
    seq = _seq(entry)
    item["status"], item["seq"] = status, seq
    if status == "in_progress" and item["started_seq"] is None:
        item["started_seq"], item["actions_from"] = seq, _actions(work)
    if status == "completed":
        item["completed_seq"] = seq
        return True
    item["completed_seq"] = item["seen"] = None
    return False


def _keep_observed(work: ObjectiveFacts, kind: str, done: Iterable[Item], entry: LogEntry) -> None:
    """Keep what was observed for items completed by one entry, before later work overwrites it."""
    completed = list(done)
    before = work["completions"].get(kind)
    for item in completed:
        if item["started_seq"] is None and item["from_seq"] is None:
            item["actions_from"] = before["actions"] if before else 0
            item["from_seq"] = (before["seq"] if before else 0) or _since(work)
        item["seen"] = _observed(work, item, _seq(entry))
    if completed:
        work["completions"][kind] = {"seq": _seq(entry), "actions": _actions(work)}


def _since(work: ObjectiveFacts) -> int:
    return work["since"]["seq"] if work["since"] else 0


def _start_of(work: ObjectiveFacts, item: Item) -> int:
    """The entry after which the item's interval begins."""
    for seq in (item["started_seq"], item["from_seq"]):
        if seq is not None:
            return seq
    last = work["completions"].get("steps")
    return last["seq"] if last else _since(work)


def _observed(work: ObjectiveFacts, item: Item, to: int) -> Observed:
    start = _start_of(work, item)
    files = [path for path, each in work["files"].items() if start < each["seq"] <= to]
    ran = {
        text: each
        for text, each in work["commands"].items()
        if start < each["seq"] <= to and not is_own(text)
    }
    checks: list[StepCheck] = [
        {"seq": run["seq"], "kind": run["kind"], "name": run["name"], "passed": run["passed"]}
        for run in work["checks"]
        if start < run["seq"] <= to
    ]
    failed = [text for text, each in ran.items() if each["passed"] is False]
    return {
        "files": files[-FILES_SHOWN:],
        "files_count": len(files),
        "tree": [],
        "commands": len(ran),
        "failed": failed[-FAILED_SHOWN:],
        "checks": checks[-CHECKS_SHOWN:],
        "actions": max(0, _actions(work) - (item["actions_from"] or 0)),
        "from": start + 1,
        "to": to,
    }


def observed_during(work: ObjectiveFacts, key: str) -> Observed | None:
    """What was observed for a step, with the whole runs of its checks; None for a step that was never logged.

    A step begins when it is started, or else with the completion before it; it ends with its own, or now.
    """
    step = work["steps"].get(key)
    todo = _todo_of_step(work, key) if step is None or step["source"] == HOST else None
    seen = (todo and todo["seen"]) or (step and step["seen"])
    if step is not None and seen is None:
        seen = _observed(work, step, max(_latest(work), default=0))
    if seen is None:
        return None
    runs = {(run["seq"], run["name"]): run for run in work["checks"]}
    checks = [runs.get((each["seq"], each["name"]), each) for each in seen["checks"]]
    return {**seen, "checks": checks}


def _latest(work: ObjectiveFacts) -> Iterable[int]:
    for table in (work["files"], work["commands"]):
        yield from (each["seq"] for each in list(table.values())[-1:])
    yield from (run["seq"] for run in work["checks"][-1:])


def _actions(work: ObjectiveFacts) -> int:
    return work["actions"] - work["own"]


def keys_of(texts: Iterable[object]) -> list[str]:
    """One key for each description; a repeated one is numbered from its second occurrence."""
    counts: dict[str, int] = {}
    keys = []
    for text in texts:
        key = sha256_hex(" ".join(str(text or "").split()).encode("utf-8", "backslashreplace"))[:12]
        counts[key] = counts.get(key, 0) + 1
        keys.append(key if counts[key] == 1 else f"{key}#{counts[key]}")
    return keys


# -- the plan --------------------------------------------------------------------------------------


def fold_plan(work: ObjectiveFacts, entry: LogEntry, data: dict[str, Any]) -> None:
    """The plan as it is now."""
    logged = [
        each for each in data.get("steps") or [] if isinstance(each, dict) and each.get("key")
    ]
    steps, order = work["steps"], [str(each["key"]) for each in logged]
    _keep_reworded(steps, work["order"], order)
    done: list[Item] = []
    for each, key in zip(logged, order, strict=True):
        step = _step(steps, key, each, entry)
        todo = _todo_of_step(work, key) if step["source"] == HOST else None
        if todo is not None:
            todo["mirrored"] = True
        if todo is not None and todo["status"] == each.get("status"):
            _copy_progress(todo, step)
        elif _set_status(work, step, str(each.get("status") or "pending"), entry):
            done.append(step)
    for key in set(work["order"]).difference(order):
        if key in steps:
            steps[key]["gone_seq"] = _seq(entry)
    _keep_observed(work, "steps", done, entry)
    work["order"], work["plan_hash"] = order, data.get("hash")
    work["told"] = {"seq": _seq(entry), "at": entry.get("timestamp")}
    bound(work, "steps", STEPS_KEPT, lambda step: step["gone_seq"] is not None)


def _step(
    steps: dict[str, StepFacts], key: str, logged: Mapping[str, Any], entry: LogEntry
) -> StepFacts:
    step = steps.get(key)
    if step is None:
        more = {"source": "", "verification": "", "gone_seq": None, "first_seq": _seq(entry)}
        step = steps[key] = cast("StepFacts", {**_new_item(""), **more})
    step["text"] = str(logged.get("text") or "")
    step["source"] = logged.get("source") or ""
    step["verification"] = logged.get("verification") or ""
    step["gone_seq"] = None
    return step


def _copy_progress(todo: TodoFacts, step: StepFacts) -> None:
    """A step that mirrors a todo starts and ends with it."""
    step["status"], step["seq"], step["seen"] = todo["status"], todo["seq"], todo["seen"]
    step["started_seq"], step["completed_seq"] = todo["started_seq"], todo["completed_seq"]
    step["from_seq"], step["actions_from"] = todo["from_seq"], todo["actions_from"]


def _keep_reworded(steps: dict[str, StepFacts], before: list[str], now: list[str]) -> None:
    """A single description that was reworded in place is the same step, under another key."""
    missing = [key for key in before if key not in now]
    new = [key for key in now if key not in before]
    if len(missing) == len(new) == 1 and before.index(missing[0]) == now.index(new[0]):
        step = steps.pop(missing[0], None)
        if step is not None:
            steps[new[0]] = step


def _todo_of_step(work: ObjectiveFacts, key: str) -> TodoFacts | None:
    """The todo that a mirrored step stands for."""
    name, _, number_of = key.partition("#")
    todos = [
        each
        for each in work["todos"].values()
        if each["key"] == name and each["status"] != "deleted"
    ]
    number = int(number_of or 1)
    return todos[number - 1] if len(todos) >= number else None


def extend_to_call(work: ObjectiveFacts, entry: LogEntry, command: str) -> None:
    """Include a call in the steps that it completed while it ran.

    `pytest && edge step done 1` is one entry, logged after the plan that its second half changed.
    """
    told = work["told"]
    if told is None or "edge" not in command or not _began_before(entry, told["at"]):
        return
    for step in work["steps"].values():
        if step["completed_seq"] == told["seq"]:
            step["completed_seq"] = _seq(entry)
            step["seen"] = _observed(work, step, _seq(entry))
            work["completions"]["steps"] = {"seq": _seq(entry), "actions": _actions(work)}


def _began_before(entry: LogEntry, at: str | None) -> bool:
    duration, ended, start = (
        entry.get("duration_ms"),
        timestamps.parse(entry.get("timestamp")),
        timestamps.parse(at),
    )
    if not isinstance(duration, int) or ended is None or start is None:
        return False
    return ended - start <= timedelta(milliseconds=duration)


def add_tree_files(work: ObjectiveFacts, paths: list[str]) -> None:
    """Files that a tree state showed may belong to any step completed since the tree state before."""
    if not paths:
        return
    for item in (*work["steps"].values(), *work["todos"].values()):
        if item["seen"] is not None and (item["completed_seq"] or 0) > work["looked"]:
            item["seen"]["tree"] = paths[-FILES_SHOWN:]


# -- the host's todos ------------------------------------------------------------------------------


def fold_todos(work: ObjectiveFacts, entry: LogEntry, data: Any) -> None:
    """The host's todo tools: a whole list, or single todos that are new or have changed (PR-6).

    The list of a subagent is private to it, and is skipped.
    """
    items = data.get("items") if isinstance(data, dict) else None
    if entry.get("agent") or entry.get("success") is False or not isinstance(items, list):
        return
    items = [each for each in items if isinstance(each, dict)]
    done = _listed(work, entry, items) if data.get("all") else _changed(work, entry, items)
    _keep_observed(work, "todos", done, entry)
    bound(work, "todos", TODOS_KEPT, lambda todo: todo["status"] == "deleted")


def _listed(work: ObjectiveFacts, entry: LogEntry, items: list[dict[str, Any]]) -> list[TodoFacts]:
    session, known = str(entry.get("session") or ""), work["todos"]
    texts = [str(each.get("text") or "") for each in items]
    idents = [f"{session}/{key}" for key in keys_of(texts)]
    for ident in known.keys() - set(idents):
        if known[ident]["session"] == session and known[ident]["status"] != "completed":
            _set_status(work, known[ident], "deleted", entry)
    done = []
    for ident, text, each in zip(idents, texts, items, strict=True):
        todo = known.get(ident) or _todo(work, text, session, "")
        known.pop(ident, None)
        known[ident] = todo  # in the order of the list
        if _set_status(work, todo, _status(each), entry):
            done.append(todo)
    return done


def _changed(work: ObjectiveFacts, entry: LogEntry, items: list[dict[str, Any]]) -> list[TodoFacts]:
    session = str(entry.get("session") or "")
    done = []
    for each in items:
        ident, text = f"{session}/{each.get('id')}", str(each.get("text") or "")
        todo = work["todos"].get(ident)
        if todo is None:
            if not text:
                continue  # its text is unknown
            todo = work["todos"][ident] = _todo(work, text, session, str(each.get("id")))
        elif text and text != todo["text"]:
            todo["was"], todo["text"], todo["key"] = todo["text"], text, keys_of([text])[0]
        is_new = todo["status"] is None
        if (is_new or "status" in each) and _set_status(work, todo, _status(each), entry):
            done.append(todo)
    return done


def _todo(work: ObjectiveFacts, text: str, session: str, ident: str) -> TodoFacts:
    """A new todo, or one with the same text that an earlier session left open."""
    key = keys_of([text])[0]
    for name, todo in work["todos"].items():
        if todo["key"] == key and todo["session"] != session and _is_open(todo):
            del work["todos"][name]
            return {**todo, "session": session, "id": ident}
    more = {"key": key, "session": session, "id": ident, "mirrored": False, "was": None}
    return cast("TodoFacts", {**_new_item(text), **more})


def _is_open(todo: TodoFacts) -> bool:
    return todo["status"] in ("pending", "in_progress")


def _status(each: dict[str, Any]) -> str:
    status = each.get("status")
    return str(status) if status in TODO_STATUSES else "pending"


def open_todos(work: ObjectiveFacts) -> list[dict[str, Any]]:
    """What a new objective takes over: the host continues to name these by their ids."""
    carried = ("session", "id", "text", "status", "mirrored")
    found = [todo for todo in work["todos"].values() if _is_open(todo)]
    return [
        {name: each for name, each in todo.items() if name in carried}
        for todo in found[-OPEN_TODOS_CARRIED:]
    ]


def adopt_todos(work: ObjectiveFacts, entry: LogEntry, todos: Any) -> None:
    """The todos that were open when the objective was set."""
    for each in todos if isinstance(todos, list) else []:
        if not isinstance(each, dict):
            continue
        text, session = str(each.get("text") or ""), str(each.get("session") or "")
        todo = _todo(work, text, session, str(each.get("id") or ""))
        todo["mirrored"] = each.get("mirrored") is True
        work["todos"][f"{session}/{todo['id'] or todo['key']}"] = todo
        _set_status(work, todo, _status(each), entry)


# -- bounds ----------------------------------------------------------------------------------------


def bound(
    work: ObjectiveFacts, name: str, size: int, goes_first: Callable[[Any], bool] | None = None
) -> None:
    """Drop what is too much of a table: an entry for which ``goes_first`` holds, else the oldest."""
    table: list[Any] | dict[str, Any] = cast("dict[str, Any]", work)[name]
    for _ in range(len(table) - size):
        if isinstance(table, list):
            del table[0]
        else:
            first = (key for key, each in table.items() if goes_first and goes_first(each))
            del table[next(first, next(iter(table)))]
        work["dropped"][name] = work["dropped"].get(name, 0) + 1


def _seq(entry: LogEntry) -> int:
    return int(entry.get("seq") or 0)


# end of module
