"""Folders outside the project that a build empties before it writes, by its settings.

``outDir: "../../photos"`` and ``emptyOutDir: true`` have Vite delete all that is there. Owns which settings
of which tools say so. A folder inside the project is not looked at: what a build makes there, it makes again.
Pure but for ``Facts``. Loaded for such tools.
"""

from __future__ import annotations

import os.path
import re

from operators_edge.gate.disk.search import Piece
from operators_edge.locations import is_within
from operators_edge.shell.code.comments import HASH, SLASHES_AND_QUOTES, without_comments
from operators_edge.shell.commands import quoted
from operators_edge.text.lines import line_at
from operators_edge.text.patterns import compiled, pattern
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from operators_edge.gate.disk.search import Search


class Output(NamedTuple):
    """The key of the folder, what has to be set for it to be emptied, and by which options of the line.

    ``base`` is a key of the folder that it is seen from.
    """

    key: str
    empties: str = ""
    option: str = r"(?!)"
    base: str = r"(?!)"


_CLEAN = Output("path", r"\bclean['\"]?\s*:\s*(?:true|\{)", r"--(?:output-)?clean\b")
_OUT_DIR = Output("outDir")
OUTPUTS: dict[str, Output] = {
    "vite": Output(
        "outDir", r"\bemptyOutDir['\"]?\s*:\s*true", r"--emptyOutDir\b(?!=false)", "root"
    ),
    **dict.fromkeys(("webpack", "rspack"), _CLEAN),
    **dict.fromkeys(("tsup", "unbuild"), Output("outDir", r"\bclean['\"]?\s*:\s*true", "--clean")),
    **dict.fromkeys(("astro", "vitepress", "tsdown", "wxt"), _OUT_DIR),
    "nuxt": Output("publicDir"),
    "next": Output("distDir"),
    "typedoc": Output("out"),
    "hugo": Output("publishDir", r"\bcleanDestinationDir\W+true", "--cleanDestinationDir"),
    "jekyll": Output("destination"),
    "mkdocs": Output("site_dir"),
}
_VALUE = (
    r"(?:(?:path|node_path)?\.?(?:resolve|join)\(\s*(?:__dirname|import\.meta\.dirname|process\.cwd\(\))?\s*,?\s*)?"
    r"(?:fileURLToPath\(\s*)?(?:new\s+URL\(\s*)?"
    r"(?P<home>(?:process\.env\.HOME|(?:os\.)?homedir\(\))\s*[+,]\s*)?"
    r"(?:(?P<quote>['\"`])(?P<text>[^'\"`\n]*)(?P=quote)|(?P<bare>[\w./~-]+)[ \t]*$)"
)
_MORE = pattern(r"\s*,\s*['\"]([\w./-]+)['\"]")
_HOME = pattern(r"\$\{\s*(?:process\.env\.HOME|(?:os\.)?homedir\(\))\s*\}")


class OutputFolder:
    """What a build deletes by one file of settings."""

    def __init__(self, search: Search) -> None:
        self.search = search

    def pieces(self, path: str, text: str) -> Iterator[Piece]:
        output = OUTPUTS.get(self.search.inv.program) or OUTPUTS.get(
            os.path.basename(self.search.inv.command.argv[0].text)
        )
        if output is None:
            return
        is_code = path.endswith(("js", "ts", "json"))
        text = without_comments(text, SLASHES_AND_QUOTES if is_code else HASH)
        words = " ".join(self.search.words)
        if (
            output.empties
            and not re.search(output.empties, text)
            and not re.search(output.option, words)
        ):
            return
        folder = os.path.dirname(path)
        for base, _ in self._folders(output.base, text, folder):
            folder = base
        for place, at in self._folders(output.key, text, folder):
            if not is_within(place, self.search.context.root):
                run = quoted(["rm", "-rf", place])
                yield Piece(path, run, line_at(text, at), folder=folder, is_direct=False)

    def _folders(self, key: str, text: str, folder: str) -> Iterator[tuple[str, int]]:
        """Yield the folders that a key names, and where."""
        home = self.search.context.home
        for found in compiled(rf"(?m)(?<![\w.])['\"]?{key}['\"]?\s*[:=]\s*{_VALUE}").finditer(text):
            name = found["bare"] or found["text"] or ""
            for more in _MORE.findall(text[found.end() : text.find(")", found.end())]):
                name = f"{name}/{more}"
            name = home.join(_HOME.split(name))
            name = f"{home}/{name}" if found["home"] else name
            place = self.search.context.resolve(name, folder)
            if place is not None and name and "${" not in name:
                yield place, found.start()


# end of module
