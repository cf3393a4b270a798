"""Loops of Node, Ruby, Perl, PHP and Lua over lists that are in the code, written out for each item.

``for (const a of [["push"], ["tag"]]) execFileSync("git", a)`` becomes one round for each list, with the
loop's names set to it. A loop whose list may hold something else when it runs stays behind its rounds. Owns
how these languages spell such loops, and where their bodies end. Does not own what a body does
(``shell.code.programs``), nor lists of files (``shell.code.file_lists``). Pure, text to text.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import islice

from operators_edge.shell.code.bracketed import QUOTED, split, upto
from operators_edge.shell.code.languages import LUA, NODE, PERL, PHP, RUBY, Language
from operators_edge.text.patterns import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_MAX_ITEMS = 40
_MAX_LOOPS = 40
_MAX_BODY = 2_000
_MAX_DEPTH = 1
"""Loops in loops."""
_MAX_LIST = 8_000
_MAX_ADDED = 48 * 1024
"""Characters that are added to one program."""

_NAME = r"[$@]{0,2}[A-Za-z_]\w*"
_LIST = rf"(?P<list>{_NAME}|[\])])"
_EACH = r"\s*\??\.\s*(?:freeze\s*\.\s*)?(?:each|each_with_index|map|forEach|flatMap)\b"
_RUBY_EACH = rf"{_LIST}{_EACH}\s*(?:(?P<brace>\{{)|do\b)\s*\|(?P<names>[^|\n]{{1,80}})\|"
_OPENED = r"(?P<brace>\{)?"
_LOOPS: dict[Language, tuple[re.Pattern[str], ...]] = {
    NODE: (
        pattern(
            rf"\bfor\s*(?:await\s*)?\(\s*(?:const|let|var)\s+(?P<names>{_NAME}|[\[{{][^()\n]{{1,80}}?[\]}}])\s+of\s+"
            rf"(?P<head>[^\s][\s\S]{{0,2000}}?)\)\s*{_OPENED}"
        ),
        pattern(
            rf"{_LIST}{_EACH}\(\s*(?:async\s*)?(?:function\s*\w*\s*)?"
            rf"(?:\((?P<names>[^()\n]{{1,80}})\)|(?P<one>{_NAME}))\s*(?:=>\s*)?{_OPENED}"
        ),
    ),
    RUBY: (
        pattern(_RUBY_EACH),
        pattern(
            rf"(?m)^[ \t]*for\s+(?P<names>[\w, ]{{1,80}}?)\s+in\s+(?P<list>{_NAME})[ \t]*(?:do\b)?[ \t]*$"
        ),
    ),
    PERL: (
        pattern(
            r"\bfor(?:each)?\s+(?:(?:my|our)\s+)?(?P<names>\$\w+)?\s*\((?P<head>[^;]{1,2000}?)\)\s*(?P<brace>\{)"
        ),
        pattern(r"\bfor(?:each)?\s+(?:\(\s*)?(?P<list>@\{?\$?\w+\}?)\s*\)?\s*(?:;|\Z)"),
    ),
    PHP: (
        pattern(
            r"\bforeach\s*\(\s*(?P<head>\S[^{};]{0,2000}?)\s+as\s+(?P<names>[^()\n]{1,80}?)\)\s*(?P<brace>\{)?"
        ),
    ),
    LUA: (
        pattern(
            r"\bfor\s+_?\w*\s*,\s*(?P<names>\w+)\s+in\s+i?pairs\s*\((?P<head>[^\n()]{1,2000})\)\s*do\b"
        ),
    ),
}
_SET = r"(?<![\w.$@])(?:[$@]{0,2})%s\s*(?::[^=\n]{0,60})?=(?![=>~])\s*"
_ENDS_AT_WORD = {
    # what opens and closes a block of words
    RUBY: pattern(
        r"\b(?P<open>do|begin|case|def|class|module)\b"
        r"|(?m:^[ \t]*(?:[\w@.]+[ \t]*=[ \t]*)?(?P<head>if|unless|while|until)\b)|\b(?P<end>end)\b"
    ),
    LUA: pattern(r"\b(?P<open>do|function|if|repeat)\b|\b(?P<end>end|until)\b"),
}
_UNSET = "undef"
"""A name that no program sets: what a loop's names are worth after it is written out."""


@lru_cache(maxsize=32)
def written_out(code: str, language: Language, depth: int = 0) -> str:
    """Return code whose loops over lists in it are written out, one round for each item."""
    masked = _masked(code, language)
    found = []
    inside = 0
    for start, end, text in sorted(_rounds(code, masked, language)):
        if start >= inside:
            inside = max(end, start)
            found.append((start, end, text))
    for start, end, text in reversed(found):
        inner = written_out(text, language, depth + 1) if depth < _MAX_DEPTH else text
        code = f"{code[:start]}{inner}{code[end:]}"
    return code


def _masked(code: str, language: Language) -> str:
    """Return code of the same length without what its strings and comments hold."""
    comment = f"|{language.comment}" if language.comment else ""
    hidden = re.compile(
        rf"\"(?:[^\"\\]|\\[\s\S])*\"|'(?:[^'\\]|\\[\s\S])*'|`(?:[^`\\]|\\[\s\S])*`{comment}"
    )
    return hidden.sub(lambda one: " " * len(one[0]), code)


def _rounds(code: str, masked: str, language: Language) -> Iterator[tuple[int, int, str]]:
    """Yield what a loop does to all items, and what of the code that stands for.

    A list that may hold something else when the loop runs leaves the loop as it is.
    """
    left = _MAX_ADDED
    found = [
        (match, items)
        for loop in _LOOPS.get(language, ())
        for match in islice(loop.finditer(masked), _MAX_LOOPS)
        if (items := _items(code, masked, match, language))
    ]
    starts = _statements(masked) if found else []
    for match, items in found:
        start = starts[match.start()]
        inside = _body(masked, match, language, start)
        body = code[slice(*inside)]
        rounds = [_with_item(body, _names(code, match), one, language) for one in items]
        left -= sum(map(len, rounds))
        if len(body) > _MAX_BODY or len(items) > _MAX_ITEMS or left < 0:
            return
        is_all = inside[0] == start or _is_all(code, masked, match, start)
        is_all = is_all and _is_fixed(code, masked, match, found)
        end = _end(masked, match, inside[1], language) if is_all else start
        yield start, end, "".join(rounds)


def _is_all(code: str, masked: str, match: re.Match[str], start: int) -> bool:
    """Whether the statement is the loop and nothing else."""
    begins = match.start()
    if match.groupdict().get("list") and masked[begins] in ")]":
        begins = max(_opening(masked, begins), 0)
    return not code[start:begins].strip()


def _is_fixed(
    code: str, masked: str, match: re.Match[str], loops: list[tuple[re.Match[str], list[str]]]
) -> bool:
    """Whether the list of a loop is named where it is set, and by loops, and nowhere else."""
    name = _list_name(code, masked, match)
    if not name:
        return True
    used = len(re.findall(rf"(?<!\w){re.escape(name)}(?!\w)", code))
    return used == 1 + sum(_list_name(code, masked, one) == name for one, _ in loops)


def _names(code: str, match: re.Match[str]) -> str:
    """Return what a loop calls its items, without a number that counts them."""
    groups = match.groupdict()
    group = next((one for one in ("names", "one") if groups.get(one)), "")
    if not group:
        return "$_"
    names = code[slice(*match.span(group))]
    return split(names, ",")[0] if _IS_COUNTED.search(match[0]) else names


_IS_COUNTED = pattern(r"each_with_index|\.\s*(?:forEach|flatMap|map)\s*\(")


def _list_name(code: str, masked: str, match: re.Match[str]) -> str:
    """Return the name of a loop's list; "" if it stands in the loop itself."""
    groups = match.groupdict()
    if groups.get("head"):
        found = re.fullmatch(
            rf"@?\{{?({_NAME})\}}?(?:\.freeze)?", code[slice(*match.span("head"))].strip()
        )
        return found[1].strip("$@") if found else ""
    start, end = match.span("list")
    return "" if masked[start] in ")]" else masked[start:end].strip("@${}")


def _items(code: str, masked: str, match: re.Match[str], language: Language) -> list[str]:
    """Return what the list of a loop holds, as it is written."""
    name = _list_name(code, masked, match)
    if name:
        return _defined(code, masked, name)
    if match.groupdict().get("head"):
        text = code[slice(*match.span("head"))].strip()
        return _elements(f"({text})" if language is PERL else text)
    start, end = match.span("list")
    opened = _opening(masked, start)
    return _elements(code[opened:end]) if opened >= 0 else []


def _defined(code: str, masked: str, name: str) -> list[str]:
    """Return the items of all lists that a name is set to."""
    found: list[str] = []
    for one in re.finditer(_SET % re.escape(name), masked):
        found += _elements(code[one.end() : one.end() + _MAX_LIST])
    return found


def _elements(text: str) -> list[str]:
    """Return the elements of the list that a text begins with; nothing if it is none."""
    words = re.match(r"(?:%[wW]|qw)\s*[\[({]([^\])}]*)[\])}]", text)
    if words:
        return [f'"{word}"' for word in words[1].split()]
    closing = {"[": "]", "(": ")", "{": "}"}.get(text[:1])
    if closing is None:
        return []
    parts = split(upto(text, closing, 1), ",")
    found = [one for part in parts if (one := _LINE_COMMENT.sub("", part).strip())]
    if closing == ")":  # Perl puts lists of words into the list around them
        found = [each for one in found for each in (_elements(one) if one[:2] == "qw" else [one])]
    return found


_LINE_COMMENT = pattern(r"(?m)^\s*(?://|#(?!\{)|--).*$")


def _opening(masked: str, at: int) -> int:
    """Return where the list begins whose bracket is closed here; -1 if it is none, as of a call."""
    level = 0
    for here in range(at, max(-1, at - _MAX_LIST), -1):
        level += (masked[here] in ")]}") - (masked[here] in "([{")
        if level == 0:
            before = masked[max(0, here - 2) : here]
            is_list = not re.search(r"[\w)\]]\Z", before)
            return here - 2 if before in ("%w", "%W", "qw") else here if is_list else -1
    return -1


def _body(masked: str, match: re.Match[str], language: Language, statement: int) -> tuple[int, int]:
    """Return where that begins and ends what a loop does in one round."""
    start, opened = match.end(), match.groupdict().get("brace")
    if opened is None and language is PERL:  # it stands before the loop
        return statement, match.start()
    rest = masked[start : start + _MAX_BODY + 2]
    if opened:
        return start, start + len(upto(rest, "}"))
    if language in _ENDS_AT_WORD:
        return start, start + _ended(rest, _ENDS_AT_WORD[language])
    is_statement = masked[match.start()] == "f"
    return start, start + (_statement(rest) if is_statement else len(upto(rest, ")")))


def _end(masked: str, match: re.Match[str], at: int, language: Language) -> int:
    """Return where a loop ends whose body ends here."""
    if language is PERL and not match.groupdict().get("brace"):
        return match.end()
    is_call = language is NODE and masked[match.start()] != "f"
    closing = r"\}\s*\)?" if is_call else r"\}|\bend\b"
    found = re.compile(rf"{closing}|\)" if is_call else closing).match(masked, at)
    return found.end() if found else at


def _statement(masked: str) -> int:
    level = 0
    for at, sign in enumerate(masked):
        level += (sign in "([{") - (sign in ")]}")
        if level < 0 or (level == 0 and (sign == ";" or (sign == "\n" and masked[:at].strip()))):
            return at
    return len(masked)


def _ended(masked: str, words: re.Pattern[str]) -> int:
    level = 1
    for one in words.finditer(masked):
        level += -1 if one["end"] else 1
        if level == 0:
            return one.start()
    return len(masked)


def _statements(masked: str) -> list[int]:
    """Return for each place where the statement around it begins: outside of brackets of arguments."""
    starts, opened = [], [""]
    begins = [0]
    for at, sign in enumerate(masked):
        if sign in "([{":
            opened.append(sign)
            begins.append(at + 1 if sign == "{" else begins[-1])
        elif sign in ")]}" and len(opened) > 1:
            opened.pop()
            begins.pop()
            if sign == "}" and opened[-1] in ("", "{"):
                begins[-1] = at + 1
        elif sign in ";\n" and opened[-1] in ("", "{"):
            begins[-1] = at + 1
        starts.append(begins[-1])
    return [*starts, begins[-1]]


# -- one item ----------------------------------------------------------------------------------------


def _with_item(body: str, names: str, item: str, language: Language) -> str:
    """Return the body for one item: the names of the loop are set to it before."""
    sign = "$" if language in (PERL, PHP) else ""
    values = _values(names.strip(), item)
    for name, value in values:
        body = _used(body, name, value)
    sets = "".join(f"{sign}{name} = {value};" for name, value in values)
    unset = "".join(f"{sign}{name} = {_UNSET};" for name, _ in values)
    return f"{sets} {body.strip()}; {unset} "


def _values(names: str, item: str) -> list[tuple[str, str]]:
    """Return the names of a loop with what one item gives them."""
    key, value = _keyed(item)
    if "=>" in names and names[:1] != "[":  # PHP's keys
        of_key, _, of_value = names.partition("=>")
        return [*_values(of_key.strip(), key or _UNSET), *_values(of_value.strip(), value)]
    parts = [one.strip(" $@()") for one in names.strip("[]{}() ").split(",")]
    if names[:1] == "{":
        fields = dict(_fields(value))
        return [(one, fields.get(one, _UNSET)) for one in parts if one.isidentifier()]
    if len(parts) == 1 and names[:1] not in "[(":
        return [(parts[0], value)]
    given = [key, value] if key else _elements(value)
    found = []
    for at, part in enumerate(parts):
        name = part.lstrip("*.")
        one = f"[{', '.join(given[at:])}]" if name != part else "".join(given[at : at + 1])
        found.append((name, one or _UNSET))
    return [one for one in found if one[0].isidentifier()]


_KEYED = pattern(
    r"(?s)(?:(['\"])(?P<text>[^'\"]*)\1\s*(?:=>|:)|:(?P<sign>\w+)\s*=>|(?P<word>\w+):)\s*(?P<value>[^\s:=>].*)"
)


def _keyed(item: str) -> tuple[str, str]:
    """The key and the value of ``"main" => ["push"]``; an item without a key is its own value."""
    found = _KEYED.fullmatch(item)
    if found is None:
        return "", item
    return f'"{found["text"] or found["sign"] or found["word"] or ""}"', found["value"]


def _fields(item: str) -> Iterator[tuple[str, str]]:
    """The fields of an object, a hash or a table."""
    if item[:1] not in "{[(":
        return
    for one in _elements(item):
        pair = re.match(r"['\"]?:?(\w+)['\"]?\s*(?:=>|:(?!:)|=(?!=))\s*([\s\S]+)", one)
        if pair:
            yield pair[1], pair[2]


def _used(body: str, name: str, value: str) -> str:
    """Return a body whose uses of parts of an item are these parts, and a joined list one text."""
    word = re.escape(name)
    held = rf"(?<![\w.])(?:@\{{\s*\$|@?\$)?{word}\b\}}?"
    elements = _elements(value)
    parts = [*_fields(value), *((str(at), one) for at, one in enumerate(elements))]
    for part, given in parts:
        dotted = rf"\??\.{part}\b(?!\()|" if not part.isdigit() else ""
        key = rf"\s*:?['\"]?{part}['\"]?\s*"
        taken = rf"{held}(?:{dotted}(?:->)?(?:\[{key}\]|\{{{key}\}}))"
        body = re.sub(taken, lambda _, given=given: given, body)  # type: ignore[misc]
    texts = [one for one in map(QUOTED.fullmatch, elements) if one]
    if texts and len(texts) == len(elements):
        words = [one["text"] or "" for one in texts]
        body = re.sub(_JOINED % {"held": held}, lambda one: f'"{_by(one).join(words)}"', body)
    body = _LISTED.sub(r"\1", body)
    return re.sub(rf"@\{{\s*\$({word})\s*\}}|@\$({word})\b|\$({word})->@\*", rf"${name}", body)


_LISTED = pattern(r"@\{\s*(\[[^\[\]]*\])\s*\}")
_JOINED = (
    r"\b(?:implode|join)\s*\(?\s*(['\"])(?P<first>[^'\"]*)\1\s*,\s*%(held)s\s*\)?"
    r"|\btable\.concat\s*\(\s*%(held)s\s*,\s*(['\"])(?P<second>[^'\"]*)\3\s*\)"
    r"|%(held)s\.join\(\s*(['\"])(?P<method>[^'\"]*)\5\s*\)"
)


def _by(match: re.Match[str]) -> str:
    return "".join(match[one] or "" for one in ("first", "second", "method"))


# end of module
