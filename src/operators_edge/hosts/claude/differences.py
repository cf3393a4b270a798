"""What a session is shown about the installation and the guarded projects: at its start and before a prompt.

Each difference is shown once per session. Does not own the comparison (``integrity.service``). Nothing is
imported for a prompt where nothing is to be shown.
"""

from __future__ import annotations

from contextlib import contextmanager

from operators_edge.errors import EdgeError
from operators_edge.integrity import seen

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from operators_edge.integrity.seen import Difference
    from operators_edge.project import Project


def at_start(session: str, project: Project | None, env: Mapping[str, str]) -> list[str]:
    """What a session is shown when it starts; what runs here is recorded first, if it was not."""
    from operators_edge.gate.facts import home  # noqa: PLC0415 - see the module's docstring
    from operators_edge.hosts.claude import settings_files, wiring_check  # noqa: PLC0415
    from operators_edge.integrity import service  # noqa: PLC0415

    root = project.root if project is not None else None
    lines: list[str] = []
    with _reporting(lines):
        is_wired = settings_files.wired(settings_files.settings_of(root, home(env)))
        if is_wired or env.get("CLAUDE_PLUGIN_ROOT"):
            service.adopt(root, env, mark=wiring_check.mark(root, env) if root else "")
        lines += _new(service.look(wiring_check, env, is_kept=True), session, project)
    return lines


def at_prompt(session: str, project: Project | None, env: Mapping[str, str]) -> list[str]:
    """What a session is shown before a prompt: what it was not shown before."""
    lines: list[str] = []
    with _reporting(lines):
        found = seen.unchanged(env)
        if found is None:
            from operators_edge.hosts.claude import wiring_check  # noqa: PLC0415 - see the module's docstring
            from operators_edge.integrity import service  # noqa: PLC0415

            found = service.look(wiring_check, env, is_kept=True)
        lines += _new(found, session, project)
    return lines


def _new(found: list[Difference], session: str, project: Project | None) -> list[str]:
    """The differences that this session was not shown before; without a record of sessions, all."""
    registry = None if project is None else project.registry
    return [
        f"Operator's Edge: {each.line}"
        for each in found
        if registry is None or registry.first_time(session, f"integrity: {each.what}")
    ]


@contextmanager
def _reporting(lines: list[str]) -> Iterator[None]:
    """What goes wrong is shown too, and keeps no session and no prompt from going on."""
    try:
        yield
    except (EdgeError, OSError) as error:
        lines.append(
            f"Operator's Edge: the installation could not be compared ({error}). Run: edge doctor"
        )


# end of module
