"""Whether what was changed is what was tested: the parts of a project, its languages, and what a run reached.

Pure. A part is a folder with a manifest of its own. Does not own which runs passed or are still fresh
(``evidence.claims.verdict``).
"""

from __future__ import annotations

import posixpath
import re

from operators_edge.evidence.claims import check_history
from operators_edge.text.patterns import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from operators_edge.evidence.checks.run import Run
    from operators_edge.evidence.claims.model import Case, TreeFacts

_FAMILY_OF_SUFFIX = {
    suffix: family
    for family, suffixes in {
        "python": "py pyi pyx",
        "js": "js jsx mjs cjs ts tsx mts cts vue svelte",
        "go": "go",
        "rust": "rs",
        "jvm": "java kt scala groovy",
        "dotnet": "cs fs vb",
        "ruby": "rb",
        "php": "php",
        "c": "c cc cpp cxx h hpp",
        "elixir": "ex exs",
        "dart": "dart",
        "swift": "swift",
    }.items()
    for suffix in suffixes.split()
}
_ONE_MODULE = frozenset({"go", "rust"})
"""Families whose runner does not go into a part with a manifest of its own."""

_TESTS_OF = pattern(r"(?:^|/)(?:tests?|t|specs?|__tests__|src|lib)/?$")
_TEST_AFFIX = pattern(r"(?i)^test_?|[._-]?(?:tests?|spec)$")
_SHORTEST_STEM = 3


def missed(case: Case, files: Iterable[str], fresh: Sequence[Run]) -> tuple[str, ...]:
    """The files that none of the runs can have tested, as far as that can be determined."""
    return tuple(
        path
        for path in files
        if not any(_reaches(run, path, case.tree, case.root) for run in fresh)
    )


def is_code(path: str) -> bool:
    """Whether it is code in a language whose tests are known."""
    return path.rpartition(".")[2].lower() in _FAMILY_OF_SUFFIX


def is_whole(run: Run, tree: TreeFacts, root: str) -> bool:
    """Whether a run was not narrowed: of the project, or of a part of it."""
    return check_history.is_whole(run) or bool(_parts(run, tree, root))


def folder_of(run: Run, root: str) -> str:
    """The absolute folder in which a run's files lie: that of its check."""
    folder = run.get("folder")
    return posixpath.join(root, folder) if folder else (run["cwd"] or root)


def _parts(run: Run, tree: TreeFacts, root: str) -> list[str]:
    """The parts that a run tested as a whole; none if it was narrowed further."""
    parts = []
    for each in run["scope"]:
        name = each.removeprefix("./").rstrip("/")
        part = next(
            (one for one in (name, _TESTS_OF.sub("", name)) if _is_part(one, tree, root)), ""
        )
        if not part:
            return []
        parts.append(part)
    return parts


def _is_part(name: str, tree: TreeFacts, root: str) -> bool:
    is_path = bool(name) and not name.startswith("-") and "::" not in name
    return is_path and bool(tree.unit(posixpath.join(root, name)))


def _reaches(run: Run, path: str, tree: TreeFacts, root: str) -> bool:
    ours = check_history.family_of(run["name"])
    theirs = _FAMILY_OF_SUFFIX.get(path.rpartition(".")[2].lower())
    if ours and theirs and ours != theirs:
        return False
    if check_history.is_whole(run):
        return ours not in _ONE_MODULE or not _part_of(path, tree, root)
    parts = _parts(run, tree, root)
    if parts:
        return any(path.startswith(f"{part}/") for part in parts)
    return any(_is_about(each, path) for each in run["scope"])


def _part_of(path: str, tree: TreeFacts, root: str) -> str:
    """The part of the project in which a file lies, "" for the project's root."""
    folder = posixpath.dirname(path)
    while folder:
        if tree.unit(posixpath.join(root, folder)):
            return folder
        folder = posixpath.dirname(folder)
    return ""


def _is_about(selected: str, path: str) -> bool:
    """Whether a file or selector of a narrowed run is about a changed file, by its name."""
    name = selected.split("::", maxsplit=1)[0].removeprefix("./").rstrip("/")
    if path == name or path.startswith(f"{name}/"):
        return True
    stem = _stem(path)
    return stem == _stem(name) or (len(stem) >= _SHORTEST_STEM and stem in _plain(selected))


def _stem(path: str) -> str:
    """The name of a file, and of its tests."""
    return _plain(_TEST_AFFIX.sub("", posixpath.basename(path).split(".", 1)[0]))


def _plain(text: str) -> str:
    return re.sub(r"[\W_]", "", text).lower()


# end of module
