"""What comes out at a terminal, whatever went in."""

import io
import json

from operators_edge.cli.terminal import Terminal

HOSTILE = "a\x1b[2J\x1b]0;title\x07b\x9b5nc\r\td\x1b[31mred\x1b[0m\né"


def test_no_text_drives_the_terminal_and_colours_and_lines_stay():
    out, err = io.StringIO(), io.StringIO()
    terminal = Terminal(out=out, err=err)
    terminal.warn(HOSTILE)
    terminal.show({}, HOSTILE)
    shown = "a [2J ]0;title b 5nc \td\x1b[31mred\x1b[0m\né\n"
    assert out.getvalue() == shown
    assert err.getvalue() == f"warning: {shown}"


def test_a_program_gets_the_text_as_it_is():
    out = io.StringIO()
    Terminal(json_wanted=True, out=out).show({"text": HOSTILE}, HOSTILE)
    assert json.loads(out.getvalue())["data"] == {"text": HOSTILE}
