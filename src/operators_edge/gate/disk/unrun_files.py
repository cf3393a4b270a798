"""Whether a command leaves the tests or generators unrun that it finds: it only lists or compiles them.

Owns which options of which runner do that, and what code runs nevertheless. Pure. Does not own which files a
command takes (``gate.disk.command_files``), nor dry runs of whole programs (``packs/dry_runs.toml``).
"""

from __future__ import annotations

from operators_edge.gate.disk import go_constraints
from operators_edge.text.patterns import pattern
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


# end of module
