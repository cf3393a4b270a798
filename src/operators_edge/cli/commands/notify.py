"""``edge notify``: be notified of decisions that wait, on the desktop or by a service; off until set up."""

from __future__ import annotations

from operators_edge.cli.command import Answer, arg, command
from operators_edge.cli.person import require_person
from operators_edge.errors import AnswerIsNo, UsageError
from operators_edge.sessions import notify, notify_service
from operators_edge.sessions.notify import Settings
from operators_edge.text.markup import labelled
from operators_edge.text.wording import point_in_time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from operators_edge.cli.command import Args

_SETUP = """\
Notifications are off. A person sets them up:
  edge notify add dbus://         the desktop (macosx://, windows://)
  edge notify add ntfy://TOPIC    a service; json://HOST/PATH is a webhook"""


@command("notify show", about="show what is set up, and how the last one went", is_alone=True)
def _show(args: Args) -> Answer:  # noqa: ARG001 - every command has them
    return _answer(notify_service.load())


@command(
    "notify add",
    arg("URL", "an address as Apprise takes it"),
    about="add a desktop or a service",
    description="Add a desktop or a service, by its address: https://github.com/caronc/apprise#supported-notifications",
    example="ntfy://my-own-topic",
)
def _add(args: Args) -> Answer:
    _require_person(args)
    before = notify_service.load() or Settings()
    if args.url in before.urls:
        raise AnswerIsNo("that address is set up already", hint="edge notify")
    return _saved(before._replace(urls=(*before.urls, args.url)))


@command("notify remove", arg("N", "its number in edge notify"), about="remove one", example="1")
def _remove(args: Args) -> Answer:
    _require_person(args)
    before = notify_service.load() or Settings()
    if not 1 <= args.number <= len(before.urls):
        raise UsageError(f"there is no address {args.number}", hint="edge notify")
    kept = tuple(each for n, each in enumerate(before.urls, 1) if n != args.number)
    return _saved(before._replace(urls=kept))


@command(
    "notify set",
    arg("--after N", f"seconds that a question waits first ({notify.AFTER_SECONDS})", dest="after"),
    arg("--detail {class,command}", "whether the redacted command is in the message (class)"),
    about="set after how long, and what is in a message",
    example="--after 60",
)
def _set(args: Args) -> Answer:
    _require_person(args)
    found = notify_service.load() or Settings()
    if args.after is not None:
        found = found._replace(after_seconds=args.after)
    if args.detail:
        found = found._replace(detail=args.detail)
    return _saved(found)


@command("notify test", about="send a message now")
def _test(args: Args) -> Answer:
    _require_person(args)
    settings = notify_service.load()
    if settings is None or not settings.urls:
        raise AnswerIsNo("no address is set up", hint="edge notify add URL")
    text = "This is how a decision that waits is announced."
    problem = notify_service.send_all(settings, "Operator's Edge: a test", text)
    if problem:
        raise AnswerIsNo(f"not everything arrived: {problem}", hint="edge notify")
    return Answer({"sent": len(settings.urls)}, "Sent.")


def _require_person(args: Args) -> None:
    require_person(args.words, args.location.root if args.location.is_set_up else None)


def _saved(settings: Settings) -> Answer:
    notify_service.save(settings)
    return _answer(settings)


def _answer(settings: Settings | None) -> Answer:
    problem, last = notify_service.trouble(), notify_service.last_result()
    found = settings or Settings()
    data = {
        "on": bool(found.urls),
        "addresses": [notify.masked(each) for each in found.urls],
        "after_seconds": found.after_seconds,
        "detail": found.detail,
        "last": last._asdict() if last else None,
        "problem": problem,
    }
    return Answer(data, [*_lines(found, last, problem)])


def _lines(settings: Settings, last: notify_service.Result | None, problem: str) -> Iterator[str]:
    if not settings.urls:
        yield _SETUP
        return
    for number, each in enumerate(settings.urls, 1):
        yield from labelled("To" if number == 1 else "", f"{number} {notify.masked(each)}")
    detail = "the redacted command" if settings.detail == "command" else "project and rule only"
    yield from labelled("When", f"a question waits longer than {settings.after_seconds} s")
    yield from labelled("Says", detail)
    if last is not None:
        yield from labelled(
            "Last", f"{point_in_time(last.at)}{'' if last.problem else ', arrived'}"
        )
    yield from labelled("Problem", problem)


# end of module
