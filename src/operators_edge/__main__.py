"""The ``edge`` command: ``edge hook`` answers a host's event, everything else is the command line.

The hook and the status line pay for no parser. Neither side loads a module that was cut. In a contained
command the words go to the product outside.
"""

from __future__ import annotations

import os
import sys

from operators_edge import hook


def main() -> int:
    """Run the words of this process; returns the exit code."""
    words = sys.argv[1:]
    if words[:1] == ["hook"] and words[1:2] not in (["--help"], ["-h"]):
        hook.run(*words[1:3])
    if words[:1] == ["statusline"] and (len(words) == 1 or words[1] == "--wrap"):
        from operators_edge import statusline  # noqa: PLC0415 - a client runs this often, and nothing else then

        return statusline.main(words[1:])
    hook.refuse_cut_modules()
    if os.environ.get("EDGE_RELAY") and words and not words[0].startswith("-"):
        from operators_edge.containment import relay  # noqa: PLC0415 - only in a contained command

        return relay.forward(words)
    from operators_edge.cli import main as command_line  # noqa: PLC0415 - see above

    return command_line.main(words)


if __name__ == "__main__":
    sys.exit(main())

# end of module
