"""Tests of Laravel that empty the database that they are connected to, if it is another machine's.

Owns which connection a run of tests has: by ``phpunit.xml``, the files of variables and the command's own.
Does not own what emptying a database means (the packs). Loaded when such tests are run.
"""

from __future__ import annotations

import re
import shlex

from operators_edge.gate.disk.search import Piece, SearchPart
from operators_edge.shell.code.addresses import host_of, is_here, variables_in
from operators_edge.text.lines import line_at
from operators_edge.text.patterns import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_EMPTIES = pattern(
    r"(?m)^\s*use\s+(?:\w+\s*,\s*)*(?:RefreshDatabase|DatabaseMigrations|DatabaseTruncation|LazilyRefreshDatabase)\b"
    r"|\buses\([^)]*(?:RefreshDatabase|DatabaseMigrations|DatabaseTruncation)"
)
_ENV = pattern(r"<(?:env|server)\s+name=\"(\w+)\"\s+value=\"([^\"]*)\"([^>]*)>")
_COMMENT = pattern(r"<!--.*?-->", re.DOTALL)


class LaravelTests(SearchPart):
    """The tests that one command runs."""

    def pieces(self, path: str, text: str) -> Iterator[Piece]:
        """Yield the emptying of a database on another machine, if this file of tests does that."""
        found = _EMPTIES.search(text)
        if found is None or not self._is_chosen(path, text):
            return
        known = self._variables()
        driver, host = known.get("DB_CONNECTION", ""), known.get("DB_HOST", "")
        host = host_of(known.get("DB_URL", known.get("DATABASE_URL", ""))) or host
        if driver.startswith("sqlite") or is_here(host):
            return
        run = f"DB_CONNECTION={shlex.quote(driver or 'mysql')} DB_HOST={host} php artisan migrate:fresh"
        line = line_at(text, found.start())
        yield Piece(path, run, line, folder=self.folder, is_direct=False, is_loose=True)

    def _is_chosen(self, path: str, text: str) -> bool:
        """Whether a filter of the command leaves the file."""
        filters = re.findall(r"--filter[= ](\S+)", " ".join(self.search.words))
        names = [one for given in filters for one in re.findall(r"\w+", given)]
        return not names or any(one in path or one in text for one in names)

    def _variables(self) -> dict[str, str]:
        """The variables of the run: later ones replace earlier ones."""
        settings = _COMMENT.sub("", self._text("phpunit.xml") or self._text("phpunit.xml.dist"))
        given = _ENV.findall(settings)
        file = self._text(".env.testing") or self._text(".env")
        return {
            **dict(variables_in(file)),
            **{name: value for name, value, _ in given},
            **dict(self.search.variables()),
            **{name: value for name, value, more in given if "force" in more},
        }

    def _text(self, name: str) -> str:
        path = self.context.resolve(name, self.folder)
        return (self.follower.read(path, self.context) if path else None) or ""


# end of module
