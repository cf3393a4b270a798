"""SQL that changes nothing, because its transaction is rolled back: a rehearsal of a clean-up.

Owns which statements those are, for the clients that are known to take them all back (``psql``, ``sqlite3``):
only where nothing in the text may commit, leave the transaction, or mean something else than it seems to.
Does not own which statements are dangerous (the database pack). Pure; loaded where something is taken back.
"""

from __future__ import annotations

from operators_edge.shell.commands import program_name
from operators_edge.text.patterns import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from operators_edge.gate.invocation import Invocation

_BEGINS = pattern(
    r"(?i)(?:begin(?:\s+(?:deferred|immediate|exclusive))?(?:\s+(?:transaction|work))?|start\s+transaction)"
    r"(?:\s+(?:isolation|read|not|deferrable)\b[\w\s,]*)?"
)
_UNDOES = pattern(r"(?i)(?:rollback|abort)(?:\s+(?:transaction|work))?")
_LASTS = pattern(
    r"(?i)\s*(?:commit|end|prepare)\b|\s*(?:rollback|abort)\b.*\b(?:chain|prepared)\b|\s*create\b[^;]*\btrigger\b"
)
"""What keeps a change, or holds statements of its own."""
_CHANGES = pattern(
    r"(?i)(?:with|delete|drop\s+(?!database)|truncate|update|insert|replace|merge|alter\s+table)\b"
)
_REACHES = pattern(
    r"(?i)\bprogram\b|\bcopy\b|\b(?:dblink|postgres_fdw|file_fdw|lo_|pg_)\w*\s*\(|\bwritefile\b|\bload_extension\b"
    r"|\bjournal_mode\b|\bautocommit\b|\bor\s+rollback\b|\bon\s+conflict\b|\braise\s*\(|\battach\b|\bdetach\b|\*/"
)
"""What is not taken back, or what ends the transaction by itself."""
_QUOTES = {
    # what quotes a part of the text in a way that is not read here
    "psql": pattern(r"\$|`|\\['\"]|(?<![:\w]):['\"]?[A-Za-z_]"),
    "sqlite3": pattern(r"[\[`\\]"),
}
_OF_CLIENT = {
    "psql": pattern(
        r"\\(?!(?:echo|qecho|warn|timing|pset|x|t|a|d\w*\+?|i|ir|include|include_relative)(?![\w+])"
        r"|set\s+(?i:on_error_stop|quiet|echo)\b)"
    ),
    "sqlite3": pattern(
        r"(?m)^\s*\.(?!(?:changes|headers?|mode|print|width|timer|echo|nullvalue|separator|timeout|show|stats"
        r"|bail\s+on|read\s+[^|\s]+)\b)"
    ),
}
"""Commands of a client other than those that only show something or stop at an error."""
_LINE_COMMAND = pattern(r"(?m)^[ \t]*[.\\][^\n]*$")
_STOPS = pattern(r"(?m)^\s*\.bail\s+on\b")


def lasting(inv: Invocation, texts: Sequence[str], reduced: list[str]) -> list[str]:
    """Return the texts, without comments and literals, without the statements that are taken back."""
    client = program_name(inv.command.argv[0])
    if client not in _QUOTES or inv.command.has_more_words:
        return reduced
    if client == "sqlite3" and not (
        any(flag.name in {"-bail", "--bail"} for flag in inv.flags)
        or all(map(_STOPS.search, texts))
    ):
        return reduced  # after an error that ends the transaction, each statement would last
    is_sure = not any(
        _QUOTES[client].search(text) or _OF_CLIENT[client].search(text) for text in texts
    ) and not any(map(_REACHES.search, reduced))
    return [_left(text) for text in reduced] if is_sure else reduced


def _left(text: str) -> str:
    statements = [one.strip() for one in _LINE_COMMAND.sub(r";\g<0>;", text).split(";")]
    if any(map(_LASTS.match, statements)):
        return text
    kept: list[str] = []
    inside: list[str] | None = None
    for one in statements:
        if inside is None:
            kept.append(one)
            inside = [] if _BEGINS.fullmatch(one) else None
        elif _UNDOES.fullmatch(one):
            kept += [each for each in inside if not _CHANGES.match(each)]
            inside = None
        else:
            inside.append(one)
    return ";\n".join(kept + (inside or []))


# end of module
