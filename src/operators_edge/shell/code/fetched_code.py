"""Code that a program has from another machine and runs, by the address that it names.

``source("https://…")`` of R, ``eval URI.open(URL).read`` of Ruby, ``copy(URL, $file); require $file`` of PHP.
Owns the calls that read and run code, and the names and files that stand for an address. Pure: text in,
addresses out. Does not own finding the files (``gate.disk.whole_programs``), nor programs that Node starts
(``shell.code.fetched_programs``).
"""

from __future__ import annotations

import re
from functools import lru_cache

from operators_edge.shell.code import languages
from operators_edge.shell.code.addresses import host_of, is_here
from operators_edge.shell.code.bracketed import upto
from operators_edge.shell.code.comments import (
    HASH,
    JAVASCRIPT,
    SLASHES_AND_QUOTES,
    without_comments,
)
from operators_edge.shell.commands import HOLE
from operators_edge.text.patterns import pattern
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container, Iterator

    from operators_edge.shell.code.languages import Language


class Tongue(NamedTuple):
    """How a language fetches and runs; the patterns of calls end where their arguments begin."""

    runs: re.Pattern[str]
    """A call that runs the code that it is given, or the file that it is given the name of."""
    starts: re.Pattern[str]
    """A call that starts a program: what was put into a file."""
    sets: re.Pattern[str]
    """A name, and what it is set to."""
    name: re.Pattern[str]
    fetches: re.Pattern[str]
    """A call that returns what another machine sends, or puts it into a file."""
    puts: re.Pattern[str]
    """A call that puts a text into a file, with the name of the file and of the text."""


_NOTHING = pattern(r"(?!)")
R = Tongue(
    runs=pattern(
        r"(?<![\w.])(?:\w+::)?(?:sys\.source|source(?:_url|_gist|_python)?|eval|evaluate|include(?:_string)?)\s*\("
    ),
    starts=_NOTHING,
    sets=pattern(
        r"(?m)(?:^|[;{(,])[ \t]*(?:const[ \t]+)?([A-Za-z_.][\w.]*)[ \t]*(?:<<?-|=)[ \t]*([^\n]+)"
    ),
    name=pattern(r"[A-Za-z_.][\w.]*"),
    fetches=_NOTHING,
    puts=pattern(
        r"(?<![\w.])(?:\w+(?:::|\.))?(?:download(?:\.file|_file)?|curl_download|GET|req_perform|readLines)\s*\("
        r"(?P<text>[^\n]*?)(?:\b(?:destfile|path)\s*=\s*|,\s*(?=[\"'A-Za-z_.]))(?P<file>[\"'][^\"'\n]+[\"']|[A-Za-z_.][\w.]*)(?![\w.]|\s*=)"
    ),
)
"""Of R and Julia, where an address is what the call is given."""
RUBY = Tongue(
    runs=pattern(
        r"(?<![\w:@$])(?:(?:instance|class|module)_eval|eval|eval_gemfile|load|require"
        r"|require_relative)\b(?:\s*\(|[ \t]+(?![=|&?)]))"
    ),
    starts=pattern(
        r"(?<![\w:@$.])(?:(?:Kernel|Process|Open3|IO)\.)?(?:system|exec|sh|spawn|popen|capture[23]e?"
        r"|ruby)\b(?:\s*\(|[ \t]+(?=[\w\"'@%]))|`|%x[\[({]"
    ),
    sets=pattern(
        r"(?m)(?:^|[;{(|])[ \t]*(@{0,2}[A-Za-z_]\w*)[ \t]*(?:\|\|)?=[ \t]*(?![=~>])([^\n]+)"
    ),
    name=pattern(r"@{0,2}[A-Za-z_]\w*"),
    fetches=pattern(
        r"\bURI(?:\.parse)?\([^()\n]*\)\.(?:open|read)\b|\b(?:URI|OpenURI)\.open\b"
        r"|(?<![\w.])open[ (]+['\"]https?:"
        r"|\bNet::HTTP\.(?:get|get_response|start|new|request_get)\b|`(?:curl|wget)\b|%x[\[({](?:curl|wget)\b"
        r"|\b(?:HTTParty|RestClient|Faraday|Excon|HTTP|Typhoeus|HTTPX|Curl|Down)\.(?:get|download|new|open|follow)\b"
    ),
    puts=pattern(
        r"\b(?:File|IO)\.(?:bin)?write[ (]+(?P<file>[^,\n]+),(?P<text>[^\n]+)"
        r"|\bIO\.copy_stream[ (]+(?P<text2>[^,\n]+),(?P<file2>[^\n)]+)"
        r"|\bDown\.download[ (]+(?P<text3>[^,\n]+),\s*destination:\s*(?P<file3>[^\n)]+)"
        r"|\bFile\.open[ (]+(?P<file4>[^,\n]+),\s*['\"]w[^\n]*?\{(?P<text4>[^\n]+)"
    ),
)
PHP = Tongue(
    runs=pattern(r"(?<![\w$>:\\])(?:eval|include|require)(?:_once)?\b(?:\s*\(|[ \t]+)"),
    starts=pattern(
        r"(?<![\w$>:\\])(?:exec|system|passthru|shell_exec|proc_open|popen|pcntl_exec|new\s+\\?(?:[\w\\]*\\)?Process|Process::run|Process::fromShellCommandline)\s*\(|`"
    ),
    sets=pattern(r"(?:^|[;{}(\s])(\$\w+|const[ \t]+\w+)[ \t]*=(?![=>])[ \t]*([^;]+)"),
    name=pattern(r"\$\w+|(?<![\w$>'\"\\])[A-Z][A-Z\d_]*\b"),
    fetches=pattern(
        r"\b(?:file_get_contents|fopen|file|readfile|stream_get_contents|copy|curl_exec|curl_init|Http::get|Http::\w+\([^;]*\)->get)\s*\("
        r"|->(?:get|request|send)\s*\([^;]*"
    ),
    puts=pattern(
        r"\bcopy\s*\((?P<text>[^;]*?),\s*(?P<file>[^,;)]+?)\s*[,)]"
        r"|\bfile_put_contents\s*\(\s*(?P<file2>[^,;]+?)\s*,(?P<text2>[^;]+)"
        r"|\bCURLOPT_FILE\b\s*(?:,|=>)\s*(?P<file3>[^,;)\]]+)(?P<text3>)"
        r"|['\"]sink['\"]\s*=>\s*(?P<file4>[^,;)\]]+)(?P<text4>)"
    ),
)
PERL = Tongue(
    runs=pattern(r"(?<![\w$@%>:])(?:eval|do|require)\b(?:\s*\(|[ \t]+(?!\{))"),
    starts=pattern(r"(?<![\w$@%>:])(?:system|exec)\b(?:\s*\(|[ \t]+)|`|\bqx\b"),
    sets=pattern(r"(?:^|[;{}(\s])(\$\w+)[ \t]*=(?![=~>])[ \t]*([^;]+)"),
    name=pattern(r"\$\w+"),
    fetches=pattern(
        r"(?<![\w$>:-])(?:get|getstore|mirror)\b|->(?:get|mirror|request)\s*\(|`(?:curl|wget)\b|\bqx\W(?:curl|wget)\b"
    ),
    puts=pattern(r"\b(?:getstore|mirror)\b[\s(]*(?P<text>[^,;]+),\s*(?P<file>[^,;)]+)"),
)
NODE = Tongue(
    runs=pattern(
        r"(?<![\w.$])(?:eval|import)\s*\(|\bnew\s+(?:vm\.)?(?:Async)?(?:Function|Script|Worker)\s*\(|\bvm\.(?:run\w+|compileFunction)\s*\(|\._compile\s*\(|\brequireFromString\s*\("
    ),
    starts=_NOTHING,
    sets=pattern(r"(?:^|[;{}(\s])([A-Za-z_$][\w$]*)[ \t]*=(?![=>])\s*([^;\n]+)"),
    name=pattern(r"[A-Za-z_$][\w$]*"),
    fetches=pattern(
        r"(?<![\w.$])fetch\s*\(|\b(?:axios|got|ky|superagent|undici)\b\.?\w*\s*\(|['\"`](?:curl|wget)\b"
        r"|\b(?:import|Worker)\s*\(\s*['\"`]https?:"
    ),
    puts=pattern(
        r"\b(?:writeTextFile|writeFile|outputFile|Bun\.write)(?:Sync)?\s*\(\s*(?P<file>[^,\n]+),(?P<text>[^;\n]+)"
    ),
)
ELIXIR = Tongue(
    runs=pattern(
        r"\b(?:Code\.(?:eval|compile|require)_\w+|EEx\.eval_\w+)\(|(?:^|\n)(?=[^\n]*\|>\s*Code\.(?:eval|compile)_\w+)"
    ),
    starts=_NOTHING,
    sets=pattern(
        r"(?m)^[ \t]*(?:[{%\[][^=\n]*\b)?([a-z_]\w*)[\]}) \t]*=(?![=~>])\s*([^\n]+)"
        r"|^[ \t]*(@\w+)[ \t]+(\"[^\n]+)"
    ),
    name=pattern(r"@?[a-z_]\w*"),
    fetches=pattern(
        r"\b(?:Req|HTTPoison|Tesla|HTTPotion|Mojito)\.(?:get|request)!?\(|:httpc\.request\(|\bFinch\.build\("
    ),
    puts=pattern(
        r"\bFile\.write!?\(\s*(?P<file>[^,\n]+),(?P<text>[^\n]+)|\binto:\s*File\.stream!\((?P<file2>[^\n)]+)\)(?P<text2>)"
    ),
)
_ADDRESS = pattern(r"(?:https?|ftp)://[^\s\"'(){}<>`]+")
_QUOTED = pattern(r"[\"'][^\"'\n]*[\"']")
_INSERTED = pattern(r"[#$]?\{([^{}]*)\}|(\$\w+)")
_WRITTEN = pattern(r"['\"]([0-9a-fA-F]{32,128})['\"]")
_CHECKED = pattern(
    r"(?i)\bhash(?:_file)?\s*\(|\bDigest(?:::\w+|\W)|\bsha(?:1|256|384|512)\w*\W|\bcreateHash\("
)
_COMPARED = pattern(r"[!=]==?|\beq\b|\bne\b|\bhash_equals\b|\beql\?|\bequal")
_HANDLE = pattern(r"\bfopen\s*\(\s*([^,]+),\s*['\"][wax]")
_PARSES = pattern(
    r"(?i)\b(?:json|yaml|psych|csv|toml|xml|nokogiri\w*|plist|marshal)\b\W|json_(?:de|en)code|\bdecode\w*|simplexml|\.(?:json|scan|match|status|code|headers?)\b"
)
"""What makes data of a text."""
_PACKAGES = pattern(
    r"(?:deno\.land|esm\.sh|jsr\.io|unpkg\.com|cdn\.jsdelivr\.net|cdn\.skypack\.dev|esm\.run)$"
)
_BESIDE = pattern(r"(['\"`])\./")
_MAX_ROUNDS = 4
_MAX_EXPRESSION = 600


@lru_cache(maxsize=512)
def fetched(code: str, tongue: Tongue = R, beside: str = "") -> list[tuple[str, int]]:
    """Return the addresses of code that is run, each with the place of the call; ``code`` has no comments.

    ``beside`` is what the other files of the program define.
    """
    calls = [(one, True) for one in tongue.runs.finditer(code)]
    calls += [(one, False) for one in tongue.starts.finditer(code)]
    whole = f"{beside}\n{code}" if beside else code
    if not calls or not (tongue is R or tongue.fetches.search(whole)):
        return []
    if _WRITTEN.search(whole) and _CHECKED.search(whole) and _COMPARED.search(whole):
        return []  # who wrote down what it has to be has seen it
    program = _Program(whole, tongue)
    addresses: list[tuple[str, int]] = []
    for call, is_code in calls:
        given = _given(code, call)
        found = program.code_in(given) if is_code else program.started_by(given)
        if not found and call[0].startswith(("import", "new Worker")):
            found = _elsewhere(given)
        if not found and "gist" in call[0]:
            found = "https://gist.github.com/raw"
        is_run = (
            tongue is not R
            or "parse" in given
            or not call[0].rstrip("( ").endswith(("eval", "evaluate"))
        )
        if found and is_run:
            addresses.append((found, call.start()))
    return addresses


def _elsewhere(given: str) -> str:
    """The address that a module is loaded from by its name; "" for those that everybody has packages from."""
    found = _ADDRESS.match(given.strip().lstrip("'\"`"))
    is_known = found is None or is_here(host_of(found[0])) or _PACKAGES.match(host_of(found[0]))
    return "" if found is None or is_known else found[0]


def _given(code: str, call: re.Match[str]) -> str:
    """What a call is given: what is in its parentheses, or the rest of the line."""
    opened = call[0].rstrip()[-1:]
    end = min(len(code), call.end() + _MAX_EXPRESSION)
    if opened == "(":
        return upto(code[call.end() : end], ")")
    if opened == "`":
        return code[call.end() : end].partition("`")[0]
    return re.split(r"[;\n]", code[call.end() : end].lstrip("\n"), maxsplit=1)[0]


class _Program:
    """What the names of a program, and the files that it writes, stand for."""

    def __init__(self, code: str, tongue: Tongue) -> None:
        self.tongue = tongue
        self.addresses: dict[str, str] = {}
        """Names → the address that they are."""
        self.codes: dict[str, str] = {}
        """Names and files → the address that what is in them is from."""
        self.data: set[str] = set()
        """Those of them that are data by now: no program is started by them."""
        self.handles: dict[str, str] = {}
        """Names → the file that they write to."""
        for _ in range(_MAX_ROUNDS):
            before = len(self.addresses) + len(self.codes)
            for one in tongue.sets.finditer(code):
                name, value = [group for group in one.groups() if group is not None][:2]
                self._learn(name.removeprefix("const").strip(), value)
            for one in tongue.puts.finditer(code):
                self._put(one)
            if len(self.addresses) + len(self.codes) == before:
                break

    def _learn(self, name: str, value: str) -> None:
        if opened := _HANDLE.search(value):
            self.handles[name] = opened[1].strip()
        elif found := self.code_in(value):
            self.codes.setdefault(name, found)
            if _PARSES.search(value) or not self.data.isdisjoint(self.tongue.name.findall(value)):
                self.data.add(name)
        elif found := self._address_in(value):
            self.addresses.setdefault(name, found)
        elif found := self.file_in(value, is_whole=True):  # a path by another name
            self.codes.setdefault(name, found)

    def _put(self, put: re.Match[str]) -> None:
        groups = put.groupdict()
        file = next(
            (text for key, text in groups.items() if key[:4] == "file" and text), ""
        ).strip()
        text = next((text for key, text in groups.items() if key[:4] == "text" and text), "")
        is_own = put[0].startswith(("copy", "IO.copy", "Down", "getstore", "mirror"))
        found = self.code_in(text) or (self._address_in(text) if is_own or self.tongue is R else "")
        if not text:  # that is where it puts what it fetches
            found = next(iter(self.addresses.values()), HOLE)
        if found and file:
            names = [one for one in self.tongue.name.findall(_QUOTED.sub(" ", file)) if one]
            written = {file, self.handles.get(file, file), *(names if len(names) == 1 else ())}
            for one in written:
                self.codes.setdefault(one, found)

    def code_in(self, expression: str) -> str:
        """The address that the code in an expression is from; "" if it is from none."""
        if self.tongue is R:
            return self._address_in(expression) or self.file_in(expression)
        if self.tongue.fetches.search(expression):
            found = self._address_in(expression)
            is_plain = self.tongue is PHP and "curl_exec" not in expression
            named = _ADDRESS.findall(expression)
            return found or ("" if is_plain or named else next(iter(self.addresses.values()), HOLE))
        return self.file_in(expression)

    def started_by(self, expression: str) -> str:
        """The address that a program is from which is started by these words."""
        is_fetched = self.tongue.fetches.search(expression) and not _PARSES.search(expression)
        return self.code_in(expression) if is_fetched else self.file_in(expression, but=self.data)

    def file_in(self, expression: str, *, is_whole: bool = False, but: Container[str] = ()) -> str:
        """The address that one of the names or files in an expression has its text from."""
        words = (*_QUOTED.findall(expression), *self._names_in(expression))
        known = (one for one in words if one in self.codes and one not in but)
        found = next((self.codes[one] for one in known), "")
        return found if not is_whole or expression.strip() in self.codes else ""

    def _address_in(self, expression: str) -> str:
        """The first address on another machine in an expression, written there or by a name."""
        for one in _ADDRESS.findall(expression):
            if not is_here(host_of(one)):
                return str(one)
        known = (one for one in self._names_in(expression) if one in self.addresses)
        return next((self.addresses[one] for one in known), "")

    def _names_in(self, expression: str) -> list[str]:
        """The names in an expression, and those that are put into its texts."""
        inserted = (part for one in _INSERTED.findall(expression) for part in one)
        parts = (_QUOTED.sub(" ", expression), *inserted)
        return [name for part in parts for name in self.tongue.name.findall(part)]


def in_program(code: str, beside: str, language: Language) -> Iterator[tuple[str, int]]:
    """Yield the addresses of code that a program runs, each with the number of the line."""
    code, beside = (_without_comments(one, language) for one in (code, beside))
    for address, at in fetched(code, _TONGUES[language], beside):
        yield address, code.count("\n", 0, at) + 1


def _without_comments(code: str, language: Language) -> str:
    if language is languages.NODE:  # where a module is named as "./x" and written as "x"
        return _BESIDE.sub(r"\1", without_comments(code, JAVASCRIPT))
    if language is languages.PHP:
        code = without_comments(code, SLASHES_AND_QUOTES)
    return without_comments(code, HASH)


_TONGUES = {
    languages.RUBY: RUBY,
    languages.PHP: PHP,
    languages.PERL: PERL,
    languages.NODE: NODE,
}


# end of module
