"""``cached_property`` and ``lru_cache`` as in ``functools``.

Importing that costs a quarter of the interpreter's start. To a type checker these are the originals.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from functools import (
        cached_property as cached_property,  # noqa: PLC0414 - exported
        lru_cache as lru_cache,  # noqa: PLC0414 - as above
    )
    from typing import Any
else:
    from _functools import _lru_cache_wrapper  # what functools makes its own of

    class cached_property:  # noqa: N801 - named as the original
        def __init__(self, function: Callable[[Any], Any]) -> None:
            self._function = function
            self.__doc__ = function.__doc__

        def __set_name__(self, _: type, name: str) -> None:
            self._name = name

        def __get__(self, owner: object | None, _: type | None = None) -> Any:
            if owner is None:
                return self
            value = owner.__dict__[self._name] = self._function(owner)
            return value

    def lru_cache(*, maxsize: int | None) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
        def kept(function: Callable[..., Any]) -> Callable[..., Any]:
            wrapper = _lru_cache_wrapper(function, maxsize, False, _information)
            for name in ("__module__", "__name__", "__qualname__", "__doc__"):
                setattr(wrapper, name, getattr(function, name))
            wrapper.__wrapped__ = function
            return wrapper

        return kept

    def _information(*counts: int | None) -> tuple[int | None, ...]:
        """Hits, misses, the most and the current size."""
        return counts


# end of module
