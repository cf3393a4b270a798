"""The one door to HTML: elements made by functions, which escape whatever they are given.

A text becomes part of a page only through ``tag``. Characters in it that cannot be seen, or that act on a
terminal or on the order of a text, become visible escapes, and then HTML is escaped. There are no templates:
a page is made of typed functions, and nothing can be left unescaped by forgetting a filter. Does not own what
a page says.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from html import escape

from operators_edge.text import outgoing
from operators_edge.text.patterns import pattern
from operators_edge.text.wording import many, point_in_time
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

ASSETS = os.path.join(os.path.dirname(__file__), "assets")

FOLDED_AT = 400
"""Characters of a text that are shown at once; the rest is behind "show all"."""

MAX_CHARACTERS = 100_000
"""Characters of one text that a page holds at all."""

_VOID = frozenset({"br", "hr", "img", "input", "link", "meta"})
_RAW = frozenset({"script", "style"})
_NAME = pattern(r"[a-z][a-z0-9-]*")
_ADDRESSES = frozenset({"action", "formaction", "href", "poster", "src"})
_IN_SCRIPT = {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026"}


class Html(str):
    """HTML that this module made, and that is printed as it is."""

    __slots__ = ()


Node = Html | str | int | float | None | Iterable["Node"]
"""What an element can hold. None is nothing; anything but ``Html`` is escaped."""

Attribute = str | int | bool | None


def tag(name: str, /, *children: Node, **attributes: Attribute) -> Html:
    """An element. ``class_`` is ``class``, ``data_tone`` is ``data-tone``; True is a bare attribute.

    None and False leave an attribute out. Raises ValueError for what could run or load something: a handler,
    a style, an address elsewhere, a text in a script.
    """
    head = f"<{_checked(name)}{''.join(map(_attribute, attributes.items()))}>"
    if name in _VOID:
        return Html(head)
    if name in _RAW and not all(isinstance(each, Html) for each in children):
        raise ValueError(f"a text cannot stand in <{name}>: use code_of or data")
    return Html(f"{head}{together(*children)}</{name}>")


def together(*nodes: Node) -> Html:
    """The nodes one after the other."""
    return Html("".join(map(_node, nodes)))


def document(*, language: str, head: Node, body: Node, theme: str | None = None) -> str:
    """A whole page."""
    page = tag("html", tag("head", head), body, lang=language, data_theme=theme)
    return f"<!doctype html>\n{page}\n"


def _node(node: Node) -> str:
    if node is None:
        return ""
    if isinstance(node, Html):
        return node
    if isinstance(node, str):
        return escape(outgoing.to_page(node))
    if isinstance(node, int | float):
        return str(node)
    return "".join(map(_node, node))


def _attribute(item: tuple[str, Attribute]) -> str:
    key, value = item
    name = _checked(key.rstrip("_").replace("_", "-"))
    if value is None or value is False:
        return ""
    if name.startswith("on") or name in ("style", "srcdoc"):
        raise ValueError(f"the attribute {name} could run something")
    if value is True:
        return f" {name}"
    text = outgoing.to_page(str(value))
    if name in _ADDRESSES and not _is_here(text):
        raise ValueError(f"{name} leads elsewhere: {text}")
    return f' {name}="{escape(text)}"'


def _is_here(address: str) -> bool:
    """Whether an address stays on this server, or in this page."""
    return address.startswith("#") or (address[:1] == "/" and address[1:2] not in ("/", "\\"))


def _checked(name: str) -> str:
    if not _NAME.fullmatch(name):
        raise ValueError(f"{name!r} is no name of an element or attribute")
    return name


# -- styles, scripts and their data ----------------------------------------------------------------


def asset(name: str, folder: str = ASSETS) -> str:
    """A style sheet or a script of the product."""
    with open(os.path.join(folder, name), encoding="utf-8") as file:
        return file.read()


def code_of(text: str) -> Html:
    """A style sheet or script of the product, to stand in its element."""
    if re.search(r"</(?:script|style)|<!--", text, re.IGNORECASE):
        raise ValueError("the text would end its element")
    return Html(text)


def data(value: Any) -> Html:
    """A value as JSON for ``<script type="application/json">``; none of it can end the script.

    Control characters and invisible ones are escapes in it; a script shows them by ``textContent`` only.
    """
    made = outgoing.to_program(value, is_compact=True)
    return Html(re.sub("[<>&]", lambda found: _IN_SCRIPT[found[0]], made))


# -- parts that every page uses --------------------------------------------------------------------


class Folded(NamedTuple):
    """A text in two parts; ``left_out`` counts the characters that the page does not hold."""

    head: str
    rest: str
    left_out: int


def folded(whole: str, at: int = FOLDED_AT) -> Folded:
    """What is shown of a text at once, and the rest; cut between words if it can be."""
    if len(whole) <= at:
        return Folded(whole, "", 0)
    near = whole.rfind(" ", at - 40, at)
    cut = near if near > 0 else at
    return Folded(whole[:cut], whole[cut:MAX_CHARACTERS], max(0, len(whole) - MAX_CHARACTERS))


def text(value: object, at: int = FOLDED_AT) -> Html:
    """A text of anybody, kept apart from the direction of what is around it; a long one can be opened."""
    part = folded("" if value is None else str(value), at)
    if not part.rest:
        return tag("bdi", part.head)
    rest = many(part.left_out, "character")
    left_out = part.left_out and tag("p", f"{rest} more are not on this page.", class_="quiet")
    more = tag("span", "show all", class_="more")
    return tag(
        "details",
        tag("summary", tag("bdi", part.head), "… ", more),
        tag("pre", tag("bdi", part.head, part.rest), tabindex="0"),
        left_out or None,
        class_="long",
    )


def code(value: object, at: int = FOLDED_AT) -> Html:
    """A command or a path."""
    return tag("code", text(value, at))


def badge(word: str, tone: str = "") -> Html:
    """One word that is marked: "good", "bad", "wait", "note", or not."""
    return tag("span", word, class_="badge", data_tone=tone)


def when(value: object) -> Html:
    """A stored time."""
    return tag("time", point_in_time(value), datetime=str(value))


# end of module
