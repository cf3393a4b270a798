"""``datetime`` as in Python's module, which costs an eighth of the interpreter's start to import up to 3.11.

It then runs a whole implementation in Python first, and replaces it by the compiled one. To a type checker
these are the originals; at run time, too: the same classes.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from datetime import (
        UTC as UTC,  # noqa: PLC0414 - exported
        datetime as datetime,  # noqa: PLC0414 - as above
        timedelta as timedelta,  # noqa: PLC0414 - as above
        tzinfo as tzinfo,  # noqa: PLC0414 - as above
    )
else:
    try:
        from _datetime import datetime, timedelta, timezone, tzinfo
    except ImportError:  # no compiled one, as in PyPy
        from datetime import datetime, timedelta, timezone, tzinfo  # noqa: F401 - exported

    UTC = timezone.utc  # noqa: UP017 - its name in that module

# end of module
