"""The process that notifies a person about a question that waits, and the file in which they chose it.

``storage.wake`` starts it, detached, when a question comes up: it waits as long as the person said, looks
whether the question still waits, sends, and ends. One runs for each project at a time. No hook waits for it.
Does not own what a message says (``sessions.notify``) or how a service is reached (the library Apprise).
"""

from __future__ import annotations

import importlib
import json
import os
import sys
import time

from operators_edge import jsons
from operators_edge.errors import EdgeError, LockHeld, UsageError
from operators_edge.project import Project
from operators_edge.sessions import notify, tasks
from operators_edge.sessions.notify import Question, Settings
from operators_edge.storage import files, segments, wake
from operators_edge.storage.keys import make_user_dir
from operators_edge.system.user_dirs import user_dir
from operators_edge.text import timestamps
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, MutableMapping, Sequence
    from datetime import datetime
    from typing import Any

    Send = Callable[[str, str, str], bool]
    """Sends a title and a text to an address; False if the service did not take it."""

NOT_INSTALLED = "the library is not installed: pipx inject operators-edge apprise"
_RESULT = "notified.json"
_RECENT = 400
"""Entries of the log in which a dialog that is open was asked."""

_KEPT = 200
"""Questions that are remembered as announced."""

_LOOK_SECONDS = 2.0
_MAX_SECONDS = 86_400.0


# -- what the person chose -------------------------------------------------------------------------


def load(env: Mapping[str, str] = os.environ) -> Settings | None:
    """The person's settings; None without a file. EdgeError if it cannot be read or is not private."""
    path = wake.settings_path(env)
    data = files.read_bytes(path) if path else None
    if data is None:
        return None
    if os.name == "posix" and os.stat(path).st_mode & 0o077:
        raise UsageError(f"{path} can be read by others", hint=f"chmod 600 {path}")
    try:
        import tomllib  # noqa: PLC0415 - only where something is set up

        return notify.settings_of(tomllib.loads(data.decode()))
    except (ValueError, UsageError) as error:
        why = error.message if isinstance(error, UsageError) else str(error)
        raise UsageError(f"{path}: {why}", hint=f"repair or delete {path}") from error


def save(settings: Settings, env: Mapping[str, str] = os.environ) -> str:
    """Write the settings, private; returns the path."""
    path = wake.settings_path(env)
    if not path:
        raise UsageError("no home folder is known for this user", hint="set HOME, then repeat")
    files.ensure_private_dir(os.path.dirname(path))
    files.write_durable(path, notify.checked(settings).as_text().encode(), mode=0o600)
    os.chmod(path, 0o600)
    return path


class Result(NamedTuple):
    """How the last message went: when, and why it did not arrive everywhere, "" if it did."""

    at: str
    problem: str


def last_result(env: Mapping[str, str] = os.environ) -> Result | None:
    """How the last message went; None if none was sent, or that cannot be read."""
    data = files.read_bytes(os.path.join(user_dir(env), _RESULT))
    try:
        return None if data is None else Result(**jsons.loads(data))
    except (ValueError, TypeError):
        return None


def trouble(env: Mapping[str, str] = os.environ) -> str:
    """Why notifications do not arrive, as far as is known; "" if they do, or are off."""
    try:
        settings = load(env)
    except EdgeError as error:
        return error.message
    if settings is None or not settings.urls:
        return ""
    if not is_installed():
        return NOT_INSTALLED
    known = last_result(env)
    return known.problem if known is not None else ""


# -- sending ---------------------------------------------------------------------------------------


def is_installed() -> bool:
    from importlib.util import find_spec  # noqa: PLC0415 - only where something is set up

    return find_spec("apprise") is not None


def send(url: str, title: str, text: str) -> bool:
    """Send by the library. ValueError: it does not know such an address; ImportError: it is not there."""
    apprise: Any = importlib.import_module("apprise")
    service = apprise.Apprise()
    if not service.add(url):
        raise ValueError("the library does not know such an address")
    return bool(service.notify(title=title, body=text))


def send_all(
    settings: Settings,
    title: str,
    text: str,
    *,
    by: Send = send,
    env: Mapping[str, str] = os.environ,
) -> str:
    """Send to every address; returns why it did not arrive everywhere, with addresses masked; else ""."""
    problems = [
        f"{notify.masked(url)}: {why}"
        for url in settings.urls
        if (why := _problem(by, url, title, text))
    ]
    problem = "; ".join(problems)
    _keep_result(problem, env)
    return problem


def _keep_result(problem: str, env: Mapping[str, str]) -> None:
    at = time.strftime("%Y-%m-%dT%H:%M:%S+00:00", time.gmtime())
    path = os.path.join(make_user_dir(env), _RESULT)
    data = jsons.dumps({"at": at, "problem": problem}).encode()
    files.write_durable(path, data, mode=0o600)


def _problem(by: Send, url: str, title: str, text: str) -> str:
    try:
        return "" if by(url, title, text) else "the service did not take it"
    except ImportError:
        return NOT_INSTALLED
    except ValueError as error:
        return str(error)
    except Exception as error:  # noqa: BLE001 - a plugin of the library; its text may hold the address
        return f"failed ({type(error).__name__})"


# -- waiting ---------------------------------------------------------------------------------------


def open_questions(project: Project) -> list[Question]:
    """What waits for a person now: the pending question, open dialogs, tasks of the Bridge."""
    state, now = project.state.read(), project.clock()
    found = []
    pending = state.get("junction")
    if isinstance(pending, dict):
        about = str(pending.get("rule") or pending.get("type") or "a question")
        shown = str(pending.get("shown") or pending.get("reason") or "")
        found.append(
            Question(str(pending.get("id")), _since(pending, "created_at", now), about, shown)
        )
    sessions = {
        str(each.get("session"))
        for each in project.log.tail(_RECENT)
        if each.get("event") == "asked"
    }
    for session in sorted(sessions):
        for ident, asked in project.evidence.session(session)["asks"].items():
            since = timestamps.parse(asked["at"]) or now
            found.append(Question(ident, since, asked["rule"] or "a question", asked["shown"]))
    bridge = tasks.gather(project.root) or {"problem": "", "waiting": []}
    if bridge["problem"]:  # what waits in it is not known
        found.append(Question("queue", now, "the Bridge's queue cannot be read", bridge["problem"]))
    found += [
        Question(f"task {each['id']}", now, f"task {each['id']}", str(each["why"]))
        for each in bridge["waiting"]
    ]
    return found


def _since(pending: Mapping[str, Any], key: str, now: datetime) -> datetime:
    return timestamps.parse(pending.get(key)) or now


class Waiting:
    """Which questions were seen since when, and which of them are in a message."""

    def __init__(self, after_seconds: int, sent: Iterable[str] = ()) -> None:
        self._after = after_seconds
        self._first: dict[str, datetime] = {}
        self.sent = set(sent)

    def due(self, questions: Iterable[Question], now: datetime) -> list[Question]:
        """Those that have waited long enough and are in no message yet."""
        found = []
        for each in questions:
            since = min(self._first.setdefault(each.id, each.since), now)
            if each.id not in self.sent and (now - since).total_seconds() >= self._after:
                found.append(each)
        return found

    def are_sent(self, questions: Iterable[Question]) -> None:
        self.sent |= {each.id for each in questions}

    def is_over(self, questions: Iterable[Question]) -> bool:
        """Whether nothing waits that is in no message."""
        return all(each.id in self.sent for each in questions)


def run(
    project: Project,
    settings: Settings,
    sent: Iterable[str] = (),
    *,
    by: Send = send,
    sleep: Callable[[float], None] = time.sleep,
    env: Mapping[str, str] = os.environ,
) -> set[str]:
    """Wait, and notify of each question that still waits after the time that the person chose.

    Ends when nothing waits that is in no message yet; returns the ids of those that are, also of the ones
    that were ``sent`` before.
    """
    waiting, start = Waiting(settings.after_seconds, sent), project.clock()
    while True:
        questions, now = open_questions(project), project.clock()
        due = waiting.due(questions, now)
        if due:
            _notify(project, settings, due, by=by, env=env)
            waiting.are_sent(due)
        if waiting.is_over(questions) or (now - start).total_seconds() > _MAX_SECONDS:
            return waiting.sent
        sleep(_LOOK_SECONDS)


def _notify(
    project: Project,
    settings: Settings,
    due: Sequence[Question],
    *,
    by: Send,
    env: Mapping[str, str],
) -> None:
    name = os.path.basename(project.root) or project.root
    problem = send_all(settings, *notify.message(name, due, settings.detail), by=by, env=env)
    data = {"questions": len(due), "passed": not problem, **({"why": problem} if problem else {})}
    project.log.append({"event": "notified", "session": "", "data": data})


def _find_desktop(env: MutableMapping[str, str]) -> None:
    """A process that a hook or the resident starts may not know the bus of the person's desktop."""
    if sys.platform.startswith("linux"):
        bus = f"/run/user/{os.getuid()}/bus"
        if os.path.exists(bus):
            env.setdefault("DBUS_SESSION_BUS_ADDRESS", f"unix:path={bus}")


def main(words: Sequence[str]) -> int:
    """The detached process for the project at this root; one that runs already does it all.

    A question that comes up just as one ends found the lock held, so it looks again afterwards. What was
    announced before is not announced again, however long it waits. Nobody sees its output, so why it failed
    is kept for ``trouble``.
    """
    _find_desktop(os.environ)
    try:
        return _announce(Project(words[0], is_set_up=True))
    except EdgeError as error:
        _keep_result(f"{words[0]}: {error.message}", os.environ)
        return error.exit_code


def _announce(project: Project) -> int:
    settings = load()
    if settings is None or not settings.urls:
        return 0
    folder = segments.folder_of(project.root)
    path = os.path.join(folder, "cache", "notified.json")
    while {each.id for each in open_questions(project)} - set(_announced(path)):
        try:
            with files.Lock(os.path.join(folder, "notify.lock"), command="edge notify", limit=0):
                before = _announced(path)
                sent = run(project, settings, before)
                kept = [*before, *sorted(sent - set(before))][-_KEPT:]
                files.write_cache(path, jsons.dumps(kept).encode())
        except LockHeld:
            return 0
        if not sent - set(before):
            return 0
    return 0


def _announced(path: str) -> list[str]:
    """The ids of the questions that were in a message, the latest last; [] if that is not known."""
    try:
        with open(path, "rb") as file:
            found = json.load(file)
    except (OSError, ValueError):
        return []
    return [str(each) for each in found] if isinstance(found, list) else []


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

# end of module
