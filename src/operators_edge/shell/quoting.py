"""Where quoted text, substitutions, comments and heredocs of a shell text begin and end.

Owns ``mask``: the same text with everything quoted made opaque, so that only plain words and operators are
left, at unchanged positions. Does not own what the quoted parts mean (``shell.words``).
"""

from __future__ import annotations

import re

from operators_edge.text.patterns import pattern
from operators_edge.tuples import NamedTuple

MAX_NESTING = 24
"""Levels of nested quotes and substitutions; deeper text counts as never closed."""
COMPOUND_TEST = "\xa7"
"""Begins the mask of ``[[ … ]]`` and ``(( … ))``, after which a word may be reserved."""

_SINGLE = pattern(r"'[^']*'")
_ANSI = re.compile(r"\$'(?:[^'\\]|\\.)*'", re.DOTALL)
_BACKTICK = re.compile(r"`(?:[^`\\]|\\.)*`", re.DOTALL)
_IN_DOUBLE = pattern(r'["\\$`]')
_IN_PAREN = pattern(r"""['"\\$`()#<\n]|\b(?:case|esac)\b""")
_CASE_HEAD = pattern(r"case[ \t]+[^\n;]{1,200}?\s+in\b")
_IN_BRACE = pattern(r"""['"\\$`}]""")
_IN_BRACKET = pattern(r"""['"\\$`\[\]\n]""")
_IN_ARITHMETIC = pattern(r"""['"\\$`();]""")
_IN_TEST = pattern(r"""['"\\$`]|(?<=\s)\]\](?=[\s;&|)]|$)""")
_HEREDOC = pattern(r"""<<(-?)[ \t]*((?:\\.|'[^'\n]*'|"[^"\n]*"|[^\s<>&|;()'"\\])+)""")
_ASSIGN_TAIL = pattern(r"(?:^|[\s;&|(])[A-Za-z_]\w*(?:\[[^\]\s]*\])?\+?$")
_SPECIAL = pattern(r"""['"\\$`#<>{}\n\r\0]|=\(|\(\(|\[\[\s|[?*+@!]\(|[^\x00-\x7f]+""")
_BEFORE_COMMAND = pattern(
    r"(?:[\n;&|({]|(?:\A|[\s;&|(])(?:if|then|elif|else|while|until|do|time|coproc|!))[ \t]*\Z|\A[ \t]*\Z"
)
_DELIMITERS = " \t\n;&|()<>"


class UnclosedError(Exception):
    """A quote or substitution that never ends, or is nested too deeply."""

    def __init__(self, *, is_too_deep: bool = False) -> None:
        super().__init__()
        self.is_too_deep = is_too_deep


class Heredoc(NamedTuple):
    """``[start, end)`` is the body's range; ``is_quoted`` bodies are taken literally."""

    start: int
    end: int
    is_quoted: bool
    strips_tabs: bool

    def body(self, text: str) -> str:
        body = text[self.start : self.end]
        return re.sub(r"(?m)^\t+", "", body) if self.strips_tabs else body


class MaskedText:
    """``masked`` has the text's length; ``heredocs`` are keyed by the position of their operator."""

    def __init__(self, masked: str) -> None:
        self.masked = masked
        self.heredocs: dict[int, Heredoc] = {}
        self.unclosed: UnclosedError | None = None
        self.unclosed_at = 0
        self.failures = 0
        # The end of the last quoted part of a word, while the text is read.
        self.word_end = -1


def end_of_quote(text: str, at: int, depth: int = 0) -> int:
    """Return the position after the quote or substitution that starts at ``at``."""
    if depth > MAX_NESTING:
        raise UnclosedError(is_too_deep=True)
    char = text[at]
    if char == "'":
        return _end_of_match(_SINGLE, text, at)
    if char == '"':
        return _end_of_nest(text, at + 1, _IN_DOUBLE, '"', depth)
    if char == "`":
        return _end_of_match(_BACKTICK, text, at)
    if char == "\\":
        return min(at + 2, len(text))
    return _end_of_dollar(text, at, depth)


def _end_of_dollar(text: str, at: int, depth: int) -> int:
    following = text[at + 1 : at + 2]
    if following == "(":
        return end_of_paren(text, at + 2, depth)
    if following == "{":
        return _end_of_nest(text, at + 2, _IN_BRACE, "}", depth)
    if following == "[":
        # Old arithmetic; without its end, the dollar is an ordinary character.
        return end_of_bracket(text, at + 2, depth) or at + 1
    if following == "'":
        return _end_of_match(_ANSI, text, at)
    if following == '"':
        return _end_of_nest(text, at + 2, _IN_DOUBLE, '"', depth)
    return at + 1


def _end_of_match(pattern: re.Pattern[str], text: str, at: int) -> int:
    match = pattern.match(text, at)
    if match is None:
        raise UnclosedError
    return match.end()


def _end_of_nest(text: str, at: int, stops: re.Pattern[str], closing: str, depth: int) -> int:
    while match := stops.search(text, at):
        at = match.start()
        if text[at] == closing:
            return at + 1
        # Inside double quotes, a dollar before a quote is an ordinary character.
        is_plain = closing == '"' and text.startswith(("$'", '$"'), at)
        at = at + 1 if is_plain else end_of_quote(text, at, depth + 1)
    raise UnclosedError


def end_of_arithmetic(text: str, at: int, depth: int) -> int:
    """Return the position after ``))``, or 0 if ``((`` opens two subshells."""
    open_parens = 0
    while match := _IN_ARITHMETIC.search(text, at):
        at = match.start()
        char = text[at]
        if char == "(":
            open_parens += 1
            at += 1
        elif char == ")":
            if open_parens == 0:
                return at + 2 if text.startswith("))", at) else 0
            open_parens -= 1
            at += 1
        elif char == ";":
            return 0
        else:
            at = end_of_quote(text, at, depth + 1)
    return 0


def end_of_bracket(text: str, at: int, depth: int = 0) -> int:
    """Return the position after the ``]`` that closes a bracket opened just before ``at``, or 0."""
    opened = 1
    if text.find("]", at) < 0:
        return 0
    while (match := _IN_BRACKET.search(text, at)) and match[0] != "\n":
        at = match.start()
        if match[0] in "[]":
            opened += 1 if match[0] == "[" else -1
            at += 1
            if not opened:
                return at
            if opened > MAX_NESTING:
                raise UnclosedError(is_too_deep=True)
        elif text.startswith("$[", at):
            at += 1
        else:
            at = end_of_quote(text, at, depth + 1)
    return 0


def end_of_paren(  # noqa: C901, PLR0912 -- one branch per kind of character
    text: str, at: int, depth: int = 0
) -> int:
    """Return the position after the ``)`` that closes a parenthesis opened just before ``at``."""
    if depth > MAX_NESTING:
        raise UnclosedError(is_too_deep=True)
    opened: list[str] = []
    pending: list[re.Match[str]] = []
    while match := _IN_PAREN.search(text, at):
        at = match.start()
        char = text[at]
        if char == ")":
            at += 1
            if not opened:
                return at
            # After a pattern of ``case`` it does not close anything.
            if opened[-1] == "(":
                opened.pop()
        elif char == "(":
            opened.append("(")
            at += 1
        elif char in "ce":
            if char == "c" and _CASE_HEAD.match(text, at):
                opened.append("case")
            elif char == "e" and opened and opened[-1] == "case":
                opened.pop()
            at = match.end()
        elif char == "#":
            at = _end_of_comment(text, at)
        elif char == "<":
            at = _note_heredoc(text, at, pending)
        elif char == "\n":
            at = _after_bodies(text, at + 1, pending, closing=")")
            pending.clear()
        else:
            at = end_of_quote(text, at, depth + 1)
    raise UnclosedError


def _end_of_comment(text: str, at: int) -> int:
    if at and text[at - 1] not in _DELIMITERS:
        return at + 1
    end = text.find("\n", at)
    return len(text) if end < 0 else end


def _note_heredoc(text: str, at: int, pending: list[re.Match[str]]) -> int:
    if text.startswith("<<<", at):
        return at + 3
    match = _HEREDOC.match(text, at)
    if match is None:
        return at + 1
    pending.append(match)
    return match.end()


def _after_bodies(text: str, at: int, pending: list[re.Match[str]], *, closing: str = "") -> int:
    for match in pending:
        at = _body_end(text, at, match, closing)[1]
    return at


def _body_end(text: str, at: int, match: re.Match[str], closing: str = "") -> tuple[int, int]:
    """Return where the body ends and where the text continues; an unclosed heredoc takes the rest."""
    delimiter = re.sub(r"\\(.)|['\"]", r"\1", match[2])
    tabs = r"\t*" if match[1] else ""
    tail = rf"(?=[{closing}\n\r]|$)" if closing else r"(?=[\n\r]|$)"
    # No MULTILINE: "$" must match the end of the text only; the lookbehind finds starts of lines.
    line = re.compile(rf"(?:(?<=\n)|(?<![\s\S])){tabs}{re.escape(delimiter)}{tail}")
    found = line.search(text, at)
    return (len(text), len(text)) if found is None else (found.start(), found.end())


def mask(text: str) -> MaskedText:
    """Replace quotes, substitutions, comments and heredoc bodies so that only structure is left."""
    masked = MaskedText(text)
    if not _SPECIAL.search(text):
        return masked
    pieces: list[str] = []
    pending: list[re.Match[str]] = []
    done = at = 0
    try:
        while match := _SPECIAL.search(text, at):
            at = match.start()
            end, filler = _mask_part(text, at, match[0], pending, masked)
            if filler:
                pieces += (text[done:at], filler)
                done = end
                masked.word_end = end if filler[-1] == "X" else -1
            at = end
    except UnclosedError as error:
        masked.unclosed, masked.unclosed_at = error, at
        pieces += (text[done:at], "X" * (len(text) - at))
        done = len(text)
    _take_bodies(text, len(text), pending, masked)
    pieces.append(text[done:])
    masked.masked = "".join(pieces)
    return masked


def _mask_part(
    text: str, at: int, found: str, pending: list[re.Match[str]], masked: MaskedText
) -> tuple[int, str]:
    """Return where the part that starts at ``at`` ends, and its filler ("" keeps it unchanged)."""
    char = found[0]
    if char in "'\"`$":
        end = end_of_quote(text, at)
    elif char == "\\":
        return _mask_escape(text, at, masked)
    elif char == "\n":
        start = _take_bodies(text, at + 1, pending, masked)
        return start, "\n" + " " * (start - at - 1) if start > at + 1 else ""
    elif char == "\r":
        return at + 1, "\n" if text.startswith("\r\n", at) else " "
    elif char == "#":
        end = _end_of_comment(text, at)
        is_comment = at == 0 or text[at - 1] in _DELIMITERS
        return end, " " * (end - at) if is_comment else ""
    elif char in "<>":
        return _mask_angle(text, at, pending)
    elif char in "{}":
        return at + 1, "" if _is_group(text, at) else "X"
    elif found[1:] == "(" and char in "?*+@!":
        return _mask_pattern(text, at)
    elif found in {"=(", "(("} or char == "[":
        return _mask_block(text, at, found, masked)
    else:
        end = at + len(found)
    return end, "X" * (end - at)


def _take_bodies(text: str, start: int, pending: list[re.Match[str]], masked: MaskedText) -> int:
    for heredoc in pending:
        body_end, start_next = _body_end(text, start, heredoc)
        is_quoted = any(mark in heredoc[2] for mark in "\\'\"")
        masked.heredocs[heredoc.start()] = Heredoc(start, body_end, is_quoted, bool(heredoc[1]))
        start = start_next
    pending.clear()
    return start


def _mask_escape(text: str, at: int, masked: MaskedText) -> tuple[int, str]:
    end = min(at + 2, len(text))
    if text.startswith("\\\n", at):
        # A blank before it may be quoted.
        is_inside = at > 0 and (text[at - 1] not in _DELIMITERS or masked.word_end == at)
        return end, "XX" if is_inside and text[end : end + 1].strip(_DELIMITERS) else "  "
    return end, "X" * (end - at)


def _mask_angle(text: str, at: int, pending: list[re.Match[str]]) -> tuple[int, str]:
    if text.startswith("(", at + 1):
        end = end_of_paren(text, at + 2)
        return end, "X" * (end - at)
    if text[at] == ">":
        return at + 1, ""
    before = len(pending)
    end = _note_heredoc(text, at, pending)
    return end, "<" + "X" * (end - at - 1) if len(pending) > before else ""


def _mask_block(text: str, at: int, found: str, masked: MaskedText) -> tuple[int, str]:
    """Arrays, arithmetic commands and conditional tests count as one word each."""
    end = at + 1
    if found == "=(":
        if _ASSIGN_TAIL.search(text[max(0, at - 120) : at]):
            end = end_of_paren(text, at + 2)
            return end, "=" + "X" * (end - at - 1)
        return end, ""
    # Each failed search may have read to the end of the text; a limit keeps the pass linear.
    if masked.failures > 32:
        return at + 1, ""
    if found == "((":
        end = end_of_arithmetic(text, at + 2, 0)
        if not end and text[max(0, at - 4) : at].rstrip().endswith("for"):
            end = end_of_paren(text, at + 1)
        masked.failures += not end
        return (end, _mask_test(at, end)) if end else (at + 1, "")
    if at and text[at - 1] not in _DELIMITERS:
        return end, ""
    while match := _IN_TEST.search(text, end):
        if match[0] == "]]":
            return match.end(), _mask_test(at, match.end())
        end = end_of_quote(text, match.start())
    masked.failures += 1
    return at + 1, ""


def _mask_pattern(text: str, at: int) -> tuple[int, str]:
    """``?(a|b)`` and the like; where a command may begin, ``!(`` negates a subshell."""
    if text[at] == "!" and _BEFORE_COMMAND.search(text[max(0, at - 40) : at]):
        return at + 1, ""
    end = end_of_paren(text, at + 2)
    return end, "X" * (end - at)


def _mask_test(start: int, end: int) -> str:
    return COMPOUND_TEST + "X" * (end - start - 1)


def _is_group(text: str, at: int) -> bool:
    """Whether a brace groups commands: only as a separate word; elsewhere it is part of a word."""
    if text[at] == "{":
        following = text[at + 1 : at + 2]
        return (not following or following.isspace()) and (at == 0 or text[at - 1] in _DELIMITERS)
    return at == 0 or text[at - 1] in _DELIMITERS


def trim(masked: str, start: int, end: int) -> tuple[int, int]:
    """Return a range without the blanks around it."""
    inside = masked[start:end]
    start += len(inside) - len(inside.lstrip())
    return start, start + len(inside.strip())


# end of module
