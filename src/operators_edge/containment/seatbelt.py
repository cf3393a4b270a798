"""A policy as a profile of macOS's Seatbelt, for ``sandbox-exec``. Pure.

Reads stay allowed, as Seatbelt cannot hide a folder and keep programs going that look at its parents; only
the hidden folders' content is denied. The loopback is the machine's own. Written to be read.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from operators_edge.containment.policy import Policy

_DEVICES = ("/dev/null", "/dev/zero", "/dev/tty", "/dev/dtracehelper", "/dev/stdout", "/dev/stderr")


def profile(policy: Policy, temp: str) -> str:
    """The profile's text; the last rule that matches decides. ``temp`` is a folder for temporary files."""
    return "\n".join(
        [
            "(version 1)",
            "(allow default)",
            "; Only the project, its caches and temporary files are written.",
            "(deny file-write*)",
            _rule(
                "allow file-write*",
                _below((policy.project, *policy.writable, policy.cache, temp)),
                *(f"(literal {_quoted(each)})" for each in _DEVICES),
            ),
            "; The guard's own parts inside them.",
            _rule("deny file-write*", _below((*policy.read_only, *policy.hidden))),
            _rule("deny file-read*", _below(policy.hidden)),
            "; No network but the loopback, and no socket of another program.",
            "(deny network*)",
            '(allow network* (local ip "localhost:*"))',
            '(allow network-outbound (remote ip "localhost:*"))',
            "; No keystrokes to other programs' windows, and no signals to other processes.",
            "(deny appleevent-send)",
            "(deny signal)",
            "(allow signal (target same-sandbox))",
            "",
        ]
    )


def arguments(policy: Policy, command: Sequence[str], *, temp: str) -> list[str]:
    """The argument list that runs a command under the policy."""
    variables = [f"{name}={value}" for name, value in policy.all_variables.items()]
    inner = ["/usr/bin/env", f"TMPDIR={temp}", *variables, *command]
    return ["/usr/bin/sandbox-exec", "-p", profile(policy, temp), *inner]


def _below(folders: Iterable[str]) -> str:
    return " ".join(f"(subpath {_quoted(each)})" for each in folders if each)


def _rule(head: str, *filters: str) -> str:
    return f"({head} {' '.join(filter(None, filters))})"


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


# end of module
