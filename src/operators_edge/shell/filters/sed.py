"""What sed prints of a known text.

Owns addresses, ranges and groups, and ``p``, ``d``, ``q`` and ``s``: what takes lines out of a file. Any
other command raises ValueError, so that nothing is known of a script that starts a program or writes a file.
Does not own what such a script does (``shell.code.scripts``).
"""

from __future__ import annotations

import re

from operators_edge.shell.filters.text_lines import (
    Filter,
    LinePattern,
    line_pattern,
    lines_of,
    options_of,
)
from operators_edge.text.patterns import pattern
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_ADDRESS = pattern(r"\s*(?:(\d{1,6})|(\$)|/((?:[^/\\\n\[]|\\.|\[\^?\]?[^\]\n]*\])*)/(I?))\s*")
_BLANK = pattern(r"[\s;]*")
_COMMA = pattern(r",")
_NOT = pattern(r"[ \t]*!\s*")
_REPLACES = pattern(
    r"s([/|#,@:%])((?:(?!\1)[^\\\n]|\\.)*)\1((?:(?!\1)[^\\\n]|\\[&/\\|#,@:%1-9])*)\1([gIip]*)"
)
_END = pattern(r"[ \t]*(?:[;\n]\s*|(?=\})|\Z)")
_GROUP_PART = pattern(r"\\(.)|(&)|([^\\&]+)", re.DOTALL)


class _Line(NamedTuple):
    """The line that is being edited."""

    number: int
    text: str
    is_last: bool


class _Address:
    """One line by its number, the last one, or those that a pattern finds; without one, the last used."""

    def __init__(self, found: re.Match[str], *, is_extended: bool) -> None:
        number, last, source, flag = found.groups()
        self.number = int(number) if number else 0
        self.is_last = bool(last)
        self.takes_last_used = source == ""
        self.pattern: LinePattern | None = None
        if source:
            plain = source.replace("\\/", "/")
            self.pattern = line_pattern(plain, ignores_case=bool(flag), is_extended=is_extended)
        if number and not self.number:
            raise ValueError(found[0])

    @property
    def is_pattern(self) -> bool:
        return self.takes_last_used or self.pattern is not None


class _Step:
    """One command of a script: the lines that it is for, and what it does to them."""

    def __init__(self, first: _Address | None, last: _Address | None, *, is_not: bool) -> None:
        self.first = first
        self.last = last
        self.is_not = is_not
        self.is_open = self.was_met = False
        self.verb = ""
        self.steps: list[_Step] = []
        self.search: LinePattern | None = None
        self.parts: list[str | int] = []
        self.flags = ""

    def replaced(self, text: str) -> tuple[str, bool]:
        if self.search is None:
            return text, False
        self.search.search(text)
        new, number = self.search.compiled.subn(self._filled, text, int("g" not in self.flags))
        return new, number > 0

    def _filled(self, found: re.Match[str]) -> str:
        return "".join(one if isinstance(one, str) else found[one] or "" for one in self.parts)


class _Parser:
    def __init__(self, script: str, *, is_extended: bool) -> None:
        self.script = script
        self.is_extended = is_extended
        self.at = 0

    def steps(self, *, is_inside: bool = False) -> list[_Step]:
        found: list[_Step] = []
        while True:
            self._take(_BLANK)
            if self.script[self.at : self.at + 1] == ("}" if is_inside else ""):
                self.at += is_inside
                return found
            found.append(self._step(is_inside=is_inside))

    def _take(self, what: re.Pattern[str]) -> re.Match[str] | None:
        found = what.match(self.script, self.at)
        self.at = found.end() if found else self.at
        return found

    def _address(self) -> _Address | None:
        found = self._take(_ADDRESS)
        return _Address(found, is_extended=self.is_extended) if found else None

    def _step(self, *, is_inside: bool) -> _Step:
        first = self._address()
        is_range = first is not None and self._take(_COMMA) is not None
        last = self._address() if is_range else None
        step = _Step(first, last, is_not=self._take(_NOT) is not None)
        if is_range and (last is None or is_inside):
            raise ValueError(self.script)
        step.verb = self.script[self.at : self.at + 1]
        if step.verb == "{":
            self.at += 1
            step.steps = self.steps(is_inside=True)
        elif step.verb == "s":
            self._replacement(step)
        elif step.verb in {"p", "d"} or (step.verb == "q" and not is_range):
            self.at += 1
        else:
            raise ValueError(self.script)
        if self._take(_END) is None:
            raise ValueError(self.script)
        return step

    def _replacement(self, step: _Step) -> None:
        found = self._take(_REPLACES)
        if found is None:
            raise ValueError(self.script)
        mark, search, text, step.flags = found.groups()
        plain = search.replace(f"\\{mark}", mark)
        ignores_case = "i" in step.flags.lower()
        step.search = line_pattern(plain, ignores_case=ignores_case, is_extended=self.is_extended)
        matches_nothing = step.search.compiled.match("") is not None and search[:1] != "^"
        if not step.search.is_extent_known or (matches_nothing and "g" in step.flags):
            raise ValueError(self.script)
        for escaped, whole, other in _GROUP_PART.findall(text):
            step.parts.append(
                0 if whole else int(escaped) if escaped.isdigit() else escaped or other
            )
        most = max((one for one in step.parts if isinstance(one, int)), default=0)
        if most > step.search.compiled.groups:
            raise ValueError(self.script)


class _Run:
    """One run of a script over a text."""

    def __init__(self, steps: Sequence[_Step], *, is_quiet: bool) -> None:
        self.steps = steps
        self.is_quiet = is_quiet
        self.printed: list[str] = []
        self.last_used: LinePattern | None = None
        self.is_ended = False

    def text(self, text: str) -> str:
        lines = lines_of(text)
        before = 0
        for number, one in enumerate(lines, 1):
            before = len(self.printed)
            line = _Line(number, one, number == len(lines))
            left, is_kept = self._run(self.steps, line)
            if is_kept and not self.is_quiet:
                self.printed.append(left.text)
            if self.is_ended:
                break
        whole = "".join(f"{one}\n" for one in self.printed)
        # A last line without an end is printed without one.
        is_cut = not text.endswith("\n") and not self.is_ended and len(self.printed) > before
        return whole[:-1] if is_cut else whole

    def _run(self, steps: Sequence[_Step], line: _Line) -> tuple[_Line, bool]:
        """Run steps on a line; return it, and whether it is still printed at the end."""
        for step in steps:
            if self._holds(step, line) == step.is_not:
                continue
            if step.verb == "s":
                self.last_used = step.search
                text, is_new = step.replaced(line.text)
                line = line._replace(text=text)
                self.printed += [text] if is_new and "p" in step.flags else []
            elif step.verb == "p":
                self.printed.append(line.text)
            elif step.verb == "{":
                line, is_kept = self._run(step.steps, line)
                if not is_kept or self.is_ended:
                    return line, is_kept
            else:
                self.is_ended = step.verb == "q"
                return line, self.is_ended
        return line, True

    def _finds(self, address: _Address, line: _Line) -> bool:
        if address.is_pattern:
            self.last_used = address.pattern or self.last_used
            if self.last_used is None:
                raise ValueError(line)
            return self.last_used.finds(line.text)
        return line.is_last if address.is_last else line.number == address.number

    def _holds(self, step: _Step, line: _Line) -> bool:
        first, last = step.first, step.last
        if first is None:
            return True
        if last is None:
            return self._finds(first, line)
        if step.is_open:
            if last.number and line.number > last.number:  # it was not asked about the last line
                raise ValueError(line)
            step.is_open = not self._finds(last, line)
            return True
        if first.number and line.number > first.number:
            if not step.was_met:  # a step before has ended the work on that line
                raise ValueError(line)
            return False
        if not self._finds(first, line):
            return False
        step.was_met = True
        is_one = (last.number and last.number <= line.number) or (last.is_last and line.is_last)
        step.is_open = not is_one
        return True


def sed(arguments: Sequence[str]) -> Filter:
    """Return what sed does with these arguments."""
    options, operands = options_of(arguments, "nEr", "e")
    scripts = options["e"] if "e" in options else [operands.pop(0)]
    is_extended = not {"E", "r"}.isdisjoint(options)
    script = "\n".join(scripts)
    parser = _Parser(script, is_extended=is_extended)
    parser.steps()

    def apply(text: str) -> str | None:
        steps = _Parser(script, is_extended=is_extended).steps()
        return _Run(steps, is_quiet="n" in options).text(text)

    return Filter(apply, tuple(operands))


# end of module
