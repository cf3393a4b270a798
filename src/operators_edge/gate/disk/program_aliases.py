"""Names that a person has given to commands of a program: aliases of gh, cargo, hg and others.

Owns how their files say what a name stands for, and the text that runs. Does not own which files those are
(``aliases`` in the packs), nor git's aliases (``gate.disk.git_hooks``). Pure but for ``Facts``. Loaded for
programs with such files.
"""

from __future__ import annotations

import re
from functools import lru_cache

from operators_edge.gate.disk.search import MAX_FILE, Piece, SearchPart, settings_in
from operators_edge.shell.commands import quoted
from operators_edge.text.lines import line_at
from operators_edge.text.settings_files import values_at, values_of, yaml_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any


class Aliases(SearchPart):
    """What the first operand of a command stands for."""

    def pieces(self) -> Iterator[Piece]:
        name = self.inv.operands[0].text if self.inv.operands else ""
        if name and self.inv.program == "gh":
            yield from self._set_before(name)
        for file, section in self.spec.get("aliases", {}).items() if name else ():
            path = self.search.path(file)
            text = self.context.facts.text(path, MAX_FILE) if path else None
            if not path or not text or name not in text:
                continue
            value = _aliases_in(file, text, section).get(name)
            if value is None:
                continue
            self.follower.note(path, text)
            found = re.search(rf"(?m)^[ \t]*[\"']?{re.escape(name)}\b", text)
            line = line_at(text, found.start()) if found else 1
            yield self._piece(name, value, path, line)

    def _piece(self, name: str, value: str, path: str, line: int) -> Piece:
        words = self.search.words
        rest = words[words.index(name, 1) + 1 :]
        runs = value[1:] if value[:1] == "!" else f"{words[0]} {value}"
        if not re.search(r"\$\d", value):  # which stand for the words behind
            runs = f"{runs} {quoted(rest)}"
        return Piece(path, runs, line, folder=self.folder, arguments=(words[0], *rest))

    def _set_before(self, name: str) -> Iterator[Piece]:
        """``gh alias set NAME 'TEXT'``, earlier on the line."""
        for command in self.context.commands:
            words = [word.text for word in command.argv if word.text[:1] != "-"]
            is_shell = any(word.text in ("-s", "--shell") for word in command.argv)
            if words[:1] == self.search.words[:1] and words[1:4] == ["alias", "set", name]:
                yield from (
                    self._piece(name, f"!{one}" if is_shell else one, "", 0) for one in words[4:5]
                )


@lru_cache(maxsize=32)
def _aliases_in(file: str, text: str, section: str) -> dict[str, str]:
    if not file.endswith((".toml", ".yml")):
        start = f"{section}."
        given = ((one.name, one.value) for one in settings_in(text))
        return {name.removeprefix(start): value for name, value in given if name.startswith(start)}
    found = next(values_at(values_of(file, text, yaml_of), section), None)
    named = found if isinstance(found, dict) else {}  # it has none, or refuses the file
    return {str(name): line for name, value in named.items() if (line := _line(value))}


def _line(value: Any) -> str:
    if isinstance(value, list):
        return quoted([str(one) for one in value])
    return value.strip() if isinstance(value, str) else ""


# end of module
