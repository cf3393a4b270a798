"""Back to processes, where the http transport cannot be had: no session stays locked for a port.

Owns which settings are rewritten and that they are otherwise untouched. Does not own whether the port is
held (``resident.held``).
"""

from __future__ import annotations

import os
from dataclasses import replace
from typing import TYPE_CHECKING

from operators_edge.hosts import wiring
from operators_edge.hosts.install import Installation
from operators_edge.project import home

if TYPE_CHECKING:
    from collections.abc import Mapping

    from operators_edge.hosts.install import Scope

_SCOPES: tuple[Scope, ...] = ("local", "user")


def to_process(root: str | None, env: Mapping[str, str] = os.environ) -> list[str]:
    """Let tool calls of this project start processes again; the settings files that were rewritten."""
    person = home(env)
    hooks = wiring.hooks("exec", replace(wiring.this_runner(env), url=""))
    written = []
    for scope in _SCOPES:
        if not (person if scope == "user" else root):
            continue
        here = Installation(scope, None if scope == "user" else root, home=person, env=env)
        if here.has_http():
            kept = here.permissions()
            here.apply(here.plan(hooks, permissions=kept, exclude=None, with_command=False))
            written.append(here.settings)
    return written
