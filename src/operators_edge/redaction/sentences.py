"""Secrets in what people write: sentences, chats, comments and notes, in some languages.

Owns how a sentence gives a value, before or behind the word for it, and which answers follow a question. Does
not own names with a sign behind them (``redaction.names``). Pure; each look reaches a bounded number of signs.
"""

from __future__ import annotations

from functools import lru_cache

from operators_edge.redaction.finding import Finding
from operators_edge.redaction.names import is_stated
from operators_edge.redaction.randomness import (
    has_digit,
    is_chosen,
    is_mail,
    is_memorable,
    is_place,
    is_placeholder,
    is_random,
)
from operators_edge.redaction.scanner import pattern
from operators_edge.redaction.secret_names import PASSWORDS

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Iterable, Iterator

SPOKEN = (" clave", " mdp", "şifre", "parola", "sifre", "losenord", "haslo", "jelszo", " pw")
"""Words for a password that are no parts of names."""

_CHOSEN_WORDS = (*PASSWORDS, *SPOKEN, "secret", "cred", "psk")
"""Words for what people choose."""

_REACH = 240
_LINE = 120
"""Signs of a sentence that are read behind the word."""


def stated(text: str, at: int, end: int, sign: str, stop: int) -> Iterable[Finding]:
    """What a sentence, a note or an answer gives; ``sign`` follows the word, and goes up to ``stop``."""
    if sign in ('"', "'", "\n") and text.rfind("alue", at - _REACH if at > _REACH else 0, at) >= 0:
        return _given(pattern(_PAIRED).search(text, max(0, at - _REACH), at))
    if sign in ('"', "'"):
        return _noted(text, at) if text[at - 1 : at] == " " else ()
    if sign not in (" ", "\t", ":", "=", "?") or not text[stop : stop + 2].strip(" *-/>\n"):
        return _noted(text, at)
    if sign in ":=" and not text[stop : stop + 1].isspace():
        return ()
    word = text[at:end].lower()
    return _in_sentence(text, word, end) if _is_chosen_word(word) else _noted(text, at)


@lru_cache(maxsize=256)
def _is_chosen_word(word: str) -> bool:
    return word.startswith(_CHOSEN_WORDS)


def _given(found: re.Match[str] | None) -> Iterable[Finding]:
    group = (found.lastgroup or "value") if found else ""
    if found is not None and is_stated(found[group], has_digit):
        return (Finding(*found.span(group), "", "name"),)
    return ()


_NOTED = (
    r"(?:(?<![\w.-])(?P<digits>0x[0-9a-fA-F]{64})|[\"'`](?P<quoted>[^\s\"'`]{6,128})[\"'`]|\[(?P<value>[^\s\[\]]{6,128})\])[ \t,;)]{0,8}"
    r"(?:\#|--|//|;|<!--|/\*)[ \t]{0,4}[\w .,'/-]{0,40}\Z"
)
_PAIRED = (
    r"""(?i)["']?(?:value|val|content)["']?[ \t]{0,4}[:=][ \t]{0,4}(?:["'](?P<value>[^"'\n]{4,512})["']|(?P<bare>[^\s"']{4,512})),?\s{1,40}"""
    r"""["']?(?:name|key|parameterkey|optionname)["']?[ \t]{0,4}[:=][ \t]{0,4}["']?[\w./-]{0,60}\Z"""
)
"""A value in quotes before what says that it is one: ``"abc..."  # the password``, ``"value": "abc...", "name": "TOKEN"``."""


def _noted(text: str, at: int) -> Iterable[Finding]:
    first = at - _REACH if at > _REACH else 0
    begin = text.rfind("\n", first, at)
    begin = begin if begin >= 0 else first
    before = text[begin:at]
    if not ("#" in before or "--" in before or "//" in before or ";" in before or "/*" in before):
        return ()
    return _given(pattern(_NOTED).search(text, begin, at))


_COPULA = (
    r"(?i)(?::|=|->|→| (?=[iwatleèéäjon])(?:ist?|was|are|to|lautet|est?|este|e|è|é|är|jest|er|on|je|now))[ \t]{1,4}"
    r"(?:now |jetzt |still |set to )?(?:<(?:b|em|strong|code|span)>)?(?:« ?|[\"'`“„])?"
)
_CHOSEN = r"[^\s\"'`(),;<>]{7,64}(?![^\s\"'`(),;<>])"
_PHRASE = r"(?i)(?<=[\"'`“„«])[a-z]{3,12}(?:[ -][a-z]{3,12}){2,7}(?=[\"'`”“»])"
_BARE_PHRASE = r"[a-z]{3,12}(?:[ -][a-z]{3,12}){3,7}(?=\.?[ \t]*(?:\n|\Z))"
# fmt: off
_OF_SENTENCES = frozenset(
    "a an and any are as ask at be because been but by can cannot change changed check contain contains correct default do does each enter entered "
    "every expired failed for from generated has have hidden if in incorrect into invalid is it its least like longer match matches maximum may "
    "minimum missing must need needs never new no none not now of old on only optional or please prompt required reset same see set should shorter shown so "
    "stored than that the their them then there these they this to too under updated use used using value was weak when where which will with without "
    "word words wrong you your type string field password passwords passphrase characters letters hashed encrypted authentication".split()
)
# fmt: on


def _in_sentence(text: str, word: str, end: int) -> Iterator[Finding]:
    """``the password of the server is VALUE``: letters, digits and signs, or words that make no sentence."""
    stop = text.find("\n", end, end + _LINE)
    stop = stop if stop >= 0 else min(len(text), end + _LINE)
    for copula in pattern(_COPULA).finditer(text, end, stop):
        found = pattern(_CHOSEN).match(text, copula.end())
        value = found.group().rstrip(".") if found else ""
        if found is not None and _is_surely_chosen(value):
            yield Finding(found.start(), found.start() + len(value), "", "name")
            return
        found = pattern(_PHRASE).match(text, copula.end())
        if found is None and word.startswith("passphrase"):
            found = pattern(_BARE_PHRASE).match(text, copula.end())
        if found is not None and _is_phrase(found.group()):
            yield Finding(*found.span(), "", "name")
            return
    if text.find("?", end, stop) >= 0:
        yield from _answered(text, end)


def _is_surely_chosen(value: str) -> bool:
    """No name of a program or a method, which has a digit, too."""
    is_sure = not value.isalnum() or sum(map(str.isdigit, value)) > 1
    is_dull = is_placeholder(value) or is_place(value) or is_mail(value)
    is_likely = (is_sure and is_chosen(value)) or is_random(value, least=10)
    return (is_likely or is_memorable(value)) and not is_dull


def _is_phrase(value: str) -> bool:
    words = value.lower().replace("-", " ").split()
    return _OF_SENTENCES.isdisjoint(words) and len(set(words)) == len(words)


_QUESTION = r"[^\n?]{0,100}\?[^\n\w]{0,8}\n"
_ANSWER = r"(?<![^\s\"'`(])(?P<value>[^\s\"'`(),:/@]{7,64})(?=[\"'`)]?[.,]?(?:\s|\Z))"
_LINES, _ANSWERED, _WORDS = 4, 300, 8
"""Lines and signs in which a question is answered, and words of an answer."""


def _answered(text: str, end: int) -> Iterator[Finding]:
    """``what's the root password?``, and on one of the next lines a short answer."""
    question = pattern(_QUESTION).match(text, end)
    begin = question.end() if question else len(text)
    for line in text[begin : begin + _ANSWERED].split("\n")[:_LINES]:
        answers = pattern(_ANSWER).finditer(line) if len(line.split()) <= _WORDS else ()
        for found in answers:
            if is_stated(found["value"], is_chosen):
                yield Finding(begin + found.start("value"), begin + found.end("value"), "", "name")
                return
        begin += len(line) + 1


_FIRST_OF_FOREIGN = "пП密パ비口暗סكκΚगपรậ"
_FOREIGN = rf"[{_FIRST_OF_FOREIGN}](?:арол|[码碼]|スワード|밀번호|令|証|יסמ|لمة (?:السر|المرور)|ωδικ|ोपनीय|ासवर्ड|หัสผ่าน|t khẩu)"
_OF_FOREIGN = r"(?i)\w{0,8}(?:[^\n:\uff1a=\x21-\x7e]|[a-z0-9_.-](?=[^\n]{0,24}[:\uff1a=])){0,40}?(?:[:\uff1a=]|は|为|為|是|는|은|[ \t])[ \t\u3000]{0,4}[\"'`「“«]?(?P<value>[!-~]{6,128})"


def _is_likely_password(value: str) -> bool:
    return has_digit(value) or is_random(value, least=10)


def foreign(text: str) -> Iterator[Finding]:
    """Values behind words for a password in other scripts; those are not among the words of the search."""
    if not any(map(text.__contains__, _FIRST_OF_FOREIGN)):
        return
    for word in pattern(_FOREIGN).finditer(text):
        found = pattern(_OF_FOREIGN).match(text, word.end())
        value = found["value"].rstrip("\"'`.,;)") if found else ""
        if found is not None and is_stated(value, _is_likely_password):
            yield Finding(found.start("value"), found.start("value") + len(value), "", "name")


def _is_password(value: str) -> bool:
    return is_chosen(value) or is_memorable(value) or is_random(value, least=10)


def told_before(text: str, at: int, _end: int) -> Iterator[Finding]:
    """``use VALUE as the password``: a value that stands before what it is."""
    if pattern(_IS_CODE).match(text, at):
        code = pattern(_CODE).search(text, max(0, at - _LONGEST_CODE), at)
        if code is not None and not is_placeholder(code["value"]):
            yield Finding(*code.span("value"), "otp", "name")
        return
    name = pattern(_IS_TOLD).match(text, at)
    found = pattern(_TOLD).search(text, max(0, at - _REACH), at) if name else None
    if name is None or found is None:
        return
    is_likely = _is_password if name["word"].lower().startswith(PASSWORDS) else is_random
    if is_stated(found["value"], is_likely):
        yield Finding(*found.span("value"), "", "name")


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

_CODE = r"""(?<![\w.,:/-])(?P<value>(?:[A-Z]-)?\d{4,8}|\d{3}[ -]\d{3})["'`*]{0,2}\Z"""
_LONGEST_CODE = 16
_IS_CODE = (
    r"(?i) (?:as|is) (?:your (?:(?!error|status|exit|zip|post|country|area|order|booking|product|promo|discount|coupon)[\w'-]{1,20} ){0,4}"
    r"|(?:the|a|my|our) (?:[\w-]{1,20} ){0,2}(?:verification|login|security|sign-?in|confirmation|authentication|one-time|2fa|access) )"
    r"(?:code|pin|otp)(?![\w-])"
)
_TOLD = r"""(?<![^\s"'`(])(?P<value>[^\s"'`()]{8,128})["'`]?\Z"""
_IS_TOLD = (
    r"(?i) (?:as|is) (?:[\w-]{1,16} ){0,3}(?P<word>password|passphrase|token|api key|secret)"
    r"(?=[.,;:!?)\n\"'\\]|\Z| (?:for|to|in|on|of|and|when|here)\b)"
)

# end of module
