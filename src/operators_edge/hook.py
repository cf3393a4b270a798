"""The hook: a client runs it for each of its events, as ``system.launch`` says.

It answers if the rest cannot be loaded. The event is handled in ``hook_client``, and if no resident answers,
in ``hook_local``. Older settings run this very file: ``python -I -S hook.py HOST``; so does what stays
running (``resident``).
"""

# These two are loaded in any process, unlike importlib.
import _frozen_importlib_external as loading
import marshal
import sys
from _frozen_importlib import ModuleSpec

if sys.platform == "win32":
    import os as system
else:
    import posix as system  # importing `os` costs more than the rest of a warm call

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import CodeType, ModuleType

    Loader = type["WholeModule"]


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


class WholeModule(loading.SourceFileLoader):
    """Runs no module of ours that was cut: what is left of one can be valid, and a function without its end
    finds nothing to object to.

    The compiled form is not looked at for that. While it is up to date, the module is found and read with
    four calls of the system; Python's own search takes a tenth of a short command's time.
    """

    compiled = ""
    """Its compiled form, which begins with the time and size of the source that it was made of."""
    seconds, size = 0, 0

    def get_code(self, fullname: str) -> "CodeType | None":
        head = loading.MAGIC_NUMBER + bytes(4)
        for number in (self.seconds, self.size):
            head += (number & 0xFFFF_FFFF).to_bytes(4, "little")
        try:
            with open(self.compiled, "rb", buffering=0) as file:
                data = file.read()
        except OSError:
            data = b""
        if data[: len(head)] != head:
            return super().get_code(fullname)
        code: CodeType = marshal.loads(memoryview(data)[len(head) :])  # noqa: S302 - what Python itself reads
        return code

    def source_to_code(self, data: bytes, path: str, **more: int) -> "CodeType":  # type: ignore[override]
        if not is_whole(data):
            raise ImportError(f"{path} is cut off")
        return super().source_to_code(data, path, **more)


class Folder(loading.FileFinder):
    """Finds the modules and packages in one folder of ours."""

    def __init__(self, path: str, kind: "Loader") -> None:
        super().__init__(path, (kind, [".py"]))
        self.kind = kind

    def find_spec(self, fullname: str, _: "ModuleType | None" = None) -> "ModuleSpec | None":
        stem = f"{self.path}{loading.path_sep}{fullname[fullname.rfind('.') + 1 :]}"
        inside = None
        for file in (f"{stem}.py", f"{stem}{loading.path_sep}__init__.py"):
            try:
                source = system.stat(file)
            except OSError:
                inside = [stem]
                continue
            loader = self.kind(fullname, file)
            spec = ModuleSpec(fullname, loader, origin=file)
            spec.submodule_search_locations = inside
            spec.has_location = True
            if sys.implementation.cache_tag is not None:
                spec.cached = loader.compiled = loading.cache_from_source(file)
                loader.seconds, loader.size = int(source.st_mtime), source.st_size
            return spec
        return None


def refuse_cut_modules(like: "Callable[[Loader], Loader] | None" = None) -> None:
    """Load modules of ours as ``WholeModule``; ``like`` makes another loader of it."""
    package = _package_folder()
    kind = like(WholeModule) if like else WholeModule

    def finder(path: str) -> Folder:
        if not path.startswith(package):
            raise ImportError(path)
        return Folder(path, kind)

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
