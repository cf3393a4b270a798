"""Lines that were wrapped at a column, each as the one line that it was.

Owns how wrapped lines differ from lines that merely follow each other. Does not own what is secret in them.
Pure, and nearly free for ordinary text: of some lines next to each other only the longest are looked at.
"""

from __future__ import annotations

from functools import cache

from operators_edge.redaction.randomness import is_random
from operators_edge.redaction.scanner import pattern
from operators_edge.redaction.views import View
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from operators_edge.redaction.finding import Finding

_NARROWEST, _WIDEST = 16, 400
"""Columns at which lines are wrapped."""

_BLOCK = 16
"""Lines that are looked at together: where lines are wrapped, none is longer than a wrapped one."""

_GUTTER = r"[ \t]{0,16}(?:(?:[│┃║┆|>#*]|//)(?:[ \t]{1,3}|\Z))?"
_BORDER = r"[ \t]?[│┃║┆|][ \t]*\Z"

_OWN = (
    r"(?:[A-Za-z]?[a-z]+|[A-Z]+)(?=[,;:.?)]?(?:\s|\Z)|[(\[]|\.[A-Za-z])|\d{4}-\d\d|\d\d:\d\d|\d{1,5}[\s:]|[\[{<}]"
    r"|(?:[\w.-]{1,40}/){1,20}[\w.-]{1,40}\.[a-z]{1,4}\b"
)
"""How a line of its own begins: with a word, a time, a number or a path."""

_NAMED = (
    r"(?P<name>(?!-\w)[\w.-]{1,40})(?:(?P<rest>={1,2}(?=[\s\"'`,;)&]|\Z)|:(?=[^\s/]))| ?[=:](?!//))"
)
"""A line of its own that gives a name a value, or one that begins with the ``rest`` of a token."""

_SHORTEST_REST = 8
"""Signs before ``=`` or ``:`` that may be the rest of a token: of base64 or of ``hash:password``."""

_END = r"(?:[a-z]+|[A-Z]?[a-z]+ing|(?:[\w.-]{1,40}/){1,20}[\w.-]{1,40}\.[a-z]{1,4})[:.]?"
_BROKEN = r"[\w+~=-]{8,}(?![\w./])"
"""A line of its own ends with a word or a path; one that is not, with the start of a token."""

_TELLING = """
password passwd passphrase passcode pwd secret token bearer basic authorization cookie credential credentials
login user api access private auth account client signing encryption key identified webhook session
"""
"""Words that are known by what they were broken into."""

_SHORT = 12
"""Lines of a text in which each that may be wrapped is taken for it."""

_FEW = 2
"""Lines that are as long by chance."""

_HEAD = r"-----B[A-Z ]{0,48}-{0,4}\Z"
"""The beginning of a key's first line."""

_SAME = 3
"""Lines of a list or a log begin alike."""


class Joint(NamedTuple):
    """Where a line goes on in the next one."""

    cut: int
    """Signs of the line before what frames it."""
    skip: int
    """Signs of the next line that frame it."""
    is_name: bool
    """The next line may be one of its own: at most the name of a secret was broken."""


class Unwrapped(NamedTuple):
    """What was wrapped, as one line each."""

    view: View
    apart: list[int]
    """Ends of lines across which nothing but a known value is taken for a secret."""

    def in_lines(self, findings: Iterable[Finding]) -> Iterator[Finding]:
        """What was found there, apart for each line in which it stands."""
        for each in findings:
            apart = [] if each.why == "value" else self.apart
            end = next((at for at in apart if each.begin <= at < each.end), each.end)
            lines = list(self.view.lines(each.begin, end))
            if end == each.end or len(lines) > 1:
                for begin, stop in lines:
                    yield each._replace(begin=begin, end=stop)


def unwrapped(text: str) -> Unwrapped | None:
    """None where nothing was wrapped."""
    lines = text.split("\n")
    sizes = list(map(len, lines))
    is_short = len(lines) <= _SHORT
    joints: dict[int, Joint] = {}
    frame_of = pattern(_GUTTER).match
    for number in _longest(sizes):
        line, rest = lines[number], lines[number + 1]
        frame = frame_of(rest) if rest[:1] in _FRAMES else None
        skip = frame.end() if frame else 0
        if not skip and rest[:_SAME] == line[:_SAME]:
            continue
        around = sizes[number - 1 if number else 0 : number + 3]
        is_sure = (
            around.count(sizes[number]) > _FEW
            or (number - 1) in joints
            or ("-----B" in line and pattern(_HEAD).search(line) is not None)
            or (" " not in line and (number - 2) in joints)  # of a key, for one
        )
        if not (is_sure or is_short or rest[:skip].strip()) and _is_apart(line, rest[skip:]):
            continue
        joint = _joint(line, rest, skip, is_sure=is_sure, is_short=is_short)
        if joint is not None:
            joints[number] = joint
    return _joined(lines, sizes, joints) if joints else None


_FRAMES = frozenset(" \t│┃║┆|>#*/")


def _longest(sizes: Sequence[int]) -> Iterator[int]:
    """The numbers of lines that none near exceeds, and that another follows."""
    last = len(sizes) - 1
    for first in range(0, last, _BLOCK):
        block = sizes[first : first + _BLOCK]
        most = max(block)
        if _NARROWEST <= most <= _WIDEST:
            at = block.index(most)
            if block.count(most) == 1:
                if first + at < last and (at < _BLOCK - 1 or most >= sizes[first + at + 1]):
                    yield first + at
            else:
                for number in range(first + at, min(first + _BLOCK, last)):
                    if sizes[number] == most >= sizes[number + 1]:
                        yield number


def _joint(line: str, rest: str, skip: int, *, is_sure: bool, is_short: bool) -> Joint | None:
    """``skip``: signs at the beginning of the second line that may frame it."""
    begin, cut = 0, len(line)
    if skip:
        if line.startswith(rest[:skip]):
            begin = skip
            border = pattern(_BORDER).search(line) if rest[:skip].strip() else None
            cut = border.start() if border else cut
        elif rest[:skip] == " ":
            skip = 0  # wrapped before a space
        elif not rest[:skip].isspace():
            return None
    if line[cut - 1] == "\r":
        cut -= 1
    left, right = line[begin:cut], rest[skip:].rstrip("\r")
    if not left or not right or left[-1] in "\t\\" or left.endswith("  ") or right[0] == "\t":
        return None
    if left[:_SAME] == right[:_SAME] or left[:2] == right[:2] == "- ":
        return None
    if not (is_sure or is_short or _is_likely(left, right)):
        return None
    return Joint(cut, skip, _is_own(right, is_sure=is_sure))


def _is_likely(left: str, right: str) -> bool:
    """Whether neither looks like a line of its own."""
    if _is_apart(left, right):
        return False
    if _is_own(right):
        return _is_broken_name(left, right)
    last = max(left.rfind(" "), left.rfind("\t")) + 1
    is_end = pattern(_END).fullmatch(left, last) and not pattern(_BROKEN).match(right)
    return not is_end or _is_broken_name(left, right)


def _is_apart(left: str, right: str) -> bool:
    """Whether a sign at the break tells that nothing was broken there."""
    return left[-1:] in _LAST or right[:1] in _FIRST


_LAST = frozenset(" ,;{}()[]")
_FIRST = frozenset(" )#\"'+@-/")


def _is_own(right: str, *, is_sure: bool = False) -> bool:
    """Whether the second of them begins like one."""
    found = pattern(_NAMED).match(right)
    is_rest = found is not None and found["rest"] is not None
    if found is not None and not (is_rest and is_random(found["name"], least=_SHORTEST_REST)):
        return True
    return not is_sure and pattern(_OWN).match(right) is not None


def _is_broken_name(left: str, right: str) -> bool:
    found = pattern(r"[A-Za-z]+").match(right)
    starts = _starts().get(found.group().lower()) if found else None
    return starts is not None and left.lower().endswith(starts)


@cache
def _starts() -> dict[str, tuple[str, ...]]:
    """Of each end of a telling word what it begins with."""
    starts: dict[str, tuple[str, ...]] = {}
    for word in _TELLING.split():
        for at in range(1, len(word)):
            starts[word[at:]] = (*starts.get(word[at:], ()), word[:at])
    return starts


def _joined(lines: Sequence[str], sizes: Sequence[int], joints: dict[int, Joint]) -> Unwrapped:
    view, apart = View(), []
    begin = at = skip = 0
    last = -1
    for number, joint in sorted(joints.items()):
        if number - 1 not in joints:
            begin += sum(sizes[at:number]) + number - at
            at, skip = number, 0
            view.add(_BETWEEN, begin, begin)
            if number - 1 > last:  # what stands above may say what this is
                view.add(f"{lines[number - 1]}\n", begin - sizes[number - 1] - 1, begin)
        view.add(lines[number][skip : joint.cut], begin + skip, begin + joint.cut)
        if joint.is_name:
            apart.append(view.size)
        begin, at, skip = begin + sizes[number] + 1, number + 1, joint.skip
        if at not in joints:
            last = at
            rest = lines[at].rstrip("\r")
            view.add(rest[skip:], begin + skip, begin + len(rest))
    return Unwrapped(view, apart)


_BETWEEN = "\n.\n"
"""Between lines that do not follow each other: what is no value."""

# end of module
