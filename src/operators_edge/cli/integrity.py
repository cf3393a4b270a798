"""What any ``edge`` command says first: the installation or a guarded project is not as it was recorded.

Owns when that is said, and when a person has acknowledged it. Does not own the comparison
(``integrity.service``).
"""

from __future__ import annotations

import os

from operators_edge.errors import EdgeError
from operators_edge.integrity import seen

TYPE_CHECKING = False
if TYPE_CHECKING:
    from operators_edge.cli.terminal import Terminal

_THEIR_OWN = ("init", "uninstall", "hook", "doctor")
"""Commands that change what is recorded, or show all of it themselves."""

_COMPLETE = ("status",)
"""Commands that compare everything again, and do not rely on the last comparison."""


def tell(given: object, terminal: Terminal) -> None:
    """Warn of each difference; what only the person can have meant is acknowledged when they have read it."""
    noun = getattr(given, "noun", "")
    if noun in _THEIR_OWN:
        return
    try:
        found = None if noun in _COMPLETE else seen.unchanged(os.environ)
        if found == []:
            return
        from operators_edge.cli import person  # noqa: PLC0415 - seldom needed
        from operators_edge.hosts.claude import wiring_check  # noqa: PLC0415 - seldom needed
        from operators_edge.integrity import service  # noqa: PLC0415 - see above

        found = service.look(wiring_check, is_kept=True) if found is None else found
        for each in found:
            terminal.warn(each.line)
        if found and terminal.err.isatty() and person.is_person():
            service.acknowledge()
    except (EdgeError, OSError) as error:
        terminal.warn(f"whether the installation is whole could not be compared: {error}")


# end of module
