"""The basis of an objective, collected from the project, the archive, or the file that a repository carries.

Owns these three sources. Does not own its form (``quality.basis``).
"""

from __future__ import annotations

import json
import os

from operators_edge.errors import AnswerIsNo, EdgeError, StateError
from operators_edge.evidence.claims import service as claims_service
from operators_edge.git import commands as git
from operators_edge.quality import basis
from operators_edge.redaction.redact import clean
from operators_edge.storage import archive, files

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from operators_edge.model import State
    from operators_edge.project import Project
    from operators_edge.quality.service import Gate

ARCHIVED = "objective_basis"
"""The type of its entry in the archive."""

_TEXT = 2000


def current(
    project: Project, state: State, gate: Gate, env: Mapping[str, str] = os.environ
) -> dict[str, Any]:
    """The basis of the objective that is worked on, redacted."""
    tree = claims_service.current_tree(project)
    found = basis.of(
        state,
        tree.work,
        claims=gate.claims,
        failed=gate.failed,
        covered=gate.covered,
        remarks=gate.remarks,
        overrides=gate.overrides,
        decisions=_decisions(project, (tree.work["since"] or {"seq": 0})["seq"]),
        base=tree.first.head if tree.first else "",
        commit=_head(project.root),
    )
    cleaned: dict[str, Any] = clean(found, _TEXT, values=project.secrets(env))
    for before, after in zip(found["work"]["checks"], cleaned["work"]["checks"], strict=False):
        if after["look"] != before["look"]:
            after["look"] = None  # what was redacted is no tree state any more
    return cleaned


def entry(project: Project, state: State, gate: Gate) -> dict[str, Any]:
    """The archive's entry for an objective that ends now; one that cannot be collected says why."""
    kept: dict[str, Any] = {"type": ARCHIVED, "objective": state.get("objective")}
    try:
        return {**kept, "basis": current(project, state, gate)}
    except EdgeError as error:
        return {**kept, "why_not": error.message}


def _head(root: str) -> str:
    try:
        return (git.ask(root, "rev-parse", "--verify", "-q", "HEAD") or "").strip()
    except git.GitFailed:
        return ""


def _decisions(project: Project, since: int) -> Iterator[dict[str, Any]]:
    """What a person decided since the objective was set."""
    for entry in project.log.search(event="junction_decided"):
        data = entry.get("data") or {}
        if (entry.get("seq") or 0) >= since and data.get("decision") in _ANSWERS:
            kept = {name: data.get(name) for name in ("decision", "shown", "by", "why", "answer")}
            yield {"at": entry.get("timestamp"), **kept}


_ANSWERS = ("approve", "skip", "dismiss", "answer")


def archived(project: Project) -> list[dict[str, Any]]:
    """What ended objectives stood on, oldest first."""
    entries = archive.read(project.root).entries
    kept = [each.get("basis") for each in entries if each["type"] == ARCHIVED]
    return [each for each in kept if isinstance(each, dict) and not basis.problem(each)]


def write(path: str, found: Mapping[str, Any]) -> None:
    """Write the file that a repository carries."""
    text = json.dumps(found, indent=1, sort_keys=True, ensure_ascii=False) + "\n"
    files.write_durable(path, text.encode("utf-8", "backslashreplace"), mode=0o644)


def read(path: str) -> dict[str, Any]:
    """Read that file: written by anyone who could change the repository, so nothing in it is trusted."""
    try:
        with open(path, "rb") as file:
            raw = file.read(basis.MAX_BYTES + 1)
    except FileNotFoundError as error:
        raise AnswerIsNo(
            f"{path} is missing: it says what is claimed, and which checks are to run",
            hint="where the work was done: edge log report --save, and commit it",
        ) from error
    except OSError as error:
        raise StateError(f"{path} cannot be read: {error.strerror or error}", hint="") from error
    if len(raw) > basis.MAX_BYTES:
        raise StateError(f"{path} is larger than {basis.MAX_BYTES} bytes", hint="")
    try:
        found = json.loads(raw)
    except (ValueError, RecursionError) as error:
        raise StateError(f"{path} is not JSON: {error}", hint="") from error
    why = basis.problem(found)
    if why:
        raise StateError(f"{path}: {why}", hint="edge log report --save")
    return dict(found)


# end of module
