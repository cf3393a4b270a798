"""What a parser of options makes of the words of a command, as far as that is certain.

An option that no word gives, and that has no default, does not hold: nothing else is concluded.

Owns which words may set an option, and whether its declaration gives it another value than none. Does not own
how a language names the parser. Pure.
"""

from __future__ import annotations

import re

from operators_edge.shell.code.given.conditions import EMPTY, UNKNOWN
from operators_edge.text.patterns import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from operators_edge.shell.code.given.masks import Code

_SETS_OTHERWISE = pattern(
    r"\.\s*(?:env|pkgConf|defaults?|middleware|implies|coerce|setOptionValue\w*|addImplicit\w*|preset|argParser"
    r"|copyInheritedSettings|parserConfiguration|completion)\(|(?<!dotenv)\.\s*config\(|\.\s*on\(\s*['\"`](?:option|command)"
    r"|\b(?:cosmiconfig|rc)\(|[{,]\s*['\"]?defaults?['\"]?\s*:\s*(?![{\s]|(?:true|false|null|undefined)\b|['\"`\d[-])"
    r"|\.\s*options\((?!\s*\{)|\.\s*(?:option|requiredOption)\((?!\s*['\"`])|\.\s*addOption\((?!\s*new\s+(?:\w+\.)?Option\(\s*['\"])"
    r"|\b(?:options|flags|default|alias)['\"]?\s*[:(]\s*\{(?:[^{}]|\{[^{}]*\})*\.\.\."
)
"""What gives options values that no word of the command gives, or declares options by values."""
_ALIASES = pattern(r"(?i)\balias(?:es)?\b[\s\S]{0,200}")
_DECLARES = frozenset(
    [
        "option",
        "boolean",
        "string",
        "number",
        "array",
        "count",
        "describe",
        "alias",
        "requiresArg",
        "nargs",
        "choices",
        "demandOption",
        "normalize",
        "global",
        "group",
        "hide",
        "positional",
        "requiredOption",
        "required",
        "demand",
        "Option",
    ]
)
_NOTHING = pattern(r"(?:false|null|undefined|None|nil|0|''|\"\"|``|\[\])?\s*\Z")
_DEFAULT = pattern(r"\b(?:default|value|defaultValue)\b['\"]?\s*:\s*([^,}\n]*)")
_TYPED = pattern(
    r"(?:[Bb]oolean|[Ss]tring|[Nn]umber)(?:\s*\|\s*undefined)?\s*\Z|['\"](?:boolean|string)['\"]\s*\Z"
)


def value_of(name: str, words: Iterable[str], files: Sequence[Code]) -> object:
    """The value of an option: ``EMPTY`` if no word can give it and it has no default, else unknown."""
    whole = "\n".join(one.bare for one in files)
    if _may_be_given(name, words, whole) or _SETS_OTHERWISE.search(whole):
        return UNKNOWN
    return EMPTY if all(_is_off(name, one) for one in files) else UNKNOWN


def plain(name: str) -> str:
    return name.replace("-", "").replace("_", "").lower()


def _may_be_given(name: str, words: Iterable[str], whole: str) -> bool:
    asked = plain(name)
    for word in words:
        if word[:1] != "-" or word == "-":
            continue
        given = re.split(r"[=.]", word.removeprefix("--"))[0]
        if word[:2] != "--" or not given:
            return True  # short ones may be put together, and mean any
        own = plain(given.removeprefix("no-"))
        named = rf"(?<![\w-]){re.escape(given)}(?![\w-])"
        if asked.startswith(own) or any(re.search(named, one) for one in _ALIASES.findall(whole)):
            return True
    return re.search(rf"[\[<]\s*(?:\.\.\.)?{re.escape(name)}\b", whole) is not None


def _is_off(name: str, code: Code) -> bool:
    """Whether no declaration of an option gives it a value."""
    kebab = re.sub(r"(?<=[a-z\d])(?=[A-Z])", "-", name).lower()
    forms = "|".join({re.escape(name), re.escape(kebab)})
    if re.search(rf"--no-(?:{forms})\b", code.bare):
        return False
    texts = rf"['\"`](?:[^'\"`\n]*?(?<![\w-])--)?(?:{forms})(?![\w-])[^'\"`\n]*['\"`]"
    for one in re.finditer(
        rf"{texts}(?P<key>\s*:(?!:))?|(?<![\w.$-])(?:{forms})(?P<name>\s*:(?!:))", code.bare
    ):
        if one["key"] or one["name"]:
            if not _is_off_by_key(code, one, forms):
                return False
        elif not _is_off_by_call(code, one):
            return False
    return True


def _is_off_by_key(code: Code, key: re.Match[str], forms: str) -> bool:
    """``publish: {…}``, ``publish: false``"""
    start = key.end()
    while code.mask[start : start + 1].isspace():
        start += 1
    if code.mask[start : start + 1] == "{":
        inside = code.bare[start : code.pairs[start]]
        return all(_NOTHING.match(one.strip()) for one in _DEFAULT.findall(inside))
    around = next(code.enclosing(key.start()), -1)
    end = code.pairs.get(around, len(code.mask))
    value = re.split(r"[,\n;]", code.bare[start:end])[0].strip()
    before = code.mask[:around].rstrip() if around >= 0 else ""
    return bool(
        _NOTHING.match(value)
        or re.fullmatch(rf"[\w$]+\.(?:{forms})", value)
        or _TYPED.match(value)
        or before.endswith(("alias:", "aliases:"))
    )


def _is_off_by_call(code: Code, named: re.Match[str]) -> bool:
    """``.option("publish", {…})``, ``.option("--publish", "…")``, ``boolean: ["publish"]``"""
    around = next(code.enclosing(named.start()), -1)
    if around < 0 or code.mask[around] == "{":
        return True
    if code.mask[around] == "[":
        before = code.mask[:around].rstrip()
        return not before.endswith(("default:", "default("))
    callee = re.search(r"(\w+)\s*\Z", code.mask[:around])
    if callee is None or callee[1] not in _DECLARES:
        # what is compared or read by its name: ``args.includes("--publish")``, ``argv["publish"]``
        return callee is not None and callee[1] in _READS
    inside = code.bare[named.end() : code.pairs[around]]
    if not all(_NOTHING.match(one.strip()) for one in _DEFAULT.findall(inside)):
        return False
    if "--" not in named[0] or named.start() > around + 3:
        return True
    given = [one.strip() for one in _split(inside)]
    third = given[2] if len(given) > 2 else ""
    return len(given) <= 3 and (third[:1] == "{" or _NOTHING.match(third) is not None)


_READS = frozenset(
    [
        "includes",
        "indexOf",
        "has",
        "test",
        "log",
        "error",
        "warn",
        "info",
        "startsWith",
        "hasOwnProperty",
        "command",
    ]
)


def _split(text: str) -> list[str]:
    """Arguments between commas outside of texts and brackets."""
    from operators_edge.shell.code.bracketed import split  # noqa: PLC0415 - for a few calls

    return split(text, ",")


# end of module
