"""A containment policy in the client's settings, and whether they still hold it.

Pure. The client has a sandbox of its own, which is used rather than one around the command: the gate, the
person's permission rules and the record see the command as it was written, and hooks run outside of it.
Does not own files (``hosts.claude.install``) or the policy (``containment.policy``).
"""

from __future__ import annotations

import os.path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from operators_edge.containment.policy import Policy
    from operators_edge.hosts.claude.settings_files import SettingsFile

NEEDED = ("socat", "rg")
"""Programs that the client wants beside bubblewrap on Linux."""

_FIRM = {
    "enabled": True,
    "failIfUnavailable": True,  # else a missing program means a warning, and no sandbox
    "allowUnsandboxedCommands": False,  # else the agent may ask for a call without it
}

PLACEHOLDERS = (
    *(".bash_profile", ".bashrc", ".gitconfig", ".gitmodules", ".idea", ".mcp.json", ".profile"),
    *(".ripgreprc", ".vscode", ".zprofile", ".zshrc", ".claude/agents", ".claude/hooks"),
    *(".claude/launch.json", ".claude/loop.md", ".claude/output-styles", ".claude/routines"),
    *(".claude/scheduled_tasks.json", ".claude/settings.json", ".claude/skills"),
    ".claude/workflows",
)
"""Names that the client protects itself. One that does not exist is a device file inside the sandbox, at
which ``git add -A`` fails unless git ignores it."""

_OWN_GUARD = frozenset((".claude", *PLACEHOLDERS))


def settings(policy: Policy) -> dict[str, Any]:
    """What the settings need beside the hooks."""
    return {
        "sandbox": {
            **_FIRM,
            # The client would else stop asking about commands, and the person's own rules would go.
            "autoAllowBashIfSandboxed": False,
            "filesystem": {
                "allowWrite": [*policy.writable, policy.cache],
                "denyWrite": list(_read_only(policy)),
                "denyRead": list(policy.hidden),
            },
            "network": {"allowedDomains": list(policy.hosts)},
        },
        "env": policy.all_variables,
    }


def _read_only(policy: Policy) -> Iterator[str]:
    """Without what the client protects itself: it would make a placeholder of what is not there."""
    for each in policy.read_only:
        inside = os.path.relpath(each, policy.project)
        if inside not in _OWN_GUARD and os.path.basename(os.path.dirname(each)) != ".git":
            yield each


def placeholders(policy: Policy) -> list[str]:
    """Every name, relative to the project, that is a device file inside while there is no such file."""
    own = (os.path.relpath(each, policy.project) for each in _read_only(policy))
    return [*PLACEHOLDERS, *(each for each in own if not each.startswith(".."))]


def weaknesses(files: Sequence[SettingsFile], policy: Policy) -> list[str]:
    """Why the settings contain less than the policy says; the weakest first. Empty if they hold it.

    For a single value the file with precedence counts (the last), lists of all files are joined.
    """
    found = []
    for key, wanted in _FIRM.items():
        value, path = _effective(files, key)
        if value is not wanted:
            where = f" in {path}" if path else ""
            found.append(f"sandbox.{key} is {_worded(value)}{where}")
    found += _wider(files, policy)
    return found


def is_strict(files: Sequence[SettingsFile]) -> bool:
    """Whether the client holds a list of hosts also when permissions are bypassed: for all projects alone."""
    return any(
        _table(_sandbox(each), "network").get("strictAllowlist") is True
        for each in files
        if each.scope in ("user", "managed")
    )


def _effective(files: Sequence[SettingsFile], key: str) -> tuple[Any, str]:
    value, path = None, ""
    for each in files:
        table = _sandbox(each)
        if key in table:
            value, path = table[key], each.path
    return value, path


def _wider(files: Sequence[SettingsFile], policy: Policy) -> Iterator[str]:
    """What some file lets contained commands do beyond the policy."""
    for each in files:
        table = _sandbox(each)
        if table.get("excludedCommands"):
            yield f"{each.path} runs commands outside (sandbox.excludedCommands)"
        for key in _HOLES:
            if table.get(key) or _table(table, "network").get(key):
                yield f"{each.path} has sandbox {key}"
        if each.scope not in ("user", "managed"):  # what a person allows in all projects is theirs
            yield from _beyond(each.path, table, policy)
    for key, wanted in (("denyWrite", [*_read_only(policy)]), ("denyRead", [*policy.hidden])):
        tables = [_table(_sandbox(each), "filesystem") for each in files]
        given = {path for table in tables for path in _texts(table.get(key))}
        for path in wanted:
            if path not in given:
                yield f"{path} is missing in sandbox.filesystem.{key}"


_HOLES = ("allowUnixSockets", "allowAllUnixSockets", "allowMachLookup", "enableWeakerNestedSandbox")


def _beyond(path: str, table: dict[str, Any], policy: Policy) -> Iterator[str]:
    disk, net = _table(table, "filesystem"), _table(table, "network")
    for each in _texts(disk.get("allowWrite")):
        if each not in (*policy.writable, policy.cache):
            yield f"{path} makes {each} writable"
    for each in _texts(disk.get("allowRead")):
        yield f"{path} makes {each} readable"
    for each in _texts(net.get("allowedDomains")):
        if each not in policy.hosts:
            yield f"{path} allows the host {each}"


def _sandbox(file: SettingsFile) -> dict[str, Any]:
    return _table(file.value, "sandbox")


def _table(value: Any, key: str) -> dict[str, Any]:
    found = value.get(key) if isinstance(value, dict) else None
    return found if isinstance(found, dict) else {}


def _texts(value: Any) -> list[str]:
    return [each for each in value if isinstance(each, str)] if isinstance(value, list) else []


def _worded(value: Any) -> str:
    return {True: "true", False: "false", None: "missing"}.get(value, str(value))


# end of module
