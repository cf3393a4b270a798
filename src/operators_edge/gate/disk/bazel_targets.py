"""What ``bazel run //tools:setup`` starts: scripts of ``sh_binary``, ``py_binary``, tests, and ``genrule``.

Owns finding the rule of a label, also by an ``alias``. Pure but for ``Facts``. Does not own what a script
does, nor what a build runs to make the targets that a rule needs.
"""

from __future__ import annotations

import os.path
import re

from operators_edge.gate.disk.search import Piece, SearchPart, is_binary
from operators_edge.shell.code.bracketed import upto
from operators_edge.shell.code.comments import HASH, without_comments
from operators_edge.text.lines import line_at
from operators_edge.text.patterns import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_LABEL = pattern(r"(?P<root>@{0,2}//)?(?P<package>[\w./+-]*?)(?::(?P<name>[\w./+-]+))?")
_RULE = pattern(
    r"(?m)^[ \t]*(?P<kind>alias|genrule|\w*(?:sh|bash|shell|py|python)_(?:binary|test))[ \t]*\("
)
_TEXT = pattern(r"[\"']([^\"'\n]+)[\"']")
_COMMAND = pattern(r"(?s)\bcmd(?:_bash)?\s*=\s*(?P<cmd>.*?)(?=,\s*\w+\s*=|,?\s*\Z)")
_PART = pattern(r"(?s)\"\"\"(.*?)\"\"\"|\"((?:[^\"\\\n]|\\.)*)\"")
_PUT_IN = pattern(r"(?<!\$)\$(?:\([^()\n]*\)|[@<])")
_BUILD_FILES = ("BUILD.bazel", "BUILD", "BUCK")
_MAX_ALIASES = 4


class Targets(SearchPart):
    """The target that one command of Bazel runs; a file marks the workspace."""

    def pieces(self, path: str, _: str) -> Iterator[Piece]:
        """Yield what the named targets start."""
        workspace = os.path.dirname(path)
        labels = [word.text for word in self.inv.operands[1:]]
        is_run = self.inv.first_operands() == "run"
        given = tuple(labels[1:]) if is_run else ()
        for label in labels[:1] if is_run else labels:
            yield from self._of_label(workspace, self.folder or workspace, label, given, 0)

    def _of_label(
        self, workspace: str, here: str, label: str, given: tuple[str, ...], depth: int
    ) -> Iterator[Piece]:
        found = _LABEL.fullmatch(label)
        if found is None or depth > _MAX_ALIASES:
            return
        folder = os.path.join(workspace if found["root"] else here, found["package"].strip("/"))
        folder = os.path.normpath(folder)
        name = found["name"] or os.path.basename(folder)
        places = [os.path.join(folder, one) for one in _BUILD_FILES]
        text = next(filter(None, (self.follower.read(one, self.context) for one in places)), "")
        code = without_comments(text, HASH)
        for rule in _RULE.finditer(code):
            body = upto(code[rule.end() :], ")")
            if _of(body, "name")[:1] != [name]:
                continue
            if rule["kind"] == "alias":
                for other in _of(body, "actual")[:1]:
                    yield from self._of_label(workspace, folder, other, given, depth + 1)
                continue
            if self.inv.first_operands() == "build" and rule["kind"] != "genrule":
                continue
            if rule["kind"] == "genrule":
                place = next((one for one in places if self.follower.read(one, self.context)), "")
                line = line_at(code, rule.start())
                run = _command_of(body)
                yield Piece(place, run, line, folder=workspace, is_direct=False)
                continue
            main = _of(body, "main") or _of(body, "srcs") or [f"{name}.py"]
            words = (*_of(body, "args"), *given)
            yield from self._script(workspace, folder, main[0], words, rule["kind"])

    def _script(
        self, workspace: str, folder: str, label: str, words: tuple[str, ...], kind: str
    ) -> Iterator[Piece]:
        base = workspace if label.startswith("//") else folder
        path = os.path.join(base, label.removeprefix("//").replace(":", "/").lstrip("/"))
        text = self.follower.read(path, self.context)
        if not text or is_binary(text):
            return
        program = "python" if re.search(r"py(?:thon)?_", kind) else "sh"
        own = (
            ("BUILD_WORKSPACE_DIRECTORY", workspace),
            ("BUILD_WORKING_DIRECTORY", self.folder or workspace),
        )
        for piece in self.search.file(path, text, program, (path, *words), is_direct=False):
            yield piece._replace(folder=workspace, assigned=(*piece.assigned, *own))


def _command_of(body: str) -> str:
    """What a rule runs to make its files, with the values that are put in as variables."""
    found = _COMMAND.search(body)
    text = "".join(one[1] or one[2] for one in _PART.finditer(found["cmd"])) if found else ""
    text = _PUT_IN.sub("$MADE", text.replace('\\"', '"'))
    return text.replace("$$", "$").replace("\\$", "$")


def _of(body: str, name: str) -> list[str]:
    """The texts of an attribute of a rule."""
    found = re.search(rf"\b{name}\s*=\s*(\[?)", body)
    if found is None:
        return []
    rest = body[found.end() :]
    value = upto(rest, "]") if found[1] else re.split(r"[,\n]", rest, maxsplit=1)[0]
    return _TEXT.findall(value)


# end of module
