"""Programs in which each name has one value, so that what is read of them holds whenever they run.

Reading a program (``shell.code.python.code``, ``shell.code.programs``) finds what it may do; a name that is
set twice, or a list that grows, may have another value then. Owns telling such programs apart, and the texts
that a program of plain steps writes. Pure; whatever is not certain is False.
"""

from __future__ import annotations

import ast
from collections import Counter

from operators_edge.text import python_source
from operators_edge.text.patterns import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_CHANGING = (
    "append extend insert update add pop popitem clear sort reverse setdefault discard push unshift splice"
    " shift concat fill remove difference_update intersection_update"
)
_CHANGES = frozenset(_CHANGING.split())
_COMPUTING = "exec eval compile globals locals vars setattr delattr __import__ import_module __dict__ modules"
_COMPUTES = frozenset(_COMPUTING.split())
_SETS = pattern(
    r"[$@%]?([A-Za-z_]\w*)\s*(?:\[[^\]\n]*\]\s*)?(?:\|\||&&|\?\?|[-+*/.%|&^]|\*\*|<<|>>)?=(?![=~>])"
    r"|\bfor(?:each)?\s*\(?\s*(?:const|let|var|my|our)?\s*[$@]?([A-Za-z_]\w*)"
)
_GROWS = pattern(
    rf"<<|\b(?:push|unshift|splice|shift)\b|\.(?:{'|'.join(sorted(_CHANGES))})[!(]|[-+*/.%|&^]="
)


def is_settled(program: str, code: str) -> bool:
    """Whether each name in a program is set in one place, and nothing is changed afterwards."""
    if program != "python":
        names = Counter(first or second for first, second in _SETS.findall(code))
        return all(count == 1 for count in names.values()) and not _GROWS.search(code)
    tree = _tree(code)
    if tree is None:
        return False
    bound = Counter(name for node in ast.walk(tree) for name in _bound_by(node))
    return all(count == 1 for count in bound.values()) and not any(
        _changes(node) for node in ast.walk(tree)
    )


def _tree(code: str) -> ast.Module | None:
    try:
        return python_source.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


_NAMED = (
    *(ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef),
    *(ast.ExceptHandler, ast.MatchAs, ast.MatchStar),
)


def _bound_by(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
        yield node.id
    elif isinstance(node, ast.arg):
        yield node.arg
    elif isinstance(node, ast.alias):
        yield (node.asname or node.name).partition(".")[0]
    elif isinstance(node, _NAMED) and node.name:
        yield node.name


def _changes(node: ast.AST) -> bool:
    """Whether a part of a program changes what a name stands for, or may do so."""
    if isinstance(node, (ast.AugAssign, ast.Delete, ast.Global, ast.Nonlocal)):
        return True
    if isinstance(node, (ast.Attribute, ast.Subscript)) and not isinstance(node.ctx, ast.Load):
        return True
    if isinstance(node, ast.Name):
        return node.id in _COMPUTES
    if isinstance(node, ast.Attribute):
        holder = node.value
        is_module = isinstance(holder, ast.Name) and holder.id in ("os", "shutil")
        return node.attr in _COMPUTES or (node.attr in _CHANGES and not is_module)
    return False


# -- texts that are written --------------------------------------------------------------------------

_KNOWN_MODULES = frozenset(("pathlib", "os", "sys", "json", "textwrap", "stat"))
_HARMLESS = frozenset(("print", "os.makedirs", "os.chmod", "os.mkdir"))
_HARMLESS_METHODS = frozenset(("mkdir", "chmod"))
_PLAIN_PATH = pattern(r"[\w./-]+")


def written_by(code: str, computed: str) -> dict[str, str]:
    """The texts that a program surely writes, by their paths; ``computed`` is it with constants computed.

    Only a program of plain steps counts, of which none can fail or be left out.
    """
    tree = _tree(computed)
    if tree is None or not is_settled("python", code):
        return {}
    found: list[tuple[str, str]] = []
    for step in tree.body:
        if isinstance(step, (ast.Import, ast.ImportFrom)):
            module = step.module if isinstance(step, ast.ImportFrom) else step.names[0].name
            if module not in _KNOWN_MODULES:
                return {}
        elif isinstance(step, ast.Expr) and isinstance(step.value, ast.Call):
            written = _written(step.value)
            if written is None and not _is_harmless(step.value):
                return {}
            found += [written] if written else []
        elif isinstance(step, ast.Pass):
            continue
        elif not isinstance(step, (ast.Assign, ast.AnnAssign)) or not _is_plain(step.value):
            return {}
    texts = dict(found)
    return texts if len(texts) == len(found) else {}


def _is_plain(value: ast.expr | None) -> bool:
    """Whether computing a value can neither fail nor do anything."""
    plain = (ast.Constant, ast.List, ast.Tuple, ast.Name, ast.Load)
    return value is not None and all(isinstance(one, plain) for one in ast.walk(value))


def _is_harmless(call: ast.Call) -> bool:
    name = ast.unparse(call.func)
    is_method = isinstance(call.func, ast.Attribute) and call.func.attr in _HARMLESS_METHODS
    return name in _HARMLESS or (is_method and "exist_ok=True" in ast.unparse(call))


def _written(call: ast.Call) -> tuple[str, str] | None:
    """``Path("x").write_text("…")``, ``open("x", "w").write("…")``: the path and the text."""
    method, holder = call.func, getattr(call.func, "value", None)
    if not isinstance(method, ast.Attribute) or not isinstance(holder, ast.Call) or call.keywords:
        return None
    opened = [ast.unparse(holder.func), *map(_text, holder.args)]
    text = _text(call.args[0]) if len(call.args) == 1 else None
    is_path = method.attr == "write_text" and opened[0] in ("Path", "pathlib.Path")
    is_open = method.attr == "write" and opened[0] == "open" and opened[2:] == ["w"]
    if holder.keywords or text is None or not (is_open or (is_path and len(opened) == 2)):
        return None
    path = opened[1] or ""
    return (path, text) if _PLAIN_PATH.fullmatch(path) else None


def _text(node: ast.expr) -> str | None:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


# end of module
