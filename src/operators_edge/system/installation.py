"""Where this installation lies: package, environment, dependencies, start files, launchers.

Owns finding these on the disk. Does not own what may change them (``gate``) or whether they have changed
(``integrity``). On the hook path: it imports next to nothing.
"""

from __future__ import annotations

import os
import sys

import operators_edge
from operators_edge.cached import lru_cache
from operators_edge.locations import NAME
from operators_edge.system.digest import sha256_hex
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

PACKAGE = os.path.dirname(os.path.realpath(operators_edge.__file__))

_MODULE = "operators_edge"
DEPENDENCIES = (
    *("lizard", "pathspec", "pygments", "ruamel_yaml", "ruamel_yaml_clib", "tomlkit"),
    *("typing_extensions", "ahocorasick_rs"),
)
"""The distributions that ours needs, directly or not, and the optional ones."""

NEEDED = ("ahocorasick_rs", "pathspec", "ruamel", "tomlkit", "typing_extensions.py")
"""Of them, what the hook can load: names in the folder of packages."""

_INSTALLERS = ("pip", "setuptools", "wheel", "uv")
_RECEIPTS = ("pipx_metadata.json", "uv-receipt.toml")
"""Files of pipx and uv in an environment that they made for one program."""

START_FILES = ("sitecustomize.py", "usercustomize.py")


class Installation(NamedTuple):
    """``environment`` is a virtual environment, "" for the system's Python; ``library`` its packages.

    ``is_shared``: other packages are installed there too. ``parts`` are our own files and folders in it,
    apart from the package: metadata, start files that load us, the launcher, the interpreter.
    """

    package: str
    environment: str
    library: str
    is_shared: bool
    parts: tuple[str, ...]


class Recorded(NamedTuple):
    """Size and digest of a file, as an installer writes them into ``RECORD``."""

    size: int
    digest: str

    @classmethod
    def of(cls, data: bytes) -> Recorded:
        return cls(len(data), sha256_hex(data))


def recorded_files(installed: Installation) -> dict[str, Recorded]:
    """The files of the package, with what the installer recorded; empty for a development installation."""
    found: dict[str, Recorded] = {}
    for part in installed.parts:
        if part.endswith(".dist-info") and os.path.dirname(part) == os.path.dirname(
            installed.package
        ):
            found |= dict(_recorded(os.path.join(part, "RECORD")))
    return found


def _recorded(path: str) -> Iterator[tuple[str, Recorded]]:
    import base64  # noqa: PLC0415 - not for a tool call

    try:
        with open(path, encoding="utf-8") as file:
            lines = file.read().splitlines()
    except (OSError, ValueError):
        return
    for line in lines:
        name, _, rest = line.partition(f"{_MODULE}/")[2].partition(",sha256=")
        digest, _, size = rest.partition(",")
        if name and digest and size.isdigit():
            raw = base64.urlsafe_b64decode(digest + "=" * (-len(digest) % 4))
            yield name, Recorded(int(size), raw.hex())


@lru_cache(maxsize=1)
def current() -> Installation:
    """The installation that this process runs."""
    return installed_at(os.path.abspath(sys.executable), PACKAGE)


def installed_at(interpreter: str, package: str) -> Installation:
    """The installation of a package that is run by this interpreter."""
    programs = os.path.dirname(interpreter)
    prefix = os.path.join(os.path.realpath(os.path.dirname(programs)), "")[:-1]
    is_virtual = os.path.isfile(os.path.join(prefix, "pyvenv.cfg"))
    library = _library(prefix) if is_virtual else os.path.dirname(package)
    names = _listed(library)
    parts = [
        os.path.join(folder, name)
        for folder in dict.fromkeys((library, os.path.dirname(package)))
        for name in (names if folder == library else _listed(folder))
        if _distribution(name) == _MODULE or _loads_us(name)
    ]
    if is_virtual:
        there = os.path.join(prefix, os.path.basename(programs))
        parts += [os.path.join(there, name) for name in _listed(there) if _is_program(name)]
        parts.append(os.path.join(prefix, "pyvenv.cfg"))
    is_shared = not is_virtual or _is_shared(prefix, names)
    return Installation(
        package, prefix if is_virtual else "", library, is_shared, tuple(sorted(parts))
    )


def _library(prefix: str) -> str:
    if os.name == "nt":
        return os.path.join(prefix, "Lib", "site-packages")
    version = f"python{sys.version_info[0]}.{sys.version_info[1]}"
    return os.path.join(prefix, "lib", version, "site-packages")


def _listed(folder: str) -> list[str]:
    try:
        return os.listdir(folder)
    except OSError:
        return []


def _distribution(name: str) -> str:
    """The distribution whose metadata are in a folder of this name; "" for another name."""
    if not name.endswith((".dist-info", ".egg-info")):
        return ""
    return name.split("-", maxsplit=1)[0].lower().replace("-", "_").replace(".", "_")


def _loads_us(name: str) -> bool:
    """A file by which an editable installation is found."""
    return name.endswith(".pth") and _MODULE in name.lower().replace("-", "_")


def _is_program(name: str) -> bool:
    stem = name.removesuffix(".exe")
    return stem in ("edge", NAME) or stem.startswith("python")


def _is_shared(prefix: str, names: list[str]) -> bool:
    """Whether others use the environment too: it was not made for us, and has packages we do not need."""
    if any(os.path.exists(os.path.join(prefix, each)) for each in _RECEIPTS):
        return False
    known = {_MODULE, *DEPENDENCIES, *_INSTALLERS}
    return any(each not in known for each in map(_distribution, names) if each)


# end of module
