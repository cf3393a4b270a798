"""``edge handoff``: a summary of the work for the next session or agent.

Owns the command's syntax, and that secrets are redacted. Does not own the text
(``sessions.handoff``).
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from operators_edge.cli.options import common, opened
from operators_edge.redaction.redact import redact, secret_values
from operators_edge.sessions import briefing, handoff, start as session_start

if TYPE_CHECKING:
    import argparse

    from operators_edge.cli.terminal import Terminal


def register(nouns: Any) -> None:
    parser = nouns.add_parser("handoff", parents=[common()], epilog="edge handoff > handoff.md")
    parser.set_defaults(run=_run)


def _run(args: argparse.Namespace, terminal: Terminal) -> int:
    project = opened(args)
    state = project.state.read()
    facts = session_start.handoff_facts(project, state)
    page = handoff.text(state, facts, now=project.clock())
    text = redact(page, values=secret_values(os.environ))
    terminal.show({"handoff": text, "tokens": briefing.estimate_tokens(text)}, text)
    return 0
