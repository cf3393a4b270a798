"""The ``edge`` command: finds the noun, runs it, turns errors into texts and exit codes.

Exit codes: 0 ok, 1 the answer is no, 3 a decision is pending, 4 not set up, 5 state damaged or locked,
64 usage, 70 our bug, 130 interrupted. Never 2: hosts read it as "block".
"""

from __future__ import annotations

import argparse
import json
import sys
from itertools import islice
from typing import TYPE_CHECKING, Any, NoReturn

from operators_edge import __version__
from operators_edge.cli.terminal import Terminal
from operators_edge.errors import EdgeError, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable


_FEW = 8
"""Names that are all told where one was expected."""


class Parser(argparse.ArgumentParser):
    """argparse, with our exit code for bad words; options and texts may stand in any order."""

    filled_in: Callable[[list[str]], list[str]] | None = None
    """Puts in a verb that may be left out."""

    behind: str = ""
    """The option whose text stands without it where a person types it at a client."""

    has_dashed = False
    """Whether a word begins with a dash and is no option: perhaps a text."""

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        words = list(sys.argv[1:] if args is None else args)
        if self.filled_in is not None:
            words = self.filled_in(words)
        if self._subparsers is None:
            words = self._options_first(words)
        found, left = super().parse_known_args(words, namespace)
        if left and self._subparsers is None:  # said here: this help tells what it takes
            self.error(f"unrecognized arguments: {' '.join(left)}")
        return found, left

    def _options_first(self, words: list[str]) -> list[str]:
        """Without this a text that may be missing counts as missing once an option stands before it."""
        options: list[str] = []
        texts: list[str] = []
        self.has_dashed = False
        rest = iter(words)
        for word in rest:
            name = word.split("=", 1)[0]
            if word == "--":
                return [*options, word, *texts, *rest]
            option = self._option_string_actions.get(name)
            self.has_dashed |= word.startswith("-") and option is None
            if option is not None and option.nargs in (None, 0):
                takes_next = option.nargs is None and name == word
                options += [word, *islice(rest, int(takes_next))]
            elif option or word.startswith("--") or name[:2] in self._option_string_actions:
                return words  # argparse says what is wrong with it
            else:
                texts.append(word)
        return [*options, *texts]

    def _get_value(self, action: argparse.Action, arg_string: str) -> Any:
        if action.type is int:
            try:
                return int(arg_string)
            except ValueError:
                message = f"{arg_string!r} is no number"
                raise argparse.ArgumentError(action, message) from None
        return super()._get_value(action, arg_string)

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        """As argparse does it, in words that fit a line: of many names only those like the one given."""
        if action.choices is None or value in action.choices:
            return
        import difflib  # noqa: PLC0415 - the hook starts through this module, too

        names = [str(each) for each in action.choices]
        near = names if len(names) <= _FEW else difflib.get_close_matches(str(value), names)
        perhaps = f"; perhaps {', '.join(near)}" if near else ""
        self.error(f"{value!r} is no {str(action.metavar or action.dest).lower()}{perhaps}")

    def error(self, message: str) -> NoReturn:
        hint = f"{self.prog} --help"
        if self.has_dashed or " -" in message:
            hint += "   (a text that begins with a dash stands behind --)"
        raise UsageError(message, hint=hint)


def main(argv: list[str] | None = None) -> int:
    """Run one command; returns its exit code."""
    words = sys.argv[1:] if argv is None else argv
    if words[:1] == ["hook"]:
        from operators_edge import hook  # noqa: PLC0415 - the hook needs no parser

        return hook.main(*words[1:2])
    before = words[: words.index("--")] if "--" in words else words
    terminal = Terminal(json_wanted="--json" in before)
    try:
        args = parser_of().parse_args(words)
        args.terminal = terminal  # for what opening the project has to say
        return int(args.run(args, terminal))
    except EdgeError as error:
        _complain(terminal, error)
        return error.exit_code
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return 130
    except BrokenPipeError:
        # The reader went away (`edge proof tail | head`): nothing is wrong.
        sys.stderr.close()
        return 0
    except Exception as error:  # noqa: BLE001 - the command line's edge: our bug, said as such
        _complain(terminal, EdgeError(f"{type(error).__name__}: {error}", hint="edge doctor"))
        return EdgeError.exit_code


def parser_of(kind: type[Parser] = Parser, *, prog: str = "edge") -> argparse.ArgumentParser:
    """Every command, in parsers of one kind: words come from a shell, or from a client's prompt."""
    # Imported here: the hook starts through this module too, and pays for none of it.
    from operators_edge.cli.commands import (  # noqa: PLC0415
        approve,
        ask,
        brainstorm,
        config,
        disable,
        doctor,
        evals,
        explain,
        handoff,
        init,
        lesson,
        metrics,
        migrate,
        mismatch,
        mode,
        note,
        patrol,
        plan,
        proof,
        prune,
        research,
        resident,
        rules,
        run,
        score,
        state,
        trash,
        undo,
        uninstall,
        verify,
    )
    from operators_edge.cli.writing import verb_first  # noqa: PLC0415 - see above

    parser = kind(
        prog=prog,
        description="A gate, a record and a memory between a coding agent and your machine.",
        epilog="edge init   (then start your agent as always)",
    )
    parser.add_argument("--version", action="version", version=f"edge {__version__}")
    nouns = parser.add_subparsers(dest="noun", required=True, metavar="COMMAND")
    for module in (
        init,
        doctor,
        resident,
        uninstall,
        migrate,
        run,
        mode,
        plan,
        patrol,
        note,
        lesson,
        mismatch,
        research,
        brainstorm,
        ask,
        approve,
        disable,
        explain,
        rules,
        config,
        proof,
        prune,
        score,
        handoff,
        metrics,
        evals,
        state,
        trash,
        undo,
        verify,
    ):
        module.register(nouns)
    hook = nouns.add_parser("hook", help="answer one event of a host, on stdin", add_help=True)
    hook.add_argument("host", nargs="?", default="claude")
    parser.filled_in = verb_first(tuple(nouns.choices), other="", alone="run")
    return parser


def _complain(terminal: Terminal, error: EdgeError) -> None:
    if terminal.json_wanted:
        body = {
            "code": error.code,
            "message": error.message,
            "detail": error.detail,
            "hint": error.hint,
        }
        print(json.dumps({"ok": False, "error": body, "warnings": terminal.warnings}))
        return
    terminal.aside(f"edge: {error.message}")
    if error.detail:
        terminal.aside(f"  why: {error.detail}")
    if error.hint:
        terminal.aside(f"  run: {error.hint}")


if __name__ == "__main__":
    sys.exit(main())
