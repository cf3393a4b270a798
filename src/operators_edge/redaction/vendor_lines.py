"""Random values behind the name of who issues them.

Owns how near a value has to stand to a name of ``vendor_table``, and what of such a line is dull. Pure; each
look reaches a bounded number of signs.
"""

from __future__ import annotations

from operators_edge.redaction.finding import Finding
from operators_edge.redaction.randomness import (
    is_hex,
    is_place,
    is_public_key,
    is_random,
    is_uuid,
    randomness,
)
from operators_edge.redaction.scanner import pattern, run_before

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_REACH = 200

_ASSIGNED = (
    r"""(?P<name>[\w.-]{0,48}(?: [\w.-]{1,24}){0,3}?)\\{0,4}(?:["'`)]|&quot;)?\]?"""
    r"""(?:[ \t]{0,4}:[ \t]{0,4}&?[A-Za-z][\w<>|\[\]]{0,30}[ \t]{0,4}(?==(?!=)))?"""
    r"""(?P<sign>[ \t]{0,40}(?::{1,3}=|=>|\?=|={1,3}|\|\||:(?!//)|>|,|<-)\s{0,8}|\(|[ \t]{1,40}"""
    r"""|\s{0,8}["']?,?\s{0,40}["']?(?:value|val|default)["']?\s{0,4}[:=]\s{0,4})"""
    r"""(?:new [A-Z]\w{0,40}\()?[\[({]?\\{0,4}["'`]?[ \t]?(?P<value>[\w+/=.~:@!$%^*-]{8,512})"""
)
_LOOSE = r"(?<![\w+/=.~@#-])(?P<value>[\w+/.~-]{16,512}={0,2})(?![\w@=])"

# fmt: off
_CONTENT = (
    r"(?i)(?:commit|sha\d*|h1|zh|guid|digest|checksum|integrity|revision|rev|blob|tree|etag|hash|version|trace|span|request|reference|"
    r"build|run|job|(?<![a-z])id|uuid|image|tag|md5|parent|merge|head|ref|(?<![a-z])at|object|layer|cache|restored?|"
    r"fetch\w*|pull\w*|push\w*|clon\w*|from|order|message|msg|user|group|channel|customer|page|style|event|ticket|issue|"
    r"invoice|charge|payment|plan|price|product|release)[-_ ]?(?:id)?"
)
_OBJECT = (
    r"(?i)(?<![a-z])(?:account|contact|lead|record|row|table|base|entry|asset|file|folder|document|doc|board|card|list|item|playlist|track|"
    r"album|alert|incident|monitor|dashboard|workflow|task|project|workspace|member|policy|zone|cluster|node|instance|machine|site|"
    r"function|deployment|deploy|uid)[-_ ]?(?:id)?"
)
"""What issuers have, where nothing says key."""
_BEHIND_CONTENT = r"\"'\s:=@/#-"
_MENTIONED = r"(?i)(?<![a-z])(?:event|issue|message|msg|order|request|trace|span|build|run|job|cache|commit|release|deploy(?:ment)?|sent|received|id)(?![a-z])"
_DULL_NAME = (
    r"(?i)(?:name|url|uri|host|email|user|username|region|version|path|file|image|repo|repository|sha|commit|digest|"
    r"hash|hashe|branch|tag|checksum|revision|ref|reference|port|org|domain|status|etag|action|step|cache|fingerprint|integrity|"
    r"resolved|time|date|(?:public|publishable|site)[-_ ]?key)s?"
)
_BEHIND_NAME = r"\s\"'_.=-"
# fmt: on
_ID_NAME = r"(?i)(?<![a-z])id[\s\"'_.-]*\Z"
_DIGEST = 32
_ID_OF_VENDOR = r"(?i)[-_ .](?:(?:request|trace|event|message|cache)[-_ ]?)?id[\"']?[ \t]{0,4}[:=]"
_ARGUMENT = r"""(?:\A|\w)\((?:[^()\n]{0,80},[ \t]{0,4})?["']\Z"""

_ID = (
    r"[a-z]{2,6}_[0-9A-Za-z]{8,32}|[A-Z]{2,6}-[0-9A-Z-]{6,40}|[A-Z]{2}[0-9a-f]{32}"
    r"|[A-Z]{1,4}_kw?g?DO[\w-]{4,32}"  # nodes of GraphQL (docs.github.com)
    r"|(?:app|tbl|rec|viw|fld|usr|wsp)[0-9A-Za-z]{14}"  # airtable.com
    r"|(?:run|ws|sv|cv|plan|apply|org|team|user|pol|prj|mod|varset)-[0-9A-Za-z]{16}"  # developer.hashicorp.com
    r"|UC[\w-]{22}|PL[\w-]{16,32}"  # channels and playlists (developers.google.com)
    r"|00[0-9A-Z][0-9A-Za-z]{12}(?:[0-9A-Za-z]{3})?"  # records (developer.salesforce.com)
    r"|\d:\d{6,14}:(?:web|ios|android):[0-9a-f]{16,40}"  # apps (firebase.google.com)
    r"|(?:deployment|build|release)-[0-9A-Za-z]{8,32}|(?:track|album|artist|playlist|episode|show):[0-9A-Za-z]{22}"  # fly.io; spotify.com
)
"""``price_...``: secret tokens that begin so are known by that."""

_SAYS_KEY = r"(?i)key|token|secret|pass|auth|cred|access|webhook|client|\s-t\s*\Z|\bpat\b|\bapi|\bsid\b|jwt|bearer|dsn"


def behind_vendor(text: str, at: int, end: int) -> Iterator[Finding]:
    """The first random value in the line of a vendor's name."""
    after = text[end : end + 1]
    is_upper = after.isupper() and text[at:end].isupper()
    if (after.islower() or is_upper) and not pattern(_GOES_ON).match(text, end):
        return
    kind = text[at:end].lower().translate(_ONE_SIGN)
    found = pattern(_ASSIGNED).match(text, end)
    if found is not None:
        value, name = found["value"].rstrip(".,:"), found["name"]
        is_said = found["sign"].isspace()
        is_whole = (
            not name and pattern(_GIVES).match(found["sign"]) is not None and _begins(text, at)
        )
        is_named = not is_said or pattern(_SAYS_KEY).search(name) is not None
        if _is_secret(value, name, is_named=is_named, is_whole=is_whole):
            yield Finding(found.start("value"), found.start("value") + len(value), kind, "vendor")
            return
    if pattern(_ID_OF_VENDOR).match(text, end):
        return
    below = pattern(_PARENT).match(text, end)
    if below is not None and pattern(_ONLY).search(text, max(0, at - _INDENT), at):
        yield from _children(text, below.end(), kind)
        return
    stop = text.find("\n", end, end + _REACH)
    stop = stop if stop >= 0 else min(len(text), end + _REACH)
    for found in pattern(_LOOSE).finditer(text, end, stop):
        before = text[end : found.start()]
        if "[REDACTED" in before:
            return
        value = found["value"] if found["value"].endswith("=") else found["value"].rstrip(".:")
        is_argument = before[-1:] in {'"', "'"} and pattern(_ARGUMENT).search(before) is not None
        if _is_secret(value, before, is_named=is_argument):
            yield Finding(found.start("value"), found.start("value") + len(value), kind, "vendor")
            return


_ONLY = r"(?:\n|\A)[ \t]{0,40}(?:- |[\"'\[]|resource |provider )?[\"']?\Z"
_PARENT = r"""["']?\]?[ \t]{0,4}[:={]{0,2}[ \t]{0,4}\{?[ \t]*\r?\n"""
_CHILD = r"""[ \t]{0,60}["']?(?P<name>[\w.-]{2,48})["']?[ \t]{0,16}[:=][ \t]{0,4}(?:["']?(?P<value>[\w+/=.~:@!$%^*-]{8,512})["']?,?[ \t]*(?:\r?\n|\Z)|[^\n]{0,200}\n)"""
_INDENT, _MAX_CHILDREN = 48, 12


def _children(text: str, at: int, kind: str) -> Iterator[Finding]:
    """What stands in the section of a vendor behind names that say key."""
    found = pattern(_CHILD).match(text, at)
    for _ in range(_MAX_CHILDREN):
        if found is None:
            return
        value = found["value"] or ""
        says_key = pattern(_SAYS_KEY).search(found["name"]) is not None
        if value and says_key and _is_secret(value, found["name"], is_named=True):
            yield Finding(*found.span("value"), kind, "vendor")
        found = pattern(_CHILD).match(text, found.end())


_GOES_ON = (
    r"(?i)api|app|access|account|admin|auth|bot|client|cred|db|dsn|key|license|oauth|pass|pat|personal|private|pwd|s\b"
    r"|secret|sid|token|user|web"
)
"""What may follow a name in the same word: ``stripekey``, but not ``toggler``."""

_ONE_SIGN = str.maketrans("_. ", "---")


def _ends(name: str, words: str, behind: str) -> bool:
    """Whether one of the words ends the name, with nothing but such signs behind it."""
    end = len(name) - len(run_before(behind, name, len(name), _REACH))
    begin = end - len(run_before(r"\w -", name, end, _REACH))
    return pattern(rf"{words}[{behind}]*\Z").search(name, begin) is not None


_GIVES = r"\s*[:=]"


def _begins(text: str, at: int) -> bool:
    """Whether a name begins there: ``heroku = ...``, not ``my-heroku = ...``."""
    return not run_before(r"\w.-", text, at, 1)


def _is_secret(value: str, name: str, *, is_named: bool, is_whole: bool = False) -> bool:
    """``is_whole``: the vendor's name is all that the value is called."""
    if not (is_random(value) or is_uuid(value)):
        return False  # first, as the patterns of names are slow
    if "[REDACTED" in value or is_place(value) or "://" in value or is_public_key(value):
        return False
    if _ends(name, _DULL_NAME, _BEHIND_NAME) or _ends(name, _CONTENT, _BEHIND_CONTENT):
        return False
    says_key = pattern(_SAYS_KEY).search(name) is not None
    if not says_key and (
        pattern(_ID).fullmatch(value)
        or pattern(_ID_NAME).search(name)
        or _ends(name, _OBJECT, _BEHIND_CONTENT)
    ):
        return False
    last = value[value.rfind("-") + 1 :]
    if not says_key and last != value and is_hex(last) and len(last) >= _DIGEST:
        return False  # the key of a cache: words and a digest
    if not says_key and (is_hex(value) or is_uuid(value)) and pattern(_MENTIONED).search(name):
        return False
    if is_uuid(value):
        return says_key or is_whole
    if is_hex(value) and not says_key:
        is_long = len(value) in {32, 48, 64} or (is_whole and len(value) >= _DIGEST)
        return is_long and is_named and is_random(value)
    if is_named:
        return is_random(value, least=8 if says_key else 12)
    return randomness(value) >= 8 and is_random(value, least=16)


# end of module
