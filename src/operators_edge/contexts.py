"""``suppress`` and ``contextmanager`` as in ``contextlib``, but they decorate nothing.

To import that costs a fifteenth of the interpreter's start. To a type checker these are the originals.
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

    class _Entered:
        """What a generator does around a block: up to its ``yield`` before, the rest after."""

        def __init__(self, steps: Iterator[Any]) -> None:
            self._steps = steps

        def __enter__(self) -> Any:
            try:
                return next(self._steps)
            except StopIteration:
                raise RuntimeError("the generator does not yield") from None

        def __exit__(
            self, kind: type[BaseException] | None, error: BaseException | None, _: object
        ) -> bool:
            try:
                if kind is None:
                    next(self._steps)
                else:
                    self._steps.throw(error)
            except StopIteration as end:
                return kind is not None and end is not error
            except BaseException as raised:
                # A StopIteration of the block comes back as the cause of a RuntimeError.
                is_caused = isinstance(error, StopIteration) and raised.__cause__ is error
                if raised is error or is_caused:
                    return False
                raise
            raise RuntimeError("the generator yields more than once")

    def contextmanager(
        function: Callable[..., Iterator[Any]],
    ) -> Callable[..., AbstractContextManager[Any]]:
        def entered(*args: Any, **named: Any) -> AbstractContextManager[Any]:
            return _Entered(function(*args, **named))

        entered.__doc__ = function.__doc__
        return entered


# end of module
