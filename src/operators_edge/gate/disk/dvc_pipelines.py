"""What ``dvc repro`` and ``dvc exp run`` start: the commands of the stages of a ``dvc.yaml``.

Owns the stages, and the values of ``${…}`` from ``params.yaml``, ``vars`` and ``--set-param``. Pure but for
``Facts``. Does not own what the commands do. A value that is not known is a HOLE; a file that is not
understood is read like any other with commands in it.
"""

from __future__ import annotations

import os.path
from typing import Any

from operators_edge.gate.disk.search import Piece, SearchPart
from operators_edge.gate.disk.targets import recipes_of
from operators_edge.shell.commands import HOLE
from operators_edge.text import yaml_values
from operators_edge.text.patterns import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_PARAMETERS = "params.yaml"
_FILLED = pattern(r"(?<!\\)\$\{\s*([\w.\[\]/-]+)\s*\}")
_PART = pattern(r"[^.\[\]]+")
_SWEEP = pattern(r"[,*]|\b(?:choice|range|glob)\(")
_MAX_STAGES = 60


class Pipeline(SearchPart):
    """The stages that one command of dvc runs."""

    def pieces(self, path: str, text: str) -> Iterator[Piece]:
        operands = [one.text for one in self.inv.operands[:2]]
        if operands[:1] == ["exp"] and operands[1:] != ["run"]:
            return
        data = yaml_values.read(text)
        stages = data.get("stages") if isinstance(data, dict) else None
        folder = os.path.dirname(path)
        if not isinstance(data, dict) or not isinstance(stages, dict):
            for one in recipes_of("loose", text, (), ()):
                piece = Piece(path, one.text, one.line, folder=self.folder, is_direct=False)
                yield piece._replace(is_loose=True)
            return
        known = self._values(data, folder)
        for name, stage in list(stages.items())[:_MAX_STAGES]:
            line = getattr(stages, "lines", {}).get(name, 1)
            if isinstance(stage, dict):
                yield from self._stage(stage, known, Piece(path, "", line, folder=folder))

    def _stage(self, stage: dict[str, Any], known: dict[str, Any], piece: Piece) -> Iterator[Piece]:
        inner = stage.get("do", stage)
        inner = inner if isinstance(inner, dict) else {}
        known = {**known, **self._of_vars(inner.get("vars"), piece.folder or "")}
        line = getattr(inner, "lines", {}).get("cmd", piece.line)
        given = inner.get("cmd", "")
        commands = "\n".join(map(str, given)) if isinstance(given, list) else str(given)
        folder = os.path.join(piece.folder or "", _filled(str(inner.get("wdir", "")), known))
        piece = piece._replace(
            line=line,
            folder=None if HOLE in folder else os.path.normpath(folder),
            assigned=self.search.environment(),
            is_direct=False,
        )
        for more in _items(stage, known):
            yield piece._replace(text=_filled(commands, {**known, **more}))

    def _values(self, data: dict[str, Any], folder: str) -> dict[str, Any]:
        """The values that the stages may name; of what the command sets, those that it sets."""
        known = self._of_file(os.path.join(folder, _PARAMETERS))
        known |= self._of_vars(data.get("vars"), folder)
        if "hydra" in (self._read(os.path.join(self.context.root, ".dvc/config")) or ""):
            known = {}  # it makes the file of parameters first
        for word in self.inv.values(("-S", "--set-param")):
            name, _, value = word.text.rpartition(":")[2].partition("=")
            if "://" in word.text:  # a value with a colon, maybe after the name of a file
                before, _, value = word.text.partition("=")
                name = before.rpartition(":")[2]
            _set(known, name.lstrip("+~"), HOLE if _SWEEP.search(value) else value)
        return known

    def _of_vars(self, listed: Any, folder: str) -> dict[str, Any]:
        known: dict[str, Any] = {}
        for one in listed if isinstance(listed, list) else ():
            if isinstance(one, dict):
                known |= one
            elif isinstance(one, str):
                known |= self._of_file(os.path.join(folder, one.partition(":")[0]))
        return known

    def _of_file(self, path: str) -> dict[str, Any]:
        text = self._read(path) if path.endswith((".yaml", ".yml", ".json")) else None
        found = yaml_values.read(text) if text is not None else None
        return dict(found) if isinstance(found, dict) else {}

    def _read(self, path: str) -> str | None:
        place = self.context.resolve(path, self.folder)
        is_ours = place is not None and self.context.is_inside(place, (self.context.root,))
        return self.follower.read(place or "", self.context) if is_ours else None


def _set(known: dict[str, Any], name: str, value: str) -> None:
    """Set a value by its dotted name; what is above it is copied, as it may be shared."""
    first, _, rest = name.partition(".")
    if not rest:
        known[first] = value
        return
    above = known.get(first)
    known[first] = dict(above) if isinstance(above, dict) else {}
    _set(known[first], rest, value)


def _items(stage: dict[str, Any], known: dict[str, Any]) -> list[dict[str, Any]]:
    """What ``foreach`` gives to its stages, one after another; of ``matrix``, something unknown."""
    listed = stage.get("foreach")
    if isinstance(listed, str):
        name = _FILLED.fullmatch(listed)
        listed = _value(name[1], known) if name else None
    if isinstance(listed, dict):
        return [{"key": key, "item": one} for key, one in listed.items()][:_MAX_STAGES]
    if isinstance(listed, list):
        return [{"item": one} for one in listed][:_MAX_STAGES]
    return [{"item": HOLE, "key": HOLE}]


def _value(name: str, known: dict[str, Any]) -> Any:
    found: Any = known
    for part in _PART.findall(name):
        if isinstance(found, dict):
            found = found.get(part, HOLE)
        elif isinstance(found, list) and part.isdigit() and int(part) < len(found):
            found = found[int(part)]
        else:
            return HOLE
    return found


def _filled(command: str, known: dict[str, Any]) -> str:
    def value(name: str) -> str:
        found = _value(name, known)
        if isinstance(found, bool):
            return str(found).lower()
        return str(found) if isinstance(found, str | int | float) else HOLE

    return _FILLED.sub(lambda one: value(one[1]), command).replace("\\${", "${")


# end of module
