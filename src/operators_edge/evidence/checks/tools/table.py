"""The programs that judge work: what makes a check of each, what narrows it, when it judges nothing.

Owns data alone: a new program is an entry here, and a name in ``first_look``. Does not own how the words are
taken apart (``recognise``) nor what the programs print (``wordings``).
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

# Programs behind which another one is named, that the shell's reading leaves as they are: the words that
# have to stand between.
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
