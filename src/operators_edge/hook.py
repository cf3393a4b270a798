"""The hook: a client runs it for each of its events, as ``system.launch`` says.

It answers if the rest cannot be loaded. The event is handled in ``hook_client``, and if no resident answers,
in ``hook_local``. Older settings run this very file: ``python -I -S hook.py HOST``; so does what stays
running (``resident``).
"""

import sys

if sys.platform == "win32":
    import os as system
else:
    import posix as system  # importing `os` costs more than the rest of a warm call

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from importlib.machinery import SourceFileLoader
    from types import CodeType, ModuleType

    Loader = type[SourceFileLoader]


def main(host: str = "claude") -> int:
    """Answer one event on stdin; returns the exit code.

    0 if there is an answer, because hosts give other exit codes a meaning of their own.
    """
    try:
        from operators_edge import hook_client  # noqa: PLC0415 - if it cannot be loaded, this file answers
    except Exception as error:  # noqa: BLE001 - the hook's edge: no error may let a call run
        return _deny_unloaded(sys.stdin.buffer.read(), 1, error)
    if host in ("--stay", "--hold"):
        stay = _hook_local()
        return int(stay.run_resident() if host == "--stay" else stay.run_http_server())
    return int(hook_client.main(host, _hook_local, _deny_unloaded))


def _package_folder() -> str:
    """The package's folder, even if this file is reached over a link."""
    folder = _folder_of(__file__)
    if folder.endswith("operators_edge"):
        return folder
    import os.path  # noqa: PLC0415 - see above

    return os.path.dirname(os.path.realpath(__file__))


def _folder_of(path: str) -> str:
    return path[: max(path.rfind("/"), path.rfind("\\"))]


def refuse_cut_modules(like: "Callable[[Loader], Loader] | None" = None) -> None:
    """Have Python load no module of ours that was cut; ``like`` makes another loader of the one that does.

    What is left of one can be valid, and a function without its end finds nothing to object to. It costs
    nothing while the compiled form of a module is up to date.
    """
    import _frozen_importlib_external as loading  # noqa: PLC0415 - loaded in any process, unlike importlib

    package = _package_folder()

    class WholeModule(loading.SourceFileLoader):
        def source_to_code(self, data: bytes, path: str, **more: int) -> "CodeType":  # type: ignore[override]
            if not is_whole(data):
                raise ImportError(f"{path} is cut off")
            return super().source_to_code(data, path, **more)

    loader = like(WholeModule) if like else WholeModule

    def finder(path: str) -> "loading.FileFinder":
        if not path.startswith(package):
            raise ImportError(path)
        return loading.FileFinder(path, (loader, [".py"]))

    sys.path_hooks.insert(0, finder)
    sys.path_importer_cache.pop(package, None)


def is_whole(data: bytes) -> bool:
    """Whether a module of ours has its last line."""
    return data.rstrip().endswith(b"\n# end of module")


def _hook_local() -> "ModuleType":
    from operators_edge import hook_local  # noqa: PLC0415 - only if no resident answers

    return hook_local


def _deny_unloaded(raw: bytes, answer: int, error: Exception) -> int:
    """Deny the call, if the event is about one that has not run yet; else say on stderr what is wrong."""
    what = f"Operator's Edge cannot be loaded ({type(error).__name__})"
    if b"PreToolUse" in raw:
        system.write(
            answer, (_DENIAL % f"{what}, so this call was not checked and not run").encode()
        )
        return 0
    system.write(2, f"{what}. {_REPAIR}\n".encode())
    return 1  # the client goes on, and shows the line


_REPAIR = "A person installs it again, then runs: edge doctor"

_DENIAL = (
    '{"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "deny", '
    f'"permissionDecisionReason": "%s. {_REPAIR}"}}}}'
)


def run(host: str = "claude", answered: str = "0") -> None:
    """Answer one event and end this process. If it returns or raises, there was no answer.

    ``answered`` is the exit code if there is one. The last name of this file: a file that was cut does not
    have it.
    """
    refuse_cut_modules()
    # The answer is written; the interpreter's regular exit would cost a tenth of its start.
    system._exit(main(host) or int(answered))  # noqa: SLF001 - a public function, as `os._exit`


if __name__ == "__main__":
    if sys.flags.no_site:
        sys.path.append(_folder_of(_package_folder()))
    run(*sys.argv[1:2])

# end of module
