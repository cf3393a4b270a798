"""Clients of a service that a program surely has send everything to this machine, or to nobody.

``Stripe.api_base = "http://localhost:12111"`` before any call, ``new Stripe(key, {host: "localhost"})``,
``ActionMailer::Base.delivery_method = :test`` in what a spec loads first: what the program does through such
a client is nobody's loss. All that is said of the address in any of its files must say so, and be said before
anything uses the client.

Owns the settings that are known. Pure, texts to texts; lines keep their numbers. Does not own which calls act
on other machines (``shell.code.twins``), nor Python's (``shell.code.python.library``). Loaded for the few
programs with such words.
"""

from __future__ import annotations

import re

from operators_edge.shell.code import bracketed
from operators_edge.shell.code.comments import JAVASCRIPT, without_comments
from operators_edge.shell.code.languages import NODE, PHP, RUBY
from operators_edge.text.patterns import found_in_file, pattern
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from operators_edge.shell.code.languages import Language

_HERE = r"https?://(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?(?:/[\w/.-]*)?"
_PORT = r"https?://(?:localhost|127\.0\.0\.1):#\{\s*ENV(?:\.fetch)?[\[(][^{}#@]*\}(?:/[\w/.-]*)?"
"""A port from the environment: whatever it is, the machine is this one."""


class _Setting(NamedTuple):
    """A setting of the whole client, on a line of its own."""

    sets: str
    """The line."""
    names: str
    """All words that may set it, or that go another way."""
    uses: str
    """What uses the client; such words are replaced by others."""


_SETTINGS = {
    RUBY: (
        _Setting(
            rf"(?:::)?Stripe\.api_base[ \t]*=[ \t]*(?:(['\"]){_HERE}\1|\"{_PORT}\")",
            r"\b(?:api|connect|uploads)_base\b|StripeClient|base_addresses|api_base=",
            r"\bStripe(?=::[A-Z])",
        ),
        _Setting(
            r"(?:::)?ActionMailer::Base\.delivery_method[ \t]*=[ \t]*:(?:test|file)",
            r"\b(?:add_)?delivery_methods?\b|\bdeliver\b",
            r"(?<![.\w:@$])mail(?=[ \t]*\()|(?<=\.)deliver_(?:now|later)\b!?",
        ),
        _Setting(
            r"(?:::)?Mail\.defaults[ \t]*(?:do|\{)\s+delivery_method[ \t(]+:(?:test|file|logger)\b\)?"
            r"[^\n;]*\s+(?:end|\})",
            r"\bdelivery_method\b|ActionMailer",
            r"(?<=\.)deliver\b!?",
        ),
    ),
    PHP: (
        _Setting(
            rf"\\?(?:Stripe\\)?Stripe::\$apiBase[ \t]*=[ \t]*(['\"]){_HERE}\1;",
            r"\bapi_?base\b|StripeClient|\$(?:connect|apiUpload)Base\b",
            r"(?<=[\\\s])Stripe(?=\\[A-Z]\w*::)",
        ),
    ),
}
_SITES = {
    NODE: (
        # where the client is made, what has to be among its options, and the words for the client
        (
            r"(?:\bnew\s+Stripe|(?<![\w.])Stripe|\brequire\(\s*['\"]stripe['\"]\s*\)(?:\.default)?)\s*\(",
            r"['\"]?host['\"]?\s*:\s*(['\"])(?:localhost|127\.0\.0\.1)\1\Z",
            (
                r"_setApiField|\bsetHost\b|httpClient|httpAgent|createHttpClient|\.host\b\s*=|\b_api\b|\bextends\s+Stripe"
                r"|=\s*Stripe\s*[;,\n]|\b(?![sS]tripe\b)(\w+)\s*=\s*require\(\s*['\"]stripe['\"]\s*\)(?!\s*\()[\s\S]*\b\1\s*\("
                r"|\bimport\s+(?![sS]tripe\b)\w+\s+from\s*['\"]stripe['\"]"
                r"|\bstripe\s*=\s*(?!\s*(?:new\s+Stripe|Stripe|require|await import|\())"
                r"|\bstripe\b[\s\w,}]*(?:=\s*require\(|\bfrom)\s*['\"](?!stripe['\"]|\.)"
            ),
            r"(?i)(?<![\w.$])stripe(?=\.\w)",
        ),
        (
            r"\bnew\s+Octokit\s*\(",
            r"['\"]?baseUrl['\"]?\s*:\s*(['\"])" + _HERE + r"\1\Z",
            (
                r"\bgetOctokit\b|\.defaults\(|\.endpoint\b|\.hook\b|\bfetch\s*:|\bextends\s+Octokit"
                r"|=\s*Octokit\s*[;,\n]|\bOctokit\s*:\s*\w|\bOctokit\s+as\b"
            ),
            r"(?<![\w.$])(?:octokit|github|gh|client)(?=\.\w)",
        ),
    )
}
_WORDS = pattern(r"(?i)\bstripe\b|ActionMailer|\bMail\.defaults\b|\boctokit\b")
_HIDES = pattern(r"(?m)^=begin\b|^__END__|<<[~-]?['\"A-Z]|/\*|`")
"""Signs of text in code, in which a line is no statement."""
_DYNAMIC = pattern(
    r"\b(?:send|__send__|public_send|instance_variable_set|class_variable_set|const_set|define_method|eval"
    r"|(?:class|instance|module)_eval|ReflectionClass|Reflect|prepend|singleton_class|BEGIN)\b"
    r"|(?m:^)[ \t]*Stripe[ \t]*=(?!=)"
)
_LOADS = pattern(
    r"(?m)^[ \t]*(?:require|require_relative|include|require_once|include_once|use|load|import)\b[ \t(]*"
    r"(?:__DIR__[ \t]*\.[ \t]*)?(?P<quote>['\"]?)(?P<name>[^'\"\n;)]*)(?P=quote)[ \t)]*;?[ \t]*(?:#.*)?$"
)
_STARTS = pattern(
    r"(?m)^(?![ \t]*(?:#|//|$|require|include|use\b|load\b|import\b|<\?php|declare|namespace|\*))"
)
"""The first line that does more than load others."""
_CALLS = pattern(r"\b(?!Struct\.new|Class\.new|Data\.define|ENV\b)[A-Z]\w*(?:\.|->)[a-z]")
_FUNCTION = pattern(r"[ \t]*(?:(?:public|private|protected|static|final)\s+)*(?:def|function)\b")


def _is_in_any(sought: re.Pattern[str], texts: Mapping[str, str]) -> bool:
    return any(found_in_file(sought.pattern, one) for one in texts.values())


def without_local(
    texts: Mapping[str, str], language: Language, first: tuple[str, ...] = ()
) -> dict[str, str]:
    """Return the files of a program without the words for clients that reach nobody.

    ``texts`` begins with the file where the program begins; what is ``first`` is loaded before that.
    """
    found = dict(texts)
    if not _is_in_any(_WORDS, texts) or _is_in_any(_DYNAMIC, texts):
        return found
    for setting in _SETTINGS.get(language, ()):
        if _is_set_first(setting, found, first):
            found = {path: re.sub(setting.uses, "local", one) for path, one in found.items()}
    for site, option, others, uses in _SITES.get(language, ()):
        if _are_made_local(site, option, others, found.values()):
            found = {path: re.sub(uses, "local", one) for path, one in found.items()}
    return found


def _are_made_local(site: str, option: str, others: str, texts: object) -> bool:
    """Whether each client of a program is made with an address of this machine."""
    made = []
    said = 0
    for whole in texts:  # type: ignore[attr-defined]
        text = without_comments(whole, JAVASCRIPT)
        said += len(_SAYS_SERVER.findall(text))
        if re.search(others, text):
            return False
        for one in re.finditer(site, text):
            given = bracketed.split(bracketed.upto(text[one.end() :][:2_000], ")"), ",")
            options = [each for each in given if each[:1] == "{" and not _MAY_SAY_MORE.search(each)]
            parts = [part for each in options[-1:] for part in bracketed.split(each[1:-1], ",")]
            made.append(any(re.match(option, part.strip()) for part in parts))
    return bool(made) and all(made) and said == len(made)  # a request may have a server of its own


_SAYS_SERVER = pattern(r"['\"]?\b(?:host|baseUrl)['\"]?\s*:")
_MAY_SAY_MORE = pattern(r"\.\.\.|[{,]\s*\[")


def _is_set_first(setting: _Setting, texts: Mapping[str, str], first: tuple[str, ...]) -> bool:
    """Whether all that sets a client does so before anything uses it."""
    line = re.compile(rf"(?m)^{setting.sets}[ \t]*(?:#.*)?$")
    places = {path: list(line.finditer(text)) for path, text in texts.items()}
    said = sum(len(re.findall(setting.names, text)) for text in texts.values())
    known = sum(
        len(re.findall(setting.names, one[0])) for found in places.values() for one in found
    )
    holding = [path for path, found in places.items() if found]
    if not holding or said != known or any(_HIDES.search(texts[one]) for one in holding):
        return False
    return any(
        _comes_first(path, places[path][0].start(), setting, texts, first) for path in holding
    )


def _comes_first(
    path: str,
    at: int,
    setting: _Setting,
    texts: Mapping[str, str],
    first: tuple[str, ...],
) -> bool:
    """Whether a place in a file is reached before anything of the program uses a client."""
    before, entry = texts[path][:at], first[0] if first else next(iter(texts))
    if re.search(setting.uses, before) or not all(map(_is_plain, before.split("\n"))):
        return False
    earlier = _loaded(before, texts, path)
    if path != entry:
        begun = _STARTS.search(texts[entry])
        named = _loaded(texts[entry][: begun.start()] if begun else texts[entry], texts, entry)
        if path not in named:
            return False
        earlier += named[: named.index(path)]
    return all(one in texts and _only_defines(texts[one], setting) for one in earlier)


_OPENS = pattern(
    r"\b(?:if|unless|case|while|until|for|foreach|begin|def|class|module|do|then|catch|proc|lambda|function|return|exit"
    r"|die|abort|raise|throw|goto|and|or|not)\b|[{}?]|->|&&|\|\||%[qQwWiIr]?[\[({<|!]"
)
_MARKS = ("'", '"', "`")


def _is_plain(line: str) -> bool:
    """Whether a line is a statement of its own, after which the next one surely runs."""
    code = re.sub(r"#.*|//.*|^<\?php", "", line.strip())
    if re.match(r"[ \t]*(?:#|//|$)", line):
        return True
    are_whole = all(code.count(one) % 2 == 0 for one in _MARKS)
    texts = re.sub(r"'[^']*'|\"[^\"]*\"", "''", code)
    return are_whole and texts.count("(") == texts.count(")") and not _OPENS.search(texts)


def _loaded(text: str, texts: Mapping[str, str], path: str) -> list[str]:
    """The files of the program that code loads, in order; "" for one that is not among them."""
    found = []
    for one in _LOADS.finditer(text):
        name = re.sub(r"\.(?:rb|php)\Z", "", re.sub(r"\A[./]+", "", one["name"].strip()))
        same = [
            each
            for each in texts
            if name and each != path and re.sub(r"\.\w+\Z", "", each).endswith(f"/{name}")
        ]
        is_ours = one["name"][:1] in "./" or "relative" in one[0] or "__DIR__" in one[0]
        found += same or [""] * is_ours
    return found


def _only_defines(text: str, setting: _Setting) -> bool:
    """Whether loading a file uses no client, and calls nothing of other files."""
    if _LOADS.search(text) and re.search(r"require_relative|__DIR__|['\"]\.", text):
        return False
    lines = text.split("\n")
    uses = re.compile(setting.uses)
    inside = -1
    for line in lines:
        if not line.strip():
            continue
        depth = len(line) - len(line.lstrip())
        if inside >= 0 and depth > inside:
            continue
        inside = depth if _FUNCTION.match(line) and not re.search(r";|\bend\b", line) else -1
        if inside < 0 and (uses.search(line) or _CALLS.search(line)):
            return False
    return True


# end of module
