"""Whether a migration is complete: the checks of ``edge migrate --check``.

Each check reports its result and, if it fails, the command that fixes it. Nothing is changed.
"""

from __future__ import annotations

from operators_edge.errors import EdgeError
from operators_edge.migration import (
    legacy_settings,
    legacy_state,
    migrate,
)
from operators_edge.model import MODES, SCHEMA_VERSION
from operators_edge.plan import modes
from operators_edge.sessions import briefing
from operators_edge.state import schema
from operators_edge.storage import verify as log_verify
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from operators_edge.migration.migrate import LegacyFiles
    from operators_edge.model import Mode, State
    from operators_edge.project import Project


class Check(NamedTuple):
    """One result; ``run`` is what to do if it failed."""

    name: str
    is_well: bool
    what: str
    run: str = ""


def checks(project: Project, home: str) -> list[Check]:
    """Every check, in the order of the phases. One that cannot run has failed."""
    groups: list[tuple[str, Callable[[], Iterator[Check]]]] = [
        ("state", lambda: _state(project)),
        ("modes", lambda: _modes(project.state.read())),
        ("side files", lambda: _sides(migrate.detect(project.root), project.state.read())),
        ("log", lambda: _log(project)),
        ("hooks", lambda: _hooks(project, home)),
        ("grants", lambda: _grants(project)),
        ("continuity", lambda: _continuity(project)),
    ]
    found: list[Check] = []
    for name, run in groups:
        try:
            found += run()
        except (EdgeError, OSError) as error:
            hint = error.hint if isinstance(error, EdgeError) else ""
            found.append(_failed(name, f"cannot be checked: {error}", hint))
    return found


def _passed(name: str, what: str) -> Check:
    return Check(name, is_well=True, what=what)


def _failed(name: str, what: str, run: str) -> Check:
    return Check(name, is_well=False, what=what, run=run)


def _state(project: Project) -> Iterator[Check]:
    state = project.state.read()
    for note in schema.violations(state):
        yield _failed("state", f"{note.name}: {note.text}", "fix active_context.yaml")
    version = state.get("schema_version")
    if version != SCHEMA_VERSION:
        what = f"the state file is read as version {version}"
        yield _failed("state", what, "edge migrate --apply")
    else:
        yield _passed("state", f"schema version {version}, every invariant holds")


def _modes(state: State) -> Iterator[Check]:
    reached = reachable(state)
    lost = [mode for mode in MODES if mode not in reached]
    if lost:
        what = f"from {modes.current(state)} it is not possible to reach {', '.join(lost)}"
        yield _failed("modes", what, "edge plan")
    else:
        yield _passed("modes", f"{modes.current(state)} now; every mode can be reached")


def reachable(state: State) -> set[Mode]:
    """The modes that changes of mode lead to, an objective given and the quality gate passed."""
    seen = {modes.current(state)}
    waiting = list(seen)
    while waiting:
        here = state | {"mode": waiting.pop()}
        for each in MODES:
            if each not in seen and not modes.refusal(here, each, objective="any"):
                seen.add(each)
                waiting.append(each)
    return seen


def _sides(found: LegacyFiles, state: State) -> Iterator[Check]:
    left = [*(each.path for each in found.sides), *found.session_files]
    runtime = state.get("runtime")
    if isinstance(runtime, dict) and runtime.keys() & set(legacy_state.RUNTIME_PARTS):
        left.append("runtime in the state file")
    left += [found.sessions] if found.sessions else []
    for problem in found.problems:
        yield _failed("side files", problem, "fix it, or edge migrate --apply --skip NAME")
    if left:
        yield _failed("side files", f"still there: {', '.join(left)}", "edge migrate --apply")
    else:
        yield _passed("side files", "none; everything is in the state file")


def _log(project: Project) -> Iterator[Check]:
    if migrate.detect(project.root).log:
        what = f"{migrate.LOG} belongs to an older version"
        yield _failed("log", what, "edge migrate --apply")
        return
    report = log_verify.verify(project.log)
    if report.ok:
        yield _passed("log", f"{report.entries} entries, chain intact")
        return
    broken = report.first_broken
    what = f"{broken[0]}:{broken[1]}: {broken[2]}" if broken else report.problems[0]
    yield _failed("log", what, "edge log verify")


def _hooks(project: Project, home: str) -> Iterator[Check]:
    """With older hooks each call is judged twice, and an older Stop hook keeps sessions from ending."""
    found = migrate.detect(project.root)
    wired = legacy_settings.entries(project.root, home)
    files = [*found.hooks, *found.commands]
    for path in dict.fromkeys(each.path for each in wired):
        events = dict.fromkeys(each.event for each in wired if each.path == path)
        what = f"{path} still runs older hooks on {', '.join(events)}"
        is_ours_to_cut = path in legacy_settings.editable_paths(project.root)
        run = (
            "edge migrate --cleanup"
            if is_ours_to_cut
            else "remove that entry from the file by hand"
        )
        yield _failed("hooks", what, run)
    if files:
        what = f"{len(files)} files of older versions in .claude"
        yield _failed("hooks", what, "edge migrate --cleanup")
    if not wired and not files:
        yield _passed("hooks", "none of an older version")


def _grants(project: Project) -> Iterator[Check]:
    """Whether the registry confirms every grant that the state shows."""
    state = project.state.read()
    live = project.registry.live_grants()
    shown = [
        grant
        for key in ("allowances", "dismissals", "overrides")
        for grant in state.get(key) or []
        if isinstance(grant, dict) and grant.get("consumed") is not True
    ]
    for grant in shown:
        reason = project.refusal_reason(grant)
        if reason:
            ident = grant.get("id") or grant.get("fingerprint")
            yield _failed("grants", f"{ident} does not count: {reason}", "edge migrate --apply")
    if all(not project.refusal_reason(grant) for grant in shown):
        yield _passed("grants", f"{len(live)} active, the registry can be read")


def _continuity(project: Project) -> Iterator[Check]:
    state = project.state.read()
    text = briefing.build(state)
    if state.get("objective") and "Objective: " not in text:
        what = "a new session would not be shown the objective"
        yield _failed("continuity", what, "shorten the objective: edge objective TEXT")
    elif state.get("objective"):
        yield _passed("continuity", "a new session is shown objective and step")
    else:
        yield _passed("continuity", "no objective yet; a new session is shown that")


# end of module
