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
LETS_IN = pattern(r"dbPath|withBindMounts|withNetworkMode|withReuse|withCopy|\.\.\.")
"""What a server of its own may have from the machine."""
ADDRESS = pattern(
    r"(?s)(?P<server>[\w.$]+)\.get(?:Uri|ConnectionUri|ConnectionString|ConnectionUrl)"
    r"\(\s*(?:['\"][\w-]*['\"])?\s*\)\Z"
)
HOST = pattern(r"(?P<server>[\w.$]+)\.getHost\(\)\Z")
PORT = pattern(
    r"(?P<server>[\w.$]+)\.get(?:Port\(\)|FirstMappedPort\(\)|MappedPort\(\s*\d+\s*\))\Z"
)


def is_had(code: str, name: str = "") -> bool:
    """Whether a program of Node has such a library; with ``name``, whether that class is surely of one."""
    taken = [
        one
        for one in _TAKES_NAMES.finditer(code)
        if not name or name in re.findall(r"\w+", one["names"])
    ]
    if not name:
        return any(map(_LIBRARY.search, (one[0] for one in taken)))
    others = re.search(rf"\b(?:class|function)\s+{name}\b|(?<!\w){name}\s*[=:](?![=>])", code)
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
    begun = code.find("=>") if "=>" in code else code.find("function")
    return (
        is_had(code)
        and bool(places)
        and all(
            code.count("{", begun, at) == code.count("}", begun, at) + 1
            and not _LEAVES.search(code, begun, at)
            and code[:at].rstrip()[-1:] in (";", "{", "}")
            for at in places
        )
    )


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
