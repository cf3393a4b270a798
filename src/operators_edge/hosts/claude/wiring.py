"""The hook entries in Claude Code's settings: their events, their forms, and how ours are recognised.

Pure functions. Owns the one table from which settings and the plugin's ``hooks.json`` are generated, and
what "still guarded" means. Does not own files (``hosts.claude.install``).
"""

from __future__ import annotations

import json
import os
import shlex

from operators_edge.errors import EdgeError
from operators_edge.hosts.claude.environment import Version
from operators_edge.locations import INSTALLED, NAME
from operators_edge.storage import transport
from operators_edge.system import launch, processes
from operators_edge.text.patterns import pattern
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any, Literal

    Hooks = dict[str, list[dict[str, Any]]]
    """The value of ``hooks`` in a settings file: event to groups, a group holding its entries."""

    Form = Literal["exec", "wrapped", "portable", "http", "file", "edge"]
    """``exec``: interpreter and arguments. ``wrapped``: a shell line that blocks when it fails, for
    clients without ``onFailure``. ``portable``: ``edge`` by PATH, without any path of this machine.
    ``http``: tool calls go to the person's port, everything else as ``exec``. ``file`` and ``edge``: what was
    written before ``exec`` and ``portable`` were; they are recognised, and not written any more."""


_OLDER: tuple[Form, ...] = ("file", "edge")

HTTP_EVENTS = ("PreToolUse", "PostToolUse", "PostToolUseFailure")
"""Those that go to the port. Prompts and sessions still start processes: it matters which process sent
them, and their hooks check the http server."""

BLOCKS_ON_FAILURE_SINCE = Version(2, 1, 295)
"""The first client that honours ``onFailure``; older ones ignore it and let the call run."""


class Event(NamedTuple):
    """``must_answer``: without our answer the client must stop, not go on (HO-10).

    Never a person's prompt: to repair a broken installation they may need the client.
    """

    name: str
    timeout: int
    must_answer: bool = False

    @property
    def otherwise(self) -> str:
        """The exit code of a hook that has no answer."""
        return launch.BLOCK if self.must_answer else launch.GO_ON


EVENTS = (
    Event("SessionStart", 30),
    # A typed command may scan the project; any other prompt is answered in a moment.
    Event("UserPromptSubmit", 60),
    # The hook's own deadline is 10 s; the client's must be later, because its time-out lets the call
    # run if the client does not support onFailure.
    Event("PreToolUse", 15, must_answer=True),
    Event("PostToolUse", 15),
    Event("PostToolUseFailure", 15),
    Event("Stop", 30),
    Event("SubagentStart", 15),
    Event("SubagentStop", 15),
    Event("SessionEnd", 30),
    Event("ConfigChange", 15, must_answer=True),
)
"""Every event we answer. None has a matcher: the gate sees every tool, including future ones."""

AGENT_VERBS = (
    "status",
    "run",
    "ask",
    "auto status",
    "auto off",
    "plan",
    "step",
    "objective",
    "intent",
    "next",
    "note",
    "question",
    "risk",
    "constraint",
    "research",
    "handoff",
    "score",
    "brainstorm",
    "lesson",
    "mismatch",
    "adapt",
    "prune",
    "verify",
    "help",
    "review",
    "stats",
    "patrol",
    "migrate --check",
    "explain",
    "rehearse",
    "grants",
    "rules",
    "config show",
    "config path",
    "resident status",
    "serve status",
    "eval run",
    "eval status",
    "eval list",
    "eval show",
    "log tail",
    "log show",
    "log search",
    "log verify",
    "log claims",
    "log rerun",
    "log report",
    "log export",
    "report",
    "why",
    "notify show",
    "loop",
    "history list",
    "history diff",
    "trash",
    "undo",
    "bridge submit",
    "bridge list",
    "bridge status",
    "bridge show",
    "bridge logs",
)
"""What an agent may run without being asked: it writes plans and verdicts, reads, ends its loop (GA-10)."""

PERMISSIONS = tuple(f"Bash(edge {verb}:*)" for verb in AGENT_VERBS)


class Runner(NamedTuple):
    """The program that answers: absolute paths, and ``timeout`` where this machine has one.

    ``url`` is where the person's http transport answers, "" where none was chosen.
    """

    interpreter: str
    hook_file: str
    timeout: str = ""
    url: str = ""


def this_runner(env: Mapping[str, str] = os.environ) -> Runner:
    """The interpreter at work, its link unresolved: a virtual environment is known by its link."""
    try:
        chosen = transport.load(env)
    except EdgeError:
        chosen = None  # no home, or a damaged choice: `edge init --transport` and the holder say so
    import shutil  # noqa: PLC0415 - to set up only

    interpreter, hook = processes.own_program()
    return Runner(interpreter, hook, shutil.which("timeout") or "", chosen.url if chosen else "")


# -- making ----------------------------------------------------------------------------------------


def hooks(form: Form, runner: Runner) -> Hooks:
    """Our entries, one group with one entry for each event."""
    return {event.name: [{"hooks": [_entry(event, form, runner)]}] for event in EVENTS}


def _entry(event: Event, form: Form, runner: Runner) -> dict[str, Any]:
    entry: dict[str, Any] = {"type": "command"}
    if form == "http" and event.name in HTTP_EVENTS:
        entry = {"type": "http", "url": runner.url}
    elif form == "portable":
        entry["command"] = _portable(event)
    elif form == "wrapped" and event.name == "PreToolUse":
        entry["command"] = wrapped(runner, event.timeout)
    elif form == "file":
        entry |= {"command": runner.interpreter, "args": ["-I", "-S", runner.hook_file, "claude"]}
    elif form == "edge":
        entry |= {"command": "edge", "args": ["hook", "claude"]}
    else:
        program, *words = launch.command(
            runner.interpreter, runner.hook_file, otherwise=event.otherwise
        )
        entry |= {"command": program, "args": words}
    entry["timeout"] = event.timeout
    if event.must_answer:
        entry["onFailure"] = "block"
    return entry


def wrapped(runner: Runner, seconds: int) -> str:
    """One shell line that exits 2, the client's "block", when the hook cannot answer.

    Without a ``timeout`` program (macOS has none) the hook's own deadline is the only one.
    """
    words = launch.command(runner.interpreter, runner.hook_file)
    if runner.timeout:
        words = [runner.timeout, str(seconds), *words]
    complaint = "Operator's Edge could not check this call, so it was not run: edge doctor"
    return f"{shlex.join(words)} || {{ echo {shlex.quote(complaint)} >&2; exit 2; }}"


_ABSENT = (
    "This project is guarded by Operators Edge, which is not installed here: the agent works unguarded. "
    "To be guarded: pipx install operators-edge"
)

_PORTABLE = """\
if command -v edge >/dev/null; then edge hook claude {answered}; [ $? -eq {answered} ] && exit 0; \
grep -qs operators_edge "$(command -v edge)" && broken=1; fi; \
for d in {places}; do [ -e "$d/{mark}" ] && broken=1; done; \
[ "$broken" ] || {{ {absent}exit 0; }}; \
echo "Operator's Edge is missing or damaged. Install it again: pipx install --force operators-edge. \
If you do without it, delete {mark} in your state folder." >&2; exit {otherwise}"""

_STATE_FOLDERS = (
    '"${XDG_STATE_HOME:-$HOME/.local/state}" "$HOME/Library/Application Support" "$LOCALAPPDATA"'
)
"""Where a person's own folder is, on Linux, macOS and Windows (``locations.known_user_dir``)."""


def _portable(event: Event) -> str:
    """One shell line for everybody who has the repository.

    Anyone who never installed the product works on; a session's start says that it is unguarded. Anyone who
    did has a file in their own folder that says so, or at least our ``edge``: for them, one without an
    answer blocks tool calls.
    """
    told = f"echo '{json.dumps({'systemMessage': _ABSENT})}'; "
    return _PORTABLE.format(
        answered=launch.ANSWERED,
        places=_STATE_FOLDERS,
        mark=f"{NAME}/{INSTALLED}",
        absent=told if event.name == "SessionStart" else "",
        otherwise=event.otherwise,
    )


def plugin_hooks() -> dict[str, Any]:
    """The plugin's ``hooks.json``: the same table, with ``edge`` found by PATH."""
    return {
        "description": "Every tool call passes Operator's Edge; what happened is recorded.",
        "hooks": hooks("portable", Runner("", "")),
    }


# -- recognising -----------------------------------------------------------------------------------

_HOOK_FILE = pattern(r"operators_edge[/\\]+hook\.py|from operators_edge\.hook import")
_BY_PORT = pattern(r"http://127\.0\.0\.1:\d+/(?:operators-edge/)?[\w-]+/claude")
_BY_PATH = pattern(r"(?:^|[\s;&|'\"/\\])edge(?:\.exe)?['\"]? hook\b")


def is_ours(entry: object) -> bool:
    """True for an entry that some version of us wrote, whatever the machine."""
    if not isinstance(entry, dict):
        return False
    if _BY_PORT.fullmatch(str(entry.get("url"))):
        return True
    args = entry.get("args")
    words = [entry.get("command"), *(args if isinstance(args, list) else [])]
    line = " ".join(str(word) for word in words)
    return bool(_HOOK_FILE.search(line) or _BY_PATH.search(line))


def entries(settings: object) -> Iterator[tuple[str, dict[str, Any], Any]]:
    """Every hook of a settings value as (event, group, entry); odd shapes are passed over."""
    table = settings.get("hooks") if isinstance(settings, dict) else None
    for event, groups in table.items() if isinstance(table, dict) else ():
        for group in groups if isinstance(groups, list) else ():
            inner = group.get("hooks") if isinstance(group, dict) else None
            for entry in inner if isinstance(inner, list) else ():
                yield str(event), group, entry


def ours(settings: object) -> Hooks:
    """Our entries in a settings value, grouped as ``hooks`` makes them."""
    found: Hooks = {}
    for event, group, entry in entries(settings):
        if is_ours(entry):
            found.setdefault(event, []).append({**group, "hooks": [entry]})
    return found


def is_guarding(settings: object, runner: Runner) -> bool:
    """True when the settings hold our PreToolUse entry exactly as this installation writes it.

    Anything beside it (a matcher, an ``if``, ``async``, another program under our name) could take
    the teeth out of it.
    """
    forms = (*_forms(runner), *_OLDER)
    wanted = [hooks(form, runner)["PreToolUse"][0]["hooks"][0] for form in forms]
    return any(
        event == "PreToolUse" and entry in wanted and not (group.keys() - {"hooks", "matcher"})
        and group.get("matcher", "") in ("", "*")
        for event, group, entry in entries(settings)
    )  # fmt: skip


def known_entries(runner: Runner) -> list[dict[str, Any]]:
    """Every entry that this installation writes or has written."""
    forms = (*_forms(runner), *_OLDER)
    groups = [group for form in forms for each in hooks(form, runner).values() for group in each]
    return [entry for group in groups for entry in group["hooks"]]


def is_current(settings: object, runner: Runner) -> bool:
    """Whether our entries are as ``edge init`` would write them now."""
    return ours(settings) in [hooks(form, runner) for form in _forms(runner)]


def as_written(settings: object, env: Mapping[str, str] = os.environ) -> Runner | None:
    """What our entries run, if every one is as this version writes it; None if one is not.

    Without a hook file: they find the program by PATH.
    """
    ours_here, own = ours(settings), this_runner(env)
    named = {
        (str(entry.get("command")), str(entry["args"][-3]))
        for _, _, entry in entries({"hooks": ours_here})
        if isinstance(entry.get("args"), list) and len(entry["args"]) > 2
    }
    for interpreter, hook_file in named or {("", "")}:
        for timeout in {own.timeout, ""}:
            runner = Runner(interpreter, hook_file, timeout, own.url)
            if ours_here in [hooks(form, runner) for form in _forms(runner)]:
                return runner
    return None


def _forms(runner: Runner) -> list[Form]:
    forms: list[Form] = ["exec", "wrapped", "portable"]
    return [*forms, "http"] if runner.url else forms


def enabled_plugin(settings: object) -> bool | None:
    """Whether the settings enable our plugin; None if they do not mention it."""
    table = settings.get("enabledPlugins") if isinstance(settings, dict) else None
    said = [
        value
        for name, value in (table.items() if isinstance(table, dict) else ())
        if str(name).split("@")[0] == "edge"
    ]
    return None if not said else all(value is not False for value in said)


# end of module
