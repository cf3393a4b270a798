"""Containment in ``edge init``: whether a person asked for it, whether it works here, what it means."""

from __future__ import annotations

import os

from operators_edge.cli.person import require_person
from operators_edge.containment import service
from operators_edge.errors import AnswerIsNo, UsageError
from operators_edge.hosts.claude import sandbox

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from operators_edge.cli.command import Args
    from operators_edge.containment.policy import Policy
    from operators_edge.hosts.claude.install import Installation


def policy(args: Args, here: Installation, *, is_accepted: bool) -> Policy | None:
    """The policy that is to hold: as the words say, as it was before, or as the person answered."""
    before = here.contained
    if here.scope != "local" or here.root is None:
        if args.contain is not None or args.hosts:
            why = (
                "it names folders of your machine, so it belongs in your own settings of a project"
            )
            raise UsageError(f"--contain cannot be used with --{here.scope}: {why}")
        return None
    if args.hosts and not (args.contain or before):
        raise UsageError("--allow-host is only for contained commands", hint="edge init --contain")
    if args.contain is False:
        if before is not None and not args.dry_run:
            require_person("init --no-contain", here.root)
        return None
    if args.contain is None and before is None and not is_accepted:
        return None
    if before is None:
        _require_means(here.root)
    if before is not None and set(args.hosts) - set(before.hosts) and not args.dry_run:
        require_person(f"init --allow-host {' '.join(args.hosts)}", here.root)
    added = (*(before.added if before is not None else ()), *args.hosts)
    return service.policy(here.root, here.env, added=added)


def is_possible(here: Installation) -> bool:
    """Whether containment can be offered here."""
    return here.scope == "local" and here.root is not None and not service.why_not(*sandbox.NEEDED)


def _require_means(root: str) -> None:
    why = service.why_not(*sandbox.NEEDED)
    if why:
        hint = "on Debian or Ubuntu: sudo apt-get install bubblewrap socat ripgrep"
        raise AnswerIsNo(f"Commands cannot be contained here: {why}", hint=hint)
    project = os.path.join(os.path.realpath(root), "")
    if any(os.path.realpath(each).startswith(project) for each in service.product()):
        raise AnswerIsNo(
            "Operator's Edge is installed in this project, where contained commands may write",
            hint="pipx install operators-edge, then that one's `edge init --contain`",
        )


def notes(here: Installation, policy: Policy | None) -> Iterator[str]:
    """What a person should know of a change."""
    if policy is None:
        if here.contained is not None:
            yield "The agent's commands are not contained any more, from the next session on."
        return
    if policy == here.contained:
        return
    hosts = ", ".join(policy.hosts) or "none"
    yield (
        "The agent's commands are contained from the next session on: they write below "
        f"{policy.project}, their caches in {policy.cache}, and nothing else. Hosts: {hosts} "
        "(another one: edge init --allow-host HOST; with permissions bypassed the client allows all). "
        "`edge doctor` tries what holds."
    )


# end of module
