"""Code of Node, Ruby, PHP and Perl with the values in it that it has from a file of settings.

``target = YAML.load_file("x.yml").fetch("main")`` is known if the file is, and so is ``target["url"]``.
Owns what code says of such a value, and when that is certain: a name that is set again, changed or hidden
has none. Pure, text to text; lines keep their numbers. Does not own finding the files (``gate.disk.search``).
"""

from __future__ import annotations

import json
import re

from operators_edge.shell.code.bracketed import upto
from operators_edge.text.patterns import pattern, without
from operators_edge.text.settings_files import values_of, yaml_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

ENDINGS = (".json", ".yml", ".yaml", ".toml")
MOVES = pattern(
    r"\bchdir\b|\bcopyFile|\brename(?:Sync)?\(|\bwriteFile|\bFile\.write\b|\bFileUtils\.\w|file_put_contents"
)
"""What may put another file in the place of one of settings, or look for it in another folder."""
_MAX_CODE = 64 * 1024
_MAX_NAMES = 60
_ROUNDS = 4
_NAME = r"[@$]{0,2}[A-Za-z_]\w*"
_LOADS = pattern(
    r"\b(?:YAML|Psych|JSON|TOML|Tomlrb|yaml|toml|json)\s*(?:\.|::)\s*(?:\w*load\w*|parse\w*)\b|\brequire\s*\("
    r"|\bLoadFile\b|\byaml_parse_file\b|\bparseFile\b|\bjson_decode\b|\bdecode_json\b"
)
_DOUBTFUL = pattern(
    r"\|\||\?\?|&&|\?[^.\]]|\bmerge\b|\.\.\.|\bmap\b|\bor\b|\bunless\b|\bif\b|\breviver\b|\bERB\b"
    r"|\b(?:ENV|ARGV|argv|getenv|homedir|home|tmpdir|compact|array_merge)\b|\benv\b|//"
)
_SET = pattern(
    rf"(?m)(?:^|[;{{(]|\b(?:const|let|var|my|our)\s)[ \t]*(?P<name>{_NAME})\s*=(?![=~>])\s*(?P<value>[^\n]+)"
)
_GOES_ON = pattern(r"\n\s*(?:[.?&|+]|and\b|or\b)")
_IMPORT = pattern(rf"\bimport\s+(?P<name>{_NAME})\s+from\s+['\"](?P<path>[^'\"\n]+)['\"]")
_METHOD = pattern(
    rf"(?m)^[ \t]*def[ \t]+(?P<name>[a-z_]\w*)(?:\(\))?\s*\n[ \t]*(?P<value>[^\n]+)\n[ \t]*end\b"
    rf"|\bfunction\s+(?P<named>{_NAME})\(\)\s*\{{\s*return\s+(?P<returned>[^\n;]+);?\s*\}}"
    rf"|\b(?:const|let)\s+(?P<arrow>{_NAME})\s*=\s*\(\)\s*=>\s*(?P<given>[^\n;{{]+)"
)
_TEXT = pattern(r"'([^'\\\n]*)'|\"([^\"\\\n$#]*)\"|:([A-Za-z_]\w*)")
_STEP = pattern(
    r"\s*(?:(?:\?\.|&\.|->)?(?P<open>[\[{])|(?:\?\.|\.|&\.)\s*(?P<call>fetch|dig)\(|(?:\?\.|\.|->)(?P<key>[A-Za-z_]\w*)(?!\s*\(|\w))"
)
_CHANGES = (
    r"(?:(?:\.\w+|\[[^\]\n]*\]|->\w+|(?:->)?\{[^}\n]*\})+\s*(?:(?:\|\||&&|\+|\.|\?\?)?=(?![=~>])|=~\s*(?:s|tr|y)\b|<<\s*['\"])"
    r"|\s*(?:=~\s*(?:s|tr|y)\b|<<\s*['\"])|(?:\??\.\w+(?:\([^()\n]*\))?|\[[^\]\n]*\])*[.&]+(?:\w+!|update|store|delete|replace|clear|push|splice|prepend|insert|concat)(?![\w=]))"
)
_HIDES = (
    r"\|[^|\n]*(?<![\w@$]){0}\b[^|\n]*\||\b(?:function\b[^()\n]*|def\s+[\w.?!]+\s*|fn\s*)\([^()]*(?<![\w@$]){0}\b[^()]*\)"
    r"|\bdef[ \t]+[\w.?!]+[ \t]+[^(\n]*\b{0}\b"
    r"|\b(?!(?:if|while|switch|with)\b)\w+\s*\([^()]*(?<![\w@$.]){0}\b[^()]*\)\s*\{{"
    r"|(?<![\w@$.]){0}\s*,[^=\n;(){{}}]*=(?![=~>])|[\[{{(][^\n()\[\]{{}}]*(?<![\w@$.>]){0}\b[^\n()\[\]]*[\]}})]\s*=(?![=>~])"
    r"|\{{[^{{}}]*\b{0}\b[^{{}}]*\}}\s*from\b|\([^()]*(?<![\w@$.]){0}\b[^()]*\)\s*=>|(?<![\w@$]){0}\s*=>|(?<![\w@$]){0}\s+(?:of|in)\b|\bassign\(\s*{0}\b"
    r"|\bas\s+(?:\$\w+\s*=>\s*)?{0}\b|&{0}\b|\b(?:foreach|for)\s+(?:my\s+)?{0}\b"
)
_BARE = (
    r"(?<!def )(?<!function )(?<![\w@$.>'\":]){0}(?![\w'\"])"
    r"(?!\s*(?:\.|\?\.|&\.|->|\[|\{{|\(\)|=(?![=~])|from\b))"
)


def with_values(code: str, texts: Mapping[str, str]) -> str:
    """Return code with the values of settings in the place of what stands for them.

    ``texts`` are the files by the names that the code has for them.
    """
    if len(code) > _MAX_CODE or not (_LOADS.search(code) or _IMPORT.search(code)):
        return code
    data = {name: _read(name, text) for name, text in texts.items()}
    reader = _Reader(code, {name: value for name, value in data.items() if value is not None})
    return code if reader.is_changed else _without_other_cases(reader.replaced())


def _read(name: str, text: str) -> Any:
    """The value of a file; None if it is not certain."""
    return None if "<%" in text else values_of(name, text, yaml_of)


class _Reader:
    """What the names of one program stand for."""

    def __init__(self, code: str, data: Mapping[str, Any]) -> None:
        self.code = code
        self.data = data
        self.known: dict[str, Any] = {}
        self.is_changed = False
        """Whether something may change a part of a value, by this name or another one."""
        for one in _IMPORT.finditer(code):
            self._learn(one["name"], data.get(one["path"]))
        for _ in range(_ROUNDS):
            before = len(self.known)
            for one in _SET.finditer(code):
                if _GOES_ON.match(code, one.end()):
                    continue
                value = re.sub(r"\s+(?:#|//).*|[;,]\s*(?:(?:#|//).*)?\Z", "", one["value"]).strip()
                self._learn(one["name"], self._value(value))
            for one in _METHOD.finditer(code):
                name = one["name"] or one["named"] or one["arrow"]
                value = one["value"] or one["returned"] or one["given"] or ""
                self._learn(name if one["name"] else f"{name}()", self._value(value.strip()))
            if len(self.known) == before:
                break

    def _learn(self, name: str, value: Any) -> None:
        if value is None or name in self.known or len(self.known) >= _MAX_NAMES:
            return
        bare = re.escape(name.removesuffix("()"))
        sets = re.findall(
            rf"(?<![\w@$.>]){bare}\s*(?:[-+*/.|&?]|\|\||&&|\?\?)?=(?![=~>])", self.code
        )
        defines = re.findall(rf"\b(?:def|function)\s+{bare}\b", self.code)
        is_changed = re.search(rf"(?<![\w@$]){bare}(?:{_CHANGES})", self.code)
        may_be_shared = isinstance(value, (dict, list)) and not defines
        is_used_bare = re.search(_BARE.format(bare), self.code) if may_be_shared else None
        self.is_changed |= is_changed is not None or is_used_bare is not None
        if len(sets) + len(defines) + self.code.count(f"import {name} ") == 1 and not (
            re.search(_HIDES.format(bare), self.code)
        ):
            self.known[name] = value

    def _value(self, expression: str) -> Any:
        """What an expression stands for; None if that is not certain."""
        loads = _LOADS.search(expression)
        if loads is not None:
            named = [
                one
                for pair in re.findall(r"'([^'\n]*)'|\"([^\"\n]*)\"", expression)
                for one in pair
            ]
            files = [one for one in named if one in self.data]
            if len(files) != 1 or _DOUBTFUL.search(expression):
                return None
            end = _end_of_load(expression, loads)
            value, at = self._steps(self.data[files[0]], expression, end)
            return value if at == len(expression) else None
        found = self.resolve(expression, 0)
        return found[0] if found and found[1] == len(expression) else None

    def resolve(self, code: str, at: int) -> tuple[Any, int] | None:
        """The value of what begins here with a known name, and where it ends."""
        named = re.compile(rf"{_NAME}(?:\(\))?").match(code, at)
        if named is None:
            return None
        name = named[0] if named[0] in self.known else named[0].removesuffix("()")
        if name not in self.known:
            return None
        value, end = self._steps(self.known[name], code, at + len(name))
        return (value, end) if value is not None else None

    def _steps(self, value: Any, code: str, at: int) -> tuple[Any, int]:
        while step := _STEP.match(code, at):
            keys = [step["key"]]
            end = step.end()
            if not step["key"]:
                closing = {"[": "]", "{": "}"}.get(step["open"] or "", ")")
                given = upto(code, closing, end)
                keys = [self._key(one.strip(), is_hash=closing == "}") for one in given.split(",")]
                end += len(given) + 1
            if step["key"] and isinstance(value, str):
                break  # a property of the text
            for key in keys:
                if key is None:
                    return None, end
                value = value.get(key) if isinstance(value, dict) else None
            if value is None:
                return None, end
            at = end
        return value, at

    def _key(self, expression: str, *, is_hash: bool) -> str | None:
        if is_hash and re.fullmatch(r"\w+", expression):
            return expression
        written = _TEXT.fullmatch(expression)
        if written:
            return next(one for one in written.groups() if one is not None)
        found = self.resolve(expression, 0)
        is_text = found and found[1] == len(expression) and isinstance(found[0], str)
        return found[0] if found and is_text else None

    def replaced(self) -> str:
        parts: list[str] = []
        at = 0
        names = re.compile(rf"(?<![\w@$.>'\"]){_NAME}")
        while one := names.search(self.code, at):
            found = self.resolve(self.code, one.start())
            text = self.code[one.start() : found[1]] if found else ""
            is_set = (
                re.match(r"\s*(?:[-+*/.|&?]|\|\||\?\?)?=(?![=~])", self.code[found[1] :][:20])
                if found
                else None
            )
            if (
                not found
                or not isinstance(found[0], str)
                or "\n" in text
                or is_set
                or self._is_defined(one.start())
                or _is_word_of_text(self.code, one.start(), found[1])
            ):
                parts.append(self.code[at : one.end()])
                at = one.end()
                continue
            before = self.code[at : one.start()]
            inside = re.search(r"[$#]\{\s*\Z|\{\Z", before)
            closes = re.match(r"\s*\}", self.code[found[1] :]) if inside else None
            if inside and closes and inside[0][:1] != "{":
                parts += [before[: inside.start()], found[0]]
                at = found[1] + closes.end()
            else:
                parts += [before, json.dumps(found[0], ensure_ascii=False)]
                at = found[1]
        return "".join([*parts, self.code[at:]])

    def _is_defined(self, at: int) -> bool:
        return re.search(r"\b(?:def|function)\s+\Z", self.code[max(0, at - 12) : at]) is not None


_WORDS_AFTER = pattern(
    r"[ \t]+(?!(?:if|unless|do|and|or|of|in|then|as|from|instanceof|while|until|eq|ne|x)\b)[\w~-]"
)


def _is_word_of_text(code: str, start: int, end: int) -> bool:
    """Whether what looks like a name is a word in a text, and not put into it."""
    if code[start] in "@$":
        return False
    quote, outer = "", ""
    at = code.rfind("\n", 0, start) + 1
    while at < start:
        sign = code[at]
        if quote and sign == "\\":
            at += 1
        elif quote and code.startswith(("#{", "${"), at) and quote != "'":
            outer, quote = outer + quote, ""
            at += 1
        elif sign == quote:
            quote = ""
        elif not quote and sign in "'\"`":
            quote = sign
        elif not quote and sign == "}" and outer:
            outer, quote = outer[:-1], outer[-1]
        at += 1
    return bool(quote) or _WORDS_AFTER.match(code, end) is not None


_CASE = pattern(r"(?m)^(?P<indent>[ \t]*)case[ \t]+\"(?P<value>[^\"\n]*)\"[ \t]*\n")
_WHEN = pattern(r"(?m)^(?P<indent>[ \t]*)(?:when\b(?P<words>[^\n]*)|else[ \t]*$)")
_TEXTS = pattern(r"[ \t]*(?:['\"][^'\"\n#]*['\"][ \t]*,?[ \t]*)+(?:then\b[^\n]*)?")
_UNSURE = pattern(
    r"(?m)^[ \t]*case\b|=[ \t]*case\b|<<[~-]?['\"A-Z]|%[qQwWiI]?[(\[{<]|^=begin|^__END__"
)
_OPENS = pattern(
    r"(?m)^(?P<indent>[ \t]*)(?:if|unless|begin|while|until|for|def|class|module)\b"
    r"|\bdo(?:[ \t]*\|[^|\n]*\|)?[ \t]*$"
)


def _without_other_cases(code: str) -> str:
    """Return Ruby without the branches of a ``case`` that are for other values."""
    for head in _CASE.finditer(code):
        ended = re.compile(rf"(?m)^{head['indent']}end\b").search(code, head.end())
        first = _WHEN.match(code, head.end())
        if ended is None or first is None or _UNSURE.search(code, head.end(), ended.start()):
            continue  # whose branches are which is not sure
        deep = len(first["indent"].expandtabs())
        opened = (one["indent"] for one in _OPENS.finditer(code, head.end(), ended.start()))
        if any(one is not None and len(one.expandtabs()) <= deep for one in opened):
            continue
        given = [
            one
            for one in _WHEN.finditer(code, head.end(), ended.start())
            if one["indent"] == first["indent"]
        ]
        if any(one["words"] is not None and not _TEXTS.fullmatch(one["words"]) for one in given):
            continue
        starts = [one.start() for one in given]
        parts = list(zip(starts, [*starts[1:], ended.start()], strict=True))
        chosen = [
            n
            for n, one in enumerate(given)
            if one["words"] and head["value"] in re.findall(r"['\"]([^'\"]*)", one["words"])
        ]
        for number, (start, end) in enumerate(parts):
            if chosen and number != chosen[0]:
                code = without(code, start, end)
    return code


def _end_of_load(expression: str, loads: re.Match[str]) -> int:
    """Return where the call that loads a file ends."""
    at = expression.find("(", loads.start())
    if at < 0:
        return len(expression)
    return at + 1 + len(upto(expression, ")", at + 1)) + 1


# end of module
