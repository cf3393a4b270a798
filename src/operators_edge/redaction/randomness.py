"""Whether a value looks random, as keys and tokens do, or like something that a person named.

Owns the measure and what stands for a secret without being one: placeholders, references, code. Does not own
where a value stands (``redaction.names``, ``redaction.places``). Pure.
"""

from __future__ import annotations

from functools import cache, lru_cache
from itertools import pairwise

from operators_edge.redaction.scanner import pattern

# How much more often a letter follows another in the words of identifiers than by chance, in half bits from
# `a` (13 fewer) to `n` (as often) and beyond: a row for each letter, counted over the 40,000 words that
# identifiers of Python's standard library consist of.
_FOLLOWING = """
iopohjgmgekqoqdnerprlkiklf qmnmqliiqmgrkjpkhoolphgenf qjmkqkiqnbookiskdnmqnhfekb qmlosmkhrhhnkjplgnonnjhgje
okoplmlhkdgonqjmkrqpilknje pkmnpqjhsefojkqjfpmooghfkd okkktjmopefolonkfqonnjhfhf skklsjhiqekllkrjenmpmghele
nlpnnmnfgfhoosplfmppfmcjam qlmlsmijnknklnrmajqkqjkfhe pllmtllkqjjollnlfmqmnklgkf qjknsjigrehpjiqleinnnifeod
snjksihgqchlnkqqgjnknghfie pjpqqmqiofkkjlpkejprmngdhf lmooillhlfkposmoarooplnjge rillrkhmodhpjjqofrnomghemd
lmlnjmhijadpkkhlnppnujidgi qjnmsklgqdklnlqkenooljhdld niokrjjoqdkmkjoojjpsojjfld qjmkskhorcflkjplgqonmhifng
nomlokkendgpprjoaqpqghdhce sklltjijreckkknlelmkhjjkfe rkllqkinrfkllppmcpplhihifd mlpnpnglpdfmnkmrhlmskjklli
nlnmolminegopomshmqqkklhjk qhkkuknmqahlkgongjlmlghjll
"""
_LETTERS = "abcdefghijklmnopqrstuvwxyz"


@cache
def _likely() -> dict[str, float]:
    return {
        first + second: (ord(sign) - ord("n")) / 2
        for first, row in zip(_LETTERS, _FOLLOWING.split(), strict=True)
        for second, sign in zip(_LETTERS, row, strict=True)
    }


@lru_cache(maxsize=256)
def randomness(value: str) -> float:
    """Evidence in bits that the value is random: below 0 for names, above 5 for most that are random.

    Letters that seldom follow each other, digits between letters and case that changes within a word count
    for it.
    """
    bits, likely = 0.0, _likely()
    before, kind_before = "", ""
    for sign in value[:128]:
        kind = _kind(sign)
        if kind in "aA" and kind_before in ("a", "A"):
            if kind_before == "a" and kind == "A":
                bits += 1.5
            else:
                bits -= likely.get((before + sign).lower(), 0.0)
                bits += -0.6 if kind_before == "a" else 0.5 if kind == "a" else 0.3
        elif (
            kind_before and "-" not in (kind, kind_before) and (kind == "0") != (kind_before == "0")
        ):
            bits += 3
        before, kind_before = sign, kind
    return bits


def _kind(sign: str) -> str:
    if "a" <= sign <= "z":
        return "a"
    if "A" <= sign <= "Z":
        return "A"
    return "0" if "0" <= sign <= "9" else "-"


# Values that stand for a secret without being one.
_STAND_IN = (
    r"(?i)x{4,}|\*{3,}|\.{3}|…|•{2}|<[^<>]*>|\A[^<]{0,24}<[^<>]*\Z|&lt;|\[redacted|\{\{|%\(\w+\)s|(?-i:%[sd]\b)|#\{|[-_ ]example\b|example(?:[-_ .]|\Z)"
    r"|sample|placeholder|change[-_ ]?(?:me|it|this)|your[-_ ]?[a-z]|dummy|fake[-_ ]|replace[-_ ]?(?:me|this|with)"
    r"|insert[-_ ]|todo[-_ ]|redacted|masked|censored|not[-_ ]?(?:a[-_ ]?)?(?:real|secret|set)|[-_ ]goes[-_ ]here|[-_]here\Z"
    r"|(?-i:EXAMPLE(?:KEY|TOKEN|SECRET)\Z)|\A\(?(?:sensitive|known|hidden|omitted|none|null|unset)\b|\A@[a-z]+\.?[a-z]*\(|\AENC\[AES|\(\?[:=!<P]|\A-{5}|\[\^|\\[dwsS][+*{\]]|\{\d+,?\d*\}"
)
_ALL_OF_IT = (
    r"(?i)\$\{?[a-z_][\w.]*(?::[-?=+]?)?\}?|\$\{\w+:?\?[^{}\n]*\}?|\$\([^()]*\)?|%\w+%|\{[^{}]*\}|@[\w./-]+|\$(?:env|script|global|using):\w+|!(?:ref|sub|getatt|vault|secret|env|reference)\b.*"
    r"|[\[(<{*]{1,3}[a-z _-]{2,40}[\])>}*]{1,3}"
    r"|@\w+@|\\{1,2}f[0-9a-f]{3}|%[a-z]|([a-z])\1{3,}|\{[\w.]+(?:![rsa]\}?|\}[\"'])|(?-i:[A-Z]{2,16}\d{0,3}(?:_[A-Z]{2,16}\d{0,3}){2,8})"
    r"|v?\d{1,4}\.\d{1,4}\.\d{1,4}[-+][\w.+-]*(?:/go\.mod)?|(?:scram-)?sha-?\d{1,3}"
    r"|[^0-9a-z]+|n/?a|0x0+|1234\w{0,8}|abc-?123\w{0,3}|\$__\w+\{.*|[a-z][a-z0-9+]*://[^\s:@?&]*|%[a-z]+%.*|(?:sha\d{1,3}|md5)[:-][\w+/=]*"
    r"|utf-?(?:8|16|32)\w{0,4}|latin-?1|us-ascii|iso-8859-\d{1,2}|cp\d{3,4}|base(?:32|58|64)\w{0,4}|aes-?\d{3}(?:-\w{3})?|[EHPR]S\d{3}"
)
# fmt: off
_DULL = frozenset(
    "a an and any api app auth access basic bearer bool boolean bytes client db default digest disabled empty enable enabled "
    "expired failed false foo bar foobar baz get gh given github hidden id in int integer invalid is key keys login main may missing "
    "my name new nil no none not null object off ok old on optional or pass passphrase passwd password passwords passwort kennwort wachtwoord senha contrase private prod "
    "prompt public read required root secret secrets service set shared some string str success super tbd test text that the "
    "this to token tokens true minioadmin undefined unknown unset us use user username value very with write yes you your stdin ask todo fixme wip "
    "strong long random real here config env var vault store".split()
)
# fmt: on


def parts_of(value: str) -> list[str]:
    """The runs of letters and digits in it."""
    return pattern(_PARTS).findall(value)


_PARTS = r"[0-9A-Za-z]+"
_WORDS = r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+"


@lru_cache(maxsize=256)
def is_placeholder(value: str) -> bool:
    """A stand-in, a reference, one sign again and again, or signs in their order."""
    value = value[:_LONGEST]
    if pattern(_ALL_OF_IT).fullmatch(value) or _is_stand_in(value):
        return True
    words = pattern(_WORDS).findall(value) if len(value) < _LONG else []
    if words and all(word.lower() in _DULL or (word.isdigit() and len(word) < 3) for word in words):
        return True
    signs = [sign for sign in value.lower() if sign.isalnum()]
    if len(signs) < _FEWEST:
        return False
    same = sum(len(each.group()) for each in pattern(_SAME).finditer(value))
    if 2 * same > len(signs):
        return True
    steps = sum(
        other in (one, _NEXT.get(one), signs[0]) or one == _NEXT.get(other)
        for one, other in pairwise(signs)
    )
    return steps >= _IN_ORDER * (len(signs) - 1) or len(set(signs)) < _VARIETY


_SAME = r"([0-9A-Za-z])\1{9,}"
_FEWEST, _VARIETY, _IN_ORDER = 10, 3, 0.95
_NEXT = dict(pairwise("abcdefghijklmnopqrstuvwxyz")) | dict(pairwise("01234567890"))
_LONG = 64
_LONGEST = 256


def _is_stand_in(value: str) -> bool:
    found = pattern(_STAND_IN).search(value)
    if found is None:
        return False
    # Four signs that spell something by chance are no stand-in.
    # So are a percent sign and a letter.
    is_short = found.group().isalnum() or found.group()[0] == "%"
    return not is_short or randomness(value) < 2 * _ENOUGH or found.end() == len(value)


_HEX = r"(?i)[0-9a-f]+"
_UUID = r"(?i)[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"
_CODE = r"(?:[A-Za-z_$][\w$]*(?:\(\))?(?:\.|->|::|\?\.))*[A-Za-z_$][\w$]*(?:[(\[].*)?|[A-Za-z_$][\w$.]*[(\[].*"
_NAME = r"[A-Za-z]+(?:[_=-]+[A-Za-z]+)*"
_PLACE = (
    r"(?i)(?:~|\.{1,2})?/[\w.@/-]*|[a-z]:[\\/].*|(?:https?|file|op|vault|ssm|secret|arn|projects|ref|s3|gs|git)"
    r"(?:://|:|/).*|[\w.-]+(?:/[\w.-]+)+/?"
    r"|[\w.-]*\.(?:pem|key|crt|cer|json|ya?ml|toml|txt|env|py|js|ts|go|rb|java|md|cfg|ini|sh|com|org|net|io)"
)


def is_hex(value: str) -> bool:
    return pattern(_HEX).fullmatch(value) is not None


def is_uuid(value: str) -> bool:
    return pattern(_UUID).fullmatch(value) is not None


def is_place(value: str) -> bool:
    """A path, an address or a file's name."""
    if not pattern(_PLACE).fullmatch(value):
        return False
    words = [part for part in parts_of(value) if len(part) > 2 and part.isalpha()]
    return randomness(value) < _ENOUGH or any(
        randomness(word) < -1 and len(word) > 3 for word in words
    )


def is_mail(value: str) -> bool:
    """A mail address, or the name of an account that looks like one."""
    return pattern(_MAIL).fullmatch(value.strip("[]<>")) is not None


_MAIL = r"[\w.+-]{1,64}@[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){0,6}\.[a-z]{2,12}"


def is_public_key(value: str) -> bool:
    """What anybody may see: public keys and certificates, publishable keys of issuers, and text that a cluster opens."""
    return pattern(_PUBLIC_KEY).match(value) is not None


_PUBLIC_KEY = (
    r"pk_(?:live|test)_\w{8}|phc_\w{40}|pk\.eyJ[\w-]{20,512}\."  # docs of Stripe, PostHog, Mapbox
    r"|AAAA[BCE][23]\w{8}|age1[0-9a-z]{58}(?![0-9a-z])"
    r"|B[A-P][\w-]{85}(?![\w-])"  # a point of P-256, as browsers subscribe with it (RFC 8292)
    r"|RW[Q-T][\w+/]{50,54}(?![\w+/=])"  # minisign and signify
    r"|MII[\w+/]{2}[DTjz]C(?:C[\w+/]{3}gAwIB|B[\w+/]{2}ADAgEC)"  # an X.509 certificate
    r"|Ag[A-D][\w+/]{197}"  # kubeseal: the length of a key under RSA, and what it encrypts
)


def is_identifier(value: str) -> bool:
    """Words of letters in a row, as code names things."""
    is_long = len(value) >= _FEWEST
    return is_long and pattern(_NAME).fullmatch(value) is not None and randomness(value) < 0


def has_digit(value: str) -> bool:
    """Both letters and digits."""
    return any(map(str.isdigit, value)) and any(map(str.isalpha, value))


def is_chosen(value: str) -> bool:
    """Letters of both cases or signs with digits, as people choose passwords."""
    is_mixed = any(map(str.islower, value)) and any(map(str.isupper, value))
    return (
        len(value) > 6
        and value[:1].isdigit() is False
        and has_digit(value)
        and (is_mixed or any(sign in value for sign in "!@#$%^&*?"))
    )


def is_memorable(value: str) -> bool:
    """Words and a number, as people and programs make up what is easy to remember."""
    return pattern(_MEMORABLE).fullmatch(value) is not None and not is_placeholder(value)


_MEMORABLE = r"(?i)[a-z]{3,12}(?:[-_][a-z]{3,12}){1,5}[-_]?\d{2,6}"


def is_made_up(value: str) -> bool:
    """Less than random: no word, but letters and some digits."""
    return len(value) >= _SHORTEST and has_digit(value) and sum(map(str.isdigit, value)) > 1


def is_code(value: str) -> bool:
    """What a program would compute a secret from: a name, an attribute, a call."""
    return pattern(_CODE).fullmatch(value) is not None and not is_random(value)


_ENOUGH = 4.0
_SHORTEST = 8


def is_random(value: str, *, least: int = _SHORTEST) -> bool:
    """At least so many signs that hardly anybody chose: the longer, the surer."""
    if len(value) < least or value.isdigit():
        return False
    return randomness(value) >= _ENOUGH and not is_placeholder(value)


# end of module
