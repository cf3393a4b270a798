"""Functions and classes of a Python program that is walked: what makes them, and what a call of them walks.

Owns parameters, annotations, and the bounds on calls inside each other. Does not own calls of anything else
(``shell.code.python.trace``, ``shell.code.python.library``), nor what decorators mean
(``shell.code.python.classes``). Slow to import.
"""

from __future__ import annotations

import ast
from typing import Any

from operators_edge.shell.code.python import classes, operations, settings
from operators_edge.shell.code.python.values import (
    ABSENT,
    MAX_OPTIONS,
    RETURN,
    UNKNOWN,
    Box,
    Choice,
    Class,
    Frame,
    Function,
    Instance,
    Many,
    Scope,
    TooLongError,
    either,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from operators_edge.shell.code.python.trace import Walk

_MAX_CALLS = 30
"""Calls that are walked inside each other."""
_MAX_SAME = 3
"""Times that a function may call itself."""

_CALLED_BY_NAME = frozenset(
    "__init__ __post_init__ __new__ __call__ __enter__ __exit__ __aenter__ __aexit__ __iter__"  # noqa: SIM905
    " __getitem__ __setitem__ __getattr__".split()
)
"""Special methods that are walked where they are called; any other may run at any time."""


def made(walk: Walk, node: Any) -> Function:
    """The function that a definition or a lambda makes."""
    defaults = [walk.value(one) for one in node.args.defaults]
    arguments = node.args
    for one in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs):
        annotation(walk, one.annotation)
    for one in filter(None, (arguments.vararg, arguments.kwarg)):
        annotation(walk, one.annotation)
    annotation(walk, getattr(node, "returns", None))
    made = Function(node, walk.frame.scope, walk.frame.module, defaults)
    made.keyword_defaults = [
        ABSENT if one is None else walk.value(one) for one in node.args.kw_defaults
    ]
    return made


def decorated(walk: Walk, made: Any, decorators: list[ast.expr]) -> Any:
    """What a function or a class is with its decorators."""
    for one in reversed(decorators):
        made = classes.decorated(walk, walk.value(one), made, one)
    return made


def call(walk: Walk, called: Function, words: list[Any], named: dict[str, Any]) -> Any:
    """Walk the body of a function, and return what it gives."""
    if len(walk.frames) > _MAX_CALLS:
        raise TooLongError
    same = sum(one.function is not None and one.function.node is called.node for one in walk.frames)
    if same >= _MAX_SAME:
        walk.is_whole = False
        return UNKNOWN
    node = called.node
    scope = Scope(_outside(called.scope, called), called.module)
    frame = Frame(scope, called.module, called)
    _bind(walk, called, scope, words, named)
    walk.frames.append(frame)
    walk.residue.around += called.around
    try:
        if isinstance(node, ast.Lambda):
            return walk.value(node.body)
        end = walk.block(node.body)
    finally:
        walk.frames.pop()
        del walk.residue.around[len(walk.residue.around) - len(called.around) :]
    if frame.yielded:
        return Many(either(frame.yielded))
    if end != RETURN:
        frame.returned.append(None)
    found = either(frame.returned)
    if isinstance(found, Choice) and len(found.options) > MAX_OPTIONS:
        walk.escape(found.options)
        return UNKNOWN
    return found


def instance_of(walk: Walk, cls: Class, words: list[Any], named: dict[str, Any]) -> Any:
    """Walk what makes an instance of a class, and return it."""
    made = Instance(cls, is_open=any(not classes.is_plain_base(one) for one in cls.foreign))
    for name, member in cls.methods():
        if name[:2] == "__" and name not in _CALLED_BY_NAME and isinstance(member, Function):
            walk.escape(member.bound_to(made))
    start = cls.find("__init__")
    if isinstance(start, Function):
        call(walk, start.bound_to(made), words, named)
    elif start is not ABSENT or cls.find("__new__") is not ABSENT:
        walk.is_whole = False
    elif cls.fields is not None:
        classes.set_fields(walk, made, cls, words, named)
        later = cls.find("__post_init__")
        if isinstance(later, Function):
            call(walk, later.bound_to(made), [], {})
    elif cls.foreign:
        values = [*words, *named.values()]
        walk.escape(tuple(one for one in values if not isinstance(one, operations.Rest)))
        if classes.is_record(cls):
            classes.record(walk, made, words, named)
    settings.set_from_variables(walk, made, cls)
    return made


def _bind(
    walk: Walk, called: Function, scope: Scope, words: list[Any], named: dict[str, Any]
) -> None:
    """Give the parameters of a function their values."""
    given = called.node.args
    names = [one.arg for one in (*given.posonlyargs, *given.args)]
    values = ([called.holder] if called.holder is not None else []) + list(words)
    is_loose = operations.OTHERS in named
    left = dict(named)
    for at, name in enumerate(names):
        if at < len(values) and isinstance(values[at], operations.Rest):
            rest = values[at].value
            values[at:] = [operations.item_of(walk, rest)] * (len(names) - at)
            is_loose = True
        if at < len(values):
            scope.names[name] = values[at]
        elif name in left:
            scope.names[name] = left.pop(name)
        else:
            back = len(names) - at
            known = called.defaults[-back] if back <= len(called.defaults) else ABSENT
            missing = UNKNOWN if known is ABSENT else known
            scope.names[name] = either([missing, UNKNOWN]) if is_loose else missing
    if given.vararg is not None:
        extra = [
            one.value.item
            if isinstance(one, operations.Rest) and isinstance(one.value, Many)
            else UNKNOWN
            if isinstance(one, operations.Rest)
            else one
            for one in values[len(names) :]
        ]
        is_open = any(isinstance(one, operations.Rest) for one in values[len(names) :])
        scope.names[given.vararg.arg] = Box(extra, is_open=True) if is_open else tuple(extra)
    for one, default in zip(given.kwonlyargs, called.keyword_defaults, strict=False):
        known = left.pop(one.arg, default)
        known = UNKNOWN if known is ABSENT else known
        scope.names[one.arg] = either([known, UNKNOWN]) if is_loose else known
    if given.kwarg is not None:
        left.pop(operations.OTHERS, None)
        scope.names[given.kwarg.arg] = Box(left, is_open=is_loose)


def annotation(walk: Walk, node: ast.expr | None) -> None:
    """Walk what an annotation calls, as it may run."""
    if node is not None and any(isinstance(one, ast.Call) for one in ast.walk(node)):
        walk.value(node)


def _outside(scope: Scope, called: Function) -> Scope | None:
    """The scope that a function sees around it: the names of a class are not in it."""
    if called.owner is not None and scope is called.owner.scope:
        return scope.parent
    return scope


# end of module
