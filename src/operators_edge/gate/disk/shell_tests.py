"""The tests that are written for a shell, as the scripts that a run of them amounts to.

Owns where their files and folders are. Does not own the formats (``shell.shell_tests``), nor what a script
runs (``gate.disk.follow``). Loaded for such files alone.
"""

from __future__ import annotations

import os.path
import re

from operators_edge.gate.disk.search import Piece, SearchPart
from operators_edge.shell import shell_tests
from operators_edge.shell.commands import OWN_PATH
from operators_edge.text.patterns import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_TEMPORARY_FOLDER = pattern(r"\$\{?BATS_\w*TMPDIR\}?")
_TEMPORARY = ("BATS_TEST_TMPDIR", "BATS_FILE_TMPDIR", "BATS_SUITE_TMPDIR", "BATS_RUN_TMPDIR")


class ShellTests(SearchPart):
    """What a file of tests runs."""

    def pieces(self, path: str, text: str, language: str) -> Iterator[Piece]:
        inside = os.path.dirname(path)
        folder = self.folder
        if language == "bats":
            script = shell_tests.bats(text, lambda name: self._loaded(name, inside))
        elif language == "cram":
            script, folder = (
                shell_tests.cram(text),
                OWN_PATH,
            )  # each file is run in a folder of its own
        else:
            script = shell_tests.shellspec(text)
        replaced = shell_tests.stand_ins(text, lambda name: self._names(name, inside))
        known = {
            "BATS_TEST_DIRNAME": inside,
            "BATS_TEST_FILENAME": path,
            "TESTDIR": inside,
            "SHELLSPEC_TMPBASE": OWN_PATH,
            "CRAMTMP": OWN_PATH,
            **dict.fromkeys(_TEMPORARY, OWN_PATH),
        }
        yield Piece(
            path,
            script,
            folder=folder,
            arguments=(path,),
            assigned=(*self.search.environment(), *known.items()),
            is_direct=False,
            stand_ins=tuple(replaced),
        )

    def _place(self, name: str, inside: str) -> str | None:
        """A path in a test, with the variables in it that say where the test is."""
        plain = re.sub(r"\$\{?(?:BATS_TEST_DIRNAME|TESTDIR)\}?", inside, name)
        return None if "$" in plain else self.context.resolve(plain, inside)

    def _loaded(self, name: str, inside: str) -> str | None:
        path = self._place(name, inside)
        found = [path, f"{path}.bash"] if path else []
        read = self.follower.read
        return next((one for one in found if read(one, self.context) is not None), None)

    def _names(self, name: str, inside: str) -> list[str] | None:
        """The programs in a folder of the project or of the test; None for another one."""
        plain = _TEMPORARY_FOLDER.sub(OWN_PATH, name)
        path, context = self._place(plain, inside), self.context
        if path is None:
            return None if name.startswith(("$PATH", "${PATH")) else []
        if not context.is_inside(path, (context.root, *context.temp)):
            return None
        return self.follower.names(path, context)


# end of module
