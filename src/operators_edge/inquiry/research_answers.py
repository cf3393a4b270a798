"""Action items and a summary, extracted from an answer in Markdown.

Pure and deterministic: the list items under a heading for actions, and the text under a heading for a
summary. An answer without such a heading has no action items. Does not own their use
(``inquiry.research``).
"""

from __future__ import annotations

import re

from operators_edge.text.wording import one_line
from operators_edge.tuples import NamedTuple

MAX_ITEMS = 20
"""Action items that are extracted from one text."""

_MAX_ITEM = 300

# The first kind that a text has counts: recommendations only count if there is no list of actions.
_ACTIONS = (
    r"action (?:items?|points?|plan|list)|actions?|actionable (?:items?|steps?)|to-?dos?|tasks?",
    r"next (?:steps?|actions?)|what to do(?: next)?|implementation (?:steps?|plan)|steps?",
    r"recommendations?|recommended (?:actions?|steps?|next steps?)",
)
_SUMMARY = (
    r"(?:executive |short )?summary|tl;?dr|(?:short |direct )?answer|in short",
    r"conclusions?|recommendations?|bottom line|result|findings",
)
_NOT_PART = r"sources?|references?|links?|further reading|citations?|works cited"

_HEAD = re.compile(
    r"\s{0,3}(?:#{1,6}\s+(?P<hash>.+?)\s*#*"
    r"|(?:\*\*|__)(?P<bold>[^*_]{1,80}?)(?:\*\*|__)\s*:?"
    r"|(?P<plain>[^\W\d][^.!?:]{0,60}):)\s*"
)
_UNDERLINE = re.compile(r"\s{0,3}(?:=+|-{3,})\s*")
_ITEM = re.compile(
    r"(?P<indent>\s*)(?:[-*+•‣\u2013]|\(?\d{1,3}[.)])\s+(?:\[[ xX]?\]\s+)?(?P<text>\S.*)"
)
_FENCE = re.compile(r"\s{0,3}(?:```|~~~)")
_MAX_HEAD = 300
"""Characters of a line that can be a heading: in longer ones the spaces alone could take too long."""

_DECORATION = re.compile(r"^[\W\d_]+|[\W_]+$")


class Section(NamedTuple):
    """A heading in lower case ("" before the first one), its level, and its lines without code."""

    head: str
    level: int
    lines: list[str]


def action_items(text: str) -> tuple[list[str], int]:
    """The action items in order, and how many more there are."""
    sections = _sections(text)
    for kind in _ACTIONS:
        found: dict[str, None] = {}
        for at, each in enumerate(sections):
            if re.fullmatch(kind, each.head):
                found.update(dict.fromkeys(_items(_with_subsections(sections, at))))
        if found:
            items = list(found)
            return items[:MAX_ITEMS], max(0, len(items) - MAX_ITEMS)
    return [], 0


def summary(text: str, limit: int) -> str:
    """The text under a heading for a summary, else the first paragraph, on one line."""
    sections = _sections(text)
    for kind in _SUMMARY:
        for each in sections:
            if re.fullmatch(kind, each.head) and (words := _paragraph(each.lines)):
                return one_line(words, limit)
    first = next((words for each in sections if (words := _paragraph(each.lines))), text)
    return one_line(first, limit)


def _sections(text: str) -> list[Section]:
    found = [Section("", 0, [])]
    is_code = False
    for line in text.splitlines():
        if _FENCE.match(line):
            is_code = not is_code
            continue
        if is_code:
            continue
        here = found[-1].lines
        if (section := _section_start(line)) is not None:
            found.append(section)
        elif _UNDERLINE.fullmatch(line) and here and here[-1].strip() and not _ITEM.match(here[-1]):
            found.append(Section(_normalised(here.pop()), 1 if "=" in line else 2, []))
        else:
            here.append(line)
    return found


def _section_start(line: str) -> Section | None:
    """The section that the line starts; words before a colon are a heading only if they are known."""
    head = _HEAD.fullmatch(line) if len(line) <= _MAX_HEAD else None
    if head is None:
        return None
    name = _normalised(head["hash"] or head["bold"] or head["plain"])
    if head["plain"] and not any(re.fullmatch(kind, name) for kind in (*_ACTIONS, *_SUMMARY)):
        return None
    marks = line.split(maxsplit=1)[0]
    level = len(marks) if head["hash"] else _BOLD_LEVEL if head["bold"] else _BOLD_LEVEL + 1
    return Section(name, level, [])


_BOLD_LEVEL = 7
"""The level of a bold line that serves as a heading: below all real headings."""


def _with_subsections(sections: list[Section], at: int) -> list[str]:
    """The lines of a section and of its subsections."""
    lines = list(sections[at].lines)
    for below in range(at + 1, len(sections)):
        each = sections[below]
        if each.level <= sections[at].level or re.fullmatch(_NOT_PART, each.head):
            break
        lines += ["", *each.lines]
    return lines


def _normalised(head: str) -> str:
    """A heading without numbers, punctuation and a trailing remark in brackets."""
    bare = re.sub(r"\s*\([^)]*\)\s*$", "", head.strip().strip("*_: "))
    return " ".join(_DECORATION.sub("", bare).lower().split())


def _items(lines: list[str]) -> list[str]:
    """The top-level items of the lists; nested items are left out."""
    found: list[str] = []
    deepest = None
    is_open = False
    for line in lines:
        item = _ITEM.fullmatch(line.expandtabs(4))
        if item is not None:
            deepest = len(item["indent"]) + 1 if deepest is None else deepest
            is_open = len(item["indent"]) <= deepest
            found += [item["text"]] if is_open else []
        elif not line.strip():
            is_open = False
        elif is_open and line[0].isspace() and len(found[-1]) <= _MAX_ITEM:
            found[-1] = f"{found[-1]} {line.strip()}"
    return [text for each in found if (text := _without_bold(each))]


def _without_bold(item: str) -> str:
    return one_line(item.replace("**", "").replace("__", ""), _MAX_ITEM)


def _paragraph(lines: list[str]) -> str:
    """The first paragraph with text in it."""
    found: list[str] = []
    for line in lines:
        if line.strip() and not _UNDERLINE.fullmatch(line):
            found.append(line.strip())
        elif found:
            break
    return " ".join(found)


# end of module
