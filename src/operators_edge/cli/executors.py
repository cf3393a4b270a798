"""Executors of the Bridge for a person: which can be used here, and what a repository wants to be trusted.

Does not own the executors (``bridge.executors``) or what needs trust (``bridge.executor_settings``).
"""

from __future__ import annotations

import json
import os

from operators_edge.bridge import executor_settings, settings, trust_store
from operators_edge.bridge.service import Bridge
from operators_edge.cli.person import confirm
from operators_edge.config.files import with_tilde
from operators_edge.doctor.check import Check
from operators_edge.errors import AnswerIsNo, EdgeError
from operators_edge.hosts.claude import wiring
from operators_edge.project import wall_clock
from operators_edge.sessions.decisions import person_name
from operators_edge.system import project_root
from operators_edge.system.user_dirs import config_file
from operators_edge.text.markup import hanging_indent

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from operators_edge.bridge.settings import Settings
    from operators_edge.cli.terminal import Terminal


def bridge_of(root: str) -> Bridge:
    """The Bridge of the project at ``root``; an executor's client asks the gate there, if there is one."""
    return Bridge(root, gate=gate_hooks)


def gate_hooks(root: str) -> Mapping[str, Any]:
    """The hook that judges a client's calls, for a project that is gated; {} for any other."""
    if not project_root.named(root).is_set_up:
        return {}
    return {"PreToolUse": wiring.hooks("exec", wiring.this_runner())["PreToolUse"]}


def found(bridge: Bridge) -> tuple[dict[str, str], list[str]]:
    """By name why an executor cannot be used, "" if it can; and the lines that say so."""
    try:
        chosen = bridge.settings()
    except EdgeError as error:
        more = f": {error.hint}" if error.hint else ""
        return {}, hanging_indent("", f"{error.message}{more}")
    states = _states(bridge, chosen)
    lines, width = ["Executors:"], max(map(len, states))
    for name, why in states.items():
        mark = "the default; " if name == chosen.executor else ""
        lines += hanging_indent(f"  {name:<{width}}  ", f"{mark}{why or 'ready'}")
    lines += hanging_indent("Contained: ", bridge.containment(chosen))
    if states.get(chosen.executor, "?"):
        lines += _next_step(name for name, why in states.items() if not why)
    else:
        lines.append("Next: edge bridge submit FILE, then edge bridge watch")
    return states, lines


def _states(bridge: Bridge, chosen: Settings) -> dict[str, str]:
    """By name why an executor cannot be used, "" if it can."""
    problems = {name: each.problem() for name, each in sorted(bridge.executors(chosen).items())}
    return {name: each.detail if each else "" for name, each in problems.items()}


def examined(bridge: Bridge) -> list[Check]:
    """The same for ``edge doctor``: only the default has to be ready."""
    try:
        chosen = bridge.settings()
    except EdgeError as error:
        return [Check("warning", error.message, run=error.hint, name="executors")]
    states = _states(bridge, chosen)
    ready = ", ".join(name for name, why in states.items() if not why)
    what = f"ready: {ready}; contained: {bridge.containment(chosen)}"
    why = states.get(chosen.executor, "there is none with that name")
    if not why:
        return [Check("ok", what, name="executors")]
    text = f"the default, {chosen.executor}, is not ready; {what}"
    return [Check("warning", text, why, run="edge bridge init", name="executors")]


def _next_step(ready: Iterable[str]) -> list[str]:
    """What to do where the default cannot be used. The executor `patch` is no agent."""
    own = os.path.join(os.path.dirname(config_file()), settings.FILE)
    others = [json.dumps({"executor": name}) for name in ready if name != "patch"]
    more = f", or choose one that is ready: {others[0]}" if others else ""
    return hanging_indent("Next: ", f"set the default up in {with_tilde(own, os.environ)}{more}")


def untrusted(root: str) -> str:
    """The text of the repository's settings that nobody trusted yet; "" if there is none."""
    text = executor_settings.needs_trust(*bridge_of(root).given())
    return "" if not text or trust_store.is_confirmed(root, text, os.environ) else text


def offer(root: str, terminal: Terminal) -> bool:
    """Show what the repository's settings want to be trusted; False if that is nothing, or was done before.

    AnswerIsNo on anything but yes.
    """
    text = untrusted(root)
    if not text:
        return False
    terminal.aside(f"The Bridge's settings of this repository decide what runs as you:\n{text}")
    if not confirm("Trust exactly this, for this repository?"):
        raise AnswerIsNo("nothing was trusted", hint=f"see {settings.FILE}")
    by = f"{person_name()}, at a terminal"
    trust_store.confirm(root, text, by=by, at=wall_clock().isoformat(), env=os.environ)
    return True


# end of module
