"""What a call can destroy and a snapshot can bring back: the files that it reaches.

Owns which files a command reaches, by the key ``recovers`` of its condition in a pack, and whether a snapshot
that is taken before the whole line can hold them. Does not own the snapshot, which proves that it does
(``undo.kept``). Pure; None wherever something is not known, and the person is asked then.
"""

from __future__ import annotations

import os.path
import re
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from operators_edge.gate.invocation import find_flags, invocation_of
from operators_edge.gate.paths import fixed_part
from operators_edge.locations import is_within
from operators_edge.model import Recovery
from operators_edge.shell.commands import HOLE

if TYPE_CHECKING:
    from collections.abc import Iterable

    from operators_edge.gate.conditions import Match
    from operators_edge.gate.invocation import Invocation
    from operators_edge.gate.paths import CallContext
    from operators_edge.gate.rules import Rules
    from operators_edge.model import Finding
    from operators_edge.shell.commands import Command, Script, Word

KINDS = (
    *("delete", "files", "empty", "find", "found", "fed", "looped"),
    *("untracked", "worktree", "index", "reset", "remove"),
    *("refs", "stashes"),
    *("file", "last"),
)
"""Ways to reach files: on the disk, through git; commits; of calls that are allowed anyway."""

_FEEDS = re.compile(r"\s*\|\s*")
_PLAIN_XARGS = re.compile(r"xargs((?:\s+-(?:0|r|t|r0|0r|-null|-no-run-if-empty))*)\s+")
_INTERPRETERS = re.compile(r"(?:python[\d.]*|node|deno|bun|ruby|perl|php)(?: -\w+| <)?")
_QUOTED_TEXT = re.compile(r"'[^'\\\n]*'|\"[^\"\\\n$`#]*\"")
_QUIET_NAMES = (
    "import from for in if else not and or True False None true false null pass"
    " const let var require unless do end use my exit"
    " os sys shutil pathlib Path path glob fs node promises fileutils FileUtils File Dir"
    " rmtree remove unlink rmdir removedirs ignore_errors missing_ok exists isdir isfile is_dir"
    " is_file rmSync unlinkSync rmdirSync rm existsSync recursive force rm_rf rm_r rm_f remove_dir"
    " delete remove_tree rmtree join argv print console log puts echo"
)
_QUIET_CODE = frozenset(_QUIET_NAMES.split())
"""All that may stand in a program that does nothing but delete: a snapshot before it holds that."""
_COPIES_LINKS = (
    "-a",
    "-d",
    "-P",
    "-r",
    "-R",
    "-l",
    "-s",
    "--archive",
    "--recursive",
    "--no-dereference",
)
_NOTHING = ("/dev/null", "/dev/stdout", "/dev/stderr", "/dev/tty")
_WRAPPERS = frozenset(
    (
        "time",
        "command",
        "builtin",
        "npx",
        "pnpm",
        "yarn",
        "bunx",
        "function",
        "sh -c",
        "bash -c",
        "zsh -c",
    )
)
_ELSEWHERE = frozenset(
    ("--git-dir", "--work-tree", "--namespace", "-c", "--config-env", "--recurse-submodules")
)
"""Options after which git works on something else than the repository around its folder."""

_OF_REMOTES = ("-r", "--remotes", "--track", "-t", "-u", "--set-upstream-to")
"""Options of branches that are about more than a name for a commit."""

_NOT_IN_ORDER = r"\b(?:while|until|trap|coproc|shopt|setopt|alias)\b|(?<![&>|<])&(?![&>\d])"
"""What runs a command at another time than its place on the line says, or changes what a glob means."""
_AGAIN = r"\b(?:for|select|function)\b|[({]|\A\Z"
"""What may run a command again after one that follows it."""
_INTO_PIPE = re.compile(r"\s*\|(?!\|)")
_GIVES_NAMES = ("-L", "-H", "-follow", "-files0-from", "-exec", "-execdir", "-ok", "-okdir")
_WRITES_NAMES = ("-fprint", "-fprint0", "-fprintf", "-fls")
_COMBINES = frozenset(("-o", "-or", "!", "-not", "(", ")", ",", "-prune", "-iname", "-a", "-and"))


def of(kind: str, match: Match, inv: Invocation, context: CallContext) -> Recovery | None:
    """What a command reaches; None if that is not known before it runs."""
    command = inv.command
    if command.is_remote or command.assigns or not inv.is_surely_in_folder(context):
        return None
    if kind == "found":
        return _found(inv, context)
    if kind == "fed":
        return _fed(inv, context)
    if kind == "looped":
        return _looped(match, inv, context)
    is_plain = _WRAPPERS.issuperset(command.through) or _only_deletes(command, context)
    if command.has_more_words or not is_plain:
        return None
    if kind == "find":
        return _find(command.argv, inv, context, kind="delete")
    if kind in ("delete", "files"):
        return _named(match.operands, inv, context, kind)
    if kind in ("file", "last"):
        words = match.operands if kind == "file" else match.operands[-1:]
        return _named(words, inv, context, "empty")
    if kind == "empty":
        return _named(inv.written, inv, context, kind)
    return _git(kind, match, inv, context)


def _named(
    words: Iterable[Word], inv: Invocation, context: CallContext, kind: str
) -> Recovery | None:
    paths = []
    for word in words:
        path = context.resolve(word.text, inv.working_folder(context, word))
        if path is None or not word.is_known:
            return None
        if path in _NOTHING:
            continue
        if not (context.is_temporary(path) if kind == "empty" else context.is_regenerable(path)):
            paths.append(f"{path}/" if word.text.endswith("/") else path)
    return Recovery(kind, tuple(dict.fromkeys(paths)))


def _find(
    words: tuple[Word, ...], inv: Invocation, context: CallContext, kind: str
) -> Recovery | None:
    """What a search reaches: everything below its starting points, or what has a name."""
    texts = [word.text for word in words[1:]]
    if any(HOLE in text for text in texts) or not set(texts).isdisjoint(
        (*_GIVES_NAMES, *_WRITES_NAMES)
    ):
        return None
    first = next((at for at, text in enumerate(texts) if text[:1] in "-(!"), len(texts))
    starts, tests = texts[:first] or ["."], texts[first:]
    base = inv.working_folder(context)
    folders = [context.resolve(start, base) for start in starts]
    name = ""
    if "-name" in tests[:-1] and _COMBINES.isdisjoint(tests):
        name = tests[tests.index("-name") + 1]
    if None in folders or "/" in name:
        return None
    is_named = bool(name)
    folders = [one for one in folders if one and not _is_scratch(one, context, is_named=is_named)]
    if not folders:
        return Recovery(kind)
    if not name and kind == "fed":
        return None
    if not name:
        return Recovery("delete", tuple(f"{folder}/" for folder in folders))
    whole = [one for one in folders if one and fnmatchcase(os.path.basename(one), name)]
    return Recovery(kind, (*whole, *(f"{folder}/**/{name}" for folder in folders)))


def _is_scratch(folder: str, context: CallContext, *, is_named: bool) -> bool:
    """Whether what a search finds there is temporary: in a temporary folder as a whole, only by its name."""
    is_own = is_named or context.is_temporary(folder)
    return is_own and context.is_temporary(f"{folder}/x") and not is_within(context.root, folder)


def _found(inv: Invocation, context: CallContext) -> Recovery | None:
    """What ``find -exec rm {} +`` reaches: what the search around it finds."""
    command = inv.command
    around = [one for one in context.commands if one.span == command.span and one is not command]
    if command.through in (("fd -x",), ("fd -X",), ("fdfind -x",), ("fdfind -X",)):
        return _found_by_fd(around[0].argv, inv, context) if len(around) == 1 else None
    if command.through != ("find -exec",) or len(around) != 1:
        return None
    words = around[0].argv
    at = next((at for at, word in enumerate(words) if word.text == "-exec"), 0)
    given = [word.text for word in words[at + 1 :]]
    names = [text for text in given if not text.startswith("-")]
    if not at or names[1:] not in (["{}", "+"], ["{}", ";"]) or "-delete" in given:
        return None
    is_deep = any(flag.name in ("-r", "-R", "--recursive") for flag in inv.flags)
    return _find(words[:at], inv, context, kind="delete" if is_deep else "files")


def _found_by_fd(words: tuple[Word, ...], inv: Invocation, context: CallContext) -> Recovery | None:
    """What ``fd -e tmp -X rm`` reaches: the files with an extension, in any case."""
    texts = [word.text for word in words[1:]]
    at = next((at for at, text in enumerate(texts) if text in ("-x", "-X")), 0)
    given = texts[at + 1 :]
    is_plain = given[:1] == ["rm"] and set(given[1:]) <= {"-f", "{}", "-v"}
    if not is_plain or len(texts[:at]) not in (2, 4) or texts[0] not in ("-e", "--extension"):
        return None
    folders = [context.resolve(one, inv.working_folder(context)) for one in texts[3:at] or ["."]]
    if not texts[1].isalnum() or texts[2:3] not in ([], ["."], ["-X"], ["-x"]) or None in folders:
        return None
    name = "*." + "".join(f"[{one.lower()}{one.upper()}]" for one in texts[1])
    found = [one for one in folders if one and not _is_scratch(one, context, is_named=True)]
    return Recovery("files", tuple(f"{folder}/**/{name}" for folder in found))


def _fed(inv: Invocation, context: CallContext) -> Recovery | None:
    """What ``find … | xargs rm`` reaches: what the search before it finds."""
    command, text = inv.command, context.text
    start, end = command.span
    option = _PLAIN_XARGS.match(text, start, end)
    before = max((one.span[1] for one in context.commands if one.span[1] <= start), default=0)
    feeding = [one for one in context.commands if one.span[1] == before]
    is_piped = len(feeding) == 1 and _FEEDS.fullmatch(text, before, start) is not None
    if command.through != ("xargs",) or inv.operands or option is None or not is_piped:
        return None
    search = feeding[0]
    texts = [word.text for word in search.argv]
    is_apart = "0" in option[1] or "--null" in option[1]
    is_deep = any(flag.name in ("-r", "-R", "--recursive") for flag in inv.flags)
    if texts[:1] != ["find"] or search.through or ("-print0" in texts) != is_apart:
        return None
    if not is_apart and (is_deep or any(re.search(r"[\s'\"\\]", one) for one in texts)):
        return None
    kind = "fed" if not is_apart else "delete" if is_deep else "files"
    return _find(search.argv, inv, context, kind)


_LOOP = re.compile(
    r"for[ \t]+(?P<name>[A-Za-z_]\w*)[ \t]+in[ \t]+(?P<words>[\w./*? \t-]+?)[ \t]*[;\n]"
    r"\s*do\b(?P<body>[^\0]*?)\bdone\b"
)


_MOVES = re.compile(
    r"\b(?:for|while|until|select|read|cd|pushd|popd|eval|source|trap|set|shopt)\b|(?<!\S)\.\s"
)
"""In the body of a loop: what makes its variable or its folder another one."""


def _looped(match: Match, inv: Invocation, context: CallContext) -> Recovery | None:
    """What ``for f in *.tmp; do rm "$f"; done`` reaches: what the words of the loop match."""
    text, (start, end) = context.text, inv.command.span
    loops = [one for one in _LOOP.finditer(text) if one.start("body") <= start]
    if (
        len(loops) != 1
        or end > loops[0].end("body")
        or not _WRAPPERS.issuperset(inv.command.through)
    ):
        return None
    name, body = loops[0]["name"], loops[0]["body"]
    variable = rf"\$(?:{name}\b|\{{{name}\}})"
    if _MOVES.search(body) or re.search(rf"(?<![\w-]){name}\b", re.sub(variable, "", body)):
        return None  # to say its name without a value could change it
    quoted = re.compile(f'"{variable}"')  # else a file name with a blank would be two
    if any(not quoted.fullmatch(text[slice(*word.span)]) for word in match.operands):
        return None
    base = inv.working_folder(context)
    paths = [context.resolve(word, base) for word in loops[0]["words"].split()]
    if None in paths or any(word.startswith("-") for word in loops[0]["words"].split()):
        return None
    is_deep = any(flag.name in ("-r", "-R", "--recursive") for flag in inv.flags)
    named = [path for path in paths if path and not context.is_regenerable(path)]
    return Recovery("delete" if is_deep else "files", tuple(dict.fromkeys(named)))


def _only_deletes(command: Command, context: CallContext) -> bool:
    """Whether it is a call in a program that does nothing but delete what it names."""
    around = [one for one in context.commands if one.span == command.span and not one.through]
    if len(command.through) != 1 or not _INTERPRETERS.fullmatch(command.through[0]):
        return False
    if len(around) != 1 or around[0].redirects:
        return False
    given = [word.text for word in around[0].argv[1:] if word.text[:1] != "-"]
    codes = [around[0].stdin] if around[0].stdin is not None else given
    code = _QUOTED_TEXT.sub("", codes[0] or "") if len(codes) == 1 else "?"
    words = re.findall(r"[^\W\d]\w*", code)
    is_quiet = all(len(word) == 1 or word in _QUIET_CODE for word in words)
    return is_quiet and not re.search(r"['\"`$&|<>%@?]", code)


def _git(kind: str, match: Match, inv: Invocation, context: CallContext) -> Recovery | None:
    folder = inv.working_folder(context)
    is_elsewhere = any(flag.name in _ELSEWHERE for flag in inv.flags)
    has_variables = any(name.startswith("GIT_") for name, _ in context.variables)
    if folder is None or is_elsewhere or has_variables or inv.program != "git":
        return None
    words = [*match.operands, *inv.values(("-s", "--source"))]
    if any(not word.is_known for word in words):
        return None
    if kind == "refs" and any(flag.name in _OF_REMOTES for flag in inv.flags):
        return None
    if kind != "untracked":
        return Recovery(kind, (folder,), tuple(word.text for word in words))
    if any(word.text.startswith(":") for word in words):
        return None
    named = [context.resolve(word.text, folder) or folder for word in match.operands] or [folder]
    return Recovery(kind, tuple(fixed_part(path) for path in named))


def without_uncertain(
    findings: list[Finding], script: Script, at: int, rules: Rules, text: str
) -> list[Finding]:
    """The findings on one command of a text; they recover only if a snapshot before the text can hold all."""
    kinds = {one.recovery.kind for one in findings if one.recovery is not None}
    # Which files are untracked depends on others that the line may write.
    if not kinds or _holds(script, at, rules, text, may_write="untracked" not in kinds):
        return findings
    return [one._replace(recovery=None) for one in findings]


def _holds(script: Script, at: int, rules: Rules, text: str, *, may_write: bool) -> bool:
    """Whether nothing that runs before or beside the command can put something in its way."""
    command = script.commands[at]
    if script.problems or re.search(_NOT_IN_ORDER, text):
        return False
    others = script.commands[:at]
    is_apart = not command.through and not re.search(_AGAIN, text)
    if not is_apart or _INTO_PIPE.match(text, command.span[1]):
        others = (*others, *script.commands[at + 1 :])
    # A command with the same place on the line is one that runs this one.
    beside = [one for one in others if one.span != command.span and not one.is_remote]
    return all(_is_quiet(one, rules, may_write=may_write) for one in beside)


def _is_quiet(command: Command, rules: Rules, *, may_write: bool) -> bool:
    """Whether it puts nothing in place that was not there before, or in the text."""
    inv = invocation_of(command, rules)
    if not may_write and (inv.written or any(word.text == "-delete" for word in command.argv)):
        return False
    if not command.argv:
        return True
    quiet = rules.tools["quiet"]
    if (
        inv.program == "cp"
    ):  # what it copies stays where it was; a link that it copies leads elsewhere
        return not find_flags(inv, _COPIES_LINKS)
    return inv.program in quiet or f"{inv.program} {inv.first_operands()}" in quiet


# end of module
