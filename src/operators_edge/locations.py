"""Names of the product's own files, the person's own folder, and variables that identify an agent's shell.

Other paths in the person's folder are in ``system.user_dirs``. The hook process needs these names first, so
nothing is imported here, not even ``os``.
"""

import sys

if sys.platform != "win32":
    import posix

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

STATE_FILE = "active_context.yaml"
PROOF_DIR = ".proof"
HANDOFF_DIR = ".ai-handoff"
BASIS_FILE = "edge.proof.json"
REPORTS_DIR = "reports"

STATE_MARK = (
    "# Written by edge: one key a line, each value JSON. Write your own keys above this line."
)
"""The line of the state file below which only the product writes."""

_SEPARATORS = "/\\" if sys.platform == "win32" else "/"
_AFTER_FOLDER = frozenset(_SEPARATORS)

AGENT_MARKS = ("CLAUDECODE", "CLAUDE_CODE_SESSION_ID", "AI_AGENT", "OPENCODE", "CODEX_SANDBOX")
"""Variables that clients set in an agent's shell: a shell with one of them was not opened by a person."""

NAME = "operators-edge"

INSTALLED = "installed"
"""A file in the person's own folder: they have installed the product, so one that is missing is broken."""


def is_within(path: str, folder: str) -> bool:
    """Whether a normalised path is the folder or is below it."""
    whole = folder.rstrip(_SEPARATORS)
    return path == folder or (path.startswith(whole) and path[len(whole) :][:1] in _AFTER_FOLDER)


def known_user_dir(env: "Mapping[str, str]", platform: str = sys.platform) -> str:
    """The folder of keys and registries; it may not exist. "" if no home folder is known."""
    home = known_home(env)
    if platform == "win32":
        base = env.get("LOCALAPPDATA") or (f"{home}\\AppData\\Local" if home else "")
        return f"{base}\\{NAME}" if base else ""
    base = env.get("XDG_STATE_HOME", "")
    if base[:1] != "/":  # a relative path must be ignored (XDG Base Directory Specification)
        if home[:1] != "/":
            return ""
        below = "Library/Application Support" if platform == "darwin" else ".local/state"
        base = f"{home.rstrip('/')}/{below}"
    return f"{base.rstrip('/')}/{NAME}"


def known_home(env: "Mapping[str, str]") -> str:
    """The home folder from the environment or the password database; "" if neither has one."""
    home = env.get("HOME") or env.get("USERPROFILE") or ""
    if not home and sys.platform != "win32":
        import pwd  # noqa: PLC0415 - only if HOME is missing

        try:
            home = pwd.getpwuid(posix.getuid()).pw_dir
        except KeyError:
            return ""
    return home


# end of module
