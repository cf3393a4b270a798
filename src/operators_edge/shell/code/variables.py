"""Code of Node, Ruby, Perl and PHP with what it reads from variables written in its place, text to text.

``process.env.DIR || "build"`` becomes the value that the line gives to ``DIR``, or else the default. A
variable that the code sets itself stays as it is, and so does one of which nothing is known. Pure; lines keep
their numbers. Does not own Python's variables (``shell.code.python.settings``) or the line's
(``shell.scope``).
"""

from __future__ import annotations

import re

from operators_edge.shell.code.languages import NODE, PERL, PHP, PYTHON, RUBY
from operators_edge.shell.commands import HOLE
from operators_edge.text.patterns import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from operators_edge.shell.code.languages import Language

_NAME = r"(?P<name>[A-Za-z_]\w*)"
_KEY = rf"\[\s*['\"]{_NAME}['\"]\s*\]"
_TEXT = r"(?:'[^'\\\n]*'|\"[^\"\\\n$#{{}}]*\"|`[^`\\\n$]*`)".replace("{{}}", "{}")
_READS = {
    # how a variable is read, and with which default
    NODE: rf"(?:(?:\b(?:process|Bun)|@)\.env(?:\.{_NAME}\b|\[\s*['\"](?P<key>\w+)['\"]\s*\])"
    r"|\bDeno\.env\.get\(\s*['\"](?P<called>\w+)['\"]\s*\))"
    rf"(?:\s*(?:\|\||\?\?)\s*(?P<default>{_TEXT})(?=\s*[;,)\]}}\n]|\s*$))?",
    RUBY: rf"\bENV(?:{_KEY}(?:\s*\|\|\s*(?P<default>{_TEXT}))?"
    rf"|\.fetch\(?\s*['\"](?P<key>\w+)['\"](?:\s*,\s*(?P<other>{_TEXT}))?\s*\)"
    rf"(?:\s*\{{\s*(?P<block>{_TEXT})\s*\}})?)",
    PERL: rf"\$ENV\{{\s*['\"]?{_NAME}['\"]?\s*\}}(?:\s*(?://|\|\|)\s*(?P<default>{_TEXT}))?",
    PHP: rf"(?:\bgetenv\(\s*['\"](?P<called>\w+)['\"]\s*\)|\$_(?:ENV|SERVER){_KEY})"
    rf"(?:\s*(?:\?:|\?\?)\s*(?P<default>{_TEXT}))?",
}
_SETS = {
    # what sets a variable; with a default, only one that has no value yet
    NODE: r"(?:\b(?:process|Bun)|@)\.env(?:\.(\w+)|\[\s*['\"](\w+)['\"]\s*\])"
    r"\s*(?P<kept>\|\||\?\?)?=(?![=>])",
    RUBY: r"\bENV\[\s*['\"](\w+)['\"]\s*\]\s*(?P<kept>\|\|)?=(?![=~>])",
    PERL: r"\$ENV\{\s*['\"]?(\w+)['\"]?\s*\}\s*(?P<kept>//|\|\|)?=(?![=~])",
    PYTHON: r"\bos\.environ\[\s*['\"](\w+)['\"]\s*\]\s*=(?!=)|\bos\.putenv\(\s*['\"](\w+)['\"]",
    PHP: r"\bputenv\(\s*['\"](\w+)=|\$_(?:ENV|SERVER)\[\s*['\"](\w+)['\"]\s*\]\s*(?P<kept>\?\?)?=(?![=>])",
}
_SETS_ANY = {
    NODE: r"\bprocess\.env\s*(?:=(?![=>])|\[(?!\s*['\"]\w+['\"]\s*\])[^\]\n]*\]\s*=(?![=>]))"
    r"|\bObject\.assign\(\s*process\.env\b|\bconfig\(\s*\{[^{}]*\b(?:override|overload)\b",
    RUBY: r"\bENV\[(?!\s*['\"]\w+['\"]\s*\])[^\]\n]*\]\s*=(?![=~])"
    r"|\bENV\.(?:update|replace|merge!|store|clear|delete)\b|\bDotenv\.(?:overload|overwrite)\b|\boverwrite:",
    PERL: r"%ENV\s*=|\$ENV\{\s*\$[^}\n]*\}\s*=(?![=~])|@ENV\{",
    PHP: r"\bputenv\(\s*(?!['\"]\w+=)|\bcreate(?:Unsafe)?Mutable\b|->overload\(",
    PYTHON: r"\bos\.environ\[(?!\s*['\"]\w+['\"]\s*\])[^\]\n]*\]\s*=(?!=)"
    r"|\bos\.environ\.(?:update|clear|pop)\(|\bos\.environ\s*(?:\|?=(?!=))|\bload_dotenv\([^)\n]*override|\bos\.putenv\(\s*(?!['\"])",
}
"""What may set any variable: by a name that is computed, or from a table."""
_LOADS = pattern(r"(?i)['\"]dotenv|Dotenv\b|\bloadEnvFile\(|env-cmd|\bdotenv\b")
_USES = {NODE: "env", RUBY: "ENV", PERL: "ENV", PHP: "env|_ENV|_SERVER"}
_ALIAS = pattern(
    r"\b(?:const|let|var)\s+(?:(\w+)\s*=\s*process\.env\b(?!\s*[.\[])|\{\s*env\s*\}\s*=\s*(?:process\b(?!\s*\.)|require\(\s*['\"](?:node:)?process['\"]))"
    r"|\bimport\s*\{\s*env\s*\}\s*from\s*['\"](?:node:)?process['\"]"
)
_PICKED = pattern(r"\{([^{}\n]*)\}(\s*=\s*)process\.env\b(?!\s*[.\[])")
_STRINGS = pattern(r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"", re.DOTALL)


def with_values(
    code: str,
    language: Language,
    environment: Mapping[str, str],
    *,
    takes_defaults: bool = True,
) -> str:
    """Return code with the variables that are known; ``environment`` is what the line gives to the program.

    A default is certain for nobody: it is left out where what is known makes something harmless.
    """
    if language not in _READS or not re.search(_USES[language], code):
        return code
    if language is NODE:
        code = _usual(code)
    code = _Variables(code, language, environment, takes_defaults=takes_defaults).written()
    return code.replace("@.env", "process.env") if language is NODE else code


def sets_any(code: str, language: Language) -> bool:
    """Whether code may set any variable: by a name that is computed, or from a table or a file."""
    if language not in _SETS_ANY:
        return False
    loads = language is not PYTHON and _LOADS.search(code) is not None
    return loads or pattern(_SETS_ANY[language]).search(code) is not None


def names_set(code: str, language: Language) -> set[str]:
    """The variables that code sets by their names."""
    found = pattern(_SETS[language]).finditer(code) if language in _SETS else ()
    return {next(filter(None, one.groups()), "") for one in found}


def _usual(code: str) -> str:
    """Node's code that reads ``process.env`` by that name: ``const {A = "x"} = process.env``."""
    code = _PICKED.sub(_each_read, code)
    for found in list(_ALIAS.finditer(code)):
        name = re.escape(found[1] or "env")
        code = re.sub(rf"(?<![\w.$'\"/{{]){name}(?=\.[A-Za-z_]|\[['\"])", "@.env", code)
    return code


def _each_read(match: re.Match[str]) -> str:
    """``{A, B: b = "x"} = process.env`` as assignments of each; the names that are bound stay on the line."""
    parts = []
    for part in match[1].split(","):
        one = re.fullmatch(r"\s*(\w+)\s*(?::\s*(\w+)\s*)?(?:=\s*(.*?)\s*)?", part)
        if one is None:
            return match[0]
        default = f" ?? {one[3]}" if one[3] else ""
        parts.append(f"{one[2] or one[1]} = process.env.{one[1]}{default}")
    return ", ".join(parts)


class _Variables:
    """The variables of one text of code."""

    def __init__(
        self,
        code: str,
        language: Language,
        environment: Mapping[str, str],
        *,
        takes_defaults: bool,
    ) -> None:
        self.code = code
        self.language = language
        self.reads = pattern(_READS[language])
        self._inside = pattern(rf"\{{?{_READS[language]}\}}?") if language is PHP else self.reads
        sets = list(pattern(_SETS[language]).finditer(code))
        groups = [(next(filter(None, one.groups()), ""), one) for one in sets]
        self.set = {name for name, one in groups if not _is_kept(one)}
        self.kept = {
            name: text
            for name, one in groups
            if _is_kept(one) and (text := _text_at(code, one.end())) is not None
        }
        sets_any = pattern(_SETS_ANY[language]).search(code) is not None
        self.takes_defaults = takes_defaults and not sets_any
        self.environment = {} if sets_any else environment

    def written(self) -> str:
        if self.language not in (PERL, PHP):
            return self.reads.sub(lambda match: self._value(match, ""), self.code)
        # A variable inside a string is put into it as it is.
        parts, at = [], 0
        for quoted in _STRINGS.finditer(self.code):
            if quoted[0][0] != '"' or not self.reads.search(quoted[0]):
                continue
            parts.append(self._outside(at, quoted.start()))
            parts.append(self._inside.sub(lambda match: self._value(match, '"'), quoted[0]))
            at = quoted.end()
        return "".join((*parts, self._outside(at, len(self.code))))

    def _outside(self, start: int, end: int) -> str:
        return self.reads.sub(lambda match: self._value(match, ""), self.code[start:end])

    def _value(self, match: re.Match[str], quote: str) -> str:
        """The value of a variable as a text of the language; the code as it is if it is not known."""
        groups = match.groupdict()
        name = next(filter(None, map(groups.get, ("name", "key", "called"))), "")
        default = next(filter(None, map(groups.get, ("default", "other", "block"))), None)
        after = match.string[match.end() : match.end() + 4]
        if name in self.set or re.match(r"\s*(?:=(?![=~>])|\|\|=|//=|\?\?=)", after):
            return match[0]
        value = self.environment.get(name)
        if value is None and self.takes_defaults:
            value = self.kept.get(name, default and default[1:-1])
        if value is None or HOLE in value or "\n" in value:
            return match[0]
        lines = "\n" * match[0].count("\n")
        if quote:
            return re.sub(r"([\\\"$@])", r"\\\1", value) + lines
        return "'" + value.replace("\\", "\\\\").replace("'", "\\'") + "'" + lines


def _is_kept(match: re.Match[str]) -> bool:
    return match.groupdict().get("kept") is not None


def _text_at(code: str, at: int) -> str | None:
    found = re.compile(rf"\s*({_TEXT})").match(code, at)
    return found[1][1:-1] if found else None


# end of module
