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
_IMPORT = pattern(
    r"(?m)^(?P<in>[ \t]*)(?P<test>(?:if|unless)\b[^\n]*,[ \t]*do:[ \t]*)?"
    r"import_config[ (]+(?P<file>[^\n]*?)\)?[ \t]*$"
)
_NAME = pattern(r"\"([^\"\n]*?)\"\Z")
_ENVIRONMENT = pattern(r"#\{(?:config_env\(\)|Mix\.env(?:\(\))?)\}")
_JOINED = pattern(r"\"[ \t]*<>[ \t]*\n?[ \t]*\"")
_SET_TO = r"(?m)(?:^|\bif )[ \t]*{name}[ \t]*=(?![=~>])[ \t]*(?P<value>[^\n]*?)(?:[ \t]+do)?[ \t]*$"
_VARIABLE = pattern(r"[a-z_]\w*")
_READABLE = pattern(
    r"(?:\s*(?:\"(?:[^\"#\\\n]|#(?!\{))*\"|\"\w+://[^\"#\n]+/[^\"#\n]*(?:#\{[^{}]*\}[^\"#\n]*)+\"|nil|System\.(?:get_env|fetch_env!?)\(\s*\"\w+\"\s*(?:,\s*\"[^\"#\n]*\"\s*)?\)"
    r"|env!\(\s*\"\w+\"\s*(?:,[^()\n]*)?\))\s*(?:\|\||\Z))+"
)
"""A value that is a text or the value of a variable, or one of these if another one is nothing."""
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
        named = _NAME.match(_ENVIRONMENT.sub(environment, found["file"].strip()))
        if named is None or count > _MAX_IMPORTS or "#{" in named[1]:
            return None
        inside = found["in"] + ("  " if found["test"] else "")
        text = textwrap.indent(files.get(named[1], ""), inside)
        left = f"{left[: found.start()]}{text}{left[found.end() :]}"
    return left


def in_force(texts: Sequence[str], environment: str) -> list[Setting]:
    """The settings that hold; ``texts`` are the files in their order.

    One that may not hold counts together with what it would replace.
    """
    found: dict[tuple[str, str], list[str]] = {}
    for text in texts:
        kept = held(without_comments(text, HASH), environment)
        heads = list(_HEAD.finditer(kept))
        for at, head in enumerate(heads):
            end = heads[at + 1].start() if at + 1 < len(heads) else len(kept)
            told = _ENDS.split(kept[head.end() : end], maxsplit=1)[0]
            place = re.sub(r"\s+", " ", head["place"])
            for key, value in _pairs(told):
                values = found.setdefault((place, key), [])
                if not head["in"] and key != UNKNOWN:
                    values.clear()
                values.append(value)
    return [Setting(*place, value) for place, values in found.items() for value in values]


UNKNOWN = "?"
"""The key of what is not written as ``key: value``."""


def _pairs(text: str) -> Iterator[tuple[str, str]]:
    parts = split(text, ",")
    if len(parts) == 1 and not _KEY.match(parts[0]):
        yield "", parts[0]
        return
    for part in filter(None, parts):
        named = _KEY.match(part)
        yield (named["key"], named["value"].strip()) if named else (UNKNOWN, part)


def joined(text: str) -> str:
    """Code with texts that are joined as one: ``"db." <> "example.com"``."""
    return _JOINED.sub("", text)


def known_values(value: str, texts: Sequence[str]) -> list[str] | None:
    """What a value is written as, or what the name is set to that it has; None if it cannot be read."""
    value = joined(value)
    if _VARIABLE.fullmatch(value.strip()) and value.strip() not in ("nil", "true", "false"):
        head = re.compile(_SET_TO.replace("{name}", value.strip()))
        found = [joined(one["value"]) for text in texts for one in head.finditer(text)]
        return found if found and all(map(_READABLE.fullmatch, found)) else None
    return [value] if _READABLE.fullmatch(value) else None


def chosen_modules(texts: Sequence[str], environment: str) -> list[str]:
    """The modules that keys of settings stand for; ``texts`` are the files in their order."""
    values = [one.value for one in in_force(texts, environment)]
    return list(dict.fromkeys(one["module"] for one in map(_MODULE.match, values) if one))


def held(text: str, environment: str, depth: int = 0) -> str:
    """The text with what holds of its blocks in an environment; all, indented, if that is not known."""

    def kept_of(block: re.Match[str]) -> str:
        test = _TEST.fullmatch(block["test"].strip())
        body, other = block["body"], block["other"] or ""
        if test is None:
            return f"{body}{other}"
        is_named = environment in re.findall(r"\w+", test["names"])
        is_true = is_named == (test["sign"] in ("==", "in"))
        kept = body if is_true == (block["kind"] == "if") else other
        return textwrap.indent(textwrap.dedent(held(kept, environment, depth + 1)), block["in"])

    return _BLOCK.sub(kept_of, text) if depth < _MAX_BLOCKS else text


# end of module
