"""Private keys in their armour, in JSON, as bytes and in manifests.

Owns where such a key begins and ends. Does not own keys behind names (``redaction.names``). Pure; what is
between the lines of an armour is read once.
"""

from __future__ import annotations

from itertools import pairwise

from operators_edge.redaction.finding import LEAD, Finding
from operators_edge.redaction.place import never, place
from operators_edge.redaction.randomness import is_random
from operators_edge.redaction.scanner import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from operators_edge.redaction.place import Look

_KEY_NAME = r"(?:[A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?|OpenVPN Static key V1)-----"

_ARMOUR = rf"-----BEGIN {_KEY_NAME}(?P<value>[\s\S]*?)(?:-----END {_KEY_NAME}|(?=-----BEGIN )|\Z)"

_HEADERS = 400

_BODY = r"""(?:(?<=-----)(?:[\s"'+,>|]|\\[nr])*[A-Za-z0-9+/]{4}|(?:[\s"'+,>|]|\\[nr])[A-Za-z0-9+/=]{16})"""


def _private_key(text: str, at: int, _end: int) -> Iterator[Finding]:
    head = pattern(rf"-----BEGIN {_KEY_NAME}").match(text, at)
    if head is None or not pattern(_BODY).search(text, head.end(), head.end() + _HEADERS):
        return
    found = pattern(_ARMOUR).match(text, at)
    if found is not None and "[REDACTED" not in found["value"][:24]:
        yield Finding(*found.span(), "private-key", "format")


def _end_of_private_key(text: str, at: int, _end: int) -> Iterator[Finding]:
    """The lines of a key whose beginning was cut off."""
    if not pattern(rf"-----END {_KEY_NAME}").match(text, at):
        return
    begin = line = at
    while line > max(0, at - 8192):
        end, line = line, text.rfind("\n", 0, line - 1) + 1
        is_body = pattern(_LINE).fullmatch(text, line, end)
        if not is_body or "-----" in text[line:end]:
            break
        if is_body["long"]:
            begin = line
    if begin < at:
        yield Finding(begin, at, "private-key", "format")


_LINE = r"(?:(?P<long>[^\n]{0,80}?[A-Za-z0-9+/=]{16,}(?:\x1b\[[\d;]{0,8}m)?)|[A-Za-z0-9+/=]{1,15})[^\S\n]*\r?\n?"
"""A line of a key, or what a column has cut off one."""

_MANIFEST_LINE = rf"""(?m)^[ \t]{{0,8}}{LEAD}[ \t]*+(?:"[\w.-]{{1,64}}"|[\w.-]{{1,64}}):[ \t]{{1,4}}"?(?P<value>[A-Za-z0-9+/]{{8,4096}}={{0,2}})"?,?[ \t]*$"""


def _manifest(text: str, at: int, _end: int) -> Iterator[Finding]:
    """The data of a Kubernetes Secret; of one, however often a text says so."""
    begin = max(
        text.rfind("\n---", max(0, at - 2048), at),
        text.rfind("\nkind", max(0, at - 2048), at - 1),
        at - 2048,
        0,
    )
    stop = text.find("\n---", at, at + 2048)
    for found in pattern(_MANIFEST_LINE).finditer(text, begin, stop if stop >= 0 else at + 2048):
        value = found["value"]
        if len(value) % 4 == 0 and not value.isalpha():
            yield Finding(*found.span("value"), "kubernetes-secret", "format")


_PRIVATE_PART = r"""(?<![\w+/-])\\{0,4}["'](?:d|p|q|dp|dq|qi|k)\\{0,4}["']\s{0,4}:\s{0,4}\\{0,4}["'](?P<value>[\w-]{16,2048})"""

_IN_KEY = r"""["'](?:kty|dp|dq|qi)\\{0,4}["']"""


def _json_web_key(text: str, at: int, _end: int) -> Iterator[Finding]:
    """The private parts of a JSON web key, whose names have one letter."""
    first = max(0, at - _LONGEST_KEY)
    begin = text.rfind("{", first, at)
    begin = begin if begin >= 0 else first  # a key that was cut
    if pattern(_IN_KEY).search(text, begin, at):
        return  # what it holds was found there
    stop = text.find("}", at, at + _LONGEST_KEY)
    stop = stop if stop >= 0 else at + _LONGEST_KEY
    is_said = text.find("kty", begin, stop) >= 0
    for found in pattern(_PRIVATE_PART).finditer(text, begin, stop):
        if is_said or is_random(found["value"], least=40):
            yield Finding(*found.span("value"), "private-key", "format")


_LONGEST_KEY = 4096


def _is_no_bytes(value: str) -> bool:
    """A few numbers again and again, or in their order."""
    numbers = [
        int(each, 0) if each.startswith("0x") else int(each)
        for each in value.replace(",", " ").lower().split()
    ]
    steps = {other - one for one, other in pairwise(numbers)}
    return (
        max(numbers) > _BYTE
        or len(set(numbers)) < len(numbers) // 2
        or len(steps) < len(numbers) // 2
    )


_BYTE = 255

# fmt: off
PLACES: tuple[tuple[tuple[str, ...], Look], ...] = (
    (("-----begin ",), _private_key),
    (("-----end ",), _end_of_private_key),
    (("private-lines:",), place(
        rf"(?i)private-lines: ?\d+(?:\\r|\\n|\s)++(?P<value>(?:{LEAD}[ \t]{{0,8}}[A-Za-z0-9+/=]{{4,}}(?:(?:\\r|\\n|\s)++|\Z))+)", "private-key", "format")),
    (("kind: secret", 'kind": "secret', 'kind":"secret'), _manifest),
    (("key[] =", "key[16] =", "key[32] =", "key: [", "_key = [", 'key": [', 'key":[', "key = {", "key[16]=", "key[] =", "secret[] =", "_key_t "), place(
        r"(?i)[\w ]{3,8}(?:\[\d{0,3}\])?\\{0,2}\"?\s{0,4}[:=]\s{0,4}[\[{]\s{0,8}(?P<value>(?:(?:0x[0-9a-f]{1,2}|\d{1,3})\s{0,8},\s{0,16}){7,63}(?:0x[0-9a-f]{1,2}|\d{1,3}))",
        "key-bytes", "name", unless=_is_no_bytes)),
    (("nsec1",), place(r"(?<![0-9A-Za-z])(?P<value>nsec1[02-9ac-hj-np-z]{58})(?![0-9A-Za-z])", "nostr", "format", unless=never)),
    (("accounts: [", "accounts:[", 'accounts": [', "accounts = ["), place(
        r"""accounts\\{0,4}"?\s?[:=]\s?\[\s{0,16}["'](?P<value>(?:0x)?[0-9a-fA-F]{64})["']""", "ethereum", "name")),
    (("keypair", "id.json", "wallet.json"), place(
        r"(?i)[\w.]{7,11}[^\n\[]{0,60}\s{0,4}\[\s{0,8}(?P<value>(?:\d{1,3},\s{0,8}){63}\d{1,3})\s{0,8}\]", "solana", "name", unless=_is_no_bytes)),
    (tuple(f"{quote}{name}{end}" for name in ("kty", "dp", "dq", "qi") for quote, end in (('"', '"'), ("'", "'"), ('"', "\\"))), _json_web_key),
)
# fmt: on

# end of module
