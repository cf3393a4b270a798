"""Notifications about questions that wait: what a person chose, and what a message says (JU-5).

Pure. Owns the settings' form, and that a message names no command unless a person wants that. Does not own
the file, the waiting or the sending (``sessions.notify_service``).
"""

from __future__ import annotations

from operators_edge.errors import UsageError
from operators_edge.redaction.redact import redact
from operators_edge.text.wording import many, one_line
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import datetime
    from typing import Any

AFTER_SECONDS = 20
DETAILS = ("class", "command")
_MAX_SECONDS = 86_400
_SHOWN = 200
_NAMED = 5


class Settings(NamedTuple):
    """``urls`` as the library takes them; so many seconds a question waits first; ``detail`` of a message."""

    urls: tuple[str, ...] = ()
    after_seconds: int = AFTER_SECONDS
    detail: str = DETAILS[0]

    def as_text(self) -> str:
        """The settings as TOML."""
        urls = "".join(f"  {_quoted(each)},\n" for each in self.urls)
        return (
            "# Written by edge notify. Addresses can hold passwords: keep this file to yourself.\n"
            f"after_seconds = {self.after_seconds}\n"
            f"detail = {_quoted(self.detail)}\n"
            f"urls = [\n{urls}]\n"
        )


def _quoted(text: str) -> str:
    escaped = "".join(
        char if char.isprintable() and char not in '"\\' else f"\\u{ord(char):04x}" for char in text
    )
    return f'"{escaped}"'


def settings_of(table: Mapping[str, Any]) -> Settings:
    """The settings in a file's table. UsageError: a value is not one that it can be."""
    unknown = sorted(table.keys() - {"urls", "after_seconds", "detail"})
    if unknown:
        raise UsageError(f"unknown keys: {', '.join(map(str, unknown))}")
    urls = table.get("urls", [])
    after, detail = table.get("after_seconds", AFTER_SECONDS), table.get("detail", DETAILS[0])
    if not isinstance(urls, list) or not all(isinstance(each, str) and each for each in urls):
        raise UsageError("urls is not a list of addresses")
    return checked(Settings(tuple(urls), after, detail))


def checked(settings: Settings) -> Settings:
    """The settings, if each value is one that it can be."""
    after = settings.after_seconds
    if type(after) is not int or not 0 <= after <= _MAX_SECONDS:
        raise UsageError(f"after_seconds is a number from 0 to {_MAX_SECONDS}")
    if settings.detail not in DETAILS:
        raise UsageError(f"detail is one of {', '.join(DETAILS)}")
    return settings


def masked(url: str) -> str:
    """An address without what may be a secret: how it is sent, and to which host if the address has one."""
    from urllib.parse import urlsplit  # noqa: PLC0415 - for one command

    try:
        parts = urlsplit(url)
        host = parts.hostname or ""
    except ValueError:
        return "an invalid address"
    shown = host if "." in host or host == "localhost" else ""
    return one_line(f"{parts.scheme or '?'}://{shown or '…'}", 80)


class Question(NamedTuple):
    """A question that waits for a person. ``about`` is its rule or type, ``shown`` its redacted text."""

    id: str
    since: datetime
    about: str
    shown: str


def message(project: str, questions: Sequence[Question], detail: str) -> tuple[str, str]:
    """Title and text. By default nothing of a command is in it: only the project and the class."""
    title = f"{one_line(project, 60)}: {many(len(questions), 'decision')} for you"
    lines = [*_lines(questions[:_NAMED], detail)]
    more = len(questions) - _NAMED
    return title, "\n".join([*lines, *([f"and {more} more"] if more > 0 else [])])


def _lines(questions: Iterable[Question], detail: str) -> Iterable[str]:
    for each in questions:
        shown = f": {one_line(redact(each.shown), _SHOWN)}" if detail == "command" else ""
        yield f"{one_line(each.about, 80)}{shown}"


# end of module
