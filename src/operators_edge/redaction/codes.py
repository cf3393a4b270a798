"""Codes and words that let somebody in: one-time and recovery codes, seeds of authenticators, wallets, licences.

Owns the words that announce them. Pure; each pattern reaches a bounded number of signs.
"""

from __future__ import annotations

from operators_edge.redaction.finding import Finding
from operators_edge.redaction.place import never, place
from operators_edge.redaction.randomness import is_hex, is_placeholder
from operators_edge.redaction.scanner import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from operators_edge.redaction.place import Look

_PHRASES = tuple(
    f"{of} {what}"
    for of in ("seed", "recovery", "backup", "secret")
    for what in ("phrase", "words")
)

_WORD_OF_WALLET = r"(?:\d{1,2}[.):]? {0,3})?[a-z]{3,8}"

_BETWEEN_WORDS = r"(?:,? {1,4}|,?[ \t]{0,8}\r?\n[ \t]{0,8}|\t)"

_WORDS_OF_WALLET = (
    rf"(?:{_WORD_OF_WALLET}{_BETWEEN_WORDS}){{11}}(?:(?:{_WORD_OF_WALLET}{_BETWEEN_WORDS}){{3}}){{0,4}}{_WORD_OF_WALLET}"
    r"""(?=\\{0,4}["'`]?[,;)\]}]?[ \t]*(?:\r?\n|\\n|\Z))"""
)
"""12, 15, 18, 21 or 24 words to the end of the line, numbered or not (BIP 39)."""

_OF_PROSE = frozenset("the and your are not from have has was but for its our".split())


def _is_prose(value: str) -> bool:
    """Whether a word is among them that no wallet draws."""
    return is_placeholder(value) or not _OF_PROSE.isdisjoint(value.lower().split())


_CODE = r"[0-9A-Za-z]{4,8}"

_GROUPS = r"\d{3,6}(?: \d{3,6}){1,3}\b"

_CODES = (
    rf"(?i)[\w-]{{3,12}}[-_ ]codes?\b[^\n]{{0,80}}?[\s:\"'\[]{{1,12}}(?:\d{{1,2}}[.)] {{1,3}}|[*\u2022-] {{1,3}}|\[ ?\] )?(?P<value>(?=[^\s\"',]{{0,14}}\d)(?:{_GROUPS}|{_CODE}(?:-{_CODE}){{1,3}}|[0-9a-z]{{8,12}}\b|\d{{6}}\b)"
    rf"(?:[\s\"',*|>.)\u2022-]{{1,8}}(?:\d{{1,2}}[.)] {{1,3}})?(?:{_GROUPS}|{_CODE}(?:-{_CODE}){{1,3}}|(?=[a-z]{{0,11}}\d)[0-9a-z]{{8,12}}\b|\d{{6}}\b)){{0,24}})"
)


def _is_no_seed(value: str) -> bool:
    """Words, or letters that make a word."""
    signs = value.replace(" ", "").replace("-", "")
    return not (any(map(str.isdigit, signs)) and any(map(str.isalpha, signs))) or is_hex(signs)


_SEED = r"(?:\A|\n)(?P<value>[A-Z2-7]{16,64})\r?\n(?:\" [A-Z_]{4,24}[^\n]{0,40}\n){0,8}\Z"

_SCRATCH = (
    r"[^\n]{0,60}\n(?:\" [A-Z_]{4,24}[^\n]{0,40}\n){0,8}(?P<value>(?:\d{8}(?:\s{1,2}|\Z)){1,10})"
)


def _authenticator_file(text: str, at: int, end: int) -> Iterator[Finding]:
    """The seed above the options in the file of Google's module for PAM, and the codes below them."""
    seed = pattern(_SEED).search(text, max(0, at - _LONGEST_BLOCK), at)
    if seed is not None:
        yield Finding(*seed.span("value"), "totp", "format")
    codes = pattern(_SCRATCH).match(text, end)
    if codes is not None:
        yield Finding(
            codes.start("value"),
            codes.start("value") + len(codes["value"].rstrip()),
            "recovery-codes",
            "format",
        )


_LONGEST_BLOCK = 600

# fmt: off
PLACES: tuple[tuple[tuple[str, ...], Look], ...] = (
    ((*_PHRASES, "mnemonic"), place(
        rf"""(?i)(?:mnemonic|\w{{4,8}} (?:phrase|words))(?:\\{{0,4}}["']?[ \t]{{0,4}}[:=]|[^\n]{{0,100}}[:\n])(?:\s{{0,8}}[>|*]?\s{{0,4}})\\{{0,4}}["'`]?(?P<value>{_WORDS_OF_WALLET})""", "", "name", unless=_is_prose)),
    (("/ipk ", "product key", "productkey"), place(
        r"(?i)(?:/ipk|product ?key)[\"']?[ \t]{0,8}(?:is|:|=|>)?[ \t]{0,8}[\"']?(?P<value>[0-9A-Z]{5}(?:-[0-9A-Z]{5}){4})(?![\w-])", "license-key", "name")),
    (("passphrase ",), place(r"(?i)passphrase [\"'“]?(?P<value>[a-z]{3,12}(?:-[a-z]{3,12}){3,11})(?![\w-])", "", "name", unless=_is_prose)),
    (("recovery key", "recovery password", "numerical password", "bitlocker", "manage-bde"), place(
        r"(?i)[a-z-]{7,9}[\s\S]{0,160}?(?<![\w-])(?P<value>(?:\d{6}-){7}\d{6}|(?-i:(?:[0-9A-Z]{4}-){5}[0-9A-Z]{4}))(?![\w-])", "recovery-key", "format", unless=never)),
    (("serial key", "license key", "licence key", "activation key", "activation code", "cd key"), place(
        r"(?i)\w{2,10} (?:key|code)(?: is)?[\"']?[ :=]{1,4}[\"'`]?(?-i:(?P<value>(?=[A-Z-]{0,40}\d)[0-9A-Z]{4,6}(?:-[0-9A-Z]{4,6}){3,7}))(?![\w-])", "license-key", "name")),
    (("pin code", "passkey"), place(r"(?i)(?:pin code|passkey)(?: is)?[ :=]{1,4}(?P<value>\d{4,8})(?![\w.:])", "otp", "name")),
    (("authenticator", "setup key", "totp", "2fa", "oathtool", "two-factor", "manual entry"), place(
        r"(?i)[^\n]{4,160}?(?<![\w=/+-])(?P<value>(?:[a-z2-7]{4}[ -]){3,15}[a-z2-7]{4}|[A-Z2-7]{16,64})(?![\w/+-])", "totp", "name", unless=_is_no_seed)),
    (("otp for ", "otp is ", "otp: ", "otp = "), place(r"(?i)otp(?: for [^\n:]{1,40}?)?(?: is|:| =) {1,3}(?P<value>\d{4,8})(?![\w:]|\.\d)", "otp", "name")),
    (("use code ", "use the code ", "enter code ", "enter the code "), place(
        r"(?i)\w{3,5}(?: the)? code (?P<value>\d{6,8}|\d{3}[ -]\d{3}) (?:to|for|at|in|within|on)\b", "otp", "name")),
    (("pin for ", "pin of ", "pin is ", "pin: ", "pin = ", "pin=", 'pin": ', "pin number", "pin code"), place(
        r"(?i)(?<![a-z])pin\"?(?: (?:code|number))?(?: (?:for|of|to) [^\n:=]{1,40}?)?(?: is|:| =|=)[ \t]{0,4}[\"'`]?(?P<value>\d{4,8})(?![\w.:%-])", "", "name")),
    (("recovery code", "verification codes", "emergency codes", "2fa codes", "mfa codes", "single-use codes", "one-time codes", "backup code", "scratch code", "recovery_code", "backup_code", "recovery-code", "backup-code"), place(_CODES, "recovery-codes", "name")),
    (tuple(f'" {option}' for option in ("rate_limit", "window_size", "totp_auth", "hotp_counter", "disallow_reuse")), _authenticator_file),
    ((*(f"{of} pass{what}" for of in ("one-time", "one time", "onetime") for what in ("word", "code")), *(f"{of} {what}" for of in ("2fa", "mfa", "sms", "two-factor", "verification", "login", "security", "sign-in", "signin", "confirmation", "authentication", "one-time", "otp", "access", "activation", "unlock", "pairing", "whatsapp", "telegram")
           for what in ("code", "pin"))), place(
        r"(?i)[\w-]{3,14} (?:time )?(?:code|pin|password|passcode)(?: for [^\n:]{1,40}?)?(?:[\"']?[ \t]{0,4}(?:[:=]|is|are|->)[:]?[ \t]{0,4}[\"'`*]{0,2}(?P<value>(?:[A-Z]-)?\d{4,8}|\d{3}[ -]\d{3})|[ \t][\"'`*]{0,2}(?P<bare>\d{6}))(?![\w%/-]|[.,:]\d)",
        "otp", "name")),
)
# fmt: on

# end of module
