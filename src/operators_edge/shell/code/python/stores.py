"""Calls of Python clients that empty queues, graphs, indices and stores of columns on another machine.

Owns which calls those are, and where each client has its server. A server that is not known, or is this
machine, gives nothing. Does not own databases that are spoken to in SQL alone (``shell.code.python.twins``).
"""

from __future__ import annotations

import ast
import re

from operators_edge.shell.code import hosted_stores
from operators_edge.shell.code.addresses import host_of, is_elsewhere
from operators_edge.shell.code.twins import STATEMENT
from operators_edge.shell.commands import HOLE
from operators_edge.text.patterns import pattern
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

_EMPTIES_GRAPH = pattern(r"(?i)\bdetach\s+delete\b|\bdelete\s+\w|\bdrop\b")


class _Store(NamedTuple):
    """``methods`` empty it, if ``statement`` matches their text; ``command`` gets the server and the text."""

    methods: str
    command: tuple[str, ...]
    statement: re.Pattern[str] | None = None


_DELETED = ("curl", "-X", "DELETE", "{url}/collections/x")
STORES = {
    "clickhouse_connect": _Store(
        "command|query|execute",
        ("clickhouse-client", "--host", "{}", "--query", "{text}"),
        STATEMENT,
    ),
    "clickhouse_driver": _Store(
        "execute", ("clickhouse-client", "--host", "{}", "--query", "{text}"), STATEMENT
    ),
    "cassandra": _Store("execute|execute_async", ("cqlsh", "{}", "-e", "{text}"), STATEMENT),
    "neo4j": _Store(
        "run|execute_query|execute_write", ("cypher-shell", "-a", "{}", "{text}"), _EMPTIES_GRAPH
    ),
    "influxdb_client": _Store(
        "delete|delete_bucket", ("curl", "-X", "DELETE", "{url}/api/v2/delete")
    ),
    **{name: _Store(one.methods, _DELETED) for name, one in hosted_stores.LIBRARIES.items()},
    **dict.fromkeys(
        ("kafka", "confluent_kafka", "aiokafka"),
        _Store(
            "delete_topics|delete_records|delete_consumer_groups",
            ("kafka-topics.sh", "--bootstrap-server", "{}", "--delete", "--topic", "x"),
        ),
    ),
    **dict.fromkeys(
        ("pika", "aio_pika", "kombu"),
        _Store(
            "queue_purge|queue_delete|purge|purge_queue",
            ("rabbitmqadmin", "--host", "{}", "delete", "queue", "name=x"),
        ),
    ),
}
"""Library → how it empties what it keeps."""
_SERVER_NAMES = frozenset(
    (
        *("host", "hosts", "hostname", "url", "uri", "dsn", "amqp_url", "nodes"),
        *("bootstrap_servers", "bootstrap.servers", "contact_points"),
    )
)


def acts_of(
    library: str,
    method: str,
    text: str,
    made_by: Sequence[ast.Call],
    read: Callable[[ast.expr], str],
) -> Iterator[list[str]]:
    """Yield what a call of a client amounts to; ``read`` computes the text of an expression."""
    store = STORES[library]
    if not re.fullmatch(store.methods, method):
        return
    if store.statement is not None and not store.statement.search(text):
        return
    vendor = hosted_stores.LIBRARIES.get(library)
    is_elsewhere_only = vendor is not None and not vendor.runs_anywhere
    known = [] if is_elsewhere_only else list(_servers(made_by, read))
    for server in known or _hosted(vendor, made_by):
        if is_elsewhere(server, "host"):
            host = host_of(server, "host")
            url = server.rstrip("/") if server.startswith("http") else f"https://{host}"
            yield [one.format(host, url=url, text=text) for one in store.command]
            return


def _hosted(vendor: hosted_stores.Hosted | None, made_by: Sequence[ast.Call]) -> list[str]:
    """The server of a vendor's client that is given none, unless it may as well be one of this machine."""
    if vendor is None:
        return []
    given = [one.arg or "" for call in made_by for one in call.keywords]
    made = [re.sub(r".*[.]", "", ast.unparse(call.func)) for call in made_by]
    is_there = any(map(hosted_stores.KEYS.fullmatch, given)) or any(
        map(hosted_stores.CLOUD.fullmatch, made)
    )
    return [vendor.host] if is_there or not vendor.runs_anywhere else []


def _servers(made_by: Sequence[ast.Call], read: Callable[[ast.expr], str]) -> Iterator[str]:
    """Yield the texts that the calls which made a client are given for its server."""
    for call in made_by:
        named = [one.value for one in call.keywords if one.arg in _SERVER_NAMES]
        for given in (*named, *call.args[:1]):
            yield from _texts(given, read)


def _texts(given: ast.expr, read: Callable[[ast.expr], str]) -> Iterator[str]:
    if isinstance(given, (ast.List, ast.Tuple)):
        for one in given.elts[:1]:
            yield from _texts(one, read)
    elif isinstance(given, ast.Dict):
        for key, value in zip(given.keys, given.values, strict=True):
            if key is not None and read(key) in _SERVER_NAMES:
                yield from _texts(value, read)
    elif isinstance(given, ast.Call):  # `pika.URLParameters("amqp://…")`
        yield from _servers([given], read)
    elif HOLE not in (text := read(given)):
        yield text


# end of module
