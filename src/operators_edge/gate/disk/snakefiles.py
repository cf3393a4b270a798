"""What a run of Snakemake does: the commands, the Python and the scripts of its rules, and what it ends with.

Owns the parts of a Snakefile, and which of its rules a run may need: that depends on the files there,
so all count that others may ask for. Pure but for ``Facts``. Does not own what the commands do.
"""

from __future__ import annotations

import ast
import os.path
import re

from operators_edge.cached import cached_property
from operators_edge.gate.disk.search import Piece, SearchPart
from operators_edge.shell.code.bracketed import upto
from operators_edge.shell.code.comments import HASH, without_comments
from operators_edge.shell.commands import HOLE, quoted
from operators_edge.text import yaml_values
from operators_edge.text.lines import line_at
from operators_edge.text.patterns import blanked, pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

_BLOCK = pattern(
    r"(?m)^(?P<head>(?P<indent>[ \t]*)"
    r"(?:(?P<kind>rule|checkpoint|onsuccess|onerror|onstart|use rule|module)\b"
    r"[ \t]*(?P<name>\w*)[^\n]*:|(?P<word>include|configfile|workdir|pepfile|container|envvars|localrules"
    r"|wildcard_constraints|ruleorder|report|storage|scattergather|singularity|containerized|conda|subworkflow)\b[^\n]*))"
)
_INCLUDE = pattern(r"(?m)^[ \t]*include:\s*[\"']([^\"'\n]+)[\"']")
_CONFIG = pattern(r"(?m)^[ \t]*configfile:\s*[\"']([^\"'\n]+)[\"']")
_SET = pattern(
    r"(?m)^(?:[ \t]*(?P<name>[A-Za-z_]\w*)[ \t]*=(?!=)[ \t]*(?P<value>[^\n]+)|(?:import|from)[ \t][^\n]+)$"
)
_KEY = pattern(r"(?m)^[ \t]+(?P<key>\w+):")
_SHELL = pattern(r"\bshell\s*\(")
_TEXT = pattern(
    r"[fr]*(\"\"\"[\s\S]*?\"\"\"|'''[\s\S]*?'''|\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*')"
)
_PUT_IN = pattern(r"\{\{|\}\}|\{([^{}\n]*)\}")
_FIELD = pattern(r"([A-Za-z_]\w*)((?:\.\w+|\[[^\]\n]*\])*)\s*(?:![rsa])?(?::[^\n]*)?")
"""``{OUT:q}``, ``{config[dirs][out]}``, ``{params.out}``: a name, and what is taken of its value."""
_OF_VALUE = pattern(r"\.(\w+)|\[\s*[\"']?([^\]\"']*)[\"']?\s*\]")
_SCRIPTS = {".py": "python", ".R": "Rscript", ".sh": "bash", ".jl": "julia"}
_USUAL = ("Snakefile", "snakefile", "workflow/Snakefile", "workflow/snakefile")
_MAX_FILES = 60
_ENDS = ("onsuccess", "onerror", "onstart")


class Workflow(SearchPart):
    """The workflow that one command runs."""

    def pieces(self, path: str, text: str) -> Iterator[Piece]:
        files = self._files(path, text)
        heads = (one for text in files.values() for one in _BLOCK.finditer(text))
        first = next((one["name"] for one in heads if one["kind"] == "rule"), "")
        names = _Names(self._config(files), _setting(files.values()), first)
        asked = [one.text for one in self.inv.operands]
        for file, code in files.items():
            yield from self._of_file(file, code, names, asked)
        yield from self._profiles()

    def _profiles(self) -> Iterator[Piece]:
        """Where the jobs run, as a profile has it."""
        named = [one.text for one in self.inv.values(("--profile", "--workflow-profile"))]
        usual = ["profiles/default", "workflow/profiles/default"]
        homes = [f"{self.context.home}/.config/snakemake/{one}" for one in named]
        for folder in (*named, *homes, *usual):
            for path in self.search.files_below(self.search.path(folder), "config*.yaml"):
                values = yaml_values.read(self.follower.read(path, self.context) or "")
                executor = values.get("executor") if isinstance(values, dict) else None
                if isinstance(executor, str):
                    line = getattr(values, "lines", {}).get("executor", 1)
                    run = quoted(["snakemake", "--executor", executor])
                    yield Piece(path, run, line, folder=self.folder, is_direct=False)

    def _files(self, path: str, text: str) -> dict[str, str]:
        found = {path: without_comments(text, HASH)}
        left = [path]
        while left and len(found) < _MAX_FILES:
            here = left.pop(0)
            for name in _INCLUDE.findall(found[here]):
                other = self.search.path(os.path.join(os.path.dirname(here), name))
                read = (
                    self.follower.read(other, self.context)
                    if other and other not in found
                    else None
                )
                if other and read is not None:
                    found[other] = without_comments(read, HASH)
                    left.append(other)
        return found

    def _config(self, files: dict[str, str]) -> dict[str, Any]:
        """The settings of the files that the workflow or the line names, and those of the line."""
        named = [name for text in files.values() for name in _CONFIG.findall(text)]
        named += [one.text for one in self.inv.values(("--configfile", "--configfiles"))]
        found: dict[str, Any] = {}
        for name in named:
            path = self.search.path(name)
            values = yaml_values.read(
                (self.follower.read(path, self.context) if path else "") or ""
            )
            found |= values if isinstance(values, dict) else {}
        given = [one.text.partition("=") for one in self.inv.values(("--config", "-C"))]
        return {**found, **{name: value for name, _, value in given}}

    def _of_file(self, path: str, code: str, names: _Names, asked: list[str]) -> Iterator[Piece]:
        rest = code
        for one in _BLOCK.finditer(code):
            end = _end_of(code, one)
            block = code[one.end() : end]
            rest = rest[: one.start()] + blanked(code[one.start() : end]) + rest[end:]
            line = code.count("\n", 0, one.end())
            if one["kind"] in _ENDS:
                yield self._python(path, block, line, names)
            elif one["kind"] and self._may_run(one, block, names, asked):
                yield from self._of_rule(path, block, line, names.with_params(block))
        yield self._python(path, rest, 0, names)

    def _may_run(self, head: re.Match[str], block: str, names: _Names, asked: list[str]) -> bool:
        """Whether a run may need a rule: the first one, one that is asked for, or one that makes a file."""
        if head["kind"] not in ("rule", "checkpoint"):
            return False
        makes = any(one["key"] == "output" for one in _KEY.finditer(block))
        return makes or head["name"] in asked or (not asked and head["name"] == names.first)

    def _of_rule(self, path: str, block: str, line: int, names: _Names) -> Iterator[Piece]:
        heads = list(_KEY.finditer(block))
        indent = min((len(one[0]) - len(one[0].lstrip()) for one in heads), default=0)
        heads = [one for one in heads if len(one[0]) - len(one[0].lstrip()) == indent]
        for one, following in zip(heads, [*heads[1:], None], strict=True):
            value = block[one.end() : following.start() if following else len(block)]
            at = line + line_at(block, one.end())
            if one["key"] == "shell":
                yield self._shell(path, _joined(value), at, names)
            elif one["key"] == "run":
                yield self._python(path, value, at - 1, names)
            elif one["key"] == "script":
                yield self._script(path, _joined(value), at)

    def _script(self, path: str, name: str, line: int) -> Piece:
        place = self.search.path(os.path.join(os.path.dirname(path), name)) or name
        program = _SCRIPTS.get(os.path.splitext(name)[1], "")
        run = quoted([program, place]) if program and HOLE not in name else ""
        return Piece(path, run, line, folder=self.folder, is_direct=False)

    def _shell(self, path: str, text: str, line: int, names: _Names) -> Piece:
        assigned = self.search.environment()
        run = names.filled(text)
        return Piece(path, run, line, folder=self.folder, assigned=assigned, is_direct=False)

    def _python(self, path: str, block: str, line: int, names: _Names) -> Piece:
        """Python of a workflow, in which ``shell`` starts what it gets."""
        code = _dedented(block)
        starts = [one.start() for one in _SHELL.finditer(code)]
        for at in reversed(starts):
            head = code.index("(", at)
            given = upto(code, ")", head + 1)
            run = repr(names.filled(_joined(given)))
            more = "\n" * given.count("\n")
            code = f"{code[:at]}__import__('os').system({run}{more}){code[head + 2 + len(given) :]}"
        first = names.assignments(code)
        numbers = (*(line + 1,) * first.count("\n"), *range(line + 1, line + 2 + code.count("\n")))
        code = first + code
        return Piece(
            path, code, program="python", folder=self.folder, is_direct=False, numbers=numbers
        )


class _Names:
    """What the names of a workflow stand for in its commands; ``code`` is the Python that sets them."""

    def __init__(self, config: dict[str, Any], code: list[str], first: str = "") -> None:
        self.code = [f"config = {config!r}", *filter(_is_python, code)]
        self.first = first

    @cached_property
    def values(self) -> dict[str, Any]:
        from operators_edge.shell.code.python.trace import names_in  # noqa: PLC0415 - slow to import

        return names_in("\n".join(self.code))

    def with_params(self, block: str) -> _Names:
        """The names in the commands of a rule, which has parameters of its own."""
        for one in _KEY.finditer(block):
            if one["key"] == "params":
                end = _KEY.search(block, one.end())
                given = _SET.finditer(block[one.end() : end.start() if end else len(block)])
                own = [f"{_PARAMS}{each['name']} = {each['value'].rstrip(', ')}" for each in given]
                inner = _Names({}, own, self.first)
                inner.code = [*self.code, *inner.code[1:]]
                return inner
        return self

    def filled(self, text: str) -> str:
        """A command with what is put into it; an unknown word where that is not known."""
        return _PUT_IN.sub(
            lambda one: self._put_in(one[1]) if one[1] is not None else one[0][0], text
        )

    def assignments(self, code: str) -> str:
        """Lines of Python that give the names in a code their values, as far as they are known texts."""
        return "".join(
            f"{name} = {value!r}\n"
            for name, value in (self.values.items() if self.code[1:] else ())
            if isinstance(value, str)
            and re.search(rf"\b{name}\b", code)
            and not re.search(rf"(?m)^[ \t]*{name}[ \t]*=(?!=)", code)
        )

    def _put_in(self, field: str) -> str:
        found = _FIELD.fullmatch(field.strip().replace("params.", _PARAMS))
        value = self.values.get(found[1]) if found else None
        for one, other in _OF_VALUE.findall(found[2]) if found else ():
            value = value.get(one or other) if isinstance(value, dict) else None
        return str(value) if isinstance(value, (str, int, float)) else HOLE


_PARAMS = "params_"
"""What the name of a parameter of a rule begins with here."""


def _is_python(line: str) -> bool:
    try:
        ast.parse(line)
    except (SyntaxError, ValueError, RecursionError):
        return False
    return True


def _setting(files: Iterable[str]) -> list[str]:
    """The lines that set names, each of them once, and those that import."""
    given: dict[str, list[str]] = {}
    for one in (one for text in files for one in _SET.finditer(text)):
        given.setdefault(one["name"] or one[0], []).append(one[0].strip())
    return [lines[0] for lines in given.values() if len(lines) == 1]


def _end_of(code: str, head: re.Match[str]) -> int:
    """Where a block ends: before the next line that is no deeper than its head."""
    depth = len(head["indent"])
    following = re.compile(rf"(?m)^[ \t]{{0,{depth}}}(?![ \t\n])").search(code, head.end() + 1)
    return following.start() if following else len(code)


def _joined(value: str) -> str:
    """The text that stands in a value, over several lines."""
    found = []
    for one in _TEXT.findall(value):
        is_long = one[:3] in ('"""', "'''")
        found.append(one[3:-3] if is_long else one[1:-1].replace('\\"', '"').replace("\\'", "'"))
    return "".join(found).replace("\\\n", "\n")


def _dedented(block: str) -> str:
    lines = block.split("\n")
    depths = [len(one) - len(one.lstrip()) for one in lines if one.strip()]
    depth = min(depths, default=0)
    return "\n".join(one[depth:] if one.strip() else "" for one in lines)


# end of module
