"""Reads what the client's status line shows: the state, its cache, the log's end. Writes nothing.

Owns where each part comes from, and running the status line that was there before ours. Does not own what is
shown (``reports.status_line``). It imports next to nothing, for the same reason.
"""

from __future__ import annotations

import os
import sys
import time

from operators_edge import locations
from operators_edge.reports import status_line
from operators_edge.system import project_root

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

MAX_INPUT_BYTES = 1 << 20
MAX_STATE_BYTES = 1 << 20
MAX_CACHE_BYTES = 8 << 20
LOG_BYTES = 96 * 1024
"""So much of the log's end is searched for the last check."""

WRAPPED_SECONDS = 5.0


def run(words: Sequence[str]) -> int:
    """Print the line for a client's report on stdin; ``--wrap COMMAND`` prints another status line first."""
    given = _read(0, MAX_INPUT_BYTES)
    if len(words) > 1 and words[0] == "--wrap":
        _print(wrapped(words[1], given))
    try:
        _print(line(given))
    except (OSError, ValueError, TypeError, AttributeError) as error:
        _print(f"edge: not read ({type(error).__name__})")
    return 0


def line(given: bytes) -> str:
    """The line for a client's report on its session; "" where no project is set up."""
    report = loads(given.decode("utf-8", "replace"))
    report = report if isinstance(report, dict) else {}
    place = report.get("workspace")
    place = place if isinstance(place, dict) else {}
    start = place.get("project_dir") or place.get("current_dir") or report.get("cwd")
    found = project_root.find(str(start or os.getcwd()))
    if found.root is None or not found.is_set_up:
        return ""
    parts = _parts(found.root, str(report.get("session_id") or ""))
    return status_line.text(parts, has_colour="NO_COLOR" not in os.environ)


def _parts(root: str, session: str) -> Iterator[tuple[str, str]]:
    if os.environ.get("EDGE_DISABLED") not in (None, "", "0"):
        yield "gate OFF (EDGE_DISABLED)", "bad"
    text = _file(os.path.join(root, locations.STATE_FILE), MAX_STATE_BYTES).decode("utf-8")
    human, mark, rest = text.removeprefix("\ufeff").rpartition(locations.STATE_MARK)
    known = status_line.block(rest.splitlines() if mark else (), loads)
    proof = os.path.join(root, locations.PROOF_DIR)
    yield from status_line.switch_parts(known, session, _until)
    yield from status_line.decision_parts(
        known, _tasks(os.path.join(root, locations.HANDOFF_DIR, "pending"))
    )
    kept = loads(
        _file_if_any(os.path.join(proof, "cache", "state.json")).decode("utf-8", "replace")
    )
    if step := status_line.step_part(kept, human if mark else rest):
        yield step, ""
    check, style = status_line.check_part(_log_end(proof), loads)
    if check:
        yield check, style


def _until(stored: object) -> str:
    """A stored time that has not passed, as the person's clock shows it; "" for any other."""
    from operators_edge.datetimes import UTC, datetime  # noqa: PLC0415 - only while something is off

    try:
        when = datetime.fromisoformat(str(stored))
    except ValueError:
        return ""
    when = when if when.tzinfo else when.replace(tzinfo=UTC)
    return when.astimezone().strftime("%H:%M") if when.timestamp() > time.time() else ""


def _tasks(folder: str) -> int:
    """Tasks of the Bridge that wait for a person."""
    try:
        names = os.listdir(folder)
    except FileNotFoundError:
        return 0  # most projects have no Bridge
    return sum(each.endswith(".json") and not each.startswith(".") for each in names)


def _log_end(proof: str) -> list[bytes]:
    try:
        fd = os.open(os.path.join(proof, "session_log.jsonl"), os.O_RDONLY)
    except FileNotFoundError:
        return []
    try:
        os.lseek(fd, max(0, os.fstat(fd).st_size - LOG_BYTES), os.SEEK_SET)
        return _read(fd, LOG_BYTES).split(b"\n")
    finally:
        os.close(fd)


def _file_if_any(path: str) -> bytes:
    try:
        return _file(path, MAX_CACHE_BYTES)
    except FileNotFoundError:
        return b""


def _file(path: str, most: int) -> bytes:
    fd = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
    try:
        return _read(fd, most)
    finally:
        os.close(fd)


def _read(fd: int, most: int) -> bytes:
    parts = []
    while most > 0 and (part := os.read(fd, most)):
        parts.append(part)
        most -= len(part)
    return b"".join(parts)


def _print(text: str) -> None:
    if text:
        sys.stdout.buffer.write(text.encode("utf-8", "replace") + b"\n")
        sys.stdout.buffer.flush()


def wrapped(command: str, given: bytes, *, seconds: float = WRAPPED_SECONDS) -> str:
    """What the other status line prints; "" if it fails, as it would without us.

    Its words are the ones that the client ran in a shell before.
    """
    import subprocess  # noqa: PLC0415 - only with another status line

    try:
        done = subprocess.run(  # noqa: S602 - see above
            command,
            shell=True,
            input=given,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=seconds,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.decode("utf-8", "replace").rstrip("\n")


class _Reader:
    """What the interpreter's own scanner of JSON asks for."""

    strict = False
    object_hook = object_pairs_hook = None
    parse_float = parse_constant = float
    parse_int = int


def loads(text: str) -> Any:
    """The JSON value that a text begins with; None for a text that is not JSON.

    By the scanner that ``json`` is made of: that module's import takes as long as the interpreter's start.
    """
    try:
        import _json  # noqa: PLC0415 - not every interpreter has it

        scanner: Any = _json.make_scanner
        return scanner(_Reader)(text.strip(), 0)[0]
    except ImportError:
        import json  # noqa: PLC0415 - see above

        try:
            return json.loads(text)
        except ValueError:
            return None
    except (StopIteration, ValueError, RecursionError):
        return None


# end of module
