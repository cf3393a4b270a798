"""Constants in the syntax of Python: which expressions are one, their values, and what is computed of them.

Owns literals, and the functions and operators whose result is the same wherever a program runs. Nothing of a
program is run but these. Does not own names and their values (``shell.code.python.code``). Slow to import.
"""

from __future__ import annotations

import ast
import base64
import binascii
import codecs
import zlib

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

MAX_TEXT = 64 * 1024
"""Characters of a program, and of a constant."""

MODULES = {"posix": "os", "nt": "os", "_posixsubprocess": "subprocess"}


def is_constant(node: ast.expr) -> bool:
    if isinstance(node, (ast.List, ast.Tuple)):
        return are_constant(node.elts)
    if isinstance(node, ast.Dict):
        return None not in node.keys and are_constant([*filter(None, node.keys), *node.values])
    if isinstance(node, ast.UnaryOp):
        return isinstance(node.op, ast.USub) and is_constant(node.operand)
    return isinstance(node, ast.Constant)


def are_constant(nodes: list[ast.expr]) -> bool:
    return all(map(is_constant, nodes))


def with_home(text: str) -> str | None:
    """What ``os.path.expandvars`` makes of a path, with the home as ``~``; None if more is to be known."""
    for name in ("$HOME/", "${HOME}/"):
        text = f"~/{text.removeprefix(name)}" if text.startswith(name) else text
    text = "~" if text in ("$HOME", "${HOME}") else text
    return None if "$" in text else text


def is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def value_of(node: ast.expr) -> Any:
    return ast.literal_eval(node)


def index_of(node: ast.expr) -> Any:
    if not isinstance(node, ast.Slice):
        return ast.literal_eval(node)
    bounds = (node.lower, node.upper, node.step)
    return slice(*(None if one is None else ast.literal_eval(one) for one in bounds))


def bytes_of(node: ast.expr) -> object:
    return node.value if isinstance(node, ast.Constant) else None


def text_of(value: object) -> str:
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)


def name_of(dotted: str) -> ast.expr:
    """Return the expression for a name or a module; ``posix`` is ``os``."""
    first, *rest = dotted.split(".")
    found: ast.expr = ast.Name(MODULES.get(first, first), ast.Load())
    for part in rest:
        found = ast.Attribute(found, part, ast.Load())
    return found


def items_of(node: ast.expr) -> list[ast.expr]:
    """The known items that a loop goes through: of a list, or of a dictionary."""
    if isinstance(node, (ast.List, ast.Tuple)):
        return node.elts
    if isinstance(node, ast.Dict):
        return [key for key in node.keys if key is not None]
    call = node if isinstance(node, ast.Call) else None
    method = call.func if call and isinstance(call.func, ast.Attribute) else None
    if method is None or not isinstance(method.value, ast.Dict):
        return []
    pairs = zip(items_of(method.value), method.value.values, strict=False)
    if method.attr == "items":
        return [ast.Tuple([key, value], ast.Load()) for key, value in pairs]
    return method.value.values if method.attr == "values" else []


def computed(compute: Callable[[], object], node: ast.AST) -> ast.AST:
    """Return the value as a constant; the node itself if it has none of a bounded size."""
    try:
        value = compute()
        is_small = value is not None and len(repr(value)) <= MAX_TEXT
        return ast.parse(repr(value), mode="eval").body if is_small else node
    except (TypeError, ValueError, KeyError, IndexError, LookupError, AttributeError, zlib.error):
        return node


def _decompressed(data: bytes, *_: object) -> bytes:
    return zlib.decompressobj(47).decompress(data, MAX_TEXT)


def _decoded(value: bytes | str, encoding: str = "utf-8", *_: object) -> object:
    return codecs.decode(value, encoding)  # type: ignore[arg-type]


FUNCTIONS: dict[str, Callable[..., object]] = {
    "chr": chr,
    "ord": ord,
    "str": str,
    "bytes": lambda value, *_: value.encode() if isinstance(value, str) else bytes(list(value)),
    "bytearray": lambda value: bytes(list(value)),
    "reversed": lambda value: list(value)[::-1],
    "bytes.fromhex": bytes.fromhex,
    "bytearray.fromhex": bytes.fromhex,
    "base64.b64decode": lambda value, *_: base64.b64decode(value),
    "base64.standard_b64decode": base64.b64decode,
    "base64.urlsafe_b64decode": base64.urlsafe_b64decode,
    "base64.decodebytes": base64.decodebytes,
    "base64.b32decode": base64.b32decode,
    "base64.b16decode": base64.b16decode,
    "base64.b85decode": base64.b85decode,
    "base64.a85decode": base64.a85decode,
    "binascii.unhexlify": binascii.unhexlify,
    "binascii.a2b_hex": binascii.unhexlify,
    "binascii.a2b_base64": binascii.a2b_base64,
    "codecs.decode": _decoded,
    "zlib.decompress": _decompressed,
    "gzip.decompress": _decompressed,
}


OPERATIONS: dict[type[ast.operator], Callable[..., object]] = {
    ast.Add: lambda left, right: left + right,
    ast.Mod: lambda left, right: left % right if isinstance(left, (str, bytes)) else None,
    ast.Mult: lambda left, right: left * right if right in range(65) else None,
    ast.BitXor: lambda left, right: left ^ right,
    ast.Sub: lambda left, right: left - right,
}


# end of module
