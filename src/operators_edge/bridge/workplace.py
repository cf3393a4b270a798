"""Where the programs of an attempt run: its working tree, their variables and limits, and the log.

Does not own what is run (``bridge.commands``, ``bridge.editing``) or how (``bridge.verify``).
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from operators_edge.bridge import layout, lease, verify
from operators_edge.bridge.capture import AttemptLog, Capture, Keep
from operators_edge.bridge.verify import Limits, Place

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from operators_edge.bridge.claim import Claim
    from operators_edge.bridge.origin import WorkTree
    from operators_edge.bridge.result import CommandRecord
    from operators_edge.bridge.world import World

_BESIDE_GIT = ("node_modules", ".venv", "venv", "vendor", ".env")
"""What projects need and git usually ignores."""


class Workplace:
    """One attempt's place in a tree; a program runs for at most ``seconds``."""

    def __init__(self, world: World, claim: Claim, tree: WorkTree, seconds: float) -> None:
        self.tree = tree
        settings = world.settings
        stall = lease.renewal_seconds(settings.worker_lock_ttl_sec)
        keep = Keep(settings.log_size_cap_kb * 1024, settings.log_file_cap_mb * 1024 * 1024)
        self.limits = Limits(seconds, stall, keep)
        self.mark = f"{claim.stem}.{claim.row.attempt}@bridge.invalid" if tree.is_own else ""
        """The mail address with which git notes in the reflogs what the attempt does; "" in a shared tree."""
        self._project = world.root
        self._log: AttemptLog | None = None
        self._log_name = layout.artifacts(claim.stem).logs
        env = world.env
        if tree.is_own:  # commands may run beside others' or need what only the project's tree has
            own = {"EDGE_BRIDGE_TASK": claim.stem, "EDGE_BRIDGE_ROOT": world.root}
            env = {**env, **_known_in_git(self.mark, env), **own}
        self.place = Place(tree.root, env, claim)

    def open_log(self, path: str, secrets: Sequence[str]) -> None:
        self._log = AttemptLog(path, values=secrets)

    @property
    def log(self) -> AttemptLog:
        assert self._log is not None  # noqa: S101 - opened before anything runs
        return self._log

    def close_log(self) -> str:
        """What could not be written, or ""."""
        return "" if self._log is None else self._log.close()

    def capture(self) -> Capture:
        """For one stream of a program; ``text_of`` ends it."""
        return Capture(self.log, self.limits.keep)

    def text_of(self, capture: Capture) -> str:
        """What the result says of a stream that has ended."""
        return capture.end(self._log_name)

    def run(self, command: str, seconds: float = 0.0) -> CommandRecord:
        """Run a command in the shell, for so long instead of the place's own limit."""
        limits = self.limits._replace(seconds=seconds or self.limits.seconds)
        return verify.run(command, self.place, limits, self.log, self._log_name)

    def lacks(self) -> list[str]:
        """What commands may need and the project's tree has: git does not bring it into one of its own."""
        return [
            each
            for each in _BESIDE_GIT
            if os.path.lexists(os.path.join(self._project, each))
            and not os.path.lexists(os.path.join(self.tree.root, each))
        ]


def _known_in_git(mark: str, env: Mapping[str, str]) -> dict[str, str]:
    """Variables with which git notes every change of a ref, and by whom."""
    number = int(env.get("GIT_CONFIG_COUNT") or 0)
    return {
        "GIT_COMMITTER_EMAIL": mark,
        "GIT_CONFIG_COUNT": str(number + 1),
        f"GIT_CONFIG_KEY_{number}": "core.logAllRefUpdates",
        f"GIT_CONFIG_VALUE_{number}": "always",
    }


# end of module
