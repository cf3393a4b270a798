"""Text with marked words, made safe to show: redacted, without control characters, shortened, wrapped.

The marks stay on their words through all of these. Does not own what is secret (``redaction.redact``) or
which words are marked (the gate).
"""

from __future__ import annotations

from operators_edge.redaction import redact
from operators_edge.text.patterns import pattern
from operators_edge.text.wording import columns, one_line, screen_width
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

Span = tuple[int, int]

GAP = "…"
LONGEST_MARK = 160
"""Of a longer mark, such as a whole script, only the beginning and the end are shown."""

_LONGEST_ROW = 400

_REDACTED = pattern(r"(\[REDACTED(?::[\w-]+)?\])")
_CONTROL_PICTURES = 0x2400  # the block "Control Pictures", in the order of the control characters
_UNKNOWN = "\N{REPLACEMENT CHARACTER}"


class MarkedText(NamedTuple):
    """A text and the ranges of its marked words, in order, not overlapping."""

    text: str
    marks: tuple[Span, ...] = ()


def redacted_text(
    text: str, spans: Iterable[Span] = (), *, values: Iterable[str] = ()
) -> MarkedText:
    """The text without secrets and control characters; marks without a place in it are dropped."""
    clean, moved = _redacted(text, merged(spans, len(text)), tuple(values))
    return MarkedText("".join(map(_visible, clean)), merged(moved, len(clean)))


def merged(spans: Iterable[Span], length: int) -> tuple[Span, ...]:
    """The spans in order, within the text, without empty ones; overlapping and touching ones joined."""
    found: list[Span] = []
    for start, end in sorted(spans):
        low, high = max(0, start), min(end, length)
        if low >= high:
            continue
        if found and low <= found[-1][1]:
            found[-1] = (found[-1][0], max(found[-1][1], high))
        else:
            found.append((low, high))
    return tuple(found)


def _visible(char: str) -> str:
    """One character for one: newlines stay, control characters become pictures."""
    if char == "\n" or char.isprintable():
        return char
    if char == "\t":
        return " "
    if char < " ":
        return chr(_CONTROL_PICTURES + ord(char))
    return "\N{SYMBOL FOR DELETE}" if char == "\x7f" else _UNKNOWN


def _redacted(
    text: str, spans: tuple[Span, ...], values: tuple[str, ...]
) -> tuple[str, tuple[Span, ...]]:
    hidden = redact.redact(text, values=values)
    if hidden == text or not spans:
        return hidden, spans
    runs = _runs(text, _REDACTED.split(hidden))
    moved = []
    for start, end in spans:
        new = _place(runs, start, is_end=False), _place(runs, end, is_end=True)
        word, found = text[start:end], hidden[new[0] : new[1]]
        if word == found or _REDACTED.search(found):
            moved.append(new)
    return hidden, tuple(moved)


def _runs(text: str, pieces: Sequence[str]) -> list[tuple[int, int, int]]:
    """What both texts have in common: position in the old one, in the new one, and length."""
    runs = []
    old = new = 0
    for number, piece in enumerate(pieces):
        if number % 2 == 0:
            is_last = number == len(pieces) - 1
            at = len(text) - len(piece) if is_last else text.find(piece, old)
            at = max(at, old)
            runs.append((at, new, len(piece)))
            old = at + len(piece)
        new += len(piece)
    return runs


def _place(runs: list[tuple[int, int, int]], at: int, *, is_end: bool) -> int:
    """A position in the new text; one inside a secret moves to the start or end of its replacement."""
    before = 0
    for old, new, length in runs:
        if at < old or (at == old and is_end):
            return new if is_end else before
        if at <= old + length and (is_end or at < old + length):
            return new + at - old
        before = new + length
    return before


def shortened(marked: MarkedText, limit: int) -> MarkedText:
    """About ``limit`` characters of the text, around its marks; no mark is left out."""
    text = marked.text
    if len(text) <= limit:
        return marked
    if not marked.marks:
        return MarkedText(text[:limit] + GAP)
    parts = [part for mark in marked.marks for part in _ends(mark)]
    spare = max(0, limit - sum(end - start for start, end in parts) - 2 * len(parts))
    reach = spare // (2 * len(parts))
    wide = [(start - reach, end + reach) for start, end in parts]
    return _joined(text, merged(wide, len(text)), merged(parts, len(text)))


def _ends(mark: Span) -> tuple[Span, ...]:
    start, end = mark
    if end - start <= LONGEST_MARK:
        return (mark,)
    half = LONGEST_MARK // 2
    return (start, start + half), (end - half, end)


def _joined(text: str, kept: tuple[Span, ...], marks: tuple[Span, ...]) -> MarkedText:
    parts: list[str] = []
    moved: list[Span] = []
    length = 0
    for number, (start, end) in enumerate(kept):
        if start or number:
            parts.append(GAP)
            length += len(GAP)
        inside = (one for one in marks if start <= one[0] and one[1] <= end)
        moved += [(low - start + length, high - start + length) for low, high in inside]
        parts.append(text[start:end])
        length += end - start
    if kept[-1][1] < len(text):
        parts.append(GAP)
    return MarkedText("".join(parts), tuple(moved))


def wrapped(text: str, width: int) -> list[str]:
    """Lines of at most ``width`` columns, broken at spaces if possible; at least one line."""
    return [text[start:end] for start, end in _breaks(text, width)]


def hanging_indent(head: str, text: str, indent: int | None = None) -> list[str]:
    """The text after its head; further lines start below the end of the head, or at ``indent``."""
    first, *rest = wrapped(text, screen_width() - len(head))
    below = " " * (len(head) if indent is None else indent)
    return [head + first, *(below + each for each in rest)]


def labelled(label: str, text: object) -> list[str]:
    """A row of a screen: a label, and its text wrapped beside it; [] for an empty text."""
    return hanging_indent(f"{label:<11}", one_line(text, _LONGEST_ROW)) if text else []


def underlined(marked: MarkedText, width: int) -> list[str]:
    """The wrapped text; each line with a mark is followed by a line of carets under the marked words."""
    lines = []
    for start, end in _breaks(marked.text, width):
        lines.append(marked.text[start:end])
        carets = "".join(
            ("^" if _is_marked(marked, at) else " ") * columns(marked.text[at])
            for at in range(start, end)
        ).rstrip()
        if carets:
            lines.append(carets)
    return lines


def _is_marked(marked: MarkedText, at: int) -> bool:
    return any(start <= at < end for start, end in marked.marks)


def _breaks(text: str, width: int) -> list[Span]:
    lines: list[Span] = []
    at = 0
    for paragraph in text.split("\n"):
        end = at + len(paragraph)
        if at == end:
            lines.append((at, end))
        while at < end:
            stop = _fitting(text, at, end, width)
            blank = text.rfind(" ", at + 1, stop + 1) if stop < end else -1
            line_end = blank if blank > at else stop
            lines.append((at, line_end))
            at = line_end + (blank > at)
        at = end + 1
    return lines


def _fitting(text: str, at: int, end: int, width: int) -> int:
    """The end of what fits into one line from ``at``; at least one character."""
    used = 0
    for place in range(at, end):
        used += columns(text[place])
        if used > width and place > at:
            return place
    return end


# end of module
