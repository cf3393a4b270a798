"""The code of a notebook that a command runs: ``jupyter execute``, ``nbconvert --execute``, ``papermill``.

Owns the cells as one program, with the parameters that the command gives, and what of it a shell runs. Pure:
text in, text out. Does not own which files those are (the packs) or judging (``gate.pieces``).
"""

from __future__ import annotations

import json
import re

from operators_edge.text import python_source
from operators_edge.text.lines import line_at
from operators_edge.text.patterns import pattern
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_MAGIC = pattern(r"[ \t]*(?:!|%(?:sx|system|bash|sh)\b)[ \t]*(.*)")
_SHELL_CELL = pattern(r"%%(?:bash|sh|system|script[ \t]+(?:ba)?sh)\b[^\n]*\n")


class Line(NamedTuple):
    """A line of code, and its number in the notebook's own text."""

    text: str
    number: int


class Code(NamedTuple):
    """The program of a notebook, and the lines that a shell runs."""

    program: list[Line]
    shell: list[Line]


def code_of(text: str, given: Mapping[str, str]) -> Code | None:
    """Return the code cells of a notebook; None if it is none. ``given`` are parameters by name."""
    try:
        data = json.loads(text)
        cells = [one for one in data["cells"] if one.get("cell_type") == "code"]
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None
    code = Code([], [])
    at = 0
    left = dict(given)
    for cell in cells:
        source = cell.get("source", "")
        source = "".join(source) if isinstance(source, list) else str(source)
        is_shell = _SHELL_CELL.match(source) is not None
        tags = (
            cell.get("metadata", {}).get("tags", [])
            if isinstance(cell.get("metadata"), dict)
            else []
        )
        for line in source.split("\n"):
            found = (
                text.find(json.dumps(line, ensure_ascii=False)[1:-1], at) if line.strip() else -1
            )
            at = max(found, at)
            number = line_at(text, at)
            magic = _MAGIC.match(line)
            if magic is not None or is_shell:
                code.shell.append(Line(magic[1] if magic else line, number))
            else:
                shown = _with_parameter(line, left) if "parameters" in tags else line
                code.program.append(Line("pass" if shown.lstrip()[:1] == "%" else shown, number))
        if "parameters" in tags:
            code.program.extend(Line(f"{name} = {value}", 1) for name, value in left.items())
            left = {}
    first = [Line(f"{name} = {value}", 1) for name, value in left.items()]
    return Code(_without_dead(first + code.program, given), code.shell)


_SETS_ANY = pattern(r"\b(?:globals|locals|vars|exec|eval|setattr|get_ipython)\s*\(|\bimport\s*\*|%")


def _without_dead(lines: list[Line], given: Mapping[str, str]) -> list[Line]:
    """Leave out what a given True or False keeps from running: ``if apply:``, ``if not dry_run:``."""
    program = "\n".join(line.text for line in lines)
    answers = {name: value == "True" for name, value in given.items() if value in ("True", "False")}
    if not answers or _SETS_ANY.search(program):
        return lines
    import ast  # noqa: PLC0415 - few notebooks are given such a value

    try:
        nodes = list(ast.walk(python_source.parse(program)))
    except (SyntaxError, ValueError, RecursionError):
        return lines
    stored = [
        one.id for one in nodes if isinstance(one, ast.Name) and not isinstance(one.ctx, ast.Load)
    ]
    stored += [name for one in nodes if isinstance(one, ast.Global) for name in one.names]
    stored += [one.asname or one.name for one in nodes if isinstance(one, ast.alias)]
    stored += [one.arg for one in nodes if isinstance(one, ast.arg)]
    kept = list(lines)
    for node in nodes:
        test = node.test if isinstance(node, ast.If) else None
        is_not = isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not)
        name = test.operand if isinstance(test, ast.UnaryOp) and is_not else test
        if not isinstance(node, ast.If) or not isinstance(name, ast.Name):
            continue
        if name.id in answers and stored.count(name.id) == 1:
            dead = node.orelse if answers[name.id] != is_not else node.body
            for at in range(dead[0].lineno - 1, dead[-1].end_lineno or 0) if dead else ():
                text = f"{' ' * dead[0].col_offset}pass" if at == dead[0].lineno - 1 else ""
                is_whole = not lines[at].text[: dead[0].col_offset].strip()
                kept[at] = kept[at]._replace(text=text) if is_whole else kept[at]
    return kept


def _with_parameter(line: str, left: dict[str, str]) -> str:
    """Return a line of the cell with parameters, with the value that the command gives."""
    name = re.match(r"(\w+)[ \t]*(?::[^=\n]+)?=(?!=)", line)
    return f"{name[1]} = {left.pop(name[1])}" if name and name[1] in left else line


def parameters(words: Sequence[str]) -> dict[str, str]:
    """Return what ``-p NAME VALUE`` and ``-r NAME VALUE`` give, as Python writes it."""
    found: dict[str, str] = {}
    for at, word in enumerate(words[:-2]):
        name, value = words[at + 1], words[at + 2]
        if word in ("-p", "--parameters", "-r", "--parameters_raw") and name.isidentifier():
            is_plain = word in ("-p", "--parameters") and re.fullmatch(
                r"-?\d+(?:\.\d+)?|True|False|None", value
            )
            found[name] = value if is_plain else repr(value)
    return found


# end of module
