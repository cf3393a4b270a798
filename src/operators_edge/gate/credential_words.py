"""Whether the words of a command ask a program for a credential, whatever the program is.

Owns the words: what reads or issues something (``get``, ``print``), what only lists or stores it, and which
names say that their value is a credential. Does not own which programs are asked, nor whether the answer is
seen (the packs). Pure.
"""

from __future__ import annotations

from operators_edge.text.patterns import compiled, found_in

TYPE_CHECKING = False
if TYPE_CHECKING:
    from operators_edge.gate.invocation import Invocation
    from operators_edge.shell.commands import Word

_KEYS = (
    r"api-?keys?|(?:access|private|secret|admin|signing|encryption|auth|master|account|deploy|shared|session|recovery"
    r"|unseal|shared-access|stripe|openai|anthropic|sendgrid|twilio|datadog|mailgun)-?keys?|key-?strings?"
)
_MADE = rf"tokens?|jwts?|otps?|totps?|pass(?:words?|wd|phrases?|codes?)|pwd|{_KEYS}"
"""What a program makes by itself and prints once."""

_CREDENTIAL = (
    rf"(?:{_MADE}|credentials?|creds?|secrets?|psk|mnemonic|seed-phrase|keytab|kubeconfig|dsn|database-urls?"
    r"|conn(?:ection)?-?str(?:ing)?s?|connection-(?:uri|url)s?|(?:backup|recovery)-codes?|publishing-profiles?)"
)
_NAMES = rf"(?:^|-){_CREDENTIAL}(?:-(?:values?|data|strings?|texts?|json))?$"
_PUBLIC = r"(?:^|-)(?:public|publishable|random|last-used|csrf|xsrf)(?:-|$)"

_READING = (
    "get|mget|hget|hmget|hgetall|hvals|getdel|getex|getrange|show|print|view|reveal|read|cat|dump|export|fetch|display"
    "|lookup|query|retrieve|access|decrypt|unseal|unwrap|output|pull|value|peek|conn"
)
_MAKING = "create|generate|gen|issue|mint|new|regenerate|request|obtain|assume|exchange"
_READS = rf"^(?:[a-z]+-)?(?:{_READING})$"
_MAKES = rf"^(?:[a-z]+-)?(?:{_MAKING})$"
_ACTS_ON = rf"^(?:{_READING}|create|generate|issue|mint|initial)-"
"""A verb before the name, in one word: ``print-access-token``."""

_KEEPS = (
    r"^(?:list|ls|names?|describe|info|status|stats?|help|search|find|delete|del|rm|remove|revoke|unset|set|put|store|add"
    r"|insert|import|upload|test|capabilities|update|edit|reset|rename|mv|enable|disable|check|validate|verify|lint|scan|audit"
    r"|exists|ttl|type|expire|count|save|login|logout|attach|bind|grant|inspect|use|run|exec|sync|write|apply|docs?)(?:-|$)"
)
"""A verb that prints no value: it lists names, or stores, changes or deletes what it is given."""

NAMES = frozenset(
    (
        *(
            "token",
            "tokens",
            "jwt",
            "jwts",
            "otp",
            "otps",
            "totp",
            "totps",
            "pwd",
            "psk",
            "dsn",
            "key",
            "keys",
        ),
        *(
            "password",
            "passwords",
            "passwd",
            "passphrase",
            "passphrases",
            "passcode",
            "passcodes",
            "phrase",
        ),
        *(
            "credential",
            "credentials",
            "cred",
            "creds",
            "secret",
            "secrets",
            "mnemonic",
            "keytab",
            "kubeconfig",
        ),
        *(
            "apikey",
            "apikeys",
            "code",
            "codes",
            "url",
            "urls",
            "uri",
            "uris",
            "string",
            "strings",
            "profile",
        ),
        *("profiles", "showsecret", "sensitive", "reveal", "unmask"),
    )
)
VERBS = frozenset([*_READING.split("|"), *_MAKING.split("|"), "initial"])
"""Words for the prefilter: a text that asks for a credential has one of each, or reveals one."""

_REVEALS = (
    r"^(?:(?:show|reveal|print|expose|display|unmask|dump|export)-?(?:all-)?(?:\w+-)?(?:token|passwords?|credentials?"
    r"|api-?keys?|private-?keys?|secrets?|sensitive)(?:-values?)?|(?:with|include)-secrets?(?:-values?)?|reveal|unmask)$"
)
_WORD = r"^[\w.:/@+-]{1,120}$"
_MAKES_KEY = r"^(?:create|generate)-(?:\w+-)*key$"
_KEY_FILE = r"\.(?:bin|pem|key|der|p12|pfx|jks|csk)$"
"""A file that a key is written to: then it is not printed."""
_SUBCOMMAND = r"^[a-z:-]+$"
_NEAR = 4
"""Operands among which a verb or the name of a subcommand stands."""


def asked_for(inv: Invocation, *, of_service: bool) -> list[Word]:
    """Return the words that ask for a credential; none if they do not.

    ``of_service``: it is the command line of a remote service, so that a name without a verb is enough
    (``oauth-tokens``). For other programs, one word has to read or make it.
    """
    if revealing := [one for one in inv.flags if found_in(_REVEALS, _plain(one.name))]:
        return [one for one in inv.command.argv if one.span == revealing[0].span]
    words = [one for one in inv.operands if one.is_known and found_in(_WORD, one.text)]
    texts = [_plain(one.text) for one in words]
    names = [
        at for at, one in enumerate(texts) if found_in(_NAMES, one) and not found_in(_PUBLIC, one)
    ]
    if not names:
        return []
    keeps, reads, makes = (_first(pattern, texts) for pattern in (_KEEPS, _READS, _MAKES))
    if keeps < reads:
        return []
    for at in names:
        text = texts[at]
        is_read = -_BEFORE <= at - reads <= _behind(texts, reads)
        is_made = -_BEFORE <= at - makes <= 1 and found_in(rf"(?:^|-)(?:{_MADE})$", text)
        after = [one.text for one in words[at + 1 :]]
        is_written = found_in(_MAKES_KEY, text) and found_in(_KEY_FILE, " ".join(after))
        is_verb = at < _NEAR and found_in(_ACTS_ON, text) and not is_written
        is_subcommand = of_service and makes == _NONE and _is_subcommand(at, words, texts)
        if is_read or is_made or is_verb or is_subcommand:
            return [words[at]]
    return []


def _is_subcommand(at: int, words: list[Word], texts: list[str]) -> bool:
    return at < _NEAR and "config" not in texts and found_in(_SUBCOMMAND, words[at].text)


_NONE = 99
_BEFORE = 2
"""Words that may come before their verb: ``secrets versions access``."""


def _first(pattern: str, texts: list[str]) -> int:
    return next((at for at, one in enumerate(texts[:_NEAR]) if found_in(pattern, one)), _NONE)


def _behind(texts: list[str], verb: int) -> int:
    """How far behind the verb the name may stand: ``hget user:1 password``."""
    return 2 if verb < len(texts) and texts[verb][0] == "h" else 1


def _plain(text: str) -> str:
    """A name in lower case with ``-`` between its words: ``dbPassword``, ``DB_PASSWORD``, ``db.password``."""
    if compiled(r"[a-z0-9]+(?:-[a-z0-9]+)*").fullmatch(text):
        return text
    apart = compiled(r"(?<=[a-z0-9])(?=[A-Z])").sub("-", text)
    return compiled(r"[^A-Za-z0-9]+").sub("-", apart).lower().strip("-")


# end of module
