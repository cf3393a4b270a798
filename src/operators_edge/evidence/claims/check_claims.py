"""What a step's text claims about checks and commands: that they pass.

Pure. What is negated, intended, conditional, quoted or about other checks claims nothing, and neither does
what is unclear. Does not own claims about files (``file_claims``) or verdicts (``contradictions``,
``verdict``).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from operators_edge.evidence.claims.model import CRITERIA
from operators_edge.evidence.claims.parsing import any_of, clauses, is_english, unquoted

if TYPE_CHECKING:
    from collections.abc import Iterable


class PassClaim(NamedTuple):
    """A claim that a kind of check passes; ``kind`` "any" is every kind.

    ``tool``: the program it names. ``about``: words that narrow it ("auth", "tests/test_a.py"), () for all.
    """

    kind: str
    tool: str = ""
    about: tuple[str, ...] = ()


# -- the parts of such a clause: a noun, a gap, a verb, and what may follow -------------------------

_GOOD = "good-sign"
_NO_FAULT = re.compile(
    r"(?i)\b(?:0|no|zero|without(?: any)?)\s+(?:(?:test|lint(?:er|ing)?|type|build|compile\w*)\s+)?"
    r"(?:fail(?:ures?|ed|ing)(?:\s+tests?)?|errors?|issues?|problems?|regressions?)"
    r"(?:\s*,?\s*(?:or|and|,)\s*(?:0\s+|no\s+)?(?:errors?|warnings?|fail(?:ures?|ed)))?"
    r"(?:\s+(?:remain(?:s|ing)?|left))?\b"
    r"|\b(?:none|nothing)\s+fail(?:s|ed|ing)?\b"
)
_KIND_OF_FAULT = re.compile(
    r"(?i)\b(?:no|zero|0|without(?: any)?)\s+(test|lint|type|build|compile)\w*\s+\w+"
)
_NO_FAILURES = re.compile(r"(?i)\bno failing tests\b|\b(?:0|no|zero) fail(?:ed|ures)\b")
_REPAIRED = re.compile(
    r"(?i)\b(?:fix(?:ed|es)?|repair(?:ed)?|resolved?)\s+"
    r"(?:all\s+|the\s+|remaining\s+|of\s+|\d+\s+|our\s+)*"
    r"(?:(?:failing|broken|red)\s+(?:unit\s+)?(?:tests|specs|test suite|suite)|test failures)\b"
    r"(?!\s+(?:in|of|for|from)\b)"
)
_NOUNS: dict[str, str] = {
    "test": r"(?:(?:test[- ]?)?suites?|tests|specs|(?<!^)test|pytest|unittest|jest|vitest|mocha|rspec"
    r"|phpunit|ctest|(?:cargo|go|npm|yarn|pnpm|make|gradle|mvn|node --|bun|deno|dotnet)\s?test"
    r"|make check|tox|nox)",
    "lint": r"(?:lint(?:er|ers|ing|s)?|eslint|ruff(?: check)?|flake8|pylint|clippy|golangci-lint"
    r"|rubocop|stylelint|shellcheck|biome(?: check)?)",
    "types": r"(?:mypy(?: --strict)?|pyright|basedpyright|vue-tsc|tsc(?: --noEmit)?"
    r"|type[- ]?check(?:s|er|ing)?|types)",
    "format": r"(?:prettier|black|gofmt|rustfmt|ruff format|cargo fmt"
    r"|format(?:ting|ter)?(?: check)?)",
    "build": r"(?:build|compilation|(?:cargo|go|npm run|yarn|pnpm|make|vite|docker) build|webpack)",
}
_TOOLS = re.compile(
    r"(?i)\b("
    + any_of("""
    pytest unittest jest vitest mocha rspec phpunit ctest tox nox eslint ruff flake8 pylint clippy
    golangci-lint
    rubocop stylelint shellcheck biome mypy pyright basedpyright vue-tsc tsc prettier black gofmt rustfmt
    webpack
    vite docker (?:cargo|go|npm|yarn|pnpm|make|gradle|mvn|bun|deno|dotnet)_test make_check npm_run_build
    """)
    + r")\b"
)
_GAP = (
    r"(?:[\s:=(>→-]|\b(?:"
    + any_of("""
    all are is now still do have has been run runs ran fully everything suite were was cases? should must
    will
    output result status exit_code both added written updated fixed implemented created here locally again
    reports? says comes?_back complete[sd]? finish(?:es|ed) to continue
    and(?=\\s+(?:passing|green|pass\\b|ok))
    """)
    + r")\b|\b(?:for|in|of|under|covering)\s+(?:the\s+)?`?[\w./:-]+`?(?=\s)"
    + r"|(?<=\s)(?:\./)?\.{1,3}/?(?=\s)|\d+(?:\s*/\s*\d+)?|`[^`]*`|-{1,2}[a-z][\w=-]*|[`,])*"
)
_PASS = (
    r"(?:pass(?:es|ed|ing)?|succeed(?:s|ed|ing)?|success(?:ful(?:ly)?)?|green|ok(?:ay)?|clean(?:ly)?|happy"
    rf"|fine|exits? 0|{_GOOD}|[✓✔✅🟢💚])"
)
_THEN = (
    r"(?=\s*(?:$|[^\w\s`/$]|(?:"
    + any_of("""
    and now again locally in on with after for too at under across successfully cleanly there here fine
    as tests?
    found reported remaining left total
    """)
    + r")\b))"
)
_VERB_FIRST = (
    r"(?:\b(?:pass(?:es|ed)|successful)\s+|^\W*[✓✔✅🟢💚]\s*)(?P<tool>{noun})(?=\s*(?:$|[.,;:)]))"
)
"""Such as "passes ruff", "✅ build". "✅ tests" may only mean that some were written."""
_PHRASES: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (kind, re.compile(f"(?i){pattern}"))
    for kind, pattern in (
        *(
            (kind, rf"(?<![\w-])(?P<noun>{noun}){_GAP}{_PASS}{_THEN}")
            for kind, noun in _NOUNS.items()
        ),
        (
            "test",
            (
                r"\b(?:pass|passes|passed|passing)\s+(?:all|the|every|our|full|whole|entire|of)?\s*(?:the\s+)?"
                rf"(?:\d+\s+)?(?:[\w-]+\s+)??(?P<noun>tests|specs|test suite|suite)\b{_THEN}"
            ),
        ),
        (
            "test",
            (
                r"(?<![\w./-])(?P<part>(?:[\w.-]+/)*[\w.-]*(?:test|spec)[\w.-]*\.\w+(?:::[\w:]+)?|test_\w+(?!\.))"
                rf"`?(?:[\s:→-]|\b(?:is|now|still|also)\b)+{_PASS}{_THEN}"
            ),
        ),
        ("test", _VERB_FIRST.format(noun="pytest|jest|vitest|mocha|rspec")),
        ("lint", _VERB_FIRST.format(noun=_NOUNS["lint"])),
        ("types", _VERB_FIRST.format(noun="mypy|pyright|tsc")),
        ("build", _VERB_FIRST.format(noun="build")),
        (
            "test",
            (
                r"(?<![\w.-])(?<!\d/)(?P<n>[1-9]\d*)(?:\s*/\s*(?P=n))?\s+(?:(?P<about>[\w-]+)\s+)??"
                rf"(?:tests?\s+|specs?\s+)?(?:passed|passing|pass|green|ok){_THEN}"
            ),
        ),
        (
            "build",
            (
                r"(?<![\w-])(?:(?P<noun>build)\s+(?:now\s+|still\s+)?works"
                r"|(?:it|project|code|app|everything|crate|package|now|still)\s+(?:(?:now|still)\s+)?"
                r"(?:builds|compiles)|(?:builds|compiles)\s+(?:successfully|cleanly|fine|ok|again|good-sign))"
                rf"{_THEN}"
            ),
        ),
        ("types", rf"\b(?:code|everything|it|project|now)\s+type[- ]?checks\b{_THEN}"),
        (
            "test",
            (
                r"(?<![\w-])(?:(?:all|everything|it'?s|they)\s+(?:is\s+|are\s+|all\s+|now\s+)*"
                r"(?:green|pass(?:es|ed|ing)?)|^\W*(?:all\s+)?(?:green|pass(?:ed|es|ing)?)\W*$)"
                rf"{_THEN}"
            ),
        ),
        (
            "any",
            (
                r"(?<![\w-])(?:all|every|the)\s+checks?\s+(?:are\s+|is\s+|now\s+|have\s+)*"
                rf"{_PASS}{_THEN}"
            ),
        ),
    )
)
"""Clauses that claim a kind of check. Groups: ``noun``, or else ``tool``, ``part``, ``about``."""
_RAN_OK = re.compile(r"\bRan \d+ tests?\b[^\n]*\s+OK\b")

# -- what makes it no claim -------------------------------------------------------------------------

_HEDGED = re.compile(
    r"(?i)\b(?:"
    + any_of("""
    not never cannot without neither nor fail\\w* broken breaks? red tdd if unless until when whether
    once would
    could might may hope\\w* probably presumably expected_to supposed_to except\\w* other_than apart_from
    aside
    besides but though although however unrelated pre-?existing flak\\w* skip\\w* x-?fail\\w* todo pending
    un\\w*tested unverified previously earlier before reproduc\\w* wants? goal later next
    tr(?:y|ied|ying) only
    some most mostly partial\\w* nearly almost remain\\w* yet assum\\w* ci pipelines? workflows? remote
    upstream
    github_actions gitlab jenkins circleci travis buildkite colleague\\w* \\w+'s_(?:machine|laptop|computer)
    with_(?:the_|an?_)?old (?:under|with|on|in)_(?:python|node|ruby|go|java|php)_v?\\d
    minus exclud\\w* (?:half|majority|few|many)_(?:of_)?(?:the_)?(?:tests|specs|suite)
    expect(?:ed|s|ing)?(?=\\W+(?:that_)?(?:all_|the_|every_)*(?:tests?|suite|specs|build|lint)\\b)
    main master baseline staging others? badges? messages? notifications? banners? icons? labels? buttons?
    emails? displays? prints? printing showing string instead either rate ratio percentage theme colou?r
    isn aren doesn don didn won
    """)
    + r")\b|n't\b|[✗✘❌🔴]|\?"
)
_INTENDED = re.compile(
    r"(?i)\b(?:"
    + any_of("should must will shall to_be ought needs? going_to to_pass")
    + r"|(?:make\s+sure|ensure)\s+(?:that\s+)?(?:all\s+|the\s+|every\s+)*"
    r"(?:tests?|specs|suite|build|lint))\b"
)
_PART = re.compile(
    r"(?i)\b(?:tests?|specs|pass\w*|green)\W*(?P<n1>\d+)\s*/\s*(?P<of1>\d+)\b"
    r"|\b(?P<n2>\d+)\s*(?:/|(?:out\s+)?of)\s*(?:the\s+)?(?P<of2>\d+)\s+(?:\w+\s+){0,2}?"
    r"(?:tests?|specs|pass\w*|green|ok)\b"
    r"|\b(?P<n3>\d+)(?:\.\d+)?\s*(?P<of3>%)\s*(?:of\b|tests|specs|pass\w*|green)"
)
"""A part of them: "1 of 2 tests pass", "50% pass"."""
_STILL_FAILS = re.compile(
    r"(?i)(?<!fixed )(?<!fix )(?<!had )(?<!were )(?<!was )\b[1-9]\d*\s+(?:tests?\s+)?"
    r"(?:are\s+|is\s+)?(?:fail(?:s|ed|ing|ures?)|errors?|red)\b|\bstill\s+(?:fail|red|broken)"
)
_RED_STEP = re.compile(
    r"(?i)\b(?:failing|red)\s+(?:\w+\s+){0,3}(?:tests?|specs?|cases?)\b|\btests?\b.{0,30}\bfails?\b"
    r"|\breproduc\w*|\btdd\b.*\bred\b|^\W*red\b|\bxfail"
)
_ANY_TESTS = frozenset(
    any_of("""
    all the our full whole entire complete test every each automated project repo
    repository and with made make get got confirm confirmed verify verified
    ensure ensured
    sure run ran running keep python js javascript typescript rust go java now have has both see check
    checked
    of are is can then so corresponding done finished complete completed result results status reran rerun
    tests suite passing passes pass via using after local green
    """).split("|")
)


def claims_in(text: str, field: str, *, expects_failure: bool = False) -> tuple[PassClaim, ...]:
    """The checks that a field of a completed step claims to pass; none if the step expects a failure."""
    if not text or expects_failure or not is_english(text):
        return ()
    bare = unquoted(text)
    if field not in CRITERIA and _STILL_FAILS.search(bare):
        return ()
    found: dict[PassClaim, None] = {PassClaim("test"): None} if _RAN_OK.search(bare) else {}
    for clause in clauses(_TICKED.sub(" ", bare)):
        found |= dict.fromkeys(_in_clause(clause, field))
    return tuple(found)


_TICKED = re.compile(r"(?m)^\W*\[[xX]\]")
_OPEN = re.compile(r"^\W*\[ ?\]")


def expects_failure(description: str) -> bool:
    """Whether a step is about a failing test: then a failure is expected."""
    return bool(_RED_STEP.search(_REPAIRED.sub(" ", description)))


def _in_clause(clause: str, field: str) -> list[PassClaim]:
    found = [PassClaim("test")] if _REPAIRED.search(clause) and field in CRITERIA else []
    clause = _REPAIRED.sub(" ", clause)
    faultless = _faultless(clause)
    clause = _NO_FAULT.sub(_GOOD, clause)
    if (
        _HEDGED.search(clause)
        or _is_part(clause)
        or _OPEN.search(clause)
        or (field not in CRITERIA and _INTENDED.search(clause))
    ):
        return found
    return [
        *found,
        *faultless,
        *(
            _claim(kind, clause, match)
            for kind, pattern in _PHRASES
            for match in pattern.finditer(clause)
        ),
    ]


def _is_part(clause: str) -> bool:
    """Whether only some are claimed to pass."""
    for one in _PART.finditer(clause):
        some, whole = (each for each in one.groups() if each is not None)
        if int(some) < (_PERCENT if whole == "%" else int(whole)):
            return True
    return False


_PERCENT = 100

_KINDS = {"test": "test", "lint": "lint", "type": "types", "build": "build", "compile": "build"}


def _faultless(clause: str) -> list[PassClaim]:
    """Checks that are claimed to find no fault: "no lint errors"."""
    found = []
    for one in _KIND_OF_FAULT.finditer(clause):
        narrowed = _NARROWED.match(clause[one.end() :])
        about = (narrowed[1].strip("`"),) if narrowed and not _is_any(narrowed[1]) else ()
        found.append(PassClaim(_KINDS[one[1].lower()], "", about))
    return [*found, PassClaim("test")] if _NO_FAILURES.search(clause) else found


_NARROWED = re.compile(
    r"^\s+(?:for|in|of|under|covering|from|around|on(?=\s+`?[\w-]*[/.]\w))\s+(?:the\s+)?(`?[\w./:-]+`?)"
)


def _claim(kind: str, clause: str, match: re.Match[str]) -> PassClaim:
    groups = match.groupdict()
    if groups.get("noun"):
        return _named(kind, clause, match)
    tool = _TOOLS.search(groups.get("tool") or "")
    about = groups.get("part") or groups.get("about") or ""
    is_narrowed = about and ("part" in groups or not _is_any(about))
    return PassClaim(kind, tool.group().lower() if tool else "", (about,) if is_narrowed else ())


def _named(kind: str, clause: str, found: re.Match[str]) -> PassClaim:
    noun = found["noun"]
    tool = _TOOLS.search(noun)
    behind = (clause[found.end("noun") :], clause[found.end() :])
    narrowed = _NARROWED.match(behind[0]) or _NARROWED.match(behind[1])
    part = (narrowed[1].strip("`"),) if narrowed and not _is_any(narrowed[1].strip("`")) else ()
    if tool:
        return PassClaim(kind, tool.group().lower(), part)
    before = [each.rstrip(":") for each in re.findall(r"[\w./:-]+", clause[: found.start("noun")])]
    about = before[-1:] if before and not _is_any(before[-1]) else []
    if kind != "test" and about and about[0].lower() in _ANY_CHECK:
        about = []
    is_apart = re.search(r",\W*$", clause[: found.start("noun")])  # "Implemented it, tests pass"
    if is_apart or (len(before) == 1 and before[0].lower() in _WRITING):
        about = []  # "Added tests, all passing"
    if noun.lower() == "test" and not (before and before[-1].lower() in ("every", "each")):
        about.append("one test")  # unknown which
    return PassClaim(kind, "", (*about, *part))


_ANY_CHECK = frozenset(
    any_of("""
    code style static final production prod clean local release debug new fixed good types type lint linter
    linting build builds format formatting check checks compile added it its a this that still resulting
    """).split("|")
)
"""Words before a lint, type check or build that do not narrow it."""

_WRITING = ("added", "wrote", "written", "updated", "extended", "add", "write", "update")


def _is_any(word: str) -> bool:
    return word.lower() in _ANY_TESTS or re.fullmatch(r"\d[\d.,]*(?:m?s|min)?", word) is not None


# -- what the proof admits --------------------------------------------------------------------------

_ADMITS = re.compile(
    r"(?i)\b(?:"
    + any_of("""
    fail\\w* broken red error\\w* not cannot no_longer pre-?existing known_issues? flak\\w* skip\\w*
    partial\\w* except
    xfail todo remain\\w* blocked pending unable
    """)
    + r")\b|n't\b|[✗✘❌🔴]"
)


def admits_failure(proof: str) -> bool:
    """Whether a proof reports failures: then the proof makes the claims, and the criteria do not."""
    return (
        not is_english(proof)
        or _ADMITS.search(_NO_FAULT.sub(_GOOD, _REPAIRED.sub(" ", proof))) is not None
    )


# -- commands --------------------------------------------------------------------------------------

_WORKED = rf"(?:{_PASS}|works?|runs?\s+(?:fine|ok|clean(?:ly)?)|returns? 0|no errors)"
_ASKS_TO_RUN = re.compile(r"(?i)^(?:run|execute|with|by running)\s+")


def succeeding_commands(text: str, field: str, known: Iterable[str]) -> tuple[str, ...]:
    """The commands among ``known`` that a field claims to succeed; a verification claims its command."""
    if not is_english(text):
        return ()
    found: dict[str, None] = {}
    if field == "verification":
        criterion = _ASKS_TO_RUN.sub("", " ".join(text.split()).strip("` ")).strip("`").rstrip(".")
        found |= {name: None for name in known if name == criterion}
    for clause in clauses(text):
        named = _NO_FAULT.sub(_GOOD, clause)
        if not _HEDGED.search(re.sub(r"`[^`]*`", "", named)):
            found |= {name: None for name in known if _is_claimed(name, named, field)}
    return tuple(found)


def _is_claimed(name: str, clause: str, field: str) -> bool:
    is_quoted = f"`{name}`" in clause
    if is_quoted and field == "verification":
        return True
    if not is_quoted and len(name) <= _MIN_LENGTH:
        return False
    said = rf"(?i)(?<![\w./-]){re.escape(name)}{_GAP}{_WORKED}{_THEN}"
    return re.search(said, clause) is not None


_MIN_LENGTH = 4
"""A command of so few letters is a word, unless it is in backticks."""
