"""What an assignment changes in a walk through a Python program: names, attributes and items.

Owns the targets of assignments, of loops and of ``with``. Does not own the statements themselves
(``shell.code.python.statements``), nor how a change is kept (``shell.code.python.trace``). Slow to import.
"""

from __future__ import annotations

import ast
from typing import Any

from operators_edge.shell.code.python import operations, settings
from operators_edge.shell.code.python.values import (
    ABSENT,
    UNKNOWN,
    Box,
    Class,
    Function,
    Instance,
    Many,
    Module,
    Symbol,
    either,
    is_constant,
    options_of,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from operators_edge.shell.code.python.trace import Walk

_CHANGES_KIND = frozenset(
    "__class__ __bases__ __code__ __globals__ __closure__ __dict__ __wrapped__ __path__".split()  # noqa: SIM905
)
"""Attributes that, once set, make something behave like something else."""


def assign(walk: Walk, target: ast.expr, value: Any) -> None:
    """Give a value to whatever stands to the left of it: a name, several, an attribute, an item."""
    if isinstance(target, ast.Name):
        set_name(walk, target.id, value)
    elif isinstance(target, ast.Starred):
        assign(walk, target.value, value)
    elif isinstance(target, (ast.Tuple, ast.List)):
        _unpack(walk, target.elts, value)
    elif isinstance(target, ast.Attribute):
        holders = options_of(walk.value(target.value))
        for one in holders:
            set_attribute(walk, one, target, value)
        if len(holders) > 1:
            _set_on_library(walk, "", target.attr, UNKNOWN)
    elif isinstance(target, ast.Subscript):
        key = walk.value(target.slice)
        for one in options_of(walk.value(target.value)):
            _set_item(walk, one, key, target, value)


def set_name(walk: Walk, name: str, value: Any) -> None:
    scope = walk.frame.scope.outer.get(name, walk.frame.scope)
    walk.write(scope.names, name, value)


def set_attribute(walk: Walk, holder: Any, target: ast.Attribute, value: Any) -> None:
    if target.attr in _CHANGES_KIND:
        walk.is_whole = False
    if isinstance(holder, Instance):
        own = holder.cls.find(target.attr) if holder.cls is not None else ABSENT
        if isinstance(own, Function) and own.kind == "property":
            walk.is_whole = False
        walk.write(holder.attributes, target.attr, value)
    elif isinstance(holder, (Module, Class)):
        walk.write(holder.scope.names, target.attr, value)
    elif isinstance(holder, Symbol):
        _set_on_library(walk, f"{holder.known_as}.{target.attr}", target.attr, value)
        walk.residue.add(
            ast.Assign([place(walk, target, holder)], walk.expr(value)),
            walk.frame.module.path,
            target.lineno,
        )
    else:
        walk.escape(value)


def _set_on_library(walk: Walk, name: str, attribute: str, value: Any) -> None:
    """Note what an attribute of a library is; of one that is not known, that it may be any."""
    for other in [one for one in walk.set_on_libraries if one.endswith(f".{attribute}")]:
        if other != name:
            walk.write(walk.set_on_libraries, other, UNKNOWN)
    walk.write(walk.set_on_libraries, name, value)


def place(walk: Walk, target: ast.expr, held: Symbol) -> ast.expr:
    """The expression for a part of something that is not the program's own."""
    if isinstance(target, ast.Attribute):
        return ast.Attribute(held.expr, target.attr, ast.Store())
    assert isinstance(target, ast.Subscript)  # noqa: S101 - the only other kind
    return ast.Subscript(held.expr, walk.expr(walk.value(target.slice)), ast.Store())


def _unpack(walk: Walk, targets: list[ast.expr], value: Any) -> None:
    items = operations.items_of(walk, value)
    star = next((n for n, one in enumerate(targets) if isinstance(one, ast.Starred)), None)
    if items is None or (star is None and len(items) != len(targets)):
        whole = items is None
        each = operations.item_of(walk, value) if whole else UNKNOWN
        for one in targets:
            assign(walk, one, Many(each) if isinstance(one, ast.Starred) else each)
        return
    if star is None:
        for one, part in zip(targets, items, strict=True):
            assign(walk, one, part)
        return
    after = len(targets) - star - 1
    for one, part in zip(targets[:star], items, strict=False):
        assign(walk, one, part)
    assign(walk, targets[star], Box(items[star : len(items) - after]))
    for one, part in zip(targets[star + 1 :], items[len(items) - after :], strict=False):
        assign(walk, one, part)


def _set_item(walk: Walk, holder: Any, key: Any, target: ast.Subscript, value: Any) -> None:
    if isinstance(holder, Box) and holder.is_dict and is_constant(key):
        walk.write(holder.cell, "items", {**holder.cell["items"], key: value})
    elif isinstance(holder, Box):
        items = holder.cell["items"]
        kept = list(items.values()) if isinstance(items, dict) else list(items)
        if isinstance(items, dict):
            changed = {one: either([each, value]) for one, each in items.items()}
            walk.write(holder.cell, "items", {**changed, operations.ANY_KEY: value})
        else:
            walk.write(holder.cell, "items", (*kept, value))
        walk.write(holder.cell, "is_open", True)
    elif isinstance(holder, Symbol):
        if holder.known_as == "os.environ":
            settings.set_variable(walk, key, value)
        if holder.known_as.endswith(".config"):
            from operators_edge.shell.code.python import flask_apps  # noqa: PLC0415 - for few programs

            flask_apps.note_setting(walk, key, value)
        if key in ("HOST", "default", "DATABASES"):
            from operators_edge.shell.code.python import django_settings  # noqa: PLC0415 - for few programs

            django_settings.note_changed(walk, holder.expr, key, value)
        for one in options_of(value):
            walk.residue.add(
                ast.Assign([place(walk, target, holder)], walk.expr(one)),
                walk.frame.module.path,
                target.lineno,
            )
    elif isinstance(holder, Instance):
        method = walk.attribute(holder, "__setitem__")
        walk.call(method, [key, value], {}, target)
    else:
        walk.escape(value)


# end of module
