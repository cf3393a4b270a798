"""The modules that settings of Elixir choose: ``config :shop, sms_adapter: Shop.SMS.Twilio``.

Owns which settings hold in an environment, and that a later file sets a key again. Pure. Does not own finding
these files (``gate.disk.whole_programs``).
"""

from __future__ import annotations

import re

from operators_edge.text.patterns import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_BLOCK = pattern(
    r"(?ms)^(?P<in>[ \t]*)(?P<kind>if|unless)[ (]+(?P<test>[^\n]*?)\)? do[ \t]*\n(?P<body>.*?)"
    r"(?:^(?P=in)else[ \t]*\n(?P<other>.*?))?^(?P=in)end\b"
)
_TEST = pattern(
    r"(?:config_env\(\)|Mix\.env(?:\(\))?)\s*(?P<sign>==|!=|in|not in)\s*"
    r"\[?(?P<names>:\w+(?:\s*,\s*:\w+)*)\]?"
)
_HEAD = pattern(r"(?m)^[ \t]*config[ (]+(?P<place>:\w+(?:,[ \t]*(?::\w+|[A-Z][\w.]*)(?=\s*,))?)")
_CHOICE = pattern(
    r"(?:\b(?P<key>[a-z_]\w*):|,)\s*\{?(?P<module>[A-Z]\w*(?:\.[A-Z]\w*)*)\b(?!\s*\()"
)


def chosen_modules(texts: Sequence[str], environment: str) -> list[str]:
    """The modules that keys of settings stand for; ``texts`` are the files in their order."""
    found: dict[tuple[str, str], str] = {}
    for text in texts:
        held = _BLOCK.sub(lambda one: _held(one, environment), text)
        heads = list(_HEAD.finditer(held))
        for at, head in enumerate(heads):
            end = heads[at + 1].start() if at + 1 < len(heads) else len(held)
            for one in _CHOICE.finditer(held, head.end(), end):
                found[head["place"], one["key"] or ""] = one["module"]
    return list(dict.fromkeys(found.values()))


def _held(block: re.Match[str], environment: str) -> str:
    """The part of a block that holds in an environment; all of it if that is not known."""
    test = _TEST.fullmatch(block["test"].strip())
    if test is None:
        return f"{block['body']}{block['other'] or ''}"
    is_named = environment in re.findall(r"\w+", test["names"])
    is_true = is_named == (test["sign"] in ("==", "in"))
    is_body = is_true == (block["kind"] == "if")
    return str(block["body"]) if is_body else block["other"] or ""


# end of module
