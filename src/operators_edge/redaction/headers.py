"""Secrets in HTTP: headers, cookies, forms and what signs a request.

Owns what of a header is no secret. Does not own headers that telling names announce (``redaction.names``). Pure.
"""

from __future__ import annotations

from operators_edge.redaction.place import (
    BEFORE,
    is_no_argument,
    is_no_output,
    is_unlikely,
    never,
    place,
)
from operators_edge.redaction.randomness import has_digit, is_placeholder, is_random, is_uuid
from operators_edge.redaction.scanner import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from operators_edge.redaction.place import Look

# fmt: off
_DULL_WORDS = frozenset(
    "error scope credential credentials assertion assertions value string token tokens auth authentication authorization scheme header of and or is access grant credentials realm the for".split()
)

_SCHEMES = frozenset("basic bearer token digest apikey negotiate ssws".split())
# fmt: on


def _is_dull(value: str) -> bool:
    """What follows ``bearer`` in prose."""
    return is_placeholder(value) or value.rstrip(".,;:=").lower() in _DULL_WORDS


def _is_no_header(value: str) -> bool:
    scheme, _, rest = value[:BEFORE].partition(" ")
    if scheme.lower() in _SCHEMES:
        return not rest.strip() or is_placeholder(rest.strip())
    return is_placeholder(value) or (" " in value and not any(map(str.isdigit, value)))


_ATTRIBUTES = frozenset({"path", "max-age", "expires", "domain", "samesite", "priority"})

_OF_VISITS = ("_ga", "_gid", "__utm", "_fbp", "_hj")
"""Cookies that count visits."""

_CALL = (
    r"(?:await )?[A-Za-z_][\w.]*(?:[),;:]{0,4}|[(\[].*)|[^()]*[(){}].*|.* (?:[!=]==?|\?|\|\||&&) .*"
)


def _is_called(value: str) -> bool:
    """A name, an attribute, a call or another expression, as code gives them."""
    return pattern(_CALL).fullmatch(value) is not None and not is_random(value)


def _is_no_token(value: str) -> bool:
    is_code = _is_called(value) and not (has_digit(value) and value.isalnum())
    return _is_dull(value) or is_code or ("=" in value.rstrip("=") and _is_no_cookie(value))


def _is_no_cookie(value: str) -> bool:
    """Whether all that it sets are words and numbers."""
    value = value.rstrip("= ")
    pairs = [pair.strip().partition("=") for pair in value.split(";")]
    values = [
        each
        for name, _, each in pairs
        if name.lower() not in _ATTRIBUTES and not name.startswith(_OF_VISITS)
    ]
    scheme = value.partition(" ")[0].lower()
    is_prose = "=" not in value and (value.count(" ") > 2 or not any(map(str.isdigit, value)))
    if is_prose and scheme not in _SCHEMES and not any(map(is_random, value.split())):
        return True
    return (
        _is_no_header(value)
        or _is_called(value)
        or ("=" in value and not any(has_digit(each) or len(each) > 12 for each in values))
    )


def _is_no_pair(value: str) -> bool:
    """Whether it is not the base64 of a user's name and password."""
    from base64 import b64decode  # noqa: PLC0415 - for few texts

    try:
        return b":" not in b64decode(value + "=" * (-len(value) % 4))
    except ValueError:
        return True


def _is_no_session(value: str) -> bool:
    return is_placeholder(value) or not (is_random(value, least=12) or is_uuid(value))


# fmt: off
PLACES: tuple[tuple[tuple[str, ...], Look], ...] = (
    (("authorization", "cookie"), place(
        r"""(?i)(?:authorization|cookie)\\*["']?\]?(?:[ \t]{0,4}[:=][ \t]{1,4}|[ \t]{0,4}[:=]\[?\\*["'])\[?(?:[bfru](?=["']))?(?:\\*["'])?"""
        r"""(?P<value>(?:[^"'\r\n\\]{1,512}+|\\(?!["'nr])){1,8}+)""", "authorization", "header", unless=_is_no_cookie)),
    (("authorization", "cookie"), place(
        r"(?i)(?:authorization|cookie)[:=](?:(?:basic|bearer|token)(?:\\{0,4} |\+|%20))?+(?P<value>[^\s\"'\[]{1,4096})",
        "authorization", "header", unless=_is_no_token)),
    (("bearer",), place(
        r"(?i)bearer(?:(?:[ \t:]|\\[ t]|%20){1,8}|(?:[\s:]|\\[ t]|%20){1,8}(?![\w-]{2,30} ?[:=]))(?![\w-]{2,30}=\\{0,4}[\"']|https?://)(?P<value>[\w.~+/=-]{4,4096}+)", "bearer", "header", unless=_is_dull)),
    (("bearer, ",), place(r"(?i)bearer, (?P<value>[\w.~+/=-]{16,4096})", "bearer", "header", unless=is_no_output)),
    (("basic ",), place(
        r"(?i)basic {1,4}(?P<value>[A-Za-z0-9+/]{8,1024}={0,2})(?![\w/+])", "basic", "header", unless=_is_no_pair)),
    (('auth"', "auth'", "auth\\", "_auth"), place(
        r"""(?i)_?auth\\{0,4}["']?\s{0,4}[:=]\s{0,4}\\{0,4}["']?(?P<value>[A-Za-z0-9+/]{6,4096}={0,2})""",
        "docker", "name", unless=_is_no_pair)),
    (("form-data; name=",), place(
        r"(?i)form-data; name=\\{0,2}\"[\w.\[-]{0,40}(?:pass|secret|token|pwd|api_?key)[\w.\]-]{0,20}\\{0,2}\"(?:\\r|\\n|\s){2,8}(?P<value>[^\s\\]{4,512})", "", "name")),
    (("samlresponse", "samlassertion"), place(
        r"(?i)SAML(?:Response|Assertion)[\"']?(?:\s{1,4}value=|[=:]\s?)[\"']?(?P<value>[\w+/=%-]{40,65536}+)", "saml", "header")),
    (("authorization",), place(
        r"(?i)authorization[\"']?[:=] ?[\"']?(?:hawk|digest|oauth|signature)\b[^\n]{0,600}?\b(?:mac|response|(?:oauth_)?signature)=\\{0,2}[\"']?(?P<value>[\w+/=%-]{16,512})",
        "authorization", "header")),
    (('response="', "response='"), place(
        r"response=[\"'](?P<value>[0-9a-f]{32,64})[\"']", "authorization", "header", unless=never)),
    (("basic ",), place(r"(?i)basic [\w.@-]{2,64} ?[/:] ?(?P<value>[^\s\"'/:]{8,128})", "basic", "header", unless=is_no_argument)),
    ((" -b", "--cookie"), place(r"""(?: -b|--cookie)[ =]?["']?[\w.-]{1,64}=(?P<value>[^\s"';]{12,1024})""", "", "header", unless=is_unlikely)),
    (("#httponly_", "\ttrue\t/", "\tfalse\t/"), place(
        r"(?i)(?:#HttpOnly_[\w.-]{1,128})?[ \t]{1,8}(?:TRUE|FALSE)[ \t]{1,8}/[^\s]{0,128}[ \t]{1,8}(?:TRUE|FALSE)[ \t]{1,8}\d{1,12}[ \t]{1,8}(?!_g|__utm|_fb|consent)[^\s]{1,64}[ \t]{1,8}(?P<value>[^\s]{8,4096})",
        "cookie", "header", unless=_is_no_session)),
)
# fmt: on

# end of module
