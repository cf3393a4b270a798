"""What is code in a text of PHP: not the page around it, nor comments; a here document is one text.

Owns where PHP begins and ends in its file, its comments of several lines and attributes, and here documents
as texts in quotes; lines keep their numbers.
Pure. Does not own what the code starts (``shell.code.programs``).
"""

from __future__ import annotations

import re

from operators_edge.text.patterns import blanked, pattern

_NEXT = pattern(
    r"(?P<closes>\?>)|(?P<attribute>\#(?=\[))|(?P<line>//|\#)|(?P<block>/\*)|(?P<quote>['\"`])"
    r"|<<<[ \t]*(?P<kind>['\"]?)(?P<name>[A-Za-z_]\w*)(?P=kind)[ \t]*\r?\n"
)
_SIGNS = ("?>", "<<<", "/*", "#[")
_OPENS = pattern(r"<\?(?:php\b|=|(?!xml)\s)")
_LINE_ENDS = pattern(r"\n|(?=\?>)")
_QUOTE_ENDS = {
    "'": pattern(r"(?<!\\)(?:\\\\)*'"),
    '"': pattern(r"(?<!\\)(?:\\\\)*\""),
    "`": pattern(r"(?<!\\)(?:\\\\)*`"),
}


def plain(code: str) -> str:
    """Return the code without the page around it and such comments, and with its here documents in quotes.

    Where something does not end, or a part may begin amid the code, what is left stays as it is.
    """
    if not any(sign in code for sign in _SIGNS):
        return code
    parts = []
    at = 0
    if re.match(r"\s*<(?!\?)", code):
        at = _page_end(code, 0)
        parts.append(blanked(code[:at]))
    done = at
    while (found := _NEXT.search(code, at)) is not None:
        if found["closes"]:
            at = _page_end(code, found.end())
            parts += (code[done : found.start()], ";", blanked(code[found.start() + 1 : at]))
            done = at
            continue
        if found["attribute"]:
            at = found.end()
            parts += (code[done : found.start()], " ")
            done = at
            continue
        end = _end(code, found)
        if end is None:
            break
        at = end.end()
        if found["name"] or found["block"]:
            parts.append(code[done : found.start()])
            done = at
        if found["name"]:
            parts.append(_quoted(found, code[found.end() : end.start()]))
        elif found["block"]:
            parts.append(blanked(found.string[found.start() : at]))
    return "".join((*parts, code[done:]))


def _page_end(code: str, at: int) -> int:
    opened = _OPENS.search(code, at)
    return opened.start() if opened is not None else len(code)


def _end(code: str, found: re.Match[str]) -> re.Match[str] | None:
    """What ends the comment, the text in quotes or the here document that begins here."""
    if found["name"]:
        return re.compile(rf"(?m)^[ \t]*{found['name']}(?!\w)").search(code, found.end())
    if found["line"]:
        return _LINE_ENDS.search(code, found.end())
    if found["block"]:
        return re.compile(r"\*/").search(code, found.end())
    return _QUOTE_ENDS[found["quote"]].search(code, found.end())


def _quoted(found: re.Match[str], text: str) -> str:
    quote, other = ("'", '"') if found["kind"] == "'" else ('"', "'")
    return f"{quote}\n{text.replace(quote, other)}{quote}"


# end of module
