"""Files that a text puts in place before it runs them: copies, patches, archives, other commits, downloads.

Owns which files such a command brings, and what they will hold, as far as that can be known. Pure but for
``Facts``. Does not own which commands do so (``brings`` in the packs), what a shell writes itself
(``shell.evaluate``), nor what runs the files (``gate.disk.follow``). Loaded for texts with such a command.
"""

from __future__ import annotations

import json
import os.path
import re
from fnmatch import translate

from operators_edge.gate.invocation import (
    brings,
    find_flags,
    links_of,
    sources_and_targets,
)
from operators_edge.gate.path_patterns import has_wildcard
from operators_edge.locations import is_within
from operators_edge.shell.commands import HOLE, Word
from operators_edge.shell.wrapper_table import FETCHES
from operators_edge.text.patterns import pattern
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from operators_edge.gate.invocation import Invocation
    from operators_edge.gate.paths import CallContext
    from operators_edge.shell.commands import Script

    Reader = Callable[[str], str | None]
    ReadIn = Callable[[str, CallContext], str | None]

    Kind = Callable[[Invocation, list[Word], CallContext, Reader], Iterator["Arrival"]]

MAX_ARRIVALS = 64
_FETCHER, _CLONER = "fetch", "clone"
"""The programs of what is fetched, as the packs name them: of single files, and of whole projects."""
_SOME_FILES = "files"
_MAX_HUNKS = 500
_MAX_SETTINGS = 1_000_000


class Arrival(NamedTuple):
    """A file or folder that will be there, and where it comes from.

    ``kind``: "copy" of the path ``origin``, a file of a git "revision", a member of an "archive", a known
    "text", what a "patch" changes, or "unseen": what ``program`` fetches or computes. Of a "revision"
    ``program`` is the repository.
    ``strip`` is the number of folders that are left out of the names, ``maker`` the file with the text that
    computes it. ``is_file``: it is certainly a file. ``changes``: any file that is there may become another.
    """

    kind: str
    place: str
    origin: str
    span: tuple[int, int]
    program: str = ""
    strip: int = 0
    maker: str = ""
    is_file: bool = False
    changes: bool = False


def find(invs: Iterable[Invocation], context: CallContext, read: Reader) -> list[Arrival]:
    """Return what the commands bring, in their order; ``read`` reads a file as it is now."""
    found: list[Arrival] = []
    for inv in invs:
        kind, words = brings(inv)
        if kind in _KINDS and inv.working_folder(context) is not None and not inv.command.is_remote:
            found += _KINDS[kind](inv, words, context, read)
    return found[:MAX_ARRIVALS]


def computed(script: Script, context: CallContext) -> list[Arrival]:
    """Return the files that get what a program prints, if that is not known."""
    found = []
    maker = context.around[-1][0] if context.around else ""
    for name, program in script.outputs[:MAX_ARRIVALS]:
        path = context.resolve(name, context.cwd)
        if path is not None and path not in context.copies:
            named = _SOME_FILES if program == "cat" else program  # which ones is not known
            is_file = not name.endswith("/")  # ``cp x folder/``
            found.append(Arrival("unseen", path, "", (-1, -1), named, maker=maker, is_file=is_file))
    return found


def unseen(path: str, maker: str) -> Arrival:
    """A file whose text a program computes that was run from ``maker``."""
    program = os.path.basename(maker) or _SOME_FILES
    return Arrival("unseen", path, "", (-1, -1), program, maker=maker, is_file=True)


def in_unseen(found: Iterable[Arrival]) -> list[Arrival]:
    """Return what archives and patches bring that are brought themselves: it is as unseen as they are."""
    known = list(found)
    unseen = {one.place: one.program for one in known if one.kind == "unseen"}
    inside = (one for one in known if one.kind in _INSIDE and one.origin in unseen)
    return [one._replace(kind="unseen", program=unseen[one.origin]) for one in inside]


_INSIDE = ("archive", "patch")


# -- copies ----------------------------------------------------------------------------------------

_REMOTE = pattern(r"(?:[\w.-]+@)?[\w.-]+:|\w+://")


def _copies(inv: Invocation, _: list[Word], context: CallContext, __: Reader) -> Iterator[Arrival]:
    sources, targets = sources_and_targets(inv)
    if not sources:  # ``sftp host:x``
        sources, targets = [one for one in targets if _REMOTE.match(one.text)], [Word(".")]
    base = inv.working_folder(context)
    for target in targets:
        place = context.resolve(target.text, base)
        for source in sources if place else ():
            if HOLE in source.text:
                yield from _unknown(inv, context, source.text, place or "", _SOME_FILES)
            elif _REMOTE.match(source.text):
                yield from _unknown(inv, context, source.text, place or "")
            else:
                yield from _copy(inv, context, source.text, place or "")


def _copy(inv: Invocation, context: CallContext, source: str, place: str) -> Iterator[Arrival]:
    span, name = inv.command.span, os.path.basename(source.rstrip("/"))
    origin = context.resolve(source, inv.working_folder(context))
    if origin is None:
        return
    if has_wildcard(name):
        folder, pattern = os.path.dirname(origin), re.compile(translate(name))
        for one in (context.facts.names(folder) or ())[:MAX_ARRIVALS]:
            if pattern.match(one):
                yield Arrival("copy", os.path.join(place, one), os.path.join(folder, one), span)
        return
    is_inside = (
        name == "."
        or (source.endswith("/") and inv.program == "rsync")
        or bool(find_flags(inv, ["-T", "--no-target-directory"]))
    )
    is_folder = context.facts.names(place) is not None
    if is_inside or not is_folder:
        yield Arrival("copy", place, origin, span)
    if not is_inside:
        yield Arrival("copy", os.path.join(place, name), origin, span)


def _links(inv: Invocation, _: list[Word], context: CallContext, __: Reader) -> Iterator[Arrival]:
    for link, path in links_of(inv, context):
        yield Arrival("copy", link, path, inv.command.span)


# -- git -------------------------------------------------------------------------------------------


def _revision(
    inv: Invocation, words: list[Word], context: CallContext, _: Reader
) -> Iterator[Arrival]:
    named = inv.values(("-s", "--source")) or words[:1]
    yield from _of_commit(inv, context, [word.text for word in named])


def _stash(
    inv: Invocation, words: list[Word], context: CallContext, _: Reader
) -> Iterator[Arrival]:
    given = [word.text for word in words[:1]] or ["0"]
    yield from _of_commit(
        inv, context, [f"stash@{{{one}}}" if one.isdigit() else one for one in given]
    )


def _of_commit(inv: Invocation, context: CallContext, names: Sequence[str]) -> Iterator[Arrival]:
    repository = context.facts.repository(inv.working_folder(context) or "")
    for name in names if repository else ():
        if name[:1] not in ("", "-", ":") and HOLE not in name:
            top = (repository or ("",))[0]
            yield Arrival("revision", top, name, inv.command.span, top)


def _worktree(
    inv: Invocation, words: list[Word], context: CallContext, _: Reader
) -> Iterator[Arrival]:
    """``git worktree add PATH COMMIT``."""
    base = inv.working_folder(context) or ""
    repository = context.facts.repository(base)
    place = context.resolve(words[0].text, base) if words else None
    if repository and place:
        revision = words[1].text if len(words) > 1 else "HEAD"
        yield Arrival("revision", place, revision, inv.command.span, repository[0])


# -- what is fetched -------------------------------------------------------------------------------

_ELSEWHERE = pattern(r"[^\s:]*:[^\s]|\0")
"""What a client names on its server: ``s3://b/x``, ``pod:/x``, ``remote:x``; it may be unknown."""


def _unknown(
    inv: Invocation, context: CallContext, source: str, place: str, program: str = _FETCHER
) -> Iterator[Arrival]:
    """Yield a file or folder that nobody here has seen: at the place, or in it if that is a folder."""
    name = os.path.basename(re.split("[?#]", source)[0]).rpartition(":")[2]
    if (
        name
        and HOLE not in name
        and not has_wildcard(name)
        and context.facts.names(place) is not None
    ):
        place = os.path.join(place, name)
    yield Arrival("unseen", place, source, inv.command.span, program)


_FOLDER_OPTIONS = ("-P", "--directory-prefix", "--output-dir", "-d", "--dir", "-D")
"""Options that name the folder for what is fetched; ``curl -D`` names a file, which it may be as well."""


def _places_named(inv: Invocation) -> tuple[list[str], list[str]]:
    """Return the folders and the files that options name for what is fetched."""
    options = {*inv.spec.get("write_options", ()), *inv.sub_options()}
    given = [(one.name, one.value) for one in find_flags(inv, options)]
    folders = [word.text for name, word in given if word and name in _FOLDER_OPTIONS]
    return folders, [word.text for name, word in given if word and name not in _FOLDER_OPTIONS]


def _put_there(
    inv: Invocation, context: CallContext, names: Iterable[str], source: str = ""
) -> Iterator[Arrival]:
    base = inv.working_folder(context)
    for name in dict.fromkeys(names):
        place = context.resolve(name, base)
        if place:
            yield Arrival("unseen", place, source, inv.command.span, _FETCHER)


def _downloads(
    inv: Invocation, words: list[Word], context: CallContext, _: Reader
) -> Iterator[Arrival]:
    """Yield files that get the name of their address, in this folder or one that an option names."""
    folders, files = _places_named(inv)
    is_named = not find_flags(inv, ["-J", "--remote-header-name", "--content-disposition", "-i"])
    for word in words or inv.values(("-i", "--input-file")):
        name = os.path.basename(re.split("[?#]", word.text)[0])
        if not is_named or HOLE in name:
            name = ""  # which file it will be is not known
        elif not name or "/" not in word.text:
            continue
        places = [os.path.join(folder, name) for folder in folders or ["."]]
        yield from _put_there(inv, context, places, word.text)
    yield from _put_there(inv, context, files)


def _received(
    inv: Invocation, words: list[Word], context: CallContext, _: Reader
) -> Iterator[Arrival]:
    """Yield what a client copies from its server: ``aws s3 cp s3://b/x .``, ``docker cp c:/x .``."""
    there = [at for at, word in enumerate(words) if _ELSEWHERE.match(word.text)]
    targets = words[there[-1] + 1 :][-1:] if there else []
    if there and (targets or there[-1] == 0):
        place = context.resolve(targets[0].text if targets else ".", inv.working_folder(context))
        for at in there if place else ():
            yield from _unknown(inv, context, words[at].text, place or "")


def _received_all(
    inv: Invocation, words: list[Word], context: CallContext, read: Reader
) -> Iterator[Arrival]:
    """Yield what a client copies out of a folder of its server: the names are not known."""
    inside = [word._replace(text=f"{word.text}/") for word in words[:-1]]
    yield from _received(inv, [*inside, *words[-1:]], context, read)


def _pulled(
    inv: Invocation, words: list[Word], context: CallContext, _: Reader
) -> Iterator[Arrival]:
    """Yield what a client puts under its last word, or under the name of the only one."""
    place = context.resolve(words[-1].text if len(words) > 1 else ".", inv.working_folder(context))
    for word in (words[:-1] or words) if place else ():
        yield from _unknown(inv, context, word.text, place or "")


def _fetched(inv: Invocation, _: list[Word], context: CallContext, __: Reader) -> Iterator[Arrival]:
    """Yield where a client puts what it fetches: what options name, or files in this folder."""
    folders, files = _places_named(inv)
    inside = [os.path.join(folder, name) for folder in folders for name in files]
    yield from _put_there(inv, context, [*inside, *files] or folders or ["."])


def _commits(
    inv: Invocation, words: list[Word], context: CallContext, _: Reader
) -> Iterator[Arrival]:
    """Yield a repository into which the commits of another one come, which is named by its address."""
    repository = context.facts.repository(inv.working_folder(context) or "")
    address = words[0].text if words else ""
    if repository and _REMOTE.match(address):
        yield Arrival("unseen", repository[0], address, inv.command.span, _FETCHER, changes=True)


def _clones(
    inv: Invocation, words: list[Word], context: CallContext, _: Reader
) -> Iterator[Arrival]:
    before = inv.dashes - len(inv.operands) + len(words)  # ``gh repo clone a/b -- --depth 1``
    texts = [word.text for word in (words[:before] if before > 0 else words)]
    address = next((at for at, text in enumerate(texts) if "/" in text or ":" in text), 0)
    if not texts:
        return
    name = os.path.basename(texts[address].rstrip("/")).removesuffix(".git").rpartition(":")[2]
    given = texts[address + 1] if len(texts) > address + 1 else name
    place = context.resolve(given, inv.working_folder(context))
    if place is not None:
        yield Arrival("unseen", place, texts[address], inv.command.span, _CLONER)


# -- archives --------------------------------------------------------------------------------------


def _unpacked(
    inv: Invocation, words: list[Word], context: CallContext, __: Reader
) -> Iterator[Arrival]:
    named = inv.values(("-f", "--file")) or (words or inv.operands)[:1]
    folders = inv.values(("-C", "--directory", "-d", "-o"))
    base = inv.working_folder(context)
    place = context.resolve(folders[0].text, base) if folders else base
    strips = [word.text for word in inv.values(("--strip-components", "--strip"))]
    strip = int(strips[0]) if strips and strips[0].isdigit() else 0
    piped = inv.command.stdin_program
    if place is None:
        return
    if inv.command.stdin_kind == "pipe" and piped and piped != "cat":
        yield Arrival("unseen", place, "-", inv.command.span, piped)
    for word in named:
        path = context.resolve(word.text, base)
        if path is not None:
            yield Arrival("archive", place, path, inv.command.span, inv.program, strip)


_PACKED = pattern(r"\.(gz|xz|bz2|zst|lzma|lz4|br|Z|uu|b64|gpg|enc|age)$")


def _decompressed(
    inv: Invocation, words: list[Word], context: CallContext, _: Reader
) -> Iterator[Arrival]:
    """Yield files that are unpacked beside their archive, under its name without the ending."""
    for word in words:
        path = context.resolve(_PACKED.sub("", word.text), inv.working_folder(context))
        if path is not None and _PACKED.search(word.text):
            yield Arrival("unseen", path, word.text, inv.command.span, inv.program)


# -- patches ---------------------------------------------------------------------------------------

_HEAD = pattern(r"(?:--- (?P<old>[^\t\n]+)[^\n]*\n)\+\+\+ (?P<new>[^\t\n]+)[^\n]*\n")
_HUNK = pattern(r"@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@[^\n]*\n")


def _patched(
    inv: Invocation, _: list[Word], context: CallContext, read: Reader
) -> Iterator[Arrival]:
    from operators_edge.gate.given_texts import patch_texts  # noqa: PLC0415 - few commands apply patches

    base = inv.working_folder(context)
    if inv.program == "git":
        repository = context.facts.repository(base or "")
        base = repository[0] if repository else base
    yield from _changed_by(inv, base, context)
    for word in patch_texts(inv, context):
        text = word.text
        heads = list(_HEAD.finditer(text))[:_MAX_HUNKS]
        for at, head in enumerate(heads):
            end = heads[at + 1].start() if at + 1 < len(heads) else len(text)
            name = head["new"].strip()
            for plain in dict.fromkeys((name.partition("/")[2], name)):
                path = context.resolve(plain, base) if plain else None
                if path is not None:
                    new = _with_hunks(read(path) or "", text[head.end() : end])
                    yield Arrival("text", path, new, inv.command.span)


def _changed_by(inv: Invocation, base: str | None, context: CallContext) -> Iterator[Arrival]:
    """Yield the project as what a patch may change: one that is fetched, or one from a file."""
    from operators_edge.gate.given_texts import patch_files  # noqa: PLC0415 - few commands apply patches

    if base is None or find_flags(inv, _ONLY_SHOWS):
        return
    program = inv.command.stdin_program
    if inv.command.stdin is None and program in FETCHES:
        yield Arrival("unseen", base, "", inv.command.span, program, changes=True)
    for word in patch_files(inv, context):
        path = context.resolve(word.text, inv.working_folder(context))
        if path is not None:
            yield Arrival("patch", base, path, inv.command.span, changes=True)


_ONLY_SHOWS = ("--check", "--stat", "--numstat", "--summary", "--dry-run")


def _with_hunks(text: str, patch: str) -> str:
    """Return a text with the changes of a patch; those that do not fit are put at its end."""
    for hunk in list(_HUNK.finditer(patch))[:_MAX_HUNKS]:
        before, after = _sides(patch[hunk.end() :], int(hunk[1] or 1), int(hunk[2] or 1))
        fits = bool(before) and before in text
        text = text.replace(before, after, 1) if fits else f"{text}{after}"
    return text


def _sides(lines: str, old: int, new: int) -> tuple[str, str]:
    before: list[str] = []
    after: list[str] = []
    for line in lines.split("\n"):
        if len(before) >= old and len(after) >= new:
            break
        if line[:1] != "+":
            before.append(line[1:])
        if line[:1] != "-":
            after.append(line[1:])
    return "".join(f"{one}\n" for one in before), "".join(f"{one}\n" for one in after)


_REPLACED = pattern(r"(?:\A|[\s;}\d,$/])s([/|#,!@%:])(?:\\.|(?!\1).)*\1((?:\\.|(?!\1).)*)\1")
_INSERTED = pattern(r"(?m)(?:^|[\s;}\d$/])[aic]\\?\s*(.+)$")


def _edited(
    inv: Invocation, words: list[Word], context: CallContext, read: Reader
) -> Iterator[Arrival]:
    """Yield files with the texts that an editor's commands put into them."""
    scripts = [word.text for word in inv.values(("-e", "--expression")) or words[:1]]
    new = [
        re.sub(r"\\([/|#,!@%:])", r"\1", one[1])
        for text in scripts
        for one in _REPLACED.findall(text)
    ]
    new += [one for text in scripts for one in _INSERTED.findall(text)]
    for word in words if new else ():
        path = context.resolve(word.text, inv.working_folder(context))
        before = read(path) if path else None
        if path and before is not None:
            yield Arrival("text", path, "\n".join([before, *new, ""]), inv.command.span)


def _package_set(
    inv: Invocation, words: list[Word], context: CallContext, read: Reader
) -> Iterator[Arrival]:
    """``npm pkg set scripts.x="…"``: the package with this script."""
    from operators_edge.text.settings_files import json_of  # noqa: PLC0415 - few commands set a script

    path = context.resolve("package.json", inv.working_folder(context))
    text = read(path) if path else None
    data = json_of(text or "{}")
    for word in words:
        name, _, value = word.text.partition("=")
        if path and isinstance(data, dict) and name.startswith("scripts."):
            scripts = data.get("scripts")
            known = scripts if isinstance(scripts, dict) else {}
            data = {**data, "scripts": {**known, name.removeprefix("scripts."): value}}
            yield Arrival("text", path, json.dumps(data, indent=2), inv.command.span)


_KINDS: dict[str, Kind] = {
    "copy": _copies,
    "link": _links,
    "revision": _revision,
    "stash": _stash,
    "worktree": _worktree,
    "patch": _patched,
    "edit": _edited,
    "archive": _unpacked,
    "file": _decompressed,
    "download": _downloads,
    "receive": _received,
    "receive-all": _received_all,
    "pull": _pulled,
    "fetch": _fetched,
    "clone": _clones,
    "commits": _commits,
    "package-script": _package_set,
}
"""The values of a program's ``brings`` in a pack."""


def text_of(
    path: str, arrival: Arrival, context: CallContext, limit: int, read: ReadIn
) -> str | None:
    """Return what an arrival makes of a file; None if it does not bring it, or that cannot be known.

    ``context`` is that of the time before it.
    """
    if not is_within(path, arrival.place):
        return None
    below = path[len(arrival.place) :]
    if arrival.kind == "copy":
        return read(arrival.origin + below, context)
    if arrival.kind == "text":
        return arrival.origin if not below else None
    name = below.lstrip("/")
    if arrival.kind == "revision":
        return context.facts.revision_text(arrival.program, arrival.origin, name, limit)
    if arrival.kind == "archive":
        return context.facts.archived_text(arrival.origin, name, arrival.strip, limit)
    return None


_OWN_KINDS = frozenset(("copy", "link", "archive"))


def brings_own_file(inv: Invocation, context: CallContext, read: ReadIn) -> bool:
    """Whether the command puts one of the client's settings, which hold our hooks, where it is read.

    ``cp -a x/. .``, if there is a ``x/.claude/settings.json``.
    """
    if brings(inv)[0] not in _OWN_KINDS:
        return False
    arrived = find([inv], context, lambda _: None)
    return any(
        text_of(path, one, context, _MAX_SETTINGS, read) is not None
        for one in arrived
        for path in context.client_settings()
    )


# end of module
