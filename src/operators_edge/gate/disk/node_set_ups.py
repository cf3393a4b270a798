"""What settings of runners of Node's tests change of what stands in, and the files that run before each test.

``setupFiles: ["<rootDir>/test/setup.ts"]``: what such a file puts in the place of a library is there for all
tests. Owns finding these files, and when it is certain that each test has them. Pure but for ``Facts``. Does
not own what stands in (``shell.code.node_stand_ins``).
"""

from __future__ import annotations

import json
import os.path
import re

from operators_edge.shell.code import node_stand_ins
from operators_edge.shell.code.bracketed import marks, split
from operators_edge.shell.code.comments import JAVASCRIPT, without_comments
from operators_edge.text.patterns import pattern
from operators_edge.text.settings_files import values_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from operators_edge.gate.disk.search import Search

_SETS_UP = pattern(
    r"['\"]?\b(?P<key>setupFiles(?:AfterEnv)?)['\"]?\s*:\s*(?P<value>\[[^\[\]]*\]|['\"][^'\"\n]+['\"])\s*(?=[,}\n])"
)
_ONE_TABLE = pattern(
    r"\A\s*(?:(?:import|const|let|var)\b[^\n;{}]*(?:\{[\w\s,]*\})?[^\n;{}]*;?\s*|/\*\*[^\n]*\*/\s*)*"
    r"(?:module\.exports\s*=|export\s+default)\s*(?:defineConfig\s*\(\s*)?\{"
)
_MORE = pattern(
    r"\b(?<!<)(?:projects|workspace|rootDir|roots|root|testEnvironmentOptions|extends|mergeConfig)\b|\.\.\.|\?|\bif\b|\bprocess\b"
    r"|\bpreset['\"]?\s*:\s*['\"](?!ts-jest)|\btransform['\"]?\s*:[^}]*['\"](?:<rootDir>|\.)|\b(?:runner|testRunner|resolver|runtime)['\"]?\s*:"
    r"|\b(?:from|import|require\()\s*['\"]\.|[{,]\s*\[[^\]]*\]\s*:|\bmodule\b(?!\.exports\s*=)"
)
"""By which some tests may have other files, or there may be more settings."""
_MORE_IN_JSON = frozenset(("projects", "rootDir", "roots", "runner", "testRunner", "resolver"))
_OWN_FILES = {
    "jest": pattern(r"jest\.config\.(?:[cm]?[jt]s|json)\Z|package\.json\Z"),
    "vitest": pattern(r"vitest\.config\.[cm]?[jt]s\Z|vite\.config\.[cm]?[jt]s\Z"),
}
"""The files that a runner takes its settings from, in the folder where it is started."""
_AROUND = {"jest": pattern(r"\{\Z"), "vitest": pattern(r"\{.*\btest['\"]?\s*:\s*\{\Z", re.DOTALL)}
"""What stands around the settings of tests."""
_WORD = pattern(r"['\"](?:<rootDir>/|\./)?([\w./@-]+)['\"]")
_ADDS_NOTHING = frozenset(
    ("dotenv/config", "jest-extended/all", "@testing-library/jest-dom", "reflect-metadata")
)
"""Packages that such settings name, and that put nothing in the place of others."""


def changes_stand_ins(search: Search, inside: str, *, knows_set_up: bool) -> bool:
    """Whether the line, or settings of the runner, may take away what stands in, or say what it is."""
    if any(map(node_stand_ins.OPTIONS.match, search.words[1:])):
        return True
    for folder in _folders(search, inside):
        names = search.follower.names(folder, search.context)
        if "__mocks__" in {one.partition("/")[0] for one in names}:
            return True
        for _, text in settings(search, folder):
            plain = _SETS_UP.sub("", text) if knows_set_up else text
            if node_stand_ins.CHANGED_BY.search(plain):
                return True
    return False


def set_up(search: Search, inside: str) -> tuple[str, ...] | None:
    """The files that run before each test; None if it is not certain which these are, or what they hold."""
    context = search.context
    every = [
        (folder, path, text)
        for folder in _folders(search, inside)
        for path, text in settings(search, folder)
    ]
    found = [one for one in every if "setupFiles" in one[2]]
    others = [path for _, path, _ in every if not path.endswith("package.json")]
    if len(found) != 1 or context.arrivals or others not in ([], [found[0][1]]):
        return None
    folder, path, text = found[0]
    names = _OWN_FILES.get(search.inv.program)
    is_own = names is not None and names.match(os.path.basename(path)) is not None
    if not is_own or folder != (search.folder or context.root):
        return None
    values = _of_json(path, text) if path.endswith(".json") else _of_code(search.inv.program, text)
    if values is None:
        return None
    texts = []
    for one in values:
        for word in split(one.strip("[]"), ","):
            name = _WORD.fullmatch(word) if word else None
            if name is None and word:
                return None
            if name is None or name[1] in _ADDS_NOTHING:
                continue
            place = context.resolve(name[1], folder)
            read = search.follower.read(place, context) if place else None
            if place is None or read is None or not context.is_held(place):
                return None
            texts.append(read)
    return tuple(texts) if context.is_held(path) else None


def _of_json(path: str, text: str) -> list[str] | None:
    """The values of the settings that name such files."""
    table = values_of(path, text)
    if path.endswith("package.json"):
        table = table.get("jest") if isinstance(table, dict) else None
    if not isinstance(table, dict) or not _MORE_IN_JSON.isdisjoint(table):
        return None
    if not str(table.get("preset", "ts-jest")).startswith("ts-jest") or "rootDir>" in str(
        table.get("transform", "")
    ):
        return None
    values = [table[one] for one in ("setupFiles", "setupFilesAfterEnv") if one in table]
    return [json.dumps(one) for one in values] if len(values) == text.count('"setupFiles') else None


def _of_code(program: str, text: str) -> list[str] | None:
    """The same of a table in code, of which all tests have all."""
    plain = without_comments(text, JAVASCRIPT)
    named = list(_SETS_UP.finditer(plain))
    is_all = plain.count("setupFiles") == len(named) == len({one["key"] for one in named})
    is_once = plain.count("module.exports") + plain.count("export default") == 1
    is_table = is_once and _ONE_TABLE.match(plain) is not None and not _MORE.search(plain)
    if not (is_all and is_table):
        return None
    around = (_open_before(plain, one.start()) for one in named)
    return [one["value"] for one in named] if all(map(_AROUND[program].match, around)) else None


def _open_before(code: str, at: int) -> str:
    """The brackets that are open at a place, each but the first with what stands before it."""
    opened: list[int] = []
    for place, mark, _ in marks(code, ""):
        if place >= at:
            break
        if mark == "{":
            opened.append(place)
        elif mark == "}" and opened:
            opened.pop()
    if not opened or len(opened) > _MAX_OPEN:
        return ""
    return "{" + code[opened[0] + 1 : opened[-1] + 1] if len(opened) > 1 else "{"


_MAX_OPEN = 2


def _folders(search: Search, inside: str) -> set[str]:
    return {inside, search.folder or inside, search.context.root}


def settings(search: Search, folder: str) -> Iterator[tuple[str, str]]:
    """The files of a runner's settings in a folder, and their texts."""
    for name in search.follower.names(folder, search.context):
        if node_stand_ins.SETTINGS.match(name):
            path = os.path.join(folder, name)
            yield path, search.follower.read(path, search.context) or ""


# end of module
