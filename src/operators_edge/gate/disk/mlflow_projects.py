"""What ``mlflow run`` starts: the command of an entry point of an ``MLproject``, or a script by its name.

Owns the entry points and their parameters. Pure but for ``Facts``. Does not own what the commands do.
"""

from __future__ import annotations

import os.path

from operators_edge.gate.disk.search import Piece, SearchPart
from operators_edge.shell.commands import HOLE, quoted
from operators_edge.text import yaml_values
from operators_edge.text.patterns import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

_USUAL = "main"
_PARAMETER = pattern(r"\{(\w+)\}")
_RUNS = {".py": "python", ".sh": "bash", ".R": "Rscript"}


class Project(SearchPart):
    """The project that one command of mlflow runs."""

    def pieces(self, path: str, text: str) -> Iterator[Piece]:
        data = yaml_values.read(text)
        folder = os.path.dirname(path)
        named = [one.text for one in self.inv.values(("-e", "--entry-point"))]
        points = data.get("entry_points") if isinstance(data, dict) else None
        for name in named or [_USUAL]:
            point = points.get(name) if isinstance(points, dict) else None
            if isinstance(point, dict):
                line = getattr(point, "lines", {}).get("command", 1)
                yield self._piece(path, self._filled(point), line, folder)
            elif points is not None and not isinstance(points, dict):
                yield self._piece(path, HOLE, 1, folder)
            else:
                runs = _RUNS.get(os.path.splitext(name)[1], "")
                yield self._piece(path, quoted([runs, name]) if runs else "", 1, folder)

    def _piece(self, path: str, run: str, line: int, folder: str) -> Piece:
        assigned = self.search.environment()
        return Piece(path, run, line, folder=folder, assigned=assigned, is_direct=False)

    def _filled(self, point: dict[str, Any]) -> str:
        """The command of an entry point with the values of its parameters."""
        given = [one.text.partition("=") for one in self.inv.values(("-P", "--param-list"))]
        known = {name: value for name, _, value in given}
        parameters = point.get("parameters")
        for name, told in parameters.items() if isinstance(parameters, dict) else ():
            usual = told.get("default") if isinstance(told, dict) else None
            known.setdefault(name, HOLE if usual is None else str(usual))
        command = str(point.get("command", ""))
        return _PARAMETER.sub(lambda one: _word(known.get(one[1], HOLE)), command)


def _word(value: str) -> str:
    return value if value == HOLE else quoted([value])


# end of module
