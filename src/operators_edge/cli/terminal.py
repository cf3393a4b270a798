"""A command's output: text for a person, or one JSON envelope for a program."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any, TextIO

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

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
            print(outgoing.to_program(envelope), file=self.out)
        elif text:
            print(outgoing.to_terminal(text), file=self.out)


# end of module
