"""The test cases in a text: their names, what skips them, and what they assert.

Owns the conventions for test files and test cases of each language. Python is parsed, other languages are
read by lines and indentation. Does not own what a difference means (``evidence.tamper.detect``).
"""

from __future__ import annotations

import re

from operators_edge.evidence.tamper import python_test_cases
from operators_edge.evidence.tamper.model import Case, Suite
from operators_edge.text import patterns

LONGEST = 200_000
"""Characters; a longer text is probably generated, and is not read."""

_TEST_NAMES = {
    "python": r"(?:^|/)(?:test_[^/]*|[^/]*_test|tests)\.py$",
    "js": r"\.(?:test|spec|cy|e2e)\.[cm]?[jt]sx?$|(?:^|/)(?:__tests__|tests?|spec|e2e)/.*\.[cm]?[jt]sx?$",
    "go": r"_test\.go$",
    "rust": r"\.rs$",
    "java": r"(?:^|/)src/(?:test|\w+Test)/.*\.(?:java|kt|scala|groovy)$"
    r"|(?:Tests?|IT|Spec)\.(?:java|kt|scala|groovy)$",
    "csharp": r"Tests?\.cs$|(?:^|/)[^/]*Tests?/.*\.cs$",
    "ruby": r"_(?:spec|test)\.rb$|(?:^|/)test_[^/]*\.rb$",
    "php": r"Test\.php$|(?:^|/)tests/.*\.php$",
    "elixir": r"_test\.exs$",
    "dart": r"_test\.dart$",
    "swift": r"Tests?\.swift$|(?:^|/)[^/]*Tests/.*\.swift$",
    "cpp": r"(?:_(?:unit)?tests?|[^/]Tests?)\.(?:cc|cpp|cxx|c)$|(?:^|/)tests?[_/][^/]*\.(?:cc|cpp|cxx|c)$",
    "bats": r"\.bats$",
}
_LANGUAGES = {name: patterns.pattern(pattern) for name, pattern in _TEST_NAMES.items()}

_SKIPPED = {
    "js": r"\b(?:it|test|describe|context|suite)\.(?:\w+\.)?(?:skip\w*|todo|failing|fixme)\b"
    r"|\bx(?:it|test|describe|context)\b|\bthis\.skip\(|\bt\.(?:skip|todo)\(|\bskip:\s*true|\bpending\(",
    "go": r"\bt\.Skip\w*\(",
    "rust": r"#\[ignore\b|#\[cfg\(any\(\)\)\]",
    "java": r"@(?:Disabled|Ignore)\w*\b|\bassumeTrue\(\s*false|\benabled\s*=\s*false",
    "csharp": r"\[(?:Ignore|Explicit)\b|\bSkip\s*=\s*\"|\bAssert\.(?:Ignore|Inconclusive)\(",
    "ruby": r"^\s*x(?:it|describe|context|specify|scenario|feature)\b|^\s*(?:skip|pending)\b"
    r"|,\s*(?::skip|:pending|skip:|pending:)",
    "php": r"\bmarkTest(?:Skipped|Incomplete)\b|->(?:skip|todo)\(",
    "elixir": r"@(?:module|describe)?tag\s+(?::skip|skip:)",
    "dart": r"\bskip:\s*(?:true|['\"])|@Skip\b",
    "swift": r"\bXCTSkip\w*\b|\.disabled\(",
    "cpp": r"\bDISABLED_|\bGTEST_SKIP\b|\bdoctest::skip\b|\[!?\.\]|\[!mayfail\]",
    "bats": r"^\s*skip\b",
}
_FOCUSED = {
    "js": r"\b(?:it|test|describe|context|suite)\.(?:\w+\.)?only\b|\bf(?:it|describe)\s*\(|\bonly:\s*true",
    "ruby": r"^\s*f(?:it|describe|context|specify)\b|,\s*(?::focus\b|focus:\s*true)",
    "php": r"->only\(",
    "elixir": r"@tag\s+(?::focus|:only)\b",
    "dart": r"\bsolo:\s*true",
}
_SKIP = {name: patterns.pattern(pattern) for name, pattern in _SKIPPED.items()}
_FOCUS = {name: patterns.pattern(pattern) for name, pattern in _FOCUSED.items()}

_ASSERTION = patterns.pattern(
    r"\b(?:expect\w*|verify\w*|XCTAssert\w*|EXPECT_\w+|ASSERT_\w+|CHECK\w*|REQUIRE\w*)\s*(?:<[^<>()]*>)?[({]"
    r"|\b(?:debug_|prop_)?assert\w*!?(?:(?:\.|::|->)\w+)*\s*\(|\bAssert(?:ions)?(?:\.|::)\w+(?:<[^()]*>)?\s*\("
    r"|->assert\w+\(|\.should\b|\bshould[A-Z]\w*|\bmust_\w+|\bis_expected\b"
    r"|^\s*(?:assert|refute)\w*\s+\S|\brefute\w*\s*\(|\[\[?\s.*\]$"
    r"|\b(?:s?t|require|is)\.(?:Error|Fatal|Fail|Equal|NoError|True|Len|Contains|ElementsMatch|deepEqual|is|true|throws|same|strictEqual)\w*\("
)
_IMPORT = patterns.pattern(
    r"\s*(?:(?:import|use|using|from|#include|package)\b|require(?:_relative)?[\s(]+['\"])"
)

_STRING_TEST = patterns.pattern(
    r"^\s*(?:await\s+)?(?:s?t\.)?(?P<word>[xf]?(?:it|test|describe|context|suite|specify|scenario|feature|example|group)"
    r"|testWidgets|Deno\.test|testProperty|property)"
    r"(?:\.\w+)*\s*(?:\([^'\"`]*\)\s*)?\(?\s*(?P<quote>['\"`])(?P<name>.*?)(?P=quote)"
)
_EACH = patterns.pattern(r"^\s*[xf]?(?:it|test|describe)(?:\.\w+)*\.each\b")
_EACH_NAME = patterns.pattern(r"[\])`]\s*\(\s*(['\"`])(.*?)\1")
_GROUPS = frozenset({"describe", "context", "suite", "feature", "group"})
_NAMED = {
    "go": patterns.pattern(r"^func\s+((?:Test|Fuzz|Example)\w*)\s*\("),
    "php": patterns.pattern(r"^\s*(?:\w+\s+)*function\s+(test\w*)\s*\("),
    "swift": patterns.pattern(r"^\s*(?:\w+\s+)*func\s+(test\w*)\s*\("),
    "ruby": patterns.pattern(r"^\s*def\s+(test_\w+[?!]?)"),
    "cpp": patterns.pattern(
        r"^\s*(?:TEST(?:_[FP]|_CASE)?|TYPED_TEST|SCENARIO)\s*\(\s*([^()]*?(?:\"[^\"]*\")?[^()]*)\)"
    ),
    "bats": patterns.pattern(r"^@test\s+['\"](.*)['\"]"),
    "java": patterns.pattern(r"^\s*(?:\w+\s+)*void\s+(test\w*)\s*\("),
}
_GO_SUBTEST = patterns.pattern(r"^\s*t\.Run\(\s*\"([^\"]*)\"")
_MARKED = {
    "rust": patterns.pattern(
        r"^\s*#\[(?:\w+::)*(?:test|rstest|test_case|bench|quickcheck|proptest)\b"
    ),
    "java": patterns.pattern(
        r"^\s*@(?:Test|ParameterizedTest|RepeatedTest|TestFactory|Property)\b"
    ),
    "csharp": patterns.pattern(r"^\s*\[(?:Fact|Theory|Test|TestCase|TestMethod|DataTestMethod)\b"),
    "php": patterns.pattern(r"^\s*(?:#\[Test\b|/\*\*\s*@test\b)"),
    "swift": patterns.pattern(r"^\s*@Test\b"),
}
_METHOD = patterns.pattern(
    r"(?:\b(?:fun|fn|func|def|function)\s+|\s)(`[^`]+`|\w+)\s*(?:<[^>]*>)?\("
)
_ATTRIBUTE = patterns.pattern(r"\s*(?:@|#\[|\[\w)")
_CLASS = patterns.pattern(
    r"^\s*(?:\w+\s+)*(?:class|object|module|mod)\s+(\w+)|^\s*defmodule\s+([\w.]+)"
)
_BLOCK_COMMENT = re.compile(
    r"^[ \t]*/\*(?!\*\s*@test)(?:[^*/]|\*(?!/)|/(?!\*))*\*/[ \t]*$", re.MULTILINE
)
_RUBY_COMMENT = re.compile(r"^=begin\b(?:(?!^=begin).)*?^=end\b", re.DOTALL | re.MULTILINE)
_LINE_COMMENT = {"ruby": "#", "elixir": "#", "bats": "#"}
_CALL = patterns.pattern(r"\b([A-Za-z_]\w*)!?\s*\(")
_EMPTY_CATCH = patterns.pattern(
    r"\bcatch\s*(?:\([^()]*\))?\s*\{\s*\}|\brescue\b[^\n]*\n\s*(?:nil\s*)?end\b"
)
_TABLE = patterns.pattern(
    r"\.each\b|ParameterizedTest|\[(?:Theory|InlineData|TestCase)\b|\bt\.Run\(|:= range\b"
    r"|#\[(?:case|test_case)\b"
    r"|@(?:dataProvider|TestWith)|DataProvider|\bfor(?:Each|_all)\b|INSTANTIATE_TEST|\bfor .* <- "
)
_RETURN = patterns.pattern(r"^\s*return\s*(?:;|$|nil|true)")


def language(path: str) -> str:
    """The language of a test file by its path; "" if it is not a test file by any convention."""
    for name, pattern in _LANGUAGES.items():
        if pattern.search(path):
            return name
    return ""


def suite(path: str, text: str | None) -> Suite | None:
    """The test cases of a file; None if it cannot be read. A missing file has none."""
    if text is None:
        return Suite(())
    lang = language(path)
    if not lang or len(text) > LONGEST:
        return None
    if lang == "python":
        return python_test_cases.suite(text)
    lines = _bare(lang, text)
    return Suite(tuple(_cases(lang, lines)), tuple(assertions(lines)), _helpers(lines))


def _bare(lang: str, text: str) -> list[str]:
    """The lines with comments blanked."""
    if lang == "ruby":
        text = _RUBY_COMMENT.sub("", text)
    elif lang not in _LINE_COMMENT:
        text = _BLOCK_COMMENT.sub(lambda found: "\n" * found[0].count("\n"), text)
    mark = _LINE_COMMENT.get(lang, "//")
    return ["" if line.lstrip().startswith(mark) else line for line in text.split("\n")]


def _cases(lang: str, lines: list[str]) -> list[Case]:
    found: list[Case] = []
    around: list[tuple[int, int]] = []
    for at in range(len(lines)):
        if not lines[at].strip():
            continue
        name, head, is_group = _header(lang, lines, at)
        if not name:
            continue
        indent = _indent(lines[head])
        around = [each for each in around if each[0] < indent]
        outer = [found[number] for _, number in around]
        if outer and not outer[-1].is_group and not is_group:
            # A test that contains tests is a group: the assertions belong to them.
            found[around[-1][1]] = outer[-1]._replace(is_group=True, lines=(), assertions=())
        named = Case(name, is_group, "::".join(each.name for each in outer))
        around.append((indent, len(found)))
        found.append(_case(lang, lines, (_first_attribute(lines, at), head), named))
    return found


def _header(lang: str, lines: list[str], at: int) -> tuple[str, int, bool]:
    """The case that starts at the line: its name ("" for none), its header's line, whether a group."""
    marked = _MARKED.get(lang)
    if marked and (found := marked.match(lines[at])):
        return _marked(lines, at, found.end())
    for find in (_declared, _called, _contained):
        name, is_group = find(lang, lines, at)
        if name:
            return name, at, is_group
    return "", at, False


def _declared(lang: str, lines: list[str], at: int) -> tuple[str, bool]:
    """``func TestAdd``; a subtest of Go is a group, because it can hold others."""
    named = _NAMED.get(lang)
    if named and (found := named.match(lines[at])) and not _is_marked(lang, lines, at):
        return _cpp_name(found[1]) if lang == "cpp" else found[1], False
    subtest = _GO_SUBTEST.match(lines[at]) if lang == "go" else None
    return (subtest[1], True) if subtest else ("", False)


def _called(lang: str, lines: list[str], at: int) -> tuple[str, bool]:
    """``it("adds", …)``."""
    if lang not in ("js", "ruby", "elixir", "dart", "php", "cpp"):
        return "", False
    line = lines[at]
    if _EACH.match(line):
        behind = _EACH_NAME.search("\n".join(lines[at : at + 60]))
        return behind[2] if behind else "each", "describe" in line.split(".")[0]
    found = _STRING_TEST.match(line)
    return (found["name"], found["word"].lstrip("xf") in _GROUPS) if found else ("", False)


def _contained(_: str, lines: list[str], at: int) -> tuple[str, bool]:
    """``class TestAdd``."""
    found = _CLASS.match(lines[at])
    return (found[1] or found[2], True) if found else ("", False)


def _cpp_name(inside: str) -> str:
    return ".".join(part.strip().strip('"') for part in inside.split(",")[:2]).replace(
        "DISABLED_", ""
    )


def _marked(lines: list[str], at: int, column: int) -> tuple[str, int, bool]:
    """The method after a test's attribute; more attributes may follow, and span lines."""
    for head in range(at, min(at + 16, len(lines))):
        line = lines[head][column:] if head == at else lines[head]
        if head > at and _ATTRIBUTE.match(line) and not _METHOD.search(line.split(")")[-1]):
            continue
        found = _METHOD.search(line.partition(")")[2] if head == at and "(" in line[:1] else line)
        if found and not line.lstrip().startswith(('"', "{", "}", ")", "//")):
            return found[1].strip("`"), head, False
    return "", at, False


def _is_marked(lang: str, lines: list[str], at: int) -> bool:
    marked = _MARKED.get(lang)
    return marked is not None and any(map(marked.match, lines[_first_attribute(lines, at) : at]))


def _first_attribute(lines: list[str], at: int) -> int:
    while at > 0 and _ATTRIBUTE.match(lines[at - 1]):
        at -= 1
    return at


def _case(lang: str, lines: list[str], where: tuple[int, int], named: Case) -> Case:
    first, head = where
    end = _end(lines, head)
    block = lines[first:end]
    # A group is skipped by its header; a skip inside a test is the test's.
    looked = lines[first : head + 1] if named.is_group else block
    skips = [m[0].strip(" ,(") for line in looked if (m := _found(_SKIP, lang, line))]
    focuses = [m[0].strip(" ,(") for line in looked if (m := _found(_FOCUS, lang, line))]
    named = named._replace(skips=tuple(skips), focuses=tuple(focuses))
    if named.is_group:
        return named
    inner = lines[head + 1 : end]
    text = "\n".join(inner)
    first_line = next((line for line in inner if line.strip()), "")
    is_caught = bool(_EMPTY_CATCH.search(text)) and _ASSERTION.search(text)
    return named._replace(
        is_table=_TABLE.search("\n".join(block)) is not None,
        lines=tuple(line.strip() for line in (*lines[first:head], *inner) if line.strip()),
        assertions=tuple(assertions(lines[head:end])),
        calls=frozenset(_CALL.findall(text)),
        returns_first=bool(_RETURN.match(first_line)) and len([x for x in inner if x.strip()]) > 2,
        suppressed=len(_EMPTY_CATCH.findall(text)) if is_caught else 0,
    )


def _found(table: dict[str, re.Pattern[str]], lang: str, line: str) -> re.Match[str] | None:
    pattern = table.get(lang)
    return pattern.search(line) if pattern else None


def _end(lines: list[str], head: int) -> int:
    """The line after a block: the block ends where the indentation is that of its header."""
    indent = _indent(lines[head])
    at = head + 1
    while at < len(lines):
        line = lines[at]
        if line.strip() and _indent(line) <= indent:
            if not line.lstrip().startswith(("}", ")", "]", "end", "{")):
                return at
            if line.rstrip()[-1] not in "{([":
                return at + 1
        at += 1
    return at


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def assertions(lines: list[str]) -> list[str]:
    """Each assertion as one line; one that spans lines is joined."""
    found: list[str] = []
    at = 0
    while at < len(lines):
        match = None if _IMPORT.match(lines[at]) else _ASSERTION.search(lines[at])
        if match is None:
            at += 1
            continue
        text = lines[at][match.start() :].strip()
        last = at
        while last + 1 < len(lines) and last - at < 20 and _goes_on(text, lines[last + 1]):
            last += 1
            text += " " + lines[last].strip()
        # An assertion that contains others (a callback that waits) is not counted itself.
        inner = [line for line in lines[at + 1 : last + 1] if _ASSERTION.search(line)]
        at = at + 1 if inner else last + 1
        if not inner:
            found.append(" ".join(text.rstrip(";").split()))
    return found


def _goes_on(text: str, following: str) -> bool:
    is_open = sum(map(text.count, "([{")) > sum(map(text.count, ")]}"))
    return is_open or following.lstrip().startswith(".")


_FUNCTION = patterns.pattern(
    r"^\s*(?:\w+\s+)*(?:function|func|fn|fun|def|defp|const|let)\s+(?:\([^)]*\)\s*)?(\w+)"
)


def _helpers(lines: list[str]) -> frozenset[str]:
    names = set()
    for at, line in enumerate(lines):
        found = _FUNCTION.match(line)
        if (
            found
            and not found[1].lower().startswith("test")
            and assertions(lines[at : _end(lines, at)])
        ):
            names.add(found[1])
    return frozenset(names)


# end of module
