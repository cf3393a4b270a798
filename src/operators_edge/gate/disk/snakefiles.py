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
_INCLUDE = pattern(r"(?m)^(?P<in>[ \t]*)(?:include|snakefile):\s*(?P<value>[^\n]+)")
_CONFIG = pattern(r"(?m)^[ \t]*configfile:\s*[\"']([^\"'\n]+)[\"']")
_SET = pattern(
    r"(?m)^(?:[ \t]*(?P<name>[A-Za-z_]\w*)[ \t]*=(?!=)[ \t]*(?P<value>[^\n]+)|(?:import|from)[ \t][^\n]+)$"
)
_KEY = pattern(r"(?m)^[ \t]+(?P<key>\w+):")
_SHELL = pattern(r"\bshell(?:\.prefix)?\s*\(")
_INHERITS = pattern(r"(?m)^[ \t]*use rule[ \t]+(\w+)")
_ARGUMENTS = ("input", "output", "params", "log", "resources")
"""Parts of a rule of which its commands may use the values."""
_MAKES = frozenset(("output", "benchmark", "log"))
"""Parts with files that others may need."""
_FROM_SCRIPT = pattern(
    r"\bsnakemake\.(?P<part>config|input|output|params|log)(?P<keys>(?:\.\w+|\[[^\]\n]*\])*)"
)
_FUNCTIONS = "def directory(x, *a, **k):\n    return x\n" + "".join(
    f"{one} = directory\n"
    for one in ("temp", "protected", "ancient", "touch", "expand", "report", "local", "storage")
)
"""What Snakemake says of a file in a rule: its name stays."""
_NOTHING = frozenset(
    "-n --dry-run --dryrun --dag --rulegraph --filegraph --d3dag -l --list --list-rules --lint"  # noqa: SIM905
    " --list-target-rules --summary -S -D --detailed-summary --unlock --touch -t --print-compilation"
    " --cleanup-metadata".split()
)
"""Options with which no rule runs; the Python around the rules does."""
_DELETES = ("--delete-all-output", "--delete-temp-output")
_CHOOSES = ("-R", "--forcerun", "-U", "--until", "-f", "--force", "-F", "--allowed-rules")
_TEXT = pattern(
    r"[fr]*(\"\"\"[\s\S]*?\"\"\"|'''[\s\S]*?'''|\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*')"
)
_PUT_IN = pattern(r"\{\{|\}\}|\{([^{}\n]*)\}")
_FIELD = pattern(r"([A-Za-z_]\w*)((?:\.\w+|\[[^\]\n]*\])*)\s*(?:![rsa])?(?::[^\n]*)?")
"""``{OUT:q}``, ``{config[dirs][out]}``, ``{params.out}``: a name, and what is taken of its value."""
_OF_VALUE = pattern(r"\.(\w+)|\[\s*[\"']?([^\]\"']*)[\"']?\s*\]")
_SCRIPTS = {
    ".py": ("python",),
    ".R": ("Rscript",),
    ".sh": ("bash",),
    ".jl": ("julia",),
    ".ipynb": ("jupyter", "nbconvert", "--execute"),
}
_MAX_FILES = 60
_ENDS = ("onsuccess", "onerror", "onstart")


class Workflow(SearchPart):
    """The workflow that one command runs."""

    def pieces(self, path: str, text: str) -> Iterator[Piece]:
        files = self._files(path, text)
        heads = (one for text in files.values() for one in _BLOCK.finditer(text))
        first = next((one["name"] for one in heads if one["kind"] == "rule"), "")
        names = _Names(self._config(files), _python_of(files.values()), first)
        asked = {one.text for one in (*self.inv.operands, *self.inv.values(_CHOOSES))}
        asked |= {one for _, _, values in self._profiles() for one in _texts_in(values)}
        asked |= {one for text in files.values() for one in _INHERITS.findall(text)}
        for file, code in files.items():
            yield from self._of_file(file, code, names, asked)
        for profile, line, values in self._profiles():
            executor = values.get("executor")
            if isinstance(executor, str):
                run = quoted(["snakemake", "--executor", executor])
                yield Piece(profile, run, line, folder=self.folder, is_direct=False)

    def _profiles(self) -> Iterator[tuple[str, int, dict[str, Any]]]:
        """The options of the profiles that are taken, with their files and the lines of their executors."""
        named = [one.text for one in self.inv.values(("--profile", "--workflow-profile"))]
        usual = ["profiles/default", "workflow/profiles/default"]
        homes = [f"{self.context.home}/.config/snakemake/{one}" for one in named]
        for folder in (*named, *homes, *usual):
            for path in self.search.files_below(self.search.path(folder), "config*.yaml"):
                values = yaml_values.read(self.follower.read(path, self.context) or "")
                if isinstance(values, dict):
                    yield path, getattr(values, "lines", {}).get("executor", 1), values

    def _files(self, path: str, text: str) -> dict[str, str]:
        found = {path: without_comments(text, HASH)}
        left = [path]
        while left and len(found) < _MAX_FILES:
            here = left.pop(0)
            for one in _INCLUDE.finditer(found[here]):
                for other in self._included(here, one, found[here]):
                    read = self.follower.read(other, self.context) if other not in found else None
                    if read is not None:
                        found[other] = without_comments(read, HASH)
                        left.append(other)
        return found

    def _included(self, here: str, head: re.Match[str], code: str) -> list[str]:
        """The files that a line includes: all rules beside this one, if they cannot be known."""
        folder = os.path.dirname(here)
        value = head["value"].strip()
        if not _TEXT.fullmatch(value):
            config = self._config({here: code})
            names = _Names(config, [*_python_of([code]), f"included_ = {value}"])
            found = "" if head["in"] else names.values.get("included_", "")
            value = repr(found) if isinstance(found, str) and found else ""
        name = _joined(value)
        if name and "{" not in name:
            path = self.search.path(os.path.join(folder, name))
            return [path] if path else []
        endings = ("**/*.smk", "**/*.snakefile", "**/Snakefile")
        return [one for each in endings for one in self.search.files_below(folder, each)]

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

    def _of_file(self, path: str, code: str, names: _Names, asked: set[str]) -> Iterator[Piece]:
        flags = {one.name for one in self.inv.flags}
        shows, deletes = not flags.isdisjoint(_NOTHING), not flags.isdisjoint(_DELETES)
        for one in _BLOCK.finditer(code):
            end = _end_of(code, one)
            block = code[one.end() : end]
            line = code.count("\n", 0, one.end())
            if deletes and one["kind"]:
                removed = names.with_arguments(block).filled("rm -rf {output}")
                yield Piece(path, removed, line, folder=self.folder, is_direct=False)
            elif shows or deletes:
                continue
            elif one["kind"] in _ENDS:
                yield from self._python(path, block, line, names)
            elif one["kind"] and self._may_run(one, block, names, asked):
                yield from self._of_rule(path, block, line, names.with_arguments(block))
        yield from self._python(path, _around_rules(code), 0, names)

    def _may_run(self, head: re.Match[str], block: str, names: _Names, asked: set[str]) -> bool:
        """Whether a run may need a rule: the first one, one that is asked for, or one that makes a file."""
        if head["kind"] not in ("rule", "checkpoint"):
            return False
        keys = {one["key"] for one in _KEY.finditer(f"\n {head[0].partition(':')[2]}\n{block}")}
        is_first = head["name"] == names.first and not self.inv.operands
        return not keys.isdisjoint(_MAKES | {"default_target"}) or head["name"] in asked or is_first

    def _of_rule(self, path: str, block: str, line: int, names: _Names) -> Iterator[Piece]:
        for key, value, start in _parts_of(block):
            at = line + line_at(block, start)
            if key == "shell":
                yield self._shell(path, _joined(value), at, names)
            elif key == "run":
                yield from self._python(path, value, at - 1, names)
            elif key in ("script", "notebook"):
                yield from self._script(path, names.filled(_joined(value)), at, names)

    def _script(self, path: str, name: str, line: int, names: _Names) -> Iterator[Piece]:
        place = self.search.path(os.path.join(os.path.dirname(path), name)) or name
        program = _SCRIPTS.get(os.path.splitext(name)[1], ())
        run = quoted([*program, place]) if program and HOLE not in name else ""
        yield Piece(path, run, line, folder=self.folder, is_direct=False)
        text = self.follower.read(place, self.context) if program == _SCRIPTS[".py"] else None
        code = _FROM_SCRIPT.sub(names.given_to_script, text or "")
        if text is not None and code != text:
            yield Piece(place, code, program="python", folder=self.folder, is_direct=False)

    def _shell(self, path: str, text: str, line: int, names: _Names) -> Piece:
        assigned = self.search.environment()
        run = names.filled(text)
        return Piece(path, run, line, folder=self.folder, assigned=assigned, is_direct=False)

    def _python(self, path: str, block: str, line: int, names: _Names) -> Iterator[Piece]:
        """Python of a workflow, in which ``shell`` starts what it gets, and what that runs of its modules."""
        code = _dedented(block)
        starts = [one.start() for one in _SHELL.finditer(code)]
        for at in reversed(starts):
            opens = code.index("(", at)
            given = upto(code, ")", opens + 1)
            run = repr(names.filled(_joined(given)))
            more = "\n" * given.count("\n")
            code = (
                f"{code[:at]}__import__('os').system({run}{more}){code[opens + 2 + len(given) :]}"
            )
        first = names.assignments(code)
        numbers = (*(line + 1,) * first.count("\n"), *range(line + 1, line + 2 + code.count("\n")))
        piece = Piece(
            path,
            first + code,
            program="python",
            folder=self.folder,
            is_direct=False,
            numbers=numbers,
        )
        yield piece
        yield from self._of_modules(piece, names)

    def _of_modules(self, piece: Piece, names: _Names) -> Iterator[Piece]:
        """What the Python runs in modules of the project that the workflow imports."""
        whole = "\n".join((*names.code, piece.text))
        folder = os.path.dirname(piece.path)
        if next(self.search.local_modules(folder, whole, "python"), None) is None:
            return
        from operators_edge.gate.disk import python_programs  # noqa: PLC0415 - few workflows have some
        from operators_edge.shell.code.python.trace import Start  # noqa: PLC0415 - slow to import

        left = python_programs.followed(self.search, Start(piece.path, whole, folder), piece)
        for one in left.pieces if left is not None else ():
            if one.path != piece.path:
                yield one


class _Names:
    """What the names of a workflow stand for in its commands; ``code`` is the Python that sets them."""

    def __init__(self, config: dict[str, Any], code: list[str], first: str = "") -> None:
        self.code = [f"config = {config!r}", *filter(_is_python, code)]
        self.first = first

    @cached_property
    def values(self) -> dict[str, Any]:
        from operators_edge.shell.code.python.trace import names_in  # noqa: PLC0415 - slow to import

        return names_in("\n".join(self.code))

    def with_arguments(self, block: str) -> _Names:
        """The names in the commands of a rule, which has files and parameters of its own."""
        own = [
            line
            for key, value, _ in _parts_of(block)
            if key in _ARGUMENTS
            for line in _arguments(key, value, "\n".join(self.code))
        ]
        found = _Names({}, own, self.first)
        found.code = [*self.code, _FUNCTIONS, *found.code[1:]]
        return found if own else self

    def given_to_script(self, found: re.Match[str]) -> str:
        """What a script gets as a part of ``snakemake``, as Python; the same text if it is not known."""
        part = found["part"]
        field = f"{part}{found['keys']}" if found["keys"] else part
        text = self._put_in(field)
        return found[0] if HOLE in text else repr(text)

    def filled(self, text: str) -> str:
        """A command with what is put into it; an unknown word where that is not known."""
        return _PUT_IN.sub(
            lambda one: self._put_in(one[1]) if one[1] is not None else one[0][0], text
        )

    def assignments(self, code: str) -> str:
        """Lines of Python that give the names in a code their values, as far as they are known texts."""
        return "".join(
            f"import pathlib; {name} = pathlib.Path({value!r})\n"
            if re.search(rf"\b{name}\s*[/.]", code)
            else f"{name} = {value!r}\n"
            for name, value in (self.values.items() if self.code[1:] else ())
            if isinstance(value, str)
            and re.search(rf"\b{name}\b", code)
            and not re.search(rf"(?m)^[ \t]*{name}[ \t]*=(?!=)", code)
        )

    def _put_in(self, field: str) -> str:
        found = _FIELD.fullmatch(field.strip())
        keys = [one or other for one, other in _OF_VALUE.findall(found[2])] if found else []
        if found and found[1] in _ARGUMENTS:
            return self._argument(found[1], keys[0] if keys else "")
        value = self.values.get(found[1]) if found else None
        for one in keys:
            value = value.get(one) if isinstance(value, dict) else None
        return str(value) if isinstance(value, (str, int, float)) else HOLE

    def _argument(self, kind: str, key: str) -> str:
        """A file or a parameter of a rule, or all of them."""
        names = [f"{kind}_{key}"] if key else [one for one in self.values if _is_of(kind, one)]
        values = [self.values.get(one) for one in names]
        every = [each for one in values for each in (one if isinstance(one, list) else [one])]
        known = [str(one) if isinstance(one, (str, int, float)) else HOLE for one in every]
        return " ".join(known) or HOLE


def _is_of(kind: str, name: str) -> bool:
    return name.startswith(f"{kind}_")


def _arguments(kind: str, value: str, code: str) -> Iterator[str]:
    """Lines of Python that set what a part of a rule holds: ``output_0 = …``, ``params_where = …``."""
    try:
        call = ast.parse(f"f({value.strip()})", mode="eval").body
    except (SyntaxError, ValueError, RecursionError):
        return
    if isinstance(call, ast.Call):
        given = [(str(at), one) for at, one in enumerate(call.args)]
        for key, one in (*given, *((one.arg or "", one.value) for one in call.keywords)):
            body = one.body if isinstance(one, ast.Lambda) else one
            text = ast.unparse(body)
            is_function = isinstance(one, ast.Name) and re.search(rf"\bdef {one.id}\(", code)
            yield f"{kind}_{key} = {text}(wildcards)" if is_function else f"{kind}_{key} = {text}"


def _parts_of(block: str) -> Iterator[tuple[str, str, int]]:
    """Yield the parts of a rule: name, value and where that begins."""
    heads = list(_KEY.finditer(block))
    indent = min((len(one[0]) - len(one[0].lstrip()) for one in heads), default=0)
    heads = [one for one in heads if len(one[0]) - len(one[0].lstrip()) == indent]
    for one, following in zip(heads, [*heads[1:], None][: len(heads)], strict=True):
        yield (
            one["key"],
            block[one.end() : following.start() if following else len(block)],
            one.end(),
        )


def _is_python(line: str) -> bool:
    try:
        ast.parse(line)
    except (SyntaxError, ValueError, RecursionError):
        return False
    return True


def _python_of(files: Iterable[str]) -> list[str]:
    """The Python around the rules, or if that is none, the lines that set names, each of them once."""
    texts = list(files)
    found = [_around_rules(one) for one in texts]
    if all(map(_is_python, found)):
        return found
    given: dict[str, list[str]] = {}
    for one in (one for text in texts for one in _SET.finditer(text)):
        given.setdefault(one["name"] or one[0], []).append(one[0].strip())
    return [lines[0] for lines in given.values() if len(lines) == 1]


def _around_rules(code: str) -> str:
    """A file without its rules and the like; lines keep their numbers."""
    for one in _BLOCK.finditer(code):
        end = _end_of(code, one)
        code = code[: one.start()] + blanked(code[one.start() : end]) + code[end:]
    return code


def _texts_in(value: Any) -> Iterator[str]:
    """The texts in what a file of settings holds."""
    if isinstance(value, dict):
        for one in value.values():
            yield from _texts_in(one)
    elif isinstance(value, list):
        for one in value:
            yield from _texts_in(one)
    else:
        yield from str(value).split()


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
