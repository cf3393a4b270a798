"""How a text of a shell is read: the first time, and again with more taken for known.

Owns which readings there are, and what of a text asks for them. Does not own what they find
(``gate.assessment``, ``gate.pieces``). Pure but for ``Facts``.
"""

from __future__ import annotations

from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from operators_edge.gate.folder_outcomes import FolderOutcomes
    from operators_edge.gate.paths import CallContext
    from operators_edge.shell.commands import Command, Script
    from operators_edge.shell.evaluate import Disk


class Reading(NamedTuple):
    """What a text is read by: a second reading takes more for known, or looks at a part of it.

    ``assumed`` is what unknown words are taken to be, "" to leave them unknown. One that ``takes_defaults``
    gives variables that nothing known sets the values of ``${NAME:-VALUE}``. One that ``knows_sourced`` knows
    all that the text sources. ``disk`` tells what files hold that the text reads. ``only`` some of its
    commands are looked at; ``before`` is what an earlier reading has judged: nothing else is in the same.
    ``outcomes`` holds which changes of the folder fail.
    """

    assumed: str = ""
    takes_defaults: bool = False
    knows_sourced: bool = False
    disk: Disk | None = None
    only: frozenset[Command] | None = None
    before: Script | None = None
    outcomes: FolderOutcomes | None = None

    @property
    def is_first(self) -> bool:
        """Whether nothing more is taken for known, in whichever outcome."""
        return self._replace(outcomes=None) == FIRST_READING


FIRST_READING = Reading()


def with_exports(text: str, context: CallContext) -> str:
    """A text in which what exports the variables of a file sources it."""
    if ".env" not in text or "$(" not in text:
        return text
    from operators_edge.gate.disk import sourced  # noqa: PLC0415 - few texts name such a file

    return sourced.with_exports(text, context)


# end of module
