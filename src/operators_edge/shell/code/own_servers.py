"""Servers of databases that a program of Node starts for itself, in memory or in a container.

``MongoMemoryServer.create()``, ``new PostgreSqlContainer(…).start()``: what happens in them is nobody's loss.
Owns how such a server, its address and its port are written, and whether its class is surely one of the
libraries that are known. Pure. Does not own which connections a program has (``shell.code.own_databases``).
"""

from __future__ import annotations

import re

from operators_edge.shell.code import bracketed
from operators_edge.text.patterns import pattern

_LIBRARY = pattern(
    r"(?:require\(|\bfrom)\s*"
    r"['\"](?:mongodb-memory-server(?:-\w+)*|redis-memory-server|@?testcontainers(?:/\w+)?)['\"]"
)
"""Libraries that start a server for the program alone."""
CLIENT_LIBRARY = pattern(
    r"(?:require\(|\bfrom)\s*"
    r"['\"](?:pg|pg-promise|mysql2?(?:/promise)?|postgres|mongodb|mongoose|ioredis|redis|typeorm)['\"]"
)
"""Libraries whose connections are known: such a program may have them to a server of its own."""
STARTS = pattern(
    r"(?s)(?:new\s+)?(?:(?P<memory>MongoMemory(?:Server|ReplSet)|RedisMemoryServer)(?:\.create)?"
    r"|(?P<container>\w*Container))\s*\((?P<given>[^()]*)\)"
    r"(?P<more>(?:\s*\.with\w+\((?:[^()]|\([^()]*\))*\))*)(?:\s*\.start\(\))?\Z"
)
_LETS_IN = pattern(
    r"dbPath|withBindMounts|withNetworkMode|withReuse|withCopy|withEntrypoint|withExtraHosts|\.\.\.|[{,]\s*\["
    r"|withCommand\((?!\s*\[\s*['\"](?:postgres|mysqld|mariadbd|mongod|redis-server|valkey-server|-))"
)
"""What a server of its own may have from the machine, and what it may be instead."""
_IMAGE = pattern(
    r"['\"`](?:[\w.-]+/)*(?:postgres|postgis|pgvector|timescaledb|mysql|mariadb|mongo|redis|valkey)[\w-]*(?:[:@][^'\"`$]*)?['\"`]"
)
_TEXT = pattern(r"'[^'\n]*'|\"[^\"\n]*\"|`[^`$]*`")
_WORD = pattern(r"[A-Za-z_$][\w$]*(?!\s*:)(?![\w$])")
_PLAIN = frozenset(("true", "false", "null", "undefined"))
_CONDITION = pattern(
    r"(?:\b(?:if|while|for|switch|catch)\s*\((?:[^(){};]|\([^(){};]*\))*\)|\belse|\bcase\b[^:\n]*:|&&|\|\||\?\?|\?|\bdefault\s*:)\Z"
)
_MAX_BEFORE = 400
_MAX_BLOCKS = 20
"""Blocks in blocks, around a statement."""
ADDRESS = pattern(
    r"(?s)(?P<server>[\w.$]+)\.get(?:Uri|ConnectionUri|ConnectionString|ConnectionUrl)"
    r"\(\s*(?:['\"][\w-]*['\"])?\s*\)\Z"
)
HOST = pattern(r"(?P<server>[\w.$]+)\.getHost\(\)\Z")
PORT = pattern(
    r"(?P<server>[\w.$]+)\.get(?:Port\(\)|FirstMappedPort\(\)|MappedPort\(\s*\d+\s*\))\Z"
)


_MAKERS = pattern(
    r"\bnew\s+[\w.]*(?:Client|Pool|Redis|Sequelize|DataSource|PrismaClient|mysqli)\b(?!\s*[(<\w])|"
    r"\b(?:Client|Pool|MongoClient|Sequelize|DataSource|PrismaClient|Redis|Knex|PDO|mysqli)\b"
    r"(?!\s*(?:\(|\.|::|\}|,|;|\)|=(?!=)|\||>))|\bextends\s+[\w.]*(?:Client|Pool|Redis|DataSource|PDO|mysqli)\b"
    r"|=\s*[\w.]*\b(?:Client|Pool|MongoClient|Sequelize|DataSource|PrismaClient|Redis|PDO|mysqli|connect|createPool"
    r"|createConnection|createClient)\s*[;,\n)]"
)
"""A class that connects gets another name, or another class is made of it."""
_ALTERS = pattern(
    r"\.(?:host|port|hostname|database|options|config|connectionParameters|prototype)\b[\w.\[\]'\"]*\s*=(?![=>])"
    r"|\b(?:eval|Reflect|Proxy|class_alias|const_get|instance_variable_set|define_method|defineProperty|useDb|selectDatabase)\b"
    r"|\bnew\s+Function\b|\b(?:require|import)\(\s*(?!['\"])|\bObject\.assign\(|['\"`\s;](?i:use)\s+\w+\s*['\"`;]"
    r"|\[\s*['\"](?:Client|Pool|connect|createConnection)['\"]\s*\]|\b(?:public_)?send\(?\s*:|\bmethod\(\s*:"
    r"|['\"]\)\s*\.\w+\s*=(?![=>])|\b(?:mysqli_init|real_connect|change_user|select_db|setdb|sethost|extract|parse_str)\b"
    r"|\buse\s+[\w\\]+\\(?:PDO|mysqli)\b|->\$\w+\s*\(|\bDBI_DSN\b|\bas\s+(?:PDO|mysqli)\b"
)
"""What may change the server behind the back of a call, or which code connects."""


def may_be_another(code: str) -> bool:
    """Whether code may connect by other names than the usual ones, or to another server than it says."""
    return _ALTERS.search(code) is not None or _MAKERS.search(code) is not None


def given_names(made: re.Match[str]) -> set[str] | None:
    """The names in what a server is started with; None if it may not be a server of its own alone."""
    given = made["given"].strip()
    if _LETS_IN.search(f"{given}{made['more']}"):
        return None
    is_image = not made["container"] or given[:1] not in ("'", '"', "`") or _IMAGE.match(given)
    return set(_WORD.findall(_TEXT.sub("", given))) - _PLAIN if is_image else None


def is_image(expression: str) -> bool:
    """Whether an expression is the name of an image of a server of databases."""
    return _IMAGE.fullmatch(expression.strip().rstrip(";")) is not None


def is_conditional(code: str, at: int) -> bool:
    """Whether a statement may be left out: it follows a condition, or in a block of one."""
    before = re.sub(r"(?:\bprocess|\bmeta|\bimport)\.\Z", "", code[:at])
    for _ in range(_MAX_BLOCKS):
        if _CONDITION.search(before[-_MAX_BEFORE:].rstrip()):
            return True
        level = 0
        for place in range(len(before) - 1, -1, -1):
            level += {"}": 1, "{": -1}.get(before[place], 0)
            if level < 0:
                before = before[:place]
                break
        else:
            return False
    return True


def is_had(code: str, name: str = "") -> bool:
    """Whether a program of Node has such a library; with ``name``, whether that class is surely of one."""
    taken = [
        one
        for one in _TAKES_NAMES.finditer(code)
        if not name or name in re.findall(r"\w+", one["names"])
    ]
    if not name:
        return any(map(_LIBRARY.search, (one[0] for one in taken)))
    others = re.search(
        rf"\b(?:class|function|as|import|import\s+type)\s+{name}\b|(?<!\w){name}\s*[=:](?![=>])",
        code,
    )
    return bool(taken) and others is None and all(_LIBRARY.search(one[0]) for one in taken)


_TAKES_NAMES = pattern(
    r"\b(?:import|const|let|var)\s+(?:\w+\s*,\s*)?\{(?P<names>[^{}]*)\}"
    r"\s*(?:=\s*(?:await\s+)?(?:require|import)\(|from)\s*['\"][^'\"\n]+['\"]"
)


_SETS_VARIABLE = pattern(r"\bprocess\.env(?:\.\w+|\[['\"]\w+['\"]\])\s*=(?!=)")
_LEAVES = pattern(r"\b(?:return|throw|exit)\b|=>\s*(?!\{)\S")


def sets_variables(code: str) -> bool:
    """Whether a file that starts servers sets all its variables in any case, in its one function."""
    places = [one.start() for one in _SETS_VARIABLE.finditer(code)]
    begun = _begin_of_exported(code)
    return (
        is_had(code)
        and bool(places)
        and 0 <= begun < places[0]
        and all(
            code.count("{", begun, at) == code.count("}", begun, at) + 1
            and not _LEAVES.search(code, begun, at)
            and code[:at].rstrip()[-1:] in (";", "{", "}")
            for at in places
        )
    )


_EXPORTED = pattern(
    r"(?:\bmodule\.exports\s*=|\bexport\s+default\b|\bexports\.default\s*=)\s*(?:async\b\s*)?(?P<value>function\b|\(|\w+)"
)


def _begin_of_exported(code: str) -> int:
    """Where the one function of a file begins that others get from it; -1 if that is not certain."""
    found = list(_EXPORTED.finditer(code))
    if len(found) != 1 or re.search(r"\bexports(?:\.\w+)?\s*=", code[found[0].end() :]):
        return -1
    value, at = found[0]["value"], found[0].start("value")
    if value not in ("function", "(") and not re.match(r"\s*=>", code[found[0].end() :]):
        named = rf"\bfunction\s+{value}\b|\b(?:const|let|var)\s+{value}\b[^=\n]*=\s*(?:async\b)?"
        made = list(re.finditer(named, code))
        at = made[0].end() if len(made) == 1 else -1
    if at < 0 or re.match(r"\w*function|\w*\s*\([^)]*\)\s*(?::[^={]*)?\{", code[at:]):
        return at
    return code.find("=>", at)


_TAKEN_APART = pattern(
    r"\b(?:const|let|var)\s+\{(?P<names>[\w\s,]*)\}\s*=\s*(?:await\s+)?(?P<maker>\w+)\([^()]*\)\s*;?"
)
_GIVEN_BACK = pattern(r"\breturn\s*\{(?P<names>(?:[^{}]|\{[^{}]*\})*)\}")


def without_taken_apart(code: str) -> str:
    """Code without ``const {a, b} = make()``, where a function of its own gives back just these names."""

    def own(match: re.Match[str]) -> str:
        names, maker = set(re.findall(r"\w+", match["names"])), re.escape(match["maker"])
        made = list(
            re.finditer(rf"\bfunction\s+{maker}\s*\(|\b{maker}\s*=\s*(?:async\s*)?\(", code)
        )
        foreign = (
            rf"\b{maker}\b[\s\w,}}]*(?:=\s*(?:await\s+)?(?:require|import)\(|\bfrom)\s*['\"](?!\.)"
        )
        body = bracketed.upto(code[code.find("{", made[0].end()) + 1 :], "}") if made else ""
        backs = [set(re.findall(r"\w+", one["names"])) for one in _GIVEN_BACK.finditer(body)]
        is_own = len(made) == 1 and len(backs) == 1 == len(re.findall(r"\breturn\b", body))
        return "" if is_own and names <= backs[0] and not re.search(foreign, code) else match[0]

    return _TAKEN_APART.sub(own, code)


# end of module
