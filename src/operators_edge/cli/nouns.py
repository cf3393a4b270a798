"""Every noun of the command line: the module that registers it, and its line in ``edge --help``.

Owns only this table, so that running a command imports only its own module. Arguments and options are
defined in that module.
"""

from __future__ import annotations

COMMANDS = {
    "operators_edge.cli.commands.init": {
        "init": "install the hooks in this project; shows what it will write",
    },
    "operators_edge.cli.commands.doctor": {
        "doctor": "run each installed hook, and check the project's records",
    },
    "operators_edge.cli.commands.resident": {
        "resident": "manage the background process that answers tool calls faster",
    },
    "operators_edge.cli.commands.uninstall": {
        "uninstall": "remove the hooks; your data stays",
    },
    "operators_edge.cli.commands.migrate": {
        "migrate": "convert a project of an older version to one state file",
    },
    "operators_edge.cli.commands.run": {
        "run": "run one cycle: the quality gate if due, else the current gear",
        "on": "run one cycle (a person's short form)",
        "off": "end auto mode, and reset the gears",
        "stop": "end auto mode, and reset the gears",
        "auto": "give the agent the next step at each turn's end, until a person is needed",
    },
    "operators_edge.cli.commands.mode": {
        "status": "show the project on one screen",
        "active": "set the mode to active",
        "review": "set the mode to review",
        "done": "run the quality gate, and set the mode to done",
    },
    "operators_edge.cli.commands.plan": {
        "objective": "show, set or clear the objective",
        "intent": "show, set or clear what the person wants, and what success looks like",
        "next": "show, set or clear the next action",
        "plan": "edit or show the plan; without arguments: set the mode to plan",
        "step": "report progress on a step: start, done, block",
    },
    "operators_edge.cli.commands.patrol": {
        "patrol": "scan for work worth doing: complexity, missing tests, churn, TODOs",
    },
    "operators_edge.cli.commands.note": {
        "note": "add a note; without arguments: list them",
        "question": "add an open question; without arguments: list them",
        "risk": "add a risk and its mitigation; without arguments: list them",
        "constraint": "add a constraint; without arguments: list them",
    },
    "operators_edge.cli.commands.lesson": {
        "lesson": "add a lesson, or search them; without arguments: list them",
    },
    "operators_edge.cli.commands.mismatch": {
        "mismatch": "record what differed from what was expected; without arguments: list them",
        "adapt": "resolve an open mismatch; without arguments: list the options",
    },
    "operators_edge.cli.commands.research": {
        "research": "questions for someone outside; without arguments: list them",
    },
    "operators_edge.cli.commands.brainstorm": {
        "brainstorm": "structured ideas for a challenge; without arguments: suggest challenges",
    },
    "operators_edge.cli.commands.ask": {
        "ask": "ask a person to choose before the work continues",
    },
    "operators_edge.cli.commands.approve": {
        "approve": "approve what is pending: a call, failed checks, a finding, an option",
        "skip": "refuse the pending call",
        "dismiss": "stop asking about this class of calls for a while",
        "grants": "list every active grant: what, who, until when",
        "revoke": "revoke one grant now",
    },
    "operators_edge.cli.commands.disable": {
        "disable": "turn off the gate's questions, or one rule, for a while",
        "enable": "turn everything on again, or one rule",
    },
    "operators_edge.cli.commands.explain": {
        "explain": "show how a command is understood, and which rule decides",
    },
    "operators_edge.cli.commands.rules": {
        "rules": "list, show and test the rules of the gate",
    },
    "operators_edge.cli.commands.config": {
        "config": "show and set the configuration, and where each value comes from",
    },
    "operators_edge.cli.commands.proof": {
        "proof": "read, search and verify the log of what happened",
    },
    "operators_edge.cli.commands.prune": {
        "prune": "move finished items from the state to the archive",
    },
    "operators_edge.cli.commands.score": {
        "score": "score the work with six checks, from evidence",
    },
    "operators_edge.cli.commands.handoff": {
        "handoff": "print the work as one text for a new session or another agent",
    },
    "operators_edge.cli.commands.metrics": {
        "metrics": "count what happened, from the log",
    },
    "operators_edge.cli.commands.evals": {
        "eval": "check edits of the state against invariants",
    },
    "operators_edge.cli.commands.state": {
        "state": "list, compare and restore earlier versions of the state file",
    },
    "operators_edge.cli.commands.trash": {
        "trash": "move files to the trash instead of deleting them, and restore them",
    },
    "operators_edge.cli.commands.undo": {
        "undo": "restore work that a command destroyed, from the snapshot taken before it",
    },
    "operators_edge.cli.commands.verify": {
        "verify": "check the work against the plan; exit code 1 if it does not hold",
    },
}
"""Module → its nouns with a line of help each, in the order of the help."""

HOOK = "hook"
"""Handled by the package's entry point before any parser exists; the command line only lists it."""

HELP = {noun: about for nouns in COMMANDS.values() for noun, about in nouns.items()}
HELP[HOOK] = "answer one event of a host, read from stdin"
