"""The project's files whose content a line runs as text: ``eval "$(cat F)"``, ``jq -r .x F | sh``.

Owns which files count as they are on the disk. Does not own when a line is worth reading again with their
content known (``gate.disk.surroundings``), nor what filters print (``shell.filters.text_filters``).
"""

from __future__ import annotations

from operators_edge.gate.disk.search import MAX_FILE, is_binary
from operators_edge.locations import is_within
from operators_edge.shell.commands import HOLE
from operators_edge.shell.shell_options import leaves_files

TYPE_CHECKING = False
if TYPE_CHECKING:
    from operators_edge.gate.disk.follow import Follower
    from operators_edge.gate.paths import CallContext

_LEAVES_HEAD = [["git", one] for one in ("show", "cat-file", "log", "status", "diff", "rev-parse")]
MAX_READ = 8
"""Files that one line is read with."""


class DiskTexts:
    """Reads files for one line: those of the project that the line itself leaves as they are."""

    def __init__(self, context: CallContext, follower: Follower) -> None:
        self.context = context
        self.follower = follower
        self.paths: set[str] = set()

    def read(
        self,
        name: str,
        *,
        is_committed: bool = False,
        is_missing: bool = False,
        folder: str | None = None,
    ) -> str | None:
        """Return the content of a file by its path as seen from the call's folder; None if unknown.

        ``is_committed``: as the last commit has it, by its path as git sees it from a folder. ``is_missing``:
        "" if there is surely no such file or folder.
        """
        context = self.context
        path = context.resolve(name, context.cwd)
        if is_missing:
            is_there = path is None or context.facts.size(path) is not None
            is_there |= path is None or context.facts.names(path) is not None
            return "" if path and not is_there and self._is_left_alone(path) else None
        if is_committed:
            path = self._committed(name, context.absolute_folder(folder))
        if path is None or not self._is_left_alone(path) or len(self.paths) >= MAX_READ:
            return None
        from operators_edge.gate import secret_files  # noqa: PLC0415 - for few lines

        if secret_files.is_credentials(path) or secret_files.is_env_file(path):
            return None  # that it is read counts, whatever it holds
        text = context.facts.text(path, MAX_FILE + 1)
        if text is None or len(text) > MAX_FILE or is_binary(text) or HOLE in text:
            return None
        self.paths.add(path)
        self.follower.note(path, text)
        return text

    def _committed(self, name: str, folder: str | None) -> str | None:
        """The path of a file that the last commit has as it is on the disk; None if that is not sure."""
        context = self.context
        repository = context.facts.repository(folder) if folder else None
        if repository is None or any(one.startswith("GIT_") for one, _ in context.variables):
            return None
        path = context.resolve(name, folder if name.startswith(".") else repository[0])
        words = [[word.text for word in one.argv] for one in context.commands if one.argv]
        last = max((at for at, one in enumerate(words) if one[0] == "git"), default=len(words))
        is_same = all(
            one[:2] in _LEAVES_HEAD or (one[0] != "git" and leaves_files(one))
            for one in words[: last + 1]
        )
        return path if path and is_same and context.is_held(path) else None

    def _is_left_alone(self, path: str) -> bool:
        context = self.context
        return (
            context.is_inside(context.real(path), (context.root, *context.temp))
            and not context.moved
            and not context.is_changed(path)
            and not any(is_within(path, one.place) for one in context.arrivals)
        )


# end of module
