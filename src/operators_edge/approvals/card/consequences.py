"""The sentences of a decision card: what is at stake, whether it can be undone, how it was decided before.

Pure. Owns the sentences, and the judgement behind "undo". Does not own what they are about
(``approvals.impact.report``, ``approvals.card.precedents``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, cast

from operators_edge.approvals.card.precedents import IN_DIALOG
from operators_edge.text.wording import amount, many

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from operators_edge.approvals.card.model import Precedents, UndoAnswer
    from operators_edge.approvals.impact.report import (
        FileReport,
        ImpactReport,
        PushReport,
        RefReport,
        RefsReport,
        RequestReport,
        ResetReport,
        RewriteReport,
        StashReport,
        TablesReport,
    )

UNDO_RANK = {"yes": 0, "partly": 1, "unknown": 2, "no": 3}


# -- what is at stake ----------------------------------------------------------------------------


def sentences(report: ImpactReport) -> list[str]:
    """Sentences about one report, the most important first; never empty."""
    unknown = report.get("unknown")
    if unknown and not report.get("refs"):
        is_request = report["kind"] == "request"
        subject = _request_line(cast("RequestReport", report)) if is_request else ""
        return [line for line in (f"not known: {unknown}", subject) if line]
    by_act = _ACTS.get(report.get("act", ""))
    if by_act is None and report["kind"] == "commits":
        by_act = _files
    return (by_act or _KINDS[report["kind"]])(report)


def _files(report: FileReport) -> list[str]:
    if report.get("act") == "discard":
        return _discarded(report)
    count = f"{_bound(report)}{many(report['files'], 'file')}"
    size = report.get("bytes")
    size_text = f", {amount(size)}" if size is not None else ""
    verb = "would be overwritten" if report.get("act") == "overwrite" else "would go"
    lines = [f"{count}{size_text} {verb}" if report["files"] else "no file that is there now"]
    if report.get("is_open"):
        lines[0] += ", and others that cannot be known before"
    if report.get("devices"):
        lines = [f"{many(report['devices'], 'device')} and everything on it"]
    lines += _kinds_of(report)
    return lines + _histories(report)


def _bound(report: FileReport) -> str:
    return ("at most " if report.get("is_at_most") else "") + (
        "more than " if report.get("is_more") else ""
    )


def _kinds_of(report: FileReport) -> list[str]:
    if report.get("git"):
        return [f"what git has of them is not known: {report['git']}"]
    words = {
        "clean": "git has as they are",
        "modified": "with uncommitted changes",
        "untracked": "untracked",
        "ignored": "ignored by git",
        "outside": "in no repository",
    }
    counts = report.get("in_git") or {}
    parts = [f"{counts[kind]} {text}" for kind, text in words.items() if counts.get(kind)]
    return [f"of them {', '.join(parts)}"] if parts else []


def _histories(report: FileReport) -> list[str]:
    count = report.get("histories")
    return [f"with {many(count, 'git repository')} and all history in it"] if count else []


def _discarded(report: FileReport) -> list[str]:
    if report.get("index"):
        return ["nothing but what is staged; the files stay as they are"]
    counts = report.get("in_git") or {}
    parts = []
    if counts.get("modified"):
        parts.append(f"uncommitted changes in {many(counts['modified'], 'file')}")
    kinds = [kind for kind in ("untracked", "ignored") if counts.get(kind)]
    parts += [many(counts[kind], f"{kind} file") for kind in kinds]
    if not parts:
        return ["nothing: there is no such uncommitted work now"]
    size = report.get("bytes")
    size_text = f" ({amount(size)})" if size else ""
    return [f"{_bound(report)}{' and '.join(parts)}{size_text} would go", *_histories(report)]


def _push(report: PushReport) -> list[str]:
    place = _remote(report)
    if report.get("all"):
        count = many(report["publishes"], "commit")
        what = f"publishes all {report['names']} {report['all']}, {count} new there, on {place}"
        return [what, *_pruned(report)]
    lines: list[str] = []
    details: list[str] = []
    for ref in report["refs"]:
        lines.append(_pushed(ref, place))
        details += _named("lost", ref.get("lost")) if "loses" in ref else []
        details += _named("new", ref.get("subjects"))
    if report.get("more"):
        lines.append(f"and {many(report['more'], 'more branch')}")
    lines += _pruned(report)
    if any("unknown" not in ref for ref in report["refs"]):
        age = report.get("fetched")
        known = (
            f"as of the last fetch, {ago(age)}" if age is not None else "it was never fetched here"
        )
        details.append(f"({known})")
    return lines + details


def _pruned(report: PushReport) -> list[str]:
    return ["and branches that are only there would go"] if report.get("mirrors") else []


def _pushed(ref: RefReport, place: str) -> str:
    name = f"tag {ref['name']}" if ref.get("is_tag") else str(ref["name"])
    if ref.get("unknown"):
        return f"{name} on {place}: not known: {ref['unknown']}"
    if ref.get("is_deleted"):
        return f"deletes {name} on {place}; {_held(ref['loses'])}"
    new = many(ref["publishes"], "commit")
    if ref.get("loses"):
        lost = many(ref["loses"], "commit")
        return f"{lost} on {name} of {place} would be lost, {new} published"
    if ref.get("behind"):
        return f"git would refuse: {name} of {place} has {many(ref['behind'], 'commit')} not here"
    if ref.get("is_new"):
        return f"creates {name} on {place}, with {new} new there"
    return f"publishes {new} on {name} of {place}"


def _remote(report: PushReport) -> str:
    address = (
        f"{report['host']}/{report['path']}" if report.get("host") else report.get("folder") or ""
    )
    return (
        f"{report['remote']} ({address})"
        if report.get("remote") and address
        else address or "origin"
    )


def _held(count: int) -> str:
    if not count:
        return "its commits are held elsewhere too"
    return f"nothing else here holds {many(count, 'commit')} of it"


def _named(label: str, subjects: Sequence[str] | None) -> list[str]:
    return [f"{label}: {'; '.join(subjects)}"] if subjects else []


def _reset(report: ResetReport) -> list[str]:
    name = report.get("branch") or "HEAD (detached)"
    lines = []
    if report.get("leaves"):
        kept = ", ".join(report.get("kept_by") or ())
        only = report["only_here"]
        if not only:
            held = f"all of them held by {kept or 'other branches'}"
        else:
            held = (
                "which nothing else holds"
                if only == report["leaves"]
                else f"{only} held by nothing else"
            )
        lines.append(f"{name} would leave {many(report['leaves'], 'commit')}, {held}")
    if report.get("files"):
        lines += _discarded(report["files"])
    lines = ["; ".join(lines)] if lines else []
    if not lines:
        lines = [f"{name} stays where it is, and so do the files"]
    return lines + _named("left", report.get("subjects"))


def _refs(report: RefsReport) -> list[str]:
    lines = []
    for ref in report["refs"]:
        state = f"not known: {ref['unknown']}" if ref.get("unknown") else _held(ref["only_here"])
        lines.append(f"{report['act']} {ref['name']}: {state}")
    if report.get("more"):
        lines.append(f"and {report['more']} more")
    return lines + [
        each for ref in report["refs"] for each in _named("held by it alone", ref.get("subjects"))
    ]


def _stash(report: StashReport) -> list[str]:
    lines = [
        f"{each['name']}, from {ago(each['age'])}: {each['text']}" for each in report["stashes"]
    ]
    if report["count"] > len(lines):
        lines.append(f"and {report['count'] - len(lines)} more stashes")
    return lines or ["no stash is there"]


def _rewrite(report: RewriteReport) -> list[str]:
    published = (
        f", {report['published']} of them published" if report["published"] else ", none published"
    )
    return [
        f"rewrites {many(report['rewrites'], 'commit')}{published}",
        *_named("newest", report.get("subjects")),
    ]


def _tables(report: TablesReport) -> list[str]:
    parts = []
    for each in report["statements"]:
        rows = ""
        if "where" in each:
            rows = " with a WHERE" if each["where"] else " without WHERE: every row"
        parts.append(f"{each['verb']} {', '.join(each['names'])}{rows}")
    more = [f"{report['more']} more statements"] if report.get("more") else []
    place = " on ".join(str(report[key]) for key in ("database", "host") if report.get(key))
    return ["; ".join(parts + more) + (f"; in {place}" if place else "; in a database not named")]


def _request(report: RequestReport) -> list[str]:
    lines = [_request_line(report)]
    for each in report.get("uploads") or ():
        size = "size not known" if each["bytes"] is None else amount(each["bytes"])
        lines.append(f"sends {each['path']} ({size})")
    return lines


def _request_line(report: RequestReport) -> str:
    place = f"{report.get('host') or ''}{report.get('path') or ''}"
    here = ", on this machine" if report.get("is_loopback") else ""
    more = f", and {many(report['more'], 'more address')}" if report.get("more") else ""
    return f"{report['method']} {place}{here}{more}".strip()


_ACTS: dict[str, Callable[[Any], list[str]]] = {
    "push": _push,
    "reset": _reset,
    "branch": _refs,
    "tag": _refs,
    "stash": _stash,
    "rewrite": _rewrite,
}
_KINDS: dict[str, Callable[[Any], list[str]]] = {
    "files": _files,
    "tables": _tables,
    "request": _request,
}


# -- undo ----------------------------------------------------------------------------------------


class _Answer(NamedTuple):
    """Whether one report can be undone, and how."""

    can: str
    how: str


_BY_SNAPSHOT = _Answer("partly", "files: edge undo (a snapshot is taken first)")
_UNKNOWN = _Answer("unknown", "")


def undo(
    reports: Sequence[ImpactReport], *, has_snapshot: bool, is_external: bool = False
) -> UndoAnswer:
    """Whether all of it can be undone (yes, partly, no, unknown), and how.

    ``has_snapshot``: a snapshot of the working tree is taken before the call runs; ``is_external``: the
    effect is on another machine.
    """
    answers = [_undo(report, has_snapshot=has_snapshot) for report in reports]
    if not answers:
        elsewhere = "it happens on another machine" if is_external else ""
        answer = _BY_SNAPSHOT if has_snapshot else _UNKNOWN._replace(how=elsewhere)
        return {"can": answer.can, "how": answer.how}
    if len(answers) == 1:
        return {"can": answers[0].can, "how": answers[0].how}
    worst = max((answer.can for answer in answers), key=UNDO_RANK.__getitem__)
    is_mixed = len({answer.can for answer in answers}) > 1
    parts = [_part(report, answer) for report, answer in zip(reports, answers, strict=True)]
    how = "; ".join(dict.fromkeys(parts))
    return {"can": "partly" if worst == "no" and is_mixed else worst, "how": how}


def _part(report: ImpactReport, answer: _Answer) -> str:
    what = report.get("act") if report["kind"] == "commits" else report["kind"]
    how = f" ({answer.how})" if answer.how else ""
    return f"{what or report['kind']} {_can_text(answer.can)}{how}"


def undo_text(answer: UndoAnswer) -> str:
    can = _can_text(answer["can"])
    return f"{can}: {answer['how']}" if answer["how"] else can


def _can_text(can: str) -> str:
    return "not known" if can == "unknown" else can


def _undo(report: ImpactReport, *, has_snapshot: bool) -> _Answer:
    if report["kind"] == "tables":
        return _Answer("no", "only from a backup, or inside a transaction that is still open")
    if report["kind"] == "request":
        return _Answer("no", "what was sent cannot be called back")
    if report.get("unknown"):
        return _BY_SNAPSHOT if has_snapshot else _UNKNOWN
    act = report.get("act", "")
    if act in _UNDO_ACTS:
        return _UNDO_ACTS[act](report)
    if act == "reset":
        return _undo_reset(cast("ResetReport", report), has_snapshot=has_snapshot)
    return _undo_files(cast("FileReport", report), has_snapshot=has_snapshot)


def _undo_refs(report: RefsReport) -> _Answer:
    commands = [
        f"git {report['act']} {ref['name']} {ref['sha']}"
        for ref in report["refs"]
        if ref.get("sha")
    ]
    return _Answer("yes", ", ".join(commands)) if commands else _UNKNOWN


def _undo_stash(report: StashReport) -> _Answer:
    hashes = ", ".join(each["sha"] for each in report["stashes"])
    return _Answer("yes", f"until git gc: git stash apply {hashes}" if hashes else "")


def _undo_rewrite(report: RewriteReport) -> _Answer:
    return _Answer("yes", f"here: git reset --hard {report['sha']} (git reflog)")


def _undo_push(report: PushReport) -> _Answer:
    refs = report.get("refs") or []
    lost = [ref for ref in refs if ref.get("loses") or ref.get("is_deleted")]
    commands = [_restoring_push(ref, report) for ref in lost if ref.get("sha")]
    if commands:
        how = f"{', '.join(commands)}, if nobody pushed there since the last fetch"
        return _Answer("partly", how)
    return _Answer("no", "others can fetch it at once")


def _restoring_push(ref: RefReport, report: PushReport) -> str:
    remote = report.get("remote", "")
    if ref.get("is_deleted"):
        return f"git push {remote} {ref['sha']}:refs/heads/{ref['name']}"
    return f"git push -f {remote} {ref['sha']}:{ref['name']}"


def _undo_reset(report: ResetReport, *, has_snapshot: bool) -> _Answer:
    commits = files = None
    if report.get("leaves"):
        commits = _Answer("yes", f"git reset --hard {report['sha']} (git reflog)")
    if "files" in report and report["files"]["files"]:
        files = _undo_files(report["files"], has_snapshot=has_snapshot)
    if commits and files:
        can = max(commits.can, files.can, key=UNDO_RANK.__getitem__)
        how = f"commits: {commits.how}; files: {files.how}"
        return _Answer("partly" if can == "no" else can, how)
    return commits or files or _Answer("yes", "there is nothing to lose")


def _undo_files(report: FileReport, *, has_snapshot: bool) -> _Answer:
    counts = report.get("in_git") or {}
    clean = counts.get("clean", 0)
    work = counts.get("modified", 0) + counts.get("untracked", 0)
    lost = counts.get("outside", 0)
    # A snapshot also holds ignored files if the command names them or a folder above them.
    if has_snapshot and report.get("act") != "discard":
        work += counts.get("ignored", 0)
    else:
        lost += counts.get("ignored", 0)
    return _cannot_undo_files(report, has_others=bool(clean or work)) or _undo_counted(
        report, clean=clean, work=work, lost=lost, has_snapshot=has_snapshot
    )


def _cannot_undo_files(report: FileReport, *, has_others: bool) -> _Answer | None:
    """The answer that needs no counts, if there is one."""
    if report.get("devices"):
        return _Answer("no", "")
    if report.get("histories"):
        return _Answer("no", "the history in the repository goes too")
    if (report.get("in_git") or {}).get("outside") and not has_others:
        return _Answer("no", "it is in no repository")
    if report.get("git") or report.get("is_more") or report.get("is_open"):
        return _Answer("unknown", "not all of it could be counted")
    if not report.get("files") or report.get("index"):
        return _Answer("yes", "there is nothing to lose")
    return None


def _undo_counted(
    report: FileReport, *, clean: int, work: int, lost: int, has_snapshot: bool
) -> _Answer:
    if not work and not lost:
        return _Answer("yes", "git restore")
    if has_snapshot and work and not lost:
        return _Answer("yes", "edge undo (a snapshot is taken first)")
    if has_snapshot and (work or clean):
        return _Answer("partly", f"edge undo, but for {many(lost, 'file')} that no snapshot holds")
    if clean:
        return _Answer("partly", f"git restore, for {clean} of {many(report['files'], 'file')}")
    return _Answer("no", "git has none of it as it is now")


_UNDO_ACTS: dict[str, Callable[[Any], _Answer]] = {
    "push": _undo_push,
    "branch": _undo_refs,
    "tag": _undo_refs,
    "stash": _undo_stash,
    "rewrite": _undo_rewrite,
}


# -- earlier decisions ---------------------------------------------------------------------------


def history_text(history: Precedents | None) -> str:
    if not history:
        return "nothing like it was decided here recently"
    parts = []
    if history["exact"]:
        parts.append(f"this call {_counts(history['exact'])}")
    if history["class"]:
        parts.append(f"its class {_counts(history['class'])}")
    last = history["last"]
    who = str(last.get("by") or "")
    who = f" {who}" if who == IN_DIALOG else f" by {who}" if who else ""
    return f"{'; '.join(parts)}; last {last['outcome']} on {str(last['at'])[:10]}{who}"


def _counts(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{word} {_times(count)}" for word, count in counts.items())


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count} times"


# -- small words ---------------------------------------------------------------------------------


def ago(seconds: int) -> str:
    for unit, length in (("day", 86400), ("hour", 3600), ("minute", 60)):
        if seconds >= length:
            return f"{many(seconds // length, unit)} ago"
    return "just now"
