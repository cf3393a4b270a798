"""Python's own reader of Python, without what it says of other people's code. Pure."""

from __future__ import annotations

import ast
import warnings


def parse(code: str) -> ast.Module:
    """The same as ``ast.parse``, quiet about invalid escapes: newer versions print a warning of each."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.parse(code)


# end of module
