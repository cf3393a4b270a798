"""A text of XML without its comments.

Owns where something only looks like one: in a CDATA section, in an instruction, or among entities. Does not
own the elements.
"""

from __future__ import annotations

from operators_edge.text.patterns import blanked, pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re

_PART = pattern(r"(?s)(?P<comment><!--.*?-->)|<!\[CDATA\[.*?\]\]>|<\?.*?\?>")
_MAY_HOLD_PARTS = pattern(r"<!ENTITY|<!DOCTYPE[^>]*<")


def without_xml_comments(text: str) -> str:
    """Return the text with its comments ``blanked``; all of it where its head may hold a part of one."""
    if _MAY_HOLD_PARTS.search(text):
        return text
    return _PART.sub(_without, text)


def _without(found: re.Match[str]) -> str:
    return blanked(found[0]) if found["comment"] else found[0]


# end of module
