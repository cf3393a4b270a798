"""Which database a client on the command line works in, and whether all that it does stays in it.

Owns the words of ``psql``, ``mysql`` and ``mongosh`` that say so, and what of SQL or JavaScript reaches past
the database that it runs in: another one, or the server. Does not own whether a database is the line's own
(``gate.own.made_here``) or there for tests (``gate.known_names``). Pure but for ``Facts``.
"""

from __future__ import annotations

from operators_edge.gate.given_texts import sql_texts
from operators_edge.shell.commands import HOLE
from operators_edge.text.patterns import compiled, found_in

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re

    from operators_edge.gate.invocation import Invocation
    from operators_edge.gate.paths import CallContext

_NAME = r"[\w$][\w$-]*"
_AT = r"(?:[^/@\s]*@)?(?P<host{n}>[\w.-]*)(?::(?P<port{n}>\d+))?/"
_OF_PSQL = (
    r"(?: -[aAbeELnqstwxX1]+| -[hpUvF] ?[^-\s]\S*| -[cf] \S+"
    r"| --(?:host|port|username|set|variable|command|file)[= ]\S+"
    r"| --(?:quiet|no-psqlrc|no-align|tuples-only|single-transaction|echo-\w+|no-password|csv))*"
)
_OF_MYSQL = (
    r"(?: -[ABEHNnrstvw]+| -[uhP] ?[^-\s]\S*| -p\S*| -e ?\S+"
    r"| --(?:user|host|port|password|protocol|execute|default-character-set)=\S+"
    r"| --(?:batch|silent|force|verbose|skip-column-names|table|raw))*"
)
_OF_MONGO = r"(?: --(?:quiet|norc|json)| --(?:host|port)[= ]\S+| --eval[= ]\S+)*"
CLIENT = (
    rf"psql{_OF_PSQL} (?:-d |--dbname[= ])?(?:(?P<a>{_NAME})"
    rf"|postgres(?:ql)?://{_AT.format(n=1)}(?P<b>{_NAME})(?:\?sslmode=\w+)?){_OF_PSQL}"
    rf"|(?:mysql|mariadb){_OF_MYSQL} (?:-D ?|--database=)?(?P<c>{_NAME}){_OF_MYSQL}"
    rf"|(?:mongosh|mongo){_OF_MONGO} (?:(?P<d>{_NAME})|mongodb://{_AT.format(n=2)}(?P<e>{_NAME})){_OF_MONGO}"
)
"""The words of a client that works in one database; what stands between them has no spaces in it."""
IN_SQL = frozenset(("database-drop", "database-update-all"))
_RULES = {"mongosh": frozenset(("database-drop-tool",))}
_SERVER = r"(?:^|\s)(?:-h ?|--host[= ])(\S+)|(?:^|\s)(?:-[pP] ?|--port[= ])(\d+)(?!\S)"

_QUOTE = r"[`\"'\[]?"
_OTHERS = (
    rf"(?im)\\c(?:onnect)?[ \t]+{_QUOTE}([^\s;'\"]+)"
    rf"|\b(?:drop|alter|detach)\s+database\s+(?:if\s+exists\s+)?{_QUOTE}([\w.$-]+)"
)
_OTHERS_OF_MYSQL = (
    rf"(?im)\b(?:drop|alter)\s+(?:database|schema)\s+(?:if\s+exists\s+)?{_QUOTE}([\w$-]+)"
    rf"|(?:^|;)[ \t]*use[ \t]+{_QUOTE}([\w$-]+)"
    rf"|\b(?:table|from|into|update|truncate)\s+(?:if\s+exists\s+)?{_QUOTE}([\w$-]+){_QUOTE}\.{_QUOTE}\w"
)
"""Databases that SQL names."""
_PAST_SQL = (
    r"(?i)\\(?:!|c\b|connect\b)|\b(?:dblink\w*|postgres_fdw|federated|program|outfile|dumpfile)\b"
    r"|\bpg_(?:terminate|cancel|drop|switch|reload|promote|rotate)\w*\s*\("
    r"|\b(?:reset|purge|kill|shutdown|undrop|detach|grant|revoke|lo_\w+)\b|(?:^|;)\s*(?:use|system)\b"
    r"|\b(?:drop|alter|create)\s+(?:database|role|user|login|tablespace|owned|server|subscription"
    r"|publication|group|system|event)\b|\bset\s+(?:@@)?(?:global|persist)|\brename\s+to\b"
)
_OF_ANOTHER = r"[\w`\"]\s*\.\s*[`\"]?[A-Za-z_]|(?i:\bschema\b)"
"""``shop.orders``, which is a table of another database in MySQL."""
_PAST_CODE = (
    r"(?i)sibling|sister|getMongo|runCommand|connect\s*\(|\bMongo\s*\(|adminCommand|shutdown|(?:user|role)\w*\s*\("
    r"|\b(?:use|load|require|eval|fs|process)\b|\bto\s*:|\$out\b|\$merge\b"
)
_NAMES_ONE = r"\b(?:(?:db\s*\.\s*)?getSiblingDB|use)\s*\(\s*['\"](?P<name>[\w-]+)['\"]\s*\)"
_NAMED_ONE = r"\bdb\[named '([\w-]+)'\]"


def _named_one(found: re.Match[str]) -> str:
    return f"db[named '{found['name']}']"


def name_of(words: dict[str, str]) -> str:
    """The name of the database, of what ``CLIENT`` has found."""
    return next(filter(None, map(words.get, "abcde")), "")


def server_of(arguments: str, words: dict[str, str]) -> tuple[str, str]:
    """The host and port that the words of a command name; "" for none."""
    named = compiled(_SERVER).findall(arguments)
    host = next((one for one, _ in named if one), words.get("host1") or words.get("host2") or "")
    port = next((one for _, one in named if one), words.get("port1") or words.get("port2") or "")
    return host, port


def is_local(server: tuple[str, str]) -> bool:
    """Whether a server, as its words name it, is one of this machine."""
    return compiled(r"/.*|localhost|127\.0\.0\.1|").fullmatch(server[0]) is not None


def rules_of(inv: Invocation) -> frozenset[str]:
    """The rules on a client that are about what its database holds."""
    return _RULES.get(inv.program, IN_SQL)


def stays_inside(inv: Invocation, context: CallContext) -> bool:
    """Whether all that a client is given to do is certainly about the database that it works in."""
    if inv.program in _RULES:
        texts, past = inv.codes, _PAST_CODE
    else:
        texts, past = sql_texts(inv, context), _PAST_SQL
        if inv.program == "mysql":
            past = f"{past}|{_OF_ANOTHER}"
    return bool(texts) and not any(HOLE in one.text or found_in(past, one.text) for one in texts)


def others_named(inv: Invocation, context: CallContext) -> list[str]:
    """The databases that a client names to work in them, or to drop them; "" for one that is not known."""
    if inv.program == "mongosh":
        address, *files = [one.text for one in inv.operands] or [""]
        script = inv.script(context)
        texts = [script, *(one.text for one in inv.codes)]
        texts = [compiled(_NAMES_ONE).sub(_named_one, one) for one in texts]
        named = [name for one in texts for name in compiled(_NAMED_ONE).findall(one)]
        is_inside = not any(HOLE in one or found_in(_PAST_CODE, one) for one in texts)
        is_read = not files[1:] and bool(script) == bool(files)
        return [address, *named, *(() if is_inside and is_read else ("",))]
    names = {"psql": _OTHERS, "mysql": _OTHERS_OF_MYSQL}.get(inv.program)
    found = [
        each
        for one in (sql_texts(inv, context) if names else ())
        for each in compiled(names or "").finditer(one.text)
    ]
    others = [next(filter(None, one.groups()), "") for one in found]
    if inv.program == "psql":  # of two operands, the second is who connects
        given = list(inv.values(("-d", "--dbname"))) or inv.operands[:1]
        others += (one.text for one in given)
    return others


# end of module
