"""Whether a lane of fastlane only tests, builds or looks: all that it calls is known to publish nothing.

Owns reading the ``Fastfile`` and its lanes. Does not own what its Ruby starts or deletes (``gate.disk``).
Pure but for ``Facts``. Loaded for such commands.
"""

from __future__ import annotations

import re

from operators_edge.text.patterns import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from operators_edge.gate.invocation import Invocation
    from operators_edge.gate.paths import CallContext

_MAX_TEXT = 64 * 1024
_PLATFORMS = frozenset(("ios", "android", "mac"))
_OPTION = pattern(r"\w+:[\w./-]*")
_ACTIONS = frozenset(
    (
        *("scan", "run_tests", "gym", "build_app", "build_ios_app", "build_mac_app", "swiftlint"),
        *(
            "snapshot",
            "capture_screenshots",
            "capture_ios_screenshots",
            "slather",
            "xcov",
            "danger",
        ),
        *("cocoapods", "carthage", "setup_ci", "clear_derived_data", "xcode_select", "xcversion"),
        *("xcodes", "rubocop", "rspec", "ensure_git_status_clean", "ensure_git_branch", "puts"),
        *(
            "get_version_number",
            "get_build_number",
            "git_branch",
            "last_git_commit",
            "is_ci",
            "println",
        ),
        *("default_platform", "platform", "desc", "fastlane_version", "min_fastlane_version"),
        *("opt_out_usage", "before_all", "after_all", "before_each", "after_each", "error", "lane"),
        *("private_lane", "skip_docs", "ensure_xcode_version", "lane_context", "options", "params"),
    )
)
"""What publishes nothing, changes nothing that others see and starts no text of the file."""
_WORDS = frozenset(
    (
        *(
            "do",
            "end",
            "if",
            "unless",
            "else",
            "elsif",
            "then",
            "true",
            "false",
            "nil",
            "and",
            "or",
        ),
        *("not", "UI", "message", "success", "important", "header", "user_error", "SharedValues"),
        *("ENV", "fetch", "empty", "to_s", "to_i", "strip"),
    )
)
_LANE = pattern(r"(?m)^([ \t]*)(?:private_)?lane[ \t]+:(\w+)[ \t]+do\b.*$")
_OPENS = pattern(
    r"(?m)\bdo\b|^[ \t]*(?:if|unless|case|begin|while|until|def|class|module|for)\b"
    r"|=[ \t]*(?:if|unless|case|begin)\b"
)
_TEXT = pattern(r"\"(?:[^\"\\#\n]|\\.|#\{[\w.:\[\]]*\}|#(?!\{))*\"|'[^'\\\n]*'")
_PLAIN_TEXT = pattern(r"[\w\s./:,@#{}=\[\]()+*!?'\"-]*")
_COMMENT = pattern(r"(?m)(?:^|(?<=\s))#(?!\{).*$")
_PLAIN = pattern(r"(?![\s\S]*\bslack)[\w\s()\[\]{},.:?!=<>&|+-]*")
"""No back quotes, ``%x`` or other ways to start a program, and no messages to others."""
_NAME = pattern(r"(?<![\w:@.])[A-Za-z_]\w*(?!\w)(?!:(?!:))|(?<=\.)[A-Za-z_]\w*|(?<=::)[a-z_]\w*")
"""What may be a call: no symbol, key or constant."""
_SET = pattern(r"(?m)^[ \t]*([A-Za-z_]\w*)[ \t]*=(?!=)|\|([\w, ]+)\|")

_CALLED = pattern(
    r"\b([A-Za-z_]\w*)(?:\(|[ \t]+(?!(?:if|unless|and|or|do|then|in)\b|[-+*/<>=&|?.,)\]}])\S)"
)
"""A name that is given words: a method, even if a variable has that name."""


def stays_here(inv: Invocation, context: CallContext) -> bool:
    """Whether the lane that the words name is of the project's Fastfile and calls only such actions."""
    folder = inv.working_folder(context)
    words = [word.text for word in inv.command.argv[1:]]
    names = [one for one in words if not _OPTION.fullmatch(one)]
    names = names[1:] if names[:1] and names[0] in _PLATFORMS else names
    is_plain = all(word.is_known for word in inv.command.argv) and not inv.command.has_more_words
    if folder is None or not is_plain or len(names) != 1 or inv.command.is_remote:
        return False
    if context.arrivals or context.moved or context.facts.names(f"{folder}/fastlane/actions"):
        return False
    path = f"{folder}/fastlane/Fastfile"
    is_near = context.is_inside(context.real(path), (context.root,))
    text = (
        context.facts.text(path, _MAX_TEXT + 1)
        if is_near and not context.is_changed(path)
        else None
    )
    return text is not None and len(text) <= _MAX_TEXT and _calls_known(text, names[0])


def _calls_known(text: str, lane: str) -> bool:
    """Whether the lane, with what is around all lanes, calls only known actions and other such lanes."""
    is_plain = all(_PLAIN_TEXT.fullmatch(one[0]) for one in _TEXT.finditer(text))
    code = _COMMENT.sub("", _TEXT.sub('""', text))
    lanes = _lanes(code)
    if not is_plain or lanes is None or lane not in lanes:
        return False
    outside = code
    for body in lanes.values():
        outside = outside.replace(body, "", 1)
    reached, left = set[str](), [lane, *_names(outside)]
    while left:
        name = left.pop()
        if name in lanes and name not in reached:
            reached.add(name)
            left += _names(lanes[name])
    used = "\n".join([outside, *(lanes[one] for one in reached)])
    own = {one for found in _SET.findall(used) for one in re.findall(r"\w+", " ".join(found))}
    own -= {one[1] for one in _CALLED.finditer(used)}
    known = _ACTIONS | _WORDS | lanes.keys() | own
    return _PLAIN.fullmatch(used.replace('""', "")) is not None and known.issuperset(_names(used))


def _lanes(code: str) -> dict[str, str] | None:
    """The text of each lane by its name; None if one is there twice, or it is not certain where one ends."""
    found: dict[str, str] = {}
    for one in _LANE.finditer(code):
        end = re.compile(rf"(?m)^{one[1]}end\b").search(code, one.end())
        body = code[one.start() : end.end()] if end else ""
        if (
            one[2] in found
            or not body
            or len(_OPENS.findall(body)) != len(re.findall(r"\bend\b", body))
        ):
            return None
        found[one[2]] = body
    return found


def _names(code: str) -> list[str]:
    return [one[0] for one in _NAME.finditer(code)]


# end of module
