"""What names and calls of Rust's code stand for, by the words and the variables of its command.

Owns ``env::args``, what clap derives for a structure and for subcommands, and names that are set once. Does
not own conditions (``given.conditions``). Pure.
"""

from __future__ import annotations

import re

from operators_edge.shell.code.given import masks
from operators_edge.shell.code.given.conditions import EMPTY, UNKNOWN, value_of
from operators_edge.shell.commands import HOLE
from operators_edge.text.patterns import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from operators_edge.shell.code.given.masks import Code

_SETS_OTHERWISE = pattern(
    r"\b(?:parse_from|try_parse_from|get_matches_from|update_from|args_os|from_arg_matches)\b|\bcurrent_exe\b|\bmacro_rules!"
    r"|\benv::args\(\)\s*\.\s*(?:next\(\)|nth\(0\))|\bunsafe\b|\buse\s+[\w:]+::args\b(?!\s*;)|\bflatten\b|\bwild::"
)
"""What gives a parser other words, or starts the program itself."""
_ALL = r"(?:std::)?env::args\(\)"
_LIST = pattern(rf"{_ALL}(?P<rest>(?:\.skip\(1\))?)(?:\.collect(?:::<[^;()]*>)?\(\))?")
_SEEKS = pattern(
    r"(?:\.iter\(\)|\.skip\(1\))*\.any\(\s*\|\s*&?(\w+)\s*\|\s*(?:\*?\1(?:\.as_str\(\))?)\s*==\s*\"([^\"\n]+)\"\s*\)"
    r"|\.contains\(\s*&?\"([^\"\n]+)\"(?:\.to_string\(\)|\.into\(\)|\.to_owned\(\)|\.to_string\(\))?\s*\)"
)
_AT = pattern(r"\[(\d+)\]|\.(?:get|nth)\((\d+)\)")
_SAME = pattern(
    r"(?:\.(?:as_deref|as_ref|as_str|cloned|clone|trim|to_string|map)\((?:\|\w+\|\s*\w+\.as_str\(\)|String::as_str|\|\w+\|\s*\w+\.as_ref\(\))?\))+"
)
_OR_ELSE = pattern(
    r"\.unwrap_or(?:_else)?\(\s*(?:\|\|\s*)?(?:String::from\(\s*)?\"([^\"\n]*)\"(?:\s*\)|\.(?:to_string|into|to_owned)\(\))?\s*\)"
    r"|\.unwrap_or_default\(\)"
)
_TEXT = pattern(
    r"(?:Some\(|Ok\()?\s*&?\"([^\"\\\n]*)\"(?:\.(?:to_string|into|to_owned)\(\))?\s*\)?\Z"
)
_FIELD = pattern(
    r"(?P<about>(?:#\[[^\]\n]*\]\s*)*)(?:pub(?:\([^()]*\))?\s+)?(?P<name>[a-z_]\w*)\s*:\s*(?P<type>[\w:<>\s]+?)\s*(?:,|\Z)"
)
_DERIVES = pattern(
    r"#\[derive\([^\])]*\b(Parser|Args|Subcommand)\b[^\])]*\)\]\s*(?:#\[[^\]]*\]\s*)*(?:pub(?:\([^()]*\))?\s+)?(?:struct|enum)\s+(\w+)\s*(?=\{)"
)
_GIVES = pattern(
    r"\b(?:default_\w+|env|action|overrides_with\w*|value_parser|flatten|subcommand|skip|conflicts_with)\b"
)


_MAX_NAMES = 60
"""Names of which it is looked for what they stand for."""


class Words:
    """The words and variables that a program of Rust is given."""

    def __init__(
        self, files: Mapping[str, Code], words: Sequence[str], environment: Mapping[str, str]
    ) -> None:
        self.files = files
        self.words = list(words[1:])
        self.whole = "\n".join(one.bare for one in files.values())
        self.masks = "\n".join(one.mask for one in files.values())
        self.is_certain = not _SETS_OTHERWISE.search(self.whole)
        is_set = re.search(
            r"\b(?:set_var|remove_var|dotenv_override|from_filename_override)\b", self.whole
        )
        self.environment = {} if is_set else dict(environment)
        self.derived = {
            one[2]: (one[1], code, one.end())
            for code in files.values()
            for one in _DERIVES.finditer(code.bare)
            if one.end() in code.pairs
        }
        self._names: dict[tuple[str, str], object] = {}
        self._options: dict[str, object] = {}
        self._parsed: dict[tuple[str, str], bool] = {}

    def value(self, path: str, text: str) -> object:
        """The value of an expression in a file."""
        return value_of(text, masks.RUST, lambda part: self._atom(path, part))

    def _atom(self, path: str, text: str) -> object:
        text = re.sub(r"\s*\n\s*", "", text).lstrip("&*").strip()
        literal = _TEXT.match(text)
        if literal:
            return literal[1]
        if text in ("true", "false"):
            return text == "true"
        if text == "None":
            return None
        if text.isdigit():
            return int(text)
        variable = re.match(r"(?:std::)?env::var\(\s*\"(\w+)\"\s*\)", text)
        if variable:
            given = self.environment.get(variable[1])
            value: object = UNKNOWN if given is None or HOLE in given else given
            return value if value is UNKNOWN else self._read(text[variable.end() :], value)
        listed = _LIST.match(text)
        if listed:
            skipped = [] if listed["rest"] else [UNKNOWN]
            return self._read(text[listed.end() :], [*skipped, *self.words])
        name = re.match(r"[a-z_]\w*", text)
        if name is None:
            return UNKNOWN
        field = re.fullmatch(r"\.([a-z_]\w*)((?:\.is_some\(\)|\.is_none\(\))?)", text[name.end() :])
        if field and self._is_parsed(path, name[0]):
            value = self._option(field[1])
            if field[2]:
                return value if value is UNKNOWN else field[2] == ".is_none()"
            return value
        return self._read(text[name.end() :], self._named(path, name[0]))

    def _read(self, rest: str, value: object) -> object:
        """What calls read of a value."""
        while rest and value is not UNKNOWN:
            if rest in (".is_some()", ".is_none()", ".is_ok()", ".is_err()"):
                return (value is not None) == (rest in (".is_some()", ".is_ok()"))
            value, rest = _of_list(value, rest) if isinstance(value, list) else _same(value, rest)
        return value

    # -- clap ------------------------------------------------------------------------------------------

    def _is_parsed(self, path: str, name: str) -> bool:
        """Whether a name only stands for what clap has parsed from the words, wherever it is bound."""
        key = (path, name)
        if key not in self._parsed:
            self._parsed[key] = len(self._parsed) < _MAX_NAMES and self._is_only_parsed(*key)
        return self._parsed[key]

    def _is_only_parsed(self, path: str, name: str) -> bool:
        code = self.files[path]
        types = [own for own, (kind, _, _) in self.derived.items() if kind != "Subcommand"]
        own = "|".join(map(re.escape, types)) or "(?!)"
        made = rf"\blet\s+{name}\s*(?::\s*(?:{own})\s*)?=\s*(?:{own})::parse\(\)\s*;"
        handed = rf"(?<![\w.]){name}\s*:\s*&?\s*(?:{own})\s*[,)]"
        plain = len(re.findall(rf"{made}|{handed}", code.mask))
        bound = (
            rf"\blet\s+(?:mut\s+)?(?:\(?[^=;()]*\b)?{name}\b|(?<![\w.:]){name}\s*:(?!:)"
            rf"|\|[^|\n]*\b{name}\b[^|\n]*\||\bfor\s+{name}\b"
        )
        if plain == 0 or plain != len(re.findall(bound, code.mask)):
            return False
        return not any(map(self._is_made_up, types))

    def _is_made_up(self, name: str) -> bool:
        """Whether a value of a type may come from elsewhere than from the words."""
        made = rf"\bDefault\b[^\n]*\n?[^\n]*\b{name}\b|\b{name}::(?!parse\(\))\w+"
        literal = rf"\b{name}\s*\{{(?!\s*\n?\s*#\[)"
        is_literal = re.search(literal, self._without_heads(name)) is not None
        return is_literal or re.search(made, self.masks) is not None

    def _without_heads(self, name: str) -> str:
        return re.sub(
            rf"\b(?:struct|impl|for)\s+{name}\b", "", re.sub(rf"->\s*{name}\s*\{{", "", self.masks)
        )

    def _option(self, name: str) -> object:
        """The value of a field that clap fills."""
        if name not in self._options:
            is_asked = len(self._options) < _MAX_NAMES
            self._options[name] = self._value_of_option(name) if is_asked else UNKNOWN
        return self._options[name]

    def _value_of_option(self, name: str) -> object:
        found = [
            one
            for kind, code, at in self.derived.values()
            if kind != "Subcommand"
            for one in _FIELD.finditer(code.bare[at + 1 : code.pairs[at]])
            if one["name"] == name
        ]
        elsewhere = len(re.findall(rf"(?<![\w.:]){name}\s*:(?!:)", self.masks))
        if len(found) != 1 or elsewhere != 1:
            return UNKNOWN
        about, kind = found[0]["about"], found[0]["type"].strip()
        is_option = re.search(r"\b(?:long|short)\b", about) is not None and not _GIVES.search(about)
        is_kind = kind == "bool" or kind.startswith("Option<")
        kebab = name.replace("_", "-")
        for word in self.words:
            own = word[2:].partition("=")[0]
            if word[:1] == "-" and (
                word[:2] != "--"
                or kebab.startswith(own)
                or re.search(rf"\"{re.escape(own)}\"", about)
            ):
                return UNKNOWN
        if not (is_option and is_kind):
            return UNKNOWN
        return False if kind == "bool" else EMPTY

    def untaken(self, path: str) -> Iterator[tuple[int, int]]:
        """The places in a file of what is for other subcommands: ``Command::Publish { .. } => …``"""
        code = self.files[path]
        for name, (kind, own, at) in self.derived.items():
            if kind != "Subcommand":
                continue
            variants = own.bare[at + 1 : own.pairs[at]]
            named = rf"(?<![\w:])(?:Some\(\s*)?{name}::(\w+)\s*(?:\{{[^{{}}]*\}}|\([^()]*\))?\s*\)?\s*=>\s*"
            for one in re.finditer(named, code.mask):
                others = len(re.findall(rf"\b{name}::{one[1]}\b", self.masks))
                arms = len(re.findall(named.replace(r"(\w+)", one[1]), self.masks))
                start = one.end()
                if others != arms or not self._is_other(one[1], variants):
                    continue
                if code.mask[start : start + 1] == "{":
                    yield start + 1, code.pairs[start]
                else:
                    yield start, _end_of_arm(code, start)

    def _is_other(self, variant: str, variants: str) -> bool:
        """Whether no word names a subcommand."""
        kebab = re.sub(r"(?<=[a-z\d])(?=[A-Z])", "-", variant).lower()
        renamed = re.search(
            r"\b(?:name|alias(?:es)?|visible_alias(?:es)?|rename_all|default_\w+)\b", variants
        )
        return not renamed and not any(kebab.startswith(one) for one in self.words if one)

    # -- names -------------------------------------------------------------------------------------------

    def _named(self, path: str, name: str) -> object:
        """The value of a name that is declared once, and cannot change."""
        key = (path, name)
        if key not in self._names:
            if len(self._names) >= _MAX_NAMES:
                return UNKNOWN
            self._names[key] = UNKNOWN  # while it is looked for
            self._names[key] = self._value_of_name(path, name)
        return self._names[key]

    def _value_of_name(self, path: str, name: str) -> object:
        code = self.files[path]
        made = list(re.finditer(rf"\blet\s+{name}\s*(?::[^=;]{{1,60}})?=(?!=)\s*", code.mask))
        others = (
            rf"\blet\s+(?:mut\s+|ref\s+)?(?:[\w(]*[(,\s])?{name}\b|(?<![\w.:]){name}\s*:(?!:)"
            rf"|[|(,]\s*&?(?:mut\s+)?{name}\s*[|)](?=\s*(?:=>|[{{=]|\w))"
            rf"|\b(?:for|mut|ref|const|static)\s+{name}\b"
        )
        if len(made) != 1 or len(re.findall(others, code.mask)) != 1:
            return UNKNOWN
        start, end = code.block(made[0].start())
        uses = (one.start() for one in re.finditer(rf"(?<![\w.]){name}\b", code.mask))
        if not all(start <= one < end for one in uses):
            return UNKNOWN
        at = last = made[0].end()
        while last < len(code.mask) and code.mask[last] != ";":
            last = code.pairs.get(last, last) + 1
        return self.value(path, code.bare[at:last])


def _of_list(words: list[object], rest: str) -> tuple[object, str]:
    """What a call says of a list of words, and what is read of that."""
    if rest == ".len()":
        return len(words), ""
    sought = _SEEKS.match(rest)
    if sought:
        asked = sought[2] or sought[3]
        is_sure = asked in words or asked[:1] == "-" or UNKNOWN not in words
        return (asked in words if is_sure else UNKNOWN), rest[sought.end() :]
    if rest.startswith(".skip(1)"):
        return words[1:], rest.removeprefix(".skip(1)")
    at = _AT.match(rest)
    if at is None:
        return UNKNOWN, ""
    number = int(at[1] or at[2])
    missing = UNKNOWN if at[1] else None
    return (words[number] if number < len(words) else missing), rest[at.end() :]


def _same(value: object, rest: str) -> tuple[object, str]:
    """A value in another type, or what stands for it where there is none."""
    same, other = _SAME.match(rest), _OR_ELSE.match(rest)
    if same is not None:
        return value, rest[same.end() :]
    if other is None:
        return UNKNOWN, ""
    return (other[1] or "" if value is None else value), rest[other.end() :]


def _end_of_arm(code: Code, at: int) -> int:
    while at < len(code.mask) and code.mask[at] not in ",}":
        at = code.pairs.get(at, at) + 1
    return at


# end of module
