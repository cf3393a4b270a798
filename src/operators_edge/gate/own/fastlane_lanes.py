"""Whether a lane of fastlane only builds and tests here, by all that its Fastfile runs for it.

Owns which actions do no more than that, and which lanes and blocks one lane runs. Whatever is not a word of
its table is not known, so the lane counts as one that publishes. Does not own the Ruby at the top of the file
(``gate.disk.command_files``). Pure but for ``Facts``. Loaded for lanes.
"""

from __future__ import annotations

import re

from operators_edge.shell.code.comments import HASH, without_comments
from operators_edge.text.patterns import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from operators_edge.gate.invocation import Invocation
    from operators_edge.gate.paths import CallContext
    from operators_edge.shell.commands import Word

_MAX_TEXT = 64 * 1024
_MAX_BLOCKS = 200
_FOLDERS = ("fastlane", ".fastlane")
_BLOCK = pattern(
    r"(?m)^(?P<in>[ \t]*)(?:(?:override_|private_)?lane[ (]+:(?P<lane>\w+)\)?"
    r"|(?P<around>before_all|after_all|before_each|after_each|error))[ \t]+do\b(?P<given>[^\n]*)$"
)
_PLATFORM = pattern(r"(?m)^[ \t]*platform[ (]+:(\w+)\)?[ \t]+do\b")
_WORDS = frozenset(
    (
        *(
            "scan",
            "run_tests",
            "gym",
            "build_app",
            "build_ios_app",
            "build_mac_app",
            "swiftlint",
            "slather",
        ),
        *(
            "xcov",
            "cocoapods",
            "carthage",
            "snapshot",
            "capture_screenshots",
            "capture_ios_screenshots",
        ),
        *(
            "clear_derived_data",
            "ensure_bundle_exec",
            "ensure_git_status_clean",
            "setup_ci",
            "is_ci",
        ),
        *(
            "default_platform",
            "platform",
            "desc",
            "fastlane_version",
            "min_fastlane_version",
            "puts",
        ),
        *("last_git_commit", "git_branch", "lane_context", "xcversion", "ensure_xcode_version"),
        *("get_version_number", "get_build_number", "skip_docs", "opt_out_usage", "verify_xcode"),
        *("do", "end", "if", "unless", "else", "elsif", "case", "when", "then", "and", "or", "not"),
        *("nil", "true", "false", "return", "next", "ENV", "UI"),
    )
)
"""Actions that build, test or look, and the words of the language."""
_METHODS = frozenset(
    (
        *(
            "message",
            "important",
            "success",
            "header",
            "verbose",
            "error",
            "user_error",
            "strip",
            "to_s",
        ),
        *("to_i", "fetch", "nil", "empty", "any", "key", "first", "last", "upcase", "downcase"),
    )
)
_TASKS = pattern(
    r"\bgradle\s*\(\s*(?:task|tasks):\s*[\"'](?::?\w+:)*(?:clean|check|build|(?:test|assemble|lint)\w*)[\"']\s*\)"
)
_UNKNOWN = pattern(
    r"`|%[xwWiIqQ]?[({\[<|!]|<<[~-]?\w|&:|&\w|::|\bENV\[[^\]\n]*\]\s*(?:\|\|)?=[^=~]|\\"
)
_STRING = pattern(r"\"(?:[^\"\n]*)\"|'[^'\n]*'")
_FILLED = pattern(r"#\{([^{}]*)\}")
_KEY = pattern(r"(?<![\w:?]):\w+|\b\w+[?!]?:(?=\s)")
_METHOD = pattern(r"\.\s*(\w+)")
_ASSIGNED = pattern(r"(?m)^[ \t]*([a-z_]\w*)[ \t]*=(?![=~>])")
_NAME = pattern(r"[A-Za-z_]\w*")
_SETTINGS = pattern(
    r"[ \t]*(?:[a-z_]\w*[ (]+"
    r"(?:\"[^\"#`;|&$]*\"|'[^'`;|&$]*'|true|false|\d+|\[[\"'\w, .-]*\])\)?)?[ \t]*(?:#.*)?"
)
_FOR_SHELL = pattern(r"[;|&`$<>]")
"""In a text that an action may put into a command line."""
_OF_ACTIONS = ("Appfile", "Gymfile", "Scanfile", "Snapfile", "Pluginfile")


def stays(word: Word, inv: Invocation, context: CallContext) -> bool:
    """Whether a word is the lane that a command runs, and all of that lane is known to stay here."""
    named = [one.text for one in inv.operands if ":" not in one.text]
    folder = inv.working_folder(context)
    if folder is None or named[-1:] != [word.text] or len(named) > 2 or context.arrivals:
        return False
    base = next(
        (f"{folder}/{one}" for one in _FOLDERS if context.facts.names(f"{folder}/{one}")), ""
    )
    names = set(context.facts.names(base) or ()) if base else set[str]()
    if (
        "actions" in names or "Fastfile" not in names
    ):  # actions of the project's own go before others
        return False
    text = _text(f"{base}/Fastfile", context)
    others = [f"{base}/{one}" for one in _OF_ACTIONS if one in names]
    if text is None or not all(map(_is_plain, (_text(one, context) for one in others))):
        return False
    return _runs_known(without_comments(text, HASH), word.text)


def _text(path: str, context: CallContext) -> str | None:
    is_ours = context.is_inside(context.real(path), (context.root,))
    if not is_ours or context.is_changed(path):
        return None
    found = context.facts.text(path, _MAX_TEXT + 1)
    return found if found is not None and len(found) <= _MAX_TEXT else None


def _is_plain(text: str | None) -> bool:
    """Whether a file of settings, which is Ruby, only gives names their values."""
    return text is not None and all(map(_SETTINGS.fullmatch, text.split("\n")))


def _runs_known(text: str, lane: str) -> bool:
    """Whether the file itself, the lane and those that it calls have nothing but known words."""
    bodies: dict[str, list[str]] = {}
    left, end = "", 0
    for count, head in enumerate(_BLOCK.finditer(text)):
        if head.start() < end:
            continue
        closed = re.compile(rf"(?m)^{head['in']}end\b").search(text, head.end())
        if closed is None or count > _MAX_BLOCKS:
            return False
        left, body = left + text[end : head.start()], text[head.end() : closed.start()]
        given = " = 1\n".join(["", *_NAME.findall(head["given"])])[4:]
        bodies.setdefault(head["lane"] or "", []).append(f"{given} = 1\n{body}" if given else body)
        end = closed.end()
    begun = [_PLATFORM.sub("", left + text[end:]), *bodies.pop("", [])]
    if lane not in bodies or lane in _WORDS:
        return False
    asked, seen = [lane], set[str]()
    texts = begun
    while texts:
        for one in texts:
            called = _called(one, bodies)
            if called is None:
                return False
            asked += called
        new = [one for one in dict.fromkeys(asked) if one not in seen]
        seen.update(new)
        texts = [body for one in new for body in bodies[one]]
    return True


def _called(text: str, lanes: dict[str, list[str]]) -> list[str] | None:
    """The lanes that a text calls; None if it has anything that is not known."""
    text = _TASKS.sub("puts", text)
    strings = _STRING.findall(text)
    plain = _STRING.sub(" ", text)
    if any(map(_FOR_SHELL.search, strings)):
        return None
    filled = [inside for one in strings for inside in _FILLED.findall(one)]
    if _UNKNOWN.search(plain) or any(
        one.count("#{") != len(_FILLED.findall(one)) for one in strings
    ):
        return None
    whole = "\n".join((plain, *(_STRING.sub(" ", one) for one in filled)))
    if _UNKNOWN.search(whole) or '"' in whole or "'" in whole:
        return None
    if not set(_METHOD.findall(whole)) <= _METHODS:
        return None
    own = set(_ASSIGNED.findall(whole))
    names = set(_NAME.findall(_METHOD.sub(" ", _KEY.sub(" ", whole)))) - own
    if not own.isdisjoint(_WORDS) or not names <= _WORDS | lanes.keys():
        return None
    return [one for one in names if one in lanes]


# end of module
