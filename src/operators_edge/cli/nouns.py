"""Every noun of the command line, with its line in ``edge --help``, and the module that declares it.

Owns only these tables, so that running a command imports only its own module.
"""

from __future__ import annotations

HELP = {
    "init": "install the hooks in this project; shows what it will write",
    "doctor": "run each installed hook, and check the project's records",
    "serve": "show the dashboard on this machine: what waits for you, and what happened",
    "notify": "be notified of decisions that wait; off until a person sets it up",
    "resident": "manage the background process that answers tool calls faster",
    "uninstall": "remove the hooks; your data stays",
    "purge": "remove this project's data permanently, all of it or what is old",
    "migrate": "convert a project of an older version to one state file",
    "run": "run one cycle: the quality gate if due, else the current gear",
    "on": "run one cycle (a person's short form)",
    "off": "end auto mode, and reset the gears",
    "stop": "end auto mode, and reset the gears",
    "auto": "give the agent the next step at each turn's end, until a person is needed",
    "status": "show the project on one screen",
    "active": "set the mode to active",
    "review": "set the mode to review",
    "done": "run the quality gate, and set the mode to done",
    "objective": "show, set or clear the objective",
    "intent": "show, set or clear what the person wants, and what success looks like",
    "next": "show, set or clear the next action",
    "plan": "edit or show the plan; without arguments: set the mode to plan",
    "step": "report progress on a step: start, done, block",
    "patrol": "scan for work worth doing: complexity, missing tests, churn, TODOs",
    "note": "add a note; without arguments: list them",
    "question": "add an open question; without arguments: list them",
    "risk": "add a risk and its mitigation; without arguments: list them",
    "constraint": "add a constraint; without arguments: list them",
    "lesson": "add a lesson, or search them; without arguments: list them",
    "mismatch": "record what differed from what was expected; without arguments: list them",
    "adapt": "resolve an open mismatch; without arguments: list the options",
    "research": "questions for someone outside; without arguments: list them",
    "brainstorm": "structured ideas for a challenge; without arguments: suggest challenges",
    "ask": "ask a person to choose before the work continues",
    "approve": "approve what is pending: a call, failed checks, a finding, an option",
    "skip": "refuse the pending call",
    "dismiss": "stop asking about this class of calls, or a whole rule, for a while",
    "grants": "list every active grant: what, who, until when",
    "revoke": "revoke one grant now",
    "disable": "turn off the gate's questions, or one rule, for a while",
    "enable": "turn everything on again, or one rule",
    "explain": "show how a command is understood, and which rule decides",
    "replay": "count what today's rules would have asked in past sessions",
    "rehearse": "show what a command would do, without doing it",
    "rules": "list, show and test the rules of the gate",
    "config": "show and set the configuration, and where each value comes from",
    "proof": "read, search and verify the log of what happened",
    "report": "write the proof page: one file that shows what was done, for others",
    "loop": "bring the reports up to date: proof page, traceability, archive, digest, dashboard",
    "watch": "show what waits and what happens, live; q ends it",
    "why": "show what led to a call or a decision, and what came after",
    "redact": "take the secrets out of a file or a stream, or say where there are any",
    "prune": "move finished items from the state to the archive",
    "score": "score the work with six checks, from evidence",
    "handoff": "print the work as one text for a new session or another agent",
    "metrics": "count what happened, from the log",
    "eval": "check edits of the state against invariants",
    "state": "list, compare and restore earlier versions of the state file",
    "trash": "move files to the trash instead of deleting them, and restore them",
    "bridge": "let an agent work through task files by itself, and verify each result",
    "undo": "restore work that a command destroyed, from the snapshot taken before it",
    "verify": "check the work against the plan; exit code 1 if it does not hold",
    "statusline": "print one line for the client's status line, from its JSON on stdin",
    "hook": "answer one event of a host, read from stdin",
}
"""In the order of the help."""

_MODULES = {
    "on": "run",
    "off": "run",
    "stop": "run",
    "auto": "run",
    "status": "mode",
    "active": "mode",
    "done": "mode",
    "objective": "plan",
    "intent": "plan",
    "next": "plan",
    "step": "plan",
    "question": "note",
    "risk": "note",
    "constraint": "note",
    "adapt": "mismatch",
    "skip": "approve",
    "dismiss": "approve",
    "grants": "approve",
    "revoke": "approve",
    "enable": "disable",
    "eval": "evals",
}
"""Those of the nouns that are not declared in the module of their own name."""


def module_of(noun: str) -> str:
    """The full name of the module that declares it."""
    return f"operators_edge.cli.commands.{_MODULES.get(noun, noun)}"


# end of module
