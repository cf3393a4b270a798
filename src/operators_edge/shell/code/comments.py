"""Comments of languages that are searched for patterns, blanked so that all else keeps its place.

What a string holds is no comment. Does not own those of languages that are read token by token
(``shell.code.languages``), nor the shell's. Pure.
"""

from __future__ import annotations

from operators_edge.text.patterns import blanked, pattern

HASH, SLASHES, SLASHES_AND_QUOTES = "#", "//", "'//"
"""Kinds of comments: after ``#``; after ``//`` and in ``/* */``; the same where ``'…'`` is a string."""
_COMMENTS = {
    HASH: pattern(
        r"\"\"\"[\s\S]*?\"\"\"|\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'|(?P<comment>(?<![\w$\\])#(?!\{)[^\n]*)"
    ),
    SLASHES: pattern(
        r"\"\"\"[\s\S]*?\"\"\"|\"(?:[^\"\\\n]|\\.)*\"|`[^`]*`|(?P<comment>//[^\n]*|/\*[\s\S]*?\*/)"
    ),
    SLASHES_AND_QUOTES: pattern(
        r"\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'|(?P<comment>//[^\n]*|/\*[\s\S]*?\*/)"
    ),
}

_NODE = pattern(
    r"\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\[\s\S])*`|(?P<comment>(?<![:\\])//[^\n]*|/\*[\s\S]*?\*/)"
)


def without_comments(text: str, kind: str) -> str:
    """Return code with its comments blanked."""
    return _COMMENTS[kind].sub(lambda one: blanked(one[0]) if one["comment"] else one[0], text)


def without_comments_of_node(text: str) -> str:
    """Return code of Node with its comments blanked; a text in backticks has none."""
    return _NODE.sub(lambda one: blanked(one[0]) if one["comment"] else one[0], text)


# end of module
