"""How much an assertion demands, and whether a changed one demands less.

Owns the comparison of assertions as texts. A changed expected value is ordinary work. Errs towards "as strict
as before": a wrong accusation is worse than a missed one.
"""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_CONSTANT = r"(?:true|True|1|'[^']*'|\"[^\"]*\")"
_TRIVIAL = re.compile(
    rf"^assert\s+(?:{_CONSTANT}|not\s+(?:False|false|0))$"
    rf"|^expect\(({_CONSTANT})\)\.to(?:Be|Equal|StrictEqual|\.be|\.equal|\.eq)?\b[\s(]*\(?(?:\1|eq\(?\1)?\)?"
    r"|^expect\(true\)\.toBeTruthy|^expect\(true\)\.to\s+be"
    rf"|(?:assertTrue|assert_true|\bassert!?|assert\.ok|Assert\.(?:True|IsTrue)|EXPECT_TRUE|XCTAssertTrue|isTrue)\(\s*(?:t,\s*)?{_CONSTANT}\s*\)$"
    r"|(?:[aA]ssert(?:_eq!?|Equals?|_equal|s?\.\w*[eE]qual)|EXPECT_EQ)\(\s*(?:t,\s*)?(\w+),\s*\2\s*\)$"
    r"|^assert\s+(\w+)\s*==\s*\3$|Assert\.Pass\("
)
_APPROXIMATE = re.compile(
    r"approx|toBeCloseTo|InDelta|InEpsilon|[aA]lmost|isclose|_NEAR\b|allclose"
)
_NEGATED = re.compile(
    r"\.not\.|\.not_to\b|\.to_not\b|!=|\bis not\b|NotEqual|_ne\b|_ne!"
    r"|NotNull|NotNone|NotNil|not_nil|NotEmpty|_NE\b"
)
_EXACT = re.compile(
    r"===?|\bis\b(?! instance)|\btoBe\(|\btoEqual\(|\btoStrictEqual\("
    r"|[eE]quals?\w*\(|_equals?\b|\beq[\s(]|\beql\b|_eq!|[aA]ssertIs\("
    r"|Same\(|AreEqual|shouldBe\b|toHaveBeenCalled(?:Times|With)|called_(?:once_)?with|_EQ\(|isEqualTo|hasSize|toHaveLength"
    r"|\bmatch\?"
    r"|toThrow\w*\(\S|\braises\((?!(?:Base)?Exception\b)|assertRaises\w*\((?!(?:Base)?Exception\b)"
    r"|assertThrows\((?!(?:Exception|Throwable)\.)"
)
_PARTIAL = re.compile(
    r"\bin\b|[<>]=?|toContain|toMatch|[Cc]ontains|toBeGreater|toBeLess|assertIn\b|[rR]egex|startswith|endswith"
    r"|assertGreater|assertLess|includes?\b|[oO]bjectContaining|_[GL][ET]\(|startsWith|endsWith|\bmatch"
)
_EMPTY = re.compile(
    r"(?:==|\bis|toBe\(|toEqual\(|[eE]qual\w*\(|eq[\s(]+|_eq!\(|===).*?(?:\bTrue\b|\bFalse\b|\bNone\b|\btrue\b|\bfalse\b|\bnull\b|\bnil\b"
    r"|\bundefined\b|\b0\b|\[\]|\{\}|''|\"\")"
)
_WORD = re.compile(r"[A-Za-z_]\w*|\d+(?:\.\d+)?|[\"'][^\"']*[\"']")
_VOCABULARY = re.compile(
    r"(?i)^(?:assert\w*|expect|to\w*|not|is|in|and|or|be|eq|eql|equal\w*|self|should\w*|true|false|none|null|nil|undefined"
    r"|require|t|len|length|size|it|that|ok|have|raises|pytest)$"
)
_NUMBER = r"-?\d*\.?\d+(?:[eE][+-]?\d+)?"
_TOLERANCE = re.compile(
    rf"\b(?:abs|rel|abs_tol|rel_tol|atol|rtol|delta|tolerance|epsilon)\s*[=:]\s*({_NUMBER})"
    rf"|(?:InDelta|InEpsilon|_NEAR|assertEquals)\(.*,\s*({_NUMBER})\s*\)$"
)
_PLACES = re.compile(r"\bplaces\s*=\s*(\d+)|toBeCloseTo\([^,]*,\s*(\d+)\)")


_HELPER = re.compile(
    r"^(?:await )?(?:self\.|this\.)?_?(?:assert|check|verify|expect|ensure)(?:_[a-z]|[A-Z])\w*\("
)
_STANDARD = re.compile(
    r"^(?:await )?(?:self\.|this\.)?assert_?(?i:(?:is|does)?_?(?:not)?_?(?:equals?|same|true|false"
    r"|null|none|nil|in|is|instance|throws?|raises?|that|greater|less|regex|contains?|empty|count|array|string"
    r"|almost|dict|list|tuple|set|called|any|has|matche?s?|iterable|all|output|template|redirects|includes?|operator"
    r"|predicate|respond|kind|nothing|file|json|status|response|ok|eq|ne))(?![a-z])"
    r"|^expect(?:TypeOf|Error|Assertions|Exception)"
)
_RAISES = re.compile(r"\b(?:raises|assertRaises\w*|assertThrows\w*|toThrow\w*)\(")


def is_helper(text: str) -> bool:
    """Whether it calls an assertion helper of the project, which may demand anything."""
    return _HELPER.match(text) is not None and _STANDARD.match(text) is None


def is_trivial(text: str) -> bool:
    """Whether it holds for any code."""
    return _TRIVIAL.search(text) is not None


def strictness(text: str) -> int:
    """3: one value only; 2: a part or a range; 1: that there is something; 0: nothing."""
    if is_trivial(text):
        return 0
    if _APPROXIMATE.search(text) or is_helper(text):
        return 3
    if _NEGATED.search(text):
        return 1
    if _EXACT.search(text):
        return 3
    return 2 if _PARTIAL.search(text) else 1


def words(text: str) -> frozenset[str]:
    """What an assertion is about: names and values, without the vocabulary of assertions."""
    return frozenset(word for word in _WORD.findall(text) if not _VOCABULARY.match(word))


def weakened(lost: Sequence[str], added: Sequence[str]) -> list[tuple[str, str]]:
    """Pairs of an assertion and a successor that demands less."""
    left = list(added)
    found = []
    for old in lost:
        new = _successor(old, left)
        if new is None:
            continue
        left.remove(new)
        if _demands_less(old, new):
            found.append((old, new))
    return found


def _successor(old: str, candidates: Sequence[str]) -> str | None:
    about = words(old)
    best, most = None, 0.5
    for new in candidates:
        if is_trivial(new):
            share = 0.5
        elif _RAISES.search(old) and _RAISES.search(new):
            share = 0.6
        else:
            fewer = min(len(about), len(words(new)))
            share = len(about & words(new)) / fewer if fewer else 0.0
        if share > most or (share == most and best is None):
            best, most = new, share
    return best


def _demands_less(old: str, new: str) -> bool:
    before, after = strictness(old), strictness(new)
    if after < before:
        # `== []` and `not x`, `is True` and `x` mean the same.
        return after == 0 or not (after == 1 and _EMPTY.search(old))
    return _is_looser(old, new)


def _is_looser(old: str, new: str) -> bool:
    if words(_TOLERANCE.sub("", _PLACES.sub("", old))) != words(
        _TOLERANCE.sub("", _PLACES.sub("", new))
    ):
        return False
    wide, fine = _numbers(_TOLERANCE, old), _numbers(_TOLERANCE, new)
    if wide and fine and fine > wide:
        return True
    places, fewer = _numbers(_PLACES, old), _numbers(_PLACES, new)
    return bool(places and fewer and fewer < places)


def _numbers(pattern: re.Pattern[str], text: str) -> list[float]:
    return [float(next(filter(None, match.groups()))) for match in pattern.finditer(text)]


def unmatched(lost: Sequence[str], added: Iterable[str], lines: Iterable[str]) -> list[str]:
    """The lost assertions that no added assertion, nor the lines added with it, replaces."""
    replacements = [new for new in added if not is_trivial(new)]
    if not replacements:
        return list(lost)
    everything = frozenset[str]().union(*map(words, (*replacements, *lines)))
    return [old for old in lost if len(words(old) & everything) < 0.7 * len(words(old))]


# end of module
