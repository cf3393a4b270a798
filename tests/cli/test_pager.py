"""Long output a screen at a time, and only where a person reads it."""

import os
import pty
import sys

import pytest

from operators_edge.cli import pager

LONG = "\n".join(map(str, range(100)))


@pytest.fixture
def screen(monkeypatch):
    """A terminal for what is printed and read."""
    master, slave = pty.openpty()
    with os.fdopen(slave, "r+b", buffering=0) as inner:
        out = os.fdopen(os.dup(inner.fileno()), "w")
        monkeypatch.setattr(sys, "stdin", os.fdopen(os.dup(inner.fileno())))
        monkeypatch.setenv("LINES", "24")
        monkeypatch.setenv("COLUMNS", "80")
        yield out
    os.close(master)


def test_long_text_goes_to_the_pager_that_is_chosen(screen, tmp_path):
    env = {"TERM": "xterm", "PATH": os.environ["PATH"], "PAGER": "false"}
    kept = f"sh -c 'cat > {tmp_path}/kept'"
    assert pager.paged(LONG, screen, {**env, "EDGE_PAGER": kept})
    assert (tmp_path / "kept").read_text() == LONG + "\n"


@pytest.mark.parametrize(
    ("text", "env"),
    [
        ("short", {"PAGER": "cat -"}),
        (LONG, {"PAGER": "cat"}),
        (LONG, {"EDGE_PAGER": "", "PAGER": "cat -"}),
        (LONG, {"PAGER": "no-such-pager"}),
        (LONG, {"PAGER": "a 'quote"}),
        (LONG, {"PAGER": "cat -", "TERM": "dumb"}),
    ],
)
def test_without_need_or_pager_it_is_printed(text, env, screen):
    assert not pager.paged(text, screen, {"TERM": "xterm", "PATH": os.environ["PATH"], **env})


def test_without_a_terminal_there_is_no_pager(tmp_path):
    with open(tmp_path / "out", "w") as out:
        assert not pager.paged(LONG, out, {"TERM": "xterm", "PAGER": "cat -"})
