"""The ``edge`` command: finds the noun, runs it, turns errors into texts and exit codes.

Exit codes: 0 ok, 1 the answer is no, 3 a decision is pending, 4 not set up, 5 state damaged or locked,
64 usage, 70 our bug, 130 interrupted. Never 2: hosts read it as "block".
"""

from __future__ import annotations

import os
import sys

from operators_edge.cli import command
from operators_edge.cli.terminal import Terminal, escape_what_a_stream_lacks, replace_closed_streams
from operators_edge.errors import EdgeError, UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
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
    except SystemExit as answered:  # argparse has printed a help, or the version
        return int(answered.code or 0)
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


def _parsed(words: list[str]) -> command.Args:
    """What was given. Where the words are not well-formed, or ask for help, argparse answers."""
    given = command.read(words)
    if given is not None:
        return given
    from operators_edge.cli.parsers import parser_of  # noqa: PLC0415 - it loads argparse

    return command.Args(**vars(parser_of(words).parse_args(words)))


def _go_to(folder: str | None) -> None:
    """Work in the folder that ``-C`` names."""
    if folder is not None:
        try:
            os.chdir(folder)
        except OSError as error:
            raise UsageError(
                f"cannot go to {folder}: {error.strerror}", hint="edge -C DIR …"
            ) from None


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
