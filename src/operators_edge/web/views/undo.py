"""What can be brought back: snapshots taken before a command that can destroy work, and the trash."""

from __future__ import annotations

from operators_edge.datetimes import UTC, datetime
from operators_edge.errors import EdgeError
from operators_edge.project import wall_clock
from operators_edge.redaction.redact import redact
from operators_edge.reports.html import Html, Node, tag
from operators_edge.text.wording import amount, as_text, many
from operators_edge.undo.restore import NEWEST, Undo
from operators_edge.undo.snapshots import details
from operators_edge.undo.trash import Trash
from operators_edge.web import parts
from operators_edge.web.parts import badge, code, text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from operators_edge.undo.restore import Difference
    from operators_edge.undo.trash import Entry
    from operators_edge.web.projects_service import Place

_MAX_DIFF = 200_000


def show(place: Place, asked: Mapping[str, str], env: Mapping[str, str]) -> Html:
    number = asked.get("snapshot", "")
    if number.isascii() and number.isdigit():
        return _snapshot(place, env, int(number))
    return parts.page(
        f"Undo and trash of {place.name}",
        parts.card("Snapshots", "snapshots", _snapshots(place, env)),
        parts.card("Trash", "trash", _trash(place, env)),
    )


def _undo(place: Place, env: Mapping[str, str]) -> Undo:
    return Undo(place.root, root=place.root, env=env)


def _snapshots(place: Place, env: Mapping[str, str]) -> Html:
    try:
        found = _undo(place, env).list()
    except EdgeError as error:
        return parts.problem("The snapshots could not be read", error.message, error.hint)
    if not found:
        return parts.quiet("None yet: one is taken before a command that can destroy work.")
    listed = tag("ul", *(_kept(place, each) for each in found), class_="list")
    older = parts.quiet("Older ones: edge undo list --all") if len(found) == NEWEST else ""
    return tag("div", listed, older)


def _kept(place: Place, each: Difference) -> Html:
    about = details(each.kept)
    when = datetime.fromtimestamp(each.kept.time, UTC).isoformat()
    to = parts.address("undo", place.id, snapshot=each.kept.id)
    differs = f"{many(each.differs, 'file')} differ from it"
    return tag(
        "li",
        parts.line(
            parts.link(f"Snapshot {each.kept.id}", to),
            tag("span", parts.local_time(when), class_="quiet small"),
            badge(differs, "wait") if each.differs else badge("as now"),
        ),
        tag("div", "before ", code(about.get("command"), 200)),
        data_item=True,
        tabindex="-1",
        id=f"u-{place.id}-{each.kept.id}",
    )


def _snapshot(place: Place, env: Mapping[str, str], number: int) -> Html:
    """What has changed since, and bringing the files back."""
    kept, diff, _ = _undo(place, env).show(number, [], stat_only=False)
    about = details(kept)
    left_out = [text(as_text(each)) for each in about.get("left_out") or []]
    ask = "Restores its files, and keeps those that are new. What is there now is saved first."
    return parts.page(
        f"Snapshot {kept.id} of {place.name}",
        parts.line(parts.link("Undo and trash", parts.address("undo", place.id))),
        parts.rows([("Before", code(about.get("command"))), ("Not in it", left_out)]),
        tag(
            "div",
            parts.answer(
                f"u-{place.id}-{kept.id}",
                place.id,
                parts.quiet(ask),
                tag("div", parts.button("Restore these files", "undo"), class_="row buttons"),
                snapshot=str(kept.id),
            ),
            class_="card",
        )
        if diff
        else parts.quiet("Nothing differs from it."),
        parts.card(
            "Changed since",
            "diff",
            tag("pre", parts.words(redact(diff[:_MAX_DIFF])), class_="box", tabindex="0"),
            parts.quiet(f"The rest: edge undo show {kept.id}") if len(diff) > _MAX_DIFF else None,
        )
        if diff
        else None,
    )


# -- the trash -------------------------------------------------------------------------------------


def _trash(place: Place, env: Mapping[str, str]) -> Html:
    try:
        found = Trash(place.root, clock=wall_clock, env=env).entries()
    except EdgeError as error:
        return parts.problem("The trash could not be read", error.message, error.hint)
    if not found:
        return parts.quiet("The trash is empty.")
    return tag("ul", *(_thrown(place, each) for each in found), class_="list")


def _thrown(place: Place, each: Entry) -> Html:
    size: Node = "a link" if each.kind == "link" else amount(each.size)
    if each.kind == "folder":
        size = f"{many(each.files, 'file')}, {amount(each.size)}"
    form = parts.answer(
        f"x-{place.id}-{each.id}",
        place.id,
        tag(
            "div",
            code(each.path, 200),
            parts.small(size, ", ", parts.local_time(each.time), ", by ", parts.words(each.by)),
            class_="grow",
        ),
        parts.button(["Restore", parts.unseen(f" {each.path}")], "trash_restore"),
        kind="row",
        item=str(each.id),
    )
    return tag("li", form, id=f"y-{place.id}-{each.id}", data_item=True, tabindex="-1")


# end of module
