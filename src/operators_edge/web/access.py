"""Which requests the dashboard answers (DA-2): its addresses, who may ask, and what no request may be.

Pure. A page of another site can send a request to this machine, also under a name that it has pointed here
(DNS rebinding): so the name, the origin and the purpose of each request are compared, and nothing but the
empty page is given out without a token. Does not own the tokens (``web.links_store``) or reading a request
from the network (``web.server``).
"""

from __future__ import annotations

from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

BASE = "/operators-edge/"
"""In front of every address: the gate knows by it that a call of an agent goes to the dashboard."""

MAX_BODY = 1 << 16
MAX_TARGET = 4096

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'; trusted-types edge"
)
"""Nothing inline, nothing from elsewhere, in no frame; text becomes HTML in one place of the script."""

HEADERS = (
    ("Content-Security-Policy", POLICY),
    ("X-Content-Type-Options", "nosniff"),
    ("X-Frame-Options", "DENY"),
    ("Referrer-Policy", "no-referrer"),
    ("Cross-Origin-Opener-Policy", "same-origin"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
    ("Cross-Origin-Embedder-Policy", "require-corp"),
    ("Permissions-Policy", "camera=(), microphone=(), geolocation=(), payment=(), usb=()"),
)
"""With every answer."""


class Request(NamedTuple):
    """A request's head; ``headers`` by name in lower case, one that was sent twice with both values."""

    method: str
    target: str
    headers: Mapping[str, str]


class Refusal(NamedTuple):
    """The status of the answer, and its text."""

    status: int
    why: str


def hosts(port: int) -> tuple[str, ...]:
    """The names of this machine itself, as a browser sends them; another name was pointed here by someone."""
    return tuple(f"{name}:{port}" for name in ("127.0.0.1", "localhost"))


def refusal(asked: Request, port: int) -> Refusal | None:
    """Why no such request is answered, from any sender; None if it may be."""
    return _of_sender(asked, port) or _of_form(asked)


def _of_sender(asked: Request, port: int) -> Refusal | None:
    headers = asked.headers
    if len(asked.target) > MAX_TARGET:
        return Refusal(414, "the address is too long")
    if headers.get("host", "").lower() not in hosts(port):
        return Refusal(421, "the dashboard has no such name")
    origin = headers.get("origin")
    if origin is not None and origin.lower() != f"http://{headers['host'].lower()}":
        return Refusal(403, "a page of another origin asked")
    if not _is_own_or_typed(asked):
        return Refusal(403, "a page of another site asked")
    return None


def _of_form(asked: Request) -> Refusal | None:
    headers = asked.headers
    if asked.method not in ("GET", "POST"):
        return Refusal(405, "only GET and POST")
    if "transfer-encoding" in headers:
        return Refusal(411, "the length of the body is needed")
    length = headers.get("content-length", "0")
    if not (length.isascii() and length.isdecimal()):
        return Refusal(400, "the length is not a number")
    if asked.method == "GET":
        return None if int(length) == 0 else Refusal(400, "GET has no body")
    if int(length) > MAX_BODY:
        return Refusal(413, "the body is too long")
    if headers.get("content-type", "").lower() != "application/json":
        return Refusal(415, "the body has to be JSON")
    return None


def _is_own_or_typed(asked: Request) -> bool:
    """Whether our own page sends it, or a person opened it: a browser says which, other programs nothing."""
    site = asked.headers.get("sec-fetch-site", "")
    if site in ("", "same-origin"):
        return True
    is_navigation = asked.headers.get("sec-fetch-mode") == "navigate"
    is_page = asked.headers.get("sec-fetch-dest") == "document"
    return asked.method == "GET" and is_navigation and is_page and asked.target in ("/", BASE)


def token_of(headers: Mapping[str, str]) -> str:
    """The token of a request; "" if it has none. It is no cookie, so no other page can send it."""
    kind, _, token = headers.get("authorization", "").partition(" ")
    return token if kind.lower() == "bearer" else ""


# end of module
