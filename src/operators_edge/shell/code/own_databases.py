"""Whether the databases of a program are all its own: in its memory, or in a temporary folder it has made.

What happens in such a database is nobody's loss. Every place where code connects to a database must be known,
and so must be each value that the address there can have; what is not certain is False. Pure. Does not own
which calls change a database (``shell.code.twins``), or Python's (``shell.code.python.databases``).
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import islice

from operators_edge.shell.code import bracketed, own_servers
from operators_edge.shell.code.bracketed import QUOTED
from operators_edge.shell.code.languages import NODE, PERL, PHP, RUBY
from operators_edge.shell.code.unique_texts import is_unique
from operators_edge.shell.commands import HOLE, OWN_PATH
from operators_edge.text.patterns import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from operators_edge.shell.code.languages import Language

_MAX_DEPTH = 8
"""Names that stand for names."""
MAX_SITES = 40
_MAX_CALL = 2_000
"""Characters of the arguments of one call."""

_ADDRESS = pattern(
    r"(?i)(?:(?:dbi:)?sqlite3?:(?:(?:db(?:name)?|database)=)?(?:///?)?|file:)?:memory:(?:\?[\w=&.-]*)?\Z"
    r"|memory://\Z|sqlite(?:\+\w+)?://(?:/:memory:)?\Z|sqlite:/?\Z|file:[\w.-]*\?(?:[\w=&]*&)?mode=memory(?:&[\w=&]*)?\Z"
)
"""Addresses of databases that end with the program."""
_PREFIX = pattern(
    r"(?i)(?:(?:dbi:)?sqlite3?(?:\+\w+)?:(?:(?:db(?:name)?|database)=)?(?:///?)?|file:(?://)?)?\Z"
)
"""What stands before the path of a database in a file."""
ATTACHES = pattern(
    r"(?i)\battach\b(?!ed\b|ment|\w*\()|\bvacuum\s+into\b|\brestore\b\s*\(|\.backup\("
)
"""SQL that brings other files into a database."""

LINKS = pattern(
    r"\b(?:sym|hard)?link(?:Sync|_to)?['\"]?\]?\s*[(\s'\"$]|\b(?:ln_s\w*|make_symlink|make_link|rename|copy_link)(?:Sync)?\b\s*[(\s'\"$]"
    r"|\bFileUtils\.(?:mv|move|ln\w*|link)\b|\bmove\s*\(|(?<![\w.-])(?:ln|mv|mount)['\"]?,?\s+['\"]?[-\w./$]|['\"](?:ln|mv)['\"]"
)
"""Calls and commands by which a file in a folder of its own is another one."""
_JOINT = pattern(r"(['\"])\s*(?:\+|\.(?![\w.])|<<)\s*\1")


def is_own_address(text: str) -> bool:
    """Whether an address is of a database in memory, or below a folder that the program makes."""
    path = re.sub(r"(?i)\A(?:sqlite(?:\+\w+)?:(?:///)?|file:(?://)?)", "", text)
    is_below = path.startswith(f"{OWN_PATH}/") and "/.." not in path
    return _ADDRESS.match(text) is not None or is_below


# -- Node, Ruby, Perl, PHP ---------------------------------------------------------------------------

CONNECTS = {
    NODE: r"\bnew\s+(?:[\w.]+\.)?(?:Database|DatabaseSync|PGlite|Sequelize|DataSource|PrismaClient|Knex|Pool"
    r"|Client|MongoClient|Connection|Redis|Cluster|MikroORM)\s*\(|\b(?:Database|PGlite\.create|knex|Knex|drizzle|postgres|mysql|neon|createPool"
    r"|createConnection|createClient|createCluster|createDatabase|newDb|createPg|pgp)\s*\(|\b\w+\.(?:connect|createConnection)\s*\(",
    PHP: r"\bnew\s+\\?(?:PDO|SQLite3|mysqli|\w*Connection|MongoDB\\Client|Redis)\b\s*\(?"
    r"|\b(?:mysqli_connect|pg_p?connect|oci_connect|sqlsrv_connect|sqlite_open|odbc_connect)\s*\("
    r"|\b\w+::(?:getConnection|connect|connection)\s*\(|->(?:addConnection|connect)\s*\(",
    PERL: r"(?:->|::)connect(?:_cached)?\b\s*\(?|\bDBIx?::\w+->new\s*\(",
    RUBY: r"\bSQLite3::Database\.(?:new|open)\b[ \t(]*|\bSequel\.(?:connect|sqlite|postgres|mysql2?)\b[ \t(]*"
    r"|\bestablish_connection\b[ \t(]*"
    r"|\b(?:PG(?:::Connection)?|(?:Mysql2|Mongo|TinyTds)::Client|Redis)\.(?:new|open|connect)\b[ \t(]*"
    r"|\bDataMapper\.setup\b[ \t(]*",
}
"""Where code of a language connects to a database; what it is given follows."""
_MADE_HERE = pattern(r"\b(?:newDb|createPg)\s*\(\Z")
"""Databases of libraries that are never anywhere but in memory."""
_CONNECTION = pattern(r"(?P<kind>Database|DatabaseSync|PGlite(?:\.create)?)\s*\([^()]*\)\Z")
"""A connection that is made in Node and given to another library."""
_EMPTY = pattern(
    r"\b(?:DatabaseSync|PGlite(?:\.create)?)\s*\(\Z|\bSequel\.sqlite\b|\bDatabase\s*\(\Z"
)
"""Places that make a database in memory, or in a temporary file, if they are given nothing."""
_IN_MEMORY = pattern(r"\bPGlite(?:\.create)?\s*\(\Z")
"""Places that make a database in memory, unless a folder is named."""
_HOLDS_ADDRESS = frozenset(
    "filename storage database datadir fs path url dsn connectionstring datasourceurl dbname uri".split()  # noqa: SIM905
)
_NAMES_SERVER = frozenset(
    "host hostname server port socket socketpath user username syncurl replication srvhost proxyhost"  # noqa: SIM905
    " stream".split()
)
_SAYS_NO_SERVER = frozenset(
    "host port user username password database type dialect name logging synchronize entities dropschema max"  # noqa: SIM905
    " ssl charset timezone multiplestatements connectiontimeoutmillis idletimeoutmillis".split()
)
"""Keys of a connection of which none but the host and the port lead anywhere."""
_OTHERS = pattern(
    r"(?i)\b(?:postgres(?:ql)?|mysql2?|mariadb|mongodb(?:\+srv)?|rediss?|sqlserver|mssql|jdbc)://?"
    r"|['\"](?:pgsql|mysql|sqlsrv|oci|odbc|dblib):|\bdbi:(?!sqlite)\w"
    r"|(?:require\(|from|require)\s*['\"](?:pg|mysql2?|postgres|typeorm|mongodb|mongoose|ioredis|redis|@prisma/client"
    r"|@planetscale/database|@neondatabase/serverless|active_record/railtie|mongo|tiny_tds)(?:/\w+)?['\"]"
    r"|\b(?:class|as)\s+PGlite\b|\bPGlite\b[^;{}'\"]*\}\s*from\s*['\"]\."
    r"|\b(?:eval|create_function|extract|parse_str)\s*\(|\bnew\s+Function\b|\bclass_eval\b"
)
"""Signs of another database, and of code that is not read."""
PUT_IN = pattern(
    r"\$\{(?P<node>[^{}]*)\}|#\{(?P<ruby>[^{}]*)\}|\{(?P<php>\$[^{}]*)\}|(?P<bare>\$\w+)"
)
_JOINS = pattern(
    r"(?:\b(?:path|posix|File|File::Spec|File::Spec::Functions)(?:\.|->|::))?"
    r"(?:join|resolve|catfile|catdir)\Z"
)
_MAKES_FOLDER = pattern(
    r"(?:await\s+)?(?:(?:fs|fsp|fsPromises|fs\.promises|promises)\.)?(?:mkdtempSync|mkdtemp)\Z|Dir\.mktmpdir\Z"
    r"|(?:File::Temp::)?tempdir\Z|File::Temp->newdir\Z|tmp\.dirSync\Z"
)
_MAKES_FILE = pattern(
    r"\\?tempnam\Z|File::Temp->new\Z|Tempfile\.(?:new|create)\Z|(?:File::Temp::)?tempfile\Z|tmp\.fileSync\Z"
)
_TEMPORARY = pattern(
    r"(?:os\.)?tmpdir\(\)\Z|\\?sys_get_temp_dir\(\)\Z|Dir\.tmpdir(?:\(\))?\Z|File::Spec->tmpdir(?:\(\))?\Z"
)
_FROM_ROOT = pattern(r"['\"`]/")
_SAME = pattern(
    r"(?s)\A\(?(?P<inner>.+?)(?:->(?:filename|stringify|dirname)|\.(?:path|to_s|to_path|name|expand_path|toString\(\)"
    r"|freeze))\)?(?:\(\))?\Z"
)
_PATHNAME = pattern(
    r"(?:Pathname(?:\.new)?|String|File\.expand_path|realpathSync|fs\.realpathSync)\Z"
)
_CALL = pattern(r"(?s)(?P<name>[\w.:>\\ -]+?)\s*\((?P<given>.*)\)\Z")
_NAME = pattern(
    r"(?P<holder>(?:(?:[$@]{0,2}[A-Za-z_]\w*|\\?\w+)(?:\.|::|->|\?\.))*)[$@]{0,2}(?P<name>[A-Za-z_]\w*)"
    r"(?:\[\s*:?['\"]?(?P<key>\w+)['\"]?\s*\]|->\{\s*['\"]?(?P<braced>\w+)['\"]?\s*\}|\{\s*['\"]?(?P<hashed>\w+)['\"]?\s*\}"
    r"|\.fetch\(\s*:?['\"](?P<fetched>\w+)['\"]\s*\))?(?P<called>\(\s*\))?\Z"
)
_ENVIRONMENT = frozenset(("env", "ENV", "_ENV", "_SERVER"))
_SETS_COMPUTED = pattern(
    r"[\w)\]]\[\s*(?!['\":\d\s])[^\n=]{1,80}\]\s*=(?![=~>])|\{\s*\$[^}\n=]{1,80}\}\s*=(?![=~>])"
)
"""A key that is computed gets a value."""
_PAIR = pattern(r"(?s)(?P<quote>['\"]?):?(?P<key>\w+)(?P=quote)\s*(?:=>|:(?!:))\s*(?P<value>.+)")


def are_own(
    code: str, language: Language, beside: str = "", environment: Mapping[str, str] | None = None
) -> bool:
    """Whether all databases of a program are its own; ``beside`` is what its other files define.

    ``environment`` are the variables that it is known to get; the default of any other is certain for nobody.
    """
    from operators_edge.shell.code import variables  # noqa: PLC0415 - for few programs

    whole = f"{code}\n{beside}" if beside else code
    known = environment or {}
    whole = variables.with_values(whole, language, known, takes_defaults=False)
    joined = _JOINT.sub("", whole)
    starts_server = language is NODE and own_servers.is_had(joined)
    if starts_server:
        joined = own_servers.CLIENT_LIBRARY.sub("", joined)
        if own_servers.may_be_another(whole):
            return False
    if language not in CONNECTS or _OTHERS.search(joined) or ATTACHES.search(joined):
        return False
    is_handed = is_handed_in(whole, language, of_clients=not starts_server)
    if LINKS.search(joined) or HOLE in beside or is_handed:
        return False
    return _program_is_own(whole, language)


_RUNS_SQL = pattern(
    r"(?<![\w$.>:])(?P<root>[$@\\]{0,2}[A-Za-z_]\w*)(?:(?:\?\.|->|::|\.)\w+(?:\([^()\n]*\))?)*?(?:\?\.|->|\.)"
    r"(?:query|execute\w*|exec|run|raw|unsafe|prepare|do|\$executeRawUnsafe)\b"
)
_EMPTIES = pattern(
    r"(?<![\w$.>:])(?P<root>[A-Za-z_$][\w$]*)(?:(?:\?\.|\.)\w+(?:\([^()\n]*\))?)*?(?:\?\.|\.)"
    r"(?:dropDatabase|deleteMany|flush[aA]ll|flush[dD]b)\b"
)
_ASKS_INLINE = pattern(
    r"\((?:\s*await)?\s*(?:require|import)\(\s*['\"](?!\.|node:)"
    r"|\brequire\(\s*['\"](?!\.|node:|mongodb|@?testcontainers|redis-memory|mongoose['\"]|i?o?redis['\"]|pg['\"]|mysql)"
    r"[^'\"\n]+['\"]\s*\)\s*[.\[]"
)
"""A library whose value has no name."""
_BARE_SQL = pattern(
    r"(?m)^[ \t]*(?:run|execute|exec|query|exec_query)\b[ \t(]*['\"]\s*(?i:drop|delete|truncate)\s"
)
"""SQL that is run by what a module has brought in."""
_CALLS_WITH_SQL = pattern(
    r"(?<![\w$.])(?P<name>[A-Za-z_$][\w$]*)\s*\(?\s*['\"`]\s*(?i:drop|delete|truncate|alter|update)\s"
)
_TAKES = pattern(
    r"\b(?P<again>export)\b[^;\n]*?\bfrom\s*['\"](?P<exported>[^'\"\n]+)['\"]"
    r"|\bimport\s+(?P<names>[^;'\"]+?)\s+from\s*['\"](?P<imported>[^'\"\n]+)['\"]"
    r"|(?:(?P<all>\bmodule\.exports\b)|(?<![\w.$])(?P<held>[\w.$]+|\{[^{};]*\}))\s*=\s*(?:await\s+)?(?:require|import)\(\s*['\"](?P<required>[^'\"\n]+)['\"]"
    r"|\b(?:require|import)\(\s*['\"](?P<inline>[^'\"\n]+)['\"]\s*\)"
    r"(?P<used>[^;\n]*?\.(?:query|execute\w*|exec|run|raw|unsafe|dropDatabase|deleteMany|flush[aA]ll|flush[dD]b)\b)"
)
"""How code of Node takes something from a library."""
_NO_NAMES = frozenset(("as", "default", "type", "const", "let", "var"))
_LIBRARIES = pattern(
    r"(?:node:)?(?:sqlite|fs|path|os|child_process|process|assert|test)(?:/|\Z)|better-sqlite3|bun:sqlite|sqlite3?\Z|sql\.js"
    r"|@libsql/|@electric-sql/pglite|knex|sequelize|pg-mem|drizzle-orm|\."
)
_CLASSES = frozenset(
    "SQLite3 Sequel ActiveRecord DBI PDO File FileUtils Process Open3 Kernel Rake IPC".split()  # noqa: SIM905
)


_CLIENTS = pattern(
    r"(?:pg|pg-pool|pg-promise|mysql2?|mariadb|mongodb|mongoose|ioredis|redis|typeorm|postgres|@prisma/client)(?:/|\Z)"
)
"""Libraries that connect to the address that they get."""


def is_handed_in(code: str, language: Language, *, of_clients: bool = True) -> bool:
    """Whether SQL is run by what a library that is not read may have connected.

    ``of_clients`` is False where the clients of databases are known to connect to the address that they get.
    """
    roots = {one["root"].strip("$@\\") for one in _RUNS_SQL.finditer(code)}
    if language is NODE:
        roots |= {one["name"] for one in _CALLS_WITH_SQL.finditer(code)}
        roots |= {one["root"].strip("$@") for one in _EMPTIES.finditer(code)}
        if _EMPTIES.search(code) and _ASKS_INLINE.search(code):
            return True
        foreign = [
            one
            for one in _TAKES.finditer(code)
            if not _LIBRARIES.match(_library(one))
            and (of_clients or not _CLIENTS.match(_library(one)))
        ]
        if any(one["used"] or one["again"] or one["all"] for one in foreign):
            return True
        held = [one["names"] or one["held"] or "" for one in foreign]
        names = {name for one in held for name in re.findall(r"\w+", one)} - _NO_NAMES
        for _ in range(_MAX_DEPTH if names else 0):
            made = re.compile(
                rf"\b(\w+)\s*=(?![=>])[^;\n(]*?\b(?:{'|'.join(map(re.escape, names))})\b"
            )
            names |= set(made.findall(code))
        return not roots.isdisjoint(names)
    if language is RUBY and _BARE_SQL.search(code):
        return True
    named = {one for one in roots if one[:1].isupper()} - _CLASSES
    return any(
        not re.search(rf"\b(?:class|module|package)\s+(?:\w+(?:::|\\))*{one}\b|\b{one}\s*=", code)
        for one in named
    )


def _library(taken: re.Match[str]) -> str:
    named = ("exported", "imported", "required", "inline")
    return next(filter(None, map(taken.group, named)), "")


@lru_cache(maxsize=256)
def is_own_name(name: str, code: str, language: Language) -> bool:
    """Whether all that a program sets a variable or a key to is the address of a database of its own."""
    from operators_edge.shell.code import linked_code  # noqa: PLC0415 - for few programs

    if LINKS.search(code) or HOLE in code:
        return False
    code, _ = linked_code.with_returns(_PUTS.sub(_put, code), language)
    values = Values(code)
    found = values.values_of(name)
    return bool(found) and all(values.is_own(one, 0) for one in found)


_PUTS = pattern(r"\bputenv\(\s*(['\"])(\w+)=(\1\s*\.\s*)?")


def _put(match: re.Match[str]) -> str:
    """``putenv("X=$value")`` as an assignment: ``X = ("$value")``."""
    return f"{match[2]} = (" + ("" if match[3] else match[1])


@lru_cache(maxsize=64)
def _program_is_own(code: str, language: Language) -> bool:
    from operators_edge.shell.code import linked_code  # noqa: PLC0415 - for few programs

    code = own_servers.without_taken_apart(usual(code)) if language is NODE else code
    code, functions = linked_code.with_returns(code, language)
    # A connection that is commented out proves nothing, and makes nothing certain either.
    comments = re.compile(language.comment + r"|(?P<kept>'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\")")
    plain = comments.sub(lambda one: one["kept"] or "", code)
    places = islice(pattern(CONNECTS[language]).finditer(code), MAX_SITES + 1)
    found = [site_at(code, one) for one in places]
    # A function of the program's own is known by what it returns.
    sites = [one for one in found if one and one.kind.rstrip("( ") not in functions]
    kinds = (re.sub(r"\A(?:new)\s+|\s*\(\Z", "", one.kind) for one in sites)
    values = Values(code, frozenset(kinds))
    return (
        len(found) <= MAX_SITES
        and any(one.kind in plain for one in sites)
        and all(values.is_own_site(one) for one in sites)
    )


_SQLITE = r"['\"](?:node:sqlite|better-sqlite3|bun:sqlite|sqlite3|@libsql/client)['\"]"
_CALLS_MODULE = pattern(r"\brequire\(\s*['\"](?:(?P<knex>knex)|better-sqlite3)['\"]\s*\)(?=\s*\()")
_NAMES_MODULE = pattern(
    rf"\b(?:const|let|var)\s+(\w+)\s*=\s*require\(\s*{_SQLITE}\s*\)|\bimport\s+(\w+)\s+from\s*{_SQLITE}"
)


_IN_PROCESS = pattern(
    r"\b(?:const|let|var)\s+(?:(\w+)|\{([\w\s,]*)\})\s*=\s*(?:await\s+)?[\w.()]*\bcreatePg(?:Promise)?\(\)"
)
"""What stands for a client of a database that pg-mem keeps."""
_KNEX = pattern(
    r"\b(?:const|let|var)\s+(\w+)\s*=\s*require\(\s*['\"]knex['\"]\s*\)|\bimport\s+(\w+)\s+from\s*['\"]knex['\"]"
)
_OPENS = pattern(r"(?:\bfrom|\brequire\()\s*['\"]sqlite['\"]")


def usual(code: str) -> str:
    """Node's code that calls a database library by its usual name."""
    code = _CALLS_MODULE.sub(lambda one: one["knex"] or "Database", code)
    if _OPENS.search(code):
        code = re.sub(r"(?<![.\w])open\s*\(", "Database(", code)
    for one, other in _KNEX.findall(code):
        code = re.sub(rf"(?<![\w.]){one or other}(?=\s*\(\s*\{{)", "Knex", code)
    for named, taken in _IN_PROCESS.findall(code):
        of_names = "|".join([*re.findall(r"\w+", taken), *([rf"{named}\.\w+"] if named else [])])
        code = re.sub(rf"\bnew\s+(?:{of_names})(?=\s*\()", "newDb", code) if of_names else code
    for one, other in _NAMES_MODULE.findall(code):
        code = re.sub(rf"(?<=new )\s*{one or other}(?=\s*\()", "Database", code)
    return code


class Site:
    """A place where code connects: the name of what it calls, and what it is given."""

    def __init__(self, kind: str, given: list[str]) -> None:
        self.kind = kind
        self.given = given


def site_at(code: str, match: re.Match[str]) -> Site | None:
    """The place of a connection; None if a function or a class of that name is only defined there."""
    before = code[max(0, match.start() - 12) : match.start()]
    if re.search(r"\b(?:function|def|sub|class)\s+(?:self\.)?\Z", before):
        return None
    kind = match[0].strip()
    has_paren = kind.endswith("(")
    rest = code[match.end() : match.end() + _MAX_CALL]
    made = re.match(r"(\w+)\.connect\s*\(\Z", kind)
    if made and rest.lstrip()[:1] == ")" and re.search(rf"\b{made[1]}\s*=\s*(?:new|newDb)\b", code):
        return None  # that of what was made before
    given = (
        bracketed.upto(rest, ")")
        if has_paren
        else re.split(r"[\n;]|\bdo\b|\)\s*$", rest, maxsplit=1)[0]
    )
    return Site(kind, [one for one in bracketed.split(given, ",") if one])


class Values:
    """What the names of a program stand for, as far as each of their values is in its code."""

    def __init__(self, code: str, connections: frozenset[str] = frozenset()) -> None:
        self.code = code
        self.connections = connections
        """What connects in places that are judged by themselves."""
        self._values: dict[tuple[str, bool], list[str]] = {}

    def is_own_site(self, site: Site) -> bool:
        if _MADE_HERE.search(site.kind):
            return True
        if not site.given:
            return _EMPTY.search(site.kind) is not None
        pairs = [pair for one in site.given for pair in pairs_of(one)]
        keys = {key.lower() for key, _ in pairs}
        if keys & _NAMES_SERVER:
            return self._is_own_host(site)
        held = [value for key, value in pairs if _holds_address(key.lower(), value)]
        is_in_memory = ("memory", "true") in pairs or _IN_MEMORY.search(site.kind) is not None
        if is_in_memory and not held and (pairs and all(map(is_whole, site.given))):
            return True
        if held:
            return all(self.is_own(one, 0) for one in held)
        if pairs and pairs[0][1] and pairs_of(site.given[0]):
            return False
        return self.is_own(site.given[0], 0)

    def _is_own_host(self, site: Site) -> bool:
        """Whether a table names a server that the program has started, by its host and port."""
        table = site.given[0]
        parts = [one for one in bracketed.split(table[1:-1], ",") if one.strip()]
        found = [_PAIR.match(one.strip()) for one in parts]
        given = {one["key"].lower(): one["value"].strip() for one in found if one is not None}
        is_plain = len(given) == len(parts) and not given.keys() - _SAYS_NO_SERVER
        if table[:1] != "{" or len(site.given) > 1 or not is_plain:
            return False
        host = own_servers.HOST.match(given.get("host", ""))
        port = own_servers.PORT.match(given.get("port", ""))
        is_one = host is not None and port is not None and host["server"] == port["server"]
        return is_one and host is not None and self._is_own_server(host["server"], 0)

    def _is_own_server(self, expression: str, depth: int) -> bool:
        """Whether each value of an expression is a server that the program starts for itself."""
        text = bare(expression)
        if depth > _MAX_DEPTH:
            return False
        if made := own_servers.STARTS.match(text):
            is_known = own_servers.is_had(self.code, made["memory"] or made["container"])
            names = own_servers.given_names(made)
            return is_known and names is not None and all(map(self._is_text, names))
        return self._all_values(text, depth, self._is_own_server)

    def _is_text(self, name: str) -> bool:
        """Whether a name stands for texts alone."""
        found = self.values_of(name)
        return bool(found) and all(map(own_servers.is_image, found))

    def is_own(self, expression: str, depth: int) -> bool:
        """Whether each value of an expression is the address of a database of its own."""
        text = bare(expression)
        if depth > _MAX_DEPTH or not text:
            return False
        made = _CONNECTION.match(text)
        if made is not None and made["kind"] in self.connections:
            return True  # whose own place counts
        if address := own_servers.ADDRESS.match(text):
            return self._is_own_server(address["server"], depth + 1)
        quoted = QUOTED.fullmatch(text)
        if quoted is not None:
            return self._is_own_text(quoted, depth)
        return self._in_own_place(text, depth) or self._all_values(text, depth, self.is_own)

    def _is_own_text(self, quoted: re.Match[str], depth: int) -> bool:
        text = next((one for one in quoted.group("text", "q", "p", "b") if one is not None), "")
        if is_own_address(text):
            return True
        parts = list(PUT_IN.finditer(text)) if quoted["quote"] != "'" else []
        if not parts or not _PREFIX.match(text[: parts[0].start()]):
            return False
        first = next(filter(None, parts[0].groups()), "")
        rest = f"'{text[parts[0].end() :]}'"
        return _is_below([rest]) and (
            self._in_own_place(first, depth + 1) or self._is_unique(first, rest)
        )

    def _is_unique(self, folder: str, rest: str) -> bool:
        """Whether a path in the folder for temporary files has a part that no other file has."""
        return _TEMPORARY.match(bare(folder)) is not None and is_unique(rest)

    def _in_own_place(self, expression: str, depth: int) -> bool:
        """Whether each value of an expression is a path in a temporary folder of its own."""
        text = bare(expression)
        if depth > _MAX_DEPTH or not text:
            return False
        added = bracketed.split(text, "+.") if QUOTED.search(text) else [text]
        if len(added) > 1 and all(added) and any(map(QUOTED.fullmatch, added)):
            return self._is_own_sum(added, depth)
        divided = bracketed.split(text, "/")
        if len(divided) > 1:  # Ruby's Pathname
            return _is_below(divided[1:]) and self._in_own_place(divided[0], depth + 1)
        quoted = QUOTED.fullmatch(text)
        if quoted is not None:
            return self._is_own_text(quoted, depth)
        called = _CALL.fullmatch(text)
        name = called["name"].strip() if called else text
        if _MAKES_FOLDER.match(name) or _MAKES_FILE.match(name):
            return True
        given = bracketed.split(called["given"], ",") if called else []
        if called and _JOINS.search(name) and given:
            return self._is_own_path(given, depth)
        if called and _PATHNAME.match(name) and len(given) == 1:
            return self._in_own_place(given[0], depth + 1)
        same = _SAME.match(text)
        if same is not None and self._in_own_place(same["inner"], depth + 1):
            return True
        return self._all_values(text, depth, self._in_own_place)

    def _is_own_path(self, parts: list[str], depth: int) -> bool:
        is_own = self._in_own_place(parts[0], depth + 1)
        is_own = is_own or self._is_unique(parts[0], " ".join(parts[1:]))
        return is_own and _is_below(parts[1:]) and not any(map(_FROM_ROOT.match, parts[1:]))

    def _is_own_sum(self, parts: list[str], depth: int) -> bool:
        """``"sqlite:" . $dir . "/a.db"``."""
        texts = [one[1:-1] if QUOTED.fullmatch(one) else "" for one in parts]
        first = next((at for at, one in enumerate(texts) if not one), len(parts) - 1)
        rest = parts[first + 1 :]
        if not _PREFIX.match("".join(texts[:first])) or not _is_below(rest):
            return False
        is_own = self._in_own_place(parts[first], depth + 1)
        return is_own or self._is_unique(parts[first], " ".join(rest))

    def _all_values(self, text: str, depth: int, test: object) -> bool:
        named = _NAME.fullmatch(text)
        if named is None:
            return False
        holder = re.split(r"\W+", named["holder"].strip(".:>-?"))[-1] if named["holder"] else ""
        keys = ("key", "braced", "hashed", "fetched")
        key = next(filter(None, map(named.group, keys)), "")
        is_variable = (named["name"] if key else holder) in _ENVIRONMENT
        name = key or named["name"]
        if (key or holder) and not is_variable and _SETS_COMPUTED.search(self.code):
            return False
        found = self.values_of(name, of_environment=is_variable)
        return bool(found) and all(test(one, depth + 1) for one in found)  # type: ignore[operator]

    def values_of(self, name: str, *, of_environment: bool = False) -> list[str]:
        """All that a name is ever given; nothing if it may be given more than that."""
        asked = (name, of_environment)
        if asked not in self._values:
            self._values[asked] = self._all_given(name, of_environment=of_environment)
        return self._values[asked]

    def _all_given(self, name: str, *, of_environment: bool) -> list[str]:
        word = re.escape(name)
        if re.search(_otherwise_set(word), self.code):
            return []
        if of_environment:
            set_here = (
                rf"(?:\benv\.{word}|\b_?E(?:NV|nv)[\[{{]\s*['\"]?{word}['\"]?\s*[\]}}]"
                rf"|\benv\[['\"]{word}['\"]\])"
            )
            if re.search(rf"{set_here}\s*(?:\|\||//|\?\?)=|dotenv|Dotenv|\$ENV\{{\s*\$", self.code):
                return []
        else:
            set_here = rf"(?<![\w]){word}['\"]?(?:\s*[\]}}])?"
        sets = re.compile(
            rf"{set_here}\s*(?:=>|=(?![=~>])|:(?![:=]))\s*(?P<value>)"
            rf"|\b(?:sub|def)\s+(?:self\.)?{word}\s*(?:\(\s*\))?\s*[{{\n;](?!\s*(?:return\b|{word}\s*=))(?P<body>)"
            rf"|(?P<made>(?:Dir\.mktmpdir|Tempfile\.create)(?:\([^()]*\))?)\s*(?:do|\{{)\s*\|\s*{word}\s*[|,]"
        )
        found: list[str] = []
        for one in sets.finditer(self.code):
            if len(found) >= MAX_SITES:
                return []
            if one["made"]:
                found.append(f"{one['made'].partition('(')[0]}()")
                continue
            if of_environment and own_servers.is_conditional(self.code, one.start()):
                return []
            rest = self.code[one.end() : one.end() + _MAX_CALL]
            found.append(_first_expression(rest))
        return found


def _holds_address(key: str, value: str) -> bool:
    return key in _HOLDS_ADDRESS or (key == "connection" and value.strip()[:1] not in "{[")


def _is_below(parts: list[str]) -> bool:
    """Whether what is added to a folder leads to nowhere else: texts, and what makes a name unique."""
    for one in parts:
        quoted = QUOTED.fullmatch(one)
        if quoted is None and not is_unique(one):
            return False
        put_in = [next(filter(None, each.groups()), "") for each in PUT_IN.finditer(one)]
        if ".." in one or (quoted and not all(map(is_unique, put_in))):
            return False
    return True


def _otherwise_set(word: str) -> str:
    """A pattern of code that gives a name something in another way than by one assignment."""
    name = rf"[$@]{{0,2}}{word}\b"
    return (
        rf"(?m){name}\s*(?:\|\||&&|\?\?|//|[-+*.%x&|^]|<<)=(?!=)|{name}\s*=~\s*(?:s|tr|y)\W|{name}\s*<<"
        rf"|{name}\.(?:replace|sub!|gsub!|concat|prepend|insert|clear|chomp!|push|unshift|reverse!)\b"
        rf"|(?:(?<!ENV)[{{\[(]|,)\s*(?:my\s+)?{name}\s*(?:,[^;\n(){{}}\[\]]{{0,200}})?[}}\])]\s*=(?![=>~])"
        rf"|^[ \t]*(?:[$@\w]{{1,40}}[ \t]*,\s{{0,40}}){{1,12}}{name}\s*=(?!=)"
        rf"|^[ \t]*{name}\s*,[^;\n=(){{}}]{{0,200}}=(?![=>])"
        rf"|\bfor(?:each)?\b[^\n;{{]*{name}\s*(?:in\b|of\b|\))|\bas\s+(?:[$]\w+\s*=>\s*)?{name}"
        rf"|[\\&]\s*[$]{word}\b|\b(?:function|def|sub|fn)\b[^\n{{(]*\([^()]*{name}[^()]*\)|\(\s*{name}[^()]*\)\s*=>"
        rf"|(?<![.\w]){name}\s*=>\s*[{{(]|\bcatch\s*\(\s*{name}|\bimport\s+{name}\s+from\s*['\"][^.]"
    )


def _first_expression(text: str) -> str:
    """The expression at the beginning of a text, up to its end."""
    for at, mark, level in bracketed.marks(text, ",;\n"):
        if level < 0 or (level == 0 and mark in ",;"):
            return text[:at].strip()
        if mark == "\n" and level == 0:
            before, after = text[:at].rstrip(), text[at:].lstrip()
            goes_on = (
                before[-1:] in ("+", ".", "(", "?", ":", "|", "&", "") or after[:1] in ".+?:|&"
            )
            if not goes_on or re.match(r"(?:end|\})\b", after):
                return before
    return text.strip()


def bare(expression: str) -> str:
    """An expression without brackets around it, and without what only waits for it."""
    text = re.sub(r"\A(?:await|return|new)\s+(?=[\w(\\])", "", expression.strip())
    text = re.sub(r"\s+(?:as\s+\w+|;)\Z", "", text).strip().rstrip(";").strip()
    while text[:1] == "(" and bracketed.upto(text, ")", 1) == text[1:-1]:
        text = text[1:-1].strip()
    return text


def pairs_of(text: str) -> list[tuple[str, str]]:
    """The keys and values of a table, also of one in a table."""
    inner = text[1:-1] if text[:1] in "{[" and text[-1:] in "}]" else text
    found = []
    for part in bracketed.split(inner, ","):
        one = _PAIR.match(part)
        if one is None:
            continue
        if one["value"][:1] in "{[":
            found += pairs_of(one["value"])
        found.append((one["key"], one["value"]))
    return found


def is_whole(text: str) -> bool:
    """Whether every part of a table is a key with its value, and each key is there once."""
    if text[:1] != "{" or text[-1:] != "}":
        return True
    parts = [one for one in bracketed.split(text[1:-1], ",") if one.strip()]
    found = [_PAIR.match(one.strip()) for one in parts]
    return len({one["key"].lower() for one in found if one is not None}) == len(parts)


# end of module
