"""What the command line alone shows: the tables of its SQL, the request it sends.

Pure. Owns the sentences about tables and requests.
Reports nothing for words that only the running command determines.
"""

from __future__ import annotations

import re

from operators_edge.approvals.impact.report import Impact
from operators_edge.gate.addresses import host_of
from operators_edge.gate.given_texts import sql_texts
from operators_edge.gate.operand_classes import WORD_CLASSES
from operators_edge.shell.commands import Word
from operators_edge.text.wording import amount, many

TYPE_CHECKING = False
if TYPE_CHECKING:
    from operators_edge.gate.invocation import Flag, Invocation
    from operators_edge.gate.paths import CallContext

UNKNOWN = "…"
"""How a finding writes a word that only the running command determines."""

MAX_TABLES = 6

# Comments and literals. Text in double quotes may be a name; MySQL runs what is in /*! */.
_IGNORED_SQL = re.compile(
    r"/\*!\d*|(?<!/)\*/|/\*.*?(?:\*/|\Z)|--[^\n]*|'(?:[^'\\]|''|\\.)*'", re.DOTALL
)
_NAME = r"""(?:[\w$.…]+|"[^"]+"|`[^`]+`|\[[^\]]+\])+"""
_OBJECT = (
    r"(?:foreign\s+table|materialized\s+view|event\s+trigger|table|database|schema|view|index|column"
    r"|user|role|function|procedure|trigger|type|sequence|extension|keyspace|collection|tablespace)"
)
_VERBS: tuple[tuple[str, str], ...] = (
    (
        rf"drop\s+(?P<what>{_OBJECT})\s+(?:concurrently\s+)?(?:if\s+exists\s+)?(?P<names>{_NAME}(?:\s*,\s*{_NAME})*)",
        "DROP",
    ),
    (rf"truncate\s+(?:table\s+)?(?:only\s+)?(?P<names>{_NAME}(?:\s*,\s*{_NAME})*)", "TRUNCATE"),
    (rf"delete\s+from\s+(?:only\s+)?(?P<names>{_NAME})", "DELETE"),
    (rf"update\s+(?:only\s+)?(?P<names>{_NAME})(?:\s+(?:as\s+)?\w+)?\s+set\b", "UPDATE"),
    (rf"alter\s+table\s+(?:if\s+exists\s+)?(?:only\s+)?(?P<names>{_NAME})", "ALTER TABLE"),
    (rf"(?:insert|replace)\s+(?:into|overwrite)\s+(?:table\s+)?(?P<names>{_NAME})", "INSERT"),
)
_HOST = ("-h", "--host", "-S", "--server")
_DATABASE = ("-d", "--dbname", "-D", "--database", "-n")
_HOST_VARIABLES = ("PGHOST", "MYSQL_HOST")
_DATABASE_VARIABLES = ("PGDATABASE", "MYSQL_DATABASE")
_PLACES = (("host", _HOST, _HOST_VARIABLES), ("database", _DATABASE, _DATABASE_VARIABLES))

_METHOD = ("-X", "--request", "--method")
_SENDING = re.compile(
    r"-(d|F|-data(-raw|-binary|-urlencode|-ascii)?|-json|-form(-string)?|-post-(data|file)|-body-(data|file)"
    r"|-raw|-raw-field|f|-field|-input|-multipart)$"
)
_UPLOADING = ("-T", "--upload-file")
_FILE_OPTIONS = ("-T", "--upload-file", "--post-file", "--body-file", "--input")
_HTTPIE = ("http",)


# -- tables --------------------------------------------------------------------------------------


def tables(inv: Invocation, ground: CallContext) -> Impact:
    """The statements that change something, with their tables, and where the database is."""
    texts = [word.text for word in sql_texts(inv, ground)]
    statements = [each for text in texts for each in _statements(_IGNORED_SQL.sub(" ", text))]
    parts = statements[:MAX_TABLES]
    if len(statements) > MAX_TABLES:
        parts.append(many(len(statements) - MAX_TABLES, "more statement"))
    line = f"{'; '.join(parts)}; in {_database(inv, texts) or 'a database not named'}"
    line = line if statements else "not known: no table is named on the line"
    how = "only from a backup"
    return Impact([line], "no", how)


def _statements(text: str) -> list[str]:
    """Each statement that changes something: its verb, its tables, and whether it takes every row."""
    statements = []
    for sql in _split(text):
        for pattern, verb in _VERBS:
            match = re.search(rf"\b{pattern}", sql, re.IGNORECASE)
            if match is None:
                continue
            what = match.groupdict().get("what")
            name = f"{verb} {' '.join(what.upper().split())}" if what else verb
            rows = ""
            if verb in ("DELETE", "UPDATE"):
                has_where = re.search(r"\bwhere\b", sql, re.IGNORECASE)
                rows = " with a WHERE" if has_where else " without WHERE: every row"
            statements.append(f"{name} {', '.join(_names(match['names']))}{rows}")
            break
    return statements


def _split(text: str) -> list[str]:
    return [each.strip() for each in text.split(";") if each.strip()]


def _names(text: str) -> list[str]:
    return [each.strip(' \t\n"`[]') for each in text.split(",") if each.strip()][:MAX_TABLES]


def _database(inv: Invocation, texts: list[str]) -> str:
    """Database and host as the command names them: by a URL, options, variables or the operand."""
    named = _by_options(inv) | _by_url(inv)
    first = inv.operands[0].text if inv.operands else ""
    is_name = first and "://" not in first and first not in texts
    if "database" not in named and is_name and not inv.program.startswith("@"):
        named["database"] = first
    return " on ".join(named[key] for key in ("database", "host") if key in named)


def _by_options(inv: Invocation) -> dict[str, str]:
    assigned = {name: value.text for name, value in inv.command.assigns}
    found: dict[str, str] = {}
    for key, options, variables in _PLACES:
        values = [word.text for word in inv.values(options) if "://" not in word.text]
        values += [assigned[name] for name in variables if name in assigned]
        if values and values[0]:
            found[key] = values[0]
    return found


def _by_url(inv: Invocation) -> dict[str, str]:
    found: dict[str, str] = {}
    for word in inv.operands + inv.values(("-d", "--dbname", "--uri")):
        if "://" in word.text:
            path = word.text.split("://", 1)[1].partition("/")[2]
            found = {"host": host_of(word.text), "database": re.split(r"[?#]", path)[0]}
    return {key: value for key, value in found.items() if value}


# -- requests ------------------------------------------------------------------------------------


def request(inv: Invocation, ground: CallContext, host: str = "") -> Impact:
    """What is sent where: method, host and path, without query, user and password; and the files.

    ``host`` is what the finding says of it. What is not known of a request is left out.
    """
    if inv.program in _COPYING:
        return _copy(inv, ground)
    if code := _request_in_code(inv):
        return Impact([code], "no", _SENT)
    urls = [word for word in inv.operands if _is_url(inv, word)]
    if inv.program not in _SPEAKING_HTTP or not urls:
        known = host.replace("\0", UNKNOWN)
        return Impact([f"sends to {known}" if known else "not known: where it goes"], "no", _SENT)
    url = urls[0].text
    name = host_of(url)
    is_here = bool(name) and not WORD_CLASSES["@remote-url"](urls[0])
    place = (UNKNOWN if UNKNOWN in name else name) + _path(url)
    more = f", and {many(len(urls) - 1, 'more address')}" if len(urls) > 1 else ""
    lines = [f"{_method(inv)} {place}{', on this machine' if is_here else ''}{more}".strip()]
    for sent in _uploads(inv):
        path = ground.resolve(sent, ground.cwd)
        size = ground.facts.size(path) if path else None
        lines.append(f"sends {sent} ({'size not known' if size is None else amount(size)})")
    return Impact(lines, "no", _SENT)


_SENT = "what was sent cannot be called back"
_COPYING = frozenset(("scp", "rsync", "rclone", "lftp"))
_SPEAKING_HTTP = frozenset(("curl", "wget", "http", "gh", "glab", "Invoke-WebRequest", "grpcurl"))
_CODE_REQUEST = re.compile(
    r"""(?ix)\b(?:(?P<method>post|put|patch|delete)\s*\(|fetch\s*\(|urlopen\s*\(|request\s*\()
    [^;\n]{0,80}?['"`]https?://(?P<host>[^/'"`?\#@\s]+)(?P<path>[^'"`?\#\s]*)"""
)


def _copy(inv: Invocation, ground: CallContext) -> Impact:
    """Files that a program copies to the machine which its last operand names."""
    *sources, target = inv.operands or [Word("")]
    if ":" not in target.text or not sources:
        return Impact(["not known: where it goes"], "no", _SENT)
    names = [word.text for word in sources]
    sizes = [
        ground.facts.size(path) for name in names if (path := ground.resolve(name, ground.cwd))
    ]
    known = [size for size in sizes if size is not None]
    total = f" ({amount(sum(known))})" if len(known) == len(names) else ""
    shown = ", ".join(names[:MAX_TABLES]) + (", …" if len(names) > MAX_TABLES else "")
    return Impact([f"sends {shown}{total} to {_without_user(target.text)}"], "no", _SENT)


def _without_user(target: str) -> str:
    scheme, separator, rest = target.rpartition("://")
    return scheme + separator + re.sub(r"^[^@/]*@", "", rest)


def _request_in_code(inv: Invocation) -> str:
    """The first request in a program's code, as far as it is written out."""
    for word in inv.codes:
        if match := _CODE_REQUEST.search(word.text):
            method = match["method"].upper() if match["method"] else "request to"
            return f"{method} {match['host'].lower()}{match['path']}"
    return ""


def _is_url(inv: Invocation, word: Word) -> bool:
    text = word.text
    if inv.program in ("gh", "glab"):
        return text == inv.operands[-1].text
    return "://" in text or bool(re.match(r"[^\s=@]*[.:…][^\s=]*$", text))


def _path(url: str) -> str:
    rest = url.split("://", 1)[-1]
    _, slash, path = re.split(r"[?#]", rest)[0].partition("/")
    return slash + path


def _method(inv: Invocation) -> str:
    named = inv.values(_METHOD)
    if named:
        return named[-1].text.upper()
    if inv.program in _HTTPIE:
        first = inv.operands[0].text if inv.operands else ""
        has_data = any(re.match(r"[^:/=\s]+(:=|=|@)", word.text) for word in inv.operands[1:])
        return first if re.fullmatch(r"[A-Z]+", first) else "POST" if has_data else "GET"
    return _method_by_options({flag.name for flag in inv.flags}, inv.program)


def _method_by_options(given: set[str], program: str) -> str:
    if given & {"-G", "--get"}:
        return "GET"
    if given & set(_UPLOADING) and program != "wget":
        return "PUT"
    return "POST" if any(map(_SENDING.match, given)) else "GET"


def _uploads(inv: Invocation) -> list[str]:
    """The files that the command reads in order to send them, as written."""
    names = [name for flag in inv.flags for name in _files_sent(flag, inv.program)]
    if inv.program in _HTTPIE:
        names += [word.text.partition("@")[2] for word in inv.operands if _is_form_file(word.text)]
    return [each for each in names if each not in ("-", "") and UNKNOWN not in each]


def _files_sent(flag: Flag, program: str) -> list[str]:
    text = flag.value.text if flag.value else ""
    if flag.name in _FILE_OPTIONS and not (flag.name == "-T" and program == "wget"):
        return [text]
    return re.findall(r"(?:^|=)[@<]([^;,\s]+)", text)[:1] if _SENDING.match(flag.name) else []


def _is_form_file(text: str) -> bool:
    return re.match(r"[\w.-]+@(?!.*://)", text) is not None


# end of module
