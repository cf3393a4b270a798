"""What is on the disk now: the files of an installation, with sizes and digests, and cheap stamps of them.

Reads, never writes. Compiled files (``__pycache__``) do not count: the interpreter makes them again.
"""

from __future__ import annotations

import os

from operators_edge.system import installation
from operators_edge.system.digest import sha256_hex

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

    from operators_edge.system.installation import Installation

_CACHE = "__pycache__"


def package_files(package: str) -> Iterator[str]:
    """The files of a package, relative to it."""
    for folder, folders, names in os.walk(package):
        folders[:] = sorted(each for each in folders if each != _CACHE)
        for name in sorted(names):
            yield os.path.relpath(os.path.join(folder, name), package)


def digests(folder: str, names: Iterable[str]) -> dict[str, list[Any]]:
    """Size and digest of each file that can be read."""
    found = {}
    for name in names:
        try:
            with open(os.path.join(folder, name), "rb") as file:
                data = file.read()
        except OSError:
            continue
        found[name] = [len(data), sha256_hex(data)]
    return found


def start_files(library: str, *, is_shared: bool) -> list[str]:
    """What an interpreter runs when it starts; in a shared environment installers add ``.pth`` files."""
    try:
        names = os.listdir(library)
    except OSError:
        return []
    endings = installation.START_FILES if is_shared else (*installation.START_FILES, ".pth")
    return sorted(name for name in names if name.endswith(endings))


def beside(installed: Installation) -> list[str]:
    """The files beside the package that run with it, relative to its library: launchers, what it needs."""
    library = installed.library
    programs = [each for each in installed.parts if os.path.basename(each) in _LAUNCHERS]
    found = [os.path.relpath(each, library) for each in programs]
    for name in installation.NEEDED:
        path = os.path.join(library, name)
        if os.path.isdir(path):
            found += [os.path.join(name, each) for each in package_files(path)]
        elif os.path.isfile(path):
            found.append(name)
    return [*start_files(library, is_shared=installed.is_shared), *found]


_LAUNCHERS = ("edge", "edge.exe", "operators-edge", "operators-edge.exe")


def is_development(installed: installation.Installation) -> bool:
    """Whether the package is run from a working tree: its changes are git's to tell."""
    return not installation.recorded_files(installed)


def version_of(package: str) -> str:
    """The version that a package's own file states; "" if it cannot be read."""
    try:
        with open(os.path.join(package, "__init__.py"), encoding="utf-8") as file:
            text = file.read(4096)
    except (OSError, ValueError):
        return ""
    return text.partition('__version__ = "')[2].partition('"')[0]


# end of module
