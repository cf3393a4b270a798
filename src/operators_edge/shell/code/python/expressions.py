"""The expressions of a Python program that is followed.

Owns which value each of them has, as far as it is known. Does not own what operators and calls make of values
(``shell.code.python.operations``, ``shell.code.python.library``).
"""

from __future__ import annotations

import ast
from typing import Any

from operators_edge.shell.code.python import assignments, classes, functions, operations, settings
from operators_edge.shell.code.python.values import (
    ABSENT,
    MAX_OPTIONS,
    NORMAL,
    RAISE,
    UNKNOWN,
    Box,
    Class,
    Frame,
    Function,
    Many,
    Raised,
    Scope,
    Symbol,
    either,
    is_constant,
    options_of,
    truth,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from operators_edge.shell.code.python.trace import Walk


def _name(walk: Walk, node: ast.Name) -> Any:
    found = walk.frame.scope.find(node.id)
    if found is ABSENT:
        found = walk.frame.module.scope.find(node.id)
    return operations.builtin(walk, node.id) if found is ABSENT else found


def _joined_text(walk: Walk, node: ast.JoinedStr) -> Any:
    parts: list[list[Any]] = []
    for one in node.values:
        if not isinstance(one, ast.FormattedValue):
            parts.append([walk.value(one)])
            continue
        value = walk.value(one.value)
        is_plain = one.format_spec is None and one.conversion in {-1, 115}
        shown = operations.text_of if is_plain else operations.Shown
        parts.append([shown(each) for each in options_of(value)])
    count = max((len(one) for one in parts), default=1)
    found = [
        operations.formatted(walk, [one[at % len(one)] for one in parts]) for at in range(count)
    ]
    # With several that vary, not every combination is tried.
    is_all = sum(len(one) > 1 for one in parts) <= 1
    return either(found if is_all else [*found, UNKNOWN])


def _attribute(walk: Walk, node: ast.Attribute) -> Any:
    return either(
        walk.attribute(one, node.attr, node) for one in options_of(walk.value(node.value))
    )


def _call(walk: Walk, node: ast.Call) -> Any:
    if isinstance(node.func, ast.Name) and node.func.id == "super":
        return classes.parent(walk)
    called = walk.value(node.func)
    words: list[Any] = []
    for one in node.args:
        if isinstance(one, ast.Starred):
            given = walk.value(one.value)
            items = operations.items_of(walk, given)
            words += [operations.Rest(given)] if items is None else items
        else:
            words.append(walk.value(one))
    named: dict[str, Any] = {}
    for keyword in node.keywords:
        value = walk.value(keyword.value)
        if keyword.arg is not None:
            named[keyword.arg] = value
        elif isinstance(value, Box) and value.is_dict and not value.is_open:
            named |= {str(key): one for key, one in value.cell["items"].items()}
        else:
            named[operations.OTHERS] = value
            if isinstance(value, Box) and value.is_dict and _are_own(called):
                known = {key: one for key, one in value.cell["items"].items() if type(key) is str}
                named |= {key: either([one, UNKNOWN]) for key, one in known.items()}
    return walk.call(called, words, named, node)


def _are_own(called: Any) -> bool:
    """Whether it is certainly a function or a class of the program that is called."""
    return all(isinstance(one, (Class, Function)) for one in options_of(called))


def _lambda(walk: Walk, node: ast.Lambda) -> Any:
    return functions.made(walk, node)


def _either(walk: Walk, node: ast.IfExp) -> Any:
    test = truth(walk.value(node.test))
    if test is not None:
        return walk.value(node.body if test else node.orelse)
    return _one_of(walk, node.body, node.orelse)


def _one_of(walk: Walk, *nodes: ast.expr) -> Any:
    results: list[Any] = []

    def one_of(node: ast.expr) -> str:
        results.append(walk.value(node))
        return NORMAL

    end = walk.branch(*(lambda node=node: one_of(node) for node in nodes))
    if end == RAISE:
        raise Raised
    return either(results) if results else UNKNOWN


def _logical(walk: Walk, node: ast.BoolOp) -> Any:
    is_or = isinstance(node.op, ast.Or)
    found: list[Any] = []
    for at, one in enumerate(node.values):
        # After one that is not known, the rest may not be computed.
        value = _maybe(walk, one) if found else walk.value(one)
        known = truth(value)
        is_last = at == len(node.values) - 1
        if known is is_or:
            return either([*found, value])
        if known is None or is_last:
            found.append(value)
    return either(found)


def _maybe(walk: Walk, node: ast.expr) -> Any:
    results: list[Any] = []

    def once() -> str:
        results.append(walk.value(node))
        return NORMAL

    walk.branch(once, lambda: NORMAL)
    return results[0] if results else UNKNOWN


def _unary(walk: Walk, node: ast.UnaryOp) -> Any:
    value = walk.value(node.operand)
    if isinstance(node.op, ast.Not):
        known = truth(value)
        return UNKNOWN if known is None else not known
    if is_constant(value) and isinstance(node.op, ast.USub) and isinstance(value, (int, float)):
        return -value
    return UNKNOWN


def _binary(walk: Walk, node: ast.BinOp) -> Any:
    left, right = walk.value(node.left), walk.value(node.right)
    found = [
        operations.operated(walk, one, node.op, other)
        for one in options_of(left)
        for other in options_of(right)
    ]
    return either(found[:MAX_OPTIONS]) if len(found) <= MAX_OPTIONS else UNKNOWN


def _compare(walk: Walk, node: ast.Compare) -> Any:
    left = walk.value(node.left)
    results = []
    for op, one in zip(node.ops, node.comparators, strict=True):
        right = walk.value(one)
        pairs = [(a, b) for a in options_of(left) for b in options_of(right)]
        found = {operations.compared(a, op, b) for a, b in pairs}
        results.append(found.pop() if len(found) == 1 else None)
        left = right
    if all(one is True for one in results):
        return True
    return False if False in results else UNKNOWN


def _item(walk: Walk, node: ast.Subscript) -> Any:
    holder, key = walk.value(node.value), _key(walk, node.slice)
    if isinstance(holder, Symbol) and holder.known_as == "os.environ":
        known = settings.variable(walk, key)
        if known is not ABSENT:
            return known
    if isinstance(holder, settings.Variables):
        return settings.read_variable(walk, [key], {})
    found = [
        operations.item_at(walk, one, each, node)
        for one in options_of(holder)
        for each in options_of(key)
    ]
    return either(found)


def _key(walk: Walk, node: ast.expr) -> Any:
    if not isinstance(node, ast.Slice):
        return walk.value(node)
    parts = [
        None if one is None else walk.value(one) for one in (node.lower, node.upper, node.step)
    ]
    is_known = all(one is None or isinstance(one, int) for one in parts)
    return operations.Slice(slice(*parts) if is_known else None)


def _tuple(walk: Walk, node: ast.Tuple) -> Any:
    items, is_open = _elements(walk, node.elts)
    return Box(items, is_open=True) if is_open else tuple(items)


def _list(walk: Walk, node: ast.List) -> Any:
    items, is_open = _elements(walk, node.elts)
    return Box(items, is_open=is_open)


def _set(walk: Walk, node: ast.Set) -> Any:
    """In an order that is not known, and maybe without some that are equal."""
    items, is_open = _elements(walk, node.elts)
    return (
        Box(items) if len(items) == 1 and not is_open else Many(either(items) if items else UNKNOWN)
    )


def _elements(walk: Walk, nodes: list[ast.expr]) -> tuple[list[Any], bool]:
    items: list[Any] = []
    is_open = False
    for one in nodes:
        if not isinstance(one, ast.Starred):
            items.append(walk.value(one))
            continue
        given = walk.value(one.value)
        inner = operations.items_of(walk, given)
        is_open |= inner is None
        items += [operations.item_of(walk, given)] if inner is None else inner
    return items, is_open


def _dict(walk: Walk, node: ast.Dict) -> Any:
    items: dict[Any, Any] = {}
    is_open = False
    for key, one in zip(node.keys, node.values, strict=True):
        value = walk.value(one)
        name = walk.value(key) if key is not None else None
        if key is None and isinstance(value, Box) and value.is_dict:
            items |= value.cell["items"]
            is_open |= value.is_open
        elif key is not None and is_constant(name):
            items[name] = value
        else:
            is_open = True
            items[operations.ANY_KEY] = either([items.get(operations.ANY_KEY, ABSENT), value])
    return Box(items, is_open=is_open)


def _comprehension(walk: Walk, node: Any) -> Any:
    scope = Scope(walk.frame.scope, walk.frame.module)
    walk.frames.append(Frame(scope, walk.frame.module, walk.frame.function))
    try:
        return _generated(walk, node, 0)
    finally:
        walk.frames.pop()


def _generated(walk: Walk, node: Any, at: int) -> Any:
    one = node.generators[at]
    value = walk.value(one.iter)
    items = operations.items_of(walk, value)
    found: list[Any] = []
    is_exact = (
        items is not None and len(items) <= operations.MAX_ITEMS and len(node.generators) == 1
    )
    kept = (
        items
        if is_exact and items is not None
        else [operations.item_of(walk, value) if items is None else either([*items, UNKNOWN])]
    )
    for item in kept:
        assignments.assign(walk, one.target, item)
        tests = [truth(walk.value(test)) for test in one.ifs]
        if False in tests:
            continue
        is_exact &= None not in tests
        if at + 1 < len(node.generators):
            inner = _generated(walk, node, at + 1)
            found.append(operations.item_of(walk, inner))
        elif isinstance(node, ast.DictComp):
            found.append((walk.value(node.key), walk.value(node.value)))
        else:
            found.append(walk.value(node.elt))
    if isinstance(node, ast.DictComp):
        pairs = [one for one in found if type(one) is tuple and is_constant(one[0])]
        is_exact &= len(pairs) == len(found)
        known = dict(pairs)
        other = [one[1] for one in found if type(one) is tuple and not is_constant(one[0])]
        if other:
            known[operations.ANY_KEY] = either(other)
        return Box(known, is_open=not is_exact)
    if is_exact:
        return Box(found)
    return Many(either(found) if found else UNKNOWN)


def _awaited(walk: Walk, node: ast.Await) -> Any:
    return walk.value(node.value)


def _yield(walk: Walk, node: ast.Yield) -> Any:
    walk.frame.yielded.append(None if node.value is None else walk.value(node.value))
    return UNKNOWN


def _yield_from(walk: Walk, node: ast.YieldFrom) -> Any:
    walk.frame.yielded.append(operations.item_of(walk, walk.value(node.value)))
    return UNKNOWN


def _named(walk: Walk, node: ast.NamedExpr) -> Any:
    value = walk.value(node.value)
    assignments.assign(walk, node.target, value)
    return value


def _constant(_: Walk, node: ast.Constant) -> Any:
    return node.value


def _starred(walk: Walk, node: ast.Starred) -> Any:
    return walk.value(node.value)


EXPRESSIONS: dict[type, Callable[[Walk, Any], Any]] = {
    ast.Constant: _constant,
    ast.Name: _name,
    ast.JoinedStr: _joined_text,
    ast.Attribute: _attribute,
    ast.Call: _call,
    ast.Lambda: _lambda,
    ast.IfExp: _either,
    ast.BoolOp: _logical,
    ast.UnaryOp: _unary,
    ast.BinOp: _binary,
    ast.Compare: _compare,
    ast.Subscript: _item,
    ast.Tuple: _tuple,
    ast.List: _list,
    ast.Set: _set,
    ast.Dict: _dict,
    ast.ListComp: _comprehension,
    ast.SetComp: _comprehension,
    ast.GeneratorExp: _comprehension,
    ast.DictComp: _comprehension,
    ast.Await: _awaited,
    ast.Yield: _yield,
    ast.YieldFrom: _yield_from,
    ast.NamedExpr: _named,
    ast.Starred: _starred,
}


# end of module
