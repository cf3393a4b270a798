"""What answers in the place of libraries while tests of Node run, and code without what it answers.

``jest.mock("axios")`` at the top of a file, ``sinon.stub(axios, "delete")`` before each test, ``nock``
without the network: what the tests and their modules call then reaches no other machine. Only what certainly
stands in for a whole file counts. Pure, text to text; lines keep their numbers. Does not own which calls
reach others (``shell.code.twins``).
"""

from __future__ import annotations

import re

from operators_edge.shell.code import bracketed
from operators_edge.shell.code.comments import BARE_JAVASCRIPT, without_comments
from operators_edge.text.patterns import blanked, pattern
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

STANDS_IN = pattern(
    r"\b(?:jest|vi|vitest)\.(?:mock|spyOn|fn|stubGlobal)\(|\bmock\.method\(|\.stub\(|\bdisableNetConnect\("
    r"|\bonUnhandledRequest\b"
)
"""In a file of tests: something may stand in."""
_LETS_THROUGH = pattern(
    r"requireActual|importActual|[uU]nmock\b|dontMock|resetModules|isolateModules|createRequire|call_?[tT]hrough|pass_?[tT]hrough"
    r"|enableNetConnect|allowUnmocked|wrappedMethod|\bbypass\(|passThrough|\b(?:require|import)\(\s*(?!['\"])"
    r"|\[\s*['\"](?:re(?:quire|store|set)|un|enable)"
)
"""What stands in may hand something on, or be taken away."""
_TAKEN_BACK = pattern(
    r"\brestore\w*\(|\bmock(?:Restore|Reset)\(|\breset(?:All)?\w*\(|\bunstub\w*\("
)
_MOCKED = pattern(r"(?:jest|vi|vitest)\.mock\(\s*['\"]([@\w][\w@/.-]*)['\"]")
_PUT = pattern(
    r"(?:(?:jest|vi|vitest)\.spyOn|(?:\w+\.)?mock\.method|(?:sinon|sandbox)\.stub)\(\s*([\w$]+)\s*,\s*['\"](\w+)['\"]"
    r"(?P<rest>[^\n]*)"
)
OPTIONS = pattern(
    r"-c\b|--(?:re(?:store|set)Mocks|config|setup|mockReset|restoreMocks|unstub|root|projects|workspace|transform|resolver|runner|testRunner)"
)
"""Options of runners that may take away what stands in, or name other settings."""
SETTINGS = pattern(
    r"(?:jest|vitest|vite)\b[\w.-]*\.(?:[cm]?[jt]s|json)\Z|package\.json\Z|\.mocharc"
)
CHANGED_BY = pattern(
    r"\b(?:restore|reset)Mocks|\bmockReset\b|\bunmock\b|\bsetup(?:Files\w*|FilesAfterEnv)\b|\bglobalSetup\b|\bresolver\b"
    r"|['\"]\^?(?:axios|got|request|superagent|node-fetch|https?|phin|bent|supertest|@aws-sdk[^'\"]*|stripe)\$?['\"]\s*:(?!\s*['\"](?:[\^~>=v]*\d|latest|\*|workspace|npm:))"
)
"""Files of settings of runners, and what in them may change what stands in."""
_PLAIN_CALLS = pattern(
    r"(?:.*\.)?(?:fn|mock\w*|resolve[sd]?|rejects?|returns|throws|Promise|Error|async|function|callsFake|stub|spyOn|method|stubGlobal)\Z"
)
"""What a stand-in may call: nothing that has an effect."""
_CALLED = pattern(r"([\w$.\])]+)\s*\(")
_ANSWERS = pattern(
    r"\.(?:mock(?:Resolved|Return|Rejected)(?:Value)?|mockImplementation|resolves|returns|rejects|callsFake|throws)\("
)
_FETCH = pattern(
    r"(?:global|globalThis|window)\.fetch\s*=(?!=)\s*(?:(?:jest|vi)\.fn|async\s*\(|\()|(?:vi|vitest)\.stubGlobal\(\s*['\"]fetch['\"]"
)
_NO_NETWORK = pattern(r"\bnock\.disableNetConnect\(\)")
_UNHANDLED = pattern(r"\.listen\(\s*\{\s*onUnhandledRequest:\s*['\"]error['\"]\s*\}\s*\)")
_BEFORE = pattern(
    r"(?:before(?:Each|All)?|setup|suiteSetup)\(\s*(?:async\s*)?(?:function\s*\w*\s*)?\(\s*\w*\s*\)\s*(?:=>)?"
)
_AFTER = pattern(
    r"\b(?:after(?:Each|All)?|teardown|suiteTeardown)\(\s*(?:async\s*)?\(\s*\)\s*=>\s*(?:\{[^{}]*\}|[^\n;]*)"
)
_TEST = pattern(
    r"(?:test|it)\(\s*(?:'[^'\n]*'|\"[^\"\n]*\"|`[^`\n]*`)\s*,\s*(?:async\s*)?\(\s*(?:\{[^{}]*\}|\w*)\s*\)\s*=>\s*\{"
)
_IMPORTS = pattern(
    r"\bimport\s+(?:(?P<all>\*\s*as\s+\w+)|(?P<default>\w+)?\s*,?\s*(?:\{(?P<named>[^{}]*)\})?)\s*from\s*['\"](?P<library>[^'\"\n]+)['\"]"
    r"|\b(?:const|let|var)\s+(?:(?P<one>\w+)|\{(?P<taken>[^{}]*)\})\s*=\s*require\(\s*['\"](?P<required>[^'\"\n]+)['\"]\s*\)(?!\s*[.(\[])"
)
_MAX_STATEMENT = 2_000
_MAX_BODY = 20_000
"""Characters of a statement, and of what runs before each test, that are read."""
_MAX_BEFORE = 200
_CLIENTS_OF_HTTP = frozenset(
    "axios got request superagent node-fetch http https phin bent supertest".split()  # noqa: SIM905
)


class StandIns(NamedTuple):
    """What answers while the tests of a file run.

    Nothing of ``libraries`` is real, from the first line on. Of ``silent`` libraries nothing reaches others
    while a test runs, and ``methods`` of libraries are replaced then; so is ``fetch`` with ``has_fetch``.
    """

    libraries: frozenset[str] = frozenset()
    silent: frozenset[str] = frozenset()
    methods: frozenset[tuple[str, str]] = frozenset()
    has_fetch: bool = False


def with_set_up(
    set_up: tuple[str, ...], tests: str, modules: list[str], program: str
) -> StandIns | None:
    """What stands in for a file of tests, with the libraries that the files before it have replaced."""
    given = stand_ins(tests, [*modules, *set_up], program)
    before = [stand_ins(one, [tests, *modules, *set_up], program) for one in set_up]
    libraries = [one for each in before if each for one in each.libraries]
    if not libraries:
        return given
    given = given or StandIns()
    # What the tests put in its place again may be the real one.
    again = {one for text in (tests, *modules) for one in _PUT_AGAIN.findall(text)}
    return given._replace(libraries=given.libraries | (set(libraries) - again))


_PUT_AGAIN = pattern(r"\b\w*[mM]ock\w*\(\s*['\"]([@\w][\w@/.-]*)['\"]")


def stand_ins(tests: str, modules: list[str], program: str) -> StandIns | None:
    """What stands in while a runner goes through the tests of a file; None for nothing."""
    if not STANDS_IN.search(tests) or any(map(_LETS_THROUGH.search, (tests, *modules))):
        return None
    plain = without_comments(tests, BARE_JAVASCRIPT)
    names = {name: library for name, library, _ in _imported(plain)}
    always = list(_always(plain))
    at_top = list(_always(plain, is_top=True))
    hoists = {"jest": "jest.", "vitest": "vi."}.get(program, "?")
    libraries = {
        found[1]
        for one in at_top
        if (found := _MOCKED.match(one))
        and one.startswith(hoists)
        and _is_made_up(one, {*names, *_NO_STUB.findall(plain)} - _OF_RUNNERS)
        if names.get(hoists[:-1], "") in _RUNNERS and not _declares(plain, hoists[:-1])
    }
    made = StandIns(frozenset(libraries))
    is_kept = len(_TAKEN_BACK.findall(plain)) == sum(
        len(_TAKEN_BACK.findall(one)) for one in _AFTER.findall(plain)
    )
    if is_kept and all(map(_is_quiet_when_loaded, modules)):
        made = _put_by(always, made, names)
    return made if made != StandIns() else None


def _put_by(always: list[str], made: StandIns, names: dict[str, str]) -> StandIns:
    """What the statements put in the place of something that run before every test."""
    methods, silent, has_fetch = set(made.methods), set(made.silent), made.has_fetch
    for one in always:
        put = _PUT.match(one)
        holder = one.partition(".")[0]
        if (put or _FETCH.match(one)) and not _calls_nothing(_statement(one)):
            continue
        if put is not None and _is_known(holder, put[0], names) and _has_answer(put):
            if put[1] in names and not any(_is_handed_on(put[1], put[2], each) for each in always):
                methods.add((names[put[1]], put[2]))
            has_fetch |= put[1] in _GLOBALS and put[2] == "fetch"
        has_fetch |= _FETCH.match(one) is not None
        if _NO_NETWORK.match(one) and names.get("nock") == "nock":
            silent |= _CLIENTS_OF_HTTP
        if re.match(r"\w+" + _UNHANDLED.pattern, one) and "msw/node" in names.values():
            silent |= _CLIENTS_OF_HTTP
            has_fetch = True
    return StandIns(made.libraries, frozenset(silent), frozenset(methods), has_fetch)


_GLOBALS = frozenset(["global", "globalThis", "window"])
_NO_STUB = pattern(
    r"\b(?:const|let|var)\s+(\w+)\s*(?::[^=\n]+)?=\s*(?!(?:jest|vi)\.(?:fn|hoisted)\b|['\"\d{\[]|\()"
)
"""Names of values that may be real."""
_OF_RUNNERS = frozenset(["jest", "vi"])
_RUNNERS = frozenset(["", "@jest/globals", "vitest"])


def _is_known(holder: str, call: str, names: dict[str, str]) -> bool:
    """Whether what puts something in place is the library that is known by its name."""
    if ".stub(" in call:
        return names.get("sinon") == "sinon" and holder == "sinon"
    if "mock.method" in call:
        return names.get(holder, "") == "test" if holder == "mock" else "test" in names.values()
    return names.get(holder, "") in _RUNNERS


def _has_answer(put: re.Match[str]) -> bool:
    """Whether nothing of what is replaced is called any more."""
    if ".stub(" in put[0]:
        return True
    if "mock.method" in put[0]:
        return re.match(r"\s*,\s*(?:async\b|\(|function\b)", put["rest"]) is not None
    return _ANSWERS.search(put["rest"]) is not None


def _is_made_up(statement: str, real: Collection[str]) -> bool:
    """Whether a module is replaced by one that is generated, or written out."""
    given = bracketed.upto(statement.partition("(")[2], ")")
    named = set(re.findall(r"(?<![\w.$'\"])\w+\b(?!\s*:)", given))
    is_written = not re.search(r"\brequire\b|\bimport\b", given) and _calls_nothing(given)
    return is_written and named.isdisjoint(real)


def _calls_nothing(code: str) -> bool:
    """Whether code of a stand-in only makes values and functions that do nothing."""
    return all(_PLAIN_CALLS.match(name) for name in _CALLED.findall(code))


def _statement(code: str) -> str:
    """A statement, without what comes behind it."""
    for at, mark, level in bracketed.marks(code, ";\n"):
        if level < 0 or (level == 0 and mark == ";"):
            return code[:at]
        following = code[at + 1 :].lstrip()[:1]
        if level == 0 and mark == "\n" and following != ".":
            return code[:at]
    return code


def _is_handed_on(name: str, method: str, code: str) -> bool:
    """Whether code keeps what is replaced under another name."""
    return re.search(rf"\}}\s*=\s*{name}\b|=\s*{name}\.{method}\b(?!\s*\()", code) is not None


def _declares(code: str, name: str) -> bool:
    return (
        re.search(rf"\b(?:const|let|var|function|class)\s+{name}\b|\b{name}\s*=(?!=)", code)
        is not None
    )


_DECLARES = re.compile(
    r"(?:import|export|const|let|var|function|async|class|interface|type|enum|module\.exports|exports)\b"
)
_CALLS = pattern(r"([\w$.]+)\s*\(")
_HARMLESS_CALLS = frozenset(
    "require path.join path.resolve Symbol Number String Object.freeze Map Set Date RegExp promisify".split()  # noqa: SIM905
)


def _is_quiet_when_loaded(code: str) -> bool:
    """Whether a module only defines things when it is loaded: nothing is called before a test runs."""
    plain = re.sub(r"(?m)^['\"]use \w+['\"];?", "", without_comments(code, BARE_JAVASCRIPT))
    plain = re.sub(r"\bif\s*\([^{}\n]*\)\s*\{\s*\}", "", plain)
    found = [(at, mark) for at, mark, level in bracketed.characters(plain) if level == 0]
    for at, _ in found:
        if not _begins(plain, at):
            continue
        rest = plain[at : at + _MAX_STATEMENT]
        if not _DECLARES.match(rest):
            return False
        head = re.split(r"=>|\{|\bfunction\b|\bclass\b", bracketed.split(rest, ";")[0], maxsplit=1)[
            0
        ]
        if any(name not in _HARMLESS_CALLS for name in _CALLS.findall(head)):
            return False
    begins = sum(_begins(plain, at) for at, _ in found)
    return begins > 0 and not re.search(r"(?m)^[;!+(]|\bstatic\s*\{|^@", plain)


def _always(code: str, *, is_top: bool = False) -> Iterator[str]:
    """Yield what begins with each statement that runs before every test: at the top, or in ``beforeEach``."""
    opened = [at for at, _, level in bracketed.characters(code) if level == 0 and _begins(code, at)]
    tests = [at for at in opened if _TEST.match(code, at)]
    for at in opened:
        yield code[at : at + _MAX_STATEMENT]
        if is_top:
            continue
        inside = _BEFORE.match(code, at)
        if inside is None and len(tests) == 1 and at == tests[0]:
            inside = _TEST.match(code, at)  # the only one
            yield from _first_statements(code, inside.end() - 1 if inside else at)
        elif inside is not None:
            yield from _first_statements(code, inside.end())


def _first_statements(code: str, at: int) -> Iterator[str]:
    """The statements of a block, or the expression, that a function consists of."""
    rest = code[at : at + _MAX_BODY].lstrip()
    if rest[:1] != "{":
        yield rest
        return
    body = bracketed.upto(rest, "}", 1)
    for here, _, level in bracketed.characters(body):
        if level == 0 and _begins(body, here):
            yield body[here : here + _MAX_STATEMENT]


def _begins(code: str, at: int) -> bool:
    """Whether a statement begins here."""
    is_inside = code[at - 1 : at].isalnum() or code[at - 1 : at] in ("_", "$", ".")
    if is_inside or not (code[at].isalpha() or code[at] in "_$"):
        return False
    before = code[max(0, at - _MAX_BEFORE) : at].rstrip(" \t")
    word = re.search(r"await\s*\Z", before)
    before = before[: word.start()].rstrip(" \t") if word else before
    previous = before.rstrip()
    is_first = (
        not previous or previous[-1] in ";{}" or (before[-1:] == "\n" and previous[-1] in ")'\"`")
    )
    return is_first and not re.search(r"\b(?:if|while|for|with)\s*\([^\n]*\)\Z", previous)


def _imported(code: str) -> Iterator[tuple[str, str, bool]]:
    """Yield the names that code has from libraries, and whether one is the whole library."""
    for one in _IMPORTS.finditer(code):
        library = (one["library"] or one["required"]).removeprefix("node:")
        for whole in filter(
            None, (one["default"], one["one"], (one["all"] or "").partition("as ")[2])
        ):
            yield whole, library, True
        for part in (one["named"] or one["taken"] or "").split(","):
            names = re.findall(r"\w+", part)
            if names:
                yield names[-1], library, False


def without_answered(code: str, given: StandIns, *, is_module: bool) -> str:
    """Return code without the calls that something else answers."""
    replaced = [name for name, library, _ in _imported(code) if library in given.libraries]
    for name in (*replaced, *_made_from(code, replaced)):
        word = rf"(?<![\w.$]){re.escape(name)}"
        code = _without_chains(code, rf"(?:\bnew\s+)?{word}(?:\.\w+)*(?=\s*\()")
    spans = [(0, len(code))] if is_module else _test_bodies(code)
    for name, library, is_whole in _imported(code):
        word = rf"(?<![\w.$]){re.escape(name)}"
        if library in given.silent:
            code = _blanked(code, rf"{word}(?:\.\w+)*(?=\s*\()", spans)
        for of, method in given.methods if is_whole else ():
            if of == library:
                code = _blanked(code, rf"{word}\.{re.escape(method)}(?=\s*\()", spans)
    is_own = re.search(r"\b(?:function|const|let|var|import)\s+(?:\{[^}\n]*)?\bfetch\b", code)
    fetched = given.has_fetch and not is_own
    return _blanked(code, r"(?<![\w.$])fetch(?=\s*\()", spans) if fetched else code


def _made_from(code: str, names: list[str]) -> list[str]:
    """The names of what is made by a library alone: ``const client = twilio(sid, token)``."""
    found: list[str] = []
    for name in names:
        made = rf"\b(?:const|let|var)\s+(\w+)(?:\s*:\s*\w+)?\s*=\s*(?:await\s+)?(?:new\s+)?{re.escape(name)}"
        sets = r"(?<![\w.$])%s\s*(?::\s*\w+\s*)?=(?![=>])"
        found += [
            one for one in re.findall(rf"{made}\b", code) if len(re.findall(sets % one, code)) == 1
        ]
    return found


def _without_chains(code: str, source: str) -> str:
    """Code without these calls, and without those of what they return."""
    for one in list(re.finditer(source, code)):
        code = code[: one.start()] + blanked(one[0]) + code[one.end() :]
        at = one.end()
        while link := re.compile(r"\s*\(").match(code, at):
            at = link.end() + len(bracketed.upto(code, ")", link.end())) + 1
            more = re.compile(r"\s*(?:\?\.\w+|\.\w+)+(?=\s*\()").match(code, at)
            if more is None:
                break
            code = code[: more.start()] + blanked(more[0]) + code[more.end() :]
            at = more.end()
    return code


def _test_bodies(code: str) -> list[tuple[int, int]]:
    """Where the tests of a file are: what is around them runs before anything stands in."""
    return [
        (one.end(), one.end() + len(bracketed.upto(code, "}", one.end())))
        for one in re.finditer(r"(?<![\w.$])" + _TEST.pattern, code)
    ]


def _blanked(code: str, source: str, spans: list[tuple[int, int]]) -> str:
    def blank(one: re.Match[str]) -> str:
        is_inside = any(start <= one.start() < end for start, end in spans)
        return blanked(one[0]) if is_inside else one[0]

    return re.sub(source, blank, code)


# end of module
