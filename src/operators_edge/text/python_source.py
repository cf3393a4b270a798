"""Python's own reader and writer of Python, made the same for every version that runs us.

Code may be of another version than ours (``text.python_versions``). And what a newer one writes, readers of
text do not take: from 3.12 on an f-string may hold its own quotes. Pure.
"""

from __future__ import annotations

import ast
import re
import warnings

from operators_edge.text.patterns import pattern

_MAX_LEFT_OUT = 40
_CODING = pattern(r"(?:[ \t\f]*(?:#[^\n]*)?\n)?[ \t\f]*#[^\n]*?coding[:=][ \t]*([-\w.]+)")
_FIRST_LINES = 400
_OBSCURE = ("utf-7", "utf7", "u7", "unicode-escape", "raw-unicode-escape", "unicodeescape")
"""Encodings in which plain code stands for other code."""


def parse(code: str) -> ast.Module:
    """The same as ``ast.parse``, for code of other versions too; quiet about invalid escapes."""
    tree, _ = _read(code)
    if isinstance(tree, SyntaxError):
        raise tree
    return tree


def parse_most(code: str) -> tuple[ast.Module, list[str]]:
    """The same, and the statements that cannot be read and were left out; SyntaxError if they are many.

    A check that code is harmless uses ``parse``: what was left out may do anything.
    """
    problem, code = _read(code)
    if not isinstance(problem, SyntaxError):
        return problem, []
    from operators_edge.text import python_versions  # noqa: PLC0415 - for code that cannot be read alone

    lines = code.split("\n")
    spans = python_versions.logical_lines(code)
    left_out: list[str] = []
    for _ in range(_MAX_LEFT_OUT):
        at = problem.lineno or 1
        first, last = next((span for span in spans if span[0] <= at <= span[1]), (at, at))
        text = "\n".join(lines[first - 1 : last])
        if not text.strip() or text.strip() in ("pass", "if 1:"):
            break
        left_out.append(text.strip())
        bare = re.sub(r"#[^\n]*$", "", text).rstrip()
        indent = text[: len(text) - len(text.lstrip(" \t"))]
        lines[first - 1 : last] = [
            f"{indent}{'if 1:' if bare.endswith(':') else 'pass'}",
            *[""] * (last - first),
        ]
        try:
            return _parse("\n".join(lines)), left_out
        except SyntaxError as error:
            problem = error
    raise problem


def unparse(tree: ast.AST) -> str:
    """The code of a tree, the same for every version; an f-string without a plain form is a sum.

    Changes the tree.
    """
    return ast.unparse(ast.fix_missing_locations(_Formatted().visit(tree)))


def _read(code: str) -> tuple[ast.Module | SyntaxError, str]:
    """What the code says, or what is wrong with it; and the code as it was read last."""
    code = _decoded(code)
    try:
        return _parse(code), code
    except SyntaxError as error:
        problem = error
    other = _rewritten(code)
    if other == code:
        return problem, code
    try:
        return _parse(other), other
    except SyntaxError as error:
        return error, other


def _parse(code: str) -> ast.Module:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # newer versions print a warning of each invalid escape
        return ast.parse(code)


def _decoded(code: str) -> str:
    """What Python reads in a file whose first lines name such an encoding."""
    coding = _CODING.match(code) if "coding" in code[:_FIRST_LINES] else None
    if coding is None or coding[1].lower().replace("_", "-") not in _OBSCURE:
        return code
    return code.encode("utf-8", "surrogatepass").decode(coding[1], "replace")


def _rewritten(code: str) -> str:
    from operators_edge.text import python_versions  # noqa: PLC0415 - for code that cannot be read alone

    if "\t" in code:
        code = code.expandtabs(8)
    return python_versions.older(code)


_QUOTES = ("'", '"', '"""', "'''")


class _Formatted(ast.NodeTransformer):
    """Writes each f-string out, in quotes that stand nowhere in it."""

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.AST:
        self.generic_visit(node)
        parts = [self._part(one) for one in node.values]
        fields = "".join(text for text, is_field in parts if is_field)
        whole = "".join(text for text, _ in parts)
        quote = next((one for one in _QUOTES if one not in whole and whole[-1:] != one[0]), "")
        if quote and "\\" not in fields and "\n" not in fields and "#" not in fields:
            return ast.Name(f"f{quote}{whole}{quote}", ast.Load())
        return self._as_sum(node)

    def _part(self, node: ast.expr) -> tuple[str, bool]:
        """A part as it stands in an f-string, and whether it is a field."""
        if not isinstance(node, ast.FormattedValue):
            text = str(node.value) if isinstance(node, ast.Constant) else ast.unparse(node)
            shown = repr(f'"{text}')[2:-1].replace("\\'", "'")
            return shown.replace("{", "{{").replace("}", "}}"), False
        value = ast.unparse(node.value)
        if isinstance(node.value, ast.Lambda):
            value = f"({value})"
        conversion = f"!{chr(node.conversion)}" if node.conversion > 0 else ""
        spec = f":{_spec(node.format_spec)}" if node.format_spec is not None else ""
        return f"{{{' ' * value.startswith('{')}{value}{conversion}{spec}}}", True

    def _as_sum(self, node: ast.JoinedStr) -> ast.AST:
        found: ast.expr = ast.Constant("")
        for one in node.values:
            part = one
            if isinstance(one, ast.FormattedValue):
                part = ast.Call(ast.Name("str", ast.Load()), [one.value], [])
            found = ast.BinOp(found, ast.Add(), part)
        return found


def _spec(node: ast.expr) -> str:
    """The format behind a colon: a text that was written out already, without its quotes."""
    text = node.id if isinstance(node, ast.Name) else ast.unparse(node)
    return re.sub(r"\Af?(\"\"\"|'''|\"|')(.*)\1\Z", r"\2", text, flags=re.DOTALL)


# end of module
