"""Calls of Node, Ruby, Perl and PHP that act on other machines, as the command lines that do the same.

Owns which calls those are, by the last part of their name. Does not own reading the code
(``shell.code.programs``) or Python's calls (``shell.code.python.twins``). What cannot be known is a HOLE.
"""

from __future__ import annotations

import re
from functools import partial

from operators_edge.shell.code import hosted_stores, vendors
from operators_edge.shell.commands import HOLE
from operators_edge.text.patterns import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    Given = Sequence[str | list[str] | None]
    Options = Mapping[str, str]

_PARTS = pattern(r"[.:>\\]+")
_METHODS = frozenset(["post", "put", "patch", "delete", "post_form", "postform", "del"])
_URL = pattern(r"(?i)https?://")
STATEMENT = pattern(
    r"(?is)\s*(?:--[^\n]*\n\s*)*(?:drop\s+(?:table|database|schema|index|view|materialized|user|role|owned|type|keyspace)"
    r"|truncate\s|delete\s+from|alter\s|update\s+\S+\s+set|insert\s+into|create\s+(?:user|role|database)|grant\s|revoke\s)"
)
"""SQL that changes something, at the beginning of a text."""
_CLIENTS = (("mysql", ("mysql", "-e")), ("sqlite", ("sqlite3", "x.db")))
OF_DATABASES = frozenset(["mysql", "sqlite3", "psql", "mongosh", "redis-cli"])
"""Clients that calls of databases are written with."""
READABLE = pattern(r"[~/]|(?:.*/)?\.\w")
"""Paths of which some are secret: those outside of the folder, and hidden ones."""


def last_part(name: str) -> str:
    r"""The method of ``client.rows.delete`` and ``$db->delete``, the class of ``Net\Mail``."""
    return _PARTS.split(name)[-1]


def twin_of(
    name: str, code: str, *, is_member: bool = False
) -> Callable[[Given, Options], tuple[str, ...]] | None:
    """Return what makes the words of a command of a call; None if it is no such call by its name.

    It is given the arguments of the call, and the texts among them that have names. ``code`` is the program;
    ``is_member``: something without a name comes before, as in ``admin.messaging().send``.
    """
    last = last_part(name)
    reads = _CALLS.get(name) or _CALLS.get(last)
    if reads is None or reads is _method:
        reads = _service_of(name, last, code, is_member=is_member) or reads
    if reads is None and last.endswith("Command") and "aws-sdk" in code:
        reads = _aws
    if reads is None and _KUBERNETES.match(last) and "kubernetes" in code:
        reads = _kubernetes
    if reads is None and last == "publish" and _PAGES.search(code):
        reads = _pages
    return partial(reads, name, code) if reads else None


def _first(given: Given) -> str:
    first = given[0] if given else None
    return first if isinstance(first, str) else HOLE


def _method(name: str, code: str, given: Given, options: Options) -> tuple[str, ...]:
    """``axios.post(url)``: of any object, if it is given an address."""
    last = last_part(name)
    url = _first(given)
    base = _BASE.search(code) if given and _is_client(name, url, code) else None
    if not _URL.match(url) and not options.get("url") and base:
        url = f"{base[1].rstrip('/')}/{url.lstrip('/').replace(HOLE, 'x')}"
    elif not _URL.match(url):
        url = options.get("url", "")
    verb = {"post_form": "POST", "postform": "POST", "del": "DELETE"}.get(last, last.upper())
    return ("curl", "-X", verb, url) if _URL.match(url) else ()


_ANSWERS = pattern(
    r"\bimport\s*(?:type\s*)?\{([^{}]*)\}\s*from\s*['\"](msw|mockttp)(?:/[\w/-]+)?['\"]"
    r"|\b(?:const|let|var)\s*\{([^{}]*)\}\s*=\s*require\(\s*['\"](msw)(?:/[\w/-]+)?['\"]\s*\)"
)
"""What code takes from a library that answers requests in tests."""


def is_answer(name: str, code: str) -> bool:
    """Whether a call says what is answered in tests: ``http.post(url, resolver)`` of msw sends nothing.

    ``code`` is one file as it is: no other one may make the name mean something else, nor may it itself.
    """
    holder, dot, _ = name.partition(".")
    if not dot or holder not in {"http", "rest"}:
        return False
    taken = [
        one.strip() for found in _ANSWERS.findall(code) for one in "".join(found[::2]).split(",")
    ]
    return (
        holder in taken and len(re.findall(rf"(?<![.\w$]){holder}(?![\w$]|\s*\.|://)", code)) == 1
    )


_COLLECTIONS = r"(?!Map\b|Set\b|Weak|Headers\b|URLSearchParams\b|FormData\b)"


def _is_client(name: str, path: str, code: str) -> bool:
    """Whether a call is one of a client that adds the path to an address of its own."""
    parts = _PARTS.split(name)
    if len(parts) == 1:
        return False
    made = r"(?:new\s+)?" + _COLLECTIONS + r"\w+(?:(?:\.|::)(?:create|extend|new)\b|\()"
    return path[:1] == "/" or re.search(rf"\b{re.escape(parts[-2])}\s*=\s*{made}", code) is not None


_BASE = pattern(
    r"\b(?:base_?ur[li]|prefixUrl|base_uri|baseUri)['\"]?\s*(?::|=>|=|\s(?=['\"]))\s*['\"`](https?://[^\s'\"`$]+)",
    re.IGNORECASE,
)
"""The address to which a client adds the paths that it is given: ``axios.create({baseURL})``."""

_CHANGING = pattern(
    r"(?i)(?:create|update|delete|del|remove|add|set|merge|lock|close|cancel|refund|capture|void|transfer|replace"
    r"|send|invite|archive|dismiss|approve|reverse|pay|finalize\w*)(?:[A-Z_]\w*)?"
)
_SERVICES = (
    # the code that uses it, the object before the method, and where the request goes
    (
        pattern(r"\boctokit\b|\bOctokit\b"),
        pattern(r"(?i)(?:octokit|github|gh|client)\b"),
        "https://api.github.com",
    ),
    (pattern(r"(?i)\bstripe\b"), pattern(r"(?i)stripe\b"), "https://api.stripe.com"),
    (pattern(r"(?i)\btwilio\b"), pattern(r"(?i)(?:twilio|client)\b"), "https://api.twilio.com"),
)


def _service_of(
    name: str, last: str, code: str, *, is_member: bool
) -> Callable[[str, str, Given, Options], tuple[str, ...]] | None:
    """``octokit.rest.issues.update(…)``, ``Stripe::Refund.create(…)``: a client of a service."""
    if vendors.is_messenger(name, code, is_member=is_member):
        return _message
    if host := hosted_stores.host_of(name, last, code, is_member=is_member):
        return lambda *_: ("curl", "-X", "DELETE", f"https://{host}/{last}")
    if not _CHANGING.fullmatch(last):
        return None
    for uses, holder, url in _SERVICES:
        if holder.match(name) and uses.search(code):
            return lambda *_: ("curl", "-X", "POST", f"{url}/{last}")
    host = vendors.host_of(name, code)
    return (lambda *_: ("curl", "-X", "POST", f"https://{host}/{last}")) if host else None


def _request(_: str, __: str, given: Given, options: Options) -> tuple[str, ...]:
    """``fetch(url, {method})``, ``https.request({host, method})``, ``client.request("POST", url)``."""
    texts = [one for one in given if isinstance(one, str)]
    verb = options.get("method", options.get("type", ""))
    if not verb and texts and texts[0].lower() in _METHODS:
        verb, texts = texts[0], texts[1:]
    host = options.get("hostname", options.get("host", ""))
    known = [one for one in (options.get("url", ""), *texts) if _URL.match(one)]
    url = known[0] if known else f"https://{host}{options.get('path', '')}" if host else HOLE
    is_read = not verb or verb.upper() in {"GET", "HEAD", "OPTIONS"} or HOLE in verb
    return () if is_read else ("curl", "-X", verb.upper(), url)


def _new_request(name: str, _: str, given: Given, __: Options) -> tuple[str, ...]:
    """``Net::HTTP::Post.new(uri)``."""
    verb = re.search(r"HTTP::(Post|Put|Patch|Delete)\b", name)
    return ("curl", "-X", verb[1].upper(), _first(given)) if verb else ()


def _sql(_: str, code: str, given: Given, options: Options) -> tuple[str, ...]:
    text = _first(given)
    text = options.get("text", options.get("sql", "")) if text == HOLE else text
    if not STATEMENT.match(text):
        return ()
    client = next((words for word, words in _CLIENTS if word in code.lower()), ("psql", "-c"))
    return (*client, text)


_MAIL_TO_NOBODY = pattern(r"\b(?:json|stream)Transport['\"]?\s*:\s*true")


def _mail(_: str, code: str, __: Given, options: Options) -> tuple[str, ...]:
    if _MAIL_TO_NOBODY.search(code):
        return ()
    return ("swaks", "--to", options.get("to") or "someone@example.com")


def _message(_: str, __: str, ___: Given, options: Options) -> tuple[str, ...]:
    """``sgMail.sendMultiple({to})``, ``admin.messaging().send(…)``: a client of a vendor."""
    to = options.get("to", "")
    return ("swaks", "--to", to if "@" in to else "someone@example.com")


def _aws(name: str, code: str, _: Given, __: Options) -> tuple[str, ...]:
    """``new DeleteBucketCommand(…)``."""
    service = re.search(r"@aws-sdk/client-([\w-]+)", code)
    verb = re.sub(r"(?<!^)(?=[A-Z])", "-", name.rpartition(".")[2].removesuffix("Command")).lower()
    known = service[1] if service else "s3"
    return ("aws", "s3api" if known == "s3" else known, verb)


_KUBERNETES = pattern(
    r"(delete|create|replace|patch)_?(?:[Nn]amespaced|[Cc]luster|[Cc]ollection)?_?[A-Z_]"
)


_PAGES = pattern(r"(?<![\w-])gh-pages(?![\w-])")


def _pages(_name: str, _code: str, given: Given, _options: Options) -> tuple[str, ...]:
    """``ghpages.publish("build", …)`` pushes the folder."""
    return ("gh-pages", "-d", _first(given))


def _kubernetes(name: str, *_: object) -> tuple[str, ...]:
    """``api.deleteNamespacedSecret(…)``."""
    found = _KUBERNETES.match(last_part(name))
    return ("kubectl", found[1], "resource") if found else ()


def _mongo(name: str, *_: object) -> tuple[str, ...]:
    return ("mongosh", "--eval", f"db.{last_part(name)}()")


def _redis(name: str, *_: object) -> tuple[str, ...]:
    return ("redis-cli", last_part(name).upper())


def _read(_: str, __: str, given: Given, ___: Options) -> tuple[str, ...]:
    path = _first(given)
    return ("cat", path) if HOLE not in path and READABLE.match(path) else ()


_CALLS: dict[str, Callable[[str, str, Given, Options], tuple[str, ...]]] = {
    **dict.fromkeys(_METHODS, _method),
    **dict.fromkeys(
        ("fetch", "axios", "request", "got", "ky", "superagent", "ajax", "undici"),
        _request,
    ),
    "new": _new_request,
    **dict.fromkeys(
        (
            *("query", "execute", "exec", "do", "raw", "unsafe", "run", "exec_query"),
            *(
                "executeStatement",
                "executeUpdate",
                "exec_params",
                "async_exec",
                "statement",
                "unprepared",
            ),
            *("$executeRawUnsafe", "$queryRawUnsafe", "executeRawUnsafe", "select_all", "prepare"),
        ),
        _sql,
    ),
    **dict.fromkeys(("sendMail", "sendmail", "deliver", "deliver_now", "mail"), _mail),
    **dict.fromkeys(("dropDatabase", "deleteMany"), _mongo),
    **dict.fromkeys(("flushall", "flushAll", "flushdb", "flushDb"), _redis),
    **dict.fromkeys(
        (
            "readFileSync",
            "readFile",
            "File.read",
            "IO.read",
            "file_get_contents",
            "createReadStream",
        ),
        _read,
    ),
}
"""The name of a call, or the last part of it → how it is written as a command."""

# end of module
