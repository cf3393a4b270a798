"""A command run in this process, and what a help of the command line shows, taken apart."""

import io
import re
import shlex

from operators_edge.cli.command import execute
from operators_edge.cli.parsers import parser_of
from operators_edge.cli.terminal import Terminal


def run(*words):
    """The exit code, and what was printed and told beside it; errors are raised."""
    terminal = Terminal(json_wanted="--json" in words, out=io.StringIO(), err=io.StringIO())
    code = execute(parser_of(words).parse_args(words), terminal)
    return code, terminal.out.getvalue(), terminal.err.getvalue()


def examples(parser):
    """The words of each command line that a help gives for an example, as a shell cuts them."""
    for line in parser.epilog.replace("%(prog)s", parser.prog).splitlines():
        for part in re.split(r"\s{3,}|; |\(or: ", line.strip().removeprefix("Example: ")):
            if part.startswith("edge "):
                yield shlex.split(re.split("[<>|]", part)[0].rstrip(")"))[1:]
