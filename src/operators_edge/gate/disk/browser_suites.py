"""Suites of tests that drive a browser: whether they delete or send something at a live address.

``baseURL`` of ``playwright.config.ts`` and its like is where ``request.delete("/api/boards")`` goes. Owns
finding that address, the tests that a run takes, and what in them changes something there. Pure but for
``Facts``. Does not own requests with an address of their own (``shell.code.twins``).
"""

from __future__ import annotations

import os.path
import re
from fnmatch import fnmatch
from itertools import islice

from operators_edge.gate.disk.search import Piece, SearchPart
from operators_edge.shell.code.addresses import is_elsewhere
from operators_edge.shell.code.bracketed import split, upto
from operators_edge.shell.code.comments import JAVASCRIPT, without_comments
from operators_edge.shell.code.node_texts import Texts, expression_at
from operators_edge.shell.commands import HOLE, quoted
from operators_edge.text.lines import line_at
from operators_edge.text.patterns import blanked, pattern
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator


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
_OF_SETTINGS = ("-c", "--config", "-C", "--config-file")
_ONLY_SHOWS = ("--list", "--help", "-h", "--ui-help")
_TEXT = pattern(r"['\"`]([^'\"`\n]+)['\"`]")
_LOADS_ENV = pattern(r"dotenv|\bloadEnv(?:File|Config)?\(|env-cmd")
_ENV_FILE = pattern(r"['\"`](?:\./)?([\w./-]*\.env(?:\.\w+)*)['\"`]")
_ENV_TEXT = pattern(r"(`[^`\n]*\.env[^`\n]*`)")
_VERB = r"(?:delete|post|put|patch)"
_REQUEST = pattern(
    rf"\b(?:request|\w*[aA]pi\w*|\w*[cC]ontext|\w*[cC]lient|ctx)\)?\s*\.\s*(?P<verb>{_VERB})\(\s*(?:(?P<quote>['\"`])(?P<path>[^'\"`\n]*)|(?P<named>[A-Za-z_$][\w$.]*(?:\(\))?(?:\s*\+[^,()\n]*)?)\s*[,)])"
    r"|\bcy\.(?:request|api)\(\s*(?:['\"](?P<first>DELETE|POST|PUT|PATCH)['\"]\s*,\s*(?:['\"`](?P<second>[^'\"`\n]*)|(?P<given>[A-Za-z_$][^,\n]*?)\s*(?:,|\)\s*[;.)\n]))|\{(?P<table>[^{}]{0,400}))"
    r"|\bfetch\(\s*['\"`](?P<fetched>/[^'\"`\n]*)['\"`]\s*,\s*\{(?P<options>[^{}]{0,400})"
)
_METHOD = pattern(r"\bmethod\s*:\s*['\"`](DELETE|POST|PUT|PATCH)")
_URL = pattern(r"\burl\s*:\s*['\"`]([^'\"`\n]*)")
_SIGNS_IN = pattern(
    r"(?i)log-?in|log-?on|sign-?in|auth(?:enticate|orize|orise)?|sessions?|(?:access-?)?tokens?|oauth2?|graphql|search|query"
)
"""Last parts of paths to which a test sends something to get in, or to ask."""
_MUTATES = pattern(r"\bmutation\b")
_FOR_FILE = r"\btest\.use\(\s*\{[^{}]{0,200}?"
"""How a file of tests sets the address for itself; the next, how it does so for some requests."""
_FOR_PAGE = r"\b(?:newContext|newPage|extend)\(\s*\{[^{}]{0,200}?"
_OPENS = pattern(r"(?:\.goto|\bcy\.visit|\bbrowser\.url)\(\s*(['\"`]https?://[^'\"`\n]*['\"`])")
"""A page with an address of its own."""
_DATA = pattern(r"['\"](\.{1,2}/[\w./-]+\.json)['\"]")
_KEYED = pattern(r"\"(\w+)\"\s*:\s*\"([^\"\n]*)\"")
_ADDRESS = pattern(r"['\"`](https?://[^'\"`\s$]+)['\"`]")
_HOST = pattern(
    r"['\"`]((?:[\w-]+\.){2,}(?!(?:[cm]?[jt]sx?|json|html|css|md|ya?ml|png|svg|env)['\"`])[a-z]{2,})['\"`]"
)
_PROJECTS = pattern(r"\bprojects\s*:\s*\[")
_NEEDS_OTHERS = pattern(r"\b(?:dependencies|teardown)\s*:")
_BY_NAME = pattern(r"\bcy\[")
_ADDS_COMMAND = pattern(r"\bCypress\.Commands\.add\(\s*['\"](?P<name>\w+)['\"]\s*,")
_LOST = r"(?:[dD]elete|[rR]emove|[dD]estroy|[wW]ipe|[eE]rase|[pP]urge)"
_CLICKS = pattern(
    rf"\b(?:name|hasText)\s*:\s*['\"`/]\^?(?i:(?:yes|confirm|really),? )?{_LOST}[^\n]{{0,120}}\.click\("
    rf"|\bclick\(\s*['\"`][^'\"`\n]*{_LOST}|\.contains\([^()\n]*['\"`/]\^?{_LOST}[^()\n]*\)[^\n]{{0,40}}\.click\("
    rf"|\bgetBy(?:Text|Label|TestId)\(\s*['\"`/][^'\"`/\n]*{_LOST}[^\n]{{0,80}}\.click\("
    rf"|\bcy\.(?:get|find\w+)\([^()\n]*?{_LOST}[^()\n]*\)[^\n]{{0,40}}\.click\("
    rf"|\$\(\s*['\"`][^'\"`\n]*{_LOST}[^'\"`\n]*['\"`]\s*\)\)?\.click\("
)
"""What a person would click to delete something."""
_LOCATES = pattern(
    rf"\b(?P<name>\w+)\s*(?:\(\)\s*\{{\s*return|=>|=|:)[^\n;]*?(?:getBy\w+|locator|\$|findBy\w+|\bget)\([^\n]*?['\"`/=\[_-]\^?{_LOST}"
)
"""A name for what a person would click."""
_ALL_PATHS = r"['\"`](?:https?://[^'\"`\n]*)?/?\*\*?(?:/\*{1,2}|/(?:api|graphql)/\*\*)?['\"`]"
_ANSWERS = pattern(
    rf"\.route\(\s*{_ALL_PATHS}[^;]{{0,200}}?\.(?:fulfill|abort)\(|\brouteFromHAR\((?![^;]*['\"]fallback['\"])"
    rf"|\bcy\.intercept\(\s*(?:['\"]DELETE['\"]\s*,\s*['\"`][^'\"`\n]*['\"`]|{_ALL_PATHS})\s*,\s*(?:\{{|\[|\d)"
)
"""What answers all that the pages send, or what they delete, in the place of the server."""
_PASSES_ON = pattern(r"\.(?:continue|fallback|unroute|unrouteAll)\(|\breq\.continue\b")
"""What lets some requests through after all."""
_BEFORE_EACH = pattern(r"\bbeforeEach\(")
_TESTS = pattern(r"\b(?:test|it|Scenario)(?:\.only)?\(\s*['\"`]")
_MAX_TESTS = 40
_MAX_FOLDERS = 200
_NO_TESTS = frozenset(("node_modules", "dist", "build", "out", "coverage", "test-results"))


class BrowserSuite(SearchPart):
    """The tests that one command runs in a browser."""

    def pieces(self, path: str, text: str) -> Iterator[Piece]:
        runner = _RUNNERS.get(self.inv.program)
        if runner is None or any(one.name in _ONLY_SHOWS for one in self.inv.flags):
            return
        named = [self.search.path(one.text) for one in self.inv.values(_OF_SETTINGS)]
        if path not in named and any(one and self.context.facts.size(one) for one in named):
            return
        settings = self._settings(path, text)
        bases = self._bases(runner, settings, path)
        tests = list(self._code(runner, settings, os.path.dirname(path)))
        called = "\n".join(code for _, code in tests)
        for file, code in tests:
            texts = Texts(f"{code}\n{settings}", self._known(settings, path))
            own = self._set_in(runner, code, texts, _FOR_FILE) or bases
            more = self._set_in(runner, code, texts, _FOR_PAGE)
            opened = [one for each in _OPENS.findall(code) for one in texts.of(each) or ()]
            base = next(filter(is_elsewhere, (*own, *more, *opened)), "")
            for run, at in _acts(_used_commands(code, called), base, texts):
                yield Piece(file, run, line_at(code, at), folder=self.folder, is_direct=False)

    # -- the address ---------------------------------------------------------------------------------

    def _settings(self, path: str, text: str) -> str:
        """The settings with the modules and the data that they take, of the projects that are chosen."""
        folder = os.path.dirname(path)
        texts = [text, *(one.text for one in self.search.local_modules(folder, text, "node"))]
        for name in (name for text in texts for name in _DATA.findall(text)):
            place = self.context.resolve(name, folder)
            data = (self.follower.read(place, self.context) if place else None) or ""
            texts.append(_as_declared(os.path.basename(name), text, data))
        whole = without_comments("\n".join(texts), JAVASCRIPT)
        return _without_server(self._of_projects(whole))

    def _of_projects(self, settings: str) -> str:
        """The settings without the projects that the words leave out."""
        chosen = [one.text for one in self.inv.values(("--project",))]
        head = _PROJECTS.search(settings)
        needs_others = _NEEDS_OTHERS.search(settings) is not None
        if (
            not chosen
            or head is None
            or needs_others
            or any(HOLE in one or "*" in one for one in chosen)
        ):
            return settings
        listed = upto(settings, "]", head.end())
        kept = [one for one in split(listed, ",") if not _names_another(one, chosen)]
        return settings.replace(listed, ", ".join(kept))

    def _bases(self, runner: _Runner, settings: str, path: str) -> list[str]:
        """The addresses that the run may take: all that the settings name, if that cannot be read."""
        given = {**dict(self.search.variables()), **dict(self.search.environment())}
        words = " ".join(self.search.words)
        option = re.findall(runner.option, words) if runner.option else []
        if option:
            return [str(option[-1])]
        if given.get(runner.variable):
            return [given[runner.variable]]
        return self._set_in(runner, settings, Texts(settings, self._known(settings, path)))

    def _set_in(self, runner: _Runner, code: str, texts: Texts, start: str = "") -> list[str]:
        """What code sets the address to, behind what ``start`` finds."""
        found: list[str] = []
        for one in re.finditer(
            rf"{start}\b{runner.base}['\"]?\]?\s*(?P<sign>[:=](?![=>])|[,}}])\s*", code
        ):
            is_short = one["sign"] in ",}"
            if is_short and not re.search(
                rf"[{{,]\s*{runner.base}\s*\Z", code[: one.end("sign") - 1]
            ):
                continue
            expression = runner.base if is_short else expression_at(code, one.end())
            values = texts.of(expression)
            if values is None:
                values = [*_ADDRESS.findall(texts.code)]
                values += [f"https://{one}" for one in _HOST.findall(texts.code)]
            found += values
        return list(dict.fromkeys(found))

    def _known(self, settings: str, path: str) -> dict[str, str]:
        """The variables of the run, and of the files that its settings load."""
        folders = (os.path.dirname(path), self.context.root)
        given = {**dict(self.search.variables()), **dict(self.search.environment())}
        texts = Texts(settings, given)
        named = [name for one in _ENV_TEXT.findall(settings) for name in texts.of(one) or ()]
        names = [*_ENV_FILE.findall(settings), *named] or [".env"]
        loaded = self.search.variables_of(names, folders) if _LOADS_ENV.search(settings) else {}
        place = os.path.join(folders[0], "cypress.env.json")
        of_cypress = (
            self.follower.read(place, self.context) if self.inv.program == "cypress" else ""
        )
        pairs = [
            one.text for one in self.inv.values(("-e", "--env")) if self.inv.program == "cypress"
        ]
        words = dict(one.split("=", 1) for each in pairs for one in each.split(",") if "=" in one)
        plain = {one.removeprefix("CYPRESS_"): value for one, value in given.items()}
        return {**loaded, **dict(_KEYED.findall(of_cypress or "")), **plain, **words, **given}

    # -- the tests -----------------------------------------------------------------------------------

    def _code(self, runner: _Runner, settings: str, folder: str) -> Iterator[tuple[str, str]]:
        """The files of the tests and their helpers, without comments."""
        seen = set[str]()
        tests = self._tests(runner, settings, folder)[:_MAX_TESTS]
        support = os.path.join(folder, "cypress/support")
        first = self._below(support) if tests and self.inv.program == "cypress" else ()
        for path in (*tests, *islice(first, _MAX_TESTS)):
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


def _as_declared(name: str, code: str, data: str) -> str:
    """What a file of data holds, by the name that code imports it with."""
    named = re.search(
        rf"\bimport\s+(\w+)\s+from\s+['\"][^'\"\n]*{re.escape(name)}|\b(\w+)\s*=\s*require\(\s*['\"][^'\"\n]*{re.escape(name)}",
        code,
    )
    return f"const {named[1] or named[2]} = {data.strip()};" if named else ""


def _without_server(code: str) -> str:
    """Settings without the server that a run starts: its address is another."""
    server = re.search(r"\bwebServer\s*:\s*[\[{]", code)
    if server is None:
        return code
    closing = "]" if server[0][-1] == "[" else "}"
    end = server.end() + len(upto(code, closing, server.end())) + 1
    return code[: server.start()] + code[end:]


def _names_another(project: str, chosen: list[str]) -> bool:
    own = re.sub(r"(?<=.)\{[^{}]*\}", "", re.sub(r"(?<=.)\{[^{}]*\}", "", project))
    named = re.findall(r"\bname\s*:\s*['\"]([^'\"\n]+)['\"]\s*(?=[,}\n])", own)
    return len(named) == 1 and named[0].lower() not in [one.lower() for one in chosen]


def _used_commands(code: str, called: str) -> str:
    """The code without the commands of its own that no test calls; places stay the same."""
    for one in _ADDS_COMMAND.finditer(code) if not _BY_NAME.search(called) else ():
        uses = len(re.findall(rf"\b{re.escape(one['name'])}\b", called))
        if uses == len(re.findall(rf"\.add\(\s*['\"]{re.escape(one['name'])}['\"]", called)):
            end = one.end() + len(upto(code, ")", one.end()))
            code = code[: one.start()] + blanked(code[one.start() : end]) + code[end:]
    return code


def _acts(code: str, base: str, texts: Texts) -> Iterator[tuple[str, int]]:
    """What a file changes at the address, as commands."""
    for one in _REQUEST.finditer(code):
        table = one["table"] or one["options"] or ""
        method = _METHOD.search(table)
        url = _URL.search(table)
        verb = (one["verb"] or one["first"] or (method[1] if method else "")).upper()
        path = one["path"] or one["second"] or one["fetched"] or (url[1] if url else "")
        named = one["named"] or one["given"]
        if named:
            path = next(iter(texts.of(named) or ["x"]))
        if not verb or ("://" in path and not named):  # of which the other readers of code know
            continue
        if (
            verb == "POST"
            and _signs_in(path)
            and not _MUTATES.search(code, one.end(), one.end() + 400)
        ):
            continue
        place = re.sub(r"\$\{[^{}]*\}", "x", path).lstrip("/")
        address = path if "://" in path else f"{base.rstrip('/')}/{place}"
        if is_elsewhere(address):
            yield quoted(["curl", "-X", verb, address]), one.start()
    if not base:
        return
    clicked = None if _is_answered(code) else _CLICKS.search(code) or _clicked_by_name(code)
    if clicked is not None:
        yield quoted(["curl", "-X", "DELETE", base]), clicked.start()


def _is_answered(code: str) -> bool:
    """Whether something answers all tests of a file in the place of the server."""
    found = _ANSWERS.search(code)
    if found is None or _PASSES_ON.search(code):
        return False
    around = any(
        one.end() < found.start() < one.end() + len(upto(code, ")", one.end()))
        for one in _BEFORE_EACH.finditer(code)
    )
    return around or len(_TESTS.findall(code)) < 2


def _signs_in(path: str) -> bool:
    """Whether something is sent to a path to get in, or to ask."""
    parts = path.partition("?")[0].rstrip("/").split("/")
    return _SIGNS_IN.fullmatch(parts[-1]) is not None


def _clicked_by_name(code: str) -> re.Match[str] | None:
    """A click on something that has a name: ``this.gone = page.getByText("Delete")``."""
    for one in _LOCATES.finditer(code):
        found = re.search(rf"\b{re.escape(one['name'])}(?:\(\))?\)?\.click\(", code)
        if found is not None:
            return found
    return None


# end of module
