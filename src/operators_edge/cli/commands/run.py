"""``edge run|on|off|stop|auto``: one cycle, and the loop that gives the agent the next step at a turn's end.

Owns the commands' syntax and how a cycle is shown in a terminal. What a cycle does is in ``loop.service``,
when the loop ends in ``loop.auto``.
"""

from __future__ import annotations

from functools import partial

from operators_edge.cli.command import Answer, Args, command
from operators_edge.cli.person import is_at_terminal, require_person
from operators_edge.errors import StateError
from operators_edge.loop import auto, guidance, service as loop_service
from operators_edge.patrol.findings import BUDGET_SECONDS, TYPED_SCAN_SECONDS
from operators_edge.quality.service import claims_line, failed_checks, gate_of, summary_line
from operators_edge.sessions import decisions, status
from operators_edge.text.markup import hanging_indent, labelled
from operators_edge.text.wording import one_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from operators_edge.loop.service import Cycle
    from operators_edge.project import Project


MAX_ROWS = 6
"""Steps and failed checks together: beyond them the screen has the checks, and of the claims their count."""


@command("run")
@command("on")
def _run(args: Args) -> Answer:
    project = args.project
    budget = TYPED_SCAN_SECONDS if project.asking else BUDGET_SECONDS
    session = project.latest_session()
    seen = loop_service.cycle(project, session, by="edge run", budget=budget)
    shown = lines(seen, _guidance(project, seen, session), at_terminal=is_at_terminal(args))
    return Answer(seen.as_data(), shown)


def _guidance(project: Project, seen: Cycle, session: str) -> list[str]:
    """What a person sees in addition to the cycle: in review each claim's verdict, and the gate's result."""
    state = project.state.read()
    # A suggested mode stops nothing: a question that blocks is answered before it is followed.
    guiding = partial(
        guidance.for_person,
        seen.mode,
        state,
        is_asked=(seen.junction or {}).get("type") not in (None, "mode_transition"),
        is_typed=bool(project.asking),
    )
    if seen.mode != "review":
        return guiding()
    try:
        gate = gate_of(project, state, session)
    except StateError as error:
        return [*labelled("Gate", f"could not be checked: {error.message}"), *guiding()]
    is_shown = bool(seen.gate) or (seen.junction or {}).get("type") == "quality_gate"
    failed = len(failed_checks(seen.junction)) if seen.junction else 0
    if failed and len(state.get("plan") or []) + failed > MAX_ROWS:
        return [
            *guidance.objective_and_plan(state),
            *labelled("Claims", claims_line(gate.claims)),
        ]
    return [
        *([] if is_shown else labelled("Gate", summary_line(gate))),
        *guiding(claims=gate.claims),
    ]


@command("off")
@command("stop")
def _off(args: Args) -> Answer:
    project = args.project
    require_person(args.noun, project.root)
    text = auto.switch_off(
        project, project.latest_session(), by=decisions.person_name(), with_gears=True
    )
    return Answer({"auto": False}, text)


@command("auto on", about="switch it on for the latest session (people only)")
def _auto_on(args: Args) -> Answer:
    project = args.project
    require_person("auto on", project.root)
    text = auto.switch_on(project, project.latest_session(), by=decisions.person_name())
    return Answer({"auto": True}, text)


@command("auto off", about="switch it off")
def _auto_off(args: Args) -> Answer:
    project = args.project
    text = auto.switch_off(project, project.latest_session(), by="edge auto off")
    return Answer({"auto": False}, text)


@command("auto status", about="show whether it is on, and why it ended", is_alone=True)
def _auto_status(args: Args) -> Answer:
    project = args.project
    data = auto.report(project, project.state.read())
    return Answer(data, auto.report_lines(data))


# -- a cycle, for a person -------------------------------------------------------------------------


def lines(seen: Cycle, guiding: Sequence[str] = (), *, at_terminal: bool = False) -> list[str]:
    """Mode and gear, what fits the mode, the gear's result, and the pending decision."""
    gear = f", gear {seen.gear}" if seen.gear else ""
    moved = f" ({seen.transition.replace('_', ' ')})" if seen.transition else ""
    is_asked = (seen.junction or {}).get("type") == "quality_gate"  # the same checks, once
    told = [f"Mode {seen.mode}{gear}{moved}", *(() if is_asked else seen.gate)]
    told += guiding
    if seen.stuck:
        told += [
            "STUCK: the loop made no progress, so no gear runs.",
            "Change the plan, or a person runs: edge off",
        ]
    told += _step(seen)
    for each in seen.notes:
        told += hanging_indent("note: ", one_line(each, 300), 6)
    if seen.junction is not None:
        told += status.junction_lines(seen.junction, at_terminal=at_terminal, is_brief=True)
    elif seen.findings:
        told += [f"{len(seen.findings)} findings, silenced for now: edge patrol"]
    elif seen.result is not None and seen.result.status == "ok" and seen.step is None:
        told.append("Found nothing to do.")
    return told


def _step(seen: Cycle) -> list[str]:
    if seen.step is None:
        return []
    step, told = seen.step, []
    told += hanging_indent(f"Step {step['number']}: ", one_line(step["description"], 400))
    for label in ("expected", "verification"):
        if step.get(label):
            told += hanging_indent(f"  {label}: ", one_line(step[label], 300), 4)
    for each in guidance.context_lines(step):
        told += hanging_indent("  ", each.strip(), 4)
    return told


# end of module
