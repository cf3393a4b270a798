"""The client's status line: what waits for the person, the step, the last check, what is switched off.

Pure. Owns the parts, their order and their width. A client asks for the line after each message and every few
seconds, so this imports next to nothing: ``json`` alone takes as long as the interpreter. Does not own
reading the project (``reports.status_line_service``).
"""

from __future__ import annotations

from operators_edge.text.wording import fitted, many, printable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from typing import Any

SHOWN_COLUMNS = 40
STEP_COLUMNS = 32
_NAME_COLUMNS = 20

_STYLES = {"wait": "1;33", "bad": "31", "good": "32", "dim": "2"}

_CHECK = b'"check":'
_EDITS = (b'"tool":"Edit"', b'"tool":"Write"', b'"tool":"MultiEdit"', b'"tool":"NotebookEdit"')


def text(parts: Iterable[tuple[str, str]], *, has_colour: bool) -> str:
    """The line of these parts, each with its style."""

    def painted(part: str, style: str) -> str:
        return f"\x1b[{_STYLES[style]}m{part}\x1b[0m" if has_colour and style else part

    shown = [painted(part, style) for part, style in parts] or [painted("nothing waits", "dim")]
    return f"{painted('edge', 'dim')}  {painted(' · ', 'dim').join(shown)}"


def block(lines: Iterable[str], loads: Callable[[str], Any]) -> dict[str, Any]:
    """What is shown of the part of the state that only the product writes."""
    found = {}
    for line in lines:
        key, colon, value = line.partition(": ")
        if colon and key in ("junction", "left_questions", "dismissals", "auto"):
            found[key] = loads(value)
    return found


def decision_parts(known: Mapping[str, Any], tasks: int) -> Iterator[tuple[str, str]]:
    """What waits for the person: the pending question, those left open, tasks of the Bridge."""
    pending, left, auto = (known.get(key) for key in ("junction", "left_questions", "auto"))
    if isinstance(pending, dict):
        shown = pending.get("shown") or pending.get("reason") or pending.get("type")
        yield f"decide: {fitted(_plain(shown), SHOWN_COLUMNS)} (/edge)", "wait"
    if isinstance(left, list) and left:
        yield f"{len(left)} left open", "wait"
    if tasks:
        yield f"{many(tasks, 'task')} for you", "wait"
    if isinstance(auto, dict) and auto.get("enabled") is True:
        yield "auto", ""


def switch_parts(
    known: Mapping[str, Any], session: str, until: Callable[[object], str]
) -> Iterator[tuple[str, str]]:
    """What is switched off in this session; ``until`` is the time of day of an end to come, else ""."""
    grants = known.get("dismissals")
    for each in grants if isinstance(grants, list) else ():
        is_here = isinstance(each, dict) and each.get("session") in ("", session)
        if is_here and each.get("kind") == "switch" and (end := until(each.get("expires_at"))):
            yield f"{_plain(each.get('rule') or 'gate')} OFF until {end}", "bad"


def step_part(kept: object, human: str) -> str:
    """The current step; unknown after an edit by hand, until the next event reads it."""
    if not isinstance(kept, dict) or kept.get("human") != human:
        return "step ?"
    values = kept.get("values")
    plan = values.get("plan") if isinstance(values, dict) else None
    if not isinstance(plan, list) or not plan:
        return ""
    steps = [each if isinstance(each, dict) else {"description": each} for each in plan]
    rest = [number for number, each in enumerate(steps, 1) if each.get("status") != "completed"]
    if not rest:
        return f"all {len(steps)} steps done"
    said = values.get("current_step") if isinstance(values, dict) else None
    number = said if type(said) is int and 1 <= said <= len(steps) else rest[0]
    description = _plain(steps[number - 1].get("description") or "")
    return fitted(f"step {number}/{len(steps)} {description}".rstrip(), STEP_COLUMNS)


def check_part(lines: Sequence[bytes], loads: Callable[[str], Any]) -> tuple[str, str]:
    """The last check in these lines of the log, and how many edits came after it; "" if there is none."""
    edits = 0
    for line in reversed(lines):
        if _CHECK in line:
            found = _outcome(loads(line.decode("utf-8", "replace")))
            if found[0]:
                since = f", {many(edits, 'edit')} since" if edits else ""
                return found[0] + since, "" if edits else found[1]
        elif b'"success":true' in line:
            edits += any(each in line for each in _EDITS)
    return "", ""


def _outcome(entry: object) -> tuple[str, str]:
    data = entry.get("data") if isinstance(entry, dict) else None
    check = data.get("check") if isinstance(data, dict) else None
    if not isinstance(check, dict):
        return "", ""
    name = fitted(_plain(check.get("name") or check.get("kind") or "check"), _NAME_COLUMNS)
    passed = check.get("passed")
    if not isinstance(passed, bool):
        return f"? {name}", ""
    return (f"✓ {name}", "good") if passed else (f"✗ {name}", "bad")


def _plain(value: object) -> str:
    """Text of others on one line, without a control character."""
    return " ".join(printable(str(value)).split())


# end of module
