"""How a client starts the hook: a few lines of Python, which answer even if the package cannot.

Owns the words of the command. They find the package, and if it is gone, was cut or fails on the way, they
block the call, or let anything else go on. Does not own the answers (``hook``) nor the settings in which the
command is written (``hosts.claude.wiring``).
"""

from __future__ import annotations

BLOCK, GO_ON = "2", "1"
"""Exit codes: with 2 the client runs no call; with 1 it goes on and shows the person what was said."""

ANSWERED = "9"
"""The exit code of `edge hook HOST 9` when it has answered: any other one means that something is missing."""

LINES = """\
import sys
try:
    sys.path.append(sys.argv[1].rpartition("operators_edge")[0])
    from operators_edge.hook import run
    run(sys.argv[2])
    why = "it gave no answer"
except BaseException as error:
    why = type(error).__name__
try:
    what = f"operators-edge is missing or damaged ({why}, {sys.argv[1]})"
    print(what, "A person installs it again, then runs: edge doctor", sep=". ", file=sys.stderr)
finally:
    import os
    os._exit(int(sys.argv[3]))
"""
"""``run`` ends the process when it has answered, so whatever follows it means that there is no answer.

The same text for every machine: what differs comes as arguments, so nothing in it has to be quoted. No
apostrophe either: a POSIX shell takes it as it is between two of them.
"""


MARK = (
    r"from operators_edge\.hook import|operators_edge[/\\]+hook\.py|\bedge(\.exe)? hook claude\b"
    r"|\"edge\",\s*\"args\":\s*\[\s*\"hook\"|127\.0\.0\.1:\d+/operators-edge/"
    r"|\"edge@[^\"]*\"\s*:\s*true"
)
"""What the text of a settings file contains if it runs the hook: in any form, or as a plugin."""


def command(
    interpreter: str, hook_file: str, host: str = "claude", *, otherwise: str = BLOCK
) -> list[str]:
    """The command of this installation's hook; ``otherwise`` is the exit code if it has no answer.

    ``hook_file`` is ``operators_edge/hook.py``, by which an installation is known; it is imported, not run.
    """
    return [interpreter, "-I", "-S", "-c", LINES, hook_file, host, otherwise]


# end of module
