"""Files and folders as facts of an approval: by content, or by what the file system says of them.

Owns how a file and a folder are compared, what a word or a pattern names, and which files a text names in
turn (a manifest, a settings file, a playbook). Does not own which of them matter to a call
(``approvals.binding.service``).
"""

from __future__ import annotations

import glob
import os
import stat

from operators_edge.approvals.binding.bound import FILE, FOLDER, SETTINGS, BoundFact
from operators_edge.contexts import suppress
from operators_edge.storage.keys import seal
from operators_edge.system.digest import sha256_hex
from operators_edge.text.patterns import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from operators_edge.approvals.binding.bound import Side
    from operators_edge.git.commands import Budget

MAX_FILES = 48
MAX_FILE_BYTES = 64 * 1024 * 1024
MAX_ENTRIES = 20_000
"""Files below one folder; with more of them the folder is not compared."""

MAX_DEPTH = 3
"""How far is followed what a text names: a file that a named file names, and so on."""

MAX_TEXT_BYTES = 256 * 1024
_MAX_TEXTS = 24
_MAX_NAMES = 400
_NAME = pattern(r"(?:~/|/|\.{1,2}/)?[\w@%+.-]+(?:/[\w@%+.*-]+)*/?")


def sealed(text: str | bytes) -> str:
    """A digest that says nothing without the person's key."""
    data = text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass")
    return seal(sha256_hex(data))[:32]


def stamp(found: os.stat_result) -> str:
    """What differs whenever a file was written or replaced: unlike ``mtime``, nobody can keep ``ctime``."""
    times = f"{found.st_mtime_ns} {found.st_ctime_ns}"
    return f"{found.st_ino} {found.st_size} {times} {found.st_mode:o}"


def file_fact(path: str, kind: str, shown: str = "") -> BoundFact:
    """A file by its content."""
    folder, name = os.path.split(path)
    side: Side = "target" if kind == SETTINGS else "content"
    digest, unknown = _content(path)
    return BoundFact(kind, shown or name, "", digest, side, place=folder, unknown=unknown)


def _content(path: str) -> tuple[str, str]:
    """The digest of a file and of where a link to it leads; or why there is none."""
    try:
        real = os.path.realpath(path)
        found = os.stat(real)
        if not stat.S_ISREG(found.st_mode):
            return sealed(f"{real} {stat.S_IFMT(found.st_mode):o}"), ""
        if found.st_size > MAX_FILE_BYTES:
            return sealed(f"{real} {stamp(found)}"), ""
        with open(real, "rb") as file:
            return sealed(f"{real}\0{sha256_hex(file.read())}"), ""
    except (OSError, ValueError) as error:
        return "", f"it cannot be read ({error})"[:120]


def listing(path: str, budget: Budget, kind: str = FOLDER) -> BoundFact:
    """A folder by the names of the files in it, and what the file system says of each."""
    folder, name = os.path.split(path)
    side: Side = "target" if kind == SETTINGS else "content"
    fact = BoundFact(kind, name, side=side, place=folder)
    lines: list[str] = []
    for base, _, names in os.walk(path):
        for each in sorted(names):
            if len(lines) == MAX_ENTRIES or budget.left <= 0:
                return fact._replace(unknown="it has too many files")
            with suppress(OSError, ValueError):  # not there, or no name of a file
                lines.append(f"{base}/{each} {stamp(os.lstat(os.path.join(base, each)))}")
    return fact._replace(digest=sealed("\n".join(sorted(lines))))


def fact_of(path: str, budget: Budget, kind: str = FILE) -> BoundFact:
    """The fact of whatever lies there."""
    if os.path.isdir(path):
        return listing(path, budget, kind=FOLDER if kind == FILE else kind)
    return file_fact(path, kind)


def matches(path: str) -> list[str]:
    """The files that a word names, also by a pattern; none for a word that is not known (``HOLE``)."""
    if "\0" in path:
        return []
    if not glob.has_magic(path):
        return [path]
    return [path] if os.path.lexists(path) else sorted(glob.glob(path))[:MAX_FILES]


# -- what a text names -----------------------------------------------------------------------------


def named_by(paths: Iterable[str], folder: str, home: str) -> list[str]:
    """The files and folders that these texts name, and those that these name: bounded, without ``paths``."""
    known = {os.path.realpath(each): each for each in paths}
    found: dict[str, str] = {}
    texts = list(known)
    for _ in range(MAX_DEPTH):
        named = [each for text in texts[:_MAX_TEXTS] for each in _named_in(text, folder, home)]
        fresh = [each for each in named if each not in known and each not in found]
        found |= dict.fromkeys(fresh, "")
        texts = fresh
    return list(found)[:MAX_FILES]


def _named_in(path: str, folder: str, home: str) -> Iterator[str]:
    """The paths that one text names, from its own folder or from where the command runs."""
    for text_path in _texts_of(path):
        above = os.path.dirname(text_path)
        for word in list(dict.fromkeys(_NAME.findall(_text(text_path))))[:_MAX_NAMES]:
            if "." not in word.strip(".") and "/" not in word:
                continue  # any word could be the name of some file
            name = home + word[1:] if word.startswith("~/") else word
            for base in dict.fromkeys((above, folder)):
                for each in matches(os.path.join(base, name)):
                    real = os.path.realpath(each)
                    if _is_worth_comparing(real, (folder, above)):
                        yield real


def _texts_of(path: str) -> list[str]:
    """The text itself; of a folder what lies in it, which is few files where it is configuration."""
    if not os.path.isdir(path):
        return [path]
    try:
        names = sorted(os.listdir(path))
    except OSError:
        return []
    return [os.path.join(path, each) for each in names] if len(names) <= MAX_FILES else []


def _text(path: str) -> str:
    try:
        if not os.path.isfile(path) or os.path.getsize(path) > MAX_TEXT_BYTES:
            return ""
        with open(path, "rb") as file:
            data = file.read()
    except OSError:
        return ""
    return "" if b"\0" in data else data.decode("utf-8", "replace")


def _is_worth_comparing(real: str, around: tuple[str, ...]) -> bool:
    """Whether a named path says something: no device, no folder that the text or the command is in."""
    try:
        mode = os.stat(real).st_mode
    except (OSError, ValueError):
        return False
    if stat.S_ISDIR(mode):
        return not any(f"{os.path.realpath(each)}/".startswith(f"{real}/") for each in around)
    return stat.S_ISREG(mode)


# end of module
