"""The shape of one entry of the table, and the entries that several ecosystems share."""

from __future__ import annotations

from typing import NamedTuple


class Tool(NamedTuple):
    """One way a program judges work.

    ``subs``: the words that have to follow, each alternative apart by ``|``; ``*`` ends a stem.
    ``values``: options whose next word is a value. ``narrows``: options that leave part of the work out.
    ``idle``: options under which nothing is judged; ``needs``: one of these has to be given.
    ``folder``: options that name the folder it works in. ``reads``: whose summaries it prints, the kind's
    own where empty. ``operands``: whether its operands name what is judged. ``whole``: operands that mean
    everything.
    """

    kind: str
    subs: str = ""
    values: str = ""
    narrows: str = ""
    idle: str = ""
    needs: str = ""
    folder: str = ""
    reads: str = ""
    operands: bool = True
    whole: str = ""


MAKE = Tool(
    "test",
    "@goals",
    values="-C -f -I -o -W --directory --file --makefile -j -l",
    idle="-n --dry-run --just-print --recon -q --question -p --print-data-base -t --touch",
    folder="-C --directory",
    operands=False,
)
