"""The application that ``flask`` loads: where it is named, and the variables of the files that go with it.

Owns the order of these: the option, the variable, ``.env``, ``.flaskenv``, and the usual files. Does not own
what the application does (``shell.code.python.flask_apps``). Pure but for ``Facts``.
"""

from __future__ import annotations

import os.path

from operators_edge.gate.disk.search import Piece, SearchPart
from operators_edge.shell.commands import HOLE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from operators_edge.shell.code.python.trace import Start

_USUAL = ("wsgi.py", "app.py")
_FILES = (".flaskenv", ".env")
"""The later one goes before the earlier one."""
_OFF = "FLASK_SKIP_DOTENV"
_ENDINGS = (".py", "/__init__.py")
_MAX_ABOVE = 4


class App(SearchPart):
    """The application of one command."""

    def pieces(self) -> Iterator[Piece]:
        variables, files = self._variables()
        start = self._start(variables)
        if start is None:
            return
        given = tuple((name, value) for name, value in variables.items() if HOLE not in value)
        if given:
            start = start._replace(environment=given, given=given)
        piece = Piece(start.path, start.text, program="python", folder=self.folder, is_direct=False)
        for one in self.search.left_of(start, piece):
            held = (*one.unless_held, *files) if one.unless_held else ()
            yield one._replace(unless_held=held)

    def _variables(self) -> tuple[dict[str, str], tuple[str, ...]]:
        """The variables that the application gets, and the files that they are from."""
        line = dict([*self.search.environment(), *self.search.variables()])
        named = [one.text for one in self.inv.values(("-e", "--env-file"))]
        names = (*_FILES, *named) if _OFF not in line else named
        files = [path for name in names if (path := self._nearest(name))]
        return {**dict(self.search.variables_of_files(files)), **line}, tuple(files)

    def _nearest(self, name: str) -> str | None:
        """The file in the folder, or in the nearest one above it in the project."""
        folder = self.folder or self.context.root
        for _ in range(_MAX_ABOVE):
            path = self.context.resolve(name, folder)
            if path is None or not self.context.is_inside(
                path, (self.context.root, *self.context.temp)
            ):
                return None
            if self.follower.read(path, self.context) is not None:
                return path
            folder = os.path.dirname(folder)
        return None

    def _start(self, variables: dict[str, str]) -> Start | None:
        from operators_edge.shell.code.python.trace import Start  # noqa: PLC0415 - slow to import

        folder = self.folder or self.context.root
        given = [one.text for one in self.inv.values(("-A", "--app"))]
        target = (given or [variables.get("FLASK_APP", "")])[0]
        module, _, name = target.partition(":")
        names = [module] if module else list(_USUAL)
        for one in names:
            inside, _, last = one.removesuffix(".py").rpartition("/")
            base = os.path.normpath(os.path.join(folder, inside))
            found = self.search.module(last, base, _ENDINGS)
            if found is not None and HOLE not in target:
                words = self._words()
                return Start(*found, base, words, "flask", name.strip())
        return None

    def _words(self) -> tuple[str, ...] | None:
        """The words from the command on, as the application is given them."""
        argv, operands = self.inv.command.argv, self.inv.operands
        at = next((n for n, one in enumerate(argv) if operands and one is operands[0]), len(argv))
        words = ("flask", *(one.text for one in argv[at:]))
        is_known = not self.inv.command.has_more_words and HOLE not in "".join(words)
        return words if is_known else None


# end of module
