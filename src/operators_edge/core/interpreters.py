"""Programs given to interpreters as text, and the commands they start with literal arguments.

Owns finding known calls (``languages``) in code. Does not own understanding programs: a call whose
arguments are not literal is reported with holes, and code in strings is data.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from operators_edge.core.commands import HOLE
from operators_edge.core.languages import (
    AWK,
    BARE_IN,
    DELETES,
    DELETES_TREE,
    INTERPRETERS,
    NODE,
    PERL,
    PHP,
    PYTHON,
    RUBY,
    RUNS_CODE,
    SAME_VALUE,
    STARTS,
    Language,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

MAX_CALLS = 200
MAX_CODE_DEPTH = 4
MAX_EXPRESSION = 256
"""Tokens of one expression that are looked at; a longer one is unknown."""
MAX_ITEMS = 64
MAX_TOKENS = 200_000
"""Tokens looked at in one program; what a longer one starts is unknown."""

Literal = str | list[str] | None


class Call(NamedTuple):
    """What code starts: the ``words`` of one command or a shell ``text``."""

    through: str
    words: tuple[str, ...] = ()
    text: str | None = None


_STRING = (
    r"(?P<prefix>\b[rRbBuUfF]{1,2})?"
    r"(?P<string>'''[\s\S]*?'''|\"\"\"[\s\S]*?\"\"\"|'(?:[^'\\]|\\[\s\S])*'|\"(?:[^\"\\]|\\[\s\S])*\"|`(?:[^`\\]|\\[\s\S])*`)"
)
_QUOTED = (
    r"(?P<op>\b(?:qx|qq|q|qw)|%x|%q|%Q|%w)\s?"
    r"(?P<body>\([^)]*\)|\{[^}]*\}|\[[^\]]*\]|\|[^|]*\||/[^/]*/|![^!]*!)"
)
_NAME = r"(?P<name>[A-Za-z_$][\w$]*(?:\s*(?:\.|::)\s*[A-Za-z_]\w*)*)"
_IMPORT_CALL = re.compile(
    r"(?:__import__|importlib\.import_module|require)\(\s*['\"](?:node:)?([\w./-]+)['\"]\s*\)"
)
_PY_IMPORT = re.compile(r"\bimport\s+(\w+)\s+as\s+(\w+)")
_PY_FROM = re.compile(r"\bfrom\s+([\w.]+)\s+import\s+([\w ,*]+)")
_JS_NAME = re.compile(r"(\w+)\s*=\s*(child_process|fs|fs-extra|shelljs|rimraf|fs/promises)\b(?!\.)")
_JS_FROM = re.compile(r"import\s+(?:\*\s+as\s+)?(\w+)\s+from\s+['\"](?:node:)?([\w/-]+)['\"]")
_JS_PICK = re.compile(
    r"\{([\w\s,:]+)\}\s*(?:=\s*|from\s+['\"](?:node:)?)(child_process|fs/promises|fs-extra|fs)\b"
)


def calls(name: str, argv: Sequence[str], stdin: str | None) -> Iterator[Call]:
    """Yield what the interpreter ``name`` starts when run as ``argv`` with ``stdin``."""
    language = INTERPRETERS[name]
    if name in {"sed", "gsed"}:
        yield from _sed(argv)
        return
    if name in {"vim", "vi", "nvim", "ex"}:
        yield from _vim(argv)
        return
    code, option = _code(language, argv, stdin)
    if code:
        through = f"{name} {option}".strip()
        try:
            for number, call in enumerate(_Code(language, through).calls(code)):
                if number >= MAX_CALLS:
                    raise _TooLongError  # noqa: TRY301 -- one end for both bounds
                yield call
        except _TooLongError:
            yield Call(through, (HOLE,))


def _code(language: Language, argv: Sequence[str], stdin: str | None) -> tuple[str, str]:
    """Return the program text given on the command line or on standard input, and by which option."""
    wanted, valued = language.code_options.split(), language.value_options.split()
    arguments = list(argv[1:])
    if language is AWK:
        return _awk_code(arguments, valued), ""
    codes: list[str] = []
    used = ""
    at = 0
    while at < len(arguments):
        text = arguments[at]
        if text in {"eval", "repl"} and not codes and at == 0:
            return (arguments[at + 1] if len(arguments) > 1 else ""), text
        if not text.startswith("-") or text == "-":
            break
        cluster = re.fullmatch(r"-([a-zA-Z0-9]*?)(" + "|".join(wanted) + r")(.*)", text, re.DOTALL)
        long = re.fullmatch(r"--(" + "|".join(wanted) + r")(?:=(.*))?", text, re.DOTALL)
        if (cluster and not text.startswith("--")) or long:
            attached = (cluster[3] if cluster else None) or (long[2] if long else None)
            used = f"-{cluster[2]}" if cluster else text.partition("=")[0]
            if attached is None:
                at += 1
                attached = arguments[at] if at < len(arguments) else ""
            codes.append(attached)
        elif text.lstrip("-") in valued:
            at += 1
        at += 1
    if codes:
        return "\n".join(codes), used
    if at >= len(arguments) or arguments[at] in {"-", "/dev/stdin"}:
        return stdin or "", "<" if stdin else ""
    return "", ""


def _awk_code(arguments: list[str], valued: list[str]) -> str:
    at = 0
    while at < len(arguments) and arguments[at].startswith("-"):
        if arguments[at] in {"-f", "--file"}:
            return ""
        at += 2 if arguments[at].lstrip("-") in valued else 1
    return arguments[at] if at < len(arguments) else ""


class _TooLongError(Exception):
    """The program is too long to be read to its end."""


class _Code:
    """Reads one program text, token by token."""

    def __init__(self, language: Language, through: str, depth: int = 0) -> None:
        self.language = language
        self.through = through
        self.depth = depth
        self.names: dict[str, str] = {}
        self.values: dict[str, Literal] = {}
        self.work = 0
        quoted = _QUOTED + "|" if language.has_command_backticks else ""
        comment = f"(?P<comment>{language.comment})|" if language.comment else ""
        self.token = re.compile(
            f"{comment}{quoted}{_STRING}|{_NAME}|(?P<number>\\d+)|(?P<mark>[^\\s\\w])"
        )

    def calls(self, code: str) -> Iterator[Call]:
        code = _IMPORT_CALL.sub(lambda match: match[1], code)
        self._learn_names(code)
        tokens = [match for match in self.token.finditer(code) if match.lastgroup != "comment"]
        for at, token in enumerate(tokens):
            if token["name"]:
                self._learn_value(tokens, at)
                yield from self._call(tokens, at)
            elif self._is_command(token):
                yield Call(self.through, text=self._text(token))
            elif self.language is AWK and token["mark"] == "|":
                yield from self._awk_pipe(tokens, at)

    def _learn_names(self, code: str) -> None:
        """Follow imports, so that only names that really mean a process or file module count."""
        if self.language is PYTHON:
            for module, name in _PY_IMPORT.findall(code):
                self.names[name] = module
            for module, picked in _PY_FROM.findall(code):
                for part in picked.split(","):
                    old, _, new = part.strip().partition(" as ")
                    self.names[new.strip() or old] = f"{module}.{old}"
        if self.language is NODE:
            for name, module in (*_JS_NAME.findall(code), *_JS_FROM.findall(code)):
                self.names[name] = {"fs-extra": "fse", "fs/promises": "fs.promises"}.get(
                    module, module
                )
            for picked, module in _JS_PICK.findall(code):
                for part in picked.split(","):
                    old, _, new = (piece.strip() for piece in part.partition(":"))
                    self.names[new or old] = f"{module.replace('fs/promises', 'fs.promises')}.{old}"

    def _resolved(self, name: str) -> str:
        name = re.sub(r"\s+", "", name)
        head, dot, tail = name.partition(".")
        return self.names.get(head, head) + dot + tail

    def _learn_value(self, tokens: list[re.Match[str]], at: int) -> None:
        if at + 2 < len(tokens) and tokens[at + 1]["mark"] == "=" and tokens[at + 2]["mark"] != "=":
            value, _ = self._value(tokens, at + 2, stops_at_line=True)
            self.values[tokens[at]["name"].lstrip("$")] = value

    def _call(self, tokens: list[re.Match[str]], at: int) -> Iterator[Call]:
        name = self._resolved(tokens[at]["name"])
        if name == "pathlib.Path" and at + 2 < len(tokens) and tokens[at + 1]["mark"] == "(":
            yield from self._path_method(tokens, at)
        if not self._is_known(name) or at + 1 >= len(tokens):
            return
        has_paren = tokens[at + 1]["mark"] == "("
        if not has_paren and self.language not in {PERL, RUBY}:
            return
        arguments = self._arguments(tokens, at + 2 if has_paren else at + 1, has_paren=has_paren)
        if self.language is PYTHON and name in RUNS_CODE:
            code = arguments[0] if arguments else None
            if isinstance(code, str) and self.depth < MAX_CODE_DEPTH:
                yield from _Code(self.language, self.through, self.depth + 1).calls(code)
            return
        yield from self._started(name, arguments)

    def _path_method(self, tokens: list[re.Match[str]], at: int) -> Iterator[Call]:
        """``Path("x").unlink()``: the call before the dot holds the path."""
        opened = at
        while opened < len(tokens) and tokens[opened]["mark"] != ")":
            opened += 1
        if opened + 2 < len(tokens) and tokens[opened + 2]["name"] in {"unlink", "rmdir"}:
            value, _ = self._value(tokens, at + 2)
            yield Call(self.through, ("rm", value if isinstance(value, str) else HOLE))

    def _is_known(self, name: str) -> bool:
        if name in RUNS_CODE and self.language is PYTHON:
            return True
        bare = BARE_IN.get(name)
        if bare is not None:
            return self.language in bare
        return name in STARTS or name in DELETES_TREE or name in DELETES

    def _started(self, name: str, arguments: list[Literal]) -> Iterator[Call]:
        if name in DELETES_TREE or name in DELETES:
            flags = ("rm", "-rf") if name in DELETES_TREE else ("rm",)
            first = arguments[0] if arguments else None
            targets = first if isinstance(first, list) else [HOLE if first is None else first]
            if self.language in {PERL, PHP} and len(arguments) > 1:
                targets = [*targets, *(text for text in arguments[1:] if isinstance(text, str))]
            yield Call(self.through, (*flags, *targets))
            return
        if name.startswith("os.spawn"):
            arguments = arguments[1:]
        yield from self._process(name, arguments)

    def _process(self, name: str, arguments: list[Literal]) -> Iterator[Call]:
        first = arguments[0] if arguments else None
        if isinstance(first, list):
            yield Call(self.through, tuple(first) or (HOLE,))
            return
        if first is None:
            yield Call(self.through, (HOLE,))
            return
        second = arguments[1] if len(arguments) > 1 else None
        is_vector = re.search(r"os\.(exec|spawn|posix)", name) is not None
        if isinstance(second, list):
            yield Call(self.through, (first, *(second[1:] if is_vector else second)))
            return
        more = [text for text in arguments[1:] if isinstance(text, str)]
        if more and (
            is_vector or self.language in {PERL, RUBY} or name.endswith("create_subprocess_exec")
        ):
            yield Call(self.through, (first, *(more[1:] if is_vector else more)))
            return
        yield Call(self.through, text=first)

    def _arguments(self, tokens: list[re.Match[str]], at: int, *, has_paren: bool) -> list[Literal]:
        found: list[Literal] = []
        while at < len(tokens) and len(found) < MAX_ITEMS:
            mark = tokens[at]["mark"]
            if mark in {")", ";", "}"} or (not has_paren and mark == "="):
                break
            keyword = tokens[at]["name"] if at + 1 < len(tokens) else None
            is_keyword = bool(keyword) and tokens[at + 1]["mark"] == "="
            value, at = self._value(tokens, at + 2 if is_keyword and at + 2 < len(tokens) else at)
            if not is_keyword or keyword in {"args", "cmd", "path"}:
                found.append(value)
            if at < len(tokens) and tokens[at]["mark"] == ",":
                at += 1
            else:
                break
        return found

    def _value(
        self, tokens: list[re.Match[str]], at: int, *, stops_at_line: bool = False
    ) -> tuple[Literal, int]:
        """Read one expression; anything but literals and known names joined is unknown."""
        token = tokens[at]
        if token["mark"] in {"[", "("}:
            value, at = self._list(tokens, at)
        elif (text := self._string(token)) is not None:
            value, at = text, at + 1
        elif token["name"]:
            value, at = self._named(tokens, at)
        else:
            value = None
        return self._rest(value, tokens, at, stops_at_line=stops_at_line)

    def _named(self, tokens: list[re.Match[str]], at: int) -> tuple[Literal, int]:
        """Read a name: a known variable, or a call that hands its argument through."""
        name = self._resolved(tokens[at]["name"])
        is_call = at + 1 < len(tokens) and tokens[at + 1]["mark"] == "("
        if not is_call or name not in SAME_VALUE:
            known = None if is_call else self.values.get(name.lstrip("$"))
            return known, at + 1
        arguments = self._arguments(tokens, at + 2, has_paren=True)
        while at < len(tokens) and tokens[at]["mark"] != ")":
            at += 1
        texts = [text if isinstance(text, str) else HOLE for text in arguments]
        if name in {"Path.home", "pathlib.Path.home", "os.homedir", "Dir.home"}:
            texts = ["~"]
        return "/".join(texts).replace("//", "/") if texts else None, at + 1

    def _rest(
        self, value: Literal, tokens: list[re.Match[str]], at: int, *, stops_at_line: bool
    ) -> tuple[Literal, int]:
        """Go on to the end of the expression: strings side by side or added are one string."""
        level = 0
        limit = at + MAX_EXPRESSION
        while at < len(tokens):
            if at > limit:
                return None, at
            self.work += 1
            if self.work > MAX_TOKENS:
                raise _TooLongError
            token = tokens[at]
            mark = token["mark"]
            if level == 0 and mark in {",", ")", "]", "}", ";"}:
                break
            gap = token.string[tokens[at - 1].end() : token.start()]
            if level == 0 and stops_at_line and "\n" in gap:
                break
            following = tokens[at + 1] if at + 1 < len(tokens) else None
            if isinstance(value, str) and (text := self._string(token)) is not None:
                value += text
            elif (
                mark in {"+", "."}
                and following
                and (self._string(following) is not None or following["name"])
            ):
                at += 1
                text = self._string(following)
                known = (
                    text
                    if text is not None
                    else self.values.get((following["name"] or "").lstrip("$"))
                )
                value = (
                    value + known
                    if isinstance(value, str) and isinstance(known, str)
                    else (value + HOLE if isinstance(value, str) else None)
                )
            elif mark in {"(", "[", "{"}:
                level += 1
                value = None
            elif mark in {")", "]", "}"}:
                level -= 1
            else:
                value = value if mark == "!" else None
            at += 1
        return value, at

    def _list(self, tokens: list[re.Match[str]], at: int) -> tuple[Literal, int]:
        items: list[str] = []
        at += 1
        while at < len(tokens) and tokens[at]["mark"] not in {"]", ")"}:
            if len(items) > MAX_ITEMS:
                return [*items, HOLE], at
            value, after = (
                (None, at + 1) if tokens[at]["mark"] in {"[", "("} else self._value(tokens, at)
            )
            items += value if isinstance(value, list) else [HOLE if value is None else value]
            at = max(after, at + 1)
            if at < len(tokens) and tokens[at]["mark"] == ",":
                at += 1
        return items, at + 1

    def _string(self, token: re.Match[str]) -> str | None:
        if token.re.groupindex.get("op") and token["op"]:
            return None if token["op"] in {"qx", "%x", "qw", "%w"} else token["body"][1:-1]
        if not token["string"] or self._is_command(token):
            return None
        return self._text(token)

    def _is_command(self, token: re.Match[str]) -> bool:
        if not self.language.has_command_backticks:
            return False
        return (token["string"] or "").startswith("`") or token["op"] in {"qx", "%x"}

    def _text(self, token: re.Match[str]) -> str:
        if token.re.groupindex.get("op") and token["op"]:
            return re.sub(self.language.interpolation, HOLE, token["body"][1:-1])
        whole, prefix = token["string"], (token["prefix"] or "").lower()
        width = 3 if whole[:3] in {"'''", '"""'} else 1
        text = whole[width:-width]
        if "f" in prefix:
            text = re.sub(r"\{[^{}]*\}", HOLE, text)
        if self.language.interpolation and whole[0] != "'":
            text = re.sub(self.language.interpolation, HOLE, text)
        is_literal = "r" in prefix or (whole[0] == "'" and self.language.has_command_backticks)
        return re.sub(r"\\(['\\])", r"\1", text) if is_literal else unescaped(text)

    def _awk_pipe(self, tokens: list[re.Match[str]], at: int) -> Iterator[Call]:
        """``"cmd" | getline`` and ``print | "cmd"``."""
        before = self._string(tokens[at - 1]) if at else None
        after = self._string(tokens[at + 1]) if at + 1 < len(tokens) else None
        if after:
            yield Call(self.through, text=after)
        elif before and at + 1 < len(tokens) and tokens[at + 1]["name"] == "getline":
            yield Call(self.through, text=before)


def unescaped(text: str) -> str:
    """Return the text with the escapes that these languages share taken off."""
    return re.sub(
        r"\\(?:x([0-9A-Fa-f]{2})|u([0-9A-Fa-f]{4})|([0-7]{1,3})|([\s\S]))", _unescaped_char, text
    )


def _unescaped_char(match: re.Match[str]) -> str:
    if match[1] or match[2]:
        return chr(int(match[1] or match[2], 16))
    if match[3]:
        return chr(int(match[3], 8) & 0xFF)
    return {"n": "\n", "t": "\t", "r": "\r", "\n": ""}.get(match[4], match[4])


def _sed(argv: Sequence[str]) -> Iterator[Call]:
    for text in argv[1:]:
        if text.startswith("-"):
            continue
        run = re.match(r"(?:\d+|\$)?e\s+(.+)", text, re.DOTALL)
        if run:
            yield Call("sed e", text=run[1])
            return
        changed = re.match(
            r"s(.)(?:\\.|(?!\1|\\).)*\1((?:\\.|(?!\1|\\).)*)\1[a-zA-Z0-9]*e[a-zA-Z0-9]*$",
            text,
            re.DOTALL,
        )
        if changed:
            yield Call("sed e", text=re.sub(r"\\\d|&", HOLE, changed[2]).replace("\\", ""))
            return


def _vim(argv: Sequence[str]) -> Iterator[Call]:
    for at, text in enumerate(argv):
        command = argv[at + 1] if text in {"-c", "--cmd"} and at + 1 < len(argv) else text[1:]
        if text in {"-c", "--cmd"} or text.startswith("+"):
            run = re.match(r":?(?:silent!?\s+)?(?:r(?:ead)?\s*)?!(.+)", command, re.DOTALL)
            if run:
                yield Call("vim -c", text=run[1])
            inside = re.search(r"system\(\s*(['\"])(.*?)\1\s*\)", command)
            if inside:
                yield Call("vim -c", text=inside[2])
