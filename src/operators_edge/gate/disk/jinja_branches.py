"""Which branches of a Jinja template are taken, as far as its names are known.

Owns reading the tags of conditions and loops, the few conditions whose result is known, and what a macro gets
in a call. Pure: text in, text out, with its lines. Does not own where the names have their values from
(``gate.disk.dbt_projects``).
"""

from __future__ import annotations

import re

from operators_edge.shell.code.bracketed import QUOTED, split, upto
from operators_edge.text.patterns import pattern, without

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    Values = Mapping[str, bool | None]

_TAG = pattern(r"(?s)\{%-?\s*(if|elif|else|endif|for|endfor|set|do)\b(.*?)-?%\}|\{#.*?#\}")
_SETS = (
    r"\{{%[-+]?\s*(?:(?:set|for)\b[^%=]*?|with\b[^%]*?|call\s*\([^)%]*?|(?:from|import)\b[^%]*?\bimport\b[^%]*?)"
    r"(?<![\w.])(?:{name})\b(?!\s*\()"
)
_RAW = pattern(r"\{%[-+]?\s*raw\b")
_ATOM = pattern(
    r"(not\s+)?\(?\s*(\w+)\s*(?:\|\s*as_bool\s*)?(?:(==|!=|is\s+sameas)\s*(\w+))?\s*\)?\Z"
)
_SAYS = pattern(r"(?<![\w.])(?:log|print|exceptions\.warn)\(")
_TEXTS = pattern(
    r"(?s)\{%-?\s*set\s+(?P<name>\w+)\s*=(?P<value>(?:(?!%\}).)*)%\}"
    r"|\{%-?\s*set\s+(?P<block>\w+)\s*-?%\}(?P<held>.*?)\{%-?\s*endset\s*-?%\}"
)
_RUNS = pattern(r"\w\s*\(")
_PARAMETER = pattern(r"(\w+)\s*(?:=\s*(\S+)\s*)?")
LITERALS = {"true": True, "True": True, "false": False, "False": False, "none": None, "None": None}
"""Words that say yes, no or nothing."""


def sure(text: str, known: Values) -> Values:
    """Return the names with their values that a template gives no other."""
    return {
        name: value
        for name, value in known.items()
        if not re.search(_SETS.format(name=re.escape(name)), text)
    }


def renames_sayings(text: str) -> bool:
    """Whether a template has something else under the names with which it logs."""
    return re.search(_SETS.format(name="log|print|exceptions"), text) is not None


def given(parameters: str, words: str, known: Values) -> Values:
    """Return the values that the parameters of a macro have in a call, where they are known."""
    values = {
        **{name: name for name in LITERALS},
        **{name: str(one) for name, one in known.items()},
    }
    if "*" in words:
        return {}
    names, found = [], dict[str, str]()
    for one in split(parameters, ","):
        head = _PARAMETER.fullmatch(one)
        if head:
            names.append(head[1])
            found[head[1]] = head[2] or ""
    for name, one in zip(names, filter(None, split(words, ",")), strict=False):
        key, equals, value = one.partition("=")
        is_named = bool(equals) and key.strip() in names
        found[key.strip() if is_named else name] = values.get(
            (value if is_named else one).strip(), ""
        )
    return {name: LITERALS[value] for name, value in found.items() if value in LITERALS}


def without_sayings(text: str) -> str:
    """Return a template without what it only logs, and the texts that it has for nothing else."""
    for call in list(_SAYS.finditer(text)):
        said = upto(text, ")", call.end())
        if not _RUNS.search(QUOTED.sub("", said)):
            text = without(text, call.end(), call.end() + len(said))
    for one in list(_TEXTS.finditer(text)):
        name = one["name"] or one["block"]
        may_run = _RUNS.search(QUOTED.sub("", one["value"])) if one["name"] else "{" in one["held"]
        if not may_run and len(re.findall(rf"\b{re.escape(name)}\b", text)) == 1:
            text = without(text, *one.span())
    return text


def taken(text: str, known: Values) -> str:
    """Return a template without the branches that are not taken if the names have these values."""
    if _RAW.search(text):
        return text
    open_ifs: list[tuple[int, bool | None, bool]] = []
    # Of each condition: where its branch begins, whether that is taken, whether one before it certainly was.
    levels: list[str] = []
    out = text
    for tag in _TAG.finditer(text):
        kind = tag[1]
        if kind in ("if", "for"):
            levels.append(kind)
            if kind == "if":
                open_ifs.append((tag.end(), _result(tag[2], known), False))
        elif kind in ("elif", "else", "endif") and levels and levels[-1] == "if":
            start, is_taken, was = open_ifs.pop()
            if is_taken is False:
                out = without(out, start, tag.start())
            was = was or is_taken is True
            if kind == "endif":
                levels.pop()
                continue
            result = True if kind == "else" else _result(tag[2], known)
            open_ifs.append((tag.end(), False if was else result, was))
        elif kind == "endfor" and levels and levels[-1] == "for":
            levels.pop()
        elif kind in ("endif", "endfor"):
            return text  # tags that do not match: nothing of it is known
    return text if levels else out


def _result(condition: str, known: Values) -> bool | None:
    """Whether a condition holds; None if that is not known."""
    if re.search(r"\b(?:or|if|else)\b", condition):
        return None
    parts = re.split(r"\s+and\s+", condition.strip())
    results = [_atom(part, known) for part in parts]
    if False in results:
        return False
    return True if all(results) else None


def _atom(text: str, known: Values) -> bool | None:
    found = _ATOM.match(text.strip())
    if found is None or text.count("(") != text.count(")") or found[2] not in known:
        return None
    value = known[found[2]]
    if found[3]:
        if found[4] not in LITERALS:
            return None
        is_same = value is LITERALS[found[4]]
        result = is_same if found[3] != "!=" else not is_same
    else:
        result = bool(value)
    return not result if found[1] else result


# end of module
