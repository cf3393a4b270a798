"""What a finding says: whom and what it is about, where, and how the command was understood.

Owns the parts of a finding, among them the subject and the detail that a decision is bound to. Pure. Loaded
once a rule matches. Does not own whether it matches (``gate.conditions``) or what follows
(``gate.assessment``).
"""

from __future__ import annotations

import shlex

from operators_edge.gate.addresses import host_of
from operators_edge.locations import is_within
from operators_edge.model import Finding
from operators_edge.shell.commands import HOLE, Command, Word, visible
from operators_edge.text.patterns import compiled

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from operators_edge.gate.conditions import Match
    from operators_edge.gate.disk.search import Piece
    from operators_edge.gate.invocation import Invocation
    from operators_edge.gate.paths import CallContext
    from operators_edge.gate.rule_types import Rule

_UNREAD = ("@problem", "@malformed")
_MAX_UNDERSTOOD = 200


def finding_of(rule: Rule, match: Match, inv: Invocation, context: CallContext) -> Finding:
    """What a rule says of a command that it matches."""
    command = inv.command
    return Finding(
        rule=rule["id"],
        effect=rule["effect"],
        type=rule["type"],
        reason=rule["reason"],
        instead=rule["instead"],
        subject=_subject(rule, match, inv, context),
        detail=_detail(inv, context),
        spans=tuple(sorted(set(match.spans or [word.span for word in command.argv[:1]]))),
        understood=" → ".join((*command.through, *_reading(command), *_found(match, context))),
        destroys=rule.get("destroys", False) and not command.is_remote,
        leads=rule.get("leads", False),
        radius=rule.get("radius", ""),
        targets=_targets(rule, match, inv, context),
        cwd="" if command.is_remote else inv.working_folder(context) or "",
        note=rule.get("note", ""),
        origin=rule.get("origin", ""),
        is_elsewhere=command.is_remote and not inv.is_contained,
    )


def _found(match: Match, context: CallContext) -> tuple[str, ...]:
    """The file that the command does not name, as the person knows it."""
    return (_relative(match.found, context.root).removeprefix("./"),) if match.found else ()


def _targets(rule: Rule, match: Match, inv: Invocation, context: CallContext) -> tuple[str, ...]:
    """Return the resolved paths that the command names; none for a command on another machine."""
    if inv.command.is_remote or inv.program.startswith("@"):
        return ()
    words = (*match.operands, *inv.written)
    paths = (context.resolve(word.text, inv.working_folder(context, word)) for word in words)
    known = dict.fromkeys(path for path in paths if path is not None)
    if rule.get("here"):
        return tuple(path for path in known if is_within(path, context.root))
    return tuple(known)


def _subject(
    rule: Rule, match: Match, inv: Invocation, context: CallContext
) -> tuple[tuple[str, str], ...]:
    names = rule.get("subject", ("program",))
    return tuple((name, visible(_subject_value(name, match, inv, context))) for name in names)


def _subject_value(name: str, match: Match, inv: Invocation, context: CallContext) -> str:
    reads = _SUBJECTS.get(name)
    if reads is None:
        return " ".join(word.text for word in inv.values((name,)))
    return reads(inv, match, context)


def _detail(inv: Invocation, context: CallContext) -> tuple[tuple[str, str], ...]:
    command = inv.command
    base = context.absolute_folder(command.cwd)
    parts = [("command", _format_command(command)), ("cwd", _relative(base, context.root))]
    if command.through:
        parts.append(("through", " ".join(command.through)))
    if command.stdin is not None:
        parts.append(("stdin", command.stdin))
    if _has_unknown_part(command) or command.has_more_words or base is None:
        # The unknown parts get their value from the rest of the text, so that is part of the fingerprint.
        parts.append(("text", context.text))
    return tuple((name, visible(value)) for name, value in parts)


def located(finding: Finding, piece: Piece, inv: Invocation, context: CallContext) -> Finding:
    """Return a finding in a file with its line, and the command of the line above it that ran the file."""
    first = min((start for start, _ in finding.spans), default=0)
    line = piece.text.count("\n", 0, first)
    line = piece.numbers[min(line, len(piece.numbers) - 1)] if piece.numbers else piece.line + line
    shown = _relative(piece.path, context.root).removeprefix("./")
    inner = (_shortened(finding.understood),) if finding.understood else ()
    way = (*inv.command.through, _format_command(inv.command), *inner)
    return finding._replace(
        source=f"{shown}:{line}" if piece.line else shown,
        spans=tuple(word.span for word in inv.command.argv[:2]),
        understood=" → ".join(way),
    )


def _shortened(text: str) -> str:
    """Return a program's text so that a person can read what it is."""
    line = " ".join(text.split())
    return line if len(line) <= _MAX_UNDERSTOOD else line[:_MAX_UNDERSTOOD] + "…"


def _has_unknown_part(command: Command) -> bool:
    words = [value for _, value in command.assigns] + [one.target for one in command.redirects]
    return not all(word.is_known for word in (*command.argv, *words))


def _reading(command: Command) -> tuple[str, ...]:
    """The command as a person is shown how it was read; nothing for what could not be read."""
    is_unread = bool(command.argv) and command.argv[0].text in _UNREAD
    return () if is_unread else (_format_command(command),)


def _format_command(command: Command) -> str:
    """Return the command as one line with uniform quoting, however it was written."""
    words = [f"{name}={shlex.quote(visible(value.text))}" for name, value in command.assigns]
    words += [_quoted(word) for word in command.argv]
    words += ["…"] if command.has_more_words else []
    for one in command.redirects:
        words.append(f"{'' if one.fd is None else one.fd}{one.op} {_quoted(one.target)}")
    return " ".join(words)


def _quoted(word: Word) -> str:
    text = visible(word.text)
    return text if not word.is_known or word.has_glob else shlex.quote(text)


def _relative(base: str | None, root: str) -> str:
    if base is None:
        return "…"
    return "." + base[len(root) :] if base == root or base.startswith(root + "/") else base


# -- what a decision is about ----------------------------------------------------------------------


def _first_operand(_: Invocation, match: Match, __: CallContext) -> str:
    return match.operands[0].text if match.operands else ""


def _branch(inv: Invocation, match: Match, context: CallContext) -> str:
    base = inv.working_folder(context)
    named = " ".join(word.text for word in match.operands[1:])
    return named or (base and context.facts.branch(base)) or ""


def _hosts(_: Invocation, match: Match, __: CallContext) -> str:
    operands = [word.text for word in match.operands]
    urls = [text for text in operands if "." in text or ":" in text or HOLE in text]
    return " ".join(sorted({host_of(url) for url in urls or operands}))


def _sql_verbs(inv: Invocation, _: Match, context: CallContext) -> str:
    from operators_edge.gate.given_texts import sql_texts  # noqa: PLC0415 - few commands run SQL

    texts = "\n;".join(word.text for word in sql_texts(inv, context))
    verbs = (" ".join(each.split()).upper() for each in compiled(_SQL_VERB).findall(texts))
    return " ".join(dict.fromkeys(verbs))


_SQL_VERB = (
    r"(?is)(?:^|;)(?:\s|--[^\n]*\n|/\*.*?\*/)*((?:drop|alter|create|truncate)\s+[a-z]+|[a-z]+)"
)
"""How the statements of an SQL text begin."""


def _written(inv: Invocation, match: Match, context: CallContext) -> str:
    """The paths that are written, as far as they are known; for an edit, the one it names."""
    words = inv.written or match.operands
    known = (context.resolve(one.text, inv.working_folder(context, one)) for one in words)
    return " ".join(dict.fromkeys(filter(None, known)))


_SUBJECTS: dict[str, Callable[[Invocation, Match, CallContext], str]] = {
    # Parts of a subject that a rule can name; any other name is that of an option.
    "program": lambda inv, *_: inv.program,
    "operands": lambda _, match, __: " ".join(word.text for word in match.operands),
    "first": _first_operand,
    "remote": lambda *parts: _first_operand(*parts) or "origin",
    "branch": _branch,
    "host": _hosts,
    "written": _written,
    "method": lambda inv, *_: " ".join(
        word.text.upper() for word in inv.values(("-X", "--request", "--method"))
    ),
    "verb": lambda inv, match, _: inv.first_operands(len(inv.operands) - len(match.operands)),
    "sql": _sql_verbs,
}


# end of module
