"""Before a tool call: ask the gate, and leave everything but a silent allow to the modules that handle it.

Owns the path of a call that is allowed, which is nearly every one: it loads as little as possible. Does not
own the rules (``gate.decide``), what a person decides about (``sessions.risky_call``) or edits
(``sessions.edit_call``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from operators_edge.config import effective
from operators_edge.gate import decide as gate_decide
from operators_edge.gate.facts import QuickFacts, SystemFacts, place
from operators_edge.model import ALLOW, Outcome

if TYPE_CHECKING:
    from operators_edge.gate.rules import Rules
    from operators_edge.model import Call, Facts, Verdict
    from operators_edge.sessions.tool_call import ToolCallHandler

EDITING_TOOLS = ("Edit", "Write", "MultiEdit", "NotebookEdit")


def decide(handler: ToolCallHandler, call: Call) -> Outcome:
    """What may happen to the call; every refusal is recorded before it is answered."""
    root = handler.root
    rules = effective.load(root, handler.env)
    verdict = _assess(handler, call, rules, SystemFacts())
    outcome = Outcome()
    if verdict.effect != "allow":
        from operators_edge.sessions import risky_call  # noqa: PLC0415 - not for an allow

        verdict = risky_call.without_switched_off(handler, call, verdict)
        outcome = risky_call.decide(handler, call, verdict, rules)
    if verdict.effect == "allow" and root is not None and call.tool in EDITING_TOOLS:
        from operators_edge.sessions import edit_call  # noqa: PLC0415 - for edits only

        return edit_call.decide(handler, call, root)
    if verdict.destroys and outcome.effect != "block":
        from operators_edge.sessions import call_snapshot  # noqa: PLC0415 - for what destroys only

        return call_snapshot.add(handler, call, verdict, outcome)
    return outcome


def is_silent(handler: ToolCallHandler, call: Call) -> bool:
    """Whether ``decide`` would allow the call and write nothing; False if finding out takes time."""
    rules, facts = effective.load_cached(handler.root, handler.env), QuickFacts()
    if rules is None:
        return False
    verdict = _assess(handler, call, rules, facts)
    if verdict.effect != "allow" or verdict.destroys or facts.is_incomplete:
        return False
    if handler.project is None or call.tool not in EDITING_TOOLS:
        return True
    from operators_edge.sessions import edit_call  # noqa: PLC0415 - for edits only

    return edit_call.is_silent(handler, handler.project, call)


def _assess(handler: ToolCallHandler, call: Call, rules: Rules, facts: Facts) -> Verdict:
    """The gate's verdict; the place of the call is inspected only if a rule can depend on it."""
    if gate_decide.is_plain(call, rules):
        return ALLOW
    return gate_decide.assess(call, place(handler.root, handler.env), facts, rules)
