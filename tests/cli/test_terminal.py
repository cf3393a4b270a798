"""What comes out at a terminal, whatever went in."""

import io
import json
import os
from pathlib import Path

from operators_edge.cli import terminal as terminal_module
from operators_edge.cli.main import main
from operators_edge.cli.terminal import Terminal


class Screen(io.StringIO):
    def isatty(self):
        return True


HOSTILE = "a\x1b[2J\x1b]0;title\x07b\x9b5nc\r\td\x1b[31mred\x1b[0m\né"


def test_no_text_drives_the_terminal_and_colours_and_lines_stay():
    out, err = io.StringIO(), io.StringIO()
    terminal = Terminal(out=out, err=err)
    terminal.warn(HOSTILE)
    terminal.show({}, HOSTILE)
    terminal.aside(HOSTILE, end="")
    shown = "a [2J ]0;title b 5nc \td\x1b[31mred\x1b[0m\né\n"
    assert out.getvalue() == shown
    assert err.getvalue() == f"warning: {shown}{shown[:-1]}"


def test_an_error_is_folded_at_a_terminal_between_words_and_stays_on_one_line_elsewhere(
    monkeypatch,
):
    monkeypatch.setenv("COLUMNS", "40")
    text = "edge: there is no project here: " + "no git repository at or above /tmp"
    assert Terminal(err=io.StringIO()).folded(text) == [text]
    folded = Terminal(err=Screen()).folded(text)
    assert " ".join(map(str.strip, folded)) == text
    assert max(map(len, folded)) <= 40
    assert folded[1].startswith("  ")


def test_nothing_but_the_terminal_writes_to_one():
    """What a command prints past it would reach the screen with whatever a file or an answer holds."""
    folder = os.path.dirname(terminal_module.__file__)
    files = sorted(Path(folder).rglob("*.py"))
    assert len(files) > 30
    for path in files:
        if path.name != "terminal.py":
            text = path.read_text("utf-8")
            past = [
                line
                for line in text.splitlines()
                if ("print(" in line or "stderr.write(" in line or "stdout.write(" in line)
                and "outgoing.to_program(" not in line
                and "ensure_ascii=True" not in line
                and "print(found, end=" not in line
                and '"interrupted"' not in line
            ]
            assert past == [], path


def test_an_error_that_quotes_a_file_drives_no_terminal(capsys):
    assert main(["plan", "show", "--project", "/no\x1b[2J\x1b]0;title\x07where"]) != 0
    assert not {"\x1b", "\x07"} & set(capsys.readouterr().err)


def test_a_program_gets_the_text_as_it_is():
    out = io.StringIO()
    Terminal(json_wanted=True, out=out).show({"text": HOSTILE}, HOSTILE)
    assert json.loads(out.getvalue())["data"] == {"text": HOSTILE}
