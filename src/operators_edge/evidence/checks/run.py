"""One run of a check as the log records it: its shape, its exit code, and what identifies its command.

Light, because tool events load it. Does not own which commands are checks (``evidence.checks.detect``) or how
runs compare (``evidence.claims.check_history``).
"""

from __future__ import annotations

from operators_edge.text.patterns import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NotRequired, TypedDict

    class CheckResult(TypedDict):
        """How one check ended.

        ``passed`` is None if the outcome is unknown. ``scope``: paths, relative to the project's root, and
        selectors; empty for the whole project. ``look``: the tree state that was judged, None with the reason
        in ``look_why``. ``elsewhere``: another tree was judged. ``failed``: names of tests that failed.
        ``folder``: where it ran, relative to the root. ``doubt``: why a pass does not count, which only the
        judge of claims adds.
        """

        kind: str
        name: str
        passed: bool | None
        counts: dict[str, int] | None
        scope: list[str]
        look: dict[str, Any] | None
        look_why: str
        elsewhere: bool
        failed: NotRequired[list[str]]
        folder: NotRequired[str]
        doubt: NotRequired[str]

    class LoggedCheck(CheckResult):
        """``data["check"]`` of a log entry: the decisive check of a line, with the others in ``also``."""

        also: NotRequired[list[dict[str, Any]]]

    class Run(CheckResult):
        """One run in the facts of the objective: the result, and the call that gave it.

        ``seq`` and ``at`` are those of the log entry. ``is_whole`` is False if the log holds the command only
        in part.
        """

        seq: int
        at: str | None
        session: str | None
        agent: str
        command: str
        cwd: str | None
        duration_ms: int | None
        is_whole: bool


def result_of(data: Any) -> CheckResult:
    """A check result as a log line holds it; what is missing or malformed there is unknown."""
    look, counts, scope = (data.get(name) for name in ("look", "counts", "scope"))
    passed, failed = data.get("passed"), data.get("failed")
    result: CheckResult = {
        "kind": str(data.get("kind") or ""),
        "name": str(data.get("name") or ""),
        "passed": passed if isinstance(passed, bool) else None,
        "counts": counts if isinstance(counts, dict) else None,
        "scope": [str(each) for each in scope] if isinstance(scope, list) else [],
        "look": look if isinstance(look, dict) else None,
        "look_why": str(data.get("look_why") or ""),
        "elsewhere": bool(data.get("elsewhere")),
    }
    if isinstance(data.get("folder"), str):
        result["folder"] = data["folder"]
    if isinstance(failed, list):
        result["failed"] = [str(each) for each in failed]
    return result


def exit_code(tool: str, error: str | None) -> int | None:
    """A shell's exit code: 0 on success, else the number in the client's "Exit code N"."""
    if tool != "Bash":
        return None
    if error is None:
        return 0
    before, mark, number = error.split("\n", 1)[0].partition("Exit code ")
    return int(number) if mark and not before and number.strip().isdigit() else None


_PREFIX = pattern(
    r"(?:time\s+|cd\s+(?:\"[^\"]*\"|'[^']*'|[^\s;&]+)\s*(?:&&|;)\s*|\$\s+"
    r"|(?:(?:env|export)\s+)?[A-Za-z_]\w*=(?:\"[^\"]*\"|'[^']*'|[^\s;&|\"'`$()]*)(?:\s*(?:&&|;)\s*|\s+))+"
)
_SUFFIX = pattern(r"(?:\s*(?:\d?>&\d|\d?>\s*/dev/null|\|\s*(?:tail|head|cat|tee)\b[^|;&]*))+$")


_QUOTED = pattern(r"`\s*([^`\n]*[^`\s])\s*`")
_ASKS_TO_RUN = pattern(r"(?i)^(?:run|execute|with)\s+|^\$\s+")


def quoted_commands(verification: str) -> list[str]:
    """What a step's verification has in backticks."""
    return _QUOTED.findall(verification)


def named_commands(verification: str) -> list[str]:
    """The commands that a step's verification may name: those in backticks, else the whole text."""
    text = _ASKS_TO_RUN.sub("", verification.strip()).removesuffix(".")
    return quoted_commands(verification) or ([text] if text else [])


def bare_command(text: str) -> str:
    """The command without its folder, variables, quotes around it and viewers of its output.

    Two texts with the same bare command mean the same check: in a claim, a verification or a call.
    """
    plain = text.strip().strip("`").rstrip("; ").strip()
    plain = _SUFFIX.sub("", _PREFIX.sub("", plain, count=1) if _PREFIX.match(plain) else plain)
    return " ".join(plain.split())


# end of module
