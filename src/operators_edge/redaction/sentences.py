"""Secrets in what people write: sentences, chats, comments and notes, in some languages.

Owns how a sentence gives a value, before or behind the word for it, and which answers follow a question. Does
not own names with a sign behind them (``redaction.names``). Pure; each look reaches a bounded number of signs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from operators_edge.redaction.finding import Finding
from operators_edge.redaction.names import is_stated
from operators_edge.redaction.randomness import (
    has_digit,
    is_chosen,
    is_place,
    is_placeholder,
    is_random,
)
from operators_edge.redaction.scanner import pattern
from operators_edge.redaction.secret_names import PASSWORDS

if TYPE_CHECKING:
    from collections.abc import Iterator

_REACH = 48
"""Signs of a name that are read before the word."""

STATED = (*PASSWORDS, "parola ", "sifre", "losenord", "haslo", "jelszo")
_STATED = (
    r"""(?i)\w{0,8}[^\n:=→"'`]{0,60}?(?::|=|->|→| (?:is|was|are|to|ist|lautet|est|es|e|è|é|este|är|jest|er|on|je|now))[ \t]{1,4}(?:now |jetzt |set to )?"""
    r"""["'`]?(?P<value>[^\s"'`(),;]{7,64})"""
)


def stated(text: str, _at: int, end: int) -> Iterator[Finding]:
    """``the password of the server is VALUE``, in some languages: one of letters, digits and signs."""
    found = pattern(_STATED).match(text, end)
    value = found["value"].rstrip(".") if found else ""
    if found is not None and is_stated(value, _is_surely_chosen):
        yield Finding(found.start("value"), found.start("value") + len(value), "", "name")


def _is_surely_chosen(value: str) -> bool:
    """No name of a program or a method, which has a digit, too."""
    return is_chosen(value) and (not value.isalnum() or sum(map(str.isdigit, value)) > 1)


_FOREIGN = r"(?i)парол|密[码碼]|パスワード|비밀번호|口令|暗証|סיסמ|كلمة (?:السر|المرور)|κωδικ|गोपनीय|รหัสผ่าน|mật khẩu"
_OF_FOREIGN = r"(?i)\w{0,8}(?:[^\n:\uff1a=\x21-\x7e]|[a-z0-9_.-](?=[^\n]{0,24}[:\uff1a=])){0,40}?(?:[:\uff1a=]|は|为|為|是|는|은|[ \t])[ \t\u3000]{0,4}[\"'`「“«]?(?P<value>[!-~]{6,128})"


def foreign(text: str) -> Iterator[Finding]:
    """Values behind words for a password in other scripts; those are not among the words of the search."""
    for word in pattern(_FOREIGN).finditer(text):
        found = pattern(_OF_FOREIGN).match(text, word.end())
        value = found["value"].rstrip("\"'`.,;)") if found else ""
        if found is not None and has_digit(value) and is_stated(value, has_digit):
            yield Finding(found.start("value"), found.start("value") + len(value), "", "name")


def told_before(text: str, at: int, _end: int) -> Iterator[Finding]:
    """``use VALUE as the password``: a value that stands before what it is."""
    name = pattern(_IS_TOLD).match(text, at)
    found = pattern(_TOLD).search(text, max(0, at - 4 * _REACH), at) if name else None
    if name is None or found is None:
        return
    is_likely = is_chosen if name["word"].lower().startswith(PASSWORDS) else is_random
    if is_stated(found["value"], is_likely):
        yield Finding(*found.span("value"), "", "name")


_NOTED = (
    r"(?:[\"'`](?P<quoted>[^\s\"'`]{6,128})[\"'`]|\[(?P<value>[^\s\[\]]{6,128})\])[ \t,;)]{0,8}"
    r"(?:\#|--|//|;|<!--|/\*)[ \t]{0,4}[\w .,'/-]{0,40}\Z"
)
_PAIRED = (
    r"""(?i)["']?(?:value|val|content)["']?[ \t]{0,4}[:=][ \t]{0,4}["'](?P<value>[^"'\n]{4,512})["'],?\s{1,40}"""
    r"""["']?(?:name|key|parameterkey|optionname)["']?[ \t]{0,4}[:=][ \t]{0,4}["'][\w./-]{0,60}\Z"""
)


def noted(text: str, at: int, end: int) -> Iterator[Finding]:
    """A value before what says that it is one: ``"abc..."  # the password``, ``"value": "abc...", "name": "TOKEN"``."""
    ends = pattern(_ENDS_NOTE).match(text, end)
    if ends is None:
        return
    source = _PAIRED if ends.group()[-1:] in ('"', "'") else _NOTED
    found = pattern(source).search(text, max(0, at - 6 * _REACH), at)
    if found is None:
        return
    group = found.lastgroup or "value"
    if is_stated(found[group], has_digit):
        yield Finding(*found.span(group), "", "name")


_ENDS_NOTE = r"(?:ords?|d|s)?(?:[\w.-]{0,16}[\"']|[ \t.)*/>-]{0,6}(?=\n|\Z))"

_PHRASE = (
    r"""(?i)(?:ord|ort|wd|d)?(?![\w./])[^\n"'“«„:=]{0,60}?(?: is| ist| lautet| es| est| was|[ \t]?[:=])[ \t]{0,4}"""
    r"""(?:["'`“„«](?P<quoted>[a-z]{3,12}(?:[ -][a-z]{3,12}){2,7})["'`”“»]"""
    r"""|(?P<value>[a-z]{3,12}(?:[ -][a-z]{3,12}){3,7})\.?[ \t]*(?:\n|\Z))"""
)
# fmt: off
_OF_SENTENCES = frozenset(
    "a an and any are as ask at be because been but by can cannot change changed check contain contains correct default do does each enter entered "
    "every expired failed for from generated has have hidden if in incorrect into invalid is it its least like longer match matches maximum may "
    "minimum missing must need needs never new no none not now of old on only optional or please prompt required reset same see set should shorter shown so "
    "stored than that the their them then there these they this to too under updated use used using value was weak when where which will with without "
    "word words wrong you your type string field password passwords passphrase characters letters hashed encrypted authentication".split()
)
# fmt: on


def phrased(text: str, at: int, end: int) -> Iterator[Finding]:
    """``the passphrase is "four words in row"``: words that make no sentence."""
    found = pattern(_PHRASE).match(text, end)
    if found is None:
        return
    group = found.lastgroup or "value"
    if group == "value" and not text[at:end].lower().startswith("passphrase"):
        return
    words = found[group].lower().replace("-", " ").split()
    if _OF_SENTENCES.isdisjoint(words) and len(set(words)) == len(words):
        yield Finding(*found.span(group), "", "name")


TOLD = (
    *(
        f" {verb} {article} "
        for verb in ("as", "is")
        for article in ("the", "a", "my", "our", "your")
    ),
    " as password",
    " as token",
)
"""How a sentence goes on behind such a value."""

_TOLD = r"""(?<![^\s"'`(])(?P<value>[^\s"'`()]{8,128})["'`]?\Z"""
_IS_TOLD = (
    r"(?i) (?:as|is) (?:[\w-]{1,16} ){0,3}(?P<word>password|passphrase|token|api key|secret)"
    r"(?=[.,;:!?)\n]|\Z| (?:for|to|in|on|of|and|when|here)\b)"
)


ASKED = (*PASSWORDS, " pw ", " pw?")
_ANSWER = r"(?<![^\s\"'`(])(?P<value>[^\s\"'`(),:/@]{7,64})(?=[\"'`)]?[.,]?(?:\s|\Z))"
_QUESTION = r"[^\n?]{0,100}\?[^\n\w]{0,8}\n"
_LINES, _ANSWERED = 4, 300


def answered(text: str, _at: int, end: int) -> Iterator[Finding]:
    """``what's the root password?``, and on one of the next lines a short answer."""
    question = pattern(_QUESTION).match(text, end)
    if question is None:
        return
    begin = question.end()
    for line in text[begin : begin + _ANSWERED].split("\n")[:_LINES]:
        words = line.split()
        found = pattern(_ANSWER).search(line) if len(words) <= 8 else None
        while found is not None:
            value = found["value"]
            if is_chosen(value) and not is_placeholder(value) and not is_place(value):
                yield Finding(begin + found.start("value"), begin + found.end("value"), "", "name")
                return
            found = pattern(_ANSWER).search(line, found.end())
        begin += len(line) + 1


# end of module
