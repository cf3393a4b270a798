"""Lists of files that Perl, Ruby, PHP and Node make by a pattern, as the pattern that a shell would be given.

Owns how these languages spell such a list, and a loop over it. Does not own what is done with the files
(``shell.code.programs``), nor Python's lists (``shell.code.python.code``). Pure.
"""

from __future__ import annotations

import re

from operators_edge.shell.code.languages import NODE, PERL, PHP, RUBY, Language
from operators_edge.text.patterns import pattern

_TEXT = r"(\"[^\"\n]*\"|'[^'\n]*')"
_GIVEN = r"((?:[^()\[\]]|\([^()]{0,200}\)){1,400})"
_LISTED: dict[Language, tuple[tuple[re.Pattern[str], str], ...]] = {
    # What lists files by a pattern → the pattern; a loop over it → the name, set to the pattern
    language: tuple((re.compile(before), after) for before, after in pairs)
    for language, pairs in {
        PERL: (
            (rf"\bglob\s*\(\s*{_TEXT}\s*\)|\bglob\s+{_TEXT}", r"\1\2"),
            (r"<([~/.\w${}-]*[*?][~/.\w${}*?-]*)>", r'"\1"'),
            (rf"\bunlink(?:\s+\$_)?\s+for(?:each)?\s*\(?\s*{_TEXT}\s*\)?", r"unlink \1"),
            (rf"\bfor(?:each)?\s+(?:my\s+)?\$(\w+)\s*\(\s*{_TEXT}\s*\)", r"$\1 = \2;"),
        ),
        RUBY: (
            # a pattern that is put together stays an expression
            (
                rf"\bDir\.glob\s*\(\s*(?!['\"]){_GIVEN}\)|\bDir\s*\[\s*(?!['\"]){_GIVEN}\]",
                r"File.join(\1\2)",
            ),
            (
                rf"\bFile\.join\({_GIVEN}\)(?:\.each)?\s*(?:\{{|do)\s*\|\s*(\w+)\s*\|",
                r"\2 = File.join(\1);",
            ),
            (rf"\bDir(?:\.glob)?\s*[\[(]\s*{_TEXT}\s*[\])]|\bDir\.glob\s+{_TEXT}", r"\1\2"),
            (rf"{_TEXT}(?:\.each)?\s*(?:\{{|do)\s*\|\s*(\w+)\s*\|", r"\2 = \1;"),
            (rf"{_TEXT}\.each\(&File\.method\(:delete\)\)", r"File.delete(\1)"),
        ),
        PHP: (
            (r"\bglob\(\s*((?:[^()'\",]|['\"][^'\"\n]*['\"])+)\s*(?:,[^()]*)?\)", r"\1"),
            (
                r"\bforeach\s*\(\s*((?:[\w$:]+\s*\.\s*)*['\"][^'\"\n]*\*[^'\"\n]*['\"])\s+as\s+(?:\$\w+\s*=>\s*)?(\$\w+)\s*\)",
                r"\2 = \1;",
            ),
            (rf"\bglob\(\s*{_TEXT}\s*(?:,[^()]*)?\)", r"\1"),
            (
                rf"\bforeach\s*\(\s*{_TEXT}\s+as\s+(?:\$\w+\s*=>\s*)?(\$\w+)\s*\)",
                r"\2 = \1;",
            ),
        ),
        NODE: (
            (
                rf"\b(?:[\w.]{{0,40}}glob\w{{0,20}}(?:\.sync)?)\(\s*(path\.(?:join|resolve)\({_GIVEN}\))\s*(?:,[^()]*)?\)",
                r"\1",
            ),
            (
                rf"(?:\bawait\s+)?\b(?:[\w.]{{0,40}}glob\w{{0,20}}(?:\.sync)?|\w+\.sync)\(\s*{_TEXT}\s*(?:,[^()]*)?\)",
                r"\1",
            ),
            (
                rf"\bfor\s*\(\s*(?:const|let|var)\s+(\w+)\s+of\s+(?:{_TEXT}|(path\.join\({_GIVEN}\)))\s*\)",
                r"\1 = \2\3;",
            ),
            (rf"{_TEXT}\.(?:forEach|map)\(\s*\(?\s*(\w+)\s*\)?\s*=>", r"\2 = \1; ("),
        ),
    }.items()
}
_PERL_LIST = pattern(rf"(?:\bmy\s+)?@(\w+)\s*=\s*\(?\s*(?={_TEXT}\s*\)?\s*;)")


def as_patterns(code: str, language: Language) -> str:
    """The code with its lists of files as their patterns, and a loop over one as a name that is set to it."""
    for before, after in _LISTED.get(language, ()):
        code = before.sub(after, code)
    if language is PERL:
        for name in dict.fromkeys(_PERL_LIST.findall(code)):
            code = re.sub(rf"@{name[0]}\b", f"${name[0]}", code)
    return code


# end of module
