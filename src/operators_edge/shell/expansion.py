"""Takes one raw command apart: assignments, words, redirects and its standard input.

Owns the order of these steps, and the effect of an assignment on the scope. Does not own what the command
then does (``shell.evaluate``), nor the expansion of one word (``shell.words``).
"""

from __future__ import annotations

import re
import shlex

from operators_edge.shell.builtins import declaring
from operators_edge.shell.commands import HOLE, Redirect, Word
from operators_edge.shell.quoting import mask
from operators_edge.shell.scope import Stream, descriptor
from operators_edge.shell.syntax import UNKNOWN
from operators_edge.shell.words import MAX_VALUE, Expander
from operators_edge.text.patterns import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from operators_edge.shell.evaluate import Evaluator
    from operators_edge.shell.quoting import Heredoc
    from operators_edge.shell.scope import Value
    from operators_edge.shell.syntax import Frame, Source

MAX_REDIRECTS = 100
"""Redirects of one command; more of them stop the reading of the text."""
MAX_WORK = 2 * 1024 * 1024
"""Characters of all expanded words together; more of them stop the reading of the text."""

_TOKEN = pattern(r"(\d*)(&>>|&>|<<<|>>|>\||>&|<&|<>|>|<)|([^\s<>&|;]+)")
_ASSIGNMENT = pattern(r"([A-Za-z_]\w*)(?:\[([^\]]*)\])?(\+?)=")
_ADDRESS = pattern(r"/dev/(?:tcp|udp)/")
_NAMES_OF_COMMANDS = frozenset(["BASH_ALIASES", "BASH_CMDS"])
_KEYED = pattern(r"\[([^\]]+)\]=")
_NAME_BEFORE_TILDE = pattern(r"(?:\"[^\"~]*\"|\$\w+|\$\{\w+\})(?=~)")
_TAKE_FILES = frozenset(["mv", "cp", "rm", "ln"])
"""Programs that take names of files as they are; a shell would expand what is left of a name once more."""
_LEADING = frozenset(["!", "{", "}", "then", "do", "else", "elif", "if", "while", "until"])


class CommandParts:
    """A raw command taken apart: assignments, words, redirects and standard input."""

    def __init__(self) -> None:
        self.assigns: list[tuple[str, Word]] = []
        self.previous: list[tuple[str, Value | None]] = []
        self.declared: list[tuple[str, Value | None]] = []
        """Variables that ``export`` and the like set, with their values before."""
        self.words: list[Word] = []
        self.redirects: list[Redirect] = []
        self.descriptors: dict[int, Stream] = {}
        self.first: tuple[int, int] = (0, 0)
        self.has_more_words = False

    @property
    def stdin(self) -> Stream | None:
        return self.descriptors.get(0)


class CommandParser:
    """Takes a command of one source apart, in one frame."""

    def __init__(self, evaluator: Evaluator, source: Source, frame: Frame) -> None:
        self.evaluator = evaluator
        self.source = source
        self.frame = frame
        self.scope = frame.scope
        self.expansion = Expander(evaluator, source, frame)
        self.parts = CommandParts()

    def parse(self, start: int, end: int, *, takes_assigns: bool = True) -> CommandParts:
        source, parts, words = self.source, self.parts, self.expansion
        target: tuple[str, str] | None = None
        named = ""
        for match in _TOKEN.finditer(source.masked, start, end):
            at, stop = match.span()
            if match[2]:
                heredoc = source.heredocs.get(match.start(2))
                target = (named or match[1], match[2])
                named = ""
                if heredoc:
                    self._open(target, self._heredoc(heredoc))
                    target = None
                continue
            raw = source.text[at:stop]
            if at - 1 in source.heredocs:
                continue
            if _is_descriptor(raw, source.masked, stop):
                named = raw[1:-1]
                continue
            if target is not None:
                name = _file_name(raw, words.value(raw, at))
                self._redirect(target, name, source.span_of(at, stop))
                target = None
            elif takes_assigns and not parts.words and (assignment := _ASSIGNMENT.match(raw)):
                self._assign(assignment, raw, at)
            elif not takes_assigns or parts.words or raw not in _LEADING:
                if not parts.words:
                    parts.first = (at, stop)
                    self._restore_variables()
                self._word(raw, at, source.span_of(at, stop))
        parts.has_more_words = words.has_more_words
        return parts

    def _heredoc(self, heredoc: Heredoc) -> Stream:
        body = heredoc.body(self.source.text)
        if not heredoc.is_quoted:
            body = self.expansion.body(body, heredoc.start)
        self.evaluator.spend(len(body))
        return Stream(body, "", "text")

    def _restore_variables(self) -> None:
        """Undo assignments before a command: they are for that command only."""
        for name, value in reversed(self.parts.previous):
            if value is None:
                self.scope.values.pop(name, None)
            else:
                self.scope.set(name, value)
        self.parts.previous.clear()

    def _word(self, raw: str, at: int, span: tuple[int, int]) -> None:
        parts = self.parts
        match = _ASSIGNMENT.match(raw)
        declares = declaring(parts.words) if match and parts.words else None
        if match and declares is not None:
            if "{" in raw and len(found := self._expand(raw, at, span)) > 1:
                # Braces make several words of it, each of which sets a variable.
                for name, _, value in (word.text.partition("=") for word in found):
                    self.scope.set(name, value)
                parts.words += found
                return
            self._declare(match, raw, at)
            text = self.scope.get(match[1]) or ""
            options = parts.words[declares + 1 : declares + 9]
            flags = "".join(word.text[1:] for word in options if word.text[:1] == "-")
            if "n" in flags and parts.words[declares].text != "export":
                self.scope.add_reference(match[1], text)
            elif "i" in flags:
                self.expansion.compute(text)
                self.scope.set(match[1], HOLE)
            elif any(flag in flags for flag in "lu"):
                self.scope.set(match[1], HOLE)  # its case is changed
            parts.words.append(Word(match[0] + text, span))
            return
        found = self._expand(raw, at, span)
        if "~" in raw and parts.words and parts.words[0].text in _TAKE_FILES:
            if raw.endswith("{~,}") and [word.text for word in found] == ["~", ""]:
                found[0] = found[0]._replace(text="./~")
            found = [word._replace(text=_file_name(raw, word.text)) for word in found]
        parts.words += found

    def _expand(self, raw: str, at: int, span: tuple[int, int]) -> list[Word]:
        found = self.expansion.expand(raw, at, span)
        self.evaluator.spend(sum(len(word.text) + 1 for word in found))
        return found

    def _assign(self, match: re.Match[str], raw: str, at: int) -> None:
        name = match[1]
        self.parts.previous.append((name, self.scope.values.get(name)))
        self._set(match, raw, at)
        value = self.scope.get(name)
        word = Word(HOLE if value is None else value, self.source.span_of(at, at + len(raw)))
        self.parts.assigns.append((name, word))

    def _declare(self, match: re.Match[str], raw: str, at: int) -> None:
        """Set a variable whose value is worked out before the command sets any other."""
        values, name = self.scope.values, self.scope.resolve_name(match[1])
        earlier = list(self.parts.declared) if "$" in raw else []
        now = {one: values.get(one) for one, _ in earlier}
        _put_back(values, reversed(earlier))
        self.parts.declared.append((name, values.get(name)))
        self._set(match, raw, at)
        _put_back(values, ((one, value) for one, value in now.items() if one != name))

    def _set(self, match: re.Match[str], raw: str, at: int) -> None:
        scope, name, value = self.scope, match[1], raw[match.end() :]
        if name in _NAMES_OF_COMMANDS:
            self._name_commands(match, value, at)
        elif match[2] is not None:
            index = self.expansion.value(match[2], at + match.start(2))
            text = self.expansion.value(value, at + match.end())
            self.expansion.compute(index)
            self.evaluator.spend(len(scope.items(name) or ()))
            scope.set_element(name, index, text, is_added=bool(match[3]))
        elif value.startswith("("):
            items = self._array(value[1:-1], at + match.end() + 1)
            before: dict[str, str] | None = {}
            if match[3]:
                known = scope.values.get(scope.resolve_name(name), HOLE)
                before = {"0": known} if isinstance(known, str) else known
            self.evaluator.spend(len(before or ()))
            is_known = (
                items is not None and before is not None and HOLE not in (*before, *before.values())
            )
            scope.set(name, _number_items(before or {}, items or []) if is_known else HOLE)
        else:
            text, choices = self.evaluator.choices.values(
                lambda: self.expansion.value(value, at + match.end())
            )
            if match[3]:
                known_text = scope.get(name)
                text = (HOLE if known_text is None else known_text) + text
            self.evaluator.spend(len(text))
            if scope.is_integer(name):
                self.expansion.compute(text)
            scope.set(name, text if len(text) <= MAX_VALUE else HOLE)
            if choices and not match[3] and name not in scope.fixed:
                scope.choices[scope.resolve_name(name)] = choices

    def _name_commands(self, match: re.Match[str], value: str, at: int) -> None:
        """``BASH_ALIASES[NAME]=TEXT`` is ``alias NAME=TEXT``, and ``BASH_CMDS`` is what ``hash -p`` sets."""
        if value.startswith("("):
            items = self._array(value[1:-1], at + match.end() + 1) or []
        else:
            items = [(match[2] or "0", self.expansion.value(value, at + match.end()))]
        for name, text in items:
            is_path = match[1] == "BASH_CMDS"
            self.scope.aliases[name.strip("\"'")] = shlex.quote(text) if is_path else text

    def _array(self, text: str, at: int) -> list[tuple[str, str]] | None:
        """Return the elements, each with its index or ""; None when they are unknown."""
        items: list[tuple[str, str]] = []
        for match in re.finditer(r"[^\s<>&|;]+", mask(text).masked):
            raw = text[match.start() : match.end()]
            keyed = _KEYED.match(raw)
            if keyed:
                index = self.expansion.value(keyed[1], at + match.start() + 1)
                value = self.expansion.value(raw[keyed.end() :], at + match.start() + keyed.end())
                if HOLE in index:
                    return None
                items.append((index.strip("\"'"), value))
                continue
            words = self._expand(raw, at + match.start(), (0, 0))
            items += [("", word.text) for word in words]
        return items

    def _redirect(self, operator: tuple[str, str], value: str, span: tuple[int, int]) -> None:
        digits, op = operator
        parts = self.parts
        self.evaluator.spend(len(value))
        if op == "<<<":
            self._open(operator, Stream(value + "\n", "", "text"))
            return
        if len(parts.redirects) >= MAX_REDIRECTS:
            self.evaluator.spend(MAX_WORK)
        number = descriptor(value) if op[:1] == ">" else None
        copied = self._duplicated(">&", str(number)) if number is not None else None
        value = (copied and copied.path) or value
        stream = self._opened(op, value)
        if stream is not None:
            self._open(operator, stream)
            if op in {"<&", ">&"} and stream.path:
                # What is said of a file or an address is said of its copy, too. It is not emptied again.
                writes = ">" if _ADDRESS.match(stream.path) else ">>"
                op, value = "<" if op == "<&" else writes, stream.path
        fd = int(digits[:4]) if digits.isdigit() else None
        parts.redirects.append(Redirect(op, Word(value, span), fd))

    def _opened(self, op: str, value: str) -> Stream | None:
        """Return what a redirect opens; None for output to an unknown place."""
        if op in {"<&", ">&"}:
            return self._duplicated(op, value)
        if _ADDRESS.match(value):
            return Stream(None, "/dev/tcp", "pipe", value)
        if op not in {"<", "<>"}:
            return Stream(None, "", "file", value)
        known = self.evaluator.files.read(value, self.scope)
        if known is not None and (known.kind == "pipe" or known.text is not None):
            return known
        # Who opens a file to write and to read it means a pipe.
        return (
            Stream(None, "mkfifo", "pipe", value) if op == "<>" else Stream(None, "", "file", value)
        )

    def _duplicated(self, op: str, value: str) -> Stream | None:
        number = value.removesuffix("-")
        if not number:
            return Stream("", "", "text")
        if not number.isdigit():
            return UNKNOWN if op == "<&" else None
        if int(number) == 0 and op == "<&":
            return self.parts.stdin or self.frame.input
        known = self.parts.descriptors.get(
            int(number[:4]), self.scope.descriptors.get(int(number[:4]))
        )
        return known or (UNKNOWN if op == "<&" and number not in "012" else None)

    def _open(self, operator: tuple[str, str], stream: Stream) -> None:
        digits, op = operator
        if digits and not digits.isdigit():
            # ``{name}<``: the shell picks a number, and keeps it open.
            number = self.scope.free_descriptor()
            self.scope.set(digits, str(number))
            self.scope.descriptors[number] = stream
            return
        number = int(digits[:4]) if digits else 0 if op[0] == "<" else 1
        if number not in {1, 2}:
            self.parts.descriptors[number] = stream


def _number_items(before: dict[str, str], items: list[tuple[str, str]]) -> dict[str, str]:
    """Return an array with more elements; elements without an index follow the last number."""
    elements = dict(before)
    number = max((int(key) for key in elements if key.isdigit()), default=-1)
    for index, text in items:
        number = int(index) if index.isdigit() else number + (not index)
        elements[index or str(number)] = text
    return elements


def _file_name(raw: str, text: str) -> str:
    """The name of the file ``~`` where the name before the sign is empty: ``"$X"~`` is never the home."""
    name = _NAME_BEFORE_TILDE.match(raw) if text[:1] == "~" else None
    return f"./{text}" if name is not None and text == raw[name.end() :] else text


def _is_descriptor(raw: str, masked: str, stop: int) -> bool:
    """Whether it is the ``{fd}`` of ``{fd}>file``: a variable for the descriptor."""
    return masked[stop : stop + 1] in {"<", ">"} and re.fullmatch(r"\{\w+\}", raw) is not None


def _put_back(values: dict[str, Value], earlier: Iterable[tuple[str, Value | None]]) -> None:
    for name, value in earlier:
        if value is None:
            values.pop(name, None)
        else:
            values[name] = value


# end of module
