"""Programs of .NET and the JVM that print all their settings, or all of their environment, with the values.

Owns which calls have all of them, and whether a value gets into what is printed. Does not own the languages
that are read statement by statement (``gate.code_secrets``), nor finding the files
(``gate.disk.whole_programs``). Pure: text in, places out.
"""

from __future__ import annotations

import re

from operators_edge.shell.code.bracketed import upto
from operators_edge.text.needed_words import may_be_in
from operators_edge.text.patterns import pattern
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator


class Printed(NamedTuple):
    """A place that prints; ``is_environment``: variables, no settings; ``is_doubtful``: only some values."""

    position: int
    is_environment: bool
    is_doubtful: bool


_ENVIRONMENT = (
    r"\bEnvironment\.GetEnvironmentVariables\([^()]*\)|\bSystem\.getenv\(\s*\)"
    r"|\bgetSystemEnvironment\(\)|\bsys\.env\b(?!\s*[.(]\s*(?:get|\"))"
)
_SETTINGS = (
    r"(?<!\))(?<![\w.])[\w.]*\w\.(?:AsEnumerable|GetDebugView)\(\s*\)"
    r"|\bConfigFactory\.load\([^()]*\)(?:\.root\(\)|\.entrySet\(\))*"
)
_BOTH = rf"(?:(?P<environment>{_ENVIRONMENT})|{_SETTINGS})"
_ALL = pattern(_BOTH)
_HELD = pattern(
    rf"\b(?:var|val|final|Map<[^<>\n]*>|IDictionary"
    rf"|Properties)\s+(\w+)(?:\s*:\s*[\w<>, ]+)?\s*=\s*{_BOTH}\s*;?[ \t]*$",
    re.MULTILINE,
)
_LOADED = pattern(
    r"\b(?:Properties|var|val)\s+(\w+)(?:\s*:\s*\w+)?\s*=\s*(?:new\s+)?Properties\(\)"
)
_HAS_SECRETS = pattern(
    r"\bAdd(?:EnvironmentVariables|UserSecrets|KeyPerFile)\b|KeyVault|SecretsManager|\bCreate(?:Default|Application|Slim)?Builder\("
    r"|(?i:[\"'][\w./-]*(?:prod|live|stag|secret|local|private|credential)[\w.-]*\.(?:json|ya?ml|xml|ini|properties|conf|toml)[\"'])|\bConfigFactory\.load"
)
"""What brings settings into a program that git does not hold, or that others must not see."""
_PRINTS = pattern(
    r"\b(?:Console\.(?:Out\.|Error\.)?Write(?:Line)?(?:Async)?|System\.(?:out|err)\.print(?:ln|f)?|(?:_?[lL]og(?:ger)?|LOG(?:GER)?)\.\w+|AnsiConsole\.\w+"
    r"|(?<![\w.])print(?:ln|f|fn)?|printfn)\s*\("
)
_EACH = (
    pattern(
        r"\bforeach\s*\(\s*(?:var\s*\(\s*\w+\s*,\s*(?P<value>\w+)\s*\)|[\w<>?, ]+?\s(?P<other>\w+))\s+in\s*\Z"
    ),
    pattern(
        r"\bfor\s*\(\s*(?:\(\s*\w+\s*,\s*(?P<value>\w+)\s*\)\s+in"
        r"|(?:final\s+)?[\w.<>?, ]+?\s(?P<other>\w+)\s*:|(?P<third>\w+)\s+in)\s*\Z"
    ),
    pattern(r"\bfor\s*[({]\s*\(\s*\w+\s*,\s*(?P<value>\w+)\s*\)\s*<-\s*\Z"),
)
"""A loop over them, up to where they are named."""
_HANDED = pattern(
    r"\A[^;{}]*?\.\s*(?i:foreach|map|select)\s*[({]\s*(?:case\s*)?(?:\(\s*\w+\s*,\s*(?P<value>\w+)\s*\)|\w+\s*,\s*(?P<second>\w+)|\(?(?P<other>\w+)\)?)\s*(?:->|=>)"
)
"""A function that is given each of them."""
_METHOD = pattern(
    r"\A[^;{}]*?\.\s*(?i:foreach|map)\s*\(\s*(?:System\.out::print(?:ln)?|Console\.Write(?:Line)?|println)\s*\)"
)
_HIDES = (
    r"\??\.(?:Length|length\(\)|Count\b|size\(\)|hashCode\(\)|GetHashCode\(\)|isEmpty\(\)"
    r"|isBlank\(\)|Key\b|key\b|getKey\(\))|\s*(?:[!=]=|is)\s*(?:not\s+)?null"
)
_MASKED = pattern(
    r"(?i)\b\w*(?:mask|redact|hash|hide|hidden|obfusc|sanitiz|sha\d*|fingerprint|isnullor\w+|length|len)\w*\s*\("
)
_GUARD = pattern(r"(?i)(?:pass|secret|token|key|cred|private|sensitive)")
_TEXT = pattern(r"[$@fs]{0,2}\"\"\"[\s\S]*?\"\"\"|[$@fs]{0,2}\"(?:[^\"\\\n]|\\.)*\"")
_INSERTED = pattern(r"\$?\{([^{}\"]*)\}|\$(\w+)")
_ASSIGNED = pattern(r"\b(\w+)\s*=(?!=)\s*([^;\n]+)")
_IF = pattern(r"\bif\b[^\n]*")
_MAX_BLOCK = 2_000


def printed(code: str) -> Iterator[Printed]:
    """Yield where a program prints all of them; ``code`` has no comments."""
    if "Properties" not in code and not may_be_in(_BOTH, code, code):
        return
    if not _PRINTS.search(code) and "System.out" not in code:
        return
    has_secrets = _HAS_SECRETS.search(code) is not None
    held = dict.fromkeys((one[1] for one in _LOADED.finditer(code)), False)
    for one in _HELD.finditer(code):
        held[one[1]] = held.get(one[1], False) or bool(one["environment"])
    places = [(one.start(), one.end(), bool(one["environment"])) for one in _ALL.finditer(code)]
    for name, is_environment in held.items():
        used = re.compile(rf"(?<![\w.]){name}\b(?!\s*=[^=])")
        places += [(one.start(), one.end(), is_environment) for one in used.finditer(code)]
    for start, end, is_environment in sorted(places):
        if not (is_environment or has_secrets):
            continue
        is_plain, is_guarded = _prints(code, start, end)
        if is_plain:
            yield Printed(start, is_environment, is_guarded)


def _prints(code: str, start: int, end: int) -> tuple[bool, bool]:
    """Whether what is named there is printed with its values, and whether something chooses among them."""
    after = code[end : end + _MAX_BLOCK]
    if after.startswith(".list(System.") or _METHOD.match(after):
        return True, False
    before = code[max(0, start - 200) : start]
    for each in _EACH:
        loop = each.search(before)
        if loop is not None:
            return _in_body(_block(after), loop)
    handed = _HANDED.match(after)
    if handed is not None:
        return _in_body(upto(after, ")" if "(" in handed[0] else "}", handed.end()), handed)
    line = code[code.rfind("\n", 0, start) + 1 : start]
    is_in_print = any(")" not in line[one.end() :] for one in _PRINTS.finditer(line))
    rest = after.partition("\n")[0]
    is_part = re.match(
        r"\s*(?:\[|\.(?!render|toString|root|ToString|entrySet|values|GetDebugView))", rest
    )
    is_sequence = "AsEnumerable" in code[start:end]
    return is_in_print and not is_part and not is_sequence, False


def _block(after: str) -> str:
    """What a loop does: its block, or its one statement."""
    rest = after[len(upto(after, ")")) + 1 :].lstrip()
    return upto(rest[1:], "}") if rest[:1] == "{" else rest.partition(";")[0]


def _in_body(body: str, bound: re.Match[str]) -> tuple[bool, bool]:
    names = [next((text for text in bound.groupdict().values() if text), "")]
    for one in _ASSIGNED.finditer(body):
        names += [one[1]] if any(_has(one[2], each) for each in names) else []
    is_guarded = any(map(_GUARD.search, _IF.findall(body)))
    printed = [upto(body, ")", one.end()) for one in _PRINTS.finditer(body)]
    is_plain = any(_has(given, each) for given in printed for each in names)
    return is_plain, is_guarded


def _has(expression: str, name: str) -> bool:
    """Whether an expression holds a value, and not only what tells nothing of it."""
    parts = [
        part
        for text in _TEXT.findall(expression)
        for one in _INSERTED.findall(text)
        for part in one
    ]
    parts.append(_TEXT.sub(" ", expression))
    for part in parts:
        for masked in _MASKED.finditer(part):
            part = part.replace(upto(part, ")", masked.end()), "")  # noqa: PLW2901 - what it is given is not shown
        if re.search(rf"(?<![\w.]){name}\b(?!{_HIDES})", part):
            return True
    return False


# end of module
