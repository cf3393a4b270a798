"""Texts of PowerShell as sh writes them, in which this package reads its commands.

In PowerShell a backslash is a plain sign and a backtick the escape; quotes are doubled, and here-strings
(``@'`` … ``'@``) hold any quote. A variable has the value of a path or a text if it is set once, and nothing
else can set it. Pure. Does not own the options of PowerShell (``shell.runners``).
"""

from __future__ import annotations

import posixpath
import re

from operators_edge.shell.code.bracketed import upto
from operators_edge.text.patterns import pattern

_TOKEN = pattern(
    r"(?s)(?P<comment><#.*?#>)|@'\r?\n(?P<raw>.*?)\r?\n'@|@\"\r?\n(?P<text>.*?)\r?\n\"@"
    r"|'(?P<single>(?:[^'\u2018\u2019]|'')*)'|\"(?P<double>(?:[^\"`]|`.|\"\")*)\"|(?P<escape>`.)"
)
_INSIDE = pattern(r"(?s)`(?P<escaped>.)|(?P<quote>\"\")|(?P<sign>[\\\"])")
_PIPED = pattern(r"(?i)\|\s*((?:Remove-Item|rm|Stop-Process|Clear-Content|Move-Item)\b)")
"""Cmdlets that act on each object of a pipeline."""
_CMDLETS = {
    **dict.fromkeys(("ri", "del", "erase", "rd"), "Remove-Item"),
    "clc": "Clear-Content",
    "spps": "Stop-Process",
    "iex": "Invoke-Expression",
    "mi": "Move-Item",
}
_PLAIN = r"(?:ToString|Trim\w*|ToLower|ToUpper|Split|Replace|Substring)"
_MEMBERS = rf"(?:\.\w+(?![\w(])|\[-?\d+\]|\.{_PLAIN}\([^()$]*\))"
_PROPERTY = pattern(rf"(?P<start>(?:^|[;{{=])\s*)?\((?P<inside>[^();]*)\){_MEMBERS}+")
"""A member of what a command gives: ``(Get-Item x).Length``, ``(gc a | ConvertFrom-Json).version``."""
_RUNS_TEXT = pattern(r"(?i)\b(?:iex|invoke-\w+|icm|start-\w+|saps)\b|(?:^|[;|{])\s*[&.]\s")
"""What runs a text or a program that it is given."""
_GROUPED = pattern(r"(?<=\()\s*\(([^();|]*)\)(?=\s*[|)])")
_CAST = pattern(r"(?i)\[(?:xml|int|string|version|bool|datetime|array)\](?=\s*\()")
_EXPRESSION = pattern(
    r"(?i)\bInvoke-Expression\s+(?:-Command\s+)?(?:(?=['\"$])|\((?P<inside>[^()|]+)\)(?:\.\w+(?![\w(]))*)"
)
"""It runs a text, as ``eval`` does."""
_MAX_GROUPS = 4
_ALIAS = pattern(rf"(?i)(?:(?<=[|;{{])|^)(\s*)({'|'.join(_CMDLETS)})(?=\s|$)")
_PLACE = pattern(r"(?i)\$(?:PSScriptRoot\b|\{PSScriptRoot\})")
_OF_ENVIRONMENT = pattern(r"(?i)\$(?:env:(?P<name>\w+)|\{env:(?P<other>\w+)\})")
_TERM = r"""(?:"[^"\n]*"|'[^'\n]*'|\$env:\w+|\$\w+|\$\{\w+\}|(?<![-\w])[\w.~/][\w./~-]*)"""
_JOINED = pattern(
    rf"(?i)\bJoin-Path[ \t]+(?:-Path[ \t]+)?(?P<first>{_TERM})"
    rf"(?P<rest>(?:[ \t]+(?:-(?:Additional)?ChildPath[ \t]+)?{_TERM})+)"
)
_ITS_PATH = pattern(
    rf"(?i)\b(?:Resolve-Path|Convert-Path)[ \t]+(?:-(?:Literal)?Path[ \t]+)?(?P<path>{_TERM})"
)
_PARENT = pattern(
    r"(?im)\bSplit-Path[ \t]+(?:-Parent[ \t]+)?(?:-(?:Literal)?Path[ \t]+)?(?P<path>/[\w./-]+)"
    r"(?:[ \t]+-Parent)?(?=[ \t]*(?:\)|$))"
)
_IN_PARENTHESES = pattern(r"\(\s*\0(?P<term>[^\0]*)\0\s*\)(?:\.Path\b)?(?![.\w])")
"""A path that stands for a command which gives it."""
_OPTION_OF_PATH = pattern(r"(?i)\s+-(?:Additional)?ChildPath\b")
_FETCHED = r"(?:Invoke-WebRequest|Invoke-RestMethod|iwr|irm)\s[^;|\n]*"
_SET = pattern(
    r"(?im)^(?P<before>[ \t]*)(?:\[string\][ \t]*)?\$(?:script:|global:)?(?P<name>[a-z_]\w*)[ \t]*=[ \t]*"
    rf"(?P<value>{_TERM}|(?P<fetched>{_FETCHED}))[ \t]*(?=$|\#)"
)
"""A variable that is given a text, a path, or what is fetched."""
_ANY_NAME = r"(?i)(?<![\w-]){}(?![\w-])"
_SET_IN_FRONT = pattern(r"(?i)(?:(?<!\[string)\]\s*|,\s*)\$\{?(?:\w+:)?\Z")
_DECLARES = pattern(r"(?i)\b(?:param|(?:function|filter)\s+[\w:-]+)\s*\Z")
_SET_BEHIND = pattern(r"(?i)\}?\s*(?:(?:[-+*/%]|\?\?)?=(?!=)|\+\+|--|in\b|,[^\n=]*=)")
_NAMED = pattern(r"(?i)\$\{?(?:(?:script|global|local|private|using):)?\Z")
_SETS_ANY = pattern(
    r"(?i)\b\w*-?variable\b|(?<![\w-])(?:[sn]v|[opewi]v)\b|\binvoke-expression\b|\biex\b"
    r"|(?m:^|[;{(]|&&)[ \t]*\.[ \t]|scriptblock|sessionstate|executioncontext|\[ref\]"
)
"""What may set a variable that it does not name as one: a file that is sourced, a text that is run."""
_QUOTED = pattern(r"\"(?:[^\"\\]|\\.)*\"|'[^']*'|(?m:(?<!\S)\#.*$)")
_MAX_SET = 40
_MAX_LIST = 4_000
_SIGNS = {"n": "\n", "t": "\t", "r": "\r", "0": ""}


def _joined(found: re.Match[str]) -> str:
    """The parts of a path as one word: in double quotes where all of them can be."""
    parts = re.findall(_TERM, f"{found['first']} {_OPTION_OF_PATH.sub('', found['rest'])}")
    if any(one[0] == "'" and pattern(r"[$`\\\"]").search(one) for one in parts):
        return found[0]
    inside = [one[1:-1] if one[0] in "'\"" else one for one in parts]
    return '\0"' + "/".join(one.rstrip("/\\") or "/" for one in inside) + '"\0'


_PATHS = (
    (_JOINED, _joined),
    (_ITS_PATH, r"\0\g<path>\0"),
    (_PARENT, lambda one: f"\0{posixpath.dirname(one['path'])}\0"),
)


def in_sh(text: str, folder: str = "") -> str:
    """A script as sh writes it; lines keep their numbers. ``folder`` is the script's own, if it is known."""
    text = _TOKEN.sub(_written, text.replace("\0", ""))
    text = "\n".join(plain(line) for line in text.split("\n"))
    if re.fullmatch(r"/[\w./-]+", folder):
        text = _PLACE.sub(folder, text)
    for _ in range(_MAX_GROUPS):
        before = text
        for path, given in _PATHS:
            text = path.sub(given, text)
        text = _IN_PARENTHESES.sub(r"\g<term>", text).replace("\0", "")
        if text == before:
            break
    return _OF_ENVIRONMENT.sub(_variable, _with_values(text))


def _variable(found: re.Match[str]) -> str:
    name = found["name"] or found["other"]
    return f"${{{'HOME' if name.upper() == 'USERPROFILE' else name}}}"


def _with_values(text: str) -> str:
    """The text with the assignments of sh where nothing else can set the variable."""
    found = list(_SET.finditer(text))[:_MAX_SET]
    if not found or _SETS_ANY.search(text):
        return text
    bare = _QUOTED.sub(lambda one: re.sub(r"(?<!\$)\b\w|[(){}]", "_", one[0]), text)
    is_run = pattern(r"\beval\b").search(text) is not None
    settled = {
        one["name"].lower()
        for one in found
        if (one["fetched"] or not is_run)
        and bare.count("(", 0, one.start()) == bare.count(")", 0, one.start())
        and _is_set_once(one, text, bare)
    }
    for one in reversed(found):
        name = one["name"].lower()
        if name in settled:
            value = f'"$({one["fetched"].rstrip()})"' if one["fetched"] else one["value"]
            text = f"{text[: one.start()]}{one['before']}_{name}={value}{text[one.end() :]}"
    for name in settled:
        used = rf"(?i)\$(?:\{{(?:script:|global:)?{name}\}}|(?:script:|global:)?{name}\b)"
        text = re.sub(used, f"${{_{name}}}", text)
    return text


def _is_set_once(setting: re.Match[str], text: str, bare: str) -> bool:
    """Whether a variable is set at this place alone, and named nowhere but to use it in the same block."""
    count = 0
    start, end = 0, len(text)
    if bare.count("{", 0, setting.start()) != bare.count("}", 0, setting.start()):
        start, end = setting.start(), setting.end() + len(upto(bare, "}", setting.end()))
    for one in re.finditer(_ANY_NAME.format(re.escape(setting["name"])), text):
        before, behind = text[: one.start()][-80:], text[one.end() :][:200]
        if _NAMED.search(before) is None:
            if bare[one.start()] != "_":
                return False
            continue
        count += _SET_BEHIND.match(behind) is not None
        is_declared = _DECLARES.search(_before_bracket(bare, one.start())) is not None
        if is_declared or _SET_IN_FRONT.search(before) or not start <= one.start() < end:
            return False
    return count == 1


def _before_bracket(bare: str, at: int) -> str:
    """What is before the bracket that is open at a place."""
    level = 0
    if bare.count("(", 0, at) == bare.count(")", 0, at):
        return ""
    for place in range(at - 1, max(0, at - _MAX_LIST), -1):
        level += (bare[place] == ")") - (bare[place] == "(")
        if level < 0:
            return bare[max(0, place - 80) : place]
    return ""


def plain(text: str) -> str:
    """Return a text with the short names of cmdlets written out, each object a word as with xargs."""
    text = _EXPRESSION.sub(_evaluated, _ALIAS.sub(_cmdlet, _CAST.sub("", text)))
    for _ in range(_MAX_GROUPS):
        text = _PROPERTY.sub(_given, _GROUPED.sub(r"\1", text))
    return _PIPED.sub(r"| xargs \1", text)


def _given(match: re.Match[str]) -> str:
    """What gives a member, alone or within a command."""
    is_plain = match["start"] is not None or "|" not in match["inside"]
    is_run = match.string[: match.start()].rstrip()[-1:] in ("&", ".")
    if is_run or (not is_plain and _RUNS_TEXT.search(match.string)):
        return match[0]
    inside = match["inside"] if is_plain else f"$({match['inside']})"
    return f"{match['start'] or ''}{inside}"


def _cmdlet(match: re.Match[str]) -> str:
    return match[1] + _CMDLETS[match[2].lower()]


def _evaluated(match: re.Match[str]) -> str:
    return f'eval "$({match["inside"]})"' if match["inside"] else "eval "


def _written(found: re.Match[str]) -> str:
    groups = found.groupdict()
    if groups["comment"] is not None:
        return "\n" * found[0].count("\n")
    if groups["escape"] is not None:
        return f"\\{found[0][1]}"
    plain = groups["raw"] if groups["raw"] is not None else groups["single"]
    if plain is not None:
        plain = plain if groups["raw"] is not None else plain.replace("''", "'")
        made = "'" + plain.replace("'", "'\\''") + "'"
    else:
        inside = groups["text"] if groups["text"] is not None else groups["double"]
        made = f'"{_INSIDE.sub(_sign, inside)}"'
    return made + "\n" * (found[0].count("\n") - made.count("\n"))


def _sign(found: re.Match[str]) -> str:
    if found["quote"] or found["sign"]:
        return "\\" + (found["sign"] or '"')
    escaped = _SIGNS.get(found["escaped"], found["escaped"])
    return f"\\{escaped}" if escaped and escaped in '$"`\\' else escaped


# end of module
