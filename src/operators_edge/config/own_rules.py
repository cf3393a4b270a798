"""The rules and programs that a file of configuration brings along: as a pack, and what they must not say.

Pure. A project's file is not trusted: it can describe only programs that the shipped packs do not know, and
nothing that keeps the gate from judging a call. Does not own the form of packs (``gate.pack_schema``) or the
other keys (``config.schema``).
"""

from __future__ import annotations

import re

from operators_edge.config.schema import PROJECTS, ConfigError, layers_of, quoted, texts
from operators_edge.model import GUARDING
from operators_edge.shell import wrappers
from operators_edge.shell.wrapper_table import PREFIXES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from operators_edge.config.schema import Layer, Source, Table
    from operators_edge.gate.pack_compiler import CompiledPacks

_KEYS = ("program", "rule")

# These keys of a program keep the gate from judging parts of a call: a project must not set them.
_PERSON_ONLY_KEYS = (
    *("help", "help_first", "dry_run", "dry_run_not_as", "dry_run_not_with", "checks"),
    *("folder", "script", "scripts", "parts"),
    *("command_files_instead", "command_files_unless"),
    *("subcommands", "subcommands_not_as"),
)


def packs_of(source: Source, kind: str, root: str | None) -> dict[str, Table]:
    """A usable file's own rules and programs as packs, by the layer that holds them."""
    packs = {layer.label: _pack(layer) for layer in layers_of(source, kind, root)}
    for rule in (rule for pack in packs.values() for rule in pack.get("rule", ())):
        rule.update({key: texts(rule.get(key)) for key in ("match", "no_match")})
    return packs


def extended(packs: CompiledPacks, layer: Layer, *, shipped: CompiledPacks) -> CompiledPacks:
    """The packs with a layer's own programs and rules. ConfigError or PackError for one that is wrong."""
    _Check(packs, shipped).layer(layer)
    if not any(layer.table.get(key) for key in _KEYS):
        return packs
    return packs.extended({layer.label: _pack(layer)})


def _pack(layer: Layer) -> Table:
    own: Table = {key: layer.table[key] for key in _KEYS if key in layer.table}
    return {"pack": {"name": layer.kind, "summary": layer.label}, **own}


class _Check:
    """What a layer must not say, given the packs so far."""

    def __init__(self, packs: CompiledPacks, shipped: CompiledPacks) -> None:
        self._packs = packs
        self._shipped = shipped

    def layer(self, layer: Layer) -> None:
        for name, program in layer.table.get("program", {}).items():
            self._program(name, program, f"{layer.label}: program {name}", layer.kind)
        for rule in layer.table.get("rule", ()):
            self._rule(rule, f"{layer.label}: rule {rule.get('id')}")

    def _program(self, name: str, program: Table, where: str, kind: str) -> None:
        for alias in (name, *texts(program.get("names")), *texts(program.get("like"))):
            self._name(alias, where, kind)
        for key in _PERSON_ONLY_KEYS if kind == PROJECTS else ():
            if key in program:
                raise ConfigError(f"{where}: {key} is only for your own file")

    def _rule(self, rule: Table, where: str) -> None:
        if str(rule.get("id")).startswith(GUARDING):
            raise ConfigError(f"{where}: ids with {GUARDING} are the product's own")
        whens = rule.get("when")
        for when in whens if isinstance(whens, list) else ():
            for name in texts(when.get("program")) if isinstance(when, dict) else ():
                self._ruled(name, where)

    def _name(self, name: str, where: str, kind: str) -> None:
        """Only a program that no shipped rule or table knows can be described: it could escape them."""
        if kind == PROJECTS and not re.fullmatch(r"[\w.+-]+", name):
            raise ConfigError(f"{where}: {quoted(name)} is not a plain program name")
        is_wrapper = name.lower() in PREFIXES or name.lower() in wrappers.SHELLS
        if is_wrapper or self._known_as(name) is not None or name in self._mentioned():
            raise ConfigError(
                f"{where}: {name} is already known; only new programs can be described"
            )

    def _ruled(self, name: str, where: str) -> None:
        """A rule must name a program as the packs do: another spelling would not find its table."""
        known_as = self._known_as(name)
        if known_as is not None and name not in self._packs.names and "*" not in name:
            raise ConfigError(f"{where}: program {name} is known as {known_as}; use that name")

    def _known_as(self, name: str) -> str | None:
        names, globs = self._packs.names, self._packs.globs
        found = names.get(name) or names.get(name.lower())
        return found or next((one for pattern, one in globs if re.match(pattern, name)), None)

    def _mentioned(self) -> set[str]:
        """Programs that shipped rules name in a condition although no table describes them."""
        rules = (rule for pack in self._shipped.packs.values() for rule in pack.get("rule", ()))
        keys = ("program", "unless_program", "through", "stdin_program")
        values = (when.get(key, ()) for rule in rules for when in rule["when"] for key in keys)
        return {one for value in values for one in texts(value)}


# end of module
