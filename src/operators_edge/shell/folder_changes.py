"""The changes of the folder in a text, and those that may fail or not happen at all.

``cd out; sh x.sh`` runs a script of the folder before if there is no ``out``, and so does
``test -d out && cd out; sh x.sh``. A text is read as if each change went well, and again for each other
``Outcome``, in which a ``cd`` that fails changes nothing. Owns which changes are in question, and what an
outcome makes of them. Does not own what is on the disk, nor which outcomes are looked at
(``gate.folder_outcomes``).
"""

from __future__ import annotations

import posixpath
import re
from fnmatch import fnmatchcase

from operators_edge.shell import builtins
from operators_edge.shell.commands import HOLE
from operators_edge.text.patterns import found_in_file, pattern
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from operators_edge.shell.commands import Redirect, Word
    from operators_edge.shell.evaluate import Evaluator
    from operators_edge.shell.scope import Scope

    Way = tuple[str | None, str | None]
    """A change by the folder before and the one after it; None for an unknown one."""


class Need(NamedTuple):
    """A folder that has to be there; ``is_made`` if the text makes it, unless a file is in its place."""

    path: str
    is_made: bool = False


class Move(NamedTuple):
    """A change of the folder that is in question; ``needs`` is None if it may fail whatever is there."""

    before: str | None
    to: str | None
    needs: tuple[Need, ...] | None

    @property
    def way(self) -> Way:
        return self.before, self.to


class Outcome(NamedTuple):
    """How the changes of a text end: each that is not sure fails if it ``fails``, but for ``others``."""

    is_sure: Callable[[Move], bool]
    fails: bool
    others: frozenset[Way] = frozenset()

    def lets_fail(self, move: Move) -> bool:
        return not self.is_sure(move) and self.fails != (move.way in self.others)


class _Event(NamedTuple):
    """What happens to folders of the name, or the pattern, ``path``, and in which parts of the text.

    ``needs`` is what has to be there for one to be made, None if it goes away.
    """

    path: str
    marks: tuple[int, ...]
    needs: tuple[Need, ...] | None

    def has_happened(self, marks: tuple[int, ...]) -> bool:
        """Whether it surely has, as seen from such parts of the text."""
        return self.marks == marks[: len(self.marks)]


_OPTION = pattern(r"-[A-Za-z@-]")
_KNOWN_OPTION = pattern(r"-[LPe@]+|--?")
_OTHERWISE = pattern(
    r"\balias\s[^\n;&|]*\bcd=|\bumask\b|\benable\s+-\w*n|\bset\s+-\w*r|sh\s+-\w*r|\brbash\b|\bcdable_vars\b"
)
"""What gives ``cd`` another meaning."""
_LEAVES_NAME = pattern(r"[^./][^/]*/+\.\.(?:/|$)")
_GIT_REPLACES = frozenset(
    [
        "checkout",
        "switch",
        "pull",
        "merge",
        "reset",
        "clean",
        "stash",
        "rebase",
        "rm",
        "mv",
        "worktree",
        "cherry-pick",
        "revert",
        "apply",
        "am",
        "read-tree",
        "sparse-checkout",
        "submodule",
    ]
)
_KEEPS_TREE = frozenset(
    [
        "-b",
        "-B",
        "-c",
        "-C",
        "--",
        "--soft",
        "--mixed",
        "list",
        "show",
        "add",
        "status",
        "init",
        "update",
        "--cached",
        "--orphan",
    ]
)
_MODE = pattern(r"[0-7]{3,4}|[ugoa]*[-+=][rwxXst]*(?:,.*)?")
_MAKING = pattern(
    r"(?:mkdir(?: -v| --verbose)*(?P<deep> -v*pv*| --parents)*(?: -v| --verbose)*(?: --)?"
    r"|git init(?: -q| --quiet| --bare)*) (?P<paths>[^-\s]\S*(?: [^-\s]\S*)*)"
)
"""A program that makes folders which can be entered, by its words."""
_WILD = pattern(r"[*?\[]")
_MAX_MOVES = 32
_MAX_EVENTS = 64
"""What happens to folders of a text; after more, whether one is there is open."""
_MAX_DEPTH = 32
"""Folders in folders of which that is asked."""


def _is_harmless(redirect: Redirect) -> bool:
    """Whether a redirect cannot keep its command from running."""
    target = redirect.target.text
    return target == "/dev/null" or (redirect.op == ">&" and target in {"1", "2"})


class FolderChanges:
    """The changes of the folder in what an evaluator reads; ``outcome`` is None if each goes well."""

    def __init__(self, evaluator: Evaluator, outcome: Outcome | None) -> None:
        self._evaluator = evaluator
        self._outcome = outcome
        self.moves: dict[Move, None] = {}
        """Those in question after which more runs, whether they have failed or not."""
        self._pending: dict[Move, bool] = {}
        """Those after which nothing has run yet, and whether it is that of a branch."""
        self._events: list[_Event] = []

    def change(
        self, name: str, words: tuple[Word, ...], scope: Scope, redirects: tuple[Redirect, ...]
    ) -> None:
        """Do what ``cd`` or the like does, or nothing where it fails."""
        before, stack = (scope.cwd, scope.previous_cwd), list(scope.directories)
        on_way = [path for word in words[1:] for path in _left_again(word.text, scope)]
        builtins.apply(name, words, scope)
        if scope.cwd == before[0] is not None:
            return
        is_plain = all(map(_is_harmless, redirects)) and not found_in_file(
            _OTHERWISE.pattern, self._evaluator.text
        )
        needs = self._needs_of_change(name, words, scope, on_way) if is_plain else None
        if needs == ():
            return
        move = Move(before[0], scope.cwd, needs)
        self._pending[move] = False
        if self._outcome is not None and self._outcome.lets_fail(move):
            (scope.cwd, scope.previous_cwd), scope.directories = before, stack
            self._evaluator.has_ended_well = False
        elif scope.cwd:
            self._events.append(_Event(self._absolute(scope.cwd), self._marks, ()))

    @property
    def _marks(self) -> tuple[int, ...]:
        return tuple(self._evaluator.marks)

    def _needs_of_change(
        self, name: str, words: tuple[Word, ...], scope: Scope, on_way: list[str]
    ) -> tuple[Need, ...] | None:
        """The folders that have to be there, () if it surely goes well, and None if that is open."""
        texts = [word.text for word in words[1:]]
        operands = [one for one in texts if not _OPTION.match(one)]
        options = [one for one in texts if _OPTION.match(one)]
        is_usual = len(operands) < 2 and all(map(_KNOWN_OPTION.fullmatch, options))
        if name in {"pushd", "popd"}:
            is_usual = not options and len(operands) == (name == "pushd")
        if scope.cwd is None or not is_usual:
            return None
        if name in {"cd", "chdir"} and not operands and scope.values.get("HOME") is None:
            return ()
        found: list[Need] = []
        for path in (*on_way, scope.cwd):
            needs = self._needs(path)
            if needs is None:
                return None
            found += needs
        return tuple(dict.fromkeys(found))

    def _needs(self, path: str) -> tuple[Need, ...] | None:
        """What has to be there for a folder to be there, as far as the text itself makes it so."""
        if not path:
            return ()  # the call's own
        path = self._absolute(path)
        if len(self._events) > _MAX_EVENTS or path.count("/") > _MAX_DEPTH:
            return None
        above = [path]
        while "/" in above[-1].lstrip("/"):
            above.append(posixpath.dirname(above[-1]))
        marks = self._marks
        for event in reversed(self._events):
            if event.needs is None:
                is_pattern = _WILD.search(event.path) is not None
                if event.path in above or (
                    is_pattern and any(fnmatchcase(one, event.path) for one in above)
                ):
                    return None
            elif f"{event.path}/".startswith(f"{path}/") and event.has_happened(marks):
                return event.needs
        return (Need(path),)

    def note(
        self,
        name: str,
        words: tuple[Word, ...],
        scope: Scope,
        redirects: tuple[Redirect, ...],
        *,
        is_sure: bool,
    ) -> None:
        """Note the folders that a program may take away, or makes, if it ``is_sure`` to run."""
        is_sure = is_sure and all(map(_is_harmless, redirects))
        texts = [word.text for word in words[1:]]
        operands = [one for one in texts if one[:1] != "-"]
        making = _MAKING.fullmatch(" ".join([name, *texts])) if is_sure else None
        if making is not None:
            for path in map(scope.resolve, making["paths"].split(" ")):
                above = posixpath.dirname(path) if path and name == "mkdir" else ""
                needs = self._needs(above) if above and not making["deep"] else ()
                if path and needs is not None:
                    place = self._absolute(path)
                    event = _Event(place, self._marks, (Need(place, is_made=True), *needs))
                    self._events.append(event)
        for one in _taken_away(name, texts, operands):
            known = one.replace(HOLE, "*")
            path = scope.resolve(known)
            place = f"*{posixpath.basename(known)}" if path is None else self._absolute(path)
            self._events.append(_Event(place or "*", self._marks, None))

    def _absolute(self, path: str) -> str:
        """The path as it is from the root, as far as it is known where the text runs."""
        home, folder = (self._evaluator.env.get(one, "") for one in ("HOME", "PWD"))
        if path == "~" or path.startswith("~/"):
            return home + path[1:] if home else path
        return posixpath.normpath(posixpath.join(folder, path)) if folder and path else path

    # -- branches ------------------------------------------------------------------------------------

    def leave_branches(self, scope: Scope, before: str | None, ends: Iterable[str | None]) -> None:
        """Be in a folder in which branches end, or in the one ``before`` them, as the outcome says."""
        outcome = self._outcome
        moves = [Move(before, one, None) for one in dict.fromkeys(ends) if one != before]
        self._pending.update(dict.fromkeys(moves, True))
        if outcome is None:
            return
        if outcome.fails:
            scope.cwd = before
        for one in moves:
            if one.way in outcome.others:
                scope.cwd = one.to if outcome.fails else before

    def follow(self, connector: str) -> dict[Move, bool]:
        """Note that something runs next; return what is still in question after it.

        What follows ``&&`` does not run where a change has failed.
        """
        kept = {move: False for move, is_branch in self._pending.items() if not is_branch}
        if connector != "&&":
            kept = {}
        for move in self._pending:
            if move not in kept and len(self.moves) < _MAX_MOVES:
                self.moves[move] = None
        self._pending = {}
        return kept

    def keep(self, kept: dict[Move, bool]) -> None:
        self._pending = {**kept, **self._pending}


def _left_again(target: str, scope: Scope) -> Iterator[str]:
    """The folders that a path goes into and out of: ``build`` in ``build/../src``."""
    if not _LEAVES_NAME.search(target):
        return
    parts = target.split("/")
    for at, part in enumerate(parts):
        path = scope.resolve("/".join(parts[:at])) if part == ".." else None
        if path:
            yield path


def _taken_away(name: str, texts: list[str], operands: list[str]) -> list[str]:
    """The names and patterns of folders that a program may remove, replace or close."""
    if name == "git":
        is_replaced = not _GIT_REPLACES.isdisjoint(operands[:1])
        is_replaced &= _KEEPS_TREE.isdisjoint(texts)
        is_kept = operands[:1] == ["reset"] and "--hard" not in texts
        return ["*"] if is_replaced and not is_kept else []
    if name in {"find", "rsync"}:
        return ["*"] if any("-delete" in one for one in texts) else []
    if name == "mkdir":
        return []
    if name == "mv" and "-t" not in texts:
        return operands[:-1]
    if name == "ln":
        return operands[-1:]
    if name == "chmod":
        modes = [one for one in texts if _MODE.fullmatch(one)][:1]
        is_closing = any(map(_closes, modes)) or not modes
        return [one for one in operands if one not in modes] if is_closing else []
    return operands


def _closes(mode: str) -> bool:
    """Whether a mode may keep the owner out of a folder."""
    if mode.isdigit():
        return int(mode[-3]) % 2 == 0
    return re.search(r"-[rwXst]*x|=(?![rwst]*[xX])", mode) is not None


# end of module
