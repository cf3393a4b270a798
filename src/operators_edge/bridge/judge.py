"""Judging what changed: against the task's scope, its protected files, and secrets. Pure."""

from __future__ import annotations

from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from operators_edge.gate.paths import is_host_settings
from operators_edge.redaction.redact import certainly

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


def matches(path: str, pattern: str) -> bool:
    """Whether a scope's pattern means this path: the file, a folder above it, or a glob (``*`` crosses /)."""
    plain = pattern.removeprefix("./").rstrip("/")
    return path == plain or path.startswith(f"{plain}/") or fnmatchcase(path, plain)


def outside(paths: Iterable[str], scope: Sequence[str]) -> list[str]:
    """The paths that no pattern of the scope means; none without a scope."""
    return [each for each in paths if scope and not any(matches(each, one) for one in scope)]


def protected(
    paths: Iterable[str], patterns: Sequence[str], scope: Sequence[str] = ()
) -> list[str]:
    """The paths that must not change; settings that can switch the gate off only if the scope names them."""
    return [
        each
        for each in paths
        if any(matches(each, one) for one in patterns)
        or (is_host_settings(f"/{each}") and each not in scope)
    ]


def secret_lines(patch: bytes, *, values: Iterable[str] = ()) -> list[str]:
    """Where a patch adds a secret: "FILE: KIND", once for each file and kind."""
    known = tuple(values)
    found: dict[str, None] = {}
    path = ""
    for line in patch.decode("utf-8", "replace").split("\n"):
        if line.startswith("+++ "):
            path = line[4:].strip('"').removeprefix("b/")
        elif line.startswith("+") and (kind := certainly(line[1:], values=known)):
            found[f"{path}: {kind}"] = None
    return list(found)


# end of module
