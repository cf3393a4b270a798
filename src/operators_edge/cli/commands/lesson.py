"""``edge lesson``: what was learned, and when it applies.

Owns the commands' syntax and the files that lessons are read from. Does not own what they do
(``memory.lessons``), exact triggers (``memory.triggers``) or the search (``memory.store``).
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from operators_edge.archive import service as archive_service
from operators_edge.cli import person
from operators_edge.cli.options import common, opened
from operators_edge.cli.parser import verb_first
from operators_edge.cli.writing import given, now_of, write
from operators_edge.errors import UsageError
from operators_edge.memory import lessons, store as memory_store, triggers
from operators_edge.state import lesson

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from operators_edge.cli.terminal import Terminal
    from operators_edge.model import State
    from operators_edge.plan.edits import EditResult

_MOST_BYTES = 5_000_000

_WHEN = {
    "command": ("P", "a command that begins with these words: git push"),
    "path": ("GLOB", "a file that is read or changed: src/**/*.sql"),
    "error": ("T", "an error that contains this text, or matches /regex/"),
    "tool": ("NAME", "a tool: Edit, mcp__db__*"),
    "exit_code": ("N", "a command with this exit code"),
    "test": ("ID", "a test of this name"),
}


def register(nouns: Any) -> None:
    parser = nouns.add_parser("lesson", epilog='edge lesson "git push" "run make test first"')
    verbs = parser.add_subparsers(dest="verb", required=True, metavar="VERB")
    _register_changes(verbs)
    listing = verbs.add_parser(
        "list", parents=[common()], help="all of them", epilog="edge lesson list"
    )
    listing.set_defaults(run=_run_list)
    search = verbs.add_parser(
        "search",
        parents=[common()],
        help="find lessons about a command, a path, an error or words",
        epilog='edge lesson search "git push origin main"',
    )
    search.add_argument("text", nargs="+", metavar="TEXT")
    search.add_argument("--most", type=int, default=5, metavar="N", help="at most N (5)")
    search.set_defaults(run=_run_search)
    why = verbs.add_parser(
        "why",
        parents=[common()],
        help="show when one applies, how it was used, and when it expires",
        epilog="edge lesson why 2",
    )
    why.add_argument("number", type=int, metavar="N")
    why.set_defaults(run=_run_why)
    parser.filled_in = verb_first(tuple(verbs.choices), other="add", alone="list")


def _register_changes(verbs: Any) -> None:
    add = verbs.add_parser(
        "add",
        parents=[common()],
        help="add one: when it matters, and what to do",
        epilog='edge lesson add "git push" "run make test first"',
    )
    add.add_argument(
        "trigger", nargs="?", metavar="TRIGGER", help="when it matters, in a few words"
    )
    add.add_argument("text", nargs="*", metavar="TEXT", help="what was learned")
    add.add_argument(
        "--from", dest="file", metavar="FILE", help="add many, from JSON or JSON Lines; - is stdin"
    )
    _fields(add)
    add.set_defaults(run=_run_add)
    edit = verbs.add_parser(
        "edit",
        parents=[common()],
        help="change one",
        epilog='edge lesson edit 2 --lesson "run make check first"',
    )
    edit.add_argument("number", type=int, metavar="N")
    edit.add_argument("--trigger", metavar="T", help="when it matters")
    edit.add_argument("--lesson", metavar="T", help="what was learned")
    edit.add_argument("--not-evergreen", action="store_true", help="it may expire again")
    edit.add_argument(
        "--no-when", action="store_true", help="use only the trigger, no structured conditions"
    )
    _fields(edit)
    edit.set_defaults(run=_run_edit)
    for verb, about, run in (
        ("used", "record that some were applied and helped", _run_used),
        ("rm", "remove some", _run_rm),
    ):
        numbered = verbs.add_parser(
            verb, parents=[common()], help=about, epilog=f"edge lesson {verb} 1"
        )
        numbered.add_argument(
            "numbers", type=int, nargs="+", metavar="N", help="as they are listed"
        )
        numbered.set_defaults(run=run)


def _fields(parser: argparse.ArgumentParser) -> None:
    for kind, (metavar, about) in _WHEN.items():
        option = "--exit" if kind == "exit_code" else f"--{kind}"
        # An own name: a typed line treats "command" as free text.
        parser.add_argument(
            option, dest=f"when_{kind}", action="append", metavar=metavar, help=about
        )
    parser.add_argument("--evergreen", action="store_true", help="it is never forgotten")
    parser.add_argument("--applies-to", action="append", metavar="T", help="what it is about")
    parser.add_argument("--audit-pattern", metavar="REGEX", help="what in a file goes against it")
    parser.add_argument("--audit-scope", action="append", metavar="GLOB", help="in these files")
    parser.add_argument("--source", metavar="T", help="where it was learned")


def _given(args: argparse.Namespace) -> dict[str, Any]:
    """The fields of a lesson from the options."""
    when = {kind: values for kind in _WHEN if (values := getattr(args, f"when_{kind}"))}
    fields = {
        "when": when,
        "applies_to": args.applies_to,
        "audit_pattern": args.audit_pattern,
        "audit_scope": args.audit_scope,
        "source": args.source,
        "evergreen": args.evergreen,
    }
    return {name: value for name, value in fields.items() if value}


# -- changes ---------------------------------------------------------------------------------------


def _run_add(args: argparse.Namespace, terminal: Terminal) -> int:
    fields = _given(args)
    trigger, text = args.trigger, " ".join(args.text)
    if args.file is not None:
        if trigger is not None or fields:
            raise UsageError(
                "lessons from a file take no other options",
                hint=f"edge lesson add --from {args.file}",
            )
        new = list(_from_file(args, args.file))
        if not new:
            raise UsageError(f"{args.file} contains no lessons", hint=_SHAPE)
    elif trigger is None:
        raise UsageError("a lesson needs a trigger and a text", hint=lessons.ADD)
    elif text:
        new = [{"trigger": trigger, "lesson": text, **fields}]
    elif "when" in fields:
        new = [{"lesson": trigger, **fields}]
    else:
        raise UsageError(
            "a lesson needs both: a trigger, then a text",
            hint=lessons.ADD,
        )
    now, source = now_of(args), _source(args)

    def edit(state: State) -> EditResult:
        return lessons.add(state, new, now=now, source=source)

    return write(args, terminal, edit, command="lesson add")


def _run_edit(args: argparse.Namespace, terminal: Terminal) -> int:
    changes = _given(args)
    if args.trigger is not None:
        changes["trigger"] = args.trigger
    if args.lesson is not None:
        changes["lesson"] = args.lesson
    if args.not_evergreen:
        changes["evergreen"] = None
    if args.no_when:
        changes["when"] = None
    now = now_of(args)

    def edit(state: State) -> EditResult:
        return lessons.edit(state, args.number, changes, now=now)

    return write(args, terminal, edit, command="lesson edit")


def _run_used(args: argparse.Namespace, terminal: Terminal) -> int:
    now, is_observed = now_of(args), person.is_person()

    def edit(state: State) -> EditResult:
        return lessons.mark_used(state, args.numbers, now=now, is_observed=is_observed)

    return write(args, terminal, edit, command="lesson used")


def _run_rm(args: argparse.Namespace, terminal: Terminal) -> int:
    def edit(state: State) -> EditResult:
        return lessons.remove(state, args.numbers)

    return write(args, terminal, edit, command="lesson rm")


def _source(args: argparse.Namespace) -> str:
    session = opened(args).latest_session()
    return f"session-{session}" if session else ""


# -- reading ---------------------------------------------------------------------------------------


def _run_list(args: argparse.Namespace, terminal: Terminal) -> int:
    state = opened(args).state.read()
    text = "\n".join(lessons.lines(state)) or f"No lesson yet. Add one: {lessons.ADD}"
    terminal.show(lessons.listed(state), text)
    return 0


def _run_search(args: argparse.Namespace, terminal: Terminal) -> int:
    project = opened(args)
    text, kept = " ".join(args.text), lesson.listed(project.state.read().get("memory"))
    hits = _hits(project.root, kept, text, args.most)
    lines = [f"{hit.number:>3}. {lessons.in_line(hit.lesson)}\n     {hit.why}" for hit in hits]
    nothing = "No lesson matches." if kept else f"No lesson yet. Add one: {lessons.ADD}"
    found = [
        {
            "number": hit.number,
            "key": lessons.key_of(hit.lesson),
            "score": round(hit.score, 3),
            "why": hit.why,
            **hit.lesson,
        }
        for hit in hits
    ]
    terminal.show(found, "\n".join(lines) or nothing)
    return 0


def _hits(root: str, kept: list[dict[str, Any]], text: str, most: int) -> list[lessons.Hit]:
    """Exact triggers first, with the text as a command, a path and an error; then a search for its words."""
    path = text if len(text.split()) == 1 else ""
    first = triggers.exact_hits(kept, tool=path, command=text, path=path, error=text)
    known = {hit.number for hit in first}
    by_words = memory_store.search(root, kept, text, limit=most + len(first))
    return [*first, *(hit for hit in by_words if hit.number not in known)][: max(0, most)]


def _run_why(args: argparse.Namespace, terminal: Terminal) -> int:
    project = opened(args)
    state, now, seen = project.state.read(), project.clock(), archive_service.exposures(project)
    about = lessons.explain(state, args.number, now=now, exposures=seen)
    terminal.show(about.data, about.text)
    return 0


# -- files -----------------------------------------------------------------------------------------


def _from_file(args: argparse.Namespace, name: str) -> Iterator[dict[str, Any]]:
    """The lessons of a file: a JSON list, one JSON object, or an object on each line."""
    text = given(args, name, most=_MOST_BYTES, what="stdin" if name == "-" else name, hint=_SHAPE)
    try:
        whole = json.loads(text)
    except (ValueError, RecursionError):
        yield from _from_lines(name, text)
        return
    if isinstance(whole, dict) and "lesson" not in whole:
        whole = whole.get("lessons", whole.get("memory"))
    entries = [whole] if isinstance(whole, dict) else whole
    if not isinstance(entries, list):
        raise UsageError(f"{name} contains no lessons", hint=_SHAPE)
    for number, entry in enumerate(entries, 1):
        yield _checked(entry, f"entry {number} of {name}")


def _from_lines(name: str, text: str) -> Iterator[dict[str, Any]]:
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip():
            try:
                entry = json.loads(line)
            except (ValueError, RecursionError) as error:
                raise UsageError(
                    f"line {number} of {name} is not JSON: {error}", hint=_SHAPE
                ) from error
            yield _checked(entry, f"line {number} of {name}")


_SHAPE = 'each lesson is {"trigger": "git push", "lesson": "run make test first"}'


def _checked(entry: Any, where: str) -> dict[str, Any]:
    if not isinstance(entry, dict) or not lesson.read(entry)["lesson"]:
        raise UsageError(f"{where} is not a lesson", hint=_SHAPE)
    return entry
