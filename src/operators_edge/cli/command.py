"""What a command is: the words it takes, the function that runs it, and its answer.

Owns how a module of ``cli.commands`` declares its commands, how a parser is made of that, and how a command
finds its project. Does not own how words are read (``cli.parser``) or which nouns there are (``cli.nouns``).
"""

from __future__ import annotations

import argparse
import contextlib
import os
from functools import cached_property
from itertools import chain

from operators_edge.cli import progress
from operators_edge.cli.parser import DASH, DEBUG_HELP, Parser, verb_first
from operators_edge.errors import NotSetUp
from operators_edge.locations import PROOF_DIR, STATE_FILE
from operators_edge.text.command_names import renamed
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
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


class Args(argparse.Namespace):
    """What was given to a command, by name; its terminal, and its project, opened where it is asked for."""

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


def execute(given: argparse.Namespace, terminal: Terminal, *, asking: str = "") -> int:
    """Run the command that the words are for, and show its answer; returns the exit code."""
    args = Args(**vars(given))
    args.terminal, args.asking = terminal, asking
    with contextlib.ExitStack() as meanwhile:
        if not getattr(args, "draws", False):
            meanwhile.enter_context(progress.displayed(terminal, args.words))
        said: Answer | int = args.run(args)
    if not isinstance(said, Answer):
        return said
    for remark in said.remarks:
        terminal.warn(remark)
    terminal.show(said.data, said.text, ok=said.ok)
    return 0 if said.ok else 1


# -- declaring a command ---------------------------------------------------------------------------


class Arg(NamedTuple):
    """One argument, as ``argparse`` adds it."""

    names: tuple[str, ...]
    options: dict[str, Any]


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

_COMMON = (
    arg("--json", "one JSON object on stdout; --json=FIELD,… for some of it"),
    arg("--fields LIST", argparse.SUPPRESS, default=""),
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


def common_options() -> dict[str, argparse.Action]:
    """What every command takes, by each spelling."""
    parser = Parser(add_help=False)
    for each in _COMMON:
        parser.add_argument(*each.names, **each.options)
    return {
        name: each
        for name, each in parser._option_string_actions.items()  # noqa: SLF001 - named nowhere else
        if each.help is not argparse.SUPPRESS
    }


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


_commands: dict[str, dict[str, Command]] = {}
"""By noun and verb, of the modules that were imported; the verb is "" for a noun that runs by itself."""


def command(words: str, *args: Arg | list[Arg], **options: Any) -> Callable[[F], F]:
    """Declare a function as the command of a noun, or of a noun and a verb; see ``Command``."""
    noun, _, verb = " ".join(renamed(words.split())).partition(" ")

    def declared(run: F) -> F:
        _commands.setdefault(noun, {})[verb] = Command(run, args, **options)
        return run

    return declared


# -- parsers ---------------------------------------------------------------------------------------


def add_noun(nouns: Any, noun: str, about: str, words: list[str] | None = None) -> None:
    """Add the parser of a noun and its verbs. Its own help has the example of the verb that it stands for.

    With the words that follow the noun, only the verb that they are for is added: to add all of them takes
    longer than to run most of them.
    """
    verbs = dict(_commands[noun])
    own = verbs.pop("", None)
    alone = next((verb for verb, each in verbs.items() if each.is_alone), "")
    implied = next((verb for verb, each in verbs.items() if each.is_implied), "")
    if own is not None:
        parser = _add(nouns, noun, about, own)
    else:
        main = implied or next(iter(verbs))
        epilog = _epilog(verbs[main], "" if implied else main)
        parser = nouns.add_parser(noun, help=about, description=_sentence(about), epilog=epilog)
    if verbs:
        parser.filled_in = verb_first(tuple(verbs), other=implied, alone=alone)
        parser.needs_verb = own is None and not alone
        parsers = parser.add_subparsers(dest="verb", required=own is None, metavar="VERB")
        parser.abouts = {verb: each.about for verb, each in verbs.items()}
        chosen = verbs.keys() & parser.filled_in(words)[:1] if words is not None else ()
        for verb in chosen or verbs:
            made = _add(parsers, verb, verbs[verb].about, verbs[verb])
            made.beside = tuple(verbs) if verbs[verb].is_implied else ()
            made.siblings = parsers.choices


def _add(parsers: Any, name: str, about: str, made: Command) -> Parser:
    description = made.description or _sentence(about)
    parser: Parser = parsers.add_parser(
        name, help=about, description=description, epilog=_epilog(made)
    )
    own = [each if isinstance(each, list) else [each] for each in made.args]
    replaced = {name for each in chain(*own) for name in each.names}
    common = [[each] for each in _COMMON if not replaced.intersection(each.names)]
    parser.has_common = True
    parser.common = {name for (each,) in common for name in each.names}
    for group in [*common, *own]:
        place = parser.add_mutually_exclusive_group() if len(group) > 1 else parser
        for each in group:
            place.add_argument(*each.names, **each.options)
    parser.behind = made.behind
    parser.set_defaults(run=made.run, draws=made.draws)
    return parser


def _sentence(about: str) -> str:
    return f"{about[0].upper()}{about[1:]}."


def _epilog(made: Command, verb: str = "") -> str:
    """The example, and how a text is given that begins with a dash."""
    text = " ".join(filter(None, ("Example: %(prog)s", verb, made.example)))
    takes_text = any(isinstance(each, Arg) and each.names == ("text",) for each in made.args)
    return f"{text}\n{DASH.capitalize()}." if takes_text else text


# end of module
