"""Clients of databases that only work in one for tests on this machine, as all that they are given says.

``psql postgres://localhost:5433/shop_test -f schema.sql``, ``dropdb -h localhost shop_test``: the words name
one database for tests and no other server, and nothing that the client reads leads it to another one. Owns
that judgement, for targets of which only the name sounds dangerous and for what a client empties, and which
Redis is there for tests. Does not own other places that a client may work in
(``gate.own.database_clients``). Pure but for what it is given. Loaded for such targets and clients.
"""

from __future__ import annotations

import os.path
import re
from fnmatch import fnmatchcase

from operators_edge.gate.own import container_runs, database_clients
from operators_edge.gate.own.database_clients import is_local
from operators_edge.gate.own.throwaway_names import is_throwaway
from operators_edge.shell.commands import HOLE, OWN_PATH
from operators_edge.text.patterns import pattern
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from operators_edge.gate.invocation import Invocation
    from operators_edge.gate.own.line_words import Line
    from operators_edge.gate.paths import CallContext
    from operators_edge.shell.commands import Word

    Read = Callable[[str], str | None]

_ADDRESS = pattern(
    r"(?:postgres(?:ql)?|mysql|mariadb|mongodb)://(?:[^@/?#\s]*@)?(?:localhost|127\.0\.0\.1)(?::\d+)?/(?P<name>[\w-]+)"
)
_NAME = pattern(r"\w[\w-]*")


class _Options(NamedTuple):
    """Options of a client, by what follows them: nothing, a word, text or a file that it runs, a database."""

    plain: frozenset[str]
    valued: frozenset[str]
    hosts: frozenset[str] = frozenset(("-h", "--host"))
    texts: frozenset[str] = frozenset()
    files: frozenset[str] = frozenset()
    names: frozenset[str] = frozenset()
    reads: bool = False
    """Whether its operands are files that it takes data from."""

    def takes(self, option: str) -> bool:
        known = (self.valued, self.hosts, self.texts, self.files, self.names)
        return any(option in one for one in known)


_PSQL = _Options(
    plain=frozenset("-q -X -A -t -1 -qX --quiet --no-psqlrc --single-transaction".split()),  # noqa: SIM905
    valued=frozenset("-v --set --variable -p --port -U --username".split()),  # noqa: SIM905
    texts=frozenset(("-c", "--command")),
    files=frozenset(("-f", "--file")),
    names=frozenset(("-d", "--dbname")),
)
_MYSQL = _Options(
    plain=frozenset(("-f", "--force", "-s", "--silent", "-B", "--batch")),
    valued=frozenset(("-u", "--user", "-P", "--port")),
    texts=frozenset(("-e", "--execute")),
    names=frozenset(("-D", "--database")),
)
_MAKING = _Options(
    plain=frozenset(("-e", "--echo", "--if-exists", "-f", "--force", "-w", "--no-password")),
    valued=frozenset("-p --port -U --username -O --owner -T --template -E --encoding".split()),  # noqa: SIM905
)
_RESTORING = _Options(
    plain=frozenset(
        "-c --clean --if-exists -O --no-owner -x --no-acl --no-privileges -v --verbose -1"  # noqa: SIM905
        " --single-transaction -e --exit-on-error -w --no-password --disable-triggers".split()
    ),
    valued=frozenset("-p --port -U --username -j --jobs -F --format --role".split()),  # noqa: SIM905
    names=frozenset(("-d", "--dbname")),
    reads=True,
)
_OF_MONGO = _Options(
    plain=frozenset(("--drop", "--gzip", "--quiet", "-v")),
    valued=frozenset(("--port", "-u", "--username", "-p", "--password", "--archive", "--dir")),
    names=frozenset(("-d", "--db", "--uri")),
    reads=True,
)
_MONGOSH = _Options(
    plain=frozenset(("--quiet", "--norc")),
    valued=frozenset(("--port", "-u", "--username", "-p", "--password")),
    texts=frozenset(("--eval",)),
)
_CLIENTS = {
    "mongosh": _MONGOSH,
    "psql": _PSQL,
    "mysql": _MYSQL,
    "mariadb": _MYSQL,
    "createdb": _MAKING,
    "dropdb": _MAKING,
    "pg_restore": _RESTORING,
    "mongorestore": _OF_MONGO,
}
EMPTYING = frozenset(("database-drop", "database-drop-tool"))
"""The rules on a client that are about what its database holds."""
_MAKES_DATABASES = pattern(
    r"(?i)(?:\s*(?:drop\s+database(?:\s+if\s+exists)?\s+(?P<q>[\"`]?)(?P<name>[\w-]+)(?P=q)(?:\s+with\s*\(\s*force\s*\))?"
    r"|create\s+database(?:\s+if\s+not\s+exists)?\s+[\"`]?[\w-]+[\"`]?(?:\s+(?:owner|encoding|template)\s*=?\s*['\"]?[\w-]+['\"]?"
    r"|\s+character\s+set\s+\w+|\s+collate\s+\w+)*)\s*(?:;|\Z))"
)
"""A statement that drops a database, or makes one."""
_IN_SQL = frozenset(("psql", "mysql"))
_SHELLS_OF_REDIS = frozenset(("redis-cli", "valkey-cli"))
_OF_REDIS = pattern(
    r"(?:redis|valkey)-cli(?: -h (?:localhost|127\.0\.0\.1)| -p (?P<port>\d+)| -n \d+| -a [^-\s]\S*"
    r"| --no-auth-warning| -u redis://(?:[^\s@/]*@)?(?:localhost|127\.0\.0\.1)(?::(?P<own_port>\d+))?(?:/\d*)?)*"
    r" (?i:(?P<empties>flushall|flushdb)(?: (?:async|sync))?|shutdown(?: (?:nosave|save|now))*)"
)
"""The words of a client of a Redis on this machine that empties or ends it."""
_STARTS_REDIS = pattern(
    r"(?:redis|valkey)-server(?: --port (?P<port>\d+)| --(?P<new>save _)"
    rf"| --dir (?P<folder>{OWN_PATH})\S*| --(?:daemonize|protected-mode) (?:yes|no)| --appendonly no"
    r"| --bind (?:localhost|127\.0\.0\.1)"
    r"| --(?:loglevel|requirepass|maxmemory|maxmemory-policy|databases|pidfile|logfile) [^-\s]\S*)+"
)
"""The words of a server with nothing from before, but for a file in the working folder."""
_KEPT = frozenset(("dump.rdb", "redis.conf"))
_USUAL_PORT = "6379"
_OF_TESTS = pattern(
    r"(?i)(?:^|/)(?:tests?|spec|e2e|integration|__tests__)/[^/]+$|(?:^|[/_.-])(?:e2e|tests?)(?:[_.-][\w.-]*)?$"
)
"""Scripts that are there for tests, by their folder or their name."""
_TUNNEL = pattern(
    r"\b(?:auto)?ssh\b|\b(?:socat|stunnel4?|kubectl|oc|port-forward|haproxy|envoy|twemproxy|nutcracker|iptables|nft|ncat|tsh"
    r"|cloud_sql_proxy|cloud-sql-proxy|replicaof|slaveof|cluster|(?<!-)eval)\b|REDISCLI_|PSQLRC|/etc/hosts"
)
"""What may lead a port of this machine to another one."""
_DEFAULT = pattern(
    r"\$(?:(?P<name>[A-Za-z_]\w*)|\{(?:(?P<braced>[A-Za-z_]\w*)|(?P<given>[A-Za-z_]\w*):?-(?P<default>[\w.:/@-]*))\})"
)
_PLAIN_STEPS = frozenset(("function", "trap", "time"))
"""Ways to a client that give it no variables."""
_PLAIN_VARIABLES = frozenset(("PGPORT", "PGUSER"))
_LOOP = pattern(r"\bfor[ \t]+(\w+)[ \t]+in[ \t]+([\w./* \t-]+?)[ \t]*(?:;|\n)\s*do\b")
_MAX_FILES = 100
_MAX_TEXT = 256 * 1024


class _Around(NamedTuple):
    """What is around a client: the text that it is in, its folder, and how files are read."""

    text: str
    folder: str
    context: CallContext
    read: Read

    def text_of(self, path: str | None) -> str | None:
        is_settled = path is not None and not self.context.is_changed(path)
        return self.read(path) if path and is_settled else None


def stays(inv: Invocation, text: str, context: CallContext, read: Read) -> bool:
    """Whether a client only works in a database for tests here; ``text`` is what it is in."""
    found = _given(inv, list(inv.command.argv[1:]), text, context, read)
    return found is not None and (_is_for_tests(found) or _drops_those_for_tests(inv, found))


def _given(
    inv: Invocation, words: list[Word], text: str, context: CallContext, read: Read
) -> _Given | None:
    """What a client is given by its words, if all is known and leads to this machine; None if not."""
    command, folder = inv.command, inv.working_folder(context)
    options = _CLIENTS.get(inv.program)
    if options is None or command.is_remote or command.has_more_words or folder is None:
        return None
    if command.stdin_kind == "pipe" or _is_led(inv, context):
        return None
    if command.stdin_kind and (command.stdin is None or HOLE in command.stdin):
        return None
    found = _read(options, words, _Around(text, folder, context, read))
    if found is None:
        return None
    if command.stdin is not None:
        found.statements.append(command.stdin)
    given = [command.stdin or "", *found.texts, *found.statements]
    is_led = any(one is None or container_runs.leads_away(one) for one in given)
    return None if is_led else found


def _given_to(line: Line) -> set[str] | None:
    """The variables that texts around one give it; None if one of these may set any."""
    if line.context.may_set_any():
        return None
    variables, own = line.context.variables, line.script.variables
    count = len(variables) - len(own)
    is_own = bool(own) and [*variables[count:]] == [*own]
    return {name for name, _ in (variables[:count] if is_own else variables)}


def _with_defaults(word: Word, text: str, given: Collection[str] | None) -> Word:
    """A word with the values of ``${NAME:-VALUE}``, where nothing known sets such a variable."""
    if word.is_known or given is None:
        return word

    def value(found: re.Match[str]) -> str:
        name, default = found["name"] or found["braced"], found["default"]
        if default is None:
            return _default_of(name, text, given)
        is_free = found["given"] not in given and not _sets(found["given"], text)
        return default if is_free else HOLE

    filled = _DEFAULT.sub(value, text[slice(*word.span)].strip('"'))
    return word if re.search(rf"[\s$`\\{HOLE}'\"]", filled) else word._replace(text=filled)


def _default_of(name: str, text: str, given: Collection[str]) -> str:
    """The value of a variable that a text sets once, to its own value or that of another, or a default."""
    assigned = _sets(name, text)
    own = _DEFAULT.fullmatch(assigned[0].strip('"')) if len(assigned) == 1 else None
    if own is None or own["default"] is None or own["given"] in given:
        return HOLE
    return own["default"] if own["given"] == name or not _sets(own["given"], text) else HOLE


def _sets(name: str, text: str) -> list[str]:
    """What a text sets a variable to, wherever it does; something unknown if not by an assignment."""
    others = re.findall(
        rf"\b(?:read|for|select|mapfile|readarray|getopts|printf|let|declare|typeset|unset|eval)\b[^\n;]*\b{name}\b(?!=)"
        rf"|\(\([^)]*\b{name}\b",
        text,
    )
    plain = re.findall(rf"(?<![\w$]){name}\+?=(\S*)", text)
    return [
        *plain,
        *others,
        *(f"${{{name}:-{one}}}" for one in re.findall(rf"\$\{{{name}:?=([^}}]*)\}}", text)),
    ]


def _is_for_tests(found: _Given) -> bool:
    return len(found.names) == 1 and is_throwaway(found.names[0])


def empties(line: Line, at: int) -> bool:
    """Whether all that a client drops or empties is in databases for tests on this machine."""
    inv, context = line.invs[at], line.context
    if not _PLAIN_STEPS.issuperset(inv.command.through):
        return False
    if inv.program in _SHELLS_OF_REDIS:
        return _is_redis_for_tests(line, at)
    if inv.program not in _CLIENTS:
        return False

    def read(path: str) -> str | None:
        return context.facts.text(path, _MAX_TEXT)

    given = _given_to(line)
    words = [_with_defaults(one, line.text, given) for one in inv.command.argv[1:]]
    found = _given(inv, words, line.text, context, read)
    if found is None or _TUNNEL.search(line.text):
        return False
    if inv.program not in (*_IN_SQL, "mongosh"):
        return _is_for_tests(found)
    if _is_for_tests(found) and database_clients.stays_inside(inv, context):
        return True
    return _drops_those_for_tests(inv, found)


def _drops_those_for_tests(inv: Invocation, found: _Given) -> bool:
    """Whether statements only make databases, or drop such ones for tests."""
    if inv.program not in _IN_SQL or len(found.names) > 1 or "" in found.names:
        return False
    for text in found.statements:
        at = 0
        while text is not None and (one := _MAKES_DATABASES.match(text, at)):
            if one["name"] and not is_throwaway(one["name"]):
                return False
            at = one.end()
        if text is None or text[at:].strip():
            return False
    return bool(found.statements)


def _is_redis_for_tests(line: Line, at: int) -> bool:
    """Whether it empties a Redis that the text has started, or one of this machine in a script for tests."""
    command, context = line.invs[at].command, line.context
    argv = [_with_defaults(one, line.text, _given_to(line)) for one in command.argv]
    found = _OF_REDIS.fullmatch(_joined(argv))
    is_known = all(word.is_known for word in argv)
    if found is None or not is_known or command.has_more_words or command.is_remote:
        return False
    given = {*command.environment, *context.values_by_name()}
    if command.stdin_kind or _TUNNEL.search(line.text) or any(map(_TUNNEL.match, given)):
        return False
    port = found["own_port"] or found["port"] or _USUAL_PORT
    if found["own_port"] and found["port"]:
        return False
    if port != _USUAL_PORT and any(_starts_redis(one, port, context) for one in line.invs[:at]):
        return True
    file = context.key[0] if isinstance(context.key, tuple) and context.key else ""
    is_in_tests = isinstance(file, str) and _OF_TESTS.search(file.removeprefix(context.root))
    return bool(found["empties"] and is_in_tests)


def _joined(words: Sequence[Word]) -> str:
    return " ".join(re.sub(r"\s", "_", word.text) or "_" for word in words)


def _starts_redis(inv: Invocation, port: str, context: CallContext) -> bool:
    """Whether a command starts a server of Redis on a port of this machine."""
    command = inv.command
    found = _STARTS_REDIS.fullmatch(_joined(command.argv))
    if found is None or command.is_remote or command.has_more_words or found["port"] != port:
        return False
    folder = inv.working_folder(context)
    is_new = found["new"] or found["folder"]
    return bool(is_new or (folder and _KEPT.isdisjoint(context.facts.names(folder) or ())))


class _Given(NamedTuple):
    """The databases that words name, and the texts that they have a client take; None for an unknown one."""

    names: list[str]
    texts: list[str | None]
    """The values of options, which may name another server."""
    statements: list[str | None]


def _read(options: _Options, words: list[Word], around: _Around) -> _Given | None:
    """What the words of a client say; None if one of them is not known."""
    found = _Given([], [], [])
    while words:
        word = words.pop(0)
        option, is_set, value = word.text.partition("=")
        if option in options.plain and not is_set:
            continue
        if word.text[:1] != "-":
            if not options.reads:
                found.names.append(_name(word))
        elif not options.takes(option) or not (words or is_set):
            return None
        else:
            taken = word._replace(text=value) if is_set else words.pop(0)
            _take(option, taken, options, around, found)
    return found


def _take(option: str, value: Word, options: _Options, around: _Around, found: _Given) -> None:
    """Take the value of an option."""
    text = value.text if value.is_known else None
    if option in options.names:
        found.names.append(_name(value))
    elif option in options.files:
        found.statements.extend(_texts_of(value, around))
    elif option in options.texts:
        found.statements.append(text)
    elif option in options.hosts:
        found.texts.append("" if text is not None and is_local((text, "")) else None)
    else:
        found.texts.append(text)


def _is_led(inv: Invocation, context: CallContext) -> bool:
    """Whether a variable that is known may lead the client to another server."""
    given = [*inv.command.environment.items()]
    given += [(name, one) for name, values in context.values_by_name().items() for one in values]
    return any(
        (container_runs.is_read_by_client(name) or name == "PSQLRC")
        and name not in _PLAIN_VARIABLES
        and not name.startswith("MONGO")  # which its clients do not read
        and not (name == "PGHOST" and is_local((value, "")))
        for name, value in given
    )


def _name(word: Word) -> str:
    """The database that a word names, "" if that is not known to be on this machine."""
    if not word.is_known:
        return ""
    found = _ADDRESS.fullmatch(word.text)
    return found["name"] if found else word.text if _NAME.fullmatch(word.text) else ""


def _texts_of(file: Word, around: _Around) -> list[str | None]:
    """The texts of the files that an option has a client run; None for one that is not known."""
    names = [file.text] if file.is_known else _looped(file, around)
    paths = [around.context.resolve(one, around.folder) for one in names]
    return [around.text_of(path) for path in paths] or [None]


def _looped(word: Word, around: _Around) -> list[str]:
    """The files that a loop goes through whose name a word is; none if they are not known."""
    source = around.text[slice(*word.span)].strip('"')
    loops = _LOOP.findall(around.text)
    lists = [words for name, words in loops if source in (f"${name}", f"${{{name}}}")]
    if len(lists) != 1 or re.search(rf"\b{source.strip('${}')}=", around.text):
        return []
    found: list[str] = []
    for one in lists[0].split():
        inside, ending = os.path.split(one)
        place = around.context.resolve(inside or ".", around.folder)
        names = around.context.facts.names(place) if place and "*" not in inside else ()
        same = [each for each in sorted(names or ()) if fnmatchcase(each, ending)]
        found += [os.path.join(inside, each) for each in same] if "*" in one else [one]
    return found if len(found) <= _MAX_FILES else []


# end of module
