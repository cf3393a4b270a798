"""What a command is: the words it takes, the function that runs it, and its answer.

Owns how a module of ``cli.commands`` declares its commands, which one words are for, and how a command finds
its project. Does not own how its words are read (``cli.reading``) or which nouns there are (``cli.nouns``).
"""

from __future__ import annotations

import os
from itertools import chain

from operators_edge.cached import cached_property
from operators_edge.cli import progress, reading
from operators_edge.cli.nouns import HELP, modules_of
from operators_edge.errors import NotSetUp
from operators_edge.locations import PROOF_DIR, STATE_FILE
from operators_edge.text.command_names import renamed
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
    from typing import Any, TypeVar

    from operators_edge.cli.terminal import Terminal
    from operators_edge.project import Project
    from operators_edge.system.project_root import ProjectLocation

    Run = Callable[["Args"], "Answer | int"]
    F = TypeVar("F", bound=Run)


class Answer(NamedTuple):
    """``data`` for a program, ``text`` for a person. Exit code 1 unless ``ok``."""

    data: Any
    text: str | Iterable[str]
    ok: bool = True
    remarks: Sequence[str] = ()


class Args:
    """What was given to a command, by name; its terminal, and its project, opened where it is asked for."""

    def __init__(self, **given: Any) -> None:
        vars(self).update(given)

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any: ...

    terminal: Terminal
    asking: str = ""
    """The session of a client in which the words were typed; "" for a shell."""

    @property
    def words(self) -> str:
        """The noun, and the verb if there is one."""
        return " ".join(filter(None, (self.noun, getattr(self, "verb", None))))

    @cached_property
    def location(self) -> ProjectLocation:
        """Where the command applies: ``--project``, else the project around the current folder."""
        from operators_edge.system import project_root  # noqa: PLC0415 - not for a help

        return project_root.named(self.named) if self.named else project_root.find(os.getcwd())

    @cached_property
    def secrets(self) -> tuple[str, ...]:
        """What is known to be secret here, and hidden wherever it occurs."""
        from operators_edge.project import secrets_of  # noqa: PLC0415 - not for a help

        return secrets_of(self.location.root, os.environ)

    @cached_property
    def project(self) -> Project:
        """The project that the command is about; NotSetUp where there is none.

        What a killed process left half done is finished first, and reported.
        """
        from operators_edge.project import Project  # noqa: PLC0415 - not for a help
        from operators_edge.state import notices_store  # noqa: PLC0415 - as above

        root = self.location.root
        if root is None:
            raise _no_project(self.location)
        if not self.location.is_set_up:
            raise _not_set_up(root)
        project = Project(root, is_set_up=True, asking=self.asking)
        project.state.finish()
        if project.state.unfinished:
            self.terminal.warn(f"a change that was interrupted waits: {project.state.unfinished}")
        for text in notices_store.take(root):
            self.terminal.warn(text)
        return project


def record(
    location: ProjectLocation, event: str, data: dict[str, Any], *, session: str | None = None
) -> None:
    """Log an event where a project is set up; ``session`` None means the latest one."""
    if location.root is not None and location.is_set_up:
        from operators_edge.project import Project  # noqa: PLC0415 - not for a help

        project = Project(location.root, is_set_up=True)
        session = project.latest_session() if session is None else session
        project.log.append({"event": event, "session": session, "data": data})


def _no_project(location: ProjectLocation) -> NotSetUp:
    from operators_edge.system import project_root  # noqa: PLC0415 - not for a help

    if project_root.is_bare(os.getcwd()):
        return NotSetUp(
            "this is a bare repository: there are no files that an agent could work on",
            hint="edge in a clone or a worktree of it",
        )
    return NotSetUp(f"there is no project here: {location.reason}", hint="edge init")


def _not_set_up(root: str) -> NotSetUp:
    """A state file that was deleted can be restored; a fresh one would hide the loss."""
    if os.path.isdir(os.path.join(root, PROOF_DIR, "history")):
        return NotSetUp(
            f"{os.path.join(root, STATE_FILE)} is gone; its last good versions are kept",
            hint="edge history, then edge history restore 1",
        )
    return NotSetUp(f"{root} is not set up", hint="edge init")


def execute(given: Namespace | Args, terminal: Terminal, *, asking: str = "") -> int:
    """Run the command that the words are for, and show its answer; returns the exit code."""
    args = Args(**vars(given))
    args.terminal, args.asking = terminal, asking
    with progress.Displayed(terminal, "" if getattr(args, "draws", False) else args.words):
        said: Answer | int = args.run(args)
    if not isinstance(said, Answer):
        return said
    for remark in said.remarks:
        terminal.warn(remark)
    terminal.show(said.data, said.text, ok=said.ok)
    return 0 if said.ok else 1


# -- declaring a command ---------------------------------------------------------------------------


DEBUG_HELP = "after an unexpected error, also print its traceback"

UNLISTED = "==SUPPRESS=="
"""The description of an argument that no help lists: argparse's own mark, without argparse."""

SWITCH = "switch"
"""The action of an option that has a ``--no-`` form, too."""


class Arg(NamedTuple):
    """One argument, as ``argparse`` adds it."""

    names: tuple[str, ...]
    options: dict[str, Any]

    @property
    def is_option(self) -> bool:
        return self.names[0].startswith("-")

    @property
    def dest(self) -> str:
        """The name of its value."""
        name = next((each for each in self.names if each.startswith("--")), self.names[0])
        dest: str = self.options.get("dest") or name.lstrip("-").replace("-", "_")
        return dest

    @property
    def action(self) -> str:
        action: str = self.options.get("action", "store")
        return action

    @property
    def takes(self) -> str:
        """How many texts: "" for one, "?" for at most one, "*" and "+" for several."""
        number: str = self.options.get("nargs", "")
        return number

    @property
    def default(self) -> Any:
        """Its value where it is not given."""
        flags = {"store_true": False, "store_false": True}
        return self.options.get("default", flags.get(self.action))


def arg(usage: str, about: str = "", **options: Any) -> Arg:
    """An argument in the notation of a usage line; ``options`` are further ones of ``add_argument``.

    ``--force`` is a switch, ``--why T`` takes a text, ``--at N`` a number, ``--as {a,b}`` one of these, and
    ``--skip FILE...`` may be repeated. ``ID`` is needed, ``[ID]`` may be missing, ``TEXT...`` may be several.
    """
    *names, last = usage.split()
    if last.startswith("-"):
        return Arg((*names, last), {"action": "store_true", "help": about, **options})
    is_many, is_optional, metavar = "..." in last, last.startswith("["), last.strip("[].")
    found: dict[str, Any] = {"metavar": metavar, "help": about}
    if metavar.startswith("{"):
        found = {"choices": tuple(metavar.strip("{}").split(",")), "help": about}
    if metavar == "N":
        found["type"] = int
    if names and is_many:
        found |= {"action": "append", "default": []}
    elif is_many or is_optional:
        found["nargs"] = "?" if not is_many else "*" if is_optional else "+"
    if not names:
        names = [{"N": "numbers" if is_many else "number"}.get(metavar, metavar.lower())]
    return Arg(tuple(names), found | options)


DRY_RUN = arg("--dry-run", "show the changes, change nothing")

COMMON = (
    arg("--json", "one JSON object on stdout; --json=FIELD,… for some of it"),
    arg("--fields LIST", UNLISTED, default=""),
    arg("--project DIR", "the project, instead of the one found here", dest="named"),
    arg("-C DIR", "run as if started in that folder", dest="folder"),
    arg("-q --quiet", "no warnings, no progress"),
    arg("-y --yes", "answer each question with yes", dest="says_yes"),
    arg("--no-input", "ask nothing; fail where an answer is needed"),
    arg("--color {auto,always,never}", "when to use colours", default="auto"),
    arg("--no-pager", "print long output at once"),
    arg("--debug", DEBUG_HELP),
)
"""What every command takes: ``edge help options`` explains it."""


class Command(NamedTuple):
    """A function that runs ``edge`` with certain words; arguments in a list cannot be used together.

    ``about`` is the verb's line of help (a noun's is in ``cli.nouns``), ``example`` what follows the words.
    ``is_alone``: the verb may be left out where nothing follows. ``is_implied``: where other words follow.
    ``draws``: it shows its own progress. ``behind`` is the option whose text needs no name where it is typed
    in a client.
    """

    run: Run
    args: tuple[Arg | list[Arg], ...]
    about: str = ""
    example: str = ""
    description: str = ""
    is_alone: bool = False
    is_implied: bool = False
    behind: str = ""
    draws: bool = False

    @property
    def groups(self) -> list[list[Arg]]:
        """Its arguments, after those that every command takes and it has none of its own for."""
        own = [each if isinstance(each, list) else [each] for each in self.args]
        replaced = {name for each in chain(*own) for name in each.names}
        common = [[each] for each in COMMON if not replaced.intersection(each.names)]
        return [*common, *own]


_commands: dict[str, dict[str, Command]] = {}
"""By noun and verb, of the modules that were imported; the verb is "" for a noun that runs by itself."""


def command(words: str, *args: Arg | list[Arg], **options: Any) -> Callable[[F], F]:
    """Declare a function as the command of a noun, or of a noun and a verb; see ``Command``."""
    noun, _, verb = " ".join(renamed(words.split())).partition(" ")

    def declared(run: F) -> F:
        _commands.setdefault(noun, {})[verb] = Command(run, args, **options)
        return run

    return declared


# -- which command ---------------------------------------------------------------------------------

noun_first = reading.verb_first(
    tuple(HELP), other="", alone="status", has_options=False, renamed=renamed
)
"""Fills in the noun that was left out."""


def commands_of(
    noun: str, words: Collection[str] | None = None
) -> tuple[Command | None, dict[str, Command]]:
    """Return what a noun runs by itself, if anything, and what each of its verbs runs.

    ``words`` are those that follow it: verbs that are not among them may be left out.
    """
    for name in modules_of(noun, words):
        __import__(name)  # `importlib` costs more than the command's own module
    verbs = dict(_commands[noun])
    return verbs.pop("", None), verbs


def left_out(verbs: Mapping[str, Command]) -> tuple[str, str]:
    """The verb that stands alone, and the one that stands before other words; "" where there is none."""
    alone = next((verb for verb, each in verbs.items() if each.is_alone), "")
    return alone, next((verb for verb, each in verbs.items() if each.is_implied), "")


def read(words: list[str]) -> Args | None:
    """Return what is given to the command that these words are for; None unless they are well-formed.

    It is what the parsers of ``cli.parsers`` make of such words, at a fraction of the time.
    """
    noun, *rest = noun_first(words)
    if noun not in HELP:
        return None
    own, verbs = commands_of(noun, rest)
    alone, implied = left_out(verbs)
    given: dict[str, Any] = {"noun": noun}
    chosen = own
    if verbs:
        rest = reading.verb_first(tuple(verbs), other=implied, alone=alone)(rest)
        given["verb"] = rest[0] if rest[:1] and rest[0] in verbs else None
        if given["verb"] is not None:
            if own is not None:
                given |= reading.arguments((), own.groups) or {}
            chosen = verbs[rest.pop(0)]
    if chosen is None:
        return None
    found = reading.arguments(rest, chosen.groups)
    if found is None:
        return None
    return Args(**{**given, **found, "run": chosen.run, "draws": chosen.draws})


# end of module
