"""Which findings of the gate containment covers: what the operating system would refuse anyway. Pure.

It claims only what follows from the policy: rules whose reason lies outside the project, a path that cannot
be written, a host that is not on the list.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from operators_edge.containment.policy import Policy

_WRITE, _SIGNAL = "cannot write there", "cannot reach processes outside"

_RULES = {
    "edge-own-files": _WRITE,
    "edge-own-package": _WRITE,
    "edge-own-folders": _WRITE,
    "edge-own-processes": _SIGNAL,
    "fs-delete-outside": _WRITE,
    "fs-dd-outside": _WRITE,
    "fs-format": _WRITE,
    "fs-system-write": _WRITE,
    "fs-write-device": _WRITE,
    "system-kill-all": _SIGNAL,
    "system-kill-many": _SIGNAL,
}


def covered(policy: Policy, rule: str, subject: Mapping[str, str], targets: Sequence[str]) -> str:
    """Why a contained command cannot do what the finding is about; "" if it can, or that is not known."""
    host = subject.get("host", "")
    if host and not policy.can_reach(host.partition(":")[0]):
        return f"cannot reach {host}"
    if targets and not any(map(policy.can_write, targets)):
        return _WRITE
    return _RULES.get(rule, "")


# end of module
