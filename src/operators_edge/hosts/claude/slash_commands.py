"""The slash commands: their names, their descriptions in the client, and which of them cost a model turn.

Owns the one table from which ``edge init`` and the plugin generate their files, and by which the prompt hook
recognises our commands. Does not own what the words do (the command line's parsers) or who typed them.

A file's body is one short line. A command's output is computed when it is typed, and added to that line; a
command that asks or decides is answered before the model sees anything.
"""

from __future__ import annotations

from operators_edge.tuples import NamedTuple

MARK = "<!-- operators-edge -->"


class Command(NamedTuple):
    """``name`` is typed after the slash; ``words`` is the equivalent after ``/edge``.

    ``turns`` are the verbs that the model acts on: "" for the command without arguments, ``ANY`` for words
    other than ``verbs``. The hook answers everything else.
    """

    name: str
    words: str
    about: str
    hint: str = ""
    turns: tuple[str, ...] = ()
    verbs: tuple[str, ...] = ()

    def is_for_model(self, text: str) -> bool:
        """Whether the model acts on this command, followed by that text."""
        verb = text.split(maxsplit=1)[0] if text.strip() else ""
        if verb in self.turns:
            return True
        return bool(verb) and verb not in self.verbs and ANY in self.turns

    @property
    def short(self) -> str:
        """Its name in the plugin, which is prefixed with the plugin's: ``/edge:plan``."""
        return self.name.removeprefix("edge-") if self.name != "edge" else "run"


ANY = "*"

COMMANDS = (
    Command(
        "edge",
        "",
        "Status, decisions, notes and the next step, without a model turn",
        "[status|approve|skip|dismiss|plan|step|note|auto|help …]",
    ),
    Command(
        "edge-plan",
        "plan",
        "Make or change the plan",
        "[objective | list|add|edit|move|rm …]",
        turns=("", ANY),
        verbs=("list", "add", "edit", "move", "rm", "show", "start", "done", "block", "reopen"),
    ),
    Command(
        "edge-step",
        "step",
        "Do the current step, or say how far one is",
        "[start|done|block|reopen|proof …]",
        turns=("",),
    ),
    Command(
        "edge-research",
        "research",
        "Find out what the plan does not know",
        "[scan|add|list|show|start|cancel …]",
        turns=("start",),
    ),
    Command(
        "edge-research-results",
        "research results",
        "Keep what a research has found",
        "R001 TEXT",
    ),
    Command(
        "edge-brainstorm",
        "brainstorm",
        "Think up ways to meet a challenge",
        "[challenge | scan|show|complete …]",
        turns=(ANY, "begin", "prompt"),
        verbs=(
            *("begin", "scan", "show", "prompt", "idea", "select", "set", "load", "complete"),
            *("plan", "rm", "drop"),
        ),
    ),
    Command(
        "edge-mismatch",
        "mismatch",
        "What turned out differently than expected",
        "[TEXT | list|resolve …]",
    ),
    Command(
        "edge-adapt",
        "adapt",
        "Change the plan after a mismatch",
        "[N revise|insert|replace|escalate …]",
        turns=("",),
    ),
    Command("edge-score", "score", "How this session worked, from evidence"),
    Command("edge-prune", "prune", "Archive what is done, drop old lessons", "[--dry-run]"),
    Command("edge-verify", "verify", "Whether the work is where the plan says"),
    Command(
        "edge-review",
        "review prompt",
        "Review the open changes against the intent",
        "[--staged]",
        turns=("", "--staged"),
    ),
    Command(
        "edge-yolo", "auto", "Continue by itself until a decision is needed", "[on|off|status]"
    ),
    Command(
        "edge-loop",
        "loop",
        "Proof page, traceability, digest; start the dashboard if needed",
        "[--no-serve]",
    ),
    Command("edge-eval", "eval", "Check the state's invariants", "[run|status|list|show|policy]"),
)

_BY_NAME = {command.name: command for command in COMMANDS}
_BY_SHORT = {command.short: command for command in COMMANDS}


class Line(NamedTuple):
    """A typed command of ours, and the text after it as typed."""

    command: Command
    text: str

    @property
    def words(self) -> str:
        """The equivalent words after ``/edge``."""
        return f"{self.command.words} {self.text}".strip()

    @property
    def is_for_model(self) -> bool:
        return self.command.is_for_model(self.text)


def line(prompt: str) -> Line | None:
    """The typed line, if it begins with one of our commands; None if it only mentions one."""
    text = prompt.strip()
    if not text.startswith("/edge"):
        return None
    name, *rest = text[1:].split(maxsplit=1)
    command = _BY_SHORT.get(name[5:]) if name.startswith("edge:") else _BY_NAME.get(name)
    return None if command is None else Line(command, rest[0] if rest else "")


def file_of(command: Command) -> str:
    """The text of a command's file.

    No command is offered to the model: one that is not typed costs no token in any session.
    """
    hint = f'argument-hint: "{command.hint}"\n' if command.hint else ""
    return (
        f"---\ndescription: {command.about}\n{hint}disable-model-invocation: true\n---\n"
        f"{MARK}\n{_FOR_MODEL if command.turns else _UNANSWERED}\n"
    )


_UNANSWERED = (
    "The hooks of Operator's Edge answer this before you see it. You see it, so they are not running:\n"
    "tell the person, and that `edge doctor` in their terminal says why. Do nothing else."
)
_FOR_MODEL = (
    "Do what Operator's Edge says beside this line. If it says nothing, its hooks are not running: say so,\n"
    "and that `edge doctor` tells why. $ARGUMENTS"
)

# end of module
