"""Every noun of the command line, with its line in ``edge --help``, and the module that declares it.

Owns only these tables, so that running a command imports only its own module. Old names are in
``text.command_names``.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection

GROUPS = {
    "Decide": {
        "approve": "say yes to what is pending: a call, failed checks, a finding",
        "skip": "say no to the pending call, until your next prompt",
        "dismiss": "stop asking about such calls, or a whole rule, for a while",
        "grants": "list what is granted now: what, by whom, until when",
        "pause": "switch the gate's questions off for a while, or one rule",
        "resume": "switch everything on again, or one rule",
    },
    "Inspect": {
        "status": "show the project on one screen",
        "explain": "show how a command is understood, and which rule decides",
        "rehearse": "show what a command would do, without doing it",
        "rules": "list, show and test the rules of the gate",
        "log": "show, follow, search and verify the log of what happened",
        "why": "show what led to a call or a decision, and what came after",
        "watch": "show what waits and what happens, live",
        "stats": "count what happened, from the log",
        "replay": "count what today's rules would have asked in past sessions",
        "redact": "take the secrets out of a file or a stream",
        "report": "write one page that shows others what was done",
        "serve": "show the dashboard in your browser",
    },
    "Verify": {
        "verify": "check the work against the plan",
        "done": "run the quality gate, and set the mode to done",
        "review": "show what a review has to look at; print a prompt for one",
        "patrol": "scan for work worth doing: complexity, missing tests, TODOs",
    },
    "Recover": {
        "undo": "restore work from the snapshot taken before a command",
        "trash": "move files to the trash instead of deleting, and restore them",
        "history": "list, compare and restore versions of the state file",
    },
    "Plan": {
        "objective": "show, set or clear what the work is for",
        "intent": "show, set or clear what success looks like",
        "plan": "list and edit the steps",
        "step": "report progress on a step: start, done, block",
        "next": "show, set or clear the next action",
        "mode": "show or set the mode: plan, active, review, done",
        "note": "list notes, or add one",
        "question": "list open questions, or add one",
        "risk": "list risks, or add one",
        "constraint": "list constraints, or add one",
        "lesson": "list, add and search what was learned",
        "mismatch": "list and record what differed from what was expected",
        "adapt": "resolve an open mismatch",
        "research": "list questions for someone outside, and load their answers",
        "brainstorm": "collect and weigh ideas for a challenge",
        "handoff": "print the work as one text for a new session",
        "auto": "give the agent the next step at each turn's end",
        "bridge": "let an agent work through task files, and verify the results",
    },
    "Set up": {
        "init": "install the hooks; shows each change and asks once",
        "doctor": "check the installation, and repair it",
        "config": "show and set the configuration, and where values come from",
        "notify": "be notified of decisions that wait",
        "resident": "manage the process that answers tool calls faster",
        "completion": "print the completion script of a shell",
        "migrate": "convert a project of an older version",
        "uninstall": "remove the hooks, and the data too if you want",
    },
}
"""The nouns by group, in the order of the help."""

HIDDEN = {
    "run": "run one cycle: the quality gate if due, else the current gear",
    "on": "run one cycle (a person's short form)",
    "off": "end auto mode, and reset the gears",
    "stop": "end auto mode, and reset the gears",
    "active": "set the mode to active",
    "ask": "ask a person to choose before the work continues",
    "loop": "bring the reports up to date: page, traceability, digest, dashboard",
    "prune": "move finished items from the state to the archive",
    "score": "score the work with six checks, from evidence",
    "eval": "check edits of the state against invariants",
    "purge": "remove this project's data permanently, all of it or what is old",
    "statusline": "print one line for the client's status line, from stdin",
    "hook": "answer one event of a client, read from stdin",
    "complete": "print what may follow some words, for a shell's completion",
    "help": "explain a command or a topic",
}
"""What agents, programs and slash commands run: ``edge help commands`` lists it, too."""

HELP = {noun: about for group in (*GROUPS.values(), HIDDEN) for noun, about in group.items()}

_MODULES = {
    "on": "run",
    "off": "run",
    "stop": "run",
    "auto": "run",
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
    "pause": "disable",
    "resume": "disable",
    "eval": "evals",
    "log": "proof",
    "history": "state",
    "stats": "metrics",
    "complete": "completion",
}
"""Those of the nouns that are not declared in the module of their own name."""

_FURTHER = {
    "log": {
        "claims": "proof_ledger",
        "rerun": "proof_ledger",
        "report": "proof_report",
        "scrub": "proof_scrub",
    }
}
"""Verbs that have a module apart, because it needs more than the noun's other verbs."""


def modules_of(noun: str, words: Collection[str] | None = None) -> list[str]:
    """The full names of the modules that declare its verbs: all, or those that may be among the words."""
    further = _FURTHER.get(noun, {}).items()
    names = [name for verb, name in further if words is None or verb in words]
    return [f"operators_edge.cli.commands.{name}" for name in (_MODULES.get(noun, noun), *names)]


# end of module
