"""A session of a contained project: its relay, and whether the client's settings still hold the policy.

Does not own the policy (``containment``) or the settings' values (``sandbox``).
"""

from __future__ import annotations

import os

from operators_edge.containment import store
from operators_edge.errors import EdgeError
from operators_edge.locations import known_home
from operators_edge.storage.files import read_bytes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from operators_edge.containment.policy import Policy
    from operators_edge.project import Project

NOT_RELAYED = ("log rerun", "rehearse")
"""What an agent may run, but not through the relay: it runs the project's own programs, which would then run
outside."""


def begin(root: str, session: str, env: Mapping[str, str]) -> list[str]:
    """What a session's start needs: a relay. Returns what the person has to know."""
    if not os.path.exists(store.path_of(root, env)):
        return []
    try:
        policy = store.load(root, env)
        if policy is None:
            return []
        _start_relay(policy, session, env)
        found = weaknesses(root, policy, env)
        ignored = hidden_from_git(root, policy)
    except (EdgeError, OSError) as error:
        return [f"Operator's Edge: the agent's commands may not be contained: {error}. edge doctor"]
    told = [f"Operator's Edge: commands are not contained as set up: {each}" for each in found[:3]]
    if ignored:
        told.append(
            f"Operator's Edge: git ignores {', '.join(ignored)}, which is new; run: edge init"
        )
    return told


def heal(root: str, session: str, env: Mapping[str, str]) -> bool:
    """See to it that the session of a contained project has a relay; whether the project is contained.

    What goes wrong with the relay a contained ``edge`` itself reports.
    """
    if not os.path.exists(store.path_of(root, env)):
        return False
    try:
        policy = store.load(root, env)
        if policy is not None:
            _start_relay(policy, session, env)
    except (EdgeError, OSError) as error:
        from operators_edge.text import outgoing  # noqa: PLC0415 - only after a failure

        outgoing.to_stderr(f"no relay: {error}")
    return True


def open_network(project: Project, session: str, mode: str, env: Mapping[str, str]) -> list[str]:
    """What a contained session is shown, once, whose permissions are bypassed: its hosts are not held."""
    if mode != "bypassPermissions":
        return []
    from operators_edge.hosts.claude import sandbox, settings_files  # noqa: PLC0415 - only if contained

    files = settings_files.settings_of(project.root, known_home(env))
    if sandbox.is_strict(files) or not project.registry.first_time(session, "open network"):
        return []
    return [
        "Operator's Edge: permissions are bypassed, so all hosts are open (docs/containment.md)"
    ]


def weaknesses(root: str, policy: Policy, env: Mapping[str, str]) -> list[str]:
    """Why the client's settings contain less than the policy says; empty if they hold it."""
    from operators_edge.hosts.claude import sandbox, settings_files  # noqa: PLC0415 - only if contained

    home = env.get("HOME") or env.get("USERPROFILE") or os.path.expanduser("~")
    files = settings_files.settings_of(root, home)
    unread = [f"{each.path}: {each.problem}" for each in files if each.problem]
    return [*unread, *sandbox.weaknesses(files, policy)]


def hidden_from_git(root: str, policy: Policy) -> list[str]:
    """Files that git ignores only because they were not there at ``init``, when their names were made up."""
    from operators_edge.hosts import git_exclude  # noqa: PLC0415 - only if contained
    from operators_edge.hosts.claude import environment, sandbox  # noqa: PLC0415

    names = [
        each
        for each in sandbox.placeholders(policy)
        if os.path.lexists(os.path.join(root, each)) and f"{each}/" not in git_exclude.DATA
    ]
    exclude = environment.exclude_file(root) if names else None
    if exclude is None or not exclude.path:
        return []
    listed = git_exclude.listed(read_bytes(exclude.path) or b"", git_exclude.place(exclude.prefix))
    return [each for each in names if each in listed and each not in git_exclude.DATA]


def state(root: str, env: Mapping[str, str]) -> str:
    """What the settings say, in a word or two: "off", "contained", or that they contain less."""
    try:
        policy = store.load(root, env)
        if policy is None:
            return "off"
        return "NOT CONTAINED (edge doctor)" if weaknesses(root, policy, env) else "contained"
    except (EdgeError, OSError):
        return "containment unknown (edge doctor)"


def _start_relay(policy: Policy, session: str, env: Mapping[str, str]) -> None:
    from operators_edge.containment import relay  # noqa: PLC0415 - only if contained
    from operators_edge.hosts.claude import identity, wiring  # noqa: PLC0415

    bound = identity.binding(session, env)
    if bound is None or bound.client is None:
        return
    verbs = [each for each in wiring.AGENT_VERBS if each not in NOT_RELAYED]
    relay.start(policy, verbs, bound.client, env)


# end of module
