"""What a decision card says of its facts: what is at stake, whether it can be undone, what was before.

Pure. Owns the sentences and the judgement behind "undo". Does not own the facts
(``approvals.impact.measure``, ``approvals.card.precedents``).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from operators_edge.approvals.card.precedents import IN_DIALOG
from operators_edge.text.wording import amount, many

Fact = Mapping[str, Any]

UNDO_RANK = {"yes": 0, "partly": 1, "unknown": 2, "no": 3}


# -- what is at stake ----------------------------------------------------------------------------


def sentences(fact: Fact) -> list[str]:
    """Sentences about one fact, the most important first; never empty."""
    if fact.get("unknown") and not fact.get("refs"):
        subject = _request_line(fact) if fact["kind"] == "request" else ""
        return [f"not known: {fact['unknown']}", *([subject] if subject else [])]
    if fact["kind"] == "commits" or fact.get("act") in ("push", "reset", "branch", "tag", "stash"):
        return _COMMITS.get(str(fact.get("act")), _files)(fact)
    return _KINDS[fact["kind"]](fact)


def _files(fact: Fact) -> list[str]:
    if fact.get("act") == "discard":
        return _discarded(fact)
    count = f"{_bound(fact)}{many(fact['files'], 'file')}"
    size = f", {amount(fact['bytes'])}" if fact.get("bytes") is not None else ""
    verb = "would be overwritten" if fact.get("act") == "overwrite" else "would go"
    found = [f"{count}{size} {verb}" if fact["files"] else "no file that is there now"]
    if fact.get("is_open"):
        found[0] += ", and others that cannot be known before"
    if fact.get("devices"):
        found = [f"{many(fact['devices'], 'device')} and everything on it"]
    found += _kinds_of(fact)
    return found + _histories(fact)


def _bound(fact: Fact) -> str:
    return ("at most " if fact.get("is_at_most") else "") + (
        "more than " if fact.get("is_more") else ""
    )


def _kinds_of(fact: Fact) -> list[str]:
    if fact.get("git"):
        return [f"what git has of them is not known: {fact['git']}"]
    words = {
        "clean": "git has as they are",
        "modified": "with uncommitted changes",
        "untracked": "untracked",
        "ignored": "ignored by git",
        "outside": "in no repository",
    }
    counts = fact.get("in_git") or {}
    parts = [f"{counts[kind]} {text}" for kind, text in words.items() if counts.get(kind)]
    return [f"of them {', '.join(parts)}"] if parts else []


def _histories(fact: Fact) -> list[str]:
    count = fact.get("histories")
    return [f"with {many(count, 'git repository')} and all history in it"] if count else []


def _discarded(fact: Fact) -> list[str]:
    if fact.get("index"):
        return ["nothing but what is staged; the files stay as they are"]
    counts = fact.get("in_git") or {}
    parts = []
    if counts.get("modified"):
        parts.append(f"uncommitted changes in {many(counts['modified'], 'file')}")
    kinds = [kind for kind in ("untracked", "ignored") if counts.get(kind)]
    parts += [many(counts[kind], f"{kind} file") for kind in kinds]
    if not parts:
        return ["nothing: there is no such uncommitted work now"]
    size = f" ({amount(fact['bytes'])})" if fact.get("bytes") else ""
    return [f"{_bound(fact)}{' and '.join(parts)}{size} would go", *_histories(fact)]


def _push(fact: Fact) -> list[str]:
    place = _remote(fact)
    if fact.get("all"):
        count = many(fact["publishes"], "commit")
        what = f"publishes all {fact['names']} {fact['all']}, {count} new there, on {place}"
        return [what, *_pruned(fact)]
    found: list[str] = []
    details: list[str] = []
    for ref in fact["refs"]:
        found.append(_pushed(ref, place))
        details += _named("lost", ref.get("lost")) if "loses" in ref else []
        details += _named("new", ref.get("subjects"))
    if fact.get("more"):
        found.append(f"and {many(fact['more'], 'more branch')}")
    found += _pruned(fact)
    if any("unknown" not in ref for ref in fact["refs"]):
        age = fact.get("fetched")
        known = (
            f"as of the last fetch, {ago(age)}" if age is not None else "it was never fetched here"
        )
        details.append(f"({known})")
    return found + details


def _pruned(fact: Fact) -> list[str]:
    return ["and branches that are only there would go"] if fact.get("mirrors") else []


def _pushed(ref: Fact, place: str) -> str:
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


def _remote(fact: Fact) -> str:
    address = f"{fact['host']}/{fact['path']}" if fact.get("host") else fact.get("folder") or ""
    return (
        f"{fact['remote']} ({address})" if fact.get("remote") and address else address or "origin"
    )


def _held(count: int) -> str:
    if not count:
        return "its commits are held elsewhere too"
    return f"nothing else here holds {many(count, 'commit')} of it"


def _named(label: str, subjects: Any) -> list[str]:
    return [f"{label}: {'; '.join(subjects)}"] if subjects else []


def _reset(fact: Fact) -> list[str]:
    name = fact.get("branch") or "HEAD (detached)"
    found = []
    if fact.get("leaves"):
        kept = ", ".join(fact.get("kept_by") or ())
        only = fact["only_here"]
        if not only:
            held = f"all of them held by {kept or 'other branches'}"
        else:
            held = (
                "which nothing else holds"
                if only == fact["leaves"]
                else f"{only} held by nothing else"
            )
        found.append(f"{name} would leave {many(fact['leaves'], 'commit')}, {held}")
    if fact.get("files"):
        found += _discarded(fact["files"])
    found = ["; ".join(found)] if found else []
    if not found:
        found = [f"{name} stays where it is, and so do the files"]
    return found + _named("left", fact.get("subjects"))


def _refs(fact: Fact) -> list[str]:
    found = []
    for ref in fact["refs"]:
        state = f"not known: {ref['unknown']}" if ref.get("unknown") else _held(ref["only_here"])
        found.append(f"{fact['act']} {ref['name']}: {state}")
    if fact.get("more"):
        found.append(f"and {fact['more']} more")
    return found + [
        one for ref in fact["refs"] for one in _named("held by it alone", ref.get("subjects"))
    ]


def _stash(fact: Fact) -> list[str]:
    found = [f"{one['name']}, from {ago(one['age'])}: {one['text']}" for one in fact["stashes"]]
    if fact["count"] > len(found):
        found.append(f"and {fact['count'] - len(found)} more stashes")
    return found or ["no stash is there"]


def _rewrite(fact: Fact) -> list[str]:
    published = (
        f", {fact['published']} of them published" if fact["published"] else ", none published"
    )
    return [
        f"rewrites {many(fact['rewrites'], 'commit')}{published}",
        *_named("newest", fact.get("subjects")),
    ]


def _tables(fact: Fact) -> list[str]:
    parts = []
    for one in fact["statements"]:
        rows = {False: " without WHERE: every row", True: " with a WHERE"}.get(one.get("where"), "")
        parts.append(f"{one['verb']} {', '.join(one['names'])}{rows}")
    more = [f"{fact['more']} more statements"] if fact.get("more") else []
    place = " on ".join(str(fact[key]) for key in ("database", "host") if fact.get(key))
    return ["; ".join(parts + more) + (f"; in {place}" if place else "; in a database not named")]


def _request(fact: Fact) -> list[str]:
    found = [_request_line(fact)]
    for one in fact.get("uploads") or ():
        size = "size not known" if one["bytes"] is None else amount(one["bytes"])
        found.append(f"sends {one['path']} ({size})")
    return found


def _request_line(fact: Fact) -> str:
    place = f"{fact.get('host') or ''}{fact.get('path') or ''}"
    here = ", on this machine" if fact.get("is_loopback") else ""
    more = f", and {many(fact['more'], 'more address')}" if fact.get("more") else ""
    return f"{fact['method']} {place}{here}{more}".strip()


_COMMITS = {
    "push": _push,
    "reset": _reset,
    "branch": _refs,
    "tag": _refs,
    "stash": _stash,
    "rewrite": _rewrite,
}
_KINDS = {"files": _files, "tables": _tables, "request": _request}


# -- undo ----------------------------------------------------------------------------------------


def undo(
    facts: list[dict[str, Any]], *, is_kept: bool, is_external: bool = False
) -> dict[str, str]:
    """Whether all of it can be undone (yes, partly, no, unknown), and how.

    ``is_kept``: a snapshot of the work tree is taken before the call runs; ``is_external``: what it
    does happens elsewhere.
    """
    answers = [_undo(fact, is_kept=is_kept) for fact in facts]
    if not answers:
        kept = ("partly", "files: edge undo (a snapshot is taken first)")
        elsewhere = "it happens on another machine" if is_external else ""
        can, how = kept if is_kept else ("unknown", elsewhere)
        return {"can": can, "how": how}
    can = max((one[0] for one in answers), key=UNDO_RANK.__getitem__)
    kinds = {one[0] for one in answers}
    if len(answers) == 1:
        return {"can": can, "how": answers[0][1]}
    parts = [_part(fact, answer) for fact, answer in zip(facts, answers, strict=True)]
    how = "; ".join(dict.fromkeys(parts))
    return {"can": "partly" if can == "no" and len(kinds) > 1 else can, "how": how}


def _part(fact: Fact, answer: Answer) -> str:
    what = fact.get("act") if fact["kind"] == "commits" else fact["kind"]
    how = f" ({answer[1]})" if answer[1] else ""
    return f"{what or fact['kind']} {'not known' if answer[0] == 'unknown' else answer[0]}{how}"


def undo_text(answer: Mapping[str, str]) -> str:
    can = "not known" if answer["can"] == "unknown" else answer["can"]
    return f"{can}: {answer['how']}" if answer["how"] else can


Answer = tuple[str, str]


def _undo(fact: Fact, *, is_kept: bool) -> Answer:
    act = fact.get("act")
    if fact["kind"] == "tables":
        return "no", "only from a backup, or inside a transaction that is still open"
    if fact["kind"] == "request":
        return "no", "what was sent cannot be called back"
    if fact.get("unknown"):
        return (
            ("partly", "files: edge undo (a snapshot is taken first)")
            if is_kept
            else ("unknown", "")
        )
    if act == "push":
        return _undo_push(fact)
    if act == "reset":
        return _undo_reset(fact, is_kept=is_kept)
    if act in ("branch", "tag"):
        commands = [
            f"git {act} {one['name']} {one['sha']}" for one in fact["refs"] if one.get("sha")
        ]
        return ("yes", ", ".join(commands)) if commands else ("unknown", "")
    if act == "stash":
        hashes = ", ".join(one["sha"] for one in fact["stashes"])
        return ("yes", f"until git gc: git stash apply {hashes}") if hashes else ("yes", "")
    if act == "rewrite":
        return "yes", f"here: git reset --hard {fact['sha']} (git reflog)"
    return _undo_files(fact, is_kept=is_kept)


def _undo_push(fact: Fact) -> Answer:
    refs = fact.get("refs") or ()
    lost = [one for one in refs if one.get("loses") or one.get("is_deleted")]
    commands = [_pushed_back(one, fact) for one in lost if one.get("sha")]
    if commands:
        return "partly", f"{', '.join(commands)}, if nobody pushed there since the last fetch"
    return "no", "others can fetch it at once"


def _pushed_back(ref: Fact, fact: Fact) -> str:
    if ref.get("is_deleted"):
        return f"git push {fact.get('remote', '')} {ref['sha']}:refs/heads/{ref['name']}"
    return f"git push -f {fact.get('remote', '')} {ref['sha']}:{ref['name']}"


def _undo_reset(fact: Fact, *, is_kept: bool) -> Answer:
    commits = (
        ("yes", f"git reset --hard {fact['sha']} (git reflog)") if fact.get("leaves") else None
    )
    files = fact.get("files")
    discarded = _undo_files(files, is_kept=is_kept) if files and files["files"] else None
    if commits and discarded:
        can = max(commits[0], discarded[0], key=UNDO_RANK.__getitem__)
        return ("partly" if can == "no" else can), f"commits: {commits[1]}; files: {discarded[1]}"
    return commits or discarded or ("yes", "there is nothing to lose")


def _undo_files(fact: Fact, *, is_kept: bool) -> Answer:
    counts = fact.get("in_git") or {}
    clean = counts.get("clean", 0)
    work = counts.get("modified", 0) + counts.get("untracked", 0)
    # A snapshot also holds ignored files, where the command names them or a folder above.
    is_named = is_kept and fact.get("act") != "discard"
    work += counts.get("ignored", 0) if is_named else 0
    gone = counts.get("outside", 0) + (0 if is_named else counts.get("ignored", 0))
    if fact.get("devices"):
        return "no", ""
    if fact.get("histories"):
        return "no", "the history in the repository goes too"
    if counts.get("outside") and not (clean or work):
        return "no", "it lies in no repository"
    if fact.get("git") or fact.get("is_more") or fact.get("is_open"):
        return "unknown", "not all of it could be counted"
    if not fact.get("files") or fact.get("index"):
        return "yes", "there is nothing to lose"
    if not work and not gone:
        return "yes", "git restore"
    if is_kept and work and not gone:
        return "yes", "edge undo (a snapshot is taken first)"
    if is_kept and (work or clean):
        return "partly", f"edge undo, but for {many(gone, 'file')} that no snapshot holds"
    if clean:
        return "partly", f"git restore, for {clean} of {many(fact['files'], 'file')}"
    return "no", "git has none of it as it is now"


# -- what was before -----------------------------------------------------------------------------


def history_text(history: Mapping[str, Any] | None) -> str:
    if not history:
        return "nothing like it was decided here lately"
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
