"""Compiling the effective rules of one project: packs, the person's file and the project's.

Does not own reading the files (``config.files``), which layer may change what (``config.layers``) or the
cache (``config.effective``).
"""

from __future__ import annotations

import os

from operators_edge.config import files as config_files, trust
from operators_edge.config.layers import effective, remarks
from operators_edge.errors import EdgeError
from operators_edge.gate import pack_compiler, rules

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any


def load(root: str | None, env: Mapping[str, str] = os.environ) -> rules.Rules:
    """The effective rules, compiled again; ``config`` is complete also if nothing is configured."""
    return rules.Rules(compiled(root, env))


def unconfigured() -> dict[str, Any]:
    """The configuration where nothing is configured: it names no rule, so none of the packs is needed."""
    nothing = config_files.Files(None, None)
    packs = pack_compiler.CompiledPacks({})
    found: dict[str, Any] = compiled(None, {}, nothing, packs=packs)["config"]
    return found


def compiled(
    root: str | None,
    env: Mapping[str, str],
    files: config_files.Files | None = None,
    confirmed: frozenset[str] | None = None,
    packs: pack_compiler.CompiledPacks | None = None,
) -> dict[str, Any]:
    """The data that ``Rules`` is made from; the last three replace what is on the disk."""
    files = files or config_files.read(root, env)
    notes = list(files.notes)
    if confirmed is None and root is not None and files.project:
        try:
            confirmed = trust.confirmed(root, env)
        except EdgeError as error:
            notes.append(f"no loosening counts: {error.message}")
    made = effective(
        rules.compiled_packs() if packs is None else packs,
        user=files.user,
        project=files.project,
        root=root,
        confirmed=confirmed or frozenset(),
    )
    config = made["config"]
    config["notes"] = notes
    config["remarks"] = remarks(config)
    return made


# end of module
