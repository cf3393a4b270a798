"""What an attempt needs from outside: settings, working trees, the gate, a tracker, time and ids."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from operators_edge.project import secrets_of
from operators_edge.redaction.redact import Shape

if TYPE_CHECKING:
    import threading
    from collections.abc import Callable, Mapping
    from datetime import datetime

    from operators_edge.bridge.executors.port import Executor
    from operators_edge.bridge.permissions import Permissions
    from operators_edge.bridge.settings import Settings
    from operators_edge.bridge.trackers import Tracker
    from operators_edge.bridge.worktrees import Trees


class World(NamedTuple):
    """One project's surroundings, the same for all of its attempts.

    ``executors`` are those that work in a tree, by name; ``trees`` are the working trees. ``staging`` is a
    private folder outside the project, for logs and patches that are being written;
    ``permissions`` asks the gate, and a person, about the commands to run; ``tell`` shows an event.
    """

    root: str
    settings: Settings
    clock: Callable[[], datetime]
    new_id: Callable[[], str]
    env: Mapping[str, str]
    executors: Callable[[str], Mapping[str, Executor]]
    tracker: Tracker
    trees: Trees
    staging: str
    stop: threading.Event
    permissions: Permissions
    tell: Callable[[str, str, Mapping[str, Any]], None]

    def secrets(self) -> tuple[str, ...]:
        """What is hidden in all that an attempt leaves, as it is now."""
        patterns = map(Shape, self.settings.redaction_patterns)
        return (*secrets_of(self.root, self.env), *patterns)


# end of module
