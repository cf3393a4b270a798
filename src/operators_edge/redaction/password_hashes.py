"""Hashes of passwords, in the forms of files and tools.

Does not own those that begin as crypt's (``redaction.token_table``). Pure.
"""

from __future__ import annotations

from operators_edge.redaction.place import is_no_output, never, place

TYPE_CHECKING = False
if TYPE_CHECKING:
    from operators_edge.redaction.place import Look


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
    (("authentication_string", "mysql.user", "mysql_native_password"), place(
        r"[\s\S]{8,600}?(?P<value>\*[0-9A-F]{40})(?![0-9A-Za-z])", "password-hash", "format", unless=never)),
)
# fmt: on

# end of module
