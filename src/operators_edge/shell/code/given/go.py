"""What names and calls of Go's code stand for, by the words and the variables of its command.

Owns ``os.Args``, flags of ``flag``, ``pflag`` and cobra, cobra's commands, and names that are set once. Does
not own conditions (``given.conditions``). Pure.
"""

from __future__ import annotations

import re

from operators_edge.shell.code.given import masks
from operators_edge.shell.code.given.conditions import UNKNOWN, value_of
from operators_edge.shell.commands import HOLE
from operators_edge.text.patterns import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from operators_edge.shell.code.given.masks import Code

_SETS_OTHERWISE = pattern(
    r"\bff\.|\bviper\.|\bkoanf\.|\benvflag\b|\bVisitAll\(|\.Set\(|\bflag\.CommandLine\s*=|\bSetNormalizeFunc\("
    r"|\bSetArgs\(|\bos\.Args\s*(?:\[[^\]\n]*\]\s*)?(?:=(?!=)|\+=)|\bunsafe\.|\breflect\.|\bimport\s*\.\s*\"|(?m:^\s*\.\s+\")"
    r"|\"[\w./-]+/flag\"|(?m:^\s*\w+\s+\"(?:flag|os)\")|\bEnablePrefixMatching\b|\bos\.Executable\(|\bos\.Args\[0\]|\bflag\.Func\("
)
"""What gives flags values otherwise, changes words, or gives a package another name."""
_ARGS_USE = pattern(
    r"(?:\bos\.Args\s*\[\s*\d+\s*:?\s*\]|\blen\(\s*os\.Args\s*\)|\brange\s+os\.Args(?:\[1:\])?"
    r"|\b(?:Parse|Join|Contains|Index|Println|Printf|Print|Fprintln|Fprintf)\([^()\n]*?\bos\.Args\b(?:\[\d+:\])?\s*\))"
)
_FLAG = pattern(
    r"(?:\b(?P<name>\w+)\s*(?::=|=)\s*)?\b(?P<on>[\w.()]+?)\.(?:Persistent|Local)?(?P<kind>Bool|String)(?P<var>Var)?(?P<short>P)?(?P<open>\()"
)
_NAME = pattern(r"[A-Za-z_]\w*")
_FIELD = pattern(r"[A-Za-z_]\w*\.([A-Za-z_]\w*)")
_TEXT = pattern(r"\"([^\"\\\n]*)\"\Z|`([^`]*)`\Z")
_READ_FLAG = pattern(r"[\w.()]+\.Get(?:Bool|String)\(\s*\"([\w-]+)\"\s*\)\Z")
_TYPED = pattern(
    r"(?:\s*,\s*\w+)*[ \t]+(?:\*|\[\]|\.\.\.|map\[|func\b|chan\b|struct\b|interface\b"
    r"|[A-Za-z_][\w.]*\s*(?:[,)=\n;]|\Z))"
)
"""What follows a name that is declared with its type."""
_DECODES = pattern(
    r"\b(?:json|yaml|toml|gob|xml|envconfig|mapstructure|env|cleanenv|confita|copier)\.|Unmarshal|Decode\(|\bScan\w*\("
)
"""What may set the fields of a structure without naming them."""
_CONTAINS = pattern(r"slices\.(Contains|Index)\(\s*os\.Args(?:\[1:\])?\s*,\s*\"([^\"]+)\"\s*\)")
_COMMAND = pattern(r"\bcobra\.Command\s*(?=\{)")
_RUNS_COMMAND = pattern(
    r"\.\s*(?:RunE|PreRunE?|PersistentPreRunE?|PostRunE?)\s*(?!=(?!=))|\.\s*Run\s*(?:[,;)\n]|\(\s*\w*[cC]md\b)"
)


_MAX_NAMES = 60
"""Names of which it is looked for what they stand for."""


class Words:
    """The words and variables that a program of Go is given."""

    def __init__(
        self, files: Mapping[str, Code], words: Sequence[str], environment: Mapping[str, str]
    ) -> None:
        self.files = files
        self.words = list(words[1:])
        self.whole = "\n".join(one.bare for one in files.values())
        self.masks = "\n".join(one.mask for one in files.values())
        plain = sum(one[0].count("os.Args") for one in _ARGS_USE.finditer(self.whole))
        is_plain = plain >= len(re.findall(r"\bos\.Args\b", self.whole))
        has_jumps = re.search(r"\bgoto\b", self.masks) is not None
        self.is_certain = is_plain and not has_jumps and not _SETS_OTHERWISE.search(self.whole)
        self.has_short = re.search(r"spf13/(?:cobra|pflag)\"", self.whole) is not None
        sets = re.search(r"\bos\.(?:Setenv|Clearenv|Unsetenv)\(|\bgodotenv\.Overload", self.whole)
        self.environment = {} if sets else dict(environment)
        self._fields: list[tuple[str, object]] = []
        self.flags = dict(self._declared())
        self._names: dict[str, object] = {}

    def value(self, path: str, text: str) -> object:
        """The value of an expression in a file."""
        return value_of(text, masks.GO, lambda part: self._atom(path, part))

    def _atom(self, path: str, text: str) -> object:
        literal = _TEXT.match(text)
        if literal:
            return literal[1] if literal[1] is not None else literal[2]
        if text in ("true", "false"):
            return text == "true"
        if text.isdigit():
            return int(text)
        if text[:1] == "*" and _NAME.fullmatch(text[1:]):
            return self._flag(text)
        variable = re.fullmatch(r"os\.Getenv\(\s*\"(\w+)\"\s*\)", text)
        if variable:
            given = self.environment.get(variable[1])
            return UNKNOWN if given is None or HOLE in given else given
        if self._flag(text) is not UNKNOWN:
            return self._flag(text)
        if "os.Args" in text or text.startswith("flag."):
            return self._of_words(text)
        field = _FIELD.fullmatch(text)
        return self._field(field[1]) if field else self._named(path, text)

    def _of_words(self, text: str) -> object:
        """``os.Args[1]``, ``len(os.Args)``, ``slices.Contains(os.Args, "x")``, ``flag.Arg(0)``"""
        if text == "len(os.Args)":
            return len(self.words) + 1
        word = re.fullmatch(r"os\.Args\[(\d+)\]", text)
        if word:
            at = int(word[1]) - 1
            return self.words[at] if 0 <= at < len(self.words) else UNKNOWN
        found = _CONTAINS.fullmatch(text)
        if found:
            is_in = found[2] in self.words
            return is_in if found[1] == "Contains" else UNKNOWN if is_in else -1
        is_positional = text == "flag.NArg()" or re.fullmatch(r"flag\.Arg\(\d+\)", text)
        return self._positional(text) if is_positional else UNKNOWN

    def _positional(self, text: str) -> object:
        if any(one[:1] == "-" for one in self.words):
            return UNKNOWN
        if text == "flag.NArg()":
            return len(self.words)
        at = int(text[9:-1])
        return self.words[at] if at < len(self.words) else ""

    # -- flags ---------------------------------------------------------------------------------------

    def _declared(self) -> Iterator[tuple[str, object]]:
        """What flags are read by, ``*apply`` or ``apply``, and their values."""
        found: dict[str, list[object]] = {}
        for code in self.files.values():
            for one in _FLAG.finditer(code.bare):
                opened = one.start("open")
                if opened not in code.pairs or not _ON_FLAGS.search(one["on"]):
                    continue
                given = _arguments(code.bare[opened + 1 : code.pairs[opened]])
                target = given.pop(0).removeprefix("&") if one["var"] else f"*{one['name']}"
                named = _TEXT.match(given[0]) if given else None
                usual = given[2 if one["short"] else 1] if len(given) > 2 else ""
                value = self._given(named[1] or "", usual) if named else UNKNOWN
                found.setdefault(target, []).append(value)
                if named and not one["var"] and one["name"] is None:
                    found.setdefault(f"get {named[1]}", []).append(value)
        self._fields = [
            (target, value) for target, values in found.items() if "." in target for value in values
        ]
        for target, values in list(found.items())[:_MAX_NAMES]:
            is_plain = len(values) == 1 and (target[:4] == "get " or self._is_read_only(target))
            yield target, values[0] if is_plain else UNKNOWN

    def _given(self, name: str, usual: str) -> object:
        """The value of a flag: its default, if no word may give it."""
        for word in self.words:
            if word[:1] != "-":
                continue
            own = word.lstrip("-").partition("=")[0]
            if own == name or (self.has_short and word[:2] != "--"):
                return UNKNOWN
        return (
            self._atom("", usual) if _TEXT.match(usual) or usual in ("true", "false") else UNKNOWN
        )

    def _is_read_only(self, target: str) -> bool:
        """Whether nothing but its flag sets a variable."""
        name = target.removeprefix("*")
        last = re.escape(name.rpartition(".")[2])
        if re.search(rf"\.\s*{last}\s*(?:=(?!=)|\+\+|--|[-+|&]=)", self.masks):
            return False
        if "." in name:
            base = re.escape(name.partition(".")[0])
            is_set = re.search(rf"(?<![\w.]){last}\s*:(?!=)", self.masks) is not None
            pointed = len(re.findall(rf"&\s*{re.escape(name)}\b", self.masks))
            uses = list(self._uses(base))
            bound = [one for one in uses if self._binds(*one)]
            is_kept = all(
                self.masks[one[1] : one[1] + 1] == "." for one in uses if one not in bound
            )
            return is_kept and not is_set and pointed == 1 and len(bound) == 1
        uses = list(self._uses(name))
        bound = [one for one in uses if self._binds(*one)]
        if target[:1] == "*":
            reads = [one for one in uses if one not in bound]
            return len(bound) == 1 and all(self._is_dereferenced(*one) for one in reads)
        pointers = [one for one in uses if self.masks[one[0] - 1] == "&"]
        return len(bound) == 1 and len(pointers) == 1

    def _field(self, name: str) -> object:
        """The value of a field in any structure, if only a flag that is not given may set it."""
        given = [value for target, value in self._fields if target.endswith(f".{name}")]
        if given != [False] or _DECODES.search(self.masks) or len(self._fields) > _MAX_NAMES:
            return UNKNOWN
        if not re.search(rf"&\s*\w+\.{name}\b", self.masks):
            return UNKNOWN
        declared = re.findall(
            rf"(?m)^[ \t]*(?:\w+[ \t]*,[ \t]*)*{name}\b(?:[ \t]*,[ \t]*\w+)*[ \t]+[\w*\[]",
            self.masks,
        )
        sets = rf"\.\s*{name}\s*(?:=(?!=)|[-+|&]=|,[^\n]*[^:=!<>]=(?!=))|(?<![\w.]){name}\s*:(?!=)"
        pointers = re.findall(rf"&\s*[\w.]+\.{name}\b", self.masks)
        if len(declared) != 1 or len(pointers) != 1 or re.search(sets, self.masks):
            return UNKNOWN
        for one in re.finditer(r"(?m)^(?:type\s+|\t)(\w+)\s+struct\s*\{([^{}]*)\}", self.masks):
            if re.search(rf"\b{name}\b", one[2]):
                made = re.findall(rf"\b{one[1]}\{{([^{{}}]*)\}}", self.masks)
                return False if all(not each.strip() or ":" in each for each in made) else UNKNOWN
        return UNKNOWN

    def _is_dereferenced(self, start: int, end: int) -> bool:
        before, after = self.masks[max(0, start - 3) : start], self.masks[end : end + 6]
        return before.endswith("*") and not re.match(r"\s*(?:=(?!=)|\+=|\|=|&=)", after)

    def _uses(self, name: str) -> Iterator[tuple[int, int]]:
        for one in re.finditer(rf"(?<![\w.]){name}\b(?!\s*:(?!=))", self.masks):
            yield one.span()

    def _binds(self, start: int, end: int) -> bool:
        """Whether a name is declared or set at a place."""
        after = self.masks[end : end + 80]
        if re.match(r"\s*(?::=|=(?!=)|\+\+|--|[-+*/%&|^]=(?!=))", after):
            return True
        if (
            re.match(r"(?:\s*,\s*[\w.*]+)*\s*(?::=|=(?!=))", after)
            and "\n" in self.masks[:start][-60:]
        ):
            line = self.masks[self.masks.rfind("\n", 0, start) + 1 : start]
            if re.fullmatch(r"\s*(?:var\s+|if\s+|for\s+|switch\s+)?(?:[\w.*]+\s*,\s*)*", line):
                return True
        return _TYPED.match(after) is not None

    def _flag(self, text: str) -> object:
        return self.flags.get(text, UNKNOWN)

    # -- names -----------------------------------------------------------------------------------------

    def _named(self, path: str, name: str) -> object:
        """The value of a name that is set once, where it is declared."""
        if name not in self._names:
            is_name = _NAME.fullmatch(name) is not None and path in self.files
            if not is_name or len(self._names) >= _MAX_NAMES:
                return UNKNOWN
            self._names[name] = UNKNOWN  # while it is looked for
            self._names[name] = self._value_of_name(path, name)
        return self._names[name]

    def _value_of_name(self, path: str, name: str) -> object:
        uses = list(self._uses(name))
        bound = [one for one in uses if self._binds(*one)]
        if len(bound) != 1 or any(self.masks[one[0] - 1] == "&" for one in uses):
            return UNKNOWN
        code = self.files[path]
        made = re.search(rf"(?<![\w.,]){name}(?P<and>\s*,\s*(?:_|err|ok)\b)?\s*:=[ \t]*", code.mask)
        if made is None:
            return UNKNOWN
        start, end = code.block(made.start())
        inside = list(re.finditer(rf"(?<![\w.]){name}\b(?!\s*:(?!=))", code.mask[start:end]))
        if len(inside) != len(uses):
            return UNKNOWN
        value = code.bare[made.end() : _end_of_line(code, made.end())].strip()
        read = _READ_FLAG.fullmatch(value)
        if read:
            return self.flags.get(f"get {read[1]}", UNKNOWN)
        return UNKNOWN if made["and"] else self.value(path, value)

    # -- commands ----------------------------------------------------------------------------------------

    def untaken(self, path: str) -> Iterator[tuple[int, int]]:
        """The places in a file of cobra's commands that the words do not name."""
        if "cobra" not in self.whole or _RUNS_COMMAND.search(self.masks):
            return
        code = self.files[path]
        added = " ".join(_arguments_of(one, "AddCommand") for one in self.files.values())
        run = set(re.findall(r"(\w+)(?:\(\s*\))?\s*\.\s*Execute\w*\(", self.masks))
        for one in _COMMAND.finditer(code.mask):
            opened = one.end()
            inside = code.bare[opened : code.pairs[opened]]
            named = re.search(r"\bUse:\s*\"([\w-]+)", inside)
            if named is None:
                continue
            aliases = re.search(r"\bAliases:\s*\[\]string\{([^{}]*)\}", inside)
            if re.search(r"\bAliases:", inside) and aliases is None:
                continue
            names = {named[1], *re.findall(r"\"([^\"]+)\"", aliases[1] if aliases else "")}
            owner = self._owner(code, one.start())
            is_below = owner and owner not in run and re.search(rf"\b{re.escape(owner)}\b", added)
            if is_below and names.isdisjoint(self.words):
                yield opened + 1, code.pairs[opened]

    def _owner(self, code: Code, at: int) -> str:
        """The variable that holds a command, or the function that makes it."""
        before = re.search(r"\b(\w+)\s*(?::=|=)\s*&?\s*\Z", code.mask[max(0, at - 80) : at])
        made = re.search(r"\breturn\s+&?\s*\Z", code.mask[max(0, at - 80) : at])
        heads = list(re.finditer(r"(?m)^func\s+(\w+)\s*\(", code.mask[:at]))
        if before and next(code.enclosing(at), None) is None:
            return before[1]
        return heads[-1][1] if heads and (before or made) else ""


_ON_FLAGS = pattern(r"(?:\bflag|\bpflag|Flags\(\)|\b\w*(?:fs|Set|flags|FlagSet|fl|f))\Z")


def _arguments(text: str) -> list[str]:
    from operators_edge.shell.code.bracketed import split  # noqa: PLC0415 - for a few calls

    return [one for one in split(text, ",") if one]


def _arguments_of(code: Code, name: str) -> str:
    calls = (one.end() - 1 for one in re.finditer(rf"\.\s*{name}\(", code.mask))
    return " ".join(code.mask[at : code.pairs[at]] for at in calls)


def _end_of_line(code: Code, at: int) -> int:
    while at < len(code.mask) and code.mask[at] not in "\n;":
        at = code.pairs.get(at, at) + 1
    return at


# end of module
