"""What a finished call told of the work: the check that it ran, its outcome, and the tree it judged (PR-5).

Owns when a check is looked at and what the log keeps of it. Does not own which commands are checks nor
what their outcome is (``evidence.checks.find``), nor how the tree is looked at (``git.worktree``).
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from operators_edge.errors import EdgeError
from operators_edge.evidence.checks import find as checks_find
from operators_edge.evidence.checks.prefilter import may_judge
from operators_edge.evidence.exit_codes import exit_code
from operators_edge.locations import STATE_FILE

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from operators_edge.evidence.checks.model import Check, Outcome
    from operators_edge.model import Call
    from operators_edge.project import Project

MOST_NAMED = 40
"""Paths and selectors that are kept of one check; of more, these and an ellipsis."""

_LONGEST = 200
_MOST_READ = 1 << 20


def observed(
    project: Project,
    call: Call,
    *,
    output: str,
    error: str | None,
    response: object = None,
    env: Mapping[str, str] = os.environ,
) -> dict[str, Any] | None:
    """``data["check"]`` for a call that ran a recognised check; None for every other call.

    ``{"kind", "name", "passed": true|false|null, "counts": {…}|null, "scope": [paths and selectors],
    "look": TreeState.as_data()|null, "look_why": str, "elsewhere": true where another tree was judged,
    "also": [{"kind", "name", "passed", "counts", "scope"}, …] of the line}``. Paths are relative to
    the project's root; an empty scope is the whole project. Of the output nothing but the counts is kept.
    """
    command = call.input.get("command")
    if call.tool != "Bash" or not isinstance(command, str):
        return None
    from operators_edge.config import effective  # noqa: PLC0415

    custom = (*effective.checks(project.root, env), *_named_by_plan(project, command))
    if not may_judge(command, custom):
        return None

    found = checks_find.of_command(command, custom)
    if not found:
        return None
    text = output if error is None else error
    code = None if _goes_on(call, response) else exit_code(call.tool, error)
    told = checks_find.outcomes(found, text, code)
    ran = [(one, how) for one, how in zip(found, told, strict=True) if how.has_run]
    return _as_data(project, call, ran)


def _named_by_plan(project: Project, command: str) -> tuple[str, ...]:
    """The command, where a step of the plan says that it verifies it.

    It is looked for in the file's text first: reading the plan costs more than an everyday command may.
    """
    wanted = command.strip()
    try:
        with open(
            os.path.join(project.root, STATE_FILE), encoding="utf-8", errors="replace"
        ) as file:
            is_there = 0 < len(wanted) <= _LONGEST and wanted in file.read(_MOST_READ)
        plan = project.state.read_fast().get("plan") if is_there else None
    except (OSError, EdgeError):
        return ()  # what cannot be read names no check; whoever needs the state says so
    steps = [each for each in plan or () if isinstance(each, dict)]
    named = {str(each.get("verification") or "").strip("` \n") for each in steps}
    return (wanted,) if wanted in named else ()


def _goes_on(call: Call, response: object) -> bool:
    """Whether the command was stopped, or goes on in the background: it has no outcome then."""
    said = response if isinstance(response, dict) else {}
    marks = (
        call.input.get("run_in_background"),
        said.get("interrupted"),
        said.get("backgroundTaskId"),
    )
    return any(marks)


def _as_data(project: Project, call: Call, ran: Sequence[tuple[Check, Outcome]]) -> dict[str, Any]:
    """The decisive check, with the line's others beside it."""
    root = os.path.realpath(project.root)
    at = max(
        range(len(ran)), key=lambda n: (ran[n][0].kind == "test", ran[n][1].passed is not None, n)
    )
    told = [_one(root, call, check, outcome) for check, outcome in ran]
    main = told.pop(at)
    if not main["elsewhere"] and any(each["passed"] is not None for each in (main, *told)):
        main["look"], main["look_why"] = _look(project.root)
    here = [each for each in told if each.pop("elsewhere") == main["elsewhere"]]
    if here:
        main["also"] = here
    return main


def _look(root: str) -> tuple[dict[str, Any] | None, str]:
    from operators_edge.evidence import tree_cache  # noqa: PLC0415 - after a check alone
    from operators_edge.git import worktree  # noqa: PLC0415

    seen = worktree.tree_state(root)
    if isinstance(seen, worktree.TreeState):
        return tree_cache.keep(root, seen), ""
    return None, seen.why


def _one(root: str, call: Call, check: Check, outcome: Outcome) -> dict[str, Any]:
    folder = _folder(call.cwd, check)
    scope, is_outside = _scope(root, folder, check.scope)
    return {
        "kind": check.kind,
        "name": check.name[:_LONGEST],
        "passed": outcome.passed,
        "counts": outcome.counts,
        "scope": scope,
        "look": None,
        "look_why": "",
        "elsewhere": check.is_remote or is_outside or not _is_in_tree(root, folder),
    }


def _folder(cwd: str, check: Check) -> str | None:
    """Where the check worked; None where that is not known."""
    if check.cwd is None:
        return None
    path = os.path.realpath(os.path.join(cwd, check.cwd))
    return path if os.path.isdir(path) else os.path.dirname(path)


def _is_in_tree(root: str, folder: str | None) -> bool:
    """In the project, and in no repository or work tree of its own inside of it."""
    if folder is None or not _is_below(root, folder):
        return False
    while folder != root:
        if os.path.lexists(os.path.join(folder, ".git")):
            return False
        folder = os.path.dirname(folder)
    return True


def _is_below(root: str, path: str) -> bool:
    return path == root or path.startswith(root.rstrip(os.sep) + os.sep)


def _scope(root: str, folder: str | None, named: Sequence[str]) -> tuple[list[str], bool]:
    """What is named, paths relative to the root; and whether only paths outside of it are."""
    if folder is None:
        return [each[:_LONGEST] for each in named[:MOST_NAMED]], False
    scope: list[str] = []
    is_outside = False
    for each in named:
        path, selector = _path(folder, each)
        if path is None:
            scope.append(each)
        elif _is_below(root, path):
            scope.append(os.path.relpath(path, root).replace(os.sep, "/") + selector)
        else:
            scope.append(each)
            is_outside = True
    paths = [each for each in scope if not each.startswith("-")]
    if not paths and folder != root and _is_below(root, folder):
        scope.append(os.path.relpath(folder, root).replace(os.sep, "/"))
    if len(scope) > MOST_NAMED:
        scope[MOST_NAMED:] = ["…"]
    return [each[:_LONGEST] for each in scope], is_outside and all(map(os.path.isabs, paths))


def _path(folder: str, named: str) -> tuple[str | None, str]:
    """The path that a word of the scope means, and the test that it picks in it; None for another word."""
    if named.startswith("-"):
        return None, ""
    name, mark, selector = named.partition("::")
    path = os.path.normpath(os.path.join(folder, name))
    if "/" in name or os.path.lexists(path):
        return path, mark + selector
    return None, ""
