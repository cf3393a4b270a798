"""Program code, read token by token: known calls with literal arguments, and what they would start.

Owns expressions that consist of literals and names with known values. Does not own how code reaches an
interpreter (``shell.interpreters``), nor which calls count (``shell.languages``).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from operators_edge.shell.commands import HOLE
from operators_edge.shell.languages import (
    AWK,
    BARE_IN,
    CALLS,
    DISTINCT,
    GROOVY,
    NODE,
    PATH_METHODS,
    PERL,
    PHP,
    PYTHON,
    RUBY,
    RUNS_CODE,
    WITHOUT_PARENTHESES,
    Language,
)
from operators_edge.shell.scripts import CodeCall, awk_writes, unescaped

if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_CODE_DEPTH = 4
MAX_EXPRESSION = 256
"""Tokens of one expression; a longer one is unknown."""
MAX_ITEMS = 64
MAX_TOKENS = 200_000
"""Tokens of one program; what a longer one starts is unknown."""

Literal = str | list[str] | None

_STRING = (
    r"(?P<prefix>\b[rRbBuUfF]{1,2})?"
    r"(?P<string>'''[\s\S]*?'''|\"\"\"[\s\S]*?\"\"\"|'(?:[^'\\]|\\[\s\S])*'|\"(?:[^\"\\]|\\[\s\S])*\"|`(?:[^`\\]|\\[\s\S])*`)"
)
_QUOTED = (
    r"(?P<op>\b(?:qx|qq|q|qw)|%x|%q|%Q|%w)\s?"
    r"(?P<body>\([^)]{0,2000}\)|\{[^}]{0,2000}\}|\[[^\]]{0,2000}\]"
    r"|\|[^|]{0,2000}\||/[^/]{0,2000}/|![^!]{0,2000}!)"
)
_NAME = r"(?P<name>[A-Za-z_$][\w$]*(?:\s*(?:\.|::)\s*[A-Za-z_]\w*)*)"
_IMPORT_CALL = re.compile(
    r"(?:__import__|importlib\.import_module|[\w.]{0,40}\brequire|\bimport)\(\s*['\"](?:node:)?([\w./-]+)['\"]\s*\)"
)
_SPELLED = re.compile(
    # getattr(os, "system"), vars(os)["system"], os.__dict__["system"], cp["exec"](…)
    r"getattr\(\s{0,9}([\w.]{1,80})\s{0,9},\s*['\"](\w+)['\"]\s*\)"
    r"|vars\(\s{0,9}([\w.]{1,80})\s{0,9}\)\[\s*['\"](\w+)['\"]\s*\]"
    r"|(\b\w[\w.]{0,80}?)\.__dict__\[\s*['\"](\w+)['\"]\s*\]"
    r"|(\b\w[\w.]{0,80})\[\s*['\"](\w+)['\"]\s*\](?=\()"
)
_PY_IMPORT = re.compile(r"\bimport\s+(\w+)\s+as\s+(\w+)")
_PY_FROM = re.compile(r"\bfrom\s+([\w.]+)\s+import\s+([\w ,*]+)")
_JS_NAME = re.compile(r"(\w+)\s*=\s*(child_process|fs|fs-extra|shelljs|rimraf|fs/promises)\b(?!\.)")
_JS_FROM = re.compile(r"import\s+(?:\*\s+as\s+)?(\w+)\s+from\s+['\"](?:node:)?([\w/-]+)['\"]")
_JS_PICK = re.compile(
    r"\{([\w\s,:]+)\}\s*(?:=\s*|from\s+['\"](?:node:)?)(child_process|fs/promises|fs-extra|fs)\b"
)


class TooLongError(Exception):
    """The program is too long to read to its end."""


class ProgramReader:
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

    def calls(self, code: str) -> Iterator[CodeCall]:
        code = _IMPORT_CALL.sub(lambda match: match[1], code)
        code = _SPELLED.sub(lambda match: ".".join(filter(None, match.groups())), code)
        code = re.sub(r"\bdo\s+shell\s+script\b", "do_shell_script", code)
        self._learn_names(code)
        tokens = [match for match in self.token.finditer(code) if match.lastgroup != "comment"]
        for at, token in enumerate(tokens):
            if token["name"]:
                self._learn_value(tokens, at)
                yield from self._call(tokens, at)
            elif self._is_command(token):
                yield CodeCall(self.through, text=self._text(token))
            elif self.language is AWK and token["mark"] == "|":
                yield from self._awk_pipe(tokens, at)
            elif self.language is GROOVY and _is_groovy_execute(tokens, at):
                yield CodeCall(self.through, text=self._string(token) or HOLE)
        if self.language is AWK:
            yield from awk_writes(code)

    def _learn_names(self, code: str) -> None:
        """Follow imports, so that only names of process and file modules count."""
        if self.language is PYTHON:
            # Strings and comments import nothing.
            code = self.token.sub(
                lambda match: "" if match["string"] or match.lastgroup == "comment" else match[0],
                code,
            )
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

    def _resolve(self, name: str) -> str:
        name = re.sub(r"\s+", "", name)
        head, dot, tail = name.partition(".")
        name = self.names.get(head, head) + dot + tail
        if self.language is NODE and "child_process." in name:
            return name[name.rindex("child_process.") :]
        last = name.rpartition(".")[2]
        return last if self.language is NODE and last in DISTINCT else name

    def _learn_value(self, tokens: list[re.Match[str]], at: int) -> None:
        if at + 2 < len(tokens) and tokens[at + 1]["mark"] == "=" and tokens[at + 2]["mark"] != "=":
            value, _ = self._value(tokens, at + 2, stops_at_line=True)
            self.values[tokens[at]["name"].lstrip("$")] = value

    def _call(self, tokens: list[re.Match[str]], at: int) -> Iterator[CodeCall]:
        name = self._resolve(tokens[at]["name"])
        if at + 1 < len(tokens) and tokens[at + 1]["mark"] == "(":
            yield from self._path_method(tokens, at, name)
        if not self._is_known(name) or at + 1 >= len(tokens):
            return
        has_paren = tokens[at + 1]["mark"] == "("
        if not has_paren and self.language not in WITHOUT_PARENTHESES:
            return
        arguments = self._arguments(tokens, at + 2 if has_paren else at + 1, has_paren=has_paren)
        if self.language is PYTHON and name in RUNS_CODE:
            code = arguments[0] if arguments else None
            if isinstance(code, str) and self.depth < MAX_CODE_DEPTH:
                yield from ProgramReader(self.language, self.through, self.depth + 1).calls(code)
            return
        yield from self._started_by(name, arguments)

    def _path_method(self, tokens: list[re.Match[str]], at: int, name: str) -> Iterator[CodeCall]:
        """``Path("x").unlink()``, ``p.write_text(…)``: the path comes before the method."""
        if self.language not in {PYTHON, RUBY}:
            return
        head, _, method = name.rpartition(".")
        value: Literal = self.values.get(head.rpartition(".")[2])
        if name in {"pathlib.Path", "Path", "Pathname"}:
            opened = at
            while opened < min(len(tokens), at + MAX_EXPRESSION) and tokens[opened]["mark"] != ")":
                opened += 1
            method = (tokens[opened + 2]["name"] or "") if opened + 2 < len(tokens) else ""
            value, _ = self._value(tokens, at + 2)
        elif not head or self._is_known(name):
            return
        if method not in PATH_METHODS:
            return
        path = value if isinstance(value, str) else HOLE
        if method.startswith("write"):
            if HOLE not in path:
                yield CodeCall(self.through, ("tee", path))
        else:
            yield CodeCall(
                self.through, ("rm", "-rf", path) if method == "rmtree" else ("rm", path)
            )

    def _is_known(self, name: str) -> bool:
        if name in RUNS_CODE and self.language is PYTHON:
            return True
        bare = BARE_IN.get(name)
        if bare is not None:
            return self.language in bare
        return CALLS.get(name, "same path") != "same path"

    def _written_by(self, name: str, arguments: list[Literal]) -> Iterator[CodeCall]:
        """Report a file opened for writing as written by tee; unknown paths are not reported."""
        texts = [text if isinstance(text, str) else HOLE for text in arguments]
        if self.language in {PERL, RUBY} and name == "open":
            yield from self._opened_by(texts)
            return
        is_written = CALLS[name] == "write" or re.search(r"[wax+]", "".join(texts[1:2]))
        if texts and HOLE not in texts[0] and is_written:
            yield CodeCall(self.through, ("tee", texts[0]))

    def _opened_by(self, texts: list[str]) -> Iterator[CodeCall]:
        """``open(F, ">", "file")``, ``open(P, "-|", "text")``, ``open("|text")``."""
        modes = [at for at, text in enumerate(texts) if re.match(r"\s*(?:\+?[<>]|\||-\|)", text)]
        if modes:
            yield from self._opened_as(texts[modes[0]].strip(), texts[modes[0] + 1 :])
            return
        pipe = next((text for text in texts if text.rstrip().endswith("|")), None)
        if pipe:
            yield CodeCall(self.through, text=pipe.rstrip()[:-1])

    def _opened_as(self, mode: str, after: list[str]) -> Iterator[CodeCall]:
        """``mode`` may have a file or command attached: ``">file"``."""
        attached = mode.lstrip("+<>|-").strip()
        if "|" in mode[:2]:
            if len(after) > 1 and not attached:
                yield CodeCall(self.through, tuple(after))
            else:
                yield CodeCall(self.through, text=attached or (after[0] if after else HOLE))
        elif ">" in mode[:2] or mode.startswith("+"):
            path = attached.lstrip("&=").strip() if attached and not after else "".join(after[:1])
            if path and HOLE not in path and not mode.startswith((">&", ">>&")):
                yield CodeCall(self.through, ("tee", path))

    def _started_by(self, name: str, arguments: list[Literal]) -> Iterator[CodeCall]:
        effect = CALLS[name]
        if effect in {"write", "open"}:
            yield from self._written_by(name, arguments)
            return
        if name in {"open2", "open3"}:
            arguments = arguments[2 + (name == "open3") :]
        if self.language is PHP or name == "do_shell_script":
            # The arguments after the command are descriptors and results.
            arguments = arguments[:1] if effect == "start" else arguments
        if effect != "start":
            flags = ("rm", "-rf") if effect == "delete a tree" else ("rm",)
            first = arguments[0] if arguments else None
            targets = first if isinstance(first, list) else [HOLE if first is None else first]
            if self.language in {PERL, PHP} and len(arguments) > 1:
                targets = [*targets, *(text for text in arguments[1:] if isinstance(text, str))]
            yield CodeCall(self.through, (*flags, *targets))
            return
        if name.startswith("os.spawn"):
            arguments = arguments[1:]
        yield from self._process(name, arguments)

    def _process(self, name: str, arguments: list[Literal]) -> Iterator[CodeCall]:
        first = arguments[0] if arguments else None
        if isinstance(first, list):
            yield CodeCall(self.through, tuple(first) or (HOLE,))
            return
        if first is None:
            yield CodeCall(self.through, (HOLE,))
            return
        second = arguments[1] if len(arguments) > 1 else None
        is_vector = re.search(r"os\.(exec|spawn|posix)", name) is not None
        if isinstance(second, list):
            yield CodeCall(self.through, (first, *(second[1:] if is_vector else second)))
            return
        more = [text for text in arguments[1:] if isinstance(text, str)]
        if more and (
            is_vector or self.language in {PERL, RUBY} or name.endswith("create_subprocess_exec")
        ):
            yield CodeCall(self.through, (first, *(more[1:] if is_vector else more)))
            return
        yield CodeCall(self.through, text=first)

    def _arguments(self, tokens: list[re.Match[str]], at: int, *, has_paren: bool) -> list[Literal]:
        found: list[Literal] = []
        while at < len(tokens) and len(found) < MAX_ITEMS:
            mark = tokens[at]["mark"]
            if mark in {")", ";", "}"} or (not has_paren and mark == "="):
                break
            keyword = tokens[at]["name"] if at + 1 < len(tokens) else None
            is_keyword = bool(keyword) and tokens[at + 1]["mark"] == "="
            value, at = self._value(tokens, at + 2 if is_keyword and at + 2 < len(tokens) else at)
            if keyword == "mode" and is_keyword:
                found += [None] * (1 - len(found))
            if not is_keyword or keyword in {"args", "cmd", "path", "mode", "file"}:
                found.append(value)
            if at < len(tokens) and tokens[at]["mark"] == ",":
                at += 1
            else:
                break
        return found

    def _value(
        self, tokens: list[re.Match[str]], at: int, *, stops_at_line: bool = False
    ) -> tuple[Literal, int]:
        """Read one expression; only concatenated literals and known names have a known value."""
        token = tokens[at]
        if token["mark"] in {"[", "("}:
            value, at = self._list(tokens, at)
        elif token["mark"] == "{" and self.language is NODE:
            value, at = self._options(tokens, at)
        elif (text := self._string(token)) is not None:
            value, at = text, at + 1
        elif token["name"]:
            value, at = self._named(tokens, at)
        else:
            value = None
        return self._finish_expression(value, tokens, at, stops_at_line=stops_at_line)

    def _named(self, tokens: list[re.Match[str]], at: int) -> tuple[Literal, int]:
        """Read a name: a known variable, or a call that returns its argument."""
        name = self._resolve(tokens[at]["name"])
        is_call = at + 1 < len(tokens) and tokens[at + 1]["mark"] == "("
        if not is_call or CALLS.get(name) != "same path":
            known = None if is_call else self.values.get(name.lstrip("$"))
            return known, at + 1
        arguments = self._arguments(tokens, at + 2, has_paren=True)
        while at < len(tokens) and tokens[at]["mark"] != ")":
            at += 1
        texts = [text if isinstance(text, str) else HOLE for text in arguments]
        if name in {"Path.home", "pathlib.Path.home", "os.homedir", "Dir.home"}:
            texts = ["~"]
        return "/".join(texts).replace("//", "/") if texts else None, at + 1

    def _finish_expression(
        self, value: Literal, tokens: list[re.Match[str]], at: int, *, stops_at_line: bool
    ) -> tuple[Literal, int]:
        """Read to the end of the expression: adjacent or added strings are one string."""
        level = 0
        limit = at + MAX_EXPRESSION
        while at < len(tokens):
            if at > limit:
                return None, at
            self.work += 1
            if self.work > MAX_TOKENS:
                raise TooLongError
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

    def _options(self, tokens: list[re.Match[str]], at: int) -> tuple[Literal, int]:
        """``{args: […]}``: the argument list in an options object."""
        level, found = 0, None
        limit = at + MAX_EXPRESSION
        while at < min(len(tokens), limit):
            mark = tokens[at]["mark"]
            level += (mark == "{") - (mark == "}")
            if not level:
                return found, at + 1
            names = tokens[at]["name"] in {"args", "cmd"} and at + 2 < len(tokens)
            if names and tokens[at + 1]["mark"] == ":" and tokens[at + 2]["mark"] == "[":
                found, at = self._list(tokens, at + 2)
            else:
                at += 1
        return found, at

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

    def _awk_pipe(self, tokens: list[re.Match[str]], at: int) -> Iterator[CodeCall]:
        """``"cmd" | getline`` and ``print | "cmd"``."""
        before = self._string(tokens[at - 1]) if at else None
        after = self._string(tokens[at + 1]) if at + 1 < len(tokens) else None
        if after:
            yield CodeCall(self.through, text=after)
        elif before and at + 1 < len(tokens) and tokens[at + 1]["name"] == "getline":
            yield CodeCall(self.through, text=before)


def _is_groovy_execute(tokens: list[re.Match[str]], at: int) -> bool:
    """``"text".execute()``."""
    return (
        at + 2 < len(tokens)
        and bool(tokens[at]["string"])
        and tokens[at + 1]["mark"] == "."
        and tokens[at + 2]["name"] == "execute"
    )
