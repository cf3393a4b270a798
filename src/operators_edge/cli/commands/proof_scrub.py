"""``edge log scrub``: take secrets out of what is kept already. A person only."""

from __future__ import annotations

from operators_edge.cli import person
from operators_edge.cli.command import DRY_RUN, Answer, Args, arg, command
from operators_edge.errors import AnswerIsNo
from operators_edge.sessions import decisions, purge_service, scrub_service
from operators_edge.storage import verify as log_verify
from operators_edge.text.wording import escaped, many, one_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from operators_edge.sessions.scrub_service import Item, Search

_STAYS = "stays    what git has committed, and the files in snapshots for undo: edge purge removes snapshots"


@command(
    "proof scrub",
    DRY_RUN,
    arg("--yes", "do not ask"),
    about="take secrets out of what is kept already; a person only",
    description="Look for secrets in what is kept of this project, as an older version or an unknown kind of "
    "secret may have left them: log, state and its earlier versions, archive, reports, results of the "
    "Bridge. It shows first how many there are and where, never the secrets. The log is chained again, and a "
    "signed entry says so.",
    example="--dry-run",
)
def _scrub(args: Args) -> Answer:
    project = args.project
    person.require_person("proof scrub", project.root)
    report = log_verify.verify(project.log)
    if not report.ok:
        why = report.problems[0] if report.problems else "it is damaged"
        raise AnswerIsNo(
            f"the log does not verify, and a new chain would hide that: {escaped(why)}",
            hint="edge log verify, then edge log anchor to accept it, then edge log scrub",
        )
    found = scrub_service.found(project, args.secrets)
    lines = _lines(found)
    if not found.items:
        where = " in what could be read" if found.unread else ""
        where += " that can be taken out" if found.kept or found.snapshots else ""
        lines.insert(0, f"No secret was found{where}.")
        return Answer(_data(found, is_written=False), lines, ok=not found.unread)
    if args.dry_run:
        lines.append("Nothing was changed (--dry-run).")
        return Answer(_data(found, is_written=False), lines, ok=not found.unread)
    purge_service.require_no_session(project)
    shown = "\n".join([*lines, _STAYS])
    if args.yes:
        args.terminal.aside(shown)
    elif not person.confirm(f"{shown}\nTake them out? They cannot be brought back."):
        raise AnswerIsNo("nothing was changed", hint="edge log scrub --dry-run")
    scrub_service.take_out(project, args.secrets, by=decisions.person_name())
    left = scrub_service.found(project, args.secrets)
    total = sum(each.number for each in found.items)
    said = [f"Taken out: {many(total, 'secret')}. The log says so: edge log verify."]
    if left.items or left.unread:
        said += ["But:", *_lines(left)]
    data = {**_data(found, is_written=True), "left": _data(left, is_written=True)["items"]}
    return Answer(data, said, ok=not (left.items or left.unread))


def _lines(found: Search) -> list[str]:
    lines = [_line(each) for each in found.items]
    lines += [f"not read {escaped(each)}" for each in found.unread]
    lines += [
        f"{_line(each).replace('found', 'stays', 1)}; it is used as it is: change or delete it yourself"
        for each in found.kept
    ]
    if found.snapshots:
        lines.append(
            f"stays    {many(found.snapshots, 'snapshot')} for undo with a secret in the description"
        )
    return lines


def _line(item: Item) -> str:
    kinds = ", ".join(f"{number} {kind}" for kind, number in sorted(item.kinds.items()))
    where = f" ({', '.join(item.where)})" if item.where else ""
    return f"found    {one_line(item.what, 200)}: {kinds}{where}"


def _data(found: Search, *, is_written: bool) -> dict[str, object]:
    return {
        "is_written": is_written,
        "items": [each._asdict() for each in found.items],
        "unread": found.unread,
        "snapshots": found.snapshots,
        "kept": [each._asdict() for each in found.kept],
    }


# end of module
