"""A line that says a command still works, once it has taken a second; gone before anything else is printed.

Owns that line. A signal draws it, so that nothing runs beside the command: there is none where no signal of
a timer exists.
"""

from __future__ import annotations

import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import FrameType
    from typing import Any

    from operators_edge.cli.terminal import Terminal

AFTER_SECONDS = 1.0

ERASE_LINE = "\r\x1b[K"
"""To the line's beginning, and nothing on it any more."""


class _Line:
    """What stands on the terminal's last line now."""

    def __init__(self, terminal: Terminal, words: str) -> None:
        self._terminal, self._words = terminal, words
        self._since = time.monotonic()
        self._is_shown = False

    def draw(self, _signal: int, _frame: FrameType | None) -> None:
        seconds = int(time.monotonic() - self._since)
        self._terminal.err.write(f"{ERASE_LINE}edge {self._words} … {seconds} s")
        self._terminal.err.flush()
        self._is_shown = True

    def erase(self) -> None:
        if self._is_shown:
            self._terminal.err.write(ERASE_LINE)
            self._terminal.err.flush()
            self._is_shown = False


_now: list[_Line] = []
"""The line of this process, if it has one."""


class Displayed:
    """Within this context a line tells how long ``words`` have worked, until something is printed."""

    def __init__(self, terminal: Terminal, words: str) -> None:
        self._line = _Line(terminal, words) if words and _is_wanted(terminal) else None
        self._before: Any = None

    def __enter__(self) -> None:
        if self._line is None:
            return
        import signal  # noqa: PLC0415 - nothing is drawn where nobody looks

        if not hasattr(signal, "setitimer"):
            return
        try:
            self._before = signal.signal(signal.SIGALRM, self._line.draw)
        except ValueError:  # not in the main thread
            return
        _now.append(self._line)
        signal.setitimer(signal.ITIMER_REAL, AFTER_SECONDS, AFTER_SECONDS)

    def __exit__(self, *_: object) -> None:
        if self._before is not None:
            import signal  # noqa: PLC0415 - see above

            end()
            signal.signal(signal.SIGALRM, self._before)


def end() -> None:
    """Take the line away: something else is printed, or asked."""
    if _now:
        import signal  # noqa: PLC0415 - see above

        signal.setitimer(signal.ITIMER_REAL, 0)
        _now.pop().erase()


def _is_wanted(terminal: Terminal) -> bool:
    return terminal.err.isatty() and not terminal.json_wanted and not terminal.is_quiet


# end of module
