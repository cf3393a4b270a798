"""Before a tool call: ask the gate, and leave everything but a silent allow to the modules that handle it.

Owns the path of a call that is allowed, which is nearly every one: it loads as little as possible. Does not
own the rules (``gate.decide``), what a person decides about (``sessions.risky_call``) or edits
(``sessions.edit_call``).
"""

from __future__ import annotations

from operators_edge.config import effective
from operators_edge.gate.decide import assess, is_plain
from operators_edge.gate.facts import QuickFacts, SystemFacts, place
from operators_edge.memory import trigger_cache
from operators_edge.model import ALLOW, Outcome
from operators_edge.sessions.context import EDITING_TOOLS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from operators_edge.gate.rules import Rules
    from operators_edge.model import Call, Verdict
    from operators_edge.sessions.context import EventContext


def decide(context: EventContext, call: Call) -> Outcome:
    """What may happen to the call; every refusal is recorded before it is answered."""
    rules = effective.load(context.root, context.env)
    verdict = _assess(context, call, rules, SystemFacts())
    if verdict.effect != "allow" or verdict.destroys:
        from operators_edge.sessions import risky_call  # noqa: PLC0415 - not for an allow

        return risky_call.decide(context, call, verdict, rules)
    if context.root is not None and call.tool in EDITING_TOOLS:
        from operators_edge.sessions import edit_call  # noqa: PLC0415 - for edits only

        return edit_call.decide(context, call, context.root)
    return Outcome()


def is_silent(context: EventContext, call: Call) -> bool:
    """Whether ``decide`` would allow the call and write nothing.

    False if finding out takes time: rules that are not compiled, or a question to git.
    """
    rules, facts = effective.load_cached(context.root, context.env), QuickFacts()
    if rules is None:
        return False
    if not _is_plain(call, rules):
        here = place(context.root, context.env, facts)
        profiles = [rules.profile]
        if rules.profile != "strict" and not _is_state_known(context):
            profiles.append("strict")  # it counts if the state turns out to be damaged
        for profile in profiles:
            verdict = assess(call, here, facts, rules.with_profile(profile))
            if verdict.effect != "allow" or verdict.destroys or facts.is_incomplete:
                return False
    if context.project is None or call.tool not in EDITING_TOOLS:
        return True
    from operators_edge.sessions import edit_call  # noqa: PLC0415 - for edits only

    return edit_call.is_silent(context, context.project, call)


def _assess(context: EventContext, call: Call, rules: Rules, facts: SystemFacts) -> Verdict:
    """The gate's verdict; the place of the call is inspected only if a rule can depend on it."""
    if _is_plain(call, rules):
        return ALLOW
    if rules.profile != "strict" and _is_state_damaged(context):
        rules = rules.with_profile("strict")
    return assess(call, place(context.root, context.env, facts), facts, rules)


def _is_plain(call: Call, rules: Rules) -> bool:
    return is_plain(call, rules) and not _runs_from_settings(call)


def _is_state_known(context: EventContext) -> bool:
    project = context.recorded_project
    return project is None or trigger_cache.is_state_known(project.root, context.env)


def _is_state_damaged(context: EventContext) -> bool:
    """Whether the state cannot be read: then nothing is let through that the strict profile stops (ST-7)."""
    project = context.recorded_project
    if project is None or _is_state_known(context):
        return False
    from operators_edge.memory import service as memory_service  # noqa: PLC0415 - only if it has changed

    return memory_service.is_state_damaged(project)


def _runs_from_settings(call: Call) -> bool:
    command = call.input.get("command")
    return isinstance(command, str) and effective.repository_may_run(command, call.cwd)


# end of module
