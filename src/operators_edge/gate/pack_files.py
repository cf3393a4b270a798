"""Whether the shipped packs are whole: a rule that is missing would loosen what is judged.

Owns which packs there are, the line that each ends with, and the comparison with the digests that the
installer wrote. Read only when packs are compiled, which is whenever one of them has changed.
"""

from __future__ import annotations

import os

from operators_edge.errors import PackError
from operators_edge.system import installation

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

SHIPPED = (
    *(
        "builds.toml",
        "clients.toml",
        "cloud.toml",
        "containers.toml",
        "database.toml",
        "deploy.toml",
        "dry_runs.toml",
        "filesystem.toml",
    ),
    *("forges.toml", "general.toml", "git.toml", "hosts.toml", "http.toml", "kubernetes.toml"),
    *("packages.toml", "product.toml", "secrets.toml", "services.toml", "shell.toml"),
    *("system.toml", "terraform.toml", "verbs.toml"),
)
LAST_LINE = b"# end of pack\n"

_HINT = "A person reinstalls it: pipx reinstall operators-edge"


def require_whole(
    packs: Mapping[str, bytes],
    recorded: Mapping[str, installation.Recorded],
    *,
    expected: Sequence[str] = SHIPPED,
) -> None:
    """Raise PackError unless every expected pack is there, complete, and as the installer wrote it.

    ``recorded`` is empty for a development installation: there a pack may be edited.
    """
    missing = [name for name in expected if name not in packs]
    cut = [name for name in expected if not packs.get(name, LAST_LINE).endswith(LAST_LINE)]
    changed = [
        name
        for name, data in packs.items()
        if recorded and recorded.get(f"gate/packs/{name}") != installation.Recorded.of(data)
    ]
    for names, what in ((missing, "missing"), (cut, "cut off"), (changed, "changed")):
        if names:
            is_are = "is" if len(names) == 1 else "are"
            raise PackError(
                f"The installation is damaged: {', '.join(names[:3])} {is_are} {what}", hint=_HINT
            )


def read(folder: str, names: list[str]) -> dict[str, bytes]:
    """The bytes of these packs."""
    packs = {}
    for name in names:
        try:
            with open(os.path.join(folder, name), "rb") as file:
                packs[name] = file.read()
        except OSError as problem:
            raise PackError(f"{name}: cannot be read: {problem.strerror}", hint=_HINT) from problem
    return packs


# end of module
