"""A diff and a paragraph as a person reads them in a terminal."""

import io

from operators_edge.cli.layout import changed_lines, diff_lines, narrowed, paragraph
from operators_edge.cli.terminal import Terminal

DIFF = "--- a\n+++ b\n@@ -1,2 +1,3 @@\n same\n-old\n+new\n+and more"


class Screen(io.StringIO):
    def isatty(self):
        return True


def test_the_changed_lines_of_a_diff_are_counted_without_its_head():
    assert changed_lines(DIFF) == "+2 -1"
    assert changed_lines("") == "+0 -0"


def test_a_diff_is_coloured_for_a_terminal_and_cut_to_its_width(monkeypatch):
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    shown = diff_lines(Terminal(out=Screen()), DIFF, 5)
    assert shown[:2] == ["\x1b[1m--- a\x1b[0m", "\x1b[1m+++ b\x1b[0m"]
    assert shown[3:6] == [" same", "\x1b[31m-old\x1b[0m", "\x1b[32m+new\x1b[0m"]
    assert shown[6] == "\x1b[32m+and…\x1b[0m"
    assert diff_lines(Terminal(out=io.StringIO()), DIFF) == DIFF.splitlines()


def test_a_paragraph_continues_below_its_head_and_breaks_no_path():
    path = "/a/path/longer/than/the/line"
    assert paragraph("Note: ", f"see {path} for more", 6, 20) == [
        "Note: see",
        f"      {path}",
        "      for more",
    ]
    assert paragraph("Note: ", "", 6) == ["Note: "]


def test_a_narrow_screen_wraps_sentences_and_rows_and_leaves_the_rest():
    for line, rows in {
        "  one two three four": ["  one two", "  three four"],
        "- one two three": ["- one two", "  three"],
        "of    one two three": ["of    one", "      two", "      three"],
        "-q    one two": ["-q    one", "      two"],
        "  name    uuid-5678": ["  name", "      uuid-5678"],
    }.items():
        assert narrowed(line, 12) == "\n".join(rows)
    kept = ["a row  of  columns", "+ a line of a difference", "-   key: one", "short", "x " * 60]
    assert narrowed("\n".join(kept), 12) == "\n".join(kept)


def test_colours_take_no_columns_on_a_narrow_screen():
    assert narrowed("\x1b[31mone\x1b[0m two", 12) == "\x1b[31mone\x1b[0m two"
