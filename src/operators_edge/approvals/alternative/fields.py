"""The fields of a text about an alternative, filled from one command; a field that is not known has no text.

Pure. Owns the fields and their quoting. Does not own the texts (``approvals.alternative.table`` and the
packs) or whether the alternative is safe (``approvals.alternative.service``).

| field | is |
|---|---|
| ``{command}`` | the whole command |
| ``{a=b c=}`` | the command with the word a replaced by b, and without c; it must have a |
| ``{program}`` | the program as it is written |
| ``{where}`` | a space and the options that say where it goes, as context or host; or nothing |
| ``{1}``, ``{2+}``, ``{last}`` | an operand, counted from 1; all from one on; the last |
| ``{-n|--name}`` | the value of an option |
| ``{dotenv}`` | the first file with lines ``NAME=value`` that it names, as ``.env`` |
| ``{written}`` | the only file that it writes |
| ``{url}`` | the first address, without user, password and query |
| ``{count}`` | an SQL query that counts the rows which the first statement would take |
| ``{remote}``, ``{branch}`` … | a part of the finding's subject |
"""

from __future__ import annotations

import re
import shlex

from operators_edge.gate.addresses import host_of
from operators_edge.gate.given_texts import sql_texts
from operators_edge.text.patterns import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from operators_edge.gate.invocation import Flag, Invocation
    from operators_edge.gate.paths import CallContext
    from operators_edge.model import Finding
    from operators_edge.shell.commands import Word

UNKNOWN = "…"
"""How a finding writes a word that only the running command determines."""

_FIELD = pattern(r"\{([a-z]+|\d\+?|-[^{}\s]*|[^{}\s]+=[^{}]*)\}")
_NAME = r"""(?:[\w$.]+|"[^"]+"|`[^`]+`)"""
_REMOVES = pattern(
    rf"(?is)^\s*(?:drop\s+table|truncate(?:\s+table)?)\s+(?:if\s+exists\s+|only\s+)?({_NAME})"
)
_CHANGES = pattern(
    rf"(?is)^\s*(?:delete\s+from|update)\s+({_NAME})(?:\s+set\s.*?)?(?:\s+(where\s.*))?$"
)
_DOTENV = pattern(r"(?:^|[/.])env(?:\.[\w-]+)*$")
_COUNTING = "SELECT count(*) FROM "
_MAX_CONDITION = 200


_SECRET = pattern(
    r"(?i)^-[^ =]*(token|pass|secret|auth)|://[^/\s]*@|(passw|secret|token|api.?key|credential)[\w.\]-]*\s?[=:]"
)
"""Words that can hold a secret: no text repeats them."""


class Unknown(Exception):
    """A field whose text is not known for this command."""


def fill(text: str, inv: Invocation, finding: Finding, ground: CallContext) -> str:
    """The text with every field filled; raises Unknown if there is nothing to fill one with.

    Braces that name no field stay as they are: a text can be from a project's own rules.
    """
    subject = dict(finding.subject)

    def value(match: re.Match[str]) -> str:
        name = match[1]
        if name in _READ:
            return _READ[name](inv, ground)
        if "=" in name:
            return _replaced(inv, name)
        if name[0].isdigit():
            return _operands(inv, name)
        if name[0] == "-":
            return _option(inv, name)
        return _quoted_text(subject[name]) if name in subject else match[0]

    return _FIELD.sub(value, text)


def has_fields(text: str) -> bool:
    return _FIELD.search(text) is not None


def quoted(word: Word) -> str:
    """A word as it can be typed: a pattern stays one."""
    if not word.text or UNKNOWN in word.text or not word.is_known or _SECRET.search(word.text):
        raise Unknown
    return word.text if word.has_glob else shlex.quote(word.text)


def _quoted_text(text: str) -> str:
    if not text or UNKNOWN in text:
        raise Unknown
    return shlex.quote(text)


def _joined(words: Iterable[Word]) -> str:
    return " ".join(map(quoted, words))


def _whole(inv: Invocation) -> list[Word]:
    """All words, if they are all there; what comes after -- would take an added option for an operand."""
    if inv.command.has_more_words or inv.dashes >= 0:
        raise Unknown
    return list(inv.command.argv)


def _command(inv: Invocation, _: CallContext) -> str:
    return _joined(_whole(inv))


def _replaced(inv: Invocation, field: str) -> str:
    words = _whole(inv)
    pairs = [pair.partition("=")[::2] for pair in field.split(" ")]
    if pairs[0][0] not in [word.text for word in words]:
        raise Unknown
    others = {old: new.replace("+", " ") for old, new in pairs}
    texts = (others[one.text] if one.text in others else quoted(one) for one in words)
    return " ".join(filter(None, texts))


def _program(inv: Invocation, _: CallContext) -> str:
    return quoted(inv.command.argv[0])


def _operands(inv: Invocation, field: str) -> str:
    first = int(field[0]) - 1
    if inv.command.has_more_words or len(inv.operands) <= first:
        raise Unknown
    words = inv.operands[first:] if field.endswith("+") else inv.operands[first : first + 1]
    if any(word.text.startswith("-") for word in words):
        raise Unknown  # it would be read as an option
    return _joined(words)


def _last(inv: Invocation, _: CallContext) -> str:
    if inv.command.has_more_words or not inv.operands:
        raise Unknown
    return quoted(inv.operands[-1])


def _option(inv: Invocation, field: str) -> str:
    values = inv.values(field.split("|"))
    if not values:
        raise Unknown
    return quoted(values[-1])


def _where(inv: Invocation, ground: CallContext) -> str:
    names = inv.spec.get("where", ())
    words = [_flag(inv, flag) for flag in inv.flags if flag.name in names and flag.value]
    if "@operands" in names:
        sql = [word.text for word in sql_texts(inv, ground)]
        words += [quoted(word) for word in inv.operands if word.text not in sql]
    return "".join(f" {word}" for word in words)


def _flag(inv: Invocation, flag: Flag) -> str:
    if sum(one.span == flag.span for one in inv.flags) > 1:
        raise Unknown  # one word with several options, such as -pSECRET
    value = quoted(flag.value) if flag.value else ""
    is_joined = flag.value is not None and flag.value.span == flag.span
    return f"{flag.name}{'=' if is_joined and len(flag.name) > _SHORT else ' '}{value}"


_SHORT = 2


def _dotenv(inv: Invocation, _: CallContext) -> str:
    files = [word for word in inv.operands if _DOTENV.search(word.text)]
    if inv.command.has_more_words or not files:
        raise Unknown
    return quoted(files[0])


def _written(inv: Invocation, _: CallContext) -> str:
    """The only file that it writes."""
    words = inv.written
    if len(words) != 1 or words[0].has_glob:
        raise Unknown
    return quoted(words[0])


def _url(inv: Invocation, _: CallContext) -> str:
    for word in inv.operands:
        text = re.split(r"[?#]", word.text)[0]
        host = host_of(text) if "://" in text or re.match(r"[\w.-]+\.\w+(:\d+)?(/|$)", text) else ""
        if host and UNKNOWN not in text and word.is_known:
            scheme, separator, rest = text.rpartition("://")
            return shlex.quote(scheme + separator + re.sub(r"^[^/]*@", "", rest))
    raise Unknown


def _count(inv: Invocation, ground: CallContext) -> str:
    """For one statement on one table: what it would take, as a query that only counts."""
    texts = [word.text for word in sql_texts(inv, ground)]
    statements = [each.strip() for text in texts for each in text.split(";") if each.strip()]
    if not statements or UNKNOWN in statements[0] or "\0" in statements[0]:
        raise Unknown
    sql = " ".join(statements[0].split())
    if match := _REMOVES.match(sql):
        return shlex.quote(_COUNTING + match[1])
    if (match := _CHANGES.match(sql)) and len(match[2] or "") <= _MAX_CONDITION:
        return shlex.quote(f"{_COUNTING}{match[1]} {match[2] or ''}".strip())
    raise Unknown


_READ: Mapping[str, Callable[[Invocation, CallContext], str]] = {
    "command": _command,
    "program": _program,
    "where": _where,
    "last": _last,
    "dotenv": _dotenv,
    "written": _written,
    "url": _url,
    "count": _count,
}


# end of module
