"""What the log keeps of the checks that a call ran: outcome, scope, and the tree state they judged (PR-5).

Owns that data. Does not own the outcome (``evidence.checks.outcome``) or how the tree is read
(``git.worktree``).
"""

from __future__ import annotations

import os

from operators_edge.evidence import tree_cache
from operators_edge.evidence.checks.outcome import outcomes
from operators_edge.git import worktree
from operators_edge.locations import is_within

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from operators_edge.evidence.checks.model import Check, Outcome
    from operators_edge.evidence.checks.run import LoggedCheck
    from operators_edge.model import Call
    from operators_edge.project import Project

MAX_SCOPE = 40
"""Paths and selectors that are kept of one check; of more, these and an ellipsis."""

_MAX_TEXT = 200


def result(
    project: Project,
    call: Call,
    checks: Sequence[Check],
    output: str,
    code: int | None,
    *,
    tree: str = "",
) -> LoggedCheck | None:
    """The result of the decisive check, with the line's others in ``also``."""
    root = os.path.realpath(tree or project.root)
    ends = outcomes(checks, output, code)
    ran = [
        _result(root, call, check, end)
        for check, end in zip(checks, ends, strict=True)
        if end.has_run
    ]
    at = max(
        range(len(ran)),
        key=lambda n: (ran[n]["kind"] == "test", ran[n]["passed"] is not None, n),
    )
    decisive = ran.pop(at)
    if not decisive["elsewhere"] and any(each["passed"] is not None for each in (decisive, *ran)):
        decisive["look"], decisive["look_why"] = _tree_state(project.root, root)
    others = [
        {name: value for name, value in each.items() if name != "elsewhere"}
        for each in ran
        if each["elsewhere"] == decisive["elsewhere"]
    ]
    if others:
        decisive["also"] = others
    return decisive


def _tree_state(project: str, tree: str) -> tuple[dict[str, Any] | None, str]:
    state = worktree.tree_state(tree)
    if isinstance(state, worktree.TreeState):
        return tree_cache.store(project, state), ""
    return None, state.why


def _result(root: str, call: Call, check: Check, outcome: Outcome) -> LoggedCheck:
    folder = _folder(call.cwd, check)
    scope, is_outside = _scope(root, folder, check.scope)
    result: LoggedCheck = {
        "kind": check.kind,
        "name": check.name[:_MAX_TEXT],
        "passed": outcome.passed,
        "counts": outcome.counts,
        "scope": scope,
        "look": None,
        "look_why": "",
        "elsewhere": check.is_remote or is_outside or not _is_in_tree(root, folder),
    }
    if folder is not None and folder != root and is_within(folder, root):
        result["folder"] = os.path.relpath(folder, root).replace(os.sep, "/")
    if outcome.failed:
        result["failed"] = list(outcome.failed)
    return result


def _folder(cwd: str, check: Check) -> str | None:
    """The folder that the check ran in; None if unknown."""
    if check.cwd is None:
        return None
    path = os.path.realpath(os.path.join(cwd, check.cwd))
    if os.path.isdir(path):
        return path
    # A client that reports the folder after the line has gone there already.
    moved = os.path.normpath(check.cwd)
    if moved and os.path.realpath(cwd).endswith(f"{os.sep}{moved}"):
        return os.path.realpath(cwd)
    return os.path.dirname(path)


def _is_in_tree(root: str, folder: str | None) -> bool:
    """Whether it is in the project, and not in a nested repository or linked worktree."""
    if folder is None or not is_within(folder, root):
        return False
    while folder != root:
        if os.path.lexists(os.path.join(folder, ".git")):
            return False
        folder = os.path.dirname(folder)
    return True


def _scope(root: str, folder: str | None, named: Sequence[str]) -> tuple[list[str], bool]:
    """What is named, with paths relative to the root; and whether only paths outside of it are."""
    if folder is None:
        return [each[:_MAX_TEXT] for each in named[:MAX_SCOPE]], False
    scope: list[str] = []
    is_outside = False
    for each in named:
        path, selector = _path(folder, each)
        if path is None:
            scope.append(each)
        elif is_within(path, root):
            scope.append(os.path.relpath(path, root).replace(os.sep, "/") + selector)
        else:
            scope.append(each)
            is_outside = True
    paths = [each for each in scope if not each.startswith("-")]
    if not paths and folder != root and is_within(folder, root):
        scope.append(os.path.relpath(folder, root).replace(os.sep, "/"))
    if len(scope) > MAX_SCOPE:
        scope[MAX_SCOPE:] = ["…"]
    return [each[:_MAX_TEXT] for each in scope], is_outside and all(map(os.path.isabs, paths))


def _path(folder: str, named: str) -> tuple[str | None, str]:
    """The path that an argument means, and the test that it selects there; None for any other argument."""
    if named.startswith("-"):
        return None, ""
    name, mark, selector = named.partition("::")
    path = os.path.normpath(os.path.join(folder, name))
    if "/" in name or os.path.lexists(path):
        return path, mark + selector
    return None, ""


# end of module
