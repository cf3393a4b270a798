"""What a Python program does to a repository that it has made itself, in a temporary folder of its own.

``git clone . TMP`` and then ``git branch -D main`` in TMP loses nothing that is kept. Nothing but the program
has put something there, so a repository in such a folder is its own, unless it is a link to another one. Owns
which calls those are, in what is left of a followed program. Does not own following it
(``gate.disk.python_programs``), nor the same on a line (``gate.own.made_here``). Loaded for programs that
start git.
"""

from __future__ import annotations

import ast
import re
import shlex

from operators_edge.shell.code.python.library_twins import dotted
from operators_edge.shell.commands import OWN_PATH
from operators_edge.text import python_source
from operators_edge.text.patterns import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

_MAY_LEAD_AWAY = pattern(
    r"(?i)worktree|work-tree|git-dir|gitdir|\bGIT_|symlink|\blink|hardlink_to|junction|mount"
    r"|\bcopy(?:tree|file|2)?\(|['\"]cp['\"]|\bcp\s|\brename|\breplace\(|\bmove\(|['\"/]mv['\"]|\bmv\s|(?<!\w)\.git\b"
    r"|\bdir=|\btempdir\b|(?-i:\bTMPDIR\b|\bTMP\b|\bTEMP\b)|(?:prefix|suffix)=['\"][^'\"]*/|mkdtemp\([^)]*,"
    r"|rsync|\btar\b|unpack|extract|submodule|core\.|include\.|alias\."
)
"""What may put another repository in the folder, or have git work on another one."""
_WORKS = frozenset(
    (
        *("reset", "checkout", "switch", "restore", "clean", "branch", "tag", "stash", "rebase"),
        *("commit", "add", "rm", "reflog", "gc", "prune", "filter-branch", "filter-repo"),
    )
)
"""What changes the repository alone that git works in."""
_OTHER_OPTIONS = frozenset(("env", "executable", "preexec_fn", "startupinfo"))
_COMPOUND = pattern(r"[;&|<>$`\n(){}*?]")


def without_own(texts: Sequence[str], starts: Collection[str]) -> list[str]:
    """The texts of a program, with None in the place of what works in repositories of its own.

    ``starts`` are the names of the functions that start a program.
    """
    whole = "\n".join(texts)
    if OWN_PATH not in whole or "git" not in whole or _MAY_LEAD_AWAY.search(whole):
        return list(texts)
    return [_without(text, starts) for text in texts]


def _without(text: str, starts: Collection[str]) -> str:
    try:
        tree = python_source.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return text
    lines = text.split("\n")
    for call, folder in _calls(tree, text):
        if dotted(call.func) in starts and _is_own(call, folder):
            _blank(lines, call)
    return "\n".join(lines)


def _calls(tree: ast.Module, text: str) -> Iterator[tuple[ast.Call, str]]:
    """Yield each call with the folder that the program has gone to before, "" if that is not known."""
    folder = ""
    changes = len(re.findall(r"\bchdir\b", text))
    own = [one for one in tree.body if _changes_to(one)]
    for statement in tree.body:
        if len(own) == changes and (place := _changes_to(statement)):
            folder = place
        for node in ast.walk(statement):
            if isinstance(node, ast.Call):
                yield node, folder


def _changes_to(statement: ast.stmt) -> str:
    call = statement.value if isinstance(statement, ast.Expr) else None
    if not isinstance(call, ast.Call) or dotted(call.func) != "os.chdir" or len(call.args) != 1:
        return ""
    return _text(call.args[0]) or ""


def _is_own(call: ast.Call, folder: str) -> bool:
    """Whether a call starts git in a folder of the program's own, to do something there alone."""
    given = {one.arg: one.value for one in call.keywords}
    if None in given or not _OTHER_OPTIONS.isdisjoint(map(str, given)) or len(call.args) != 1:
        return False
    words = _words(call.args[0], is_text="shell" in given)
    if not words or words[0] != "git":
        return False
    place: str | None = _text(given["cwd"]) if "cwd" in given else folder
    at = 1
    while at + 1 < len(words) and words[at] in ("-C", "-c", "-q", "--no-pager"):
        value = words[at + 1]
        if words[at] == "-C":
            place = value if value and value[:1] == "/" else None
        elif words[at] == "-c" and not (value or "").startswith("user."):
            return False
        at += 2 if words[at] in ("-C", "-c") else 1
    verb = words[at] if at < len(words) else None
    is_below = place is not None and (place == OWN_PATH or place.startswith(f"{OWN_PATH}/"))
    is_plain = ".." not in (place or "") and not any(
        (one or "").startswith(("--source", "--target")) for one in words
    )
    return verb in _WORKS and is_below and is_plain


def _words(node: ast.expr, *, is_text: bool) -> list[str | None]:
    """The words of a command; None for one that is not known."""
    if is_text:
        text = _text(node)
        if text is None or _COMPOUND.search(text):
            return []
        try:
            return list(shlex.split(text))
        except ValueError:
            return []
    return [_text(one) for one in node.elts] if isinstance(node, ast.List | ast.Tuple) else []


def _text(node: ast.expr) -> str | None:
    if isinstance(node, ast.Call) and dotted(node.func) == "pathlib.Path" and len(node.args) == 1:
        node = node.args[0]
    is_text = isinstance(node, ast.Constant) and isinstance(node.value, str)
    return node.value if is_text and isinstance(node, ast.Constant) else None  # type: ignore[return-value]


def _blank(lines: list[str], call: ast.Call) -> None:
    """Put None in the place of a call, and keep the numbers of the lines."""
    first, last = call.lineno - 1, (call.end_lineno or call.lineno) - 1
    start = lines[first].encode()[: call.col_offset].decode()
    rest = lines[last].encode()[call.end_col_offset :].decode()
    if first == last:
        lines[first] = f"{start}None{rest}"
    else:
        lines[first], lines[last] = f"{start}(None", f"){rest}"
        lines[first + 1 : last] = [""] * (last - first - 1)


# end of module
