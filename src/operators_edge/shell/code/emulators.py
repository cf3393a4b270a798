"""Programs of Node whose clients of Google's services surely reach an emulator, because a variable says so.

``process.env.FIRESTORE_EMULATOR_HOST = "127.0.0.1:8080"`` in the module that is loaded first, or in the
command: all that the program deletes through this client is in the emulator. Owns which variable is for which
calls, and when it is certainly set before a client is made. Pure, texts to texts; lines keep their numbers.
"""

from __future__ import annotations

import os.path
import re

from operators_edge.shell.code.addresses import is_here
from operators_edge.shell.code.comments import JAVASCRIPT, without_comments
from operators_edge.text.patterns import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

_CALLS = {
    "FIRESTORE_EMULATOR_HOST": ("recursiveDelete", r"[\w)]"),
    "FIREBASE_AUTH_EMULATOR_HOST": ("deleteUsers?", r"\b(?:getAuth|auth)\([^()]*\)"),
    "FIREBASE_STORAGE_EMULATOR_HOST": ("deleteFiles", r"\.bucket\([^()]*\)"),
    "STORAGE_EMULATOR_HOST": ("deleteFiles", r"\.bucket\([^()]*\)"),
}
"""Variables that the clients ask for, the calls that then go to the emulator, and of what they are."""
_OF_ADMIN = "FIREBASE_STORAGE_EMULATOR_HOST"
"""The one that Google's own library does not know."""
_USES = pattern(r"firebase|firestore|google-cloud|EMULATOR")
_ONLY_CALLS = pattern(
    r"(?:console\.\w+|require|dotenv\.config|config|path\.(?:join|resolve|dirname)|fileURLToPath|if)\Z"
)
"""What may be called before a client is made."""
_CALLED = pattern(r"([\w$.\])]+)\s*\(")
_STRINGS = pattern(r"(['\"])(?:\\.|(?!\1)[^\\\n])*\1")
_OWN_PROCESS = pattern(r"\bimport\s+process\s+from\s*['\"](?:node:)?process['\"]")
_UNSURE = pattern(
    r"\bhost['\"]?\s*:|\bapiEndpoint\b|\bservicePath\b|\.settings\s*\(|\boverride\b|\boverload\b"
    r"|\bprocess\.env\s*=|\bprocess\.env\[(?!['\"])|\bassign\(\s*process\.env|\{[^{}]*\}\s*=\s*process\b|=\s*process(?:\.env)?\s*[;,\n]"
    r"|\bprocess\b(?!\s*\.\s*(?:env\s*(?:\.\s*\w|\[\s*['\"])|(?:exit|exitCode|cwd|argv|stdout|stderr|stdin|on|once|platform|pid|uptime|hrtime|nextTick)\b))"
    r"|\bglobal(?:This)?\s*\[|\bimport\s*\{[^{}]*\benv\b|supabase|\beval\(|\bnew\s+Function\b|\bReflect\b"
)
"""By which a client may go elsewhere, or a variable be set in another way."""
_IMPORT = pattern(
    r"(?m)^[ \t]*(?:import\b(?!\s*(?:type\b(?!\s*,|\s+from\s*['\"])|\())[^'\";]*?"
    r"|export\b[^'\";{}]*(?:\{[^{}]*\})?[^'\";]*?\bfrom\s*)['\"](?P<name>[^'\"\n]+)['\"]"
    r"|\brequire\(\s*['\"](?P<required>[^'\"\n]+)['\"]\s*\)"
)
_MAKES_NOTHING = pattern(
    r"(?:node:[\w/]+|fs|path|os|url|util|firebase-admin(?:/\w+)?|@google-cloud/[\w-]+|dotenv(?:/config)?)\Z|.*\.json\Z"
)
"""What makes no client when it is loaded."""


def without_emulated(texts: Mapping[str, str], environment: Mapping[str, str]) -> dict[str, str]:
    """Return the files of a program without the calls that reach an emulator; it begins in the first file."""
    found = dict(texts)
    plain = {path: without_comments(text, JAVASCRIPT) for path, text in texts.items()}
    is_unsure = any(_UNSURE.search(_OWN_PROCESS.sub("", one)) for one in plain.values())
    if is_unsure or any(one.startswith("DOTENV_") for one in environment):
        return found
    for variable, (calls, made_by) in _CALLS.items():
        is_other = variable == _OF_ADMIN and any(
            "@google-cloud/storage" in one for one in plain.values()
        )
        if not is_other and _is_set(variable, plain, environment):
            holders = "|".join((made_by, *_held(made_by, plain)))
            call = rf"((?:{holders})\s*\??\.\s*)(?:{calls})(?=\s*\()"
            found = {path: re.sub(call, r"\1local", text) for path, text in found.items()}
    return found


def _held(made_by: str, plain: Mapping[str, str]) -> list[str]:
    """The names that hold what is made in this way, wherever they are given a value."""
    whole = "\n".join(plain.values())
    names = re.findall(rf"\b(\w+)\s*=\s*[\w.()]*?{made_by}\s*[;\n]", whole)
    given = r"(?<![\w.$])%s\s*(?::[^=\n]+)?=(?![=>])"
    return [
        rf"(?<![\w.$]){one}"
        for one in dict.fromkeys(names)
        if len(re.findall(given % one, whole)) == names.count(one)
    ]


def _is_set(variable: str, plain: Mapping[str, str], environment: Mapping[str, str]) -> bool:
    """Whether the variable is there before any client is made, whatever else runs."""
    mentions = [
        path for path, text in plain.items() for _ in re.findall(rf"(?<![A-Z_]){variable}\b", text)
    ]
    around = environment.get(variable)
    if not mentions:
        return around is not None and _is_near(around)
    if len(mentions) > 1:
        return False
    path = mentions[0]
    text = plain[path]
    sets = re.compile(
        rf"(?m)^process\.env(?:\.{variable}|\[['\"]{variable}['\"]\])[ \t]*(?P<unless>\?\?|\|\|)?=[ \t]*"
        r"(?P<quote>['\"])(?P<host>[\w.:\[\]-]+)(?P=quote)[ \t]*;?[ \t]*$"
    ).search(text)
    if sets is None or not _is_near(sets["host"]):
        return False
    if sets["unless"] and around is not None and not _is_near(around):
        return False
    return _is_plain(text[: sets.start()]) and _comes_first(path, plain, sets.start())


def _is_near(address: str) -> bool:
    host = re.fullmatch(r"(?:https?://)?(\[[\da-f:]+\]|[\w.-]+)(?::\d+)?/?", address)
    return host is not None and is_here(host[1].strip("[]"))


def _is_plain(before: str) -> bool:
    """Whether what follows is a statement of its own that surely runs, and no client was made before."""
    bare = _STRINGS.sub("''", before)
    last = bare.rstrip()
    is_open = any(bare.count(one) != bare.count(two) for one, two in ("{}", "()", "[]"))
    return (
        not is_open
        and last[-1:] in ("", ";", "}", "'", '"')
        and all(map(_ONLY_CALLS.match, _CALLED.findall(bare)))
        and not re.search(
            r"\b(?:process\.exit|throw|return|new)\b|`|/[^/\n]*[{}\[\]()][^/\n]*/", bare
        )
    )


def _comes_first(path: str, plain: Mapping[str, str], at: int) -> bool:
    """Whether nothing that may make a client is loaded before this place in this file."""
    entry = next(iter(plain))
    if path == entry:
        # What ``import`` names is loaded before the first statement, wherever it stands.
        before = [*_loaded(plain[path], at), *_loaded(plain[path], 0)]
        others = [text for one, text in plain.items() if one != path]
        is_known = all(
            one[:1] == "." for one in (*before, *(one for text in others for one in _loaded(text)))
        )
        return not before or (is_known and not any(map(_USES.search, others)))
    if any(_loaded(plain[path])):
        return False
    loaded = _IMPORT.search(plain[entry])
    while loaded and _MAKES_NOTHING.match(loaded["name"] or loaded["required"]):
        loaded = _IMPORT.search(plain[entry], loaded.end())
    if loaded is None or not _is_plain(plain[entry][: loaded.start()] + ";"):
        return False
    if loaded["required"] and _loaded(plain[entry], 0):
        return False
    name = re.sub(r"\.[cm]?[jt]sx?\Z", "", loaded["name"] or loaded["required"])
    place = os.path.normpath(os.path.join(os.path.dirname(entry), name))
    return name[:1] == "." and re.sub(r"\.[cm]?[jt]sx?\Z", "", path) == place


def _loaded(text: str, upto: int | None = None) -> list[str]:
    """What a file loads that may make a client: files of the project, and packages that are not known.

    Of what it requires, as far as that stands before a place.
    """
    found = (
        one["name"] or one["required"]
        for one in _IMPORT.finditer(text)
        if one["name"] or upto is None or one.start() < upto
    )
    return [one for one in found if not _MAKES_NOTHING.match(one)]


# end of module
