"""Programs of Node whose clients of Google's services surely reach an emulator, because a variable says so.

``process.env.FIRESTORE_EMULATOR_HOST = "127.0.0.1:8080"`` in the module that is loaded first, or in the
command: all that the program deletes through this client is in the emulator. Owns which variable is for which
calls, and when it is certainly set before a client is made. Pure, texts to texts; lines keep their numbers.
"""

from __future__ import annotations

import re

from operators_edge.shell.code.comments import without_comments_of_node
from operators_edge.text.patterns import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

_CALLS = {
    "FIRESTORE_EMULATOR_HOST": "recursiveDelete|deleteCollection",
    "FIREBASE_AUTH_EMULATOR_HOST": "deleteUsers?",
    "FIREBASE_STORAGE_EMULATOR_HOST": "deleteFiles",
    "STORAGE_EMULATOR_HOST": "deleteFiles",
}
"""Variables that the clients ask for, and the calls that then go to the emulator."""
_USES = pattern(r"firebase|firestore|google-cloud|EMULATOR")
_MAKES_CLIENT = pattern(
    r"\b(?:getFirestore|initializeFirestore|Firestore|firestore|getAuth|auth|getStorage|storage|Storage|initializeApp)\s*\("
)
_UNSURE = pattern(
    r"\bhost['\"]?\s*:|\bapiEndpoint\b|\bservicePath\b|\.settings\s*\(|\boverride['\"]?\s*:\s*true"
    r"|\bprocess\.env\s*=|\bprocess\.env\[(?!['\"])|\bassign\(\s*process\.env|\{[^{}]*\}\s*=\s*process\b|=\s*process(?:\.env)?\s*[;,\n]"
    r"|\bimport\s*\{[^{}]*\benv\b|supabase|\beval\(|\bnew\s+Function\b|\bReflect\b"
)
"""By which a client may go elsewhere, or a variable be set in another way."""
_IMPORT = pattern(
    r"(?m)^[ \t]*(?:import\b(?!\s*(?:type\b|\())[^'\";]*?"
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
    plain = {path: without_comments_of_node(text) for path, text in texts.items()}
    if any(map(_UNSURE.search, plain.values())):
        return found
    for variable, calls in _CALLS.items():
        if _is_set(variable, plain, environment):
            call = rf"(?<=\.)(?:{calls})(?=\s*\()"
            found = {path: re.sub(call, "local", text) for path, text in found.items()}
    return found


def _is_set(variable: str, plain: Mapping[str, str], environment: Mapping[str, str]) -> bool:
    """Whether the variable is there before any client is made, whatever else runs."""
    mentions = [path for path, text in plain.items() for _ in range(len(_words(variable, text)))]
    if not mentions:
        return bool(environment.get(variable))
    if len(mentions) > 1:
        return False
    path = mentions[0]
    text = plain[path]
    sets = re.compile(
        rf"(?m)^process\.env(?:\.{variable}|\[['\"]{variable}['\"]\])[ \t]*(?:\?\?|\|\|)?=[ \t]*"
        r"(['\"])[\w.:\[\]-]+\1[ \t]*;?[ \t]*$"
    ).search(text)
    return sets is not None and _is_plain(text[: sets.start()]) and _comes_first(path, plain)


def _words(variable: str, text: str) -> list[str]:
    return re.findall(rf"(?<![A-Z_]){variable}\b", text)


def _is_plain(before: str) -> bool:
    """Whether what follows is a statement of its own that surely runs, and no client was made before."""
    last = before.rstrip()
    is_open = any(before.count(one) != before.count(two) for one, two in ("{}", "()", "[]"))
    is_text = before.count("`") % 2 == 1
    return (
        not is_open
        and not is_text
        and last[-1:] in ("", ";", "}", "'", '"')
        and not _MAKES_CLIENT.search(before)
        and not re.search(r"\b(?:process\.exit|throw|return)\b", before)
    )


def _comes_first(path: str, plain: Mapping[str, str]) -> bool:
    """Whether nothing that may make a client is loaded before this file."""
    entry = next(iter(plain))
    if any(_loaded(plain[path])):
        others = (text for one, text in plain.items() if one not in (path, entry))
        return path == entry and not any(map(_USES.search, others))
    if path == entry:
        return True
    loaded = _IMPORT.search(plain[entry])
    while loaded and _MAKES_NOTHING.match(loaded["name"] or loaded["required"]):
        loaded = _IMPORT.search(plain[entry], loaded.end())
    if loaded is None or not _is_plain(plain[entry][: loaded.start()] + ";"):
        return False
    name = re.sub(r"\A(?:\.{1,2}/)+|\.[cm]?[jt]s\Z", "", loaded["name"] or loaded["required"])
    return re.sub(r"\.[cm]?[jt]sx?\Z", "", path).endswith(f"/{name}")


def _loaded(text: str) -> list[str]:
    """What a file loads that may make a client: files of the project, and packages that are not known."""
    names = (one["name"] or one["required"] for one in _IMPORT.finditer(text))
    return [one for one in names if not _MAKES_NOTHING.match(one)]


# end of module
