"""A recording of a terminal as one animated SVG, which a browser and a code host show as an image.

The frames stand side by side, and the drawing moves from one to the next. Equal lines are drawn once. It
begins with the frame that stays longest, where a person reads; so does what shows no animation.
"""

from __future__ import annotations

import html
import itertools
import time
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import pyte
    from pyte.screens import Char

_LETTER, _LINE = 8.43, 19  # the size of one character cell, in pixels
_MARGIN = 14
_PLAIN, _GROUND = "d4d7de", "14171d"
_COLOURS = {
    "default": _PLAIN,
    "black": "3b4252",
    "red": "f07178",
    "green": "a3d97d",
    "brown": "ffcb6b",
    "blue": "82aaff",
    "magenta": "c792ea",
    "cyan": "89ddff",
    "white": "eceff4",
    "brightblack": "7d8799",
}

LAST_SECONDS = 4.0
"""How long the last frame stays before the recording begins again."""

SHORTEST_SECONDS = 0.25
"""Of frames that follow one another faster, only some are kept: a spinner turning, a line half drawn."""

LONGEST_SECONDS = 3.5
"""Waiting is cut to this."""

_ELSEWHERE = str.maketrans("⎿⏸", "└‖")
"""Signs that few fonts have."""


class Frame(NamedTuple):
    """What was on the screen, a tuple of drawn lines, and since when."""

    lines: tuple[str, ...]
    since: float


class Recording:
    """Frames of one terminal. ``watch`` is called whenever something was written to it."""

    def __init__(self) -> None:
        self._frames: list[Frame] = []
        self._size = (80, 24)

    def watch(self, screen: pyte.Screen) -> None:
        now = time.monotonic()
        frame = Frame(tuple(_line(screen, line) for line in range(screen.lines)), now)
        if self._frames and self._frames[-1].lines == frame.lines:
            return
        if self._is_short():
            self._frames.pop()
        self._size = (screen.columns, screen.lines)
        self._frames.append(frame)

    def _is_short(self) -> bool:
        """Whether the last frame came right after the one before it."""
        last = [frame.since for frame in self._frames[-2:]]
        return len(last) == 2 and last[1] - last[0] < SHORTEST_SECONDS

    def svg(self, title: str) -> str:
        """The recording; ``title`` says to those who cannot see it what happens in it."""
        columns, lines = self._size
        width = round(columns * _LETTER) + 2 * _MARGIN
        height = lines * _LINE + 2 * _MARGIN
        known: dict[str, int] = {}
        groups = []
        for number, frame in enumerate(self._frames):
            uses = []
            for row, line in enumerate(frame.lines):
                if line:
                    name = known.setdefault(line, len(known))
                    uses.append(f'<use href="#l{name}" y="{row * _LINE}"/>')
            groups.append(f'<g transform="translate({number * width})">{"".join(uses)}</g>')
        ends = self._seconds()
        begins = [0.0, *ends[:-1]]
        waits = [end - begin for begin, end in zip(begins, ends, strict=True)]
        first = waits.index(max(waits[:-1], default=waits[-1]))
        drawn = "".join(f'<g id="l{name}">{line}</g>' for line, name in known.items())
        return _PAGE.format(
            width=width,
            height=height,
            title=html.escape(title),
            ground=_GROUND,
            plain=_PLAIN,
            margin=_MARGIN,
            end=-(len(self._frames) - 1) * width,
            seconds=round(self._seconds()[-1], 2),
            first=-first * width,
            delay=round(begins[first], 2),
            steps=self._steps(width),
            drawn=drawn,
            frames="".join(groups),
        )

    def _seconds(self) -> list[float]:
        """When each frame ends."""
        pairs = itertools.pairwise(frame.since for frame in self._frames)
        lengths = [min(after - before, LONGEST_SECONDS) for before, after in pairs]
        return list(itertools.accumulate([*lengths, LAST_SECONDS]))

    def _steps(self, width: int) -> str:
        ends = self._seconds()
        begins = [0.0, *ends[:-1]]
        return "".join(
            f"{100 * begin / ends[-1]:.3f}%{{transform:translateX({-number * width}px)}}"
            for number, begin in enumerate(begins)
        )


_PAGE = """\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" role="img">\
<title>{title}</title><style>\
text{{font:14px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;\
white-space:pre}}\
.b{{font-weight:bold}}.i{{font-style:italic}}.u{{text-decoration:underline}}\
#all{{transform:translateX({first}px);animation:all {seconds}s step-end infinite;\
animation-delay:-{delay}s}}\
@keyframes all{{{steps}}}\
@media(prefers-reduced-motion:reduce){{#all{{animation:none;transform:translateX({end}px)}}}}\
</style><defs>{drawn}<clipPath id="screen"><rect width="{width}" height="{height}"/></clipPath></defs>\
<rect width="{width}" height="{height}" rx="9" fill="#{ground}"/>\
<g clip-path="url(#screen)"><g transform="translate({margin} {margin})">\
<g id="all" fill="#{plain}">{frames}</g></g></g></svg>
"""


def _line(screen: pyte.Screen, line: int) -> str:
    """One line of the screen: what has a ground of its own first, then the text in its colours."""
    row = screen.buffer[line]
    cells = [row[column] for column in range(screen.columns)]
    grounds, texts = [], []
    for style, run in itertools.groupby(enumerate(cells), key=lambda each: _style(each[1])):
        run_cells = list(run)
        column = run_cells[0][0]
        text = "".join(cell.data for _, cell in run_cells).translate(_ELSEWHERE)
        colour, ground, classes = style
        if ground:
            grounds.append(
                f'<rect x="{column * _LETTER:.1f}" width="{len(run_cells) * _LETTER:.1f}"'
                f' height="{_LINE}" fill="#{ground}"/>'
            )
        if text.strip():
            texts.append(_text(text, column, colour, classes))
    return "".join([*grounds, *texts])


def _text(text: str, column: int, colour: str, classes: str) -> str:
    start = len(text) - len(text.lstrip())
    text = text.strip()
    looks = f' fill="#{colour}"' if colour != _PLAIN else ""
    looks += f' class="{classes}"' if classes else ""
    # Stretched to its cells: no two machines have the same font.
    length = len(text) * _LETTER
    at = (column + start) * _LETTER
    return (
        f'<text x="{at:.1f}" y="{_LINE - 5}" textLength="{length:.1f}"'
        f' lengthAdjust="spacingAndGlyphs"{looks}>{html.escape(text)}</text>'
    )


def _style(cell: Char) -> tuple[str, str, str]:
    colour = _COLOURS.get(cell.fg, cell.fg)
    ground = "" if cell.bg == "default" else _COLOURS.get(cell.bg, cell.bg)
    if cell.reverse:
        colour, ground = ground or _GROUND, colour
    given = (("b", cell.bold), ("i", cell.italics), ("u", cell.underscore))
    return colour, ground, " ".join(name for name, is_so in given if is_so)
