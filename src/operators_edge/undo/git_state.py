"""The index, branches, tags and stashes of a repository, as a snapshot keeps them and gives them back.

Owns reading them, how they differ from what a snapshot holds, and setting them again; commits and staged
contents are kept alive by the snapshot itself. Does not own the files of the working tree
(``undo.restore``).
"""

from __future__ import annotations

import os
import re
from contextlib import suppress

from operators_edge import jsons
from operators_edge.git import commands as git
from operators_edge.git.commands import GitFailed
from operators_edge.git.refs import is_id
from operators_edge.storage import files
from operators_edge.text.wording import many, one_line
from operators_edge.undo import worktree

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from operators_edge.git.objects import Shadow

HEADS, TAGS, NOTES, STASH = "refs/heads/", "refs/tags/", "refs/notes/", "refs/stash"
MAX_REFS = 1_000
"""Branches and tags that a snapshot keeps; of more, none but HEAD and the stashes."""

MAX_TAGS = 300
"""Annotated tags whose text a snapshot keeps."""

UNFINISHED = ("MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD")
_OPERATION = (*UNFINISHED, "REBASE_HEAD", "AUTO_MERGE", "MERGE_MODE", "MERGE_MSG", "SQUASH_MSG")
"""Files of git's about a merge and the like."""

REBASE = ("rebase-merge", "rebase-apply")
_FOLDERS = (*REBASE, "sequencer")
"""Folders of git's about a rebase, or about several commits that are picked or reverted."""

_HELD = ("autostash", "onto", "orig-head", "head", "abort-safety")
"""Files in them that name a commit which no branch may have."""

_MAX_STEPS = 500
_ANYWHERE = ("-c", "core.sparseCheckout=false", "--literal-pathspecs")
_MAX_TEXT = 256 * 1024
_EMPTY_TREES = {
    "sha1": "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
    "sha256": "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321",
}


# -- reading ---------------------------------------------------------------------------------------


def read(shadow: Shadow) -> dict[str, Any]:
    """Everything, as data: ``head``, ``at``, ``refs``, ``stashes``, ``index``, ``operation``, ``sparse``.

    ``refs`` are the objects of branches and tags by name, ``tags`` text and commit of annotated ones,
    ``annotated`` those that cannot be kept; ``index`` is how the index differs from the commit ``at``.
    """
    folder = shadow.repository.folder
    head = (files.read_bytes(os.path.join(folder, "HEAD")) or b"").decode("utf-8", "replace")
    refs, tags, annotated, has_stash = _refs(shadow)
    name = head.strip().removeprefix("ref: ")
    at = name if is_id(name) else refs.get(name) or shadow.commit_of("HEAD")
    settings = _settings(shadow)
    return {
        "head": head.strip(),
        "at": at,
        "refs": refs if len(refs) <= MAX_REFS else {},
        "upstreams": {name: value for name, value in settings.items() if _is_upstream(name, value)},
        "sparse": _sparse(folder, settings),
        "tags": tags,
        "annotated": annotated[:MAX_REFS],
        "stashes": _stashes(shadow) if has_stash else [],
        "index": _index(shadow, at),
        "operation": _operation(folder),
        "rebase": any(os.path.lexists(os.path.join(folder, each)) for each in _FOLDERS),
    }


def _refs(shadow: Shadow) -> tuple[dict[str, str], dict[str, list[str]], list[str], bool]:
    form = "--format=%(refname) %(objectname) %(objecttype) %(*objectname) %(*objecttype)"
    words = (form, "refs/heads", "refs/tags", "refs/notes", STASH)
    refs, annotated, has_stash = {}, [], False
    commits: dict[str, str] = {}
    for line in os.fsdecode(shadow.ask("for-each-ref", *words)).splitlines():
        name, ident, kind, target, of = line.split(" ")
        if name == STASH:
            has_stash = True
        elif kind == "commit":
            refs[name] = ident
        elif (kind, of) == ("tag", "commit") and len(commits) < MAX_TAGS:
            refs[name], commits[ident] = ident, target
        else:
            annotated.append(name)
    texts = shadow.tag_texts(commits) if commits else {}
    tags = {
        ident: [text.decode("latin-1"), commits[ident]]
        for ident, text in texts.items()
        if len(text) <= _MAX_TEXT
    }
    for name in [each for each in refs if refs[each] in commits and refs[each] not in tags]:
        del refs[name]
        annotated.append(name)
    return refs, tags, annotated, has_stash


def _settings(shadow: Shadow) -> dict[str, str]:
    """The repository's own settings of those that are kept."""
    raw = shadow.ask("config", "-z", "--show-scope", "--get-regexp", _KEPT_SETTINGS, allowed=(0, 1))
    fields = os.fsdecode(raw).split("\0")
    pairs = zip(fields[::2], fields[1::2], strict=False)
    return dict(pair.partition("\n")[::2] for scope, pair in pairs if scope in _OWN_SCOPES)


_SPARSE = ("core.sparsecheckout", "core.sparsecheckoutcone", "index.sparse")
_KEPT_SETTINGS = r"^(branch\..*\.(remote|merge)|core\.sparsecheckout(cone)?|index\.sparse)$"
_OWN_SCOPES = ("local", "worktree")
_PATTERNS = "info/sparse-checkout"


def _sparse(folder: str, settings: dict[str, str]) -> dict[str, Any]:
    """Which part of the tree is checked out: git's settings, and the patterns, if it has any."""
    found = {name: settings[name] for name in _SPARSE if settings.get(name) in ("true", "false")}
    data = files.read_bytes(os.path.join(folder, _PATTERNS))
    is_kept = data is not None and len(data) <= _MAX_TEXT
    return {"settings": found, "patterns": data.decode("latin-1") if data and is_kept else None}


def _is_upstream(name: str, value: str) -> bool:
    """Whether it names a remote or a branch there: never an address, which could be a program to run."""
    is_branch = name.endswith(".merge") and value.startswith(HEADS)
    return is_branch or (
        name.endswith(".remote") and re.fullmatch(r"\.|[\w-][\w.-]*", value) is not None
    )


def _stashes(shadow: Shadow) -> list[list[str]]:
    """Commit and message of each stash, the newest first."""
    fields = shadow.listed("log", "-g", "-z", "--format=%H %gs", STASH, "--")
    return [[each[: each.index(" ")], one_line(each.partition(" ")[2], 300)] for each in fields]


def _index(shadow: Shadow, at: str) -> dict[str, Any]:
    """How the index differs from the commit; it is read again only if it was written since."""
    path = os.path.join(shadow.folder, "index-state")
    stamp = f"{_stamp_of(shadow.repository.users_index)} {at}"
    with suppress(ValueError, KeyError, TypeError):
        known = jsons.loads(files.read_bytes(path) or b"{}")
        if known["stamp"] == stamp:
            return dict(known["index"])
    index = _read_index(shadow, at or _EMPTY_TREES[shadow.repository.form])
    with open(path, "wb") as file:
        file.write(jsons.dumps({"stamp": stamp, "index": index}).encode())
    return index


def _stamp_of(path: str) -> str:
    try:
        info = os.stat(path)
    except OSError:
        return "-"
    return f"{info.st_size} {info.st_mtime_ns} {info.st_ino}"


def _read_index(shadow: Shadow, commit: str) -> dict[str, Any]:
    words = ("diff-index", "-z", "--raw", "--no-renames", "--full-index", "--cached")
    visible = git.changes(shadow.ask(*words, "--ita-visible-in-index", commit))
    really = {
        each.path for each in git.changes(shadow.ask(*words, "--ita-invisible-in-index", commit))
    }
    entries = [[each.mode, each.id, 0, each.path] for each in visible if each.status != "U"]
    for each in shadow.listed("ls-files", "-u", "-z"):
        about, _, path = each.partition("\t")
        mode, ident, stage = about.split(" ")
        entries.append([mode, ident, int(stage), path])
    tagged = [each for each in shadow.listed("ls-files", "-v", "-z") if each[0] not in "HMRCK"]
    return {
        "entries": [each for each in entries if each[2] or each[3] in really],
        "intended": [
            each.path for each in visible if each.status == "A" and each.path not in really
        ],
        "assumed": [each[2:] for each in tagged if each[0].islower()],
        "skipped": [each[2:] for each in tagged if each[0] in "Ss"],
    }


def _operation(folder: str) -> dict[str, str]:
    names = list(_OPERATION)
    for each in _FOLDERS:
        for base, _, inner in os.walk(os.path.join(folder, each)):
            below = os.path.relpath(base, folder).replace(os.sep, "/")
            names += [f"{below}/{name}" for name in inner]
    found = {}
    for name in names[:_MAX_STEPS]:
        path = os.path.join(folder, name)
        data = None if os.path.islink(path) else files.read_bytes(path)
        if data is not None and len(data) <= _MAX_TEXT:
            found[name] = data.decode("latin-1")
    return found


def staged_contents(state: dict[str, Any]) -> list[str]:
    """The contents that only the index holds: no commit keeps them."""
    entries = state["index"]["entries"]
    return sorted({ident for mode, ident, _, _ in entries if mode in _MODES and ident.strip("0")})


_MODES = ("100644", "100755", "120000")


def tips(shadow: Shadow, state: dict[str, Any]) -> list[str]:
    """The commits that the snapshot has to keep, apart from HEAD's."""
    commits = {ident: commit for ident, (_, commit) in state["tags"].items()}
    refs = (commits.get(each, each) for each in state["refs"].values())
    found = dict.fromkeys([*(each[0] for each in state["stashes"]), *refs])
    named = dict.fromkeys(_operation_commits(state["operation"]))
    found.update(dict.fromkeys(filter(None, map(shadow.commit_of, named))))
    found.pop(state["at"], None)
    return list(found)


def _operation_commits(operation: dict[str, str]) -> Iterator[str]:
    inner = (f"{folder}/{name}" for folder in _FOLDERS for name in _HELD)
    for name in (*UNFINISHED, *inner):
        for line in operation.get(name, "").split():
            if is_id(line):
                yield line


def is_more_than_files(state: dict[str, Any]) -> bool:
    """Whether there is something that the commits and the files of the working tree do not tell."""
    index = state["index"]
    return bool(index["entries"] or index["intended"] or state["operation"])


# -- how it differs, and restoring -----------------------------------------------------------------


def differences(then: dict[str, Any], now: dict[str, Any]) -> list[str]:
    """A sentence for everything that restoring would change; nothing for a snapshot without such a state."""
    if not then:
        return []
    return [
        *(
            f"{short(name)} {_was(commit, now['refs'].get(name))}"
            for name, commit in _moved(then, now)
        ),
        *(f"the stash {_at(each[0])} is gone: {each[1]}" for each in _lost_stashes(then, now)),
        *([f"HEAD was {short(then['head'])}"] if then["head"] != now["head"] else []),
        *(
            [f"git was in the middle of a {_middle_of(then)}, and is no longer"]
            if _lost_operation(then, now)
            else []
        ),
        *(["the index was another"] if _index_differs(then, now) else []),
        *([_SPARSE_DIFFERS] if _sparse_differs(then, now) else []),
    ]


def gone(then: dict[str, Any], now: dict[str, Any]) -> list[str]:
    """The branches, tags and stashes that are no longer there, a name each."""
    if not then:
        return []
    names = [short(name) for name in then["refs"] if name not in now["refs"]]
    return [*names, *(f"stash {_at(each[0])}" for each in _lost_stashes(then, now))]


def short(name: str) -> str:
    """A ref as a person calls it."""
    for kind, start in (("branch", HEADS), ("tag", TAGS), ("notes", NOTES)):
        if (bare := name.removeprefix("ref: ")).startswith(start):
            return f"{kind} {one_line(bare.removeprefix(start), 80)}"
    return _at(name)


def _at(commit: str) -> str:
    return one_line(commit, 10) if is_id(commit) else one_line(commit, 80)


def _was(commit: str, now: str | None) -> str:
    return (
        f"was at {_at(commit)}, and is at {_at(now)}"
        if now
        else f"is gone: it was at {_at(commit)}"
    )


def _moved(then: dict[str, Any], now: dict[str, Any]) -> list[tuple[str, str]]:
    refs = then["refs"].items()
    return [(name, commit) for name, commit in refs if now["refs"].get(name) != commit]


def _lost_stashes(then: dict[str, Any], now: dict[str, Any]) -> list[list[str]]:
    there = {each[0] for each in now["stashes"]}
    return [each for each in then["stashes"] if each[0] not in there]


def _lost_operation(then: dict[str, Any], now: dict[str, Any]) -> list[str]:
    """Git's files about what it was in the middle of, unless it is in the middle of something again."""
    if _is_under_way(now) or not _is_under_way(then):
        return []
    return list(then["operation"])


def _is_under_way(state: dict[str, Any]) -> bool:
    return bool(state["rebase"]) or any(name in state["operation"] for name in UNFINISHED)


def _index_differs(then: dict[str, Any], now: dict[str, Any]) -> bool:
    return bool(then["index"] != now["index"] or then["at"] != now["at"])


_SPARSE_DIFFERS = "the sparse checkout was set differently"


def _sparse_differs(then: dict[str, Any], now: dict[str, Any]) -> bool:
    """Older snapshots do not say how it was."""
    return "sparse" in then and bool(then["sparse"] != now["sparse"])


def restore(
    shadow: Shadow, then: dict[str, Any], now: dict[str, Any]
) -> Iterator[tuple[str, str, str]]:
    """Set everything as it was; yields what was done or "", what, and why not.

    Branches, tags and stashes made since are kept.
    """
    if not then:
        return
    elsewhere = _checked_out_elsewhere(shadow)
    for name, commit in _moved(then, now):
        if name in elsewhere:
            yield "", short(name), f"it is checked out in {elsewhere[name]}"
            continue
        yield _tried(
            f"{short(name)}, at {_at(commit)}",
            lambda n=name, c=commit: _set_ref(shadow, n, c, then, now),
        )
    if lost := _lost_stashes(then, now):
        yield _tried(many(len(lost), "stash"), lambda: _set_stashes(shadow, then, now))
    if then["head"] != now["head"]:
        yield _tried(
            f"HEAD: {short(then['head'])}", lambda: _set_head(shadow, then["head"], elsewhere)
        )
    if lost_files := _lost_operation(then, now):
        yield _tried(
            f"the {_middle_of(then)} that git was in the middle of",
            lambda: _set_operation(shadow.repository.folder, then, lost_files),
        )
    if _sparse_differs(then, now):
        yield _tried("the sparse checkout", lambda: _set_sparse(shadow, then["sparse"]))
    if _index_differs(then, now):
        yield _tried("the index", lambda: _set_index(shadow, then))


def _middle_of(state: dict[str, Any]) -> str:
    if any(name.startswith(REBASE) for name in state["operation"]):
        return "rebase"
    kinds = {"MERGE_HEAD": "merge", "REVERT_HEAD": "revert"}
    return next((kinds[each] for each in kinds if each in state["operation"]), "cherry-pick")


def _set_operation(folder: str, then: dict[str, Any], names: list[str]) -> None:
    for name in names:
        path = os.path.join(folder, name)
        if name not in _OPERATION:
            if not name.startswith(tuple(f"{each}/" for each in _FOLDERS)) or ".." in name:
                raise GitFailed(f"{name} is not about that")
            os.makedirs(os.path.dirname(path), exist_ok=True)
        files.write_durable(path, then["operation"][name].encode("latin-1"))


def _tried(what: str, act: Any) -> tuple[str, str, str]:
    try:
        act()
    except (GitFailed, OSError) as error:
        return "", what, str(error)
    return "restored", what, ""


def _checked_out_elsewhere(shadow: Shadow) -> dict[str, str]:
    """The branches of other working trees, and where those are."""
    repository, found, place = shadow.repository, {}, ""
    listed = os.fsdecode(shadow.ask("worktree", "list", "--porcelain"))
    if repository.folder == repository.common:
        listed = listed.partition("\n\n")[2]  # ours is the first, by another name in a submodule
    for line in listed.splitlines():
        if line.startswith("worktree "):
            place = line.removeprefix("worktree ")
        elif line.startswith("branch ") and place != repository.top:
            found[line.removeprefix("branch ")] = place
    return found


def _set_stashes(shadow: Shadow, then: dict[str, Any], now: dict[str, Any]) -> None:
    """All of them, in the order they had; those made since come first. What is there now was kept before."""
    before = {each[0] for each in then["stashes"]}
    wanted = [*(each for each in now["stashes"] if each[0] not in before), *then["stashes"]]
    there = now["stashes"]
    if there != wanted[len(wanted) - len(there) :]:
        shadow.change("stash", "clear")
        there = []
    for commit, message in reversed(wanted[: len(wanted) - len(there)]):
        shadow.change("stash", "store", "-m", message, commit)


def _set_ref(
    shadow: Shadow, name: str, commit: str, then: dict[str, Any], now: dict[str, Any]
) -> None:
    if not name.startswith((HEADS, TAGS, NOTES)) or not is_id(commit):
        raise GitFailed("it is no branch, tag or notes")
    if (tag := then["tags"].get(commit)) and shadow.tag(tag[0].encode("latin-1")) != commit:
        raise GitFailed("it is another text now")
    old = now["refs"].get(name) or "0" * len(commit)
    shadow.change("update-ref", "-m", "edge undo apply", name, commit, old)
    for key in (f"branch.{name.removeprefix(HEADS)}.{each}" for each in ("remote", "merge")):
        value = then["upstreams"].get(key)
        if value and key not in now["upstreams"] and _is_upstream(key, value):
            shadow.change("config", "--local", key, value)


def _set_head(shadow: Shadow, head: str, elsewhere: dict[str, str]) -> None:
    name = head.removeprefix("ref: ")
    if name in elsewhere:
        raise GitFailed(f"it is checked out in {elsewhere[name]}")
    if name.startswith(HEADS):
        shadow.change("symbolic-ref", "-m", "edge undo apply", "HEAD", name)
    elif is_id(name):
        shadow.change("update-ref", "-m", "edge undo apply", "--no-deref", "HEAD", name)
    else:
        raise GitFailed("it was neither a branch nor a commit")


def _set_sparse(shadow: Shadow, wanted: dict[str, Any]) -> None:
    """Set it where git sets it: for this working tree alone, if the repository tells them apart."""
    is_apart = (
        shadow.ask("config", "--type=bool", "--get", _APART, allowed=(0, 1)).strip() == b"true"
    )
    for name in _SPARSE:
        for scope in ("--worktree", "--local") if is_apart else ("--local",):
            shadow.change("config", scope, "--unset-all", name, allowed=(0, 5))
        if value := wanted["settings"].get(name):
            scope = "--worktree" if is_apart else "--local"
            shadow.change("config", scope, name, value)
    path = os.path.join(shadow.repository.folder, _PATTERNS)
    if wanted["patterns"] is not None:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        files.write_durable(path, wanted["patterns"].encode("latin-1"))
    else:
        with suppress(FileNotFoundError):
            os.unlink(path)


_APART = "extensions.worktreeConfig"


def _set_index(shadow: Shadow, then: dict[str, Any]) -> None:
    """Build the index apart, and put it in place under git's own lock."""
    place = shadow.repository.users_index
    draft = f"{place}.edge-{os.urandom(6).hex()}"
    kept, none = then["index"], "0" * len(_EMPTY_TREES[shadow.repository.form])
    gone = dict.fromkeys(path for _, _, stage, path in kept["entries"] if stage)
    lines = [f"0 {none}\t{path}" for path in gone]
    for mode, ident, stage, path in kept["entries"]:
        lines.append(f"{mode} {ident} {stage}\t{path}" if ident.strip("0") else f"0 {none}\t{path}")
    try:
        with open(f"{place}.lock", "xb") as file:
            file.write(worktree.LOCKED)
    except FileExistsError:
        raise GitFailed("another git is at work: index.lock") from None
    try:
        start = ("read-tree", then["at"]) if then["at"] else ("read-tree", "--empty")
        shadow.change(*start, index=draft)
        shadow.change("update-index", "-z", "--index-info", given=lines, index=draft)
        here = [
            each
            for each in kept["intended"]
            if os.path.lexists(os.path.join(shadow.repository.top, each))
        ]
        names = ("--pathspec-from-file=-", "--pathspec-file-nul")
        if here:
            shadow.change(*_ANYWHERE, "add", "-N", "-f", *names, given=here, index=draft)
        for option, paths in (("--assume-unchanged", "assumed"), ("--skip-worktree", "skipped")):
            if kept[paths]:
                shadow.change(
                    "update-index", option, "-z", "--stdin", given=kept[paths], index=draft
                )
        with suppress(
            GitFailed
        ):  # only the files' times, which git looks at again when it needs them
            shadow.change("update-index", "-q", "--refresh", index=draft)
        os.replace(draft, place)
    finally:
        for path in (f"{place}.lock", draft):
            with suppress(FileNotFoundError):
                os.unlink(path)


# end of module
