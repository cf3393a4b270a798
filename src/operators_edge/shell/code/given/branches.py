"""The parts of code that surely do not run, from the values of its conditions.

Owns ``if``, ``else``, ``switch``, ``&&`` and ``?:`` of languages with braces, and what comes behind a branch
that leaves. Does not own the conditions (``given.conditions``), nor what names stand for. Pure: places out.
"""

from __future__ import annotations

import re

from operators_edge.shell.code.given import masks
from operators_edge.shell.code.given.conditions import TRUE_LIKE, UNKNOWN, truth
from operators_edge.text.patterns import pattern
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from operators_edge.shell.code.given.masks import Code

    Value = Callable[[str], object]
    Part = tuple[int, int]

_IF = pattern(r"(?<![.\w$@#])(?:if|elseif)\b(?!\s*(?:let\b|:|,|=(?!=)))")
_ELSE = pattern(r"\s*(?:else\b\s*|(?=elseif\b))")
_SWITCH = pattern(r"(?<![.\w$@#])(?:switch|match)\b(?!\s*(?:!|:|,|=))")
_LABEL = pattern(r"(?<![.\w$])(?:case\b|default\s*:)")
_LEAVES = {
    masks.NODE: pattern(
        r"(?<![.\w$])(?:return|throw|continue|break|(?:process|Deno)\.exit(?=\())\b"
    ),
    masks.GO: pattern(r"(?<![.\w])(?:return|continue|break|os\.Exit(?=\()|panic(?=\())\b"),
    masks.RUST: pattern(
        r"(?<![.\w:])(?:return|continue|break|(?:std::)?process::exit(?=\()|panic!(?=\())"
    ),
    masks.PHP: pattern(r"(?<![.\w$>:])(?:return|throw|continue|break|exit|die)\b"),
}
_MAX_WORD = 40
_MAX_OPERAND = 400
_HEADED = pattern(r"(?<![.\w$])(?:if|for|while|with|elseif|foreach|switch|catch|else|do)\s*\Z")
_HOISTED = pattern(
    r"(?<![.\w$])(?:(?:async\s+)?function\b\s*[*&]?\s*\w+|class\s+\w+|fn\s+\w+"
    r"|(?P<line>import\b(?!\s*\()|export\b)|(?:struct|enum|impl|trait|mod|interface|namespace|macro_rules)\b)"
)
"""What counts wherever it stands in a block."""
_JOINED = pattern(r"&&|\|\||(?<!\?)\?(?![?.:])")
_STOPS_CHOICE = pattern(r"[;,\n?:]|(?<![=!<>])=(?![=>])|=>|\breturn\b")
_STOPS_BEFORE = pattern(r"[;,\n?:]|\|\||\?\?|(?<![=!<>])=(?![=>])|=>|\breturn\b")
"""What stands before the operand of ``?``, and before that of another operator."""
_CALLS = pattern(
    r"(?<!includes)(?<!indexOf)(?<!Boolean)(?<!\.at)(?<!some)(?<![\s(!&|])\(|`|\bnew\b"
)
"""What a condition may do besides being asked."""
_COMPLETE = pattern(
    r"(?:[;{})\]\"]|\A|(?<![\w$])(?!(?:typeof|void|await|new|in|of|instanceof|delete|case|yield|extends)\b)[\w$]+)\s*\Z"
)
"""What ends a statement that the next line does not continue."""
_STOPS_AFTER = pattern(r"[;,\n?:)\]}]|\?\?|\|\|")
_LITERAL = pattern(r"\s*(?:'([^'\\\n]*)'|\"([^\"\\\n]*)\")\s*\Z")
_COLON, _COMMA, _ARROW = pattern(r":(?!:)"), pattern(","), pattern("=>")
_OPTIONAL = pattern(r"\bSome\((\"[^\"\\\n]*\")\)")
_OTHERS = {
    # what takes any other text, and what takes nothing
    "_": (True, True),
    "default": (True, True),
    "None": (False, True),
    "Some(_)": (True, False),
    "None | Some(_)": (True, True),
    "Some(_) | None": (True, True),
}
_ANY_NAME = pattern(r"[a-z]\w*")
_WITHOUT_BRACKETS = (masks.GO, masks.RUST)
"""Languages whose conditions stand without brackets, and whose branches always have braces."""


def untaken(code: Code, kind: str, value: Value) -> list[Part]:
    """Return the places of what does not run; ``value`` is that of an expression."""
    found: list[Part] = []
    for one in _IF.finditer(code.mask):
        found += _of_if(code, kind, one, value)
    for one in _SWITCH.finditer(code.mask):
        found += _of_switch(code, kind, one, value)
    if kind not in _WITHOUT_BRACKETS:
        for one in _JOINED.finditer(code.mask):
            found += _of_operator(code, one, value)
    return [one for one in found if one[0] < one[1]]


# -- if --------------------------------------------------------------------------------------------


def _of_if(code: Code, kind: str, word: re.Match[str], value: Value) -> Iterator[Part]:
    head = _condition(code, kind, word.end())
    if head is None:
        return
    asked, at = head
    holds = truth(value(asked))
    if holds is None:
        return
    start = _start(code, at)
    is_block = code.mask[start : start + 1] == "{"
    if not is_block and (kind in _WITHOUT_BRACKETS or code.mask[start : start + 1] == ":"):
        return
    end = code.pairs[start] + 1 if is_block else _end_of_statement(code, start)
    body = (start + 1, end - 1) if is_block else (start, end)
    if not holds:
        yield body
        return
    last = end
    if is_block:
        last = _end_of_chain(code, end, kind)
        yield end, last
    leaves = _LEAVES[kind].match(code.mask, start) if not is_block else _is_left(code, kind, body)
    if leaves and _begins_statement(code, code.block(word.start())[0], word.start()):
        yield from _rest(code, word.start(), last)


def _condition(code: Code, kind: str, at: int) -> tuple[str, int] | None:
    """The condition behind ``if``, and where it ends."""
    at = _start(code, at)
    if kind not in _WITHOUT_BRACKETS:
        if code.mask[at : at + 1] != "(":
            return None
        return code.text[at + 1 : code.pairs[at]], code.pairs[at] + 1
    place = at
    while place < len(code.mask) and code.mask[place] != "{":
        if code.mask[place] in ")]};":
            return None
        place = code.pairs.get(place, place) + 1
    return (code.text[at:place], place) if place < len(code.mask) else None


def _start(code: Code, at: int) -> int:
    """Where something begins at a place or behind it."""
    while at < len(code.mask) and code.mask[at].isspace():
        at += 1
    return at


def _end_of_statement(code: Code, at: int) -> int:
    """Where a statement without braces ends at the earliest."""
    while at < len(code.mask) and code.mask[at] not in ";\n}":
        at = code.pairs.get(at, at) + 1
    return at


def _end_of_chain(code: Code, at: int, kind: str) -> int:
    """Where the last ``else`` behind a block ends."""
    while True:
        other = _ELSE.match(code.mask, at)
        if other is None:
            return at
        start = other.end()
        following = _IF.match(code.mask, start)
        if following:
            head = _condition(code, kind, following.end())
            start = _start(code, head[1]) if head else -1
        if start < 0 or code.mask[start : start + 1] != "{":
            return at
        at = code.pairs[start] + 1


def _is_left(code: Code, kind: str, body: Part) -> bool:
    """Whether what is in braces surely ends by leaving what is around them."""
    found = _top(code, _LEAVES[kind], *body)
    return any(_begins_statement(code, body[0], one.start()) for one in found)


def _begins_statement(code: Code, start: int, at: int) -> bool:
    """Whether a word stands by itself, and not behind the head of another statement."""
    before = code.mask[start:at]
    text = before.rstrip()
    if not text or text[-1] in ";{}":
        return True
    if "\n" not in before[len(text) :] or _HEADED.search(text[-_MAX_WORD:]):
        return False
    if text[-1] == ")":
        opened = next(code.enclosing(start + len(text) - 1), start)
        return not _HEADED.search(code.mask[max(start, opened - _MAX_WORD) : opened])
    return re.search(r"[\w\"\]$]\Z", text) is not None


def _rest(code: Code, at: int, last: int) -> Iterator[Part]:
    """What is behind a place in its block; but not functions, which may be called before."""
    start, end = code.block(at)
    if start == 0 and any(code.mask[one] != "{" for one in code.enclosing(at)):
        return
    place = last
    label = next(_top(code, _LABEL, last, end), None)
    end = end if label is None else label.start()
    for one in _top(code, _HOISTED, last, end):
        braces = code.mask.find("{", one.start(), end)
        if one.start() < place or (braces < 0 and not one["line"]):
            continue
        yield place, one.start()
        place = _end_of_statement(code, one.start()) if one["line"] else code.pairs[braces] + 1
    yield place, end


def _top(code: Code, what: re.Pattern[str], start: int, end: int) -> Iterator[re.Match[str]]:
    """What is found in a part of the code outside of the brackets in it."""
    at = start
    while at < end:
        one = what.search(code.mask, at, end)
        if one is None:
            return
        inside = [each for each in code.enclosing(one.start()) if each >= start]
        if inside:
            at = code.pairs[inside[-1]] + 1
        else:
            yield one
            at = max(one.end(), at + 1)


# -- switch ----------------------------------------------------------------------------------------


def _of_switch(code: Code, kind: str, head: re.Match[str], value: Value) -> Iterator[Part]:
    found = _condition(code, kind, head.end())
    if found is None:
        return
    asked, at = found
    at = _start(code, at)
    if code.mask[at : at + 1] != "{":
        return
    chosen = value(asked)
    if chosen is UNKNOWN or chosen is TRUE_LIKE or isinstance(chosen, (bool, int)):
        return
    arms = _arms(code, at) if head[0] == "switch" else _arms_of_match(code, at)
    if arms is None or (not isinstance(chosen, str) and any("" in one.words for one in arms)):
        return
    if kind == masks.PHP and isinstance(chosen, str) and chosen[:1].isdigit():
        return  # it is equal to other texts, too
    taken = next((n for n, one in enumerate(arms) if one.is_for(chosen)), len(arms))
    falls = kind in (masks.NODE, masks.PHP) and head[0] == "switch"
    if falls:  # a default in the middle is taken if none of all cases is
        named = (n for n, one in enumerate(arms) if isinstance(chosen, str) and chosen in one.words)
        taken = next(named, taken)
    is_running = False
    for number, one in enumerate(arms):
        is_running = number == taken or (is_running and falls)
        if not is_running:
            yield one.body
        elif _ends(code, kind, one.body):
            is_running = False


class _Arm(NamedTuple):
    """One case: the texts that it is for, its body, and whether it is for any other text, or for nothing."""

    words: list[str]
    body: Part
    takes_texts: bool = False
    takes_nothing: bool = False

    def is_for(self, chosen: object) -> bool:
        if isinstance(chosen, str):
            return self.takes_texts or chosen in self.words
        return self.takes_nothing


def _arms(code: Code, opened: int) -> list[_Arm] | None:
    """The cases of a ``switch``; None if one is for something else than texts."""
    end = code.pairs[opened]
    labels = list(_top(code, _LABEL, opened + 1, end))
    found: list[_Arm] = []
    for number, one in enumerate(labels):
        last = labels[number + 1].start() if number + 1 < len(labels) else end
        if one[0].startswith("default"):
            found.append(_Arm([], (one.end(), last), takes_texts=True, takes_nothing=True))
            continue
        colon = next(_top(code, _COLON, one.end(), last), None)
        words = _words(code.bare[one.end() : colon.start()]) if colon else None
        if colon is None or words is None:
            return None
        found.append(_Arm(words, (colon.end(), last)))
    inside = code.mask[opened:end]
    return None if "fallthrough" in inside or "goto" in inside else found


def _words(given: str) -> list[str] | None:
    """The texts in a list of them; None if there is anything else."""
    found = [_LITERAL.match(part) for part in re.split(r"[,|]", given)]
    return [one[1] or one[2] or "" for one in found if one] if all(found) else None


def _arms_of_match(code: Code, opened: int) -> list[_Arm] | None:
    """The same of Rust's ``match`` by texts, and of PHP's."""
    end = code.pairs[opened]
    found: list[_Arm] = []
    at = opened + 1
    while (arrow := next(_top(code, _ARROW, at, end), None)) is not None:
        given = _OPTIONAL.sub(r"\1", code.bare[at : arrow.start()].strip(", \n\t"))
        start = _start(code, arrow.end())
        comma = next(_top(code, _COMMA, start, end), None)
        last = comma.start() if comma else end
        if code.mask[start : start + 1] == "{":
            last = code.pairs[start] + 1
        others = _OTHERS.get(given) or (_OTHERS["_"] if _ANY_NAME.fullmatch(given) else None)
        words = [] if others else _words(given)
        if words is None:
            return None
        found.append(_Arm(words, (start, last), *(others or ())))
        at = last
    return found or None


def _ends(code: Code, kind: str, body: Part) -> bool:
    """Whether a case surely does not go on in the next one."""
    start = _start(code, body[0])
    if (
        code.mask[start : start + 1] == "{"
        and not code.mask[code.pairs[start] + 1 : body[1]].strip()
    ):
        body = (start + 1, code.pairs[start])
    return _is_left(code, kind, body)


# -- operators ---------------------------------------------------------------------------------------


def _of_operator(code: Code, mark: re.Match[str], value: Value) -> Iterator[Part]:
    """``a && b``, ``a || b`` and ``a ? b : c``, from what stands before the operator: the value stays."""
    at = mark.start()
    start = _left_of(code, at, _STOPS_CHOICE if mark[0] == "?" else _STOPS_BEFORE)
    asked = code.text[start:at]
    holds = truth(value(asked))
    if holds is None or (mark[0] != "?" and holds is (mark[0] == "&&")):
        return
    end = _right_of(code, mark.end())
    if mark[0] != "?":
        yield at, end
    elif code.mask[end : end + 1] == ":" and not _CALLS.search(asked):
        last = _right_of(code, end + 1)
        yield start, mark.end() if holds else end + 1
        yield (end, last) if holds else (mark.end(), end + 1)


def _left_of(code: Code, at: int, stops: re.Pattern[str]) -> int:
    """Where the operand before an operator begins; at the operator itself if that is not certain."""
    inside = next(code.enclosing(at), -1) + 1
    line = code.mask.rfind("\n", 0, at) + 1
    first = max(inside, line, at - _MAX_OPERAND)
    found = [one.end() for one in _top(code, stops, first, at)]
    if found or first == inside:
        return found[-1] if found else first
    before = code.mask[max(0, first - _MAX_WORD) : first]
    return first if first == line and _COMPLETE.search(before) else at


def _right_of(code: Code, at: int) -> int:
    """Where the operand behind an operator ends at the earliest."""
    start = _start(code, at)
    one = next(_top(code, _STOPS_AFTER, start, len(code.mask)), None)
    return one.start() if one else len(code.mask)


# end of module
