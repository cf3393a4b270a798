"""What a step's text claims about checks and commands: that they pass.

Pure. What is negated, intended, conditional, quoted or about other checks claims nothing, and neither does
what is unclear. A clause is first brought to one form, "NOUN … GOOD", and then read by a few patterns. Does
not own claims about files (``file_claims``) or verdicts (``contradictions``, ``verdict``).
"""

from __future__ import annotations

import re

from operators_edge.evidence.checks.run import bare_command
from operators_edge.evidence.claims.model import CRITERIA
from operators_edge.evidence.claims.parsing import any_of, clauses, is_english, words
from operators_edge.text.patterns import pattern
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


class PassClaim(NamedTuple):
    """A claim that a kind of check passes; ``kind`` "any" is every kind, "command" the one in ``tool``.

    ``tool``: the program it names. ``about``: words that narrow it ("auth", "tests/test_a.py"), () for all.
    """

    kind: str
    tool: str = ""
    about: tuple[str, ...] = ()


# -- the parts of such a clause: a noun, a gap, a good word, and what may follow -----------------------

_NOUNS = {
    "test": any_of("(?:test[-_]?)?suites? tests specs (?<!^)test"),
    "lint": "lint(?:er|ers|ing|s)?",
    "types": any_of("type[-_]?check(?:s|er|ing)? types"),
    "format": "format(?:ting|ter)?(?: check)?",
    "build": any_of("builds? compilation compiles"),
    "any": any_of("(?:all|every|the)_checks?"),
}
_TOOLS = {
    "test": any_of("""
        pytest unittest jest vitest mocha rspec phpunit ctest tox nox make_check
        (?:cargo|go|npm|yarn|pnpm|make|gradle|mvn|node_--|bun|deno|dotnet)_?test
    """),
    "lint": any_of("""
        eslint ruff(?:_check)? flake8 pylint clippy golangci-lint rubocop stylelint shellcheck
        biome(?:_check)?
    """),
    "types": any_of("mypy(?:_--strict)? pyright basedpyright vue-tsc tsc(?:_--noEmit)?"),
    "format": any_of("prettier black gofmt rustfmt ruff_format cargo_fmt"),
    "build": any_of("(?:cargo|go|npm_run|yarn|pnpm|make|vite|docker)_build webpack"),
}
_NAME_OF_TEST = (
    r"(?<![\w./-])(?:(?:[\w.-]+/)*[\w.-]*(?:test|spec)[\w.-]*\.\w+(?:::[\w:]+)?|test_\w+\b(?!\.))"
)
_GOOD = "good-sign"
_PASS = (
    r"(?:pass(?:es|ed|ing)?|succeed(?:s|ed|ing)?|success(?:ful(?:ly)?)?|green|ok(?:ay)?|clean(?:ly)?|happy"
    rf"|fine|good(?!-)|(?:exit(?:s|ed)?|returns?)(?: (?:with|code|status))* 0|{_GOOD}|[✓✔✅🟢💚])"
)
_GAP = (
    r"(?:[\s:=(>→-]|\b(?:"
    + any_of("""
        all are is now still also do have has been run runs ran fully everything suite were was cases?
        should must will output result status exit_code both added written updated fixed implemented
        created here locally again looks? reports? says comes?_back complete[sd]? finish(?:es|ed) to continue
        and(?=\\s+(?:passing|green|pass\\b|ok))
    """)
    + r")\b|\b(?:for|in|of|under|covering)\s+(?:the\s+)?`?[\w./:-]+`?(?=\s)"
    r"|(?<=\s)(?:\./)?\.{1,3}/?(?=\s)|\d+(?:\s*/\s*\d+)?|`[^`]*`|-{1,2}[a-z][\w=-]*|[`,])*"
)
_THEN = (
    r"(?=\s*(?:$|[^\w\s`/$]|(?:"
    + any_of("""
        and now again locally in on with after for too at under across successfully cleanly there here
        fine as tests? found reported remaining left total
    """)
    + r")\b))"
)
_WORKS = rf"(?:{_PASS}|works?|runs?\s+(?:fine|ok)|returns? 0)"
_ALL_PASS = (  # "everything is green", "12/12 passing", "green"
    r"(?:\b(?:all|everything(?:['\u2019]s)?|it'?s|they)|(?<![\w.-])(?<!\d/)[1-9]\d*(?:\s*/\s*\d+|\s?%)?)"
    rf"(?:\s+(?:is|are|all|now))*\s+(?:green|pass(?:es|ed|ing)?|[✓✔✅🟢]){_THEN}"
    r"|^\W*(?:all\s+)?(?:green|pass(?:ed|es|ing)?)\W*$"
    r"|\b(?:everything|it\s+all)\s+(?:now\s+)?(?:works?|is\s+(?:working|fine|good|ok)|checks\s+out)\b"
    r"|^\W*all\s+(?:good|works?)\W*$|\bfully\s+tested\b"
)
_BUILDS = (
    r"\b(?:it|project|code|app|everything|crate|package|image|container|binary|now|still)"
    rf"\s+(?:builds|compiles){_THEN}"
)


def _phrase(kind: str, tool: str) -> re.Pattern[str]:
    noun, part = _NOUNS.get(kind, "(?!)"), _NAME_OF_TEST if kind == "test" else "(?!)"
    subject = rf"(?:(?<![\w./-])(?P<tool>{tool})|(?<![\w-])(?P<noun>{noun})|(?P<part>{part})`?)"
    good = _WORKS if kind in ("build", "command") else _PASS
    return pattern(f"(?i){subject}{_GAP}{good}{_THEN}")


class _Phrase(NamedTuple):
    """``hints``: a clause without any of these is about something else, and the pattern is not compiled."""

    kind: str
    hints: tuple[str, ...]
    pattern: re.Pattern[str]


_HINTS = {
    "test": "test suite spec jest mocha phpunit tox nox check",
    "lint": "lint ruff flake8 clippy rubocop shellcheck biome",
    "types": "type mypy pyright tsc",
    "format": "format prettier black fmt",
    "build": "build compil webpack",
    "any": "check",
}
_PHRASES = (
    *(
        _Phrase(kind, tuple(hints.split()), _phrase(kind, _TOOLS.get(kind, "(?!)")))
        for kind, hints in _HINTS.items()
    ),
    _Phrase("test", ("",), pattern(f"(?i){_ALL_PASS}")),
    _Phrase("build", ("build", "compile"), pattern(f"(?i){_BUILDS}")),
)

# -- other words for the same ----------------------------------------------------------------------

_NO_FAULT = pattern(
    r"(?i)\b(?:0|no|zero|without(?: any)?)\s+(?:(?P<kind>test|lint|type|build|compile)\w*\s+)?"
    r"(?:fail(?:ures?|ed|ing)(?:\s+tests?)?|errors?|issues?|problems?|regressions?|red(?:\s+tests?)?)"
    r"(?:\s*(?:,|or|and)\s*(?:0\s+|no\s+)?(?:errors?|warnings?|fail(?:ures?|ed)))?"
    r"(?:\s+(?:remain(?:s|ing)?|left|in\s+sight|anywhere|to\s+be\s+seen))?\b"
    r"|\bnothing(?:['\u2019]s|\s+is|\s+was)?\s+(?:failing|fails?|failed|red)(?=\W*(?:$|any\s?more|now|left))"
)
_BUT_WARNINGS = pattern(
    r"(?i),?\s*\(?\b(?:only|just|apart from|aside from|besides|except(?: for)?|but)\s+"
    r"(?:\w+\s+){0,4}?warnings?\b\)?"
)
"""Such as "only an import warning": it is no failure."""
_REPAIRED = pattern(
    r"(?i)\b(?:fix(?:ed|es)?|repair(?:ed)?|resolved?)\s+"
    r"(?:all\s+|the\s+|remaining\s+|of\s+|\d+\s+|our\s+)*"
    r"(?:(?:failing|broken|red)\s+(?:unit\s+)?(?:tests|specs|test suite|suite)|test failures)\b"
    r"(?!\s+(?:in|of|for|from)\b)"
)
_RAN_OK = pattern(r"\bRan \d+ tests?\b[^\n]*\s+OK\b")
_VERB_FIRST = pattern(
    r"(?i)(?:\b(?:pass(?:es|ed)|successful)\s+|^\W*[✓✔✅🟢💚]\s*)"
    rf"({'|'.join(_TOOLS.values())}|{_NOUNS['lint']}|build)(?=\s*(?:$|[.,;:)]))"
    r"|\bpass(?:es|ed|ing)?\s+((?:[\w-]+\s+){0,3}(?:tests|specs|suite))\b" + _THEN
)
"""Such as "passes ruff", "✅ build", "passes all tests". "✅ tests" may only mean that some were written."""


_OF_TESTS = pattern(r"(?i)fail|\bred\b")


def _without_faults(text: str) -> str:
    """With "no lint errors" as the good sign that it is."""

    def good(found: re.Match[str]) -> str:
        kind = found["kind"] or ("test" if _OF_TESTS.search(found[0]) else "")
        noun = {"test": "tests", "type": "types", "compile": "build"}.get(kind.lower(), kind)
        return f"{noun} {_GOOD}"

    return _NO_FAULT.sub(good, text)


# -- what makes it no claim ------------------------------------------------------------------------

_TROUBLE = """
    fail\\w* broken red not cannot pre-?existing flak\\w* skip\\w* partial\\w* except xfail todo remain\\w*
    pending
"""
_HEDGED = words(
    _TROUBLE
    + """
    never without neither nor breaks? tdd if unless until when whether once would could might may hope\\w*
    probably presumably expected_to supposed_to excepting other_than apart_from aside besides but though
    although however unrelated x-fail\\w* un\\w*tested unverified previously earlier before reproduc\\w*
    wants? goal later next tr(?:y|ied|ying) only some most mostly nearly almost yet assum\\w* minus
    exclud\\w* (?:half|majority|few|many)_(?:of_)?(?:the_)?(?:tests|specs|suite)
    expect(?:ed|s|ing)?(?=\\W+(?:that_)?(?:all_|the_|every_)*(?:tests?|suite|specs|build|lint)\\b)
    ci pipelines? workflows? remote upstream github_actions gitlab jenkins circleci travis buildkite
    colleague\\w* \\w+'s_(?:machine|laptop|computer) main master baseline staging others?
    with_(?:the_|an?_)?old (?:under|with|on|in)_(?:python|node|ruby|go|java|php)_v?\\d
    badges? messages? notifications? banners? icons? labels? buttons? emails? displays? prints? printing
    showing string instead either rate ratio percentage theme colou?r isn aren doesn don didn won
    """,
    r"n't\b|[✗✘❌🔴]|\?|^\W*\[ ?\]",
)
_INTENDED = words(
    "should must will shall to_be ought needs? going_to to_pass"
    " (?:make_sure|ensure)_(?:that_)?(?:all_|the_|every_)*(?:tests?|specs|suite|build|lint)"
)
_PART = pattern(
    r"\b(\d+)\s*(?:/|(?:out\s+)?of)\s*(?:the\s+)?(\d+)\b(?!:)"
    r"|\b(\d+)(?:\.\d+)?\s*%\s*(?:of\b|tests|specs|pass|green)"
)
_STILL_FAILS = pattern(
    r"(?i)(?<!fixed )(?<!fix )(?<!had )(?<!were )(?<!was )\b[1-9]\d*\s+(?:tests?\s+)?"
    r"(?:are\s+|is\s+)?(?:fail(?:s|ed|ing|ures?)|errors?|red)\b|\bstill\s+(?:fail|red|broken)"
)
_RED_STEP = pattern(
    r"(?i)\b(?:failing|red)\s+(?:\w+\s+){0,3}(?:tests?|specs?|cases?)\b|\btests?\b.{0,30}\bfails?\b"
    r"|\breproduc\w*|\btdd\b.*\bred\b|^\W*red\b|\bxfail"
)
_ADMITS = words(f"{_TROUBLE} error\\w* no_longer known_issues? blocked unable", r"n't\b|[✗✘❌🔴]")


def claims_of(
    fields: Mapping[str, str], commands: Iterable[str] = ()
) -> list[tuple[str, PassClaim]]:
    """The claims of a completed step, each with its field; none if it was to make a test fail."""
    if expects_failure(fields["description"]):
        return []
    return [
        (field, claim)
        for field, text in fields.items()
        for claim in claims_in(text, field, commands)
    ]


def claims_in(text: str, field: str, commands: Iterable[str] = ()) -> tuple[PassClaim, ...]:
    """The checks, and which of the bare commands, that a field of a completed step claims to pass."""
    if field not in CRITERIA and _STILL_FAILS.search(text):
        return ()
    found: dict[PassClaim, None] = {}
    if field == "verification":
        texts = (_ASKS_TO_RUN.sub("", text), *_QUOTED.findall(text))
        named = set(map(bare_command, texts))
        found = {PassClaim("command", each): None for each in commands if each in named}
    mentioned = [each for each in commands if each.lower() in text.lower()]
    phrases = [
        *_PHRASES,
        *(_Phrase("command", ("",), _phrase("command", _name(each))) for each in mentioned),
    ]
    for clause in clauses(_RAN_OK.sub(f"tests {_GOOD}", text)):
        found |= dict.fromkeys(_in_clause(clause, phrases, is_criterion=field in CRITERIA))
    return tuple(found)


_ASKS_TO_RUN = pattern(r"(?i)^(?:run|execute|with|by running)\s+|\.$")
_QUOTED = pattern(r"`([^`]+)`")
_SHORT = 4


def _name(command: str) -> str:
    """A pattern for a command that is named; one of so few letters is a word, unless it is in backticks."""
    name = re.escape(command)
    return f"`{name}`" if len(command) <= _SHORT else f"`?{name}"


_NAMES_TESTS = pattern(rf"(?i)(?<![\w./-])(?:{_NOUNS['test']}|{_TOOLS['test']})(?![\w-])")
_ALL_WELL = words(
    rf"pass(?:es|ed|ing)? succe(?:ss\w*|ed\w*) green ok okay clean(?:ly)? fine {_GOOD}",
    r"[✓✔✅🟢💚]|\[x\]|(?<![\d.])100\s*%",
)


def says_all_is_well(text: str) -> bool:
    """Whether a clause speaks of tests and of nothing but good, in whatever order.

    Too loose to refute by itself: only together with a failure of all tests that nothing followed.
    """
    for clause in clauses(text):
        plain = _without_faults(_REPAIRED.sub(" ", _without_asides(clause)))
        tried = _NO_BREAKAGE.sub(_GOOD, plain)
        is_well = _NAMES_TESTS.search(tried) and _ALL_WELL.search(tried)
        if is_well and not _HEDGED.search(tried) and not _is_part(tried):
            return not _STILL_FAILS.search(text)
    return False


_NO_BREAKAGE = pattern(
    r"(?i)\b(?:nothing (?:broke|is broken|fails?|failed|regressed)|did(?:n't| not) break anything"
    r"|not? (?:a )?(?:single )?(?:thing|test) (?:broke|failed|is broken))"
)


def expects_failure(description: str) -> bool:
    """Whether a step is about a failing test: then a failure is expected."""
    return bool(_RED_STEP.search(_REPAIRED.sub(" ", description)))


def admits_failure(proof: str) -> bool:
    """Whether a proof reports failures: then the proof makes the claims, and the criteria do not."""
    plain = _without_faults(_REPAIRED.sub(" ", proof))
    return not is_english(proof) or _ADMITS.search(plain)


_PASSES = (
    r"(?:went away|(?:is|are|was) gone|disappear\w*|vanish\w*|pass\w*|succe\w+|green|ok(?:ay)?|fine"
    r"|clean(?:ly)?|good|worked|went through)"
)
_AGAIN = (
    r"(?:re-?(?:run|ran|running|tr(?:y|ies|ied|ying))\b|(?:second|2nd|third|3rd|next|another|other|fresh|later"
    r"|subsequent|repeat(?:ed)?)\s+(?:\w+\s+)?(?:run|try|attempt|time|go|pass|execution)\b"
    r"|(?:ran|run|running|tried|executed|executing)\s+(?:(?:it|them|that|this|the\s+\w+)\s+)?"
    r"(?:again|twice|once more|a second time)\b)"
)
_PASSED_AGAIN = pattern(
    rf"(?i)\b{_PASSES}\b[^,;.]{{0,30}}?\b(?:on|upon|in|at|with|after|when|once|by|the)\b[^,;.]{{0,12}}?{_AGAIN}"
    rf"|{_AGAIN}[^;.]{{0,40}}?\b{_PASSES}\b"
)
_NOT_AGAIN = words(
    """
    not never should would could may might will if until unless must need\\w* wants? hope\\w* probably try
    ci pipelines? workflows? remote upstream colleague\\w* user you person
    """,
    r"n't\b|\?",
)


def says_passed_again(text: str) -> bool:
    """Whether it says that what failed was run once more and passed."""
    return any(
        _PASSED_AGAIN.search(clause) and not _NOT_AGAIN.search(clause) for clause in clauses(text)
    )


def _in_clause(clause: str, phrases: Iterable[_Phrase], *, is_criterion: bool) -> list[PassClaim]:
    found = [PassClaim("test")] if is_criterion and _REPAIRED.search(clause) else []
    clause = _without_asides(clause)
    plain = _without_faults(_REPAIRED.sub(" ", _BUT_WARNINGS.sub("", clause)))
    if _may_begin_with_verb(plain):
        plain = _VERB_FIRST.sub(lambda one: f"{one[1] or one[2]} {_GOOD}", plain)
    if _HEDGED.search(plain) or _is_part(plain) or (not is_criterion and _INTENDED.search(plain)):
        return found
    low = plain.lower()
    return found + [
        PassClaim(each.kind, *_narrowed(each.kind, match))
        for each in phrases
        if any(hint in low for hint in each.hints)
        for match in each.pattern.finditer(plain)
    ]


def _may_begin_with_verb(clause: str) -> bool:
    """Whether ``_VERB_FIRST`` may be found: most clauses say it the other way round."""
    _, verb, behind = clause.lower().partition("pass")
    has_noun = any(noun in behind for noun in ("tests", "specs", "suite"))
    is_finite = behind.startswith(("es", "ed")) or "passes" in behind or "passed" in behind
    return (bool(verb) and (has_noun or is_finite)) or any(
        mark in clause.lower() for mark in ("successful", *"✓✔✅🟢💚")
    )


_SENTENCE = pattern(
    r"(?i)(?:,\s+(?:and\s+)?|\s+and\s+)(?=(?:i|we|your?|our|the)\b|it(?:'s|\s+is|\s+was|\s+has\s+been)\s+(?:now\s+)?"
    r"(?:pushed|merged|committed|deployed|released|published|shipped|live|ready|done|in|on|documented)\b)"
)
"""Where another statement begins beside one about checks."""
_ABOUT_CHECKS = words(
    f"""
    {any_of(_TROUBLE)} {_NOUNS["test"]} {_NOUNS["any"]} {_TOOLS["test"]} checks? lint\\w* types? build\\w*
    compil\\w* suites? cases? specs? ran runs? running rerun re-run pass\\w* green succe\\w* error\\w*
    disabled? commented
    except unless until once if when whether though but however locally machine ones? them none rest others?
    think believe guess hope\\w* suppose\\w* expect\\w*
    """,
    r"n't\b|[✗✘❌🔴]|\?",
)


def _without_asides(clause: str) -> str:
    """Without statements beside it about other things: "tests pass, and I only touched one file"."""
    if not (_HEDGED.search(clause) or _INTENDED.search(clause) or _is_part(clause)):
        return clause  # nothing in it takes anything back
    parts = _SENTENCE.split(clause)
    if len(parts) < 2 or not any(map(_ABOUT_CHECKS.search, parts)):
        return clause
    return ", ".join(part for part in parts if _ABOUT_CHECKS.search(part))


def _is_part(clause: str) -> bool:
    """Whether only some are claimed to pass: "1 of 2 tests pass", "50% pass"."""
    return any(int(one[1] or one[3]) < int(one[2] or 100) for one in _PART.finditer(clause))


# -- which of the checks ---------------------------------------------------------------------------

_WHERE = pattern(
    r"\s+(?:for|in|of|under|covering|from|around|on(?=\s+`?[\w-]*[/.]\w))\s+(?:the\s+)?`?([\w./:-]+)"
)
_WRITING = words("added wrote written updated extended add write update")
_ALL_TESTS = words("""
    all the our full whole entire complete test every each automated project repo repository and with
    made make get got confirm confirmed verify verified ensure ensured sure run ran running keep python js
    javascript typescript rust go java now have has both see check checked of are is can then so
    corresponding done finished completed result results status reran rerun tests suite passing passes
    pass via using after local green x final last latest
""")
"""Words before a test run that do not narrow it."""
_ANY_CHECK = words("""
    code style static final production prod clean local release debug new fixed good types type lint linter
    linting build builds format formatting check checks compile added it its a this that still resulting
    project app everything crate package now
""")
"""Words before a lint, type check or build that do not narrow it."""
_NO_WORD = pattern(r",|\d[\d.,/]*(?:m?s|min)?")


def _narrowed(kind: str, match: re.Match[str]) -> tuple[str, tuple[str, ...]]:
    """The tool of a claim, and what narrows it."""
    group = match.lastgroup
    if group is None or kind == "command":
        return match["tool"].strip("`") if group else "", ()
    if group == "part":
        return "", (match["part"],)
    where = _WHERE.match(match.string, match.end(group)) or _WHERE.match(match.string, match.end())
    part = (where[1],) if where and not _is_any(where[1]) else ()
    if group == "tool":
        return match["tool"].split()[0].lower(), part
    return "", (*_named_before(kind, match["noun"], match.string[: match.start("noun")]), *part)


_WHOLE = frozenset({"full", "whole", "entire", "complete"})


def _named_before(kind: str, noun: str, before: str) -> list[str]:
    """What the words before the noun narrow it to: "auth tests"."""
    words_before = re.findall(r"[\w./-]+|,(?=\W*$)", before)
    word = words_before[-1] if words_before else ","
    if not _WHOLE.isdisjoint(each.lower() for each in words_before):
        return []
    is_written = len(words_before) == 1 and _WRITING.fullmatch(word)  # "Added tests, all passing"
    about = [] if is_written or _is_any(word, kind) else [word]
    is_one = noun.lower() == "test" and word.lower() not in ("every", "each")
    return [*about, "one test"] if is_one else about  # unknown which


def _is_any(word: str, kind: str = "test") -> bool:
    is_of_all = _NO_WORD.fullmatch(word) is not None or _ALL_TESTS.fullmatch(word)
    return is_of_all or (kind != "test" and _ANY_CHECK.fullmatch(word))


# end of module
