"""Known secrets that the words of a command hold: what the command prints does not repeat them.

Owns which these are. Does not own what is known on this machine (``project.secrets_of``), nor what looks like
a secret: a terminal shows a person's own words as they are, but for values that nobody should see again.
"""

from __future__ import annotations

import os

from operators_edge import jsons
from operators_edge.project import secrets_of
from operators_edge.redaction.redact import MARK
from operators_edge.system import project_root

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


def secrets_in(words: Sequence[str]) -> tuple[str, ...]:
    """Those of the values known here that stand in the words, each also as JSON writes it; longest first."""
    given = "\n".join(words)
    known = secrets_of(project_root.find(os.getcwd()).root, os.environ)
    found = {each for each in known if type(each) is str and each in given}
    found |= {jsons.dumps(each, ensure_ascii=False)[1:-1] for each in found}
    return tuple(sorted(found, key=len, reverse=True))


def hidden(text: str, secrets: Sequence[str]) -> str:
    for each in secrets:
        text = text.replace(each, MARK)
    return text


# end of module
