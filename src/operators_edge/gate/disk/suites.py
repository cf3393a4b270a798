"""Suites of tests that act on another machine, by an address or with a live key from ``.env``.

A suite whose set-up loads ``.env`` and whose files send DELETE to the address in it cleans up what is there,
be it the shop that people use; one that has a service's live key moves real money. Owns that question for
test runners of Node. Pure but for ``Facts``. Does not own reading the code (``shell.code.programs``).
"""

from __future__ import annotations

import os.path
import re

from operators_edge.gate.disk.search import Piece, SearchPart
from operators_edge.shell.code.addresses import is_elsewhere
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
_LIVE = pattern(
    r"(?:(?P<stripe>[sr]k)|(?P<rzp>rzp)|(?P<shippo>shippo)|(?P<other>lob|flw))_live_\w{6,}|(?P<mollie>live)_\w{20,}"
    r"|(?P<braintree>access_token)\$production\$"
)
"""Keys of services that say of themselves that they are not for tests."""
_HOSTS = {
    "stripe": "api.stripe.com",
    "rzp": "api.razorpay.com",
    "shippo": "api.goshippo.com",
    "mollie": "api.mollie.com",
    "braintree": "api.braintreegateway.com",
}
_CHANGES = pattern(
    r"\b\w*(?:\([^()\n]*\))?\.\s*(?:post|put|patch)\(|['\"](?:POST|PUT|PATCH)['\"]"
    r"|\b(?:stripe|razorpay|shippo|mollie|client|gateway)\w*(?:\.\w+){1,4}\.?(?:create|update|refund|capture|cancel|pay|del|sale|transfer)\("
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
        acts = _DELETES if _DELETES.search(used) else _CHANGES
        if not _LOADS.search(whole) or not acts.search(used) or _ANSWERS.search(used):
            return
        for name, value in self._variables(code):
            is_used = re.search(
                rf"\benv(?:\.|\[['\"]){re.escape(name)}\b(?!['\"]?\]?\s*=[^=])", whole
            )
            is_set = re.search(rf"\benv(?:\.|\[['\"]){re.escape(name)}(?:['\"]\])?\s*=[^=]", whole)
            live = _LIVE.match(value)
            if is_used and not is_set and live and _CHANGES.search(used):
                host = _HOSTS.get(live.lastgroup or "", "api.example.com")
                yield from self._acting(code, _CHANGES, f"curl -X POST https://{host}")
            is_address = value.startswith("http") and is_elsewhere(value, name)
            if is_used and not is_set and is_address and _DELETES.search(used):
                yield from self._acting(code, _DELETES, f"curl -X DELETE {value}")

    def _variables(self, code: dict[str, str]) -> Iterator[tuple[str, str]]:
        paths = [os.path.join(self.context.root, ".env")]
        for path, text in code.items():
            for name in _NAMED.findall(text):
                folders = (os.path.dirname(path), self.context.root)
                paths += [self.context.resolve(name, folder) or "" for folder in folders]
        ours = [
            one for one in dict.fromkeys(paths) if self.context.is_inside(one, (self.context.root,))
        ]
        yield from self.search.variables_of_files(ours)

    def _acting(self, code: dict[str, str], acts: re.Pattern[str], run: str) -> Iterator[Piece]:
        for path, text in code.items():
            found = acts.search(text)
            if found is not None:
                line = line_at(text, found.start())
                yield Piece(path, run, line, folder=self.folder, is_direct=False)


# end of module
