"""``suppress`` and ``contextmanager`` as in ``contextlib``, which is loaded where a generator is entered.

Importing it costs a fifteenth of the interpreter's start. To a type checker these are the originals.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from contextlib import (
        AbstractContextManager,
        contextmanager as contextmanager,  # noqa: PLC0414 - exported
        suppress as suppress,  # noqa: PLC0414 - as above
    )
    from typing import Any
else:

    class suppress:  # noqa: N801 - named as the original
        def __init__(self, *errors: type[BaseException]) -> None:
            self._errors = errors

        def __enter__(self) -> None:
            pass

        def __exit__(self, kind: type[BaseException] | None, *_: object) -> bool:
            return kind is not None and issubclass(kind, self._errors)

    def contextmanager(
        function: Callable[..., Iterator[Any]],
    ) -> Callable[..., AbstractContextManager[Any]]:
        def entered(*args: Any, **named: Any) -> AbstractContextManager[Any]:
            from contextlib import contextmanager as original  # noqa: PLC0415 - see above

            return original(function)(*args, **named)

        entered.__doc__ = function.__doc__
        return entered


# end of module
