"""The files that a text writes and copies while it is evaluated, with what they hold as far as it is known.

Owns their names, what is added to them, and reading one back. Does not own which words of a program write
(``shell.known_output``) or what runs from such a file (``shell.evaluate``).
"""

from __future__ import annotations

import posixpath

from operators_edge.shell.commands import HOLE, FileWrite
from operators_edge.shell.known_output import COPYING, made_pipes, written_files
from operators_edge.shell.scope import Stream, descriptor
from operators_edge.shell.syntax import NO_OUTPUT, UNKNOWN
from operators_edge.text.patterns import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from operators_edge.shell.commands import Redirect, Word
    from operators_edge.shell.evaluate import Disk
    from operators_edge.shell.scope import Scope


_MAX_RECENT = 32
"""The last writes, among which those are that are not sure."""
_KEEPS = pattern(r"-[a-zA-Z]*[niu][a-zA-Z]*|--(?:no-clobber|interactive|update)(?:=.*)?")


def _keeps_what_is_there(name: str, words: Sequence[str]) -> bool:
    """Whether a program may leave a file that is there as it is."""
    flags = [one for one in words if one[:1] == "-"]
    is_forced = any("f" in one for one in flags if one[:2] != "--") or "--force" in flags
    return any(map(_KEEPS.fullmatch, flags)) or (name == "ln" and not is_forced)


class TextFiles:
    """The files of one text; ``disk`` has the content of others, if that should be known."""

    def __init__(self, disk: Disk | None) -> None:
        self._disk = disk
        self.streams: dict[str, Stream] = {}
        self.copies: dict[str, str] = {}
        self.appended: dict[str, str] = {}
        self.readers: dict[str, Callable[..., Stream]] = {}
        """What ``>(…)`` runs, by the path that replaces it."""
        self.writes: list[FileWrite] = []
        self.written: dict[str, int] = {}
        """Files that redirects wrote, and how many programs had run by then that may have changed one."""
        self._changes = 0

    def copy(self) -> TextFiles:
        """What is known here, for a look of which nothing is kept."""
        other = TextFiles(self._disk)
        other.streams, other.copies = dict(self.streams), dict(self.copies)
        other.appended, other.readers = dict(self.appended), dict(self.readers)
        other.written, other._changes = dict(self.written), self._changes
        other.writes = list(self.writes)
        return other

    @property
    def are_as_written(self) -> bool:
        """Whether no program ran since a redirect wrote them that may have changed them."""
        return all(before == self._changes for before in self.written.values())

    @property
    def outputs(self) -> tuple[tuple[str, str], ...]:
        """Files that get what a program prints, if that is not known: (file, program)."""
        return tuple(
            (path, stream.program)
            for path, stream in self.streams.items()
            if stream.text is None
            and stream.program
            and path not in self.copies
            and path not in self.appended
        )

    def at(self, path: str, scope: Scope) -> Stream | None:
        """Return the content of a file that the text has written, or of an open descriptor."""
        number = descriptor(path)
        if number is None:
            known = self.streams.get(noted_path(path, scope))
            if known is None and scope.cwd is None:
                end = f"/{_normalized(path)}"
                known = next(
                    (one for name, one in self.streams.items() if name.endswith(end)), None
                )
            return known
        return scope.descriptors.get(number) or self.streams.get(f"/dev/fd/{number}")

    def read(self, path: str, scope: Scope) -> Stream | None:
        """Return the content of a file that the text has written, or else that the disk has."""
        known = self.at(path, scope)
        place = scope.resolve(path) if known is None and self._disk is not None else None
        if self._disk is None or place is None or place in self.copies:
            return known
        text = self._disk(place)
        return None if text is None else Stream(text, "cat", "file", path)

    def doubtful(self, text: str) -> list[str]:
        """The files whose text is in this one, but only if a write has happened that is not sure."""
        last = {one.path: one for one in self.writes[-_MAX_RECENT:] if one.origin is None}
        found = []
        for path, one in last.items():
            written = (
                "" if one.is_sure or descriptor(path) is not None else (one.text or "").strip()
            )
            # Unknown words may be part of any text.
            if written and (written == text.strip() if HOLE in written else written in text):
                found.append(path)
        return found

    def joined(self, paths: Sequence[str], scope: Scope) -> str | None:
        """Return what ``cat`` prints of them; None if that is unknown."""
        texts = [(self.read(path, scope) or UNKNOWN).text for path in paths]
        known = [text for text in texts if text]
        # A last line without an end goes on in the next file.
        is_whole = None not in texts and all(one.endswith("\n") for one in known[:-1])
        return "".join(known) if is_whole else None

    def note_change(self) -> None:
        """A program runs that may change what was written before."""
        self._changes += 1

    def redirect(
        self,
        redirect: Redirect,
        words: Sequence[Word],
        scope: Scope,
        output: Stream,
        *,
        when: tuple[int, bool],
    ) -> None:
        """Note what a redirect of a command writes: its output, or nothing for another descriptor.

        ``when`` is the ``number`` of the write, and whether it ``is_sure``.
        """
        is_output = redirect.fd in {None, 1}
        path = noted_path(redirect.target.text, scope)
        text, program = output.text if is_output else "", output.program
        if redirect.op in {">>", "&>>"} or (path in self.readers and path in self.streams):
            before = self.streams.get(path)
            text = self._after_content(path, text)
            is_behind = text is None and path not in self.appended and path not in self.readers
            if before is not None and before.program and is_behind:
                program = before.program
        is_cat = is_output and len(words) == 2 and words[0].text == "cat"
        is_copy = is_cat and text is None and words[1].is_known and not words[1].has_glob
        origin = self.at(words[1].text, scope) if is_copy else None
        program = origin.program if origin and origin.program else program
        self._write(path, Stream(text, program), when)
        self.written[path] = self._changes
        if is_copy and origin is None:
            self._copy(path, noted_path(words[1].text, scope), when)

    def _after_content(self, path: str, text: str | None) -> str | None:
        """Return what a file holds once the text is added to it; None if that is unknown."""
        before = self.streams.get(path, NO_OUTPUT if path in self.readers else None)
        known = before.text if before else None
        if text is None:
            self.appended.pop(path, None)
        elif text and (before is None or path in self.appended):
            self.appended[path] = self.appended.get(path, "") + text
        return None if text is None or known is None else known + text

    def _write(self, path: str, stream: Stream, when: tuple[int, bool]) -> None:
        self.streams[path] = stream
        self.writes.append(FileWrite(path, stream.text, *when))

    def _copy(self, path: str, origin: str, when: tuple[int, bool]) -> None:
        self.copies[path] = origin
        self.writes.append(FileWrite(path, None, *when, origin))

    def note_written(
        self,
        name: str,
        words: Sequence[str],
        given: str | None,
        scope: Scope,
        output: Stream,
        *,
        when: tuple[int, bool],
        feeder: str = "",
    ) -> None:
        """Note the files and pipes that a program makes, unless it fails.

        ``given`` is its input, and ``feeder`` the program that prints that.
        """
        if name in COPYING and _keeps_what_is_there(name, words):
            when = (when[0], False)
        for path in made_pipes(name, words):
            self.streams[noted_path(path, scope)] = Stream(None, "mkfifo")
        # A shell may run later what a command writes into a file.
        for path, origin in written_files(name, words, given):
            stream = output if origin is None else self.at(origin, scope)
            if origin is not None and descriptor(origin) == 0:
                stream = Stream(given, feeder or name)
            if stream is not None:
                self._write(noted_path(path, scope), stream, when)
            elif origin is not None:
                self._copy(noted_path(path, scope), noted_path(origin, scope), when)


def noted_path(text: str, scope: Scope) -> str:
    """Return the name under which a file is noted: as seen from the folder of the whole text, if known."""
    found = scope.resolve(text) or _normalized(text)
    return f"{found}/" if text.endswith("/") and found[-1:] != "/" else found


def _normalized(text: str) -> str:
    return posixpath.normpath(text) if text else text


# end of module
