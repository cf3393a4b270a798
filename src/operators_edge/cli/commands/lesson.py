"""``edge lesson``: what was learned, and when it applies.

Owns the commands' syntax and the files that lessons are read from. Does not own what they do
(``memory.lessons``), exact triggers (``memory.triggers``) or the search (``memory.store``).
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from operators_edge.archive import service as archive_service
from operators_edge.cli import person
from operators_edge.cli.command import Answer, Args, arg, command
from operators_edge.cli.writing import given, write
from operators_edge.errors import UsageError
from operators_edge.memory import lessons, store as memory_store, triggers
from operators_edge.state import lesson

if TYPE_CHECKING:
    from collections.abc import Iterator

_MAX_BYTES = 5_000_000

_WHEN = {
    "command": arg("--command P...", "a command that begins with these words: git push"),
    "path": arg("--path GLOB...", "a file that is read or changed: src/**/*.sql"),
    "error": arg("--error T...", "an error that contains this text, or matches /regex/"),
    "tool": arg("--tool NAME...", "a tool: Edit, mcp__db__*"),
    "exit_code": arg("--exit CODE...", "a command with this exit code", dest="exit_code"),
    "test": arg("--test ID...", "a test of this name"),
}
_FIELDS = (
    *_WHEN.values(),
    arg("--evergreen", "it is never forgotten"),
    arg("--applies-to T...", "what it is about"),
    arg("--audit-pattern REGEX", "what in a file goes against it"),
    arg("--audit-scope GLOB...", "in these files"),
    arg("--source T", "where it was learned"),
)
_NUMBERS = arg("N...", "as they are listed")


def _fields(args: Args) -> dict[str, Any]:
    """The fields of a lesson from the options."""
    when = {kind: values for kind in _WHEN if (values := getattr(args, kind))}
    names = ("applies_to", "audit_pattern", "audit_scope", "source", "evergreen")
    fields = {"when": when, **{name: getattr(args, name) for name in names}}
    return {name: value for name, value in fields.items() if value}


# -- changes ---------------------------------------------------------------------------------------


@command(
    "lesson add",
    arg("[TRIGGER]", "when it matters, in a few words"),
    arg("[TEXT...]", "what was learned"),
    arg("--from FILE", "add many, from JSON or JSON Lines; - is stdin", dest="file"),
    *_FIELDS,
    about="add one: when it matters, and what to do",
    example='"git push" "run make test first"',
    is_implied=True,
)
def _add(args: Args) -> Answer:
    fields = _fields(args)
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
        raise UsageError("a lesson needs both: a trigger, then a text", hint=lessons.ADD)
    now, session = args.project.clock(), args.project.latest_session()
    source = f"session-{session}" if session else ""
    return write(args, lambda state: lessons.add(state, new, now=now, source=source))


@command(
    "lesson edit",
    arg("N"),
    arg("--trigger T", "when it matters"),
    arg("--lesson T", "what was learned"),
    arg("--not-evergreen", "it may expire again"),
    arg("--no-when", "use only the trigger, no structured conditions"),
    *_FIELDS,
    about="change one",
    example='2 --lesson "run make check first"',
)
def _edit(args: Args) -> Answer:
    changes = _fields(args)
    if args.trigger is not None:
        changes["trigger"] = args.trigger
    if args.lesson is not None:
        changes["lesson"] = args.lesson
    if args.not_evergreen:
        changes["evergreen"] = None
    if args.no_when:
        changes["when"] = None
    now = args.project.clock()
    return write(args, lambda state: lessons.edit(state, args.number, changes, now=now))


@command("lesson used", _NUMBERS, about="record that some were applied and helped", example="1")
def _used(args: Args) -> Answer:
    now, is_observed = args.project.clock(), person.is_person()
    return write(
        args,
        lambda state: lessons.mark_used(state, args.numbers, now=now, is_observed=is_observed),
    )


@command("lesson rm", _NUMBERS, about="remove some", example="1")
def _rm(args: Args) -> Answer:
    return write(args, lambda state: lessons.remove(state, args.numbers))


# -- reading ---------------------------------------------------------------------------------------


@command("lesson list", about="all of them", is_alone=True)
def _list(args: Args) -> Answer:
    state = args.project.state.read()
    return Answer(lessons.listed(state), lessons.lines(state) or _NO_LESSON)


_NO_LESSON = f"No lesson yet. Add one: {lessons.ADD}"


@command(
    "lesson search",
    arg("TEXT..."),
    arg("--most N", "at most N (5)", default=5),
    about="find lessons about a command, a path, an error or words",
    example='"git push origin main"',
)
def _search(args: Args) -> Answer:
    project, text = args.project, " ".join(args.text)
    kept = lesson.listed(project.state.read().get("memory"))
    hits = _hits(project.root, kept, text, args.most)
    lines = [f"{hit.number:>3}. {lessons.in_line(hit.lesson)}\n     {hit.why}" for hit in hits]
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
    return Answer(found, lines or ("No lesson matches." if kept else _NO_LESSON))


def _hits(root: str, kept: list[dict[str, Any]], text: str, most: int) -> list[lessons.Hit]:
    """Exact triggers first, with the text as a command, a path and an error; then a search for its words."""
    path = text if len(text.split()) == 1 else ""
    first = triggers.exact_hits(kept, tool=path, command=text, path=path, error=text)
    known = {hit.number for hit in first}
    by_words = memory_store.search(root, kept, text, limit=most + len(first))
    return [*first, *(hit for hit in by_words if hit.number not in known)][: max(0, most)]


@command(
    "lesson why",
    arg("N"),
    about="show when one applies, how it was used, and when it expires",
    example="2",
)
def _why(args: Args) -> Answer:
    project = args.project
    state, now, seen = project.state.read(), project.clock(), archive_service.exposures(project)
    about = lessons.explain(state, args.number, now=now, exposures=seen)
    return Answer(about.data, about.text)


# -- files -----------------------------------------------------------------------------------------


def _from_file(args: Args, name: str) -> Iterator[dict[str, Any]]:
    """The lessons of a file: a JSON list, one JSON object, or an object on each line."""
    text = given(args, name, most=_MAX_BYTES, what="stdin" if name == "-" else name, hint=_SHAPE)
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


# end of module
