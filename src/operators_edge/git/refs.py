"""HEAD, single refs and whether a namespace has any, read from git's own files: that takes no process.

Does not own lists of refs, or refs that are stored otherwise: git answers for those (``git.commands``).
"""

from __future__ import annotations

import os

from operators_edge.system import file_cache

_ID_LENGTHS = (40, 64)
_MAX_BYTES = 4096
_SYMBOLIC = "ref: "


def is_id(text: str) -> bool:
    """Whether this is the full name of an object, of either hash."""
    return len(text) in _ID_LENGTHS and not text.strip("0123456789abcdef")


def head(own: str, common: str) -> tuple[str, str] | None:
    """What HEAD names, "" if that is no ref, and its commit; None if git has to be asked.

    ``own`` is the working tree's git folder, ``common`` the one that the repository's worktrees share.
    """
    text = _text(os.path.join(own, "HEAD"))
    if text.startswith(_SYMBOLIC):
        name = text.removeprefix(_SYMBOLIC)
        commit = ref(common, name)
        return (name, commit) if commit else None
    return ("", text) if is_id(text) else None


def ref(common: str, name: str) -> str | None:
    """The commit of a ref, "" if there is no such ref; None if git has to be asked."""
    parts = name.split("/")
    is_plain = parts[0] == "refs" and not {"", ".", ".."}.intersection(parts)
    if not is_plain or os.path.lexists(os.path.join(common, "reftable")):
        return None
    path = os.path.join(common, *parts)
    if os.path.lexists(path):
        text = _text(path)
        return text if is_id(text) else None
    return _packed(os.path.join(common, "packed-refs"), name)


def has_none(common: str, namespace: str) -> bool:
    """Whether no ref begins like this (``refs/…/``); False, too, if git has to be asked."""
    if os.path.lexists(os.path.join(common, "reftable")):
        return False
    if os.path.lexists(os.path.join(common, *namespace.rstrip("/").split("/"))):
        return False
    begin = f" {namespace}".encode()
    try:
        with open(
            os.path.join(common, "packed-refs"), "rb", opener=file_cache.open_regular
        ) as file:
            return not any(begin in line for line in file)
    except FileNotFoundError:
        return os.path.isdir(os.path.join(common, "refs"))
    except OSError:
        return False


def _packed(path: str, name: str) -> str | None:
    ending = f" {name}\n".encode()
    try:
        with open(path, "rb", opener=file_cache.open_regular) as file:
            line = next((line for line in file if line.endswith(ending)), b"")
    except FileNotFoundError:
        return ""
    except OSError:
        return None
    text = line.partition(b" ")[0].decode("ascii", "replace")
    return text if not text or is_id(text) else None


def _text(path: str) -> str:
    """The line in a file; "" if there is none that can be read."""
    try:
        with open(path, "rb", opener=file_cache.open_regular) as file:
            return file.read(_MAX_BYTES).decode("utf-8", "replace").rstrip("\n")
    except OSError:
        return ""


# end of module
