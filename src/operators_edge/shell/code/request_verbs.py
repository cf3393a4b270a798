"""Requests of Node whose verb comes from elsewhere: ``call("/a", "DELETE")`` runs ``fetch(url, {method})``.

Owns finding such verbs: in the words of a call, in options that a call is given, and in options that a
function makes first. The code is returned with the verb in the place where the request is made, on the same
line, so that it is read like any other. Does not own which requests count (``shell.code.twins``). Pure;
loaded for code that sends requests.
"""

from __future__ import annotations

import re
from itertools import islice

from operators_edge.shell.code.bracketed import marks
from operators_edge.text.patterns import pattern
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_MAX_FUNCTIONS = 400
_MAX_BODY = 4_000
_MAX_CALLS = 200
SENDS = pattern(
    r"(?<![\w.$])(?:fetch|axios|axios\.request|https?\.request|got|ky|undici\.(?:request|fetch)|request|superagent)\s*\("
)
_VERBS = ("DELETE", "PUT", "PATCH", "POST")
"""The first one of those that a function is called with counts."""
_VERB = pattern(r"(?i)\s*['\"`](DELETE|PUT|PATCH|POST)['\"`]\s*")
_GIVES = r"\bmethod['\"]?\s*:\s*['\"`](?i:(DELETE|PUT|PATCH|POST))['\"`]"
_FUNCTION = pattern(
    r"\bfunction\s*\*?\s*(?P<name>[\w$]+)\s*\("
    r"|(?P<set>[\w$]+)\s*[=:]\s*(?:async\s*)?(?:function\b\s*[\w$]*\s*)?\((?=(?:[^()]|\([^()]*\))*\)\s*(?::[^={]+)?(?:=>|\{))"
    r"|(?m:^)[ \t]*(?:(?:public|private|protected|static|async)\s+)*(?P<method>#?[\w$]+)\s*"
    r"\((?=(?:[^()]|\([^()]*\))*\)\s*(?::[^={\n]+)?\{)"
)
_KEYWORDS = frozenset(("if", "for", "while", "switch", "catch", "function", "return", "with"))
_PARAMETER = pattern(r"\s*(?:\.\.\.)?([\w$]+)\??\s*(?::[^=]*)?(?:=\s*(.*?)\s*)?")
_MAKES = pattern(
    rf"(?:\b(?:const|let|var)\s+)?([\w$]+)(?:\s*:\s*[\w.<>]+)?\s*=\s*\{{(?:[^{{}}]|\{{[^{{}}]*\}})*?{_GIVES}"
    r"|([\w$]+)\.method\s*=\s*['\"`](?i:(DELETE|PUT|PATCH|POST))['\"`]"
)


class _Function(NamedTuple):
    """A function by its name, its parameters as they are written, and where its body is."""

    name: str
    parameters: list[str]
    body: tuple[int, int]


def with_verbs(code: str, beside: str) -> str:
    """The code with the verbs that its functions are called with; ``beside`` is what else calls them."""
    if "method" not in code or not SENDS.search(code):
        return code
    whole = f"{code}\n{beside}"
    for one in reversed(list(islice(_functions(code), _MAX_FUNCTIONS))):
        start, end = one.body
        body = code[start:end]
        if SENDS.search(body):
            code = code[:start] + _with_options(_with_given(one, body, whole)) + code[end:]
    return code


def _functions(code: str) -> Iterator[_Function]:
    for found in _FUNCTION.finditer(code):
        name = found["name"] or found["set"] or found["method"]
        if name in _KEYWORDS:
            continue
        parts = _arguments(code, found.end())
        start = parts[-1][1] if parts else found.end()
        yield _Function(name, [code[a:b] for a, b in parts], (start, _end_of_body(code, start)))


def _arguments(code: str, at: int) -> list[tuple[int, int]]:
    """Where the words of a call are, from behind its bracket on; none if it has no end."""
    found, start = [], at
    for here, sign, level in marks(code, ",", at):
        if here >= at + _MAX_BODY:
            break
        is_end = sign == ")" and level < 0
        if is_end or (sign == "," and level == 0):
            found.append((start, here))
            start = here + 1
        if is_end:
            return found
    return []


def _end_of_body(code: str, at: int) -> int:
    """Where a function ends: at the bracket of its block, or with the statement that it is."""
    level, last = 0, min(len(code), at + _MAX_BODY)
    for here in range(at + 1, last):
        level += (code[here] in "{(") - (code[here] in "})")
        if (level == 0 and code[here] in "};") or level < 0:
            return here + 1
    return last


def _with_given(one: _Function, body: str, whole: str) -> str:
    """The body with the verbs that calls of the function give to its parameters."""
    for at, text in enumerate(one.parameters):
        named = _PARAMETER.fullmatch(text)
        if text.lstrip()[:1] == "{":
            names = r"method"
            is_given = re.search(r"\bmethod\b", text) is not None
        elif named is None:
            continue
        else:
            names = re.escape(named[1])
            is_given = re.search(rf"(?<![\w.$])(?:\.\.\.)?{names}\b", body) is not None
        verb = _verb_given(one.name, at, text, whole) if is_given else ""
        if verb:
            body = _with_verb(names, verb, body)
    return body


def _verb_given(name: str, at: int, parameter: str, whole: str) -> str:
    """The verb that a parameter has in one of the calls, or by default."""
    texts = [parameter.partition("=")[2]]
    calls = re.finditer(rf"(?<![\w$]){re.escape(name)}\s*(?:<[^<>()]*>)?\(", whole)
    for call in islice(calls, _MAX_CALLS):
        parts = _arguments(whole, call.end())
        texts += [whole[slice(*parts[at])]] if at < len(parts) else []
    given = {found[1].upper() for text in texts if (found := _VERB.fullmatch(text))}
    options = (text for text in texts if text.lstrip()[:1] == "{")
    given |= {one.upper() for text in options for one in re.findall(_GIVES, text)}
    return next((one for one in _VERBS if one in given), "")


def _with_verb(names: str, verb: str, body: str) -> str:
    """The body with a verb where the parameter is the method of a request, or has all of its options."""
    put = f"method: '{verb}'"
    if names == "method":
        body = re.sub(r"([{,]\s*)method(?=\s*[,}])", rf"\1{put}", body)
    body = re.sub(rf"\bmethod\s*:\s*{names}\b(?:\.toUpperCase\(\))?(?!\s*[.(\[])", put, body)
    body = re.sub(rf"(\.method\s*=\s*){names}\b", rf"\1'{verb}'", body)
    body = re.sub(rf"\.\.\.{names}\b(?!\s*[.(\[])", f"{put}, ...{names}", body)
    return _with_last(body, {re.sub(r"\\(.)", r"\1", names): verb})


def _with_options(body: str) -> str:
    """The body with the verbs of options that it makes before a request."""
    made = {one[1] or one[3]: (one[2] or one[4]).upper() for one in _MAKES.finditer(body)}
    return _with_last(body, made)


def _with_last(body: str, verbs: dict[str, str]) -> str:
    """The body with the verb in the place of the name of options that a request is given."""
    for sends in reversed(list(SENDS.finditer(body)) if verbs else []):
        for start, end in _arguments(body, sends.end())[-1:]:
            verb = verbs.get(body[start:end].strip())
            if verb:
                body = f"{body[:start]} {{ method: '{verb}' }}{body[end:]}"
    return body


# end of module
