"""Whether a command of a line runs only if an earlier one has succeeded, or its program ends well only then.

``&&`` joins all between them, or a script ends at the first failure. Does not own which statements end a
script (``shell.failures``). Pure.
"""

from __future__ import annotations

from operators_edge.text.patterns import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from operators_edge.gate.own.line_words import Line

_KEEPS_ENDING = pattern(r"(?:-[a-mo-zA-Z]*o (?!noexec)\w+|-[a-mo-zA-Z]+|\+[afhmuvx]+|[ ])*")
"""Words of ``set`` that do not undo ``set -e``, and have the shell run what follows."""
_SETS_ENDING = pattern(r"(?:-[a-zA-Z]+ )*(?:-[a-zA-Z]*e|-[a-zA-Z]*o errexit)")
_ENDS_OUTPUT = pattern(r"[ \t]*\)\"?[ \t]*(?:[\n;#]|&&|\Z)")
_ASSIGNS_OUTPUT = pattern(r"\b\w+=\"?\$\(\s*$")
_SOURCES = pattern(r"(?:\.|source)[ \t]")
_BEFORE = pattern(r"(^|[;\n(]|&&)\s*$")
_REDIRECTION = r"\d?>&?\s*(?:\d|/dev/null)|&>\s*/dev/null"
_NEXT = pattern(rf"(?:{_REDIRECTION}|[ \t]|\\\n)*(?=&&)")
_TOKEN = pattern(
    rf"[ \t]+|\\\n|(?:&&|\|(?!\|))\s*|(?P<end>;\s*done\b)|(?P<line>[;\n])|{_REDIRECTION}"
    r"|(?P<open>\(|(?:until|while)\b|for\s+\w+\s+in\s[^;&|\n()]*;\s*do\b)|\bdo\b|(?P<close>\))"
)


def runs_only_after(first: int, line: Line, at: int) -> bool:
    """Whether a command runs only if an earlier one has succeeded."""
    return ends_at_failure(first, line, at) or is_joined(first, line, at)


def is_needed(at: int, line: Line) -> bool:
    """Whether a program ends well only if the command has succeeded."""
    from operators_edge.shell import failures  # noqa: PLC0415 - for few lines

    if not line.context.is_program or failures.may_end_early(line.text):
        return False
    if any("exec" in inv.command.through for inv in line.invs):
        return False
    start = _statement(at, line)
    is_last = start in failures.last_statements(line.text)
    return _ends_script(at, line) or (is_last and not _SOURCES.match(line.text, start))


def ends_at_failure(first: int, line: Line, at: int) -> bool:
    """Whether the script ends if the command fails: ``set -e`` ran before it, and it is no condition.

    Of a line that does not count: a client may run it where a shell ignores that (``eval "$text" && pwd``).
    """
    if not line.context.is_program or first >= at:
        return False
    # What a trap runs may come at any time once that is set.
    begun = line.invs[:first] if "trap" in line.invs[at].command.through else ()
    noted = line.context.noted.setdefault((line.text, "ends script", first), [])
    noted += () if noted else (_ends_script(first, line),)
    return not any(inv.program == "trap" for inv in begun) and noted[0]


def _statement(at: int, line: Line) -> int:
    """Where the statement begins that a command is, or that assigns what it prints."""
    start, end = line.invs[at].command.span
    begun = _ASSIGNS_OUTPUT.search(line.text[:start])
    # Behind other words the failure of what is assigned is not that of the statement.
    return begun.start() if begun and _ENDS_OUTPUT.match(line.text, end) else start


def _ends_script(at: int, line: Line) -> bool:
    sets = [(each, inv) for each, inv in enumerate(line.invs) if inv.program == "set"]
    if "shopt" in line.text or not all(_KEEPS_ENDING.fullmatch(inv.arguments) for _, inv in sets):
        return False
    from operators_edge.shell import failures  # noqa: PLC0415 - for few lines

    starts = failures.ending_statements(line.text)
    start = _statement(at, line)
    if _SOURCES.match(line.text, start):  # what a file defines stands elsewhere
        return False
    return start in starts and any(
        each < at and inv.command.span[0] in starts and _SETS_ENDING.match(inv.arguments)
        for each, inv in sets
    )


def is_joined(first: int, line: Line, at: int) -> bool:
    """Whether ``&&`` joins all from a command up to another."""
    text, invs = line.text, line.invs
    start, end = invs[first].command.span, invs[at].command.span
    words = invs[first].command.argv
    between = [inv for inv in invs[first + 1 : at] if inv.command.span[0] >= start[1]]
    joint = _NEXT.match(text, start[1], end[0])
    if joint is None or not _BEFORE.search(text[: start[0]]):
        return False
    if words[0].span[0] != start[0]:
        return False
    depth = 0
    for gap in _gaps(text, joint.end(), end[0], [inv.command.span for inv in between]):
        position = 0
        while position < len(gap):
            token = _TOKEN.match(gap, position)
            if token is None or (token["line"] and not depth):
                return False
            depth += bool(token["open"]) - bool(token["close"] or token["end"])
            if depth < 0:
                return False
            position = token.end()
    return True


def _gaps(text: str, start: int, end: int, spans: Sequence[tuple[int, int]]) -> list[str]:
    """What of a text is outside of the commands in it."""
    gaps = []
    for one, other in sorted(spans):
        if one >= start:
            gaps.append(text[start:one])
        start = max(start, other)
    return [*gaps, text[start:end]]


# end of module
