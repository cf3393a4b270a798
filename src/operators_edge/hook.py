"""The file that a client runs for each of its events: ``python -I -S hook.py HOST``.

It holds the way to the package and what is said when even that is gone, and nothing more: Python
compiles a file that it runs as one anew each time, and keeps what it imports. What happens with the
event is in ``asking``, and where no resident has the answer, in ``answering``.
"""

import sys

if sys.platform == "win32":
    import os as system
else:
    import posix as system  # `os` would cost more than a warm call takes otherwise

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType


def main(host: str = "claude") -> int:
    """Answer one event on stdin; 0, because hosts read other codes as words of their own."""
    try:
        if sys.flags.no_site:
            sys.path.append(_above(_folder()))
        from operators_edge import hook_client  # noqa: PLC0415 - see above
    except Exception as error:  # noqa: BLE001 - the hook's edge: nothing may fall open
        return _broken(sys.stdin.buffer.read(), 1, error)
    if host in ("--stay", "--hold"):
        return int(_answering().stay() if host == "--stay" else _answering().hold())
    return hook_client.main(host, _answering, _broken)


def _folder() -> str:
    """The package's folder, also where this file is reached over a link."""
    folder = _above(__file__)
    if folder.endswith("operators_edge"):
        return folder
    import os.path  # noqa: PLC0415 - see above

    return os.path.dirname(os.path.realpath(__file__))


def _above(path: str) -> str:
    return path[: max(path.rfind("/"), path.rfind("\\"))]


def _answering() -> "ModuleType":
    from operators_edge import hook_local  # noqa: PLC0415 - only where no resident answers

    return hook_local


def _broken(raw: bytes, answer: int, error: Exception) -> int:
    """Deny the call, where the event is one that waits for it."""
    if b"PreToolUse" in raw:
        system.write(answer, (_TEXT % type(error).__name__).encode())
    return 0


_TEXT = (
    '{"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "deny", '
    '"permissionDecisionReason": "Operator\'s Edge cannot be loaded (%s), so this call was not '
    'checked and not run. A person runs: edge doctor"}}'
)

if __name__ == "__main__":
    # What is to be said is said; an interpreter's own end would cost a tenth of its start.
    system._exit(main(*sys.argv[1:2]))  # noqa: SLF001 - as everybody else calls it
