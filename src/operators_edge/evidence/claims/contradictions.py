"""What was observed against a claim: a failed check or command, an untouched file.

Pure. Every doubt is in the claim's favour: a run that may have cleared the failure, a change that may have
come after the claim, work that may be elsewhere.
"""

from __future__ import annotations

import posixpath
import re
from typing import TYPE_CHECKING, NamedTuple

from operators_edge.evidence.checks.run import bare_command
from operators_edge.evidence.claims import check_claims, check_history, file_claims
from operators_edge.evidence.claims.model import CRITERIA, Finding
from operators_edge.evidence.claims.verdict import weakened_checks

if TYPE_CHECKING:
    from collections.abc import Iterable

    from operators_edge.evidence.checks.run import Run
    from operators_edge.evidence.claims.check_claims import PassClaim
    from operators_edge.evidence.claims.file_claims import FileClaim
    from operators_edge.evidence.claims.model import Case

KINDS = ("test", "build", "types", "lint", "format", "custom")


def contradiction(case: Case) -> Finding | None:
    """The first observation against the claim; None if there is none."""
    if case.subject.is_carried:
        return None
    return _failed_check(case) or _failed_command(case) or _untouched_file(case)


# -- checks ----------------------------------------------------------------------------------------


def _failed_check(case: Case) -> Finding | None:
    expects_failure = check_claims.expects_failure(case.subject.text)
    for field, text in _claiming_fields(case):
        for claim in check_claims.claims_in(text, field, expects_failure=expects_failure):
            for kind in KINDS if claim.kind == "any" else (claim.kind,):
                run = _refuting_run(case, kind, claim)
                if run is not None:
                    why = f"{check_history.describe(run)}; it has not passed since"
                    return Finding(
                        "CONTRADICTED",
                        why,
                        command=check_history.rerun_command(run, case.work["root"]),
                        check=run,
                        beside=weakened_checks(case, kind),
                    )
    return None


def _claiming_fields(case: Case) -> list[tuple[str, str]]:
    """The fields that make claims: if the proof reports failures, the criteria do not."""
    is_admitted = check_claims.admits_failure(case.subject.stated_outcome)
    return [each for each in case.subject.fields if each[0] not in CRITERIA or not is_admitted]


def _refuting_run(case: Case, kind: str, claim: PassClaim) -> Run | None:
    """The latest failed run that refutes the claim."""
    runs = check_history.runs_of_kind(case.checks, kind)
    for run, is_certain in check_history.remaining_failures(runs, case.subject.end)[::-1]:
        if (
            is_certain
            and check_history.refutes(run, claim) is True
            and _is_of_step(case, run)
            and not _may_have_cleared(case, run)
            and _is_in_time(case, run, runs)
        ):
            return run
    return None


def _may_have_cleared(case: Case, run: Run) -> bool:
    """Whether a later command may have been an unknown check."""
    known = {each["seq"] for each in case.checks}
    later = ((text, each) for text, each in case.commands.items() if each["seq"] not in known)
    return bool(check_history.possible_check_after(later, run))


def _is_of_step(case: Case, run: Run) -> bool:
    """False for a run of another part of the project, or of tests that were deleted."""
    scope = [each.split("::")[0] for each in run["scope"]]
    paths = [each for each in scope if "/" in each or "." in each]
    cwd = run["cwd"] or ""
    folder = _inside(cwd, case.work["root"])
    if paths and not any(
        case.tree.is_there(each) or case.tree.is_there(posixpath.join(folder, each))
        for each in paths
    ):
        return False
    unit = case.tree.unit(cwd) or _common_unit(paths)
    files = case.subject.files
    if not unit or not files:
        return True
    words = " ".join(text for _, text in case.subject.fields).lower()
    return any(each.startswith(unit + "/") for each in files) or unit.split("/")[-1] in words


_UNITS = re.compile(
    r"^((?:packages|apps|services|libs|crates|modules|plugins|projects|components)/[^/]+)(?:/|$)"
)


def _common_unit(paths: Iterable[str]) -> str:
    units = {unit[1] if (unit := _UNITS.match(each)) else "" for each in paths}
    return units.pop() if len(units) == 1 else ""


def _inside(path: str, root: str) -> str:
    return path.removeprefix(root).strip("/") if path.startswith(root) else ""


def _is_in_time(case: Case, run: Run, runs: list[Run]) -> bool:
    """Whether the failure existed when the claim was made, or shows the state at that time."""
    seq, subject = run["seq"], case.subject
    if subject.end is not None and seq > subject.end:
        was_true = any(
            other["passed"] is True
            and other["seq"] <= subject.end
            and check_history.clears(other, run) is not False
            and (not _digest(other) or not _digest(run) or _digest(other) == _digest(run))
            for other in runs
        )
        return not was_true and not _may_have_changed(case, subject.end, run)
    if any(_is_by_another(other, run) for other in runs if subject.start <= other["seq"] < seq):
        return False
    if seq < subject.start:
        changed = case.tree.changed(run["look"])
        return changed is not None and not check_history.covered(changed)
    return True


def _is_by_another(passed: Run, failed: Run) -> bool:
    """Whether one agent saw it pass before another one's run failed, which the first may not know."""
    ours, theirs = ((run["session"], run["agent"]) for run in (passed, failed))
    return (
        passed["passed"] is True
        and ours != theirs
        and check_history.clears(passed, failed) is not False
    )


def _may_have_changed(case: Case, end: int, run: Run | None) -> bool:
    """Whether anything may have changed between the claim and a later run."""
    before = [each for each in case.checks if each["seq"] <= end and _digest(each)]
    digest = _digest(run) if run else ""
    if before and digest and _digest(before[-1]) == digest:
        return False
    if any(each["seq"] > end for each in case.files.values()):
        return True
    if not before or not digest:
        return False
    # Something changed since that tree state: observed before the claim, or unobserved after it.
    last = before[-1]["seq"]
    return not any(each["seq"] > last for each in case.files.values())


def _digest(run: Run) -> str:
    return str((run["look"] or {}).get("digest") or "")


# -- commands --------------------------------------------------------------------------------------


class _LastRun(NamedTuple):
    """The last known outcome of a command; ``run`` if it was a check."""

    text: str
    seq: int
    passed: bool | None
    run: Run | None = None


def _last_runs(case: Case) -> dict[str, _LastRun]:
    """The last run of each bare command."""
    last: dict[str, _LastRun] = {}
    for text, command in case.commands.items():
        name, passed = bare_command(text), command["passed"]
        if passed is None or (passed and "|" in text):
            last.pop(name, None)  # the outcome is unknown, or that of another command
        elif name not in last or command["seq"] >= last[name].seq:
            last[name] = _LastRun(text, command["seq"], passed)
    for run in case.checks:
        name = bare_command(run["command"])
        if name in last or run["passed"] is not None:
            last[name] = _LastRun(run["command"], run["seq"], run["passed"], run)
    return last


def _failed_command(case: Case) -> Finding | None:
    if check_claims.expects_failure(case.subject.text):
        return None
    failed = {
        name: last
        for name, last in _last_runs(case).items()
        if last.passed is False and not (last.run and last.run["elsewhere"])
    }
    for field, text in _claiming_fields(case) if failed else ():
        for name in check_claims.succeeding_commands(text, field, failed):
            last, end = failed[name], case.subject.end
            is_later = end is not None and last.seq > end
            if last.seq < case.subject.start:
                continue
            if is_later and _may_have_changed(case, end or 0, last.run):
                continue
            why = f"`{name}` failed at log {last.seq}, and did not run since"
            return Finding("CONTRADICTED", why, command=last.text)
    return None


# -- files -----------------------------------------------------------------------------------------

_SCRATCH = re.compile(
    r"^(?:/private)?/(?:tmp|var/tmp|var/folders|dev)/|/\.claude/|^[A-Z]:\\.*\\Temp\\"
)


def _untouched_file(case: Case) -> Finding | None:
    work = case.work
    if work["elsewhere"] or work["dropped"].get("files") or _worked_outside(case):
        return None
    is_explained = file_claims.explains(case.subject.stated_outcome)
    for field, text in case.subject.fields:
        if field == "verification" or (field == "description" and is_explained):
            continue
        for claim in file_claims.claims_in(text):
            why = _refute(case, claim)
            if why:
                return Finding("CONTRADICTED", why)
    return None


def _worked_outside(case: Case) -> bool:
    root = case.work["root"]
    if any(not _SCRATCH.search(each) for each in case.work["outside"]):
        return True
    commands = case.commands
    folders = [run["cwd"] or root for run in commands.values()]
    folders += [folder for text in commands for folder in _FOLDER_CHANGE.findall(text)]
    return any(_is_outside(each, root) and not _SCRATCH.search(each) for each in folders)


_FOLDER_CHANGE = re.compile(
    r"(?:\b(?:cd|pushd)|\s-C|--(?:prefix|directory|git-dir)=?)\s+[\"']?"
    r"((?:/|~|\.\./\w)[^\s\"';&|)]*)"
)


def _is_outside(path: str, root: str) -> bool:
    return path != root and not path.startswith(root.rstrip("/") + "/")


def _refute(case: Case, claim: FileClaim) -> str:
    """Why the file cannot have been touched; "" if it was, or may have been."""
    names = [claim.path, claim.to] if claim.to else [claim.path]
    if any(_is_written(case, name) or _is_outside_file(case, name) for name in names):
        return ""
    file = case.tree.named_file(claim.path)
    if file.is_changed is not False:
        return ""
    if claim.action == "removed":
        if not file.is_there or _is_removed_by_command(case, claim.path):
            return ""
        return f"{file.path} still exists, and nothing changed it"
    if claim.action == "renamed":
        is_moved = not file.is_there or case.tree.named_file(claim.to).is_changed is not False
        if is_moved or case.tree.is_there(claim.to):
            return ""
        return f"{file.path} still exists unchanged, and {claim.to} does not exist"
    if file.is_there:
        return f"{file.path} has not changed since the work began"
    if _is_named_by_command(case, claim.path):
        return ""
    return f"{claim.path} does not exist, and no trace of it was found"


def _is_written(case: Case, path: str) -> bool:
    """Whether a file was written that the words may mean.

    A path that is there means that file; where there is none, also one of that name in another folder.
    """
    if "/" in path and case.tree.is_there(path):
        return any(each == path or each.endswith(f"/{path}") for each in case.files)
    return any(_loose_name(each) == _loose_name(path) for each in case.files)


_SUFFIX_FAMILIES = {
    suffix: family
    for family in (
        "js jsx ts tsx mjs cjs mts cts vue svelte",
        "yml yaml json jsonc toml ini cfg",
        "md mdx rst txt adoc",
        "c h cc cpp cxx hpp",
        "sh bash zsh",
    )
    for suffix in family.split()
}


def _loose_name(path: str) -> tuple[str, str]:
    """A name as people write it loosely: its letters, and the family of its suffix."""
    name, _, suffix = posixpath.basename(path.rstrip("/")).lower().rpartition(".")
    return re.sub(r"[-_.]", "", name or suffix), _SUFFIX_FAMILIES.get(suffix, suffix)


_REMOTE = re.compile(r"\b(?:ssh|scp|rsync|docker|podman|kubectl|aws|gsutil|az|vagrant|sftp)\b")


def _is_outside_file(case: Case, path: str) -> bool:
    """Whether a command named a file of that name outside the project, or on another machine."""
    root, name = case.work["root"], re.escape(posixpath.basename(path))
    outside = re.compile(rf"(?<![\w./~}}-])((?:\.\./|~/|/|\$\{{?\w+\}}?/)[^\s\"';&|()]*\b{name})\b")
    for text in case.commands:
        if any(_is_outside(path, root) for path in outside.findall(text)):
            return True
        if _REMOTE.search(text) and re.search(rf"\b{name}\b", text):
            return True
    return False


def _is_removed_by_command(case: Case, path: str) -> bool:
    """Whether a command removed the file from something: `git rm --cached` leaves it on the disk."""
    name = re.escape(posixpath.basename(path))
    removal = re.compile(rf"\b(?:rm|unlink|mv|trash|del|update-index)\b[^;&|]*\b{name}\b")
    return any(
        run["passed"] is not False and removal.search(text) for text, run in case.commands.items()
    )


def _is_named_by_command(case: Case, path: str) -> bool:
    """Whether a command named a missing file: it may have created and removed it."""
    name = posixpath.basename(path)
    return any(
        name in text and run["passed"] is not False and not _ONLY_NAMES.match(text)
        for text, run in case.commands.items()
    )


_ONLY_NAMES = re.compile(
    r"\s*(?:git\s+(?:commit|log|show|status|diff)|echo|ls|cat|head|tail|grep|rg|find|stat|test)\b[^;&|>]*$"
)
"""Commands that only name a file: in a message, or to search for it."""
