"""The prefilter: a cheap test whether any rule could match a command text at all.

Owns the search for trigger words, and for syntax that can hide one. Does not own the words (they come from
the compiled rules). Errs towards True; False promises that the gate would allow the text.
"""

from __future__ import annotations

import re

from operators_edge.text.patterns import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

_WORD = pattern(r"[a-z0-9_]+(?:-+[a-z0-9_]+)*")
_CLUSTER = pattern(r"(?<![\w-])-([a-z]{2,8})(?![a-z])")
_QUOTED = pattern(r"""(?s)\\.|"(?:[^"\\]|\\.)*"|'[^']*'""")
_HARMLESS_REDIRECT = pattern(r"&?[0-9]*>>?\s*(?:/dev/null(?![^\s;&|)])|&[0-9](?![^\s;&|)]))")
_HIDING = pattern(
    # Only ASCII white space separates words in a shell.
    r"(?a)"
    # expansions, redirects that write, unbalanced quotes, here documents
    r"[$`>'\"\0\\]|<<|<\(|\(\s*\)"
    # braces that expand: {a,b} {a..b}
    r"|\{[^\s{}]*(?:,|\.\.)[^\s{}]*\}"
    # in the place of a program: a path, a glob, a quoted or escaped word, the dot command
    r"|(?:^|[;&|(){}!\n]|\b(?:then|do|else|elif|if|while|until)\s)\s*"
    r"(?:[A-Za-z_]\w*\+?=[^\s;&|]*\s+)*(?:[^\s;&|()=]*[/*?\[\x01\x02]|\.(?:\s|$)|-)"
)


_FOREIGN_HOST = pattern(
    r"(?://|@)[^\s/]*[^\x00-\x7f]|[^\x00-\x7f][\w-]*\.\w|\w\.[\w-]*[^\x00-\x7f]"
)
"""An address, or a host alone, that may only look like another one."""

_RUNS_FROM_SETTINGS = (
    r"(?im)^[ \t]*(?:fsmonitor|[\w-]*pager|editor|sshcommand|askpass|textconv|clean|smudge|process|external"
    r"|cmd|difffilter|gitproxy|command|driver|program|helper)[ \t]*="
    r"|\[[ \t]*(?:alias|include|includeif|pager)\b"
    r"|^[ \t]*(?:worktreeconfig[ \t]*=[ \t]*true|\[.*\].*=)"
)


def may_run_something(configuration: str) -> bool:
    """Whether a repository's configuration may name something that any command of git runs."""
    return re.search(_RUNS_FROM_SETTINGS, configuration) is not None


MAX_PREFILTER_TEXT = 8_192
"""Characters of a text that is searched; the time of the patterns can grow with the square of the length."""


class TriggerWords:
    """Words without which no rule on commands can match, each with its partners.

    Made of ``partners``, texts of programs, and ``words``: numbers of such texts → the words that count with
    a program of one of them. Words whose numbers are "" count alone. Only few words occur in texts, so
    numbers and programs are split when first asked for.
    """

    __slots__ = ("_numbers", "_partners", "_programs")

    def __init__(self, partners: Sequence[str], words: Mapping[str, str]) -> None:
        self._partners = partners
        self._programs: dict[str, set[str]] = {}
        self._numbers: dict[str, str] = {}
        for numbers, listed in words.items():
            self._numbers.update(dict.fromkeys(listed.split(), numbers))

    def counts(self, word: str, found: set[str]) -> bool:
        """Whether a word is a trigger word, beside the other words of its text."""
        numbers = self._numbers.get(word)
        if not numbers:
            return numbers is not None
        programs = self._programs.get(numbers)
        if programs is None:
            named = " ".join(self._partners[int(number)] for number in numbers.split())
            programs = self._programs[numbers] = set(named.split())
        return not found.isdisjoint(programs)

    def __iter__(self) -> Iterator[str]:
        return iter(self._numbers)


def _mask_quoted(match: re.Match[str]) -> str:
    quoted = match.group()
    if quoted[0] == "\\":
        return "" if quoted == "\\\n" else "\x02"
    # What single quotes protect may be expanded later: by arithmetic, as a prompt, as a name.
    is_expanded = "`" in quoted or ("$" if quoted[0] == '"' else "$(") in quoted
    return "$" if is_expanded else "\x01"


def is_suspicious(text: str, words: TriggerWords) -> bool:
    """Whether the text must be parsed and judged.

    ``words`` are in lower case. A word with partners counts only if one of them is in the text too; a word
    without partners counts alone.
    """
    return not _is_harmless(text, words)


def _is_harmless(text: str, words: TriggerWords) -> bool:
    if len(text) > MAX_PREFILTER_TEXT or (not text.isascii() and _FOREIGN_HOST.search(text)):
        return False
    joined = text.replace("\\\n", "")
    plain = joined.replace("\\", "").replace('"', "").replace("'", "").lower()
    if has_word(plain, words):
        return False
    if "\\" in text or '"' in text or "'" in text:
        apart = re.sub(r"\\.|[\"']", " ", joined, flags=re.DOTALL).lower()
        if has_word(f"{apart} {plain}", words):
            return False
    # A quote in a comment would hide what follows it, so a text with comments keeps its quotes.
    unquoted = text if "#" in text else _QUOTED.sub(_mask_quoted, text)
    return _HIDING.search(_HARMLESS_REDIRECT.sub(" ", unquoted)) is None


def has_word(text: str, words: TriggerWords) -> bool:
    """Whether a text in lower case holds a trigger word, with one of its partners if it has any."""
    found = words_in(text)
    return any(words.counts(word, found) for word in found)


def words_in(text: str) -> set[str]:
    """The words in a text in lower case that may be trigger words, and their parts."""
    found = set(_WORD.findall(text))
    for word in list(found):
        if "-" in word or "_" in word:
            found.update(re.split("[-_]+", word))
    for letters in _CLUSTER.findall(text):
        found.update(letters)
    return found


# end of module
