"""What a git command would publish, lose or rewrite, according to the local repository.

Owns the sentences about pushes, resets, deleted refs and rewritten history, and how to undo them. A remote is
known as of the last fetch, and the report says so: the network is never used. Does not own uncommitted work
(``approvals.impact.uncommitted``).
"""

from __future__ import annotations

import os
import re
from dataclasses import replace

from operators_edge.approvals.binding.repositories import remote_of
from operators_edge.approvals.impact import uncommitted
from operators_edge.approvals.impact.command import UNKNOWN
from operators_edge.approvals.impact.report import Impact, Unmeasurable
from operators_edge.approvals.impact.repository import (
    MAX_SUBJECTS,
    GitCommand,
    Repository,
    git_command,
)
from operators_edge.text.wording import many
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from operators_edge.approvals.binding.line import Line
    from operators_edge.approvals.binding.repositories import GitScope, Remote
    from operators_edge.gate.invocation import Invocation

MAX_REFS = 4

_ELSEWHERE = ("GIT_DIR", "GIT_WORK_TREE", "GIT_COMMON_DIR", "GIT_NAMESPACE", "GIT_OBJECT_DIRECTORY")
"""Variables that make git look at another repository than that of its folder."""


def measure(inv: Invocation, repo: Repository, git: GitScope, line: Line) -> Impact:
    """The impact of a git command; raises Unmeasurable with the reason why there is none.

    ``git`` answers as the command itself would have it. Only a push is asked about in this way: to look at a
    working tree can run what the command's own settings name.
    """
    if not repo.folder:
        raise Unmeasurable(
            "it runs on another machine, or in a folder that is not known in advance"
        )
    if not os.path.isdir(repo.folder):
        raise Unmeasurable("the folder it runs in does not exist")
    command = git_command(inv)
    elsewhere = [name for name in _ELSEWHERE if name in git.env]
    if elsewhere:
        raise Unmeasurable(f"it names a repository by {elsewhere[0]}")
    if repo.ask("rev-parse", "--git-dir") is None:
        raise Unmeasurable("there is no git repository in that folder")
    if command.sub == "push":
        remote = remote_of(inv, command.operands, git, line)
        is_usual = (
            git == repo.git or remote.urls == remote_of(inv, command.operands, repo.git, line).urls
        )
        return _push(command, replace(repo, git=git), remote, is_usual=is_usual)
    handler = _HANDLERS.get(command.sub)
    if handler is None:
        raise Unmeasurable(f"what git {command.sub} takes with it is not counted")
    return handler(command, repo)


def _named(label: str, subjects: Sequence[str]) -> list[str]:
    return [f"{label}: {'; '.join(subjects)}"] if subjects else []


def _held(count: int) -> str:
    if not count:
        return "its commits are held elsewhere too"
    return f"nothing else here holds {many(count, 'commit')} of it"


def ago(seconds: int) -> str:
    for unit, length in (("day", 86400), ("hour", 3600), ("minute", 60)):
        if seconds >= length:
            return f"{many(seconds // length, unit)} ago"
    return "just now"


# -- push ----------------------------------------------------------------------------------------


class _Push(NamedTuple):
    """Where a push goes. ``place`` is how the sentences name it."""

    repo: Repository
    remote: str
    place: str
    branch: str
    is_forced: bool


class _PushedRef(NamedTuple):
    """What a push does to one branch or tag."""

    text: str
    details: tuple[str, ...] = ()
    restore: str = ""
    """The command that puts back what the remote would lose."""
    is_known: bool = True


def _push(command: GitCommand, repo: Repository, to: Remote, *, is_usual: bool) -> Impact:
    """``is_usual``: it goes where the remote of this name always goes, so what is known of it holds."""
    if not to.urls:
        raise Unmeasurable("the remote cannot be known before it runs")
    branch, remote = repo.branch, to.name
    address = "address not known" if to.unknown else ", ".join(map(where, to.urls))
    place = f"{remote} ({address})" if to.is_named else address
    is_forced = command.has("-f", "--force", "--force-with-lease", "--mirror")
    if command.has("--all", "--branches", "--mirror", "--tags") and len(command.operands) < 2:
        return _push_all(command, repo, remote, place)
    if not (to.is_named and is_usual):
        raise Unmeasurable(f"nothing is known here of the branches at {address or 'that address'}")
    push = _Push(repo, remote, place, branch, is_forced)
    return _push_of(_specs(command, repo, branch, remote), push, prunes=command.has("--prune"))


def _push_of(specs: Sequence[str], push: _Push, *, prunes: bool) -> Impact:
    refs = [_pushed(spec, push) for spec in specs[:MAX_REFS]]
    lines = [ref.text for ref in refs]
    if len(specs) > MAX_REFS:
        lines.append(f"and {many(len(specs) - MAX_REFS, 'more branch')}")
    if prunes:
        lines.append(_PRUNED)
    lines += dict.fromkeys(line for ref in refs for line in ref.details)
    if any(ref.is_known for ref in refs):
        lines.append(f"({_last_fetch(push, [_target(spec, push.branch) for spec in specs])})")
    restores = [ref.restore for ref in refs if ref.restore]
    if restores:
        how = f"{', '.join(restores)}, if nobody pushed there since the last fetch"
        return Impact(lines, "partly", how)
    return Impact(lines, *_PUBLISHED)


_PRUNED = "and branches that exist only there would be deleted"
_PUBLISHED = "no", "others may already have fetched it"


def where(url: str) -> str:
    """Host and path of a remote's address, without the user and the password in it; or its folder."""
    match = re.match(
        r"[\w+.-]+://(?:[^/@]*@)?(?P<host>\[[^\]]*\]|[^/:]*)(?::\d+)?(?P<path>[^?#]*)", url
    )
    if match is None and not url.startswith(("/", ".")):
        match = re.match(r"(?:[^/@]*@)?(?P<host>[^/:@]+):(?P<path>.*)", url)
    if match is None:
        return url
    if not match["host"]:
        return match["path"]
    return f"{match['host'].lower()}/{match['path'].strip('/').removesuffix('.git')}"


def _push_all(command: GitCommand, repo: Repository, remote: str, place: str) -> Impact:
    is_tags = command.has("--tags") and not command.has("--all", "--mirror")
    kind, what, folder = (
        ("tags", "--tags", "refs/tags") if is_tags else ("branches", "--branches", "refs/heads")
    )
    names = (repo.ask("for-each-ref", "--format=%(refname:lstrip=2)", folder) or "").split()
    count = many(repo.count(what, "--not", f"--remotes={remote}"), "commit")
    lines = [f"publishes all {kind} ({len(names)}), {count} new there, on {place}"]
    more = [f"and {len(names) - MAX_REFS} more"] if len(names) > MAX_REFS else []
    lines += _named(kind, [*names[:MAX_REFS], *more])
    lines += [_PRUNED] if command.has("--mirror") else []
    return Impact(lines, *_PUBLISHED)


def _specs(command: GitCommand, repo: Repository, branch: str, remote: str) -> list[str]:
    specs = list(command.operands[1:])
    if command.has("-d", "--delete"):
        if not specs:
            raise Unmeasurable("no branch is named that it would delete")
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


def _target(spec: str, branch: str) -> str:
    """The name that one ref of a push has on the remote."""
    source, _, name = spec.removeprefix("+").partition(":")
    name = name or (branch if source in ("HEAD", "@") else source)
    return name.removeprefix("refs/heads/").removeprefix("refs/tags/")


def _pushed(spec: str, push: _Push) -> _PushedRef:
    """One ref of a push: its new commits, and those that the remote would lose."""
    repo, name = push.repo, _target(spec, push.branch)
    source, colon, _ = spec.removeprefix("+").partition(":")
    if UNKNOWN in spec or "*" in spec or not name:
        return _unknown(spec, push, "which branches cannot be known before it runs")
    there = repo.commit(f"refs/remotes/{push.remote}/{name}")
    if colon and not source:
        return _deleted(name, there, push)
    tip = repo.commit(source)
    if not tip:
        return _unknown(name, push, f"nothing here is called {source}")
    is_tag = source.startswith("refs/tags/") or (
        name == source
        and not repo.commit(f"refs/heads/{source}")
        and bool(repo.commit(f"refs/tags/{source}"))
    )
    if is_tag or not there:
        span = (tip, "--not", f"--remotes={push.remote}")
        new = f"with {many(repo.count(*span), 'commit')} new there"
        shown = f"tag {name}" if is_tag else name
        return _PushedRef(f"creates {shown} on {push.place}, {new}", _new(repo, span))
    is_forced = push.is_forced or spec.startswith("+")
    return _updated(name, there, tip, push._replace(is_forced=is_forced))


def _updated(name: str, there: str, tip: str, push: _Push) -> _PushedRef:
    """A ref that the remote has, moved from one commit to another."""
    repo, place = push.repo, push.place
    added, removed = f"{there}..{tip}", f"{tip}..{there}"
    new, count = many(repo.count(added), "commit"), repo.count(removed)
    lost, details = many(count, "commit"), _new(repo, (added,))
    if not count:
        return _PushedRef(f"publishes {new} on {name} of {place}", details)
    if not push.is_forced:
        return _PushedRef(f"git would refuse: {name} of {place} has {lost} not here", details)
    text = f"{lost} on {name} of {place} would be lost, {new} published"
    restore = f"git push -f {push.remote} {there[:10]}:{name}"
    return _PushedRef(text, (*_named("lost", repo.subjects(removed)), *details), restore)


def _new(repo: Repository, span: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(_named("new", repo.subjects(*span)))


def _unknown(name: str, push: _Push, why: str) -> _PushedRef:
    return _PushedRef(f"{name} on {push.place}: not known: {why}", is_known=False)


def _deleted(name: str, there: str, push: _Push) -> _PushedRef:
    repo, remote = push.repo, push.remote
    if not there:
        return _unknown(name, push, f"no branch {name} of {remote} is known here")
    span = (there, *repo.other_refs("remotes", f"{remote}/{name}"))
    text = f"deletes {name} on {push.place}; {_held(repo.count(*span))}"
    restore = f"git push {remote} {there[:10]}:refs/heads/{name}"
    return _PushedRef(text, tuple(_named("lost", repo.subjects(*span))), restore)


def _last_fetch(push: _Push, names: list[str]) -> str:
    """When the remote was last fetched from, or pushed to: what is known about it is as old as that."""
    repo = push.repo
    paths = ["FETCH_HEAD", *(f"logs/refs/remotes/{push.remote}/{name}" for name in names)]
    words = [word for path in paths for word in ("--git-path", path)]
    times = []
    for path in (repo.ask("rev-parse", *words) or "").splitlines():
        try:
            times.append(os.stat(os.path.join(repo.folder, path)).st_mtime)
        except OSError:
            continue
    if not times:
        return "it was never fetched here"
    return f"as of the last fetch, {ago(max(0, int(repo.now.timestamp() - max(times))))}"


# -- history -------------------------------------------------------------------------------------


def _reset(command: GitCommand, repo: Repository) -> Impact:
    head = repo.commit("HEAD")
    if not head:
        raise Unmeasurable("there is no commit yet")
    named = command.operands[0] if command.operands else "HEAD"
    if UNKNOWN in named:
        raise Unmeasurable("the commit cannot be known before it runs")
    commits = _leaving(repo, head, repo.commit(named) or head)
    if not command.has("--hard", "--merge"):
        name = repo.branch or "HEAD (detached)"
        stays = f"{name} stays where it is, and so do the files"
        return commits or Impact([stays], "yes", _NOTHING)
    loss = uncommitted.changes(repo, command.paths or (), untracked=False)
    files = loss.impact(has_snapshot=repo.has_snapshot)
    if commits is None:
        return files
    if not loss.files:
        return commits
    first = "; ".join((commits.at_stake[0], *files.at_stake))
    lines = [first, *commits.at_stake[1:]]
    how = f"commits: {commits.how}; files: {files.how}"
    return Impact(lines, "partly" if files.can == "no" else files.can, how)


_NOTHING = "there is nothing to lose"


def _leaving(repo: Repository, head: str, target: str) -> Impact | None:
    """The commits that a branch would lose, and which other refs hold them; None if it loses none."""
    leaves = repo.count(f"{target}..{head}") if target != head else 0
    if not leaves:
        return None
    branch = repo.branch
    only = repo.count(head, f"^{target}", *repo.other_refs("branches", branch))
    form = "--format=%(refname:short)"
    refs = repo.ask("for-each-ref", f"--contains={head}", "--count=4", form) or ""
    kept = ", ".join([name for name in refs.splitlines() if name != branch][:3])
    held = f"all of them held by {kept or 'other branches'}"
    if only:
        held = "which nothing else holds" if only == leaves else f"{only} held by nothing else"
    text = f"{branch or 'HEAD (detached)'} would leave {many(leaves, 'commit')}, {held}"
    subjects = _named("left", repo.subjects(f"{target}..{head}"))
    return Impact([text, *subjects], "yes", f"git reset --hard {head[:10]} (git reflog)")


def _branch(command: GitCommand, repo: Repository) -> Impact:
    names = command.words
    if command.has("-d", "-D", "--delete"):
        kind = "remotes" if command.has("-r", "--remotes") else "branches"
        return _lost_refs("branch", names, repo, kind)
    if command.has("-m", "-M", "-c", "-C", "--move", "--copy"):
        start = names[0] if len(names) > 1 else "HEAD"
        return _lost_refs("branch", names[-1:], repo, start=start)
    return _lost_refs("branch", names[:1], repo, start=[*names[1:], "HEAD"][0])


def _switch(command: GitCommand, repo: Repository) -> Impact:
    """A branch that is moved if it exists (``checkout -B``, ``switch -C``), or discarded work."""
    name = command.value("-B", "-C", "--force-create")
    if name:
        return _lost_refs("branch", (name,), repo, start=[*command.operands, "HEAD"][0])
    handler = uncommitted.checkout if command.sub == "checkout" else uncommitted.switch
    return handler(command, repo)


def _tag(command: GitCommand, repo: Repository) -> Impact:
    names = command.words
    if command.has("-d", "--delete"):
        return _lost_refs("tag", names, repo, "tags")
    return _lost_refs("tag", names[:1], repo, "tags", start=[*names[1:], "HEAD"][0])


def _lost_refs(
    act: str, names: tuple[str, ...], repo: Repository, kind: str = "branches", *, start: str = ""
) -> Impact:
    """The refs that would be deleted, or moved to ``start``, with the commits that only they hold."""
    set_to = repo.commit(start) if start else ""
    folder = {"branches": "heads"}.get(kind, kind)
    lines: list[str] = []
    details: list[str] = []
    restores: list[str] = []
    for name in names[:MAX_REFS]:
        sha = repo.commit(f"refs/{folder}/{name}")
        if not sha:
            lines.append(f"{act} {name}: not known: nothing here is called {name}")
            continue
        kept = [set_to] if set_to else []
        kept += ["HEAD"] if repo.branch != name else []
        span = (sha, *repo.other_refs(kind, name), *kept)
        only = repo.count(*span)
        lines.append(f"{act} {name}: {_held(only)}")
        details += _named("held by it alone", repo.subjects(*span)) if only else []
        point = repo.ask("rev-parse", "--short=10", f"refs/{folder}/{name}") or sha[:10]
        restores.append(f"git {act} {name} {point}")
    if len(names) > MAX_REFS:
        lines.append(f"and {len(names) - MAX_REFS} more")
    return Impact(lines + details, "yes" if restores else "unknown", ", ".join(restores))


def _stash(command: GitCommand, repo: Repository) -> Impact:
    entries = _stash_entries(command, repo)
    if not entries:
        return Impact(["no stash is there"], "yes", _NOTHING)
    now = int(repo.now.timestamp())
    shown = entries[:MAX_SUBJECTS]
    lines = [f"{name}, from {ago(max(0, now - int(at)))}: {text}" for name, _, at, text in shown]
    if len(entries) > len(shown):
        lines.append(f"and {many(len(entries) - len(shown), 'more stash')}")
    hashes = ", ".join(sha[:10] for _, sha, *_ in shown)
    return Impact(lines, "yes", f"until git gc: git stash apply {hashes}")


def _stash_entries(command: GitCommand, repo: Repository) -> list[list[str]]:
    """The stashes that the command takes: name, commit, time and text of each."""
    listed = repo.ask("stash", "list", "--format=%gd%x09%H%x09%ct%x09%gs") or ""
    entries = [each.split("\t", 3) for each in listed.splitlines()]
    if command.sub == "stash clear":
        return entries
    named = command.operands[0] if command.operands else "0"
    wanted = f"stash@{{{named}}}" if named.isdigit() else named
    found = [each for each in entries if each[0] == wanted]
    if not found:
        raise Unmeasurable(f"there is no {wanted}")
    return found


def _rebase(command: GitCommand, repo: Repository) -> Impact:
    if command.has("--abort", "--continue", "--skip", "--quit", "--edit-todo"):
        raise Unmeasurable("a rebase is under way")
    named = command.operands[0] if command.operands else "@{upstream}"
    base = "" if command.has("--root") else repo.commit(named)
    if not base and not command.has("--root"):
        raise Unmeasurable(f"nothing here is called {named}")
    tip = repo.commit(command.operands[1] if len(command.operands) > 1 else "HEAD")
    return _rewritten(repo, (tip, *((f"^{base}",) if base else ())), tip)


def _commit(command: GitCommand, repo: Repository) -> Impact:
    if not command.has("--amend"):
        raise Unmeasurable("a commit takes nothing with it")
    head = repo.commit("HEAD")
    if not head:
        raise Unmeasurable("there is no commit yet")
    return _rewritten(repo, ("--max-count=1", head), head)


def _rewrite_all(_command: GitCommand, repo: Repository) -> Impact:
    return _rewritten(repo, ("--branches", "--tags"), repo.commit("HEAD"))


def _rewritten(repo: Repository, span: tuple[str, ...], tip: str) -> Impact:
    count = repo.count(*span)
    # git takes --max-count before --not.
    published = count - repo.count(*span, "--not", "--remotes")
    text = f"{published} of them published" if published else "none published"
    lines = [f"rewrites {many(count, 'commit')}, {text}", *_named("newest", repo.subjects(*span))]
    return Impact(lines, "yes", f"here: git reset --hard {tip[:10]} (git reflog)")


_HANDLERS: dict[str, Callable[[GitCommand, Repository], Impact]] = {
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

# end of module
