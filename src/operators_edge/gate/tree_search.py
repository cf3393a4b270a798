"""What a search through a folder would print of the files there that hold secrets.

Owns the reading of grep's and ripgrep's options, as far as they say which files are searched and which lines
are printed. Does not own which files hold secrets (``gate.secret_files``) or finding them (``gate.facts``).
Pure.
"""

from __future__ import annotations

import os.path
import re
from fnmatch import fnmatchcase

from operators_edge.gate.secret_files import is_credentials, is_env_file
from operators_edge.text.patterns import found_in

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from operators_edge.gate.invocation import Invocation
    from operators_edge.gate.paths import CallContext
    from operators_edge.shell.commands import Word

_HIDES_IGNORED = frozenset(("rg", "ag"))
_ALWAYS_DEEP = frozenset(("rg", "ag", "ack"))
_NAMES_ONLY = frozenset(
    [
        "-l",
        "-L",
        "-c",
        "-q",
        "--quiet",
        "--silent",
        "--count",
        "--count-matches",
        "--files",
        "--files-with-matches",
        "--files-without-match",
        "--type-list",
    ]
)
_ONE_TYPE = ("-t", "--type")
_PATTERNS = ("-e", "--regexp")
_TAKEN = ("--include", "-g", "--glob", "--iglob", "-G", "--file-search-regex")
_LEFT = ("--exclude", "--ignore")
_LEFT_FOLDERS = ("--exclude-dir", "--ignore-dir")
_REVEALING = (
    r"(?i)(key|token|secret|pass|pwd|cred|auth|private|dsn)[^=:]{0,40}[=:]\s*['\"]?[^\s'\"]"
    r"|://[^/\s:@]*:[^@\s]+@"
)
_LITERALS = r"[A-Za-z0-9_@=:/ -]{2,}"
_MAX_FILES = 16
_MAX_TEXT = 65_536


def secret_file(inv: Invocation, context: CallContext) -> str | None:
    """Return a file of which a search prints a line with a secret; None if there is none."""
    names = {flag.name for flag in inv.flags}
    if inv.command.is_remote or not _NAMES_ONLY.isdisjoint(names):
        return None
    if any(one.text != "all" for one in inv.values(_ONE_TYPE)):
        return None
    patterns = [*inv.values(_PATTERNS)] or inv.operands[:1]
    folders = inv.operands[0 if inv.values(_PATTERNS) else 1 :]
    if not folders and not _is_recursive(inv, names):
        return None
    literals = _literals(patterns)
    if literals is None or (not folders and inv.command.stdin_kind in ("pipe", "file", "text")):
        return None
    for path in _searched(inv, folders, names, context):
        text = context.facts.text(path, _MAX_TEXT) or ""
        if any(_is_secret(line, path) and _may_match(literals, line) for line in text.split("\n")):
            return path
    return None


def _is_recursive(inv: Invocation, names: set[str]) -> bool:
    if inv.program in _ALWAYS_DEEP:
        return True
    is_deep = any(one.text == "recurse" for one in inv.values(("-d", "--directories")))
    return is_deep or not names.isdisjoint(("-r", "-R", "--recursive", "--dereference-recursive"))


def _literals(patterns: list[Word]) -> list[str] | None:
    """Return texts of which one is in every line that matches; "" for any line, None if unknown.

    The pattern itself is not run: an agent's pattern can take any time.
    """
    if not patterns or not all(word.is_known for word in patterns):
        return None
    found = []
    for one in re.split(r"\\?\||\n", "|".join(word.text for word in patterns)):
        # An escape (`\b`, `\w`), a set, and what may be missing say nothing; a group says what is in it.
        plain = re.sub(r"\\.|\[[^\]]*\]|.[*?]|\{[^}]*\}|[()^$.+]", "\n", one)
        runs = re.findall(_LITERALS, plain)
        found.append(max(runs, key=len, default="").casefold())
    return found


def _may_match(literals: list[str], line: str) -> bool:
    # Ignoring case errs towards a match.
    return any(one in line.casefold() for one in literals)


def _is_secret(line: str, path: str) -> bool:
    return found_in(_REVEALING, line[:2_000]) if is_env_file(path) else bool(line)


def _searched(
    inv: Invocation, folders: list[Word], names: set[str], context: CallContext
) -> Iterator[str]:
    """Yield the files that may hold secrets among those that are searched."""
    base = inv.working_folder(context)
    roots = [context.resolve(one.text, base) for one in folders] if folders else [base]
    is_deep = _is_recursive(inv, names)
    for root in filter(None, roots):
        if is_env_file(root) or is_credentials(root):
            yield root
        if not is_deep:
            continue
        for path in (context.facts.secret_files(root) or ())[:_MAX_FILES]:
            if not _is_left_out(inv, names, root, path, context):
                yield path


def _is_left_out(
    inv: Invocation, names: set[str], root: str, path: str, context: CallContext
) -> bool:
    """Whether the options of a search leave a file out."""
    name = os.path.basename(path)
    below = os.path.relpath(path, root).split(os.sep)
    globs = [one.text for one in inv.values(_TAKEN)]
    left = [one.text for one in inv.values(_LEFT)]
    left += [one[1:].rpartition("/")[2] for one in globs if one[:1] == "!"]
    left_folders = [one.text.strip("/") for one in inv.values(_LEFT_FOLDERS)]
    if any(fnmatchcase(name, one) for one in left) or any(
        fnmatchcase(part, one) for part in below[:-1] for one in left_folders
    ):
        return True
    wanted = [one.rpartition("/")[2] for one in globs if one[:1] != "!"]
    if wanted:  # names that are asked for are searched although git ignores them
        return not any(fnmatchcase(name, one) for one in wanted)
    return inv.program in _HIDES_IGNORED and _is_hidden(inv, names, below, path, context)


def _is_hidden(
    inv: Invocation, names: set[str], below: list[str], path: str, context: CallContext
) -> bool:
    """Whether it is hidden or ignored by git, and the search is not told to read such files."""
    unrestricted = sum(flag.name in ("-u", "--unrestricted") for flag in inv.flags)
    shows_hidden = unrestricted > 1 or not names.isdisjoint(("--hidden", "-.", "-a", "--all-types"))
    if any(part.startswith(".") for part in below) and not shows_hidden:
        return True
    shows_ignored = unrestricted or not names.isdisjoint(("--no-ignore", "--no-ignore-vcs", "-I"))
    return not shows_ignored and bool(context.facts.is_ignored(path, context.root))


# end of module
