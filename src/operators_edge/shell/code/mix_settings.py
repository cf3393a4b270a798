"""The settings of Elixir that hold in an environment: ``config :shop, Shop.Repo, hostname: "localhost"``.

Owns which files one imports, which settings hold in an environment, and that a later one sets a key again.
Pure. Does not own finding these files (``gate.disk.mix_projects``).
"""

from __future__ import annotations

import re
import textwrap

from operators_edge.shell.code.bracketed import split
from operators_edge.shell.code.comments import HASH, without_comments
from operators_edge.text.patterns import pattern
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

_BLOCK = pattern(
    r"(?ms)^(?P<in>[ \t]*)(?P<kind>if|unless)[ (]+(?P<test>[^\n]*?)\)? do[ \t]*\n(?P<body>.*?)"
    r"(?:^(?P=in)else[ \t]*\n(?P<other>.*?))?^(?P=in)end\b"
)
_TEST = pattern(
    r"(?:config_env\(\)|Mix\.env(?:\(\))?)\s*(?P<sign>==|!=|in|not in)\s*"
    r"\[?(?P<names>:\w+(?:\s*,\s*:\w+)*)\]?"
)
_HEAD = pattern(
    r"(?m)^(?P<in>[ \t]*)config[ (]+(?P<place>:\w+(?:,\s*(?::\w+|[A-Z][\w.]*)(?=\s*,))?)\s*,?"
)
_KEY = pattern(r"(?s)\[?\s*(?P<key>[a-z_]\w*):\s(?P<value>.*)")
_ENDS = pattern(r"\n(?=[^\s\])}])")
_MODULE = pattern(r"\A\s*\{?\s*(?P<module>[A-Z]\w*(?:\.[A-Z]\w*)*)\b(?!\s*\()")
_IMPORT = pattern(r"(?m)^[ \t]*import_config[ (]+([^\n]*?)\)?[ \t]*$")
_NAME = pattern(r"\"([^\"\n]*?)\"\Z")
_ENVIRONMENT = pattern(r"#\{(?:config_env\(\)|Mix\.env(?:\(\))?)\}")
_MAX_BLOCKS = 4
"""Blocks inside each other."""
_MAX_IMPORTS = 12


class Setting(NamedTuple):
    """A setting: the place that it belongs to (``:shop, Shop.Repo``), its key there, and its value."""

    place: str
    key: str
    value: str


def imported(name: str, files: Mapping[str, str], environment: str) -> str | None:
    """The text of a file with those that it imports in their places; None if one cannot be known."""
    left, count = files.get(name, ""), 0
    while (found := _IMPORT.search(left)) is not None:
        count += 1
        named = _NAME.match(_ENVIRONMENT.sub(environment, found[1].strip()))
        if named is None or count > _MAX_IMPORTS or "#{" in named[1]:
            return None
        left = f"{left[: found.start()]}{files.get(named[1], '')}{left[found.end() :]}"
    return left


def in_force(texts: Sequence[str], environment: str) -> list[Setting]:
    """The settings that hold; ``texts`` are the files in their order.

    One that may not hold counts together with what it would replace.
    """
    found: dict[tuple[str, str], list[str]] = {}
    for text in texts:
        held = _held(without_comments(text, HASH), environment)
        heads = list(_HEAD.finditer(held))
        for at, head in enumerate(heads):
            end = heads[at + 1].start() if at + 1 < len(heads) else len(held)
            told = _ENDS.split(held[head.end() : end], maxsplit=1)[0]
            place = re.sub(r"\s+", " ", head["place"])
            for key, value in _pairs(told):
                values = found.setdefault((place, key), [])
                if not head["in"] and key != _UNKNOWN:
                    values.clear()
                values.append(value)
    return [Setting(*place, value) for place, values in found.items() for value in values]


_UNKNOWN = "?"
"""The key of what is not written as ``key: value``."""


def _pairs(text: str) -> Iterator[tuple[str, str]]:
    parts = split(text, ",")
    if len(parts) == 1 and not _KEY.match(parts[0]):
        yield "", parts[0]
        return
    for part in filter(None, parts):
        named = _KEY.match(part)
        yield (named["key"], named["value"].strip()) if named else (_UNKNOWN, part)


def chosen_modules(texts: Sequence[str], environment: str) -> list[str]:
    """The modules that keys of settings stand for; ``texts`` are the files in their order."""
    values = [one.value for one in in_force(texts, environment)]
    return list(dict.fromkeys(one["module"] for one in map(_MODULE.match, values) if one))


def _held(text: str, environment: str, depth: int = 0) -> str:
    """The text with what holds of its blocks in an environment; all, indented, if that is not known."""

    def held(block: re.Match[str]) -> str:
        test = _TEST.fullmatch(block["test"].strip())
        body, other = block["body"], block["other"] or ""
        if test is None:
            return f"{body}{other}"
        is_named = environment in re.findall(r"\w+", test["names"])
        is_true = is_named == (test["sign"] in ("==", "in"))
        kept = body if is_true == (block["kind"] == "if") else other
        return textwrap.indent(textwrap.dedent(_held(kept, environment, depth + 1)), block["in"])

    return _BLOCK.sub(held, text) if depth < _MAX_BLOCKS else text


# end of module
