"""What was observed against a claim: a failed check or command, an untouched file.

Pure. Every doubt is in the claim's favour: a run that may have cleared the failure, a change that may have
come after the claim, work that may be elsewhere.
"""

from __future__ import annotations

import posixpath
import re

from operators_edge.evidence.claims import (
    acts,
    check_claims,
    check_history,
    coverage,
    file_claims,
    languages,
)
from operators_edge.evidence.claims.check_claims import PassClaim
from operators_edge.evidence.claims.model import CRITERIA, Finding
from operators_edge.evidence.claims.verdict import weakened_checks
from operators_edge.text.patterns import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from operators_edge.evidence.checks.run import Run
    from operators_edge.evidence.claims.file_claims import FileClaim
    from operators_edge.evidence.claims.model import Case, NamedFile


def contradiction(case: Case) -> Finding | None:
    """The first observation against the claim; None if there is none."""
    if case.subject.is_carried:
        return None
    return (
        _failed_run(case)
        or _failed_anyway(case)
        or _never_run_again(case)
        or _untouched_file(case)
        or _undone_act(case)
    )


def _undone_act(case: Case) -> Finding | None:
    """A commit, push or number that the repository or the runs refute."""
    why = acts.contradiction(case)
    return Finding("CONTRADICTED", why) if why else None


def _failed_anyway(case: Case) -> Finding | None:
    """Tests that failed as a whole and did not pass since, where the words cannot be read.

    Only if nothing changed after the failure, and the text speaks of checks without admitting any trouble.
    """
    text = case.subject.stated_outcome or case.subject.fields["description"]
    if not _has_failures(case) or not (
        languages.says_checks_pass(text) or _says_all_is_well(case, text)
    ):
        return None
    run = _refuting_run(case, PassClaim("test"), check_history.runs_of_kind(case.checks, "test"))
    if run is None or not coverage.is_whole(run, case.tree, case.root):
        return None
    command = check_history.rerun_command(run, case.work["root"])
    why = f"{check_history.describe(run)}; it has not passed since"
    return Finding("CONTRADICTED", why, command=command, check=run)


def _never_run_again(case: Case) -> Finding | None:
    """Tests that failed, and are said to have passed when they were run once more, which they were not."""
    text = case.subject.stated_outcome
    if not _has_failures(case) or not (
        check_claims.says_passed_again(text) or languages.says_passed_again(text)
    ):
        return None
    runs = check_history.runs_of_kind(case.checks, "test")
    run = _refuting_run(case, PassClaim("test"), runs)
    if run is None or any(each["seq"] > run["seq"] for each in runs):
        return None
    command = check_history.rerun_command(run, case.work["root"])
    why = f"{check_history.describe(run)}, and no run followed"
    return Finding("CONTRADICTED", why, command=command, check=run)


def _says_all_is_well(case: Case, text: str) -> bool:
    """Whether words that make no claim by themselves speak of tests and of nothing but good."""
    fields = case.subject.fields
    return (
        check_claims.says_all_is_well(text)
        and not check_claims.expects_failure(fields["description"])
        and not check_claims.claims_of(fields)
    )


def _failed_run(case: Case) -> Finding | None:
    """A check or a command that failed and is claimed to pass."""
    if not _has_failures(case):
        return None
    commands = check_history.runs_of_kind(case.command_runs, "command")
    failed = check_history.remaining_failures(commands, case.subject.end)
    claims = check_claims.claims_of(case.subject.fields, {run["name"] for run, _ in failed})
    is_admitted = check_claims.admits_failure(case.subject.stated_outcome)
    for field, claim in claims:
        if field in CRITERIA and is_admitted:
            continue  # the proof reports failures: what was wanted is not claimed
        if claim.kind == "command":
            runs = [each for each in commands if each["name"].lower() == claim.tool.lower()]
        else:
            runs = check_history.runs_of_kind(case.checks, claim.kind)
        run = _refuting_run(case, claim, runs)
        if run is not None:
            return Finding(
                "CONTRADICTED",
                f"{check_history.describe(run)}; it has not passed since",
                command=check_history.rerun_command(run, case.work["root"]),
                check=None if claim.kind == "command" else run,
                beside=weakened_checks(case, run["kind"]),
            )
    return None


def _has_failures(case: Case) -> bool:
    """Whether anything failed: without it, no words need to be read."""
    return any(run["passed"] is False for run in (*case.work["checks"], *case.commands.values()))


def _refuting_run(case: Case, claim: PassClaim, runs: Sequence[Run]) -> Run | None:
    """The latest failed run that refutes the claim."""
    for run, is_certain in check_history.remaining_failures(runs, case.subject.end)[::-1]:
        if (
            is_certain
            and check_history.refutes(run, claim)
            and not _are_tests_gone(case, run)
            and not _is_of_another_part(case, run)
            and not check_history.may_be_cleared(run, case.checks, case.commands)
            and _is_in_time(case, run, runs)
        ):
            return run
    return None


def _are_tests_gone(case: Case, run: Run) -> bool:
    paths = [each for each in _places(run) if "/" in each or "." in each]
    return bool(paths) and not any(map(case.tree.is_there, paths))


def _is_of_another_part(case: Case, run: Run) -> bool:
    """Whether it ran in parts of the project that the step neither changed nor named."""
    parts = [each.split("/")[:size] for each in _places(run) for size in (1, 2)]
    folders = [posixpath.join(case.work["root"], *each) for each in parts]
    units = [unit for each in folders if (unit := case.tree.unit(each))]
    return bool(case.subject.files) and not all(_is_meant(case, each) for each in units)


def _places(run: Run) -> list[str]:
    """The files and folders that a run was narrowed to."""
    return [each.split("::")[0] for each in run["scope"] if not each.startswith("-")]


def _is_meant(case: Case, unit: str) -> bool:
    """Whether a step changed or named this part of the project."""
    is_named = posixpath.basename(unit) in " ".join(case.subject.fields.values()).lower()
    return is_named or any(each.startswith(f"{unit}/") for each in case.subject.files)


def _is_in_time(case: Case, run: Run, runs: Sequence[Run]) -> bool:
    """Whether the failure existed when the claim was made, or shows the state at that time."""
    start, end, seq = case.subject.start, case.subject.end, run["seq"]
    if seq < start:
        changed = case.tree.changed(run["look"])
        return changed is not None and not check_history.covered(changed)
    passes = check_history.passes_of(run, runs)
    if seq > end:
        was_true = any(each["seq"] <= end and _may_be_same_tree(each, run) for each in passes)
        return not was_true and not _may_have_changed(case, run)
    return not any(start <= each["seq"] < seq and _is_by_another(each, run) for each in passes)


def _is_by_another(one: Run, other: Run) -> bool:
    """Whether another agent ran it: what one of them breaks, the other may not know."""
    return (one["session"], one["agent"]) != (other["session"], other["agent"])


def _may_be_same_tree(one: Run, other: Run) -> bool:
    return not _digest(one) or not _digest(other) or _digest(one) == _digest(other)


def _may_have_changed(case: Case, run: Run) -> bool:
    """Whether anything may have changed between the claim and a later run."""
    end = case.subject.end
    before = [each for each in case.checks if each["seq"] <= end and _digest(each)]
    is_written = bool(case.written_after(end))
    if not before or not _digest(run):
        return is_written
    # A change since that tree state came before the claim if it was observed then, else maybe after it.
    is_before = bool(case.written_after(before[-1]["seq"])) and not is_written
    return _digest(before[-1]) != _digest(run) and not is_before


def _digest(run: Run) -> str:
    return str((run["look"] or {}).get("digest") or "")


# -- files -----------------------------------------------------------------------------------------

_SCRATCH = pattern(
    r"^(?:/private)?/(?:tmp|var/tmp|var/folders|dev)/|/\.claude/|^[A-Z]:\\.*\\Temp\\"
)
_FOLDER_CHANGE = pattern(
    r"(?:\b(?:cd|pushd)|\s-C|--(?:prefix|directory|git-dir)=?)\s+[\"']?"
    r"((?:/|~|\.\./\w)[^\s\"';&|)]*)"
)
_REMOTE = pattern(r"\b(?:ssh|scp|rsync|docker|podman|kubectl|aws|gsutil|az|vagrant|sftp)\b")
_REMOVES = pattern(r"\b(?:rm|unlink|mv|trash|del|update-index)\b")
_DELETES = pattern(r"\s*(?:git\s+)?(?:rm|unlink|trash|del)\b[^;&|]*$")
_ONLY_NAMES = pattern(
    r"\s*(?:git\s+(?:commit|log|show|status|diff)|echo|ls|cat|head|tail|grep|rg|find|stat|test)\b[^;&|>]*$"
)
"""Commands that only name a file: in a message, or to search for it."""


def _untouched_file(case: Case) -> Finding | None:
    if case.work["elsewhere"] or case.work["dropped"].get("files") or _worked_outside(case):
        return None
    for field, text in case.subject.fields.items():
        if field == "verification" or not file_claims.may_name_files(text):
            continue
        if field == "description" and file_claims.explains(case.subject.stated_outcome):
            continue
        for claim in file_claims.claims_in(text):
            why = _why_gone(case, claim)
            why = why or ("" if _may_be_done(case, claim) else _why_untouched(case, claim))
            if why:
                return Finding("CONTRADICTED", why)
    return None


def _worked_outside(case: Case) -> bool:
    root = case.work["root"]
    folders = [run["cwd"] or root for run in case.commands.values()]
    folders += [folder for text in case.commands for folder in _FOLDER_CHANGE.findall(text)]
    places = [*case.work["outside"], *(each for each in folders if _is_outside(each, root))]
    return not all(_SCRATCH.search(each) for each in places)


def _is_outside(path: str, root: str) -> bool:
    return path != root and not path.startswith(root.rstrip("/") + "/")


def _why_gone(case: Case, claim: FileClaim) -> str:
    """Why a file that was written is not there: removed again before the claim was made."""
    facts = case.files.get(claim.path)
    if (
        claim.action not in ("created", "changed")
        or facts is None
        or case.tree.is_there(claim.path)
    ):
        return ""
    name = re.compile(rf"(?<![\w.-]){re.escape(posixpath.basename(claim.path))}\b")
    for text, run in case.commands.items():
        is_between = facts["seq"] < run["seq"] <= case.subject.end and run["passed"] is not False
        if is_between and _DELETES.match(text) and name.search(text):
            return f"{claim.path} was written and removed again"
    return ""


def _may_be_done(case: Case, claim: FileClaim) -> bool:
    """Whether a file was written that the words may mean, here or elsewhere."""
    names = [claim.path, claim.to] if claim.to else [claim.path]
    return any(_is_written(case, each) or _is_outside_file(case, each) for each in names)


def _why_untouched(case: Case, claim: FileClaim) -> str:
    """Why the file cannot have been touched; "" if it may have been."""
    file = case.tree.named_file(claim.path)
    if not file.is_untouched:
        return ""
    if claim.action in ("removed", "renamed"):
        return _why_still_there(case, claim, file)
    if file.is_there:
        return f"{file.path} has not changed since the work began"
    commands = _commands_with(case, claim.path)
    may_be_a_product = "/" not in claim.path and claim.path.endswith((".js", ".ts"))  # node.js
    if may_be_a_product or not all(map(_ONLY_NAMES.match, commands)):
        return ""
    return f"{claim.path} does not exist, and no trace of it was found"


def _why_still_there(case: Case, claim: FileClaim, file: NamedFile) -> str:
    if not file.is_there or any(map(_REMOVES.search, _commands_with(case, claim.path))):
        return ""
    if not claim.to:
        return f"{file.path} still exists, and nothing changed it"
    target = case.tree.named_file(claim.to)
    is_moved = target.is_there or not target.is_untouched
    return "" if is_moved else f"{file.path} still exists unchanged, and {claim.to} does not exist"


def _is_written(case: Case, path: str) -> bool:
    """Whether a file was written that the words may mean.

    A path that is there means that file; where there is none, also one of that name in another folder.
    """
    if "/" in path and case.tree.is_there(path):
        return any(f"/{each}".endswith(f"/{path}") for each in case.files)
    return any(_loose_name(each) == _loose_name(path) for each in case.files)


_KINDRED_SUFFIXES = (
    "js jsx ts tsx mjs cjs mts cts vue svelte",
    "yml yaml json jsonc toml ini cfg",
    "md mdx rst txt adoc",
    "c h cc cpp cxx hpp",
    "sh bash zsh",
)


def _loose_name(path: str) -> tuple[str, str]:
    """A name as people write it loosely: its letters, and what its suffix is akin to."""
    name, _, suffix = posixpath.basename(path.rstrip("/")).lower().rpartition(".")
    family = next((each for each in _KINDRED_SUFFIXES if suffix in each.split()), suffix)
    return re.sub(r"[-_.]", "", name or suffix), family


def _commands_with(case: Case, path: str) -> list[str]:
    """The commands that named a file of that name and did not fail."""
    name = rf"(?<![\w.-]){re.escape(posixpath.basename(path))}\b"
    texts = [text for text, run in case.commands.items() if run["passed"] is not False]
    return [text for text in texts if re.search(name, text)]


def _is_outside_file(case: Case, path: str) -> bool:
    """Whether a command named a file of that name outside the project, or on another machine.

    Also one that failed: what comes first in a line may have worked.
    """
    root, name = case.work["root"], re.escape(posixpath.basename(path))
    full = re.compile(rf"(?<![\w./~}}-])((?:\.\./|~/|/|\$\{{?\w+\}}?/)[^\s\"';&|()]*\b{name})\b")
    return any(
        any(_is_outside(each, root) for each in full.findall(text))
        or (_REMOTE.search(text) and re.search(rf"\b{name}\b", text))
        for text in case.commands
    )


# end of module
