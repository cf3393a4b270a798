"""One question that waits, as a card with its answers."""

from __future__ import annotations

from operators_edge.reports.html import Html, Node, tag, together
from operators_edge.text.wording import many
from operators_edge.web import parts
from operators_edge.web.parts import badge, code, text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from operators_edge.web.inbox import Question
    from operators_edge.web.projects_service import Place

_ROW_AT = 600


def card(asked: Question, place: Place) -> Html:
    """The card: what would happen, in the order in which a person needs it, then the answers."""
    ident = f"{place.id}-{asked.id}"
    return parts.item(
        _ident(place, asked.id),
        _head(asked, place),
        tag("pre", _command(asked), class_="command box", tabindex="0", aria_label="The call"),
        parts.rows((label, text(value, _ROW_AT)) for label, value in asked.rows)
        if asked.rows
        else None,
        parts.small(f"Asked {many(asked.repeats + 1, 'time')}.") if asked.repeats else None,
        _also(asked),
        _comes_later(asked, place) if asked.first else None,
        _answers(asked, place, ident) if asked.buttons else None,
        tone="note" if asked.is_shown_only else "wait",
        kind="card question",
    )


def _head(asked: Question, place: Place) -> Html:
    marks = [
        badge(asked.kind),
        badge("its session has ended", "note") if asked.is_left else None,
        badge("answer it in the client", "note") if asked.is_shown_only else None,
    ]
    about: list[Node] = [place.name]
    if asked.asked_by:
        about += [", ", parts.words(asked.asked_by)]
    if asked.asked_at:
        about += [", ", parts.local_time(asked.asked_at)]
    return tag(
        "header", parts.line(tag("h3", parts.words(asked.title)), *marks, parts.small(*about))
    )


def _command(asked: Question) -> Html:
    pieces = [tag("mark", each.text) if each.is_marked else each.text for each in asked.pieces]
    return tag("bdi", *pieces)


def _also(asked: Question) -> Node:
    if not asked.also:
        return None
    head = f"{many(len(asked.also), 'other call')} denied meanwhile"
    return tag(
        "details", tag("summary", head), parts.listed(code(each, 200) for each in asked.also)
    )


def _comes_later(asked: Question, place: Place) -> Html:
    to = parts.link(
        "the pending question", parts.address("home"), data_to=_ident(place, asked.first)
    )
    return tag("p", "Answer ", to, " first; then this one can be answered here.", class_="later")


def _ident(place: Place, question: str) -> str:
    return f"q-{place.id}-{question}"


def _answers(asked: Question, place: Place, ident: str) -> Html:
    buttons = [
        parts.button(each.label, each.act, scope=each.scope, hint=each.hint)
        for each in asked.buttons
    ]
    return parts.answer(
        f"f-{ident}",
        place.id,
        _options(asked),
        tag("ul", *(tag("li", parts.words(each)) for each in asked.warnings), class_="quiet small")
        if asked.warnings
        else None,
        _free() if asked.is_free else None,
        parts.note() if asked.takes_reason and not asked.is_shown_only else None,
        tag("div", together(*_spaced(buttons)), class_="row buttons"),
        question=asked.id,
    )


def _spaced(buttons: list[Html]) -> list[Node]:
    return [node for each in buttons for node in (each, " ")]


def _free() -> Html:
    return tag(
        "label",
        "Your answer",
        tag("textarea", name_="free", rows="2", maxlength="4000"),
        class_="field",
    )


def _options(asked: Question) -> Node:
    if not asked.options:
        return None
    is_many = asked.pick == "many"
    kind, legend = ("checkbox", "Which checks") if is_many else ("radio", "Which one")
    choices = [
        tag(
            "label",
            tag("input", type=kind, name_="words", value=word),
            " ",
            parts.words(label),
            class_="option",
        )
        for word, label in asked.options
    ]
    return tag("fieldset", tag("legend", legend), *choices)


# end of module
