"""What the product's own files are called, where a person's own folder lies, and what marks an agent's shell.

Everything else in the person's folder is named by ``system.user_dirs``. The process hook needs these before
it has anything else, so nothing is imported here, not even ``os``.
"""

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

STATE_FILE = "active_context.yaml"
PROOF_DIR = ".proof"
HANDOFF_DIR = ".ai-handoff"

AGENT_MARKS = ("CLAUDECODE", "CLAUDE_CODE_SESSION_ID", "AI_AGENT", "OPENCODE", "CODEX_SANDBOX")
"""Variables that clients set in the shells they open for an agent: no person opened one that has any."""

NAME = "operators-edge"


def known_user_dir(env: "Mapping[str, str]", platform: str = sys.platform) -> str:
    """The folder for keys and ledgers; it need not exist. "" where no home can be found."""
    home = known_home(env)
    if platform == "win32":
        base = env.get("LOCALAPPDATA") or (f"{home}\\AppData\\Local" if home else "")
        return f"{base}\\{NAME}" if base else ""
    base = env.get("XDG_STATE_HOME", "")
    if base[:1] != "/":  # a relative one is to be ignored (XDG Base Directory Specification)
        if home[:1] != "/":
            return ""
        below = "Library/Application Support" if platform == "darwin" else ".local/state"
        base = f"{home.rstrip('/')}/{below}"
    return f"{base.rstrip('/')}/{NAME}"


def known_home(env: "Mapping[str, str]") -> str:
    """The home folder as the environment or the password database names it; "" where neither does."""
    home = env.get("HOME") or env.get("USERPROFILE") or ""
    if not home and sys.platform != "win32":
        import posix  # noqa: PLC0415 - POSIX only, and only where HOME is missing
        import pwd  # noqa: PLC0415

        try:
            home = pwd.getpwuid(posix.getuid()).pw_dir
        except KeyError:
            return ""
    return home
