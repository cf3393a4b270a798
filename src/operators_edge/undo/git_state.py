"""The index, branches, tags and stashes of a repository, as a snapshot keeps them and gives them back.

Owns reading them, how they differ from what a snapshot holds, and setting them again; commits and staged
contents are kept alive by the snapshot itself. Does not own the files of the working tree
(``undo.restore``). A rebase under way is not kept.
"""

from __future__ import annotations

import json
import os
import re
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from operators_edge.git import commands as git
from operators_edge.git.commands import GitFailed
from operators_edge.storage import files
from operators_edge.text.wording import many, one_line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from operators_edge.git.objects import Shadow

HEADS, TAGS, STASH = "refs/heads/", "refs/tags/", "refs/stash"
MAX_REFS = 1_000
"""Branches and tags that a snapshot keeps; of more, none but HEAD and the stashes."""

UNFINISHED = ("MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD")
_OPERATION = (*UNFINISHED, "MERGE_MODE", "MERGE_MSG", "SQUASH_MSG")
"""Files of git's about a merge and the like: text that nothing is run from."""

REBASE = ("rebase-merge", "rebase-apply")
_ANYWHERE = ("-c", "core.sparseCheckout=false", "--literal-pathspecs")
_MAX_TEXT = 256 * 1024
_EMPTY_TREES = {
    "sha1": "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
    "sha256": "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321",
}
_COMMIT = re.compile(r"[0-9a-f]{40}([0-9a-f]{24})?\Z")


# -- reading ---------------------------------------------------------------------------------------


def read(shadow: Shadow) -> dict[str, Any]:
    """Everything, as data: ``head``, ``at``, ``refs``, ``stashes``, ``index``, ``operation``.

    ``refs`` are the commits of branches and tags by name, ``annotated`` the tags that are more than a name
    for a commit, which cannot be kept; ``index`` is how the index differs from the commit ``at``.
    """
    folder = shadow.repository.folder
    head = (files.read_bytes(os.path.join(folder, "HEAD")) or b"").decode("utf-8", "replace")
    refs, annotated, has_stash = _refs(shadow)
    name = head.strip().removeprefix("ref: ")
    at = name if _COMMIT.match(name) else refs.get(name) or shadow.commit_of("HEAD")
    return {
        "head": head.strip(),
        "at": at,
        "refs": refs if len(refs) <= MAX_REFS else {},
        "upstreams": _upstreams(shadow),
        "annotated": annotated[:MAX_REFS],
        "stashes": _stashes(shadow) if has_stash else [],
        "index": _index(shadow, at),
        "operation": _operation(folder),
        "rebase": any(os.path.lexists(os.path.join(folder, each)) for each in REBASE),
    }


def _refs(shadow: Shadow) -> tuple[dict[str, str], list[str], bool]:
    words = ("--format=%(refname) %(objectname) %(objecttype)", "refs/heads", "refs/tags", STASH)
    refs, annotated, has_stash = {}, [], False
    for line in os.fsdecode(shadow.ask("for-each-ref", *words)).splitlines():
        name, ident, kind = line.split(" ")
        if name == STASH:
            has_stash = True
        elif kind == "commit":
            refs[name] = ident
        else:
            annotated.append(name)
    return refs, annotated, has_stash


def _upstreams(shadow: Shadow) -> dict[str, str]:
    """What is set for branches that a deletion takes along: the branch that each is based on."""
    raw = shadow.ask("config", "--local", "-z", "--get-regexp", _UPSTREAM, allowed=(0, 1))
    pairs = (each.partition("\n")[::2] for each in os.fsdecode(raw).split("\0") if each)
    return {name: value for name, value in pairs if _is_upstream(name, value)}


_UPSTREAM = r"^branch\..*\.(remote|merge)$"


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
        known = json.loads(files.read_bytes(path) or b"{}")
        if known["stamp"] == stamp:
            return dict(known["index"])
    index = _read_index(shadow, at or _EMPTY_TREES[shadow.repository.form])
    with open(path, "wb") as file:
        file.write(json.dumps({"stamp": stamp, "index": index}).encode())
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
    found = {}
    for name in _OPERATION:
        with suppress(UnicodeDecodeError):
            text = (files.read_bytes(os.path.join(folder, name)) or b"").decode()
            if text and len(text) <= _MAX_TEXT:
                found[name] = text
    return found


def staged_contents(state: dict[str, Any]) -> list[str]:
    """The contents that only the index holds: no commit keeps them."""
    entries = state["index"]["entries"]
    return sorted({ident for mode, ident, _, _ in entries if mode in _MODES and ident.strip("0")})


_MODES = ("100644", "100755", "120000")


def tips(state: dict[str, Any]) -> list[str]:
    """The commits that the snapshot has to keep, apart from HEAD's."""
    found = dict.fromkeys([*(each[0] for each in state["stashes"]), *state["refs"].values()])
    found.update(dict.fromkeys(_operation_commits(state["operation"])))
    found.pop(state["at"], None)
    return list(found)


def _operation_commits(operation: dict[str, str]) -> Iterator[str]:
    for name in UNFINISHED:
        for line in operation.get(name, "").split():
            if _COMMIT.match(line):
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
            [f"{', '.join(_lost_operation(then, now))} of git is gone"]
            if _lost_operation(then, now)
            else []
        ),
        *(["the index was another"] if _index_differs(then, now) else []),
    ]


def gone(then: dict[str, Any], now: dict[str, Any]) -> list[str]:
    """The branches, tags and stashes that are no longer there, a name each."""
    if not then:
        return []
    names = [short(name) for name in then["refs"] if name not in now["refs"]]
    return [*names, *(f"stash {_at(each[0])}" for each in _lost_stashes(then, now))]


def short(name: str) -> str:
    """A ref as a person calls it."""
    for kind, start in (("branch", HEADS), ("tag", TAGS)):
        if (bare := name.removeprefix("ref: ")).startswith(start):
            return f"{kind} {one_line(bare.removeprefix(start), 80)}"
    return _at(name)


def _at(commit: str) -> str:
    return one_line(commit, 10) if _COMMIT.match(commit) else one_line(commit, 80)


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
    if any(name in now["operation"] for name in UNFINISHED) or now["rebase"]:
        return []
    if not any(name in then["operation"] for name in UNFINISHED):
        return []
    return [name for name in then["operation"] if name in _OPERATION]


def _index_differs(then: dict[str, Any], now: dict[str, Any]) -> bool:
    return bool(then["index"] != now["index"] or then["at"] != now["at"])


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
    folder = shadow.repository.folder
    for name in _lost_operation(then, now):
        text = then["operation"][name].encode()
        yield _tried(
            f"git's {name}", lambda n=name, t=text: files.write_durable(os.path.join(folder, n), t)
        )
    if _index_differs(then, now):
        yield _tried("the index", lambda: _set_index(shadow, then))


def _tried(what: str, act: Any) -> tuple[str, str, str]:
    try:
        act()
    except (GitFailed, OSError) as error:
        return "", what, str(error)
    return "restored", what, ""


def _checked_out_elsewhere(shadow: Shadow) -> dict[str, str]:
    """The branches of other working trees, and where those are."""
    found, place = {}, ""
    for line in os.fsdecode(shadow.ask("worktree", "list", "--porcelain")).splitlines():
        if line.startswith("worktree "):
            place = line.removeprefix("worktree ")
        elif line.startswith("branch ") and place != shadow.repository.top:
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
    if not name.startswith((HEADS, TAGS)) or not _COMMIT.match(commit):
        raise GitFailed("it is not a branch or tag")
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
    elif _COMMIT.match(name):
        shadow.change("update-ref", "-m", "edge undo apply", "--no-deref", "HEAD", name)
    else:
        raise GitFailed("it was neither a branch nor a commit")


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
        with open(f"{place}.lock", "xb"):
            pass
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
