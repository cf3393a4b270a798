"""The statements of a Python program that is followed.

Owns what each of them does to the walk (``shell.code.python.trace``), and how it ends.
"""

from __future__ import annotations

import ast
import posixpath
from typing import Any

from operators_edge.shell.code.python import assignments, classes, functions, operations
from operators_edge.shell.code.python.values import (
    ABSENT,
    LEAVE,
    NEXT,
    NORMAL,
    RAISE,
    RETURN,
    UNKNOWN,
    Box,
    Cell,
    Class,
    FilePath,
    Frame,
    Function,
    Instance,
    Module,
    Native,
    Raised,
    Scope,
    Symbol,
    either,
    is_constant,
    is_same,
    options_of,
    truth,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from operators_edge.shell.code.python.trace import Walk

    Seen = dict[tuple[int, str], tuple[Cell, str, list[Any]]]
    """Variables, each with the values that it had before."""


def _expression(walk: Walk, node: ast.Expr) -> None:
    walk.value(node.value)


def _function(walk: Walk, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
    made: Any = functions.made(walk, node)
    assignments.set_name(walk, node.name, functions.decorated(walk, made, node.decorator_list))


def _class(walk: Walk, node: ast.ClassDef) -> None:
    bases = [walk.value(one) for one in node.bases]
    meta = [walk.value(one.value) for one in node.keywords]
    bases += [one for one in meta if not isinstance(one, Class)]
    # A class of the program that makes classes runs here.
    walk.is_whole &= not any(isinstance(one, Class) for one in meta)
    module = walk.frame.module
    scope = Scope(walk.frame.scope)
    made = Class(node.name, bases, scope)
    made.decorators = node.decorator_list
    frame = Frame(scope, module)
    walk.frames.append(frame)
    try:
        walk.block(node.body)
    finally:
        walk.frames.pop()
    for one in scope.names.values():
        for each in options_of(one):
            if isinstance(each, Function):
                each.owner = made
    own = {name for name, _ in made.methods()}
    walk.is_whole &= own.isdisjoint({"__init_subclass__", "__set_name__", "__class_getitem__"})
    classes.note_fields(walk, made, node)
    result = functions.decorated(walk, made, node.decorator_list)
    assignments.set_name(walk, node.name, result)
    if any(not classes.is_plain_base(one) for each in made.lineage() for one in each.foreign):
        walk.escape(made)


def _return(walk: Walk, node: ast.Return) -> str:
    walk.frame.returned.append(None if node.value is None else walk.value(node.value))
    return RETURN


def _delete(walk: Walk, node: ast.Delete) -> None:
    for target in node.targets:
        if isinstance(target, ast.Name):
            walk.write(walk.frame.scope.names, target.id, ABSENT)
        elif isinstance(target, ast.Subscript):
            held = walk.value(target.value)
            for one in options_of(held):
                if isinstance(one, Box):
                    walk.write(one.cell, "is_open", True)
            _left(walk, node, held)
        elif isinstance(target, ast.Attribute):
            _left(walk, node, walk.value(target.value))


def _left(walk: Walk, node: ast.stmt, held: Any) -> None:
    """A change of something that is not the program's own."""
    if isinstance(held, Symbol):
        target = node.targets[0]  # type: ignore[attr-defined]
        copied = ast.Delete([assignments.place(walk, target, held)])
        walk.residue.add(copied, walk.frame.module.path, node.lineno)


def _assign(walk: Walk, node: ast.Assign) -> None:
    value = walk.value(node.value)
    for target in node.targets:
        assignments.assign(walk, target, value)


def _annotated(walk: Walk, node: ast.AnnAssign) -> None:
    functions.annotation(walk, node.annotation)
    if node.value is not None:
        assignments.assign(walk, node.target, walk.value(node.value))


def _augmented(walk: Walk, node: ast.AugAssign) -> None:
    left = walk.value(node.target)
    right = walk.value(node.value)
    for one in options_of(left):
        if isinstance(one, Box) and not one.is_dict and isinstance(node.op, ast.Add):
            operations.extend(walk, one, right)
            return
        if isinstance(one, Symbol) and isinstance(node.op, ast.BitOr) and one is not UNKNOWN:
            walk.call(walk.attribute(one, "update"), [right], {}, node)
    found = [operations.operated(walk, one, node.op, right) for one in options_of(left)]
    assignments.assign(walk, node.target, either(found))


def _for(walk: Walk, node: ast.For | ast.AsyncFor) -> str:
    value = walk.value(node.iter)
    items = operations.items_of(walk, value)
    if items is not None and len(items) <= operations.MAX_ITEMS:
        return _each(walk, node, items)
    each = operations.item_of(walk, value) if items is None else either([*items, UNKNOWN])

    def once() -> str:
        assignments.assign(walk, node.target, each)
        return walk.block(node.body)

    end = walk.repeated(once)
    rest = walk.block(node.orelse)
    return rest or (end if end == RAISE else NORMAL)


def _each(walk: Walk, node: ast.For | ast.AsyncFor, items: list[Any]) -> str:
    for item in items:
        assignments.assign(walk, node.target, item)
        end = walk.block(node.body)
        if end == LEAVE:
            # Only if no other path through the body goes on.
            return NORMAL
        if end in {RETURN, RAISE}:
            return end
    return walk.block(node.orelse)


def _while(walk: Walk, node: ast.While) -> str:
    test = truth(walk.value(node.test))
    if test is False:
        return walk.block(node.orelse)
    walk.residue.add(ast.While(UNKNOWN.expr, [ast.Pass()], []), walk.frame.module.path, node.lineno)

    def once() -> str:
        walk.value(node.test)
        return walk.block(node.body)

    end = walk.repeated(once)
    is_endless = isinstance(node.test, ast.Constant) and test and not _has_break(node.body)
    if is_endless:
        return end if end in {RETURN, RAISE} else RETURN
    return walk.block(node.orelse)


def _if(walk: Walk, node: ast.If) -> str:
    test = truth(walk.value(node.test))
    if test is not None:
        return walk.block(node.body if test else node.orelse)
    return walk.branch(lambda: walk.block(node.body), lambda: walk.block(node.orelse))


def _with(walk: Walk, node: ast.With | ast.AsyncWith) -> str:
    around = 0
    opened = []
    mark = len(walk.log)
    for item in node.items:
        made = walk.value(item.context_expr)
        opened.append(made)
        if isinstance(made, Symbol) and classes.is_mock(walk, made):
            walk.residue.around.append(walk.residue.resolved(made.expr))
            around += 1
        entered = classes.entered(walk, made, item.context_expr)
        if item.optional_vars is not None:
            assignments.assign(walk, item.optional_vars, entered)
    walk.unsure += 1
    try:
        end = walk.block(node.body)
    except Raised:
        end = NORMAL if any(isinstance(one, (Symbol, Instance)) for one in opened) else RAISE
    finally:
        walk.unsure -= 1
        del walk.residue.around[len(walk.residue.around) - around :]
    for made in opened:
        classes.left(walk, made, node)
    if any(_may_go_on(walk, each) for made in opened for each in options_of(made)):
        _merge_earlier(walk, _seen_since(walk, mark))
    if end == RAISE:
        raise Raised
    return end


def _may_go_on(walk: Walk, manager: Any) -> bool:
    """Whether a context may end at an error in it, and what follows still runs."""
    if isinstance(manager, Symbol):
        made = walk.residue.resolved(manager.expr)
        name = Symbol(made.func).known_as if isinstance(made, ast.Call) else manager.known_as
        return name.rpartition(".")[2] in _GOES_ON
    return not isinstance(manager, (Native, FilePath))


_GOES_ON = frozenset(
    "suppress raises assertRaises assertRaisesRegex catch ExitStack AsyncExitStack".split()  # noqa: SIM905
)


def _match(walk: Walk, node: ast.Match) -> str:
    subject = walk.value(node.subject)
    # Its attributes are asked for: a property of the program may run.
    patterns = [one for case in node.cases for one in ast.walk(case.pattern)]
    if any(isinstance(one, ast.MatchClass) for one in patterns):
        walk.is_whole &= not any(isinstance(one, Instance) for one in options_of(subject))
    runs: list[Callable[[], str]] = []
    for case in node.cases:
        known = _pattern_value(case.pattern)
        if known is not ABSENT and is_constant(subject):
            if not any(is_same(subject, one) for one in known):
                continue
            if case.guard is None:
                runs.append(lambda case=case: walk.block(case.body))  # type: ignore[misc]
                return walk.branch(*runs) if len(runs) > 1 else runs[0]()
        runs.append(lambda case=case: _case(walk, case, subject))  # type: ignore[misc]
        is_default = isinstance(case.pattern, ast.MatchAs) and case.pattern.pattern is None
        if is_default and case.guard is None:
            return walk.branch(*runs) if len(runs) > 1 else runs[0]()
    return walk.branch(*runs, lambda: NORMAL)


def _case(walk: Walk, case: ast.match_case, subject: Any) -> str:
    for one in ast.walk(case.pattern):
        name = getattr(one, "name", None) or getattr(one, "rest", None)
        if isinstance(name, str):
            is_all = one is case.pattern and getattr(one, "pattern", None) is None
            if not is_all:
                walk.escape(subject)
            assignments.set_name(walk, name, subject if is_all else UNKNOWN)
    if case.guard is not None:
        walk.value(case.guard)
    return walk.block(case.body)


def _raise(walk: Walk, node: ast.Raise) -> str:
    if node.exc is not None:
        walk.value(node.exc)
    raise Raised


def _try(walk: Walk, node: Any) -> str:
    mark = len(walk.log)
    walk.unsure += 1
    try:
        end = walk.block(node.body)
    except Raised:
        end = RAISE
    finally:
        walk.unsure -= 1
    if end == NORMAL:
        try:
            end = walk.block(node.orelse)
        except Raised:
            end = RAISE
    seen = _seen_since(walk, mark)
    runs: list[Callable[[], str]] = [
        lambda handler=handler: _handler(walk, handler, seen)  # type: ignore[misc]
        for handler in node.handlers
    ]
    if runs:
        last: Callable[[], str] = lambda: end  # noqa: E731 - a branch like the others
        end = walk.branch(*runs, *([last] if end != RAISE else []))
    if node.finalbody:
        after = walk.block(node.finalbody)
        end = after or end
    if end == RAISE:
        raise Raised
    return end


def _seen_since(walk: Walk, mark: int) -> Seen:
    """The values that variables had since then, before each was set."""
    seen: Seen = {}
    for cell, key, before in walk.log[mark:]:
        seen.setdefault((id(cell), key), (cell, key, []))[2].append(before)
    return seen


def _merge_earlier(walk: Walk, seen: Seen) -> None:
    """What was set may not have been set yet, where an error ended the text."""
    for cell, key, values in seen.values():
        walk.merge(cell, key, [*values, cell.get(key, ABSENT)])


def _handler(walk: Walk, node: ast.ExceptHandler, seen: Seen) -> str:
    _merge_earlier(walk, seen)
    if node.name:
        assignments.set_name(walk, node.name, UNKNOWN)
    return walk.block(node.body)


def _assert(walk: Walk, node: ast.Assert) -> None:
    walk.value(node.test)


def _import(walk: Walk, node: ast.Import) -> None:
    for alias in node.names:
        parts = alias.name.split(".")
        found = _imported(walk, alias.name)
        if found is None:
            walk.not_found.add(parts[0])
            name = alias.name if alias.asname else parts[0]
            assignments.set_name(walk, alias.asname or parts[0], walk.residue.library(name))
            walk.residue.library(alias.name)
            continue
        top = _imported(walk, parts[0]) if not alias.asname else found
        assignments.set_name(walk, alias.asname or parts[0], top if top is not None else found)


def _imported(walk: Walk, name: str) -> Module | None:
    """Return a module of the project, after those of the packages around it."""
    parts = name.split(".")
    module: Module | None = None
    for count in range(1, len(parts) + 1):
        dotted = ".".join(parts[:count])
        inner = walk.load(dotted, walk.start.folder, dotted)
        if inner is None:
            if module is not None and count == len(parts):
                walk.is_whole = False
            continue
        if module is not None:
            walk.write(module.scope.names, parts[count - 1], inner)
        module = inner
    return walk.load(name, walk.start.folder, name)


def _import_from(walk: Walk, node: ast.ImportFrom) -> None:
    base = "." * node.level + (node.module or "")
    folder = posixpath.dirname(walk.frame.module.path)
    if node.level:
        package = walk.load(base, folder, base) if node.module else None
    else:
        package = _imported(walk, base)
    for alias in node.names:
        name = alias.asname or alias.name
        if alias.name == "*":
            _import_all(walk, package, base)
            continue
        found = package.scope.names.get(alias.name, ABSENT) if package is not None else ABSENT
        if found is ABSENT:
            inner = f"{base}{alias.name}" if base.endswith(".") else f"{base}.{alias.name}"
            where = folder if node.level else walk.start.folder
            module = walk.load(inner, where, inner)
            found = module if module is not None else ABSENT
        if found is ABSENT and (package is not None or node.level):
            own = _own_name(walk, folder, alias.name) if not node.module else ABSENT
            found = own
            if found is ABSENT:
                walk.is_whole = False
                found = UNKNOWN
        if found is ABSENT:
            walk.not_found.add(base.partition(".")[0])
            found = walk.residue.library(f"{base}.{alias.name}", base)
        assignments.set_name(walk, name, found)


def _own_name(walk: Walk, folder: str, name: str) -> Any:
    """``from . import name``: of the package's own file."""
    package = walk.load("." + "__init__", folder, "__init__")
    return package.scope.names.get(name, ABSENT) if package is not None else ABSENT


def _import_all(walk: Walk, package: Module | None, base: str) -> None:
    if package is not None:
        for key, value in list(package.scope.names.items()):
            if key[:1] != "_":
                assignments.set_name(walk, key, value)
    else:
        # Its names are not known: what is not found here is one of them.
        operations.import_all(walk, base)


def _global(walk: Walk, node: ast.Global) -> None:
    for name in node.names:
        walk.frame.scope.outer[name] = walk.frame.module.scope


def _nonlocal(walk: Walk, node: ast.Nonlocal) -> None:
    for name in node.names:
        scope = walk.frame.scope.parent
        while scope is not None and name not in scope.names:
            scope = scope.parent
        if scope is not None:
            walk.frame.scope.outer[name] = scope


def _has_break(body: list[ast.stmt]) -> bool:
    return any(isinstance(one, ast.Break) for each in body for one in ast.walk(each))


def _pattern_value(pattern: ast.pattern) -> Any:
    """The constants that a pattern stands for."""
    if isinstance(pattern, ast.MatchValue) and isinstance(pattern.value, ast.Constant):
        return (pattern.value.value,)
    if isinstance(pattern, ast.MatchSingleton):
        return (pattern.value,)
    if isinstance(pattern, ast.MatchOr):
        parts = [_pattern_value(one) for one in pattern.patterns]
        return (
            ABSENT
            if any(one is ABSENT for one in parts)
            else tuple(x for one in parts for x in one)
        )
    return ABSENT


def _nothing(_: Walk, __: ast.stmt) -> None:
    """Leave it out: it says nothing of what runs."""


STATEMENTS: dict[type, Callable[[Walk, Any], str | None]] = {
    ast.Expr: _expression,
    ast.FunctionDef: _function,
    ast.AsyncFunctionDef: _function,
    ast.ClassDef: _class,
    ast.Return: _return,
    ast.Delete: _delete,
    ast.Assign: _assign,
    ast.AnnAssign: _annotated,
    ast.AugAssign: _augmented,
    ast.For: _for,
    ast.AsyncFor: _for,
    ast.While: _while,
    ast.If: _if,
    ast.With: _with,
    ast.AsyncWith: _with,
    ast.Match: _match,
    ast.Raise: _raise,
    ast.Try: _try,
    ast.TryStar: _try,
    ast.Assert: _assert,
    ast.Import: _import,
    ast.ImportFrom: _import_from,
    ast.Global: _global,
    ast.Nonlocal: _nonlocal,
    ast.Pass: _nothing,
    ast.Break: lambda _, __: LEAVE,
    ast.Continue: lambda _, __: NEXT,
}


# end of module
