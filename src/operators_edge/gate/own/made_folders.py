"""The folders that a line makes and deletes again: ``mkdir out && make test && rm -rf out``.

Owns what shows that all in such a folder came from the line: nothing was there before (``mkdir`` and
``git clone`` fail if there is something; ``mkdir -p`` does not, so it has to be seen; what the line has
deleted is judged where it does), and what ran since copies or makes files, but moves none there. Does not
own in which case a command runs (``gate.own.line_order``). Pure but for ``Facts``.
"""

from __future__ import annotations

import os.path
import re

from operators_edge.gate.invocation import find_flags
from operators_edge.gate.own.line_order import ends_at_failure, is_joined
from operators_edge.gate.own.line_words import Line, each_before, matched
from operators_edge.gate.own.repositories import CLONE
from operators_edge.locations import is_within
from operators_edge.shell.commands import OWN_PATH
from operators_edge.shell.scope import EITHER
from operators_edge.text.patterns import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from operators_edge.gate.invocation import Invocation

_OPTIONS = {
    "rm": pattern(r"-[rRfvd]+|--(?:recursive|force|verbose|dir)"),
    "mkdir": pattern(r"-v|--verbose"),
}
_TAKES_OVER = pattern(
    r"(?:mkdir (?:-pv?|-vp|--parents)|python -m venv|virtualenv|uv venv)(?P<names>(?: [^-\s]\S*)+)"
)
"""What makes a folder, or takes one that is there."""
_MOVES = frozenset(["cd", "pushd", "popd"])
_PROGRAMS = frozenset(
    (
        *("cd", "pushd", "popd", ":", "true", "false", "test", "[", "[[", "set", "exit", "sleep"),
        *("wait", "echo", "printf", "cat", "head", "tail", "tee", "touch", "mkdir", "rm"),
        *("rmdir", "cp", "chmod", "ls", "pwd", "tree", "du", "stat", "file", "which", "date"),
        *("find", "grep", "rg", "wc", "sort", "uniq", "cut", "tr", "diff", "cmp", "sed", "awk"),
        *("jq", "xxd", "od", "md5sum", "sha256sum", "seq", "curl", "wget", "unzip", "gunzip"),
        *("make", "cmake", "ctest", "ninja", "meson", "cc", "gcc", "g++", "clang", "clang++"),
        *("rustc", "cargo", "go", "javac", "java", "mvn", "gradle", "dotnet", "cobc", "ghc"),
        *("tsc", "python", "pip", "pytest", "uv", "node", "npm", "npx", "pnpm", "yarn", "bun"),
        *("deno", "ruby", "bundle", "perl", "php", "composer"),
    )
)
"""What makes files, copies or reads them: what it puts into a folder is still where it was, or is new."""
_GIT = pattern(
    r"(?:-C \S+ |-c user\.\w+=\S+ )*(?:add|am|branch|checkout|cherry-pick|clone|commit|config|diff|fetch|init"
    r"|log|ls-files|merge|pull|rebase|remote|reset|rev-parse|show|status|switch|tag)\b"
)


def are_all_made(line: Line, at: int) -> bool:
    """Whether ``rm`` deletes only what was certainly not there before the line."""
    places = (_is_plain(line.invs[at]) and _places(line.invs[at], line)) or ()
    return bool(places) and all(_is_made(place, line, at) for place in places)


def _is_made(place: str, line: Line, at: int) -> bool:
    if any(_may_hold(one, place) for one in line.context.moved):
        return False
    made = each_before(line, at, "folders", lambda each: _made(each, line))
    return any(
        place in places and _runs_only_after(each, line, at) and _is_filled_only(each, line, at)
        for each, places in reversed(list(made))
    )


def _may_hold(moved: str | None, place: str) -> bool:
    return moved is None or is_within(moved, place) or is_within(place, moved)


def _made(at: int, line: Line) -> set[str] | None:
    """What is new, or gone, after a command that has succeeded."""
    inv = line.invs[at]
    if not _is_plain(inv):
        return None
    if taken := _TAKES_OVER.fullmatch(f"{inv.program} {inv.arguments}"):
        is_first = line.context.outer is None and all(map(_fills, line.invs[:at]))
        return _absent(taken["names"].split(), inv, line) if is_first else None
    if inv.program != "git":
        return _places(inv, line)
    found = matched(CLONE, inv, line)
    named = found and (found["name"] or _name_in(found["source"], inv))
    place = line.context.resolve(named, inv.working_folder(line.context)) if named else None
    return {place} if place else None


def _name_in(source: str, inv: Invocation) -> str:
    """What git calls the folder of a clone."""
    name = re.split(r"[/:]", source)[-1].removesuffix(".git")
    is_bare = find_flags(inv, ("--bare", "--mirror"))
    return f"{name}.git" if name and is_bare else name


def _absent(names: list[str], inv: Invocation, line: Line) -> set[str]:
    """The folders of these names, and those around them, that are not there yet."""
    context, found = line.context, set()
    for name in names:
        place = context.resolve(name, inv.working_folder(context)) or "/"
        while not _is_there(place, line):
            found.add(place)
            place = os.path.dirname(place)
    return found


def _is_there(place: str, line: Line) -> bool:
    """Whether there is anything of this name, or nobody can tell."""
    facts, (folder, name) = line.context.facts, os.path.split(place)
    if not name or facts.names(place) is not None or facts.size(place) is not None:
        return True
    around = facts.names(folder)
    if around is None:
        return _is_there(folder, line)
    return name.casefold() in {one.casefold() for one in around} or line.context.is_link(place)


def _is_plain(inv: Invocation) -> bool:
    command = inv.command
    is_here = not (command.is_remote or command.assigns or command.has_more_words)
    return (
        is_here
        and EITHER not in command.through
        and not (inv.is_help() or inv.is_dry_run())
        and not any(
            word.has_glob or not word.is_known or re.search(r"\s", word.text)
            for word in command.argv
        )
    )


def _places(inv: Invocation, line: Line) -> set[str] | None:
    """The folders that ``rm`` or ``mkdir`` names; None for another program, or one that is not known."""
    options = _OPTIONS.get(inv.program)
    if options is None:
        return None
    places = set()
    for word in inv.command.argv[1:]:
        if word.text.startswith("-"):
            if not options.fullmatch(word.text):
                return None
            continue
        place = line.context.resolve(word.text, inv.working_folder(line.context, word))
        if place is None or place.startswith(OWN_PATH):
            return None
        places.add(place)
    return places


def _runs_only_after(first: int, line: Line, at: int) -> bool:
    """Whether it runs only if the first one, and all that change the folder since, have succeeded."""
    invs = line.invs
    if invs[first].command.through != invs[at].command.through:
        return False
    moves = [each for each in range(at) if invs[each].program in _MOVES]
    needed = [first, *(moves if any(each > first for each in moves) else ())]
    return all(ends_at_failure(each, line, at) for each in needed) or is_joined(
        min(needed), line, at
    )


def _is_filled_only(first: int, line: Line, at: int) -> bool:
    """Whether nothing between the two can have moved there what is nowhere else."""
    return all(_fills(inv) for inv in line.invs[first + 1 : at])


def _fills(inv: Invocation) -> bool:
    words = inv.command.argv
    if not words or inv.program in _PROGRAMS or "/" in words[0].text:
        return not inv.command.is_remote
    return inv.program == "git" and _GIT.match(inv.arguments) is not None


# end of module
