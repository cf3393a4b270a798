"""What names and calls of PHP's code stand for, by the words and the variables of its command.

Owns ``$argv``, ``getopt``, ``getenv``, and names that are set once. Does not own conditions
(``given.conditions``). Pure.
"""

from __future__ import annotations

import re

from operators_edge.shell.code import variables
from operators_edge.shell.code.bracketed import split
from operators_edge.shell.code.given import masks
from operators_edge.shell.code.given.conditions import UNKNOWN, truth, value_of
from operators_edge.shell.code.languages import PHP
from operators_edge.shell.commands import HOLE
from operators_edge.text.patterns import pattern
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from operators_edge.shell.code.given.masks import Code

_SETS_ANY = pattern(
    r"(?i)\b(?:extract|parse_str|eval|settype|goto|call_user_func\w*|func_get_args)\b|\$\$|\$\{|\$GLOBALS\b|\bglobal\b|\bstatic\s+\$"
    r"|\b(?:PHP_BINARY|__FILE__|SCRIPT_NAME|SCRIPT_FILENAME|PHP_SELF)\b|\$argv\s*\[\s*0\s*\]|\bnamespace\s|\bFFI\b|\buse\s+function\b"
)
"""What may set a name that it does not spell, give a function another name, or start the program itself."""
_SETS = pattern(r"\s*(?:\[[^\]\n]*\]\s*)*(?:(?:\*\*|\?\?|<<|>>|[-+*/.%&|^])?=(?![=>])|\+\+|--|->)")
_TEXT = pattern(r"'([^'\\\n]*)'\Z|\"([^\"\\\n$]*)\"\Z")
_CONSTANTS = {"true": True, "false": False, "null": None}
_CALL = pattern(r"([a-z_]\w*)\s*\(([\s\S]*)\)\Z")
_ITEM = pattern(
    r"(\$\w+|\$_SERVER\[['\"]argv['\"]\])((?:\s*\[\s*(?:\d+|'[^'\n]*'|\"[^\"\n$]*\")\s*\])?)\Z"
)


_MAX_NAMES = 60
"""Names of which it is looked for what they stand for."""


class Options(NamedTuple):
    """What ``getopt`` makes of words."""

    words: tuple[str, ...]


class Words:
    """The words and variables that a program of PHP is given."""

    def __init__(
        self, files: Mapping[str, Code], words: Sequence[str], environment: Mapping[str, str]
    ) -> None:
        self.files = files
        self.words = tuple(words[1:])
        self.whole = "\n".join(one.bare for one in files.values())
        own = re.search(r"\bfunction\s+&?(?:getopt|getenv|in_array|count)\s*\(", self.whole)
        server = re.search(
            r"\$_SERVER\s*(?!\s*\[\s*['\"]\w+['\"]\s*\])|\$_SERVER\s*\[\s*['\"]argv['\"]\s*\]\s*(?:\[[^\]]*\]\s*)?=(?!=)",
            self.whole,
        )
        self.is_certain = not (own or server or _SETS_ANY.search(self.whole))
        self.is_certain &= not any(
            _is_in_function(code, one.start(), 0)
            for code in files.values()
            for one in re.finditer(r"\$arg[vc]\b", code.bare)
        )
        self.is_certain &= self._is_read_only("$argv", 0) and self._is_read_only("$argc", 0)
        sets_any = variables.sets_any(self.whole, PHP)
        self.environment = {} if sets_any else dict(environment)
        for name in variables.names_set(self.whole, PHP):
            self.environment.pop(name, None)
        self._names: dict[str, object] = {}

    def value(self, path: str, text: str) -> object:
        """The value of an expression in a file."""
        return value_of(text, masks.PHP, lambda part: self._atom(path, part))

    def untaken(self, _: str) -> Iterator[tuple[int, int]]:
        """Nothing else than branches."""
        return iter(())

    def _atom(self, path: str, text: str) -> object:
        literal = _TEXT.match(text)
        if literal:
            return literal[1] if literal[1] is not None else literal[2]
        if text.lower() in _CONSTANTS:
            return _CONSTANTS[text.lower()]
        if text.isdigit():
            return int(text)
        if text == "$argc":
            return len(self.words) + 1
        item = _ITEM.match(text)
        if item:
            return self._item(path, item[1], item[2].strip(" []'\"\n\t"))
        call = _CALL.match(text)
        code = masks.read(text, masks.PHP) if call else None
        if call is None or code is None or code.pairs.get(call.start(2) - 1) != len(text) - 1:
            return UNKNOWN
        return self._called(path, call[1], [one for one in split(call[2], ",") if one])

    def _item(self, path: str, name: str, key: str) -> object:
        is_argv = name == "$argv" or name.startswith("$_SERVER[")
        value = [UNKNOWN, *self.words] if is_argv else self._named(path, name)
        if not key or value is UNKNOWN:
            return value
        if isinstance(value, Options):
            is_given = any(
                one[:1] == "-" and (one[:2] != "--" or one[2:].partition("=")[0] == key)
                for one in value.words
            )
            return UNKNOWN if is_given else None
        if isinstance(value, list) and key.isdigit():
            return value[int(key)] if int(key) < len(value) else None
        return UNKNOWN

    def _called(self, path: str, name: str, given: list[str]) -> object:
        values = [self.value(path, one) for one in given]
        if name in ("isset", "empty") and len(values) == 1:
            if name == "empty":
                holds = truth(values[0])
                return UNKNOWN if holds is None else not holds
            return UNKNOWN if values[0] is UNKNOWN else values[0] is not None
        if name == "array_key_exists" and len(given) == 2 and given[1][:1] == "$":
            found = self._atom(path, f"{given[1]}[{given[0]}]")
            return False if found is None else UNKNOWN
        if name == "in_array" and len(values) >= 2 and isinstance(values[1], list):
            word = values[0]
            is_in = word in values[1]
            is_sure = isinstance(word, str) and word[:1] == "-"
            return is_in if is_in or is_sure or UNKNOWN not in values[1] else UNKNOWN
        if name in ("count", "sizeof") and len(values) == 1 and isinstance(values[0], list):
            return len(values[0])
        if (
            name == "array_slice"
            and len(values) == 2
            and isinstance(values[0], list)
            and given[1].isdigit()
        ):
            return values[0][int(given[1]) :]
        if name == "getopt":
            return Options(self.words)
        if name == "getenv" and len(values) == 1 and isinstance(values[0], str):
            found = self.environment.get(values[0])
            return UNKNOWN if found is None or HOLE in found else found
        return UNKNOWN

    # -- names -----------------------------------------------------------------------------------------

    def _named(self, path: str, name: str) -> object:
        """The value of a name that is set once in the program, where it is."""
        if name not in self._names:
            if len(self._names) >= _MAX_NAMES:
                return UNKNOWN
            self._names[name] = UNKNOWN  # while it is looked for
            self._names[name] = self._value_of_name(path, name)
        return self._names[name]

    def _value_of_name(self, path: str, name: str) -> object:
        code = self.files[path]
        made = re.search(rf"(?<![\w$>:&]){re.escape(name)}\s*=(?![=>&])\s*(?!&)", code.mask)
        if made is None:
            return UNKNOWN
        around = code.block(made.start())
        own = [one.start() for one in re.finditer(rf"{re.escape(name)}\b", code.bare)]
        in_all = sum(
            len(re.findall(rf"{re.escape(name)}\b", one.bare)) for one in self.files.values()
        )
        is_here = all(around[0] <= one < around[1] and one >= made.start() for one in own)
        before = code.mask[max(0, made.start() - 80) : made.start()]
        is_statement = re.search(r"[;{}]\s*\Z|<\?php\s*\Z", before) is not None
        if len(own) != in_all or not (is_here and is_statement and self._is_read_only(name, 1)):
            return UNKNOWN
        if any(_is_in_function(code, one, around[0]) for one in own):
            return UNKNOWN
        at = last = made.end()
        while last < len(code.mask) and code.mask[last] != ";":
            last = code.pairs.get(last, last) + 1
        return self.value(path, code.bare[at:last])

    def _is_read_only(self, name: str, count: int) -> bool:
        """Whether a name is only read in the program, but for so many places where it is set."""
        own = re.escape(name)
        sets = 0
        for one in re.finditer(rf"{own}\b", self.whole):
            before, after = (
                self.whole[max(0, one.start() - 100) : one.start()],
                self.whole[one.end() :][:80],
            )
            if _SETS.match(after) or _BY_REFERENCE.match(after):
                sets += 1
            elif not _READ_BEFORE.search(before):
                return False
        return sets == count


def _is_in_function(code: Code, at: int, outside: int) -> bool:
    """Whether a place is in a function, which has names of its own, that begins behind another place."""
    for opened in code.enclosing(at):
        if opened < outside:
            return False
        if _HEAD.search(code.mask[max(0, opened - 300) : opened]):
            return True
    return re.search(r"\bfn\b[^;{}]*\Z", code.mask[max(0, at - 300) : at]) is not None


_HEAD = pattern(r"(?i)\b(?:function|fn|class|trait|enum|interface)\b[^;{}]*\Z")
_BY_REFERENCE = pattern(r"\s+as\s+(?:\$\w+\s*=>\s*)?&")
_READ_BEFORE = pattern(
    r"(?:(?<![\w>:])(?:in_array|array_key_exists|array_search)\([^()]*,\s*"
    r"|(?<![\w>:])(?:count|isset|empty|sizeof|implode|var_dump|print_r|array_slice|is_array|if|elseif|switch|match|while)\s*\(\s*!?\s*"
    r"|(?<!\bas)(?<!&)(?<![=!])\s(?:return|echo|case)\s+|\bforeach\s*\(\s*|(?:&&|\|\||===?|!==?|[?:.<>!]|(?<![=!<>])=)\s*!?\s*|\(\s*!\s*)\Z"
)
"""What stands before a name that is only read there."""


# end of module
