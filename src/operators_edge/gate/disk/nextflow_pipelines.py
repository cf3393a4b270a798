"""What a run of Nextflow does: where its jobs run, by its settings and profiles, and what their scripts do.

Owns which settings a run has, and the scripts of processes. Pure but for ``Facts``. Does not own what the
commands do. A setting that is computed counts as each of the texts in it.
"""

from __future__ import annotations

import os.path
import re

from operators_edge.gate.disk.search import Piece, SearchPart
from operators_edge.shell.code.bracketed import upto
from operators_edge.shell.code.comments import SLASHES_AND_QUOTES, without_comments
from operators_edge.shell.commands import HOLE
from operators_edge.text.lines import line_at
from operators_edge.text.patterns import pattern, without

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_SUBMITS = {
    "awsbatch": "aws batch submit-job --job-name x",
    "google-batch": "gcloud batch jobs submit x",
    "google-lifesciences": "gcloud batch jobs submit x",
    "azurebatch": "az batch job create --id x",
    "k8s": "kubectl apply -f job.yml",
}
"""Executors that run jobs in a cloud or a cluster of containers, and the command that does the same."""
_INCLUDE = pattern(r"\bincludeConfig\s*\(?\s*[\"']([^\"'\n]+)[\"']")
_MODULE = pattern(r"\bfrom\s*\(?\s*[\"']([^\"'\n]+)[\"']")
_PROFILES = pattern(r"(?m)^[ \t]*profiles\s*\{")
_PROFILE = pattern(r"\s*[\"']?([\w-]+)[\"']?\s*\{")
_SELECTOR = pattern(r"\bwith(?:Name|Label)\s*:?\s*[^{}\n]*\{")
_EXECUTOR = pattern(
    r"(?m)(?:\bprocess\s*\.\s*|(?<![\w.$]))executor(?:\s*\.\s*name)?\s*(?:=\s*|\s+(?=[\"']))(?P<value>[^\n;}]+)"
)
_SCOPE = pattern(r"(?m)^[ \t]*executor\s*\{")
_NAME = pattern(r"\bname\s*=\s*([^\n;}]+)")
_TEXT = pattern(r"[\"']([^\"'\n]*)[\"']")
_SCRIPT = pattern(
    r"\b(?:script|shell|stub)\s*:(?:(?!\"\"\"|''')[\s\S]){0,2000}?(?P<quote>\"\"\"|''')(?P<text>[\s\S]*?)(?P=quote)"
)
_BARE = pattern(r"(?m)^[ \t]*(?P<quote>\"\"\"|''')(?P<text>[\s\S]*?)(?P=quote)")
_PROCESS = pattern(r"(?m)^[ \t]*process\s+\w+\s*\{")
_PUT_IN = pattern(r"(?<!\\)\$(?:\{[^}\n]*\}|[A-Za-z_][\w.]*)")
_STARTED = pattern(r"[\"']([^\"'\n]+)[\"']\s*\.\s*execute\(")
_MAIL = pattern(r"\bsendMail\s*[({]")
_PARAMETER = pattern(r"\bparams\s*\.\s*(\w+)")
_SETTINGS = "nextflow.config"
_MAX_FILES = 60

_Setting = tuple[str, str, int]
"""The file that sets an executor, the expression, and its line."""


class Pipeline(SearchPart):
    """The pipeline that one command runs."""

    def pieces(self, path: str, text: str) -> Iterator[Piece]:
        operands = [one.text for one in self.inv.operands]
        asked = self.search.path(operands[1]) if len(operands) > 1 else ""
        if path not in (asked, f"{asked}/main.nf"):
            return
        self.code: list[str] = []
        sources = self._files(path, text, _MODULE, ("", ".nf", "/main.nf"))
        for place, run, line in (*self._submits(path, sources), *_scripts(sources)):
            assigned = self.search.environment()
            yield Piece(place, run, line, folder=self.folder, assigned=assigned, is_direct=False)

    def _files(
        self, path: str, text: str, names: re.Pattern[str], endings: tuple[str, ...] = ("",)
    ) -> dict[str, str]:
        """A file and those that it names in turn."""
        found = {path: text}
        left = [path]
        while left and len(found) < _MAX_FILES:
            here = left.pop(0)
            for name in names.findall(found[here]):
                for ending in endings:
                    other = self.search.path(os.path.join(os.path.dirname(here), name + ending))
                    read = self.follower.read(other, self.context) if other else None
                    if other and read is not None and other not in found:
                        found[other] = read
                        left.append(other)
        return found

    # -- where jobs run ---------------------------------------------------------------------------

    def _submits(self, path: str, sources: dict[str, str]) -> Iterator[_Setting]:
        given = [(path, f"'{one}'", 1) for one in self._given()]
        settings = given or self._settings(os.path.dirname(path))
        codes = {place: _plain(code) for place, code in sources.items()}
        self.code += codes.values()
        own = [(place, *one) for place, code in codes.items() for one in _executors(code)]
        for place, value, line in (*settings, *own):
            for name in (*_TEXT.findall(value), *self._parameters(value)):
                if name in _SUBMITS:
                    yield place, _SUBMITS[name], line

    def _parameters(self, value: str) -> Iterator[str]:
        """What the parameters in an expression may be: by the line, or by any of the files."""
        words = [*self.search.words, ""]
        for name in _PARAMETER.findall(value):
            given = [words[at + 1] for at, one in enumerate(words) if one == f"--{name}"]
            sets = re.compile(rf"\b{name}\s*=\s*[\"']([^\"'\n]*)[\"']")
            yield from given or [one for code in self.code for one in sets.findall(code)]

    def _given(self) -> list[str]:
        """The executor that the line itself names."""
        named = [one.text for one in self.inv.values(("-process.executor",))]
        return named or [value for name, value in self.search.variables() if name == "NXF_EXECUTOR"]

    def _settings(self, folder: str) -> list[_Setting]:
        """The executors that count: those of profiles and further files replace the usual one."""
        only = [one.text for one in self.inv.values(("-C",))]
        more = [one.text for one in self.inv.values(("-c", "-config"))]
        usual = [f"{self.context.home}/.nextflow/config", f"{folder}/{_SETTINGS}", _SETTINGS]
        plain: list[_Setting] = []
        chosen: list[_Setting] = []
        special: list[_Setting] = []
        files: dict[str, str] = {}
        for name in only or [*usual, *more]:
            path = self.search.path(name)
            text = self.follower.read(path, self.context) if path else None
            for place, code in self._files(path or "", text, _INCLUDE).items() if text else ():
                if place not in files:
                    files[place] = code = _plain(code)  # noqa: PLW2901 - without comments
                    self.code.append(code)
                    blocks, rest = self._profiles(code)
                    found = _plain_of(place, rest)
                    plain, chosen = (
                        (plain, chosen + found) if name in more else (plain + found, chosen)
                    )
                    special += _special_of(place, rest)
                    for block in blocks:
                        chosen += _plain_of(place, block)
                        special += _special_of(place, block)
        return [*special, *(chosen or plain[-1:])]

    def _profiles(self, code: str) -> tuple[list[str], str]:
        """The profiles that the run has, and what is in none; each keeps its lines."""
        named = [one.text for one in self.inv.values(("-profile",))]
        asked = [one for text in named for one in text.split(",")] or ["standard"]
        is_known = not any(HOLE in one for one in asked)
        found = []
        for head in list(_PROFILES.finditer(code)):
            inside = upto(code, "}", head.end())
            at = 0
            while one := _PROFILE.match(inside, at):
                body = upto(inside, "}", one.end())
                if one[1] in asked or not is_known:
                    before = "\n" * code.count("\n", 0, head.end() + one.end())
                    found.append(before + body)
                at = one.end() + len(body) + 1
            code = without(code, head.start(), head.end() + len(inside) + 1)
        return found, code


def _plain(code: str) -> str:
    """Code of Groovy without comments."""
    return without_comments(code, SLASHES_AND_QUOTES)


def _executors(code: str) -> Iterator[tuple[str, int]]:
    for one in _EXECUTOR.finditer(code):
        yield one["value"], line_at(code, one.start())
    for head in _SCOPE.finditer(code):
        for one in _NAME.finditer(upto(code, "}", head.end())):
            yield one[1], line_at(code, head.start())


def _plain_of(path: str, code: str) -> list[_Setting]:
    """The executors of all processes."""
    for head in list(_SELECTOR.finditer(code)):
        code = without(code, head.start(), head.end() + len(upto(code, "}", head.end())))
    return [(path, *one) for one in _executors(code)]


def _special_of(path: str, code: str) -> list[_Setting]:
    """The executors of some processes."""
    return [
        (path, value, code.count("\n", 0, head.end()) + line)
        for head in _SELECTOR.finditer(code)
        for value, line in _executors(upto(code, "}", head.end()))
    ]


# -- what scripts do -------------------------------------------------------------------------------------


def _scripts(sources: dict[str, str]) -> Iterator[_Setting]:
    """The scripts of processes, and what the pipeline starts by itself."""
    for path, code in sources.items():
        for head in _PROCESS.finditer(code):
            body = _body(code, head.end())
            for one in list(_SCRIPT.finditer(body)) or list(_BARE.finditer(body)):
                text = one["text"]
                if one["quote"] == '"""':
                    text = _PUT_IN.sub(HOLE, text).replace("\\$", "$").replace("\\\\", "\\")
                yield path, text, line_at(code, head.end() + one.start("text"))
        for one in _STARTED.finditer(code):
            yield path, one[1], line_at(code, one.start())
        for one in _MAIL.finditer(code):
            run = "swaks --server smtp.nextflow.example --to someone@example.com"
            yield path, run, line_at(code, one.start())


def _body(code: str, at: int) -> str:
    """A process up to the next one: brackets in its scripts need not match."""
    following = _PROCESS.search(code, at)
    return code[at : following.start() if following else len(code)]


# end of module
