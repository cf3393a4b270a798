"""A command's output: text for a person, or one JSON envelope for a program."""

from __future__ import annotations

import codecs
import io
import os
import sys
from typing import TYPE_CHECKING, Any, TextIO

from operators_edge.errors import AnswerIsNo

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

_WHOLE = ("utf-8", "utf8")
"""Encodings that have every character."""

_CODES = {"bold": "1", "dim": "2", "red": "31", "green": "32", "yellow": "33", "cyan": "36"}


class Terminal:
    """One command's output. ``json`` switches from text to ``{"ok", "data", "warnings"}``."""

    def __init__(
        self, *, json_wanted: bool = False, out: TextIO | None = None, err: TextIO | None = None
    ) -> None:
        self.json_wanted = json_wanted
        self.out = out or sys.stdout
        self.err = err or sys.stderr
        self.warnings: list[str] = []

    @property
    def has_colour(self) -> bool:
        if "NO_COLOR" in os.environ or os.environ.get("TERM") == "dumb":
            return False
        return self.out.isatty() and not self.json_wanted

    def paint(self, text: str, *styles: str) -> str:
        if not self.has_colour or not styles:
            return text
        return f"\x1b[{';'.join(_CODES[style] for style in styles)}m{text}\x1b[0m"

    def warn(self, text: str) -> None:
        self.warnings.append(text)
        if not self.json_wanted:
            self.aside(f"warning: {text}")

    def aside(self, text: str, *, end: str = "\n") -> None:
        """Print to stderr at once: progress, a preview, or what is about to be asked."""
        from operators_edge.text import outgoing  # noqa: PLC0415 - not for `--version`

        print(outgoing.to_terminal(text), end=end, file=self.err, flush=True)

    def show(
        self,
        data: Any,
        text: str | Iterable[str],
        *,
        ok: bool = True,
        more: Mapping[str, Any] | None = None,
    ) -> None:
        """Print the answer of a command: ``data`` as JSON if requested, else ``text`` or its lines.

        ``more``: what else the JSON says, beside the data.
        """
        from operators_edge.text import outgoing  # noqa: PLC0415 - not for `--version`

        text = text if isinstance(text, str) else "\n".join(text)
        if self.json_wanted:
            envelope = {**(more or {}), "ok": ok, "data": data, "warnings": self.warnings}
            self._print(outgoing.to_program(envelope))
        elif text:
            self._print(outgoing.to_terminal(text))

    def _print(self, text: str) -> None:
        """AnswerIsNo if it cannot be written: what the command did holds."""
        try:
            print(text, file=self.out, flush=True)
        except BrokenPipeError:
            raise
        except OSError as error:
            if self.out is sys.stdout:  # what is left in its buffer would fail again at the end
                os.dup2(os.open(os.devnull, os.O_WRONLY), self.out.fileno())
            why = error.strerror or str(error)
            raise AnswerIsNo(
                f"the command was carried out, and its output could not be written: {why}"
            ) from error


def escape_what_a_stream_lacks() -> None:
    """Print what the encoding of the output does not have as an escape that JSON reads, too."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper) and stream.encoding.lower() not in _WHOLE:
            codecs.register_error("edge-escape", _as_escapes)
            stream.reconfigure(errors="edge-escape")


def _as_escapes(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    units = error.object[error.start : error.end].encode("utf-16-be", "surrogatepass")
    pairs = zip(units[::2], units[1::2], strict=True)
    return "".join(f"\\u{high:02x}{low:02x}" for high, low in pairs), error.end


# end of module
