"""Every noun of the command line: the module that registers it, and what ``edge --help`` says of it.

Owns this table and nothing else, so that a command pays for its own module alone. What a noun takes, its
module says.
"""

from __future__ import annotations

COMMANDS = {
    "operators_edge.cli.commands.init": {
        "init": "wire the hooks in; shows what it writes",
    },
    "operators_edge.cli.commands.doctor": {
        "doctor": "run each installed hook; is the gate alive, are the records whole",
    },
    "operators_edge.cli.commands.resident": {
        "resident": "the process that answers tool calls faster",
    },
    "operators_edge.cli.commands.uninstall": {
        "uninstall": "take the hooks out again; the data stays",
    },
    "operators_edge.cli.commands.migrate": {
        "migrate": "bring a project of an older version into one state file",
    },
    "operators_edge.cli.commands.run": {
        "run": "one cycle: the due gate, then the gear that fits; also: edge alone",
        "on": "the same, for a person: edge on",
        "off": "end auto, and put the gears back to their beginning",
        "stop": "end auto, and put the gears back to their beginning",
        "auto": "hand the next step over at each turn's end, until a person is needed",
    },
    "operators_edge.cli.commands.mode": {
        "status": "the project on one screen",
        "active": "set mode active",
        "review": "set mode review",
        "done": "set mode done",
    },
    "operators_edge.cli.commands.plan": {
        "objective": "show, set or clear the objective",
        "intent": "show, record or clear what the person wants, and how they will know it",
        "next": "show, set or clear the very next thing to do",
        "plan": "write the plan, show it, or (alone) set mode plan",
        "step": "say how far a step is",
    },
    "operators_edge.cli.commands.patrol": {
        "patrol": "look for what is worth doing: notes, tests, complexity, what came back",
    },
    "operators_edge.cli.commands.note": {
        "note": "keep a note; alone: list them",
        "question": "keep a question until it is answered; alone: list them",
        "risk": "keep a risk, and what is done about it; alone: list them",
        "constraint": "keep a rule that holds; alone: list them",
    },
    "operators_edge.cli.commands.lesson": {
        "lesson": "keep what was learned, and find it; alone: list",
    },
    "operators_edge.cli.commands.mismatch": {
        "mismatch": "what was seen instead of the expected; alone: list them",
        "adapt": "go on from each open mismatch; alone: what can be done",
    },
    "operators_edge.cli.commands.research": {
        "research": "questions for someone outside; without arguments: list them",
    },
    "operators_edge.cli.commands.brainstorm": {
        "brainstorm": "structured ideas for a challenge; without arguments: suggest challenges",
    },
    "operators_edge.cli.commands.ask": {
        "ask": "let a person choose before the work goes on",
    },
    "operators_edge.cli.commands.approve": {
        "approve": "say yes to what waits: a call, failed checks, a finding, an option",
        "skip": "refuse the pending call",
        "dismiss": "stop asking for this class of calls for a while",
        "grants": "every live grant: what, who, until",
        "revoke": "end one grant at once",
    },
    "operators_edge.cli.commands.disable": {
        "disable": "switch the gate's questions off for a while, or one rule",
        "enable": "switch everything on again, or one rule",
    },
    "operators_edge.cli.commands.explain": {
        "explain": "how a command is understood, and which rule decides",
    },
    "operators_edge.cli.commands.rules": {
        "rules": "the rules of the gate",
    },
    "operators_edge.cli.commands.config": {
        "config": "what is configured, and where",
    },
    "operators_edge.cli.commands.proof": {
        "proof": "the record of what happened: read it, search it, check it",
    },
    "operators_edge.cli.commands.prune": {
        "prune": "move what is finished from the state to the archive",
    },
    "operators_edge.cli.commands.score": {
        "score": "how the work went: six checks, from evidence",
    },
    "operators_edge.cli.commands.handoff": {
        "handoff": "the work in one text, for a new session or another agent",
    },
    "operators_edge.cli.commands.metrics": {
        "metrics": "how often things happened, from the log alone",
    },
    "operators_edge.cli.commands.evals": {
        "eval": "look at what became of the state, by invariants",
    },
    "operators_edge.cli.commands.state": {
        "state": "good versions of the state file",
    },
    "operators_edge.cli.commands.trash": {
        "trash": "put files aside instead of deleting them, and bring them back",
    },
    "operators_edge.cli.commands.undo": {
        "undo": "bring back what a command destroyed, from the snapshot taken before it",
    },
    "operators_edge.cli.commands.verify": {
        "verify": "whether the work stands as the plan says; exit code 1 where it does not",
    },
}
"""Module → its nouns with a line of help each, in the order of the help."""

HOOK = "hook"
"""Answered by the package's entry point, before any parser is there; the command line only names it."""

HELP = {noun: about for nouns in COMMANDS.values() for noun, about in nouns.items()}
HELP[HOOK] = "answer one event of a host, on stdin"
