"""The folders that a line makes and deletes again: ``mkdir out && make test && rm -rf out``.

Owns what shows that all in such a folder came from the line: nothing was there before (``mkdir`` and
``git clone`` fail if there is something; what the line has deleted is judged where it does), and what ran
since copies or makes files, but moves none there, nor do the files of the project that it runs, as far as
they name each other (``fill_only``). Does not own in which case a command runs (``gate.own.line_order``),
nor what is not on the disk yet (``gate.recovery``). Pure but for ``Facts``.
"""

from __future__ import annotations

import re

from operators_edge.gate.invocation import find_flags
from operators_edge.gate.own.line_order import ends_at_failure, is_joined
from operators_edge.gate.own.line_words import Line, each_before, matched
from operators_edge.gate.own.repositories import CLONE
from operators_edge.locations import is_within
from operators_edge.shell.commands import OWN_PATH, SOURCING
from operators_edge.shell.scope import EITHER
from operators_edge.text.patterns import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from operators_edge.gate.invocation import Invocation
    from operators_edge.gate.paths import CallContext

_OPTIONS = {
    "rm": pattern(r"-[rRfvd]+|--(?:recursive|force|verbose|dir)"),
    "mkdir": pattern(r"-v|--verbose"),  # with -p it takes one that is there
}
_MOVES = frozenset(["cd", "pushd", "popd"])
_PROGRAMS = frozenset(
    (
        *("cd", "pushd", "popd", ":", "true", "false", "test", "[", "[[", "set", "exit"),
        *("echo", "printf", "cat", "head", "tail", "tee", "touch", "mkdir", "rm"),
        *("rmdir", "cp", "chmod", "ls", "pwd", "tree", "du", "stat", "file", "which", "date"),
        *("find", "grep", "rg", "wc", "sort", "uniq", "cut", "tr", "diff", "cmp", "sed", "awk"),
        *("jq", "xxd", "od", "md5sum", "sha256sum", "seq", "curl", "wget", "unzip", "gunzip"),
        *("make", "cmake", "ctest", "ninja", "meson", "cc", "gcc", "g++", "clang", "clang++"),
        *("rustc", "cargo", "go", "javac", "java", "mvn", "gradle", "dotnet", "cobc", "ghc"),
        *("tsc", "python", "pip", "pytest", "uv", "node", "npm", "npx", "pnpm", "yarn", "bun"),
        *("deno", "ruby", "bundle", "perl", "php", "composer", "sh"),
    )
)
"""What makes files, copies or reads them: what it puts into a folder is still where it was, or is new."""
_MOVING = pattern(
    r"(?i)(?:(?<![\w.$-])|(?<=\\[nt]))(?:mv|ln|mount|sshfs|rsync)[ \t]"
    r"|(?:(?<![a-z])(?:move\w{0,20}|link|linkSync)|_move)[ \t]*\("
    r"|renam|symlink|hardlink|\bos\.(?:replace|link)|\.replace\([^,()]*\)|File\.Move|(?:^|\s)--remove"
)
"""What may move or link something, in a text of any language."""
_FILES = pattern(
    r"(?<![\w./-])[\w./-]*\w\.(?:sh|bash|py|[mc]?js|ts|rb|pl|php|mk)\b|(?<=[\s'\"])\./[\w./-]+"
)
_MODULES = pattern(r"(?m)(?:^[ \t]*(?:from|import)|-m)[ \t]+([\w.]+)")
_RECIPES = {
    "make": ("Makefile", "makefile", "GNUmakefile"),
    **dict.fromkeys(("npm", "npx", "pnpm", "yarn", "bun"), ("package.json",)),
    "python": ("__main__.py",),
}
_RUNNERS = pattern(rf"\b(?:{'|'.join(_RECIPES)})")
_MAX_NAMES = 1000
_MAX_NAME = 300
_MAX_TEXT = 200_000
_UNPACKS = pattern(r"-?[vzjJpk]*[xt][vzjJpkf]*")
_GIT = pattern(
    r"(?:-C \S+ |-c user\.\w+=\S+ )*(?:add|am|branch|checkout|cherry-pick|clone|commit|config|diff|fetch|init"
    r"|log|ls-files|merge|pull|rebase|remote|reset|rev-parse|show|status|switch|tag)\b"
)


def are_all_made(line: Line, at: int) -> bool:
    """Whether ``rm`` deletes only what was certainly not there before the line."""
    places = (_is_plain(line.invs[at]) and _places(line.invs[at], line)) or ()
    return bool(places) and all(_is_made(place, line, at) for place in places)


def _is_made(place: str, line: Line, at: int) -> bool:
    if is_led_to(place, line.context):
        return False
    made = each_before(line, at, "folders", lambda each: _made(line.invs[each], line))
    return any(
        place in places and _runs_only_after(each, line, at) and _is_filled_only(each, line, at)
        for each, places in reversed(list(made))
    )


def is_led_to(place: str, context: CallContext) -> bool:
    """Whether something may have been moved to a place, or linked."""
    return any(
        one is None or is_within(one, place) or is_within(place, one) for one in context.moved
    )


def _made(inv: Invocation, line: Line) -> set[str] | None:
    """What is new, or gone, after a command that has succeeded."""
    if not _is_plain(inv):
        return None
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
    return fill_only(line.invs[first + 1 : at], line.context)


def fill_only(invs: Iterable[Invocation], context: CallContext) -> bool:
    """Whether commands only make, copy or read files, and so does what they run, as far as it can be read."""
    run = [*invs]
    return all(map(_fills, run)) and not (run and _may_move(run, context))


def _may_move(invs: list[Invocation], context: CallContext) -> bool:
    words = [word.text for inv in invs for word in inv.command.argv if len(word.text) < _MAX_NAME]
    folders = {context.cwd, *(inv.working_folder(context) for inv in invs)}
    texts, seen = [context.text], set[str | None]()
    while texts:
        names = [*words]
        for text in texts:
            if _MOVING.search(text):
                return True
            names += _named_in(text, words)
        found = {context.resolve(name, folder) for name in names for folder in folders if folder}
        if len(seen | found) > _MAX_NAMES:
            return True
        read = (context.facts.text(path, _MAX_TEXT) for path in found - seen if path)
        texts = [text for text in read if text]
        seen |= found
    return False


def _named_in(text: str, folders: list[str]) -> Iterator[str]:
    """The files that a text may run; those of a known name are also in one of the folders."""
    yield from (one[0] for one in _FILES.finditer(text))
    for runner in {one[0] for one in _RUNNERS.finditer(text)}:
        for name in _RECIPES[runner]:
            yield from (name, *(f"{folder}/{name}" for folder in folders))
    for one in _MODULES.finditer(text):
        name = one[1].strip(".").replace(".", "/")
        yield from (f"{name}.py", f"{name}/__init__.py", f"{name}/__main__.py")


def _fills(inv: Invocation) -> bool:
    words = inv.command.argv
    if inv.program == "tar":  # it may delete what it packs
        return len(words) > 1 and _UNPACKS.fullmatch(words[1].text) is not None
    if words and words[0].text in SOURCING:
        return words[-1].text.endswith("bin/activate")
    if not words or inv.program in _PROGRAMS or "/" in words[0].text:
        return not inv.command.is_remote
    return inv.program == "git" and _GIT.match(inv.arguments) is not None


# end of module
