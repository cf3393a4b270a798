"""``edge handoff``: a summary of the work for the next session or agent.

Owns that secrets are redacted. Does not own the text (``sessions.handoff``).
"""

from __future__ import annotations

from operators_edge.cli.command import Answer, Args, command
from operators_edge.redaction.redact import redact
from operators_edge.sessions import briefing, handoff, start as session_start


@command("handoff", example="> handoff.md")
def _handoff(args: Args) -> Answer:
    project = args.project
    state = project.state.read()
    facts = session_start.handoff_facts(project, state)
    page = handoff.text(state, facts, now=project.clock())
    text = redact(page, values=args.secrets)
    return Answer({"handoff": text, "tokens": briefing.estimate_tokens(text)}, text)


# end of module
