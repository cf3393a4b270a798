"""What the other files of a program define, written so that its reader knows it in the file that is read.

Owns how modules hand names to each other (Node's exports), how a file of settings becomes assignments, and
what a function returns as the value of its name. Pure, text to text; lines keep their numbers. Does not own
finding these files (``gate.search``), nor reading the code (``shell.programs``).
"""

from __future__ import annotations

import json
import re

from operators_edge.shell.languages import NODE, PERL, PHP, RUBY
from operators_edge.text.patterns import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from operators_edge.shell.languages import Language

MAX_BESIDE = 128 * 1024
"""Characters of other files that are read beside one."""
SETTINGS = (".json", ".yml", ".yaml", ".ini", ".env", ".properties", ".toml")
"""Endings of files of settings."""

_EXPORTED = pattern(r"\b(?:module\.)?exports\.(\w+)(?=\s*=(?!=))")
_EXPORTS = pattern(r"\b(?:module\.exports\s*=|export\s+default)\s*\{")
_PROPERTY = pattern(r"(?<=[{,\n])(\s*)(\w+)\s*:(?!:)")
_NAMESPACE = pattern(
    r"\b(?:const|let|var)\s+(\w+)\s*=\s*(?:await\s+)?(?:require|import)\(\s*['\"]\.{1,2}/"
    r"|\bimport\s+(?:\*\s*as\s+)?(\w+)\s+from\s*['\"]\.{1,2}/"
)
_SETTING = pattern(
    r"(?m)^[ \t]*(?:export[ \t]+)?['\"]?([A-Za-z_]\w*)['\"]?[ \t]*[:=][ \t]*(\S[^\n]*)$"
)
_FUNCTION = {
    NODE: pattern(
        r"\bfunction\s*\*?\s*(?P<name>\w+)\s*\("
        r"|\b(?P<set>\w+)\s*=\s*(?:async\s*)?(?:\([^()]{0,200}\)|\w+)\s*=>\s*(?P<body>\{)?"
        r"|\b(?P<old>\w+)\s*=\s*(?:async\s+)?function\b"
    ),
    PHP: pattern(r"\bfunction\s+(?P<name>\w+)\s*\("),
    PERL: pattern(r"\bsub\s+(?P<name>\w+)\s*(?:\([^()\n]*\)\s*)?(?=\{)"),
    RUBY: pattern(r"\bdef\s+(?:self\.)?(?P<name>\w+)"),
}
_RETURN = pattern(r"\breturn\b(?=[ \t]*[^\s;}])")


def definitions(path: str, text: str, language: Language) -> str:
    """Return what a file defines, as the reader of a program that loads it knows it."""
    if path.endswith(".json"):
        return _of_json(text)
    if path.endswith(SETTINGS):
        return _assignments(_SETTING.findall(text))
    if language is not NODE:
        return text
    text = _EXPORTED.sub(r"\1", text)
    for match in reversed(list(_EXPORTS.finditer(text))):
        end = _closing(text, match.end() - 1)
        inside = _PROPERTY.sub(r"\1\2 =", text[match.end() - 1 : end])
        text = f"{text[: match.end() - 1]}{inside}{text[end:]}"
    return text


def _of_json(text: str) -> str:
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return ""
    pairs = data.items() if isinstance(data, dict) else ()
    return _assignments((str(key), value) for key, value in pairs if isinstance(value, str))


def _assignments(pairs: Iterable[tuple[str, str]]) -> str:
    texts = ((key, value.split(" #")[0].strip().strip("'\"")) for key, value in pairs)
    return "".join(f"{key} = {json.dumps(value)};\n" for key, value in texts if key.isidentifier())


def _closing(text: str, at: int) -> int:
    """Return where the brace that is opened here is closed."""
    level = 0
    for here in range(at, len(text)):
        level += (text[here] == "{") - (text[here] == "}")
        if level == 0:
            return here
    return len(text)


def without_namespaces(code: str, language: Language) -> str:
    """Return code that names what it has from its modules as they do: ``args.flags`` is ``flags``."""
    if language is not NODE:
        return code
    for one, other in _NAMESPACE.findall(code):
        code = re.sub(rf"(?<![\w.$'\"/]){re.escape(one or other)}\.(?=[A-Za-z_])", "", code)
    return code


def with_returns(code: str, language: Language) -> tuple[str, frozenset[str]]:
    """Return code in which a function's name is given what it returns, and these names."""
    functions = _FUNCTION.get(language)
    found = list(functions.finditer(code)) if functions else []
    names: set[str] = set()
    parts = [code[: found[0].start()] if found else code]
    for at, match in enumerate(found):
        following = found[at + 1] if at + 1 < len(found) else None
        groups = match.groupdict()
        name = str(groups["name"] or groups.get("set") or groups.get("old"))
        body = code[match.end() : following.start() if following else len(code)]
        head = match[0]
        if groups.get("set") and not groups.get("body"):  # ``f = (x) => […]``
            head = f"{name} = " + "\n" * head.count("\n")
            names.add(name)
        elif _RETURN.search(body):
            body = _RETURN.sub(f"{name} = ", body)
            names.add(name)
        parts.append(head + body)
    return "".join(parts), frozenset(names)


_PUSHED = pattern(
    r"(?P<if>\bif\s*\((?P<not>!?)(?P<condition>[\w.$\[\]'\"]{1,80})\)\s*\{?\s*)?"
    r"(?<![\w.$])(?P<list>[A-Za-z_$]\w*)\.push\((?P<words>[^()\n]{1,400})\)"
)
_HARMLESS = pattern(r"['\"](?:--dry-?run(?:=\w+)?|-n|--check|--whatif|--list)['\"]")


def with_pushed(code: str, options: Sequence[str]) -> str:
    """Return code whose lists are assigned again where words are added to them.

    Under a condition that an option of the command line has the name of, the words are added if it is
    given. What makes a run harmless is not added for any other reason.
    """
    given = {one.lstrip("-").partition("=")[0].replace("-", "").lower() for one in options}

    def added(match: re.Match[str]) -> str:
        if match["if"]:
            name = re.split(r"[.\[\]'\"]+", match["condition"].strip("[]'\""))[-1].lower()
            is_given = (name in given) != bool(match["not"])
            if not is_given and _HARMLESS.search(match["words"]):
                return match[0]
        name = match["list"]
        return f"{match['if'] or ''}{name} = [...{name}, {match['words']}]"

    return _PUSHED.sub(added, code)


# end of module
