"""What pytest gives to a test for a fixture, in a Python program that is followed.

Owns which of these values count: addresses on other machines, and clients of services where nothing answers
in their place. Does not own what stands in for others (``shell.code.python.stand_ins``). Loaded for programs
that are followed.
"""

from __future__ import annotations

import ast
import re
from typing import Any

from operators_edge.shell.code.addresses import is_elsewhere
from operators_edge.shell.code.python.values import (
    UNKNOWN,
    Box,
    Function,
    Many,
    Symbol,
    either,
    options_of,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from operators_edge.shell.code.python.trace import Walk

_FIXTURES = frozenset(["pytest.fixture", "pytest_asyncio.fixture"])


def note_fixture(walk: Walk, name: str, made: Any) -> None:
    """Remember a function that pytest gives the value of to those that name it."""
    if name in _FIXTURES and isinstance(made, Function):
        walk.fixtures[getattr(made.node, "name", "")] = made


def given_by_pytest(walk: Walk, name: str) -> Any:
    """Return what a function gets for a fixture: only what has the address of another machine is known."""
    function = walk.fixtures.get(name)
    if function is None or function in walk.asked:
        return UNKNOWN
    walk.asked.append(function)
    try:
        names = [one.arg for one in function.node.args.args]
        found = walk.call(function, [given_by_pytest(walk, one) for one in names], {}, None)
    finally:
        walk.asked.remove(function)
    known = [
        one
        for each in options_of(found.item if isinstance(found, Many) else found)
        for one in options_of(each)
        if _holds_elsewhere(one)
        or (isinstance(one, Symbol) and _reaches_elsewhere(walk, one.expr))
        or _is_client(walk, one)
    ]
    if not known and isinstance(found, Box) and found.is_dict and _is_only_fixture(walk, name):
        return found
    return either(known) if known else UNKNOWN


def _is_only_fixture(walk: Walk, name: str) -> bool:
    """Whether nothing else can give the value of a fixture: another one of its name, or a parameter."""
    word = re.escape(name)
    defined = sum(len(re.findall(rf"\bdef {word}\(", text)) for text in walk.texts)
    others = re.compile(
        rf"\bparametrize\([^)]{{0,400}}\b{word}\b|\b(?:name|params)\s*=|\bpytest_plugins\b|\bindirect\b"
    )
    return defined == 1 and not any(map(others.search, walk.texts))


def _holds_elsewhere(value: Any, name: str = "", depth: int = 0) -> bool:
    """Whether a text is the address of another machine, or a table has one."""
    if isinstance(value, str):
        return ("://" in value or bool(name)) and is_elsewhere(value, name)
    if not isinstance(value, Box) or not value.is_dict or depth > _MAX_TABLES:
        return False
    return any(
        _holds_elsewhere(one, key, depth + 1)
        for key, each in value.cell["items"].items()
        for one in options_of(each)
        if isinstance(key, str)
    )


def _reaches_elsewhere(walk: Walk, expr: ast.expr) -> bool:
    left, seen = [expr], 0
    while left and seen < _MAX_PARTS:
        for node in ast.walk(left.pop()):
            seen += 1
            if isinstance(node, ast.Name) and node.id in walk.residue.made:
                left.append(walk.residue.made[node.id])
            text = node.value if isinstance(node, ast.Constant) else None
            if isinstance(text, str) and "://" in text and is_elsewhere(text):
                return True
            named = (node.arg, node.value) if isinstance(node, ast.keyword) else ("", None)
            host = named[1].value if isinstance(named[1], ast.Constant) else ""
            if is_elsewhere(str(host), named[0] or ""):
                return True
    return False


_CLOUDS = frozenset(["boto3", "aioboto3"])
_CODE = re.compile(r"('(?:[^'\\\n]|\\.)*'|\"(?:[^\"\\\n]|\\.)*\")|#[^\n]*")
_MAY_ANSWER = re.compile(
    r"(?i)mock|moto|stub|fake|dummy|patch|local_?stack|endpoint|placebo|\bvcr|cassette|minio|emulator|respon[sd]|sandbox"
    r"|testing|base_url|disable_socket"
)
"""In the code of a suite: something may answer in the place of a service."""
_MAY_ANSWER_ALL = re.compile(r"(?i)endpoint|local_?stack|emulator|disable-socket|moto_server")
_SETTINGS_OF_SUITES = ("pytest.ini", "pyproject.toml", "tox.ini", "setup.cfg")


def _is_client(walk: Walk, value: Any) -> bool:
    """Whether it is a client of a service on other machines, in a suite where nothing else answers."""
    from operators_edge.shell.code.python.services import SERVICES  # noqa: PLC0415 - for test files alone

    if not isinstance(value, Symbol) or value is UNKNOWN or walk.residue.around:
        return False
    root = value.expr
    for _ in range(_MAX_CHAIN):
        root = walk.residue.resolved(root)
        if not isinstance(root, (ast.Attribute, ast.Call)):
            break
        root = root.value if isinstance(root, ast.Attribute) else root.func
    is_of_service = isinstance(root, ast.Name) and root.id in _CLOUDS | SERVICES.keys()
    if not is_of_service or any(_MAY_ANSWER.search(_CODE.sub(r"\1", one)) for one in walk.texts):
        return False
    return not any(_MAY_ANSWER_ALL.search(walk.read(one) or "") for one in _SETTINGS_OF_SUITES)


_MAX_CHAIN = 20
_MAX_PARTS = 500
_MAX_TABLES = 6


# end of module
