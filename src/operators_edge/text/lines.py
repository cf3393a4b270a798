"""Lines of a text: which one a position is in, and which of them hold certain words. Pure."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Iterable, Iterator

_MAX_NEXT = 3
"""Lines in which a call may go on: ``delete(``, ``path,``, ``recursive: true``, ``)``."""


def line_at(text: str, at: int) -> int:
    """Return the number of the line, from 1, that holds the character at a position."""
    return text.count("\n", 0, at) + 1


def lines_with(text: str, words: tuple[str, ...]) -> Iterator[tuple[int, int]]:
    """Yield the starts and ends of the parts of a text whose lines hold one of the words, in order.

    With each line go the one before it and some after it that are not blank, in which its call may begin or
    go on.
    """
    begin = end = 0
    for start in sorted(starts_of_lines(text, words)):
        first = _start_of_last(text, start)
        if first > end:
            yield begin, end
            begin = first
        end = _end_of_line(text, start)
        for _ in range(_MAX_NEXT):
            end = _end_of_next(text, end)
    yield begin, end


def matches_beside(sought: re.Pattern[str], text: str) -> Iterator[re.Match[str]]:
    """Yield the matches of a costly pattern, which are within a few lines of a word that they need."""
    from operators_edge.text.needed_words import needed_words  # noqa: PLC0415 - few calls search like this

    words, folds = needed_words(sought.pattern, sought.flags)
    searched = text.lower() if folds else text
    is_placed = words and len(searched) == len(text)  # each sign is where it was
    for start, end in lines_with(searched, words) if is_placed else ((0, len(text)),):
        yield from sought.finditer(text, start, end)


def starts_of_lines(text: str, words: Iterable[str]) -> set[int]:
    """Return where the lines begin that hold one of the words."""
    found = set()
    for word in words:
        at = text.find(word)
        while at >= 0:
            found.add(text.rfind("\n", 0, at) + 1)
            at = text.find(word, _end_of_line(text, at))
    return found


def _end_of_line(text: str, at: int) -> int:
    end = text.find("\n", at)
    return len(text) if end < 0 else end


def _start_of_last(text: str, start: int) -> int:
    """The start of the last line that is not blank."""
    while start > 0:
        start, end = text.rfind("\n", 0, start - 1) + 1, start - 1
        if not text[start:end].isspace() and start < end:
            break
    return start


def _end_of_next(text: str, end: int) -> int:
    """The end of the next line that is not blank."""
    while end < len(text):
        start, end = end + 1, _end_of_line(text, end + 1)
        if not text[start:end].isspace() and start < end:
            break
    return end


# end of module
