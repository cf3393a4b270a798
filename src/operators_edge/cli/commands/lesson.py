"""``edge lesson``: what was learned, and when it applies.

Owns the commands' syntax, the files that lessons are read from, and that only a person changes those that
they keep for every project. Does not own what they do (``memory.lessons``), where the person's are kept
(``memory.person_store``), exact triggers (``memory.triggers``) or the search (``memory.store``).
"""

from __future__ import annotations

import json
import os

from operators_edge.archive import service as archive_service
from operators_edge.cli import person, writing
from operators_edge.cli.command import Answer, Args, arg, command, record
from operators_edge.errors import UsageError
from operators_edge.memory import lessons, person_store, store as memory_store, triggers
from operators_edge.plan import service as plan_service
from operators_edge.project import wall_clock
from operators_edge.redaction import redact
from operators_edge.state import lesson

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from operators_edge.model import State
    from operators_edge.plan.edits import EditResult

_MAX_BYTES = 5_000_000

_MORE = "what else is known of it: edge help lessons"
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
    arg("--applies-to T...", _MORE),
    arg("--audit-pattern REGEX", _MORE),
    arg("--audit-scope GLOB...", _MORE),
    arg("--source T", _MORE),
)
_NUMBERS = arg("N...", "as they are listed")
_EVERYWHERE = arg("--everywhere", "for each of your projects (a person only)")


def _fields(args: Args) -> dict[str, Any]:
    """The fields of a lesson from the options."""
    when = {kind: values for kind in _WHEN if (values := getattr(args, kind))}
    names = ("applies_to", "audit_pattern", "audit_scope", "source", "evergreen")
    fields = {"when": when, **{name: getattr(args, name) for name in names}}
    return {name: value for name, value in fields.items() if value}


# -- changes ---------------------------------------------------------------------------------------


def _change(args: Args, edit: Callable[[State], EditResult]) -> Answer:
    """Change the project's lessons, or with ``--everywhere`` the person's own."""
    return _change_own(args, edit) if args.everywhere else writing.write(args, edit)


def _change_own(args: Args, edit: Callable[[State], EditResult]) -> Answer:
    """The log names them by key only: what a person learned elsewhere is not this project's."""
    root = args.location.root
    option = " --everywhere" if hasattr(args, "everywhere") else ""
    person.require_person(f"{args.words}{option}", root)

    def change(book: State) -> EditResult:
        before = set(redact.strings_in(book))
        result = edit(book)
        new = [each for each in redact.strings_in(book) if each not in before]
        plan_service.require_no_secret(new, args.secrets)
        return result

    result = person_store.change(change)
    for _, data in result.events:
        record(args.location, "lesson_everywhere", {"to": data["to"], "key": data["key"]})
    return writing.answer_of(result._replace(text=f"In every project of yours. {result.text}"))


def _name_of_project(args: Args) -> str:
    return os.path.basename(args.location.root or "")


@command(
    "lesson add",
    arg("[TRIGGER]", "when it matters, in a few words"),
    arg("[TEXT...]", "what was learned"),
    arg("--from FILE", "add many, from JSON or JSON Lines; - is stdin", dest="file"),
    _EVERYWHERE,
    arg("--evergreen", "it never expires"),
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
    if args.everywhere:
        return _add_own(args, new)
    now, session = args.project.clock(), args.project.latest_session()
    source = f"session-{session}" if session else ""
    return writing.write(args, lambda state: lessons.add(state, new, now=now, source=source))


_OWN_FIELDS = ("trigger", "lesson", "when", "applies_to")
"""What a lesson has everywhere: the rest is about one project."""


def _add_own(args: Args, new: list[dict[str, Any]]) -> Answer:
    source = _name_of_project(args)
    kept = [
        {name: each[name] for name in _OWN_FIELDS if each.get(name)} | {"from": source}
        for each in map(lesson.read, new)
    ]
    return _change_own(args, lambda book: lessons.add(book, kept, now=wall_clock()))


@command(
    "lesson share",
    _NUMBERS,
    about="share some with all of your projects (a person only)",
    example="1",
)
def _share(args: Args) -> Answer:
    state = args.project.state.read()
    return _add_own(args, [lessons.numbered(state, number) for number in args.numbers])


@command(
    "lesson edit",
    arg("N", "the number of the lesson"),
    _EVERYWHERE,
    arg("--trigger T", "another trigger, another text"),
    arg("--lesson T", "another trigger, another text"),
    arg("--evergreen", "it never expires"),
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
    return _change(args, lambda state: lessons.edit(state, args.number, changes, now=wall_clock()))


@command("lesson used", _NUMBERS, about="record that some were applied and helped", example="1")
def _used(args: Args) -> Answer:
    now, is_observed = args.project.clock(), person.is_person()
    return writing.write(
        args,
        lambda state: lessons.mark_used(state, args.numbers, now=now, is_observed=is_observed),
    )


@command("lesson rm", _NUMBERS, _EVERYWHERE, about="remove some", example="1")
def _rm(args: Args) -> Answer:
    return _change(args, lambda state: lessons.remove(state, args.numbers))


# -- reading ---------------------------------------------------------------------------------------


@command("lesson list", about="all of them", is_alone=True)
def _list(args: Args) -> Answer:
    state: State = args.project.state.read() if args.location.is_set_up else {}
    own = {"memory": person_store.read()}
    data = lessons.listed(state) + [{**each, "everywhere": True} for each in lessons.listed(own)]
    lines = lessons.lines(state) or [_NO_LESSON]
    if own["memory"]:
        lines += ["", _HEAD_OF_OWN, *map(_with_origin, lessons.lines(own), own["memory"])]
    return Answer(data, lines)


_NO_LESSON = f"No lesson yet. Add one: {lessons.ADD}"
_HEAD_OF_OWN = "Your own, shown in each of your projects (edit and rm with --everywhere):"


def _with_origin(line: str, entry: dict[str, Any]) -> str:
    return f"{line} (from {entry['from']})" if entry.get("from") else line


@command(
    "lesson search",
    arg("TEXT...", "words to look for"),
    arg("--most N", "at most N (5)", default=5),
    about="find lessons about a command, a path, an error or words",
    example='"git push origin main"',
)
def _search(args: Args) -> Answer:
    project, text = args.project, " ".join(args.text)
    of_project = lesson.listed(project.state.read().get("memory"))
    kept = [*of_project, *person_store.read()]
    hits = _hits(project.root, kept, text, args.most)
    count = len(of_project)
    lines = [
        f"{_number(hit, count):>3}. {lessons.in_line(hit.lesson)}\n     {_why_found(hit, count)}"
        for hit in hits
    ]
    found = [
        {
            "number": _number(hit, count),
            "everywhere": hit.number > count,
            "key": lessons.key_of(hit.lesson),
            "score": round(hit.score, 3),
            "why": hit.why,
            **hit.lesson,
        }
        for hit in hits
    ]
    return Answer(found, lines or ("No lesson matches." if kept else _NO_LESSON))


def _number(hit: lesson.Hit, of_project: int) -> int:
    """The number by which it is listed: the person's own are counted from 1 again."""
    return hit.number - of_project if hit.number > of_project else hit.number


def _why_found(hit: lesson.Hit, of_project: int) -> str:
    return f"{hit.why}; your own, everywhere" if hit.number > of_project else hit.why


def _hits(root: str, kept: list[dict[str, Any]], text: str, most: int) -> list[lessons.Hit]:
    """Exact triggers first, with the text as a command, a path and an error; then a search for its words."""
    path = text if len(text.split()) == 1 else ""
    first = triggers.exact_hits(kept, tool=path, command=text, path=path, error=text)
    known = {hit.number for hit in first}
    by_words = memory_store.search(root, kept, text, limit=most + len(first))
    return [*first, *(hit for hit in by_words if hit.number not in known)][: max(0, most)]


@command(
    "lesson why",
    arg("N", "the number of the lesson"),
    arg("--everywhere", "one of your own, shown in each of your projects"),
    about="show when one applies, how it was used, and when it expires",
    example="2",
)
def _why(args: Args) -> Answer:
    project = args.project
    now, seen = project.clock(), archive_service.exposures(project)
    state = project.state.read()
    if args.everywhere:
        state = {
            "memory": [{**each, "evergreen": True} for each in person_store.read()],
            "obligations": state.get("obligations"),
        }
    about = lessons.explain(state, args.number, now=now, exposures=seen)
    return Answer(about.data, about.text)


# -- files -----------------------------------------------------------------------------------------


def _from_file(args: Args, name: str) -> Iterator[dict[str, Any]]:
    """The lessons of a file: a JSON list, one JSON object, or an object on each line."""
    text = writing.given(
        args, name, most=_MAX_BYTES, what="stdin" if name == "-" else name, hint=_SHAPE
    )
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
