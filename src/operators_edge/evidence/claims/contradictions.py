"""What was positively observed against a claim: a failed check or command, an untouched file.

Pure. Every doubt is in the claim's favour: a run that may have cleared the failure, a change that
may have come after the claim, work that may lie elsewhere.
"""

from __future__ import annotations

import posixpath
import re
from typing import TYPE_CHECKING, Any

from operators_edge.evidence.checks.quoted import bare
from operators_edge.evidence.claims import (
    check_claims,
    check_history,
    file_claims,
    relevance,
)
from operators_edge.evidence.claims.parsing import CRITERIA
from operators_edge.evidence.claims.verdict import Finding, command_of, tampering_beside

if TYPE_CHECKING:
    from collections.abc import Iterable

    from operators_edge.evidence.claims.check_claims import Passing
    from operators_edge.evidence.claims.check_history import Run
    from operators_edge.evidence.claims.file_claims import Touched
    from operators_edge.evidence.claims.model import Case

KINDS = ("test", "build", "types", "lint", "format", "custom")


def contradiction(case: Case) -> Finding | None:
    """The first observation that speaks against the claim; None where there is none."""
    if case.subject.is_carried:
        return None
    return _failed_check(case) or _failed_command(case) or _untouched(case)


# -- checks ----------------------------------------------------------------------------------------


def _failed_check(case: Case) -> Finding | None:
    is_red = check_claims.is_red(case.subject.text)
    for field, text in _spoken(case):
        for said in check_claims.passing(text, field, is_red=is_red):
            for kind in KINDS if said.kind == "any" else (said.kind,):
                run = _failure_of(case, kind, said)
                if run is not None:
                    why = f"{check_history.told(run)}; it has not passed since"
                    return Finding(
                        "CONTRADICTED",
                        why,
                        command=command_of(run, case.work),
                        check=run,
                        beside=tampering_beside(case, kind),
                    )
    return None


def _spoken(case: Case) -> list[tuple[str, str]]:
    """The fields whose words count: a proof that tells of failures is heard before what was wanted."""
    is_admitted = check_claims.admits(case.subject.told)
    return [each for each in case.subject.fields if each[0] not in CRITERIA or not is_admitted]


def _failure_of(case: Case, kind: str, said: Passing) -> Run | None:
    """The latest failed run that the claim cannot be true beside."""
    runs = check_history.of_kind(case.checks, kind)
    for run, is_certain in reversed(check_history.standing_failures(runs, case.subject.end)):
        if (
            is_certain
            and check_history.speaks_of(run, said) is True
            and is_of_step(case, run)
            and not _may_have_cleared(case, run)
            and _is_in_time(case, run, runs)
        ):
            return run
    return None


def _may_have_cleared(case: Case, run: Run) -> bool:
    """Whether a command ran later that may have been a check which nobody knows as one."""
    known = {each.get("seq") for each in case.checks}
    later = ((text, each) for text, each in case.commands.items() if each.get("seq") not in known)
    return bool(check_history.later_unknown(later, run))


def is_of_step(case: Case, run: Run) -> bool:
    """False for a run of another part of the project, or of tests that are gone."""
    scope = [str(each).split("::")[0] for each in run.get("scope") or []]
    paths = [each for each in scope if "/" in each or "." in each]
    folder = _inside(str(run.get("cwd") or ""), str(case.work.get("root") or ""))
    if paths and not any(
        case.ground.is_there(each) or case.ground.is_there(posixpath.join(folder, each))
        for each in paths
    ):
        return False
    unit = case.ground.unit(str(run.get("cwd") or "")) or _unit(paths)
    files = list(case.subject.seen.get("files") or [])
    if not unit or not files:
        return True
    words = " ".join(text for _, text in case.subject.fields).lower()
    return any(each.startswith(unit + "/") for each in files) or unit.split("/")[-1] in words


_UNITS = re.compile(
    r"^((?:packages|apps|services|libs|crates|modules|plugins|projects|components)/[^/]+)(?:/|$)"
)


def _unit(paths: Iterable[str]) -> str:
    found = {unit[1] if (unit := _UNITS.match(each)) else "" for each in paths}
    return found.pop() if len(found) == 1 else ""


def _inside(path: str, root: str) -> str:
    return path.removeprefix(root).strip("/") if path.startswith(root) else ""


def _is_in_time(case: Case, run: Run, runs: list[Run]) -> bool:
    """Whether the failure was there when the claim was made, or shows what was there then."""
    seq, subject = int(run.get("seq") or 0), case.subject
    if subject.end is not None and seq > subject.end:
        was_true = any(
            other.get("passed") is True
            and int(other.get("seq") or 0) <= subject.end
            and check_history.clears(other, run) is not False
            and (not _digest(other) or not _digest(run) or _digest(other) == _digest(run))
            for other in runs
        )
        return not was_true and not _may_have_changed(case, subject.end, run)
    if any(_is_of_another(other, run) for other in runs if _is_before(other, run, subject.start)):
        return False
    if seq < subject.start:
        changed = case.ground.changed(run.get("look"))
        return changed is not None and not relevance.covered(changed)
    return True


def _is_before(one: Run, other: Run, start: int) -> bool:
    return start <= int(one.get("seq") or 0) < int(other.get("seq") or 0)


def _is_of_another(passed: Run, failed: Run) -> bool:
    """Whether one agent saw it pass before another one's run failed: who claimed it may know no more."""
    ours, theirs = ((run.get("session"), run.get("agent")) for run in (passed, failed))
    return (
        passed.get("passed") is True
        and ours != theirs
        and check_history.clears(passed, failed) is not False
    )


def _may_have_changed(case: Case, end: int, run: Run) -> bool:
    """Whether anything may have changed between the claim and a later run."""
    before = [one for one in case.checks if int(one.get("seq") or 0) <= end and _digest(one)]
    if before and _digest(run) and _digest(before[-1]) == _digest(run):
        return False
    if any(int(each.get("seq") or 0) > end for each in case.files.values()):
        return True
    if not before or not _digest(run):
        return False
    # Something changed since that look: by what was seen to be written before the claim, or later unseen.
    last = int(before[-1].get("seq") or 0)
    return not any(int(each.get("seq") or 0) > last for each in case.files.values())


def _digest(run: Run) -> str:
    look = run.get("look")
    return str(look.get("digest") or "") if isinstance(look, dict) else ""


# -- commands --------------------------------------------------------------------------------------


def last_runs(case: Case) -> dict[str, dict[str, Any]]:
    """Each command without what leads to it, with its last outcome that is known."""
    found: dict[str, dict[str, Any]] = {}
    for text, run in case.commands.items():
        name = bare(text)
        is_cut = run.get("passed") is True and "|" in text
        if run.get("passed") is None or is_cut:
            found.pop(name, None)
        elif int(run.get("seq") or 0) >= int(found.get(name, {}).get("seq") or 0):
            found[name] = {**run, "text": text}
    for check in case.checks:
        name = bare(str(check.get("command") or ""))
        if name in found or check.get("passed") is not None:
            found[name] = {**check, "text": check.get("command")}
    return {name: run for name, run in found.items() if run.get("passed") is not None}


def _failed_command(case: Case) -> Finding | None:
    if check_claims.is_red(case.subject.text):
        return None
    failed = {
        name: run
        for name, run in last_runs(case).items()
        if run["passed"] is False and not run.get("elsewhere")
    }
    for field, text in _spoken(case) if failed else ():
        for name in check_claims.succeeding(text, field, failed):
            run = failed[name]
            seq, end = int(run.get("seq") or 0), case.subject.end
            is_later = end is not None and seq > end
            if seq < case.subject.start or (is_later and _may_have_changed(case, end or 0, run)):
                continue
            why = f"`{name}` failed at log {seq}, and did not run since"
            return Finding("CONTRADICTED", why, command=str(run["text"]))
    return None


# -- files -----------------------------------------------------------------------------------------

_SCRATCH = re.compile(
    r"^(?:/private)?/(?:tmp|var/tmp|var/folders|dev)/|/\.claude/|^[A-Z]:\\.*\\Temp\\"
)


def _untouched(case: Case) -> Finding | None:
    work = case.work
    is_elsewhere = work.get("elsewhere") or (work.get("dropped") or {}).get("files")
    if is_elsewhere or _went_outside(case):
        return None
    is_explained = file_claims.explains(case.subject.told)
    for field, text in case.subject.fields:
        if field == "verification" or (field == "description" and is_explained):
            continue
        for said in file_claims.touched(text):
            why = _no_trace(case, said)
            if why:
                return Finding("CONTRADICTED", why)
    return None


def _went_outside(case: Case) -> bool:
    root = str(case.work.get("root") or "")
    if any(not _SCRATCH.search(str(each)) for each in case.work.get("outside") or ()):
        return True
    commands = case.commands
    folders = [str(run.get("cwd") or root) for run in commands.values()]
    folders += [found for text in commands for found in _GONE_TO.findall(text)]
    return any(_is_outside(each, root) and not _SCRATCH.search(each) for each in folders)


_GONE_TO = re.compile(
    r"(?:\b(?:cd|pushd)|\s-C|--(?:prefix|directory|git-dir)=?)\s+[\"']?"
    r"((?:/|~|\.\./\w)[^\s\"';&|)]*)"
)


def _is_outside(path: str, root: str) -> bool:
    return path != root and not path.startswith(root.rstrip("/") + "/")


def _no_trace(case: Case, said: Touched) -> str:
    """Why the file cannot have been touched; "" where it was, or may have been."""
    names = [said.path, said.to] if said.to else [said.path]
    if any(_is_written(case, name) or _is_another(case, name) for name in names):
        return ""
    trace = case.ground.trace(said.path)
    if trace.is_changed is not False:
        return ""
    if said.deed == "removed":
        if not trace.is_there or _is_taken_out(case, said.path):
            return ""
        return f"{trace.path} is still there, and nobody touched it"
    if said.deed == "renamed":
        is_moved = not trace.is_there or case.ground.trace(said.to).is_changed is not False
        if is_moved or case.ground.is_there(said.to):
            return ""
        return f"{trace.path} is still there untouched, and there is no {said.to}"
    if trace.is_there:
        return f"{trace.path} is as it was before the work began"
    return "" if _is_handled(case, said.path) else f"there is no {said.path}, nor any trace of one"


def _is_written(case: Case, path: str) -> bool:
    """Whether a file was written that the words may mean.

    A path that is there means that file; where there is none, also one of that name in another folder.
    """
    if "/" in path and case.ground.is_there(path):
        return any(each == path or each.endswith(f"/{path}") for each in case.files)
    return any(_alike(each) == _alike(path) for each in case.files)


_KIN = {
    ending: kin
    for kin in (
        "js jsx ts tsx mjs cjs mts cts vue svelte",
        "yml yaml json jsonc toml ini cfg",
        "md mdx rst txt adoc",
        "c h cc cpp cxx hpp",
        "sh bash zsh",
    )
    for ending in kin.split()
}


def _alike(path: str) -> tuple[str, str]:
    """A name as people write it loosely: its words, and the family of its ending."""
    name, _, ending = posixpath.basename(path.rstrip("/")).lower().rpartition(".")
    return re.sub(r"[-_.]", "", name or ending), _KIN.get(ending, ending)


_FAR = re.compile(r"\b(?:ssh|scp|rsync|docker|podman|kubectl|aws|gsutil|az|vagrant|sftp)\b")


def _is_another(case: Case, path: str) -> bool:
    """Whether a command named a file of that name outside of the project, or on another machine."""
    root, name = str(case.work.get("root") or ""), re.escape(posixpath.basename(path))
    outside = re.compile(rf"(?<![\w./~}}-])((?:\.\./|~/|/|\$\{{?\w+\}}?/)[^\s\"';&|()]*\b{name})\b")
    for text in case.commands:
        if any(_is_outside(found, root) for found in outside.findall(text)):
            return True
        if _FAR.search(text) and re.search(rf"\b{name}\b", text):
            return True
    return False


def _is_taken_out(case: Case, path: str) -> bool:
    """Whether a command took the file out of somewhere: `git rm --cached` leaves it where it lies."""
    name = re.escape(posixpath.basename(path))
    gone = re.compile(rf"\b(?:rm|unlink|mv|trash|del|update-index)\b[^;&|]*\b{name}\b")
    return any(
        run.get("passed") is not False and gone.search(text) for text, run in case.commands.items()
    )


def _is_handled(case: Case, path: str) -> bool:
    """Whether a command named a file that is gone now: it may have made it, and taken it away again."""
    name = posixpath.basename(path)
    return any(
        name in text and run.get("passed") is not False and not _ONLY_TELLS.match(text)
        for text, run in case.commands.items()
    )


_ONLY_TELLS = re.compile(
    r"\s*(?:git\s+(?:commit|log|show|status|diff)|echo|ls|cat|head|tail|grep|rg|find|stat|test)\b[^;&|>]*$"
)
"""Commands that only name a file: in a message, or to look for it."""
