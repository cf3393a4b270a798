"""A whole screen that is drawn again and again, and the keys that are pressed meanwhile.

Owns the control sequences and the terminal's mode. Does not own what is on the screen.
"""

from __future__ import annotations

import os
import select
import sys
from contextlib import AbstractContextManager

from operators_edge.cli import progress
from operators_edge.text import outgoing

if sys.platform != "win32":
    import termios
    import tty

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, Self

    from operators_edge.cli.terminal import Terminal

ERASE_LINE = progress.ERASE_LINE
"""To the line's beginning, and nothing on it any more."""

_ENTER, _LEAVE = "\x1b[?1049h\x1b[?25l", "\x1b[?25h\x1b[?1049l"
_BEGIN, _END = "\x1b[?2026h\x1b[H", "\x1b[J\x1b[?2026l"
"""The whole picture at once, where the terminal knows how: no flicker."""


def is_possible(terminal: Terminal) -> bool:
    """Whether both ends are a terminal that can move its cursor."""
    if sys.platform == "win32" or os.environ.get("TERM", "dumb") == "dumb":
        return False
    try:
        return terminal.out.isatty() and sys.stdin.isatty()
    except ValueError:
        return False


class Screen(AbstractContextManager["Screen"]):
    """The terminal while it shows rows only; entering and leaving brings back what was there before."""

    def __init__(self, terminal: Terminal) -> None:
        self._terminal = terminal
        self._shown: Sequence[tuple[str, str]] = ()
        self._mode: Any = None

    def __enter__(self) -> Self:
        if sys.platform != "win32":
            self._mode = termios.tcgetattr(sys.stdin)
            tty.setcbreak(sys.stdin)
        self._write(_ENTER)
        return self

    def __exit__(self, *_: object) -> None:
        self._write(_LEAVE)
        if sys.platform != "win32":
            termios.tcsetattr(sys.stdin, termios.TCSADRAIN, self._mode)

    def draw(self, rows: Sequence[tuple[str, str]]) -> None:
        """Show these rows, each with its style; nothing is written if they are the ones on the screen."""
        if rows == self._shown:
            return
        self._shown = rows
        painted = (
            self._terminal.paint(outgoing.to_terminal(text), *filter(None, [style]))
            for text, style in rows
        )
        self._write(_BEGIN + "\x1b[K\r\n".join(painted) + "\x1b[K" + _END)

    def forget(self) -> None:
        """Draw everything the next time: the terminal has another size."""
        self._shown = ()

    def key(self, seconds: float) -> str:
        """The key that is pressed within that time; "" if none is."""
        ready, _, _ = select.select([sys.stdin], [], [], seconds)
        return os.read(sys.stdin.fileno(), 1).decode("ascii", "replace") if ready else ""

    def _write(self, text: str) -> None:
        self._terminal.out.write(text)
        self._terminal.out.flush()


# end of module
