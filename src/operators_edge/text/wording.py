"""Text for people: other people's text on one bounded line without control characters, sizes, counts."""

from __future__ import annotations

WIDTH = 80
"""Columns that text is laid out for where no narrower screen is known."""

_NARROWEST = 32
"""Below it a label and a word beside it have no room."""


class _Screen:
    """What the text of this process is shown on."""

    width = WIDTH


def lay_out_for(columns: int) -> None:
    """From now on, text for a screen is laid out for so many columns, at most ``WIDTH``."""
    _Screen.width = max(min(columns, WIDTH), _NARROWEST)


def screen_width() -> int:
    """The columns that text for a screen is laid out for."""
    return _Screen.width


_UNITS = ("bytes", "kB", "MB", "GB", "TB")


def one_line(value: object, limit: int) -> str:
    """The value as one printable line of at most ``limit`` characters; a cut ends in an ellipsis."""
    return cut(" ".join(printable(str(value)).split()), limit)


def printable(text: str, *, keep: str = "") -> str:
    """Untrusted text without control characters; those in ``keep`` stay."""
    odd = "" if text.isprintable() else "".join(_unprintable(text, keep))
    return text.translate(str.maketrans(odd, " " * len(odd))) if odd else text


def escaped(text: str, *, keep: str = "") -> str:
    """Untrusted text that hides nothing: what is not printable and not in ``keep`` is shown as an escape."""
    if text.isprintable():
        return text
    return text.translate({ord(each): _escape(each) for each in _unprintable(text, keep)})


def _unprintable(text: str, keep: str) -> list[str]:
    """The signs of a text that are to go: looked at once each, however long it is."""
    return [each for each in set(text) if not each.isprintable() and each not in keep]


def _escape(char: str) -> str:
    if "\udc80" <= char <= "\udcff":  # a byte that is not UTF-8
        return f"\\x{ord(char) - 0xDC00:02x}"
    return char.encode("unicode_escape").decode()


def cut(text: str, limit: int) -> str:
    """At most ``limit`` characters; if something was cut, the last one is an ellipsis."""
    return text if len(text) <= limit else text[: limit - 1] + "…"


_FIRST_MARK, _DASH, _ELLIPSIS = "\u0300", "\u2010", "\u2026"
"""Before the first combining mark, and from dash to ellipsis, each character takes one column."""


def columns(text: str) -> int:
    """How many columns of a terminal the text takes: some characters take two, some none."""
    if all(char < _FIRST_MARK or _DASH <= char <= _ELLIPSIS for char in text):
        return len(text)
    import unicodedata  # noqa: PLC0415 - few texts need it

    wide = (
        2 if unicodedata.east_asian_width(char) in "WF" else 1
        for char in text
        if not unicodedata.combining(char)
    )
    return sum(wide)


def fitted(text: str, room: int) -> str:
    """At most so many columns of a terminal; if something was cut, the last one is an ellipsis."""
    if columns(text) <= room:
        return text
    kept = cut(text, room)[:-1] if len(text) > room else text
    while columns(kept) >= room:
        kept = kept[:-1]
    return kept + "…"


def as_text(value: object) -> str:
    """A stored value as text; "" also for what only spells an empty value: "null", "none", "~"."""
    if value is None or value is False or value in ([], {}):
        return ""
    text = str(value).strip()
    return "" if text.lower() in ("null", "none", "~") else text


def point_in_time(value: object) -> str:
    """A stored time to the second, for a person; any other text in one line."""
    head, dot, rest = one_line(value, 160).partition(".")
    zone = rest.lstrip("0123456789") if dot else ""
    return f"{head}{zone}".replace("T", " ").replace("+00:00", " UTC")


def many(count: int, word: str) -> str:
    """A count with its noun: "1 file", "3 files", "2 entries"."""
    if count == 1:
        return f"1 {word}"
    if word.endswith("y") and word[-2] not in "aeiou":
        return f"{count} {word[:-1]}ies"
    return f"{count} {word}{'es' if word.endswith(('ch', 'sh', 's')) else 's'}"


def amount(size: int) -> str:
    """Bytes in the largest unit that leaves a number before the point."""
    value = float(size)
    for unit in _UNITS[:-1]:
        if value < 1000:
            return (
                f"{size} {'byte' if size == 1 else unit}"
                if unit == "bytes"
                else f"{value:.3g} {unit}"
            )
        value /= 1000
    return f"{value:.3g} {_UNITS[-1]}"


# end of module
