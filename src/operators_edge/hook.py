"""The file that a client runs for each of its events: ``python -I -S hook.py HOST``.

It holds the way to the package and what is said when even that is gone, and nothing more: Python
compiles a file that it runs as one anew each time, and keeps what it imports. What happens with the
event is in ``answering``.
"""

import os
import sys


def main(host: str = "claude") -> int:
    """Answer one event on stdin; 0, because hosts read other codes as words of their own."""
    try:
        if sys.flags.no_site:
            here = os.path.dirname(os.path.abspath(__file__))
            sys.path.append(os.path.dirname(here))
        from operators_edge import answering  # noqa: PLC0415 - see above
    except Exception as error:  # noqa: BLE001 - the hook's edge: nothing may fall open
        if b"PreToolUse" in sys.stdin.buffer.read():
            os.write(1, (_BROKEN % type(error).__name__).encode())
        return 0
    if host == "--stay":
        return answering.stay()
    return answering.hold() if host == "--hold" else answering.main(host)


_BROKEN = (
    '{"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "deny", '
    '"permissionDecisionReason": "Operator\'s Edge cannot be loaded (%s), so this call was not '
    'checked and not run. A person runs: edge doctor"}}'
)

if __name__ == "__main__":
    # What is to be said is said; an interpreter's own end would cost a tenth of its start.
    os._exit(main(*sys.argv[1:2]))
