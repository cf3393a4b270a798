"""Suites of tests that drive a browser: whether they delete or send something at a live address.

``baseURL`` of ``playwright.config.ts`` and its like is where ``request.delete("/api/boards")`` goes. Owns
finding that address, the tests that a run takes, and what in them changes something there. Pure but for
``Facts``. Does not own requests with an address of their own (``shell.code.twins``).
"""

from __future__ import annotations

import os.path
import re
from fnmatch import fnmatch

from operators_edge.gate.disk.search import Piece, SearchPart
from operators_edge.shell.code.addresses import is_elsewhere
from operators_edge.shell.code.bracketed import upto
from operators_edge.shell.code.comments import JAVASCRIPT, without_comments
from operators_edge.shell.commands import quoted
from operators_edge.text.lines import line_at
from operators_edge.text.patterns import pattern
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


class _Runner(NamedTuple):
    """What a runner calls its address, on its command and in a variable, and which files are its tests."""

    base: str
    option: str
    variable: str
    tests: re.Pattern[str]
    folders: re.Pattern[str]
    """What settings call the folders of its tests."""
    chosen: tuple[str, ...]
    """Options that name tests; () for operands."""


_CODE = r"\.[cm]?[jt]sx?\Z"
_RUNNERS = {
    "playwright": _Runner(
        "baseURL",
        "",
        "",
        pattern(rf"[._-](?:test|spec){_CODE}"),
        pattern(r"\btestDir\s*:\s*([^\n]+)"),
        (),
    ),
    "cypress": _Runner(
        "baseUrl",
        r"\bbaseUrl=([^\s,]+)",
        "CYPRESS_BASE_URL",
        pattern(rf"\.cy{_CODE}|/cypress/(?:e2e|integration)/.*{_CODE}"),
        pattern(r"\bspecPattern\s*:\s*([^\n]+)"),
        ("--spec", "-s"),
    ),
    "wdio": _Runner(
        "baseUrl",
        r"--base-?[uU]rl[= ](\S+)",
        "",
        pattern(rf"{_CODE}"),
        pattern(r"\bspecs\s*:\s*(\[[^\]]*\])"),
        ("--spec",),
    ),
    "codeceptjs": _Runner(
        "url", "", "", pattern(rf"{_CODE}"), pattern(r"\btests\s*:\s*([^\n]+)"), ()
    ),
    "nightwatch": _Runner(
        "(?:launch_url|launchUrl|baseUrl)",
        r"--(?:launch_url|baseUrl)[= ](\S+)",
        "",
        pattern(rf"{_CODE}"),
        pattern(r"\bsrc_folders\s*:\s*(\[[^\]]*\])"),
        ("--test", "-t"),
    ),
}
_ONLY_SHOWS = ("--list", "--help", "-h", "--ui-help")
_TEXT = pattern(r"['\"`]([^'\"`\n]+)['\"`]")
_ENV = pattern(r"\b(?:process\.env|import\.meta\.env)(?:\.|\[['\"])(\w+)")
_NAME = pattern(r"[A-Za-z_]\w*\Z")
_LOADS_ENV = pattern(r"dotenv|\bloadEnv(?:File|Config)?\(|env-cmd")
_ENV_FILE = pattern(r"['\"`](?:\./)?([\w./-]*\.env(?:\.\w+)*)['\"`]")
_VERB = r"(?:delete|post|put|patch)"
_REQUEST = pattern(
    rf"\b(?:request|\w*[aA]pi\w*|\w*[cC]ontext|\w*[cC]lient|ctx)\)?\s*\.\s*(?P<verb>{_VERB})\(\s*(?P<quote>['\"`])(?P<path>[^'\"`\n]*)"
    r"|\bcy\.(?:request|api)\(\s*(?:['\"](?P<first>DELETE|POST|PUT|PATCH)['\"]\s*,\s*['\"`](?P<second>[^'\"`\n]*)|\{(?P<table>[^{}]{0,400}))"
    r"|\bfetch\(\s*['\"`](?P<fetched>/[^'\"`\n]*)['\"`]\s*,\s*\{(?P<options>[^{}]{0,400})"
)
_METHOD = pattern(r"\bmethod\s*:\s*['\"`](DELETE|POST|PUT|PATCH)")
_URL = pattern(r"\burl\s*:\s*['\"`]([^'\"`\n]*)")
_SIGNS_IN = pattern(r"(?i)log-?in|sign-?in|auth|session|token|oauth|graphql|search|query")
"""Paths to which a test sends something to get in, or to ask."""
_LOST = r"(?:[dD]elete|[rR]emove|[dD]estroy|[wW]ipe|[eE]rase|[pP]urge)"
_CLICKS = pattern(
    rf"\b(?:name|hasText)\s*:\s*['\"`/]\^?{_LOST}[^\n]{{0,120}}\.click\("
    rf"|\bclick\(\s*['\"`][^'\"`\n]*{_LOST}|\.contains\([^()\n]*['\"`/]\^?{_LOST}[^()\n]*\)[^\n]{{0,40}}\.click\("
    rf"|\bgetBy(?:Text|Label|TestId)\(\s*['\"`/][^'\"`/\n]*{_LOST}[^\n]{{0,80}}\.click\("
    rf"|\$\(\s*['\"`][^'\"`\n]*{_LOST}[^'\"`\n]*['\"`]\s*\)\)?\.click\("
)
"""What a person would click to delete something."""
_ANSWERS = pattern(
    r"\broute\.fulfill\(|\brouteFromHAR\(|\bcy\.intercept\(|['\"]msw\b|\bbrowser\.mock\("
)
"""What may answer the pages in the place of the server."""
_MAX_TESTS = 40
_MAX_FOLDERS = 200
_NO_TESTS = frozenset(("node_modules", "dist", "build", "out", "coverage", "test-results"))


class BrowserSuite(SearchPart):
    """The tests that one command runs in a browser."""

    def pieces(self, path: str, text: str) -> Iterator[Piece]:
        runner = _RUNNERS.get(self.inv.program)
        if runner is None or any(one.name in _ONLY_SHOWS for one in self.inv.flags):
            return
        named = [self.search.path(one.text) for one in self.inv.values(("-c", "--config", "-C"))]
        if path not in named and any(one and self.context.facts.size(one) for one in named):
            return
        settings = without_comments(text, JAVASCRIPT)
        base = self._base(runner, settings, path)
        for file, code in self._code(runner, settings, os.path.dirname(path)):
            own = self._literal(_used(runner, code), {}) or base
            if not is_elsewhere(own):
                continue
            for run, at in _acts(code, own):
                yield Piece(file, run, line_at(code, at), folder=self.folder, is_direct=False)

    # -- the address ---------------------------------------------------------------------------------

    def _base(self, runner: _Runner, settings: str, path: str) -> str:
        """The address that the run takes; "" if it is not known."""
        given = {**dict(self.search.variables()), **dict(self.search.environment())}
        told = re.findall(runner.option, " ".join(self.search.words)) if runner.option else []
        if told:
            return str(told[-1])
        if given.get(runner.variable):
            return given[runner.variable]
        known = {**self._loaded(settings, path), **given}
        expression = _used(runner, settings, is_settings=True)
        if _NAME.match(expression):
            set_to = re.findall(rf"\b(?:const|let|var)\s+{expression}\s*=\s*([^\n;]+)", settings)
            expression = set_to[0].strip() if len(set_to) == 1 else ""
        return self._literal(expression, known)

    def _literal(self, expression: str, known: Mapping[str, str]) -> str:
        """The address that an expression comes to: a text, a variable, or what it is without that."""
        chosen = re.fullmatch(r"(.+?)(?<!\?)\?(?![.?])(.+?):(?![/\d])(.+)", expression)
        if chosen is not None:
            is_set = any(known.get(one) for one in _ENV.findall(chosen[1]))
            expression = chosen[2] if is_set else chosen[3]
        for part in re.split(r"\|\||\?\?", expression):
            asked, written = _ENV.search(part), _TEXT.search(part)
            if asked and not (written and "${" in written[1]):
                if known.get(asked[1]):
                    return known[asked[1]]
            elif written:
                return re.sub(r"\$\{[^{}]*?(\w+)\}", lambda one: known.get(one[1], "x"), written[1])
        return ""

    def _loaded(self, settings: str, path: str) -> dict[str, str]:
        """The variables of the files that the settings load."""
        if not _LOADS_ENV.search(settings):
            return {}
        names = _ENV_FILE.findall(settings) or [".env"]
        return self.search.variables_of(names, (os.path.dirname(path), self.context.root))

    # -- the tests -----------------------------------------------------------------------------------

    def _code(self, runner: _Runner, settings: str, folder: str) -> Iterator[tuple[str, str]]:
        """The files of the tests and their helpers, without comments."""
        seen = set[str]()
        for path in self._tests(runner, settings, folder)[:_MAX_TESTS]:
            text = self.follower.read(path, self.context)
            if text is None:
                continue
            modules = self.search.local_modules(os.path.dirname(path), text, "node")
            for file, code in ((path, text), *((one.path, one.text) for one in modules)):
                if file not in seen:
                    seen.add(file)
                    yield file, without_comments(code, JAVASCRIPT)

    def _tests(self, runner: _Runner, settings: str, folder: str) -> list[str]:
        named = [one for given in runner.folders.findall(settings) for one in _TEXT.findall(given)]
        places = [re.split(r"/?[^/]*[*{]", one)[0] for one in named] or ["."]
        if runner.tests.search("x.js") and not named:
            places = ["test", "tests", "e2e"]  # every file of code there
        found = [
            one
            for place in dict.fromkeys(places)
            for one in self._below(os.path.normpath(os.path.join(folder, place)))
            if runner.tests.search(one)
        ]
        words = [one.text for one in self.inv.values(runner.chosen)] if runner.chosen else []
        if not runner.chosen:
            words = [one.text for one in self.inv.operands[1:]]
        asked = [one.removeprefix("./") for word in words for one in word.split(",") if one]
        return [one for one in found if not asked or any(_is_asked(one, two) for two in asked)]

    def _below(self, folder: str) -> Iterator[str]:
        if (
            self.context.facts.size(folder) is not None
            and self.follower.names(folder, self.context) == []
        ):
            yield folder
            return
        left = [folder]
        for here in left:
            for name in self.follower.names(here, self.context):
                path = os.path.join(here, name)
                if re.search(_CODE, name):
                    yield path
                elif "." not in name and name not in _NO_TESTS and len(left) < _MAX_FOLDERS:
                    left.append(path)


def _is_asked(path: str, word: str) -> bool:
    plain = re.sub(r":\d+(?::\d+)?\Z", "", word)
    return plain in path or fnmatch(path, f"*{plain}")


def _used(runner: _Runner, code: str, *, is_settings: bool = False) -> str:
    """What code sets the address to; in a file of tests, by ``test.use({baseURL: …})`` alone."""
    start = "" if is_settings else r"\btest\.use\(\s*\{[^{}]{0,200}?"
    if is_settings:  # the address of the server that it starts is another
        server = re.search(r"\bwebServer\s*:\s*[\[{]", code)
        if server is not None:
            closing = "]" if server[0][-1] == "[" else "}"
            code = (
                code[: server.start()]
                + code[server.end() + len(upto(code, closing, server.end())) :]
            )
    found = re.search(rf"{start}\b{runner.base}['\"]?\s*:\s*([^\n]+)", code)
    return re.split(r",\s*(?=['\"]?\w+['\"]?\s*:|\Z)|\s*\}", found[1])[0].strip() if found else ""


def _acts(code: str, base: str) -> Iterator[tuple[str, int]]:
    """What a file changes at the address, as commands."""
    for one in _REQUEST.finditer(code):
        table = one["table"] or one["options"] or ""
        method = _METHOD.search(table)
        url = _URL.search(table)
        verb = (one["verb"] or one["first"] or (method[1] if method else "")).upper()
        path = one["path"] or one["second"] or one["fetched"] or (url[1] if url else "")
        if not verb or "://" in path or (verb != "DELETE" and _SIGNS_IN.search(path)):
            continue
        place = re.sub(r"\$\{[^{}]*\}", "x", path).lstrip("/")
        yield quoted(["curl", "-X", verb, f"{base.rstrip('/')}/{place}"]), one.start()
    clicked = None if _ANSWERS.search(code) else _CLICKS.search(code)
    if clicked is not None:
        yield quoted(["curl", "-X", "DELETE", base]), clicked.start()


# end of module
