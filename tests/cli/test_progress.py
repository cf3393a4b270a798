"""A command that takes long says that it still works."""

import io
import signal

import pytest

from operators_edge.cli import progress
from operators_edge.cli.terminal import Terminal

pytestmark = pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no timers here")


class Screen(io.StringIO):
    def isatty(self):
        return True


def test_after_a_second_a_line_is_drawn_and_gone_before_anything_else(monkeypatch):
    monkeypatch.setattr(progress, "AFTER_SECONDS", 0.01)
    terminal = Terminal(out=io.StringIO(), err=Screen())
    with progress.Displayed(terminal, "verify"):
        while "edge verify … 0 s" not in terminal.err.getvalue():
            signal.pause()
        terminal.aside("asked")
        assert terminal.err.getvalue().endswith(f"{progress.ERASE_LINE}asked\n")
        assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


@pytest.mark.parametrize("how", ["json", "quiet", "no terminal"])
def test_a_program_sees_no_progress(how, monkeypatch):
    terminal = Terminal(
        json_wanted=how == "json", err=io.StringIO() if how == "no terminal" else Screen()
    )
    terminal.is_quiet = how == "quiet"
    with progress.Displayed(terminal, "verify"):
        assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)
