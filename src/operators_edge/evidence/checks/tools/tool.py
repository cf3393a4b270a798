"""The shape of one entry of the table, and the entries that several ecosystems share."""

from __future__ import annotations

from operators_edge.tuples import NamedTuple


class Tool(NamedTuple):
    """One way in which a program judges work.

    ``subs``: the subcommand that must follow, alternatives separated by ``|``; ``*`` ends a stem.
    ``values``: options whose next argument is a value. ``narrows``: options that leave out part of the work.
    ``idle``: options with which nothing is judged; ``needs``: one of these must be given.
    ``folder``: options that name the folder it works in. ``reads``: whose summaries it prints, by default
    those of the kind. ``operands``: whether operands name what is judged. ``whole``: operands that mean
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

# end of module
