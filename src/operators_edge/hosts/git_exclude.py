"""Our lines in git's ``info/exclude``: a marked block for each project of a repository.

Owns the block's text. The file's place is in ``hosts.claude.environment``, writing it in
``hosts.claude.install``.
"""

from __future__ import annotations

import os

from operators_edge.locations import HANDOFF_DIR, PROOF_DIR, REPORTS_DIR, STATE_FILE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_BEGIN = b"# >>> operators-edge "
_END = b"# <<< operators-edge "

DATA = (
    STATE_FILE,
    f"{PROOF_DIR}/",
    f"{HANDOFF_DIR}/",
    f"{REPORTS_DIR}/edge_digest_*.md",
    f"{REPORTS_DIR}/proof_*.html",
)
"""Our files in a project that should not be committed by accident; a tracked one stays tracked."""


def place(prefix: str) -> str:
    """A project's folder as a gitignore pattern that matches only it; ``prefix`` is "" or "sub/"."""
    return "/" + "".join(f"\\{sign}" if sign in "\\*?[" else sign for sign in prefix)


def with_block(
    data: bytes, where: str, patterns: list[str], *, without: Sequence[str] = ()
) -> bytes:
    """The file with our block at its end; lines that were in the block before are kept but ``without`` these.

    Worktrees of one repository share the file, and one may need a line that another does not.
    """
    wanted = [os.fsencode(where + each) for each in patterns]
    gone = {os.fsencode(where + each) for each in without}
    held = _block(data, where)
    if held is not None and set(wanted) <= set(held) and not gone & set(held):
        return data
    kept = [each for each in held or [] if each not in gone]
    lines = [*kept, *(each for each in wanted if each not in kept)]
    base = without_block(data, where)
    if base and not base.endswith(b"\n"):
        base += b"\n"
    name = os.fsencode(where)
    return base + b"\n".join([_BEGIN + name, *lines, _END + name]) + b"\n"


def without_block(data: bytes, where: str) -> bytes:
    """The file without our block; unchanged if the block's end line is missing."""
    lines = data.splitlines(keepends=True)
    span = _span(lines, where)
    return data if span is None else b"".join(lines[: span[0]] + lines[span[1] + 1 :])


def missing(data: bytes, where: str) -> list[str]:
    """The data patterns that no block of ours lists for this place."""
    held = _block(data, where) or []
    return [each for each in DATA if os.fsencode(where + each) not in held]


def listed(data: bytes, where: str) -> list[str]:
    """The names that our block lists for this place."""
    prefix = os.fsencode(where)
    held = _block(data, where) or []
    return [os.fsdecode(each[len(prefix) :]) for each in held if each.startswith(prefix)]


def _block(data: bytes, where: str) -> list[bytes] | None:
    lines = data.splitlines()
    span = _span(lines, where)
    return None if span is None else lines[span[0] + 1 : span[1]]


def _span(lines: list[bytes], where: str) -> tuple[int, int] | None:
    plain = [line.rstrip(b"\r\n") for line in lines]
    try:
        start = plain.index(_BEGIN + os.fsencode(where))
        return start, plain.index(_END + os.fsencode(where), start)
    except ValueError:
        return None


# end of module
