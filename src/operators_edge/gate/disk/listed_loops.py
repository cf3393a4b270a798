"""Files of the project that a script runs by a pattern or a search, with their names in its text.

``for f in db/sql/*.sql; do psql -f "$f"; done`` runs each of these files, as ``. parts/*.sh`` does, a search
with ``-exec sh``, or ``ls parts/*.sh | while read f``. The pattern stays, as others may come. Owns finding
such places and the files. Does not own evaluating the text (``shell.evaluate``). Pure but for ``Facts``.
"""

from __future__ import annotations

import os.path
import re
from fnmatch import translate

from operators_edge.gate.disk.search import Piece
from operators_edge.text.patterns import compiled, pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from operators_edge.gate.disk.search import Search

_ENDINGS = r"\.(?:sql|psql|ddl|sh|bash|zsh|py|rb|pl|php|[cm]?js|ts|ya?ml|tf|R|lua)"
_LAST = r"[\w.?-]*(?:\*|\?|\[[\w-]+\])[\w.*?-]*"
_WORD = pattern(
    rf"(?<!\S)(?P<before>\"[^\"*\n]*\"|[^\s\"'*?;()]*?)(?P<below>/?(?:[\w.-]+/)*)"
    rf"(?P<last>{_LAST})(?=\s|;|\)|\Z)"
)
"""A pattern of files: only its last part is one."""
_STARTS = r"(?:(?m:^)|[;&|(]|\b(?:do|then|else)\b)[ \t]*"
_FOR = pattern(rf"({_STARTS}for[ \t]+(\w+)[ \t]+in[ \t]+)([^;\n]*[^;\s])")
_NAMES_FILES = pattern(r"[*?\[]|\$\(")
"""What the words of a loop over files have."""
_RUNNERS = r"(?:(?:ba|z|da|k)?sh|source|\.|python[\d.]*|node|ruby|perl|php)"
_COMMAND = pattern(rf"({_STARTS}(?:{_RUNNERS}|cat)[ \t]+)((?![^;|&\n]*<<)[^;|&)\n]*[*?][^;|&)\n]*)")
_ARRAY = pattern(r"(?m)((?:^|[;&])[ \t]*\w+\+?=\()([^()\n]*[*?][^()\n]*)(?=\))")
_LIST = (
    r"(?:ls(?:[ \t]+-[\w]+)*[ \t]+(?P<globs>[^|;&()\n]+)"
    r"|find[ \t]+(?P<folder>[\w./-]+)(?P<tests>[^|;&()\n]*))"
)
_FILTERS = r"(?:[ \t]*\|[ \t]*(?:sort|uniq|grep|head|tail|tac|cat)\b[^|;&()\n]*)*[ \t]*"
_OUTPUT = pattern(rf"\$\([ \t]*{_LIST}{_FILTERS}\)")
_READ = (
    r"while[ \t]+(?:IFS=\S*[ \t]+)?read[ \t]+(?:-\w+[ \t]+(?:''[ \t]+)?)*(?P<name>\w+)"
    r"[ \t]*[;\n][ \t]*do\b"
)
_PIPED = pattern(rf"{_LIST}{_FILTERS}\|[ \t]*{_READ}")
_XARGS = pattern(
    rf"{_LIST}{_FILTERS}\|[ \t]*xargs(?:[ \t]+(?:-[0rt]+|-[nPL][ \t]*\d+|-I[ \t]*(?P<mark>\S+)))*"
    rf"[ \t]+(?P<run>{_RUNNERS}\b[^|;&()\n]*)"
)
_EXEC = pattern(
    r"find[ \t]+(?P<folder>[\w./-]+)(?P<tests>[^|;&()\n]*?)[ \t]-exec[ \t]+"
    rf"(?P<run>{_RUNNERS}[ \t][^;+\n]*?\{{\}})[ \t]+(?:\\?;|';'|\+)"
)
_MADE = pattern(
    rf"\$[({{](?:wildcard[ \t]+(?P<patterns>[^(){{}}$|;&\n]+)|shell[ \t]+{_LIST}{_FILTERS})[)}}]"
)
"""Functions of make that list files."""
_READ_AND_RUN = pattern(
    rf"({_STARTS})(?:eval[ \t]+\"\$\(|(?:source|\.)[ \t]+<\()[ \t]*(?:cat[ \t]+|<[ \t]*)"
    r"([^;|&()\n]+)\)\"?"
)
"""What runs the text of files in its own shell, as sourcing them does."""
_HEAD = pattern(_READ)
_FED = pattern(rf"\bdone[ \t]*<[ \t]*<\([ \t]*{_LIST}{_FILTERS}\)")
_MOVES = pattern(r"(?m)(?:^|[;&|(])[ \t]*(?:cd|pushd)\b[ \t]*(?P<to>[\w./-]*)")
_NAME = pattern(r"-name[ \t]+(['\"]?)([\w.*?\[\]-]+)\1")
_DEPTH = pattern(r"-maxdepth[ \t]+1\b")
_SCRIPT = pattern(rf"[\w.-]*{_ENDINGS}")
_ONLY_SCRIPTS = pattern(rf"[\w./*-]*{_ENDINGS}")
_PLAIN = pattern(r"[\w-][\w.-]*|\.[\w-][\w.-]*")
_MAX_NAMES = 16
_MAX_FOLDERS = 12


def with_names(search: Search, piece: Piece) -> Piece:
    """Return a script with the names of the files that it runs by patterns and searches."""
    return piece._replace(text=_Script(search, piece).named())


def with_made_lists(search: Search, path: str, text: str) -> str:
    """Return a makefile with the names of the scripts in what its functions list, beside these."""
    script = _Script(search, Piece(path, text, folder=search.folder))
    return _MADE.sub(script.of_function, text)


class _Script:
    """The text of one script, and the folders that its patterns may be about."""

    def __init__(self, search: Search, piece: Piece) -> None:
        self._search, self._text, self._folder = search, piece.text, piece.folder
        beside = os.path.dirname(piece.path)
        self._bases = [one for one in (piece.folder, beside, os.path.dirname(beside)) if one]
        self._moved = (
            self._after_moves(beside) if "cd" in piece.text or "pushd" in piece.text else []
        )

    def _after_moves(self, beside: str) -> list[str]:
        """Where its patterns may be looked for if it changes its folder: by its own words, or beside it."""
        named = [one["to"] for one in _MOVES.finditer(self._text)]
        starts = (self._folder, beside)
        found = (
            self._search.context.resolve(to or ".", one) for to in named for one in starts if one
        )
        return [one for one in dict.fromkeys((*found, beside)) if one is not None]

    def named(self) -> str:
        text = self._text
        if "find" in text or "ls" in text:
            text = self._with_fed(text)
            text = _PIPED.sub(self._of_pipe, text)
            text = _XARGS.sub(self._of_xargs, text)
            text = _EXEC.sub(self._of_exec, text)
        text = _FOR.sub(self._of_loop, text)
        text = _COMMAND.sub(self._of_command, text)
        text = _READ_AND_RUN.sub(_sourcing, text)
        return _ARRAY.sub(lambda one: one[1] + self._words(one[2], self._scripts), text)

    # -- forms --------------------------------------------------------------------------------------

    def _of_loop(self, loop: re.Match[str]) -> str:
        if _NAMES_FILES.search(loop[3]) is None:
            return loop[0]
        runs = rf"(?:{_RUNNERS}|{_STARTS})[ \t]*\"?\$\{{?{loop[2]}\b"
        pick = self._any if compiled(runs).search(loop.string, loop.end()) else self._scripts
        words = _OUTPUT.sub(lambda one: self._before(one, one[0], pick), loop[3])
        return loop[1] + self._words(words, pick)

    def _of_command(self, one: re.Match[str]) -> str:
        words = self._words(one[2], self._scripts)
        if one[1].rstrip().endswith("cat"):  # what it prints is known by the files that are there
            words = words.replace(one[2].strip(), "") if words != one[2] else words
        return one[1] + words

    def _of_pipe(self, one: re.Match[str]) -> str:
        names = self._listed(one, self._any)
        return f"for {one['name']} in {' '.join(names)}; do" if names else one[0]

    def _of_xargs(self, one: re.Match[str]) -> str:
        return self._each(one, one["run"].rstrip(), one["mark"] or "")

    def _of_exec(self, one: re.Match[str]) -> str:
        return self._each(one, one["run"], "{}")

    def _each(self, one: re.Match[str], run: str, mark: str) -> str:
        """The same command for each of the names."""
        names = self._listed(one, self._any)
        runs = [
            run.replace(mark, name) if mark and mark in run else f"{run} {name}" for name in names
        ]
        return f"{{ {'; '.join(runs)}; }}" if runs else one[0]

    def _with_fed(self, text: str) -> str:
        """The text with ``for`` in place of ``while read`` where a list is fed to the end of the loop."""
        for one in reversed(list(_FED.finditer(text))):
            names = " ".join(self._listed(one, self._any))
            heads = list(_HEAD.finditer(text, 0, one.start())) if names else []
            if heads:
                begin, end = heads[-1].span()
                lines = "\n" * text.count("\n", begin, end)
                loop = f"for {heads[-1]['name']} in {names};{lines} do"
                text = f"{text[:begin]}{loop}{text[end : one.start()]}done{text[one.end() :]}"
        return text

    def of_function(self, one: re.Match[str]) -> str:
        patterns = (one["patterns"] or one["globs"] or "").split()
        words = self._words(" ".join(patterns), self._scripts).split()
        names = [word for word in words if word[0] != "-" and not set(word) & set("*?[$")]
        names = names if patterns else self._listed(one, self._scripts)
        # Of a list of scripts all is known; another one has more than these.
        is_all = patterns and all(map(_ONLY_SCRIPTS.fullmatch, patterns))
        return " ".join(names if names and is_all else (*names, one[0]))

    # -- names --------------------------------------------------------------------------------------

    def _before(self, one: re.Match[str], text: str, pick: re.Pattern[str]) -> str:
        return " ".join((*self._listed(one, pick), text))

    def _listed(self, one: re.Match[str], pick: re.Pattern[str]) -> list[str]:
        """The names that a command lists, as it prints them."""
        groups = one.groupdict()
        if groups.get("globs"):
            words = self._words(re.sub(r"\d?>[ \t]*\S+", "", groups["globs"]), pick).split()
            return [word for word in words if word[0] != "-" and not set(word) & set("*?$`\"'[")]
        name = _NAME.search(groups["tests"] or "")
        last = compiled(translate(name[2])) if name else pick
        if name is None and "-type f" not in (groups["tests"] or "") and pick is self._any:
            last = _SCRIPT
        deep = _DEPTH.search(groups["tests"] or "") is None
        folder = groups["folder"].rstrip("/") or "/"
        for base in (self._folder, *self._moved):
            place = self._search.context.resolve(folder, base) if base else None
            found = list(self._below(place, folder, last, deep=deep)) if place else []
            if found:
                return found[:_MAX_NAMES]
        return []

    def _below(
        self, place: str, folder: str, last: re.Pattern[str], *, deep: bool
    ) -> Iterable[str]:
        left, count = [(place, folder)], 0
        while left and count < _MAX_FOLDERS:
            (at, shown), count = left.pop(0), count + 1
            for name in self._search.follower.names(at, self._search.context):
                if _PLAIN.fullmatch(name) and last.fullmatch(name):
                    yield f"{shown}/{name}"
                elif deep and "." not in name and _PLAIN.fullmatch(name):
                    left.append((f"{at}/{name}", f"{shown}/{name}"))

    def _words(self, text: str, pick: re.Pattern[str]) -> str:
        return _WORD.sub(lambda word: self._of_word(word, pick), text)

    def _of_word(self, word: re.Match[str], pick: re.Pattern[str]) -> str:
        is_named = compiled(translate(word["last"]))
        start = f"{word['before']}{word['below']}"
        for folder in self._folders(word):
            names = [
                one
                for one in self._search.follower.names(folder, self._search.context)
                if _PLAIN.fullmatch(one) and is_named.fullmatch(one) and pick.fullmatch(one)
            ]
            if names:
                return " ".join((*(f"{start}{one}" for one in names[:_MAX_NAMES]), word[0]))
        return word[0]

    def _folders(self, word: re.Match[str]) -> list[str]:
        """The folders that may be meant: where the script runs, or where it is if the start is not known."""
        if "$" not in word["before"] and "`" not in word["before"]:
            text, bases = f"{word['before']}{word['below']}", [self._folder, *self._moved]
        else:
            text = word["below"].lstrip("/")
            bases = [*self._bases[1:], *self._bases[:1], *self._moved]
        found = (self._search.path(text or ".", base) for base in dict.fromkeys(bases) if base)
        return [one for one in found if one is not None]

    _scripts, _any = _SCRIPT, _PLAIN


def _sourcing(one: re.Match[str]) -> str:
    names = (name if name[:1] in '"$/.~' else f"./{name}" for name in one[2].split())
    return f"{one[1]}{{ {'; '.join(f'. {name}' for name in names)}; }}"


# end of module
