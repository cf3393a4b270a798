"""The cheap first look at a command text: could any rule fire on it at all?

Owns the search for trigger words and for marks behind which a word can hide. Does not own the words:
they come from the compiled rules. Errs towards True; a False is a promise that the gate would allow.
"""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from operators_edge.gate.rules import Words

_WORD = re.compile(r"[a-z0-9_]+(?:-+[a-z0-9_]+)*")
_QUOTED = re.compile(r"""\\.|"(?:[^"\\]|\\.)*"|'[^']*'""", re.DOTALL)
_HARMLESS_REDIRECT = re.compile(r"&?[0-9]*>>?\s*(?:/dev/null(?![^\s;&|)])|&[0-9](?![^\s;&|)]))")
# A known module run by python is what it says; its words are looked at like any other's.
_PYTHON_MODULE = re.compile(r"\bpython[0-9.]*\s+-m\s")
_HIDING = re.compile(
    # expansions, redirects that write, unbalanced quotes, here documents
    r"[$`>'\"\0\\]|<<|<\(|\(\s*\)"
    # braces that expand: {a,b} {a..b}
    r"|\{[^\s{}]*(?:,|\.\.)[^\s{}]*\}"
    # where a program is named: a path, a glob, a quoted or escaped word, the dot command
    r"|(?:^|[;&|(){}!\n]|\b(?:then|do|else|elif|if|while|until)\s)\s*"
    r"(?:[A-Za-z_]\w*\+?=[^\s;&|]*\s+)*(?:[^\s;&|()=]*[/*?\[\x01\x02]|\.(?:\s|$)|-)",
    # Only a shell's own blanks separate words: no other blank of Unicode does.
    re.ASCII,
)


MAX_PREFILTER_TEXT = 8_192
"""Characters of a text that is looked at; the patterns below may take time that grows with its square."""


def _mask_quoted(match: re.Match[str]) -> str:
    quoted = match.group()
    if quoted[0] == "\\":
        return "" if quoted == "\\\n" else "\x02"
    return "$" if quoted[0] == '"' and ("$" in quoted or "`" in quoted) else "\x01"


def is_suspicious(text: str, words: Mapping[str, Sequence[str]] | Words) -> bool:
    """Whether the text has to be parsed.

    ``words``: trigger word, in small letters → words of which one has to stand beside it for it to
    count; none where it counts alone.
    """
    if len(text) > MAX_PREFILTER_TEXT:
        return True
    joined = text.replace("\\\n", "")
    plain = joined.replace("\\", "").replace('"', "").replace("'", "").lower()
    if _has_word(_PYTHON_MODULE.sub(" ", plain), words):
        return True
    if "\\" in text or '"' in text or "'" in text:
        apart = re.sub(r"\\.|[\"']", " ", joined, flags=re.DOTALL).lower()
        if _has_word(_PYTHON_MODULE.sub(" ", f"{apart} {plain}"), words):
            return True
    # A quote in a comment would hide what follows it: then nothing is taken as quoted.
    reduce_sql = text if "#" in text else _QUOTED.sub(_mask_quoted, text)
    return _HIDING.search(_HARMLESS_REDIRECT.sub(" ", reduce_sql)) is not None


def _has_word(text: str, words: Mapping[str, Sequence[str]] | Words) -> bool:
    found = set(_WORD.findall(text))
    for word in list(found):
        if "-" in word or "_" in word:
            found.update(re.split("[-_]+", word))
    return any(
        not beside or not found.isdisjoint(beside)
        for word in found
        if (beside := words.get(word)) is not None
    )
