"""What code names things by that nothing else is named by: the number of its process, or a random text.

Owns these calls of Node, Ruby, Perl and PHP, and what stands in their place. Does not own Python's
(``shell.code.python.code``), nor the shell's (``shell.scope``). Pure.
"""

from __future__ import annotations

from operators_edge.shell.code.languages import NODE, PERL, PHP, RUBY, Language
from operators_edge.shell.scope import OWN_NUMBER
from operators_edge.text.patterns import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re

_NUMBERS = {
    RUBY: r"\bProcess\.pid\b|(?<![\w$])\$\$(?![\w$])",
    NODE: r"(?<![\w.])process\.pid\b",
    PERL: r"(?<![$\\@%&{])\$\$(?![\w${:\[])",
}
_CALLS = {
    RUBY: (r"\b", {r"SecureRandom\.(?:hex|uuid|alphanumeric)": r"\b(?:\(\d*\)|(?!\())"}),
    NODE: (
        r"(?<![\w.])(?:crypto\.)?",
        {
            "randomUUID": r"\(\)",
            "randomBytes": r"\(\d+\)\.toString\(\s*['\"]hex['\"]\s*\)",
        },
    ),
    PHP: (
        r"(?<![\w>:])",
        {
            "getmypid": r"\(\)",
            "uniqid": r"\(\)",
            "bin2hex": r"\(\s*random_bytes\(\d+\)\s*\)",
        },
    ),
}
"""What is before the name of such a call, and by the name what follows where all of it is one text."""


def _expressions(language: Language) -> str:
    before, calls = _CALLS.get(language, ("", {}))
    numbers = _NUMBERS.get(language)
    found = [f"{before}{name}{after}" for name, after in calls.items()]
    return "|".join([numbers, *found] if numbers else found)


_OWN_NUMBER = {
    language: pattern(
        rf"(?P<after>(?P<quote>['\"])?[ \t]*[.+=,(][ \t]*)?"
        rf"(?:{_expressions(language)})(?:\.to_s\b|\.toString\(\))?"
    )
    for language in (RUBY, NODE, PERL, PHP)
}
_NAMES = "|".join(name for _, calls in _CALLS.values() for name in calls)
_UNIQUE = pattern(
    rf"\b(?:{_NAMES}|SecureRandom\.\w+|random_bytes|uuid(?:v4|4)?|nanoid)\b"
    r"|\b[Pp]rocess\.pid\b|\$\$|\bDate\.now\(\)"
)
"""In an expression of any of the languages, in whatever form."""
_PUT_ALONE = pattern(rf"[#$]\{{\s*'{OWN_NUMBER}'\s*\}}")
_IS_DEFINED = pattern(
    r"(?m)\b(?:def|function|sub)\s+(?:\w+\.)?(?:pid|hex|uuid|alphanumeric|randomUUID|randomBytes|getmypid|uniqid)\b"
    r"|\b(?:pid|randomUUID|randomBytes|SecureRandom|Process|process|crypto)\s*=(?![=>~])|\$\$\s*=(?![=~])"
)
"""Something else gets such a name."""


def is_unique(expression: str) -> bool:
    """Whether something in an expression makes its text one that nothing else has."""
    return _UNIQUE.search(expression) is not None


def with_own_numbers(code: str, language: Language) -> str:
    """Return code in which the number of its process, and random texts, are one that nothing else has."""
    names = _OWN_NUMBER.get(language)
    if names is None or not names.search(code) or _IS_DEFINED.search(code):
        return code
    is_bare = language is PERL  # it stands in a text, unless an operator is before it

    def written(found: re.Match[str]) -> str:
        after, quote = found["after"] or "", found["quote"] or "'"
        return f"{OWN_NUMBER}" if is_bare and not after else f"{after}{quote}{OWN_NUMBER}{quote}"

    return _PUT_ALONE.sub(OWN_NUMBER, names.sub(written, code))


# end of module
