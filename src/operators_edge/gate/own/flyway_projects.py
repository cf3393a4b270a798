"""Whether Flyway works in a database for tests, by the ``flyway.conf`` of its project.

Owns reading that file. Does not own what a name says of a database (``gate.known_names``). Pure but for
``Facts``. Loaded for such commands.
"""

from __future__ import annotations

from operators_edge.text.patterns import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from operators_edge.gate.invocation import Invocation
    from operators_edge.gate.paths import CallContext

_MAX_TEXT = 64 * 1024
_FILE = "flyway.conf"
_OTHERS = frozenset(("flyway.user.conf", "flyway.toml", "flyway.user.toml"))
"""What else it takes settings from, if it is in its folder."""
_KEYS = frozenset(
    (
        *("url", "user", "password", "schemas", "defaultSchema", "table", "locations", "encoding"),
        *(
            "cleanDisabled",
            "baselineOnMigrate",
            "baselineVersion",
            "outOfOrder",
            "validateOnMigrate",
        ),
        *("connectRetries", "mixed", "group", "sqlMigrationPrefix", "sqlMigrationSuffixes"),
    )
)
"""Settings that lead to no other database and load no code."""
_WORD = pattern(r"migrate|clean|repair|undo|info|validate|-X|-q|-cleanDisabled=(?:true|false)")
_LINE = pattern(r"\s*flyway\.(?P<key>\w+)\s*[=:]\s*(?P<value>[^\\$\n]*?)\s*")
_IN_MEMORY = pattern(
    r"(?i)jdbc:(?:(?:h2|hsqldb):mem:|derby:memory:|sqlite:(?:file:)?:memory:)(?!.*init\s*=).*"
)
_SQL = pattern(r"(?:filesystem:[\w./-]+(?:,|\Z))+")
"""Where only statements are found; a class path has programs, too."""


def has_test_database(
    inv: Invocation, context: CallContext, is_for_tests: Callable[[str], bool]
) -> bool:
    """Whether its only settings are plain and name such a database; ``is_for_tests`` says so of one."""
    folder = inv.working_folder(context)
    given = {*inv.command.environment, *context.values_by_name()}
    words = inv.command.argv[1:]
    is_plain = all(word.is_known and _WORD.fullmatch(word.text) for word in words)
    is_plain &= not context.may_set_any() and not any(map(pattern(r"FLYWAY_").match, given))
    if folder is None or not is_plain or inv.command.has_more_words or inv.command.is_remote:
        return False
    path = f"{folder}/{_FILE}"
    is_changed = context.arrivals or context.moved or context.is_changed(path)
    if is_changed or not _OTHERS.isdisjoint(context.facts.names(folder) or ()):
        return False
    values = _values(context.facts.text(path, _MAX_TEXT + 1))
    url = values.get("url", "")
    is_sql = _SQL.fullmatch(values.get("locations", "")) is not None
    is_own = is_for_tests(url.removeprefix("jdbc:")) or _IN_MEMORY.fullmatch(url) is not None
    return is_sql and is_own


def _values(text: str | None) -> dict[str, str]:
    """The settings; none if a line says more than the known ones, or one is there twice."""
    lines = [] if text is None or len(text) > _MAX_TEXT else text.split("\n")
    found: dict[str, str] = {}
    for line in lines:
        if not line.strip() or line.lstrip()[0] in "#!":
            continue
        one = _LINE.fullmatch(line)
        if one is None or one["key"] not in _KEYS or one["key"] in found:
            return {}
        found[one["key"]] = one["value"]
    return found


# end of module
