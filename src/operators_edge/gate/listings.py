"""Which files a list of names gives to a command: a search, a listing or a file, through filters of lines.

``find . -name '*.tmp' | grep -v keep | xargs rm`` deletes some of ``./**/*.tmp``: that set is the answer, as
filters only leave lines out. There are three parts:

- how the names get to the command: ``xargs``, ``while read``, a ``for`` over words or over output, ``$(…)``,
  or the search's own ``-exec`` (``given``, ``_fed``, ``_looped``);
- what is between: each filter has to pass on whole lines, as it got them (``_KEEPS_LINES``);
- where the list comes from: ``find`` (``searched``), ``fd``, ``ls``, or a file with a name in each line.

A line that is split at blanks, or that a shell expands again, may name other files than the list holds: the
kinds "fed" and "fed-tree" say so, and ``undo.kept`` then looks at the names that there are.

Owns following such a list. Does not own what a snapshot makes of it (``gate.recovery``). Pure; None wherever
something is not known.
"""

from __future__ import annotations

import os.path
import re
from fnmatch import fnmatchcase

from operators_edge.locations import is_within
from operators_edge.model import Recovery
from operators_edge.shell.commands import HOLE
from operators_edge.shell.filters.text_filters import filter_of
from operators_edge.text.patterns import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from operators_edge.gate.conditions import Match
    from operators_edge.gate.invocation import Invocation
    from operators_edge.gate.paths import CallContext
    from operators_edge.shell.commands import Command, Word

_XARGS = pattern(
    r"xargs(?P<options>(?:\s+(?:-(?:0|r|t|r0|0r|-null|-no-run-if-empty)|-[nPL] ?\d+|-I ?\S+|-d ?'?\\n'?))*)"
    r"\s+"
)
_WHILE = re.compile(
    r"while\s+(?:IFS=(?:''|\"\")?\s+)?read(?:\s+-r)?\s+(?P<name>[A-Za-z_]\w*)\s*[;\n]\s*do\b"
)
_FOR = re.compile(
    r"for[ \t]+(?P<name>[A-Za-z_]\w*)[ \t]+in[ \t]+(?P<words>[^;\n]+?)[ \t]*[;\n]\s*do\b"
)
_PLAIN_WORDS = pattern(r"[\w./*? \t-]+")
_OUTPUT = pattern(r"\"?\$\((?P<list>[^\0]*)\)\"?|`[^`]*`")
_MOVES = pattern(
    r"\b(?:for|while|until|select|read|cd|pushd|popd|eval|source|trap|set|shopt)\b|(?<!\S)\.\s"
)
"""In the body of a loop: what makes its variable or its folder another one."""
_SPLITS = pattern(r"[\s'\"\\*?\[~]")
_MAX_LIST = 65_536

_KEEPS_LINES = {
    # programs that pass on some of the lines, each as it was → the words with which they do
    **dict.fromkeys(("grep", "egrep", "fgrep"), r"(-[viEFGPwxs]+ )*(-e |-- |(?!-))\0"),
    **dict.fromkeys(("head", "tail"), r"(-n ?[+-]?[\d\0]+|-\d+)?"),
    "sort": r"(-[rnfuVhd]+( |$))*",
    **dict.fromkeys(("uniq", "tac", "shuf", "cat"), r""),
    "tr": r"\\n \\0(00)?",
}
_LISTS = r"-[1tTrSuUacd]+|--sort=\w+|--"

_GIVES_NAMES = ("-L", "-H", "-follow", "-files0-from", "-exec", "-execdir", "-ok", "-okdir")
_WRITES_NAMES = ("-fprint", "-fprint0", "-fprintf", "-fls", "-printf", "-ls")
_BEFORE_STARTS = pattern(r"-[EHLPXdfsxOD]+\d?")
_ACTS = ("-print", "-print0", "-delete")
_ENDS = ("-o", "-or", ",", ")")
"""Where a group of tests that must all hold ends: what a search finds passes one group or another."""
_ALONE = pattern(r"-(?:prune|empty|depth|d|xdev|mount|true|readable|writable|executable|a|and)")
_WITH_VALUE = pattern(
    r"-(?:i?path|i?wholename|i?regex|regextype|x?type|size|[acm](?:time|min)|newer\w*|[ac]newer|user|group|uid|gid"
    r"|perm|maxdepth|mindepth|inum|links|samefile|fstype|i?lname|used)"
)
_CACHES = frozenset(
    ("__pycache__", ".pytest_cache", ".mypy_cache", ".ruff_cache", "*.pyc", "*.pyo", "*.py[co]")
)
"""Names that nobody gives to work: what has one is made again, whether git ignores it or not."""
_HARD_NAME = pattern(r"[/\\]|\[[\^:=.]")
"""A pattern that other programs than the search read in another way."""


def given(match: Match, inv: Invocation, context: CallContext) -> Recovery | None:
    """What a command reaches that deletes what a list names."""
    through = inv.command.through
    if through[:1] == ("find -exec",) or through in _BY_FD:
        return _found(inv, context)
    if through == ("xargs",):
        return _fed(inv, context)
    return _looped(match, inv, context)


# -- searches ----------------------------------------------------------------------------------------


def searched(
    words: tuple[Word, ...],
    inv: Invocation,
    context: CallContext,
    kind: str,
    *,
    acts: bool = False,
) -> Recovery | None:
    """What ``find`` reaches: everything below its starting points, or what has a name.

    ``acts``: an action of its own follows these words.
    """
    texts = [word.text for word in words[1:]]
    is_unknown = any(HOLE in text for text in texts)
    if is_unknown or not {*_GIVES_NAMES, *_WRITES_NAMES}.isdisjoint(texts):
        return None
    if texts and _BEFORE_STARTS.fullmatch(texts[0]):
        return None
    first = next((at for at, text in enumerate(texts) if text[:1] in "-(!"), len(texts))
    starts, tests = texts[:first] or ["."], texts[first:]
    base = inv.working_folder(context)
    folders = [context.resolve(start, base) for start in starts]
    if None in folders:
        return None
    names = _names_asked(_without_pruned(tests, acts=acts))
    is_named = bool(names)
    are_inside = all(one is not None and is_within(one, context.root) for one in folders)
    found = _reached(
        [one for one in folders if one and not _is_scratch(one, context, is_named=is_named)],
        names,
        kind,
    )
    are_caches = is_named and _CACHES.issuperset(names) and are_inside and not context.moved
    return found._replace(is_made_again=are_caches)


def _reached(folders: list[str], names: tuple[str, ...], kind: str) -> Recovery:
    """What has one of the names in these folders, or is one of them; without names, all of it."""
    if folders and not names and kind == "delete":
        return Recovery("delete", tuple(f"{folder}/" for folder in folders))
    patterns = names or ("*",)
    whole = [
        folder
        for folder in folders
        if any(fnmatchcase(os.path.basename(folder), each) for each in patterns)
    ]
    below = (f"{folder}/**/{name}" for folder in folders for name in patterns)
    return Recovery(kind, (*whole, *below))


def _without_pruned(tests: list[str], *, acts: bool) -> list[str]:
    """The tests behind ``-path ./x -prune -o``: that only leaves out, if what follows has its own action.

    Without one, what was left out is named as well.
    """
    depth = begin = 0
    for at, text in enumerate(tests):
        depth += (text == "(") - (text == ")")
        if depth == 0 and text in ("-o", "-or") and tests[at - 1 : at] == ["-prune"]:
            begin = at + 1
    acts = acts or not set(_ACTS).isdisjoint(tests[begin:])
    return tests[begin:] if acts and set(_ACTS).isdisjoint(tests[:begin]) else tests


def _names_asked(tests: list[str]) -> tuple[str, ...]:
    """The patterns of names of which all that a search finds has one; () if it may have any name."""
    left = list(reversed(tests))
    names = _alternatives(left)
    return () if left or names is None else tuple(dict.fromkeys(names))


def _alternatives(left: list[str]) -> list[str] | None:
    """The names in the tests up to a closing bracket, or to the end; None: any name."""
    found: list[str] = []
    while True:
        names = _together(left)
        if names is None:
            return None
        found += names
        if not left or left[-1] == ")":
            return found
        left.pop()  # -o


def _together(left: list[str]) -> list[str] | None:
    """The names in a group of tests that must all hold; None: any name, or a test that is not known."""
    found: list[str] | None = None
    is_not = False
    while left and left[-1] not in _ENDS:
        test = left.pop()
        if test in ("!", "-not"):
            is_not = not is_not
            continue
        names: list[str] | None = None
        if test == "(":
            names = _alternatives(left)
            if not left or left.pop() != ")":
                return None
        elif test in ("-name", "-iname") and left:
            names = _pattern_of(left.pop(), any_case=test == "-iname")
        elif _WITH_VALUE.fullmatch(test) and left:
            left.pop()
        elif test in _ACTS:
            if found is None:  # the tests after it are too late
                return None
        elif not _ALONE.fullmatch(test):
            return None
        found = found or (None if is_not else names)
        is_not = False
    return found


def _pattern_of(name: str, *, any_case: bool) -> list[str] | None:
    if _HARD_NAME.search(name) or (any_case and "[" in name):
        return None
    if not any_case:
        return [name]
    return ["".join(f"[{one.lower()}{one.upper()}]" if one.isalpha() else one for one in name)]


def _is_scratch(folder: str, context: CallContext, *, is_named: bool) -> bool:
    """Whether what a search finds there is temporary: in a temporary folder as a whole, only by its name."""
    is_own = is_named or context.is_temporary(folder)
    return is_own and context.is_temporary(f"{folder}/x") and not is_within(context.root, folder)


def _found(inv: Invocation, context: CallContext) -> Recovery | None:
    """What ``find -exec rm {} +`` reaches: what the search around it finds."""
    command = inv.command
    # With several folders there is one command for each, of the same place.
    around = [
        one
        for one in context.commands
        if one.span == command.span and one.through != command.through
    ]
    if len(around) != 1 or len(command.through) != 1:
        return None
    words = around[0].argv
    if command.through in _BY_FD:
        return _found_by_fd(words, inv, context)
    at = next((at for at, word in enumerate(words) if word.text == "-exec"), 0)
    given_words = [word.text for word in words[at + 1 :]]
    names = [text for text in given_words if not text.startswith("-")]
    if not at or names[1:] not in (["{}", "+"], ["{}", ";"]) or "-delete" in given_words:
        return None
    kind = "delete" if _is_deep(inv) else "files"
    return searched(words[:at], inv, context, kind, acts=True)


_BY_FD = (("fd -x",), ("fd -X",), ("fdfind -x",), ("fdfind -X",))


def _found_by_fd(words: tuple[Word, ...], inv: Invocation, context: CallContext) -> Recovery | None:
    """What ``fd -e tmp -X rm`` reaches: the files with an extension, in any case."""
    texts = [word.text for word in words[1:]]
    at = next((at for at, text in enumerate(texts) if text in ("-x", "-X")), 0)
    run = texts[at + 1 :]
    is_plain = run[:1] == ["rm"] and set(run[1:]) <= {"-f", "{}", "-v"}
    if not is_plain or len(texts[:at]) not in (2, 4) or texts[0] not in ("-e", "--extension"):
        return None
    folders = [context.resolve(one, inv.working_folder(context)) for one in texts[3:at] or ["."]]
    if not texts[1].isalnum() or texts[2:3] not in ([], ["."], ["-X"], ["-x"]) or None in folders:
        return None
    names = _pattern_of(f"*.{texts[1]}", any_case=True) or ["*"]
    found = [one for one in folders if one and not _is_scratch(one, context, is_named=True)]
    return Recovery("files", tuple(f"{folder}/**/{name}" for folder in found for name in names))


def _is_deep(inv: Invocation) -> bool:
    return any(flag.name in ("-r", "-R", "--recursive") for flag in inv.flags)


# -- lists of names ----------------------------------------------------------------------------------


def _fed(inv: Invocation, context: CallContext) -> Recovery | None:
    """What ``LIST | xargs rm`` and ``xargs rm < LIST`` reach."""
    command, text = inv.command, context.text
    start, end = command.span
    option = _XARGS.match(text, start, end)
    if option is None:
        return None
    mark = re.search(r"-I ?(\S+)", option["options"])
    name = rf"\s+(?P<q>['\"]?){re.escape(mark[1])}(?P=q)" if mark else ""
    if not re.fullmatch(rf"\S+(\s+-\S+)*{name}\s*(<\s*\S+\s*)?", text[option.end() : end]):
        return None
    is_apart = re.search(r"-\w*0|--null", option["options"]) is not None
    return _listed(start, inv, context, is_apart=is_apart)


def _looped(match: Match, inv: Invocation, context: CallContext) -> Recovery | None:
    """What ``for f in *.tmp; do rm "$f"; done`` and ``LIST | while read f; …`` reach; ``rm $(LIST)``."""
    text, (start, end) = context.text, inv.command.span
    if inv.command.through:
        return None
    loops = [one for kind in (_WHILE, _FOR) for one in kind.finditer(text) if one.end() <= start]
    if not loops:
        words = match.operands
        raw = text[slice(*words[0].span)] if len(words) == 1 else ""
        inner = _OUTPUT.fullmatch(raw)
        return _printed(inner, words[0].span[0], inv, context) if inner else None
    (loop, *more), done = loops, re.compile(r"\bdone\b").search(text, end)
    if more or done is None or not _is_unchanged(loop["name"], text[loop.end() : done.start()]):
        return None
    raws = [text[slice(*word.span)] for word in match.operands]
    variable = _variable(loop["name"])
    if any(not re.fullmatch(rf"(\"?){variable}\1", raw) for raw in raws):
        return None
    if loop.re is _WHILE:
        if not _is_fed_once(text, loop, done):
            return None
        return _listed(loop.start(), inv, context)
    if inner := _OUTPUT.fullmatch(loop["words"]):
        return _printed(inner, loop.start("words"), inv, context)
    return _of_words(
        loop["words"].split(), inv, context, is_quoted=all(raw[:1] == '"' for raw in raws)
    )


def _is_fed_once(text: str, loop: re.Match[str], done: re.Match[str]) -> bool:
    """Whether a loop reads one list: what is piped into it, or the file after its end."""
    is_piped = text[: loop.start()].rstrip().endswith("|")
    after = text[done.end() :]
    is_from_file = re.match(r"\s*<\s*[^\s<(&]", after) is not None and after.count("<") == 1
    return "<" not in text[loop.end() : done.start()] and (
        "<" not in after if is_piped else is_from_file
    )


def ends_with_its_list(text: str, start: int, context: CallContext) -> bool:
    """Whether the loop that begins here reads lines that filters take out of a file."""
    loop, before = _WHILE.match(text, start), text[:start].rstrip()
    chain = chain_before(len(before[:-1].rstrip()), context) if loop and before[-1:] == "|" else []
    filters = [filter_of(one.argv[0].text, [word.text for word in one.argv[1:]]) for one in chain]
    files = filters[0].files if filters and filters[0] is not None else ()
    paths = [context.resolve(file, context.absolute_folder(chain[0].cwd)) for file in files]
    return (
        bool(paths)
        and None not in filters
        and not any(one.redirects for one in chain)
        and all(path and context.facts.size(path) is not None for path in paths)
    )


def is_read_by_loop(text: str, start: int) -> bool:
    """Whether a ``while read`` is before this place, which ends with its list."""
    return _WHILE.search(text, 0, start) is not None


def _variable(name: str) -> str:
    return rf"\$(?:{name}\b|\{{{name}\}})"


def _is_unchanged(name: str, body: str) -> bool:
    """Whether the body changes neither the loop's variable nor its folder; naming it without ``$`` could."""
    named = re.search(rf"(?<![\w-]){name}\b", re.sub(_variable(name), "", body))
    return named is None and _MOVES.search(body) is None


def _of_words(
    words: list[str], inv: Invocation, context: CallContext, *, is_quoted: bool
) -> Recovery | None:
    base = inv.working_folder(context)
    paths = [context.resolve(word, base) for word in words]
    is_plain = all(_PLAIN_WORDS.fullmatch(word) and word[:1] != "-" for word in words)
    if None in paths or not is_plain:
        return None
    named = [path for path in paths if path and not context.is_regenerable(path)]
    return Recovery(_kind(inv, is_apart=is_quoted), tuple(dict.fromkeys(named)))


def _kind(inv: Invocation, *, is_apart: bool) -> str:
    """How the names reach the disk: as they are, or split at blanks and the like."""
    if is_apart:
        return "delete" if _is_deep(inv) else "files"
    return "fed-tree" if _is_deep(inv) else "fed"


def _listed(
    end: int, inv: Invocation, context: CallContext, *, is_apart: bool = False
) -> Recovery | None:
    """What a list names that comes through a pipe which ends here, or from a file."""
    before = context.text[:end].rstrip()
    if before.endswith("|"):
        if "<" in context.text[slice(*inv.command.span)]:
            return None  # it reads that instead
        return _listed_before(len(before[:-1].rstrip()), inv, context, is_apart=is_apart)
    files = [one.target for one in inv.command.redirects if one.op == "<"]
    return _of_file(files, inv, context) if len(files) == 1 and not is_apart else None


def _printed(
    inner: re.Match[str], at: int, inv: Invocation, context: CallContext
) -> Recovery | None:
    """What ``$(LIST)`` names; nothing before the list may print names too."""
    if not inner["list"]:
        return None
    chain = chain_before(at + inner.end("list"), context)
    if not chain or context.text[at + inner.start("list") : chain[0].span[0]].strip():
        return None
    return _listed_before(at + inner.end("list"), inv, context)


def _listed_before(
    end: int, inv: Invocation, context: CallContext, *, is_apart: bool = False
) -> Recovery | None:
    chain = chain_before(end, context)
    if not chain or any(
        one.cwd != inv.command.cwd or one.is_remote or one.redirects for one in chain
    ):
        return None
    lister, *filters = chain
    texts = [word.text for word in lister.argv]
    name = os.path.basename(texts[0])
    is_null = "-print0" in texts or (
        name == "git" and any(re.fullmatch(r"-[oi]*z[oi]*", text) for text in texts)
    )
    is_read_whole = is_null or _ends_in_nulls(filters)
    if is_apart != is_read_whole or (is_null and filters) or not all(map(_keeps_lines, filters)):
        return None
    if name == "git":
        return _of_ignored(texts[1:], inv, context)
    if name == "cat":
        return _of_file(lister.argv[1:], inv, context) if len(texts) == 2 else None
    kind = _kind(inv, is_apart=is_null)
    found = (
        searched(lister.argv, inv, context, kind)
        if name == "find"
        else _of_ls(texts, inv, context, kind)
    )
    ending = _ending(filters)
    if found is None or not ending:
        return found
    return found._replace(paths=tuple(_with_ending(path, ending) for path in found.paths))


def _ends_in_nulls(filters: list[Command]) -> bool:
    """Whether the last filter separates the names by null characters, as ``xargs -0`` wants them."""
    last = [word.text for word in filters[-1].argv] if filters else []
    return last in (["tr", "\\n", "\\0"], ["tr", "\\n", "\\000"])


def chain_before(end: int, context: CallContext) -> list[Command]:
    """The commands of the pipeline whose last one ends here, the first of them first."""
    chain: list[Command] = []
    at = end
    while True:
        one = next((one for one in context.commands if one.span[1] == at and one.argv), None)
        if one is None:
            return []
        chain.insert(0, one)
        before = context.text[: one.span[0]].rstrip()
        if not before.endswith("|") or before.endswith("||"):
            return chain
        at = len(before[:-1].rstrip())


def _keeps_lines(command: Command) -> bool:
    name, words = os.path.basename(command.argv[0].text), [word.text for word in command.argv[1:]]
    if name not in _KEEPS_LINES or any(word.has_glob for word in command.argv):
        return False
    if name in ("grep", "egrep", "fgrep") and (words[-1:] or "-")[0][:1] != "-":
        words[-1] = HOLE  # any pattern; a word after it would be a file
    return re.fullmatch(_KEEPS_LINES[name], " ".join(words)) is not None


def _ending(filters: list[Command]) -> str:
    """The ending that a ``grep`` asks for, as ``log`` in a pattern with ``.log`` at its end."""
    found = (
        re.fullmatch(r"\\\.(\w+)\$", one.argv[-1].text)
        for one in filters
        if len(one.argv) == 2 and one.argv[0].text == "grep"
    )
    return next((one[1] for one in found if one), "")


def _with_ending(path: str, ending: str) -> str:
    return f"{path}.{ending}" if path.endswith("/*") else path


def _of_ignored(words: list[str], inv: Invocation, context: CallContext) -> Recovery | None:
    """What ``git ls-files --others -- build`` names: nothing to keep, if a build makes it all."""
    options = [one for one in words[1:] if one[:1] == "-"]
    named = [one for one in words[1:] if one[:1] != "-"]
    letters = {letter for one in options for letter in _LS_FILES.get(one, one[1:])}
    if words[:1] != ["ls-files"] or not {"o"} <= letters <= {*"oizs"} or not named:
        return None
    base = inv.working_folder(context)
    paths = [context.resolve(one, base) for one in named]
    patterns = [path for path in paths if path and not context.is_regenerable(path)]
    if not patterns and None not in paths:
        return Recovery("files", ())
    # A pattern may stand for other files, too, unless only ignored ones are listed.
    are_ignored = letters >= {"i", "s"} and all(map(context.are_regenerable, patterns))
    names = r"[\w./*-]+" if "z" in letters else r"\*\.\w+"
    if None in paths or not are_ignored or not all(re.fullmatch(names, one) for one in named):
        return None
    kind = _kind(inv, is_apart="z" in letters)
    return Recovery(kind, () if "z" in letters else tuple(f"{base}/**/{one}" for one in named))


_LS_FILES = {
    "--others": "o",
    "--ignored": "i",
    "--exclude-standard": "s",
    "--directory": "",
    "--": "",
}


def _of_ls(texts: list[str], inv: Invocation, context: CallContext, kind: str) -> Recovery | None:
    """What names ``ls`` prints: what it is given, and what is in a folder, looked for in this one."""
    if os.path.basename(texts[0]) != "ls":
        return None
    options = [word for word in texts[1:] if word[:1] == "-"]
    given_words = [word for word in texts[1:] if word[:1] != "-"]
    base = inv.working_folder(context)
    paths = [context.resolve(word, base) for word in given_words]
    if base is None or None in paths or any(not re.fullmatch(_LISTS, one) for one in options):
        return None
    is_itself = any(re.fullmatch(r"-\w*d\w*", one) for one in options)
    below = [] if is_itself and given_words else [f"{base}/*"]
    return Recovery(kind, (*(path for path in paths if path), *below))


def _of_file(words: Sequence[Word], inv: Invocation, context: CallContext) -> Recovery | None:
    """What a file with a name in each line names; nothing on the line may write it."""
    base = inv.working_folder(context)
    path = context.resolve(words[0].text, base) if words[0].is_known else None
    text = (
        context.facts.text(path, _MAX_LIST) if path and path not in context.written_texts else None
    )
    if text is None or len(text) >= _MAX_LIST:
        return None
    names = [line for line in text.split("\n") if line]
    paths = [context.resolve(name, base) for name in names]
    if None in paths or any(_SPLITS.search(name) or name[:1] == "-" for name in names):
        return None
    reached = tuple(dict.fromkeys(one for one in paths if one))
    return Recovery(_kind(inv, is_apart=False), reached, (path or "",))


# end of module
