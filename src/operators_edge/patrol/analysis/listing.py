"""The source files of a project: what git does not ignore, without third-party and generated ones.

Owns the selection by name and by git's attributes. Does not own what is in the files
(``patrol.analysis.files``).
"""

from __future__ import annotations

import os
import re
import stat

from operators_edge.config.stamps import OWN
from operators_edge.git import commands as git
from operators_edge.locations import HANDOFF_DIR, PROOF_DIR, STATE_FILE
from operators_edge.text.wording import many
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from operators_edge.git.commands import Budget

MAX_FILES = 50_000
MAX_BYTES = 1_000_000
"""A longer source file is hardly written by hand."""

GIT_SECONDS = 5.0

_OWN_FOLDERS = frozenset({PROOF_DIR, HANDOFF_DIR, ".claude", ".git"})
"""Folders of this product and of the client: their rules, hooks and commands are not the project's work."""

_REPORT = re.compile(r"reports/[^/]*\.(?:html?|md|json|csv)$")
_FOREIGN_NAMES = (
    "node_modules bower_components vendor vendored third_party third-party thirdparty site-packages"
    " __pycache__ venv virtualenv dist htmlcov generated __generated__ Pods Carthage DerivedData"
    " __snapshots__"
)
_FOREIGN = frozenset(_FOREIGN_NAMES.split())
"""Folders of third-party or generated code, even if git tracks them."""

_OUTPUT_NAMES = "build target out obj bin coverage env _build deps"
_OUTPUT = frozenset(_OUTPUT_NAMES.split())
"""Folders of build output if there is no git; files that git tracks in them are sources."""

_SCANNED_DOT_FOLDERS = frozenset({".github", ".gitlab", ".circleci"})
_GENERATED = re.compile(
    r"(?:[.-]min\.(?:js|css)|[.-]bundle\.js|_pb2(?:_grpc)?\.pyi?|\.pb\.(?:go|cc|h|swift)|\.g\.(?:dart|cs)"
    r"|\.freezed\.dart|\.designer\.cs|\.generated\.\w+|_generated\.\w+|\.gen\.\w+|\.d\.ts|-lock\.json"
    r"|-lock\.yaml|\.snap)$",
    re.IGNORECASE,
)
_SOURCE_EXTENSIONS_TEXT = (
    "bash c cc cjs clj cljs cmake cpp cs css cxx dart erl es escript ex exs f f03 f08 f90 f95"
    " fish for fs fsx gd go gradle graphql groovy h hcl hh hpp hrl hs html ini java jl js jsx kt"
    " kts less lua m mjs ml mli mm nim nix php pl pm proto ps1 py pyi pyx r rb rs sass scala"
    " scss sh sol sql svelte swift tf toml ts tsx vb vue yaml yml zig zsh"
)
_SOURCE_EXTENSIONS = frozenset(_SOURCE_EXTENSIONS_TEXT.split())
_SOURCE_NAMES = frozenset(
    {"makefile", "dockerfile", "rakefile", "gemfile", "justfile", "jenkinsfile", "cmakelists.txt"}
)


class Listing(NamedTuple):
    """Paths from the root with "/", sorted. ``skipped``: what could not be determined; ``is_whole``: no
    file of the project is missing because of that.
    """

    paths: tuple[str, ...]
    skipped: tuple[str, ...]
    is_whole: bool


def listing(root: str, budget: Budget) -> Listing:
    """The source files below ``root``; links are not followed."""
    skipped: list[str] = []
    names = _by_git(root, budget, skipped)
    skipped_before = len(skipped)
    found = []
    large = 0
    for name in names if names is not None else _by_walking(root, budget, skipped):
        if not is_source(name):
            continue
        size = _size(os.path.join(root, name))
        if size is None:
            continue
        if size > MAX_BYTES:
            large += 1
            continue
        found.append(name)
        if len(found) > MAX_FILES:
            skipped.append(f"there are more than {MAX_FILES:,} files; the others were left out")
            break
    if large:
        were = "was" if large == 1 else "were"
        skipped.append(
            f"{many(large, 'file')} of more than {MAX_BYTES // 1_000_000} MB {were} left out"
        )
    is_whole = len(skipped) == skipped_before
    generated = set() if names is None else _generated_by_attributes(root, found, budget, skipped)
    return Listing(tuple(sorted(set(found) - generated)), tuple(skipped), is_whole)


def is_source(path: str) -> bool:
    """Whether a file with this name is a source of this project."""
    folders = path.split("/")
    name = folders.pop().lower()
    if name in (STATE_FILE, OWN) or _REPORT.match(path) or _GENERATED.search(name):
        return False
    if any(
        each in _OWN_FOLDERS
        or each in _FOREIGN
        or (each.startswith(".") and each not in _SCANNED_DOT_FOLDERS)
        for each in folders
    ):
        return False
    return name in _SOURCE_NAMES or name.rpartition(".")[2] in _SOURCE_EXTENSIONS


def _by_git(root: str, budget: Budget, skipped: list[str]) -> list[str] | None:
    """What git tracks or would track; None if git fails, with the reason in ``skipped``."""
    words = ("ls-files", "-z", "--cached", "--others", "--exclude-standard")
    try:
        answer = git.finish(git.start(root, *words), min(GIT_SECONDS, budget.left))
        why = answer.why if answer.code else ""
    except git.GitFailed as error:
        answer, why = None, str(error)
    if answer is None or why or answer.code:
        skipped.append(f".gitignore is not honoured: git could not list the files ({why})")
        return None
    return list(dict.fromkeys(_texts(answer.out)))


def _by_walking(root: str, budget: Budget, skipped: list[str]) -> Iterator[str]:
    def failed(error: OSError) -> None:
        skipped.append(f"a folder could not be read: {_relative(root, str(error.filename))}")

    for folder, folders, names in os.walk(root, onerror=failed):
        if not budget.left:
            skipped.append("the time limit was reached before all folders were listed")
            return
        folders[:] = sorted(
            each for each in folders if each not in _FOREIGN | _OUTPUT | _OWN_FOLDERS
        )
        yield from (_relative(root, os.path.join(folder, name)) for name in sorted(names))


def _generated_by_attributes(
    root: str, paths: Iterable[str], budget: Budget, skipped: list[str]
) -> set[str]:
    """The files that ``.gitattributes`` marks as generated or vendored."""
    words = ("check-attr", "-z", "--stdin", "linguist-generated", "linguist-vendored")
    stdin = b"".join(os.fsencode(path) + b"\0" for path in paths)
    if not stdin:
        return set()
    try:
        answer = git.finish(git.start(root, *words), min(GIT_SECONDS, budget.left), stdin)
    except git.GitFailed:
        skipped.append("git did not report in time which files are generated")
        return set()
    fields = _texts(answer.out)
    rows = zip(fields[::3], fields[2::3], strict=False)
    return {path for path, value in rows if value in ("set", "true")}


def _texts(data: bytes) -> list[str]:
    return [os.fsdecode(each) for each in data.split(b"\0") if each]


def _relative(root: str, path: str) -> str:
    return os.path.relpath(path, root).replace(os.sep, "/")


def _size(path: str) -> int | None:
    """The size of a regular file; None if there is none."""
    try:
        status = os.lstat(path)
    except OSError:
        return None
    return status.st_size if stat.S_ISREG(status.st_mode) else None


# end of module
