"""How a shell's command ended, read from what the client says of it. Pure."""

from __future__ import annotations


def exit_code(tool: str, error: str | None) -> int | None:
    """A shell's exit code: 0 on success, else what the client's "Exit code N" says."""
    if tool != "Bash":
        return None
    if error is None:
        return 0
    said, found, number = error.split("\n", 1)[0].partition("Exit code ")
    return int(number) if found and not said and number.strip().isdigit() else None
