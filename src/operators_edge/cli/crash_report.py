"""The report of an unexpected error: one file in the person's own folder, made to be sent to us.

Owns what a report says, that known secrets are not in it, where reports are kept and how many. Does not
own which errors are unexpected: the command line (``main``) and the hook decide that.

It runs when something is broken already, perhaps this installation itself. So what it needs of the
product is imported where it is used, and its own failure is part of the answer.
"""

from __future__ import annotations

import json
import os
import platform
import re
import shlex
import traceback

from operators_edge import __version__
from operators_edge.contexts import suppress
from operators_edge.datetimes import UTC, datetime
from operators_edge.text.patterns import pattern
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

FOLDER = "errors"
"""Where the reports are, below the person's own folder."""

MAX_REPORTS_KEPT = 20
"""Older ones are removed when another is written."""

MAX_TRACEBACK = 48 * 1024
MAX_LINE = 4 * 1024
"""Characters that are kept of each."""

_MAX_FRAMES = 60
_MAX_READ = 16 * 1024
_GIT_SECONDS = 2.0
_STAMP = "%Y%m%dT%H%M%S%f"
_NAME = pattern(r"\d{8}T\d{12}Z-[0-9a-f]{6}\.txt")
_BETWEEN = (re.compile(r"[\s=:,;'\"\\]+"), re.compile(r"[\s=:,;'\"\\@/?&]+"))

_END = """
Known kinds of secrets are replaced by marks, and your home folder by "~". Read the rest before you send it.
"""


class Report(NamedTuple):
    """``path`` is "" where nothing could be written, and ``problem`` says why. Known secrets are hidden."""

    path: str
    error: str
    traceback: str
    problem: str = ""


def leave(
    error: BaseException,
    words: Sequence[str],
    *,
    env: Mapping[str, str] = os.environ,
    about: str = "",
    given: Sequence[str] = (),
    clock: Callable[[], datetime] = lambda: datetime.now(UTC),
) -> Report:
    """Write the report of an error and remove the oldest ones. Raises no Exception.

    ``words`` are the command line behind ``edge``; ``about`` is one more line of the report. ``given`` are
    further texts from outside: a secret that is recognised in one of them is hidden wherever it occurs.
    """
    try:
        hide = _hiding(env, words, given)
        line, frames = hide(_error_line(error), MAX_LINE), _traceback(error)
        report = Report("", " ".join(line.split()), hide(frames, MAX_TRACEBACK))
        command = hide(shlex.join(["edge", *words]), MAX_LINE)
        about = hide(about, MAX_LINE)
    except Exception as failed:  # noqa: BLE001 - what hides secrets may be what is broken: show no value
        command, about = "(not shown)", ""
        without = "".join(traceback.format_tb(error.__traceback__, -_MAX_FRAMES))
        why = f"(its message is not shown: {type(failed).__name__} while hiding secrets)"
        report = Report("", f"{type(error).__name__} {why}", without)
    try:
        now = clock()
        return report._replace(path=_write(_text(report, command, about, now), now, env))
    except Exception as failed:  # noqa: BLE001 - the first error is the one to tell
        return report._replace(problem=f"{type(failed).__name__}: {failed}")


def of_event(error: BaseException, event: Mapping[str, object]) -> Report:
    """The report of an error in the hook, which has answered its client by now.

    It names the event and the tool. What the tool was called with stays out of it.
    """
    about = " ".join(str(event.get(key) or "") for key in ("hook_event_name", "tool_name"))
    given = json.dumps([event.get("tool_input"), event.get("prompt")], ensure_ascii=False)
    return leave(error, ["hook"], about=about.strip()[:200], given=[given])


def kept(env: Mapping[str, str] = os.environ) -> list[str]:
    """The paths of the reports, the newest first."""
    from operators_edge.system.user_dirs import user_dir  # noqa: PLC0415 - see the module

    folder = os.path.join(user_dir(env), FOLDER)
    try:
        names = sorted(filter(_NAME.fullmatch, os.listdir(folder)), reverse=True)
    except OSError:  # none was written, or no home folder can be used
        return []
    return [os.path.join(folder, name) for name in names]


def written_at(path: str) -> datetime:
    """The time of a report, as its name has it."""
    stamp = os.path.basename(path).partition("Z")[0]
    return datetime.strptime(stamp, _STAMP).replace(tzinfo=UTC)


# -- what it says ----------------------------------------------------------------------------------


def _text(report: Report, command: str, about: str, now: datetime) -> str:
    rows = {
        "time": now.isoformat(timespec="seconds"),
        "version": __version__,
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "platform": platform.platform(),
        "git": _git_version(),
        "command": command,
        "about": about,
        "error": report.error,
    }
    lines = [f"{name + ':':<10}{value}" for name, value in rows.items() if value]
    head = "\n".join(["Operator's Edge: report of an unexpected error", "", *lines])
    return f"{head}\n\n{report.traceback}{_END}"


def _error_line(error: BaseException) -> str:
    return "".join(traceback.format_exception_only(error))


def _traceback(error: BaseException) -> str:
    """With the innermost frames where there are many."""
    return "".join(traceback.format_exception(error, limit=-_MAX_FRAMES))


def _git_version() -> str:
    from operators_edge.git import commands as git  # noqa: PLC0415 - see the module

    try:
        answer = git.ask(os.sep, "--version", seconds=_GIT_SECONDS)
    except git.TooSlow:
        return "does not answer"
    return "not found" if answer is None else answer.strip().removeprefix("git version ")


# -- what it does not say --------------------------------------------------------------------------


def _hiding(
    env: Mapping[str, str], words: Sequence[str], given: Sequence[str]
) -> Callable[[str, int], str]:
    """What makes a text fit to be sent: secrets and the home folder out, cut to a number of characters."""
    from operators_edge.locations import known_home  # noqa: PLC0415
    from operators_edge.redaction import redact  # noqa: PLC0415
    from operators_edge.storage import known_secrets  # noqa: PLC0415
    from operators_edge.text import outgoing  # noqa: PLC0415

    found = set(known_secrets.known(None, env))
    for text in (" ".join(words), *given):
        found.update(_recognised(text[:_MAX_READ]))
    values = tuple(sorted(found))
    home = known_home(env).rstrip("/\\")
    home_alone = re.compile(re.escape(home) + r"(?![\w.-])") if home else None

    def hide(text: str, most: int) -> str:
        clean = outgoing.to_terminal(redact.preview(text, most, values=values))
        return home_alone.sub("~", clean) if home_alone else clean

    return hide


def _recognised(text: str) -> Iterator[str]:
    """The secrets in a text that its own wording gives away.

    ``--password hunter2!`` tells what ``hunter2!`` is; a message that repeats it alone does not.
    """
    from operators_edge.redaction import redact  # noqa: PLC0415 - see the module

    clean = redact.redact(text)
    if clean != text:
        for part in {part for between in _BETWEEN for part in between.split(text)}:
            if redact.is_worth_hiding(part) and part not in clean:
                yield part


# -- where it is kept ------------------------------------------------------------------------------


def _write(text: str, now: datetime, env: Mapping[str, str]) -> str:
    from operators_edge.storage import files, keys  # noqa: PLC0415 - see the module

    folder = keys.make_user_dir(env, FOLDER)
    name = f"{now.astimezone(UTC):{_STAMP}}Z-{os.urandom(3).hex()}.txt"
    path = os.path.join(folder, name)
    files.write_durable(path, text.encode("utf-8", "backslashreplace"), mode=0o600)
    files.sweep_folder(folder, older_than=60)
    for old in kept(env)[MAX_REPORTS_KEPT:]:
        with suppress(OSError):  # another process was first
            os.unlink(old)
    return path


# end of module
