"""How well a claim stands that nothing speaks against: verified, stale, or unverified.

Pure. A check speaks for a step when it passed in or after it and nothing it covers has changed
since, by content. A check whose own tests were weakened speaks for nothing.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any, NamedTuple

from operators_edge.evidence.checks.quoted import bare
from operators_edge.evidence.claims import (
    check_claims,
    check_history,
    relevance,
)
from operators_edge.evidence.tamper import detect
from operators_edge.text import timestamps
from operators_edge.text.wording import many

if TYPE_CHECKING:
    from collections.abc import Sequence

    from operators_edge.evidence.claims.check_history import Run
    from operators_edge.evidence.claims.model import Case, Verdict

LOOKED_AT = 3
"""Passed runs whose freshness is asked for, the latest first: each is a question to git."""

BESIDE = 3
SAME_CALL_SECONDS = 2


class Finding(NamedTuple):
    """What is found about a claim; as in ``Claim``."""

    verdict: Verdict
    why: str
    files: tuple[str, ...] = ()
    command: str = ""
    check: dict[str, Any] | None = None
    beside: tuple[str, ...] = ()


_WORST: dict[str, int] = {"UNVERIFIED": 2, "STALE": 1, "VERIFIED": 0}


def of(case: Case) -> Finding:
    """The verdict on a claim that nothing contradicts."""
    subject = case.subject
    said = [
        each
        for field, text in subject.fields
        for each in check_claims.passing(text, field, is_red=check_claims.is_red(subject.text))
    ]
    kinds = list(dict.fromkeys("test" if each.kind == "any" else each.kind for each in said))
    written = [*(subject.seen.get("files") or ()), *(subject.seen.get("tree") or ())]
    has_work = bool(relevance.covered(written))
    verified = _by_verification(case)
    if verified is not None and verified.verdict != "UNVERIFIED":
        return verified
    if not kinds and not has_work:
        return verified or Finding("UNVERIFIED", _without_work(case, written))
    wants_whole = any(each.kind in ("test", "any") and not each.about for each in said)
    found = [_by_kind(case, kind, wants_whole=wants_whole) for kind in kinds or ["test"]]
    return max(found, key=lambda each: (_WORST[each.verdict], _has_failed(each)))


def _has_failed(found: Finding) -> bool:
    return found.check is not None and found.check.get("passed") is False


def _without_work(case: Case, written: Sequence[str]) -> str:
    if case.subject.is_carried:
        return "it was complete before its work could be watched"
    if written:
        return f"only documents changed ({written[0]}), and no check speaks for those"
    actions = int(case.subject.seen.get("actions") or 0)
    if not actions:
        return "nothing was observed either way"
    return f"no tool wrote a file in this step ({many(actions, 'tool use')} observed)"


def _by_verification(case: Case) -> Finding | None:
    """By the command that the step itself names for it; None where it names none that was looked at."""
    wanted = bare(case.subject.verification)
    runs = [run for run in case.checks if wanted and bare(str(run.get("command") or "")) == wanted]
    return _judged(case, runs) if runs else None


def _by_kind(case: Case, kind: str, *, wants_whole: bool) -> Finding:
    runs = check_history.of_kind(case.checks, kind)
    if wants_whole and kind == "test":
        narrow = [
            run for run in runs if run.get("passed") is True and not check_history.is_whole(run)
        ]
        runs = [run for run in runs if run not in narrow]
        if narrow and not runs:
            why = f"{check_history.told(narrow[-1])}; the rest was not seen to run"
            return Finding("UNVERIFIED", why, check=narrow[-1])
    return _judged(case, runs, kind)


def _judged(case: Case, runs: Sequence[Run], kind: str = "") -> Finding:
    """What the runs of one kind make of the claim."""
    failed = [run for run, _ in check_history.standing_failures(runs)]
    if failed:
        stale = _was_true(case, runs, failed[-1])
        if stale is not None:
            return stale
        why = f"{check_history.told(failed[-1])}; it has not passed since"
        return Finding(
            "UNVERIFIED", why, command=command_of(failed[-1], case.work), check=failed[-1]
        )
    passed = [
        run
        for run in runs
        if run.get("passed") is True and int(run.get("seq") or 0) >= case.subject.start
    ]
    if not passed:
        return Finding("UNVERIFIED", _none_passed(case, runs, kind))
    found = [_fresh(case, run) for run in reversed(passed[-LOOKED_AT:])]
    best = min(found, key=lambda each: _WORST[each.verdict])
    return _untampered(case, best) if best.verdict == "VERIFIED" else best


def _was_true(case: Case, runs: Sequence[Run], failed: Run) -> Finding | None:
    """A claim that a check bore out, and whose tree another one was before the check failed."""
    end = case.subject.end
    if end is None or int(failed.get("seq") or 0) <= end:
        return None
    before = [
        run
        for run in runs
        if run.get("passed") is True and case.subject.start <= int(run.get("seq") or 0) <= end
    ]
    found = _fresh(case, before[-1]) if before else None
    if found is None or found.verdict != "STALE":
        return None
    return found._replace(why=f"{found.why}; {check_history.told(failed)}")


def _none_passed(case: Case, runs: Sequence[Run], kind: str) -> str:
    name = {"test": "test run", "types": "type check", "format": "format check", "": "check"}.get(
        kind, kind
    )
    recent = [run for run in runs if int(run.get("seq") or 0) >= case.subject.start]
    if recent:
        doubt = recent[-1].get("doubt")
        return check_history.told(recent[-1]) + (f"; {doubt}" if doubt else "")
    if runs:
        return f"the last {name} was before this step, at log {runs[-1].get('seq')}"
    changed = list(case.subject.seen.get("files") or case.subject.seen.get("tree") or [])
    did = f"{many(len(changed), 'file')} changed; " if changed else ""
    return f"{did}no {name} was observed"


def _fresh(case: Case, run: Run) -> Finding:
    """How a passed run stands now."""
    told = check_history.told(run)
    changed = case.ground.changed(run.get("look"))
    if changed is None:
        why = str(run.get("look_why") or "what changed since cannot be told")
        late = _written_after(case, run)
        if not late:
            return Finding("UNVERIFIED", f"{told}; {why}", check=run)
        changed = late
    folder = case.ground.unit(str(run.get("cwd") or ""))
    files = tuple(sorted({*relevance.covered(changed, folder), *_written_meanwhile(case, run)}))
    if not files:
        return Finding("VERIFIED", f"{told}; nothing changed since", check=run)
    shown = ", ".join(files[:3]) + (f" and {len(files) - 3} more" if len(files) > 3 else "")
    return Finding(
        "STALE",
        f"{told}; changed since: {shown}",
        files=files,
        command=command_of(run, case.work),
        check=run,
    )


def _written_after(case: Case, run: Run) -> tuple[str, ...]:
    seq = int(run.get("seq") or 0)
    return tuple(path for path, each in case.files.items() if int(each.get("seq") or 0) > seq)


def _written_meanwhile(case: Case, run: Run) -> tuple[str, ...]:
    """What others wrote while the check ran: it may have read the file before."""
    end, length = timestamps.parse(run.get("at")), run.get("duration_ms")
    if end is None or not isinstance(length, int | float):
        return ()
    start = end - timedelta(milliseconds=length)
    found = []
    for path, each in case.files.items():
        at = timestamps.parse(each.get("at"))
        if at is not None and each.get("by") != "tree" and start <= at <= end:
            found.append(path)
    return relevance.covered(found)


def command_of(run: Run, work: Any) -> str:
    """The one command that clears it: the check's own, in its folder; by its number where that was cut."""
    command, root = str(run.get("command") or ""), str(work.get("root") or "")
    if not command or run.get("is_whole") is False:
        return "edge proof rerun --all"
    folder = str(run.get("cwd") or root).removeprefix(root).strip("/")
    return f"cd {folder} && {command}" if folder else command


# -- what was taken away from the checks -----------------------------------------------------------

_OF_TESTS = frozenset(
    [
        "test_file_deleted",
        "test_deleted",
        "test_skipped",
        "test_focused",
        "assertion_removed",
        "assertion_weakened",
        "failure_ignored",
        "tests_deselected",
        "check_removed",
        "snapshots_regenerated",
    ]
)
_NOT_TESTS = ("lint", "types", "format")
_OF_LINT = frozenset(["checks_loosened", "checks_suppressed", "failure_ignored", "check_removed"])


def _untampered(case: Case, found: Finding) -> Finding:
    run = found.check or {}
    taken = _taken_away(case, str(run.get("kind") or "test"), run)
    if not taken:
        return found
    what = "checks were" if run.get("kind") in _NOT_TESTS else "tests were"
    why = f"{check_history.told(run)}, after {what} weakened"
    return found._replace(verdict="UNVERIFIED", why=why, beside=taken)


def tampering_beside(case: Case, kind: str) -> tuple[str, ...]:
    return _taken_away(case, kind, None)


def _taken_away(case: Case, kind: str, run: Run | None) -> tuple[str, ...]:
    """What was taken away and is not back, in words. Of commands only what the run itself left out."""
    kinds = _OF_LINT if kind in _NOT_TESTS else _OF_TESTS
    told = []
    for each in (case.work.get("tampering") or {}).values():
        if each.get("severity") == "low" or each.get("kind") not in kinds:
            continue
        if each.get("seen") == "command" and (run is None or not _is_same_call(each, run)):
            continue
        told.append(detect.text(each))
    return tuple(told[-BESIDE:])


def _is_same_call(each: dict[str, Any], run: Run) -> bool:
    one, other = timestamps.parse(each.get("at")), timestamps.parse(run.get("at"))
    if one is None or other is None:
        return False
    return abs((one - other).total_seconds()) <= SAME_CALL_SECONDS
