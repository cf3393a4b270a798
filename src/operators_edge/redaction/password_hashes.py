"""Hashes of passwords in the forms of files and tools, and the passwords that tools found for them.

Owns what john, hashcat and programs that try logins print. Does not own hashes that begin as crypt's
(``redaction.token_table``). Pure; each pattern reaches a bounded number of signs.
"""

from __future__ import annotations

from operators_edge.redaction.finding import Finding
from operators_edge.redaction.place import is_no_output, never, place
from operators_edge.redaction.randomness import is_place, is_placeholder
from operators_edge.redaction.scanner import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from operators_edge.redaction.place import Look

_LINES = 2048
"""Signs of such a list that are read."""


def _listed(line: str, *, is_above: bool) -> Callable[[str, int, int], Iterator[Finding]]:
    """The passwords in the lines next to a word that says so, up to where it occurs again: each is read once."""

    def look(text: str, at: int, end: int) -> Iterator[Finding]:
        word = text[at + 1 : end]
        if is_above:
            begin, stop = max(0, at - _LINES, text.rfind(word, max(0, at - _LINES), at)), at
        else:
            begin, stop = end, text.find(word, end, end + _LINES)
            stop = stop if stop >= 0 else end + _LINES
        for found in pattern(line).finditer(text, begin, stop):
            if not is_placeholder(found["value"]):
                yield Finding(*found.span("value"), "", "command")

    return look


_OF_JOHN = r"(?m)^(?P<value>[^\s(][^\s]{0,63}) {1,20}\([^\s()]{1,64}\)[ \t\r]*$"
"""``password   (user)`` (openwall.com/john)."""
_SHOWN = r"(?m)^[A-Za-z_][^\s:]{0,63}:(?P<value>[^\s:$*][^\n:]{0,63})(?::[^\n]{0,200})?$"
"""``user:password:`` and the rest of the line of the file that was given."""
_OF_HASHCAT = r"(?m)^[^\s:]{0,64}?(?:[0-9a-fA-F]{16,128}|[$*{][^\s:]{16,1024})(?::[^\s:]{1,64}){0,3}?:(?P<value>[^\s:][^\n:]{0,63})$"
"""``hash:password`` or ``hash:salt:password`` (hashcat.net)."""


def _is_no_plain(value: str) -> bool:
    return is_placeholder(value) or is_place(value) or value.isdigit()


# fmt: off
PLACES: tuple[tuple[tuple[str, ...], Look], ...] = (
    ((":::",), place(
        r"(?i)[^\n]{0,180}?(?P<value>[0-9a-f]{32}:[0-9a-f]{32}):::", "password-hash", "format", before=r"\w:.$-", unless=never)),
    (("{sha}", "{ssha}", "{ssha256}", "{ssha512}", "{smd5}"), place(
        r"\{\w{3,7}\}(?P<value>[A-Za-z0-9+/]{20,120}={0,2})", "password-hash", "format", unless=never)),
    (("{plain}", "{noop}", "{cleartext}", "{crypt}", "{sha512-crypt}", "{sha256-crypt}", "{blf-crypt}", "{cram-md5}", "{ntlm}", "{md5}", "{md5-crypt}", "{plain-md5}",
      "{pbkdf2}", "{digest-md5}", "{x-pbkdf2}", "{sha512}", "{sha256}"), place(r"\{[\w-]{3,14}\}(?P<value>[^\s:\"']{4,256})", "password-hash", "format")),
    (("password hash", "passwd hash", "ntlm hash", "nt hash", "lm hash", "password-hash "), place(
        r"(?i)[a-z-]{2,8}[ -]hash(?: is)?[ :=]{1,4}[\"'`]?(?P<value>[0-9a-f]{32,128})(?![0-9a-f])", "password-hash", "name", unless=never)),
    (("* ntlm", "* lm ", "* sha1"), place(r"(?i)\* (?:ntlm|lm|sha1) {1,8}: (?P<value>[0-9a-f]{32,40})(?![0-9a-f])", "password-hash", "name", unless=never)),
    ((" enc ",), place(r" ENC (?P<value>[A-Za-z0-9+/]{20,512}={0,2})", "password-hash", "format")),
    (("$9$", "$8$", "$14$"), place(r"\$\d{1,2}\$(?P<value>[\w./$-]{8,256})", "password-hash", "format", unless=is_no_output)),
    ((" password hash (", " password hashes with ", "left to crack"), _listed(_OF_JOHN, is_above=False)),
    (tuple(f"{count}g 0:" for count in range(10)), _listed(_OF_JOHN, is_above=True)),
    (("password hash cracked", "password hashes cracked"), _listed(_SHOWN, is_above=True)),
    (("hashcat ", "hashcat.potfile", "john.pot"), _listed(_OF_HASHCAT, is_above=False)),
    (("$1$", "$2a$", "$2b$", "$2y$", "$5$", "$6$", "$y$", "$apr1$", "$krb5", "$p$", "$h$", "$dcc2$", "$argon2", "$ml$", "$8$", "$9$"), place(
        r"[$][^\s:]{16,1024}(?::[0-9a-fA-F]{16,1024})?:(?P<value>[^\s:]{4,64})(?=[ \t\r]*(?:\n|\Z|\\n|[\"']))", "", "command", unless=_is_no_plain)),
    (("[+] ",), place(
        r"\[\+\] (?:[\d.:]{7,21} )?[\w.-]{1,64}\\{1,4}[\w.$ -]{1,64}:(?P<value>[^\s\"']{3,128})", "", "command")),
    (("success: '", 'success: "'), place(
        r"(?i)success: [\"'][^\"'\n]{1,64}[\"'] ?: ?[\"'](?P<value>[^\"'\n]{1,128})[\"']", "", "command")),
    (("key found! [",), place(r"(?i)key found! \[ (?P<value>[^\n\]]{4,128}?) \]", "", "command", unless=never)),
    ((" - success", " (pwn3d!"), place(
        r"(?i)(?:[^\n]{0,160}?[\s\"'])?[\w.@\\-]{1,64}:(?P<value>[^\s:]{4,64}) (?:- success|\(pwn3d!)", "", "command", before=r"^\n", unless=_is_no_plain)),
    ((":0101000000000000",), place(
        r"(?i)[^\s]{0,150}?:(?P<value>[0-9a-f]{32}:0101[0-9a-f]{40,2000})", "password-hash", "format", before=r"\w:.$\\-", unless=never)),
    (("authentication_string", "mysql.user", "mysql_native_password"), place(
        r"[\s\S]{8,600}?(?P<value>\*[0-9A-F]{40})(?![0-9A-Za-z])", "password-hash", "format", unless=never)),
)
# fmt: on

# end of module
