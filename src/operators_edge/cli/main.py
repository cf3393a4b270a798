"""The ``edge`` command: finds the noun, runs it, turns errors into texts and exit codes.

Exit codes: 0 ok, 1 the answer is no, 3 a decision is pending, 4 not set up, 5 state damaged or locked,
64 usage, 70 our bug, 130 interrupted. Never 2: hosts read it as "block".
"""

from __future__ import annotations

import os
import sys

from operators_edge import __version__
from operators_edge.cli import command
from operators_edge.cli.nouns import HELP, module_of
from operators_edge.cli.parser import DEBUG_HELP, Parser, verb_first
from operators_edge.cli.terminal import Terminal, escape_what_a_stream_lacks, replace_closed_streams
from operators_edge.errors import EdgeError, UsageError
from operators_edge.text.command_names import renamed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Sequence

    from operators_edge.cli.crash_report import Report


QUEUE_SECONDS = 60.0
"""How long a command waits for a lock that others hold one after the other."""


def main(argv: list[str] | None = None) -> int:
    """Run one command; returns its exit code."""
    words = sys.argv[1:] if argv is None else argv
    before = words[: words.index("--")] if "--" in words else words
    replace_closed_streams()
    escape_what_a_stream_lacks()
    is_json = any(each == "--json" or each.startswith("--json=") for each in before)
    terminal = Terminal(json_wanted=is_json)
    terminal.words = words
    try:
        given = _parsed(words)
        terminal.set_up(given)
        _go_to(getattr(given, "folder", None))
        from operators_edge.cli import integrity  # noqa: PLC0415 - not for `--version`
        from operators_edge.storage import files  # noqa: PLC0415 - as above

        files.stand_in_line(0.0 if words[:1] == ["hook"] else QUEUE_SECONDS)
        integrity.tell(given, terminal)
        return command.execute(given, terminal)
    except EdgeError as error:
        _complain(terminal, error)
        return error.exit_code
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return 130
    except BrokenPipeError:
        # The reader went away (`edge log | head`): nothing is wrong.
        sys.stderr.close()
        return 0
    except Exception as error:  # noqa: BLE001 - the command line's edge: our bug, said as such
        from operators_edge.cli import crash_report  # noqa: PLC0415 - only where something broke

        report = crash_report.leave(error, words)
        _complain(terminal, EdgeError(report.error, hint="edge doctor"), report)
        if "--debug" in before or not report.path:
            terminal.aside(report.traceback.rstrip())
        return EdgeError.exit_code


def _parsed(words: list[str]) -> Namespace:
    """What was given; where the words are wrong, the whole parser knows what else they may mean."""
    try:
        return parser_of(words, is_whole=False).parse_args(words)
    except UsageError:
        return parser_of(words).parse_args(words)


def _go_to(folder: str | None) -> None:
    """Work in the folder that ``-C`` names."""
    if folder is not None:
        try:
            os.chdir(folder)
        except OSError as error:
            raise UsageError(
                f"cannot go to {folder}: {error.strerror}", hint="edge -C DIR …"
            ) from None


def parser_of(
    words: Sequence[str] | None = None,
    kind: type[Parser] = Parser,
    *,
    prog: str = "edge",
    is_whole: bool = True,
) -> Parser:
    """A parser of one kind that reads these words; without words, one that reads every command.

    Unless it is whole, it has only the verb that they are for, if they name one.

    Only the module of their noun is imported: the first word that is a noun, since only options stand before
    it. Unless the words begin with it, the other nouns are there by name, for ``--help`` and to say what is
    no command.
    """
    parser = kind(
        prog=prog,
        description="A gate, a record and a memory between a coding agent and your machine.",
        epilog="Start with: edge init, then start your agent as always.",
    )
    parser.add_argument("--debug", action="store_true", help=DEBUG_HELP)
    parser.add_argument(
        "--version", action="version", version=f"edge {__version__}", help="show the version"
    )
    parser.filled_in = verb_first(
        tuple(HELP), other="", alone="status", has_options=False, renamed=renamed
    )
    filled = parser.filled_in(list(words or ()))
    noun = next((each for each in filled if each in HELP), "")
    parser.abouts = HELP
    nouns = parser.add_subparsers(dest="noun", required=True, metavar="COMMAND")
    for each, about in HELP.items():
        if words is None or each == noun:
            __import__(module_of(each))  # `importlib` costs more than the command's own module
            rest = None if is_whole else filled[filled.index(noun) + 1 :]
            command.add_noun(nouns, each, about, rest)
        elif filled[0] != noun:
            nouns.add_parser(each, help=about, add_help=False)
    return parser


def _complain(terminal: Terminal, error: EdgeError, report: Report | None = None) -> None:
    if terminal.json_wanted:
        body = {
            "code": error.code,
            "message": error.message,
            "detail": error.detail,
            "hint": error.hint,
        }
        if report is not None:
            body |= {"detail": report.problem, "report": report.path}
        terminal.answer({"ok": False, "error": body, "warnings": terminal.warnings})
        return
    terminal.aside("\n".join(terminal.folded(f"edge: {error.message}")))
    if error.detail:
        terminal.aside("\n".join(terminal.folded(f"  why: {error.detail}")))
    if report is not None:
        terminal.aside(f"  report: {report.path or f'not written ({report.problem})'}")
    if error.hint:
        terminal.aside(f"  run: {error.hint}")


if __name__ == "__main__":
    sys.exit(main())

# end of module
