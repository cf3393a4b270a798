"""The claims of a project's plan, each with its verdict, and what was verified last.

Owns which steps are claims and which override applies. Does not own verdicts (``evidence.claims.judge``),
questions to the tree (``evidence.claims.tree_facts``) or what fails the quality gate
(``quality.service``).
"""

from __future__ import annotations

from operators_edge.evidence import overrides
from operators_edge.evidence.claims.model import Case
from operators_edge.evidence.claims.tree_facts import ProjectTreeFacts
from operators_edge.evidence.progress import keys_of, observed_during
from operators_edge.state import schema
from operators_edge.text.patterns import pattern
from operators_edge.text.wording import one_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from operators_edge.evidence.claims.model import Claim
    from operators_edge.evidence.objective_facts import ObjectiveFacts
    from operators_edge.git.worktree import TreeState
    from operators_edge.model import State
    from operators_edge.project import Project


def claims_of(
    project: Project, state: State, tree: ProjectTreeFacts | None = None
) -> tuple[Claim, ...]:
    """A claim for every completed step, in the plan's order; ``tree`` holds what was asked already."""
    steps = [each if isinstance(each, dict) else {} for each in state.get("plan") or []]
    if not any(step.get("status") == "completed" for step in steps):
        return ()
    from operators_edge.evidence.claims import judge  # noqa: PLC0415 - many patterns, for completed steps alone

    tree = tree or current_tree(project)
    work = tree.work
    override = _override(project, state)
    keys = keys_of(step.get("description") for step in steps)
    return tuple(
        judge.judge(
            Case(judge.subject_of(number, key, step, work, observed_during(work, key)), work, tree),
            override,
        )
        for number, (key, step) in enumerate(zip(keys, steps, strict=True), 1)
        if step.get("status") == "completed"
    )


def current_tree(project: Project) -> ProjectTreeFacts:
    """The tree, and in its ``work`` what was observed, with the checks that are weakened at this moment.

    What a command changed is logged when a check or a turn ends; a claim may be judged before (PR-12).
    """
    work = project.evidence.work()
    tree = ProjectTreeFacts(project, work)
    files = tree.since_start() if work["files"] or work["commands"] else None
    if tree.first is None or (not files and not work["tampering"]):
        return tree
    from operators_edge.evidence import objective_facts  # noqa: PLC0415 - only after a change
    from operators_edge.evidence.tamper import service as tamper_service  # noqa: PLC0415

    entries = tamper_service.since_start(project.root, work["tampering"], tree.first, files or ())
    if entries:
        tree.work = objective_facts.fold({**work, "tampering": {**work["tampering"]}}, entries)
    return tree


_ABOUT_WORK = pattern(
    r"(?i)commit|push|reproduc|\b\d+\s*(?:/\s*\d+\s*)?(?:tests?|specs?|pass)|no longer"
)
"""What a message may claim that facts beside a failed check can refute."""


def contradicted_message(project: Project, text: str, now: TreeState | None = None) -> str:
    """What was observed against the agent's message at the end of a turn, in a sentence; "" for nothing.

    It is judged like a completed step to which all of the work belongs. ``now`` is the tree, if known.
    """
    if not text.strip():
        return ""
    work = project.evidence.work()
    has_failed = any(run["passed"] is False for run in work["checks"])
    if not has_failed and not _ABOUT_WORK.search(text):
        return ""
    from operators_edge.evidence.claims import contradictions, judge, verdict  # noqa: PLC0415 - see above

    subject = judge.subject_of_message(text[-MAX_MESSAGE:], work)
    case = Case(subject, work, ProjectTreeFacts(project, work, now))
    found = contradictions.contradiction(case)
    if found is None and has_failed:  # it may have passed since, because its tests were left out
        found = verdict.from_runs(case)
    return found.why if found is not None and found.verdict == "CONTRADICTED" else ""


MAX_MESSAGE = 4000
"""Characters of a message that are judged, the last ones: there the agent sums up."""


def failing(work: ObjectiveFacts, *, known: Sequence[str] = ()) -> tuple[str, ...]:
    """Each check that failed and has not passed since, by the names of its tests, with its command.

    Without those that the texts in ``known`` name already.
    """
    if not any(run["passed"] is False for run in work["checks"]):
        return ()
    from operators_edge.evidence.claims import check_history  # noqa: PLC0415 - once a session

    lines = []
    runs = check_history.runs_of_kind(work["checks"], "any")
    for run, _ in check_history.remaining_failures(runs):
        text = check_history.describe(run)
        if not any(text in each for each in known):
            names = ", ".join((run.get("failed") or [])[:MAX_FAILED])
            command = check_history.rerun_command(run, work["root"])
            lines.append(f"{text}{f' ({names})' if names else ''}; run: {one_line(command, 80)}")
    return tuple(reversed(lines))


MAX_FAILED = 3
"""Failed tests that a line names."""


def last_verified(
    claims: Sequence[Claim],
    work: ObjectiveFacts,
    tree: ProjectTreeFacts,
    *,
    known: Sequence[str] = (),
) -> str:
    """What was verified last, or which check passed last, and what changed since, in a sentence.

    "" if no check ever passed, or if the texts in ``known`` say it already.
    """
    verified = [each for each in claims if each.verdict == "VERIFIED" and each.check]
    if verified:
        last = max(verified, key=lambda each: each.check["seq"] if each.check else 0)
        return f"Verified: step {last.step} ({one_line(last.text, 60)}): {last.why}"
    passed = [run for run in work["checks"] if run["passed"] is True]
    if not passed:
        return ""
    from operators_edge.evidence.claims import check_history  # noqa: PLC0415 - once a session

    run = passed[-1]
    text, changed = check_history.describe(run), tree.changed(run["look"])
    if any(text in each for each in known):
        return ""
    if changed is None:
        return f"Last check: {text}; what changed since is unknown"
    files = check_history.covered(changed, tree.unit(run["cwd"] or ""))
    return f"Last check: {text}; {check_history.changed_since(files)}"


def _override(project: Project, state: State) -> dict[str, Any] | None:
    """The override of the claims for the current session and objective."""
    active = overrides.active(state, schema.latest_session(state), project.refusal_reason)
    return next((each for each in active if overrides.covers(each, "claims_supported")), None)


# end of module
