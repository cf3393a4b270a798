"""Addresses that code gets from variables and files of settings: which are on another machine.

Owns that question, and reading ``.env``. A host of one word is a container beside the program, or in the
network of its machine.
Pure. Does not own the addresses of a command (``gate.addresses``).
"""

from __future__ import annotations

from operators_edge.shell.commands import HOLE
from operators_edge.text.patterns import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_ADDRESS = pattern(r"([A-Za-z][\w+.-]*)://(?:[^/\s]*@)?(\[[^\]]*\]|[^/:?#\s,@]*)")
_BARE = pattern(r"(?:[^@/\s:]+:[^@/\s]*@)?(\[[\da-fA-F:.]*\]|[\w.-]+)(?::\d+)?$")
_HOST = pattern(r"(?:[\w-]+\.)+[A-Za-z][\w-]*$|\d{1,3}(?:\.\d{1,3}){3}$|\[.*:.*\]$")
_NAMES_HOST = pattern(
    r"(?i)host|server|addr|endpoint|ur[il]|dsn|broker|cluster|node|connection|base|api|mongo|redis"
    r"|elastic|opensearch|kafka|database"
)
_HERE = pattern(
    r"(?i)(?:localhost|.*\.localhost|127(?:\.\d+){1,3}|0\.0\.0\.0|\[?::1?\]?|host\.docker\.internal"
    r"|172\.17\.\d+\.\d+|.*\.test|[\w-]*)$"
)
_GIVEN = pattern(
    r"(?i)(?:\bhost(?:name|addr)?['\"]?\s*[=:]>?\s*|\s--host(?:name)?[= ]\s*|\s-h\s*)['\"]?([\w.-]+)"
)
_IN_MEMORY = pattern(r":memory:|mode=memory|^sqlite(?:\+\w+)?://$")
_LINE = (
    r"(?m)^[ \t]*(?:export[ \t]+)?([A-Za-z_][\w.]*)[ \t]*[%s][ \t]*"
    r"(?:'([^'\n]*)'|\"([^\"\n]*)\"|([^\n]*?))[ \t]*(?:[ \t]#[^\n]*)?$"
)
_VARIABLE, _VARIABLE_OF_COMPOSE = pattern(_LINE % "="), pattern(_LINE % "=:")
_FILE = frozenset(("sqlite", "duckdb", "file"))
_BUCKETS = frozenset(
    (
        "s3",
        "s3a",
        "s3n",
        "gs",
        "gcs",
        "az",
        "abfs",
        "abfss",
        "wasb",
        "wasbs",
        "b2",
        "oss",
        "r2",
        "oci",
    )
)
"""Schemes with the name of a bucket in the place of a host."""
_WEB = frozenset(("http", "https"))
_KINDS = {
    "postgres": "psql",
    "postgresql": "psql",
    "cockroachdb": "psql",
    "redshift": "psql",
    "mysql": "mysql",
    "mariadb": "mysql",
    "mssql": "sqlcmd",
    "snowflake": "snowsql",
    "mongodb": "mongosh",
    "redis": "redis-cli",
    "rediss": "redis-cli",
    "valkey": "redis-cli",
}


def client_of(text: str) -> str:
    """The client of the database on another machine that a text is the address of; "" for any other."""
    found = _ADDRESS.match(text)
    if found is None or HOLE in found[2] or is_here(found[2]):
        return ""
    return _KINDS.get(found[1].partition("+")[0].lower(), "")


def host_of(text: str, name: str = "") -> str:
    """The host in the value of a variable, as far as it is an address; "" for any other value."""
    found = _ADDRESS.match(text)
    if found is not None:
        return found[2]
    return next(_bare_hosts(text), "") if _NAMES_HOST.search(name) else ""


def _bare_hosts(text: str) -> Iterator[str]:
    """``db``, ``ann:word@db.example.com:5432``, ``[::1]:9092``, ``one.example.com,two.example.com``."""
    for one in text.split(","):
        if found := _BARE.match(one.strip()):
            yield found[1]


def is_here(host: str) -> bool:
    """Whether a host is this machine, or a container beside the program: its name is one word."""
    return _HERE.match(host) is not None


def is_elsewhere(text: str, name: str = "") -> bool:
    """Whether the value of a variable is an address on another machine; ``name`` tells a host from a file."""
    found = _ADDRESS.match(text)
    if found is not None and found[1].lower() in _BUCKETS:
        return bool(found[2]) and HOLE not in found[2]
    if found is not None:
        is_host = HOLE not in found[2] and not is_here(found[2])
        return is_host and found[1].partition("+")[0] not in _FILE
    if not _NAMES_HOST.search(name):
        return False
    return any(_HOST.match(host) and not is_here(host) for host in _bare_hosts(text))


def names_database(text: str) -> bool:
    """Whether code or a command holds the address of a database on another machine."""
    return any(client_of(one[0]) for one in _ADDRESS.finditer(text))


def names_elsewhere(text: str) -> bool:
    """Whether code or a command names the address of a database on another machine, or its host."""
    if names_database(text):
        return True
    return any(_HOST.match(one[1]) and not is_here(one[1]) for one in _GIVEN.finditer(text))


def variables_in(text: str, *, is_of_compose: bool = False) -> Iterator[tuple[str, str]]:
    """Yield the variables of a ``.env`` file; compose reads ``NAME: value``, too."""
    line = _VARIABLE_OF_COMPOSE if is_of_compose else _VARIABLE
    for name, single, double, bare in line.findall(text):
        yield name, single or double or bare


def says_nothing(text: str) -> bool:
    """Whether a text is the address of a database on this machine."""
    found = _ADDRESS.match(text)
    if found is None:
        return text in ("localhost", "127.0.0.1", "::1")
    if found[1].lower() in _BUCKETS:
        return False
    scheme = found[1].partition("+")[0]
    is_near = scheme in _FILE or is_here(found[2])
    return is_near and scheme not in _WEB and not _IN_MEMORY.search(text)


# end of module
