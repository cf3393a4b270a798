"""The repositories that a line makes: a temporary clone, a bare repository that it pushes into.

Owns what shows that a command reaches one of them alone. Does not own the same in a program
(``gate.own.scratch_clones``), nor which findings that takes away (``gate.own.made_here``). Pure but for
``Facts``.
"""

from __future__ import annotations

import os.path

from operators_edge.gate.own.line_order import ends_at_failure, is_joined
from operators_edge.gate.own.line_words import (
    NAME,
    ONE,
    Line,
    matched,
)
from operators_edge.locations import is_within
from operators_edge.shell.commands import OWN_PATH
from operators_edge.text.patterns import found_in

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from operators_edge.gate.invocation import Invocation
    from operators_edge.gate.paths import CallContext

_WORKS = (
    r"git(?: -C \S+| --git-dir[= ](?P<dir>\S+))?"
    r" (?:reset|checkout|restore|clean|branch|tag|stash|rebase|commit|reflog|gc|prune|filter-branch(?!.* -d)"
    r"|filter-repo(?!.*--(?:source|target)\b)|remote (?:remove|rm)(?= [\w.-]+$))(?: .*)?"
    r"|rm -[rf]+(?: (?:\./)?\.git/(?!\S*\.\.)[\w./*-]+)+"
    r"|bfg(?: --?[\w-]+(?: [^-/.\s][^/\s]*)?)*"
)
"""What changes a repository alone: the one around the folder, or the one that is named."""
_INIT = rf"git init(?: -q| --quiet| (?:-b|--initial-branch)[= ]\S+)*(?: {ONE})?"
_PUSHES = (
    r"git(?: -C \S+)? push(?: -[quf]+| --(?:quiet|force|all|tags|mirror|set-upstream))*"
    rf" (?P<place>{NAME})(?: \S+)*"
)
_PATH = r"(?:file://)?(?:/|\.\.?/)[^:]*"
"""A repository's folder; a word alone is the name of a remote, and what has a colon another machine."""
_ADDS = rf"git(?: -C \S+)? remote add (?P<remote>[\w-]+) (?P<place>{NAME})"
_KEEPS_REMOTES = (
    r"git(?: -C \S+)? (?:add|commit|checkout|switch|branch|status|log|tag|merge|diff|show|rev-parse|init"
    r"|config user\.(?:name|email))(?: .*)?"
    r"|(?:cd|pushd|popd|echo|printf|touch|mkdir|cat|ls|test|\[|true|:|sleep)(?: .*)?"
)
"""What leaves the remotes of a repository as they are, if it writes nothing into its settings."""
_LEADS_GIT_ON = r"(?i)insteadof|pushurl|\balternates\b|receive-?pack|\bremote\b|template|--exec\b"
CLONE = (
    r"git clone(?: -[qnl]+| --(?:quiet|no-checkout|single-branch|no-hardlinks|local|no-local|no-tags|mirror)"
    r"| --bare| --(?:depth|filter)[= ]\S+| (?:-b|--branch)[= ]\S+)*"
    rf" (?P<source>{NAME})(?: {ONE})?"
)


def is_in_clone(line: Line, at: int) -> bool:
    """Whether a command works in a temporary repository that the line itself has made."""
    invs, context = line.invs, line.context
    works = matched(_WORKS, invs[at], line)
    folder = invs[at].working_folder(context)
    if works is None or invs[at].command.assigns:
        return False
    folder = context.resolve(works["dir"], folder) if works["dir"] else folder
    if folder is None or not context.is_temporary(f"{folder}/x") or "worktree" in line.text:
        return False
    moves = [each for each in range(at) if invs[each].program in ("cd", "pushd")]
    for each in range(at):
        made = matched(_INIT, invs[each], line) or matched(CLONE, invs[each], line)
        if made is None or invs[each].command.assigns:
            continue
        named = made["name"] or os.path.basename(made.get("source", "")).removesuffix(".git")
        place = context.resolve(named or ".", invs[each].working_folder(context))
        is_there = place is not None and is_within(folder, place) and _is_new(place, context)
        # Below a new folder there is nothing that can be meant if the clone has failed.
        is_new = not moves and place is not None and place.startswith(f"{OWN_PATH}/")
        is_new |= _stays_in_own(invs[: at + 1], context)
        ends = all(ends_at_failure(one, line, at) for one in (each, *moves))
        if is_there and (is_new or ends or is_joined(min([each, *moves]), line, at)):
            return True
    return False


def is_pushed_into(line: Line, at: int) -> bool:
    """Whether a push goes into a new bare repository of this machine that nothing else has changed."""
    pushed = matched(_PUSHES, line.invs[at], line)
    if pushed is None or line.invs[at].command.assigns:
        return False
    text, place = line.text, None
    if found_in(rf"^{_PATH}$", pushed["place"]):
        place = _folder(pushed["place"], line.invs[at], line)
    elif (added := _remote(pushed["place"], line, at)) is not None:
        start, end = line.invs[added].command.span
        text, place = text[:start] + text[end:], _led_to(line.invs[added], line)
    if place is None or found_in(_LEADS_GIT_ON, text):
        return False
    if not line.context.is_temporary(place) or not _is_new(place, line.context):
        return False
    is_there = line.context.facts.names(place) is not None
    named = [one for one in line.invs[:at] if _names(one, place, line)]
    made = [one for one in named if _makes_bare(one)]
    return not is_there and bool(made) and all(one.program == "git" for one in named)


def _remote(name: str, line: Line, at: int) -> int | None:
    """The command that has certainly given a remote of the folder this name; None if another may have."""
    folder = line.invs[at].working_folder(line.context)
    for each in reversed(range(at)):
        inv = line.invs[each]
        if _names_remote(name, folder, inv, line):
            is_sure = is_joined(each, line, at) or ends_at_failure(each, line, at)
            return each if is_sure and folder is not None else None
        if matched(_KEEPS_REMOTES, inv, line) is None or _changes_git(inv, line):
            return None
    return None


def _names_remote(name: str, folder: str | None, inv: Invocation, line: Line) -> bool:
    """Whether a command adds a remote of this name to the folder's repository, or is the clone that it is."""
    if inv.command.assigns:
        return False
    if (added := matched(_ADDS, inv, line)) is not None:
        is_here = inv.working_folder(line.context) == folder
        return is_here and added["remote"] == name and added["place"].startswith(("/", "file:///"))
    cloned = matched(CLONE, inv, line) if name == "origin" else None
    return (
        cloned is not None and bool(cloned["name"]) and _folder(cloned["name"], inv, line) == folder
    )


def _led_to(inv: Invocation, line: Line) -> str | None:
    """The folder that a remote has got from the command that made it."""
    found = matched(_ADDS, inv, line) or matched(CLONE, inv, line) or {}
    place = found.get("place", "") or found.get("source", "")
    return _folder(place, inv, line) if found_in(rf"^{_PATH}$", place) else None


def _changes_git(inv: Invocation, line: Line) -> bool:
    """Whether a command writes a file that may be one of git's."""
    words = (*inv.written, *(one.target for one in inv.command.redirects))
    paths = [_folder(word.text, inv, line) if word.is_known else None for word in words]
    folder = inv.working_folder(line.context)
    places = [path and line.context.real(path) for path in (*paths, folder)]
    return any(place is None or "/.git" in place for place in places)


def _folder(name: str, inv: Invocation, line: Line) -> str | None:
    return line.context.resolve(name.removeprefix("file://"), inv.working_folder(line.context))


def _names(inv: Invocation, place: str, line: Line) -> bool:
    """Whether a command names a folder, or something in it."""
    words = (*inv.command.argv, *(one.target for one in inv.command.redirects))
    paths = [_folder(word.text, inv, line) for word in words]
    return any(path is not None and is_within(path, place) for path in paths)


def _makes_bare(inv: Invocation) -> bool:
    words = [word.text for word in inv.command.argv]
    return words[1:2] in (["init"], ["clone"]) and "--bare" in words and not inv.command.assigns


def _stays_in_own(invs: Sequence[Invocation], context: CallContext) -> bool:
    """Whether all commands run in a new folder: a test that is run in one, and never leaves it."""
    folders = [context.cwd, *(inv.working_folder(context) for inv in invs)]
    return all(one is not None and is_within(one, OWN_PATH) for one in folders)


def _is_new(place: str, context: CallContext) -> bool:
    """Whether there is no repository yet, nor a link to one."""
    kept = os.path.join(place, ".git")
    return context.facts.size(kept) is None and context.facts.names(kept) is None


# end of module
