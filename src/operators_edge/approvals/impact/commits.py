"""What a git command would publish, lose or rewrite, according to the local repository.

Owns what follows from pushes, resets, deleted refs and rewritten history. A remote is known as of the last
fetch, and the report says so: the network is never used. Does not own uncommitted work
(``approvals.impact.uncommitted``).
"""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, Any, cast

from operators_edge.approvals.impact import uncommitted
from operators_edge.approvals.impact.command import UNKNOWN
from operators_edge.approvals.impact.repository import (
    MAX_SUBJECTS,
    GitCommand,
    Repository,
    Unmeasurable,
    parse,
)
from operators_edge.git import commands as git

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime

    from operators_edge.approvals.impact.report import (
        FileReport,
        GitReport,
        PushReport,
        RefReport,
        RefsReport,
        ResetReport,
        RewriteReport,
        Stash,
        StashReport,
    )
    from operators_edge.git.commands import Budget
    from operators_edge.model import Finding

MAX_REFS = 4


def measure(words: Sequence[str], finding: Finding, budget: Budget, now: datetime) -> GitReport:
    """The report for a git command line, given without its first word."""
    report: dict[str, Any] = {"kind": finding.radius}
    try:
        _measure(report, words, finding, budget, now)
    except Unmeasurable as reason:
        report["unknown"] = str(reason)
    except git.TooSlow:
        report["unknown"] = "git did not answer in time"
    return cast("GitReport", report)


def _measure(
    report: dict[str, Any], words: Sequence[str], finding: Finding, budget: Budget, now: datetime
) -> None:
    if not finding.cwd:
        raise Unmeasurable("it runs on another machine, or in a folder not known before")
    if not os.path.isdir(finding.cwd):
        raise Unmeasurable("the folder it runs in is not there now")
    command = parse(words)
    report["act"] = command.sub
    repo = Repository(finding.cwd, budget)
    if repo.ask("rev-parse", "--git-dir") is None:
        raise Unmeasurable("there is no git repository in that folder")
    handler = _HANDLERS.get(command.sub)
    if handler is None:
        raise Unmeasurable(f"what git {command.sub} takes with it is not counted")
    report.update(handler(command, repo, now))


# -- push ----------------------------------------------------------------------------------------


def _push(command: GitCommand, repo: Repository, now: datetime) -> PushReport:
    branch = repo.branch
    remote = command.operands[0] if command.operands else _push_remote(command, repo, branch)
    if UNKNOWN in remote:
        raise Unmeasurable("the remote cannot be known before it runs")
    url = repo.ask("remote", "get-url", "--push", remote)
    report: PushReport = {"remote": remote} if url else {}
    report |= where(url or remote)
    is_forced = command.has("-f", "--force", "--force-with-lease", "--mirror")
    if command.has("--all", "--branches", "--mirror", "--tags") and len(command.operands) < 2:
        return report | _push_all(command, repo, remote)
    if not url:
        raise Unmeasurable(f"nothing is known here of the branches at {_place_text(report)}")
    specs = _specs(command, repo, branch, remote)
    refs = [_pushed(spec, repo, remote, branch, is_forced=is_forced) for spec in specs[:MAX_REFS]]
    report["refs"] = refs
    if command.has("--prune"):
        report["mirrors"] = True
    if len(specs) > MAX_REFS:
        report["more"] = len(specs) - MAX_REFS
    age = _fetched(repo, remote, [ref["name"] for ref in refs], now)
    return report | {"fetched": age}


def _push_remote(command: GitCommand, repo: Repository, branch: str) -> str:
    named = command.value("--repo")
    keys = [f"branch.{branch}.pushRemote", "remote.pushDefault", f"branch.{branch}.remote"]
    for key in keys[0 if branch else 1 :]:
        named = named or repo.ask("config", "--get", key) or ""
    remotes = (repo.ask("remote") or "").split()
    return named or (remotes[0] if len(remotes) == 1 else "origin")


def where(url: str) -> PushReport:
    """Host and path of a remote's address, without the user and the password in it."""
    match = re.match(
        r"[\w+.-]+://(?:[^/@]*@)?(?P<host>\[[^\]]*\]|[^/:]*)(?::\d+)?(?P<path>[^?#]*)", url
    )
    if match is None and not url.startswith(("/", ".")):
        match = re.match(r"(?:[^/@]*@)?(?P<host>[^/:@]+):(?P<path>.*)", url)
    if match is None:
        return {"folder": url}
    path = match["path"].strip("/").removesuffix(".git")
    if not match["host"]:
        return {"folder": match["path"]}
    return {"host": match["host"].lower(), "path": path}


def _place_text(report: PushReport) -> str:
    return report.get("host") or report.get("folder") or "that address"


def _push_all(command: GitCommand, repo: Repository, remote: str) -> PushReport:
    what = (
        "--tags" if command.has("--tags") and not command.has("--all", "--mirror") else "--branches"
    )
    names = (
        repo.ask("for-each-ref", "--format=x", f"refs/{'tags' if what == '--tags' else 'heads'}")
        or ""
    )
    count = repo.count(what, "--not", f"--remotes={remote}")
    report: PushReport = {
        "all": "tags" if what == "--tags" else "branches",
        "names": len(names.split()),
    }
    return report | {"publishes": count, "mirrors": command.has("--mirror")}


def _specs(command: GitCommand, repo: Repository, branch: str, remote: str) -> list[str]:
    specs = list(command.operands[1:])
    if command.has("-d", "--delete"):
        return [f":{spec}" for spec in specs]
    while "tag" in specs[:-1]:
        at = specs.index("tag")
        specs[at : at + 2] = [f"refs/tags/{specs[at + 1]}"]
    if specs:
        return specs
    if not branch:
        raise Unmeasurable("HEAD is detached and no branch is named")
    target = repo.ask("rev-parse", "--abbrev-ref", f"{branch}@{{push}}") or ""
    name = target.removeprefix(f"{remote}/") if target.startswith(f"{remote}/") else branch
    return [f"refs/heads/{branch}:{name}"]


def _pushed(spec: str, repo: Repository, remote: str, branch: str, *, is_forced: bool) -> RefReport:
    """One ref of a push: its new commits, and those that the remote would lose."""
    is_forced = is_forced or spec.startswith("+")
    source, colon, name = spec.removeprefix("+").partition(":")
    if UNKNOWN in spec or "*" in spec or (colon and not source and not name):
        return {"name": spec, "unknown": "which branches cannot be known before it runs"}
    name = _ref_name(name or (branch if source in ("HEAD", "@") else source))
    tracking = f"refs/remotes/{remote}/{name}"
    there = repo.commit(tracking)
    report: RefReport = {"name": name}
    if colon and not source:
        return report | _deleted(repo, remote, name, there)
    tip = repo.commit(source)
    if not tip:
        return report | {"unknown": f"nothing here is called {source}"}
    is_tag = source.startswith("refs/tags/") or (
        name == source and not repo.commit(f"refs/heads/{source}") and _is_tag(repo, source)
    )
    report |= {"is_tag": True} if is_tag else {}
    span: tuple[str, ...] = (tip, "--not", f"--remotes={remote}")
    if is_tag or not there:
        report["is_new"] = True
    else:
        span = (f"{there}..{tip}",)
        lost = repo.count(f"{tip}..{there}")
        if lost:
            report["loses" if is_forced else "behind"] = lost
            report["lost"] = repo.subjects(f"{tip}..{there}")
            report["sha"] = there[:10]
    report["publishes"] = repo.count(*span)
    if report["publishes"]:
        report["subjects"] = repo.subjects(*span)
    return report


def _ref_name(name: str) -> str:
    return name.removeprefix("refs/heads/").removeprefix("refs/tags/")


def _is_tag(repo: Repository, name: str) -> bool:
    return bool(repo.commit(f"refs/tags/{name}"))


def _deleted(repo: Repository, remote: str, name: str, there: str) -> RefReport:
    report: RefReport = {"is_deleted": True}
    if not there:
        return report | {"unknown": f"no branch {name} of {remote} is known here"}
    span = (there, *repo.other_refs("remotes", f"{remote}/{name}"))
    return report | {"loses": repo.count(*span), "lost": repo.subjects(*span), "sha": there[:10]}


def _fetched(repo: Repository, remote: str, names: list[str], now: datetime) -> int | None:
    """Seconds since the last fetch from, or push to, the remote; None if there was none."""
    paths = ["FETCH_HEAD", *(f"logs/refs/remotes/{remote}/{name}" for name in names)]
    words = [word for path in paths for word in ("--git-path", path)]
    times = []
    for path in (repo.ask("rev-parse", *words) or "").splitlines():
        try:
            times.append(os.stat(os.path.join(repo.folder, path)).st_mtime)
        except OSError:
            continue
    return max(0, int(now.timestamp() - max(times))) if times else None


# -- history -------------------------------------------------------------------------------------


def _reset(command: GitCommand, repo: Repository, _now: datetime) -> ResetReport:
    head = repo.commit("HEAD")
    if not head:
        raise Unmeasurable("there is no commit yet")
    named = command.operands[0] if command.operands else "HEAD"
    target = repo.commit(named)
    if UNKNOWN in named:
        raise Unmeasurable("the commit cannot be known before it runs")
    is_hard = command.has("--hard", "--merge")
    report: ResetReport = {
        "branch": repo.branch,
        "target": target[:10],
        "sha": head[:10],
        "leaves": 0,
    }
    if target and target != head:
        report |= _leaving(repo, head, target)
    if is_hard:
        report["files"] = uncommitted.changes(repo, command.paths or (), untracked=False)
    return report


def _leaving(repo: Repository, head: str, target: str) -> ResetReport:
    """The commits that a branch would lose, and which other refs hold them."""
    branch = repo.branch
    report: ResetReport = {"leaves": repo.count(f"{target}..{head}")}
    if not report["leaves"]:
        return report
    report["subjects"] = repo.subjects(f"{target}..{head}")
    report["only_here"] = repo.count(head, f"^{target}", *repo.other_refs("branches", branch))
    form = "--format=%(refname:short)"
    held = repo.ask("for-each-ref", f"--contains={head}", "--count=4", form) or ""
    report["kept_by"] = [name for name in held.splitlines() if name != branch][:3]
    return report


def _branch(command: GitCommand, repo: Repository, _now: datetime) -> RefsReport:
    names = command.operands + (command.paths or ())
    if command.has("-d", "-D", "--delete"):
        kind = "remotes" if command.has("-r", "--remotes") else "branches"
        return _lost_refs(names, repo, kind)
    if command.has("-m", "-M", "-c", "-C", "--move", "--copy"):
        start = names[0] if len(names) > 1 else "HEAD"
        return _lost_refs(names[-1:], repo, "branches", start=start)
    return _lost_refs(names[:1], repo, "branches", start=[*names[1:], "HEAD"][0])


def _switch(command: GitCommand, repo: Repository, now: datetime) -> FileReport | RefsReport:
    """A branch that is moved if it exists (``checkout -B``, ``switch -C``), or discarded work."""
    name = command.value("-B", "-C", "--force-create")
    if name:
        start = [*command.operands, "HEAD"][0]
        return {**_lost_refs((name,), repo, "branches", start=start), "act": "branch"}
    handler = uncommitted.checkout if command.sub == "checkout" else uncommitted.switch
    return handler(command, repo, now)


def _tag(command: GitCommand, repo: Repository, _now: datetime) -> RefsReport:
    names = command.operands + (command.paths or ())
    if command.has("-d", "--delete"):
        return _lost_refs(names, repo, "tags")
    return _lost_refs(names[:1], repo, "tags", start=[*names[1:], "HEAD"][0])


def _lost_refs(
    names: tuple[str, ...], repo: Repository, kind: str, *, start: str = ""
) -> RefsReport:
    """The refs that would be deleted, or moved to ``start``, with the commits that only they hold."""
    set_to = repo.commit(start) if start else ""
    folder = {"branches": "heads"}.get(kind, kind)
    refs: list[RefReport] = []
    for name in names[:MAX_REFS]:
        sha = repo.commit(f"refs/{folder}/{name}")
        if not sha:
            refs.append({"name": name, "unknown": f"nothing here is called {name}"})
            continue
        kept = [set_to] if set_to else []
        kept += ["HEAD"] if repo.branch != name else []
        span = (sha, *repo.other_refs(kind, name), *kept)
        point = repo.ask("rev-parse", "--short=10", f"refs/{folder}/{name}") or sha[:10]
        only = repo.count(*span)
        subjects = repo.subjects(*span) if only else []
        refs.append({"name": name, "sha": point, "only_here": only, "subjects": subjects})
    report: RefsReport = {"refs": refs}
    return report | ({"more": len(names) - MAX_REFS} if len(names) > MAX_REFS else {})


def _stash(command: GitCommand, repo: Repository, now: datetime) -> StashReport:
    listed = repo.ask("stash", "list", "--format=%gd%x09%H%x09%ct%x09%gs") or ""
    entries = [each.split("\t", 3) for each in listed.splitlines()]
    if command.sub != "stash clear":
        named = command.operands[0] if command.operands else "0"
        wanted = f"stash@{{{named}}}" if named.isdigit() else named
        entries = [each for each in entries if each[0] == wanted]
        if not entries:
            raise Unmeasurable(f"there is no {wanted}")
    stashes: list[Stash] = [
        {"name": name, "sha": sha[:10], "age": max(0, int(now.timestamp()) - int(at)), "text": text}
        for name, sha, at, text in entries[:MAX_SUBJECTS]
    ]
    return {"act": "stash", "stashes": stashes, "count": len(entries)}


def _rebase(command: GitCommand, repo: Repository, _now: datetime) -> RewriteReport:
    if command.has("--abort", "--continue", "--skip", "--quit", "--edit-todo"):
        raise Unmeasurable("a rebase is under way")
    named = command.operands[0] if command.operands else "@{upstream}"
    base = "" if command.has("--root") else repo.commit(named)
    if not base and not command.has("--root"):
        raise Unmeasurable(f"nothing here is called {named}")
    tip = repo.commit(command.operands[1] if len(command.operands) > 1 else "HEAD")
    return _rewritten(repo, (tip, *((f"^{base}",) if base else ())), tip)


def _commit(command: GitCommand, repo: Repository, _now: datetime) -> RewriteReport:
    if not command.has("--amend"):
        raise Unmeasurable("a commit takes nothing with it")
    head = repo.commit("HEAD")
    if not head:
        raise Unmeasurable("there is no commit yet")
    return _rewritten(repo, ("--max-count=1", head), head)


def _rewrite_all(_command: GitCommand, repo: Repository, _now: datetime) -> RewriteReport:
    return _rewritten(repo, ("--branches", "--tags"), repo.commit("HEAD"))


def _rewritten(repo: Repository, span: tuple[str, ...], tip: str) -> RewriteReport:
    count = repo.count(*span)
    # git takes --max-count before --not.
    private = repo.count(*span, "--not", "--remotes")
    return {
        "act": "rewrite",
        "rewrites": count,
        "published": count - private,
        "sha": tip[:10],
        "subjects": repo.subjects(*span),
    }


_HANDLERS: dict[str, Callable[[GitCommand, Repository, datetime], GitReport]] = {
    "push": _push,
    "reset": _reset,
    "branch": _branch,
    "tag": _tag,
    "stash drop": _stash,
    "stash pop": _stash,
    "stash clear": _stash,
    "rebase": _rebase,
    "commit": _commit,
    "filter-branch": _rewrite_all,
    "filter-repo": _rewrite_all,
    "checkout": _switch,
    "restore": uncommitted.restore,
    "switch": _switch,
    "clean": uncommitted.clean,
    "rm": uncommitted.rm,
    "worktree remove": uncommitted.worktree,
}
