"""Facts about this machine that rules depend on: file sizes, texts, links, the branch. Reads, never writes.

Owns the answers; does not own what follows from them. ``None`` means missing or unknown; rules assume the
worse of the two.
"""

from __future__ import annotations

import os
import re
import stat
import sys
from functools import lru_cache
from itertools import islice

from operators_edge.locations import known_home
from operators_edge.model import Place
from operators_edge.system import installation
from operators_edge.system.project_root import git_folder, shared_folder, top_of
from operators_edge.system.realpaths import RealPaths
from operators_edge.system.user_dirs import config_file, user_dir
from operators_edge.text.patterns import pattern

_SECRET = pattern(r"/(\.env[^/]*|[^/]*\.(pem|key|p12|pfx|kdbx)|id_[a-z0-9]+|secrets?)(/|$)")
_MADE_AGAIN = pattern(
    r"/(\.?venv|virtualenv|env|(_|\.)?build|(dist|build|cmake-build|bazel)-[\w.-]+|dist|target|out|obj|bin"
    r"|node_modules|bower_components|vendor|deps|Pods|Carthage|DerivedData|elm-stuff|__pycache__|[\w.-]*[_.-]cache"
    r"|cache|te?mp|\.tmp|coverage|htmlcov|\.nyc_output|\.hypothesis|\.?eggs|[\w.-]+\.egg-info|\.tox|\.nox"
    r"|\.gradle|\.next|\.nuxt|\.output|\.svelte-kit|\.turbo|\.angular|\.astro|\.docusaurus|\.vite|\.serverless"
    r"|\.terraform|\.dart_tool|\.swiftpm|\.stack-work|\.zig-cache|zig-out|buck-out|storybook-static|_?site"
    r"|test-results|playwright-report|(__)?generated(__)?|Debug|Release|\.vs|\.kotlin|\.cxx|\.externalNativeBuild"
    r"|\.pio|\.expo|\.wrangler|\.ipynb_checkpoints|\.eslintcache|\.coverage(\.[\w.-]+)?"
    r"|[^/]+\.(pyc|pyo|o|class|tsbuildinfo))(/|$)"
)
"""What tools make again. Being ignored by git proves nothing: data, notes and keys are ignored too."""
_MAX_FOLDERS = 50_000
_MAX_REFS = 4 * 1024 * 1024
_MAX_HEADS = 1_000
_MAX_NAMES = 2_000
_MAX_SEARCHED = 20_000
"""Names that are looked at for files that hold secrets: 20 ms."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


class SystemFacts:
    """The real ``Facts`` of one call, from the file system alone: starting git would cost more than the gate.

    Resolved paths are cached, so every call needs its own object.
    """

    def __init__(self) -> None:
        self.paths = RealPaths()

    def size(self, path: str) -> int | None:
        try:
            found = os.stat(path)
        except (OSError, ValueError):
            return None
        return found.st_size if stat.S_ISREG(found.st_mode) else None

    def link_count(self, path: str) -> int | None:
        try:
            found = os.stat(path)
        except (OSError, ValueError):
            return None
        return found.st_nlink if stat.S_ISREG(found.st_mode) else None

    def is_executable(self, path: str) -> bool | None:
        try:
            found = os.stat(path)
        except (OSError, ValueError):
            return None
        return bool(found.st_mode & 0o111) if stat.S_ISREG(found.st_mode) else None

    def text(self, path: str, limit: int) -> str | None:
        try:
            # Never waits: a pipe opens at once, and nothing but a regular file is read.
            fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC | getattr(os, "O_NONBLOCK", 0))
        except (OSError, ValueError):
            return None
        try:
            data = os.read(fd, limit * 4) if stat.S_ISREG(os.fstat(fd).st_mode) else None
        except OSError:
            return None
        finally:
            os.close(fd)
        return None if data is None else _decoded(data, limit)

    def branch(self, cwd: str) -> str | None:
        head = _head_file(cwd)
        text = self.text(head, 4096) if head else None
        prefix = "ref: refs/heads/"
        return text[len(prefix) :].strip() if text and text.startswith(prefix) else None

    def real(self, path: str) -> str | None:
        try:
            return self.paths.of(path)
        except (OSError, ValueError):
            return None

    def is_published(self, cwd: str) -> bool | None:
        """Compare the head with the remotes' branches as last fetched or pushed; no network."""
        head = _head_file(cwd)
        text = self.text(head, 4096) if head else None
        if head is None or text is None:
            return None
        shared = shared_folder(os.path.dirname(head))
        packed = self.text(os.path.join(shared, "packed-refs"), _MAX_REFS) or ""
        name = text.strip().removeprefix("ref: ")
        commit = name
        if name != text.strip():
            loose = self.text(os.path.join(shared, name), 4096)
            commit = loose.strip() if loose else _packed_ref(packed, name)
        return bool(commit) and (
            f"\n{commit} refs/remotes/" in packed
            or any(found == commit for found in self._remote_heads(shared))
        )

    def is_staged_alone(self, cwd: str) -> bool | None:
        """Ask git, unless nothing is staged at all; only commands that stage files need that."""
        own = git_folder(cwd)
        if not own:
            return None
        from operators_edge.git import index  # noqa: PLC0415 - see the docstring

        # In a folder that is not there yet, another repository may be by then.
        is_clear = os.path.isdir(cwd) and index.has_nothing_new(own, shared_folder(own))
        return False if is_clear else self._asks_staged(cwd)

    def _asks_staged(self, cwd: str) -> bool | None:
        from operators_edge.git import commands as git  # noqa: PLC0415 - see above

        return git.is_staged_alone(cwd)

    def _remote_heads(self, shared: str) -> Iterator[str]:
        count = 0
        for folder, _, names in os.walk(os.path.join(shared, "refs", "remotes")):
            for name in names:
                count += 1
                if count > _MAX_HEADS:
                    return
                yield (self.text(os.path.join(folder, name), 4096) or "").strip()

    def names(self, path: str) -> list[str] | None:
        try:
            with os.scandir(path) as entries:
                return [entry.name for entry in islice(entries, _MAX_NAMES)]
        except (OSError, ValueError):
            return None

    def secret_files(self, folder: str) -> list[str] | None:
        """Look level by level, so that what is left out of a large tree is deep in it."""
        from operators_edge.gate.secret_files import (  # noqa: PLC0415 - for searches through folders alone
            is_credentials,
            is_env_file,
        )

        found, left, seen = [], [folder], 0
        while left and seen < _MAX_SEARCHED:
            here = left.pop(0)
            for name, is_folder in _entries(here):
                path, seen = os.path.join(here, name), seen + 1
                if is_folder and not _MADE_AGAIN.search(f"/{name}") and name != ".git":
                    left.append(path)
                elif not is_folder and (is_env_file(path) or is_credentials(path)):
                    found.append(path)
        return found

    def is_ignored(self, path: str, root: str) -> bool | None:
        """Ask git, if there is a repository; only a search that may print a secret needs that."""
        if not _is_in_repository(root):
            return False
        from operators_edge.git import commands as git  # noqa: PLC0415 - see the docstring

        return git.is_ignored(root, path)

    def repository(self, cwd: str) -> tuple[str, str] | None:
        head = _head_file(cwd)
        if head is None:
            return None
        return top_of(cwd), os.path.normpath(shared_folder(os.path.dirname(head)))

    def copied_program(self, path: str, names: frozenset[str]) -> str | None:
        try:
            found = os.stat(path)
        except (OSError, ValueError):
            return None
        if not stat.S_ISREG(found.st_mode) or not found.st_mode & 0o111:
            return None
        return _copied_program(
            path, names, (found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns)
        )

    def revision_text(self, root: str, revision: str, name: str, limit: int) -> str | None:
        """Ask git; only what another commit brings needs that."""
        from operators_edge.git import commands as git  # noqa: PLC0415 - see the docstring

        data = git.committed_file(root, revision, name)
        return None if data is None else _decoded(data, limit)

    def archived_text(self, archive: str, name: str, strip: int, limit: int) -> str | None:
        from operators_edge.system import archives  # noqa: PLC0415 - few commands unpack and run

        data = archives.member(archive, name, strip, limit * 4)
        return None if data is None else _decoded(data, limit)

    def is_established(self, path: str, root: str) -> bool | None:
        """Ask git, if there is a repository; only a file in which something was found needs that."""
        if is_installed(path):
            return True
        if not _is_in_repository(os.path.dirname(path)):
            return False
        from operators_edge.git import commands as git  # noqa: PLC0415 - see the docstring

        return git.is_committed(root, path)

    def is_regenerable(self, path: str, root: str) -> bool | None:
        """Ask git, if there is a repository; only rules of the profile "contextual" need that."""
        below = path.removeprefix(root)
        if _SECRET.search(path) or not _MADE_AGAIN.search(below) or not _is_in_repository(root):
            return False
        from operators_edge.git import commands as git  # noqa: PLC0415 - see the docstring

        ignored = git.is_ignored(root, path)
        return ignored and not _holds_repository(path)


class QuickFacts(SystemFacts):
    """The same without starting a program, for a process that others wait for.

    ``is_incomplete`` becomes True when a fact would have needed one: the verdict must then be made elsewhere.
    """

    def __init__(self) -> None:
        super().__init__()
        self.is_incomplete = False

    def is_regenerable(self, path: str, root: str) -> bool | None:
        del path, root
        self.is_incomplete = True
        return None

    def is_ignored(self, path: str, root: str) -> bool | None:
        del path, root
        self.is_incomplete = True
        return None

    def _asks_staged(self, cwd: str) -> bool | None:
        del cwd
        self.is_incomplete = True
        return None

    def revision_text(self, root: str, revision: str, name: str, limit: int) -> str | None:
        del root, revision, name, limit
        self.is_incomplete = True
        return None

    def is_established(self, path: str, root: str) -> bool | None:
        del root
        if is_installed(path):
            return True
        self.is_incomplete = True
        return None


def _entries(folder: str) -> Iterator[tuple[str, bool]]:
    """Yield the names in a folder, and whether each is a folder; links are not followed."""
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                yield entry.name, entry.is_dir(follow_symlinks=False)
    except OSError:
        return


_INSTALLED = pattern(
    r"/(node_modules|site-packages|dist-packages|\.?venv|\.tox|\.nox|vendor/bundle|\.git)/"
)
_PROGRAM_FOLDERS = ("/usr/bin", "/bin", "/usr/sbin", "/sbin", "/usr/local/bin", "/opt/homebrew/bin")
_PIECE = 1 << 16
_STRIDE = 1 << 20
"""A program is compared in samples: one of 300 MB is compared within the time of a call."""


def is_installed(path: str) -> bool:
    """Whether it belongs to a package that was installed, or to a repository's own folder."""
    return _INSTALLED.search(path) is not None


def _decoded(data: bytes, limit: int) -> str:
    return data.decode("utf-8", "surrogateescape")[:limit]


@lru_cache(maxsize=256)
def _copied_program(path: str, names: frozenset[str], identity: tuple[int, ...]) -> str | None:
    """Return the name of the program that a file is a copy of.

    ``identity`` is part of the key, so that another file under the same name is looked at again.
    """
    try:
        with open(path, "rb") as file:
            if file.read(4) not in _EXECUTABLES:
                return None
        on_path = os.environ.get("PATH", "").split(os.pathsep)
        for folder in dict.fromkeys((*_PROGRAM_FOLDERS, *filter(os.path.isabs, on_path))):
            for name in _programs_of_size(folder, identity[2]):
                if name in names and _is_same(path, os.path.join(folder, name)):
                    return name
    except OSError:
        return None
    return None


_EXECUTABLES = (b"\x7fELF", b"\xcf\xfa\xed\xfe", b"\xca\xfe\xba\xbe")


def _programs_of_size(folder: str, size: int) -> Iterator[str]:
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                if entry.is_file() and entry.stat().st_size == size:
                    yield entry.name
    except OSError:
        return  # no such folder on this machine


def _is_same(path: str, program: str) -> bool:
    if os.path.samefile(path, program):
        return True
    with open(path, "rb") as one, open(program, "rb") as other:
        size = os.fstat(one.fileno()).st_size
        for start in (*range(0, size, _STRIDE), max(size - _PIECE, 0)):
            one.seek(start)
            other.seek(start)
            if one.read(_PIECE) != other.read(_PIECE):
                return False
    return True


def _packed_ref(refs: str, name: str) -> str:
    """Return the commit of a branch in the text of ``packed-refs``; empty when it is missing."""
    found = re.search(rf"^([0-9a-f]+) {re.escape(name)}$", refs, re.MULTILINE)
    return found.group(1) if found else ""


def _head_file(cwd: str) -> str | None:
    """Return the HEAD file of the repository around ``cwd``."""
    folder = git_folder(cwd)
    return os.path.join(folder, "HEAD") if folder else None


def _is_in_repository(folder: str) -> bool:
    """Whether git could find a repository around the folder, also where links lead."""
    return bool(git_folder(folder) or git_folder(os.path.realpath(folder)))


def _holds_repository(path: str) -> bool:
    """Whether the folder contains a repository, whose work could not be restored."""
    for count, (_, folders, files) in enumerate(os.walk(path)):
        if ".git" in folders or ".git" in files or count >= _MAX_FOLDERS:
            return True  # too large to search: not known to be safe
    return False


# -- the place of a call ---------------------------------------------------------------------------


def home(env: Mapping[str, str]) -> str:
    """Return the person's home folder, also when HOME is missing."""
    named = known_home(env)
    return os.path.realpath(named) if named else ""


def place(root: str | None, env: Mapping[str, str], facts: SystemFacts | None = None) -> Place:
    """Return the place of a call in this project; with ``root`` None only the built-in rules apply.

    Links are followed again for each call, once for what ``facts`` resolves too.
    """
    real = (facts.paths if facts else RealPaths()).of
    named = known_home(env)
    here = real(named) if named else ""
    temp = {real(each) for each in ("/tmp", "/var/tmp", env.get("TMPDIR"), env.get("TEMP")) if each}  # noqa: S108
    temp -= {"/", "//"}  # a repository's settings can set these: not the whole disk is temporary
    settings = config_file(env)
    # The settings file too, with links followed: a person's settings are often in a repository of their own.
    folders = (user_dir(env), os.path.dirname(settings), settings)
    own = tuple([real(each) for each in folders if each])
    given = [env.get(name) for name in ("CLAUDE_CONFIG_DIR", "CLAUDE_ENV_FILE")]
    client = tuple([real(each) for each in given if each])
    about = _of_installation(root, env.get("PATH", ""))
    return about._replace(
        home=here,
        temp=tuple(sorted(temp)),
        own=(*own, *about.own),
        host=_host_folders(here, root),
        client=(*_client_files(here), *client),
        terminals=_terminals(env),
        client_pid=env.get("CLAUDE_PID", ""),
    )


@lru_cache(maxsize=64)
def _of_installation(root: str | None, path: str) -> Place:
    """Return the part of a place that this installation decides; ``path`` is the variable."""
    ours = installation.current()
    # One in the project is what the project installs into, even while it holds nothing else yet.
    is_shared = ours.is_shared or (root is not None and ours.environment.startswith(f"{root}/"))
    # There, only what runs in a hook is ours: a project's packages come and go.
    needed = (os.path.join(ours.library, name) for name in installation.NEEDED)
    whole = (*ours.parts, *needed) if is_shared else (ours.environment,)
    return Place(
        root=root,
        home="",
        own=(ours.package, *whole),
        environment=ours.environment,
        is_shared=is_shared,
        libraries=(ours.library,),
        is_active=_is_active(ours.environment, root, path),
    )


@lru_cache(maxsize=64)
def _client_files(here: str) -> tuple[str, ...]:
    """Return Claude Code's own files; it sources its shell snapshots before each command."""
    names = (".claude", ".claude.json", ".claude.json.backup") if here else ()
    return tuple(os.path.join(here, name) for name in names)


_TERMINALS = {
    "TMUX": "tmux",
    "STY": "screen",
    "ZELLIJ": "zellij",
    "KITTY_WINDOW_ID": "kitty",
    "WEZTERM_PANE": "wezterm",
    "DISPLAY": "desktop",
    "WAYLAND_DISPLAY": "desktop",
}
"""Variables that a program sets for what runs in it."""


def _terminals(env: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    """Return what the client runs in, with its address, from the environment that its hooks have."""
    # tmux names its socket, then a process and a session.
    found = [(kind, env[name].split(",")[0]) for name, kind in _TERMINALS.items() if env.get(name)]
    return (*found, ("desktop", "")) if sys.platform == "darwin" else tuple(found)


def _is_active(environment: str, root: str | None, path: str) -> bool:
    """Whether an installer that is called by its name works on the environment."""
    if not environment:
        return True
    is_found = root is not None and environment.startswith(root + "/")  # as uv and poetry find it
    folders = path.split(os.pathsep)
    return is_found or any(os.path.dirname(each) == environment for each in folders)


@lru_cache(maxsize=64)
def _host_folders(here: str, root: str | None) -> tuple[str, ...]:
    """Return Claude Code's plans and this project's memory; never its transcripts, which are evidence."""
    if not here:
        return ()
    client = os.path.join(here, ".claude")
    folders = [os.path.join(client, "plans")]
    if root is not None:
        name = "".join(c if c.isascii() and c.isalnum() else "-" for c in root)
        folders.append(os.path.join(client, "projects", name, "memory"))
    return tuple(folders)


# end of module
