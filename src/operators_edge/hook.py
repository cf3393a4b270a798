"""The file that a client runs for each of its events: ``python -I -S hook.py HOST``.

It only finds the package, and answers if even that fails: Python compiles the file that it runs each
time, and caches what it imports. The event is handled in ``hook_client``, and if no resident answers,
in ``hook_local``.
"""

import sys

if sys.platform == "win32":
    import os as system
else:
    import posix as system  # importing `os` costs more than the rest of a warm call

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType


def main(host: str = "claude") -> int:
    """Answer one event on stdin; returns 0, because hosts give other exit codes a meaning of their own."""
    try:
        if sys.flags.no_site:
            sys.path.append(_folder_of(_package_folder()))
        from operators_edge import hook_client  # noqa: PLC0415 - see above
    except Exception as error:  # noqa: BLE001 - the hook's edge: no error may let a call run
        return _deny_unloaded(sys.stdin.buffer.read(), 1, error)
    if host in ("--stay", "--hold"):
        return int(
            _hook_local().run_resident() if host == "--stay" else _hook_local().run_http_server()
        )
    return hook_client.main(host, _hook_local, _deny_unloaded)


def _package_folder() -> str:
    """The package's folder, even if this file is reached over a link."""
    folder = _folder_of(__file__)
    if folder.endswith("operators_edge"):
        return folder
    import os.path  # noqa: PLC0415 - see above

    return os.path.dirname(os.path.realpath(__file__))


def _folder_of(path: str) -> str:
    return path[: max(path.rfind("/"), path.rfind("\\"))]


def _hook_local() -> "ModuleType":
    from operators_edge import hook_local  # noqa: PLC0415 - only if no resident answers

    return hook_local


def _deny_unloaded(raw: bytes, answer: int, error: Exception) -> int:
    """Deny the call, if the event is about one that has not run yet."""
    if b"PreToolUse" in raw:
        system.write(answer, (_TEXT % type(error).__name__).encode())
    return 0


_TEXT = (
    '{"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "deny", '
    '"permissionDecisionReason": "Operator\'s Edge cannot be loaded (%s), so this call was not '
    'checked and not run. A person runs: edge doctor"}}'
)

if __name__ == "__main__":
    # The answer is written; the interpreter's regular exit would cost a tenth of its start.
    system._exit(main(*sys.argv[1:2]))  # noqa: SLF001 - a public function, as `os._exit`
