"""Code and SQL on a command line: the files that code may write, and the SQL that really runs.

Owns these two reductions. Does not own the commands that code starts (``shell.code.interpreters``) or which
statements are dangerous (the database pack). Code is read as plain text on purpose: what this cannot see is
left to a person's review of the script.
"""

from __future__ import annotations

from operators_edge.shell.commands import HOLE, OWN_PATH, Word
from operators_edge.text.patterns import compiled, found_in

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Callable

    from operators_edge.shell.commands import Command

_LITERAL = r"(?s)'((?:[^'\\]|\\.)*)'|\"((?:[^\"\\]|\\.)*)\"|`((?:[^`\\]|\\.)*)`"
_WRITES = (
    r"write|unlink|\blink|remove|rename|replace|truncate|rmtree|move|copy|dump|touch|symlink|chmod|append"
    r"|open\s*\([^)]*,\s*(mode\s*=\s*)?['\"][^'\"]*[wax+>]|['\"]\s*>|rm(Sync)?\b|print\s*>|delete"
)
_MAX_LITERALS = 200


def join_literals(text: str) -> str:
    """Return code with literals that it adds together written as one: ``'.cl' + 'aude'``."""
    return compiled(r"(['\"])\s*\+\s*\1").sub("", text)


def find_written_paths(text: str) -> list[str]:
    """Return the string literals of code that also writes, moves or deletes files."""
    if not found_in(_WRITES, text):
        return []
    found = compiled(_LITERAL).findall(text)[:_MAX_LITERALS]
    return ["".join(groups) for groups in found]


_TEMPORARY_FILE = (
    r"(?:(?<=['\"])|(?<=sqlite:///))/(?:var/)?tmp(?:/(?!\.)[\w.-]+)+\.(?:db3?|sqlite\d?|duckdb)"
    r"(?=['\"]\s*(?:[,;)\n]|\Z))"
)
_OPENS = r"(?i)([\w.]*(?:connect|engine|client|pool|redis|mongo)\w*)\s*\("
_OPENS_FILES = frozenset(("sqlite3.connect", "aiosqlite.connect", "duckdb.connect"))
"""Calls for which the name of a file is no server."""


def with_own_files(code: str, is_temporary: Callable[[str], bool]) -> str:
    """Return code with literal names of temporary databases as if it had made their folder itself."""
    are_files = _OPENS_FILES.issuperset(compiled(_OPENS).findall(code))

    def own(match: re.Match[str]) -> str:
        is_file = are_files or code[match.start() - 1] == "/"
        return f"{OWN_PATH}/{match[0][1:]}" if is_file and is_temporary(match[0]) else match[0]

    return compiled(_TEMPORARY_FILE).sub(own, code)


def has_own_databases(program: str, code: str, beside: str, variables: dict[str, str]) -> bool:
    """Whether all databases that code uses are its own; ``beside`` is what other files of it define."""
    from operators_edge.shell.code.languages import INTERPRETERS, PYTHON  # noqa: PLC0415 - for code alone

    language = INTERPRETERS.get(program)
    if HOLE in beside:
        return False
    if language is PYTHON:
        from operators_edge.shell.code.python import databases  # noqa: PLC0415 - parses the code

        return databases.are_own(code)
    from operators_edge.shell.code import own_databases  # noqa: PLC0415 - little code changes a database

    return language is not None and own_databases.are_own(code, language, beside, variables)


def like_code(command: Command) -> list[Word]:
    """Return the words that may be code, of a program whose table does not say which are."""
    found = [word for word in command.argv[1:] if "(" in word.text or " " in word.text]
    return [*found, Word(command.stdin, command.span)] if command.stdin else found


# One pass over comments and literals, so that a quote in a comment does not open a literal, nor a dash in a
# literal a comment. MySQL runs the content of /*! ... */.
_NOT_RUN = (
    r"(?s)/\*!(?P<run>.*?)\*/|/\*.*?(?:\*/|\Z)|--[^\n]*|(?P<text>'(?:[^'\\]|''|\\.)*'|\"[^\"]*\")"
)

# EXPLAIN only shows a plan, unless ANALYZE also runs the statement.
_EXPLAINED = r"(?is)\bexplain\s+(?!\(|analy[sz]e\b|verbose\s+analy)[^;]*"


def reduce_sql(text: str) -> str:
    """Return the statements with comments blanked and literals emptied, without those only explained.

    Of the address of another machine, the scheme is kept.
    """
    text = compiled(_EXPLAINED).sub("explain", compiled(_NOT_RUN).sub(_replace_part, text))
    return _without_temporary(text) if found_in(_TEMPORARY, text) else text


_TEMPORARY = r"(?i)\bcreate\s+(?:(?:local|global)\s+)?temp(?:orary)?\s+table\s+(\w+)(?=[\s(])"
_ENDS_EARLY = r"(?i)\bon\s+commit\b|\brollback\b|\bdiscard\b|\\connect|\\c\s"


def _without_temporary(text: str) -> str:
    """Leave out that a text drops the temporary tables that it has made before, each once."""
    if found_in(_ENDS_EARLY, text):
        return text
    for made in list(compiled(_TEMPORARY).finditer(text))[:_MAX_LITERALS]:
        rest = text[made.end() :]
        gone = compiled(rf"(?i)\bdrop\s+table\s+(?:if\s+exists\s+)?{made[1]}\s*(?=;|\Z)").search(
            rest
        )
        if gone is not None:
            blank = " " * len(gone[0])
            text = text[: made.end()] + rest[: gone.start()] + blank + rest[gone.end() :]
    return text


def _replace_part(match: re.Match[str]) -> str:
    if match.group("run") is not None:
        return f" {reduce_sql(match.group('run').lstrip('0123456789'))} "
    text = match.group("text")
    stored = compiled(_STORED).match(text) if text is not None else None
    return f"'{stored[1]}'" if stored else " " if text is None else "''"


_STORED = r"['\"]((?:s3a?|gs|gcs|r2|azure?|abfss?|https?|hf)://)"
"""Where a statement reads or writes on another machine: of such a text it is kept that it is one."""


# end of module
