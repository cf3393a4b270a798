"""What settings of runners of Node's tests change of what stands in, and the files that run before each test.

``setupFiles: ["<rootDir>/test/setup.ts"]``: what such a file puts in the place of a library is there for all
tests. Owns finding these files, and when it is certain that each test has them. Pure but for ``Facts``. Does
not own what stands in (``shell.code.node_stand_ins``).
"""

from __future__ import annotations

import os.path

from operators_edge.shell.code import node_stand_ins
from operators_edge.shell.code.bracketed import split
from operators_edge.shell.code.comments import without_comments_of_node
from operators_edge.text.patterns import pattern

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
    r"|\bpreset['\"]?\s*:\s*['\"](?!ts-jest)"
)
"""By which some tests may have other files, or there may be more settings."""
_MORE_IN_JSON = pattern(
    r"\"(?:projects|rootDir|roots|extends)\"\s*:|\"preset\"\s*:\s*\"(?!ts-jest)"
)
_WORD = pattern(r"['\"](?:<rootDir>/|\./)?([\w./@-]+)['\"]")
_ADDS_NOTHING = frozenset(
    ("dotenv/config", "jest-extended/all", "@testing-library/jest-dom", "reflect-metadata")
)
"""Packages that such settings name, and that put nothing in the place of others."""
_OF = {"jest": ("jest", "package.json"), "vitest": ("vitest", "vite")}


def changes_stand_ins(search: Search, inside: str, *, knows_set_up: bool) -> bool:
    """Whether the line, or settings of the runner, may take away what stands in, or say what it is."""
    if any(map(node_stand_ins.OPTIONS.match, search.words[1:])):
        return True
    for folder in _folders(search, inside):
        names = search.follower.names(folder, search.context)
        if "__mocks__" in {one.partition("/")[0] for one in names}:
            return True
        for _, text in _settings(search, folder):
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
        for path, text in _settings(search, folder)
    ]
    found = [one for one in every if "setupFiles" in one[2]]
    others = [path for _, path, _ in every if not path.endswith("package.json")]
    if len(found) != 1 or context.arrivals or others not in ([], [found[0][1]]):
        return None
    folder, path, text = found[0]
    plain = text if path.endswith(".json") else without_comments_of_node(text)
    named = list(_SETS_UP.finditer(plain))
    is_own = os.path.basename(path).startswith(_OF.get(search.inv.program, ("?",)))
    is_all = plain.count("setupFiles") == len(named) == len({one["key"] for one in named})
    if not (is_own and is_all and _is_one_table(path, plain)):
        return None
    texts = []
    for one in named:
        for word in split(one["value"].strip("[]"), ","):
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


def _is_one_table(path: str, plain: str) -> bool:
    """Whether settings are in one table, of which all tests have all."""
    if path.endswith(".json"):
        return _MORE_IN_JSON.search(plain) is None
    is_once = plain.count("module.exports") + plain.count("export default") == 1
    return is_once and _ONE_TABLE.match(plain) is not None and not _MORE.search(plain)


def _folders(search: Search, inside: str) -> set[str]:
    return {inside, search.folder or inside, search.context.root}


def _settings(search: Search, folder: str) -> Iterator[tuple[str, str]]:
    """The files of settings in a folder, and their texts."""
    for name in search.follower.names(folder, search.context):
        if node_stand_ins.SETTINGS.match(name):
            path = os.path.join(folder, name)
            yield path, search.follower.read(path, search.context) or ""


# end of module
