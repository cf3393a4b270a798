"""Whether a command leaves files unrun that it finds: it only lists, compiles or names them.

Owns which options of which runner do that, what code runs nevertheless, and which files nobody can start.
Pure. Does not own which files a
command takes (``gate.disk.command_files``), nor dry runs of whole programs (``packs/dry_runs.toml``).
"""

from __future__ import annotations

import os.path
import re

from operators_edge.gate.disk import go_constraints
from operators_edge.text.patterns import pattern
from operators_edge.text.xml_comments import without_xml_comments
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from operators_edge.gate.disk.search import Search


class _Way(NamedTuple):
    """Options of a subcommand, the files that they leave unrun, and what in those runs in any case.

    ``is_first``: the option counts before further operands alone.
    """

    verbs: tuple[str, ...]
    options: tuple[str, ...]
    endings: tuple[str, ...]
    runs: str = r"(?!)"
    is_first: bool = False


_WAYS = {
    "go": (
        _Way(("generate",), ("-n", "--n"), (".go",), is_first=True),
        _Way(("test",), ("-n", "--n"), ("_test.go",), is_first=True),
    ),
    "dotnet": (
        _Way(
            ("test",),
            ("-t", "--list-tests"),
            (".cs", ".fs"),
            r"\b(?:Member|Class|Dynamic)Data\b|CaseSource\b|ValueSource\b|FixtureSource\b|ModuleInitializer\b|\bstatic\s+\w+\s*\(\s*\)"
            r"|\b(?:ITest|IXunit|Test)\w*Discoverer|IDataSource\b|DataAttribute\b",
        ),
    ),
    "cargo": (_Way(("test", "t"), ("--no-run",), (".rs",)),),
}
"""Discovery by .NET calls what gives tests their data; ``go test -list`` runs ``TestMain``.

What ``go test -c`` makes may be run by the next command.
"""


def leaves(search: Search, path: str, text: str) -> bool:
    """Whether a command does not run the code of a file, as its options say."""
    inv = search.inv
    if path.endswith(".go") and (
        go_constraints.is_left_out(search, path, text) or go_constraints.is_given(search, path)
    ):
        return True
    if inv.command.has_more_words or not all(word.is_known for word in inv.command.argv):
        return False
    for way in _WAYS.get(inv.program, ()):
        if inv.first_operands() in way.verbs and path.endswith(way.endings):
            after = inv.operands[1].span if way.is_first and len(inv.operands) > 1 else None
            given = [one for one in inv.flags if one.name in way.options]
            is_on = bool(given) and all(one.value is None for one in given)
            is_early = after is None or any(one.span < after for one in given)
            return is_on and is_early and not pattern(way.runs).search(text)
    return False


_ENDINGS_OF_SCRIPTS = frozenset(
    (
        ".sh",
        ".bash",
        ".zsh",
        ".ksh",
        ".csh",
        ".tcsh",
        ".dash",
        ".fish",
        ".command",
        ".cmd",
        ".bat",
        ".ps1",
        ".run",
    )
)
_MAKES_EXECUTABLE = pattern(
    r"(?i)(?<![\w-])(?:--)?[fl]?chmod\b(?!\.(?!exe\b)\w)|setfacl|(?:owner|group|world)_execute|file_?permission"
    r"|set_?(?:permissions|executable)\b|archive_extract|\binstall[ \t]+-\w*m"
)
"""What may let a file be executed that is not yet."""
_BRINGS_FILES = pattern(
    r"\A(?:\S*/)?(?:git (?:.* )?(?:apply|am|checkout|switch|restore|reset|stash|pull|merge|rebase"
    r"|cherry-pick)\b|(?:patch|(?:bsd)?tar|unzip|7z\w*|cpio|rsync)\b)"
)
"""Commands that may put other files there, with what they permit."""
_OF_NAMES = pattern(
    r"<chmod\b[^<>]*\sincludes?=\"(?P<listed>[^\"$]*)\"[^<>]*/>"
    r"|\bchmod[ \t]+[0-7ugoa+=rwxX,-]+(?P<words>(?:[ \t]+[\w./*-]+)+)(?=[ \t]*(?:$|[\n;&|)]))"
)
"""The same for files that it names."""


def cannot_be_started(search: Search, path: str, text: str) -> bool:
    """Whether a file is data that is only named, as sources are in a list of CMake.

    Nobody may execute it, and neither its name nor its first line is that of a script.
    """
    ending = os.path.splitext(path)[1]
    if text.startswith("#!") or not ending or ending.lower() in _ENDINGS_OF_SCRIPTS:
        return False
    place = search.context
    if place.is_changed(path) or place.facts.is_executable(place.real(path)) is not False:
        return False
    around = [search.follower.read(one[0], place) or one[1] for one in place.around]
    for one, text_of_one in zip(place.around, around, strict=True):
        _read_included(search, one[0], text_of_one)
    beside = [one for at, one in search.follower.texts.items() if at != path]
    ran = [" ".join(word.text for word in command.argv) for command in place.ran]
    put_there = _puts(os.path.basename(path))
    return not (
        any(map(_BRINGS_FILES.search, ran))
        or any(_may_make_executable(one, ending) for one in dict.fromkeys((*around, *beside, *ran)))
        or any(map(put_there.search, around))
    )


_INCLUDES = pattern(
    r"(?i)\b(?:include|add_subdirectory|subdirs)\(\s*\"?(?:\$\{\w+\}/)?([\w./-]+)|<import\b[^<>]*\sfile=[\"']([^\"'$]+)"
)
_MAX_INCLUDED = 50


def _read_included(search: Search, path: str, text: str) -> None:
    """Read the files that a list or a build includes, and those that they include in turn."""
    left, begun = [(path, text)], {path}
    for at, one in left:
        folder = os.path.dirname(at)
        for name, imported in _INCLUDES.findall(one):
            names = (
                [imported] if imported else [name, f"{name}/CMakeLists.txt", f"cmake/{name}.cmake"]
            )
            paths = {os.path.normpath(f"{folder}/{each}") for each in names} - begun
            begun |= paths
            found = [(each, search.follower.read(each, search.context)) for each in sorted(paths)]
            left += [(each, text) for each, text in found if text and len(left) < _MAX_INCLUDED]


def _puts(name: str) -> re.Pattern[str]:
    """What may put another file in the place of one with this name, with what it permits."""
    return re.compile(
        r"(?i)(?<![\w-])(?:cp|mv|ln|install(?![ \t]*\()|copy\w*|move|rename|configure_file|tofile)\b"
        rf"[ \t(=][^\n]*[ \t/\"'}}]{re.escape(name)}(?![\w.-])"
    )


def _may_make_executable(text: str, ending: str) -> bool:
    """Whether a text may let files of an ending be executed: ``chmod +x *.sh`` does so with others."""
    if text.lstrip()[:1] == "<":
        text = without_xml_comments(text)

    def left(found: re.Match[str]) -> str:
        names = re.split(r"[\s,]+", (found["listed"] or found["words"]).strip())
        endings = {os.path.splitext(one)[1] for one in names}
        has_others = all(re.fullmatch(r"\.\w+", one) and one != ending for one in endings)
        return "" if has_others else found[0]

    return _MAKES_EXECUTABLE.search(_OF_NAMES.sub(left, text)) is not None


# end of module
