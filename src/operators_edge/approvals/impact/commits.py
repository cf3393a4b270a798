"""What a git command would publish, lose or rewrite, asked of the repository as it is here.

Owns what follows from pushes, resets, deleted refs and rewritten history. What stands on another machine
is known as of the last fetch, and said so: the network is never asked. Does not own work that is not
committed (``approvals.impact.uncommitted``).
"""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

from operators_edge.approvals.impact import uncommitted
from operators_edge.approvals.impact.command import UNKNOWN
from operators_edge.approvals.impact.repository import (
    MOST_SUBJECTS,
    Fact,
    Line,
    Repository,
    Unknown,
    parsed,
)
from operators_edge.git import commands as git

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime

    from operators_edge.git.commands import Budget
    from operators_edge.model import Finding

MOST_REFS = 4


def measure(words: Sequence[str], finding: Finding, budget: Budget, now: datetime) -> Fact:
    """The fact for a git command line, given without its first word."""
    fact: Fact = {"kind": finding.radius}
    if not finding.cwd:
        return fact | {"unknown": "it runs on another machine, or in a folder not known before"}
    if not os.path.isdir(finding.cwd):
        return fact | {"unknown": "the folder it runs in is not there now"}
    try:
        line = parsed(words)
        fact["act"] = line.sub
        repo = Repository(finding.cwd, budget)
        if repo.ask("rev-parse", "--git-dir") is None:
            raise Unknown("there is no git repository in that folder")  # noqa: TRY301
        handler = _HANDLERS.get(line.sub)
        if handler is None:
            raise Unknown(f"what git {line.sub} takes with it is not counted")  # noqa: TRY301
        return fact | handler(line, repo, now)
    except Unknown as why:
        return fact | {"unknown": str(why)}
    except git.TooSlow:
        return fact | {"unknown": "git did not answer in time"}


# -- push ----------------------------------------------------------------------------------------


def _push(line: Line, repo: Repository, now: datetime) -> Fact:
    branch = repo.branch
    remote = line.operands[0] if line.operands else _push_remote(line, repo, branch)
    if UNKNOWN in remote:
        raise Unknown("the remote cannot be known before it runs")
    url = repo.ask("remote", "get-url", "--push", remote)
    fact: Fact = {"remote": remote} if url else {}
    fact |= where(url or remote)
    is_forced = line.has("-f", "--force", "--force-with-lease", "--mirror")
    if line.has("--all", "--branches", "--mirror", "--tags") and len(line.operands) < 2:
        return fact | _push_all(line, repo, remote)
    if not url:
        raise Unknown(f"nothing is known here of the branches at {_place_text(fact)}")
    specs = _specs(line, repo, branch, remote)
    refs = [_pushed(one, repo, remote, branch, is_forced=is_forced) for one in specs[:MOST_REFS]]
    fact["refs"] = refs
    if line.has("--prune"):
        fact["mirrors"] = True
    if len(specs) > MOST_REFS:
        fact["more"] = len(specs) - MOST_REFS
    age = _fetched(repo, remote, [str(one.get("name")) for one in refs], now)
    return fact | {"fetched": age}


def _push_remote(line: Line, repo: Repository, branch: str) -> str:
    named = line.value("--repo")
    keys = [f"branch.{branch}.pushRemote", "remote.pushDefault", f"branch.{branch}.remote"]
    for key in keys[0 if branch else 1 :]:
        named = named or repo.ask("config", "--get", key) or ""
    remotes = (repo.ask("remote") or "").split()
    return named or (remotes[0] if len(remotes) == 1 else "origin")


def where(url: str) -> Fact:
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


def _place_text(fact: Fact) -> str:
    return str(fact.get("host") or fact.get("folder") or "that address")


def _push_all(line: Line, repo: Repository, remote: str) -> Fact:
    what = "--tags" if line.has("--tags") and not line.has("--all", "--mirror") else "--branches"
    names = (
        repo.ask("for-each-ref", "--format=x", f"refs/{'tags' if what == '--tags' else 'heads'}")
        or ""
    )
    count = repo.count(what, "--not", f"--remotes={remote}")
    fact: Fact = {"all": "tags" if what == "--tags" else "branches", "names": len(names.split())}
    return fact | {"publishes": count, "mirrors": line.has("--mirror")}


def _specs(line: Line, repo: Repository, branch: str, remote: str) -> list[str]:
    specs = list(line.operands[1:])
    if line.has("-d", "--delete"):
        return [f":{one}" for one in specs]
    while "tag" in specs[:-1]:
        at = specs.index("tag")
        specs[at : at + 2] = [f"refs/tags/{specs[at + 1]}"]
    if specs:
        return specs
    if not branch:
        raise Unknown("HEAD is detached and no branch is named")
    target = repo.ask("rev-parse", "--abbrev-ref", f"{branch}@{{push}}") or ""
    name = target.removeprefix(f"{remote}/") if target.startswith(f"{remote}/") else branch
    return [f"refs/heads/{branch}:{name}"]


def _pushed(spec: str, repo: Repository, remote: str, branch: str, *, is_forced: bool) -> Fact:
    """One ref of a push: what its new commits are, and which ones would be lost there."""
    is_forced = is_forced or spec.startswith("+")
    source, colon, name = spec.removeprefix("+").partition(":")
    if UNKNOWN in spec or "*" in spec or (colon and not source and not name):
        return {"name": spec, "unknown": "which branches cannot be known before it runs"}
    name = _ref_name(name or (branch if source in ("HEAD", "@") else source))
    tracking = f"refs/remotes/{remote}/{name}"
    there = repo.commit(tracking)
    fact: Fact = {"name": name}
    if colon and not source:
        return fact | _deleted(repo, remote, name, there)
    tip = repo.commit(source)
    if not tip:
        return fact | {"unknown": f"nothing here is called {source}"}
    is_tag = source.startswith("refs/tags/") or (
        name == source and not repo.commit(f"refs/heads/{source}") and _is_tag(repo, source)
    )
    fact |= {"is_tag": True} if is_tag else {}
    span: tuple[str, ...] = (tip, "--not", f"--remotes={remote}")
    if is_tag or not there:
        fact["is_new"] = True
    else:
        span = (f"{there}..{tip}",)
        lost = repo.count(f"{tip}..{there}")
        if lost:
            fact["loses" if is_forced else "behind"] = lost
            fact["lost"] = repo.subjects(f"{tip}..{there}")
            fact["sha"] = there[:10]
    fact["publishes"] = repo.count(*span)
    if fact["publishes"]:
        fact["subjects"] = repo.subjects(*span)
    return fact


def _ref_name(name: str) -> str:
    return name.removeprefix("refs/heads/").removeprefix("refs/tags/")


def _is_tag(repo: Repository, name: str) -> bool:
    return bool(repo.commit(f"refs/tags/{name}"))


def _deleted(repo: Repository, remote: str, name: str, there: str) -> Fact:
    fact: Fact = {"is_deleted": True}
    if not there:
        return fact | {"unknown": f"no branch {name} of {remote} is known here"}
    span = (there, *repo.elsewhere("remotes", f"{remote}/{name}"))
    return fact | {"loses": repo.count(*span), "lost": repo.subjects(*span), "sha": there[:10]}


def _fetched(repo: Repository, remote: str, names: list[str], now: datetime) -> int | None:
    """Seconds since the remote was last fetched from, or pushed to; None when never."""
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


def _reset(line: Line, repo: Repository, _now: datetime) -> Fact:
    head = repo.commit("HEAD")
    if not head:
        raise Unknown("there is no commit yet")
    named = line.operands[0] if line.operands else "HEAD"
    target = repo.commit(named)
    if UNKNOWN in named:
        raise Unknown("the commit cannot be known before it runs")
    is_hard = line.has("--hard", "--merge")
    fact: Fact = {"branch": repo.branch, "target": target[:10], "sha": head[:10], "leaves": 0}
    if target and target != head:
        fact |= _leaving(repo, head, target)
    if is_hard:
        fact["files"] = uncommitted.changes(repo, line.paths or (), untracked=False)
    return fact


def _leaving(repo: Repository, head: str, target: str) -> Fact:
    """The commits that a branch would lose, and who holds them besides."""
    branch = repo.branch
    fact: Fact = {"leaves": repo.count(f"{target}..{head}")}
    if not fact["leaves"]:
        return fact
    fact["subjects"] = repo.subjects(f"{target}..{head}")
    fact["only_here"] = repo.count(head, f"^{target}", *repo.elsewhere("branches", branch))
    form = "--format=%(refname:short)"
    held = repo.ask("for-each-ref", f"--contains={head}", "--count=4", form) or ""
    fact["kept_by"] = [name for name in held.splitlines() if name != branch][:3]
    return fact


def _branch(line: Line, repo: Repository, _now: datetime) -> Fact:
    names = line.operands + (line.paths or ())
    if line.has("-d", "-D", "--delete"):
        kind = "remotes" if line.has("-r", "--remotes") else "branches"
        return _refs_gone(names, repo, kind)
    if line.has("-m", "-M", "-c", "-C", "--move", "--copy"):
        start = names[0] if len(names) > 1 else "HEAD"
        return _refs_gone(names[-1:], repo, "branches", start=start)
    return _refs_gone(names[:1], repo, "branches", start=[*names[1:], "HEAD"][0])


def _switched(line: Line, repo: Repository, now: datetime) -> Fact:
    """A branch that is set anew where it exists (``checkout -B``, ``switch -C``), or discarded work."""
    name = line.value("-B", "-C", "--force-create")
    if name:
        start = [*line.operands, "HEAD"][0]
        return {**_refs_gone((name,), repo, "branches", start=start), "act": "branch"}
    handler = uncommitted.checkout if line.sub == "checkout" else uncommitted.switch
    return handler(line, repo, now)


def _tag(line: Line, repo: Repository, _now: datetime) -> Fact:
    names = line.operands + (line.paths or ())
    if line.has("-d", "--delete"):
        return _refs_gone(names, repo, "tags")
    return _refs_gone(names[:1], repo, "tags", start=[*names[1:], "HEAD"][0])


def _refs_gone(names: tuple[str, ...], repo: Repository, kind: str, *, start: str = "") -> Fact:
    """The refs that would be deleted, or set to ``start``, with the commits that only they hold."""
    set_to = repo.commit(start) if start else ""
    folder = {"branches": "heads"}.get(kind, kind)
    refs: list[Fact] = []
    for name in names[:MOST_REFS]:
        sha = repo.commit(f"refs/{folder}/{name}")
        if not sha:
            refs.append({"name": name, "unknown": f"nothing here is called {name}"})
            continue
        kept = [set_to] if set_to else []
        kept += ["HEAD"] if repo.branch != name else []
        span = (sha, *repo.elsewhere(kind, name), *kept)
        point = repo.ask("rev-parse", "--short=10", f"refs/{folder}/{name}") or sha[:10]
        only = repo.count(*span)
        subjects = repo.subjects(*span) if only else []
        refs.append({"name": name, "sha": point, "only_here": only, "subjects": subjects})
    fact: Fact = {"refs": refs}
    return fact | ({"more": len(names) - MOST_REFS} if len(names) > MOST_REFS else {})


def _stash(line: Line, repo: Repository, now: datetime) -> Fact:
    listed = repo.ask("stash", "list", "--format=%gd%x09%H%x09%ct%x09%gs") or ""
    entries = [one.split("\t", 3) for one in listed.splitlines()]
    if line.sub != "stash clear":
        named = line.operands[0] if line.operands else "0"
        wanted = f"stash@{{{named}}}" if named.isdigit() else named
        entries = [one for one in entries if one[0] == wanted]
        if not entries:
            raise Unknown(f"there is no {wanted}")
    stashes = [
        {"name": name, "sha": sha[:10], "age": max(0, int(now.timestamp()) - int(at)), "text": text}
        for name, sha, at, text in entries[:MOST_SUBJECTS]
    ]
    return {"act": "stash", "stashes": stashes, "count": len(entries)}


def _rebase(line: Line, repo: Repository, _now: datetime) -> Fact:
    if line.has("--abort", "--continue", "--skip", "--quit", "--edit-todo"):
        raise Unknown("a rebase is under way")
    named = line.operands[0] if line.operands else "@{upstream}"
    base = "" if line.has("--root") else repo.commit(named)
    if not base and not line.has("--root"):
        raise Unknown(f"nothing here is called {named}")
    tip = repo.commit(line.operands[1] if len(line.operands) > 1 else "HEAD")
    return _rewritten(repo, (tip, *((f"^{base}",) if base else ())), tip)


def _commit(line: Line, repo: Repository, _now: datetime) -> Fact:
    if not line.has("--amend"):
        raise Unknown("a commit takes nothing with it")
    head = repo.commit("HEAD")
    if not head:
        raise Unknown("there is no commit yet")
    return _rewritten(repo, ("--max-count=1", head), head)


def _rewrite_all(_line: Line, repo: Repository, _now: datetime) -> Fact:
    return _rewritten(repo, ("--branches", "--tags"), repo.commit("HEAD"))


def _rewritten(repo: Repository, span: tuple[str, ...], tip: str) -> Fact:
    count = repo.count(*span)
    # The limit of a count stands before what is left out of it.
    private = repo.count(*span, "--not", "--remotes")
    return {
        "act": "rewrite",
        "rewrites": count,
        "published": count - private,
        "sha": tip[:10],
        "subjects": repo.subjects(*span),
    }


_HANDLERS: dict[str, Callable[[Line, Repository, datetime], Fact]] = {
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
    "checkout": _switched,
    "restore": uncommitted.restore,
    "switch": _switched,
    "clean": uncommitted.clean,
    "rm": uncommitted.rm,
    "worktree remove": uncommitted.worktree,
}
