"""What a Vagrantfile runs: in the machine that it makes, and on the one that it is made on.

The scripts of ``config.vm.provision "shell"`` run in the guest: what they install, delete and start there is
its own matter, as in a container. What they do elsewhere is not, nor what they do in a folder that is shared:
such a script is judged as if it ran here. Triggers and the Ruby of the file run here.

Owns telling them apart. Pure but for ``Facts``. Loaded for Vagrant alone.
"""

from __future__ import annotations

import os.path
import re

from operators_edge.gate.disk.search import Piece, SearchPart
from operators_edge.gate.own.container_runs import Inside
from operators_edge.text.lines import line_at
from operators_edge.text.patterns import pattern
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_PROVISION = pattern(
    r"(?m)^([ \t]*)[\w.]+\.provision\b[ \t(]*(?:['\"]\w+['\"],[ \t]*type:[ \t]*)?(?::shell|['\"]shell['\"])"
)
_PATH = pattern(r"\bpath['\"]?[ \t]*(?::|=>|=)[ \t]*['\"]([\w./-]+)['\"]")
_INLINE = pattern(
    r"\binline['\"]?[ \t]*(?::|=>|=)[ \t]*(?:'(?P<single>[^'\n]*)'|\"(?P<double>[^\"\n]*)\""
    r"|<<[-~]?['\"]?(?P<mark>\w+)['\"]?|(?P<name>\$?\w+)\b)"
)
_HEREDOC = pattern(r"<<[-~]?['\"]?(\w+)['\"]?")
_HERE_DOCUMENT = pattern(
    r"(?ms)<<[-~]?['\"]?(?P<end>\w+)['\"]?[^\n]*\n(?P<body>.*?)^[ \t]*(?P=end)[ \t]*$"
)
_DOES_MORE = pattern(
    r"[;`]|%x|#\{|\b(?:system|exec|spawn|fork|eval|send|File|FileUtils|Dir|IO|Open3|Kernel|Process|Subprocess"
    r"|Pathname|PTY|require|load)\b"
)
"""Ruby in a statement that may do something here."""
_OTHERWISE_SET = pattern(
    r"<<(?![-~]?['\"]?[A-Za-z_])|\.(?:concat|gsub!|sub!|replace|prepend|insert)\b"
)
_TRIGGER = pattern(
    r"\brun[ \t]*[:=][ \t]*\{[^{}]*?\bpath['\"]?[ \t]*(?::|=>)[ \t]*['\"]([\w./-]+)['\"]"
)
_SHARED = pattern(
    r"\.synced_folder\b[ \t(]*['\"][^'\"\n]*['\"],[ \t]*(?:['\"]([^'\"\n]+)['\"])?|(\bsynced_folder\b)"
)
_USUAL = r"(?<!/home)/vagrant\b"
_EVERYTHING = r"(?<![\w.}\])/\\-])/(?!\^)(?:[^\s/'\"]*[*?\[{$]|(?=[\s;&|)'\"]|\Z))"
"""The root of the file system, or names in it that are not spelled out: shared folders are there, too."""
_SHARES_MORE = pattern(
    r"\brequire_relative\b|(?<![.\w])(?:load|eval)\b|\binstance_eval\b|\bshare_folder\b|\bsharedfolder\b"
)
"""What may share folders that the file does not name."""
_GUEST = Inside((), has_own_data=True, has_own_cloud=False)


class _Script(NamedTuple):
    """A script for the guest: its file or the Vagrantfile, and which parts of that are about it alone."""

    path: str
    text: str
    line: int
    parts: tuple[tuple[int, int], ...]
    statement: str


class Vagrantfile(SearchPart):
    """The Vagrantfile that one command brings a machine up by."""

    def pieces(self, path: str, text: str) -> Iterator[Piece]:
        """Yield what runs in the guest, and the rest of the file as the Ruby that it is."""
        left = text
        for script in self._scripts(path, text):
            if self._is_apart(f"{script.statement}\n{script.text}", text):
                yield Piece(
                    *(script.path, script.text, script.line),
                    folder=self.folder,
                    is_direct=False,
                    inside=_GUEST,
                )
                for start, end in script.parts:
                    blank = re.sub(r"[^\n]", " ", text[start:end])
                    left = f"{left[:start]}{blank}{left[end:]}"
            elif script.path != path:
                yield from self.search.file(
                    script.path, script.text, "sh", (script.path,), is_direct=False
                )
        for name in _TRIGGER.findall(left):
            yield from self._here(name, path)
        yield Piece(path, left, 0, "ruby", self.folder, is_direct=False)

    def _here(self, name: str, path: str) -> Iterator[Piece]:
        """A script that a trigger runs on this machine."""
        place = self.context.resolve(name, os.path.dirname(path))
        text = self.follower.read(place, self.context) if place else None
        if place and text is not None:
            yield from self.search.file(place, text, "sh", (place,), is_direct=False)

    def _scripts(self, path: str, text: str) -> Iterator[_Script]:
        for one in _PROVISION.finditer(text):
            end = _end_of(text, one.start(), one[1])
            statement = text[one.start() : end]
            named, inline = _PATH.findall(statement), list(_INLINE.finditer(statement))
            if len(named) + len(inline) != 1 or _DOES_MORE.search(
                _HERE_DOCUMENT.sub("", statement)
            ):
                continue
            if named:
                place = self.context.resolve(named[0], os.path.dirname(path))
                found = self.follower.read(place, self.context) if place else None
                if place and found is not None:
                    yield _Script(place, found, 1, ((one.start(), end),), statement)
                continue
            body = _body_of(inline[0], text, one.start(), end)
            if body and not _is_for_guests_alone(inline[0]["name"], text):
                continue
            given = text[slice(*body)] if body else "#{}"
            if body and "#{" not in given:
                line = line_at(text, body[0])
                yield _Script(path, given, line, ((one.start(), end), body), statement)

    def _is_apart(self, script: str, text: str) -> bool:
        """Whether a script names no folder that the guest shares with this machine."""
        shared = _SHARED.findall(text)
        targets = [target for target, _ in shared if target]
        is_known = all(target[:1] == "/" and target != "/" for target in targets)
        is_listed = len(targets) == len(re.findall(r"\bsynced_folder\b", text))
        names = (re.escape(target.rstrip("/")) for target in targets)
        is_whole = is_known and is_listed and not _SHARES_MORE.search(text)
        return is_whole and not re.search("|".join((_USUAL, _EVERYTHING, *names)), script)


def _end_of(text: str, start: int, indent: str) -> int:
    """Where the statement ends that begins there: a line, more after a comma, a block, a here document."""
    end = text.find("\n", start)
    end = len(text) if end < 0 else end
    while text[start:end].rstrip().endswith((",", "\\")) and end < len(text):
        end = text.find("\n", end + 1) if "\n" in text[end + 1 :] else len(text)
    marks = _HEREDOC.findall(text[start:end])
    if re.search(r"\bdo\b[ \t]*(?:\|[\w, ]*\|)?[ \t]*\Z", text[start:end]):
        closed = re.compile(rf"(?m)^{re.escape(indent)}end\b").search(text, end)
        return closed.end() if closed else len(text)
    for mark in marks:
        closed = re.compile(rf"(?m)^[ \t]*{mark}[ \t]*$").search(text, end)
        end = closed.end() if closed else len(text)
    return end


def _is_for_guests_alone(name: str | None, text: str) -> bool:
    """Whether nothing else in the file uses a script than what gives it to a guest."""
    if not name:
        return True
    uses = len(re.findall(rf"(?<![\w$]){re.escape(name)}(?!\w)", text))
    given = 0
    for one in _PROVISION.finditer(text):
        statement = text[one.start() : _end_of(text, one.start(), one[1])]
        given += any(found["name"] == name for found in _INLINE.finditer(statement))
    return uses == given + 1


def _body_of(found: re.Match[str], text: str, start: int, end: int) -> tuple[int, int] | None:
    """Where a script is that is written in the file, also under a name; None if that is not known."""
    for key in ("single", "double"):
        if found[key] is not None:
            return start + found.start(key), start + found.end(key)
    if found["name"]:
        sets = rf"(?m)^[ \t]*{re.escape(found['name'])}[ \t]*=[ \t]*(?=<<)"
        named = list(re.finditer(sets, text))
        if len(named) != 1 or _OTHERWISE_SET.search(text):
            return None
        start, end = named[0].end(), len(text)
    body = _HERE_DOCUMENT.search(text, start, end)
    return body.span("body") if body else None


# end of module
