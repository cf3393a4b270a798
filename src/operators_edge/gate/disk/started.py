"""What a text from a file starts: the commands of a shell text, and those of code in another language.

Owns reading such a text, kept for the next call, with what it knows of itself: its path and its arguments.
Pure. Does not own finding the text (``gate.disk.follow``), nor the languages (``shell.code``).
"""

from __future__ import annotations

import os.path
import re
from functools import lru_cache

from operators_edge.shell.code.languages import INTERPRETERS
from operators_edge.shell.commands import HOLE, OWN_PATH, Word, quoted
from operators_edge.shell.evaluate import parse
from operators_edge.shell.runners import find_embedded, has_commands_of_its_own
from operators_edge.shell.scope import TAKES_DEFAULTS, TOP_LEVEL
from operators_edge.text.patterns import compiled, pattern
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from operators_edge.shell.commands import Script
    from operators_edge.shell.evaluate import Disk
    from operators_edge.shell.folder_changes import Outcome


class Started(NamedTuple):
    """A shell text that code runs, the position of the call in the code, and the variables that it gets."""

    text: str
    position: int
    environment: tuple[tuple[str, str], ...] = ()


def parsed_once(
    text: str,
    home: str,
    arguments: tuple[str, ...],
    assigned: tuple[tuple[str, str], ...],
    sourced: tuple[tuple[str, str], ...] = (),
    *,
    top: str = "",
    folder: str = "",
    takes_defaults: bool = False,
    outcome: Outcome | None = None,
    disk: Disk | None = None,
) -> Script:
    """The commands of a shell text in a file.

    ``folder`` is where it runs, ``top`` what git takes for the top of the repository around that. A variable
    that nothing known sets is unset if it ``takes_defaults``. ``outcome`` is that of its changes of folder,
    ``disk`` what files hold that it reads.
    """
    env = {"HOME": home, **dict(assigned)} if home else dict(assigned)
    env |= {"PWD": folder} if folder else {}
    env |= {TOP_LEVEL: top} if top else {}
    env |= {TAKES_DEFAULTS: "1"} if takes_defaults else {}
    env |= {"BASH_SOURCE": arguments[0]} if arguments else {}
    return parse(
        text,
        env=env,
        arguments=arguments,
        is_program=True,
        sourced=dict(sourced),
        exported=dict(assigned),
        outcome=outcome,
        disk=disk,
    )


parsed = lru_cache(maxsize=256)(parsed_once)
"""The same, kept: the same files run again and again."""


@lru_cache(maxsize=256)
def started_by_code(
    program: str,
    option: str,
    text: str,
    beside: str = "",
    options: tuple[str, ...] = (),
    *,
    environment: tuple[tuple[str, str], ...] = (),
) -> tuple[Started, ...]:
    """What code in a file starts or deletes, as shell texts; ``beside`` is what other files define."""
    if has_commands_of_its_own(program):
        inner = find_embedded(program, (Word(program),), text)
        texts = [one.text.text for one in inner if one.text is not None]
        return tuple(Started(run, _position(text, (run,))) for run in texts)
    if program not in INTERPRETERS or not (may_start(text) or (beside and may_start(beside))):
        return ()
    from operators_edge.shell.code.interpreters import find_calls  # noqa: PLC0415 - most files hold no such code

    found = []
    words = _arguments(program, option, text)
    for call in find_calls(program, words, None, beside, options, environment=environment):
        run = call.text if call.text is not None else _as_text(call.words)
        run = f"{quoted(['cd', call.folder])}; {run}" if call.folder else run
        named = call.words or (call.text or "",)
        at = _start_of(text, call.line) if call.line else _position(text, named)
        found.append(Started(run, at, call.environment))
    if "chmod" in text:
        from operators_edge.shell.code.opened_paths import opened_by  # noqa: PLC0415 - little code sets modes

        found += [Started(one.command, one.position) for one in opened_by(text)]
    return tuple(found)


_FILES = pattern(r"[\w./~-]*[*?][\w./~*?-]*")
"""A pattern of files, which a program has listed before it deletes them."""
_OWN_FILES = pattern(rf"({re.escape(OWN_PATH)}(?:/[\w-][\w.-]*)*)/[\w.-]*\*[\w.*-]*")
"""A pattern of files in a folder that the program has made: at most all of it."""


def _as_text(words: tuple[str, ...]) -> str:
    if words[:1] != ("rm",):
        return quoted(words)
    words = tuple(own[1] if (own := _OWN_FILES.fullmatch(one)) else one for one in words)
    return " ".join(one if _FILES.fullmatch(one) else quoted([one]) for one in words)


_ARGUMENTS = {
    # how a language names the words of its command: all of them, or one by its number from this one on
    "python": (r"\bsys\.argv\b(?:\[(\d+)\])?", 0),
    "node": (r"\bprocess\.argv\[(\d+)\]", 1),
    "ruby": (r"\bARGV\[(\d+)\]", -1),
    "perl": (r"\$ARGV\[(\d+)\]", -1),
    "php": (r"\$argv\[(\d+)\]", 0),
}


_OWN_FILE = {
    # how a language names the file that code is in, and the folder of that
    "python": (r"\b__file__\b", r"(?!)"),
    "node": (
        r"\b__filename\b|\bimport\.meta\.filename\b",
        r"\b__dirname\b|\bimport\.meta\.dirname\b",
    ),
    "ruby": (r"\b__FILE__\b", r"\b__dir__\b"),
    "perl": (r"\b__FILE__\b", r"(?<!\\)\$FindBin::(?:Real)?Bin\b"),
    "php": (r"\b__FILE__\b", r"\b__DIR__\b"),
}


_FILE_OF_URL = r"(?<!== )(?<![\w$.])(?:url\.)?fileURLToPath\(\s*{}\s*\)(?!\s*===?)"
_OF_URL = _FILE_OF_URL.format(r"import\.meta\.url")
_URL_BELOW = r"\bnew\s+URL\(\s*(['\"])([\w.][\w./-]*)\1\s*,\s*import\.meta\.url\s*\)"
_DIRNAME = rf"(?<![\w$.])(path\.)?dirname\(\s*(?:{_OF_URL}|import\.meta\.filename|__filename)\s*\)"
_PICKS = (
    r"\{{[^{{}}]*(?<!as\s)(?<!:\s)(?<![\w$]){0}\s*[,}}](?:[^{{}}]*\}})?"
    r"\s*(?:from\s*['\"](?:node:)?{1}['\"]|=\s*require\(\s*['\"](?:node:)?{1}['\"])"
)
_HAS_URL = r"\bimport\s+(?:\*\s+as\s+)?url\s+from\s*['\"](?:node:)?url['\"]"
_OTHERWISE = r"\b(?:function|class|let|var)\s+(?:{0})\b|(?<![\w$.])(?:{0})\s*(?:=(?![=>])|:)"


def _with_own_urls(text: str, path: str) -> str:
    """Node's code with its own place for what a module computes it by: ``fileURLToPath(import.meta.url)``."""
    if compiled(_OTHERWISE.format("fileURLToPath|dirname|URL")).search(text):
        return text
    folder = os.path.dirname(path)
    if compiled(_PICKS.format("fileURLToPath", "url")).search(text) or compiled(_HAS_URL).search(
        text
    ):
        is_plain = compiled(_PICKS.format("dirname", "path")).search(text) is not None
        text = compiled(_DIRNAME).sub(
            lambda one: repr(folder) if one[1] or is_plain else one[0], text
        )
        below = compiled(_FILE_OF_URL.format(_URL_BELOW))
        text = below.sub(lambda one: repr(os.path.join(folder, one[2])), text)
        text = compiled(_OF_URL).sub(lambda _: repr(path), text)
    return compiled(_URL_BELOW).sub(lambda one: repr(os.path.join(folder, one[2])), text)


def with_own_path(program: str, text: str, path: str) -> str:
    """Return code with its own path in the place of the names for it."""
    if program == "node" and "import.meta.url" in text:
        text = _with_own_urls(text, path)
    patterns = _OWN_FILE.get(program, ())
    for source, known in zip(patterns, (path, os.path.dirname(path)), strict=False):
        text = compiled(source).sub(lambda _, known=known: repr(known), text)  # type: ignore[misc]
    return text


def with_arguments(program: str, text: str, arguments: tuple[str, ...]) -> str:
    """Return code with the words of its command in the place of their names."""
    pattern, skipped = _ARGUMENTS.get(program, ("", 0))
    if not arguments or not pattern or "argv" not in text.lower() or HOLE in "".join(arguments):
        return text

    def known(match: re.Match[str]) -> str:
        if match[1] is None:
            return str(list(arguments))
        at = int(match[1]) - skipped
        return repr(arguments[at]) if at < len(arguments) else match[0]

    return compiled(pattern).sub(known, text)


def _arguments(program: str, option: str, text: str) -> tuple[str, ...]:
    """Return the words with which a program would be given its file's text."""
    if program == "sed":
        return (program, *(f"--expression={line}" for line in text.split("\n")))
    return (program, option, text)


_STARTS = pattern(
    r"(?i)system|popen|subprocess|spawn|exec|unlink|rmtree|remove|rmdir|\brm|kill|`|%x|qx|delete|truncate|open"
    r"|\bcommand\b|\.(?:post|put|patch|send\w*|drop\w*|flush\w*|clear\w+|reset|destroy|empty\w+|purge\w*|prune|push|terminate\w*|request|read_text|read_bytes)\("
    r"|write|urlretrieve|getstore|mirror|download\.file|append\w*file|readfile|file_(?:get|put)_contents|passthru|capture[23]|\bfork|rename|move|copy|\bcp|\bmv"
    r"|\bdrop_\w|os\.replace|link|chmod|\bCmd\b|Deno\.run|System\.(?:cmd|shell)|rimraf|emptydir|\bdel[(.]|getoutput"
    r"|do_shell_script|processx::|saveRDS|File\.new|io\.output"
    r"|import\s+sh\b|fetch|Net::|https?|mail|deliver|query|\b(?:drop|alter|update|insert)\s"
    r"|stripe|octokit|twilio|gh-pages|boto|sagemaker|aiplatform|azure|mlflow|openai|databricks|runpod|replicate"
    r"|slack|telegram|discord|git(?:hub|lab)|jira|tweepy|mailchimp|kubernetes|\bsky\.|\bmodal\b|airflow"
    r"|push_to_|upload|\.create\w*\(|notif|broadcast|crontab|call_command"
)


@lru_cache(maxsize=1024)
def may_start(text: str) -> bool:
    return _STARTS.search(text) is not None


def _start_of(text: str, line: int) -> int:
    at = 0
    for _ in range(line - 1):
        at = text.find("\n", at) + 1
    return at


def _position(text: str, words: Sequence[str]) -> int:
    """Return where a call is, by the longest of its words that the code spells out; else the beginning."""
    parts = [part for word in words for part in word.split(HOLE)]
    pieces = [part for word in words for part in re.split(r"[^\w.-]+", word)]
    for each in (parts, pieces):
        for part in sorted(each, key=len, reverse=True):
            at = text.find(part) if len(part) > 1 else -1
            if at >= 0:
                return at
    return 0


# end of module
