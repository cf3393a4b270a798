"""The file that jest runs before all tests, where it starts servers for them and says so in variables.

``process.env.MONGO_URL = server.getUri()`` in ``globalSetup``: a test that connects to that reaches a
server of the suite's own. Owns finding the file, and when nothing else may set the variables. Pure but for
``Facts``. Loaded for tests of Node that name a variable.
"""

from __future__ import annotations

from operators_edge.text.patterns import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from operators_edge.gate.disk.search import Search

_NAMED = pattern(r"\bglobalSetup['\"]?\s*:\s*['\"](?:<rootDir>/|\./)?([\w./-]+)['\"]")
_SETS_MORE = pattern(
    r"\b(?:setupFiles\w*|projects|preset|rootDir|testEnvironmentOptions)['\"]?\s*:|\btestEnvironment['\"]?\s*:\s*['\"](?!node\b|jsdom\b)"
)
"""Settings by which other files may set variables, too."""
_OPTIONS = pattern(r"--(?:no-\w|globalSetup|setupFiles|env|rootDir|projects|preset)")
_ENDINGS = ("", ".js", ".ts", ".cjs", ".mjs")


def texts(search: Search) -> dict[str, str]:
    """The file with its path; nothing if it is not certain what tests have from it."""
    from operators_edge.shell.code import node_stand_ins, own_servers  # noqa: PLC0415 - for one language

    context, words = search.context, search.words[1:]
    is_other = any(node_stand_ins.OPTIONS.match(one) or _OPTIONS.match(one) for one in words)
    if search.inv.program != "jest" or is_other or context.arrivals:
        return {}
    settings = [(folder, _exported(text)) for folder, text in _settings(search)]
    named = [(folder, one) for folder, text in settings for one in _NAMED.findall(text)]
    if len(named) != 1 or any(_SETS_MORE.search(text) for _, text in settings):
        return {}
    folder, name = named[0]
    for ending in _ENDINGS:
        path = context.resolve(name + ending, folder)
        text = search.follower.read(path, context) if path else None
        if path and context.is_changed(path):
            return {}
        if path and text is not None:
            return {path: text} if own_servers.sets_variables(text) else {}
    return {}


_EXPORTS = pattern(r"(?:\bmodule\.exports\s*=|\bexport\s+default)\s*\{")


def _exported(text: str) -> str:
    """What a file of settings gives back, without comments; all of it where that is not one table."""
    from operators_edge.shell.code import bracketed  # noqa: PLC0415 - for one language
    from operators_edge.shell.code.comments import JAVASCRIPT, without_comments  # noqa: PLC0415 - for one language

    plain = without_comments(text, JAVASCRIPT)
    tables = list(_EXPORTS.finditer(plain))
    inside = [bracketed.upto(plain, "}", one.end()) for one in tables]
    more = "" if len(tables) == 1 or not tables else "preset:"
    return f"{inside[0]}{more}" if inside else plain


def _settings(search: Search) -> Iterator[tuple[str, str]]:
    """The runner's settings, with their folders."""
    from operators_edge.gate.disk import node_set_ups  # noqa: PLC0415 - for one language

    context = search.context
    for folder in {search.folder or context.root, context.root}:
        for path, text in node_set_ups.settings(search, folder):
            yield folder, "preset:" if context.is_changed(path) else text


# end of module
