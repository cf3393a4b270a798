"""What ``ansible-playbook --check`` changes anyway: tasks with ``check_mode: false``.

Owns how such a task is written as a command, and which files of tasks a file names. Pure: text in, commands
out. Does not own what they mean (the packs), nor runs that are no check: these are asked about in any case.
"""

from __future__ import annotations

import re
import shlex

from operators_edge.gate.disk.recipe_types import MAX_RECIPES, Included, Recipe, Wanted
from operators_edge.text.patterns import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_FORCED = pattern(
    r"(\s*)(- )?(?:check_mode:\s*(?:false|no|off|False)|always_run:\s*(?:true|yes))\b"
)
_ITEM = pattern(r"( *)- (?=\S)")
_KEY = pattern(r"([\w.]+):(?:\s+(.*))?$")
_OTHER_KEYS = (
    "name when register check_mode always_run changed_when failed_when become become_user"
    " become_method tags loop loop_control vars notify environment args delegate_to delegate_facts"
    " run_once no_log ignore_errors until retries delay diff timeout async poll any_errors_fatal"
    " throttle listen connection remote_user collections hosts gather_facts roles tasks pre_tasks"
    " post_tasks handlers block rescue always serial strategy"
)
NO_MODULES = frozenset(_OTHER_KEYS.split())
READS = pattern(
    r"(?:setup|gather_facts|debug|stat|find|getent|slurp|assert|fail|meta|pause|ping|win_ping|set_fact"
    r"|add_host|group_by|wait_for|wait_for_connection|include\w*|import\w*|validate_argument_spec|\w+_(?:info|facts))$"
)
_RUNS = frozenset(("command", "shell", "raw", "script", "expect", "win_command", "win_shell"))
_ASKS = pattern(
    r"\S+(?: [\w./:=@-]+){0,3}? (?:-v|-V|--version|version|status|show|list|ls|get|info|inspect|ps|images"
    r"|rev-parse|describe|is-active|is-enabled|check|-t|--check|--dry-run)\b[^;&|<>`$\n]*\Z"
)
"""Commands that only ask a machine for something."""
_LOCAL = pattern(
    r"(?m)^\s*(?:- )?(?:hosts:\s*['\"]?(?:localhost|127\.0\.0\.1)['\"]?\s*$|connection:\s*local\b)"
)
_ROLE = pattern(r"(?m)^\s*- (?:role:\s*|name:\s*)?['\"]?([\w.-]+)['\"]?\s*$")
_ROLES = pattern(r"(?m)^( *)roles:\s*\n((?:\1\s*[- ].*\n|\s*\n)*)")
_NAMED_ROLE = pattern(r"(?:include|import)_role:\s*(?:\n\s*)?\{?\s*name:\s*['\"]?([\w.-]+)")
_FILES = pattern(
    r"(?:include_tasks|import_tasks|import_playbook|include)['\"]?:\s*(?:\n\s*file:\s*)?['\"]?([\w./-]+\.ya?ml)"
)


def forced_tasks(text: str, _: Wanted) -> list[Recipe]:
    """The tasks of a playbook or role that run in check mode, too, as commands of ``ansible``."""
    lines = text.split("\n")
    is_local = _LOCAL.search(text) is not None
    found: dict[int, Recipe] = {}
    for number, line in enumerate(lines):
        forced = _FORCED.match(line)
        if forced is None:
            continue
        indent = len(forced[1]) if forced[2] else len(forced[1]) - 2
        for at, task in _tasks(lines, *_block(lines, number, indent)):
            run = _as_command(task, is_local=is_local)
            if run:
                found[at] = Recipe(run, at + 1)
    return list(found.values())[:MAX_RECIPES]


def playbook_files(text: str) -> list[Included]:
    """The files of tasks that a playbook or a role names: of roles, of ``include_tasks`` …"""
    roles = [name for one in _ROLES.finditer(f"{text}\n") for name in _ROLE.findall(one[2])]
    roles += _NAMED_ROLE.findall(text)
    below = [f"{up}roles/{name}/{part}/*.y*ml" for name in roles for up in _UP for part in _PARTS]
    return [Included(one) for one in (*below, *_FILES.findall(text))]


_UP = ("", "../", "../../")
_PARTS = ("tasks", "handlers")


def _block(lines: Sequence[str], number: int, indent: int) -> tuple[int, int]:
    """Return the lines of the item whose keys are this deep, the first one and the one after the last."""
    start = number
    while start > 0 and not _starts_item(lines[start], indent):
        start -= 1
    end = number + 1
    while end < len(lines) and not (lines[end].strip() and _depth(lines[end]) <= indent):
        end += 1
    return start, end


def _starts_item(line: str, indent: int) -> bool:
    item = _ITEM.match(line)
    return item is not None and len(item[1]) == indent


def _depth(line: str) -> int:
    return len(line) - len(line.lstrip())


def _tasks(lines: Sequence[str], start: int, end: int) -> Iterator[tuple[int, list[str]]]:
    """Yield the tasks of an item, itself or those of its block, each with its first line."""
    starts = [n for n in range(start, end) if _ITEM.match(lines[n])]
    for at in starts:
        first, last = _block(lines, at, _depth(lines[at]))
        yield first, list(lines[first : min(last, end)])


def _as_command(task: Sequence[str], *, is_local: bool) -> str:
    """Return the command that a task amounts to; "" for one that changes nothing."""
    keys = _depth(task[0]) + 2
    body = [" " * keys + task[0].lstrip()[2:], *task[1:]]
    named: list[tuple[int, str, str]] = [
        (n, match[1], match[2] or "")
        for n, line in enumerate(body)
        if _depth(line) == keys and (match := _KEY.match(line.strip()))
    ]
    known = {key: value for _, key, value in named}
    modules = [one for one in named if one[1] not in NO_MODULES and one[1][:5] != "with_"]
    if not modules:
        return ""
    at, module, value = modules[0]
    name = module.rpartition(".")[2]
    if name == "local_action":
        return value
    inside = "\n".join(_inside(body, at, keys))
    if name not in _RUNS:
        changes = name != "uri" or re.search(r"method:\s*['\"]?(POST|PUT|PATCH|DELETE)", inside)
        return "" if READS.match(name) or not changes or is_local else f"ansible all -m {module}"
    text = value if value and value[0] not in "|>" else inside
    if cmd := re.search(r"(?m)^\s*(?:cmd|_raw_params|argv):\s*(\S.*)$", inside):
        text = cmd[1]
    text = text.strip().strip("'\"")
    if is_local or known.get("delegate_to", "").strip("'\"") in ("localhost", "127.0.0.1"):
        return text
    if known.get("changed_when") in ("false", "no", "False") or _ASKS.match(text):
        return f"ssh host {shlex.quote(text)}"  # judged by its words
    return f"ansible all -m shell -a {shlex.quote(text)}"


def _inside(body: Sequence[str], at: int, keys: int) -> list[str]:
    """Return the deeper lines after one."""
    found = []
    for line in body[at + 1 :]:
        if line.strip() and _depth(line) <= keys:
            break
        found.append(line.strip())
    return found


# end of module
