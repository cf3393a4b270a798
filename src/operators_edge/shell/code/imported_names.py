"""The names by which a program knows the modules that count: ``import os as o``, ``{exec: run} = …``.

Owns these imports of Python, Node and Ruby. Does not own which calls count (``shell.code.languages``), nor
the names that a program gives to values (``shell.code.program_values``). Pure.
"""

from __future__ import annotations

from operators_edge.shell.code.languages import NODE, PYTHON, RUBY, Language
from operators_edge.text.patterns import pattern

_PY_IMPORT = pattern(r"(?:\bimport\s+|,\s*)([\w.]+)\s+as\s+(\w+)")
_PY_FROM = pattern(r"\bfrom\s+([\w.]+)\s+import\s+([\w ,*]+)")
_JS_NAME = pattern(
    r"\b(\w+)\s*=\s*((?:child_process|fs|fs-extra|shelljs|rimraf|fs/promises)\b(?:\.\w+\b)?)(?![.(\w/-])"
)
_JS_FROM = pattern(r"import\s+(?:\*\s+as\s+)?(\w+)\s+from\s+['\"](?:node:)?([\w/-]+)['\"]")
_JS_PICK = pattern(
    r"\{([\w\s,:]+)\}\s*(?:=\s*|from\s+['\"](?:node:)?)(child_process|fs/promises|fs-extra|fs|os|path(?![\w-]))\b"
)
_RUBY_FILES = pattern(r"\b(\w+)\s*=\s*FileUtils(?:::(Verbose|DryRun|NoWrite))?[ \t]*(?=[;#\n]|\Z)")
_JS_MODULES = {"fs-extra": "fse", "fs/promises": "fs.promises"}


def imported_names(code: str, language: Language) -> dict[str, str]:
    """The names that a program gives to modules and to what is in them.

    Python's ``code`` is without texts and comments, which import nothing.
    """
    names: dict[str, str] = {}
    if language is PYTHON:
        names |= {name: module for module, name in _PY_IMPORT.findall(code)}
        for module, picked in _PY_FROM.findall(code):
            names |= _picked(module, picked, " as ")
    if language is NODE:
        for name, module in (*_JS_NAME.findall(code), *_JS_FROM.findall(code)):
            names[name] = _JS_MODULES.get(module, module)
        for picked, module in _JS_PICK.findall(code):
            words = picked.replace(" as ", ":")
            names |= _picked(_JS_MODULES.get(module, module), words, ":")
    if language is RUBY:
        for name, kind in _RUBY_FILES.findall(code):
            names[name] = "FileUtils" if kind in {"", "Verbose"} else f"FileUtils.{kind}"
    return names


def _picked(module: str, picked: str, separator: str) -> dict[str, str]:
    """``exec, spawn as start``: what a program takes out of a module."""
    names = {}
    for part in picked.split(","):
        old, _, new = (piece.strip() for piece in part.strip().partition(separator))
        names[new or old] = f"{module}.{old}"
    return names


# end of module
