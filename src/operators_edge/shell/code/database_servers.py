"""The database that a program of Node, Ruby, Perl or PHP connects to, as words of a client.

Known only if every place where the code connects says the same, as texts that nothing changes. Pure. Does not
own which places those are (``shell.code.own_databases``), or what such a database is worth (the packs).
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import islice

from operators_edge.shell.code import own_databases, own_servers
from operators_edge.shell.code.bracketed import QUOTED
from operators_edge.shell.code.comments import (
    HASH,
    JAVASCRIPT,
    SLASHES_AND_QUOTES,
    without_comments,
)
from operators_edge.shell.code.languages import NODE, PERL, PHP, RUBY
from operators_edge.shell.commands import HOLE
from operators_edge.text.patterns import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from operators_edge.shell.code.languages import Language

_MAX_DEPTH = 4
_COMMENTS = {NODE: JAVASCRIPT, PHP: SLASHES_AND_QUOTES, PERL: HASH, RUBY: HASH}
_HOLDS_URL = frozenset("connectionstring connection url uri datasourceurl dsn".split())  # noqa: SIM905
_HOSTS = frozenset(("host", "hostname", "server"))
_NAMES = frozenset(("database", "dbname", "db"))
_OTHERWISE = frozenset(
    (
        *("socketpath", "socket", "unix_socket", "replication", "ssh", "stream", "service"),
        *("hostaddr", "srvhost", "proxyhost", "lookup"),
    )
)
"""Keys with which the host is not the one that is named."""
_DSN = pattern(r"(?i)(?:dbi:)?(?:pgsql|pg|mysql|mariadb):(?P<words>[\w.=;-]+)\Z")
_POSITIONAL = pattern(r"\b(?:mysqli|mysqli_connect)\s*\(\Z")
"""Calls that are given the host, a user, a password and the database."""


@lru_cache(maxsize=64)
def words_of(code: str, language: Language) -> tuple[str, ...]:
    """Return the words that name the database: an address, or ``-h HOST NAME``; () if that is not certain."""
    code = own_databases.usual(code) if language is NODE else code
    if HOLE in code or language not in own_databases.CONNECTS or own_servers.may_be_another(code):
        return ()
    if own_databases.is_handed_in(code, language, of_clients=False):
        return ()
    places = pattern(own_databases.CONNECTS[language]).finditer(code)
    sites = [
        own_databases.site_at(code, one) for one in islice(places, own_databases.MAX_SITES + 1)
    ]
    # A connection that is commented out proves nothing, and makes nothing certain either.
    plain = without_comments(code, _COMMENTS[language])
    if len(sites) > own_databases.MAX_SITES or not any(one and one.kind in plain for one in sites):
        return ()
    if any(one is not None and _is_left_open(one) for one in sites):
        return ()
    values = own_databases.Values(code)
    found = {_server_of(one, values) for one in sites if one is not None and one.given}
    return found.pop() if len(found) == 1 else ()


_MAKES = pattern(r"\bnew\s|\b(?:create\w+|postgres|knex|Knex)\s*\(\Z|\.(?:new|open)\b")


def _is_left_open(site: own_databases.Site) -> bool:
    """Whether variables or a table that is not known say where it connects, all or in part."""
    if not site.given:
        return _MAKES.search(site.kind) is not None
    return any("..." in one or "**" in one or not own_databases.is_whole(one) for one in site.given)


def _server_of(site: own_databases.Site, values: own_databases.Values) -> tuple[str, ...]:
    pairs = {
        key.lower(): _text(value, values)
        for one in site.given
        for key, value in own_databases.pairs_of(one)
    }
    if not pairs:
        return _named(site, values)
    if not _OTHERWISE.isdisjoint(pairs):
        return ()
    urls = {pairs[key] for key in _HOLDS_URL & pairs.keys() if pairs[key]}
    hosts = {pairs[key] for key in _HOSTS & pairs.keys()}
    names = {pairs[key] for key in _NAMES & pairs.keys()}
    if len(urls) == 1 and not hosts:
        return tuple(urls)
    is_known = len(hosts) == len(names) == 1 and "" not in hosts | names and not urls
    is_known = is_known and not next(iter(hosts)).startswith("/cloudsql")
    return ("-h", *hosts, *names) if is_known else ()


def _named(site: own_databases.Site, values: own_databases.Values) -> tuple[str, ...]:
    """What a call is given without names: an address, a data source, or the host first."""
    if _POSITIONAL.search(site.kind) and len(site.given) > 3:
        host, name = _text(site.given[0], values), _text(site.given[3], values)
        is_known = host and name and len(site.given) < 6  # then a socket, whatever the host is
        return ("-h", host, name) if is_known else ()
    text = _text(site.given[0], values)
    dsn = _DSN.match(text)
    if dsn is not None:
        given = dict(one.partition("=")[::2] for one in dsn["words"].lower().split(";"))
        name = next((given[key] for key in _NAMES if key in given), "")
        host = given.get("host", "") if _OTHERWISE.isdisjoint(given) else ""
        return ("-h", host, name) if host and name else ()
    return (text,) if re.match(r"\w[\w+]*://", text) else ()


def _text(expression: str, values: own_databases.Values, depth: int = 0) -> str:
    """Return what an expression surely is; "" if that is not known."""
    text = own_databases.bare(expression)
    quoted = QUOTED.fullmatch(text)
    if quoted is not None:
        inner = next((one for one in quoted.group("text", "q", "p", "b") if one is not None), "")
        return "" if own_databases.PUT_IN.search(inner) and quoted["quote"] != "'" else inner
    if depth > _MAX_DEPTH or not re.fullmatch(r"[$@\w]+", text):
        return ""
    found = {_text(one, values, depth + 1) for one in values.values_of(text.lstrip("$@"))}
    return found.pop() if len(found) == 1 else ""


# end of module
