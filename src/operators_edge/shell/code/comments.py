"""Comments of languages that are searched for patterns, blanked so that all else keeps its place.

What a string holds is no comment. Does not own those of languages that are read token by token
(``shell.code.languages``), nor the shell's. Pure.
"""

from __future__ import annotations

from operators_edge.text.patterns import blanked, pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re

HASH, SLASHES, SLASHES_AND_QUOTES = "#", "//", "'//"
"""Kinds of comments: after ``#``; after ``//`` and in ``/* */``; the same where ``'…'`` is a string."""
DASHES, SEMICOLON = "--", ";"
"""After two dashes, as in Lua; after a semicolon, as in Lisp."""
JAVASCRIPT, BARE_JAVASCRIPT = "`//", "`///"
"""The same where texts stand in backticks and patterns between slashes; and without these patterns, too."""
_TEXT = r"\"(?<!\\\")(?:[^\"\\\n]|\\.)*\""
_BARE_TEXT = r"'(?<!\\')(?:[^'\\\n]|\\.)*'"
"""Texts in either quotes. None begins with an escaped quote, of which one line may hold very many."""
_IN_BACKTICKS = r"`(?<!\\`)(?:[^`\\]|\\[\s\S])*`"
_PUT_IN = rf"(?:[^{{}}`]|{_IN_BACKTICKS})*"
"""Code in such a text, with texts of its own."""
_TEXTS_OF_JAVASCRIPT = (
    rf"{_TEXT}|{_BARE_TEXT}"
    rf"|`(?<!\\`)(?:[^`\\$]|\\[\s\S]|\$(?!\{{)|\$\{{(?:{_PUT_IN}\{{{_PUT_IN}\}})*{_PUT_IN}\}})*`|{_IN_BACKTICKS}"
)
_PATTERN_BEHIND = (
    r"(?:[=(,:\[&|?{;]|=>|(?<![\w$)\]])!|(?<![\w$.])(?:return|typeof|case|await|yield)\b)\s*"
)
_PATTERN = r"/(?![*/])(?:[^/\\\n\[]|\\.|\[(?:[^\]\\\n]|\\.){0,200}\]){1,500}/"
_OF_JAVASCRIPT = r"(?<![:\\])//[^\n]*|/\*[\s\S]*?\*/"
_COMMENTS = {
    HASH: pattern(
        rf"\"\"\"[\s\S]*?\"\"\"|{_TEXT}|{_BARE_TEXT}|(?P<comment>(?<![\w$\\])#(?!\{{)[^\n]*)"
    ),
    SLASHES: pattern(rf"\"\"\"[\s\S]*?\"\"\"|{_TEXT}|`[^`]*`|(?P<comment>//[^\n]*|/\*[\s\S]*?\*/)"),
    DASHES: pattern(rf"{_TEXT}|{_BARE_TEXT}|(?P<comment>--\[\[[\s\S]*?\]\]|--[^\n]*)"),
    SEMICOLON: pattern(rf"{_TEXT}|(?P<comment>;[^\n]*)"),
    SLASHES_AND_QUOTES: pattern(rf"{_TEXT}|{_BARE_TEXT}|(?P<comment>//[^\n]*|/\*[\s\S]*?\*/)"),
    JAVASCRIPT: pattern(
        rf"{_TEXTS_OF_JAVASCRIPT}|{_PATTERN_BEHIND}{_PATTERN}|(?P<comment>{_OF_JAVASCRIPT})"
    ),
    BARE_JAVASCRIPT: pattern(
        rf"{_TEXTS_OF_JAVASCRIPT}|{_PATTERN_BEHIND}(?P<pattern>{_PATTERN})|(?P<comment>{_OF_JAVASCRIPT})"
    ),
}


def without_comments(text: str, kind: str) -> str:
    """Return code with its comments blanked."""
    return _COMMENTS[kind].sub(_without, text)


def _without(found: re.Match[str]) -> str:
    dropped: str = found[found.lastgroup] if found.lastgroup else ""
    return found[0].removesuffix(dropped) + blanked(dropped)


# end of module
