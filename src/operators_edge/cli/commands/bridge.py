"""``edge bridge``: task files for an agent that works by itself; each result is verified and written.

Owns the commands' syntax and output. The queue is in ``bridge.queue``, the steps of a task in
``bridge.attempt``.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import time

from operators_edge.approvals import junction
from operators_edge.bridge import cleanup, from_plan, layout
from operators_edge.bridge.inbox_store import read_task
from operators_edge.bridge.json_text import NotJson, read_object
from operators_edge.bridge.permissions import take_up_answers
from operators_edge.cli import executors, queue_view
from operators_edge.cli.command import Answer, Args, arg, command
from operators_edge.cli.commands import approve
from operators_edge.cli.person import require_person
from operators_edge.config import effective
from operators_edge.datetimes import timedelta
from operators_edge.errors import AnswerIsNo, NotSetUp, UsageError
from operators_edge.evidence.checks import detect
from operators_edge.locations import HANDOFF_DIR
from operators_edge.project import wall_clock
from operators_edge.redaction.redact import redact
from operators_edge.sessions import decisions, tasks
from operators_edge.sessions.task_commands import TaskCommands
from operators_edge.storage import files
from operators_edge.system import deferral
from operators_edge.text.markup import hanging_indent, labelled
from operators_edge.text.wording import amount, many, one_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from typing import Any, Literal

    from operators_edge.bridge.queue import TaskRow
    from operators_edge.bridge.service import Bridge
    from operators_edge.bridge.watcher import Ran
    from operators_edge.project import Project

_ID = arg("ID", "the task")
_MAX_DAYS = 36_500


def _bridge(args: Args) -> Bridge:
    """The project's Bridge; NotSetUp where there is none."""
    root = args.location.root or os.path.realpath(args.named or os.getcwd())
    if not os.path.isdir(os.path.join(root, HANDOFF_DIR)):
        raise NotSetUp(f"{root} has no Bridge", hint="edge bridge init")
    return executors.bridge_of(root)


def _persons_bridge(args: Args) -> Bridge:
    """The project's Bridge, for a command that only a person may run."""
    bridge = _bridge(args)
    require_person(f"{args.words} {args.id}", bridge.root)
    return bridge


def _permissions(args: Args, bridge: Bridge) -> TaskCommands:
    """The gate for the tasks' commands; where the project is not set up, nobody can answer it."""
    is_set_up = args.location.is_set_up and args.location.root == bridge.root
    return TaskCommands(bridge.root, args.project if is_set_up else None)


@command("bridge init", about="make the folders for tasks and results in this project")
def _init(args: Args) -> Answer:
    root = args.location.root or os.path.realpath(args.named or os.getcwd())
    if not os.path.exists(os.path.join(root, ".git")):
        raise UsageError(f"{root} is not the top of a git repository", hint="git init")
    bridge = executors.bridge_of(root)
    bridge.queue.prepare()
    where = os.path.join(root, HANDOFF_DIR)
    states, lines = executors.found(bridge)
    first = [f"Tasks go into {HANDOFF_DIR}/tasks; git ignores the folder."]
    new = " ".join(bridge.new_settings())
    if new:
        first += hanging_indent("", f"Settings are for everyone who works here: git add {new}")
    return Answer({"folder": where, "executors": states}, [*first, *lines])


@command(
    "bridge submit",
    arg("[FILE...]", "a task file, or - for standard input; with --from-plan, numbers of steps"),
    arg(
        "--from-plan", "steps of the plan, each from the one before; without numbers, all open ones"
    ),
    arg("--executor E", "which configured executor edits, for --from-plan", default=""),
    about="put tasks into the queue",
    example="task.json",
)
def _submit(args: Args) -> Answer:
    bridge, rows, refused = _bridge(args), [], []
    for name, read in _given_tasks(args):
        try:
            rows.append(bridge.queue.submit(read()))
        except (NotJson, UsageError, AnswerIsNo) as error:
            why = redact(getattr(error, "message", str(error)), values=bridge.secrets())
            refused.append({"file": name, "why": why})
    lines = [f"{each.stem} waits for its turn." for each in rows]
    lines += [one_line(f"{each['file']}: not taken: {each['why']}", 2_000) for each in refused]
    data = {"submitted": [each.stem for each in rows], "refused": refused}
    return Answer(data, lines, ok=not refused)


def _given_tasks(args: Args) -> Iterator[tuple[str, Callable[[], Mapping[str, Any]]]]:
    """A name for each given task, and what reads it."""
    if args.from_plan:
        for task in _tasks_of_plan(args):
            yield f"step {task[from_plan.FIELD]['number']}", lambda task=task: task  # type: ignore[misc]
        return
    if not args.file:
        raise UsageError("name a task file, - or --from-plan", hint="edge bridge submit task.json")
    if args.executor:
        raise UsageError("--executor is for --from-plan; a task file names its own")
    for name in args.file:
        yield name, lambda name=name: read_object(_content(name))  # type: ignore[misc]


def _tasks_of_plan(args: Args) -> list[dict[str, Any]]:
    wrong = [each for each in args.file if not (each.isascii() and each.isdigit())]
    if wrong:
        raise UsageError(
            f"{wrong[0]!r} is not the number of a step", hint="edge bridge submit --from-plan 2"
        )
    project = args.project
    custom = effective.checks(project.root)
    return from_plan.tasks_of(
        project.state.read(),
        [int(each) for each in args.file],
        is_check=lambda text: bool(detect.checks_of(text, custom)),
        executor=args.executor,
    )


def _content(name: str) -> bytes:
    if name == "-":
        return sys.stdin.buffer.read()
    data = files.read_bytes(name)
    if data is None:
        raise UsageError(f"there is no file {name}")
    return data


@command(
    "bridge watch",
    [
        arg("--once", "one task, then end"),
        arg("--drain", "until no task can run, then end"),
    ],
    about="work through the queue: let an agent edit, verify, write results",
    example="--drain",
    draws=True,
)
def _watch(args: Args) -> int:
    """Exit code: 0 all succeeded, 1 something failed, 3 something waits for a person."""
    deferral.run_all()
    bridge = _bridge(args)
    view = _teller(args, bridge)
    watcher = bridge.watcher(view.tell, _permissions(args, bridge))
    before = signal.signal(signal.SIGTERM, lambda *_: watcher.stop())
    try:
        with view:
            ran = watcher.run(is_once=args.once, is_drain=args.drain)
    except KeyboardInterrupt:
        watcher.stop()
        raise
    finally:
        signal.signal(signal.SIGTERM, before)
    code = _exit_code(ran.reasons)
    data = {"reasons": list(ran.reasons), "stopped": ran.did_stop}
    last = queue_view.as_object("finished", "", wall_clock())
    args.terminal.show(data, _summary(bridge, view, ran), ok=code == 0, more=last)
    return code


def _summary(bridge: Bridge, view: queue_view.View, ran: Ran) -> list[str]:
    """How the queue stands after the last attempt."""
    queue = bridge.queue
    lines = queue_view.summary(view.ended, lambda stem: (queue.task(stem), bridge.result(stem)))
    left = queue.counts().get("queued", 0)
    if ran.did_stop and left:
        why = f"{left}: the failure stopped the queue; edge bridge watch goes on"
        lines += labelled("Queued", why)
    return lines


def _exit_code(reasons: Sequence[str | None]) -> int:
    if any(each not in (None, "requires_confirmation", "secret_in_diff") for each in reasons):
        return 1
    return 3 if any(reasons) else 0


def _teller(args: Args, bridge: Bridge) -> queue_view.View:
    """What shows each event as it happens; with ``--json`` an object each, and the answer last."""
    if args.json:
        return queue_view.Objects(wall_clock)
    terminal = args.terminal
    if terminal.out.isatty() and os.environ.get("TERM") != "dumb":
        return queue_view.Live(terminal, bridge.queue, time.monotonic)
    return queue_view.Lines(terminal)


@command("bridge status", about="how many tasks are in each state, and whether a watcher runs")
def _status(args: Args) -> Answer:
    bridge = _bridge(args)
    seen, watcher = tasks.gather(bridge.root), bridge.watched_by()
    who = f"process {watcher.get('pid', '?')} on {watcher.get('host', '?')}" if watcher else ""
    counts = bridge.queue.counts()
    known = [f"{counts[each]} {each}" for each in queue_view.STATES if counts.get(each)]
    lines = labelled("Tasks", ", ".join(known) or "none")
    lines += labelled("Waiting", tasks.line(seen))
    lines += labelled("Watcher", who or "none runs: edge bridge watch")
    return Answer({"tasks": seen, "watcher": watcher}, lines)


@command("bridge list", about="list the tasks and their state", is_alone=True)
def _list(args: Args) -> Answer:
    bridge = _bridge(args)
    unfinished = ("queued", "pending", "failed")  # their results say why they are where they are
    rows = [
        (row, bridge.result(row.stem) if row.state in unfinished else {})
        for row in bridge.queue.tasks()
    ]
    for row, result in rows:
        if row.state == "queued" and not result:
            result["detail"] = _waits_for(bridge, row)
    data = [
        {
            "id": row.stem,
            "state": row.state,
            "attempt": row.attempt,
            "at": row.changed_at,
            "reason": result.get("reason"),
            "detail": result.get("detail", ""),
            "due": row.due or None,
        }
        for row, result in rows
    ]
    lines = queue_view.list_lines(rows)
    return Answer(data, lines or "No tasks. Put one in: edge bridge submit FILE")


def _waits_for(bridge: Bridge, row: TaskRow) -> str:
    """Which task a queued one has to wait for, in a sentence; "" for none."""
    task = read_task(bridge.root, row).task
    if task is None or not task["depends_on"]:
        return ""
    ident, state = bridge.queue.dependency(task)
    if state is None:
        return ""
    try:
        return f"it depends on {ident}, which {queue_view.state_words(bridge.queue.task(ident))}"
    except AnswerIsNo:
        return f"it depends on {ident}, which nobody has submitted"


@command("bridge show", _ID, about="show a task's result", example="2026-01-02_01_fix")
def _show(args: Args) -> Answer:
    bridge = _bridge(args)
    row = bridge.queue.task(args.id)
    result, task = bridge.result(row.stem), bridge.to_do(row)
    for path in bridge.queue.planted(row):
        args.terminal.warn(f"{path} is not as the Bridge wrote it")
    data = result or {"id": row.stem, "state": row.state, "task": task}
    return Answer(data, queue_view.show_lines(row, result, task))


@command(
    "bridge approve",
    _ID,
    example="2026-01-02_01_fix",
    about="let a waiting task run (a person only)",
)
def _approve(args: Args) -> Answer:
    bridge = _persons_bridge(args)
    row = bridge.queue.task(args.id)
    secrets = bridge.secrets()
    lines = [_decided(args, each) for each in row.questions if _is_open(args.project, each)]
    if row.questions:
        take_up_answers(bridge.queue, _permissions(args, bridge))
        row = bridge.queue.task(args.id)
    else:
        row = bridge.queue.approve(args.id, by=decisions.person_name())
        lines = [f"Approved: {each}" for each in _sealed_commands(row, secrets)]
    data = {"id": row.stem, "state": row.state}
    return Answer(
        data, [*lines, f"{row.stem} {queue_view.state_words(row)}."], ok=row.state == "queued"
    )


def _sealed_commands(row: TaskRow, secrets: Sequence[str]) -> list[str]:
    """The commands that are approved with the task, as a person may see them."""
    commands = json.loads(row.work).get("sealed", {})
    return [one_line(redact(each, values=secrets), 400) for each in commands]


def _decided(args: Args, ident: str) -> str:
    """Ask about one command of a task, as ``edge approve`` does, and give the answer."""
    by = f"{decisions.person_name()}, at a terminal"
    decide = decisions.Decisions(args.project, session=args.project.latest_session(), by=by)
    decide.take_up_question(ident)
    answer = approve.chosen(decide, args.project.state.read()["junction"], "")
    return answer.text if isinstance(answer.text, str) else "\n".join(answer.text)


def _is_open(project: Project, ident: str) -> bool:
    return any(each["id"] == ident for each in junction.open_questions(project.state.read()))


@command(
    "bridge reject", _ID, example="2026-01-02_01_fix", about="refuse a waiting task (a person only)"
)
def _reject(args: Args) -> Answer:
    return _dropped(args, "rejected")


@command(
    "bridge cancel",
    _ID,
    example="2026-01-02_01_fix",
    about="take a task out of the queue (a person only)",
)
def _cancel(args: Args) -> Answer:
    return _dropped(args, "cancelled")


def _dropped(args: Args, reason: Literal["cancelled", "rejected"]) -> Answer:
    row = _persons_bridge(args).queue.drop(
        args.id, reason, detail=f"{reason} by {decisions.person_name()}"
    )
    is_running = row.state == "running"
    text = f"{row.stem} runs; its watcher ends it now" if is_running else f"{row.stem} is {reason}"
    return Answer({"id": row.stem, "reason": reason, "running": is_running}, f"{text}.")


@command(
    "bridge retry",
    _ID,
    example="2026-01-02_01_fix",
    about="queue a failed task again (a person only)",
)
def _retry(args: Args) -> Answer:
    row = _persons_bridge(args).queue.retry(args.id)
    return Answer(
        {"id": row.stem, "attempt": row.attempt}, f"{row.stem} {queue_view.state_words(row)}."
    )


@command(
    "bridge gc",
    arg("--days N", "of tasks that ended at least so many days ago", type=int, default=30),
    arg("--failed", "of failed tasks, too: what they did is nowhere else"),
    arg("--dry-run", "only say what would go"),
    about="remove what old tasks left: logs, patches (a person only)",
    example="--days 7 --dry-run",
)
def _gc(args: Args) -> Answer:
    bridge = _bridge(args)
    if not args.dry_run:
        require_person(args.words, bridge.root)
    if not 0 <= args.days <= _MAX_DAYS:
        raise UsageError(f"{args.days} is not a number of days", hint="edge bridge gc --days 30")
    ended = ("done", "failed") if args.failed else ("done",)
    rows = bridge.queue.tasks()
    old = [each for each in rows if each.state in ended]
    left = cleanup.found(bridge.root, old, wall_clock() - timedelta(days=args.days))
    if not args.dry_run:
        cleanup.remove(bridge.root, left)
    trees, problems = bridge.remove_trees(rows, is_trial=args.dry_run)
    verb = "Would remove" if args.dry_run else "Removed"
    parts = [many(len(left.files), "file"), amount(left.size)]
    parts += [many(len(left.refs), "side ref")] if left.refs else []
    lines = []
    if left.tasks:
        lines.append(f"{verb} {', '.join(parts)} of {many(len(left.tasks), 'task')}.")
    if trees:
        lines.append(f"{verb} {many(len(trees), 'working tree')} of ended attempts.")
    data = {
        "files": left.files,
        "bytes": left.size,
        "refs": left.refs,
        "tasks": left.tasks,
        "worktrees": trees,
        "problems": problems,
    }
    return Answer(data, [*lines, *problems] or "Nothing to remove.", ok=not problems)


@command(
    "bridge logs", _ID, example="2026-01-02_01_fix", about="print the log of a task's last attempt"
)
def _logs(args: Args) -> Answer:
    bridge = _bridge(args)
    row = bridge.queue.task(args.id)
    path = os.path.join(bridge.root, HANDOFF_DIR, layout.artifacts(row.stem).logs)
    data = files.read_bytes(path)
    if data is None:
        raise AnswerIsNo(f"there is no log of {row.stem}", hint=f"edge bridge show {row.stem}")
    text = data.decode("utf-8", "replace")
    return Answer({"id": row.stem, "log": text}, text)


# end of module
