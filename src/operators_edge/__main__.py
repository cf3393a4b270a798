"""The ``edge`` command: ``edge hook`` answers a host's event, everything else is the command line.

The hook and the status line pay for no parser. Neither side loads a module that was cut. In a contained
command the words go to the product outside.
"""

from __future__ import annotations

import atexit
import gc
import os
import sys

from operators_edge import __version__, hook

COLLECT_AFTER = 100_000
"""Objects after which Python looks for garbage: not while a command is imported."""


def main() -> int:
    """Run the words of this process; returns the exit code."""
    words = sys.argv[1:]
    if words == ["--version"]:
        print(f"edge {__version__}")
        return 0
    if words[:1] == ["hook"] and words[1:2] not in (["--help"], ["-h"]):
        hook.run(*words[1:3])
    if words[:1] == ["statusline"] and (len(words) == 1 or words[1] == "--wrap"):
        from operators_edge import statusline  # noqa: PLC0415 - a client runs this often, and nothing else then

        return statusline.main(words[1:])
    from operators_edge.system import deferral  # noqa: PLC0415 - see above

    hook.refuse_cut_modules(deferral.deferring)
    deferral.defer_standard()
    if os.environ.get("EDGE_RELAY") and words and not words[0].startswith("-"):
        from operators_edge.containment import relay  # noqa: PLC0415 - only in a contained command

        return relay.forward(words)
    gc.set_threshold(COLLECT_AFTER)
    from operators_edge.cli import main as command_line  # noqa: PLC0415 - see above

    return _ended(command_line.main(words))


def _ended(code: int) -> int:
    """End the process where the interpreter has nothing left to do but to take its modules apart.

    That takes as long as many a command. It is left to the interpreter where a thread or a callback waits for
    its end, and to complain about output that cannot be written.
    """
    threading = sys.modules.get("threading")
    is_alone = threading is None or threading.active_count() == 1
    if is_alone and atexit._ncallbacks() == 0:  # noqa: SLF001 - nothing public tells
        try:
            sys.stdout.flush()
            sys.stderr.flush()
        except (OSError, ValueError, AttributeError):
            return code
        os._exit(code)
    return code


if __name__ == "__main__":
    sys.exit(main())

# end of module
