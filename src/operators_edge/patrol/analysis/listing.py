"""The files of a project that somebody wrote: what git does not ignore, without others' and generated ones.

Owns which files are looked at by their names and git's attributes. Does not own what is in them
(``patrol.analysis.files``).
"""

from __future__ import annotations

import os
import re
import stat
from typing import TYPE_CHECKING, NamedTuple

from operators_edge.config.files import OWN
from operators_edge.git import commands as git
from operators_edge.locations import HANDOFF_DIR, PROOF_DIR, STATE_FILE
from operators_edge.text.wording import many

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from operators_edge.git.commands import Budget

MOST_FILES = 50_000
MOST_BYTES = 1_000_000
"""A longer source file was hardly written by anybody."""

GIT_SECONDS = 5.0

_OWN_FOLDERS = frozenset({PROOF_DIR, HANDOFF_DIR, ".claude", ".git"})
"""Folders of this product and of the client: their rules, hooks and commands are nobody's work here."""

_REPORT = re.compile(r"reports/[^/]*\.(?:html?|md|json|csv)$")
_OTHERS_NAMED = (
    "node_modules bower_components vendor vendored third_party third-party thirdparty site-packages"
    " __pycache__ venv virtualenv dist htmlcov generated __generated__ Pods Carthage DerivedData"
    " __snapshots__"
)
_OTHERS = frozenset(_OTHERS_NAMED.split())
"""Folders of others' or generated code, which git may well track."""

_OUTPUT_NAMED = "build target out obj bin coverage env _build deps"
_OUTPUT = frozenset(_OUTPUT_NAMED.split())
"""Folders that hold output where git does not know them; what it tracks in them, somebody wrote."""

_SHOWN_DOTS = frozenset({".github", ".gitlab", ".circleci"})
_MADE = re.compile(
    r"(?:[.-]min\.(?:js|css)|[.-]bundle\.js|_pb2(?:_grpc)?\.pyi?|\.pb\.(?:go|cc|h|swift)|\.g\.(?:dart|cs)"
    r"|\.freezed\.dart|\.designer\.cs|\.generated\.\w+|_generated\.\w+|\.gen\.\w+|\.d\.ts|-lock\.json"
    r"|-lock\.yaml|\.snap)$",
    re.IGNORECASE,
)
_SOURCES_NAMED = (
    "bash c cc cjs clj cljs cmake cpp cs css cxx dart erl es escript ex exs f f03 f08 f90 f95"
    " fish for fs fsx gd go gradle graphql groovy h hcl hh hpp hrl hs html ini java jl js jsx kt"
    " kts less lua m mjs ml mli mm nim nix php pl pm proto ps1 py pyi pyx r rb rs sass scala"
    " scss sh sol sql svelte swift tf toml ts tsx vb vue yaml yml zig zsh"
)
_SOURCES = frozenset(_SOURCES_NAMED.split())
_SOURCE_NAMES = frozenset(
    {"makefile", "dockerfile", "rakefile", "gemfile", "justfile", "jenkinsfile", "cmakelists.txt"}
)


class Listing(NamedTuple):
    """Paths from the root with "/", sorted. ``skipped`` says what could not be told; ``is_whole``: no file
    of the project is missing for that.
    """

    paths: tuple[str, ...]
    skipped: tuple[str, ...]
    is_whole: bool


def listing(root: str, budget: Budget) -> Listing:
    """What there is to look at below ``root``, links not followed."""
    skipped: list[str] = []
    names = _by_git(root, budget, skipped)
    remarks = len(skipped)
    found = []
    large = 0
    for name in names if names is not None else _by_walking(root, budget, skipped):
        if not is_looked_at(name):
            continue
        size = _size(os.path.join(root, name))
        if size is None:
            continue
        if size > MOST_BYTES:
            large += 1
            continue
        found.append(name)
        if len(found) > MOST_FILES:
            skipped.append(f"there are more than {MOST_FILES:,} files; the others were left out")
            break
    if large:
        were = "was" if large == 1 else "were"
        skipped.append(
            f"{many(large, 'file')} of more than {MOST_BYTES // 1_000_000} MB {were} left out"
        )
    is_whole = len(skipped) == remarks
    made = set() if names is None else _marked(root, found, budget, skipped)
    return Listing(tuple(sorted(set(found) - made)), tuple(skipped), is_whole)


def is_looked_at(path: str) -> bool:
    """Whether a file of this name is a source that people of this project wrote."""
    folders = path.split("/")
    name = folders.pop().lower()
    if name in (STATE_FILE, OWN) or _REPORT.match(path) or _MADE.search(name):
        return False
    if any(
        each in _OWN_FOLDERS
        or each in _OTHERS
        or (each.startswith(".") and each not in _SHOWN_DOTS)
        for each in folders
    ):
        return False
    return name in _SOURCE_NAMES or name.rpartition(".")[2] in _SOURCES


def _by_git(root: str, budget: Budget, skipped: list[str]) -> list[str] | None:
    """What git tracks or would track; None where it cannot tell, and why is said."""
    words = ("ls-files", "-z", "--cached", "--others", "--exclude-standard")
    try:
        answer = git.finish(git.start(root, *words), min(GIT_SECONDS, budget.left))
        why = answer.why.removeprefix("fatal: ") if answer.code else ""
    except (OSError, git.TooSlow) as error:
        answer, why = None, "it took too long" if isinstance(error, git.TooSlow) else str(error)
    if answer is None or why or answer.code:
        skipped.append(f".gitignore is not honoured: git could not list the files ({why})")
        return None
    return list(dict.fromkeys(_texts(answer.out)))


def _by_walking(root: str, budget: Budget, skipped: list[str]) -> Iterator[str]:
    def failed(error: OSError) -> None:
        skipped.append(f"a folder could not be read: {_relative(root, str(error.filename))}")

    for folder, folders, names in os.walk(root, onerror=failed):
        if not budget.left:
            skipped.append("the time was up before all folders were listed")
            return
        folders[:] = sorted(
            each for each in folders if each not in _OTHERS | _OUTPUT | _OWN_FOLDERS
        )
        yield from (_relative(root, os.path.join(folder, name)) for name in sorted(names))


def _marked(root: str, paths: Iterable[str], budget: Budget, skipped: list[str]) -> set[str]:
    """The files that ``.gitattributes`` calls generated or others'."""
    words = ("check-attr", "-z", "--stdin", "linguist-generated", "linguist-vendored")
    given = b"".join(os.fsencode(path) + b"\0" for path in paths)
    if not given:
        return set()
    try:
        answer = git.finish(git.start(root, *words), min(GIT_SECONDS, budget.left), given)
    except (OSError, git.TooSlow):
        skipped.append("git did not tell in time which files are generated")
        return set()
    told = _texts(answer.out)
    rows = zip(told[::3], told[2::3], strict=False)
    return {path for path, value in rows if value in ("set", "true")}


def _texts(data: bytes) -> list[str]:
    return [os.fsdecode(each) for each in data.split(b"\0") if each]


def _relative(root: str, path: str) -> str:
    return os.path.relpath(path, root).replace(os.sep, "/")


def _size(path: str) -> int | None:
    """The size of a regular file; None for what is none, or gone."""
    try:
        found = os.lstat(path)
    except OSError:
        return None
    return found.st_size if stat.S_ISREG(found.st_mode) else None
