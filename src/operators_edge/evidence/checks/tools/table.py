"""The programs that judge work: which arguments make a check, what narrows it, when it judges nothing.

Owns data alone: a new program is an entry here and a name in ``evidence.checks.detect``. Does not own how
arguments are read (``evidence.checks.programs``) or what programs print
(``evidence.checks.runner_patterns``).
"""

from __future__ import annotations

from operators_edge.evidence.checks.tools import compiled, javascript, others, python
from operators_edge.evidence.checks.tools.tool import Tool

__all__ = ["LAUNCHERS", "TOOLS", "Tool"]

TOOLS: dict[str, tuple[Tool, ...]] = {
    **python.TOOLS,
    **javascript.TOOLS,
    **compiled.TOOLS,
    **others.TOOLS,
}

# Programs that start another one and that the shell's parser does not unwrap: the arguments that must come
# before its name.
LAUNCHERS: dict[str, tuple[str, ...]] = {
    "coverage": ("run -m", "run"),
    "php": ("",),
    "yarn": ("run", "exec", "dlx", ""),
    "pnpm": ("run", "exec", "dlx", ""),
    "bun": ("run", "x"),
    "c8": ("",),
    "nyc": ("",),
    "rtx": ("exec", "x"),
    "ruby": ("-S", ""),
    "corepack": ("",),
    "slipcover": ("-m",),
    "scalene": ("-m",),
}

# end of module
