"""Commands as people quote them: in a claim, as a step's verification, on the command line.

Owns when two texts mean the same command. Does not own what the command does.
"""

from __future__ import annotations

import re

_LEAD = re.compile(
    r"(?:time\s+|cd\s+(?:\"[^\"]*\"|'[^']*'|[^\s;&]+)\s*(?:&&|;)\s*|\$\s+|(?:env\s+)?[A-Za-z_]\w*=\S*\s+)+"
)
_TAIL = re.compile(r"(?:\s*(?:\d?>&\d|\d?>\s*/dev/null|\|\s*(?:tail|head|cat|tee)\b[^|;&]*))+$")


def bare(text: str) -> str:
    """The command alone: without what only leads to it, cuts its output, or stands around it."""
    plain = text.strip().strip("`").rstrip("; ").strip()
    plain = _TAIL.sub("", _LEAD.sub("", plain, count=1) if _LEAD.match(plain) else plain)
    return " ".join(plain.split())
