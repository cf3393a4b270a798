"""Tests that a ``CMakeLists.txt`` names, which ``ctest`` runs once the project is built.

Pure: text in, commands out; what cannot be known is a HOLE. Does not own other formats (``gate.recipes``).
"""

from __future__ import annotations

import re
import shlex

from operators_edge.gate.recipe_types import MAX_RECIPES, Recipe, Wanted
from operators_edge.shell.commands import HOLE
from operators_edge.text.patterns import pattern

_TEST = pattern(r"(?im)^[ \t]*add_test\s*\(")
_WORD = pattern(r"#[^\n]*|\"(?:[^\"\\]|\\.)*\"|[^\s()\"#]+|[()]", re.DOTALL)
_HERE = pattern(r"\$\{(?:CMAKE|PROJECT|CMAKE_CURRENT)_SOURCE_DIR\}")
_VARIABLE = pattern(r"\$(?:ENV)?\{[^}]*\}|\$<[^>]*>")
_OPTIONS = frozenset(("WORKING_DIRECTORY", "CONFIGURATIONS", "COMMAND_EXPAND_LISTS"))
_MAX_WORDS = 200


def cmake_tests(text: str, wanted: Wanted) -> list[Recipe]:
    """The command of each test; of which ones are asked for is not known."""
    found = []
    for head in list(_TEST.finditer(text))[: 0 if wanted.is_dry else MAX_RECIPES]:
        words = _words(text, head.end())
        if words[:1] == ["NAME"] and "COMMAND" in words:
            words = words[words.index("COMMAND") + 1 :]
        else:
            words = words[1:]
        folder = _after("WORKING_DIRECTORY", words)
        end = next((at for at, word in enumerate(words) if word in _OPTIONS), len(words))
        run = " ".join(map(_quoted, words[:end]))
        line = text.count("\n", 0, head.end()) + 1
        found.append(Recipe(f"cd {_quoted(folder)} && {run}" if folder else run, line))
    return found


def _words(text: str, start: int) -> list[str]:
    found: list[str] = []
    for match in _WORD.finditer(text, start):
        if match[0] == ")" or len(found) >= _MAX_WORDS:
            break
        if match[0][0] not in "#(":
            found.append(match[0][1:-1] if match[0][0] == '"' else match[0])
    return found


def _after(option: str, words: list[str]) -> str:
    return words[words.index(option) + 1] if option in words[:-1] else ""


def _quoted(word: str) -> str:
    word = _HERE.sub(".", word).replace("${CMAKE_COMMAND}", "cmake")
    return shlex.quote(_VARIABLE.sub(HOLE, word))


# end of module
