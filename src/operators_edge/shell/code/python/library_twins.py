"""What calls of Python libraries do, as command lines: a function for each library.

Owns which calls those are. Does not own following names to them (``shell.code.python.twins``), computing
constants (``shell.code.python.code``, whose tree this reads), libraries with modules of their own, or what is
dangerous (the packs). What is unknown is a HOLE.
"""

from __future__ import annotations

import ast
import re

from operators_edge.shell.code.addresses import client_of, is_elsewhere
from operators_edge.shell.code.own_databases import ATTACHES
from operators_edge.shell.code.python import program_libraries, services, stores
from operators_edge.shell.code.twins import READABLE, STATEMENT
from operators_edge.shell.commands import HOLE
from operators_edge.text.patterns import pattern
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from operators_edge.shell.code.python.twins import Reader

_HTTP = frozenset(
    ["requests", "httpx", "aiohttp", "niquests", "urllib3", "requests_toolbelt", "curl_cffi"]
)
_METHODS = frozenset(["post", "put", "patch", "delete"])
SQL_CLIENTS = {
    "psycopg": "psql",
    "psycopg2": "psql",
    "asyncpg": "psql",
    "pg8000": "psql",
    "sqlalchemy": "psql",
    "records": "psql",
    "duckdb": "duckdb",
    "pymysql": "mysql",
    "MySQLdb": "mysql",
    "mysql": "mysql",
    "aiomysql": "mysql",
    "snowflake": "snowsql",
    "sqlite3": "sqlite3",
    "aiosqlite": "sqlite3",
    "apsw": "sqlite3",
    "pymssql": "sqlcmd",
    "pyodbc": "sqlcmd",
}
RUN_SQL = frozenset(["execute", "executemany", "executescript", "fetch", "fetchrow", "fetchval"])
_RUN_THERE = frozenset(["exec_command", "execute", "run", "sudo", "create_process"])
_TEST = pattern(r"localhost|127\.0\.0\.1|test|\.db$|\.sqlite3?$")
_READING = pattern(
    r"^(?:get|list|describe|head|can|generate|download|query|scan|lookup|search|check|wait|exists|select"
    r"|paginate|batch_get|close|meta|client|resource|filter|all|load|reload)"
)
_LOCAL = frozenset(["localhost", "127.0.0.1", "::1", "0.0.0.0"])  # noqa: S104 - a name to compare with
_MAIL_PORTS = frozenset(["", "0", "25", "465", "587"])
"""Where a server of this machine sends mail on to people; those for tests listen at others (1025, 8025)."""
_BY_NAME = 1_000
"""The place of an argument that has a name only."""


class Call(NamedTuple):
    """A call: the library at its root, the names on the way, the calls that made the object."""

    library: str
    names: list[str]
    node: ast.Call
    made_by: list[ast.Call]

    def argument(self, at: int, *keys: str) -> ast.expr | None:
        for keyword in self.node.keywords:
            if keyword.arg in keys:
                return keyword.value
        return self.node.args[at] if len(self.node.args) > at else None

    def text(self, at: int, *keys: str) -> str:
        return text_of(self.argument(at, *keys))

    def made_with(self, at: int, *keys: str) -> str:
        """The text that the object was made with."""
        for call in self.made_by:
            for keyword in call.keywords:
                if keyword.arg in keys:
                    return text_of(keyword.value)
            if len(call.args) > at >= 0:
                return text_of(call.args[at])
        return HOLE


def _request(call: Call, reader: Reader) -> Iterator[list[str] | str]:
    method, at = call.names[-1].lower(), 0
    if method in {"request", "stream"}:
        method, at = call.text(0, "method").lower(), 1
    if (
        method not in _METHODS
        or (reader.is_test and reader.is_mocked)
        or _is_answered_here(call, reader)
    ):
        return
    url = call.text(at, "url")
    base = call.made_with(-1, "base_url") if call.made_by else ""
    url = base.rstrip("/") + url if url[:1] == "/" and base else url
    yield from _sent("POST" if method == HOLE else method.upper(), url, call)


def _is_answered_here(call: Call, reader: Reader) -> bool:
    """Whether what makes the request gives the answers itself: ``transport=httpx.MockTransport(…)``."""
    given = [one.value for made in call.made_by for one in made.keywords if one.arg == "transport"]
    made = given[-1] if given else None
    names, _ = reader.way(made.func) if isinstance(made, ast.Call) else ([], [])
    is_own = names == ["httpx", "MockTransport"] and not reader.is_patched
    return call.library == "httpx" and is_own


def _opened(call: Call, _: Reader) -> Iterator[list[str] | str]:
    """``urllib.request.urlopen`` and ``Request``, ``http.client``."""
    name = call.names[-1]
    if name in {"urlopen", "Request"}:
        method, data = call.text(-1, "method"), call.argument(1, "data")
        is_given = any(one.arg == "method" for one in call.node.keywords)
        is_written = is_given and method.upper() not in {"GET", "HEAD", HOLE}
        if is_written or not _is_nothing(data):
            yield from _sent(method.upper() if is_written else "POST", call.text(0, "url"), call)
    elif name == "request" and call.text(0).lower() in _METHODS:
        path = call.text(1)
        yield from _sent(call.text(0).upper(), f"https://{call.made_with(0, 'host')}{path}", call)


def _mail(call: Call, _: Reader) -> Iterator[list[str] | str]:
    if call.names[-1] in {"sendmail", "send_message", "send"}:
        host = call.made_with(0, "host", "hostname")
        if host not in _LOCAL:
            someone = "someone@" + host.replace(HOLE, "example.com")
            yield ["swaks", "--server", host, "--to", someone]
        elif call.made_with(1, "port") in _MAIL_PORTS or not _has_port(call):
            yield ["mail", "someone@example.com"]


def _has_port(call: Call) -> bool:
    return any(
        len(made.args) > 1 or any(one.arg in {"port", None} for one in made.keywords)
        for made in call.made_by
    )


def _aws(call: Call, reader: Reader) -> Iterator[list[str] | str]:
    if reader.has_mocked_cloud:
        return
    if len(call.names) < 2 or call.names[0] not in {"client", "resource", "Session", "session"}:
        return
    service, verb = call.made_with(0, "service_name"), call.names[-1]
    if service == HOLE:
        service = next((text_of(one.args[0]) for one in call.made_by if one.args), HOLE)
    if _READING.match(verb) or not verb.islower() or verb in {"client", "resource"}:
        return
    things = [
        re.sub(r"(?<!^)(?=[A-Z])", "-", one).lower()
        for one in call.names[1:-1]
        if one[:1].isupper()
    ]
    noun = f"-{things[-1]}" if things and "_" not in verb else ""
    service = "s3api" if service == "s3" else service
    words = ["aws", service, verb.replace("_", "-") + noun]
    address = call.made_with(_BY_NAME, "endpoint_url")
    words += [] if address == HOLE else ["--endpoint-url", address]
    is_trial = call.argument(_BY_NAME, "DryRun")
    yield (
        [*words, "--dry-run"]
        if isinstance(is_trial, ast.Constant) and is_trial.value is True
        else words
    )


def _kubernetes(call: Call, _: Reader) -> Iterator[list[str] | str]:
    verb, *nouns = call.names[-1].split("_", 1)
    noun = "".join(nouns)
    if verb == "delete":
        yield ["kubectl", "delete", noun.removeprefix("namespaced_"), call.text(0, "name")]
    elif verb in {"create", "patch", "replace"} and noun:
        yield ["kubectl", "apply", "-f", "-"]


def _docker(call: Call, _: Reader) -> Iterator[list[str] | str]:
    things = [
        one[:-1] for one in call.names if one in {"images", "containers", "volumes", "networks"}
    ]
    if things and call.names[-1] in {"prune", "push", "remove"}:
        verb = {"remove": "rm"}.get(call.names[-1], call.names[-1])
        yield ["docker", things[0], verb, call.text(0, "repository", "image")]


def _crontab(call: Call, reader: Reader) -> Iterator[list[str] | str]:
    """What writes the user's own table of jobs: without a call if it was opened by ``with``."""
    made = {one.arg for each in call.made_by for one in each.keywords}
    if call.names[-1] == "write_to_user":
        yield ["crontab", "-"]
    elif made & {"tab", "tabfile"}:
        return
    elif call.names[-1] == "write" and not (call.node.args or call.node.keywords):
        yield ["crontab", "-"]
    elif call.names[-1] in {"new", "remove", "remove_all"}:
        calls = (one.func for one in ast.walk(reader.tree) if isinstance(one, ast.Call))
        named = {one.attr for one in calls if isinstance(one, ast.Attribute)}
        if named.isdisjoint({"write", "write_to_user", "render"}):
            yield ["crontab", "-"]


def _sql(call: Call, reader: Reader) -> Iterator[list[str] | str]:
    connected = _connected_by(call, reader)
    if call.names[-1] in CONNECTS and connected is None:  # an engine connects to its own
        reader.addresses.append((call.library, _named_address(call)))
        reader.sql = SQL_CLIENTS.get(call.library, reader.sql)
    text = call.text(0, "query", "operation", "statement", "sql")
    if isinstance(call.argument(0), ast.Call):  # sqlalchemy's text("…")
        inner = call.argument(0)
        text = text_of(inner.args[0]) if isinstance(inner, ast.Call) and inner.args else HOLE
    if call.names[-1] == "drop_all":
        text = "DROP TABLE tables"
    address = _address_of(call, reader)
    if is_elsewhere(address) and (call.names[-1] == "delete" or is_deletion(call.argument(0))):
        text = "DELETE FROM tables"  # of a model
    is_own = reader.is_test and (address == HOLE or _TEST.search(address))
    if is_own:  # tests make a database of their own
        return
    known = reader.sql if call.library == "sqlalchemy" else SQL_CLIENTS.get(call.library, "")
    program = _program_at(address, known or reader.sql or "psql")
    is_run = call.names[-1] in RUN_SQL or text in ("DROP TABLE tables", "DELETE FROM tables")
    if is_run and ATTACHES.search(text):
        reader.attached = text
    if not is_run or not STATEMENT.match(text) or reader.is_own(address):
        return
    if program == "sqlite3" and HOLE not in address:
        yield ["sqlite3", address, "; ".join(filter(None, (reader.attached, text)))]
    elif program == "sqlite3":
        return
    else:
        server = [address] if program == "psql" else _server_of(connected)
        yield [program, *server, SQL_OPTION[program], text]


def is_deletion(node: ast.expr | None) -> bool:
    """``delete(Cart).where(…)``, as sqlalchemy is given it to execute."""
    while isinstance(node, ast.Call):
        if dotted(node.func) in _DELETIONS:
            return True
        node = node.func.value if isinstance(node.func, ast.Attribute) else None
    return False


_DELETIONS = frozenset(
    ["sqlalchemy.delete", "sqlalchemy.sql.delete", "sqlalchemy.sql.expression.delete", "delete"]
)


def _django(call: Call, reader: Reader) -> Iterator[list[str] | str]:
    """What a method of a model, or SQL, does in a database that the settings have on another machine."""
    client = client_of(reader.of_models)
    if not client:
        return
    name = call.names[-1]
    is_model = name in _DELETES_MODELS and not _OF_MODELS.isdisjoint(call.names)
    text = "DELETE FROM tables" if is_model else ""
    if name in RUN_SQL and STATEMENT.match(call.text(0, "sql")):
        text = call.text(0, "sql")
    if name == "delete_model":
        text = "DROP TABLE tables"
    if name == "call_command":  # as `manage.py` does it
        text = _COMMANDS.get(call.text(0), text)
    if text:
        yield [client, *([reader.of_models] if client == "psql" else []), SQL_OPTION[client], text]


_COMMANDS = {"flush": "TRUNCATE TABLE tables", "reset_db": "DROP DATABASE db"}
_DELETES_MODELS = frozenset(["delete", "adelete", "_raw_delete"])
_OF_MODELS = frozenset(
    ["objects", "_default_manager", "all_objects", "Manager", "QuerySet", "Model"]
)


def _server_of(connected: ast.Call | None) -> list[str]:
    """The words that name a server and its database, if the call that connects says both."""
    given = {one.arg: text_of(one.value) for one in connected.keywords} if connected else {}
    host, database = given.get("host", HOLE), given.get("database", given.get("db", HOLE))
    is_known = None not in given and not any(HOLE in one for one in (host, database))
    return ["-h", host, database] if is_known else []


def _connected_by(call: Call, reader: Reader) -> ast.Call | None:
    """The call that connects to the database of which the object of a call is a part."""
    for made in call.made_by:
        names, _ = reader.way(made.func)
        if names[-1:] and names[-1] in CONNECTS:
            return made
    return None


def _named_address(call: Call) -> str:
    """The address that a call connects to; unknown if something else connects in its place."""
    node = call.node
    is_other = any(one.arg in CONNECTS_BY for one in node.keywords)
    return HOLE if is_other else call.text(0, *_ADDRESS_NAMES)


def _address_of(call: Call, reader: Reader) -> str:
    """The address of the database that a call is for, or may be for, if that is one of the program's own."""
    known = [address for _, address in reader.addresses]
    made = _connected_by(call, reader)
    if made is not None:
        known.append(_named_address(call._replace(node=made)))
    others = [one for one in known if not reader.is_own(one)]
    is_its_own = bool(known) and known[-1] in others
    return known[-1] if is_its_own else (others or known or [HOLE])[-1]


CONNECTS = frozenset(
    ["connect", "create_engine", "create_async_engine", "create_pool", "Connection"]
)
CONNECTS_BY = frozenset(("creator", "async_creator", "pool", "module"))
"""Arguments that connect in the place of an address."""
_ADDRESS_NAMES = ("dsn", "conninfo", "host", "database", "url", "name_or_url")


def _redis(call: Call, _: Reader) -> Iterator[list[str] | str]:
    if call.names[-1] in {"flushall", "flushdb"}:
        host = call.made_with(0, "host", "url")
        yield ["redis-cli", "-u" if "://" in host else "-h", host, call.names[-1].upper()]


def _search_index(call: Call, _: Reader) -> Iterator[list[str] | str]:
    """Elasticsearch and OpenSearch; an index on this machine is made again from what it was made of."""
    address = call.made_with(0, "hosts", "host", "cloud_id", "url")
    name, is_of_indices = call.names[-1], "indices" in call.names[:-1]
    is_index = is_of_indices and name in {"delete", "delete_index_template", "delete_template"}
    if not is_index and name != "delete_by_query":
        return
    host = address if "://" in address else f"https://{address}"
    if is_elsewhere(host):
        yield ["curl", "-X", "DELETE", f"{host.rstrip('/')}/{call.text(0, 'index')}"]


def _store(call: Call, _: Reader) -> Iterator[list[str] | str]:
    text = call.text(0, "query", "cmd", "statement")
    yield from stores.acts_of(call.library, call.names[-1], text, call.made_by, text_of)


def _of_program(call: Call, _: Reader) -> Iterator[list[str] | str]:
    names = [call.library, *call.names]
    yield from program_libraries.LIBRARIES[call.library](names, call.node, text_of)


def _mongo(call: Call, _: Reader) -> Iterator[list[str] | str]:
    name = call.names[-1]
    shown = {"drop_database": "dropDatabase", "drop_collection": "drop", "drop": "drop"}.get(name)
    if name == "delete_many":
        shown = "deleteMany"
    if shown:
        yield ["mongosh", call.made_with(0, "host"), "--eval", f"db.{shown}()"]


def _remote(call: Call, _: Reader) -> Iterator[list[str] | str]:
    host = call.made_with(0, "host", "hostname")
    if call.names[-1] in _RUN_THERE and call.node.args:
        sudo = ["sudo"] if call.names[-1] == "sudo" else []
        yield ["ssh", host, *sudo, call.text(0, "command")]
    elif call.names[-1] in {"put", "putfo"}:
        yield [
            "scp",
            call.text(0, "localpath", "local"),
            f"{host}:{call.text(1, 'remotepath', 'remote')}",
        ]


def _ftp(call: Call, _: Reader) -> Iterator[list[str] | str]:
    host = call.made_with(0, "host")
    if call.names[-1] in {"storbinary", "storlines"}:
        yield ["curl", "-T", _read_by(call.node) or HOLE, f"ftp://{host}/"]
    elif call.names[-1] in {"delete", "rmd", "rename"}:
        yield ["curl", "-Q", f"DELE {call.text(0)}", f"ftp://{host}/"]


_LOST = pattern(r"(?:^|[^A-Za-z])(?i:delete|remove|destroy|wipe|erase|purge)")


def _browser(call: Call, reader: Reader) -> Iterator[list[str] | str]:
    """What a person would click to delete something, on a page of another machine."""
    name = call.names[-1]
    if name in {"get", "goto", "visit", "open"}:
        url = call.text(0, "url")
        reader.page = url if url.startswith("http") and is_elsewhere(url) else ""
    if name != "click" or not reader.page:
        return
    given = [each for one in (call.node, *call.made_by) for each in (*one.args, *one.keywords)]
    texts = (getattr(one, "value", None) for each in given for one in ast.walk(each))
    if any(isinstance(one, str) and _LOST.search(one) for one in texts):
        yield ["curl", "-X", "DELETE", reader.page]


def _gcloud(call: Call, _: Reader) -> Iterator[list[str] | str]:
    name = call.names[-1]
    is_storage = "storage" in call.names
    if is_storage and name.startswith("delete"):
        yield ["gcloud", "storage", "rm", f"gs://{call.made_with(0)}"]
    elif name in ("delete", "recursive_delete") and "firestore" in call.names:
        yield ["firebase", "firestore:delete", "--recursive", "x"]
    elif name.startswith("delete_"):
        yield [
            "gcloud",
            call.names[1] if len(call.names) > 1 else "",
            name.replace("_", "-"),
            "delete",
        ]


def _azure(call: Call, _: Reader) -> Iterator[list[str] | str]:
    if re.match(r"(?:begin_)?delete", call.names[-1]):
        yield ["az", "resource", "delete", "--ids", call.text(0)]


def _git(call: Call, _: Reader) -> Iterator[list[str] | str]:
    words = [text_of(one) for one in call.node.args]
    if call.names[-1] == "push":
        is_forced = any(
            one.arg in {"force", "f"} and not _is_nothing(one.value) for one in call.node.keywords
        )
        yield ["git", "push", *(["--force"] if is_forced else []), *words]
    elif "git" in call.names[:-1]:
        yield ["git", call.names[-1].replace("_", "-"), *words]


def _program(call: Call, _: Reader) -> Iterator[list[str] | str]:
    """``sh.rm("-rf", "x")``: the name is the program's."""
    if len(call.names) == 1:
        yield [call.names[0], *map(text_of, call.node.args)]


def _text_run(call: Call, _: Reader) -> Iterator[list[str] | str]:
    if call.names[-1] in {"run", "sudo", "local"} and call.node.args:
        yield call.text(0)


_BASES = ("api_base", "base_url", "base_addresses", "server", "host")
"""Arguments that say where a client of a service sends its requests."""


def _service(call: Call, _: Reader) -> Iterator[list[str] | str]:
    if call.library == "firebase_admin" and not {"messaging", "auth"}.intersection(call.names):
        return  # its databases are emulated more often
    host = services.SERVICES[call.library]
    if host and len(call.names) > 1 and services.CHANGES.match(call.names[-1]):
        base = _service_base(call)
        yield ["curl", "-X", "POST", f"{base or f'https://{host}'}/{call.names[-1]}"]


def _service_base(call: Call) -> str:
    """The address that a service is said to have, with its scheme; "" if that is not known."""
    given = [one for made in (*call.made_by, call.node) for one in made.keywords]
    named = [one.value for one in given if one.arg in _BASES]
    if len(named) != 1 or any(one.arg is None for one in given):
        return ""
    base = named[0]
    if isinstance(base, ast.Dict):  # `base_addresses={"api": "http://…"}`
        base = next(
            (
                value
                for key, value in zip(base.keys, base.values, strict=True)
                if text_of(key) == "api"
            ),
            base,
        )
    found = text_of(base).rstrip("/")
    return found if re.match(r"https?://[^/]", found) else ""


def _socket(call: Call, _: Reader) -> Iterator[list[str] | str]:
    if call.names[-1] in {"sendall", "send", "sendfile"} and call.node.args:
        path = _read_by(call.node)
        if path:
            yield f"cat {path} | nc host 1"


def _builtin(call: Call, _: Reader) -> Iterator[list[str] | str]:
    """``open("~/.ssh/id_rsa")``: read like the command that prints it."""
    name = call.names[-1]
    if name == "open" and len(call.names) == 1:
        mode, path = call.text(1, "mode"), call.text(0, "file")
        is_read = not re.search(r"[wax+]", mode)
    elif name in {"read_text", "read_bytes"} and isinstance(call.node.func, ast.Attribute):
        made = call.node.func.value
        path = text_of(made.args[0]) if isinstance(made, ast.Call) and made.args else HOLE
        is_read = True
    else:
        return
    if is_read and HOLE not in path and READABLE.match(path):
        yield ["cat", path]


SQL_OPTION = {"psql": "-c", "mysql": "-e", "snowsql": "-q", "sqlcmd": "-Q", "duckdb": "-c"}
ACTS: dict[str, Callable[[Call, Reader], Iterator[list[str] | str]]] = {
    **dict.fromkeys(_HTTP, _request),
    "urllib": _opened,
    "http": _opened,
    **dict.fromkeys(("smtplib", "aiosmtplib", "yagmail", "redmail"), _mail),
    **dict.fromkeys(("boto3", "botocore", "aioboto3"), _aws),
    "kubernetes": _kubernetes,
    "django": _django,
    "docker": _docker,
    "crontab": _crontab,
    **dict.fromkeys(("redis", "valkey"), _redis),
    **dict.fromkeys(("pymongo", "motor"), _mongo),
    **dict.fromkeys(stores.STORES, _store),
    **dict.fromkeys(program_libraries.LIBRARIES, _of_program),
    **dict.fromkeys(
        ("elasticsearch", "elasticsearch7", "elasticsearch8", "opensearchpy"), _search_index
    ),
    **dict.fromkeys(("paramiko", "fabric", "asyncssh", "pysftp"), _remote),
    "ftplib": _ftp,
    **dict.fromkeys(("selenium", "playwright", "splinter", "seleniumbase"), _browser),
    "google": _gcloud,
    "azure": _azure,
    "git": _git,
    "sh": _program,
    "invoke": _text_run,
    "socket": _socket,
    "": _builtin,
    "io": _builtin,
    "pathlib": _builtin,
}
"""Library → how its calls are written as commands; "" for Python's own."""


def commands(call: Call, reader: Reader) -> Iterator[list[str] | str]:
    """What a call does: a shell text, or the words of a command."""
    act = ACTS.get(call.library)
    if act is None and call.library in SQL_CLIENTS:
        act = _sql
    if act is None and call.library in services.SERVICES:
        act = _service
    return act(call, reader) if act else iter(())


def _sent(method: str, url: str, call: Call) -> Iterator[list[str] | str]:
    path = _read_by(call.node)
    if path:
        yield ["cat", path]
    if any(_is_environment(one) for one in ast.walk(call.node)):
        yield f"env | curl -d @- '{url}'"
    yield ["curl", "-X", method, *(["-d", f"@{path}"] if path else []), url]


def _is_environment(node: ast.AST) -> bool:
    """Whether it is all of the environment, not one variable of it."""
    if isinstance(node, ast.Call):
        given = [*node.args, *(one.value for one in node.keywords)]
        return any(dotted(one) == "os.environ" for one in given)
    return isinstance(node, ast.Dict) and any(dotted(one) == "os.environ" for one in node.values)


def _read_by(node: ast.AST) -> str:
    """The file that is opened in the arguments of a call."""
    for one in ast.walk(node):
        if isinstance(one, ast.Call) and dotted(one.func).rpartition(".")[2] in {"open", "Path"}:
            path = text_of(one.args[0]) if one.args else HOLE
            if HOLE not in path:
                return path
    return ""


def text_of(node: ast.expr | None) -> str:
    """The text of an expression as far as it is known; HOLEs for the rest."""
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else str(node.value)
    if isinstance(node, ast.JoinedStr):
        return "".join(map(text_of, node.values))
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return text_of(node.left) + text_of(node.right)
    if isinstance(node, ast.Call) and dotted(node.func) in _SAME and node.args:
        return text_of(node.args[0])
    if isinstance(node, (ast.List, ast.Tuple)) and len(node.elts) == 1:  # `hosts=["https://…"]`
        return text_of(node.elts[0])
    return HOLE


_SAME = frozenset(
    ["str", "Path", "pathlib.Path", "os.path.expanduser", "os.fspath", "os.path.abspath", "text"]
)


def _is_nothing(node: ast.expr | None) -> bool:
    return node is None or (isinstance(node, ast.Constant) and not node.value)


def _program_at(address: str, known: str) -> str:
    """Which client an address is for: sqlalchemy takes all of them."""
    start = address.partition(":")[0].partition("+")[0]
    named = {"mysql": "mysql", "mariadb": "mysql", "sqlite": "sqlite3", "postgresql": "psql"}
    return named.get(start, known)


def library_of(program: str) -> str:
    return next(name for name, one in SQL_CLIENTS.items() if one == program)


def dotted(node: ast.expr) -> str:
    """Return ``a.b.c`` for such an expression; "" for any other."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute) and (holder := dotted(node.value)):
        return f"{holder}.{node.attr}"
    return ""


# end of module
