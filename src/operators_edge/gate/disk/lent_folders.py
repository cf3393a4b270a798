"""Where folders of the machine are in a container, and the paths of these outside of it.

Pure. Does not own which folders those are (``gate.disk.images``, ``gate.disk.compose_services``).
"""

from __future__ import annotations

import os.path

from operators_edge.text.patterns import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Sequence

PATH = pattern(r"(?<![\w./:-])/[\w./-]+")
"""A whole path in a text."""


def with_places(text: str, places: Sequence[tuple[str, str]]) -> str:
    """A text in a container with the folders of the machine in the place of those that are lent to it."""

    def there(one: re.Match[str]) -> str:
        found = on_machine(os.path.normpath(one[0]), places)
        return one[0] if found is None else found + "/" * one[0].endswith("/")

    return PATH.sub(there, text)


def on_machine(path: str, places: Sequence[tuple[str, str]]) -> str | None:
    """The file of the machine that is at a path of the container; None if that is the image's own."""
    found = [
        (len(target), host)
        for target, host in places
        if path == target or path.startswith(f"{target.rstrip('/')}/")
    ]
    if not found:
        return None
    longest, host = max(found, key=lambda one: one[0])
    return os.path.normpath(f"{host}/{path[longest:].lstrip('/')}") if len(path) > longest else host


# end of module
