"""Compiling the effective rules of one project: packs, the person's file and the project's.

Does not own reading the files (``config.files``), which layer may change what (``config.layers``) or the
cache (``config.effective``).
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from operators_edge.config import files as config_files, trust
from operators_edge.config.layers import effective, remarks
from operators_edge.errors import EdgeError
from operators_edge.gate import rules

if TYPE_CHECKING:
    from collections.abc import Mapping


def load(root: str | None, env: Mapping[str, str] = os.environ) -> rules.Rules:
    """The effective rules, compiled again; ``config`` is complete also if nothing is configured."""
    return rules.Rules(compiled(root, env))


def compiled(
    root: str | None,
    env: Mapping[str, str],
    files: config_files.Files | None = None,
    confirmed: frozenset[str] | None = None,
) -> dict[str, Any]:
    """The data that ``Rules`` is made from; ``files`` and ``confirmed`` replace those on the disk."""
    files = files or config_files.read(root, env)
    notes = list(files.notes)
    if confirmed is None and root is not None and files.project:
        try:
            confirmed = trust.confirmed(root, env)
        except EdgeError as error:
            notes.append(f"no loosening counts: {error.message}")
    made = effective(
        rules.compiled_packs(),
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
