"""What ``python3 -c`` and ``node -p`` print of a file of data: words that a line then runs.

Owns the few forms of such programs that load one document and print texts out of it. Anything else raises
ValueError, and what is printed is then unknown. Does not own what else a program does
(``shell.code.programs``).
"""

from __future__ import annotations

import json
import re

from operators_edge.shell.filters.jq import text_of
from operators_edge.shell.filters.text_lines import Filter
from operators_edge.text import python_source
from operators_edge.text.patterns import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    import ast
    from collections.abc import Callable

    Read = Callable[[str], str | None]

_MODULE = pattern(r"[\w./@+-]+\.py")


def python(arguments: list[str], read: Read | None = None) -> Filter:
    """``python3 -c 'import json; print(json.load(open("F"))["a"])'``, or a file with such a program."""
    if read is not None and len(arguments) == 1 and _MODULE.fullmatch(arguments[0]):
        from operators_edge.shell.filters import python_texts  # noqa: PLC0415 - few lines run what a program prints

        return Filter(lambda source: python_texts.printed(_tree(source), read), (arguments[0],))
    if len(arguments) != 2 or arguments[0] != "-c":
        raise ValueError(arguments)
    tree = _tree(arguments[1])
    from operators_edge.shell.filters import python_texts  # noqa: PLC0415 - as above

    files, reads_input = python_texts.files_of(tree)
    if len(files) > 1 or (files and reads_input):
        raise ValueError(files)
    return Filter(lambda text: python_texts.printed(tree, lambda _: text), tuple(files))


def _tree(source: str) -> ast.Module:
    try:
        return python_source.parse(source)
    except SyntaxError as problem:
        raise ValueError(problem) from problem


_REQUIRED = pattern(
    r"(?:require\((?P<q>['\"])(?P<a>\.{1,2}/[^'\"\\]+\.json)(?P=q)\)"
    r"|JSON\.parse\((?:require\(['\"](?:node:)?fs['\"]\)|fs)\.readFileSync\((?P<p>['\"])(?P<b>[^'\"\\]+)(?P=p)"
    r"(?:, ?['\"]utf-?8['\"])?\)\))(?P<path>(?:\.[A-Za-z_$][\w$]*|\[\d{1,4}\]|\[['\"][^'\"\\]+['\"]\])*?)"
    r"(?:\.join\((?P<j>['\"])(?P<mark>[^'\"\\]*)(?P=j)\))?;?"
)
_SCRIPT = pattern(r"[\w./@+-]+\.[cm]?js")
_STEP = pattern(r"\.([A-Za-z_$][\w$]*)|\[(\d+)\]|\[['\"]([^'\"]+)['\"]\]")
_LOGGED = pattern(r"console\.log\((.*)\);?", re.DOTALL)


def node(arguments: list[str], read: Read | None) -> Filter:
    """``node -p "require('./F.json').a.b"``, or the same with ``-e`` and ``console.log``; ``node F.js``."""
    if read is not None and _SCRIPT.fullmatch(arguments[0]):
        from operators_edge.shell.filters import node_texts  # noqa: PLC0415 - few lines run what a program prints

        path, *words = arguments
        return Filter(lambda source: node_texts.printed(source, path, words, read), (path,))
    option, code = arguments
    logged = _LOGGED.fullmatch(code.strip()) if option in ("-e", "--eval") else None
    if not (logged or option in ("-p", "--print", "-pe")):
        raise ValueError(arguments)
    found = _REQUIRED.fullmatch((logged[1] if logged else code).strip())
    if found is None:
        raise ValueError(code)

    def apply(text: str) -> str:
        value = json.loads(text)
        for name, index, quoted in _STEP.findall(found["path"]):
            value = value[int(index)] if index else value[name or quoted]
        if found["mark"] is not None:
            if not isinstance(value, list):
                raise ValueError(value)
            value = found["mark"].join("" if one is None else text_of(one) for one in value)
        if not (isinstance(value, str) or type(value) is int):
            raise ValueError(value)
        return text_of(value) + "\n"

    return Filter(apply, (found["a"] or found["b"],))


# end of module
