"""Suites of tests that delete on another machine: by an address that they take from ``.env``.

A suite whose set-up loads ``.env`` and whose files send DELETE to the address in it cleans up what is there,
be it the shop that people use. Owns that question for test runners of Node. Pure but for ``Facts``. Does not
own reading the code (``shell.code.programs``).
"""

from __future__ import annotations

import os.path
import re

from operators_edge.gate.disk.search import Piece, SearchPart
from operators_edge.shell.code.addresses import is_elsewhere, variables_in
from operators_edge.text.lines import line_at
from operators_edge.text.patterns import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_CODE = (".js", ".ts", ".mjs", ".cjs", ".mts", ".cts", ".jsx", ".tsx")
_LOADS = pattern(
    r"\bfrom\s*['\"]dotenv|(?:require|import)\(?\s*['\"]dotenv|['\"]dotenv/config['\"]|\bloadEnvFile\("
)
_NAMED = pattern(r"['\"]([\w./-]*\.env(?:\.\w+)*)['\"]")
_DELETES = pattern(
    r"['\"]DELETE['\"]|\b(?:axios|got|ky|superagent|request|(?:\w*(?:[cC]lient|[aA]pi|[hH]ttp|[aA]gent)))"
    r"\s*(?:\([^()\n]*\))?\.\s*(?:delete|del)\("
)
_ANSWERS = pattern(
    r"['\"](?:msw|nock|fetch-mock|jest-fetch-mock|vitest-fetch-mock|axios-mock-adapter|moxios|mockttp|sinon)\b"
    r"|['\"]@pollyjs/|\bMockAgent\b|\b(?:vi|jest|mock|td)\.(?:mock|doMock|spyOn|stubGlobal|fn|method)\("
    r"|\b(?:global|globalThis|window)\.fetch\s*="
)
"""What answers requests in the place of other machines."""


class Suite(SearchPart):
    """The tests that one command runs, once their files were read."""

    def pieces(self) -> Iterator[Piece]:
        ours = (self.context.root, *self.context.temp)
        code = {
            path: text
            for path, text in self.follower.texts.items()
            if path.endswith((*_CODE, "package.json")) and self.context.is_inside(path, ours)
        }
        whole = "\n".join(code.values())
        used = "\n".join(text for path, text in code.items() if path.endswith(_CODE))
        if not _LOADS.search(whole) or not _DELETES.search(used) or _ANSWERS.search(used):
            return
        for name, value in self._variables(code):
            is_used = re.search(
                rf"\benv(?:\.|\[['\"]){re.escape(name)}\b(?!['\"]?\]?\s*=[^=])", whole
            )
            is_set = re.search(rf"\benv(?:\.|\[['\"]){re.escape(name)}(?:['\"]\])?\s*=[^=]", whole)
            if is_used and not is_set and value.startswith("http") and is_elsewhere(value, name):
                yield from self._deleted(code, value)

    def _variables(self, code: dict[str, str]) -> Iterator[tuple[str, str]]:
        paths = [os.path.join(self.context.root, ".env")]
        for path, text in code.items():
            for name in _NAMED.findall(text):
                folders = (os.path.dirname(path), self.context.root)
                paths += [self.context.resolve(name, folder) or "" for folder in folders]
        for path in dict.fromkeys(filter(None, paths)):
            if self.context.is_inside(path, (self.context.root,)):
                yield from variables_in(self.follower.read(path, self.context) or "")

    def _deleted(self, code: dict[str, str], address: str) -> Iterator[Piece]:
        for path, text in code.items():
            found = _DELETES.search(text)
            if found is not None:
                line = line_at(text, found.start())
                run = f"curl -X DELETE {address}"
                yield Piece(path, run, line, folder=self.folder, is_direct=False)


# end of module
